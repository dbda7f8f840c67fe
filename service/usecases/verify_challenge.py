"""Check a challenge from its public record alone: offline, and trusting nobody.

The commitment binds the seed to the terms; from the seed follow the deal, from deal and moves every
score, and from the scores the ranking. Whose names stand there, and when moves came in, no record
can prove: times are held to the order and the deadlines, and to what the record says of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from typing import Any

from service.rules.deals import algorithm_of
from service.rules.errors import Invalid
from service.rules.family import RULES_VERSION, Status
from service.rules.game import Game, check_moves, play_all
from service.usecases.challenge_claims import (
    AttemptClaim,
    Claim,
    NoRecord,
    read_pages,
    read_terms,
)
from service.usecases.challenge_states import OWN, SHARED, deadline
from service.usecases.challenge_terms import Terms, commit
from service.usecases.leaderboard_claims import Row, find_difference, read_rows
from service.usecases.standing import Standing, last_action_ms, standing_of, write_standing

_DRAWN = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry in the ranking, by its best attempt; ``player`` is None once they are deleted."""

    rank: int
    entry: str
    player: str | None
    attempt: int
    game_id: str
    status: str
    standing: Standing

    @property
    def row(self) -> Row:
        """What a leaderboard has to show of it."""
        return Row(self.rank, self.player, self.attempt, self.game_id, self.status, self.standing)


