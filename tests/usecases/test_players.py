"""Registering, renaming, rotating and leaving, straight at the use cases."""

import hashlib
import re
from functools import partial

import pytest
from sqlalchemy import func, select

from service.db.tables import games, idempotency_keys, player_names, players
from service.rules.errors import Invalid
from service.usecases import operated_players
from service.usecases.callers import find_caller, require_caller
from service.usecases.errors import (
    Forbidden,
    KeyReused,
    NameReserved,
    NameTaken,
    NotFound,
    Refused,
    Unauthenticated,
)
from service.usecases.idempotency import Key
from service.usecases.players import change, find_named, register, remove, rotate
from service.usecases.players_in_play import read_self
from service.usecases.tokens import hash_token, token_is_known
from tests.conftest import NOON, SQLITE_ONLY
from tests.player_rows import add_challenge, add_entry, add_game, player_id
from tests.statements import count_statements
from tests.usecases.test_races import at_once

WORDS = "7f8a1c52-0c1f-4d5e-9a3b-2f6f3c9d1e20"
ROUNDS = 15


def enter(db, name="Ana", *, bot=False, now=NOON, key=None):
    return register(db, name=name, bot=bot, now=now, key=key)


def with_key(db, name="Ana", *, bot=False, now=NOON):
    key = Key.of(WORDS, "player", None, {"name": name, "bot": bot})
    return enter(db, name, bot=bot, now=now, key=key)


def hash_of(new):
    return hash_token(new.token)


def called(db, new):
    """Give the name that a token stands for now."""
    with db.connect() as connection:
        caller = find_caller(connection, hash_of(new))
    return caller and caller.name


def names(db):
    with db.connect() as connection:
        found = connection.execute(select(player_names)).all()
    return {row.folded: row.player_id for row in found}


def row_of(db, player):
    with db.connect() as connection:
        return connection.execute(select(players).where(players.c.id == player)).one()


# ---- registering ----


def test_who_registers_gets_a_token_that_stands_for_them(db):
    new = enter(db, "Ana", bot=True)
    assert (new.player.name, new.player.bot, new.player.created_at) == ("Ana", True, NOON)
    assert re.fullmatch(r"sp_[A-Za-z0-9_-]{43}", new.token)
    assert not new.replayed
    assert called(db, new) == "Ana"
    row = row_of(db, player_id(db, "Ana"))
    assert row.token_hash == hashlib.sha256(new.token.encode()).digest()
    assert (row.bot, row.created_at, row.disabled_at, row.deleted_at) == (True, NOON, None, None)


@SQLITE_ONLY
def test_only_the_hash_of_the_token_is_stored(db, file):
    tokens = [enter(db).token, with_key(db, "bea").token]
    tokens.append(rotate(db, hash_token(tokens[0])).token)
    tokens.append(operated_players.give_token(db, "bea"))
    db.dispose()
    stored = b"".join(path.read_bytes() for path in file.parent.glob("games.db*"))
    assert all(token[3:].encode() not in stored for token in tokens)
    assert b"sp_" not in stored
    assert hash_token(tokens[-1]) in stored


@pytest.mark.parametrize("name", ["Ana", "ana", "ANA"])
def test_a_name_is_taken_in_whatever_capitals(db, name):
    enter(db, "Ana")
    with pytest.raises(NameTaken, match="take another"):
        enter(db, name)
    assert len(names(db)) == 1
    with db.connect() as connection:
        assert connection.execute(select(func.count()).select_from(players)).scalar() == 1


@pytest.mark.parametrize(("name", "error"), [("a b", Invalid), ("Daily", NameReserved)])
def test_a_name_that_nobody_may_have_is_refused(db, name, error):
    new = enter(db)
    with pytest.raises(error):
        enter(db, name)
    with pytest.raises(error):
        change(db, hash_of(new), name=name, bot=None)
    with pytest.raises(error):
        operated_players.rename(db, "Ana", name)
    assert names(db) == {"ana": player_id(db, "Ana")}


# ---- registering again ----


def test_a_replay_of_an_unused_player_gives_a_fresh_token_and_voids_the_old_one(db):
    first, again = with_key(db), with_key(db, now=NOON + 9)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.player == first.player
    assert called(db, again) == "Ana"
    assert called(db, first) is None
    assert len(names(db)) == 1


def play(db, player):
    add_game(db, player)


