"""What each entrant does, step by step: generators that yield for how many ms they wait."""

from typing import NamedTuple

from tests.hosting import MINUTE, SECOND

CHUNK = 30


class Part(NamedTuple):
    """An attempt: a line, how many moves of it (None: all), how fast, and whether resigned then."""

    line: int = 0
    moves: int | None = None
    pace: int = SECOND
    resigned: bool = False


class Plan(NamedTuple):
    """What somebody does; ``then``: what happens after the last part.

    ``again``: they leave before anything is dealt, and come back.
    """

    parts: tuple[Part, ...]
    then: str = ""
    again: bool = False


WIN, SLOW, OTHER = Part(), Part(pace=2 * SECOND), Part(line=1)
HALF, START, NONE = Part(moves=30), Part(moves=5), Part(moves=0)


def _resigned(part):
    return part._replace(resigned=True)


# Those beside each other are meant to be tied: the same moves at the same instants of their clocks;
# a resignation is no action, and who comes back has another entry.
PLANS = (
    Plan((WIN, HALF, START)),
    Plan((WIN, WIN, HALF, WIN)),
    Plan((HALF, WIN, START, OTHER, WIN)),
    Plan((WIN,), again=True),
    Plan((SLOW, OTHER)),
    Plan((OTHER, SLOW), "judged"),
    Plan((OTHER,), "disqualified"),
    Plan((HALF, START)),
    Plan((_resigned(HALF), START)),
    Plan((HALF,), "reinstated"),
    Plan((HALF,), "forfeits"),
    Plan((START, HALF), "forfeits"),
    Plan((NONE, NONE)),
    Plan((_resigned(NONE),)),
    Plan(()),
    Plan((), "leaves"),
    Plan((), "forfeits"),
)
# Of a race that finishes early, because nobody lets the time run out.
ENDING = tuple(
    plan
    if plan.then == "forfeits"
    else plan._replace(parts=tuple(_resigned(each) for each in plan.parts))
    for plan in PLANS
    if plan.parts or plan.then == "forfeits"
)


def chunks(line, *, hidden):
    """Cut a line into requests; where cards are hidden before each move that hangs on a new one."""
    chunk = []
    for move in line:
        turned = hidden and any(each[0] == "S" for each in chunk) and not move.startswith("S>W")
        if chunk and (len(chunk) == CHUNK or turned):
            yield chunk
            chunk = []
        chunk.append(move)
    if chunk:
        yield chunk


def follow(league, course, who, plan, lines):
    """Do what a plan says from a while before the start on."""
    league.enter(course, who)
    if plan.again or plan.then == "leaves":
        yield SECOND
        league.leave(course, who)
    if plan.then == "leaves":
        return
    if plan.again:
        yield SECOND
        league.enter(course, who)
    yield max(course.starts - league.clock.ms, 0)
    for number, part in enumerate(plan.parts[: course.terms["attempts"]], 1):
        last = number == min(len(plan.parts), course.terms["attempts"])
        yield from _attempt(league, course, who, part, lines, last=last)
    yield MINUTE
    if plan.then == "forfeits" and _may_forfeit(league, course, who):
        league.forfeit(course, who)
    elif plan.then:
        yield from _judged(league, course, who, plan.then)


def _attempt(league, course, who, part, lines, *, last):
    league.deal(course, who)
    hidden = course.terms["variant"] == "calculation" and not course.terms["seed_public"]
    line = lines[part.line][: part.moves]
    ended = False
    for chunk in chunks(line, hidden=hidden):
        yield part.pace
        ended = league.play(course, who, *chunk)
    if ended:
        return
    limit = course.terms["time_limit_ms"]
    if part.resigned or not (last or limit):
        yield SECOND
        league.play(course, who, "Q")
    elif limit and league.clock.ms < course.due:
        played = course.entries[who].attempts[-1]
        if not last or part == NONE:
            yield played.deadline - league.clock.ms
            if not course.over(league.clock.ms):
                league.late(course, who, lines[part.line][len(line)])


def _may_forfeit(league, course, who):
    entry, now = course.entries[who], league.clock.ms
    if course.over(now):
        return False
    if not entry.attempts:
        return course.terms["clock"] == "shared"
    latest = entry.attempts[-1]
    running = course.deal.after(latest.moves).status == "in_progress" and now < latest.deadline
    return running or len(entry.attempts) < course.terms["attempts"]


def _judged(league, course, who, then):
    league.judge(course, who, "two accounts", disqualified=True)
    if then == "disqualified":
        return
    yield MINUTE
    league.judge(course, who, "a solver", disqualified=True)
    yield MINUTE
    league.judge(course, who, "it was a mistake", disqualified=False)
    if then == "judged":
        # After all is told, too.
        yield max(course.due - league.clock.ms, 0) + MINUTE
        league.judge(course, who, "a solver after all", disqualified=True)
