"""What every family of games shares: the words, the score, and the interface of its rules.

``Rules`` answers questions about one position and knows nothing of history: ``game.Game`` does.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, Self, TypeVar

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
    """How a game stands. Only ``in_progress`` accepts moves; a lost game accepts an undo.

    The rules know no time: ``timed_out`` is what others call a game whose time has run out.
    """

    IN_PROGRESS = "in_progress"
    WON = "won"
    LOST = "lost"
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"


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
    def notation(self) -> str:
        """How the family's moves are written, in one sentence for who wrote another text."""

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

    def restore_position(self, text: str) -> P:
        """Read the same much faster, from a text that was kept safe.

        Which cards lie where is not checked: a damaged text may give a position that is none.
        """