def host(db, player):
    add_challenge(db, player)


def join(db, player):
    other = enter(db, "other")
    add_entry(db, add_challenge(db, player_id(db, other.player.name)), player)


@pytest.mark.parametrize("use", [play, host, join])
def test_a_replay_of_a_player_who_has_done_something_gives_no_token(db, use):
    first = with_key(db)
    use(db, player_id(db, "Ana"))
    again = with_key(db)
    assert (again.player, again.token, again.replayed) == (first.player, None, True)
    assert called(db, first) == "Ana"


@pytest.mark.parametrize(
    "changes",
    [[{"name": "Bea"}], [{"name": "Bea"}, {"name": "Ana"}], [{"name": "ANA"}], [{"bot": True}]],
)
def test_a_replay_of_a_player_who_has_changed_gives_no_token(db, changes):
    first = with_key(db)
    for asked in changes:
        changed = change(db, hash_of(first), **{"name": None, "bot": None, **asked})
    again = with_key(db)
    assert (again.player, again.token, again.replayed) == (changed, None, True)
    assert called(db, first) == changed.name


def test_a_replay_lets_no_disabled_player_in(db):
    with_key(db)
    operated_players.disable(db, "Ana", NOON)
    again = with_key(db)
    assert (again.token, again.replayed) == (None, True)
    assert row_of(db, player_id(db, "Ana")).token_hash is None


def test_after_a_deletion_a_replay_finds_the_name_taken(db):
    first = with_key(db)
    remove(db, hash_of(first), NOON)
    with pytest.raises(NameTaken):
        with_key(db)


def test_another_body_with_the_same_key_is_refused(db):
    with_key(db)
    key = Key.of(WORDS, "player", None, {"name": "bea", "bot": False})
    with pytest.raises(KeyReused):
        enter(db, "bea", key=key)


def test_a_name_that_is_taken_uses_no_key_up(db):
    enter(db)
    with pytest.raises(NameTaken):
        with_key(db)
    with db.connect() as connection:
        assert connection.execute(select(idempotency_keys)).all() == []


# ---- changing ----


def test_a_player_takes_another_name_and_nobody_gets_the_old_one(db):
    new = enter(db)
    changed = change(db, hash_of(new), name="Bea", bot=None)
    assert (changed.name, changed.bot, changed.created_at) == ("Bea", False, NOON)
    assert called(db, new) == "Bea"
    for name in ("ana", "bea"):
        with pytest.raises(NameTaken):
            enter(db, name)


def test_a_player_may_go_back_to_a_name_or_write_it_otherwise(db):
    new = enter(db)
    for name in ("Bea", "ana", "ANA", "ANA", "bea"):
        assert change(db, hash_of(new), name=name, bot=None).name == name
        assert called(db, new) == name
    assert names(db) == dict.fromkeys(("ana", "bea"), player_id(db, "bea"))


def test_a_player_does_not_get_the_name_of_another(db):
    new = enter(db)
    other = enter(db, "Bea")
    change(db, hash_of(other), name="Cleo", bot=None)
    for name in ("bea", "CLEO"):
        with pytest.raises(NameTaken):
            change(db, hash_of(new), name=name, bot=True)
    assert called(db, new) == "Ana"
    assert not row_of(db, player_id(db, "Ana")).bot


def test_the_flag_changes_alone_or_not_at_all(db):
    new = enter(db)
    for bot, after in ((True, True), (None, True), (False, False)):
        assert change(db, hash_of(new), name=None, bot=bot).bot is after
        assert row_of(db, player_id(db, "Ana")).bot is after


# ---- tokens ----


def test_another_token_voids_the_one_before(db):
    new = enter(db)
    fresh = rotate(db, hash_of(new))
    assert fresh.player == new.player
    assert called(db, fresh) == "Ana"
    assert called(db, new) is None
    with pytest.raises(Unauthenticated):
        rotate(db, hash_of(new))


def test_a_players_token_is_known(db):
    new = enter(db)
    assert token_is_known(db, hash_of(new))
    fresh = rotate(db, hash_of(new))
    assert not token_is_known(db, hash_of(new))
    remove(db, hash_of(fresh), NOON)
    assert not token_is_known(db, hash_of(fresh))


SELFISH = [
    lambda db, shown: read_self(db, shown, NOON),
    lambda db, shown: change(db, shown, name="Cleo", bot=True),
    rotate,
    lambda db, shown: remove(db, shown, NOON),
]


