"""Deals: openings of seeds, which never change."""

import pytest

from tests.api.expected import PRESETS, options_of
from tests.api.problems import assert_problem
from tests.naive.deals import opening
from tests.naive.golden import load, split_piles

DEALS = load("deals.json")
PYSOL = load("pysol_deals.json")["games"]
BY_DEAL = {"by_pile": "cruel", "by_round": "cruel-strict"}


def deal(client, variant, seed, **query):
    reply = client.get(f"/v1/deals/{variant}/{seed}", query_string=query)
    assert reply.status_code == 200, reply.text
    return reply.json


@pytest.mark.parametrize("case", DEALS["cases"], ids=lambda case: case["seed"])
def test_a_seed_has_its_golden_opening_in_both_families(client, case):
    seed = case["seed"]
    for how, piles in case["cruel"].items():
        expected = {
            "variant": BY_DEAL[how],
            "seed": seed,
            "deal_algorithm": case["algorithm"],
            "options": PRESETS[BY_DEAL[how]],
            "foundations": ["AC", "AD", "AH", "AS"],
            "piles": split_piles(piles),
        }
        assert deal(client, BY_DEAL[how], seed) == expected
        named = deal(client, "royal-family", seed, deal=how)
        assert named["piles"] == expected["piles"]
    unnamed, *named = case["calculation"]
    for start in (unnamed, *named):
        query = {} if start is unnamed else {"bases": start["bases"].replace(" ", ",")}
        assert deal(client, "calculation", seed, **query) == {
            "variant": "calculation",
            "seed": seed,
            "deal_algorithm": case["algorithm"],
            "options": {"bases": start["bases"].split()},
            "stock": start["stock"].split(),
            "wastes": [[], [], [], []],
            "foundations": start["bases"].split(),
        }


@pytest.mark.parametrize("number", PYSOL["cruel"])
def test_a_numbered_deal_is_what_pysol_deals(client, number):
    seed = f"pysol-{number}"
    board = deal(client, "cruel-pysol", seed)
    assert board["piles"] == split_piles(PYSOL["cruel"][number]["rows"])
    for game, query in (("calculation", {}), ("hopscotch", {"bases": "AC,2C,3C,4C"})):
        theirs = PYSOL[game][number]
        ours = deal(client, "calculation", seed, **query)
        assert ours["foundations"] == ours["options"]["bases"] == theirs["foundations"]
        assert ours["stock"] == [*theirs["waste"].split(), *theirs["talon"].split()[::-1]]


@pytest.mark.parametrize("variant", PRESETS)
def test_every_variant_has_deals(client, variant):
    options = options_of(variant)
    family = "calculation" if variant == "calculation" else "cruel"
    expected = opening(family, options, "semilla")
    shown = deal(client, variant, "semilla")
    assert shown["options"] == options
    for name in ("piles", "stock"):
        assert shown.get(name) == expected.get(name)


def test_a_game_starts_at_the_deal_of_its_seed(client, player):
    for variant in PRESETS:
        state = player.start(variant, "semilla")
        shown = deal(client, variant, "semilla")
        assert shown["foundations"] == state["foundations"]
        assert shown["options"] == state["options"]
        assert shown["deal_algorithm"] == state["deal_algorithm"]
        if "piles" in shown:
            assert shown["piles"] == state["piles"]
        else:
            assert shown["stock"][0] == state["card"]
            assert len(shown["stock"]) == state["stock_count"] + 1


# ---- kept for ever ----


def test_a_deal_may_be_kept_for_ever(client):
    headers = client.get("/v1/deals/cruel/semilla").headers
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["ETag"].startswith('"')


def test_who_has_it_already_is_told_so(client):
    path = "/v1/deals/calculation/semilla"
    etag = client.get(path).headers["ETag"]
    for header in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        reply = client.get(path, headers={"If-None-Match": header})
        assert reply.status_code == 304
        assert reply.data == b""
        assert reply.headers["ETag"] == etag
        assert reply.headers["Cache-Control"].endswith("immutable")
    for header in ('"x"', etag.strip('"')[:-1], ""):
        assert client.get(path, headers={"If-None-Match": header}).status_code == 200


def test_the_etag_is_the_same_for_ever_and_another_for_another_deal(client):
    paths = [
        "/v1/deals/cruel/semilla",
        "/v1/deals/cruel/semilla?deal=by_round",
        "/v1/deals/cruel-strict/semilla",
        "/v1/deals/cruel/semilla-2",
        "/v1/deals/calculation/semilla",
        "/v1/deals/calculation/semilla?bases=AS,2D,3H,4S",
    ]
    etags = {path: client.get(path).headers["ETag"] for path in paths}
    assert len(set(etags.values())) == len(paths)
    assert etags == {path: client.get(path).headers["ETag"] for path in paths}


# ---- refusals ----


@pytest.mark.parametrize("variant", ["klondike", "Cruel", "cruel%20", "%01", "x" * 300])
def test_a_variant_that_does_not_exist_is_not_found(client, variant):
    reply = client.get(f"/v1/deals/{variant}/semilla")
    assert_problem(reply, "not_found", says="cruel, cruel-semicolon")


@pytest.mark.parametrize("seed", [seed for seed in DEALS["refused"] if seed and "/" not in seed])
def test_a_text_that_is_no_seed_is_refused_by_the_name_of_its_parameter(client, seed):
    escaped = seed.replace(" ", "%20").replace("\n", "%0A")
    reply = client.get(f"/v1/deals/cruel/{escaped}")
    assert_problem(reply, "validation_failed", parameters=["seed"])


@pytest.mark.parametrize(
    ("variant", "query", "parameters"),
    [
        ("cruel", {"deal": "by_hand"}, ["deal"]),
        ("cruel", {"deal": ""}, ["deal"]),
        ("cruel", {"bases": "AC,2D,3H,4S"}, ["bases"]),
        ("calculation", {"deal": "by_pile"}, ["deal"]),
        ("calculation", {"bases": ""}, ["bases"]),
        ("calculation", {"bases": "AC"}, ["bases"]),
        ("calculation", {"bases": "AC,2D,3H"}, ["bases"]),
        ("calculation", {"bases": "AC,2D,3H,4S,5S"}, ["bases"]),
        ("calculation", {"bases": "AC 2D 3H 4S"}, ["bases"]),
        ("calculation", {"bases": "AC,2D,3H,5S"}, ["bases"]),
        ("calculation", {"bases": "2D,AC,3H,4S"}, ["bases"]),
        ("calculation", {"bases": "AC,2D,3H,4X"}, ["bases"]),
        ("calculation", {"bases": "ac,2d,3h,4s"}, ["bases"]),
        ("calculation", {"bases": "AC,AC,AC,AC"}, ["bases"]),
        ("cruel", {"redeal": "fans"}, ["redeal"]),
        ("cruel", {"build": "alternate_up"}, ["build"]),
        ("cruel", {"redeal_limit": "3", "x": "1"}, ["redeal_limit", "x"]),
    ],
)
def test_a_wrong_option_is_refused_by_the_name_of_its_parameter(client, variant, query, parameters):
    reply = client.get(f"/v1/deals/{variant}/semilla", query_string=query)
    assert_problem(reply, "validation_failed", parameters=parameters)


def test_the_service_deals_the_same_with_and_without_a_token(client, player):
    player.start()
    path = "/v1/deals/calculation/semilla"
    assert client.get(path, headers=player.auth).data == client.get(path).data
