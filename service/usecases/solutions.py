"""What is known of deals: found once, kept for ever, made better where somebody finds better.

Kept by a hash of the opening and the options, so nothing here tells a seed.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Connection, Engine, RowMapping, select, update

from service.db.engine import write_transaction
from service.db.inserting import insert_once
from service.db.tables import solutions
from service.rules.family import Rules
from service.solver.solution import Goal, Solution, Verdict
from service.usecases.game_views import canonical_options


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a deal.

    ``line``: the shortest known, None where none is; ``lower_bound``: no line is shorter;
    ``nodes``: the most that was spent without a verdict.
    """

    verdict: Verdict
    line: tuple[str, ...] | None
    lower_bound: int
    nodes: int

    @classmethod
    def of(cls, solution: Solution) -> Self:
        """Give what a search has found out."""
        vain = solution.nodes if solution.verdict is Verdict.UNKNOWN else 0
        return cls(solution.verdict, solution.line, solution.lower_bound, vain)

    def solution(self, goal: Goal, *, nodes: int, elapsed_ms: int) -> Solution:
        """Give it as the answer to a goal, for which so much was spent."""
        line = None if goal is Goal.VERDICT else self.line
        proven = line is not None and self.proven_shortest
        return Solution(self.verdict, line, proven, self.lower_bound, nodes, elapsed_ms)

    @property
    def length(self) -> int | None:
        """How many actions the line has."""
        return None if self.line is None else len(self.line)

    @property
    def proven_shortest(self) -> bool:
        """Whether no line is shorter."""
        return self.line is not None and len(self.line) <= self.lower_bound

    def answers(self, goal: Goal) -> bool:
        """Tell whether no search could tell more to whoever has this goal."""
        if self.verdict is Verdict.UNWINNABLE:
            return True
        if goal is Goal.VERDICT:
            return self.verdict is Verdict.WINNABLE
        return self.proven_shortest if goal is Goal.SHORTEST else self.line is not None

    def and_also(self, other: Self) -> Self:
        """Give what is known where both are."""
        decided = self if self.verdict is not Verdict.UNKNOWN else other
        lines = [line for line in (self.line, other.line) if line is not None]
        return type(self)(
            decided.verdict,
            min(lines, key=len, default=None),
            max(self.lower_bound, other.lower_bound),
            max(self.nodes, other.nodes),
        )


def deal_key(rules: Rules[Any], opening: object) -> bytes:
    """Hash an opening with all options: the same for every seed and variant that give the same."""
    parts = (rules.family, canonical_options(rules), rules.format_position(opening))
    return hashlib.sha256("\n".join(("solution/1", *parts)).encode()).digest()


def key_of_seed(rules: Rules[Any], algorithm: str, seed: str) -> bytes:
    """Hash what a seed deals."""
    return deal_key(rules, rules.opening(algorithm, seed))


def find_known(connection: Connection, deal: bytes) -> Known | None:
    """Find what is known of a deal: one SELECT."""
    row = connection.execute(select(solutions).where(solutions.c.deal == deal)).mappings().first()
    return None if row is None else _read(row)


def find_all_known(connection: Connection, deals: Collection[bytes]) -> dict[bytes, Known]:
    """Find what is known of some deals, by their hash: one SELECT."""
    rows = connection.execute(select(solutions).where(solutions.c.deal.in_(deals))).mappings()
    return {bytes(row["deal"]): _read(row) for row in rows}


def keep(db: Engine, deal: bytes, found: Known, now: int) -> Known:
    """Keep what was found, with what was known; give both together.

    Whether the line wins is not checked: who found it has replayed it.
    """
    with write_transaction(db) as connection:
        return keep_within(connection, deal, found, now)


def keep_all(db: Engine, found: Mapping[bytes, Known], now: int) -> None:
    """Keep what was found of some deals: one transaction."""
    with write_transaction(db) as connection:
        # In one order, so that no two of these wait for each other.
        for deal in sorted(found):
            keep_within(connection, deal, found[deal], now)


def keep_within(connection: Connection, deal: bytes, found: Known, now: int) -> Known:
    """Do as ``keep``, in a write transaction."""
    insert_once(connection, solutions, {"deal": deal, **_columns(found), "updated_at": now})
    row = (
        connection.execute(select(solutions).where(solutions.c.deal == deal).with_for_update())
        .mappings()
        .one()
    )
    known = _read(row)
    both = known.and_also(found)
    if both != known:
        changed = {**_columns(both), "updated_at": now}
        connection.execute(update(solutions).where(solutions.c.deal == deal).values(changed))
    return both


def _columns(known: Known) -> dict[str, object]:
    return {
        "verdict": known.verdict.value,
        "line": None if known.line is None else " ".join(known.line),
        "length": known.length,
        "lower_bound": known.lower_bound,
        "nodes": known.nodes,
    }


def _read(row: RowMapping) -> Known:
    line = row["line"]
    return Known(
        Verdict(row["verdict"]),
        None if line is None else tuple(line.split()),
        row["lower_bound"],
        row["nodes"],
    )
