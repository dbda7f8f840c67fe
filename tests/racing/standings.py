"""What a stored standing says, read by what the contract says of it.

``(won, cards_up, -actions, -redeals, -elapsed_ms)``, or where the least time wins
``(won, cards_up, -elapsed_ms, -actions, -redeals)``: figures of so many ``DIGITS``. One of which
fewer is better is written as what it lacks of the highest.
"""

from sqlalchemy import select

from service.db.tables import games

DIGITS = {"won": 1, "cards_up": 2, "actions": 5, "redeals": 5, "elapsed_ms": 10}
ORDERS = {
    "actions": ["won", "cards_up", "actions", "redeals", "elapsed_ms"],
    "time": ["won", "cards_up", "elapsed_ms", "actions", "redeals"],
}


def decoded(order, text):
    """Give won, cards_up, actions, redeals and elapsed_ms."""
    figures = {}
    for name in ORDERS[order]:
        digits, text = text[: DIGITS[name]], text[DIGITS[name] :]
        assert len(digits) == DIGITS[name]
        more = name in ("won", "cards_up")
        figures[name] = int(digits) if more else int("9" * len(digits)) - int(digits)
    assert text == ""
    return tuple(figures[name] for name in DIGITS)


def standing(db, game_id, order):
    """Give the standing of an attempt's entry, and before that attempt with its number."""
    columns = (games.c.standing, games.c.earlier_standing, games.c.earlier_attempt, games.c.ranks)
    with db.connect() as connection:
        row = connection.execute(select(*columns).where(games.c.id == game_id)).one()
    earlier = row.earlier_standing and decoded(order, row.earlier_standing)
    return decoded(order, row.standing), earlier, row.earlier_attempt, row.ranks
