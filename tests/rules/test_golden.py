"""The golden data: counts, solutions, deals and whole games that must come out the same for ever.

Some were computed by other programs or read out of PySolFC; the others come from the naive engine.
"""

from pathlib import Path

import pytest

from service.rules import VARIANTS
from service.rules.calculation_position import CalculationPosition
from service.rules.cards import parse_cards
from service.rules.cruel_redeals import redeal_piles
from service.rules.deals import algorithm_of, deal_order, pysol_bases
from service.rules.errors import InvalidMove, InvalidSeed
from service.rules.game import Game, check_moves, play_all
from service.rules.record_text import format_record, parse_record
from tests.naive.engine import Naive
from tests.naive.golden import FOLDER, load, split_piles, split_start

PERFT = load("perft_cruel.json")["positions"]
PERFT_MORE = load("perft_more.json")["positions"]
SOLVED = load("solved_cruel.json")["deals"]
PYSOL_DEALS = load("pysol_deals.json")["games"]
PYSOL_CRUEL = load("pysol_cruel_games.json")["games"]
PYSOL_CALCULATION = load("pysol_calculation_games.json")["games"]
STATUS = load("status.json")["cases"]
INVALID = load("status.json")["invalid"]
PLAYTHROUGHS = load("playthroughs.json")["games"]
DEALS = load("deals.json")
RECORDS = sorted((FOLDER / "records").glob("*.txt"))


def rules_of(family, options):
    return VARIANTS[family].configured(options, None)


def start_of(rules, data):
    """Lay out a start as it is written; some of Calculation hold only the cards that matter."""
    start = split_start(data)
    if rules.family == "cruel":
        return rules.read_position(start)
    return CalculationPosition(
        parse_cards(data.get("foundations", " ".join(rules.options()["bases"]))),
        tuple(parse_cards(" ".join(waste) or "-") for waste in start.get("wastes", [[]] * 4)),
        parse_cards(data["stock"] or "-"),
    )


def perft(rules, position, depth):
    """Count the sequences of moves of a position; the end of the game stops nothing."""
    moves = rules.moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.apply(position, move), depth - 1) for move in moves)


# ---- perft ----


def check_perft(number, lengths):
    entry = PERFT[number]
    for counts in entry["counts"].values():
        rules = rules_of("cruel", counts["options"])
        position = start_of(rules, {"piles": entry["piles"]})
        found = [perft(rules, position, length) for length in lengths]
        assert found == [counts["leaves"][length - 1] for length in lengths]


@pytest.mark.parametrize("number", range(10))
def test_perft_of_an_opening_to_length_5_is_what_two_other_programs_count(number):
    check_perft(number, range(1, 6))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_perft_of_an_opening_to_length_7_is_what_another_program_counts(number):
    check_perft(number, (6, 7))


@pytest.mark.parametrize("number", range(len(PERFT_MORE)))
def test_perft_of_other_positions_and_options_is_what_the_naive_engine_counts(number):
    entry = PERFT_MORE[number]
    for counts in entry["counts"]:
        rules = rules_of(entry["family"], counts["options"])
        position = start_of(rules, entry["start"])
        if "seed" in entry:
            assert rules.opening(algorithm_of(entry["seed"]), entry["seed"]) == position
        if "variant" in entry and entry["family"] == "cruel":
            assert rules == VARIANTS[entry["variant"]]
        lengths = range(1, len(counts["leaves"]) + 1)
        assert [perft(rules, position, length) for length in lengths] == counts["leaves"]


def test_perft_covers_every_variant():
    assert {entry["variant"] for entry in PERFT_MORE if "variant" in entry} == set(VARIANTS)


# ---- solved deals ----


