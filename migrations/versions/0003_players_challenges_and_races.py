"""Players, challenges with their entries and events, and attempts among the games.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of players and challenges, and the columns of attempts in ``games``."""
    op.create_table(
        "players",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("token_hash", name="uq_players_token_hash"),
    )
    op.create_table(
        "challenges",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("seed_public", sa.Boolean(), nullable=False),
        sa.Column("deal_algorithm", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("clock", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("time_limit_ms", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("order", sa.Text(), nullable=False),
        sa.Column("require_winnable", sa.Boolean(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("cancelled_at", sa.BigInteger(), nullable=True),
        sa.Column("hidden_at", sa.BigInteger(), nullable=True),
        sa.Column("finishes_at", sa.BigInteger(), nullable=False),
        sa.Column("entered", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Integer(), nullable=False),
        sa.Column("dealt", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host"], ["players.id"], name="fk_challenges_host_players"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    op.create_index("ix_challenges_created_at", "challenges", ["created_at", "id"])
    op.create_index("ix_challenges_finishes_at", "challenges", ["finishes_at"])
    op.create_index("ix_challenges_host", "challenges", ["host"])
    op.create_table(
        "player_names",
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_player_names_player_id_players"
        ),
        sa.PrimaryKeyConstraint("folded", name="pk_player_names"),
    )
    op.create_index("ix_player_names_player_id", "player_names", ["player_id"])
    op.create_table(
        "entries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("challenge_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("dealt", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("attempt_ended_at", sa.BigInteger(), nullable=True),
        sa.Column("forfeited_at", sa.BigInteger(), nullable=True),
        sa.Column("disqualified_at", sa.BigInteger(), nullable=True),
        sa.Column("disqualified_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_entries_challenge_id_challenges"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_entries_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sa.UniqueConstraint("challenge_id", "player_id", name="uq_entries_challenge_id_player_id"),
    )
    op.create_index("ix_entries_challenge_id", "entries", ["challenge_id", "id"])
    op.create_index("ix_entries_player_id", "entries", ["player_id"])

    op.create_table(
        "events",
        sa.Column("challenge_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_events_challenge_id_challenges"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_events_player_id_players"),
        sa.PrimaryKeyConstraint("challenge_id", "number", name="pk_events"),
    )
    op.create_table(
        "former_terms",
        sa.Column("challenge_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_former_terms_challenge_id_challenges"
        ),
        sa.PrimaryKeyConstraint("challenge_id", "revision", name="pk_former_terms"),
    )
    op.add_column("games", sa.Column("challenge_id", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("entry_id", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("attempt", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("deadline", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("standing", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("earlier_standing", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("earlier_attempt", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("ranks", sa.Boolean(), nullable=True))
    op.create_index(
        "ix_games_owner",
        "games",
        ["owner", "id"],
        sqlite_where=sa.text("owner IS NOT NULL"),
        postgresql_where=sa.text("owner IS NOT NULL"),
    )
    op.create_index(
        "uq_games_challenge_id",
        "games",
        ["challenge_id", "owner", "attempt"],
        unique=True,
        sqlite_where=sa.text("challenge_id IS NOT NULL"),
        postgresql_where=sa.text("challenge_id IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop them, with the attempts: the release before would show anybody their seeds."""
    op.execute("DELETE FROM games WHERE challenge_id IS NOT NULL")
    op.drop_index("uq_games_challenge_id", "games")
    op.drop_index("ix_games_owner", "games")
    op.drop_column("games", "ranks")
    op.drop_column("games", "earlier_attempt")
    op.drop_column("games", "earlier_standing")
    op.drop_column("games", "standing")
    op.drop_column("games", "deadline")
    op.drop_column("games", "attempt")
    op.drop_column("games", "entry_id")
    op.drop_column("games", "challenge_id")
    op.drop_table("former_terms")
    op.drop_table("events")
    op.drop_index("ix_entries_player_id", "entries")
    op.drop_index("ix_entries_challenge_id", "entries")
    op.drop_table("entries")
    op.drop_index("ix_player_names_player_id", "player_names")
    op.drop_table("player_names")
    op.drop_index("ix_challenges_host", "challenges")
    op.drop_index("ix_challenges_finishes_at", "challenges")
    op.drop_index("ix_challenges_created_at", "challenges")
    op.drop_table("challenges")
    op.drop_table("players")
