"""A game in play: every reason to refuse a move, counting, undo, resigning and the end."""

from dataclasses import replace

import pytest

from service.rules import VARIANTS
from service.rules.errors import IllegalMove, InvalidMove
from service.rules.family import REASONS, RULES_VERSION, Refusal, Score, Status
from service.rules.game import Failure, Game, check_moves, play_all
from tests.rules.tables import calculation, cruel, opened, play, reason

# A card can go up, and then no card can move; as it lies, a redeal changes nothing.
ONE_MOVE_THEN_STUCK = "JC QC KC 9C / TC JD QD KD"
LOST = "TC JC QC KC"

BUILD_UP = "piles build up in alternate colours"
ALTERNATE = {"build": "alternate_up"}
KINGS = {"foundations": "QC JD KH KS"}

# reason: (game, move, detail), at least one for each.
REFUSALS = {
    "same_pile": [
        (cruel("KC / KD"), "1>1", "1>1: a card moves to another pile, not to its own"),
        (cruel("KC / KD"), "12>12", "12>12: a card moves to another pile, not to its own"),
    ],
    "empty_source": [
        (cruel("KC / KD"), "3>1", "3>1: pile 3 is empty"),
        (cruel("KC / KD"), "12>F", "12>F: pile 12 is empty"),
        (cruel("KC / KD"), "11>12", "11>12: pile 11 is empty"),
        (calculation("KC KD", **KINGS), "W2>F1", "W2>F1: waste 2 is empty"),
    ],
    "empty_target": [
        (
            cruel("KC / KD"),
            "1>3",
            "1>3: KC does not go onto pile 3: it is empty, and only a redeal puts cards there",
        ),
    ],
    "wrong_suit": [
        (
            cruel("8C 9C TC JC QC KC / TS JS QS KS 9S / KH"),
            "1>2",
            "1>2: KC does not go onto 9S: piles build down in suit, it goes to its foundation only",
        ),
        (
            cruel("9C TC JC QC KC 8C / TS JS QS KS 9S"),
            "1>2",
            "1>2: 8C does not go onto 9S: piles build down in suit, it goes onto 9C",
        ),
    ],
    "wrong_colour": [
        (
            cruel("KC / QS KS / QD KD", **ALTERNATE),
            "1>2",
            f"1>2: KC does not go onto KS: {BUILD_UP}, it goes onto QD or QH",
        ),
    ],
    "wrong_rank": [
        (
            cruel("QC KC / JC"),
            "1>F",
            "1>F: KC does not go onto TC: its foundation takes JC",
        ),
        (
            cruel("9C JC QC KC 8C / TC"),
            "1>2",
            "1>2: 8C does not go onto TC: piles build down in suit, it goes onto 9C",
        ),
        (
            cruel("KC / QD KD", **ALTERNATE),
            "1>2",
            f"1>2: KC does not go onto KD: {BUILD_UP}, it goes onto QD or QH",
        ),
        (
            opened("calculation"),
            "S>F4",
            "S>F4: JS does not go onto 4S: foundation 4 counts by 4, and takes any 8",
        ),
        (
            play(opened("calculation"), "S>W1"),
            "W1>F1",
            "W1>F1: JS does not go onto AC: foundation 1 counts by 1, and takes any 2",
        ),
    ],
    "foundation_complete": [
        (
            calculation("KC KD", **KINGS),
            "S>F3",
            "S>F3: foundation 3 is complete at KH",
        ),
    ],
    "waste_to_waste": [
        (
            calculation("KC", "KD / - / - / -", **KINGS),
            "W1>W2",
            "W1>W2: KD on a waste goes to a foundation only, never to a waste",
        ),
        (
            calculation("KC", "KD / - / - / -", **KINGS),
            "W4>W4",
            "W4>W4: a card on a waste goes to a foundation only, never to a waste",
        ),
    ],
    "from_foundation": [
        (
            calculation("KC KD", **KINGS),
            "F1>W1",
            "F1>W1: QC stays where it is: no card comes back from a foundation",
        ),
    ],
    "no_turned_card": [
        (
            calculation("", "KC KD / - / - / -", **KINGS),
            "S>F1",
            "S>F1: the stock is used up, no card is turned",
        ),
        (
            calculation("", "KC KD / - / - / -", **KINGS),
            "S>W1",
            "S>W1: the stock is used up, no card is turned",
        ),
    ],
    "no_change": [
        (cruel("KC"), "R", "R: a redeal would give the same layout again"),
    ],
    "not_stuck": [
        (
            cruel("KC / KD", redeal_when="when_stuck"),
            "R",
            "R: a redeal is allowed only when no card can move, and 1>F can be played",
        ),
    ],
    "limit_reached": [
        (
            cruel("KC / KD", redeal_limit=0),
            "R",
            "R: no redeal is left, the limit of this game is 0",
        ),
        (
            play(cruel("KC / KD", redeal_limit=1), "R"),
            "R",
            "R: no redeal is left, the limit of this game is 1",
        ),
    ],
    "game_over": [
        (cruel(LOST), "R", "R: the game is over (lost)"),
        (cruel(LOST), "1>F", "1>F: the game is over (lost)"),
        (cruel(LOST), "1>1", "1>1: the game is over (lost)"),
        (cruel(LOST), "Q", "Q: the game is over (lost)"),
        (play(cruel("KC"), "1>F"), "U", "U: the game is over (won)"),
        (play(cruel("KC"), "1>F"), "Q", "Q: the game is over (won)"),
        (play(cruel("KC"), "Q"), "U", "U: the game is over (resigned)"),
        (play(cruel("KC"), "Q"), "1>F", "1>F: the game is over (resigned)"),
        (play(opened("calculation"), "Q"), "S>W1", "S>W1: the game is over (resigned)"),
        (play(opened("calculation"), "Q"), "W1>W2", "W1>W2: the game is over (resigned)"),
        (
            replace(cruel("KC"), status=Status.TIMED_OUT),
            "1>F",
            "1>F: the game is over (timed out)",
        ),
    ],
    "nothing_to_undo": [
        (cruel("KC"), "U", "U: no action stands, the game is at its opening"),
        (cruel(LOST), "U", "U: no action stands, the game is at its opening"),
        (
            play(cruel("KC / KD"), "1>F U"),
            "U",
            "U: no action stands, the game is at its opening",
        ),
    ],
    "undo_not_allowed": [
        (cruel("KC", undo=False), "U", "U: this game is played without undo"),
        (cruel(LOST, undo=False), "U", "U: this game is played without undo"),
        (
            play(cruel("KC / KD", undo=False), "1>F"),
            "U",
            "U: this game is played without undo",
        ),
        (play(opened("calculation"), "S>W1"), "U", "U: this game is played without undo"),
        (
            calculation("", "QC KC / - / - / -", "JC KD KH KS"),
            "U",
            "U: this game is played without undo",
        ),
    ],
}

