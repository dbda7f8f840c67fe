"""The tables. A change here needs a migration: ``semilla db revision`` writes its first draft."""

from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# Names of constraints follow a convention, so that migrations can name them on every database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """What every table shares."""

    metadata = MetaData(naming_convention=NAMING)


def _where(condition: str) -> dict[str, Any]:
    """Give the arguments of an index that holds only the rows of a condition."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


class GameTable(Base):
    """A game is one row: what it started from, its history, and a cache of where that leads.

    Instants are milliseconds since 1970 UTC. ``history`` is ``record_text.format_moves`` with
    times and only grows; ``position`` to ``undos`` and ``finished_at`` follow from it, and
    ``semilla verify-games`` checks that they do.

    A game of a player has an ``owner`` and no token of its own. ``challenge_id`` to ``ranks`` are
    null but for the attempts of challenges.
    """

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_owner", "owner", "id", **_where("owner IS NOT NULL")),
        Index(
            "uq_games_challenge_id",
            "challenge_id",
            "owner",
            "attempt",
            unique=True,
            **_where("challenge_id IS NOT NULL"),
        ),
        Index(
            "ix_games_challenge_id",
            "challenge_id",
            "entry_id",
            "attempt",
            **_where("challenge_id IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    variant: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text)  # canonical JSON, every option
    seed: Mapped[str] = mapped_column(Text)
    seed_named: Mapped[bool]  # by whoever created the game; else drawn here
    deal_algorithm: Mapped[str] = mapped_column(Text)
    rules_version: Mapped[int]
    undo: Mapped[bool]
    owner: Mapped[str | None] = mapped_column(Text)  # the player whose token plays it
    token_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32), unique=True)

    history: Mapped[str] = mapped_column(Text)
    ply: Mapped[int]
    position: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    cards_up: Mapped[int]
    moves: Mapped[int]
    redeals: Mapped[int]
    undos: Mapped[int]

    started_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)

    challenge_id: Mapped[str | None] = mapped_column(Text)
    entry_id: Mapped[str | None] = mapped_column(Text)
    attempt: Mapped[int | None]  # from 1
    deadline: Mapped[int | None] = mapped_column(BigInteger)  # no move is recorded from then on
    # The best of the entry's attempts, this one included, and of those before it with its number.
    standing: Mapped[str | None] = mapped_column(Text)
    earlier_standing: Mapped[str | None] = mapped_column(Text)
    earlier_attempt: Mapped[int | None]
    ranks: Mapped[bool | None]  # whether it is the entry's latest attempt: that one has its rank


class PlayerTable(Base):
    """Somebody who plays under a name. A deleted player has neither name nor token."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str | None] = mapped_column(Text)
    bot: Mapped[bool]  # as they say themselves
    token_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32), unique=True)
    created_at: Mapped[int] = mapped_column(BigInteger)
    disabled_at: Mapped[int | None] = mapped_column(BigInteger)  # by the operator: has no token
    deleted_at: Mapped[int | None] = mapped_column(BigInteger)


class PlayerNameTable(Base):
    """Every name that was ever taken: nobody else gets it, also after a renaming or deletion."""

    __tablename__ = "player_names"

    folded: Mapped[str] = mapped_column(Text, primary_key=True)  # in lower case
    # Whose it is or was; null once they are deleted, so that nothing leads from a name to them.
    player_id: Mapped[str | None] = mapped_column(Text, ForeignKey("players.id"), index=True)


