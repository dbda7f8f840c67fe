"""The solver over HTTP: lines that really win, hints that really lead there, and every refusal."""

from collections import Counter
from dataclasses import replace
from threading import Event, Thread

import pytest

from service.api.context import provide
from service.solver.solution import Budget
from service.usecases import hints, solving
from service.usecases.solver_slot import one_at_a_time
from tests.api.problems import assert_problem
from tests.conftest import NOON, Player, limited
from tests.contract.replies import assert_documented
from tests.hosting import DAY, Host
from tests.solving import HARD, LOST, UNWINNABLE, WINNABLE, searching_by_nodes, wins
from tests.test_metrics import read

FIELDS = ["verdict", "line", "length", "proven_shortest", "lower_bound", "nodes", "elapsed_ms"]
FIELDS += ["known"]


@pytest.fixture(autouse=True)
def search(monkeypatch):
    """Search by nodes, and remember no lines of other tests."""
    found = searching_by_nodes(2_000)
    for module in (solving, hints):
        monkeypatch.setattr(module, "search", found)
    hints._lines.clear()  # noqa: SLF001 - what a new process knows
    return found


@pytest.fixture
def solve(client):
    """Give a function that posts: ``solve(goal="line", seed="32")``."""

    def solve(*, headers=None, **body):
        asked = {"variant": "cruel", "seed": WINNABLE, "goal": "line", **body}
        given = {name: value for name, value in asked.items() if value is not None}
        return client.post("/v1/solve", json=given, headers=headers)

    return solve


@pytest.fixture
def host(client, db):
    """Give somebody who may set challenges up."""
    return Host(client, db)


def told(reply):
    assert reply.status_code == 200, reply.text
    assert reply.headers["Cache-Control"] == "no-store"
    assert_documented(reply)
    return reply.json


def counted(client):
    samples = read(client.get("/metrics").text).get("semilla_searches_total", {})
    return Counter({tuple(value for _, value in labels): n for labels, n in samples.items()})


# ---- solve ----


@pytest.mark.parametrize("variant", ["cruel", "ripple-fan", "calculation"])
def test_a_line_is_played_through_to_a_won_game(client, solve, variant):
    seed = {"calculation": "semilla"}.get(variant, WINNABLE)
    found = told(solve(variant=variant, seed=seed))
    assert list(found) == FIELDS
    assert (found["verdict"], found["known"]) == ("winnable", False)
    assert found["length"] == len(found["line"]) >= found["lower_bound"]
    assert wins(variant, seed, found["line"])
    player = Player(client)
    player.start(variant, seed)
    state = player.play(*found["line"], at=0).json
    assert (state["status"], state["score"]["actions"]) == ("won", found["length"])


def test_a_line_goes_on_from_where_a_game_stands(client, solve):
    player = Player(client)
    player.start("cruel", WINNABLE)
    player.play("12>F", "3>F")
    found = told(solve(moves=["12>F", "3>F"]))
    assert player.play(*found["line"], at=2).json["status"] == "won"


@pytest.mark.parametrize(
    ("seed", "goal", "verdict"),
    [
        (WINNABLE, "verdict", "winnable"),
        (UNWINNABLE, "verdict", "unwinnable"),
        (UNWINNABLE, "line", "unwinnable"),
        (LOST, "shortest", "unwinnable"),
        (HARD, "line", "unknown"),
    ],
)
def test_every_verdict_is_told_with_all_fields(solve, seed, goal, verdict):
    found = told(solve(seed=seed, goal=goal))
    assert list(found) == FIELDS
    assert (found["verdict"], found["line"], found["length"]) == (verdict, None, None)
    assert found["proven_shortest"] is False