NOTATION = {
    "cruel": "write 7>3, 7>F, R, U or Q, piles 1 to 12, in capital letters",
    "calculation": "write S>F2, S>W3, W3>F2 or Q, numbers 1 to 4, in capital letters",
}


def test_the_reasons_are_these_and_their_order_is_that_of_the_contract():
    assert REASONS == (
        "same_pile",
        "empty_source",
        "empty_target",
        "wrong_suit",
        "wrong_colour",
        "wrong_rank",
        "foundation_complete",
        "waste_to_waste",
        "from_foundation",
        "no_turned_card",
        "no_change",
        "not_stuck",
        "limit_reached",
        "game_over",
        "nothing_to_undo",
        "undo_not_allowed",
    )


def test_every_reason_is_tried_here():
    assert tuple(REFUSALS) == REASONS
    assert all(REFUSALS.values())


@pytest.mark.parametrize(
    ("word", "game", "move", "detail"),
    [(word, *case) for word, cases in REFUSALS.items() for case in cases],
    ids=[f"{word}-{case[1]}" for word, cases in REFUSALS.items() for case in cases],
)
def test_a_refusal_has_a_reason_and_a_sentence_that_names_the_rule_and_the_cards(
    word, game, move, detail
):
    check_moves(game.rules, [move])
    assert game.refusal(move) == Refusal(word, detail)
    assert move not in game.legal_moves()
    with pytest.raises(IllegalMove) as caught:
        game.play(move)
    assert (caught.value.move, caught.value.reason, caught.value.detail) == (move, word, detail)
    assert str(caught.value) == f"{move}: {detail}"
    assert play_all(game, [move]) == (game, Failure(0, move, word, detail))


def test_the_end_of_a_game_comes_before_every_other_reason():
    lost = cruel("TC JC QC KC / TD JD QD KD", redeal_limit=0)
    for move in lost.rules.move_texts:
        assert reason(lost, move) == "game_over"
    assert lost.rules.refusal(lost.position, "1>1").reason == "same_pile"


