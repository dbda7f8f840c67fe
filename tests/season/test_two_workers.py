"""Two worker processes on one database: what one has answered, the other tells at once."""

import csv
import io
import secrets
import time
from contextlib import ExitStack, closing, contextmanager
from itertools import count

import pytest

from service.config import Config
from tests.faults.challenge_checker import check_database
from tests.faults.pairs import Ask, Line
from tests.faults.test_concurrency import database
from tests.faults.twins import WON_MOVES, WON_SEED, now_ms, rfc
from tests.hosting import HOUR, SECOND
from tests.naive.variants import CRUEL_VARIANTS
from tests.season.model import Deal
from tests.servers import START_SECONDS, started_server

__all__ = ["database"]  # the fixture

FRESH_MS = 1_000  # how old a snapshot may be, by the contract
DEAL = Deal("cruel", CRUEL_VARIANTS["cruel"], WON_SEED)
_numbers = count(1)


class Own(Line):
    """A line that is closed, too, where nobody can tell which worker answers it."""

    def __init__(self, server):
        try:
            super().__init__(server)
        except BaseException:
            self.close()
            raise


class Two:
    """Two lines to two workers; ``here`` acts and ``there`` looks, until they change places."""

    def __init__(self, lines):
        self.here, self.there = lines
        assert self.here.worker != self.there.worker

    def turn(self):
        self.here, self.there = self.there, self.here

    def wait_until(self, ms):
        """Wait for an instant; a connection on which nothing comes for long is closed."""
        while now_ms() < ms:
            for line in (self.here, self.there):
                line.send(Ask("GET", "/livez"))
            time.sleep(min(0.5, max(ms - now_ms(), 0) / 1_000))

    def act(self, verb, path, body=None, token=None, wanted=200):
        """Write over the one line."""
        reply = self.here.send(Ask(verb, path, body, token))
        assert reply.status == wanted, reply.text
        return reply.json if reply.body else None

    def look(self, path, token=None):
        """Read over the other."""
        reply = self.there.send(Ask("GET", path, token=token))
        assert reply.status == 200, reply.text
        return reply

    def board(self, path, token=None, query=""):
        return self.look(f"{path}/leaderboard{query}", token).json

    def player(self):
        name = f"two-{next(_numbers)}-{secrets.token_hex(3)}"
        return name, self.act("POST", "/v1/players", {"name": name}, wanted=201)["token"]

    def challenge(self, host, **terms):
        body = {"title": "Two", "variant": "cruel", **terms}
        return f"/v1/challenges/{self.act('POST', '/v1/challenges', body, host, 201)['id']}"

    def dealt(self, path, token):
        self.act("PUT", f"{path}/entries/me", token=token, wanted=201)
        made = self.act("PUT", f"{path}/entries/me/attempts/1", token=token, wanted=201)
        return f"/v1/games/{made['id']}"

    def play(self, game, token, moves, at):
        self.act("POST", f"{game}/moves", {"moves": moves, "at": at}, token)


@pytest.fixture
def two(tmp_path, database):
    with _served(tmp_path, database) as lines:
        yield lines
    asked = {"SEMILLA_DATA": str(tmp_path / "data"), **database}
    check_database(Config.from_env(asked).url)


@contextmanager
def _served(folder, database):
    settings = {"WEB_CONCURRENCY": "2", "LOG_LEVEL": "info", **database}
    with started_server(folder, **settings) as server, ExitStack() as opened:
        yield Two(_lines_of_two_workers(server, opened))


def _lines_of_two_workers(server, opened):
    """Connect until two workers have answered; on a busy machine one comes up seconds later.

    ``opened`` closes every line, also where the other worker never comes up.
    """
    found = {}
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        line = opened.enter_context(closing(Own(server)))
        if line.worker not in found:
            found[line.worker] = line
            if len(found) == 2:
                return list(found.values())
            continue
        line.close()
        time.sleep(0.05)
        for each in found.values():  # nobody keeps a connection on which nothing comes
            each.send(Ask("GET", "/livez"))
    message = f"only one worker answers: {[*found]}\n{server.output[-2_000:]}"
    raise AssertionError(message)


def check_item(two, path, person, game, moves):
    """Check that the other worker ranks somebody by so many moves of the line, this instant."""
    name, token = person
    board = two.board(path)
    (item,) = [each for each in board["items"] if each["player"]["name"] == name]
    outcome = DEAL.after(WON_MOVES[:moves])
    told = {each: item[each] for each in ("status", "cards_up", "actions", "redeals")}
    assert told == outcome._asdict()
    assert item["won"] == (outcome.status == "won")
    if moves:
        times = two.look(f"{game}/moves?limit=200", token).json["items"]
        assert item["elapsed_ms"] == times[-1]["at_ms"]
    return board, item


