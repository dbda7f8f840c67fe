"""What every family shares: the interface of its rules, and a game in play.

``Rules`` answers questions about one position and knows nothing of history. ``Game`` adds what a
history needs: counting, undo, resigning, and that an ended game accepts nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from service.rules.errors import IllegalMove, InvalidMove

# Stored with every game and record. A change that would replay an old game differently needs a
# new number, and this one must go on meaning what it means.
RULES_VERSION = 1

REDEAL, UNDO, RESIGN = "R", "U", "Q"

# Every word that can say why a move is refused. Append-only: clients switch on them.
REASONS = (
    "same_pile",
    "empty_source",
    "empty_target",
    "wrong_suit",
    "wrong_colour",
    "wrong_rank",
    "foundation_complete",
    "waste_to_waste",
    "from_foundation",
    "no_turned_card",
    "no_change",
    "not_stuck",
    "limit_reached",
    "game_over",
    "nothing_to_undo",
    "undo_not_allowed",
)

P = TypeVar("P")


class Status(StrEnum):
    """How a game stands. Only ``in_progress`` accepts moves; a lost game accepts an undo."""

    IN_PROGRESS = "in_progress"
    WON = "won"
    LOST = "lost"
    RESIGNED = "resigned"


class Score(NamedTuple):
    """What counts. Time is never part of it.

    ``cards_up``: cards on the foundations, of 52, bases included; ``moves``: standing card moves;
    ``redeals``: standing redeals; ``undos``: undos ever made.
    """

    cards_up: int
    moves: int
    redeals: int
    undos: int

    @property
    def actions(self) -> int:
        """Standing card moves and redeals: the number that races compare."""
        return self.moves + self.redeals


class Refusal(NamedTuple):
    """Why a well-formed move is forbidden here: a word of ``REASONS`` and a sentence."""

    reason: str
    detail: str


class RedealPreview(NamedTuple):
    """What a redeal would do now.

    ``refusal``: why it is not allowed, if it is not; ``piles``: the 12 piles that it would give
    either way; ``used``: the redeals that stand; ``left``: the permitted ones that are left, None
    without a limit.
    """

    refusal: Refusal | None
    piles: tuple[bytes, ...]
    changes_layout: bool
    used: int
    left: int | None


class Rules(Protocol[P]):
    """The rules of a family under one full set of options; ``P`` is its position.

    Positions are immutable, compare by value, and are trusted: ``parse_position`` and
    ``read_position`` are the doors through which strangers' positions come.
    """

    @property
    def family(self) -> str:
        """``cruel`` or ``calculation``."""

    @property
    def hides_cards(self) -> bool:
        """Whether cards lie face down: then the seed is a secret, and undo would be peeking."""

    @property
    def move_texts(self) -> Mapping[str, object]:
        """Every well-formed move text but ``U`` and ``Q``, as keys."""

    def options(self) -> dict[str, object]:
        """Give the full set of options as JSON values."""

    def configured(self, changes: Mapping[str, object], seed: str | None) -> Self:
        """Give these rules with some options changed; what is left open follows from the seed.

        Raises ``InvalidOptions`` where an option or a value does not exist.
        """

    def opening(self, algorithm: str, seed: str) -> P:
        """Give the opening of a seed that ``algorithm`` (of ``deals.ALGORITHMS``) deals."""

    def moves(self, position: P) -> list[str]:
        """List the position's moves, sorted, ``R`` included, whether the game has ended or not."""

    def refusal(self, position: P, move: str) -> Refusal | None:
        """Say why a well-formed move (of ``move_texts``) is not one of ``moves``."""

    def apply(self, position: P, move: str) -> P:
        """Make a move without checking it: only for moves that ``refusal`` lets pass."""

    def status(self, position: P) -> Status:
        """Tell whether the position is won, lost or still to be played."""

    def blind_move(self, position: P, moves: Sequence[str]) -> int | None:
        """Give the index of the first move whose answer hangs on a card that is face down now.

        Of well-formed moves that are to be played one after the other; None where each can be
        judged by what lies face up.
        """

    def cards_up(self, position: P) -> int:
        """Count the cards on the foundations, bases included."""

    def redeals(self, position: P) -> int:
        """Count the standing redeals."""

    def preview_redeal(self, position: P) -> RedealPreview | None:
        """Tell whether a redeal is allowed and what it gives; None in a family without redeals."""

    def face_up(self, position: P) -> dict[str, object]:
        """Give what lies face up, as JSON values: all that a player may see."""

    def position_json(self, position: P) -> dict[str, object]:
        """Give the whole position, hidden cards included, as ``read_position`` takes it."""

    def read_position(self, data: object) -> P:
        """Read an explicit start position; ``InvalidPosition`` names the card and the place."""

    def format_position(self, position: P) -> str:
        """Write the position's one canonical text."""

    def parse_position(self, text: str) -> P:
        """Read what ``format_position`` wrote; ``InvalidPosition`` for anything else."""


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
        return Refusal("game_over", f"{move}: the game is over ({self.status})")

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
            detail = f"{move[:20]!r} is no move of {rules.family}, or names a pile out of range"
            raise InvalidMove(detail, f"/{index}")


def play_all(game: Game[P], moves: Sequence[str]) -> tuple[Game[P], Failure | None]:
    """Play well-formed moves until one is refused: the game before it, and the failure."""
    for index, move in enumerate(moves):
        try:
            game = game.play(move)
        except IllegalMove as error:
            return game, Failure(index, move, error.reason, error.detail)
    return game, None
