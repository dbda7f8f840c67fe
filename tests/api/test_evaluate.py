"""Evaluate: any start, any moves, any record; nothing is stored."""

import copy
import json

import pytest
from sqlalchemy import func, select

from service.db.tables import games
from tests.api.expected import PRESETS, assert_state, family_of, naive_game, options_of
from tests.api.problems import assert_problem
from tests.naive.engine import Naive
from tests.naive.golden import load, split_piles, split_start

STATUS = load("status.json")
# Some of the cases lay out the cards that matter and no others: none of them is a whole deck.
CASES = [case for case in STATUS["cases"] if "a waste card goes up" not in case["name"]]
PLAYTHROUGHS = load("playthroughs.json")["games"]
SOLVED = load("solved_cruel.json")["deals"]
CRUEL = naive_game("cruel", "semilla").table.piles
# Every reason that the rules know.
REASONS = {
    "same_pile", "empty_source", "empty_target", "wrong_suit", "wrong_colour", "wrong_rank",
    "foundation_complete", "waste_to_waste", "from_foundation", "no_turned_card", "no_change",
    "not_stuck", "limit_reached", "game_over", "nothing_to_undo", "undo_not_allowed",
}  # fmt: skip
FIELDS = {
    "variant", "options", "deal_algorithm", "status", "ply", "foundations", "legal_moves", "redeal",
    "score", "undo",
}  # fmt: skip


@pytest.fixture
def evaluate(client):
    """Evaluate something that makes sense."""

    def post(**body):
        reply = client.post("/v1/evaluate", json=body)
        assert reply.status_code == 200, reply.text
        assert reply.headers["Cache-Control"] == "no-store"
        return reply.json

    return post


@pytest.fixture
def refused(client):
    """Evaluate something that makes none, and check the places of its faults."""

    def post(*pointers, says="", **body):
        reply = client.post("/v1/evaluate", json=body)
        assert_problem(reply, "validation_failed", pointers=pointers, says=says)

    return post


# ---- starts and moves ----


@pytest.mark.parametrize("variant", PRESETS)
def test_a_seed_without_moves_is_its_opening(evaluate, variant):
    state = evaluate(variant=variant, seed="semilla")
    own = {"piles"} if family_of(variant) == "cruel" else {"wastes", "card", "stock_count"}
    assert state.keys() == FIELDS | own | {"seed"}
    assert (state["seed"], state["deal_algorithm"]) == ("semilla", "deal/1")
    assert_state(state, naive_game(variant, "semilla"))


@pytest.mark.parametrize(
    "played", PLAYTHROUGHS, ids=[f"{game['variant']}-{game['seed']}" for game in PLAYTHROUGHS]
)
def test_a_golden_game_evaluates_to_its_end_from_its_seed_and_from_its_cards(evaluate, played):
    moves = played["moves"].split()
    naive = naive_game(played["variant"], played["seed"])
    assert [naive.play(move) for move in moves] == [None] * len(moves)
    start = split_start(played["start"])
    start.pop("bases", None)
    for source in ({"seed": played["seed"]}, {"position": start}):
        state = evaluate(variant=played["variant"], moves=moves, **source)
        assert "failed" not in state
        assert state["score"] == played["score"]
        assert_state(state, naive)
        assert ("seed" in state) == ("seed" in source)
        assert state["deal_algorithm"] == ("deal/1" if "seed" in source else None)


@pytest.mark.parametrize("number", range(len(SOLVED)))
def test_a_solution_wins_its_deal(evaluate, number):
    deal = SOLVED[number]
    position = {"piles": split_piles(deal["piles"])}
    if not deal["winnable"]:
        assert evaluate(variant="cruel", position=position)["status"] != "won"
        return
    moves = deal["solution"].split()
    state = evaluate(variant="cruel", position=position, moves=moves)
    assert state["status"] == "won"
    assert state["score"]["cards_up"] == 52
    assert state["score"]["actions"] == deal["best_length"]
    before = evaluate(variant="cruel", position=position, moves=moves[:-1])
    assert before["status"] == "in_progress"
    assert moves[-1] in before["legal_moves"]


