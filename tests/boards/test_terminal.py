import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.boards.terminal import WIDTH, draw_board, draw_game, draw_words
from service.rules import VARIANTS
from service.rules.cards import DECK, TEXTS, card_texts, suit_of
from service.rules.cruel_position import CruelPosition
from service.rules.game import Game
from tests.boards.positions import BOARDS, GAMES, dealt

CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")
SEEDS = st.integers(1, 10**6).map(str)


@pytest.mark.parametrize("title", GAMES)
def test_the_board_is_the_golden_one(title):
    assert draw_game(GAMES[title]) == (BOARDS / f"{title}.txt").read_text("ascii")


def test_every_golden_board_is_of_a_game():
    assert {path.stem for path in BOARDS.iterdir()} == set(GAMES)


@st.composite
def played_games(draw):
    variant = draw(st.sampled_from(list(VARIANTS)))
    game = dealt(variant, draw(SEEDS), undo=draw(st.booleans()))
    liked = draw(st.sampled_from([">F", ">W1", ">W2", ">7", ">"]))
    for pick in draw(st.lists(st.integers(0, 99), max_size=80)):
        moves = game.legal_moves()
        moves = [move for move in moves if liked in move] or moves
        if not moves:
            break
        game = game.advance(moves[pick % len(moves)])
    return game


@st.composite
def spread_games(draw):
    """Cruel's cards in any order on any piles, so that some of them get long."""
    tops = bytes(13 * suit + draw(st.integers(0, 12)) for suit in range(4))
    cards = draw(st.permutations([card for card in DECK if card > tops[suit_of(card)]]))
    cuts = draw(st.lists(st.integers(0, len(cards)), min_size=11, max_size=11))
    piles = [bytes(cards[a:b]) for a, b in pairwise([0, *sorted(cuts), len(cards)])]
    position = CruelPosition(tops, tuple(piles), draw(st.integers(0, 9999)))
    rules = VARIANTS[draw(st.sampled_from(["cruel", "ripple-fan", "royal-family"]))]
    return Game.start(rules, position, undo=draw(st.booleans()))


@given(played_games() | spread_games())
@example(dealt("calculation", "1", "S>W1 " * 48))
def test_every_line_is_short_plain_and_ends(game):
    text = draw_game(game)
    assert text.isascii()
    assert text.endswith("\n")
    for line in text.removesuffix("\n").split("\n"):
        assert len(line) <= WIDTH
        assert line == line.rstrip()
        assert line.isprintable()


@given(played_games() | spread_games())
def test_what_lies_face_up_is_drawn_once_and_nothing_else(game):
    position = game.position
    if isinstance(position, CruelPosition):
        seen = position.foundations + b"".join(position.piles)
    else:
        seen = position.foundations + b"".join(position.wastes) + position.stock[:1]
    assert Counter(CARD.findall(draw_game(game))) == Counter(card_texts(seen))


@given(played_games() | spread_games())
def test_just_the_top_cards_stand_in_brackets(game):
    position = game.position
    if isinstance(position, CruelPosition):
        tops = b"".join(pile[-1:] for pile in position.piles)
    else:
        tops = position.stock[:1] + b"".join(waste[-1:] for waste in position.wastes)
    assert sorted(re.findall(r"\[(..)\]", draw_board(game))) == sorted(card_texts(tops))


@given(SEEDS, st.integers(0, 47), st.randoms(use_true_random=False))
def test_the_order_of_the_unturned_stock_changes_nothing(seed, count, chance):
    game = dealt("calculation", seed, "S>W1 S>W2 S>W3 S>W4 " * (count // 4))
    turned, hidden = game.position.stock[:1], list(game.position.stock[1:])
    chance.shuffle(hidden)
    other = game.position._replace(stock=turned + bytes(hidden))
    assert (
        draw_game(Game.start(game.rules, other, undo=False)).split("Score")[0]
        == (draw_game(game).split("Score")[0])
    )


@given(played_games() | spread_games())
def test_every_legal_move_is_listed_once(game):
    listed = draw_game(game).partition("Moves")[2].partition("Undo")[0].split()
    assert sorted(listed) == (game.legal_moves() or ["none"])


def test_moves_are_listed_in_the_order_of_their_numbers():
    game = dealt("cruel", "32")
    assert "  Moves    3>7 3>F 5>9 5>F 12>F\n" in draw_game(game)


def test_words_are_wrapped_beneath_each_other():
    first, second = draw_words("Stock", " ".join(TEXTS[:30])).splitlines()
    assert first.startswith("  Stock    AC 2C ")
    assert second.startswith("           JD QD ")
