"""A season of challenges and dailies through HTTP alone, and every ranking of it once more."""
