"""The page as it is served: a document for each address, and files that are kept for ever."""

import gzip
import re
from dataclasses import replace
from html import unescape

import pytest

from service.api.context import provide, services
from service.web import files, version
from tests.api.problems import assert_problem
from tests.conftest import limited
from tests.statements import count_statements

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HOME = "http://localhost/v1/deals/cruel/semilla/board.png"
COMPRESSED_BYTES = 300_000


def get(client, path, **headers):
    return client.get(
        path, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


def meta(reply):
    """Give what previews of links read."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', reply.text)
    (title,) = re.findall("<title>(.*)</title>", reply.text)
    return {"title": unescape(title), **{name: unescape(text) for name, text in found}}


def links(reply):
    return re.findall(r'(?:href|src)="([^"]+)"', reply.text)


def test_the_first_page_says_what_it_is_in_the_language_that_is_asked_for(client):
    english, spanish = get(client, "/"), get(client, "/", Accept_Language="es-AR,es;q=0.9")
    assert meta(english)["og:title"] == "Semilla: patience from a seed"
    assert meta(spanish)["og:title"] == "Semilla: solitarios de una semilla"
    for reply, language in ((english, "en"), (spanish, "es")):
        assert reply.status_code == 200
        assert reply.content_type == "text/html; charset=utf-8"
        assert f'<html lang="{language}">' in reply.text
        assert reply.headers["Content-Language"] == language
        assert reply.headers["Vary"] == "Accept-Language"
        assert meta(reply)["og:image"] == HOME


def test_a_page_is_served_under_a_policy_that_lets_no_other_host_and_nothing_inline_in(client):
    for path in ("/", "/games/none", "/deals/cruel/32", f"/page/{version()}/app.js"):
        reply = get(client, path)
        assert reply.headers["Content-Security-Policy"] == POLICY
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
    document = get(client, "/").text
    assert "<style" not in document
    assert not re.search(r"<script(?![^>]* src=)|\son\w+=|style=", document)


PAGES = (
    *(
        "/",
        "/games/none",
        "/games/none/replay",
        "/deals/cruel/32",
        "/challenges",
        "/challenges/new",
    ),
    *("/challenges/none", "/daily/cruel", "/players/me", "/players/none"),
)


def test_there_is_a_page_for_every_address_of_one(app, client):
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("pages.")}
    known = [re.sub("<.*?>", "[^/]+", rule) for rule in rules]
    for path in PAGES:
        assert get(client, path).mimetype == "text/html"
    matched = [rule for rule in known if any(re.fullmatch(rule, path) for path in PAGES)]
    assert set(known) - set(matched) == {"/page/[^/]+/[^/]+", "/preview.png"}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_names_its_files_so_that_they_are_found_from_its_address(client, path):
    reply = get(client, path)
    root = "../" * (path.count("/") - 1)
    assert len(links(reply)) > 10
    for link in links(reply):
        assert link.startswith(f"{root}page/{version()}/")
        assert get(client, f"/{link.removeprefix(root)}").status_code == 200


def test_every_module_is_named_by_the_page_that_needs_it_but_for_the_words(client):
    named = {
        link.partition(f"{version()}/")[2] for path in PAGES for link in links(get(client, path))
    }
    modules = {name for name in files() if name.endswith(".js")}
    assert modules - named == {"i18n/en.js", "i18n/es.js"}


def test_a_page_is_asked_for_again_and_not_sent_again(client):
    reply = get(client, "/")
    assert reply.headers["Cache-Control"] == "no-cache"
    again = get(client, "/", If_None_Match=reply.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert get(client, "/", If_Match='"other"').status_code == 200


# ---- a game, a deal ----


def test_the_page_of_a_game_names_it_and_how_it_stands(player):
    player.start("cruel", "32")
    reply = get(player.client, f"/games/{player.id}")
    told = meta(reply)
    assert told["title"] == told["og:title"] == "Cruel, seed 32"
    assert told["description"] == "A game in progress: 4 of 52 cards are up."
    assert told["og:image"] == f"http://localhost/v1/games/{player.id}.png"
    assert told["og:url"] == f"http://localhost/games/{player.id}"
    player.play("12>F")
    player.act("resign")
    spanish = meta(get(player.client, f"/games/{player.id}", Accept_Language="es"))
    assert spanish["title"] == "Cruel, semilla 32"
    assert spanish["description"] == "Abandonada con 5 de 52 cartas arriba."


def test_the_page_of_a_game_tells_no_secret_and_is_the_same_for_all(player, db):
    player.start("calculation", "a-named-seed")
    path = f"/games/{player.id}"
    with count_statements(db) as seen:
        stranger = get(player.client, path)
    assert seen.verbs == ["SELECT"]
    assert meta(stranger)["title"] == "Calculation"
    assert player.client.get(path, headers=player.auth).data == stranger.data
    assert "a-named-seed" not in stranger.text


def test_a_game_that_a_stranger_does_not_find_may_be_there_for_its_player(client):
    for path in ("/games/none", "/games/none/replay"):
        reply = get(client, path)
        assert reply.status_code == 200
        assert meta(reply)["og:image"] == HOME


def test_the_page_of_a_deal_names_it_and_shows_it(client):
    told = meta(get(client, "/deals/ripple-fan/pysol-7"))
    assert told["title"] == "Ripple Fan, seed pysol-7"
    assert told["og:image"] == "http://localhost/v1/deals/ripple-fan/pysol-7/board.png"
    for query in ("deal=by_round", "bases=AS,2S,3S,4S"):
        variant = "cruel" if "deal" in query else "calculation"
        reply = get(client, f"/deals/{variant}/32?{query}&utm=x")
        image = meta(reply)["og:image"]
        assert image == f"http://localhost/v1/deals/{variant}/32/board.png?{query}"
        assert get(client, image.removeprefix("http://localhost")).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "klondike/1",
        "cruel/-",
        "cruel/pysol-0",
        "cruel/1?bases=AC",
        "cruel/1?deal=x",
        "cruel/%3Cb%3E",
    ],
)
def test_what_is_no_deal_has_the_first_page_with_404(client, path):
    reply = get(client, f"/deals/{path}")
    assert reply.status_code == 404
    assert meta(reply)["og:image"] == HOME
    assert "ETag" not in reply.headers


def test_whatever_an_address_holds_is_text_in_the_page(client):
    odd = '"><script>alert(1)</script>&'
    for path in (f"/games/{odd.replace('/', '')}", f"/deals/cruel/{odd.replace('/', '')}"):
        reply = get(client, path)
        assert reply.status_code in (200, 404)
        assert "<script>" not in reply.text
        assert 'content="">' not in reply.text


def test_addresses_are_those_of_the_public_url_or_of_a_host_that_is_one(app, client):
    told = meta(get(client, "/deals/cruel/32", Host="b<a>d"))
    assert told["og:image"] == "/v1/deals/cruel/32/board.png"
    with app.app_context():
        known = services()
    provide(app, replace(known, public_url="https://example.org/patience"))
    told = meta(get(client, "/deals/cruel/32"))
    assert told["og:image"] == "https://example.org/patience/v1/deals/cruel/32/board.png"
    assert told["og:url"] == "https://example.org/patience/deals/cruel/32"


# ---- files ----


def test_files_come_compressed_to_whoever_takes_that_and_may_be_kept_for_ever(client):
    for name, file in files().items():
        if name == "index.html":
            continue
        path = f"/page/{version()}/{name}"
        plain, packed = get(client, path), get(client, path, Accept_Encoding="br, gzip")
        assert plain.data == file.body == gzip.decompress(packed.data)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        for reply in (plain, packed):
            assert reply.content_type == file.mimetype
            assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert reply.headers["Vary"] == "Accept-Encoding"
        assert plain.headers["ETag"] != packed.headers["ETag"]
        again = get(client, path, If_None_Match=plain.headers["ETag"])
        assert again.status_code == 304


def test_the_whole_page_is_small():
    assert sum(len(file.packed) for file in files().values()) < COMPRESSED_BYTES


def test_who_asks_for_the_files_of_another_release_gets_these_but_not_for_ever(client):
    reply = get(client, "/page/0123456789abcdef/app.js")
    assert reply.data == files()["app.js"].body
    assert reply.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "index.html",
        "__init__.py",
        "../pages.py",
        "i18n",
        "i18n/",
        "%00",
        "..%2fapp.py",
    ],
)
def test_no_other_file_can_be_read(client, name):
    assert_problem(get(client, f"/page/{version()}/{name}"), "not_found")


def test_no_file_of_the_page_names_another_host():
    for name, file in files().items():
        text = file.body.decode("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, name


def test_the_parts_of_a_page_cost_nothing_and_its_documents_and_pictures_count(app, client, player):
    player.start()
    with limited(app, address=100, create=10):
        reply = get(client, f"/page/{version()}/app.js")
        assert "RateLimit" not in reply.headers
        left = [("/", 99, None), (f"/games/{player.id}", 98, None), ("/deals/cruel/1", 97, None)]
        left += [(f"/v1/games/{player.id}.png", 96, 9), ("/v1/deals/cruel/1/board.png", 95, 8)]
        for path, address, create in left:
            told = re.findall(r'"(\w+)";r=(\d+)', get(client, path).headers["RateLimit"])
            assert told == [("address", str(address))] + (
                [("create", str(create))] if create else []
            )


def test_the_first_page_its_files_and_deals_need_no_database(client, app):
    with app.app_context():
        known = services()
    provide(app, replace(known, db=None))
    for path in ("/", "/deals/cruel/1", f"/page/{version()}/app.js"):
        assert get(client, path).status_code == 200