def source_of(case):
    variant = "calculation" if case["family"] == "calculation" else "cruel"
    source = {"seed": case["seed"]} if "seed" in case else {"position": split_start(case["start"])}
    source.get("position", {}).pop("bases", None)
    return {
        "variant": variant,
        "options": case["options"],
        "undo": case["undo"],
        "moves": case["moves"].split(),
        **source,
    }


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_position_stands_and_refuses_moves_as_the_rules_say(evaluate, number):
    case = CASES[number]
    body, expected = source_of(case), case["expected"]
    state = evaluate(**body)
    assert "failed" not in state
    for name in ("status", "ply", "score", "stock_count", "card"):
        assert state.get(name) == expected.get(name)
    assert state["foundations"] == expected["foundations"].split()
    assert state["legal_moves"] == expected["legal_moves"].split()
    for name in ("piles", "wastes"):
        if name in expected:
            assert state[name] == split_piles(expected[name])
    redeal = {**state["redeal"]} if state["redeal"] else None
    if redeal:
        redeal.setdefault("reason", None)
        redeal.pop("detail", None)
    assert redeal == expected["redeal"]
    for move, reason in answers(case):
        after = evaluate(**{**body, "moves": [*body["moves"], move]})
        if reason is None:
            assert "failed" not in after
            assert after["ply"] == state["ply"] + 1
            continue
        failed = after.pop("failed")
        assert after == state
        assert failed.pop("detail").startswith(f"{move}: ")
        assert failed == {"index": state["ply"], "move": move, "reason": reason}


def answers(case):
    """Give some of the answers that a case holds: of each kind the first and the last."""
    found = list(case.get("answers_to", {}).items())
    for reason, texts in case.get("answers", {}).items():
        ends = dict.fromkeys(texts.split()[:: max(len(texts.split()) - 1, 1)])
        found += [(move, None if reason == "accepted" else reason) for move in ends]
    return found


def test_every_reason_is_given_by_some_case():
    given = {reason for case in CASES for _, reason in answers(case)}
    assert given - {None} == REASONS


def test_the_state_is_the_one_before_the_move_that_fails(evaluate):
    state = evaluate(variant="cruel", seed="semilla", moves=["6>9", "1>11", "1>2", "12>2"])
    assert state["failed"].pop("detail") == (
        "1>2: 7H does not go onto KC: piles build down in suit, it goes onto 8H"
    )
    assert state["failed"] == {"index": 2, "move": "1>2", "reason": "wrong_suit"}
    naive = naive_game("cruel", "semilla")
    for move in ("6>9", "1>11"):
        naive.play(move)
    assert_state(state, naive)


def test_what_comes_after_the_end_fails(evaluate):
    state = evaluate(variant="cruel", seed="semilla", moves=["6>9", "Q", "1>11"])
    assert state["failed"]["reason"] == "game_over"
    assert state["failed"]["index"] == 2
    assert (state["status"], state["ply"]) == ("resigned", 2)


def test_options_override_the_variants(evaluate):
    changes = {"redeal": "fans", "redeal_when": "anytime", "redeal_limit": 1}
    state = evaluate(variant="cruel", seed="semilla", options=changes, moves=["R", "R"])
    naive = naive_game("cruel", "semilla", **changes)
    assert (naive.play("R"), naive.play("R")) == (None, "limit_reached")
    assert state["failed"]["reason"] == "limit_reached"
    assert_state(state, naive)


def test_undo_may_be_turned_off(evaluate):
    state = evaluate(variant="cruel", seed="semilla", undo=False, moves=["6>9", "U"])
    assert state["failed"]["reason"] == "undo_not_allowed"
    assert state["undo"] is False


def test_who_sends_the_seed_sees_it_and_still_no_unturned_card(evaluate):
    state = evaluate(variant="calculation", seed="semilla", moves=["S>W1"])
    assert "stock" not in state
    assert state["seed"] == "semilla"
    assert_state(state, played("calculation", "semilla", "S>W1"))


def played(variant, seed, *moves):
    naive = naive_game(variant, seed)
    for move in moves:
        assert naive.play(move) is None
    return naive


@pytest.mark.parametrize("seed", ["pysol-1", "pysol-ms32000"])
def test_seeds_of_pysol_bring_their_own_bases(evaluate, seed):
    state = evaluate(variant="calculation", seed=seed)
    assert state["deal_algorithm"] == "pysol"
    assert state["options"] == options_of("calculation", seed)


def test_nothing_is_stored(client, db):
    client.post("/v1/evaluate", json={"variant": "cruel", "seed": "a", "moves": ["R"]})
    client.post("/v1/evaluate", json={"variant": "cruel", "seed": "a", "moves": ["X"]})
    with db.connect() as connection:
        assert connection.execute(select(func.count()).select_from(games)).scalar_one() == 0


