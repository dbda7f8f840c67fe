"""Boards as pictures: what they show, to whom, how long they may be kept, and in a real browser."""

import re
from xml.etree import ElementTree as ET

import pytest

from service.boards.png import draw_png
from tests.api.expected import PRESETS, naive_game, options_of
from tests.api.problems import assert_problem
from tests.boards.test_svg import drawn_cards, named_cards, said, texts
from tests.conftest import Player
from tests.naive.deals import opening
from tests.statements import count_statements

SVG = "{http://www.w3.org/2000/svg}"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
IMG = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
UNKNOWN = {"Authorization": "Bearer sg_nobody"}
LONGEST_SEED = "s" * 128
NAMES = {
    "cruel": "Cruel",
    "cruel-semicolon": "Cruel (Semicolon)",
    "cruel-strict": "Cruel (strict)",
    "cruel-pysol": "Cruel (PySolFC)",
    "perseverance": "Perseverance",
    "ripple-fan": "Ripple Fan",
    "royal-family": "Royal Family",
    "limited-cruel": "Limited Cruel",
    "calculation": "Calculation",
}


def root_of(reply):
    assert reply.status_code == 200, reply.text[:500]
    assert reply.content_type == "image/svg+xml; charset=utf-8"
    assert reply.headers["Content-Security-Policy"] == POLICY
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    return ET.fromstring(reply.data)  # noqa: S314 - what the service drew


def title_of(reply):
    return root_of(reply).find(f"{SVG}title").text


def deal(client, variant="cruel", seed="semilla", headers=None, **query):
    path = f"/v1/deals/{variant}/{seed}/board.svg"
    return client.get(path, query_string=query, headers=headers)


def cards_of(reply):
    """Give the cards that a picture draws, which must be those that it names."""
    root = root_of(reply)
    drawn = sorted(card for card, _, _ in drawn_cards(root))
    assert drawn == sorted(named_cards(root))
    return drawn


# ---- games ----


def test_the_picture_shows_the_cards_of_the_state(player):
    moves = {"cruel": ["12>2", "R", "U"], "calculation": ["S>W1", "S>W2"]}
    for variant in PRESETS:
        state = player.start(variant)
        for move in (None, *moves.get(variant, [])):
            if move:
                state = player.play(move).json
            piles = state.get("piles", state.get("wastes"))
            turned = [state["card"]] if state.get("card") else []
            up = [*state["foundations"], *turned, *(card for pile in piles for card in pile)]
            assert cards_of(player.get(".svg")) == sorted(up)
            assert f"{state['score']['cards_up']} of 52" in texts(root_of(player.get(".svg")))


@pytest.mark.parametrize("variant", PRESETS)
def test_the_title_says_game_seed_and_status_and_follows_the_game(player, variant):
    hidden = variant == "calculation"
    player.start(variant)
    assert title_of(player.get(".svg")) == f"{NAMES[variant]}, seed semilla: in progress"
    seed = "" if hidden else ", seed semilla"
    assert title_of(player.get(".svg", token=False)) == f"{NAMES[variant]}{seed}: in progress"
    player.act("resign")
    resigned = f"{NAMES[variant]}, seed semilla: resigned"
    assert title_of(player.get(".svg", token=False)) == resigned
    assert "Resigned" in texts(root_of(player.get(".svg")))
    assert said(root_of(player.get(".svg"))).startswith("Resigned: 4 of 52 cards")


def test_changed_options_stand_in_the_title(player):
    player.start("limited-cruel", options={"redeal_limit": 5, "redeal": "fans"})
    assert title_of(player.get(".svg")) == (
        "Limited Cruel, seed semilla, redeal=fans, redeal_limit=5: in progress"
    )


def test_a_title_is_short_whatever_was_asked_for(player):
    options = {
        "deal": "by_round",
        "build": "alternate_up",
        "redeal": "fans",
        "redeal_when": "when_stuck",
        "redeal_limit": 99,
    }
    player.start("cruel", LONGEST_SEED, options=options)
    assert len(title_of(player.get(".svg"))) < 300
    assert len(texts(root_of(player.get(".svg")))[0]) <= 38


