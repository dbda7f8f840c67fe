"""The columns of the tables: everybody who may ask, and what they are where they can be it."""

# Who asks; "the challenge" is the one that is asked about.
VIEWERS = {
    "stranger": "shows no token",
    "game-token": "shows the token of a free game",
    "unknown": "shows a token that nobody has",
    "other": "a player who has nothing to do with the challenge",
    "host": "the host, who has not entered",
    "host+": "the host, who has entered, and plays where attempts are dealt",
    "registered": "has entered, and has nothing dealt",
    "playing": "plays attempt 1",
    "ended": "has ended attempt 1 by a move",
    "forfeited": "has given up; attempt 1 was dealt where attempts are dealt",
    "disqualified": "the host has taken them out; plays attempt 1 where attempts are dealt",
    "timed-out": "the time of the last attempt has run out: of 2 on the own clock",
    "no-show": "had entered, and the challenge finished before anything was dealt",
}

# The states of an entry that its player may see: where they differ, by the state of the challenge.
ENTRY_STATES = {
    "host+": {"registered", "playing", "finished", "timed_out"},
    "registered": {"registered"},
    "playing": {"playing"},
    "ended": {"playing", "finished"},
    "forfeited": {"forfeited"},
    "disqualified": {"registered", "playing", "finished", "timed_out"},
    "timed-out": {"timed_out"},
    "no-show": {"no_show"},
}

# The states of the tables, and what the challenge says of itself.
STATES = {
    "scheduled": "scheduled",
    "scheduled-alone": "scheduled",
    "started": "running",
    "started-alone": "running",
    "running": "running",
    "unlisted": "running",
    "hidden": "running",
    "finished": "finished",
    "ended-early": "finished",
    "cancelled": "cancelled",
    "stopped": "cancelled",
}
CLOCKS = {
    "own": [state for state in STATES if state != "ended-early"],
    "shared": list(STATES),
}
