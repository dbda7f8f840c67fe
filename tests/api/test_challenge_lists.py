"""Lists of challenges against a naive model: who sees which, in which order, page by page."""

import base64
import json
from itertools import pairwise
from typing import NamedTuple

import pytest
from sqlalchemy import insert, update

from service.db.tables import player_names, players
from tests.api.problems import assert_problem
from tests.conftest import NOON, Player
from tests.hosting import HOUR, Host, change_row, rfc, stored

STATES = ("scheduled", "running", "finished", "cancelled")
LATER = {"starts_at": rfc(NOON + 2 * HOUR), "ends_at": rfc(NOON + 3 * HOUR)}


class Known(NamedTuple):
    """What the model knows of a challenge."""

    id: str
    created_at: int
    host: str
    state: str
    variant: str
    shown: bool
    entrants: tuple[str, ...] = ()


class World:
    """Three players, and challenges of every state, kind and visibility."""

    def __init__(self, client, db, clock):
        self.client = client
        self.db = db
        self.people = {name: Host(client, db, name) for name in ("Ana", "Bea", "Eva")}
        self.known = []
        for variant in ("cruel", "calculation"):
            for state in STATES:
                self.add(clock, "Ana", state, variant)
                self.add(clock, "Bea", state, variant, entrants=("Eva",))
            self.add(clock, "Ana", "running", variant, visibility="unlisted", entrants=("Bea",))
            self.add(clock, "Eva", "scheduled", variant, hidden=True, entrants=("Ana",))
        clock.ms = NOON + HOUR

    def add(self, clock, name, state, variant, *, hidden=False, entrants=(), **body):
        """Set up a challenge that is in this state an hour after noon."""
        clock.tick(len(self.known) % 2)  # some at the same millisecond
        times = {"scheduled": LATER, "finished": {"ends_at": rfc(NOON + HOUR)}}.get(state, {})
        host = self.people[name]
        made = host.create(variant=variant, **times, **body)
        for entrant in entrants:
            self.people[entrant].enter(host, now=clock.ms)
        if state == "cancelled":
            host.cancel()
        if hidden:
            change_row(self.db, host.id, hidden_at=clock.ms)
        shown = not hidden and made["visibility"] == "public"
        self.known.append(Known(host.id, clock.ms, name, state, variant, shown, tuple(entrants)))

    def expected(self, viewer=None, *, mine=False, status=None, variant=None, host=None):
        """Give the ids that a list must have."""
        found = []
        for each in self.known:
            theirs = viewer is not None and viewer in (each.host, *each.entrants)
            over = each.state in ("finished", "cancelled")
            fits = theirs and (status is not None or not over) if mine else each.shown
            fits = fits and status in (None, each.state) and variant in (None, each.variant)
            if fits and (host is None or host.lower() == each.host.lower()):
                found.append(each)
        return [
            each.id for each in sorted(found, key=lambda each: (each.created_at, each.id))[::-1]
        ]

    def page(self, viewer=None, **query):
        """Get a page."""
        headers = self.people[viewer].auth if viewer else {}
        reply = self.client.get("/v1/challenges", query_string=query, headers=headers)
        assert reply.status_code == 200, reply.text
        assert reply.json.keys() == {"items", "next", "prev"}
        assert reply.headers["Cache-Control"] == "no-store"
        return reply.json


def ids(page):
    return [item["id"] for item in page["items"]]


@pytest.fixture
def world(client, db, clock):
    """Give the three players and their challenges."""
    return World(client, db, clock)


@pytest.mark.parametrize("mine", [False, True])
def test_every_list_holds_what_it_must_newest_first(world, mine):
    for viewer in (None, "Ana", "Bea", "Eva"):
        if mine and viewer is None:
            continue
        for status in (None, *STATES):
            for more in (
                {},
                {"variant": "cruel"},
                {"host": "aNa"},
                {"host": "Bea"},
                {"host": "Zoe"},
            ):
                query = {**more, **({"status": status} if status else {})}
                page = world.page(viewer, **query, **({"mine": "true"} if mine else {}))
                assert ids(page) == world.expected(viewer, mine=mine, **query), (viewer, query)
                assert page["next"] is page["prev"] is None
    assert ids(world.page("Ana", mine="false")) == world.expected()
    assert len(world.expected()) == 16


@pytest.mark.parametrize("limit", range(1, 8))
def test_pages_lead_to_the_end_and_back(world, limit):
    for viewer, query in ((None, {}), ("Ana", {"mine": "true"}), (None, {"status": "running"})):
        wanted = world.expected(viewer, mine="mine" in query, status=query.get("status"))
        pages = [world.page(viewer, limit=limit, **query)]
        while pages[-1]["next"]:
            pages.append(world.page(viewer, limit=limit, cursor=pages[-1]["next"], **query))
            assert len(pages) < 20
        assert [each for page in pages for each in ids(page)] == wanted
        assert all(len(page["items"]) == limit for page in pages[:-1])
        assert [page["prev"] is None for page in pages] == [True] + [False] * (len(pages) - 1)
        for before, after in pairwise(pages):
            back = world.page(viewer, limit=limit, cursor=after["prev"], **query)
            assert ids(back) == ids(before)
            assert back["next"] is not None
            assert (back["prev"] is None) == (before["prev"] is None)


