"""What people do here: one file for each module of the use cases, one for races."""
