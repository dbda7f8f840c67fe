"""The naive engine itself against the golden data from outside and every example of the rules."""

import itertools
from typing import Any

import pytest

from .deals import cards_of, opening, pysol_deck
from .engine import SEQUENCES, Naive, perft, redeal
from .golden import load, split_piles, split_start
from .make_vectors import make_deals
from .variants import CRUEL_VARIANTS, DEFAULT_BASES, cruel_options

CALCULATION = {"bases": DEFAULT_BASES}


def cruel(piles: str, *, undo: bool = True, variant: str = "cruel", **changes: Any) -> Naive:
    """Start a game from piles written `2C 5C / 6C / ...`, filled up with empty ones."""
    layout = [pile.split() for pile in piles.split("/")]
    layout += [[] for _ in range(12 - len(layout))]
    game = Naive("cruel", cruel_options(variant, **changes), {"piles": layout}, undo=undo)
    assert game.table.cards_up() + sum(map(len, layout)) == 52
    return game


# One card can go up, then only a redeal helps; as it lies, a redeal changes nothing.
ONE_MOVE_THEN_STUCK = "JC QC KC 9C / TC JD QD KD"
# No card can ever move.
BLOCKED = "TC JC QC KC / TD JD QD KD"


def laid(kind: str, *piles: str) -> list[str]:
    """Redeal some piles and leave out the empty ones of the result."""
    return [" ".join(pile) for pile in redeal(kind, split_piles(list(piles))) if pile]


def numbered(kind: str, count: int) -> list[list[int]]:
    """Redeal `count` numbered cards that lie on one pile."""
    piles = redeal(kind, [[str(n) for n in range(1, count + 1)]])
    return [[int(card) for card in pile] for pile in piles]


def play_all(game: Naive, texts: str) -> None:
    """Play moves that must all be accepted."""
    for text in texts.split():
        assert game.play(text) is None, text


# ---- golden data from outside ----


@pytest.mark.parametrize("number", range(10))
def test_perft_counts_agree_with_the_known_ones_to_length_4(number: int) -> None:
    position = load("perft_cruel.json")["positions"][number]
    for counts in position["counts"].values():
        options = cruel_options(**counts["options"])
        game = Naive("cruel", options, {"piles": split_piles(position["piles"])})
        assert [perft(game, depth) for depth in (1, 2, 3, 4)] == counts["leaves"][:4]


def test_every_known_solution_wins_with_its_last_action() -> None:
    deals = load("solved_cruel.json")["deals"]
    assert len(deals) == 35
    for deal in deals:
        game = Naive("cruel", cruel_options(), {"piles": split_piles(deal["piles"])})
        if not deal["winnable"]:
            assert game.status in ("in_progress", "lost")
            continue
        for text in deal["solution"].split():
            assert game.status == "in_progress"
            assert game.play(text) is None
        assert game.status == "won"
        assert game.state()["score"]["actions"] == deal["best_length"]
        assert game.state()["foundations"] == ["KC", "KD", "KH", "KS"]


def test_pysol_deals_of_cruel_lie_as_pysol_shows_them() -> None:
    for number, deal in load("pysol_deals.json")["games"]["cruel"].items():
        start = opening("cruel", cruel_options("cruel-pysol"), f"pysol-{number}")
        assert start["piles"] == split_piles(deal["rows"])


@pytest.mark.parametrize(("game", "left_out"), [("ripple_fan", ""), ("royal_family", "K")])
def test_other_pysol_deals_have_the_same_card_order(game: str, left_out: str) -> None:
    for number, deal in load("pysol_deals.json")["games"][game].items():
        rows = split_piles(deal["rows"])
        dealt = [row[turn] for turn in range(4) for row in rows]
        deck = reversed(pysol_deck(f"pysol-{number}"))
        assert dealt == [card for card in deck if card[0] != left_out]


