"""The lines of play that the season is made of."""

import pytest

from tests.dailies import daily_seed
from tests.naive.golden import load
from tests.naive.variants import CRUEL_VARIANTS, DEFAULT_BASES
from tests.season import make_lines
from tests.season.model import Deal
from tests.season.programme import DAILY_KEY, DAILY_VARIANTS, DATES, PROGRAMME

GOLDEN = load("season.json")


def outcomes(each):
    options = {**CRUEL_VARIANTS.get(each["variant"], {"bases": DEFAULT_BASES}), **each["options"]}
    deal = Deal(each["variant"], options, each["seed"])
    return [deal.after(line.split()) for line in each["lines"]]


def test_every_challenge_and_daily_has_two_lines_and_most_are_won():
    found = [*GOLDEN["challenges"], *GOLDEN["dailies"]]
    assert all(len({*each["lines"]}) == 2 for each in found)
    won = [[outcome.status == "won" for outcome in outcomes(each)] for each in found]
    assert sum(map(any, won)) >= len(found) - 2
    assert sum(map(all, won)) >= len(found) - 3


def test_they_are_for_what_the_season_plays():
    for each, challenge in zip(GOLDEN["challenges"], PROGRAMME, strict=True):
        assert each["name"] == challenge.name
        assert each["variant"] == challenge.terms["variant"]
        assert each["options"] == challenge.terms.get("options", {})
        assert challenge.named in (None, each["seed"])
    days = [(variant, date) for variant in DAILY_VARIANTS for date in DATES]
    assert [(each["variant"], each["date"]) for each in GOLDEN["dailies"]] == days
    for each in GOLDEN["dailies"]:
        assert each["seed"] == daily_seed(DAILY_KEY, each["variant"], each["date"])


@pytest.mark.slow
def test_they_are_found_again(monkeypatch):
    written = {}
    monkeypatch.setattr(make_lines, "save", written.__setitem__)
    make_lines.main()
    assert written == {"season.json": GOLDEN}
