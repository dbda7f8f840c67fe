"""The tables. A change here needs a migration: ``semilla db revision`` writes its first draft."""

from typing import cast

from sqlalchemy import BigInteger, LargeBinary, MetaData, Table, Text
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


class GameTable(Base):
    """A game is one row: what it started from, its history, and a cache of where that leads.

    Instants are milliseconds since 1970 UTC. ``history`` is ``record_text.format_moves`` with
    times and only grows; ``position`` to ``undos`` and ``finished_at`` follow from it, and
    ``semilla verify-games`` checks that they do.
    """

    __tablename__ = "games"

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


class IdempotencyKeyTable(Base):
    """What an idempotency key has made: only hashes of the key and of the body are kept."""

    __tablename__ = "idempotency_keys"

    key_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    body_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    resource_id: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger, index=True)


games = cast("Table", GameTable.__table__)
idempotency_keys = cast("Table", IdempotencyKeyTable.__table__)