def test_the_second_time_nothing_is_searched(solve, search):
    first, second = told(solve()), told(solve())
    assert second == {**first, "nodes": 0, "elapsed_ms": 0, "known": True}
    assert search.calls == 1


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"variant": None}, ["/variant"]),
        ({"seed": None}, ["/seed"]),
        ({"goal": None}, ["/goal"]),
        ({"goal": "won"}, ["/goal"]),
        ({"variant": "patience"}, ["/variant"]),
        ({"seed": "-"}, ["/seed"]),
        ({"seed": 32}, ["/seed"]),
        ({"options": {"redeal": "never"}}, ["/options/redeal"]),
        ({"options": {"bases": ["AC", "2D", "3H", "4S"]}}, ["/options/bases"]),
        ({"moves": ["12>13"]}, ["/moves/0"]),
        ({"moves": ["12>F", "U"]}, ["/moves/1"]),
        ({"moves": ["Q"]}, ["/moves/0"]),
        ({"moves": "12>F"}, ["/moves"]),
        ({"budget_ms": 0}, ["/budget_ms"]),
        ({"budget_ms": 10_001}, ["/budget_ms"]),
        ({"budget_ms": "9"}, ["/budget_ms"]),
        ({"position": {"piles": []}}, ["/position"]),
        ({"undo": True}, ["/undo"]),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(solve, body, pointers, search):
    assert_problem(solve(**body), "validation_failed", pointers=pointers)
    assert search.calls == 0


def test_a_move_that_the_rules_forbid_is_refused(solve):
    about = {"index": 1, "move": "9>2", "reason": "wrong_suit", "says": "3H"}
    assert_problem(solve(moves=["12>F", "9>2"]), "illegal_move", **about)


def test_a_token_that_nobody_has_is_refused(solve):
    assert_problem(solve(headers={"Authorization": "Bearer sg_nobody"}), "unauthenticated")


@pytest.mark.parametrize(
    ("asked", "most", "granted"),
    [(None, 10_000, 2_000), (700, 10_000, 700), (10_000, 10_000, 10_000), (700, 300, 300)],
)
def test_a_search_takes_what_is_asked_for_and_the_operator_allows(
    app, solve, monkeypatch, search, asked, most, granted
):
    given = []

    def noted(rules, position, goal, budget):
        given.append(budget)
        return search(rules, position, goal, budget)

    monkeypatch.setattr(solving, "search", noted)
    services = app.extensions["semilla"]
    provide(app, replace(services, solver_max_ms=most))
    told(solve(budget_ms=asked))
    provide(app, services)
    assert given == [Budget(ms=granted)]


# ---- a secret while it is raced on ----