def test_a_position_that_is_won_or_lost_from_the_start_is_so(evaluate):
    won = evaluate(variant="cruel", position={"piles": [[]] * 12})
    assert (won["status"], won["score"]["cards_up"]) == ("won", 52)
    assert won["foundations"] == ["KC", "KD", "KH", "KS"]
    tops = {"stock": [], "foundations": ["KC", "KD", "KH", "KS"]}
    assert evaluate(variant="calculation", position=tops)["status"] == "won"
    left = {"stock": [], "foundations": ["JC", "KD", "KH", "KS"]}
    for waste, status in ((["KC", "QC"], "in_progress"), (["QC", "KC"], "lost")):
        left["wastes"] = [waste, [], [], []]
        assert evaluate(variant="calculation", position=left)["status"] == status


def test_foundations_may_be_written_or_left_out(evaluate):
    position = {"piles": CRUEL}
    left_out = evaluate(variant="cruel", position=position)
    position["foundations"] = ["AC", "AD", "AH", "AS"]
    assert evaluate(variant="cruel", position=position) == left_out


# ---- what makes no sense ----


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/variant"),
        ({"seed": "a"}, "/variant"),
        ({"variant": "cruel"}, ""),
        ({"variant": "cruel", "seed": "a", "position": {"piles": CRUEL}}, ""),
        ({"variant": "klondike", "seed": "a"}, "/variant"),
        ({"variant": "cruel", "seed": "-a"}, "/seed"),
        ({"variant": "cruel", "seed": "pysol-x"}, "/seed"),
        ({"variant": "cruel", "seed": "a", "moves": ["6>9", "7>13"]}, "/moves/1"),
        ({"variant": "cruel", "seed": "a", "moves": ["S>W1"]}, "/moves/0"),
        ({"variant": "calculation", "seed": "a", "moves": ["S>W1", "R"]}, "/moves/1"),
        ({"variant": "calculation", "seed": "a", "undo": True}, "/undo"),
        ({"variant": "cruel", "seed": "a", "options": {"bases": ["AC"] * 4}}, "/options/bases"),
        (
            {"variant": "calculation", "seed": "a", "options": {"redeal_limit": None}},
            "/options/redeal_limit",
        ),
        (
            {"variant": "calculation", "seed": "a", "options": {"bases": ["AC", "2D", "3H", "5S"]}},
            "/options/bases/3",
        ),
        ({"variant": "calculation", "position": {"piles": CRUEL}}, "/position"),
        ({"variant": "cruel", "position": {"stock": ["KC"]}}, "/position"),
        ({"variant": "cruel", "position": {}}, "/position"),
        ({"variant": "cruel", "seed": "a", "times_ms": []}, "/times_ms"),
        ({"variant": "cruel", "seed": "a", "deal_algorithm": "deal/1"}, "/deal_algorithm"),
        ({"variant": "cruel", "seed": "a", "rules_version": 1}, "/rules_version"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_with_its_place(refused, body, pointer):
    refused(pointer, **body)


@pytest.mark.parametrize("family", ["cruel", "calculation"])
def test_a_text_that_is_no_move_is_refused_and_no_failure(refused, family):
    for text in STATUS["invalid"][family]:
        refused("/moves/0", variant=family, seed="semilla", moves=[text])


def changed(piles, pile, index, card):
    other = copy.deepcopy(piles)
    other[pile][index] = card
    return other


@pytest.mark.parametrize(
    ("position", "pointer", "names"),
    [
        ({"piles": changed(CRUEL, 0, 0, "XX")}, "/position/piles/0/0", "XX"),
        ({"piles": changed(CRUEL, 0, 0, "js")}, "/position/piles/0/0", "js"),
        ({"piles": changed(CRUEL, 0, 0, "10S")}, "/position/piles/0/0", "10S"),
        ({"piles": changed(CRUEL, 0, 0, "")}, "/position/piles/0/0", "''"),
        ({"piles": changed(CRUEL, 0, 0, "KD")}, "/position/piles/0/1", "KD"),
        ({"piles": changed(CRUEL, 3, 2, "JS")}, "/position/piles/3/2", "JS"),
        ({"piles": changed(CRUEL, 11, 3, "AH")}, "/position/piles/11/3", "AH"),
        ({"piles": [CRUEL[0][1:], *CRUEL[1:]]}, "/position/piles", "JS"),
        ({"piles": [[]] * 11 + [["2C"]]}, "/position/piles", "3C"),
        (
            {"piles": CRUEL, "foundations": ["AD", "AC", "AH", "AS"]},
            "/position/foundations",
            "AC AD AH AS",
        ),
        (
            {"piles": CRUEL, "foundations": ["AC", "AD", "AH", "2S"]},
            "/position/foundations",
            "AC AD AH AS",
        ),
        ({"piles": CRUEL, "stock": []}, "/position", ""),
        ({"piles": CRUEL, "wastes": [[], [], [], []]}, "/position", ""),
    ],
)
def test_a_position_of_cruel_that_is_no_52_cards_is_refused_and_the_card_named(
    refused, position, pointer, names
):
    refused(pointer, says=names, variant="cruel", position=position)


FULL = {"stock": ["KC"], "wastes": [[], [], [], []], "foundations": ["QC", "KD", "KH", "KS"]}


@pytest.mark.parametrize(
    ("changes", "pointer", "names"),
    [
        ({"stock": ["XX"]}, "/position/stock/0", "XX"),
        ({"stock": ["KC", "KC"]}, "/position/stock/1", "KC"),
        ({"stock": ["KD"]}, "/position/stock/0", "KD"),
        ({"stock": []}, "/position", "KC"),
        ({"stock": ["KC", "QD"]}, "/position", "rank Q"),
        ({"stock": ["KC", "AC"]}, "/position/stock/1", "AC"),
        ({"wastes": [["KC"], [], [], []]}, "/position/stock/0", "KC"),
        ({"wastes": [["7X"], [], [], []]}, "/position/wastes/0/0", "7X"),
        ({"foundations": ["QC", "KD", "KH", "QC"]}, "/position/foundations/3", "QC"),
        ({"foundations": ["AS", "KD", "KH", "KS"]}, "/position/foundations/0", "AS"),
        ({"foundations": ["JC", "KD", "KH", "KS"]}, "/position", "rank Q"),
        ({"piles": [[]] * 12}, "/position", ""),
    ],
)
def test_a_position_of_calculation_that_is_no_52_cards_is_refused_and_the_card_named(
    evaluate, refused, changes, pointer, names
):
    assert evaluate(variant="calculation", position=FULL)["status"] == "in_progress"
    position = {**FULL, **changes}
    refused(pointer, says=names, variant="calculation", position=position)


def test_other_bases_make_another_position_legal(evaluate, refused):
    stock = [card for card in deck() if card not in ("AS", "2D", "3H", "4S")]
    bases = {"bases": ["AS", "2D", "3H", "4S"]}
    state = evaluate(variant="calculation", options=bases, position={"stock": stock})
    assert state["foundations"] == bases["bases"]
    assert state["card"] == "AC"
    place = f"/position/stock/{stock.index('AC')}"
    refused(place, says="AC", variant="calculation", position={"stock": stock})


def deck():
    return [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def test_at_most_10_000_moves_are_evaluated(evaluate, refused):
    body = {"variant": "cruel-semicolon", "seed": "semilla"}
    assert evaluate(**body, moves=["R"] * 10_000)["ply"] == 10_000
    refused("/moves", **body, moves=["R"] * 10_001)


# ---- records ----


@pytest.fixture
def record(player, clock):
    """Give the record of a short game of Cruel."""
    player.start()
    for move in ("6>9", "1>11", "U", "12>2", "R"):
        clock.tick(1_000)
        player.play(move)
    return player.get("/record").json


def test_a_record_evaluates_to_the_game_that_it_tells_of(record, evaluate, player):
    state = evaluate(**record)
    game = player.get().json
    assert state == {name: game[name] for name in state}
    assert state.keys() == FIELDS | {"seed", "piles"}


def test_times_may_be_left_out_of_a_record(record, evaluate):
    with_times = evaluate(**record)
    del record["times_ms"]
    assert evaluate(**record) == with_times


def test_a_record_may_start_from_a_position(record, evaluate):
    del record["seed"], record["deal_algorithm"]
    state = evaluate(**record, position={"piles": CRUEL})
    assert state["deal_algorithm"] is None
    assert "seed" not in state
    assert_state(state, played("cruel", "semilla", "6>9", "1>11", "U", "12>2", "R"))


def test_a_forged_move_in_a_record_fails(record, evaluate):
    record["moves"][3] = "1>2"
    state = evaluate(**record)
    assert state["failed"]["index"] == 3
    assert state["failed"]["move"] == "1>2"
    assert state["failed"]["reason"] == "wrong_suit"


def test_another_seed_makes_another_game_of_a_record(record, evaluate):
    record["seed"] = "a"
    reason = naive_game("cruel", "a").play(record["moves"][0])
    assert reason == "wrong_suit"
    assert evaluate(**record)["failed"]["reason"] == reason


NEEDED = ["variant", "options", "deal_algorithm", "rules_version", "seed", "undo", "moves"]


@pytest.mark.parametrize("name", NEEDED)
def test_a_field_that_is_missing_in_a_record_is_named(record, client, name):
    del record[name]
    reply = client.post("/v1/evaluate", json=record)
    places = [fault["pointer"] for fault in reply.json["errors"]]
    assert_problem(reply, "validation_failed", pointers=places)
    # Without its seed a record lacks its position.
    assert places == ["/position" if name == "seed" else f"/{name}"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"record": "semilla/2"}, "/record"),
        ({"variant": "klondike"}, "/variant"),
        ({"options": {}}, "/options"),
        ({"options": {"deal": "by_pile"}}, "/options"),
        ({"options": {**PRESETS["cruel"], "redeal_limit": 100}}, "/options/redeal_limit"),
        ({"options": {**PRESETS["cruel"], "bases": ["AC", "2D", "3H", "4S"]}}, "/options/bases"),
        ({"options": PRESETS["calculation"]}, "/options"),
        ({"deal_algorithm": "pysol"}, "/deal_algorithm"),
        ({"seed": "pysol-1"}, "/deal_algorithm"),
        ({"seed": "-"}, "/seed"),
        ({"rules_version": 2}, "/rules_version"),
        ({"rules_version": 0}, "/rules_version"),
        ({"moves": ["6>9", "1>11", "U", "12>2", "6>13"]}, "/moves/4"),
        ({"times_ms": [1, 2, 3, 4]}, "/times_ms"),
        ({"times_ms": [5, 4, 3, 2, 1]}, "/times_ms"),
        ({"times_ms": [1, 2, 3, 4, -5]}, "/times_ms/4"),
        ({"position": {"piles": CRUEL}}, "/position"),
        ({"token": "sg_x"}, "/token"),
        ({"id": "x"}, "/id"),
        ({"variant": "calculation", "options": PRESETS["calculation"]}, "/undo"),
    ],
)
def test_a_record_that_is_wrong_is_refused_with_the_place(record, refused, changes, pointer):
    refused(pointer, **{**record, **changes})


