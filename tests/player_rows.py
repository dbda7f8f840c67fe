"""What players have played and host and have entered, written straight into the tables."""

from itertools import count

from sqlalchemy import insert, select

from service.db.tables import challenges, entries, games, players
from service.rules import find_variant
from service.usecases.game_views import canonical_options
from tests.conftest import NOON

HOUR = 3_600_000
SEED = "f" * 63 + "0"

_numbers = count(1)


def player_id(db, name):
    """Give the id of the player who has a name, to the letter."""
    with db.connect() as connection:
        return connection.execute(select(players.c.id).where(players.c.name == name)).scalar_one()


def add_game(db, owner, *, variant="cruel", status="in_progress", actions=0, cards_up=4, **more):
    """Add a game of a player; give its id."""
    ended = None if status == "in_progress" else NOON
    row = {
        "id": f"game-{next(_numbers):06}",
        "variant": variant,
        "options": canonical_options(find_variant(variant)),
        "seed": SEED,
        "seed_named": False,
        "deal_algorithm": "deal/1",
        "rules_version": 1,
        "undo": False,
        "owner": owner,
        "history": "",
        "ply": actions,
        "position": "",
        "status": status,
        "cards_up": cards_up,
        "moves": actions - actions // 3,
        "redeals": actions // 3,
        "undos": 0,
        "started_at": NOON,
        "finished_at": ended,
        **more,
    }
    with db.connect() as connection:
        connection.execute(insert(games).values(row))
    return row["id"]


def add_challenge(db, host, *, starts_at=NOON, ends_at=NOON + HOUR, **more):
    """Add a challenge, by default on the own clock and running for an hour; give its id."""
    row = {
        "id": f"challenge-{next(_numbers):06}",
        "host": host,
        "title": "Friday",
        "visibility": "public",
        "variant": "cruel",
        "options": "{}",
        "seed": SEED,
        "seed_public": False,
        "deal_algorithm": "deal/1",
        "rules_version": 1,
        "clock": "own",
        "starts_at": starts_at,
        "ends_at": ends_at,
        "attempts": 1,
        "order": "actions",
        "require_winnable": False,
        "terms": "{}",
        "commitment": "",
        "created_at": NOON,
        "finishes_at": ends_at,
        "entered": 0,
        "ended": 0,
        "dealt": 0,
        "revision": 0,
        **more,
    }
    with db.connect() as connection:
        connection.execute(insert(challenges).values(row))
    return row["id"]


def add_entry(db, challenge_id, player, **more):
    """Add the entry of a player; give its id."""
    row = {
        "id": f"entry-{next(_numbers):06}",
        "challenge_id": challenge_id,
        "player_id": player,
        "entered_at": NOON,
        "dealt": 0,
        **more,
    }
    with db.connect() as connection:
        connection.execute(insert(entries).values(row))
    return row["id"]


def fill_in(db, name, now):
    """Let a player have won, lost and timed out, and be in games and challenges now."""
    player = player_id(db, name)
    add_game(db, player, id="01kdwpvng00000000000000101", started_at=now)
    challenge = add_challenge(
        db, player, id="01kdwpvng00000000000000201", created_at=now, ends_at=now + HOUR
    )
    add_entry(db, challenge, player, dealt=1, deadline=now + HOUR)
    attempt = {"challenge_id": challenge, "attempt": 1, "deadline": now + HOUR}
    add_game(db, player, id="01kdwpvng00000000000000102", started_at=now, **attempt)
    attempt["challenge_id"] = "01kdwpvng00000000000000202"
    for number, actions in enumerate((118, 124, 121, 163)):
        won = {"status": "won", "actions": actions, "cards_up": 52, "started_at": now - HOUR}
        add_game(db, player, **{**won, **attempt, "attempt": number, "finished_at": now - 9})
    add_game(db, player, status="lost", actions=31, cards_up=9, finished_at=now)
    late = {"attempt": 9, "deadline": now, "started_at": now - HOUR}
    add_game(db, player, variant="calculation", cards_up=33, **{**attempt, **late})
