"""Every action of every viewer in every state of a challenge is answered as the tables say."""

import pytest

from service.rules import VARIANTS
from service.solver.solution import Verdict
from service.usecases.solutions import Known, keep, key_of_seed
from tests.api.problems import CODES
from tests.conftest import NOON, SQLITE_ONLY
from tests.racing.actions import ACTIONS, headers_of
from tests.racing.arranging import Stage
from tests.racing.columns import CLOCKS, ENTRY_STATES, STATES, VIEWERS
from tests.racing.deal import SEED, WON
from tests.racing.grids import ANSWERS, read_grids
from tests.racing.rows import put_back, stored_rows

GRIDS = {clock: read_grids(clock) for clock in CLOCKS}
EVERY_STATE = [(clock, state) for clock, states in CLOCKS.items() for state in states]
LISTS = {"find", "mine", "games"}
SHOWS_SEED = {"read", "game", "peek", "record", "proof"}


def product():
    for clock, state in EVERY_STATE:
        for viewer in VIEWERS:
            for action in ACTIONS:
                yield clock, state, viewer, action


def beside(grid):
    """Give the cells that a grid leaves out, with a reason."""
    return {
        (viewer, action)
        for viewer in VIEWERS
        for action in ACTIONS
        if viewer in grid.never or action in grid.never
    }


# ---- the tables are whole ----


def test_the_tables_hold_the_whole_product_or_say_why_a_part_cannot_be():
    """Each of states, viewers and actions together has one answer or one reason."""
    found = []
    for clock, grids in GRIDS.items():
        for state, grid in grids.items():
            cells = set(grid.cells)
            assert not cells & beside(grid), (clock, state)
            found += [(clock, state, *cell) for cell in cells | beside(grid)]
            assert all(grid.never.values())
            assert set(grid.never) <= {*VIEWERS, *ACTIONS}
    assert len(found) == len(set(found))
    assert set(found) == set(product())
    assert len(found) == (10 + 11) * 13 * 34


def test_every_word_of_the_tables_is_a_code_of_the_contract_and_every_word_is_used():
    used = {
        word for grids in GRIDS.values() for grid in grids.values() for word in grid.cells.values()
    }
    assert used == set(ANSWERS)
    for status, code in ANSWERS.values():
        assert CODES.get(code, status) == status


# ---- the service answers so ----


# Some thousand requests; the stories and the use cases ask the same things of PostgreSQL.
@SQLITE_ONLY
@pytest.mark.parametrize(("clock_kind", "state"), EVERY_STATE)
def test_everything_is_answered_as_the_table_says(db, client, clock, clock_kind, state):
    ask_every_cell(db, client, clock, clock_kind, state)


@pytest.mark.slow
@pytest.mark.parametrize(("clock_kind", "state"), EVERY_STATE)
def test_everything_is_answered_so_by_each_database(db, client, clock, clock_kind, state):
    ask_every_cell(db, client, clock, clock_kind, state)


def ask_every_cell(db, client, clock, clock_kind, state):
    """Ask every cell of a state; what is done is asked twice, then undone."""
    grid, stage = GRIDS[clock_kind][state], Stage(db, client, clock, clock_kind, state)
    check_viewers(stage, state, grid)
    settle(db)
    rows, wrong = stored_rows(db), []
    for viewer in grid.viewers:
        subject = stage.subject(viewer)
        cells = [
            Cell(stage, state, viewer, action, subject, grid.cells[viewer, action])
            for action in ACTIONS
            if (viewer, action) in grid.cells
        ]
        wrong += [cell.verdict(cell.ask()) for cell in cells if not cell.does]
        assert stored_rows(db) == rows, viewer
        wrong += [cell.verdict(cell.ask_twice(rows)) for cell in cells if cell.does]
    assert [verdict for verdict in wrong if verdict] == []


def settle(db):
    """Let a shortest line be known, so that no search is made and each answer is the same."""
    deal = key_of_seed(VARIANTS["cruel"], "deal/1", SEED)
    keep(db, deal, Known(Verdict.WINNABLE, tuple(WON), len(WON), 0), NOON)