@pytest.mark.parametrize("act", SELFISH)
def test_what_a_player_does_needs_a_players_token(db, sit, act):
    gone = enter(db, "gone")
    remove(db, hash_of(gone), NOON)
    enter(db, "off")
    operated_players.disable(db, "off", NOON)
    before = names(db)
    with pytest.raises(Unauthenticated, match="POST /v1/players"):
        act(db, None)
    for unknown in (hash_of(gone), hash_token("sp_nobody"), b""):
        with pytest.raises(Unauthenticated):
            act(db, unknown)
    with pytest.raises(Forbidden, match=r"sp_…"):
        act(db, sit().hash)
    assert names(db) == before


def test_who_needs_a_player_gets_one_or_the_way_out(db):
    new = enter(db, bot=True)
    with db.connect() as connection:
        caller = require_caller(connection, hash_of(new))
        assert (caller.id, caller.name) == (player_id(db, "Ana"), "Ana")
        assert (caller.bot, caller.created_at) == (True, NOON)
        assert find_caller(connection, None) is None


# ---- leaving ----


def test_nothing_leads_from_a_name_to_who_has_left(db):
    new = enter(db)
    change(db, hash_of(new), name="Bea", bot=None)
    player = player_id(db, "Bea")
    remove(db, hash_of(new), NOON + 5)
    row = row_of(db, player)
    assert (row.name, row.token_hash, row.deleted_at) == (None, None, NOON + 5)
    assert names(db) == {"ana": None, "bea": None}
    for name in ("ana", "Bea"):
        with pytest.raises(NameTaken):
            enter(db, name)


def test_results_and_running_games_of_who_has_left_stay(db):
    new = enter(db)
    player = player_id(db, "Ana")
    add_game(db, player)
    add_game(db, player, status="won")
    with db.connect() as connection:
        before = connection.execute(select(games).order_by(games.c.id)).all()
    remove(db, hash_of(new), NOON)
    with db.connect() as connection:
        assert connection.execute(select(games).order_by(games.c.id)).all() == before


def test_others_keep_their_names_when_one_leaves(db):
    new, other = enter(db), enter(db, "Bea")
    remove(db, hash_of(new), NOON)
    assert names(db) == {"ana": None, "bea": player_id(db, "Bea")}
    assert called(db, other) == "Bea"
    # Who is gone without a name is no more the holder of another free name than anybody else.
    with pytest.raises(NameTaken):
        change(db, hash_of(other), name="Ana", bot=None)


# ---- finding ----


def test_a_player_is_found_by_the_name_of_today_alone(db):
    new = enter(db)
    change(db, hash_of(new), name="Bea", bot=None)
    with db.connect() as connection:
        for name in ("Bea", "bea", "BEA"):
            assert find_named(connection, name).id == player_id(db, "Bea")
        for name in ("ana", "nobody", "", "a b", "x\0x", "\ud800abc", "be%"):
            with pytest.raises(NotFound):
                find_named(connection, name)
    remove(db, hash_of(new), NOON)
    with db.connect() as connection, pytest.raises(NotFound):
        find_named(connection, "Bea")


# ---- the operator ----


def test_an_operator_gives_a_token_that_voids_the_one_before(db):
    new = enter(db)
    token = operated_players.give_token(db, "ANA")
    assert called(db, new) is None
    assert token_is_known(db, hash_token(token))


def test_a_disabled_player_has_no_way_in_until_there_is_a_token_again(db):
    new = enter(db)
    operated_players.disable(db, "ana", NOON + 7)
    assert called(db, new) is None
    row = row_of(db, player_id(db, "Ana"))
    assert (row.disabled_at, row.token_hash, row.name) == (NOON + 7, None, "Ana")
    with pytest.raises(NameTaken):
        enter(db)
    token = operated_players.give_token(db, "ana")
    assert row_of(db, player_id(db, "Ana")).disabled_at is None
    assert token_is_known(db, hash_token(token))


def test_an_operator_renames_as_players_do_themselves(db):
    new = enter(db)
    enter(db, "Bea")
    with pytest.raises(NameTaken):
        operated_players.rename(db, "ana", "bea")
    operated_players.rename(db, "ana", "Cleo")
    assert called(db, new) == "Cleo"
    with pytest.raises(NotFound):
        operated_players.rename(db, "ana", "Dora")


