"""What people see of a page: a picture of it to look at, and whether everybody can use it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "build" / "pages"
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
SIZES = {"phone": (360, 740), "desk": (1600, 900)}
SERIOUS = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  return violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => [id, nodes.map(({html, failureSummary}) => `${html} ${failureSummary}`)]);
}"""

# Between them the first two have each theme and each width.
in_every_look = pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("phone", "light"),
        ("desk", "dark"),
        pytest.param("phone", "dark", marks=pytest.mark.slow),
        pytest.param("desk", "light", marks=pytest.mark.slow),
    ],
)


def sit_before(sit, size, scheme):
    """Open a browser of one of `SIZES` in a theme."""
    width, height = SIZES[size]
    return sit(width=width, height=height, color_scheme=scheme)


def look(table, name, *, whole=False):
    """Write a picture of the page, ``whole`` or what fits, for people to look at; check the page.

    Nothing is wider than the browser, and axe finds nothing that would be serious for somebody.
    """
    page = table.page
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    assert page.evaluate(SERIOUS) == [], name