class ChallengeTable(Base):
    """A seeded challenge or race. Its state is computed from the instants and the time now.

    ``terms`` is the published JSON text that ``commitment`` binds to the seed. ``entered`` counts
    its entries, ``ended`` those of them that have ended, ``dealt`` the attempts. ``revision`` is
    the number of its latest event. Who changes any of this has locked the row first.
    """

    __tablename__ = "challenges"
    __table_args__ = (
        Index("ix_challenges_created_at", "created_at", "id"),
        Index("ix_challenges_finishes_at", "finishes_at"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    host: Mapped[str | None] = mapped_column(Text, ForeignKey("players.id"), index=True)
    title: Mapped[str] = mapped_column(Text)
    visibility: Mapped[str] = mapped_column(Text)  # public or unlisted

    variant: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text)  # canonical JSON, every option
    seed: Mapped[str] = mapped_column(Text, index=True)
    seed_public: Mapped[bool]  # named by the host, who may have shown it to anybody
    deal_algorithm: Mapped[str] = mapped_column(Text)
    rules_version: Mapped[int]
    clock: Mapped[str] = mapped_column(Text)  # own or shared
    starts_at: Mapped[int] = mapped_column(BigInteger)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    time_limit_ms: Mapped[int | None] = mapped_column(BigInteger)
    attempts: Mapped[int]
    order: Mapped[str] = mapped_column(Text)  # actions or time
    require_winnable: Mapped[bool]
    terms: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(Text)

    created_at: Mapped[int] = mapped_column(BigInteger)
    cancelled_at: Mapped[int | None] = mapped_column(BigInteger)
    hidden_at: Mapped[int | None] = mapped_column(BigInteger)  # by the operator
    # When it finishes, or finished: the end that the terms say, and a race once all have ended.
    finishes_at: Mapped[int] = mapped_column(BigInteger)
    entered: Mapped[int]
    ended: Mapped[int]
    dealt: Mapped[int]
    revision: Mapped[int]


class FormerTermsTable(Base):
    """Terms that a host has replaced, with the seed to which they were committed."""

    __tablename__ = "former_terms"

    challenge_id: Mapped[str] = mapped_column(Text, ForeignKey("challenges.id"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)  # of the event that replaced them
    terms: Mapped[str] = mapped_column(Text)
    seed: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(Text)


class EntryTable(Base):
    """A player in a challenge. Its state is computed, as the challenge's is.

    ``dealt`` counts the attempts; ``deadline`` and ``attempt_ended_at`` are those of the latest:
    the second is null while it is played, and stays so where its time runs out.
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("challenge_id", "player_id"),
        Index("ix_entries_challenge_id", "challenge_id", "id"),
        # With what is asked of them, so that they are counted without the table.
        Index(
            "ix_entries_disqualified",
            "challenge_id",
            "dealt",
            "player_id",
            "disqualified_at",
            **_where("disqualified_at IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    challenge_id: Mapped[str] = mapped_column(Text, ForeignKey("challenges.id"))
    player_id: Mapped[str] = mapped_column(Text, ForeignKey("players.id"), index=True)
    entered_at: Mapped[int] = mapped_column(BigInteger)
    dealt: Mapped[int]
    deadline: Mapped[int | None] = mapped_column(BigInteger)
    attempt_ended_at: Mapped[int | None] = mapped_column(BigInteger)
    forfeited_at: Mapped[int | None] = mapped_column(BigInteger)
    disqualified_at: Mapped[int | None] = mapped_column(BigInteger)
    disqualified_reason: Mapped[str | None] = mapped_column(Text)


class EventTable(Base):
    """What somebody did in a challenge, numbered from 1 without gaps."""

    __tablename__ = "events"

    challenge_id: Mapped[str] = mapped_column(Text, ForeignKey("challenges.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    at: Mapped[int] = mapped_column(BigInteger)
    player_id: Mapped[str | None] = mapped_column(Text, ForeignKey("players.id"))
    facts: Mapped[str] = mapped_column(Text)  # JSON: what the kind of event has to tell


class DailyKeyTable(Base):
    """The one secret key from which the seeds of daily challenges follow; nothing serves it."""

    __tablename__ = "daily_keys"

    id: Mapped[int] = mapped_column(primary_key=True)  # 1
    key: Mapped[bytes] = mapped_column(LargeBinary(32))


class SolutionTable(Base):
    """What is known of a deal, by the hash of its opening: that of secret deals is kept here too.

    ``line`` are move texts with spaces between, ``length`` counts them; ``nodes`` is the most that
    was spent in vain.
    """

    __tablename__ = "solutions"

    deal: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    verdict: Mapped[str] = mapped_column(Text)
    line: Mapped[str | None] = mapped_column(Text)
    length: Mapped[int | None]
    lower_bound: Mapped[int]
    nodes: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[int] = mapped_column(BigInteger)


class IdempotencyKeyTable(Base):
    """What an idempotency key has made: only hashes of the key and of the body are kept."""

    __tablename__ = "idempotency_keys"

    key_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    body_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    resource_id: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger, index=True)


games = cast("Table", GameTable.__table__)
players = cast("Table", PlayerTable.__table__)
player_names = cast("Table", PlayerNameTable.__table__)
challenges = cast("Table", ChallengeTable.__table__)
former_terms = cast("Table", FormerTermsTable.__table__)
entries = cast("Table", EntryTable.__table__)
events = cast("Table", EventTable.__table__)
daily_keys = cast("Table", DailyKeyTable.__table__)
solutions = cast("Table", SolutionTable.__table__)
idempotency_keys = cast("Table", IdempotencyKeyTable.__table__)

# The ranking of a challenge. ``ranks``, which is the same in all of it, lets SQLite count without
# the table; the conditions are as each database writes ``games.c.ranks``.
Index(
    "ix_games_standing",
    games.c.challenge_id,
    games.c.standing.desc(),
    games.c.entry_id,
    games.c.ranks,
    sqlite_where=text("ranks = 1"),
    postgresql_where=text("ranks"),
)
