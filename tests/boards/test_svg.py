"""Pictures of games. `python -m tests.boards.test_svg` draws the golden ones anew: then look."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.boards.svg import draw_game_svg, draw_opening_svg
from service.rules.cards import card_texts
from service.rules.cruel_position import CruelPosition
from service.rules.family import Score
from service.rules.game import Game
from tests.boards.positions import BOARDS, GAMES, dealt, placed
from tests.boards.test_terminal import SEEDS, played_games, spread_games

GOLDEN = [
    "cruel-opening",
    "cruel-middle",
    "cruel-undone",
    "cruel-won",
    "cruel-resigned",
    "limited-cruel-lost",
    "royal-family-long-piles",
    "calculation-opening",
    "calculation-long-waste",
    "calculation-one-complete",
    "calculation-lost",
    "calculation-won",
]
SVG = "{http://www.w3.org/2000/svg}"
CARD = re.compile(r"\b(ace|[2-9]|10|jack|queen|king) of (clubs|diamonds|hearts|spades)\b")
RANKS = {"ace": "A", "10": "T", "jack": "J", "queen": "Q", "king": "K"}
HOSTILE = "</title><script>alert('1')</script> & \"2\" ]]> <!-- \0\x1b\ud800\ufffe\n \u202e🂡 漢字"
PHONE = 320
LARGEST = 40 * 1024
FULLEST = dealt("calculation", "1", "S>W1 " * 48)


def title_of(name):
    return name.replace("-", " ").capitalize()


def parsed(game, title="A game"):
    return ET.fromstring(draw_game_svg(game, title))  # noqa: S314 - what we drew ourselves


def said(root):
    return root.find(f"{SVG}desc").text


def texts(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def face_up(game):
    position = game.position
    if isinstance(position, CruelPosition):
        return card_texts(position.foundations + b"".join(position.piles))
    return card_texts(position.foundations + b"".join(position.wastes) + position.stock[:1])


def drawn_cards(root):
    """Read the cards off the picture, with their places: a suit, and the rank that follows it."""
    for card, rank in pairwise(root):
        suit = card.get("href", "").removeprefix("#sm-")
        if suit in ("C", "D", "H", "S"):
            assert rank.get("class") == f"sm-rank sm-{'red' if suit in 'DH' else 'black'}"
            yield rank.text.replace("10", "T") + suit, int(card.get("x")), int(card.get("y"))


def named_cards(root):
    return [RANKS.get(rank, rank) + suit[0].upper() for rank, suit in CARD.findall(said(root))]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_picture_is_the_golden_one(name):
    drawn = draw_game_svg(GAMES[name], title_of(name))
    assert drawn == (BOARDS / f"{name}.svg").read_text("utf-8")


def test_every_golden_picture_is_compared():
    assert {path.stem for path in BOARDS.glob("*.svg")} == set(GOLDEN)


@given(played_games() | spread_games())
@example(FULLEST)
def test_what_lies_face_up_is_drawn_and_named_once_and_nothing_else(game):
    root = parsed(game)
    assert Counter(card for card, _, _ in drawn_cards(root)) == Counter(face_up(game))
    assert Counter(named_cards(root)) == Counter(face_up(game))


@given(SEEDS, st.integers(0, 11), st.randoms(use_true_random=False))
def test_the_order_of_the_unturned_stock_changes_nothing(seed, rounds, chance):
    game = dealt("calculation", seed, "S>W1 S>W2 S>W3 S>W4 " * rounds)
    hidden = list(game.position.stock[1:])
    chance.shuffle(hidden)
    other = game.position._replace(stock=game.position.stock[:1] + bytes(hidden))
    assert draw_game_svg(replace(game, position=other), "") == draw_game_svg(game, "")


@given(played_games() | spread_games())
@example(FULLEST)
def test_all_is_seen(game):
    """Nothing reaches over the edge, and no rank or suit is covered by the next card."""
    root = parsed(game)
    _, _, width, height = map(int, root.get("viewBox").split())
    card = root.find(f".//{SVG}rect[@id='sm-card']")
    places = {}
    for _, x, y in drawn_cards(root):
        assert 0 < x < x + int(card.get("width")) < width
        assert 0 < y < y + int(card.get("height")) < height
        places.setdefault(x, []).append(y)
    for heights in places.values():
        assert all(below - above >= 14 for above, below in pairwise(sorted(heights)))


@given(played_games() | spread_games(), st.text())
@example(FULLEST, HOSTILE)
def test_any_picture_with_any_title_is_small_and_needs_nothing_else(game, title):
    drawn = draw_game_svg(game, title)
    assert drawn == draw_game_svg(game, title)
    assert len(drawn.encode()) < LARGEST
    root = ET.fromstring(drawn)  # noqa: S314 - what we drew ourselves
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(names)) == len(names)
    used = {"svg", "title", "desc", "style", "defs", "g", "use", "text"}
    used |= {"rect", "path", "circle", "pattern"}
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in used
        assert not [name for name in element.keys() if name.startswith(("on", "{"))]  # noqa: SIM118
        link = element.get("href")
        assert link is None or link.removeprefix("#") in names
        fill = element.get("fill")
        assert fill is None or fill in {f"url(#{name})" for name in names}
    assert not re.search(r"url|import|@font-face", root.find(f"{SVG}style").text)


def test_a_hostile_title_is_text():
    drawn = draw_game_svg(GAMES["cruel-opening"], HOSTILE)
    root = ET.fromstring(drawn)  # noqa: S314 - what we drew ourselves
    words = (
        "</title><script>alert('1')</script> & \"2\" ]]> <!-- \ufffd\ufffd\ufffd\ufffd \u202e🂡 漢字"
    )
    assert root.find(f"{SVG}title").text == f"{words}: in progress"
    assert "<script" not in drawn
    assert "<!--" not in drawn


def test_a_long_title_is_cut_where_it_is_seen_and_whole_where_it_is_heard():
    root = parsed(GAMES["cruel-opening"], "word " * 19 + "end")
    assert root.find(f"{SVG}title").text == "word " * 19 + "end: in progress"
    assert texts(root)[0] == "word word word word word word word wo…"
    assert texts(parsed(GAMES["cruel-opening"], "漢" * 20))[0] == "漢" * 18 + "…"
    assert texts(parsed(GAMES["cruel-opening"], "x" * 38))[0] == "x" * 38


def test_title_and_description_are_what_a_screen_reader_reads():
    root = parsed(GAMES["cruel-opening"])
    assert root.get("role") == "img"
    labels = root.get("aria-labelledby").split()
    assert labels == [root.find(f"{SVG}{name}").get("id") for name in ("title", "desc")]


@pytest.mark.parametrize("name", GAMES)
def test_status_and_score_are_seen_and_heard(name):
    game, root = GAMES[name], parsed(GAMES[name])
    status = game.status.replace("_", " ").capitalize()
    assert status in texts(root)
    assert f"{game.score.cards_up} of 52" in texts(root)
    assert said(root).startswith(f"{status}: {game.score.cards_up} of 52 cards on the foundations")
    assert root.find(f"{SVG}title").text == f"A game: {status.lower()}"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("cruel-opening", "Opening"),
        ("calculation-opening", "Opening"),
        ("cruel-lost-at-the-opening", "Lost at the opening"),
    ],
)
def test_a_deal_is_drawn_like_a_game_that_nobody_has_begun(name, status):
    game, root = parsed(GAMES[name]), ET.fromstring(draw_opening_svg(GAMES[name], "A deal"))  # noqa: S314
    assert root.find(f"{SVG}title").text == f"A deal: {status[0].lower()}{status[1:]}"
    assert [*drawn_cards(root)] == [*drawn_cards(game)]
    assert said(root).startswith(f"{status}: 4 of 52 cards on the foundations. Piles are read")
    assert said(root).partition(". ")[2] == said(game).partition(". ")[2]
    assert status in texts(root)
    assert not [text for text in texts(root) if "move" in text]


def counts_of(game, monkeypatch, score):
    monkeypatch.setattr(Game, "score", score)
    root = parsed(game)
    counts = root.findall(f"{SVG}text")[2]
    assert f"foundations, {counts.text.replace(' · ', ', ')}." in said(root)
    return counts


@pytest.mark.parametrize(
    ("name", "score", "words"),
    [
        ("cruel-opening", Score(4, 1, 1, 0), "1 move · 1 redeal"),
        ("cruel-opening", Score(4, 2, 0, 1), "2 moves · 0 redeals · 1 undo"),
        ("limited-cruel-lost", Score(4, 0, 1, 2), "0 moves · 1 of 3 redeals · 2 undos"),
        ("calculation-opening", Score(4, 12, 0, 0), "12 moves"),
    ],
)
def test_the_score_in_words(name, score, words, monkeypatch):
    counts = counts_of(GAMES[name], monkeypatch, score)
    assert counts.text == words
    assert counts.get("textLength") is None


def test_a_long_score_is_squeezed_beside_the_status(monkeypatch):
    counts = counts_of(GAMES["cruel-opening"], monkeypatch, Score(4, 12345, 12345, 12345))
    assert int(counts.get("textLength")) < int(counts.get("x")) - 100


def test_every_pile_of_cruel_has_its_number_and_its_words():
    root = parsed(
        placed("cruel", "KC KD TH KS | - / QH JH / - / - / - / - / - / - / - / - / - / KH")
    )
    strong = [text.text for text in root if text.get("class") == "sm-text sm-strong sm-end"]
    assert strong == ["F"] * 4 + [str(number) for number in range(1, 13)]
    assert said(root).partition("Foundations: ")[2] == (
        "king of clubs, king of diamonds, 10 of hearts, king of spades. Pile 1: empty. "
        "Pile 2: queen of hearts, jack of hearts. Pile 3: empty. Pile 4: empty. Pile 5: empty. "
        "Pile 6: empty. Pile 7: empty. Pile 8: empty. Pile 9: empty. Pile 10: empty. "
        "Pile 11: empty. Pile 12: king of hearts."
    )
    assert len(root.findall(f"{SVG}use[@href='#sm-place']")) == 10


def test_every_place_of_calculation_has_its_name_and_its_words():
    root = parsed(dealt("calculation", "1", "S>W3 S>W3 S>W1"))
    seen = texts(root)
    names = "S F1 F2 F3 F4 W1 W2 W3 W4 stock".split()
    assert all(seen.count(name) == 1 for name in names)
    assert [text for text in seen if "next" in text] == ["next 2", "next 4", "next 6", "next 8"]
    assert "44" in seen
    assert said(root).partition("3 moves. ")[2] == (
        "Piles are read from the bottom card to the top card. "
        "Foundation 1: ace of clubs, next 2. Foundation 2: 2 of diamonds, next 4. "
        "Foundation 3: 3 of hearts, next 6. Foundation 4: 4 of spades, next 8. "
        "Turned card: 4 of hearts. Stock: 44 cards face down. Waste 1: 8 of hearts. "
        "Waste 2: empty. Waste 3: 6 of clubs, 4 of clubs. Waste 4: empty."
    )
    assert len(root.findall(f"{SVG}use[@href='#sm-place']")) == 2
    assert len(root.findall(f"{SVG}use[@href='#sm-back']")) == 1


def test_a_stock_that_is_used_up_is_an_empty_place():
    root = parsed(GAMES["calculation-won"])
    assert texts(root).count("complete") == 4
    assert "0" in texts(root)
    assert "Turned card: empty. Stock: 0 cards face down." in said(root)
    assert len(root.findall(f"{SVG}use[@href='#sm-place']")) == 6


def test_a_picture_as_wide_as_a_phone_can_be_read():
    root = parsed(GAMES["royal-family-long-piles"])
    assert root.get("width") == "100%"
    pixels = PHONE / float(root.get("viewBox").split()[2])
    style = root.find(f"{SVG}style").text
    sizes = [float(size) * pixels for size in re.findall(r"([\d.]+)px", style)]
    assert min(sizes) >= 9
    sized = set(re.findall(r"\.([\w-]+)\{font:", style))
    for text in root.iter(f"{SVG}text"):
        assert sized & set(text.get("class").split())
        assert not {"font-size", "style", "transform"} & set(text.keys())
    assert set(root.iter(f"{SVG}text")) == set(root.findall(f"{SVG}text")), "none in what is scaled"


def luminance(colour):
    digits = colour if len(colour) == 6 else "".join(digit * 2 for digit in colour)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_written_stands_out_from_its_ground(scheme):
    style = parsed(GAMES["cruel-opening"]).find(f"{SVG}style").text
    light, _, dark = style.partition("@media(prefers-color-scheme:dark)")
    assert dark
    fills = {}
    for names, colour in re.findall(
        r"([\w.,-]+)\{[^}]*?fill:#(\w+)", light + dark * (scheme == "dark")
    ):
        fills |= dict.fromkeys(names.replace(".sm-", "").split(","), colour)
    pairs = "text felt, strong felt, strong pill, red card, black card, count back, ended won, "
    pairs += "ended lost, ended resigned, rank card"
    for pair in pairs.split(", "):
        lower, higher = sorted(luminance(fills[name]) for name in pair.split())
        assert (higher + 0.05) / (lower + 0.05) >= 4.5, pair


def test_suits_differ_in_shape():
    root = parsed(GAMES["cruel-opening"])
    shapes = {root.find(f".//{SVG}path[@id='sm-suit-{suit}']").get("d") for suit in "CDHS"}
    assert len(shapes) == 4


if __name__ == "__main__":
    for golden in GOLDEN:
        picture = draw_game_svg(GAMES[golden], title_of(golden))
        (BOARDS / f"{golden}.svg").write_text(picture, "utf-8")
