"""``semilla challenge``: what an operator does to challenges, and the lines that tell of it."""

import json
import time

import pytest
from sqlalchemy import select

from service.db.tables import entries, events, games
from service.usecases import challenges, new_games
from service.usecases.challenge_states import EntryState
from service.usecases.tokens import hash_token
from tests.cli.operating import complaint, invoke
from tests.hosting import DAY, change_row, enter, stored
from tests.players import new_player, player_id


@pytest.fixture
def settings(config):
    """Give the settings of the test's database."""
    return {"SEMILLA_DATA": str(config.data), "DATABASE_URL": config.database_url or None}


@pytest.fixture
def now():
    """Give the time, which commands take from the wall clock."""
    return time.time_ns() // 1_000_000


@pytest.fixture
def made(db, now):
    """Give a challenge with an attempt in play, one that has ended and one whose time is up."""
    host = hash_token(new_player(db, "Ana"))
    asked = {"title": "x", "variant": "cruel", "attempts": 3}
    made = challenges.create(db, host, asked, now).view.id
    cases = {"in-play": (None, now + DAY), "ended": (now, now + DAY), "late": (None, now - 1)}
    for name, (ended_at, deadline) in cases.items():
        player = new_player(db, name)
        columns = {"dealt": 1, "attempt_ended_at": ended_at, "deadline": deadline}
        enter(db, made, player_id(db, player), now, **columns)
        terms = {"options": {}, "seed": "semilla", "undo": False}
        game = new_games.create(db, variant="cruel", **terms, now=now).view.id
        with db.connect() as connection:
            attempt = {"challenge_id": made, "deadline": deadline, "finished_at": ended_at}
            connection.execute(games.update().where(games.c.id == game).values(attempt))
    return made


def deadlines(db, table):
    with db.connect() as connection:
        return sorted(connection.execute(select(table.c.deadline)).scalars())


def test_an_operator_cancels_what_is_being_played(db, settings, made, now):
    result = invoke("challenge", "cancel", made, **settings)
    assert result.stdout == f"{made} is cancelled, 1 attempts in play ended\n"
    line = json.loads(result.stderr)
    assert (line["logger"], line["message"]) == ("service.operator", "challenge cancel")
    assert line["challenge"] == made
    row = stored(db, made)
    assert row["cancelled_at"] >= now
    with db.connect() as connection:
        event = connection.execute(select(events).where(events.c.kind == "cancelled")).one()
    assert (event.player_id, event.number, event.at) == (None, row["revision"], row["cancelled_at"])
    for table in (entries, games):
        assert deadlines(db, table) == [now - 1, row["cancelled_at"], now + DAY]
    view = challenges.read(db, made, None, now + 100 * DAY)
    assert (view.state, view.seed, view.revealed_at) == ("cancelled", None, None)


def test_a_second_cancellation_changes_nothing(db, settings, made):
    invoke("challenge", "cancel", made, **settings)
    before = stored(db, made)
    result = invoke("challenge", "cancel", made, **settings)
    assert result.stdout == f"{made} is cancelled, 0 attempts in play ended\n"
    assert stored(db, made) == before


def test_what_has_finished_is_not_cancelled(db, settings, made, now):
    change_row(db, made, finishes_at=now - 1)
    line = complaint("challenge", "cancel", made, **settings)
    assert line == f"Error: challenge {made} has finished: there is nothing left to cancel"


def test_an_operator_hides_a_challenge(db, settings, made, client, now):
    public = client.get("/v1/challenges")
    assert [item["id"] for item in public.json["items"]] == [made]
    for _ in range(2):
        result = invoke("challenge", "hide", made, **settings)
        assert result.stdout == f"{made} is hidden\n"
        line = json.loads(result.stderr)
        assert (line["logger"], line["message"]) == ("service.operator", "challenge hide")
        hidden = stored(db, made)["hidden_at"]
        assert hidden >= now
    assert stored(db, made)["hidden_at"] == hidden
    assert client.get("/v1/challenges").json["items"] == []
    assert client.get(f"/v1/challenges/{made}").status_code == 404


@pytest.mark.parametrize("command", ["cancel", "hide"])
def test_a_challenge_that_is_not_there_is_named(db, settings, command):
    assert db
    line = complaint("challenge", command, "nothing", **settings)
    assert line == "Error: there is no challenge nothing"


def test_attempts_in_play_have_timed_out_then(db, settings, now):
    host = new_player(db, "Ana")
    asked = {"title": "x", "variant": "cruel"}
    made = challenges.create(db, hash_token(host), asked, now).view.id
    enter(db, made, player_id(db, host), now, dealt=1, deadline=now + DAY)
    invoke("challenge", "cancel", made, **settings)
    at = stored(db, made)["cancelled_at"]
    assert challenges.read(db, made, hash_token(host), at).me.state is EntryState.TIMED_OUT


def test_nothing_is_done_to_a_database_without_its_schema(tmp_path):
    line = complaint("challenge", "hide", "x", SEMILLA_DATA=str(tmp_path / "other"))
    assert "there is no schema" in line
