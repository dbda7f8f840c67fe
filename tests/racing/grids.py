"""The tables of this folder, one for each state of a challenge: what is answered to whom.

They follow from the contract and the guide, not from the code. A state's block begins with
``== name``. Then come its columns, and a row for each action with a word for each column.
``as other, but`` stands for all of another block but for the rows that follow it. ``never`` names
columns and rows that the state has not, with the reason. A row of another block that is the same
is not written again.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

# What the words stand for.
ANSWERS = {
    "200": (200, None),
    "201": (201, None),
    "204": (204, None),
    "in": (200, None),  # the challenge is in the list,
    "out": (200, None),  # or it is not
    "none": (200, None),  # the list has none of the challenge's games,
    "own": (200, None),  # those of the viewer,
    "all": (200, None),  # or everybody's
    "401": (401, "unauthenticated"),
    "403": (403, "forbidden"),
    "not-in": (403, "not_entered"),
    "404": (404, "not_found"),
    "stopped": (409, "not_running"),
    "begun": (409, "already_started"),
    "entered": (409, "has_entries"),
    "closed": (409, "entries_closed"),
    "wait": (409, "attempt_in_progress"),
    "spent": (409, "attempts_exhausted"),
    "late": (409, "time_expired"),
    "over": (409, "game_over"),
    "no-undo": (409, "undo_forbidden"),
    "no-hint": (409, "hint_forbidden"),
    "secret": (409, "still_secret"),
    "422": (422, "validation_failed"),
}
_HERE = Path(__file__).parent
_NAME = re.compile(r"== ([a-z-]+)(: .+)?")
_AS = re.compile(r"as ([a-z-]+), but")
_NEVER = re.compile(r"never ([a-z0-9+ -]+): (.+)")


@dataclass
class Grid:
    """The answers of a state: ``cells`` by viewer and action, ``never`` by either's name."""

    viewers: list = field(default_factory=list)
    cells: dict = field(default_factory=dict)
    never: dict = field(default_factory=dict)

    def copy(self):
        """Give the same again, to be changed."""
        return Grid(list(self.viewers), dict(self.cells), dict(self.never))


def read_grids(clock):
    """Read the grids of a clock by their states."""
    grids, grid = {}, Grid()
    blocks = (_HERE / f"{clock}.txt").read_text().partition("\n== ")[2]
    for line in f"== {blocks}".splitlines():
        if match := _NAME.fullmatch(line):
            assert match[1] not in grids
            grid = grids[match[1]] = Grid()
            base, rows = {}, set()
        elif match := _AS.fullmatch(line):
            grid = grids[_last(grids)] = grids[match[1]].copy()
            base = dict(grid.cells)
        elif match := _NEVER.fullmatch(line):
            grid.never |= dict.fromkeys(match[1].split(), match[2])
        elif line and not grid.viewers:
            grid.viewers = line.split()
        elif line:
            action, *words = line.split()
            assert action not in rows, f"{action} stands twice"
            rows.add(action)
            _add(grid, base, action, words)
    return grids


def _last(grids):
    return list(grids)[-1]


def _add(grid, base, action, words):
    """Add a row; one that is like that of the other block has no place in it."""
    row = dict(zip([(viewer, action) for viewer in grid.viewers], words, strict=True))
    assert base.keys().isdisjoint(row) or row != {key: base[key] for key in row}, action
    grid.cells |= row