@pytest.mark.parametrize("game", ["calculation", "hopscotch"])
def test_pysol_deals_of_calculation_turn_the_same_cards(game: str) -> None:
    for number, deal in load("pysol_deals.json")["games"][game].items():
        named = {"bases": ["AC", "2C", "3C", "4C"]} if game == "hopscotch" else {}
        start = opening("calculation", named, f"pysol-{number}")
        assert start["bases"] == deal["foundations"]
        assert start["stock"] == deal["waste"].split() + deal["talon"].split()[::-1]


@pytest.mark.parametrize("number", range(12))
def test_pysol_games_of_cruel_have_the_same_moves_and_piles(number: int) -> None:
    played = load("pysol_cruel_games.json")["games"][number]
    options = cruel_options("cruel-pysol")
    start = opening("cruel", options, f"pysol-{played['deal']}")
    assert start["piles"] == split_piles(played["piles"])
    game = Naive("cruel", options, start)
    for step in played["steps"]:
        legal = game.position_moves()
        assert "R" in legal
        assert sorted(step["legal"].split()) == [text for text in legal if text != "R"]
        if game.status == "lost":
            assert not step["legal"]
            assert game.refusal(step["move"]) == "game_over"
            game.table.do(step["move"])  # PySolFC lets its player go on
        else:
            assert game.play(step["move"]) is None
        assert game.state()["piles"] == split_piles(step["after"])


def test_six_pysol_games_of_cruel_are_won_and_six_reach_a_lost_position() -> None:
    ends = []
    for played in load("pysol_cruel_games.json")["games"]:
        options = cruel_options("cruel-pysol")
        game = Naive("cruel", options, opening("cruel", options, f"pysol-{played['deal']}"))
        for step in played["steps"]:
            if game.status == "in_progress":
                assert game.play(step["move"]) is None
        ends.append(game.status)
    assert sorted(ends) == ["lost"] * 6 + ["won"] * 6


@pytest.mark.parametrize("number", range(12))
def test_pysol_games_of_calculation_have_the_same_moves_and_cards(number: int) -> None:
    played = load("pysol_calculation_games.json")["games"][number]
    named = {"bases": played["bases"].split()}
    start = opening("calculation", named, f"pysol-{played['deal']}")
    assert start["stock"] == [played["first_card"], *played["stock_in_turning_order"].split()]
    game = Naive("calculation", named, start)
    for step in played["steps"]:
        theirs = sorted(step["legal"].split())
        ours = game.legal_moves()
        if not any(text.startswith("S") for text in theirs):  # their card is not turned yet
            ours = [text for text in ours if not text.startswith("S")]
        assert ours == theirs
        assert game.play(step["move"]) is None
        state = game.state()
        assert state["foundations"] == step["foundation_tops"].split()
        assert state["wastes"] == split_piles(step["wastes"])


def test_four_pysol_games_of_calculation_are_complete_wins() -> None:
    won = []
    for played in load("pysol_calculation_games.json")["games"]:
        named = {"bases": played["bases"].split()}
        game = Naive("calculation", named, opening("calculation", named, f"pysol-{played['deal']}"))
        play_all(game, " ".join(step["move"] for step in played["steps"]))
        if game.status == "won":
            won.append(played["deal"])
    assert won == ["24", "11982", "ms32000", "ms32000"]


# ---- golden data of our own, replayed ----


def test_the_deals_on_file_are_those_that_are_computed() -> None:
    assert load("deals.json") == make_deals()


def test_every_status_case_replays() -> None:
    for case in load("status.json")["cases"]:
        start = split_start(case["start"])
        if "seed" in case:
            dealt = opening(case["family"], case["options"], case["seed"])
            assert start.items() <= dealt.items()
        game = Naive(case["family"], case["options"], start, undo=case["undo"])
        play_all(game, case["moves"])
        state = game.state()
        expected = case["expected"]
        assert state["status"] == expected["status"], case["name"]
        assert state["score"] == expected["score"]
        assert " ".join(state["legal_moves"]) == expected["legal_moves"]
        answers = {
            text: None if reason == "accepted" else reason
            for reason, texts in case.get("answers", {}).items()
            for text in texts.split()
        }
        for text, reason in (answers or case["answers_to"]).items():
            assert game.refusal(text) == reason
        for text in load("status.json")["invalid"][case["family"]][:3]:
            assert game.refusal(text) == "invalid"


