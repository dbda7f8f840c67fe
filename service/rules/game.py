"""A game in play: what a history adds to the rules of a family.

Counting, undo, resigning, and that an ended game accepts nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Self

from service.rules.errors import IllegalMove, InvalidMove
from service.rules.family import (
    REDEAL,
    RESIGN,
    UNDO,
    P,
    RedealPreview,
    Refusal,
    Rules,
    Score,
    Status,
)


@dataclass(frozen=True, slots=True)
class Game(Generic[P]):
    """A game after ``ply`` history entries. Immutable: playing gives the next one.

    ``before`` is the game before the latest standing action: undo returns to its position. A game
    resumed from a stored position has none and refuses to undo with ``LookupError``: replay its
    history from the opening instead.
    """

    rules: Rules[P]
    undo: bool
    position: P
    status: Status
    ply: int = 0
    moves: int = 0
    undos: int = 0
    before: "Game[P] | None" = field(default=None, compare=False, repr=False)

    @classmethod
    def start(cls, rules: Rules[P], position: P, *, undo: bool) -> Self:
        """Open a game at a position, which may be lost (or won) from the outset."""
        return cls(rules, undo, position, rules.status(position))

    @property
    def score(self) -> Score:
        """The score of the standing actions."""
        up, redeals = self.rules.cards_up(self.position), self.rules.redeals(self.position)
        return Score(up, self.moves, redeals, self.undos)

    def legal_moves(self) -> list[str]:
        """List what would be accepted now, undo and resigning aside, sorted; none at the end."""
        return self.rules.moves(self.position) if self.status is Status.IN_PROGRESS else []

    def preview_redeal(self) -> RedealPreview | None:
        """Tell whether a redeal is accepted now and what it gives; None in Calculation."""
        preview = self.rules.preview_redeal(self.position)
        ended = self._ended_refusal(REDEAL)
        return preview._replace(refusal=ended) if preview and ended else preview

    def refusal(self, move: str) -> Refusal | None:
        """Say why a move text that ``check_moves`` lets pass is not accepted now, if it is not."""
        ended = self._ended_refusal(move)
        if ended:
            return ended
        if move == UNDO:
            return self._undo_refusal()
        return None if move == RESIGN else self.rules.refusal(self.position, move)

    def _ended_refusal(self, move: str) -> Refusal | None:
        open_to_undo = self.status is Status.LOST and move == UNDO
        if self.status is Status.IN_PROGRESS or open_to_undo:
            return None
        how = self.status.replace("_", " ")
        return Refusal("game_over", f"{move}: the game is over ({how})")

    def _undo_refusal(self) -> Refusal | None:
        if not self.undo:
            return Refusal("undo_not_allowed", "U: this game is played without undo")
        if not self.score.actions:
            return Refusal("nothing_to_undo", "U: no action stands, the game is at its opening")
        return None

    def play(self, move: str) -> "Game[P]":
        """Play one well-formed move text; ``IllegalMove`` where ``refusal`` has a reason."""
        refusal = self.refusal(move)
        if refusal:
            raise IllegalMove(move, *refusal)
        return self.advance(move)

    def advance(self, move: str) -> "Game[P]":
        """Play a move that is known to be accepted, as those of a stored history are."""
        rules, ply = self.rules, self.ply + 1
        if move == UNDO:
            return self._undone(ply)
        if move == RESIGN:
            position, status, moves = self.position, Status.RESIGNED, self.moves
        else:
            position = rules.apply(self.position, move)
            status, moves = rules.status(position), self.moves + (move != REDEAL)
        return Game(rules, self.undo, position, status, ply, moves, self.undos, self)

    def _undone(self, ply: int) -> "Game[P]":
        back = self.before
        if back is None:
            message = "a resumed game cannot undo: replay its history from the opening"
            raise LookupError(message)
        undos = self.undos + 1
        return Game(
            self.rules, self.undo, back.position, back.status, ply, back.moves, undos, back.before
        )


@dataclass(frozen=True, slots=True)
class Failure:
    """The first refused move of a sequence: its index from 0, text, reason and sentence."""

    index: int
    move: str
    reason: str
    detail: str


def check_moves(rules: Rules[P], moves: Sequence[str]) -> None:
    """Raise ``InvalidMove`` (at ``/index``) for the first text that is no move of the family."""
    for index, move in enumerate(moves):
        if move not in rules.move_texts and move not in (UNDO, RESIGN):
            detail = f"{move[:20]!r} is no move here: {rules.notation}"
            raise InvalidMove(detail, f"/{index}")


def play_all(game: Game[P], moves: Sequence[str]) -> tuple[Game[P], Failure | None]:
    """Play well-formed moves until one is refused: the game before it, and the failure."""
    for index, move in enumerate(moves):
        try:
            game = game.play(move)
        except IllegalMove as error:
            return game, Failure(index, move, error.reason, error.detail)
    return game, None