def test_the_record_of_the_longest_game_fits_with_its_times(evaluate):
    """Of 10,000 entries, each of the longest text, over some years."""
    piles = [[] for _ in range(12)]
    rest = [card for card in deck() if card[0] != "A" and card not in ("7C", "7S", "8H")]
    for number, card in enumerate(rest):
        piles[number % 12].append(card)
    piles[9].append("7C")
    piles[10].append("7S")
    piles[11].append("8H")
    moves = ["12>11", *["11>10", "10>11"] * 5_000][:10_000]
    year = 366 * 24 * 3_600_000
    record = {
        "record": "semilla/1",
        "variant": "royal-family",
        "options": PRESETS["royal-family"],
        "rules_version": 1,
        "position": {"piles": piles},
        "undo": True,
        "moves": moves,
        "times_ms": [10 * year + 1_000 * number for number in range(10_000)],
    }
    length = len(json.dumps(record))
    assert 64 * 1024 * 3 < length < 64 * 1024 * 4
    naive = Naive("cruel", PRESETS["royal-family"], {"piles": piles})
    assert naive.status == "in_progress"
    state = evaluate(**record)
    assert "failed" not in state
    assert state["ply"] == state["score"]["moves"] == 10_000
    assert state["status"] == "in_progress"


def test_the_longest_stored_game_can_be_verified(player, clock, evaluate):
    player.start("cruel-semicolon")
    clock.tick(3_000_000_000)
    for _ in range(20):
        clock.tick(1_000)
        assert player.play(*["R", "U"] * 5, *["R"] * 490).status_code == 200
    record = player.get("/record").json
    assert len(record["moves"]) == 10_000
    assert len(json.dumps(record)) > 64 * 1024
    state = evaluate(**record)
    game = player.get().json
    assert state == {name: game[name] for name in state}