def test_every_playthrough_replays() -> None:
    for played in load("playthroughs.json")["games"]:
        dealt = opening(played["family"], played["options"], played["seed"])
        assert split_start(played["start"]).items() <= dealt.items()
        game = Naive(played["family"], played["options"], dealt, undo=played["undo"])
        for step in played["steps"]:
            assert game.play(step["move"]) is None
            state = game.state()
            assert state["status"] == step["status"]
            assert " ".join(state["foundations"]) == step["foundations"]
            assert " ".join(state["legal_moves"]) == step["legal"]
            for key in ("piles", "wastes"):
                if key in step:
                    assert state[key] == split_piles(step[key])
            if "left" in step:
                assert state["left"] == step["left"]
        assert " ".join(game.history) == played["moves"]
        assert game.state()["score"] == played["score"]


def test_more_perft_counts_of_short_sequences_are_those_on_file() -> None:
    for position in load("perft_more.json")["positions"]:
        start = split_start(position["start"])
        for counts in position["counts"]:
            game = Naive(position["family"], counts["options"], start)
            assert [perft(game, depth) for depth in (1, 2)] == counts["leaves"][:2]


# ---- deals ----


def test_seed_semilla_deals_the_published_cards() -> None:
    piles = opening("cruel", cruel_options(), "semilla")["piles"]
    assert piles[:2] == split_piles(["JS KD 7H 4D", "JH 3H 2H KC"])
    start = opening("calculation", CALCULATION, "semilla")
    assert start["stock"][:6] == "JS KD 7H 4D JH 2H".split()
    assert start["bases"] == DEFAULT_BASES


def test_by_round_deals_one_card_at_a_time_to_every_pile() -> None:
    order = cards_of("cruel", cruel_options(), "semilla")[1]
    piles = opening("cruel", cruel_options("cruel-strict"), "semilla")["piles"]
    assert [pile[0] for pile in piles] == order[:12]
    assert piles[0] == [order[0], order[12], order[24], order[36]]


