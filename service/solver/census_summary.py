"""What the answers of a census come to: shares with their intervals, and how values are spread."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Self

from service.solver.census import Answer
from service.solver.solution import Verdict

# Of the normal distribution 95 % lie within so many standard deviations of the mean.
_Z = 1.959964
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Share:
    """So many deals of so many."""

    deals: int
    of: int

    @property
    def percent(self) -> float:
        """The share in percent; 0 of none."""
        return 100 * self.deals / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval in percent, which holds the true share in 95 of 100 such samples.

        E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
        """
        if not self.of:
            return 0.0, 100.0
        share, weight = self.deals / self.of, _Z * _Z / self.of
        middle = (share + weight / 2) / (1 + weight)
        reach = _Z / (1 + weight) * sqrt(share * (1 - share) / self.of + weight / (4 * self.of))
        # Rounding may lead a little beyond none and all.
        return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Spread:
    """How some values are spread; ``quantiles``: by percent, each a value that occurs."""

    count: int
    least: int
    most: int
    mean: float
    quantiles: dict[int, int]

    @classmethod
    def of(cls, values: Collection[int]) -> Self | None:
        """Give the spread of some values; None where there are none."""
        if not values:
            return None
        ranked, count = sorted(values), len(values)
        quantiles = {round(100 * q): ranked[ceil(q * count) - 1] for q in _QUANTILES}
        return cls(count, ranked[0], ranked[-1], sum(ranked) / count, quantiles)

    @property
    def median(self) -> int:
        """The least value that half of them do not pass."""
        return self.quantiles[50]


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of some deals together.

    ``lengths``: how many lines have each length; ``proven``: of how many none is shorter;
    ``spent``: nodes of each search, by verdict.
    """

    deals: int
    verdicts: Counter[Verdict]
    lengths: Counter[int]
    proven: int
    spent: dict[Verdict, tuple[int, ...]]
    ms: int

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Self:
        """Sum answers up."""
        answers = tuple(answers)
        spent = {
            verdict: tuple(
                answer.nodes
                for answer in answers
                if answer.verdict is verdict and answer.nodes is not None
            )
            for verdict in Verdict
        }
        return cls(
            deals=len(answers),
            verdicts=Counter(answer.verdict for answer in answers),
            lengths=Counter(answer.length for answer in answers if answer.length is not None),
            proven=sum(answer.proven_shortest for answer in answers),
            spent=spent,
            ms=sum(answer.ms or 0 for answer in answers),
        )

    def share(self, *verdicts: Verdict) -> Share:
        """Give the share of deals with one of these verdicts."""
        return Share(sum(self.verdicts[verdict] for verdict in verdicts), self.deals)

    @property
    def length(self) -> Spread | None:
        """How the lengths are spread."""
        return Spread.of(tuple(self.lengths.elements()))

    @property
    def nodes(self) -> Spread | None:
        """How the nodes of the searches are spread."""
        return Spread.of([nodes for each in self.spent.values() for nodes in each])

    def json(self) -> dict[str, object]:
        """Give the summary as JSON values.

        The true share that can be won lies between ``winnable`` (if no unknown deal can be) and
        ``winnable_or_unknown`` (if all of them can be).
        """
        shares = {verdict.value: self.share(verdict) for verdict in Verdict}
        shares["winnable_or_unknown"] = self.share(Verdict.WINNABLE, Verdict.UNKNOWN)
        length, nodes = _spread_json(self.length), _spread_json(self.nodes)
        if length:
            length["proven_shortest"] = self.proven
            length["counts"] = {str(key): self.lengths[key] for key in sorted(self.lengths)}
        return {
            "deals": self.deals,
            "verdicts": {name: _share_json(share) for name, share in shares.items()},
            "lengths": length,
            "nodes": nodes,
            "search_ms": self.ms,
        }


def _share_json(share: Share) -> dict[str, object]:
    low, high = share.interval
    interval = [round(low, 3), round(high, 3)]
    return {"deals": share.deals, "percent": round(share.percent, 3), "interval_95": interval}


def _spread_json(spread: Spread | None) -> dict[str, object] | None:
    if spread is None:
        return None
    return {
        "count": spread.count,
        "least": spread.least,
        **{f"p{percent}": value for percent, value in spread.quantiles.items()},
        "most": spread.most,
        "mean": round(spread.mean, 2),
    }