def test_a_secret_seed_is_shown_to_no_stranger(client, player):
    player.start("calculation", "a-named-seed")
    other = Player(client)
    other.start()
    for headers in ({}, other.auth):
        reply = client.get(f"/v1/games/{player.id}.svg", headers=headers)
        assert title_of(reply) == "Calculation: in progress"
        assert "a-named-seed" not in f"{reply.text}{reply.headers}"
    other.start("calculation", None)
    assert title_of(other.get(".svg")) == "Calculation: in progress"


def test_the_picture_of_a_game_may_not_be_kept_and_takes_one_select(player, db):
    player.start()
    with count_statements(db) as seen:
        reply = player.get(".svg")
    assert seen.verbs == ["SELECT"]
    assert reply.headers["Cache-Control"] == "no-store"
    assert "ETag" not in reply.headers


def test_a_game_that_does_not_exist_has_no_picture(client, player):
    player.start()
    for name in (
        "none.svg",
        ".svg",
        f"{player.id}.svg.svg",
        f"{player.id}.SVG",
        f"{player.id}.gif",
        "none.png",
    ):
        assert_problem(client.get(f"/v1/games/{name}"), "not_found")
    for name in (f"{player.id}.svg", "none.svg"):
        assert_problem(client.get(f"/v1/games/{name}", headers=UNKNOWN), "unauthenticated")


def test_a_picture_is_only_looked_at(player):
    player.start()
    for verb in ("POST", "PUT", "DELETE"):
        reply = player.client.open(f"/v1/games/{player.id}.svg", method=verb, headers=player.auth)
        assert_problem(reply, "method_not_allowed", says=verb)


# ---- deals ----


@pytest.mark.parametrize("variant", PRESETS)
def test_a_deal_is_drawn_at_its_opening(client, variant):
    table = naive_game(variant, "semilla").table
    if variant == "calculation":
        up = [*table.foundations, table.stock[0]]
    else:
        up = [*table.foundations, *(card for pile in table.piles for card in pile)]
    reply = deal(client, variant)
    assert cards_of(reply) == sorted(up)
    assert title_of(reply) == f"{NAMES[variant]}, seed semilla: opening"
    assert texts(root_of(reply))[0] == f"{NAMES[variant]}, seed semilla"


def test_of_calculation_the_picture_shows_the_turned_card_and_no_other_of_the_stock(client):
    stock = opening("calculation", options_of("calculation"), "semilla")["stock"]
    root = root_of(deal(client, "calculation"))
    assert "Stock: 47 cards face down." in said(root)
    assert named_cards(root)[4:] == stock[:1]


def test_options_change_the_picture_as_they_change_the_deal(client):
    by_round = opening("cruel", {**options_of("cruel"), "deal": "by_round"}, "semilla")
    reply = deal(client, deal="by_round")
    named = named_cards(root_of(reply))[4:]
    assert named == [card for pile in by_round["piles"] for card in pile]
    assert title_of(reply) == "Cruel, seed semilla, deal=by_round: opening"
    reply = deal(client, "calculation", bases="AS,2S,3S,4S")
    assert named_cards(root_of(reply))[:4] == ["AS", "2S", "3S", "4S"]
    assert title_of(reply) == "Calculation, seed semilla, bases=AS,2S,3S,4S: opening"


def test_a_deal_that_is_lost_says_so(client):
    reply = deal(client, "cruel", "s268")  # of the golden openings
    assert title_of(reply) == "Cruel, seed s268: lost at the opening"
    assert "Lost at the opening" in texts(root_of(reply))


