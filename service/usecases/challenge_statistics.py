"""What a finished challenge came to: who has solved it, in how many actions, and how fast."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, case, func, select

from service.db.tables import entries, games, players
from service.usecases.callers import identify
from service.usecases.challenge_views import check_revealed, load_view
from service.usecases.outcomes import ACTIONS, WON, Ends, in_bucket, outcome
from service.usecases.standing import LEAST_WON, figure_in

# What the best wins are the least of; of a game that was won its last action was its end.
_ELAPSED_MS = games.c.finished_at - games.c.started_at
_best = games.alias("best")


@dataclass(frozen=True, slots=True)
class BestWin:
    """The win with the least of something; of several the one that ended first.

    ``player``: the name, None once they are deleted; ``figure``: how much it is; ``shared_by``: how
    many players have won with so little, this one included.
    """

    player: str | None
    bot: bool
    attempt: int
    game_id: str
    figure: int
    shared_by: int


@dataclass(frozen=True, slots=True)
class ChallengeStatistics:
    """What a challenge came to. Who is disqualified is counted in the first two figures only.

    ``entered``: everybody; ``ranked``: who had an attempt and is not disqualified; ``won``: those
    of them who have won an attempt. ``ends``: of all attempts of the ranked. ``actions``: for
    multiples of ``outcomes.BUCKET``, lowest first, how many players have won with so many actions
    or more, but fewer than the next multiple; ``cards_up``: for numbers of cards how many players
    have got so far; both by the best attempt of each.
    """

    entered: int
    disqualified: int
    ranked: int
    won: int
    ends: Ends
    actions: dict[int, int]
    cards_up: dict[int, int]
    fewest_actions: BestWin | None
    fastest: BestWin | None


def read_statistics(
    db: Engine, challenge_id: str, token_hash: bytes | None, now: int
) -> ChallengeStatistics:
    """Read the statistics of a challenge that has finished: eight SELECTs, one for the caller.

    The database counts, and gives at most a row for each number of cards up and each ten actions.
    Raises ``NotFound``, ``Unauthenticated`` for an unknown token, and ``StillSecret`` before the
    reveal; for a challenge that is cancelled always.
    """
    with db.connect() as connection:
        challenge = load_view(connection, challenge_id, identify(connection, token_hash), now)
        check_revealed(challenge, "statistics")
        groups = _groups(connection, challenge_id, challenge.terms.order)
        return ChallengeStatistics(
            entered=challenge.entered,
            disqualified=_disqualified(connection, challenge_id),
            ranked=sum(group.players for group in groups),
            won=sum(group.players for group in groups if group.bucket is not None),
            ends=_ends(connection, challenge_id, now),
            actions={row.bucket: row.players for row in groups if row.bucket is not None},
            cards_up=_cards_up(groups),
            fewest_actions=_best_win(connection, challenge_id, ACTIONS),
            fastest=_best_win(connection, challenge_id, _ELAPSED_MS),
        )


def _counting(challenge_id: str) -> tuple[ColumnElement[bool], ...]:
    """Give the conditions of attempts that count."""
    out = select(entries.c.id).where(
        entries.c.challenge_id == challenge_id, entries.c.disqualified_at.is_not(None)
    )
    return games.c.challenge_id == challenge_id, games.c.entry_id.not_in(out)


def _disqualified(connection: Connection, challenge_id: str) -> int:
    asked = select(func.count()).where(
        entries.c.challenge_id == challenge_id, entries.c.disqualified_at.is_not(None)
    )
    return int(connection.execute(asked).scalar_one())


def _groups(connection: Connection, challenge_id: str, order: str) -> list[Any]:
    """Count the ranked by the cards up and the actions of their best attempts, by the index."""
    won, cards_up, actions = (
        figure_in(order, name, games.c.standing) for name in ("won", "cards_up", "actions")
    )
    best = (
        select(cards_up.label("cards_up"), case((won == 1, in_bucket(actions))).label("bucket"))
        .where(*_counting(challenge_id), games.c.ranks)
        .subquery()
    )
    groups = best.c.cards_up, best.c.bucket
    asked = select(*groups, func.count().label("players")).group_by(*groups).order_by(*groups)
    return [*connection.execute(asked)]


def _cards_up(groups: list[Any]) -> dict[int, int]:
    found: dict[int, int] = {}
    for group in groups:
        found[group.cards_up] = found.get(group.cards_up, 0) + group.players
    return found


def _ends(connection: Connection, challenge_id: str, now: int) -> Ends:
    ended = select(outcome(now).label("outcome")).where(*_counting(challenge_id)).subquery()
    asked = select(ended.c.outcome, func.count()).group_by(ended.c.outcome)
    return Ends.of({row[0]: row[1] for row in connection.execute(asked)})


def _best_win(
    connection: Connection, challenge_id: str, figure: ColumnElement[Any]
) -> BestWin | None:
    """Find the win with the least of a figure: one SELECT."""
    # Those are few, and found by the index: the games of all others are not looked at.
    winners = select(_best.c.entry_id).where(
        _best.c.challenge_id == challenge_id, _best.c.ranks, _best.c.standing >= LEAST_WON
    )
    won = (
        select(
            games.c.id,
            games.c.owner,
            games.c.entry_id,
            games.c.attempt,
            games.c.finished_at,
            figure.label("figure"),
        )
        .where(*_counting(challenge_id), games.c.entry_id.in_(winners), games.c.status == WON)
        .cte("won")
    )
    order = won.c.figure, won.c.finished_at, won.c.entry_id, won.c.attempt
    first = select(won).order_by(*order).limit(1).subquery()
    alike = won.alias("alike")
    sharing = select(func.count(alike.c.entry_id.distinct())).where(
        alike.c.figure == first.c.figure
    )
    asked = select(
        players.c.name,
        players.c.bot,
        first.c.attempt,
        first.c.id,
        first.c.figure,
        sharing.scalar_subquery(),
    ).join_from(first, players, players.c.id == first.c.owner)
    found = connection.execute(asked).first()
    return None if found is None else BestWin(*found)
