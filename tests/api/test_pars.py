"""Pars over HTTP: asked for, shown with games, challenges and rankings, and refused."""

import csv
import io
from types import SimpleNamespace

import pytest

from service.rules import VARIANTS
from service.solver.solution import Verdict
from service.usecases.drawing import DRAWING_S
from service.usecases.solutions import Known, keep, key_of_seed
from service.usecases.solver_slot import one_at_a_time
from tests.api.problems import assert_problem
from tests.conftest import NOON, Player, limited
from tests.hosting import DAY, Host
from tests.racing.deal import SEED, WON

FIELDS = [
    *("par", "verdict", "line", "length", "proven_shortest", "lower_bound"),
    *("nodes", "elapsed_ms", "known"),
]


def draw_only(monkeypatch, seed):
    """Let the server draw this seed for every challenge."""
    chance = SimpleNamespace(token_hex=lambda _: seed)
    monkeypatch.setattr("service.usecases.drawing.secrets", chance)


@pytest.fixture
def won(player):
    """Give somebody who has won a free game in 60 actions; the fewest are 55."""
    player.start("cruel", SEED)
    assert player.play(*WON).json["status"] == "won"
    return player


@pytest.fixture
def raced(client, db, clock, monkeypatch):
    """Give the host of a challenge that one has won, another has not, and that has finished."""
    draw_only(monkeypatch, SEED)
    host, ada, bea = (Host(client, db, name) for name in ("Ana", "Ada", "Bea"))
    host.create()
    for each, moves in ((ada, WON), (bea, WON[:3])):
        path = f"{host.path}/entries/me"
        assert client.put(path, headers=each.auth).status_code == 201
        game = client.put(f"{path}/attempts/1", headers=each.auth).json["id"]
        client.post(f"/v1/games/{game}/moves", json={"at": 0, "moves": moves}, headers=each.auth)
    clock.tick(DAY)
    return host


def test_a_game_that_was_won_is_its_own_par_until_a_shorter_line_is_found(won, client):
    assert (won.get().json["par"], won.get().json["to_par"]) == (None, None)
    reply = client.post(f"/v1/games/{won.id}/par", json={"budget_ms": 1})
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert list(reply.json) == FIELDS
    length = reply.json["length"]
    assert 55 <= length <= 60
    assert reply.json["par"] == won.get().json["par"]
    assert won.get().json["to_par"] == 60 - length


def test_a_search_that_ends_proves_the_par_and_is_never_made_again(won, client):
    shortest = client.post(f"/v1/games/{won.id}/par", json={"budget_ms": 10_000}).json
    assert shortest["par"] == {"length": 55, "proven_shortest": True}
    assert (shortest["verdict"], shortest["lower_bound"]) == ("winnable", 55)
    assert not shortest["known"]
    replayed = Player(client)
    replayed.start("cruel", SEED)
    assert replayed.play(*shortest["line"]).json["status"] == "won"
    again = client.post(f"/v1/games/{replayed.id}/par").json
    assert again == {**shortest, "nodes": 0, "elapsed_ms": 0, "known": True}
    assert replayed.get().json["to_par"] == 0


@pytest.mark.parametrize("body", [{"budget_ms": 0}, {"budget_ms": 10_001}, {"budget_ms": "1"}])
def test_a_budget_lies_within_its_bounds(won, raced, client, body):
    for path in (f"/v1/games/{won.id}/par", f"{raced.path}/par"):
        reply = client.post(path, json=body)
        assert_problem(reply, "validation_failed", pointers=["/budget_ms"])
        reply = client.post(path, json={"budget_ms": 1, "goal": "line"})
        assert_problem(reply, "validation_failed", pointers=["/goal"])


def test_a_game_that_runs_is_not_helped(player):
    player.start()
    assert (player.get().json["par"], player.get().json["to_par"]) == (None, None)
    assert_problem(player.act("par"), "still_secret")


def test_answers_to_moves_tell_no_par(player, db):
    player.start("cruel", SEED)
    deal = key_of_seed(VARIANTS["cruel"], "deal/1", SEED)
    keep(db, deal, Known(Verdict.WINNABLE, tuple(WON), 0, 0), NOON)
    ended = player.play(*WON).json
    assert (ended["par"], ended["to_par"]) == (None, None)
    assert player.get().json == {
        **{name: value for name, value in ended.items() if name != "recorded"},
        "par": {"length": 60, "proven_shortest": False},
        "to_par": 0,
    }


