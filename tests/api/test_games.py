"""Stored games: what each route answers, and whole games of every variant."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from service.app import create_app
from service.db.tables import games
from tests.api.expected import PRESETS, assert_state, naive_game
from tests.api.problems import assert_problem
from tests.conftest import NOON, Player
from tests.naive.engine import Naive
from tests.naive.golden import load, split_piles

PLAYTHROUGHS = load("playthroughs.json")["games"]
PYSOL_CRUEL = load("pysol_cruel_games.json")["games"]
PYSOL_CALCULATION = load("pysol_calculation_games.json")["games"]
# Of the golden files: deals that are lost at the opening.
LOST = [("cruel", "s268"), ("cruel-strict", "s185"), ("limited-cruel", "s185")]

# The fields of a game's state in the order of the contract; some are of one family only.
STATE = (
    "id variant options seed deal_algorithm status ply foundations piles stock_count card wastes "
    "legal_moves redeal score undo started_at finished_at elapsed_ms now "
    "player challenge_id attempt deadline par to_par"
).split()
CRUEL_STATE = [name for name in STATE if name not in ("stock_count", "card", "wastes")]
CALCULATION_STATE = [name for name in STATE if name != "piles"]


def rows(db):
    with db.connect() as connection:
        return connection.execute(select(func.count()).select_from(games)).scalar_one()


def stored(db, game_id):
    with db.connect() as connection:
        query = select(games).where(games.c.id == game_id)
        return dict(connection.execute(query).mappings().one())


# ---- starting ----


def test_an_empty_post_starts_a_game_of_cruel_with_a_drawn_seed(client):
    reply = client.post("/v1/games")
    assert reply.status_code == 201
    state = reply.json
    assert state["variant"] == "cruel"
    assert state["options"] == PRESETS["cruel"]
    assert state["undo"] is True
    assert state["deal_algorithm"] == "deal/1"
    assert re.fullmatch(r"[0-9a-f]{32}", state["seed"])  # 128 bits
    assert_state(state, naive_game("cruel", state["seed"]))


@pytest.mark.parametrize("variant", PRESETS)
def test_a_new_game_is_the_opening_of_its_seed_under_its_variants_options(client, variant):
    reply = client.post("/v1/games", json={"variant": variant, "seed": "semilla"})
    assert reply.status_code == 201
    assert_state(reply.json, naive_game(variant, "semilla"))


def test_a_new_game_has_exactly_the_documented_fields_in_their_order(client):
    cruel = client.post("/v1/games", json={"seed": "semilla"}).json
    assert list(cruel) == [*CRUEL_STATE, "token"]
    calculation = client.post("/v1/games", json={"variant": "calculation", "seed": "1"}).json
    assert list(calculation) == [*CALCULATION_STATE, "token"]
    drawn = client.post("/v1/games", json={"variant": "calculation"}).json
    assert list(drawn) == [name for name in calculation if name != "seed"]


def test_the_location_of_a_new_game_answers_with_the_same_game(client):
    reply = client.post("/v1/games", json={"seed": "semilla"})
    location = reply.headers["Location"]
    assert location == f"http://localhost/v1/games/{reply.json['id']}"
    again = client.get(location).json
    assert again == {name: value for name, value in reply.json.items() if name != "token"}


@pytest.mark.usefixtures("app")
def test_links_start_with_the_public_url_where_one_is_set(config, clock):
    public = create_app(replace(config, public_url="https://example.org/play"), clock)
    reply = public.test_client().post("/v1/games", headers={"Accept": "text/plain"})
    assert reply.headers["Location"].startswith("https://example.org/play/v1/games/")
    assert "\n  https://example.org/play/v1/games/" in reply.text
    public.extensions["semilla"].db.dispose()


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("cruel", {"deal": "by_round"}),
        ("cruel", {"build": "alternate_up"}),
        ("cruel-strict", {"redeal": "fans", "redeal_when": "anytime"}),
        ("limited-cruel", {"redeal_limit": 5}),
        ("limited-cruel", {"redeal_limit": None}),
        ("cruel", {"redeal_limit": 0}),
        ("cruel", {"redeal_limit": 99}),
        ("ripple-fan", {"redeal": "packets_from_top"}),
        ("calculation", {"bases": ["AS", "2S", "3S", "4S"]}),
    ],
)
def test_a_request_names_only_the_options_that_it_changes(player, variant, changes):
    state = player.start(variant, options=changes)
    assert_state(state, naive_game(variant, "semilla", **changes))
    assert_state(player.get().json, naive_game(variant, "semilla", **changes))


@pytest.mark.parametrize("seed", ["pysol-1", "pysol-32000", "pysol-ms4294967296"])
@pytest.mark.parametrize("variant", ["cruel-pysol", "calculation"])
def test_a_seed_of_pysol_deals_what_pysol_deals(player, variant, seed):
    state = player.start(variant, seed)
    assert state["deal_algorithm"] == "pysol"
    assert_state(state, naive_game(variant, seed))


def test_without_undo_a_game_refuses_it(player):
    state = player.start(undo=False)
    assert state["undo"] is False
    player.play("6>9")
    reply = player.act("undo")
    assert_problem(reply, "undo_forbidden", index=0, move="U", reason="undo_not_allowed", at=1)


@pytest.mark.parametrize(("variant", "seed"), LOST)
def test_a_deal_without_a_move_is_a_game_that_is_lost_from_the_start(player, variant, seed):
    state = player.start(variant, seed)
    assert state["status"] == "lost"
    assert state["finished_at"] == state["started_at"] == state["now"]
    assert state["score"]["cards_up"] == 4
    assert state["score"]["actions"] == 0
    assert_state(state, naive_game(variant, seed))
    assert_problem(player.play("1>2"), "game_over", index=0, move="1>2", reason="game_over", at=0)
    assert_problem(
        player.act("undo"), "nothing_to_undo", index=0, move="U", reason="nothing_to_undo", at=0
    )


def test_two_games_have_different_ids_tokens_and_drawn_seeds(client):
    first, second = client.post("/v1/games").json, client.post("/v1/games").json
    for name in ("id", "token", "seed"):
        assert first[name] != second[name]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"variant": "klondike"}, ["/variant"]),
        ({"variant": "Cruel"}, ["/variant"]),
        ({"seed": ""}, ["/seed"]),
        ({"seed": "x" * 129}, ["/seed"]),
        ({"seed": "pysol-0"}, ["/seed"]),
        ({"seed": "semilla\n"}, ["/seed"]),
        ({"seeds": "semilla"}, ["/seeds"]),
        ({"options": {"redeals": 3}}, ["/options/redeals"]),
        ({"options": {"deal": "by_hand"}}, ["/options/deal"]),
        ({"options": {"redeal_limit": 100}}, ["/options/redeal_limit"]),
        ({"options": {"redeal_limit": -1}}, ["/options/redeal_limit"]),
        ({"options": {"bases": ["AC", "2D", "3H", "4S"]}}, ["/options/bases"]),
        ({"variant": "calculation", "options": {"deal": "by_pile"}}, ["/options/deal"]),
        ({"variant": "calculation", "options": {"bases": ["AC"]}}, ["/options/bases"]),
        (
            {"variant": "calculation", "options": {"bases": ["AC", "3D", "3H", "4S"]}},
            ["/options/bases/1"],
        ),
        (
            {"variant": "calculation", "options": {"bases": ["AC", "2D", "3H", "XX"]}},
            ["/options/bases/3"],
        ),
        ({"variant": "calculation", "undo": True}, ["/undo"]),
        ({"seed": 1, "undo": "no", "a/b~c": 0}, ["/seed", "/undo", "/a~1b~0c"]),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_place_of_every_fault(client, db, body, pointers):
    assert_problem(client.post("/v1/games", json=body), "validation_failed", pointers=pointers)
    assert rows(db) == 0


def test_calculation_without_undo_may_be_said_outright(player):
    assert player.start("calculation", undo=False)["undo"] is False


# ---- reading ----


def test_whoever_has_the_id_may_read_a_game(player):
    player.start()
    player.play("6>9")
    assert player.get(token=False).json == player.get().json


def test_no_reply_of_a_game_may_be_kept(player):
    player.start()
    for path in ("", ".svg", "/moves", "/redeal", "/record"):
        assert player.get(path).headers["Cache-Control"] == "no-store"
    for reply in (player.play("6>9"), player.act("undo"), player.act("resign")):
        assert reply.headers["Cache-Control"] == "no-store"
    assert player.client.post("/v1/games").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["", ".svg", "/moves", "/redeal", "/record"])
def test_a_game_that_does_not_exist_is_not_found(client, path):
    assert_problem(client.get(f"/v1/games/01kdwpvng03pcvf9dxb2bzwjgz{path}"), "not_found")


@pytest.mark.parametrize("game_id", ["x", "%00", "%ff", "..%2f", "a%20b", "01KDW.svg", "'--"])
def test_a_text_that_is_no_id_is_not_found(client, game_id):
    assert_problem(client.get(f"/v1/games/{game_id}"), "not_found")


def test_times_are_the_servers_in_utc_and_durations_whole_milliseconds(player, clock):
    state = player.start()
    assert state["started_at"] == state["now"] == "2026-01-01T12:00:00.000Z"
    clock.tick(1_234)
    state = player.play("6>9").json
    assert state["now"] == "2026-01-01T12:00:01.234Z"
    assert state["elapsed_ms"] == 1_234
    assert state["finished_at"] is None
    clock.tick(60_000)
    state = player.act("resign").json
    assert state["finished_at"] == state["now"] == "2026-01-01T12:01:01.234Z"
    clock.tick(5_000)
    state = player.get().json
    assert state["started_at"] == "2026-01-01T12:00:00.000Z"
    assert state["finished_at"] == "2026-01-01T12:01:01.234Z"
    assert state["now"] == "2026-01-01T12:01:06.234Z"
    assert state["elapsed_ms"] == 61_234


def test_every_instant_is_exact_to_the_millisecond(player, clock):
    for ms in (0, 1, 7, 499, 500, 501, 997, 999):
        clock.ms = NOON + ms
        state = player.start()
        assert state["now"] == f"2026-01-01T12:00:00.{ms:03}Z"
        at = datetime.fromisoformat(state["started_at"])
        assert at.tzinfo == UTC


def test_a_clock_that_is_set_back_never_makes_a_time_negative(player, clock):
    player.start()
    clock.tick(1_000)
    player.play("6>9")
    clock.tick(-5_000)
    state = player.play("1>11").json
    assert state["elapsed_ms"] == 0
    items = player.get("/moves").json["items"]
    assert [item["at_ms"] for item in items] == [1_000, 1_000]
    state = player.act("resign").json
    assert state["elapsed_ms"] == 1_000
    assert state["finished_at"] == "2026-01-01T12:00:01.000Z"


# ---- whole games ----


def golden_step(state, step):
    """Check a state against a step of a golden game."""
    assert state["status"] == step["status"]
    assert state["foundations"] == step["foundations"].split()
    assert state["legal_moves"] == step["legal"].split()
    if "piles" in step:
        assert state["piles"] == split_piles(step["piles"])
    else:
        assert state["card"] == step["card"]
        assert state["wastes"] == split_piles(step["wastes"])
    if "left" in step:
        assert state["redeal"]["left"] == step["left"]


@pytest.mark.parametrize(
    "played", PLAYTHROUGHS, ids=[f"{game['variant']}-{game['seed']}" for game in PLAYTHROUGHS]
)
def test_a_golden_game_is_played_move_by_move_to_its_end(player, clock, played):
    state = player.start(played["variant"], played["seed"], undo=played["undo"])
    assert state["options"] == played["options"]
    for ply, step in enumerate(played["steps"], 1):
        clock.tick(10)
        reply = player.play(step["move"], at=ply - 1)
        assert reply.status_code == 200, reply.text
        state = reply.json
        assert (state["ply"], state["recorded"]) == (ply, 0)
        golden_step(state, step)
    assert state["status"] in ("won", "lost", "resigned")
    assert state["score"] == played["score"]
    assert state["finished_at"] == state["now"]
    assert state["legal_moves"] == []
    assert player.get().json == {name: state[name] for name in state if name != "recorded"}
    check_record(player, played["seed"], played["moves"].split(), state)


def check_record(player, seed, moves, state):
    """Check that the record holds the game, and that anyone can verify it."""
    record = player.get("/record", token=False).json
    assert record["seed"] == seed
    assert record["moves"] == moves
    assert len(record["times_ms"]) == len(moves)
    verified = player.client.post("/v1/evaluate", json=record).json
    assert "failed" not in verified
    assert verified == {name: state[name] for name in verified}


def test_every_variant_is_played_to_an_end_and_five_are_won():
    ends = {(game["variant"], game["steps"][-1]["status"]) for game in PLAYTHROUGHS}
    assert {variant for variant, _ in ends} == set(PRESETS)
    assert {variant for variant, status in ends if status == "won"} == {
        "cruel",
        "cruel-strict",
        "ripple-fan",
        "cruel-pysol",
        "calculation",
    }


@pytest.mark.parametrize(
    "played", PLAYTHROUGHS, ids=[f"{game['variant']}-{game['seed']}" for game in PLAYTHROUGHS]
)
def test_a_golden_game_sent_as_one_batch_ends_the_same(player, played):
    player.start(played["variant"], played["seed"], undo=played["undo"])
    moves = played["moves"].split()
    state = player.play(*moves, at=0).json
    assert state["ply"] == len(moves)
    assert state["score"] == played["score"]
    golden_step(state, played["steps"][-1])


@pytest.mark.parametrize("number", range(12))
def test_a_game_of_pysols_cruel_is_played_as_there(player, number):
    played = PYSOL_CRUEL[number]
    state = player.start("cruel-pysol", f"pysol-{played['deal']}")
    assert state["piles"] == split_piles(played["piles"])
    for step in played["steps"]:
        if state["status"] == "lost":  # there such a game goes on
            assert step["legal"] == ""
            break
        assert state["legal_moves"] == sorted([*step["legal"].split(), "R"])
        state = player.play(step["move"]).json
        assert state["piles"] == split_piles(step["after"])
    assert state["status"] in ("won", "lost")


@pytest.mark.parametrize("number", range(12))
def test_a_game_of_pysols_calculation_is_played_as_there(player, number):
    played = PYSOL_CALCULATION[number]
    bases = played["bases"].split()
    state = player.start("calculation", f"pysol-{played['deal']}", options={"bases": bases})
    assert state["card"] == played["first_card"]
    for step in played["steps"]:
        state = player.play(step["move"]).json
        assert state["foundations"] == step["foundation_tops"].split()
        assert state["wastes"] == split_piles(step["wastes"])
    assert state["status"] in ("won", "lost", "in_progress")


@pytest.mark.parametrize("variant", PRESETS)
def test_every_variant_can_be_resigned_at_the_opening(player, variant):
    player.start(variant)
    state = player.act("resign", at=0).json
    assert state["status"] == "resigned"
    assert state["ply"] == 1
    assert state["score"] == {"cards_up": 4, "moves": 0, "redeals": 0, "actions": 0, "undos": 0}
    assert player.get("/record").json["moves"] == ["Q"]


# ---- playing ----


def test_a_batch_is_all_or_nothing_and_the_problem_says_which_move_and_why(player):
    before = player.start()
    reply = player.play("6>9", "1>11", "1>2")
    assert_problem(reply, "illegal_move", says="7H", index=2, move="1>2", reason="wrong_suit", at=0)
    assert player.get().json == {name: before[name] for name in before if name != "token"}


def test_a_text_that_is_no_move_is_refused_with_its_place_even_after_an_illegal_one(player):
    player.start()
    reply = player.play("1>2", "7>13", "6>9")
    assert_problem(reply, "validation_failed", says="7>13", pointers=["/moves/1"])
    assert player.get().json["ply"] == 0


@pytest.mark.parametrize("family", ["cruel", "calculation"])
def test_every_text_that_is_no_move_is_refused(player, family):
    player.start(family)
    texts = load("status.json")["invalid"][family]
    assert len(texts) > 20
    for text in texts:
        reply = player.play(text)
        assert_problem(reply, "validation_failed", pointers=["/moves/0"])
        assert player.get().json["ply"] == 0


def test_a_batch_holds_one_to_500_moves(player):
    player.start("cruel-semicolon")
    assert_problem(player.play(), "validation_failed", pointers=["/moves"])
    assert_problem(player.play(*["R"] * 501), "validation_failed", pointers=["/moves"])
    assert player.play(*["R"] * 500).json["ply"] == 500


def test_play_needs_moves(player):
    player.start()
    for body in ({}, {"at": 0}):
        reply = player.client.post(f"/v1/games/{player.id}/moves", json=body, headers=player.auth)
        assert_problem(reply, "validation_failed", pointers=["/moves"])


def test_redeal_undo_and_resign_are_the_moves_r_u_and_q(client, clock):
    by_route, by_text = Player(client), Player(client)
    for player in (by_route, by_text):
        player.start("cruel-semicolon")
    for verb, text in (("redeal", "R"), ("undo", "U"), ("redeal", "R"), ("resign", "Q")):
        clock.tick(5)
        one, other = by_route.act(verb).json, by_text.play(text).json
        assert {**one, "id": ""} == {**other, "id": ""}
    assert by_route.get("/moves").json == by_text.get("/moves").json


def test_every_move_answers_the_state_and_how_much_of_it_was_recorded(player):
    player.start()
    for reply in (player.play("6>9"), player.act("undo"), player.act("resign")):
        assert list(reply.json) == [*CRUEL_STATE, "recorded"]
        assert reply.json["recorded"] == 0


def test_a_redeal_with_a_place_for_at_is_a_retry_too(player):
    player.start("cruel-semicolon")
    first = player.act("redeal", at=0).json
    again = player.act("redeal", at=0).json
    assert (first["recorded"], again["recorded"]) == (0, 1)
    assert {**first, "recorded": 1} == again


@pytest.mark.parametrize("verb", ["redeal", "undo", "resign"])
def test_an_act_with_no_body_or_an_empty_one_is_appended(player, verb):
    for data in (None, b"", b"{}"):
        player.start("cruel-semicolon")
        player.play("6>9")
        kind = {"content_type": "application/json"} if data else {}
        path = f"/v1/games/{player.id}/{verb}"
        reply = player.client.post(path, data=data, headers=player.auth, **kind)
        assert reply.json["ply"] == 2


# ---- at ----


def test_what_is_recorded_and_identical_is_skipped(player):
    player.start()
    player.play("6>9", "1>11", at=0)
    for at, moves, recorded, ply in (
        (0, ["6>9", "1>11"], 2, 2),
        (0, ["6>9"], 1, 2),
        (1, ["1>11"], 1, 2),
        (1, ["1>11", "12>2"], 1, 3),
        (0, ["6>9", "1>11", "12>2", "1>6"], 3, 4),
        (4, ["R"], 0, 5),
        (2, ["12>2", "1>6", "R"], 3, 5),
    ):
        state = player.play(*moves, at=at).json
        assert (state["recorded"], state["ply"]) == (recorded, ply)
    naive = naive_game("cruel", "semilla")
    assert [naive.play(move) for move in ("6>9", "1>11", "12>2", "1>6", "R")] == [None] * 5
    assert_state(state, naive)


def test_what_is_recorded_and_different_is_a_conflict_with_the_true_at(player):
    player.start()
    player.play("6>9", "1>11")
    reply = player.play("6>9", "12>2", at=0)
    assert_problem(reply, "ply_conflict", says="1>11", at=2, index=1, move="12>2")
    reply = player.act("undo", at=1)
    assert_problem(reply, "ply_conflict", at=2, index=0, move="U")
    assert player.get().json["ply"] == 2


@pytest.mark.parametrize("at", [3, 4, 500, 10_000])
def test_beyond_the_end_there_is_a_gap_with_the_true_at(player, at):
    player.start()
    player.play("6>9", "1>11")
    assert_problem(player.play("R", at=at), "ply_gap", at=2)
    assert_problem(player.act("resign", at=at), "ply_gap", at=2)
    assert player.get().json["ply"] == 2


def test_a_conflict_before_a_refused_move_is_told_first(player):
    player.start()
    player.play("6>9")
    reply = player.play("1>11", "1>2", at=0)
    assert_problem(reply, "ply_conflict", at=1, index=0, move="1>11")


def test_an_illegal_move_after_recorded_ones_has_its_index_in_what_was_sent(player):
    player.start()
    player.play("6>9", "1>11")
    reply = player.play("6>9", "1>11", "1>2", at=0)
    assert_problem(reply, "illegal_move", index=2, move="1>2", reason="wrong_suit", at=2)


def test_a_retry_is_answered_after_the_end_as_well(player, clock):
    player.start()
    player.play("6>9", "Q", at=0)
    before = player.get().json
    clock.tick(1_000)
    again = player.play("6>9", "Q", at=0).json
    assert again["recorded"] == 2
    assert (again["status"], again["elapsed_ms"]) == ("resigned", before["elapsed_ms"])
    assert player.act("resign", at=1).json["recorded"] == 1
    assert_problem(player.act("resign"), "game_over", index=0, move="Q", reason="game_over", at=2)


def test_an_undone_move_is_history_too(player):
    player.start()
    state = player.play("6>9", "U", "1>11", at=0).json
    assert state["ply"] == 3
    assert state["score"] == {"cards_up": 4, "moves": 1, "redeals": 0, "actions": 1, "undos": 1}
    assert player.play("6>9", "U", "1>11", at=0).json["recorded"] == 3
    items = player.get("/moves").json["items"]
    assert [(item["ply"], item["move"]) for item in items] == [(1, "6>9"), (2, "U"), (3, "1>11")]


@pytest.mark.parametrize("at", [-1, 0.0, 1.5, "0", True, [], {}])
def test_at_is_a_whole_number(player, at):
    player.start()
    for path, body in (("moves", {"moves": ["6>9"]}), ("resign", {})):
        reply = player.client.post(
            f"/v1/games/{player.id}/{path}", json={**body, "at": at}, headers=player.auth
        )
        assert_problem(reply, "validation_failed", pointers=["/at"])
    assert player.get().json["ply"] == 0


def test_of_the_same_moves_sent_many_times_at_once_one_request_plays_them(app, player):
    player.start("cruel-semicolon")

    def send(_):
        client = app.test_client()
        body = {"at": 0, "moves": ["R", "R", "R"]}
        return client.post(f"/v1/games/{player.id}/moves", json=body, headers=player.auth)

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(send, range(16)))
    assert {reply.status_code for reply in replies} == {200}
    assert sorted(reply.json["recorded"] for reply in replies) == [0] + [3] * 15
    assert player.get().json["ply"] == 3


def test_moves_without_at_sent_at_once_are_all_appended(app, player):
    player.start("cruel-semicolon")

    def send(_):
        client = app.test_client()
        path = f"/v1/games/{player.id}/redeal"
        return client.post(path, headers=player.auth).status_code

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(send, range(8))) == {200}
    assert player.get().json["score"]["redeals"] == 8


# ---- the end ----


def test_an_ended_game_accepts_nothing(player):
    player.start()
    player.act("resign")
    after = player.get().json
    for move in ("6>9", "R", "U", "Q", "1>1"):
        reply = player.play(move)
        assert_problem(reply, "game_over", index=0, move=move, reason="game_over", at=1)
    assert player.get().json == after


def test_a_lost_game_goes_on_after_an_undo(player, clock):
    lost = next(game for game in PLAYTHROUGHS if game["variant"] == "limited-cruel")
    player.start("limited-cruel", lost["seed"])
    clock.tick(50)
    ended = player.play(*lost["moves"].split()).json
    assert ended["status"] == "lost"
    assert ended["finished_at"] == ended["now"]
    assert_problem(
        player.act("resign"),
        "game_over",
        index=0,
        move="Q",
        reason="game_over",
        at=len(lost["steps"]),
    )
    clock.tick(50)
    state = player.act("undo").json
    assert state["status"] == "in_progress"
    assert state["finished_at"] is None
    assert state["elapsed_ms"] == 100
    assert state["score"]["undos"] == ended["score"]["undos"] + 1
    assert state["legal_moves"]


def test_an_undone_redeal_gives_it_back_under_a_limit(player):
    """After the rules: undo of R under limit 3 with 0 left: 1 left, undos + 1."""
    lost = next(game for game in PLAYTHROUGHS if game["variant"] == "limited-cruel")
    moves, steps = lost["moves"].split(), lost["steps"]
    third = next(n for n, step in enumerate(steps) if step["left"] == 0)
    assert moves[third] == "R"
    player.start("limited-cruel", lost["seed"])
    before = player.play(*moves[: third + 1]).json
    assert before["redeal"]["left"] == 0
    after = player.act("undo").json
    assert after["redeal"]["left"] == 1
    assert after["score"]["undos"] == before["score"]["undos"] + 1
    assert after["score"]["redeals"] == before["score"]["redeals"] - 1


def test_undo_at_the_opening_has_nothing_to_undo(player):
    player.start()
    reply = player.act("undo")
    assert_problem(reply, "nothing_to_undo", index=0, move="U", reason="nothing_to_undo", at=0)
    player.play("6>9", "U")
    assert_problem(
        player.play("U"), "nothing_to_undo", index=0, move="U", reason="nothing_to_undo", at=2
    )


def test_a_full_history_takes_no_more_but_answers_retries(player, db):
    player.start("cruel-semicolon")
    for at in range(0, 9_500, 500):
        assert player.play(*["R"] * 500, at=at).status_code == 200
    assert player.play(*["R"] * 499, at=9_500).json["ply"] == 9_999
    assert_problem(player.play("R", "R"), "history_full", at=9_999)
    assert player.play("R").json["ply"] == 10_000
    for reply in (player.play("R"), player.act("redeal"), player.act("undo"), player.act("resign")):
        assert_problem(reply, "history_full", at=10_000)
    assert player.play("R", at=9_999).json["recorded"] == 1
    assert_problem(player.play("R", at=10_000), "history_full", at=10_000)
    assert stored(db, player.id)["ply"] == 10_000
    check_record(player, "semilla", ["R"] * 10_000, player.get().json)


# ---- redeal preview ----


def test_a_preview_shows_what_a_redeal_gives_and_changes_nothing(player):
    player.start()
    player.play("6>9", "1>11")
    before = player.get().json
    preview = player.get("/redeal").json
    assert player.get().json == before
    naive = naive_game("cruel", "semilla")
    for move in ("6>9", "1>11"):
        naive.play(move)
    expected = {
        "allowed": True,
        "changes_layout": True,
        "used": 0,
        "left": None,
        "piles": naive.table.redealt(),
    }
    assert preview == expected
    assert player.get("/redeal", token=False).json == preview
    after = player.act("redeal").json
    assert after["piles"] == preview["piles"]
    assert player.get("/redeal").json["used"] == 1


@pytest.mark.parametrize(
    ("variant", "moves", "reason"),
    [
        ("cruel", [], "no_change"),
        ("cruel-strict", [], "not_stuck"),
        ("cruel", ["Q"], "game_over"),
    ],
)
def test_a_preview_says_why_a_redeal_is_refused_as_the_redeal_does(player, variant, moves, reason):
    player.start(variant)
    if moves:
        player.play(*moves)
    naive = naive_game(variant, "semilla")
    preview = player.get("/redeal").json
    detail = preview.pop("detail")
    assert detail.startswith("R: ")
    assert preview.pop("reason") == reason
    assert preview == {
        "allowed": False,
        "changes_layout": naive.table.redealt() != naive.table.piles,
        "used": 0,
        "left": None,
        "piles": naive.table.redealt(),
    }
    state = player.get().json["redeal"]
    assert (state["reason"], state["detail"]) == (reason, detail)
    code = "game_over" if reason == "game_over" else "illegal_move"
    reply = player.act("redeal")
    assert_problem(reply, code, says=detail, index=0, move="R", reason=reason, at=len(moves))


def test_a_limit_that_is_used_up_refuses_the_redeal(player):
    player.start("cruel", options={"redeal_limit": 0})
    reply = player.act("redeal")
    assert_problem(reply, "illegal_move", index=0, move="R", reason="limit_reached", at=0)
    state = player.get("/redeal").json
    assert (state["allowed"], state["reason"], state["left"]) == (False, "limit_reached", 0)


def test_calculation_has_no_redeal(player):
    player.start("calculation")
    assert_problem(player.get("/redeal"), "validation_failed", pointers=[""])
    assert_problem(player.act("redeal"), "validation_failed", pointers=[""])
    assert_problem(player.play("R"), "validation_failed", pointers=["/moves/0"])
    assert player.get().json["redeal"] is None


def test_calculation_has_no_undo(player):
    player.start("calculation")
    reply = player.act("undo")
    refused = {"index": 0, "move": "U", "reason": "undo_not_allowed"}
    assert_problem(reply, "undo_forbidden", **refused, at=0)
    player.play("S>W1")
    assert_problem(player.play("U"), "undo_forbidden", **refused, at=1)


# ---- history ----


def test_the_history_has_every_entry_with_its_time(player, clock):
    player.start()
    for ms, moves in ((100, ["6>9", "U"]), (250, ["1>11"]), (0, ["R"]), (1, ["Q"])):
        clock.tick(ms)
        player.play(*moves)
    page = player.get("/moves", token=False).json
    assert page == {
        "items": [
            {"ply": 1, "move": "6>9", "at_ms": 100},
            {"ply": 2, "move": "U", "at_ms": 100},
            {"ply": 3, "move": "1>11", "at_ms": 350},
            {"ply": 4, "move": "R", "at_ms": 350},
            {"ply": 5, "move": "Q", "at_ms": 351},
        ],
        "next": None,
        "prev": None,
    }


def test_the_history_of_a_new_game_is_empty(player):
    player.start()
    assert player.get("/moves").json == {"items": [], "next": None, "prev": None}


# ---- records ----


def test_the_record_has_the_documented_fields_in_order_and_nothing_else(player, clock):
    player.start()
    clock.tick(1_520)
    player.play("6>9")
    clock.tick(520)
    player.play("R")
    text = player.get("/record").text
    assert json.loads(text) == {
        "record": "semilla/1",
        "variant": "cruel",
        "options": PRESETS["cruel"],
        "deal_algorithm": "deal/1",
        "rules_version": 1,
        "seed": "semilla",
        "undo": True,
        "moves": ["6>9", "R"],
        "times_ms": [1_520, 2_040],
    }
    assert list(json.loads(text)) == [
        "record", "variant", "options", "deal_algorithm", "rules_version", "seed", "undo", "moves",
        "times_ms",
    ]  # fmt: skip


def test_the_record_of_a_new_game_has_no_times(player):
    player.start("calculation", "pysol-1")
    assert player.get("/record").json == {
        "record": "semilla/1",
        "variant": "calculation",
        "options": {"bases": ["AC", "2H", "3D", "4S"]},
        "deal_algorithm": "pysol",
        "rules_version": 1,
        "seed": "pysol-1",
        "undo": False,
        "moves": [],
    }


@pytest.mark.parametrize("variant", PRESETS)
def test_a_record_taken_at_any_point_evaluates_to_that_state(player, variant):
    played = next(game for game in PLAYTHROUGHS if game["variant"] == variant)
    player.start(variant, played["seed"], undo=played["undo"])
    moves = played["moves"].split()
    for start in (0, 10, 20):
        state = player.play(*moves[start : start + 10]).json
        record = player.get("/record").json
        verified = player.client.post("/v1/evaluate", json=record).json
        assert verified == {name: state[name] for name in verified}


# ---- other games are not touched ----


def test_games_do_not_touch_each_other(client):
    one, other = Player(client), Player(client)
    one.start("cruel", "semilla")
    before = other.start("cruel", "semilla")
    one.play("6>9")
    one.act("resign")
    assert other.get().json == {name: before[name] for name in before if name != "token"}


def test_a_game_survives_a_restart(player, config, clock):
    player.start()
    player.play("6>9", "1>11", "12>2", "U")
    before = player.get().json
    again = create_app(config, clock)
    player.client = again.test_client()
    assert player.get().json == before
    state = player.play("R", "U", "U").json
    naive = naive_game("cruel", "semilla")
    for move in ("6>9", "1>11", "12>2", "U", "R", "U", "U"):
        assert naive.play(move) is None
    assert_state(state, naive)
    again.extensions["semilla"].db.dispose()


def test_the_naive_engine_agrees_after_every_kind_of_entry(player):
    naive = naive_game("ripple-fan", "semilla")
    player.start("ripple-fan")
    played = next(game for game in PLAYTHROUGHS if game["variant"] == "ripple-fan")
    for move in played["moves"].split()[:60]:
        assert naive.play(move) is None
        assert_state(player.play(move).json, naive)
    assert isinstance(naive, Naive)
