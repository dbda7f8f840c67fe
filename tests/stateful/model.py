"""What the service must answer, from the naive engine and the contract alone."""

import copy
from dataclasses import dataclass, field

from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.naive.variants import CRUEL_VARIANTS, DEFAULT_BASES

CODES = {
    "game_over": (409, "game_over"),
    "nothing_to_undo": (409, "nothing_to_undo"),
    "undo_not_allowed": (409, "undo_forbidden"),
}


def copied(table):
    """Give a table that may be played on; ``deepcopy`` would take most of the time here."""
    new = copy.copy(table)
    new.foundations = list(table.foundations)
    for name in ("piles", "wastes"):
        if hasattr(table, name):
            setattr(new, name, [list(pile) for pile in getattr(table, name)])
    if hasattr(table, "stock"):
        new.stock = list(table.stock)
    return new


def fork(game):
    """Give a game that may be played on while this one stays."""
    new = copy.copy(game)
    new.table = copied(game.table)
    new.history = list(game.history)
    new.before = [copied(table) for table in game.before]
    return new


@dataclass
class Expected:
    """The answer to a request to play; ``facts`` are fields that it must have."""

    status: int
    code: str | None = None
    facts: dict = field(default_factory=dict)
    pointer: str | None = None
    after: Naive | None = None


class Seat:
    """A game as the model knows it: the naive engine's, with the times of its history."""

    def __init__(self, variant, options, seed, *, undo=None, named=True, now):
        self.variant = variant
        self.family = "calculation" if variant == "calculation" else "cruel"
        start = opening(self.family, self.preset(variant, options, seed), seed)
        if self.family == "cruel":
            self.options = {**CRUEL_VARIANTS[variant], **options}
        else:
            self.options = {"bases": start.pop("bases")}
        self.undo = self.family == "cruel" if undo is None else undo
        self.seed = seed
        self.named = named
        self.naive = Naive(self.family, self.options, start, undo=self.undo)
        self.times = []
        self.started = now
        self.ended = None if self.naive.status == "in_progress" else now
        self.id = self.token = None

    @staticmethod
    def preset(variant, options, seed):
        if variant != "calculation":
            return {**CRUEL_VARIANTS[variant], **options}
        return options if options or seed.startswith("pysol-") else {"bases": DEFAULT_BASES}

    @property
    def ply(self):
        return len(self.naive.history)

    @property
    def running(self):
        return self.naive.status == "in_progress"

    @property
    def hides(self):
        """Tell whether even the holder of the token may not know the seed."""
        return not self.shows_seed(token=True)

    def shows_seed(self, *, token):
        """Tell whether a viewer may know the seed."""
        return self.family == "cruel" or not self.running or (self.named and token)

    def expect(self, moves, at=None):
        """Foresee the answer to a request of the token's holder; nothing is played yet."""
        for index, text in enumerate(moves):
            if not self.naive.table.is_text(text):
                return Expected(422, "validation_failed", pointer=f"/moves/{index}")
        ply = self.ply
        place = ply if at is None else at
        if place > ply:
            return Expected(409, "ply_gap", {"at": ply})
        known = self.naive.history[place:][: len(moves)]
        for index, (entry, text) in enumerate(zip(known, moves, strict=False)):
            if entry != text:
                return Expected(409, "ply_conflict", {"at": ply, "index": index, "move": text})
        return self.expect_unrecorded(moves[len(known) :], len(known))

    def expect_unrecorded(self, moves, recorded):
        """Foresee how moves end that follow the history, and ``recorded`` others of a request."""
        blind = self.blind(moves)
        if blind is not None:
            return Expected(422, "validation_failed", pointer=f"/moves/{recorded + blind}")
        after = fork(self.naive)
        for index, text in enumerate(moves, recorded):
            reason = after.play(text)
            if reason:
                status, code = CODES.get(reason, (422, "illegal_move"))
                facts = {"at": self.ply, "index": index, "move": text, "reason": reason}
                return Expected(status, code, facts)
        return Expected(200, facts={"recorded": recorded}, after=after)

    def blind(self, moves):
        """Give the index of the first move that hangs on a card which is a secret now."""
        if not self.hides:
            return None
        table = copied(self.naive.table)
        hidden = table.stock[1:]
        for index, text in enumerate(moves):
            if hidden and not table.stock:
                return index  # perhaps the game has been lost
            if text in ("U", "Q"):
                return None
            source = text.split(">")[0]
            card = table.stock[:1] if source == "S" else []
            if source[0] == "W":
                card = table.wastes[int(source[1]) - 1][-1:]
            if not text.startswith("S>W") and set(card) & set(hidden):
                return index
            if table.refusal(text):
                return None
            table.do(text)
        return None

    def accept(self, after, now):
        """Play what was accepted."""
        count = len(after.history) - self.ply
        at_ms = max([0, now - self.started, *self.times[-1:]])
        self.times += [at_ms] * count
        self.naive = after
        if count:
            self.ended = None if self.running else self.started + at_ms

    def state(self, *, token=True):
        """Give the fields of the game's state that do not depend on when it is read."""
        state = self.naive.state()
        left = state.pop("left")
        return {
            "variant": self.variant,
            "options": self.options,
            **({"seed": self.seed} if self.shows_seed(token=token) else {}),
            "deal_algorithm": "pysol" if self.seed.startswith("pysol-") else "deal/1",
            **state,
            "redeal": self.redeal(left) if self.family == "cruel" else None,
            "undo": self.undo,
        }

    def redeal(self, left):
        table = self.naive.table
        reason = self.naive.refusal("R")
        return {
            "allowed": reason is None,
            **({"reason": reason} if reason else {}),
            "changes_layout": table.redealt() != table.piles,
            "used": table.redeals,
            "left": left,
        }

    def cards(self):
        """Count the cards on the table, hidden ones included."""
        table = self.naive.table
        if self.family == "cruel":
            return table.cards_up() + sum(map(len, table.piles))
        return table.cards_up() + sum(map(len, table.wastes)) + len(table.stock)