def check_viewers(stage, state, grid):
    """Check that the challenge, and everybody's entry, are in the state that the table says."""
    for viewer in set(grid.viewers) - {"unknown"}:
        path, headers = stage.subject(viewer).path, stage.auth[viewer]
        reply = stage.send("GET", path, headers)
        if grid.cells[viewer, "read"] == "404":
            continue
        assert reply.json["state"] == STATES[state]
        assert (reply.json["me"] is not None) == (viewer in ENTRY_STATES)
        if viewer in ENTRY_STATES:
            entry = stage.send("GET", f"{path}/entries/me", headers).json
            assert entry["state"] == reply.json["me"]["state"]
            assert entry["state"] in ENTRY_STATES[viewer]
            assert entry["state"] != "playing" or STATES[state] == "running"
            assert (entry["disqualified"] is not None) == (viewer == "disqualified")


class Cell:
    """One request of the product, and the word for the answer that is expected."""

    def __init__(self, stage, state, viewer, action, subject, expected):
        self.stage, self.state, self.viewer, self.action = stage, state, viewer, action
        self.subject, self.expected = subject, expected
        self.verb, self.path, self.body = ACTIONS[action](subject)
        self.headers = headers_of(action, stage.auth[viewer])
        self.does = self.verb != "GET" and ANSWERS[expected][0] < 300

    def verdict(self, found):
        """Say what is wrong with an answer, if it is not the expected one."""
        differs = found != self.expected
        return f"{self.viewer}, {self.action}: {found}, not {self.expected}" if differs else None

    def ask(self):
        """Ask; give the word for the answer."""
        return self._word(self._send())

    def ask_twice(self, rows):
        """Ask, and once more, which is answered the same and changes nothing; then undo it."""
        db, reply = self.stage.db, self._send()
        after = stored_rows(db)
        again = self._send()
        assert again.status_code == self._second(reply.status_code)
        assert again.status_code == 404 or told(again) == told(reply)
        assert stored_rows(db) == after
        if after != rows:
            put_back(db, rows)
        return self._word(reply)

    def _send(self):
        reply = self.stage.send(self.verb, self.path, self.headers, self.body)
        assert self._revealed or SEED not in f"{reply.text}{reply.headers}"
        return reply

    @property
    def _revealed(self):
        return STATES[self.state] == "finished"

    def _second(self, status):
        """Give the status of the second answer."""
        if self.state == "hidden" and status == 204 and self.viewer in ENTRY_STATES:
            return 404  # it is not there any more for who has left it
        return 200 if status == 201 else status

    def _word(self, reply):
        code = reply.json["code"] if reply.status_code >= 400 else None
        answer = reply.status_code, code
        if answer != ANSWERS[self.expected]:
            return str(answer)
        if self.action in LISTS and answer[0] == 200:
            return self._listed(reply.json["items"])
        if self.action in SHOWS_SEED and answer[0] == 200:
            assert (reply.json.get("seed") == SEED) == self._revealed
        if self.action == "events" and answer[0] == 200:
            assert reply.json["snapshot"]["state"] == STATES[self.state]
        if self.action == "ranking" and answer[0] == 200:
            self._check_ranking(reply.json)
        return self.expected

    def _check_ranking(self, page):
        """Check that who is ranked has a deal and stands, and that games are found at the end."""
        held = self.stage.players_dealt(self.viewer) - {"disqualified"}
        ranked = {item["player"]["name"].replace("-in", "+") for item in page["items"]}
        assert ranked == (set() if STATES[self.state] == "cancelled" else held)
        assert page["provisional"] is not self._revealed
        assert {item["game_id"] is not None for item in page["items"]} <= {self._revealed}

    def _listed(self, items):
        """Give the word for what is in a list."""
        if self.action != "games":
            return "in" if self.subject.id in [item["id"] for item in items] else "out"
        held = self.stage.players_dealt(self.viewer)
        players = {item["player"].replace("-in", "+") for item in items}
        if players == held != set():
            return "all"
        return {(): "none", (self.viewer,): "own"}.get(tuple(players), str(players))


def told(reply):
    """Give what a reply tells, but for how many moves were recorded before."""
    body = reply.json if reply.data else {}
    return {name: value for name, value in body.items() if name != "recorded"}
