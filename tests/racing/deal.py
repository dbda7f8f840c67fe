"""A deal of `cruel` that can be won, and how."""

# As the server draws them.
SEED = "bcd56150337ef3376355292fd7401d66042f40f50e45a9b151ddf866559c20ee"
WON = (
    "5>F 4>F 5>F 5>F 5>F 6>F 6>F 10>F 10>F 12>F 10>7 10>F 8>6 1>6 R 5>F 1>6 10>5 8>1 4>6 "
    "4>F 8>F 3>F 3>F 7>F 7>F 3>F 9>F 7>F 8>F 1>F 1>9 1>F 9>F 9>F 9>F 7>F 5>F 5>F 5>F "
    "3>8 5>F 6>F 6>F 6>F 2>4 2>8 2>F 1>F 2>F 8>F 4>F 4>F 8>F 8>F 6>F 6>F 4>F 6>F 9>F"
).split()
