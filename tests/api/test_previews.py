"""What a link to a page shows before anybody opens it: never more than a stranger may know."""

import json
import re

import pytest

from tests.api.test_pages import HOME, get, meta
from tests.conftest import NOON
from tests.hosting import HOUR, Host, rfc, stored

PICTURE = "http://localhost/preview.png"
CARDS = re.compile(r"\b[A23456789TJQK][CDHS]\b")


@pytest.fixture
def host(client, db):
    """Give somebody who hosts."""
    return Host(client, db)


def told_of(host):
    return meta(get(host.client, f"/challenges/{host.id}"))


def test_a_race_is_told_of_in_each_state_in_both_languages(host, clock):
    host.create(
        title="Sunday", clock="shared", starts_at=rfc(NOON + HOUR), ends_at=rfc(NOON + 3 * HOUR)
    )
    told = told_of(host)
    assert told["title"] == told["og:title"] == "Sunday"
    assert told["description"] == (
        "Cruel, a race: it starts on 2026-01-01 13:00 UTC. 0 have entered."
    )
    assert told["og:image"] == PICTURE
    assert told["og:url"] == f"http://localhost/challenges/{host.id}"
    host.client.put(f"{host.path}/entries/me", headers=host.auth)
    clock.ms = NOON + 2 * HOUR
    assert told_of(host)["description"] == (
        "Cruel, a race: until 2026-01-01 15:00 UTC. 1 have entered."
    )
    clock.ms = NOON + 4 * HOUR
    assert told_of(host)["description"] == "Cruel, a race: it is over. 1 took part."
    spanish = meta(get(host.client, f"/challenges/{host.id}", Accept_Language="es"))
    assert spanish["description"] == "Cruel, una carrera: ha terminado. Participantes: 1."


def test_a_challenge_that_was_cancelled_says_so_and_shows_no_card_ever(host, clock):
    host.create(variant="calculation")
    host.cancel()
    clock.ms = NOON + 48 * HOUR
    told = told_of(host)
    assert told["description"] == "Calculation, a challenge: it was cancelled."
    assert told["og:image"] == PICTURE


@pytest.mark.parametrize("seed", [None, "32"])
@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_the_board_of_a_challenge_is_shown_after_the_reveal_and_not_before(
    host, clock, variant, seed
):
    host.create(variant=variant, seed=seed, ends_at=rfc(NOON + HOUR))
    secret = stored(host.db, host.id)["seed"]
    for now in (NOON, NOON + HOUR - 1):
        clock.ms = now
        page = get(host.client, f"/challenges/{host.id}")
        assert meta(page)["og:image"] == PICTURE
        assert seed or secret not in page.text
        assert not CARDS.search(page.text)
    clock.ms = NOON + HOUR
    image = told_of(host)["og:image"]
    deal = image.removeprefix("http://localhost").replace("/board.png", "")
    assert deal.startswith(f"/v1/deals/{variant}/{secret}")
    assert get(host.client, image.removeprefix("http://localhost")).content_type == "image/png"
    shown, options = get(host.client, deal).json, json.loads(stored(host.db, host.id)["options"])
    assert shown["options"] == options


def test_the_picture_of_a_finished_challenge_is_of_its_own_deal(host, clock):
    asked = {"deal": "by_round"}
    host.create(options=asked, seed="32", ends_at=rfc(NOON + HOUR))
    clock.ms = NOON + HOUR
    assert told_of(host)["og:image"].endswith("/v1/deals/cruel/32/board.png?deal=by_round")
    clock.ms = NOON
    bases = ["AS", "2H", "3D", "4C"]
    host.create(
        variant="calculation", options={"bases": bases}, seed="32", ends_at=rfc(NOON + HOUR)
    )
    clock.ms = NOON + HOUR
    assert told_of(host)["og:image"].endswith("/board.png?bases=AS,2H,3D,4C")


def test_a_title_is_text(host):
    host.create(title='</title><script>x</script>"&')
    page = get(host.client, f"/challenges/{host.id}")
    assert "<script>x" not in page.text
    assert meta(page)["title"] == '</title><script>x</script>"&'


def test_what_is_hidden_or_to_come_is_not_there(host):
    for name in ("none", "daily-cruel-2026-01-02"):
        page = get(host.client, f"/challenges/{name}")
        assert page.status_code == 404
        assert meta(page)["og:image"] == HOME


def test_the_daily_is_told_of_by_its_variant(client):
    told = meta(get(client, "/daily/ripple-fan"))
    assert told["title"] == "The daily deal of Ripple Fan"
    assert told["og:image"] == PICTURE
    spanish = meta(get(client, "/daily/ripple-fan", Accept_Language="es"))
    assert spanish["title"] == "Las cartas del día de Ripple Fan"
    assert get(client, "/daily/klondike").status_code == 404


def test_a_player_is_told_of_by_what_they_have_won(host):
    started = host.client.post("/v1/games", json={"seed": "32"}, headers=host.auth).json
    host.client.post(f"/v1/games/{started['id']}/resign", headers=host.auth)
    told = meta(get(host.client, "/players/ana"))
    # The name as they write it themselves.
    assert told["title"] == "Ana"
    assert told["description"] == "0 of 1 finished games won."
    assert get(host.client, "/players/nobody").status_code == 404


def test_whoever_asks_is_shown_the_same_page(host):
    host.create()
    for path in (f"/challenges/{host.id}", "/players/Ana", "/players/me"):
        assert get(host.client, path).data == host.client.get(path, headers=host.auth).data


def test_the_picture_without_a_card_is_a_png_that_may_be_kept(client):
    reply = get(client, "/preview.png")
    assert reply.data.startswith(b"\x89PNG")
    assert int.from_bytes(reply.data[16:20]) == 640
    assert reply.headers["Cache-Control"] == "public, max-age=86400"
    again = get(client, "/preview.png", If_None_Match=reply.headers["ETag"])
    assert again.status_code == 304
