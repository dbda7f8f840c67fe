"""What must hold for every variant, whatever its rules; and the naive engine beside ours."""

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rules import DEFAULT_VARIANT, VARIANTS, find_variant
from service.rules.errors import IllegalMove, InvalidMove, UnknownVariant
from service.rules.family import REASONS
from service.rules.game import Game, check_moves
from service.rules.record import Record, read_json, to_json
from service.rules.record_text import format_record, parse_record
from tests.naive import deals as naive_deals
from tests.naive.engine import Naive
from tests.rules.strategies import numbers, seeds, starts
from tests.rules.tables import opened

# The table of the rules: deal, build, redeal, redeal_when, redeal_limit.
CRUEL = {
    "cruel": ("by_pile", "suit_down", "packets", "if_changes", None),
    "cruel-semicolon": ("by_pile", "suit_down", "packets", "anytime", None),
    "cruel-strict": ("by_round", "suit_down", "packets", "when_stuck", None),
    "perseverance": ("by_round", "suit_down", "packets", "when_stuck", None),
    "ripple-fan": ("by_round", "suit_down", "fans", "when_stuck", None),
    "royal-family": ("by_round", "alternate_up", "packets", "if_changes", None),
    "limited-cruel": ("by_round", "suit_down", "packets", "when_stuck", 3),
    "cruel-pysol": ("by_round", "suit_down", "packets_from_top", "anytime", None),
}
TABLE = {
    **{
        name: dict(
            zip(("deal", "build", "redeal", "redeal_when", "redeal_limit"), values, strict=True)
        )
        for name, values in CRUEL.items()
    },
    "calculation": {"bases": ["AC", "2D", "3H", "4S"]},
}

# Every move text that there is.
CRUEL_TEXTS = [
    *[f"{source}>{target}" for source in range(1, 13) for target in [*range(1, 13), "F"]],
    *["R", "U", "Q"],
]
CALCULATION_TEXTS = [
    *[f"S>{kind}{to}" for kind in "FW" for to in "1234"],
    *[f"W{of}>{kind}{to}" for kind in "FW" for of in "1234" for to in "1234"],
    *[f"F{of}>W{to}" for of in "1234" for to in "1234"],
    *["U", "Q"],
]
CALCULATION_FORM = re.compile(r"S>[FW][1-4]|W[1-4]>[FW][1-4]|F[1-4]>W[1-4]|U|Q")
CRUEL_FORM = re.compile(r"([1-9][0-9]?)>([1-9][0-9]?|F)|R|U|Q")


def texts_of(variant):
    return CALCULATION_TEXTS if variant == "calculation" else CRUEL_TEXTS


def reason(game, move):
    refusal = game.refusal(move)
    return refusal.reason if refusal else None


# ---- the variants ----


def test_the_variants_are_those_of_the_table_with_its_options():
    assert {name: rules.options() for name, rules in VARIANTS.items()} == TABLE
    assert list(VARIANTS) == list(TABLE)
    assert {name: rules.family for name, rules in VARIANTS.items()} == {
        **dict.fromkeys(CRUEL, "cruel"),
        "calculation": "calculation",
    }


@pytest.mark.parametrize("variant", TABLE)
def test_a_variant_is_found_by_its_name(variant):
    assert find_variant(variant) is VARIANTS[variant]
    assert find_variant(variant).options() == TABLE[variant]


def test_the_default_variant_is_cruel():
    assert DEFAULT_VARIANT == "cruel"


@pytest.mark.parametrize("name", ["", "Cruel", "cruel ", "klondike", "x" * 1000])
def test_another_name_is_no_variant_and_the_detail_lists_those_that_there_are(name):
    with pytest.raises(UnknownVariant) as caught:
        find_variant(name)
    assert caught.value.place == ""
    assert caught.value.detail == (
        f"{name[:40]!r} is no variant: there are cruel, cruel-semicolon, cruel-strict, "
        "perseverance, ripple-fan, royal-family, limited-cruel, cruel-pysol, calculation"
    )


@pytest.mark.parametrize("variant", TABLE)
def test_the_options_of_a_variant_give_its_rules_again(variant):
    rules = VARIANTS[variant]
    assert rules.configured(rules.options(), None) == rules
    assert rules.configured({}, None) == rules
    assert hash(rules.configured({}, None)) == hash(rules)


# ---- move texts ----


@pytest.mark.parametrize("variant", TABLE)
def test_every_move_text_is_well_formed_and_listed(variant):
    texts = texts_of(variant)
    assert sorted([*VARIANTS[variant].move_texts, "U", "Q"]) == sorted(texts)
    assert check_moves(VARIANTS[variant], texts) is None


def is_move(rules, text):
    try:
        check_moves(rules, [text])
    except InvalidMove:
        return False
    return True


