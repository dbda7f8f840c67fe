"""The dailies of nine days, played over HTTP, and the rankings over them by a naive model."""

import json
import random
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from service.rules import VARIANTS
from service.solver import solve
from service.solver.solution import Budget, Goal
from tests.hosting import DAY, HOUR, SECOND
from tests.naive.golden import load
from tests.season.course import Course
from tests.season.league import League
from tests.season.model import deal_of, result
from tests.season.plans import HALF, NONE, OTHER, START, WIN
from tests.season.programme import DAILY_VARIANTS, DATES
from tests.season.records import exported, ms
from tests.season.story import Scheduler

DEALS = {(each["variant"], each["date"]): each for each in load("season.json")["dailies"]}
PLAYERS = [f"daily-{number:02}" for number in range(14)]
PERIODS = ("week", "month", "all")
# What may become of a daily; None: nothing is dealt.
PARTS = (WIN, WIN, WIN, OTHER, HALF, START, NONE, None)


class Counted(NamedTuple):
    """A daily that was dealt to somebody."""

    variant: str
    date: str
    entry: str
    who: str
    won: bool
    actions: int


def midnight(day):
    return ms(f"{day}T00:00:00+00:00")


def first_par(variant, seed):
    """Give the par of a daily before anybody has asked for one: the win by which it was drawn."""
    rules = VARIANTS[variant]
    found = solve(rules, rules.opening("deal/1", seed), Goal.LINE, Budget(nodes=2_000))
    return {
        "length": len(found.line),
        "proven_shortest": len(found.line) <= found.lower_bound,
    }


def bounds(period, now):
    """Give when a period of today begins and ends; None, None where it is all dailies."""
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    if period == "all":
        return None, None
    if period == "week":
        first = today - timedelta(days=today.isoweekday() - 1)
        return first, first + timedelta(days=7)
    first = date(today.year, today.month, 1)
    return first, date(today.year + today.month // 12, today.month % 12 + 1, 1)


def standings(counted, people, variant, period, now):
    """Give all items of a ranking in their order, and who stands there.

    Who solved more is better, of these who made fewer actions in what they solved.
    """
    first, _ = bounds(period, now)
    rows = []
    for who, person in people.items():
        theirs = [
            each
            for each in counted
            if (each.who, each.variant) == (who, variant)
            and (first is None or date.fromisoformat(each.date) >= first)
        ]
        solved = [each for each in theirs if each.won]
        actions = sum(each.actions for each in solved)
        if theirs:
            entry = min(each.entry for each in theirs)
            item = {"player": {"name": person.name, "bot": person.bot}, "solved": len(solved)}
            item |= {"actions": actions, "played": len(theirs)}
            rows.append(((-len(solved), actions), entry, who, item))
    rows.sort(key=lambda row: row[:2])
    ranks = [1 + sum(other < key for other, *_ in rows) for key, *_ in rows]
    items = [{"rank": rank, **row[3]} for rank, row in zip(ranks, rows, strict=True)]
    return items, [row[2] for row in rows]


class Dailies:
    """The players and their dailies; ``inspect`` is called at noon and just after midnight."""

    def __init__(self, client, clock, inspect):
        self.league = League(client, clock)
        self.clock, self.inspect = clock, inspect
        self.scheduler = Scheduler(clock)
        self.chance = random.Random("dailies")
        self.told = {}  # the published terms and commitment of each day

    def play(self):
        self.clock.ms = midnight(DATES[0])
        for number, name in enumerate(PLAYERS):
            self.league.register(name, bot=number % 5 == 2)
        for day in DATES:
            self.clock.ms = midnight(day)
            for variant in DAILY_VARIANTS:
                self._begin(variant, day)
            self.scheduler.add(midnight(day) + DAY // 2, self._noon())
            self.scheduler.run()
            self.clock.ms = midnight(day) + DAY
            self.inspect(self)
        self.league.delete(PLAYERS[3])
        self.league.rename(PLAYERS[4], "daily-anew")
        self.inspect(self, whole=True)

    def course(self, variant, day):
        return self.league.courses[f"daily-{variant}-{day}"]

    def _begin(self, variant, day):
        found = self.league.read(f"/v1/daily/{variant}")
        assert found["id"] == f"daily-{variant}-{day}"
        assert "seed" not in found
        terms, deal = json.loads(found["terms"]), DEALS[variant, day]
        naive = deal_of(found["terms"], deal["seed"])
        starts = midnight(day)
        course = Course(found["id"], None, terms, naive, starts, starts + DAY)
        course.par = first_par(variant, deal["seed"])
        self.league.courses[found["id"]] = course
        self.told[found["id"]] = found["commitment"]
        lines = [line.split() for line in deal["lines"]]
        # Of two the second mostly does as the first, in the same time.
        for pair in range(0, len(PLAYERS), 2):
            part = self.chance.choice(PARTS)
            for who in PLAYERS[pair : pair + 2]:
                if self.chance.random() < 0.1:
                    part = self.chance.choice(PARTS)
                if self.chance.random() < 0.1 or (who == PLAYERS[-1] and day < "2026-02-02"):
                    continue
                at = starts + (DAY - 2 * SECOND if part == HALF else self.chance.randrange(DAY))
                at = min(at, starts + DAY - 2 * SECOND if part == HALF else starts + 23 * HOUR)
                self.scheduler.add(at, self._follow(course, who, part, lines))

    def _follow(self, course, who, part, lines):
        self.league.enter(course, who)
        if part is None:
            return
        self.league.deal(course, who)
        line = lines[part.line]
        played = line[: part.moves]
        if played:
            yield part.pace
            self.league.play(course, who, *played)
        if part == HALF:
            # Midnight comes between two moves.
            yield SECOND
            self.league.late(course, who, line[len(played)])

    def _noon(self):
        self.inspect(self, noon=True)
        yield from ()

    def counted(self, now):
        """Give what counts: of the days that are over by their records, and today's as played."""
        found = []
        for name, course in self.league.courses.items():
            who = {entry.id: each for each, entry in course.entries.items()}
            variant, day = name[len("daily-") : -len("-2026-01-28")], name[-len("2026-01-28") :]
            if course.entries and course.over(now):
                _, items = exported(self.league.client, course.path, now)
                results = [
                    (item["entry"], item["status"] == "won", item["score"]["actions"])
                    for item in items
                ]
            else:
                results = [
                    (entry.id, *_won(course.deal, entry.attempts[0]))
                    for entry in course.entries.values()
                    if entry.attempts
                ]
            found += [Counted(variant, day, entry, who[entry], *rest) for entry, *rest in results]
        return found


def _won(deal, played):
    found = result(deal, played)
    return found.won, found.actions
