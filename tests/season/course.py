"""Players and challenges as the model knows them."""

from dataclasses import dataclass, field

from tests.hosting import rfc
from tests.season.model import Deal, Entry, ranking


@dataclass
class Person:
    """Somebody who has registered; ``name`` is None once they are deleted."""

    name: str | None
    token: str
    bot: bool = False


@dataclass
class Course:
    """A challenge as the model knows it; ``entries`` by the first name of whoever is in it."""

    id: str
    host: str
    terms: dict
    deal: Deal
    starts: int
    ends: int
    entries: dict[str, Entry] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)  # of its events
    writes: list[tuple] = field(default_factory=list)  # who, verb, path and body of each
    finished: int | None = None
    par: dict | None = None  # which is told once it has finished

    @property
    def path(self):
        return f"/v1/challenges/{self.id}"

    @property
    def due(self):
        """The deadline of a race, and the end of any other."""
        limit = self.terms["time_limit_ms"]
        race = self.terms["clock"] == "shared" and limit is not None
        return min(self.starts + limit, self.ends) if race else self.ends

    def over(self, now):
        """Tell whether it has finished."""
        return now >= (self.due if self.finished is None else self.finished)

    def board(self, now):
        """Give the whole leaderboard as it must be."""
        over = self.over(now)
        par = self.par if over else None
        items = ranking(self.deal, self.terms, self.entries.values(), now, over=over, par=par)
        return {
            "items": items,
            "next": None,
            "prev": None,
            "provisional": not over,
            "revision": len(self.kinds),
            "order": self.terms["order"],
            "entered": len(self.entries),
            "ranked": len(items),
            "par": par,
            "now": rfc(now),
        }