def test_one_search_at_a_time(won, raced, client):
    for path in (f"/v1/games/{won.id}/par", f"{raced.path}/par"):
        with one_at_a_time():
            reply = client.post(path, json={"budget_ms": 1})
        assert_problem(reply, "busy", retry_after=1)


def test_searches_are_counted_by_what_they_told(won, client):
    def count(outcome):
        text = client.get("/metrics").text
        counted = f'semilla_searches_total{{kind="par",outcome="{outcome}"}} '
        return sum(float(line.split()[-1]) for line in text.splitlines() if counted in line)

    before = count("winnable"), count("busy")
    client.post(f"/v1/games/{won.id}/par", json={"budget_ms": 1})
    with one_at_a_time():
        client.post(f"/v1/games/{won.id}/par", json={"budget_ms": 1})
    assert (count("winnable"), count("busy")) == (before[0] + 1, before[1] + 1)


def test_searches_count_as_what_creates(app, won, raced, client):
    for path in (f"/v1/games/{won.id}/par", f"{raced.path}/par"):
        with limited(app, create=1):
            assert client.post(path, json={"budget_ms": 1}).status_code == 200
            refused = client.post(path, json={"budget_ms": 1})
            assert_problem(refused, "rate_limited", policy="create", retry_after=60)


# ---- challenges ----


def test_before_the_reveal_no_par_is_told_and_none_is_searched(client, host):
    host.create()
    assert host.get().json["par"] is None
    board = client.get(f"{host.path}/leaderboard").json
    assert board["par"] is None
    assert_problem(client.post(f"{host.path}/par", headers=host.auth), "still_secret")
    host.cancel()
    assert_problem(client.post(f"{host.path}/par", headers=host.auth), "still_secret")
    assert_problem(client.post("/v1/challenges/none/par"), "not_found")


@pytest.fixture
def host(client, db):
    """Give a host."""
    return Host(client, db)


def test_the_line_that_was_found_when_it_was_drawn_is_the_first_par(raced):
    par = raced.get().json["par"]
    assert par["length"] >= 55
    assert not par["proven_shortest"]


def test_the_par_of_a_challenge_is_made_better_and_shown_everywhere(raced, client):
    improved = client.post(f"{raced.path}/par", json={"budget_ms": 10_000}).json
    par = {"length": 55, "proven_shortest": True}
    assert improved["par"] == raced.get().json["par"] == par
    board = client.get(f"{raced.path}/leaderboard").json
    assert board["par"] == par
    assert [item["to_par"] for item in board["items"]] == [5, None]
    table = [*csv.DictReader(io.StringIO(client.get(f"{raced.path}/leaderboard.csv").text))]
    assert [row["to_par"] for row in table] == ["5", ""]
    drawn = client.get(f"{raced.path}/leaderboard", headers={"Accept": "text/plain"}).text
    assert "\npar        55 actions, no line is shorter\n" in drawn
    for item, to_par in zip(board["items"], [5, None], strict=True):
        game = client.get(f"/v1/games/{item['game_id']}").json
        assert (game["par"], game["to_par"]) == (par, to_par)
        assert client.post(f"/v1/games/{item['game_id']}/par").json["par"] == par


def test_lists_leave_pars_out(raced, client):
    (listed,) = client.get("/v1/challenges").json["items"]
    assert "par" not in listed
    games = client.get(f"/v1/games?challenge={raced.id}").json["items"]
    assert len(games) == 2
    assert not [game for game in games if game.keys() & {"par", "to_par"}]


# ---- deals that must be winnable ----


def test_what_takes_too_long_to_draw_is_asked_for_again(host, monkeypatch):
    seconds = iter(range(0, 100, 2))
    monkeypatch.setattr("service.usecases.drawing.monotonic", lambda: float(next(seconds)))
    draw_only(monkeypatch, "s9")
    reply = host.post()
    assert_problem(reply, "busy", says=f"{DRAWING_S:.0f} seconds", retry_after=2)
    assert host.client.get("/v1/challenges").json["items"] == []
    assert host.create(require_winnable=False)["require_winnable"] is False


def test_a_change_of_terms_draws_a_winnable_deal_again(host):
    before = host.create()
    after = host.patch(attempts=2).json
    assert (before["require_winnable"], after["require_winnable"]) == (True, True)
    assert after["commitment"] != before["commitment"]
    refused = host.patch(seed="semilla", require_winnable=True)
    assert_problem(refused, "validation_failed", pointers=["/require_winnable"])
    assert host.patch(require_winnable=False).json["require_winnable"] is False
    assert host.patch(attempts=3).json["require_winnable"] is False
