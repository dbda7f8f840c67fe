"""Challenges, straight into the database, and what must hold for each of them."""

import json

from sqlalchemy import insert, select, update

from service.db.tables import challenges, entries, events, games
from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.usecases.challenge_states import finishes_at
from service.usecases.game_views import canonical_options
from service.usecases.ids import new_id
from service.usecases.standing import Standing, write_standing
from tests.conftest import NOON

HOUR_MS = 3_600_000
# As the server draws them: 64 hex digits, a secret until the reveal.
SECRET_SEED = "5eed" * 16


def new_challenge(db, host_id, **terms):
    """Create a challenge that by default starts now, for a day, on the own clock; give its id."""
    variant, seed = terms.get("variant", "cruel"), terms.pop("seed", SECRET_SEED)
    row = {
        "id": new_id(NOON),
        "host": host_id,
        "title": "Semilla",
        "visibility": "public",
        "variant": variant,
        "options": canonical_options(find_variant(variant).configured({}, seed)),
        "seed": seed,
        "seed_public": seed != SECRET_SEED,
        "deal_algorithm": algorithm_of(seed),
        "rules_version": 1,
        "clock": "own",
        "starts_at": NOON,
        "ends_at": NOON + 24 * HOUR_MS,
        "time_limit_ms": None,
        "attempts": 1,
        "order": "actions",
        "require_winnable": False,
        "terms": "{}",
        "commitment": "",
        "created_at": NOON,
        "entered": 0,
        "ended": 0,
        "dealt": 0,
        "revision": 0,
        **terms,
    }
    row.setdefault("finishes_at", finishes_at(row, NOON))
    with db.connect() as connection:
        connection.execute(insert(challenges), row)
    return row["id"]


def change_challenge(db, challenge_id, **columns):
    """Write over columns of a challenge."""
    with db.connect() as connection:
        changed = update(challenges).where(challenges.c.id == challenge_id)
        connection.execute(changed.values(columns))


def let_all_win(db, challenge_id):
    """Turn all attempts of a challenge into wins, all alike."""
    standing = Standing(won=True, cards_up=52, actions=118, redeals=9, elapsed_ms=351_200)
    won = {
        "status": "won",
        "cards_up": 52,
        "moves": 109,
        "redeals": 9,
        "finished_at": games.c.started_at + 351_200,
        "standing": write_standing("actions", standing),
    }
    with db.connect() as connection:
        connection.execute(update(games).where(games.c.challenge_id == challenge_id).values(won))


def challenge_row(db, challenge_id):
    """Give a challenge as it is stored."""
    asked = select(challenges).where(challenges.c.id == challenge_id)
    with db.connect() as connection:
        return dict(connection.execute(asked).mappings().one())


def kinds_of_events(db, challenge_id):
    """Give the kinds of the events of a challenge, after having checked all that they imply."""
    return [kind for kind, _ in events_of(db, challenge_id)]


def events_of(db, challenge_id):
    """Give kind and facts of each event of a challenge.

    Before that check that they are numbered without gaps up to the revision, and that the counts of
    the challenge are those of its entries.
    """
    asked = select(events).where(events.c.challenge_id == challenge_id).order_by(events.c.number)
    inside = select(entries).where(entries.c.challenge_id == challenge_id)
    with db.connect() as connection:
        found = connection.execute(asked).all()
        there = connection.execute(inside).all()
    challenge = challenge_row(db, challenge_id)
    assert [event.number for event in found] == list(range(1, challenge["revision"] + 1))
    kinds = [event.kind for event in found]
    assert challenge["entered"] == len(there) == kinds.count("entered") - kinds.count("left")
    assert challenge["dealt"] == sum(row.dealt for row in there) == kinds.count("attempt_dealt")
    over = [
        row.forfeited_at is not None
        or (row.dealt == challenge["attempts"] and row.attempt_ended_at is not None)
        for row in there
    ]
    assert challenge["ended"] == sum(over)
    return [(event.kind, json.loads(event.facts)) for event in found]
