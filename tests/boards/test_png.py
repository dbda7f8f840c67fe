"""Boards as PNG: the picture that the SVG is, with its letters, whatever fonts a machine has."""

import struct
import zlib

import pytest

from service.boards.png import draw_png
from service.boards.svg import draw_opening_svg
from service.rules import VARIANTS
from service.rules.game import Game
from service.usecases.deals import find_opening

FELT, WHITE, RED = (44, 110, 80), (255, 255, 255), (198, 32, 46)


def svg(variant="cruel", title="A title"):
    opening = find_opening(variant, "semilla", {})
    return draw_opening_svg(Game.start(opening.rules, opening.position, undo=False), title)


def pixels(png, count):
    """Decode a PNG of eight bits for each of red, green, blue and alpha.

    Give its width, its height and the uppermost rows.
    """
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", data)
            assert (depth, colour) == (8, 6)
        packed += data if kind == b"IDAT" else b""
        at += 12 + length
    raw = zlib.decompress(packed)
    rows, before = [], bytearray(4 * width)
    for number in range(count):
        start = number * (4 * width + 1)
        before = _unfilter(raw[start], raw[start + 1 : start + 1 + 4 * width], before)
        rows.append(before)
    return width, height, rows


def _unfilter(kind, line, above):
    row = bytearray(line)
    for at, value in enumerate(line):
        left = row[at - 4] if at >= 4 else 0
        up, corner = above[at], above[at - 4] if at >= 4 else 0
        nearest = min((left, up, corner), key=lambda each: abs(left + up - corner - each))
        row[at] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
    return row


def test_a_picture_is_640_pixels_wide_on_felt_with_its_cards(capsys):
    width, height, rows = pixels(draw_png(svg()), 170)
    (units,) = [int(part) for part in svg().partition('viewBox="0 0 320 ')[2].split('"')[:1]]
    assert (width, height) == (640, 2 * units)
    seen = {tuple(row[at : at + 3]) for row in rows for at in range(0, 4 * width, 4)}
    assert {FELT, WHITE, RED} <= seen
    assert capsys.readouterr() == ("", "")


def test_letters_are_drawn_also_where_a_machine_has_no_fonts():
    # The same picture but for the first line of text, over nothing but felt.
    width, _, written = pixels(draw_png(svg(title="Semilla 10 ñ")), 60)
    _, _, blank = pixels(draw_png(svg(title=" ")), 60)
    changed = [
        (at // 4, number)
        for number, (row, other) in enumerate(zip(written, blank, strict=True))
        for at in range(0, 4 * width, 4)
        if row[at : at + 3] != other[at : at + 3]
    ]
    assert len(changed) > 300


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_picture_that_is_always_the_same(variant):
    first = draw_png(svg(variant))
    draw_png.cache_clear()
    assert draw_png(svg(variant)) == first
    assert len(first) < 200_000
