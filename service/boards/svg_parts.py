"""The parts of a picture: cards, places, words and the document around them.

Suits are paths of our own, not characters of a font, so they look the same everywhere. Colours are
plain rules without variables or nesting: every reader of SVG knows those. All names begin with
``sm-``, because the style of a picture that stands within a page holds for the whole page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

WIDTH = 320
MARGIN = 8
CARD_WIDTH, CARD_HEIGHT = 54, 62

# Sizes are pixels at a width of 320: below 9 nobody reads them.
_STYLE = """
.sm-text{font:10.5px system-ui,sans-serif;fill:#d5e8dc}
.sm-strong{font-weight:700;fill:#fff}
.sm-title{font-size:12px}
.sm-end{text-anchor:end}
.sm-middle{text-anchor:middle}
.sm-rank{font:700 12.5px system-ui,sans-serif;text-anchor:middle;fill:#1b242c}
.sm-count{font:700 15px system-ui,sans-serif;text-anchor:middle;fill:#fff}
.sm-felt{fill:#2c6e50}
.sm-card{fill:#fff;stroke:#93a49b}
.sm-black{fill:#1b242c}
.sm-red{fill:#c6202e}
.sm-place{fill:#000;fill-opacity:.1;stroke:#9cc4ae;stroke-dasharray:4 3}
.sm-back{fill:#27508f;stroke:#fff}
.sm-tray{fill:#000;fill-opacity:.14}
.sm-lattice{fill:none;stroke:#fff;stroke-opacity:.45}
.sm-track{fill:#1f523b}
.sm-bar{fill:#f2c94c}
.sm-pill{fill:#1f523b}
.sm-won{fill:#f2c94c}
.sm-lost{fill:#f3b9b3}
.sm-resigned{fill:#cfd6d2}
.sm-ended{fill:#1b242c}
@media(prefers-color-scheme:dark){
.sm-felt{fill:#15241d}
.sm-text{fill:#a9c0b3}
.sm-strong{fill:#e6efe9}
.sm-card{fill:#dcd8cd;stroke:#6d766f}
.sm-red{fill:#b01523}
.sm-place{stroke:#5f7d6c}
.sm-back{fill:#27406b;stroke:#aab4c4}
.sm-track,.sm-pill{fill:#2b4236}
.sm-bar,.sm-won{fill:#d9b23c}
.sm-lost{fill:#d79a94}
.sm-resigned{fill:#a9b3ae}
.sm-ended{fill:#1b242c}
}"""

# Ten units across, the middle at the origin.
_CLUB = (
    "M-2.4-2.6a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0M-5.1 1.3a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1"
    "-4.8 0M.3 1.3a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0M-1.9-1.6H1.9L.8 1.5C.9 3.4 1.3 4.4 2.3 5"
    "H-2.3C-1.3 4.4-.9 3.4-.8 1.5Z"
)
_DIAMOND = "M0-5.6Q1.8-2.2 4.4 0 1.8 2.2 0 5.6-1.8 2.2-4.4 0-1.8-2.2 0-5.6Z"
_HEART = (
    "M0 5.2C-1.3 3.2-5.1.6-5.1-2.2-5.1-4-3.9-5-2.6-5-1.4-5-.4-4.2 0-3 .4-4.2 1.4-5 2.6-5 3.9-5 5.1"
    "-4 5.1-2.2 5.1.6 1.3 3.2 0 5.2Z"
)
_SPADE = (
    "M0-5.4C1.2-3.4 4.9-1 4.9 1.5 4.9 3 3.8 3.8 2.7 3.8 1.8 3.8 1 3.3.6 2.5.7 3.7 1.2 4.6 2.2 5"
    "H-2.2C-1.2 4.6-.7 3.7-.6 2.5-1 3.3-1.8 3.8-2.7 3.8-3.8 3.8-4.9 3-4.9 1.5-4.9-1-1.2-3.4 0-5.4Z"
)
_SUITS = {
    "C": ("black", _CLUB),
    "D": ("red", _DIAMOND),
    "H": ("red", _HEART),
    "S": ("black", _SPADE),
}

# What XML 1.0 cannot hold, escaped or not.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Make any text one that XML holds, in one line."""
    text = " ".join(_FORBIDDEN.sub("\ufffd", text).split())
    for character, entity in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot")):
        text = text.replace(character, f"&{entity};")
    return text


def draw_document(title: str, words: Iterable[str], shapes: Iterable[str], *, height: int) -> str:
    """Draw a whole document, its ``words`` as the description for those who do not see it."""
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%"'
        ' role="img" aria-labelledby="sm-title sm-desc">'
    )
    lines = [
        root,
        f'<title id="sm-title">{escape(title)}</title>',
        f'<desc id="sm-desc">{escape(" ".join(words))}</desc>',
        f"<style>{_STYLE}\n</style>",
        "<defs>",
        *_define(),
        "</defs>",
        f'<rect class="sm-felt" width="{WIDTH}" height="{height}" rx="10"/>',
        *shapes,
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _define() -> Iterator[str]:
    box = f'x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="5"'
    inner = f'x="4" y="4" width="{CARD_WIDTH - 8}" height="{CARD_HEIGHT - 8}" rx="3"'
    weave = '<path class="sm-lattice" d="M0 0 8 8M8 0 0 8"/>'
    yield f'<rect id="sm-card" class="sm-card" {box}/>'
    yield f'<rect id="sm-place" class="sm-place" {box}/>'
    yield f'<pattern id="sm-weave" width="8" height="8" patternUnits="userSpaceOnUse">{weave}'
    yield "</pattern>"
    yield f'<g id="sm-back"><rect class="sm-back" {box}/><rect fill="url(#sm-weave)" {inner}/></g>'
    for suit, (colour, path) in _SUITS.items():
        use = f'<use href="#sm-suit-{suit}" transform='
        yield f'<path id="sm-suit-{suit}" class="sm-{colour}" d="{path}"/>'
        yield f'<g id="sm-{suit}"><use href="#sm-card"/>{use}"translate(30 8)"/>'
        yield f'{use}"translate({CARD_WIDTH // 2} 39)scale(3)"/></g>'


def rank_text(rank: str) -> str:
    """Give a rank as it stands on cards: 10 for ``T``."""
    return "10" if rank == "T" else rank


def draw_card(card: str, x: int, y: int) -> str:
    """Draw a card such as ``TH``, face up."""
    rank, suit = rank_text(card[0]), card[1]
    return (
        f'<use href="#sm-{suit}" x="{x}" y="{y}"/>'
        f'<text class="sm-rank sm-{_SUITS[suit][0]}" x="{x + 12}" y="{y + 12}">{rank}</text>'
    )


def draw_place(x: int, y: int) -> str:
    """Draw the place of a card where none lies."""
    return f'<use href="#sm-place" x="{x}" y="{y}"/>'


def draw_pile(cards: Sequence[str], x: int, y: int, step: int) -> list[str]:
    """Draw a pile fanned downwards, or its place where it is empty."""
    drawn = [draw_card(card, x, y + step * place) for place, card in enumerate(cards)]
    return drawn or [draw_place(x, y)]


def draw_stock(count: int, x: int, y: int) -> list[str]:
    """Draw a pile of cards face down and how many they are."""
    middle = x + CARD_WIDTH // 2
    number = draw_text(str(count), middle, y + 36, "count")
    if not count:
        return [draw_place(x, y), number]
    disc = f'<circle class="sm-back" cx="{middle}" cy="{y + 31}" r="15"/>'
    return [f'<use href="#sm-back" x="{x}" y="{y}"/>', disc, number]


def draw_tray(x: int, y: int, width: int, height: int) -> str:
    """Draw the ground on which the foundations lie."""
    return f'<rect class="sm-tray" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'


def draw_text(text: str, x: int, y: int, classes: str, *, squeezed: int | None = None) -> str:
    """Draw a line of text, squeezed to a width or as wide as it comes out.

    ``classes`` are names of the style, without their ``sm-``.
    """
    names = " ".join(f"sm-{name}" for name in classes.split())
    fit = f' textLength="{squeezed}" lengthAdjust="spacingAndGlyphs"' if squeezed else ""
    return f'<text class="{names}" x="{x}" y="{y}"{fit}>{escape(text)}</text>'
