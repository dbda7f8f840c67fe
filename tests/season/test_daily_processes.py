"""Today's dailies from several servers, at once and one after the other: the same for all."""

import time
from contextlib import closing, contextmanager

import pytest

from service.app import create_app
from service.config import Config
from tests.conftest import UNLIMITED, Clock
from tests.dailies import daily_seed, stored_key
from tests.faults.pairs import Ask, Line
from tests.faults.test_concurrency import database
from tests.faults.twins import new_name, now_ms
from tests.hosting import DAY, MINUTE, commitment
from tests.naive.deals import opening
from tests.naive.variants import CRUEL_VARIANTS, DEFAULT_BASES
from tests.servers import started_server

__all__ = ["database"]  # the fixture

VARIANTS = [*CRUEL_VARIANTS, "calculation"]


class Asker:
    """Somebody who asks one server, each time over a new connection: idle ones are closed."""

    def __init__(self, server):
        self.server = server

    def ask(self, verb, path, body=None, token=None):
        with closing(Line(self.server)) as line:
            reply = line.send(Ask(verb, path, body, token))
        assert reply.status in (200, 201), reply.text
        return reply.json

    def dailies(self):
        """Give what does not change of every variant's daily."""
        kept = ("id", "commitment", "terms", "title", "starts_at", "ends_at", "created_at")
        found = {each: self.ask("GET", f"/v1/daily/{each}") for each in VARIANTS}
        return {each: {name: found[each][name] for name in kept} for each in VARIANTS}

    def deal(self, token, ids):
        """Enter these dailies and have them dealt; give what is dealt."""
        found = {}
        for variant, name in ids.items():
            self.ask("PUT", f"/v1/challenges/{name}/entries/me", token=token)
            path = f"/v1/challenges/{name}/entries/me/attempts/1"
            state = self.ask("PUT", path, token=token)
            assert state.get("seed") is None
            found[variant] = state.get("piles") or state["card"]
        return found

    def register(self):
        return self.ask("POST", "/v1/players", {"name": new_name()})["token"]


@contextmanager
def served(folder, database):
    """Give who asks a server that has just started, on the one database of the test."""
    settings = {"WEB_CONCURRENCY": "1", "LOG_LEVEL": "info", **database}
    with started_server(folder, **settings) as server:
        yield Asker(server)


@pytest.fixture
def today():
    """Give the day's number, which does not change while the test runs."""
    left = DAY - now_ms() % DAY
    if left < 2 * MINUTE:
        time.sleep((left + 1_000) / 1_000)
    return now_ms() // DAY


def test_all_servers_of_a_database_deal_one_daily_and_tell_it_when_it_is_over(
    tmp_path, database, today
):
    with served(tmp_path, database) as first:
        told = first.dailies()
        ids = {variant: told[variant]["id"] for variant in VARIANTS}
        dealt = first.deal(first.register(), ids)
        # At once, and after the first has stored them.
        with served(tmp_path, database) as second:
            assert second.dailies() == told
            token = second.register()
            assert second.deal(token, ids) == dealt
            assert first.deal(token, ids) == dealt
    with served(tmp_path, database) as third:
        assert third.dailies() == told
        assert third.deal(third.register(), ids) == dealt
    _check_the_day_after(tmp_path, database, (today + 1) * DAY, told, dealt)


def _check_the_day_after(folder, database, midnight, told, dealt):
    """Check the seeds that a process tells for which the day is over."""
    asked = {"SEMILLA_DATA": str(folder / "data"), **database}
    config = Config.from_env({**asked, **{name.upper(): "0" for name in UNLIMITED}})
    app = create_app(config, Clock(midnight))
    db = app.extensions["semilla"].db
    try:
        key, client = stored_key(db), app.test_client()
        for variant in VARIANTS:
            over = client.get(f"/v1/challenges/{told[variant]['id']}").json
            assert over["state"] == "finished"
            assert over["entered"] == 3
            day = told[variant]["id"].removeprefix(f"daily-{variant}-")
            assert over["seed"] == daily_seed(key, variant, day)
            assert told[variant]["commitment"] == commitment(over["seed"], over["terms"])
            assert dealt[variant] == _dealt(variant, over["seed"])
            new = client.get(f"/v1/daily/{variant}").json
            assert new["id"] != told[variant]["id"]
            assert new["commitment"] != told[variant]["commitment"]
    finally:
        db.dispose()


def _dealt(variant, seed):
    if variant == "calculation":
        return opening("calculation", {"bases": DEFAULT_BASES}, seed)["stock"][0]
    return opening("cruel", CRUEL_VARIANTS[variant], seed)["piles"]
