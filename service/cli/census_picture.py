"""The picture of a census: what becomes of the deals, how long lines are, how hard the search is.

One SVG document that needs nothing else, for a light and a dark page. All that it shows is in its
description too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import log2

from service.boards.svg_parts import escape
from service.solver.census import Terms
from service.solver.census_summary import Summary
from service.solver.solution import Goal, Verdict

_WIDTH, _MARGIN = 720, 40
_PLOT = _WIDTH - 2 * _MARGIN
_FIRST_PANEL, _PANEL, _COLUMNS_TOP, _HEIGHT = 192, 250, 40, 150
# A column as wide as this has its count above it.
_ROOM_FOR_COUNT = 26
_MOST_COLUMNS, _MOST_TICKS, _MOST_LINES = 80, 12, 5

_GOALS = {
    Goal.VERDICT: "a verdict",
    Goal.LINE: "a line that wins",
    Goal.SHORTEST: "the shortest line",
}
_WORDS = {
    Verdict.WINNABLE: "can be won",
    Verdict.UNWINNABLE: "cannot be won",
    Verdict.UNKNOWN: "not settled",
}

# Told apart in print and by those who see no red or green: blue, orange, grey.
_STYLE = """
svg{color-scheme:light dark}
text{font:13px system-ui,sans-serif;fill:#3d4852}
.title{font-size:19px;font-weight:700;fill:#16202a}
.panel{font-size:14px;font-weight:700;fill:#16202a}
.small{font-size:11.5px;fill:#5b6772}
.middle{text-anchor:middle}
.end{text-anchor:end}
.ground{fill:#fbfbf9}
.grid{stroke:#dfe3e6}
.axis{stroke:#97a2ab}
.winnable{fill:#2a78b5}
.unwinnable{fill:#e08a2c}
.unknown{fill:#9aa3ab}
@media(prefers-color-scheme:dark){
text{fill:#b7c1ca}
.title,.panel{fill:#f0f3f5}
.small{fill:#94a0ab}
.ground{fill:#161b20}
.grid{stroke:#2b343c}
.axis{stroke:#5d6973}
.winnable{fill:#5aa5de}
.unwinnable{fill:#eba24d}
.unknown{fill:#78838d}
}"""


# Columns by their number from the left, each with its parts from the bottom up.
_Columns = Mapping[int, Counter[Verdict]]


def draw_census(terms: Terms, summary: Summary) -> str:
    """Draw what a census comes to as an SVG document."""
    title = f"{terms.variant.replace('-', ' ').capitalize()}: {summary.deals:,} deals"
    asked = f"Each searched for {_GOALS[terms.goal]}, through {terms.nodes:,} positions at most."
    words = [asked, *(f"{word}." for word in _verdict_words(summary).values())]
    shapes = [_text(title, _MARGIN, 44, "title"), _text(asked, _MARGIN, 66, "small")]
    shapes += _draw_verdicts(summary)
    top = _FIRST_PANEL
    for about, drawn in (_lengths(summary), _nodes(summary)):
        if about:
            words.append(f"{about}.")
            shapes += [_text(about, _MARGIN, top, "panel"), f'<g transform="translate(0 {top})">']
            shapes += [*drawn, "</g>"]
            top += _PANEL
    return _document(title, words, shapes, top)


def _verdict_words(summary: Summary) -> dict[Verdict, str]:
    return {
        verdict: f"{summary.share(verdict).percent:.2f} % {word}"
        for verdict, word in _WORDS.items()
    }


def _draw_verdicts(summary: Summary) -> Iterator[str]:
    x = float(_MARGIN)
    for verdict in _WORDS:
        width = _PLOT * summary.share(verdict).percent / 100
        yield _box(verdict, x, 86, width, 26)
        x += width
    x = _MARGIN
    for verdict, words in _verdict_words(summary).items():
        yield f'<circle class="{verdict}" cx="{x + 5}" cy="135" r="5"/>'
        yield _text(words, x + 17, 140, "")
        x += _PLOT // len(_WORDS)


def _lengths(summary: Summary) -> tuple[str, list[str]]:
    """Give the words and the shapes of the lines' lengths; nothing where there are none."""
    spread = summary.length
    if spread is None:
        return "", []
    about = f"Actions of a line: {spread.least} to {spread.most}, median {spread.median}"
    step = next(
        step for step in _nice() if (spread.most - spread.least) // step + 2 <= _MOST_COLUMNS
    )
    first, last = spread.least // step, spread.most // step
    columns: dict[int, Counter[Verdict]] = {}
    for length, deals in summary.lengths.items():
        columns.setdefault(length // step - first, Counter())[Verdict.WINNABLE] += deals
    # A length stands in the middle of its unit.
    place = {value: (value + 0.5) / step - first for value in range(spread.most + 1)}
    apart = next(n for n in _nice() if (spread.most - spread.least) / n <= _MOST_TICKS)
    ticks = {
        str(value): place[value]
        for value in range(0, spread.most + 1, apart)
        if value >= spread.least
    }
    return about, list(_draw_columns(columns, last - first + 1, ticks))


def _nodes(summary: Summary) -> tuple[str, list[str]]:
    """Give the words and the shapes of the nodes spent; nothing where there was no search."""
    spread = summary.nodes
    if spread is None:
        return "", []
    about = (
        f"Positions looked at in a search: median {spread.median:,}, "
        f"95 of 100 searches {spread.quantiles[95]:,} at most"
    )
    columns: dict[int, Counter[Verdict]] = {}
    for verdict, spent in summary.spent.items():
        for nodes in spent:
            columns.setdefault(nodes.bit_length(), Counter())[verdict] += 1
    # Column 1 holds 1, column 2 holds 2 and 3, column 3 holds 4 to 7.
    powers = [10**power for power in range(len(str(spread.most)))]
    ticks = {f"{value:,}": log2(value) + 1 for value in powers}
    return about, list(_draw_columns(columns, spread.most.bit_length() + 1, ticks))


def _draw_columns(columns: _Columns, many: int, ticks: Mapping[str, float]) -> Iterator[str]:
    """Draw columns with their axes; ``ticks`` are words at places counted in columns."""
    unit, bottom = _PLOT / many, _COLUMNS_TOP + _HEIGHT
    highest = max(sum(column.values()) for column in columns.values())
    step = next(step for step in _nice() if highest / step <= _MOST_LINES)
    scale = _HEIGHT / highest
    for deals in range(0, highest + 1, step):
        y = bottom - deals * scale
        kind = "grid" if deals else "axis"
        yield f'<path class="{kind}" d="M{_MARGIN} {y:.1f}H{_MARGIN + _PLOT}"/>'
        yield _text(f"{deals:,}", _MARGIN - 6, y + 4, "small end")
    gap = min(1.5, unit / 6)
    for number, column in sorted(columns.items()):
        y = float(bottom)
        for verdict, deals in column.items():
            # Even one deal is to be seen among thousands.
            height = max(deals * scale, 1.5)
            y -= height
            yield _box(verdict, _MARGIN + number * unit, y, unit, height, gap=gap)
        if unit >= _ROOM_FOR_COUNT:
            middle = _MARGIN + (number + 0.5) * unit
            yield _text(f"{column.total():,}", middle, y - 5, "small middle")
    for word, place in ticks.items():
        yield _text(word, _MARGIN + place * unit, bottom + 18, "small middle")


def _nice() -> Iterator[int]:
    """Give 1, 2, 5, 10, 20, 50 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _box(kind: str, x: float, y: float, width: float, height: float, *, gap: float = 1.5) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width - gap):.1f}" height="{height:.1f}"'
    return f'<rect class="{kind}" {place}/>'


def _text(text: str, x: float, y: float, classes: str) -> str:
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _document(title: str, words: Iterable[str], shapes: Iterable[str], height: int) -> str:
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    root = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
    lines = [
        f'{root} aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(" ".join(words))}</desc>',
        f"<style>{_STYLE}\n</style>",
        f'<rect class="ground" width="{_WIDTH}" height="{height}" rx="10"/>',
        *shapes,
        "</svg>",
    ]
    return "".join(f"{line}\n" for line in lines)