@pytest.mark.parametrize("number", range(35))
def test_a_winnable_deal_is_won_by_the_last_move_of_its_solution(number):
    deal = SOLVED[number]
    rules = VARIANTS["cruel"]
    game = Game.start(rules, start_of(rules, {"piles": deal["piles"]}), undo=True)
    if not deal["winnable"]:
        assert game.status in ("in_progress", "lost")
        return
    moves = deal["solution"].split()
    check_moves(rules, moves)
    before, failure = play_all(game, moves[:-1])
    assert failure is None
    assert before.status == "in_progress"
    after = before.play(moves[-1])
    assert after.status == "won"
    assert after.score.cards_up == 52
    assert after.score.actions == after.ply == deal["best_length"] == len(moves)
    assert after.score.redeals == moves.count("R")


def test_all_solved_deals_are_tried():
    assert len(SOLVED) == 35
    assert sum(deal["winnable"] for deal in SOLVED) > 20


# ---- PySolFC ----


@pytest.mark.parametrize("deal", PYSOL_DEALS["cruel"])
def test_cruel_pysol_shows_the_boards_of_pysol(deal):
    rules, seed = VARIANTS["cruel-pysol"], f"pysol-{deal}"
    position = rules.opening(algorithm_of(seed), seed)
    shown = rules.face_up(position)
    assert shown["piles"] == split_piles(PYSOL_DEALS["cruel"][deal]["rows"])
    assert sorted(shown["foundations"]) == sorted(PYSOL_DEALS["cruel"][deal]["foundations"])


# PySolFC's own games of these names are not our variants: they show the order of the cards.
@pytest.mark.parametrize(
    ("game", "out", "deal"),
    [
        (game, out, deal)
        for game, out in (("ripple_fan", ""), ("royal_family", "KC KD KH KS"))
        for deal in PYSOL_DEALS[game]
    ],
)
def test_other_games_of_pysol_deal_the_same_cards_in_the_same_order(game, out, deal):
    rows = split_piles(PYSOL_DEALS[game][deal]["rows"])
    dealt = [row[turn] for turn in range(4) for row in rows]
    bases = bytes("KC KD KH KS".split().index(card) * 13 + 12 for card in out.split())
    order = deal_order("pysol", f"pysol-{deal}", bases)
    texts = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    assert [texts[card] for card in order] == dealt


@pytest.mark.parametrize("deal", PYSOL_DEALS["calculation"])
def test_calculation_turns_the_cards_that_pysol_turns(deal):
    seed, expected = f"pysol-{deal}", PYSOL_DEALS["calculation"][deal]
    rules = VARIANTS["calculation"].configured({}, seed)
    assert rules.options() == {"bases": expected["foundations"]}
    assert rules.bases == pysol_bases(seed)
    check_stock(rules, seed, expected)


@pytest.mark.parametrize("deal", PYSOL_DEALS["hopscotch"])
def test_calculation_with_other_bases_turns_the_cards_of_pysols_hopscotch(deal):
    seed, expected = f"pysol-{deal}", PYSOL_DEALS["hopscotch"][deal]
    rules = VARIANTS["calculation"].configured({"bases": ["AC", "2C", "3C", "4C"]}, seed)
    assert expected["foundations"] == ["AC", "2C", "3C", "4C"]
    check_stock(rules, seed, expected)


def check_stock(rules, seed, expected):
    stock = rules.position_json(rules.opening("pysol", seed))["stock"]
    assert stock == [*expected["waste"].split(), *expected["talon"].split()[::-1]]


@pytest.mark.parametrize("number", range(12))
def test_a_game_of_pysols_cruel_has_our_moves_and_our_piles(number):
    played = PYSOL_CRUEL[number]
    rules, seed = VARIANTS["cruel-pysol"], f"pysol-{played['deal']}"
    position = rules.opening("pysol", seed)
    assert rules.face_up(position)["piles"] == split_piles(played["piles"])
    for step in played["steps"]:
        # Its lists leave out R; it lets people go on where we call a game lost.
        assert rules.moves(position) == sorted(["R", *step["legal"].split()])
        assert rules.refusal(position, step["move"]) is None
        position = rules.apply(position, step["move"])
        assert rules.face_up(position)["piles"] == split_piles(step["after"])