def test_whether_undo_is_allowed_comes_before_whether_there_is_anything_to_undo():
    assert reason(cruel("KC", undo=False), "U") == "undo_not_allowed"
    assert reason(cruel("KC", undo=True), "U") == "nothing_to_undo"


def test_the_statuses_and_the_version_are_those_that_are_stored():
    words = ["in_progress", "won", "lost", "resigned", "timed_out"]
    assert [str(status) for status in Status] == words
    assert RULES_VERSION == 1


# ---- counting ----


def test_a_game_starts_with_nothing_counted():
    game = opened("cruel")
    assert game.status is Status.IN_PROGRESS
    assert (game.ply, game.moves, game.undos) == (0, 0, 0)
    assert game.score == Score(cards_up=4, moves=0, redeals=0, undos=0)
    assert game.score.actions == 0


def test_moves_redeals_and_undos_are_counted_apart_and_actions_are_moves_and_redeals():
    game = play(cruel("KC QC JC TC / - / KD QD JD TD"), "R 1>F U 2>F 1>F")
    assert game.ply == 5
    assert game.score == Score(cards_up=46, moves=2, redeals=1, undos=1)
    assert game.score.actions == 3


def test_playing_leaves_the_game_before_it_as_it_was():
    game = cruel("KC QC JC TC / - / KD QD JD TD")
    before = (game.position, game.status, game.ply, game.score, game.legal_moves())
    play(game, "1>F U R 1>F Q")
    assert (game.position, game.status, game.ply, game.score, game.legal_moves()) == before


def test_a_game_and_its_rules_cannot_be_changed():
    game = cruel("KC")
    with pytest.raises(AttributeError):
        game.ply = 5
    with pytest.raises(AttributeError):
        game.rules.redeal_limit = 5


def test_equal_games_are_equal_however_they_came_about():
    game = cruel("KC QC / KD")
    assert play(game, "1>F") == play(game, "1>F")
    assert play(game, "1>F") != play(game, "2>F")
    assert "before" not in repr(play(game, "1>F"))


# ---- undo ----


def test_undo_takes_back_the_latest_action_that_stands():
    opening = cruel("KC QC JC / KD QD / KH")
    one = play(opening, "1>F")
    two = play(one, "2>F")
    back = play(two, "U")
    assert (back.position, back.moves, back.ply, back.undos) == (one.position, 1, 3, 1)
    again = play(back, "U")
    assert (again.position, again.moves, again.ply, again.undos) == (opening.position, 0, 4, 2)
    assert reason(again, "U") == "nothing_to_undo"
    other = play(again, "3>F U")
    assert (other.position, other.ply, other.undos) == (opening.position, 6, 3)


def test_undo_of_a_redeal_restores_piles_redeals_and_the_redeals_left():
    opening = cruel("KC QC JC TC / - / KD QD JD TD", redeal_limit=3)
    redealt = play(opening, "R")
    assert (redealt.score.redeals, redealt.preview_redeal().left) == (1, 2)
    back = play(redealt, "U")
    assert back.position == opening.position
    assert (back.score.redeals, back.preview_redeal().left) == (0, 3)
    assert back.score == Score(44, 0, 0, 1)


def test_undo_puts_a_lost_game_in_progress_again():
    game = play(cruel("TC JC QC KC / TD JD QD KD 9D"), "2>F")
    assert game.status is Status.LOST
    assert [move for move in ("1>F", "R", "Q", "2>1", "U") if game.refusal(move) is None] == ["U"]
    game = play(game, "U")
    assert game.status is Status.IN_PROGRESS
    assert game.legal_moves() == ["2>F", "R"]
    assert game.score == Score(43, 0, 0, 1)


def test_a_game_that_was_resumed_says_so_when_asked_to_undo():
    played = play(cruel("KC / KD"), "1>F")
    resumed = Game(played.rules, True, played.position, played.status, 1, 1, 0)  # noqa: FBT003
    assert resumed == played
    assert resumed.refusal("U") is None
    with pytest.raises(LookupError, match="a resumed game cannot undo"):
        resumed.play("U")
    assert play(resumed, "2>F").status is Status.WON


def test_a_long_history_can_be_played_and_taken_back():
    game = opened("cruel-semicolon")
    for _ in range(5000):
        game = game.advance("R")
    assert (game.ply, game.score.redeals) == (5000, 5000)
    for _ in range(5000):
        game = game.advance("U")
    assert (game.ply, game.score) == (10_000, (4, 0, 0, 5000))
    assert game.position == opened("cruel-semicolon").position
    assert reason(game, "U") == "nothing_to_undo"