def test_a_page_goes_on_where_it_was_though_others_come(world, clock):
    first = world.page(limit=5)
    wanted = world.expected()
    world.add(clock, "Ana", "running", "cruel")
    second = world.page(limit=5, cursor=first["next"])
    assert ids(second) == wanted[5:10]
    assert ids(world.page(limit=5, cursor=second["prev"])) == wanted[:5]


def test_a_cursor_whose_rows_are_gone_gives_a_page_without_any(world):
    last = world.page("Ana", mine="true", limit=1)["next"]
    page = world.page(cursor=last, status="cancelled", host="Zoe")
    assert page == {"items": [], "next": None, "prev": None}


def test_an_item_is_the_challenge_without_its_former_terms_and_its_par(world):
    for viewer in (None, "Eva"):
        headers = world.people[viewer].auth if viewer else {}
        for item in world.page(viewer)["items"]:
            whole = world.client.get(f"/v1/challenges/{item['id']}", headers=headers).json
            former, par = whole.pop("former_terms"), whole.pop("par")
            assert (item, former) == (whole, [])
            assert (par is not None) <= (item["state"] == "finished")
            assert ("seed" in item) == (item["state"] == "finished")
    entered = [item["me"] for item in world.page("Eva")["items"]]
    assert any(entered)
    assert not all(entered)


def test_a_host_is_found_by_a_former_name_too(world, db):
    ana = world.people["Ana"].player_id
    with db.connect() as connection:
        connection.execute(insert(player_names), {"folded": "anita", "player_id": ana})
        connection.execute(update(players).where(players.c.id == ana).values(name="Anita"))
    for name in ("Ana", "ANITA"):
        assert ids(world.page(host=name)) == world.expected(host="Ana")


def test_what_is_mine_needs_a_players_token(client, db):
    game = Player(client)
    game.start()
    assert_problem(client.get("/v1/challenges?mine=true"), "unauthenticated")
    assert_problem(client.get("/v1/challenges?mine=true", headers=game.auth), "forbidden")
    unknown = {"Authorization": "Bearer sp_nobody"}
    for path in ("/v1/challenges", "/v1/challenges?mine=true"):
        assert_problem(client.get(path, headers=unknown), "unauthenticated")
    assert client.get("/v1/challenges", headers=game.auth).json["items"] == []
    assert Host(client, db).client.get("/v1/challenges").json["items"] == []


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("status=over", "status"),
        ("status=", "status"),
        ("variant=patience", "variant"),
        ("host=", "host"),
        ("host=ab", "host"),
        ("host=%00abc", "host"),
        ("host=abc%0A", "host"),
        ("host=" + "x" * 25, "host"),
        ("host=%C3%B1and%C3%BA", "host"),
        ("mine=1", "mine"),
        ("mine=", "mine"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("page=2", "page"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused(client, query, name):
    reply = client.get(f"/v1/challenges?{query}")
    assert_problem(reply, "validation_failed", parameters=[name])


def cursor(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "ñ",
        "a" * 10_000,
        cursor(b"after:1"),
        cursor(b"\xff\xfe"),
        cursor(b"["),
        cursor(b"[" * 5_000),
        cursor(1),
        cursor(None),
        cursor({}),
        cursor({"after": 1, "x": 2}),
        cursor("after"),
        cursor([]),
        cursor(["after"]),
        cursor(["after", 1]),
        cursor(["after", "1", "x"]),
        cursor(["after", 1, 2]),
        cursor(["after", 1.5, "x"]),
        cursor(["after", True, "x"]),
        cursor(["after", None, "x"]),
        cursor(["after", 1, "x", "y"]),
        cursor(["beside", 1, "x"]),
        cursor([["after"], 1, "x"]),
        cursor([{}, 1, "x"]),
        cursor(["after", 2**63, "x"]),
        cursor(["after", 10**30, "x"]),
        cursor(["after", 1, "a\x00b"]),
        cursor(b'["after",1,"\\ud800"]'),
    ],
)
def test_a_text_that_is_no_cursor_is_refused(client, text):
    reply = client.get("/v1/challenges", query_string={"cursor": text})
    assert_problem(reply, "bad_cursor", says="next or prev of a page")


@pytest.mark.parametrize("side", ["after", "before"])
def test_a_cursor_that_somebody_made_up_gives_a_page_of_the_list(world, side):
    wanted = world.expected()
    keys = {each: (stored(world.db, each)["created_at"], each) for each in wanted}
    for ms in (-(2**63) + 1, 0, NOON, NOON + 3, 2**63 - 1):
        for name in ("", "zzz", "ñ", "'; --"):
            page = world.page(cursor=cursor([side, ms, name]), limit=200)
            fits = {
                "after": lambda key, place: key < place,
                "before": lambda key, place: key > place,
            }[side]
            assert ids(page) == [each for each in wanted if fits(keys[each], (ms, name))]