def test_six_games_of_pysols_cruel_are_won_and_six_go_on_after_they_are_lost():
    ends = []
    for played in PYSOL_CRUEL:
        rules, seed = VARIANTS["cruel-pysol"], f"pysol-{played['deal']}"
        game = Game.start(rules, rules.opening("pysol", seed), undo=True)
        moves = [step["move"] for step in played["steps"]]
        game, failure = play_all(game, moves)
        ends.append(str(game.status))
        if game.status == "won":
            assert failure is None
        else:
            # PySolFC's next move is R, with no card that can move.
            assert (failure.move, failure.reason) == ("R", "game_over")
            assert played["steps"][failure.index]["legal"] == ""
    assert sorted(ends) == ["lost"] * 6 + ["won"] * 6


@pytest.mark.parametrize("number", range(12))
def test_a_game_of_pysols_calculation_has_our_moves_and_our_cards(number):
    played = PYSOL_CALCULATION[number]
    bases, seed = played["bases"].split(), f"pysol-{played['deal']}"
    rules = VARIANTS["calculation"].configured({"bases": bases}, seed)
    game = Game.start(rules, rules.opening("pysol", seed), undo=False)
    stock = [played["first_card"], *played["stock_in_turning_order"].split()]
    assert rules.position_json(game.position)["stock"] == stock
    for step in played["steps"]:
        theirs = sorted(step["legal"].split())
        ours = game.legal_moves()
        if not any(move.startswith("S") for move in theirs):  # not turned there yet
            ours = [move for move in ours if not move.startswith("S")]
        assert ours == theirs
        game = game.play(step["move"])
        shown = rules.face_up(game.position)
        assert shown["foundations"] == step["foundation_tops"].split()
        assert shown["wastes"] == split_piles(step["wastes"])


def test_four_games_of_pysols_calculation_are_won():
    won = []
    for played in PYSOL_CALCULATION:
        rules = rules_of("calculation", {"bases": played["bases"].split()})
        game = Game.start(rules, rules.opening("pysol", f"pysol-{played['deal']}"), undo=False)
        game, failure = play_all(game, [step["move"] for step in played["steps"]])
        assert failure is None
        if game.status == "won":
            won.append(played["deal"])
    assert won == ["24", "11982", "ms32000", "ms32000"]


# ---- deals ----


@pytest.mark.parametrize("case", DEALS["cases"], ids=lambda case: case["seed"])
def test_a_seed_gives_its_opening_in_both_families(case):
    seed = case["seed"]
    algorithm = algorithm_of(seed)
    assert algorithm == case["algorithm"]
    for deal, piles in case["cruel"].items():
        rules = rules_of("cruel", {"deal": deal})
        position = rules.opening(algorithm, seed)
        assert rules.face_up(position)["piles"] == split_piles(piles)
    unnamed, *named = case["calculation"]
    rules = VARIANTS["calculation"].configured({}, seed)
    assert rules.options() == {"bases": unnamed["bases"].split()}
    for start in (unnamed, *named):
        if start is not unnamed:
            rules = rules.configured({"bases": start["bases"].split()}, seed)
        position = rules.opening(algorithm, seed)
        assert rules.position_json(position) == {
            "stock": start["stock"].split(),
            "wastes": [[], [], [], []],
            "foundations": start["bases"].split(),
        }


@pytest.mark.parametrize("seed", DEALS["refused"])
def test_a_text_that_is_no_seed_gives_no_opening(seed):
    with pytest.raises(InvalidSeed):
        algorithm_of(seed)


# ---- statuses ----


def seen(game):
    """Describe a game as the cases do."""
    shown = game.rules.face_up(game.position)
    score = game.score
    known = {
        "status": str(game.status),
        "ply": game.ply,
        **shown,
        "foundations": " ".join(shown["foundations"]),
        "score": {**score._asdict(), "actions": score.actions},
        "legal_moves": " ".join(game.legal_moves()),
        "position_moves": " ".join(game.rules.moves(game.position)),
        "redeal": None,
    }
    for name in ("piles", "wastes"):
        if name in known:
            known[name] = [" ".join(pile) for pile in known[name]]
    preview = game.preview_redeal()
    if preview:
        known["redeal"] = {
            "allowed": preview.refusal is None,
            "reason": preview.refusal and preview.refusal.reason,
            "changes_layout": preview.changes_layout,
            "used": preview.used,
            "left": preview.left,
        }
    return known


