"""What can be wrong with what somebody sends to the rules.

Two kinds that must not be mixed up: an ``Invalid…`` text or value makes no sense whatever the
position is; an ``IllegalMove`` makes sense and is forbidden here.
"""

from types import TracebackType


class Invalid(ValueError):  # noqa: N818 - the word of the classes below
    """A text or value that makes no sense.

    ``place`` is a JSON pointer, relative to the value that was read (``/piles/3/1``; empty for
    the whole of it); ``detail`` is a sentence for people.
    """

    def __init__(self, detail: str, place: str = "") -> None:
        super().__init__(f"{place}: {detail}" if place else detail)
        self.detail = detail
        self.place = place


class InvalidCard(Invalid):
    """No card is written like this."""


class InvalidSeed(Invalid):
    """No deal has this seed."""


class InvalidOptions(Invalid):
    """An option that the family does not have, or a value that it does not take."""


class InvalidPosition(Invalid):
    """Not a legal set of 52 cards in a place where the rules could have put them."""


class InvalidMove(Invalid):
    """Not a move text of the family."""


class InvalidRecord(Invalid):
    """Not a record of a game."""


class UnknownVariant(Invalid):
    """No variant has this name."""


class IllegalMove(Exception):  # noqa: N818 - the field's word, beside InvalidMove
    """A well-formed move that the rules forbid in this position.

    ``reason`` is one of ``game.REASONS``; ``detail`` names the rule and the cards.
    """

    def __init__(self, move: str, reason: str, detail: str) -> None:
        super().__init__(f"{move}: {detail}")
        self.move = move
        self.reason = reason
        self.detail = detail


def pointer(name: str) -> str:
    """Give the JSON pointer to a field of an object, whatever its name is made of."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


class Within:
    """Say of each ``Invalid`` raised inside that its place lies within ``place``."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        """Nothing has been raised yet."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Raise another of the same kind."""
        if isinstance(error, Invalid):
            raise type(error)(error.detail, self._place + error.place) from error
