"""``semilla player``: tokens, names and disabling by the operator."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from service.db.engine import open_engine
from service.usecases.players import register
from service.usecases.tokens import hash_token, token_is_known
from tests.cli.operating import complaint, invoke
from tests.conftest import NOON, SQLITE_ONLY

ACTIONS = [["token"], ["rename", "Bea"], ["disable"]]


@pytest.fixture
def settings(config):
    """Give the settings of a database with the newest schema."""
    settings = {"SEMILLA_DATA": str(config.data), "DATABASE_URL": config.database_url}
    invoke("db", "upgrade", **settings)
    return settings


@pytest.fixture
def engine(config, settings):
    assert settings
    engine = open_engine(config.url)
    yield engine
    engine.dispose()


@pytest.fixture
def ana(engine):
    """Register a player; give the token."""
    return register(engine, name="Ana", bot=False, now=NOON).token


def act(action, name="ana"):
    """Give the words of an action on a player."""
    return ["player", action[0], name, *action[1:]]


def line_of(result):
    """Give the one line of the log, without what changes."""
    (line,) = result.stderr.splitlines()
    found = json.loads(line)
    assert re.fullmatch(r"20\d\d-.*Z", found.pop("time"))
    assert isinstance(found.pop("pid"), int)
    assert (found.pop("level"), found.pop("logger")) == ("info", "service.operator")
    return found


def test_a_new_token_is_printed_once_and_voids_the_one_before(settings, engine, ana):
    result = invoke(*act(["token"]), **settings)
    assert re.fullmatch(r"sp_[\w-]{43}\n", result.stdout)
    token = result.stdout.strip()
    assert token_is_known(engine, hash_token(token))
    assert not token_is_known(engine, hash_token(ana))
    assert line_of(result) == {"message": "player token", "player": "ana"}


def test_a_disabled_player_has_no_way_in_until_there_is_a_token_again(settings, engine, ana):
    result = invoke(*act(["disable"]), **settings)
    assert result.stdout == "ana is disabled\n"
    assert line_of(result) == {"message": "player disable", "player": "ana"}
    assert not token_is_known(engine, hash_token(ana))
    invoke(*act(["disable"]), **settings)
    token = invoke(*act(["token"]), **settings).stdout.strip()
    assert token_is_known(engine, hash_token(token))


def test_a_player_is_renamed_and_keeps_the_token(settings, engine, ana):
    result = invoke(*act(["rename", "Bea"]), **settings)
    assert result.stdout == "ana is Bea now\n"
    assert line_of(result) == {"message": "player rename", "player": "ana", "new_name": "Bea"}
    assert token_is_known(engine, hash_token(ana))
    assert complaint(*act(["token"]), **settings) == "Error: nobody has this name"
    assert invoke(*act(["token"], "BEA"), **settings).stdout.startswith("sp_")


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", ["nobody-here", "ab", "a b", "", "ñandú", "\udcff\udcff\udcff"])
def test_a_name_that_nobody_has_is_told_in_one_line(settings, ana, action, name):
    assert ana
    assert complaint(*act(action, name), **settings) == "Error: nobody has this name"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Cleo", "the name Cleo is or was somebody's: take another one"),
        ("operator", "operator is a word of the service's own: take another name"),
        ("a b", "a name has 3 to 24 letters and digits of ASCII, - and _"),
    ],
)
def test_a_name_that_cannot_be_given_is_told_in_one_line(settings, engine, ana, name, says):
    register(engine, name="CLEO", bot=False, now=NOON)
    assert complaint(*act(["rename", name]), **settings) == f"Error: {says}"
    assert token_is_known(engine, hash_token(ana))


@SQLITE_ONLY
@pytest.mark.parametrize("action", ACTIONS)
def test_a_database_without_the_schema_is_told_in_one_line(config, action):
    settings = {"SEMILLA_DATA": str(config.data)}
    assert "semilla db upgrade" in complaint(*act(action), **settings)


@SQLITE_ONLY
@pytest.mark.parametrize("action", ACTIONS)
def test_a_database_that_is_locked_is_told_in_one_line(settings, ana, action, monkeypatch, config):
    assert ana
    monkeypatch.setattr("service.db.engine.BUSY_TIMEOUT_MS", 1)
    with closing(sqlite3.connect(config.data / "semilla.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "locked" in complaint(*act(action), **settings)


def test_the_log_holds_no_token(settings, ana):
    result = invoke(*act(["token"]), **settings)
    assert "sp_" not in result.stderr
    assert ana not in result.stderr
