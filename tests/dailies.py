"""The seeds of daily challenges, computed by what the contract says of them."""

import hashlib
import hmac

from sqlalchemy import select, update

from service.db.tables import daily_keys
from service.rules import VARIANTS
from service.rules.family import Status


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


def daily_seed(key, variant, date):
    """Give the first seed of a day whose deal is not lost at the opening."""
    n = 0
    while is_lost(variant, candidate(key, variant, date, n)):
        n += 1
    return candidate(key, variant, date, n)
