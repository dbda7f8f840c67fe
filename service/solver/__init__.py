"""Search over positions of the rules: whether they can be won, and how."""