@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_every_other_text_of_up_to_five_letters_is_invalid(variant):
    form = CALCULATION_FORM if variant == "calculation" else CRUEL_FORM
    known = set(texts_of(variant))
    letters = "0123>FWSRUQ"
    count = 0
    for length in range(6):
        for combination in itertools.product(letters, repeat=length):
            text = "".join(combination)
            assert (text in known) == is_move(VARIANTS[variant], text), text
            # What is well formed and not known names a pile that there is not.
            match = form.fullmatch(text) if text in known else None
            assert (text not in known) or match, text
            count += text in known
    assert count == sum(set(text) <= set(letters) for text in known)


@given(st.text() | st.from_regex(CRUEL_FORM) | st.from_regex(CALCULATION_FORM))
def test_any_text_is_a_move_only_where_it_is_one_of_the_table(text):
    for variant in ("cruel", "calculation"):
        assert is_move(VARIANTS[variant], text) == (text in texts_of(variant))


# ---- random games ----


def flat(value):
    """List the cards in a JSON value."""
    if isinstance(value, str):
        return [value]
    return [card for part in value for card in flat(part)]


def cards_seen(game):
    """List every card but those beneath the tops of the foundations."""
    return sorted(flat(list(game.rules.position_json(game.position).values())))


def check_position(game):
    """Check what holds in any game: the cards, and that its position can be written and read."""
    rules, position = game.rules, game.position
    seen = cards_seen(game)
    assert len(set(seen)) == len(seen)
    assert len(seen) - 4 + game.score.cards_up == 52
    assert rules.parse_position(rules.format_position(position)) == position
    if not rules.redeals(position):
        assert rules.read_position(rules.position_json(position)) == position
    assert game.score.redeals == rules.redeals(position)
    assert game.score.actions == game.score.moves + game.score.redeals
    shown = rules.face_up(position)
    assert shown.get("stock_count", 0) == len(seen) - len(flat_face_up(shown))


def flat_face_up(shown):
    return [
        card
        for name, value in shown.items()
        if name != "stock_count" and value
        for card in flat(value)
    ]


def check_answers(game, texts):
    """Check that exactly the legal moves are accepted, and undo and resigning where they may be."""
    legal = game.legal_moves()
    assert legal == sorted(set(legal))
    refusals = {text: game.refusal(text) for text in texts}
    accepted = [text for text, refusal in refusals.items() if refusal is None]
    assert sorted(text for text in accepted if text not in ("U", "Q")) == legal
    assert ("Q" in accepted) == (game.status == "in_progress")
    may_undo = game.undo and game.score.actions > 0
    assert ("U" in accepted) == (may_undo and game.status in ("in_progress", "lost"))
    if game.status == "in_progress":
        assert legal == game.rules.moves(game.position)
        assert legal
    else:
        assert legal == []
        others = {text: refusal for text, refusal in refusals.items() if text != "U"}
        assert {refusal.reason for refusal in others.values()} == {"game_over"}
    for text, refusal in refusals.items():
        if refusal:
            assert refusal.reason in REASONS
            assert refusal.detail.startswith(f"{text}: ")


def check_step(before, move, after):
    """Check what one accepted move may change."""
    assert after.ply == before.ply + 1
    assert after.undos == before.undos + (move == "U")
    assert after.undo is before.undo
    seen, still_seen = cards_seen(before), cards_seen(after)
    if move == "Q":
        assert after.position == before.position
        assert after.score == before.score
        assert after.status == "resigned"
    elif move == "R":
        assert still_seen == seen
        assert after.position.foundations == before.position.foundations
        assert after.score == before.score._replace(redeals=before.score.redeals + 1)
    elif move != "U":
        assert after.score.moves == before.score.moves + 1
        assert after.score.redeals == before.score.redeals
        up = ">F" in move
        assert after.score.cards_up == before.score.cards_up + up
        # A card that goes up covers one, which then lies beneath a top.
        covered = [card for card in seen if card not in still_seen]
        assert len(covered) == up
        assert sorted([*still_seen, *covered]) == seen