def test_what_one_worker_records_is_in_the_ranking_of_the_other_at_once(two):
    _, host = two.player()
    path = two.challenge(host, seed=WON_SEED)
    last = len(WON_MOVES) - 1
    revision = 0
    for number in range(1, 13):
        two.turn()
        person = two.player()
        token = person[1]
        game = two.dealt(path, token)
        board, _ = check_item(two, path, person, game, 0)
        assert (board["entered"], board["ranked"]) == (number, number)
        assert board["revision"] == revision + 2
        two.play(game, token, WON_MOVES[:last], 0)
        check_item(two, path, person, game, last)
        two.play(game, token, WON_MOVES[last:], last)
        board, item = check_item(two, path, person, game, last + 1)
        assert item["state"] == "finished"
        revision += 3
        assert board["revision"] == revision
        # Who won in less time stands higher: all play the same line.
        ordered = sorted(each["elapsed_ms"] for each in board["items"])
        assert [each["elapsed_ms"] for each in board["items"]] == ordered
        table = csv.DictReader(io.StringIO(two.look(f"{path}/leaderboard.csv").text))
        assert [row["player"] or None for row in table] == [
            each["player"]["name"] for each in board["items"]
        ]
        (mine,) = two.board(path, token, "?around=me&limit=1")["items"]
        assert mine == item
        revision += _judge_and_delete(two, path, host, person, number)


def _judge_and_delete(two, path, host, person, number):
    """Take somebody out and back in, and delete some; give how many events that made."""
    name, token = person
    judged = f"{path}/entries/{name}"
    two.act("PATCH", judged, {"disqualified": True, "reason": "a solver"}, host)
    names = [each["player"]["name"] for each in two.board(path)["items"]]
    assert name not in names
    two.act("PATCH", judged, {"disqualified": False, "reason": "a mistake"}, host)
    board = two.board(path)
    assert (board["ranked"], len(board["items"])) == (number, number)
    if number % 4 == 0:
        two.act("DELETE", "/v1/players/me", token=token, wanted=204)
        assert name not in [each["player"]["name"] for each in two.board(path)["items"]]
        around = two.there.send(Ask("GET", f"{path}/leaderboard?around=me", token=token))
        assert around.status == 401
    return 2


def test_the_last_to_finish_a_race_reveals_it_at_both_workers(two):
    _, host = two.player()
    players = [two.player()[1] for _ in range(4)]
    starts = now_ms() + 5 * SECOND
    times = {"starts_at": rfc(starts), "ends_at": rfc(starts + HOUR)}
    # A search for a deal that is proven winnable could last until the start.
    path = two.challenge(host, clock="shared", require_winnable=False, **times)
    for token in players:
        two.act("PUT", f"{path}/entries/me", token=token, wanted=201)
        two.turn()
    two.wait_until(starts + 50)
    for number, token in enumerate(players, 1):
        made = two.act("PUT", f"{path}/entries/me/attempts/1", token=token, wanted=201)
        assert two.board(path)["ranked"] == number
        assert two.board(path)["provisional"]
        assert two.there.send(Ask("GET", f"{path}/record")).json["code"] == "still_secret"
        two.act("POST", f"/v1/games/{made['id']}/resign", {"at": 0}, token)
        two.turn()
    two.turn()
    board = two.board(path)
    assert not board["provisional"]
    assert {item["status"] for item in board["items"]} == {"resigned"}
    assert {item["rank"] for item in board["items"]} == {1}
    assert two.look(f"{path}/record").json["dealt"] == 4


def test_a_daily_that_one_worker_deals_counts_at_the_other_at_once(two):
    for _ in range(4):
        two.turn()
        name, token = two.player()
        path = f"/v1/challenges/{two.act('GET', '/v1/daily/cruel')['id']}"
        two.dealt(path, token)
        (item,) = two.look("/v1/leaderboards/cruel?around=me&limit=1", token).json["items"]
        assert (item["player"]["name"], item["played"], item["solved"]) == (name, 1, 0)
        assert name in {each["player"]["name"] for each in two.board(path)["items"]}


def test_what_is_told_to_who_watches_is_a_second_old_at_most(two):
    _, host = two.player()
    path = two.challenge(host, seed=WON_SEED)
    last, old = len(WON_MOVES) - 1, 0
    for number in range(1, 5):
        two.turn()
        name, token = two.player()
        game = two.dealt(path, token)
        two.play(game, token, WON_MOVES[:last], 0)
        time.sleep(0.3 * number)  # so that the other's last look is more or less old
        two.look(f"{path}/events")
        two.play(game, token, WON_MOVES[last:], last)
        done = now_ms()
        while True:
            asked = now_ms()
            told = two.look(f"{path}/events?after={3 * number - 1}").json
            if told["revision"] == 3 * number:
                break
            old += 1
            assert asked - done < FRESH_MS
        assert [event["kind"] for event in told["events"]] == ["attempt_ended"]
        (entry,) = [each for each in told["snapshot"]["entries"] if each["player"]["name"] == name]
        assert (entry["state"], entry["cards_up"]) == ("finished", 52)
    # The other had just looked, so this has shown something.
    assert old