def test_the_picture_of_a_deal_may_be_kept_for_ever(client):
    first = deal(client)
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for known in (etag, f"W/{etag}", "*"):
        reply = deal(client, headers={"If-None-Match": known, "Accept": IMG})
        assert (reply.status_code, reply.data) == (304, b"")
        assert reply.headers["ETag"] == etag
        assert reply.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert deal(client, headers={"If-None-Match": '"x"'}).data == first.data
    assert deal(client, headers={"If-Match": '"x"'}).data == first.data
    others = [deal(client, deal="by_round"), deal(client, seed="2"), deal(client, "ripple-fan")]
    assert len({etag, *(reply.headers["ETag"] for reply in others)}) == 4


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("cruel/-/board.svg", ["seed"]),
        ("cruel/pysol-0/board.svg", ["seed"]),
        (f"cruel/{LONGEST_SEED}s/board.svg", ["seed"]),
        ("cruel/semilla/board.svg?deal=by_hand", ["deal"]),
        ("cruel/semilla/board.svg?bases=AC,2D,3H,4S", ["bases"]),
        ("calculation/semilla/board.svg?bases=AC", ["bases"]),
        ("cruel/semilla/board.svg?width=900", ["width"]),
    ],
)
def test_what_is_no_deal_is_refused_like_the_deal_itself(client, path, parameters):
    reply = client.get(f"/v1/deals/{path}", headers={"Accept": IMG})
    assert_problem(reply, "validation_failed", parameters=parameters)
    same = client.get(f"/v1/deals/{path.replace('/board.svg', '')}")
    assert same.json["errors"] == reply.json["errors"]


def test_an_unknown_variant_or_token_is_refused_here_too(client):
    assert_problem(deal(client, "klondike"), "not_found", says="cruel, cruel-semicolon")
    assert_problem(deal(client, headers=UNKNOWN), "unauthenticated")
    assert_problem(client.get("/v1/deals/cruel/semilla/board.gif"), "not_found")
    assert_problem(client.get("/v1/deals/klondike/semilla/board.png"), "not_found")


# ---- media types ----


@pytest.mark.parametrize(
    "accept",
    [None, "*/*", "image/*", "image/svg+xml", "image/*,*/*;q=0.8", IMG, "text/html,*/*;q=0.1"],
)
def test_a_picture_comes_to_whoever_takes_pictures(client, player, accept):
    player.start()
    headers = {"Accept": accept} if accept else {}
    for path in (f"/v1/games/{player.id}.svg", "/v1/deals/cruel/semilla/board.svg"):
        got = client.get(path, headers=headers)
        head = client.head(path, headers=headers)
        root_of(got)
        assert head.status_code == 200
        assert head.data == b""
        assert head.headers["Content-Length"] == got.headers["Content-Length"]


@pytest.mark.parametrize(
    "accept", ["image/png", "application/json", "text/plain", "image/svg+xml;q=0"]
)
def test_who_takes_no_svg_gets_none(client, player, accept):
    player.start()
    for path in (f"/v1/games/{player.id}.svg", "/v1/deals/cruel/semilla/board.svg"):
        reply = client.get(path, headers={"Accept": accept})
        assert_problem(reply, "not_acceptable", says="this answers in image/svg+xml:")


def test_a_picture_is_the_same_for_the_same_game(player):
    player.start()
    assert player.get(".svg").data == player.get(".svg", token=False).data
    assert not re.search(rb"sg_|https?://(?!www\.w3\.org/2000/svg)", player.get(".svg").data)


# ---- as PNG ----


def test_a_picture_comes_as_png_too_and_shows_what_the_svg_shows(client, player):
    player.start("calculation", "a-named-seed")
    for path in (f"/v1/games/{player.id}", "/v1/deals/cruel/semilla/board"):
        for headers in ({}, player.auth):
            reply = client.get(f"{path}.png", headers=headers)
            svg = client.get(f"{path}.svg", headers=headers)
            assert (reply.status_code, reply.content_type) == (200, "image/png")
            assert reply.data == draw_png(svg.text)
            assert reply.headers["Cache-Control"] == svg.headers["Cache-Control"]
            assert reply.headers["Content-Security-Policy"] == POLICY


def test_the_png_of_a_deal_may_be_kept_for_ever(client):
    first = client.get("/v1/deals/cruel/semilla/board.png")
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get("/v1/deals/cruel/semilla/board.png", headers=known)
    assert (again.status_code, again.data) == (304, b"")


def test_what_is_no_deal_and_who_is_unknown_get_no_png(client, player):
    player.start()
    reply = client.get("/v1/deals/cruel/-/board.png")
    assert_problem(reply, "validation_failed", parameters=["seed"])
    for path in (f"/v1/games/{player.id}.png", "/v1/deals/cruel/semilla/board.png"):
        assert_problem(client.get(path, headers=UNKNOWN), "unauthenticated")