@pytest.mark.parametrize(
    "seed",
    [
        *["", ".a", "-a", "~", "_a", "a b", "ñ", "a\n", "x" * 129, "pysol-", "pysol-0"],
        *["pysol-01", "pysol-ms0", "pysol-x", "pysol-100000000000000000001"],
        *["pysol-ms8589934592", "pysol-MS1", "pysol-1.0"],
    ],
)
def test_malformed_seeds_are_refused(seed: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the seed is the message
        opening("cruel", cruel_options(), seed)


@pytest.mark.parametrize(
    "seed",
    [
        *["a", "0", "x" * 128, "a._~-", "pysol", "Pysol-x"],
        *["pysol-100000000000000000000", "pysol-ms8589934591"],
    ],
)
def test_seeds_at_the_edges_are_dealt(seed: str) -> None:
    piles = opening("cruel", cruel_options(), seed)["piles"]
    assert len({card for pile in piles for card in pile}) == 48
    assert {len(pile) for pile in piles} == {4}


# ---- the Cruel family: checks and edge cases of the rules ----


def test_redeal_example_of_source_000() -> None:
    before = ["5C 9H 2D", "KD 3S 8C 5D 4D"]
    assert laid("packets", *before) == ["5C 9H 2D KD", "3S 8C 5D 4D"]
    assert laid("fans", *before) == ["5C 2D 3S 5D", "9H KD 8C 4D"]
    assert laid("packets_from_top", *before) == ["4D 5C 9H 2D", "KD 3S 8C 5D"]


def test_redeal_of_short_empty_and_tall_piles() -> None:
    before = ["2C 5C 6C", "", "KD QH JD TH 9D"]
    assert laid("packets", *before) == ["2C 5C 6C KD", "QH JD TH 9D"]
    assert laid("fans", *before) == ["2C 6C QH TH", "5C KD JD 9D"]
    assert laid("packets_from_top", *before) == ["9D 2C 5C 6C", "KD QH JD TH"]


def test_fans_of_few_cards() -> None:
    for count in (1, 2, 3, 4):
        assert numbered("fans", count) == [list(range(1, count + 1))]
    assert numbered("fans", 5) == [[1, 3, 5], [2, 4]]
    assert [len(pile) for pile in numbered("fans", 9)] == [3, 3, 3]
    assert [len(pile) for pile in numbered("fans", 13)] == [4, 3, 3, 3]


def test_fan_cycles_run_up_to_630_and_both_packets_settle_at_once() -> None:
    longest = 0
    for count in range(1, 49):
        first = redeal("fans", [[str(n) for n in range(count)]])
        layout, length = redeal("fans", first), 1
        while layout != first:
            layout, length = redeal("fans", layout), length + 1
        longest = max(longest, length)
        for kind in ("packets", "packets_from_top"):
            once = redeal(kind, [[str(n) for n in range(count)]])
            assert redeal(kind, once) == once
    assert longest == 630


def test_a_lower_card_goes_on_the_next_higher_of_its_own_suit_only() -> None:
    game = cruel("KC QC JC TC 8C / 9C / KS QS JS TS 9S / 7C")
    assert game.refusal("1>2") is None
    assert game.refusal("1>3") == "wrong_suit"
    assert game.refusal("4>3") == "wrong_suit"
    assert game.refusal("4>2") == "wrong_rank"
    assert game.refusal("2>1") == "wrong_rank"
    assert game.refusal("4>F") is None
    assert game.refusal("1>F") == "wrong_rank"


def test_a_pile_may_grow_without_limit() -> None:
    game = cruel("KD QD JD TD 9D / 7D 8D")
    play_all(game, "2>1 2>1")
    assert game.state()["piles"][:2] == [["KD", "QD", "JD", "TD", "9D", "8D", "7D"], []]


def test_an_emptied_pile_takes_no_card() -> None:
    game = cruel("2C / KC QC JC TC / 9C 8C 7C 6C / 5C 4C 3C")
    play_all(game, "1>F")
    assert game.refusal("2>1") == "empty_target"
    assert game.refusal("1>2") == "empty_source"
    assert game.refusal("1>F") == "empty_source"
    assert game.refusal("1>1") == "same_pile"


def test_a_king_goes_to_its_foundation_or_upwards_onto_a_queen_of_the_other_colour() -> None:
    piles = "QC KC / KD / QS / QD / KS"
    down = cruel(piles)
    assert [text for text in down.position_moves() if text.startswith("1>")] == []
    assert down.refusal("1>F") == "wrong_rank"
    up = cruel(piles, build="alternate_up")
    assert up.refusal("1>4") is None
    assert up.refusal("1>3") == "wrong_colour"
    assert up.refusal("2>3") is None
    assert up.refusal("4>1") == "wrong_rank"
    assert cruel("KC").position_moves() == ["1>F"]


def test_a_redeal_that_only_closes_a_gap_is_a_change() -> None:
    game = cruel("KC QC JC TC / / KD QD JD TD")
    assert game.legal_moves() == ["1>F", "3>F", "R"]
    play_all(game, "R")
    score = {"cards_up": 44, "moves": 0, "redeals": 1, "actions": 1, "undos": 0}
    assert game.state()["score"] == score
    assert game.state()["piles"][:3] == split_piles(["KC QC JC TC", "KD QD JD TD", ""])
    assert game.refusal("R") == "no_change"


@pytest.mark.parametrize("when", ["anytime", "if_changes", "when_stuck"])
def test_a_gap_only_redeal_saves_no_stuck_packets(when: str) -> None:
    game = cruel("TC JC QC KC / / TD JD QD KD", redeal_when=when)
    assert game.status == "lost"
    assert game.legal_moves() == []
    assert game.position_moves() == ["R"]
    assert game.refusal("R") == "game_over"


def test_when_stuck_refuses_a_redeal_while_a_foundation_move_is_left() -> None:
    game = cruel("QC KC JC", redeal_when="when_stuck")
    assert game.legal_moves() == ["1>F"]
    assert game.refusal("R") == "not_stuck"


def test_redeal_limit_0_refuses_every_redeal_and_loses_at_the_first_stuck_position() -> None:
    piles = ONE_MOVE_THEN_STUCK
    game = cruel(piles, redeal_limit=0, redeal_when="anytime")
    assert game.refusal("R") == "limit_reached"
    play_all(game, "1>F")
    assert game.status == "lost"
    free = cruel(piles, redeal_when="anytime")
    play_all(free, "1>F")
    assert free.status == "in_progress"
    assert free.legal_moves() == ["R"]


def test_a_used_up_limit_leaves_card_moves() -> None:
    game = cruel(ONE_MOVE_THEN_STUCK, redeal_limit=1, redeal_when="anytime")
    play_all(game, "R")
    assert game.refusal("R") == "limit_reached"
    assert game.status == "in_progress"
    assert game.state()["left"] == 0
    assert game.legal_moves() == ["1>F"]
    play_all(game, "1>F")
    assert game.status == "lost"


def test_undoing_a_redeal_gives_it_back() -> None:
    game = cruel(ONE_MOVE_THEN_STUCK, redeal_limit=3, redeal_when="anytime")
    play_all(game, "R R R")
    assert game.state()["left"] == 0
    play_all(game, "U")
    state = game.state()
    assert state["left"] == 1
    assert state["score"]["undos"] == 1
    assert state["score"]["redeals"] == 2
    assert state["ply"] == 4


def test_limit_reached_comes_before_not_stuck_and_not_stuck_before_no_change() -> None:
    def why(**options: Any) -> str | None:
        return cruel(ONE_MOVE_THEN_STUCK, **options).refusal("R")

    assert why(redeal_limit=0, redeal_when="when_stuck") == "limit_reached"
    assert why(redeal_limit=0, redeal_when="if_changes") == "limit_reached"
    assert why(redeal_when="when_stuck") == "not_stuck"
    assert why(redeal_when="if_changes") == "no_change"
    assert why(redeal_when="anytime") is None


FANS_LIMIT = (
    "7D KH 2C 6D / JD 4H 4D QH / 4S 9D 2S JS / 3C 2D 7S TC / QC 6H QS 5C / 9H 8C 5S KD"
    " / 9S QD 3H KC / 6C 2H TS 8H / JH 8D 4C 6S / 7H JC 9C 3S / 3D KS TH TD / 7C 5H 5D 8S"
)


@pytest.mark.parametrize(("limit", "status"), [(0, "lost"), (1, "lost"), (2, "in_progress")])
def test_fans_look_as_many_redeals_ahead_as_are_left(limit: int, status: str) -> None:
    for when in ("when_stuck", "anytime", "if_changes"):
        game = cruel(FANS_LIMIT, redeal="fans", redeal_limit=limit, redeal_when=when)
        assert game.status == status
        assert game.state()["score"]["cards_up"] == 4
        assert game.state()["score"]["actions"] == 0


BACK_AND_FORTH = (
    "KH 2D 2C 7S 8D / JD TH 9S KC / 4C 3C 6H TC / TS 9H 9D JS / 4D JH QS / 8H 8S 3H 5S"
    " / 6C 2S 5H / 7C 5D KD 3S 4H 5C 6D / QH 8C / 4S QC 7H JC / 7D 6S 3D / QD 9C TD KS"
)


def test_one_card_can_go_back_and_forth_for_ever_under_alternate_up() -> None:
    game = cruel(BACK_AND_FORTH, build="alternate_up", redeal_when="when_stuck")
    assert game.state()["foundations"] == ["AC", "AD", "2H", "AS"]
    for _ in range(3):
        assert game.legal_moves() == ["8>6"]
        play_all(game, "8>6")
        assert game.legal_moves() == ["6>8"]
        play_all(game, "6>8")
    assert game.status == "in_progress"


def test_anytime_allows_a_redeal_that_changes_nothing_and_counts_it() -> None:
    game = Naive(
        "cruel",
        cruel_options("cruel-semicolon"),
        opening("cruel", cruel_options(), "semilla"),
    )
    before = game.state()
    play_all(game, "R R")
    after = game.state()
    assert after["piles"] == before["piles"]
    assert after["ply"] == after["score"]["redeals"] == after["score"]["actions"] == 2


def test_about_one_deal_in_a_hundred_is_lost_at_the_opening() -> None:
    lost = 0
    for number in range(1000):
        start = opening("cruel", cruel_options(), f"s{number}")
        lost += Naive("cruel", cruel_options(), start).status == "lost"
    assert 2 <= lost <= 18


def test_a_game_lost_at_the_opening_has_nothing_to_undo() -> None:
    game = cruel(BLOCKED)
    assert game.status == "lost"
    assert game.state()["score"]["actions"] == 0
    assert game.refusal("U") == "nothing_to_undo"
    assert game.refusal("Q") == "game_over"


def test_undo_takes_a_lost_game_back_into_progress() -> None:
    game = cruel(BLOCKED + " 9D")
    play_all(game, "2>F")
    assert game.status == "lost"
    assert game.refusal("R") == "game_over"
    play_all(game, "U")
    assert game.status == "in_progress"
    assert game.state()["ply"] == 2
    assert game.state()["score"]["moves"] == 0
    assert game.play("U") == "nothing_to_undo"


def test_undo_is_refused_after_a_win_and_after_resigning_and_where_it_is_off() -> None:
    won = cruel("KC")
    play_all(won, "1>F")
    assert won.status == "won"
    for text in ("U", "Q", "R", "1>F", "1>1"):
        assert won.refusal(text) == "game_over"
    resigned = cruel("KC QC")
    play_all(resigned, "Q")
    assert resigned.status == "resigned"
    assert resigned.state()["ply"] == 1
    assert resigned.state()["score"]["actions"] == 0
    assert resigned.refusal("U") == "game_over"
    without = cruel(ONE_MOVE_THEN_STUCK, undo=False)
    assert without.refusal("U") == "undo_not_allowed"
    play_all(without, "1>F")
    assert without.refusal("U") == "undo_not_allowed"


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "1", "1>", ">F", "0>1", "01>2", "1>02", "13>1", "1>13", "1>f", "r", "u", "q"],
        *["1>F ", " 1>F", "1>F\n", "1 > 2", "S>F1", "W1>F1", "RR", "F>1", "1>2>3", "100>1"],
        *["１>2", "1>０"],
    ],
)
def test_other_texts_are_no_moves_of_the_cruel_family(text: str) -> None:
    game = cruel(ONE_MOVE_THEN_STUCK)
    assert game.play(text) == "invalid"
    assert game.state()["ply"] == 0


