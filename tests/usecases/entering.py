"""Somebody who enters a challenge and plays it straight at the use cases."""

from sqlalchemy import select, update

from service.db.engine import write_transaction
from service.db.tables import games
from service.rules.family import Status
from service.usecases import attempts, entries
from service.usecases.challenge_events import lock_challenge
from service.usecases.entry_views import find_entry
from service.usecases.errors import Refused
from service.usecases.tokens import hash_token
from tests.entrants import new_entrant


class Entrant:
    """A player and what they do in one challenge."""

    def __init__(self, db, clock, challenge_id, name):
        self.db = db
        self.clock = clock
        self.challenge_id = challenge_id
        self.name = name
        self.id, token = new_entrant(db, name)
        self.hash = hash_token(token)

    @property
    def _terms(self):
        return self.db, self.challenge_id, self.hash, self.clock.ms

    def enter(self):
        return entries.enter(*self._terms)

    def leave(self):
        return entries.leave(*self._terms)

    def read(self):
        return entries.read_own(*self._terms)

    def deal(self, number=1):
        db, challenge_id, token_hash, now = self._terms
        return attempts.deal(db, challenge_id, number, token_hash, now)

    def end(self, status=Status.WON, **columns):
        """End the attempt that runs, as the move that ends its game does: None where it is over."""
        with write_transaction(self.db) as connection:
            challenge = lock_challenge(connection, self.challenge_id, self.clock.ms)
            entry = find_entry(connection, self.challenge_id, self.id)
            changed = update(games).where(
                games.c.challenge_id == self.challenge_id,
                games.c.owner == self.id,
                games.c.attempt == entry["dealt"],
                games.c.status == Status.IN_PROGRESS,
            )
            ended = {"status": status, "finished_at": self.clock.ms, **columns}
            if not connection.execute(changed.values(ended)).rowcount:
                return None
            return attempts.end_attempt(connection, challenge, entry, status, self.clock.ms)

    @property
    def games(self):
        """The rows of the attempts, in their order."""
        asked = select(games).where(games.c.owner == self.id).order_by(games.c.attempt)
        with self.db.connect() as connection:
            return [dict(row) for row in connection.execute(asked).mappings()]


def outcome(act, *arguments):
    """Do something; name how it went in one word.

    The error that was raised; ``new`` or ``same`` for what was made or was there; ``gone`` for who
    is in no more; else the state of the entry.
    """
    try:
        done = act(*arguments)
    except Refused as error:
        return type(error).__name__
    if done is None:
        return "gone"
    if hasattr(done, "new"):
        return "new" if done.new else "same"
    return str(done.state)
