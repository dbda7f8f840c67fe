"""Plots of any figures, in a real browser: what is seen, what is read, what has no room."""

import pytest

DRAW = """async ([root, kind, plot, width]) => {
  const plots = await import(`${root}plots.js`);
  const figure = plots[kind](plot);
  const main = document.querySelector("main");
  main.replaceChildren(figure);
  main.style.width = `${width}px`;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# Each bar: where it begins, how wide and how high it is.
BARS = """() => [...document.querySelectorAll(".drawing rect:not(.band)")].map((bar) =>
  ["x", "width", "height"].map((name) => Number(bar.getAttribute(name))))"""
TEXTS = """() => [...document.querySelectorAll(".drawing text")].map((text) => {
  const {left, right, top, bottom} = text.getBoundingClientRect();
  return [text.textContent, left, right, top, bottom];
})"""
TABLE = """() => [...document.querySelectorAll(".plot tr")].map((row) =>
  [...row.cells].map((cell) => cell.textContent))"""


def draw(sit, kind, plot, width=640):
    table = sit(width=max(width + 60, 320))
    table.open()
    table.page.evaluate(DRAW, [table.assets, kind, {"title": "Actions", **plot}, width])
    return table.page


def steps(page):
    """Give the values beside the lines of the grid, from the base up."""
    return page.locator(".step text").all_text_contents()


def bars_of(*values):
    return {"bars": [{"label": f"{at}0–{at}9", "value": value} for at, value in enumerate(values)]}


def test_bars_are_as_high_as_their_values_and_the_table_has_the_same(sit):
    page = draw(sit, "drawBars", bars_of(2, 0, 8))
    (_, _, two), (_, _, none), (_, _, eight) = page.evaluate(BARS)
    assert none == 0
    assert eight == pytest.approx(4 * two)
    assert page.locator(".amount").all_text_contents() == ["2", "8"]
    assert page.evaluate(TABLE)[1:] == [["00–09", "2"], ["10–19", "0"], ["20–29", "8"]]
    assert page.locator("figcaption").inner_text() == "Actions"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 0], ["0", "1"]),
        ([1], ["0", "1"]),
        ([3, 2], ["0", "1", "2", "3"]),
        ([7], ["0", "2", "4", "6", "8"]),
        ([40, 12], ["0", "10", "20", "30", "40"]),
        ([1234], ["0", "500", "1,000", "1,500"]),
    ],
)
def test_the_grid_has_few_round_whole_values(sit, values, expected):
    assert steps(draw(sit, "drawBars", bars_of(*values))) == expected


@pytest.mark.parametrize("width", [280, 1000])
@pytest.mark.parametrize(
    "labels",
    [["60–69"], [f"{at}–{at + 9}" for at in range(0, 1000, 10)], ["a very long label indeed"] * 9],
    ids=["one", "a hundred", "long"],
)
def test_no_label_touches_another_or_leaves_the_plot(sit, labels, width):
    bars = [{"label": label, "value": at % 7} for at, label in enumerate(labels)]
    page = draw(sit, "drawBars", {"bars": bars}, width)
    found = page.evaluate(TEXTS)
    for at, (text, left, right, top, bottom) in enumerate(found):
        assert left >= 0, text
        assert right <= width + 60, text
        for other, *box in found[at + 1 :]:
            apart = right <= box[0] or box[1] <= left or bottom <= box[2] + 3 or box[3] <= top + 3
            assert apart, (text, other)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(page.evaluate(TABLE)) == len(labels) + 1


def test_whoever_points_at_a_column_reads_what_it_stands_for(sit):
    plot = {
        "series": ["Won", "Not won"],
        "columns": [{"label": "Monday", "values": [3, 1]}, {"label": "Tuesday", "values": [0, 5]}],
    }
    page = draw(sit, "drawStacks", plot)
    assert page.locator(".legend").inner_text().split("\n") == ["Won", "Not won"]
    area = page.locator(".drawing").bounding_box()
    for share, said in ((0.3, "Monday\nWon: 3\nNot won: 1"), (0.8, "Tuesday\nWon: 0\nNot won: 5")):
        page.mouse.move(area["x"] + share * area["width"], area["y"] + 80)
        assert page.locator(".tip").inner_text() == said
    page.mouse.move(1, 1)
    assert page.locator(".tip").is_hidden()
    # The parts of a column stand on each other.
    (_, _, three), (_, _, one), (_, _, none), (_, _, five) = page.evaluate(BARS)
    assert (none, three, five) == (0, pytest.approx(3 * one), pytest.approx(5 * one))


def test_a_line_has_a_gap_where_nothing_is_known(sit):
    columns = [
        {"label": str(at), "values": [value]} for at, value in enumerate([70, 62, None, 81, None])
    ]
    page = draw(sit, "drawLines", {"series": ["Fewest"], "columns": columns})
    path = page.locator(".line").get_attribute("d")
    assert path.count("M") == 2
    assert path.count("L") == 1
    assert page.locator("circle").count() == 3
    assert steps(page) == ["60", "65", "70", "75", "80", "85"]
    assert [row[1] for row in page.evaluate(TABLE)[1:]] == ["70", "62", "none", "81", "none"]


def test_a_plot_follows_the_width_that_it_is_given(sit):
    page = draw(sit, "drawBars", bars_of(*range(10)), 900)
    wide = page.evaluate(BARS)[0][1]
    page.evaluate("document.querySelector('main').style.width = '300px'")
    page.wait_for_function(
        "wide => document.querySelector('rect.good').width.baseVal.value < wide / 2", arg=wide
    )
    size = "getComputedStyle(document.querySelector('.drawing text')).fontSize"
    assert page.evaluate(size) == "12px"


def test_bars_of_nothing_stand_between_those_of_a_distribution(sit):
    table = sit()
    table.open()
    fill = "async ([root, counted]) => (await import(`${root}plots.js`)).barsOf(counted)"

    def bars(*counted):
        given = [{"low": low, "high": low + 9, "value": value} for low, value in counted]
        found = table.page.evaluate(fill, [table.assets, given])
        return [(bar["label"], bar["value"]) for bar in found]

    assert bars() == []
    assert bars((60, 2), (90, 1)) == [("60–69", 2), ("70–79", 0), ("80–89", 0), ("90–99", 1)]
    # Of very many several become one, and none is lost.
    many = bars(*((low, 1) for low in range(50, 1050, 10)))
    assert len(many) <= 40
    assert sum(value for _, value in many) == 100
    assert many[0] == ("50–79", 3)


def test_without_figures_there_are_words(sit):
    page = draw(sit, "drawBars", {"bars": []})
    assert "Nothing to show yet." in page.locator(".plot").inner_text()