# ---- at once ----


def attempt(act, *args, **kwargs):
    try:
        return act(*args, **kwargs)
    except Refused as error:
        return type(error)


def test_of_two_who_want_one_name_at_once_exactly_one_gets_it(db):
    for number in range(ROUNDS):
        first, second = at_once(
            partial(attempt, enter, db, f"Name-{number}"),
            partial(attempt, enter, db, f"nAME-{number}"),
        )
        lost, won = sorted([first, second], key=lambda result: result is not NameTaken)
        assert lost is NameTaken
        assert called(db, won) == won.player.name
    assert len(names(db)) == ROUNDS


def test_the_same_request_twice_at_once_registers_one_player(db):
    for number in range(ROUNDS):
        name = f"name-{number}"
        key = Key.of(f"{WORDS}{number}", "player", None, {"name": name})
        made = at_once(*[partial(enter, db, name, key=key)] * 2)
        assert sorted(new.replayed for new in made) == [False, True]
        assert sum(called(db, new) == name for new in made) == 1
    assert len(names(db)) == ROUNDS


def test_of_a_renaming_and_a_registration_at_once_exactly_one_gets_the_name(db):
    new = enter(db)
    for number in range(ROUNDS):
        name = f"name-{number}"
        renamed, registered = at_once(
            partial(attempt, change, db, hash_of(new), name=name.upper(), bot=None),
            partial(attempt, enter, db, name),
        )
        assert (renamed is NameTaken) != (registered is NameTaken)
        holder = names(db)[name]
        assert (holder == player_id(db, called(db, new))) == (registered is NameTaken)


def test_two_who_rename_to_one_name_at_once_do_not_share_it(db):
    first, second = enter(db, "first"), enter(db, "second")
    for number in range(ROUNDS):
        name = f"name-{number}"
        acts = [
            partial(attempt, change, db, hash_of(one), name=name, bot=None)
            for one in (first, second)
        ]
        results = at_once(*acts)
        assert sum(result is NameTaken for result in results) == 1
        assert [called(db, one) for one in (first, second)].count(name) == 1


def test_of_two_rotations_of_one_token_at_once_exactly_one_counts(db):
    new = enter(db)
    for _ in range(ROUNDS):
        results = at_once(*[partial(attempt, rotate, db, hash_of(new))] * 2)
        lost, won = sorted(results, key=lambda result: result is not Unauthenticated)
        assert lost is Unauthenticated
        assert called(db, won) == "Ana"
        new = won


def test_who_changes_while_the_token_is_rotated_is_served_before_or_refused(db):
    new = enter(db)
    for number in range(ROUNDS):
        name = f"name-{number}"
        fresh, changed = at_once(
            partial(rotate, db, hash_of(new)),
            partial(attempt, change, db, hash_of(new), name=name, bot=None),
        )
        before = called(db, fresh)
        assert (before == name) == (changed is not Unauthenticated)
        new = fresh


def test_who_changes_while_leaving_is_served_before_or_refused_and_is_gone(db):
    for number in range(ROUNDS):
        new = enter(db, f"old-{number}")
        _, changed = at_once(
            partial(remove, db, hash_of(new), NOON),
            partial(attempt, change, db, hash_of(new), name=f"new-{number}", bot=None),
        )
        taken = names(db)
        assert taken[f"old-{number}"] is None
        assert (f"new-{number}" in taken) == (changed is not Unauthenticated)
        assert taken.get(f"new-{number}") is None


# ---- statements ----


@pytest.mark.parametrize(
    ("act", "verbs"),
    [
        (lambda db, _: enter(db, "Bea"), ["INSERT", "INSERT"]),
        (lambda db, shown: change(db, shown, name=None, bot=True), ["SELECT", "UPDATE"]),
        (
            lambda db, shown: change(db, shown, name="Bea", bot=None),
            ["SELECT", "SELECT", "INSERT", "UPDATE"],
        ),
        (rotate, ["SELECT", "UPDATE"]),
        (lambda db, shown: remove(db, shown, NOON), ["SELECT", "UPDATE", "UPDATE"]),
    ],
)
def test_each_act_takes_few_statements_in_one_transaction(db, act, verbs):
    shown = hash_of(enter(db))
    with count_statements(db) as seen:
        act(db, shown)
    assert seen.verbs == ["BEGIN", *verbs, "COMMIT"]
