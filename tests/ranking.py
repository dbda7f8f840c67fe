"""A challenge with many entries straight in the tables, and its ranking by a naive model."""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from sqlalchemy import insert, update

from service.db.tables import challenges, entries, games, players
from service.usecases.ids import new_id
from service.usecases.tokens import hash_token, new_player_token
from tests.challenges import new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.racing.standings import DIGITS, ORDERS

# For the moves that a ranking does not look at.
_GAME = {
    "variant": "cruel",
    "options": "{}",
    "seed_named": False,
    "deal_algorithm": "deal/1",
    "rules_version": 1,
    "undo": False,
    "history": "",
    "ply": 0,
    "position": "",
    "undos": 0,
    "started_at": NOON,
}


class Result(NamedTuple):
    """How far an attempt got."""

    won: bool
    cards_up: int
    actions: int
    redeals: int
    elapsed_ms: int


@dataclass
class Runner:
    """Somebody in a challenge, with what their attempts came to, in their order."""

    name: str | None
    bot: bool
    token: str
    entry_id: str
    games: list[str]
    results: list[Result]
    disqualified: bool

    def best(self, order):
        """Give the number of the best attempt and its result: of equal ones the first."""
        keys = [key(order, result) for result in self.results]
        number = keys.index(max(keys))
        return number + 1, self.results[number]


def key(order, result):
    """Give what ranks a result by the contract: the greater is better."""
    won, up, actions, redeals, ms = result
    if order == "actions":
        return (won, up, -actions, -redeals, -ms)
    return (won, up, -ms, -actions, -redeals)


def encoded(order, result):
    """Write a standing as it is stored."""
    text = ""
    for name in ORDERS[order]:
        figure, digits = int(getattr(result, name)), DIGITS[name]
        more = name in ("won", "cards_up")
        text += f"{figure if more else 10**digits - 1 - figure:0{digits}}"
    return text


def ranking(runners, order):
    """Give each ranked runner with rank, number of the best attempt and result, in order."""
    inside = [each for each in runners if each.results and not each.disqualified]
    keys = {each.entry_id: key(order, each.best(order)[1]) for each in inside}
    inside.sort(key=lambda each: each.entry_id)
    inside.sort(key=lambda each: keys[each.entry_id], reverse=True)
    return [
        (1 + sum(other > keys[each.entry_id] for other in keys.values()), each, *each.best(order))
        for each in inside
    ]


def any_result(chance):
    """Draw a result from so few that many are tied."""
    won = chance.random() < 0.3
    up = 52 if won else chance.choice((4, 9))
    return Result(won, up, chance.choice((30, 31)), chance.choice((0, 1)), chance.choice((7, 900)))


def fill(db, seed, *, order, attempts, many, gone=0.1, out=0.15, idle=0.15):
    """Set a challenge up with so many entries by chance; give its id and the runners.

    ``gone``, ``out``, ``idle``: which share is deleted, disqualified, without an attempt.
    """
    chance = Random(seed)
    host, _ = new_entrant(db, f"host-{seed}")
    terms = {"order": order, "attempts": attempts, "entered": many, "revision": many}
    clock = "shared" if order == "time" else "own"
    challenge_id = new_challenge(db, host, clock=clock, **terms)
    rows = {players: [], entries: [], games: []}
    runners = []
    for number in range(many):
        player_id, token = new_id(NOON), new_player_token()
        name = None if chance.random() < gone else f"-r{seed}-{number}"
        runner = Runner(
            name=name,
            bot=chance.random() < 0.3,
            token=token,
            entry_id=new_id(NOON),
            games=[],
            results=[],
            disqualified=chance.random() < out,
        )
        runners.append(runner)
        if chance.random() >= idle:
            runner.results = [any_result(chance) for _ in range(chance.randint(1, attempts))]
        rows[players].append(
            {
                "id": player_id,
                "name": name,
                "bot": runner.bot,
                "token_hash": None if name is None else hash_token(token),
                "created_at": NOON,
            }
        )
        dealt = len(runner.results)
        since = NOON if runner.disqualified else None
        rows[entries].append(
            {
                "id": runner.entry_id,
                "challenge_id": challenge_id,
                "player_id": player_id,
                "entered_at": NOON,
                "dealt": dealt,
                "deadline": NOON + 1_000_000 if dealt else None,
                "disqualified_at": since,
                "disqualified_reason": "a solver" if since else None,
            }
        )
        rows[games] += _games(challenge_id, player_id, runner, order)
    with db.connect() as connection:
        for table, found in rows.items():
            if found:
                connection.execute(insert(table), found)
        dealt = sum(len(each.results) for each in runners)
        changed = update(challenges).where(challenges.c.id == challenge_id)
        connection.execute(changed.values(dealt=dealt))
    return challenge_id, runners


def _games(challenge_id, player_id, runner, order):
    """Give the rows of the attempts of a runner, and note their ids."""
    earlier, rows = None, []
    for number, result in enumerate(runner.results, 1):
        own = encoded(order, result)
        runner.games.append(new_id(NOON))
        rows.append(
            {
                **_GAME,
                "id": runner.games[-1],
                "seed": "5eed" * 16,
                "owner": player_id,
                "status": "won" if result.won else "in_progress",
                "cards_up": result.cards_up,
                "moves": result.actions - result.redeals,
                "redeals": result.redeals,
                "challenge_id": challenge_id,
                "entry_id": runner.entry_id,
                "attempt": number,
                "deadline": NOON + 1_000_000,
                "standing": max(earlier[0], own) if earlier else own,
                "earlier_standing": earlier and earlier[0],
                "earlier_attempt": earlier and earlier[1],
                "ranks": number == len(runner.results),
            }
        )
        if earlier is None or own > earlier[0]:
            earlier = (own, number)
    return rows