@pytest.mark.parametrize("variant", CRUEL_VARIANTS)
def test_variants_differ_only_in_their_options(variant: str) -> None:
    options = CRUEL_VARIANTS[variant]
    game = Naive("cruel", options, opening("cruel", options, "semilla"))
    assert game.status == "in_progress"
    assert game.state()["left"] == options["redeal_limit"]
    assert game.legal_moves() == game.position_moves()


# ---- Calculation ----


def calculation(stock: str, wastes: str, foundations: str) -> Naive:
    """Start in the middle of a game; wastes are written `2C 5C / / 6C / `."""
    start = {
        "stock": stock.split(),
        "wastes": [waste.split() for waste in wastes.split("/")],
        "foundations": foundations.split(),
    }
    return Naive("calculation", CALCULATION, start)


def test_sequences_follow_from_arithmetic() -> None:
    for number, sequence in enumerate(SEQUENCES, start=1):
        ranks = ["A23456789TJQK".index(rank) + 1 for rank in sequence]
        assert ranks[0] == number
        for low, high in itertools.pairwise(ranks):
            assert high == ((low + number) % 13 or 13)
        assert sequence[-1] == "K"


def test_foundation_2_at_a_queen_takes_an_ace_and_foundation_1_does_not() -> None:
    game = calculation("AS KS", "///", "QH QD 3H 4S")
    assert game.refusal("S>F2") is None
    assert game.refusal("S>F1") == "wrong_rank"
    play_all(game, "S>F2 S>F1")
    assert game.state()["foundations"] == ["KS", "AS", "3H", "4S"]


