"""The Cruel family: options, deals, moves, redeals, and when a game is lost.

The cases are those of the rules' checks and of their table of edge cases.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.rules.cards import card_texts, format_cards, parse_cards
from service.rules.cruel import CHOICES, Cruel
from service.rules.cruel_redeals import redeal_piles
from service.rules.errors import InvalidOptions
from service.rules.family import Status
from tests.naive import engine as naive
from tests.rules.strategies import cruel_options, json_values
from tests.rules.tables import (
    cruel,
    cruel_rules,
    opened,
    piles_of,
    play,
    reason,
    split,
    unless_invalid,
)

REDEALS = ["packets", "fans", "packets_from_top"]
WHENS = ["anytime", "if_changes", "when_stuck"]

# A card can go up, and then no card can move; as it lies, a redeal changes nothing.
ONE_MOVE_THEN_STUCK = "JC QC KC 9C / TC JD QD KD"
# No card can ever move.
BLOCKED = "TC JC QC KC / TD JD QD KD"
# Lost, but for a gap that a redeal would close.
BLOCKED_WITH_A_GAP = "TC JC QC KC / - / TD JD QD KD"
# Cards can move, and a redeal would only close the gap.
GAP = "KC QC JC TC / - / KD QD JD TD"


def laid(redeal, piles):
    """Redeal some piles: the text of each pile that results, but for the empty ones."""
    laid = tuple(parse_cards(" ".join(pile) or "-") for pile in split(piles))
    dealt = redeal_piles(redeal, laid)
    assert len(dealt) == 12
    return [format_cards(pile) for pile in dealt if pile]


# ---- options ----


def test_the_default_options_are_those_of_the_variant_cruel():
    assert Cruel().options() == {
        "deal": "by_pile",
        "build": "suit_down",
        "redeal": "packets",
        "redeal_when": "if_changes",
        "redeal_limit": None,
    }
    assert VARIANTS["cruel"] == Cruel()


def test_the_choices_of_each_option_are_these():
    assert CHOICES == {
        "deal": ("by_pile", "by_round"),
        "build": ("suit_down", "alternate_up"),
        "redeal": ("packets", "fans", "packets_from_top"),
        "redeal_when": ("anytime", "if_changes", "when_stuck"),
    }


@pytest.mark.parametrize("name", CHOICES)
def test_each_option_takes_each_of_its_choices_and_leaves_the_others_alone(name):
    for choice in CHOICES[name]:
        configured = VARIANTS["limited-cruel"].configured({name: choice}, None)
        assert configured.options() == {**VARIANTS["limited-cruel"].options(), name: choice}


@pytest.mark.parametrize("limit", [None, 0, 1, 5, 99])
def test_a_redeal_limit_is_none_or_0_to_99(limit):
    configured = VARIANTS["limited-cruel"].configured({"redeal_limit": limit}, None)
    assert configured.options() == {**VARIANTS["limited-cruel"].options(), "redeal_limit": limit}


@pytest.mark.parametrize("limit", [-1, 100, 10**30, 3.0, "3", True, False, [3], {}, "none"])
def test_any_other_redeal_limit_is_refused(limit):
    with pytest.raises(InvalidOptions) as caught:
        Cruel().configured({"redeal_limit": limit})
    assert caught.value.place == "/redeal_limit"
    assert caught.value.detail == "redeal_limit is null or a whole number from 0 to 99"


@pytest.mark.parametrize(
    "value", ["", "by pile", "BY_PILE", "by_pile ", None, 1, True, ["by_pile"]]
)
def test_any_other_choice_is_refused(value):
    with pytest.raises(InvalidOptions) as caught:
        Cruel().configured({"deal": value})
    assert caught.value.place == "/deal"
    assert caught.value.detail == "deal is one of by_pile, by_round"


@pytest.mark.parametrize(
    ("name", "place"), [("bases", "/bases"), ("", "/"), ("undo", "/undo"), ("a/b~c", "/a~1b~0c")]
)
def test_an_option_of_another_name_is_refused_at_its_place(name, place):
    with pytest.raises(InvalidOptions) as caught:
        Cruel().configured({"deal": "by_round", name: 1})
    assert caught.value.place == place
    assert caught.value.detail == (
        f"{name!r} is no option: there are deal, build, redeal, redeal_when, redeal_limit"
    )


@given(
    st.dictionaries(
        st.sampled_from([*CHOICES, "redeal_limit"]) | st.text(), json_values, max_size=3
    )
)
def test_any_other_options_are_refused_as_invalid(changes):
    rules = unless_invalid(Cruel().configured, changes)
    assert rules is None or rules.options() == {**Cruel().options(), **changes}


@given(cruel_options)
def test_every_set_of_options_is_given_back(options):
    assert Cruel().configured(options).options() == options
    assert VARIANTS["cruel-pysol"].configured(options, None) == Cruel(**options)


def test_no_option_follows_from_the_seed():
    assert Cruel().configured({}, "pysol-1") == Cruel()


# ---- deals ----


def test_by_pile_completes_a_pile_before_the_next_begins():
    shown = opened("cruel").rules.face_up(opened("cruel").position)
    assert shown["piles"][:2] == [["JS", "KD", "7H", "4D"], ["JH", "3H", "2H", "KC"]]
    assert shown["foundations"] == ["AC", "AD", "AH", "AS"]


def test_by_round_deals_one_card_at_a_time_to_twelve_piles():
    by_pile = opened("cruel", deal="by_pile")
    order = [card for pile in by_pile.rules.face_up(by_pile.position)["piles"] for card in pile]
    by_round = opened("cruel", deal="by_round")
    piles = by_round.rules.face_up(by_round.position)["piles"]
    assert [pile[0] for pile in piles] == order[:12]
    assert [pile[3] for pile in piles] == order[36:]
    assert piles[0] == ["JS", order[12], order[24], order[36]]


@pytest.mark.parametrize("deal", ["by_pile", "by_round"])
def test_an_opening_has_twelve_piles_of_four_and_the_aces_up(deal):
    game = opened("cruel", deal=deal)
    assert [len(pile) for pile in game.position.piles] == [4] * 12
    assert game.score == (4, 0, 0, 0)


# ---- card moves ----


def test_a_card_goes_onto_the_next_higher_of_its_own_suit_and_never_of_another():
    game = cruel("KC QC JC TC 8C / 9C / KS QS JS TS 9S / 7C")
    assert game.legal_moves() == ["1>2", "3>F", "4>1", "4>F", "R"]
    assert reason(game, "1>2") is None
    assert game.refusal("1>3") == (
        "wrong_suit",
        "1>3: 8C does not go onto 9S: piles build down in suit, it goes onto 9C",
    )
    assert game.refusal("4>2") == (
        "wrong_rank",
        "4>2: 7C does not go onto 9C: piles build down in suit, it goes onto 8C",
    )
    assert reason(game, "2>1") == "wrong_rank"
    assert piles_of(play(game, "1>2")) == ["KC QC JC TC", "9C 8C", "KS QS JS TS 9S", "7C"]


def test_under_alternate_up_a_card_goes_onto_the_next_lower_of_the_other_colour():
    game = cruel("QC KC / KD / QS / QD / KS", build="alternate_up")
    assert game.legal_moves() == ["1>4", "2>3", "3>F", "4>F", "5>4", "R"]
    assert game.refusal("1>3") == (
        "wrong_colour",
        "1>3: KC does not go onto QS: piles build up in alternate colours, it goes onto QD or QH",
    )
    assert game.refusal("4>5") == (
        "wrong_rank",
        "4>5: QD does not go onto KS: piles build up in alternate colours, it goes onto JC or JS",
    )
    assert piles_of(play(game, "1>4")) == ["QC", "KD", "QS", "QD KC", "KS"]


def test_a_king_goes_to_its_foundation_only_where_piles_build_down():
    game = cruel("QC KC / KD / QS / QD / KS")
    assert [move for move in game.legal_moves() if move.startswith("1>")] == []
    rule = "piles build down in suit, it goes to its foundation only"
    for move, onto in (("1>2", "KD"), ("1>3", "QS"), ("1>4", "QD"), ("1>5", "KS")):
        detail = f"{move}: KC does not go onto {onto}: {rule}"
        assert game.refusal(move) == ("wrong_suit", detail)
    assert cruel("KC").legal_moves() == ["1>F"]


def test_a_two_goes_to_its_foundation_only_where_piles_build_up():
    # Aces lie in no pile.
    lowest = "KC QC JC TC 9C 8C 7C 6C 5C 4C 2C / 3C / 3D KD QD JD TD 9D 8D 7D 6D 5D 4D"
    game = cruel(lowest, build="alternate_up")
    rule = "piles build up in alternate colours, it goes to its foundation only"
    assert game.refusal("1>3") == ("wrong_rank", f"1>3: 2C does not go onto 4D: {rule}")


def test_a_foundation_takes_the_next_rank_of_its_suit():
    game = cruel("KC QC / KD")
    assert game.legal_moves() == ["1>F", "2>F", "R"]
    game = play(game, "1>F")
    assert game.rules.face_up(game.position)["foundations"] == ["QC", "QD", "KH", "KS"]
    assert reason(game, "1>F") is None
    assert cruel("QC KC / KD").refusal("1>F") == (
        "wrong_rank",
        "1>F: KC does not go onto JC: its foundation takes QC",
    )


def test_a_pile_may_grow_without_limit():
    game = play(cruel("KD QD JD TD 9D / 7D 8D"), "2>1 2>1")
    assert piles_of(game) == ["KD QD JD TD 9D 8D 7D"]


def test_an_emptied_pile_takes_and_gives_no_card():
    game = play(cruel("2C / KC QC JC TC / 9C 8C 7C 6C / 5C 4C 3C"), "1>F")
    assert game.refusal("2>1") == (
        "empty_target",
        "2>1: TC does not go onto pile 1: it is empty, and only a redeal puts cards there",
    )
    assert game.refusal("1>2") == ("empty_source", "1>2: pile 1 is empty")
    assert game.refusal("1>F") == ("empty_source", "1>F: pile 1 is empty")
    assert game.refusal("12>1") == ("empty_source", "12>1: pile 12 is empty")


def test_a_card_moves_to_another_pile_whatever_lies_there():
    game = cruel("KC QC")
    detail = "a card moves to another pile, not to its own"
    assert game.refusal("1>1") == ("same_pile", f"1>1: {detail}")
    assert game.refusal("7>7") == ("same_pile", f"7>7: {detail}")


def test_a_card_may_go_back_and_forth_for_ever_under_alternate_up():
    game = cruel(
        "KH 2D 2C 7S 8D / JD TH 9S KC / 4C 3C 6H TC / TS 9H 9D JS / 4D JH QS / 8H 8S 3H 5S / "
        "6C 2S 5H / 7C 5D KD 3S 4H 5C 6D / QH 8C / 4S QC 7H JC / 7D 6S 3D / QD 9C TD KS",
        build="alternate_up",
        redeal_when="when_stuck",
    )
    assert game.rules.face_up(game.position)["foundations"] == ["AC", "AD", "2H", "AS"]
    for _ in range(10):
        assert game.status == "in_progress"
        assert game.legal_moves() == ["8>6"]
        game = game.play("8>6")
        assert game.legal_moves() == ["6>8"]
        game = game.play("6>8")
    assert game.score.moves == 20


# ---- redeals ----


@pytest.mark.parametrize(
    ("redeal", "after"),
    [
        ("packets", ["5C 9H 2D KD", "3S 8C 5D 4D"]),
        ("fans", ["5C 2D 3S 5D", "9H KD 8C 4D"]),
        ("packets_from_top", ["4D 5C 9H 2D", "KD 3S 8C 5D"]),
    ],
)
def test_two_neighbouring_piles_after_4d_went_onto_5d(redeal, after):
    assert laid(redeal, "5C 9H 2D / KD 3S 8C 5D 4D") == after


def test_packets_leaves_the_other_piles_as_they_were():
    before = opened("cruel").rules.face_up(opened("cruel").position)["piles"]
    before[3] += [before[2].pop()]
    text = " / ".join(" ".join(pile) for pile in before)
    after = laid("packets", text)
    assert [pile.split() for pile in after[:2]] == before[:2]
    assert after[2].split() == [*before[2], before[3][0]]
    assert [pile.split() for pile in after[4:]] == before[4:]


@pytest.mark.parametrize(
    ("redeal", "after"),
    [
        ("packets", ["2C 5C 6C KD", "QH JD TH 9D"]),
        ("fans", ["2C 6C QH TH", "5C KD JD 9D"]),
        ("packets_from_top", ["9D 2C 5C 6C", "KD QH JD TH"]),
    ],
)
def test_a_redeal_of_a_short_an_empty_and_a_tall_pile(redeal, after):
    assert laid(redeal, "2C 5C 6C / - / KD QH JD TH 9D") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2C", ["2C"]),
        ("2C / 3C", ["2C 3C"]),
        ("2C / 3C / 4C", ["2C 3C 4C"]),
        ("2C 3C / 4C / 5C", ["2C 3C 4C 5C"]),
        ("2C 3C 4C 5C 6C", ["2C 4C 6C", "3C 5C"]),
        ("2C 3C 4C 5C 6C 7C 8C 9C TC", ["2C 5C 8C", "3C 6C 9C", "4C 7C TC"]),
        (
            "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D",
            ["2C 6C TC 2D", "3C 7C JC", "4C 8C QC", "5C 9C KC"],
        ),
    ],
)
def test_fans_of_few_cards(before, after):
    assert laid("fans", before) == after


@pytest.mark.parametrize("redeal", REDEALS)
def test_a_redeal_of_no_cards_gives_no_cards(redeal):
    assert laid(redeal, "-") == []


def test_a_last_packet_may_be_short():
    assert laid("packets", "2C 3C 4C 5C 6C") == ["2C 3C 4C 5C", "6C"]
    assert laid("packets_from_top", "2C 3C 4C 5C 6C") == ["3C 4C 5C 6C", "2C"]


def test_packets_from_top_keeps_the_top_four_of_the_first_pile():
    after = laid("packets_from_top", "2C 3C 4C 5C 6C / 2D 3D 4D 5D")
    assert after == ["3C 4C 5C 6C", "3D 4D 5D 2C", "2D"]


@given(
    redeal=st.sampled_from(REDEALS),
    order=st.permutations(range(48)),
    ends=st.lists(st.integers(0, 48), min_size=12, max_size=12).map(sorted),
)
def test_every_redeal_is_that_of_the_naive_engine(redeal, order, ends):
    cards = bytes(order)[: ends[-1]]
    piles = [cards[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    expected = naive.redeal(redeal, [card_texts(pile) for pile in piles])
    assert [card_texts(pile) for pile in redeal_piles(redeal, tuple(piles))] == expected


def test_fan_cycles_run_up_to_630_and_packets_settle_at_once():
    longest = 0
    for count in range(1, 49):
        first = redeal_piles("fans", (bytes(range(count)),))
        layout, length = redeal_piles("fans", first), 1
        while layout != first:
            layout, length = redeal_piles("fans", layout), length + 1
        longest = max(longest, length)
        for redeal in ("packets", "packets_from_top"):
            once = redeal_piles(redeal, (bytes(range(count)),))
            assert redeal_piles(redeal, once) == once
    assert longest == 630


def test_a_redeal_leaves_the_foundations_and_counts():
    game = play(cruel(GAP), "R")
    assert game.rules.face_up(game.position) == {
        "foundations": ["9C", "9D", "KH", "KS"],
        "piles": [["KC", "QC", "JC", "TC"], ["KD", "QD", "JD", "TD"], *[[]] * 10],
    }
    assert game.score == (44, 0, 1, 0)
    assert game.score.actions == 1
    assert game.ply == 1


def test_a_redeal_that_only_closes_a_gap_changes_the_layout():
    game = cruel(GAP, redeal_when="if_changes")
    assert game.legal_moves() == ["1>F", "3>F", "R"]
    preview = game.rules.preview_redeal(game.position)
    assert preview.changes_layout is True
    assert preview.refusal is None
    assert preview.left is None
    assert card_texts(preview.piles[1]) == ["KD", "QD", "JD", "TD"]


def test_if_changes_refuses_a_redeal_that_would_change_nothing():
    game = play(cruel(GAP, redeal_when="if_changes"), "R")
    assert game.refusal("R") == ("no_change", "R: a redeal would give the same layout again")
    preview = game.rules.preview_redeal(game.position)
    assert preview.changes_layout is False
    assert preview.refusal.reason == "no_change"
    assert preview.piles == game.position.piles
    assert game.legal_moves() == ["1>F", "2>F"]


def test_anytime_allows_a_redeal_that_changes_nothing_and_counts_it():
    game = opened("cruel-semicolon")
    after = play(game, "R R")
    assert after.position.piles == game.position.piles
    assert after.score == (4, 0, 2, 0)
    assert after.score.actions == after.ply == 2
    preview = after.rules.preview_redeal(after.position)
    assert (preview.refusal, preview.changes_layout) == (None, False)


def test_when_stuck_refuses_a_redeal_while_only_a_foundation_move_is_left():
    game = cruel("QC KC JC", redeal_when="when_stuck")
    assert game.legal_moves() == ["1>F"]
    assert game.refusal("R") == (
        "not_stuck",
        "R: a redeal is allowed only when no card can move, and 1>F can be played",
    )


def test_when_stuck_allows_a_redeal_once_no_card_can_move():
    game = cruel("TC KC / KD QC JC / KH", redeal_when="when_stuck")
    assert game.legal_moves() == ["3>F"]
    assert reason(game, "R") == "not_stuck"
    game = play(game, "3>F")
    assert game.legal_moves() == ["R"]
    game = play(game, "R")
    assert piles_of(game) == ["TC KC KD QC", "JC"]
    assert game.legal_moves() == ["2>1"]
    assert reason(game, "R") == "not_stuck"


def test_when_stuck_refuses_a_redeal_that_changes_nothing():
    game = cruel(BLOCKED, redeal_when="when_stuck")
    assert game.status == "lost"
    assert game.rules.moves(game.position) == []
    assert game.rules.refusal(game.position, "R").reason == "no_change"


@pytest.mark.parametrize("when", WHENS)
def test_a_redeal_limit_of_0_refuses_every_redeal(when):
    game = cruel(ONE_MOVE_THEN_STUCK, redeal_when=when, redeal_limit=0)
    assert game.refusal("R") == (
        "limit_reached",
        "R: no redeal is left, the limit of this game is 0",
    )
    assert game.legal_moves() == ["1>F"]
    assert game.rules.preview_redeal(game.position).left == 0


def test_a_redeal_limit_of_0_loses_at_the_first_stuck_position():
    game = cruel(ONE_MOVE_THEN_STUCK, redeal_when="anytime", redeal_limit=0)
    assert game.status == "in_progress"
    assert play(game, "1>F").status == "lost"
    free = play(cruel(ONE_MOVE_THEN_STUCK, redeal_when="anytime"), "1>F")
    assert free.status == "in_progress"
    assert free.legal_moves() == ["R"]


def test_a_used_up_limit_leaves_the_card_moves():
    game = play(cruel(ONE_MOVE_THEN_STUCK, redeal_when="anytime", redeal_limit=1), "R")
    assert game.status == "in_progress"
    assert game.legal_moves() == ["1>F"]
    assert reason(game, "R") == "limit_reached"
    assert play(game, "1>F").status == "lost"


def test_undoing_a_redeal_gives_it_back():
    game = play(cruel(ONE_MOVE_THEN_STUCK, redeal_when="anytime", redeal_limit=3), "R R R")
    assert game.rules.preview_redeal(game.position).left == 0
    game = play(game, "U")
    assert game.rules.preview_redeal(game.position).left == 1
    assert game.score == (44, 0, 2, 1)
    assert game.ply == 4


def test_a_redeal_is_refused_for_the_limit_first_then_for_a_move_and_then_for_no_change():
    def why(**options):
        return reason(cruel(ONE_MOVE_THEN_STUCK, **options), "R")

    assert why(redeal_when="when_stuck", redeal_limit=0) == "limit_reached"
    assert why(redeal_when="if_changes", redeal_limit=0) == "limit_reached"
    assert why(redeal_when="when_stuck") == "not_stuck"
    assert why(redeal_when="if_changes") == "no_change"
    assert why(redeal_when="anytime") is None


# ---- lost, won ----


@pytest.mark.parametrize("redeal", REDEALS)
@pytest.mark.parametrize("when", WHENS)
def test_a_deal_without_any_move_is_lost_from_the_outset(redeal, when):
    game = cruel("TC JC QC KC", redeal=redeal, redeal_when=when)
    assert game.status is Status.LOST
    assert game.score == (48, 0, 0, 0)
    assert game.legal_moves() == []


@pytest.mark.parametrize(("variant", "seed"), [("cruel", "s268"), ("cruel-semicolon", "s268")])
def test_a_deal_may_be_lost_at_the_opening(variant, seed):
    game = opened(variant, seed)
    assert game.status is Status.LOST
    assert game.score == (4, 0, 0, 0)
    assert (game.ply, game.score.actions) == (0, 0)
    assert reason(game, "U") == "nothing_to_undo"


def test_about_one_deal_in_a_hundred_is_lost_at_the_opening():
    lost = sum(opened("cruel", f"s{number}").status is Status.LOST for number in range(2000))
    assert 6 <= lost <= 30


@pytest.mark.parametrize("when", WHENS)
def test_a_gap_only_redeal_saves_no_stuck_packets(when):
    game = cruel(BLOCKED_WITH_A_GAP, redeal_when=when)
    assert game.status == "lost"
    assert game.legal_moves() == []
    # The position's moves are another question than the game's.
    assert game.rules.moves(game.position) == ["R"]
    assert reason(game, "R") == "game_over"


FANS = (
    "7D KH 2C 6D / JD 4H 4D QH / 4S 9D 2S JS / 3C 2D 7S TC / QC 6H QS 5C / 9H 8C 5S KD / "
    "9S QD 3H KC / 6C 2H TS 8H / JH 8D 4C 6S / 7H JC 9C 3S / 3D KS TH TD / 7C 5H 5D 8S"
)


@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize(
    ("limit", "status"), [(0, "lost"), (1, "lost"), (2, "in_progress"), (None, "in_progress")]
)
def test_fans_look_as_many_redeals_ahead_as_are_left(when, limit, status):
    game = cruel(FANS, redeal="fans", redeal_when=when, redeal_limit=limit)
    assert game.status == status
    assert game.score == (4, 0, 0, 0)
    assert game.legal_moves() == ([] if status == "lost" else ["R"])


def test_a_redeal_before_a_stuck_position_counts_against_the_limit_of_looking_ahead():
    game = cruel(FANS, redeal="fans", redeal_when="anytime", redeal_limit=2)
    once = play(game, "R")
    assert once.status == "in_progress"
    assert once.legal_moves() == ["R"]
    assert [move for move in play(once, "R").legal_moves() if move != "R"] != []


def test_a_game_is_won_when_the_last_card_is_up():
    game = cruel("KC / KD")
    game = play(game, "2>F")
    assert (game.status, game.score.cards_up) == ("in_progress", 51)
    game = play(game, "1>F")
    assert (game.status, game.score.cards_up) == ("won", 52)
    assert game.legal_moves() == []


def test_an_explicit_position_may_be_won_from_the_outset():
    game = cruel("-")
    assert game.status is Status.WON
    assert game.score == (52, 0, 0, 0)


def test_a_position_is_what_a_player_sees():
    game = cruel("KC / QD KD")
    seen = {
        "foundations": ["QC", "JD", "KH", "KS"],
        "piles": [["KC"], ["QD", "KD"], *[[]] * 10],
    }
    assert game.rules.face_up(game.position) == seen
    assert game.rules.position_json(game.position) == seen


def test_no_card_is_hidden_and_no_move_is_blind():
    rules = cruel_rules()
    position = opened("cruel").position
    assert rules.blind_move(position, (*rules.move_texts, "U", "Q")) is None
    assert rules.family == "cruel"
    assert rules.hides_cards is False
