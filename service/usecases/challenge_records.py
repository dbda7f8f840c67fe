"""The public record of a challenge: all that anybody needs to check it, once it is revealed."""

from dataclasses import dataclass

from sqlalchemy import Engine, RowMapping, select

from service.db.tables import challenges, entries, games, players
from service.rules.family import Score, Status
from service.rules.record_text import parse_moves
from service.usecases.callers import identify
from service.usecases.challenge_views import ChallengeView, check_revealed, load_view
from service.usecases.pages import Key, Place, fetch_page
from service.usecases.standing import last_action_ms

_KEY = (games.c.entry_id, games.c.attempt)
_ATTEMPTS = (
    select(
        games.c.entry_id,
        games.c.attempt,
        games.c.id,
        games.c.history,
        games.c.status,
        games.c.cards_up,
        games.c.moves,
        games.c.redeals,
        games.c.undos,
        games.c.started_at,
        games.c.deadline,
        players.c.name,
        players.c.bot,
        entries.c.disqualified_at,
        entries.c.disqualified_reason,
    )
    .join_from(games, players, players.c.id == games.c.owner)
    .join(entries, entries.c.id == games.c.entry_id)
)


@dataclass(frozen=True, slots=True)
class RecordedAttempt:
    """An attempt as everybody may check it; instants in ms since 1970 UTC.

    ``player``: the name, None once they are deleted: ``entry_id`` tells whose attempts belong
    together. ``times_ms``: for each move the ms since the start; ``elapsed_ms``: that of the last
    action.
    """

    entry_id: str
    player: str | None
    bot: bool
    number: int
    game_id: str
    status: Status
    started_at: int
    deadline: int
    moves: list[str]
    times_ms: list[int]
    score: Score
    elapsed_ms: int
    disqualified_at: int | None
    disqualified_reason: str | None


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some attempts of a challenge, by entry, the oldest first, and by number.

    ``next`` and ``prev`` as in ``pages.Page``: the id of an entry and the number of an attempt.
    """

    challenge: ChallengeView
    rules_version: int
    items: list[RecordedAttempt]
    next: Key | None
    prev: Key | None


def read_record(
    db: Engine, challenge_id: str, token_hash: bytes | None, *, place: Place, now: int
) -> RecordPage:
    """Read a page of the record of a challenge that has finished.

    Raises ``NotFound``, ``Unauthenticated`` for an unknown token, and ``StillSecret`` before the
    reveal; for a challenge that is cancelled always.
    """
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        challenge = load_view(connection, challenge_id, caller, now)
        check_revealed(challenge, "record")
        version = select(challenges.c.rules_version).where(challenges.c.id == challenge_id)
        rules_version: int = connection.execute(version).scalar_one()
        asked = _ATTEMPTS.where(games.c.challenge_id == challenge_id)
        page = fetch_page(connection, asked, _KEY, place)
    items = [_attempt(row) for row in page.rows]
    return RecordPage(challenge, rules_version, items, page.next, page.prev)


def _attempt(row: RowMapping) -> RecordedAttempt:
    moves, times = parse_moves(row["history"])
    status = Status(row["status"])
    return RecordedAttempt(
        entry_id=row["entry_id"],
        player=row["name"],
        bot=row["bot"],
        number=row["attempt"],
        game_id=row["id"],
        # All deadlines have passed by now.
        status=Status.TIMED_OUT if status is Status.IN_PROGRESS else status,
        started_at=row["started_at"],
        deadline=row["deadline"],
        moves=moves,
        times_ms=times or [],
        score=Score(row["cards_up"], row["moves"], row["redeals"], row["undos"]),
        elapsed_ms=last_action_ms(moves, times or []),
        disqualified_at=row["disqualified_at"],
        disqualified_reason=row["disqualified_reason"],
    )
