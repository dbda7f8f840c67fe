"""Boards as PNG, for previews of links: the SVG of ``svg.py``, drawn with letters of our own."""

from functools import lru_cache
from importlib import resources
from pathlib import Path

from resvg_py import svg_to_bytes

# Pixels for each of the 320 units that a picture is wide.
SCALE = 2

_FONTS = Path(str(resources.files(__package__))) / "fonts"
_FAMILY = "DejaVu Sans"


# Whoever posts a link has a dozen programs fetch its picture at once.
@lru_cache(maxsize=64)
def draw_png(svg: str) -> bytes:
    """Draw a picture of ours as PNG, 640 pixels wide, in its light colours."""
    drawn: bytes = svg_to_bytes(
        svg_string=svg,
        zoom=SCALE,
        # A container has no fonts, and those of other machines differ.
        skip_system_fonts=True,
        font_files=[str(path) for path in sorted(_FONTS.glob("*.ttf"))],
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
    )
    return drawn