def choose(game, chance):
    """Choose a move: redeals and undos now and then, also back from a lost position."""
    if reason(game, "U") is None and chance.random() < 0.1:
        return "U"
    legal = game.legal_moves()
    if not legal:
        return None
    up = [move for move in legal if ">F" in move]
    others = [move for move in legal if move != "R"]
    if up and chance.random() < 0.7:
        return chance.choice(up)
    if others and chance.random() < 0.9:
        return chance.choice(others)
    return chance.choice(legal)


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("variant", TABLE)
def test_random_games_keep_to_the_rules_of_all_games(variant, number):
    chance = random.Random(f"{variant}/{number}")
    texts = texts_of(variant)
    game = opened(variant, f"game-{number}")
    opening = game
    standing = [game]
    history = []
    for _ in range(120):
        check_position(game)
        check_answers(game, texts)
        move = choose(game, chance)
        if move is None:
            break
        before, game = game, game.play(move)
        history.append(move)
        check_step(before, move, game)
        if move == "U":
            standing.pop()
            back = standing[-1]
            assert game.position == back.position
            assert game.status == back.status
            assert game.score == back.score._replace(undos=game.undos)
            assert game.preview_redeal() == back.preview_redeal()
        else:
            standing.append(game)
    if game.status == "in_progress":
        before, game = game, game.play("Q")
        history.append("Q")
        check_step(before, "Q", game)
    check_position(game)
    check_answers(game, texts)
    refused = [text for text in texts if game.refusal(text)]
    assert len(refused) >= len(texts) - 1
    for text in refused:
        with pytest.raises(IllegalMove):
            game.play(text)
    record = Record(
        variant, game.rules, f"game-{number}", "deal/1", None, opening.undo, tuple(history)
    )
    for read in (read_json(to_json(record)), parse_record(format_record(record))):
        assert read == record
        assert read.replay() == (game, None)


# ---- beside the naive engine ----

GARBAGE = ["", " ", "r", "u", "13>1", "1>13", "0>1", "01>2", "1>0", "F>1", "1>f", "1>F ", "RR"]
GARBAGE += ["S>F5", "W0>F1", "F1>F2", "S>S", "S", "1>2>3", "W1>1", "１>2"]


def state(game):
    """Describe a game as the naive engine does."""
    preview = game.preview_redeal()
    score = game.score
    return {
        "status": str(game.status),
        "ply": game.ply,
        **game.rules.face_up(game.position),
        "score": {**score._asdict(), "actions": score.actions},
        "left": preview.left if preview else None,
        "legal_moves": game.legal_moves(),
    }


def answer(game, text):
    """Tell why a text is refused as the naive engine does."""
    return reason(game, text) if is_move(game.rules, text) else "invalid"


def pick(game, number):
    """Pick a text to play: mostly a legal move, but anything at times."""
    kind, number = number % 10, number // 10
    texts = list(game.rules.move_texts)
    if kind == 0:
        return texts[number % len(texts)]
    if kind == 1 or (game.status == "lost" and kind < 6):
        return "U"
    if kind == 2:
        return [*GARBAGE, "Q"][number % (len(GARBAGE) + 1)]
    if kind == 3 and "R" in texts:
        return "R"
    legal = game.legal_moves() or texts
    return legal[number % len(legal)]


def play_beside(game, naive, picks):
    """Play the same texts in both engines and compare all that can be seen."""
    assert state(game) == naive.state()
    over = 0
    for number in picks:
        text = pick(game, number)
        if game.status != "in_progress":  # else the legal moves, compared already
            assert game.rules.moves(game.position) == naive.position_moves()
        refused = answer(game, text)
        assert naive.play(text) == refused, text
        if refused is None:
            game = game.play(text)
            assert state(game) == naive.state()
        over += refused == "game_over"
        if over > 5:
            break


def many(number):
    chance = random.Random(number)
    return [chance.randrange(10**6) for _ in range(60)]


picks = numbers.map(many)


@settings(max_examples=150)
@given(start=starts(), undo=st.booleans(), picks=picks)
def test_from_any_position_under_any_options_both_engines_play_the_same(start, undo, picks):
    rules, data = start
    undo = undo and not rules.hides_cards
    game = Game.start(rules, rules.read_position(data), undo=undo)
    naive = Naive(rules.family, rules.options(), data, undo=undo)
    play_beside(game, naive, picks)


@given(start=starts(), seed=seeds, undo=st.booleans(), picks=picks)
def test_from_any_deal_under_any_options_both_engines_play_the_same(start, seed, undo, picks):
    rules, _ = start
    undo = undo and not rules.hides_cards
    algorithm = "pysol" if seed.startswith("pysol-") else "deal/1"
    game = Game.start(rules, rules.opening(algorithm, seed), undo=undo)
    dealt = naive_deals.opening(rules.family, rules.options(), seed)
    naive = Naive(rules.family, rules.options(), dealt, undo=undo)
    play_beside(game, naive, picks)


@given(start=starts(), undo=st.booleans())
def test_at_any_position_both_engines_answer_every_text_in_the_same_way(start, undo):
    rules, data = start
    undo = undo and not rules.hides_cards
    game = Game.start(rules, rules.read_position(data), undo=undo)
    naive = Naive(rules.family, rules.options(), data, undo=undo)
    for text in [*rules.move_texts, "U", "Q", *GARBAGE]:
        assert answer(game, text) == naive.refusal(text), text
    check_position(game)
    check_answers(game, [*rules.move_texts, "U", "Q"])
