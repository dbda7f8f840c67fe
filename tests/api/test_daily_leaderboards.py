"""Rankings over the daily challenges against a naive model: every page, both ways, around each."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from typing import NamedTuple

import pytest
from sqlalchemy import update

from service.db.tables import games
from service.usecases.daily_leaderboards import rank_dailies
from service.usecases.pages import Place
from service.usecases.tokens import hash_token
from tests.api.problems import assert_problem
from tests.conftest import Player
from tests.hosting import DAY, Host
from tests.player_rows import add_challenge, add_entry, add_game
from tests.statements import count_statements

PERIODS = ("week", "month", "all")
# A Wednesday; the week began on the second of March, the month on the Sunday before it.
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
BEGINS = {"week": datetime(2026, 3, 2, tzinfo=UTC), "month": datetime(2026, 3, 1, tzinfo=UTC)}
DAYS = [datetime(2026, 2, 27, tzinfo=UTC) + timedelta(days=number) for number in range(6)]
NAMES = [f"player-{number:02}" for number in range(11)]


class Played(NamedTuple):
    """What the model knows of an attempt at a daily that counts."""

    variant: str
    day: datetime
    entry: str
    player: str
    won: bool
    actions: int


def ms(instant):
    return int(instant.timestamp() * 1000)


class World:
    """Players who have solved some of the dailies of six days, many as well as others."""

    def __init__(self, client, db):
        self.client = client
        self.db = db
        self.people = {name: Host(client, db, name) for name in NAMES}
        self.people["eve-the-bot"] = Host(client, db, "eve-the-bot", bot=True)
        self.played = []
        chance = random.Random(7)
        for variant in ("cruel", "cruel-strict", "calculation"):
            for day in DAYS:
                for name in NAMES:
                    self.play(variant, day, name, chance)
        day, cheats = DAYS[-1], {"disqualified_at": ms(day), "disqualified_reason": "a solver"}
        self.play("cruel", day, "eve-the-bot", chance, counts=False, **cheats)
        self.play("calculation", day, "eve-the-bot", chance)
        self.leave_out(chance)

    def daily(self, variant, day, **more):
        """Store a daily if it is not; give its id."""
        name = f"daily-{variant}-{day:%Y-%m-%d}"
        if not any((each.variant, each.day) == (variant, day) for each in self.played):
            times = {"starts_at": ms(day), "ends_at": ms(day) + DAY}
            add_challenge(self.db, None, id=name, variant=variant, **times, **more)
        return name

    def play(self, variant, day, name, chance, *, counts=True, **judged):
        """Have an attempt dealt, and perhaps won; or only enter."""
        challenge, player = self.daily(variant, day), self.people[name].player_id
        dealt = chance.random() < 0.8 or name == NAMES[0]
        entry = add_entry(self.db, challenge, player, dealt=int(dealt), **judged)
        if dealt:
            status = chance.choice(["won", "won", "lost", "resigned", "in_progress"])
            actions = chance.choice([90, 100])
            of = {"challenge_id": challenge, "entry_id": entry, "attempt": 1}
            add_game(
                self.db, player, variant=variant, status=status, actions=actions, ranks=True, **of
            )
            if counts:
                won = status == "won"
                self.played.append(Played(variant, day, entry, name, won, actions))

    def leave_out(self, chance):
        """Play what does not count: what has a host, is cancelled, or hidden; and free games."""
        host = self.people[NAMES[0]].player_id
        others = [
            (host, "another", {}),
            (None, "daily-cruel-2026-02-01", {"cancelled_at": 1}),
            (None, "daily-cruel-2026-02-02", {"hidden_at": 1}),
        ]
        for owner, name, more in others:
            times = {"starts_at": ms(DAYS[-1]), "ends_at": ms(DAYS[-1]) + DAY}
            add_challenge(self.db, owner, id=name, **times, **more)
            for person in chance.sample(NAMES, 5):
                player = self.people[person].player_id
                entry = add_entry(self.db, name, player, dealt=1)
                of = {"challenge_id": name, "entry_id": entry, "attempt": 1}
                add_game(self.db, player, status="won", actions=9, ranks=True, **of)
                add_game(self.db, player, status="won", actions=9)

    def expected(self, variant, period):
        """Give every item in its order, by what the contract says."""
        found = []
        for name in self.people:
            theirs = [
                each
                for each in self.played
                if (each.player, each.variant) == (name, variant)
                and (period == "all" or each.day >= BEGINS[period])
            ]
            if theirs:
                won = [each for each in theirs if each.won]
                item = {
                    "player": {"name": name, "bot": name == "eve-the-bot"},
                    "solved": len(won),
                    "actions": sum(each.actions for each in won),
                    "played": len(theirs),
                }
                found.append((-len(won), item["actions"], min(each.entry for each in theirs), item))
        found.sort(key=lambda row: row[:3])
        keys = [row[:2] for row in found]
        return [{"rank": keys.index(row[:2]) + 1, **row[3]} for row in found]

    def ask(self, variant="cruel", viewer=None, **query):
        """Ask for a page; give the reply."""
        headers = self.people[viewer].auth if viewer else {}
        path = f"/v1/leaderboards/{variant}"
        return self.client.get(path, query_string=query, headers=headers)

    def page(self, variant="cruel", viewer=None, **query):
        """Get a page."""
        reply = self.ask(variant, viewer, **query)
        assert reply.status_code == 200, reply.text
        assert reply.headers["Cache-Control"] == "no-store"
        return reply.json


@pytest.fixture
def world(client, db, clock):
    """Give the players and their dailies."""
    clock.ms = ms(NOW)
    return World(client, db)


def test_everybody_stands_where_the_model_says(world):
    for variant in ("cruel", "cruel-strict", "calculation", "royal-family"):
        for period in PERIODS:
            page = world.page(variant, period=period)
            assert page["items"] == world.expected(variant, period), (variant, period)
            assert page["next"] is page["prev"] is None
            assert (page["variant"], page["period"]) == (variant, period)
            assert page["now"] == "2026-03-04T12:00:00.000Z"
    ranks = [item["rank"] for item in world.expected("cruel", "week")]
    assert len(set(ranks)) < len(ranks)
    assert len(world.expected("calculation", "all")) == 12
    assert world.expected("royal-family", "all") == []


def test_a_period_is_that_of_today_in_utc(world):
    bounds = {
        period: (world.page(period=period)["starts_at"], world.page(period=period)["ends_at"])
        for period in PERIODS
    }
    assert bounds == {
        "week": ("2026-03-02T00:00:00.000Z", "2026-03-09T00:00:00.000Z"),
        "month": ("2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"),
        "all": (None, None),
    }
    assert world.page() == world.page(period="week")


@pytest.mark.parametrize(
    ("today", "week", "month"),
    [
        ("2026-03-02T00:00:00", "2026-03-02", "2026-03-01"),
        ("2026-03-01T23:59:59", "2026-02-23", "2026-03-01"),
        ("2026-12-31T12:00:00", "2026-12-28", "2026-12-01"),
        ("2027-01-01T00:00:00", "2026-12-28", "2027-01-01"),
        ("2028-02-29T12:00:00", "2028-02-28", "2028-02-01"),
    ],
)
def test_weeks_begin_on_monday_and_months_on_the_first(client, clock, today, week, month):
    clock.ms = ms(datetime.fromisoformat(f"{today}+00:00"))
    for period, begins in (("week", week), ("month", month)):
        page = client.get(f"/v1/leaderboards/cruel?period={period}").json
        assert page["starts_at"] == f"{begins}T00:00:00.000Z"
        first = datetime.fromisoformat(begins)
        after = first + timedelta(days=7)
        if period == "month":
            after = (first + timedelta(days=32)).replace(day=1)
        assert page["ends_at"] == f"{after:%Y-%m-%d}T00:00:00.000Z"


def test_pages_lead_to_the_end_and_back(world):
    for limit, period in product(range(1, 8), PERIODS):
        wanted = world.expected("cruel", period)
        pages = [world.page(period=period, limit=limit)]
        while pages[-1]["next"]:
            pages.append(world.page(period=period, limit=limit, cursor=pages[-1]["next"]))
            assert len(pages) < 20
        assert [item for page in pages for item in page["items"]] == wanted
        assert all(len(page["items"]) == limit for page in pages[:-1])
        assert [page["prev"] is None for page in pages] == [True] + [False] * (len(pages) - 1)
        for before, after in pairwise(pages):
            back = world.page(period=period, limit=limit, cursor=after["prev"])
            assert back == before


def test_the_page_around_somebody_has_them_in_its_middle(world):
    wanted = world.expected("cruel", "all")
    for limit, (place, item) in product(range(1, 8), enumerate(wanted)):
        name = item["player"]["name"]
        page = world.page(viewer=name, period="all", limit=limit, around="me")
        first = max(place - (limit - 1) // 2, 0)
        assert page["items"] == wanted[first : first + limit]
        assert (page["prev"] is None) == (first == 0)
        assert (page["next"] is None) == (first + limit >= len(wanted))
        if page["prev"]:
            before = world.page(period="all", limit=limit, cursor=page["prev"])["items"]
            assert before == wanted[max(first - limit, 0) : first]
        if page["next"]:
            after = world.page(period="all", limit=limit, cursor=page["next"])["items"]
            assert after == wanted[first + limit : first + 2 * limit]


def test_around_oneself_needs_a_player_who_has_played(world):
    assert_problem(world.ask(around="me"), "unauthenticated")
    assert_problem(world.ask(viewer="eve-the-bot", around="me"), "not_entered")
    assert_problem(world.ask("royal-family", NAMES[0], around="me"), "not_entered")
    game = Player(world.client)
    game.start()
    around = world.client.get("/v1/leaderboards/cruel?around=me", headers=game.auth)
    assert_problem(around, "forbidden")
    assert world.client.get("/v1/leaderboards/cruel", headers=game.auth).json == world.page()


def test_who_is_gone_keeps_their_rank_without_a_name(world):
    wanted = world.expected("cruel", "all")
    gone = wanted[3]["player"]["name"]
    left = world.client.delete("/v1/players/me", headers=world.people[gone].auth)
    assert left.status_code == 204
    wanted[3]["player"]["name"] = None
    assert world.page(period="all")["items"] == wanted
    reply = world.client.get("/v1/leaderboards/cruel?period=all", headers={"Accept": "text/plain"})
    assert "a player who is gone" in reply.text
    assert gone not in reply.text


def test_what_is_solved_today_counts_at_once(client, db, clock):
    clock.ms = ms(NOW)
    ada = Host(client, db, "Ada")
    path = f"/v1/challenges/daily-cruel-{NOW:%Y-%m-%d}/entries/me"
    board = "/v1/leaderboards/cruel"
    client.put(path, headers=ada.auth)
    assert client.get(board).json["items"] == []
    game = client.put(f"{path}/attempts/1", headers=ada.auth).json["id"]
    mine = {"rank": 1, "player": {"name": "Ada", "bot": False}, "played": 1}
    assert client.get(board).json["items"] == [{**mine, "solved": 0, "actions": 0}]
    with db.connect() as connection:
        won = update(games).where(games.c.id == game)
        connection.execute(won.values(status="won", moves=80, redeals=7))
    assert client.get(board).json["items"] == [{**mine, "solved": 1, "actions": 87}]
    clock.ms = ms(NOW) + 5 * DAY
    assert client.get(board).json["items"] == []
    assert len(client.get(f"{board}?period=month").json["items"]) == 1


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("period=year", "period"),
        ("period=", "period"),
        ("around=you", "around"),
        ("around=me&cursor=x", "around"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("host=ana", "host"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused(client, query, name):
    reply = client.get(f"/v1/leaderboards/cruel?{query}")
    assert_problem(reply, "validation_failed", parameters=[name])


@pytest.mark.parametrize("cursor", ["x", "", "%00", "WyJhZnRlciIsMSwyXQ", "a" * 3_000])
def test_a_cursor_of_another_list_is_refused(client, cursor):
    assert_problem(client.get(f"/v1/leaderboards/cruel?cursor={cursor}"), "bad_cursor")


@pytest.mark.parametrize("variant", ["patience", "CRUEL", "a%00b", "%ff", "x" * 3_000])
def test_an_unknown_variant_has_no_ranking(client, variant):
    assert_problem(client.get(f"/v1/leaderboards/{variant}"), "not_found")


@pytest.mark.parametrize("variant", ["cruel", "patience"])
def test_an_unknown_token_is_told_of_first(client, variant):
    unknown = {"Authorization": "Bearer sp_nobody"}
    reply = client.get(f"/v1/leaderboards/{variant}", headers=unknown)
    assert_problem(reply, "unauthenticated")


def test_it_is_drawn_for_a_terminal(world):
    text = {"Accept": "text/plain"}
    reply = world.client.get("/v1/leaderboards/calculation?period=all", headers=text)
    rows = [line.split() for line in reply.text.splitlines()[4:]]
    wanted = [
        [
            str(item["rank"]),
            item["player"]["name"],
            *(["bot"] if item["player"]["bot"] else []),
            *(str(item[name]) for name in ("solved", "played", "actions")),
        ]
        for item in world.expected("calculation", "all")
    ]
    assert rows == wanted
    first = world.client.get("/v1/leaderboards/cruel?limit=2", headers=text).text
    assert "from      2026-03-02T00:00:00.000Z" in first
    assert "to        2026-03-09T00:00:00.000Z" in first
    more = first.splitlines()[-1].removeprefix("More: ")
    following = world.client.get(more.removeprefix("http://localhost")).json["items"]
    assert following == world.expected("cruel", "week")[2:4]


def test_a_page_is_two_selects_and_one_for_the_caller_and_one_more_the_first_time(world, db):
    token = hash_token(world.people[NAMES[0]].token)
    place = Place(None, None, 3)

    def verbs(shown, *, around_me):
        with count_statements(db) as seen:
            rank_dailies(
                db,
                "cruel",
                shown,
                period="all",
                around_me=around_me,
                place=place,
                now=ms(NOW),
            )
        return seen.verbs

    assert verbs(None, around_me=False) == ["SELECT"] * 3
    assert verbs(None, around_me=False) == ["SELECT"] * 2
    assert verbs(token, around_me=False) == ["SELECT"] * 3
    assert verbs(token, around_me=True) == ["SELECT"] * 3