def test_a_waste_card_may_go_up_while_a_card_is_turned_and_the_turned_card_stays() -> None:
    game = calculation("9C TC", "4C///", "AC 2D 3H 4S")
    play_all(game, "W1>F2")
    state = game.state()
    assert state["card"] == "9C"
    assert state["stock_count"] == 1
    assert state["foundations"] == ["AC", "4C", "3H", "4S"]


def test_calculation_opens_with_one_card_turned_and_47_unturned() -> None:
    start = opening("calculation", CALCULATION, "semilla")
    state = Naive("calculation", CALCULATION, start).state()
    assert (state["card"], state["stock_count"]) == ("JS", 47)
    assert state["score"]["cards_up"] == 4
    assert state["left"] is None


def test_calculation_never_moves_waste_to_waste_or_back_from_a_foundation() -> None:
    game = calculation("9C", "5C/6C//", "KC 2D 3H 4S")
    assert game.refusal("W1>W2") == "waste_to_waste"
    assert game.refusal("W3>W3") == "waste_to_waste"
    assert game.refusal("F1>W1") == "from_foundation"
    assert game.refusal("W3>F2") == "empty_source"
    assert game.refusal("W1>F1") == "foundation_complete"
    assert game.refusal("W1>F2") == "wrong_rank"
    assert game.refusal("U") == "undo_not_allowed"
    for text in ("R", "1>2", "S>F5", "S>W0", "W5>F1", "F1>F2", "S>S", "s>F1", "S>F", "S>F1\n"):
        assert game.refusal(text) == "invalid"


