"""The whole season in the order of its clock, from fixed chance."""

import heapq
import itertools
import random

from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, SECOND
from tests.naive.golden import load
from tests.season.league import League
from tests.season.plans import ENDING, PLANS, follow
from tests.season.programme import PROGRAMME, drawn_seed

GOLDEN = load("season.json")
LINES = {each["name"]: [line.split() for line in each["lines"]] for each in GOLDEN["challenges"]}
SEEDS = {each["name"]: each["seed"] for each in GOLDEN["challenges"]}
PLAYERS = ["-dash-", *(f"player-{number:02}" for number in range(1, 60))]
HOSTS = PLAYERS[:3]
FIRST = NOON + HOUR
# One starts after the other, and they overlap.
STEP, LASTS = 20 * MINUTE, 2 * HOUR


class Scheduler:
    """Lets generators go on, each when it has waited, and moves the clock to that instant."""

    def __init__(self, clock):
        self.clock = clock
        self._waiting = []
        self._numbers = itertools.count()

    def add(self, at, steps, wanted=lambda: True):
        """Begin something at an instant; it is dropped as soon as it is not ``wanted``."""
        heapq.heappush(self._waiting, (at, next(self._numbers), steps, wanted))

    def run(self):
        while self._waiting:
            at, _, steps, wanted = heapq.heappop(self._waiting)
            self.clock.ms = at
            if wanted():
                wait = next(steps, None)
                if wait is not None:
                    self.add(at + wait, steps, wanted)


class Season:
    """The league and what happens in it; ``inspect`` is called at instants in between."""

    def __init__(self, client, clock, draws, inspect):
        self.league = League(client, clock)
        self.clock, self.draws, self.inspect = clock, draws, inspect
        self.scheduler = Scheduler(clock)
        self.chance = random.Random("season")

    def play(self):
        for number, name in enumerate(PLAYERS):
            self.league.register(name, bot=number % 7 == 3)
        for number, challenge in enumerate(PROGRAMME):
            self._set_up(challenge, FIRST + number * STEP)
        self._cancel_one()
        self.scheduler.add(FIRST + 3 * HOUR, self._people())
        self.scheduler.run()

    def _set_up(self, challenge, starts):
        name, host = challenge.name, HOSTS[len(challenge.name) % 3]
        lasts = (starts, starts + LASTS)
        if challenge.named is None and challenge.many % 4 == 0:
            # Set up otherwise, and changed before anybody has entered.
            other = drawn_seed(name, 0)
            self.draws += [other, SEEDS[name]]
            asked = {**challenge.terms, "visibility": "unlisted"}
            limit = asked.pop("time_limit_ms", None)
            self.league.create(name, host, other, lasts, **asked, time_limit_ms=MINUTE)
            self.league.change(name, SEEDS[name], time_limit_ms=limit)
        else:
            named = {} if challenge.named is None else {"seed": challenge.named}
            self.draws += [] if named else [SEEDS[name]]
            self.league.create(name, host, SEEDS[name], lasts, **challenge.terms, **named)
        course = self.league.courses[name]
        plans = ENDING if name == "early" else PLANS
        chosen = PLAYERS if challenge.many == 60 else self.chance.sample(PLAYERS, challenge.many)
        race = challenge.terms.get("clock") == "shared"
        for number, who in enumerate(chosen):
            steps = follow(self.league, course, who, plans[number % len(plans)], LINES[name])
            # All that are meant to be tied in a race are dealt their cards at its start.
            at = starts - (10 * MINUTE if race else number % 5 * MINUTE) + number // 9
            person = self.league.people[who]
            self.scheduler.add(at, steps, lambda person=person: person.name is not None)
        self.scheduler.add(starts, self._inspections(course))

    def _inspections(self, course):
        yield 3 * SECOND
        self.inspect(self.league, course)
        yield HOUR // 3
        self.inspect(self.league, course)
        self.league.retitle(course, "Half way")
        yield max(course.due - self.clock.ms, 0)
        self.inspect(self.league, course)

    def _cancel_one(self):
        """Set one up that two enter, and cancel it: then nobody is in its ranking."""
        self.draws.append(drawn_seed("cancelled", 1))
        lasts = (FIRST + HOUR, FIRST + 2 * HOUR)
        course = self.league.create("cancelled", HOSTS[0], drawn_seed("cancelled", 1), lasts)
        for who in PLAYERS[4:6]:
            self.league.enter(course, who)
        self.league.cancel(course)
        path = f"{course.path}/leaderboard"
        for query in ({}, {"who": PLAYERS[4], "around": "me"}):
            board = self.league.read(path, **query)
            assert (board["items"], board["provisional"], board["entered"]) == ([], True, 2)
            assert board["revision"] == 3
        del self.league.courses["cancelled"]

    def _people(self):
        """Names, tokens and people come and go while they play."""
        self.league.rename(PLAYERS[7], "player-anew")
        self.league.rotate(PLAYERS[8])
        for who in PLAYERS[0:60:19][1:]:
            yield MINUTE
            self.league.delete(who)
        yield MINUTE
        weekend = self.league.courses["weekend"]
        gone = PLAYERS[19]
        if not weekend.entries[gone].disqualified:
            self.league.judge(weekend, gone, "gone with a reason", disqualified=True)
