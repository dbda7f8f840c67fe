"""Tomorrow's dailies are had by no route: whoever asks for one is told what nonsense is told.

``tests/api/test_dailies.py`` asks every route of a challenge; here its id, its date and even its
seed stand in every place of every path, under every verb.
"""

import pytest
from sqlalchemy import func, select

from service.db.tables import Base
from tests.api.routes import BODIES, VALUES
from tests.conftest import NOON
from tests.dailies import daily_seed, stored_key
from tests.hosting import HOUR, Host
from tests.naive.deals import opening
from tests.naive.variants import CRUEL_VARIANTS

MIDNIGHT = NOON + 12 * HOUR
VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
# Whatever stands there is a seed, and has a deal of its own.
SEEDS = ("deals.get_deal", "pictures.get_deal_picture", "pictures.get_deal_png", "pages.deal")
# Files as they are, the same whatever stands before their names.
FILES = "pages.file"
# Documents that are there whatever is asked for, since it may be its player's.
DOCUMENTS = ("pages.game", "pages.replay")
# What means tomorrow's daily, and beside it what means nothing.
TEXTS = {
    "daily-cruel-2026-01-02": "dayli-cruel-2026-01-02",
    "daily-calculation-2026-01-02": "daily-calculation-2026-01-32",
    "2026-01-02": "2026-99-02",
}
QUERIES = (
    *("/v1/games?challenge={}", "/v1/games?player={}", "/v1/challenges?host={}"),
    *("/v1/challenges?variant={}", "/v1/daily/cruel?date={}", "/v1/leaderboards/cruel?period={}"),
    *("/v1/leaderboards/cruel?cursor={}", "/v1/challenges?cursor={}"),
)


def places(app):
    """Give each place of each path for a text: endpoint, its name, and how the path is built."""
    urls = app.url_map.bind("localhost")
    known = {**VALUES, "game_id": "a-game", "challenge_id": "daily-cruel-2026-01-01"}
    for rule in app.url_map.iter_rules():
        for name in sorted(rule.arguments):

            def build(text, rule=rule, name=name):
                values = {each: known[each] for each in rule.arguments}
                return urls.build(rule.endpoint, {**values, name: text})

            yield rule.endpoint, name, build


def told(reply, text):
    """Give all that a reply tells, but for the text itself and what is new each time."""
    # Pixels as they are: they hold no request id.
    body = reply.data.replace(reply.headers["X-Request-ID"].encode(), b"")
    for shown in (text, text[:40]):  # a long one is told in part
        body = body.replace(shown.encode(), b"*")
    # An ETag is that of the whole body, in which a page has its own address. A second may pass.
    new = ("X-Request-ID", "ETag", "Date")
    headers = [(name, value) for name, value in reply.headers if name not in new]
    return reply.status_code, body, headers


def counts(db):
    with db.connect() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in Base.metadata.sorted_tables
        }


@pytest.fixture
def ask(client, db):
    """Give what asks as a player who has registered."""
    auth = Host(client, db, "Ada").auth

    def send(verb, path, endpoint=None):
        body = {"json": BODIES[endpoint]} if endpoint in BODIES and verb != "GET" else {}
        headers = {**auth, "If-Match": "*"}
        return client.open(path, method=verb, headers=headers, buffered=True, **body)

    return send


def pairs(db):
    """Give the texts that mean tomorrow's, its seed included, each beside nonsense."""
    seed = daily_seed(stored_key(db), "cruel", "2026-01-02")
    return {**TEXTS, seed: seed[::-1]}


@pytest.mark.parametrize("ms", [NOON, MIDNIGHT - 1])
def test_tomorrows_is_told_from_nonsense_in_no_place_of_no_path(app, db, clock, ask, ms):
    clock.ms = ms
    before, asked = counts(db), 0
    for endpoint, name, build in places(app):
        if (endpoint in SEEDS and name == "seed") or endpoint == FILES:
            continue
        for text, nonsense in pairs(db).items():
            for verb in VERBS:
                reply = ask(verb, build(text), endpoint)
                assert told(reply, text) == told(ask(verb, build(nonsense), endpoint), nonsense)
                there = verb == "OPTIONS" or endpoint in DOCUMENTS
                assert there or reply.status_code >= 400, (verb, build(text))
                asked += 1
    assert asked > 800
    assert counts(db) == before


def test_tomorrows_is_told_from_nonsense_in_no_query(db, ask):
    before = counts(db)
    for query in QUERIES:
        for text, nonsense in pairs(db).items():
            reply, other = (ask("GET", query.format(each)) for each in (text, nonsense))
            assert told(reply, text) == told(other, nonsense)
            assert reply.status_code >= 400 or reply.json["items"] == []
    assert counts(db) == before


def test_as_a_seed_the_name_of_tomorrows_is_like_any_other(db, client):
    tomorrows = daily_seed(stored_key(db), "cruel", "2026-01-02")
    options = CRUEL_VARIANTS["cruel"]
    for text in TEXTS:
        dealt = client.get(f"/v1/deals/cruel/{text}").json["piles"]
        assert dealt == opening("cruel", options, text)["piles"]
        assert dealt != opening("cruel", options, tomorrows)["piles"]