def test_calculation_is_lost_when_no_card_is_left_to_turn_and_no_waste_top_fits() -> None:
    game = calculation("9C", "5C/7C//", "AC 2D 3H 4S")
    assert game.legal_moves() == ["S>W1", "S>W2", "S>W3", "S>W4"]
    play_all(game, "S>W1")
    assert game.status == "lost"
    assert game.state()["card"] is None
    assert game.state()["stock_count"] == 0
    assert game.legal_moves() == []
    assert game.refusal("S>W1") == "game_over"
    assert game.refusal("W1>W2") == "game_over"
    assert game.refusal("U") == "undo_not_allowed"


def test_calculation_goes_on_after_the_last_card_while_a_waste_top_fits() -> None:
    game = calculation("9C", "8C 5C/4C//", "AC 2D 3H 4S")
    play_all(game, "S>W1")
    assert game.legal_moves() == ["W2>F2"]
    play_all(game, "W2>F2")
    assert game.status == "lost"


def test_a_turned_card_that_is_not_there_cannot_be_placed() -> None:
    game = calculation("", "4C///", "AC 2D 3H 4S")
    assert game.refusal("S>F1") == "no_turned_card"
    assert game.refusal("S>W1") == "no_turned_card"
    assert game.legal_moves() == ["W1>F2"]