# ---- the end ----


def test_a_resigned_game_keeps_its_position_and_its_score_and_accepts_nothing():
    game = play(cruel("KC QC JC TC / KD"), "2>F")
    resigned = play(game, "Q")
    assert resigned.status is Status.RESIGNED
    assert resigned.position == game.position
    assert resigned.score == game.score
    assert resigned.ply == 2
    assert resigned.legal_moves() == []
    for move in (*resigned.rules.move_texts, "U", "Q"):
        assert reason(resigned, move) == "game_over"


@pytest.mark.parametrize("variant", VARIANTS)
def test_resigning_is_possible_at_the_opening(variant):
    game = play(opened(variant), "Q")
    assert (game.status, game.ply, game.score.actions) == ("resigned", 1, 0)


def test_a_won_game_accepts_nothing():
    game = play(cruel("KC / KD"), "1>F 2>F")
    assert game.status is Status.WON
    for move in (*game.rules.move_texts, "U", "Q"):
        assert reason(game, move) == "game_over"


# ---- redeal preview ----


def test_a_preview_tells_what_a_redeal_would_give_and_what_is_used_and_left():
    game = play(cruel("KC QC JC TC / - / KD QD JD TD", redeal_limit=3), "R U R 1>F")
    preview = game.preview_redeal()
    assert preview.refusal is None
    assert preview.changes_layout is True
    assert (preview.used, preview.left) == (1, 2)
    assert [len(pile) for pile in preview.piles] == [4, 3, *[0] * 10]


def test_a_preview_of_an_ended_game_refuses_and_still_shows_the_piles():
    game = play(cruel("KC QC JC TC / - / KD QD JD TD"), "Q")
    preview = game.preview_redeal()
    assert preview.refusal == ("game_over", "R: the game is over (resigned)")
    assert preview.changes_layout is True
    assert [len(pile) for pile in preview.piles] == [4, 4, *[0] * 10]
    assert (preview.used, preview.left) == (0, None)


def test_calculation_has_no_redeal_to_preview():
    assert opened("calculation").preview_redeal() is None
    assert play(opened("calculation"), "Q").preview_redeal() is None


# ---- sequences ----


def test_moves_are_played_until_one_is_refused():
    opening = cruel("KC / KD")
    game, failure = play_all(opening, ["1>F", "1>F", "2>F"])
    assert game == play(opening, "1>F")
    assert failure == Failure(1, "1>F", "empty_source", "1>F: pile 1 is empty")
    game, failure = play_all(opening, ["1>F", "2>F"])
    assert (game.status, failure) == ("won", None)
    assert play_all(opening, []) == (opening, None)


def test_moves_after_the_end_are_refused():
    game, failure = play_all(cruel("KC"), ["1>F", "Q"])
    assert game.status is Status.WON
    assert failure == Failure(1, "Q", "game_over", "Q: the game is over (won)")


@pytest.mark.parametrize(
    ("variant", "moves", "index", "shown"),
    [
        ("cruel", ["1>F", "13>F"], 1, "'13>F'"),
        ("cruel", ["0>1"], 0, "'0>1'"),
        ("cruel", ["S>F1"], 0, "'S>F1'"),
        ("cruel", ["R", "U", "Q", ""], 3, "''"),
        ("calculation", ["R"], 0, "'R'"),
        ("calculation", ["S>F1", "1>2"], 1, "'1>2'"),
        ("calculation", ["W5>F1"], 0, "'W5>F1'"),
        ("calculation", ["x" * 100], 0, f"'{'x' * 20}'"),
    ],
)
def test_a_text_that_is_no_move_is_refused_at_its_index(variant, moves, index, shown):
    rules = VARIANTS[variant]
    with pytest.raises(InvalidMove) as caught:
        check_moves(rules, moves)
    assert caught.value.place == f"/{index}"
    family = "calculation" if variant == "calculation" else "cruel"
    assert caught.value.detail == f"{shown} is no move here: {NOTATION[family]}"


def test_well_formed_moves_pass_whether_they_are_allowed_or_not():
    texts = ["7>7", "1>12", "12>F", "R", "U", "Q"]
    assert check_moves(VARIANTS["cruel"], texts) is None
    texts = ["S>F1", "S>W4", "W1>F4", "W1>W2", "W3>W3", "F4>W1", "U", "Q"]
    assert check_moves(VARIANTS["calculation"], texts) is None