@pytest.mark.parametrize("clock_kind", ["own", "shared"])
def test_a_seed_that_a_host_names_is_not_solved_until_the_challenge_has_finished(
    host, solve, clock, clock_kind
):
    starts = "2026-01-01T13:00:00Z"
    host.create(
        seed="pysol-ms7", clock=clock_kind, starts_at=starts, ends_at="2026-01-02T12:00:00Z"
    )
    for _ in ("scheduled", "running"):
        for seed in ("pysol-7", "pysol-ms7"):
            for variant in ("cruel", "calculation"):
                reply = solve(seed=seed, variant=variant, goal="verdict")
                assert_problem(reply, "still_secret", says="challenge")
        clock.tick(DAY // 2)
    clock.ms = NOON + DAY
    assert told(solve(seed="pysol-7", goal="verdict"))["known"] is False


def test_a_challenge_that_is_cancelled_keeps_nothing_back(host, solve):
    host.create(seed=WINNABLE)
    assert_problem(solve(), "still_secret", says="challenge")
    host.cancel()
    assert told(solve())["verdict"] == "winnable"


# ---- one at a time ----


def test_while_a_search_is_under_way_another_is_busy_and_everything_else_goes_on(
    app, solve, monkeypatch, search, player
):
    begun, go_on, replies = Event(), Event(), []

    def slow(*asked):
        begun.set()
        assert go_on.wait(30)
        return search(*asked)

    monkeypatch.setattr(solving, "search", slow)
    body = {"variant": "cruel", "seed": WINNABLE, "goal": "line"}
    thread = Thread(target=lambda: replies.append(app.test_client().post("/v1/solve", json=body)))
    thread.start()
    assert begun.wait(30)
    try:
        assert_problem(solve(seed=HARD), "busy", says="again", retry_after=1)
        player.start("cruel", WINNABLE)
        assert player.play("12>F").status_code == 200
        assert player.get("/hint").json["verdict"] == "winnable"
        assert solve(seed=LOST).json["verdict"] == "unwinnable"
    finally:
        go_on.set()
        thread.join()
    assert replies[0].json["verdict"] == "winnable"
    assert solve().json["known"]


def test_searches_are_counted_by_what_became_of_them(client, solve, player):
    before = counted(client)
    solve()
    solve()
    solve(seed=UNWINNABLE)
    with one_at_a_time():
        solve(seed=HARD)
    player.start("cruel", WINNABLE)
    player.get("/hint")
    solve(goal="won")
    assert counted(client) - before == {
        ("solve", "winnable"): 2,
        ("solve", "unwinnable"): 1,
        ("solve", "busy"): 1,
        ("hint", "winnable"): 1,
    }


def test_solving_counts_as_evaluating_does_and_a_hint_as_reading(app, solve, player):
    player.start("cruel", WINNABLE)
    with limited(app, create=1):
        assert player.get("/hint").status_code == 200
        assert solve().status_code == 200
        assert_problem(solve(), "rate_limited", says="wait", policy="create", retry_after=60)
        assert player.get("/hint").status_code == 200


# ---- hints ----


def test_whoever_follows_the_hints_wins(player, search):
    state = player.start("cruel", WINNABLE)
    while state["status"] == "in_progress":
        given = told(player.get("/hint", token=False))
        assert list(given) == ["verdict", "move", "length", "sampled", "ply"]
        assert (given["verdict"], given["ply"], given["sampled"]) == (
            "winnable",
            state["ply"],
            None,
        )
        state = player.play(given["move"], at=given["ply"]).json
        assert given["length"] == 1 or state["status"] == "in_progress"
    assert state["status"] == "won"
    assert search.calls == 1


@pytest.mark.parametrize(("seed", "verdict"), [(UNWINNABLE, "unwinnable"), (HARD, "unknown")])
def test_where_nothing_helps_there_is_no_move(player, seed, verdict):
    player.start("cruel", seed)
    given = {"verdict": verdict, "move": None, "length": None, "sampled": None, "ply": 0}
    assert told(player.get("/hint")) == given


def test_in_calculation_a_hint_says_what_it_rests_on(player):
    player.start("calculation", None)
    given = told(player.get("/hint"))
    assert given["move"] in player.get().json["legal_moves"]
    assert (given["verdict"], given["length"]) == ("unknown", None)
    assert list(given["sampled"]) == ["orders", "wins", "all_orders"]


def test_an_ended_game_has_no_hint(player):
    player.start("cruel", WINNABLE)
    player.act("resign")
    assert_problem(player.get("/hint"), "game_over", says="resigned")
    player.start("cruel", LOST)
    assert_problem(player.get("/hint"), "game_over", says="lost")


def test_a_hint_of_what_is_not_there_is_not_found(client, player):
    assert_problem(client.get("/v1/games/none/hint"), "not_found", says="no game")
    player.start()
    nobody = {"Authorization": "Bearer sg_nobody"}
    assert_problem(player.get("/hint", token=False, **nobody), "unauthenticated")


def test_in_a_challenge_there_is_no_hint_for_its_player_and_no_game_for_others(client, host, clock):
    host.create()
    path = f"{host.path}/entries/me"
    client.put(path, headers=host.auth)
    game = client.put(f"{path}/attempts/1", headers=host.auth).json["id"]
    hint = f"/v1/games/{game}/hint"
    for _ in ("running", "ended"):
        assert_problem(client.get(hint, headers=host.auth), "hint_forbidden", says="challenge")
        assert_problem(client.get(hint), "not_found")
        client.post(f"/v1/games/{game}/resign", json={"at": 0}, headers=host.auth)
    clock.tick(DAY)
    for headers in ({}, host.auth):
        assert_problem(client.get(hint, headers=headers), "hint_forbidden", says="challenge")


def test_nor_is_there_one_for_a_free_game_of_the_same_deal(client, host, player, clock):
    player.start("cruel", "pysol-7")
    assert player.get("/hint").status_code == 200
    host.create(seed="pysol-ms7")
    says = "being played in a challenge"
    assert_problem(player.get("/hint"), "hint_forbidden", says=says)
    other = Player(client)
    other.start("ripple-fan", "pysol-7")
    assert_problem(other.get("/hint"), "hint_forbidden", says=says)
    clock.tick(DAY)
    assert player.get("/hint").status_code == 200


def test_too_many_at_once_are_told_to_come_again(player, monkeypatch):
    player.start("cruel", WINNABLE)
    monkeypatch.setattr(hints, "_WAIT_S", 0)
    with hints._turn:  # noqa: SLF001 - another hint is under way
        assert_problem(player.get("/hint"), "busy", says="again", retry_after=1)