@dataclass(frozen=True, slots=True)
class Report:
    """What was found: the ranking of the sound attempts, and every fault, none where all is sound.

    ``commitment``: as the record has it, to be held to the one that was published before.
    ``disqualified``: the names of those whom the host has taken out of the ranking.
    """

    challenge_id: str
    commitment: str
    attempts: int
    ranking: tuple[Ranked, ...]
    disqualified: tuple[str | None, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """What every attempt is held to."""

    terms: Terms
    opening: Game[Any]


def verify_challenge(
    pages: Sequence[object], leaderboard: Sequence[object] | None = None
) -> Report:
    """Verify the record that these pages make, as JSON values, in their order.

    ``leaderboard``: all pages of that too, which must show the ranking that follows from the
    record. Raises ``NoRecord`` where they are no record or no leaderboard, where pages are missing,
    and where the terms or the seed cannot be dealt by.
    """
    claim = read_pages(pages)
    terms = read_terms(claim.terms)
    table = _set_up(claim, terms)
    faults = [*_head_faults(claim, terms), *_entry_faults(claim)]
    sound: list[tuple[AttemptClaim, Standing]] = []
    for attempt in claim.attempts:
        standing, fault = _judge(attempt, table)
        if fault is None:
            sound.append((attempt, standing))
        else:
            faults.append(f"game {attempt.game_id}: {fault}")
    out = {attempt.entry: attempt.player for attempt in claim.attempts if attempt.disqualified}
    ranking = (*_rank(terms.order, [each for each in sound if each[0].entry not in out]),)
    if leaderboard is not None:
        fault = find_difference(read_rows(leaderboard), [each.row for each in ranking])
        faults += [] if fault is None else [fault]
    return Report(
        challenge_id=claim.id,
        commitment=claim.commitment,
        attempts=len(claim.attempts),
        ranking=ranking,
        disqualified=tuple(out.values()),
        faults=tuple(faults),
    )


def _set_up(claim: Claim, terms: Terms) -> _Table:
    if claim.rules_version != RULES_VERSION:
        detail = f"it was played by rules of another version than {RULES_VERSION}"
        raise NoRecord(detail)
    try:
        algorithm = algorithm_of(claim.seed)
    except Invalid as error:
        detail = f"its seed is none: {error.detail}"
        raise NoRecord(detail) from error
    if algorithm != terms.deal_algorithm:
        detail = f"its terms do not deal by {algorithm}, and its seed is dealt so"
        raise NoRecord(detail)
    opening = Game.start(terms.rules, terms.rules.opening(algorithm, claim.seed), undo=False)
    return _Table(terms, opening)


def _head_faults(claim: Claim, terms: Terms) -> Iterator[str]:
    if commit(claim.seed, claim.terms) != claim.commitment:
        yield "the commitment is not that of seed and terms"
    if not terms.seed_public and not _DRAWN.fullmatch(claim.seed):
        yield "the seed is said to be drawn, and is no 64 hex digits"
    for former in claim.former:
        if commit(former.seed, former.terms) != former.commitment:
            yield f"the commitment that revision {former.revision} replaced is not that of its seed"
    last = deadline(asdict(terms), terms.starts_at) if terms.clock == SHARED else terms.ends_at
    if claim.revealed_at != last and not _ended_early(claim, terms, last):
        yield "it was revealed at another time than its terms and its attempts say"
    if claim.dealt != len(claim.attempts):
        yield f"{claim.dealt} attempts were dealt, and {len(claim.attempts)} are here"


def _ended_early(claim: Claim, terms: Terms, last: int) -> bool:
    """Tell whether it is a race that was revealed once all in it had ended, before its time was up.

    Who has forfeited without a deal may have been the last, and has no attempt here.
    """
    ends = (_end(each) for each in claim.attempts)
    return (
        terms.clock == SHARED
        and all(each.status != Status.TIMED_OUT for each in claim.attempts)
        and max((terms.starts_at, *ends)) <= claim.revealed_at < last
    )


def _end(attempt: AttemptClaim) -> int:
    """Give when an attempt ended, by a move or by its deadline."""
    if attempt.status == Status.TIMED_OUT:
        return attempt.deadline
    return attempt.started_at + max(attempt.times_ms, default=0)


def _entry_faults(claim: Claim) -> Iterator[str]:
    """Find entries and attempts that do not belong together."""
    for entry, found in groupby(sorted(claim.attempts, key=_place), key=lambda each: each.entry):
        attempts = list(found)
        if [attempt.number for attempt in attempts] != [*range(1, len(attempts) + 1)]:
            yield f"entry {entry}: its attempts are not numbered 1, 2, 3, …"
        if len({(attempt.player, attempt.disqualified) for attempt in attempts}) > 1:
            yield f"entry {entry}: its attempts are not all of one player"
        for before, after in pairwise(attempts):
            if after.started_at < _end(before):
                yield f"entry {entry}: attempt {after.number} starts before the last one has ended"
    names = {(attempt.entry, attempt.player) for attempt in claim.attempts if attempt.player}
    for name, count in Counter(name for _, name in names).items():
        if count > 1:
            yield f"player {name}: has {count} entries"
    for game_id, count in Counter(attempt.game_id for attempt in claim.attempts).items():
        if count > 1:
            yield f"game {game_id}: stands here {count} times"


def _place(attempt: AttemptClaim) -> tuple[str, int]:
    return attempt.entry, attempt.number


def _judge(attempt: AttemptClaim, table: _Table) -> tuple[Standing, str | None]:
    """Replay an attempt; give what it comes to, and the first fault, if there is one."""
    game, standing = table.opening, Standing(False, 0, 0, 0, 0)  # noqa: FBT003 - the first figure
    fault = _time_fault(attempt, table)
    if fault is not None:
        return standing, fault
    try:
        check_moves(game.rules, attempt.moves)
    except Invalid as error:
        return standing, error.detail
    game, failure = play_all(game, attempt.moves)
    if failure:
        return standing, f"move {failure.index + 1} is refused: {failure.detail}"
    score = game.score
    elapsed_ms = last_action_ms(attempt.moves, attempt.times_ms)
    standing = standing_of(game, elapsed_ms)
    status = Status.TIMED_OUT if game.status is Status.IN_PROGRESS else game.status
    figures = {
        "cards_up": score.cards_up,
        "moves": score.moves,
        "redeals": score.redeals,
        "actions": score.actions,
        "elapsed_ms": elapsed_ms,
    }
    if attempt.status != status:
        return standing, f"its status is not {status}, which its moves give"
    for name, figure in figures.items():
        if attempt.score[name] != figure:
            return standing, f"{name} is not {figure}, which its moves give"
    return standing, None


def _time_fault(attempt: AttemptClaim, table: _Table) -> str | None:
    terms, times = table.terms, attempt.times_ms
    started = attempt.started_at
    begins = started == terms.starts_at or (
        terms.clock == OWN and terms.starts_at <= started < terms.ends_at
    )
    if not begins:
        return "it started at another time than the terms allow"
    if attempt.number > terms.attempts:
        return f"the terms give {terms.attempts} attempts"
    if attempt.deadline != deadline(asdict(terms), started):
        return "its deadline is not the one that its start gives"
    if list(times) != sorted(times) or min(times, default=0) < 0:
        return "its times go back"
    if times and started + times[-1] >= attempt.deadline:
        return "its moves go on after its deadline"
    return None


def _rank(order: str, sound: list[tuple[AttemptClaim, Standing]]) -> Iterator[Ranked]:
    """Rank entries by their best attempts: equal ones share a rank, and the next one is skipped."""
    best: dict[str, tuple[str, AttemptClaim, Standing]] = {}
    for attempt, standing in sorted(sound, key=lambda each: _place(each[0])):
        written = write_standing(order, standing)
        if attempt.entry not in best or written > best[attempt.entry][0]:
            best[attempt.entry] = written, attempt, standing
    places = sorted(best.values(), key=lambda each: each[0], reverse=True)
    rank, before = 0, ""
    for number, (written, attempt, standing) in enumerate(places, 1):
        rank, before = (rank if written == before else number), written
        yield Ranked(
            rank=rank,
            entry=attempt.entry,
            player=attempt.player,
            attempt=attempt.number,
            game_id=attempt.game_id,
            status=attempt.status,
            standing=standing,
        )
