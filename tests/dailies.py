"""The seeds of daily challenges, computed by what the contract says of them."""

import hashlib
import hmac
from itertools import count

from sqlalchemy import select, update

from service.db.tables import daily_keys
from service.rules import VARIANTS
from service.rules.family import Status
from service.solver import covers, solve
from service.solver.solution import Budget, Goal


def stored_key(db):
    """Give the 256 bits on which the dailies of a database hang."""
    with db.connect() as connection:
        return connection.execute(select(daily_keys.c.key)).scalar_one()


def set_key(db, key):
    """Put another key in its place."""
    with db.connect() as connection:
        connection.execute(update(daily_keys).values(key=key))


def candidate(key, variant, date, n):
    """Give the seed number ``n`` of a day."""
    message = f"daily/1/{variant}/{date}/{n}".encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def is_lost(variant, seed):
    """Tell whether the deal of a seed is lost at the opening."""
    rules = VARIANTS[variant]
    return rules.status(rules.opening("deal/1", seed)) is Status.LOST


def is_won_soon(variant, seed, engine=None):
    """Tell whether the solver proves within the fixed budget that a deal can be won."""
    rules = VARIANTS[variant]
    budget = Budget(nodes={"cruel": 2_000, "calculation": 500}[rules.family])
    found = solve(rules, rules.opening("deal/1", seed), Goal.LINE, budget, engine=engine)
    return found.verdict == "winnable"


def daily_seed(key, variant, date, engine=None):
    """Give the first seed of a day whose deal is proven winnable, or not lost at the opening."""
    covered = covers(VARIANTS[variant])
    for n in count():
        seed = candidate(key, variant, date, n)
        good = is_won_soon(variant, seed, engine) if covered else not is_lost(variant, seed)
        if good:
            return seed
    raise AssertionError