@pytest.mark.parametrize("case", STATUS, ids=[f"{n}-{c['name']}" for n, c in enumerate(STATUS)])
def test_a_game_stands_as_the_rules_say(case):
    rules = rules_of(case["family"], case["options"])
    position = start_of(rules, case["start"])
    if "seed" in case:
        assert rules.opening(algorithm_of(case["seed"]), case["seed"]) == position
    moves = case["moves"].split()
    check_moves(rules, moves)
    game, failure = play_all(Game.start(rules, position, undo=case["undo"]), moves)
    assert failure is None
    assert seen(game) == case["expected"]
    for move, reason in case.get("answers_to", {}).items():
        refusal = game.refusal(move)
        assert (refusal and refusal.reason) == reason
    for reason, texts in case.get("answers", {}).items():
        for move in texts.split():
            refusal = game.refusal(move)
            assert (refusal.reason if refusal else "accepted") == reason, move


@pytest.mark.parametrize("family", INVALID)
def test_a_text_that_is_no_move_is_refused(family):
    assert len(INVALID[family]) > 20
    for text in INVALID[family]:
        with pytest.raises(InvalidMove):
            check_moves(VARIANTS[family], [text])


# ---- playthroughs ----


@pytest.mark.parametrize(
    "played", PLAYTHROUGHS, ids=[f"{game['variant']}-{game['seed']}" for game in PLAYTHROUGHS]
)
def test_a_whole_game_replays_move_for_move(played):
    rules = VARIANTS[played["variant"]].configured(played["options"], None)
    assert rules == VARIANTS[played["variant"]]
    position = start_of(rules, played["start"])
    assert rules.opening(algorithm_of(played["seed"]), played["seed"]) == position
    game = Game.start(rules, position, undo=played["undo"])
    for step in played["steps"]:
        game = game.play(step["move"])
        shown = rules.face_up(game.position)
        assert str(game.status) == step["status"]
        assert shown["foundations"] == step["foundations"].split()
        assert game.legal_moves() == step["legal"].split()
        for name in ("piles", "wastes"):
            if name in step:
                assert shown[name] == split_piles(step[name])
        if "card" in step:
            assert shown["card"] == step["card"]
        if "left" in step:
            assert rules.preview_redeal(game.position).left == step["left"]
    assert [step["move"] for step in played["steps"]] == played["moves"].split()
    assert {**game.score._asdict(), "actions": game.score.actions} == played["score"]


def test_every_variant_has_a_playthrough():
    assert {game["variant"] for game in PLAYTHROUGHS} == set(VARIANTS)


# ---- records ----


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_kept_record_is_read_for_ever_and_replays(path: Path):
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert format_record(record) == text
    game, failure = record.replay()
    assert failure is None
    naive = Naive(
        record.rules.family,
        record.rules.options(),
        record.rules.position_json(record.start().position),
        undo=record.undo,
    )
    assert [naive.play(move) for move in record.moves] == [None] * len(record.moves)
    assert game.status == naive.status == path.stem.rpartition("-")[2]


def test_whether_a_game_is_lost_takes_one_redeal_however_long_they_go_round(monkeypatch):
    fans = [case for case in STATUS if case["options"].get("redeal") == "fans"]
    starts = [(rules_of(c["family"], c["options"]), c["start"]) for c in fans]
    positions = [(rules, start_of(rules, start)) for rules, start in starts]
    for rules, position in positions:
        rules.status(position)  # the table for so many cards is made once
    redeals = []

    def counted(redeal, piles):
        redeals.append(redeal)
        return redeal_piles(redeal, tuple(piles))

    monkeypatch.setattr("service.rules.cruel.redeal_piles", counted)
    for rules, position in positions:
        rules.status(position)
    assert 0 < len(redeals) <= len(positions)
