"""A game that is being played in the terminal: what is typed, what is shown, what is saved."""

import shlex
import time
from pathlib import Path

import click

from service.boards.terminal import WIDTH, changed_options, draw_game
from service.rules.errors import InvalidMove
from service.rules.family import UNDO, Status
from service.rules.game import Failure, check_moves, play_all
from service.rules.record import Record
from service.rules.record_text import format_record

_PROMPT = "> "
_COMMANDS = """\
  help      this list
  quit      leave without resigning; so does the end of the input
  (nothing) show the board again
A line may hold several moves, and small letters will do, but for Q: 7>f 3>5 r
"""

HELP = {
    "cruel": f"""\
  7>3       the top card of pile 7 onto that of pile 3
  7>F       the top card of pile 7 to its foundation
  R         redeal
  U         take back
  Q         resign
{_COMMANDS}""",
    "calculation": f"""\
  S>F2      the turned card of the stock to foundation 2
  S>W3      the turned card of the stock onto waste 3
  W3>F2     the top card of waste 3 to foundation 2
  Q         resign
{_COMMANDS}""",
}


def title(record: Record, *, with_seed: bool = True) -> str:
    """Name the game in one line: variant, seed, and the options that its variant does not preset.

    The seed tells the face-down cards too.
    """
    seed = [f"seed {record.seed}"] if record.seed is not None and with_seed else []
    return ", ".join(
        [record.variant, *seed, *changed_options(record.variant, record.rules, record.seed)]
    )


class Table:
    """A game on the table, played to its end or until its player leaves."""

    def __init__(self, record: Record, file: Path | None, *, open_seed: bool) -> None:
        """Go on with a record; ``open_seed``: its seed may be shown while the game goes on.

        Raises ``click.ClickException`` where the record holds a move that is refused.
        """
        self.record = record
        self.file = file
        self.open_seed = open_seed
        self.game, failure = record.replay()
        if failure:
            message = f"the move at index {failure.index} is refused: {failure.detail}"
            raise click.ClickException(message)
        self._began = _clock_ms() - (record.times_ms or (0,))[-1]

    def play(self) -> None:
        """Ask for moves until the game has ended or its player leaves.

        Raises ``click.ClickException`` where the record cannot be saved.
        """
        if self.file and not self.file.exists():
            # Where nothing can be written, the player learns it before the game.
            self._save(self.file)
        click.echo(f"{title(self.record, with_seed=self.open_seed)}; help lists the moves\n")
        click.echo(draw_game(self.game))
        while not self._has_ended():
            try:
                line = input(_PROMPT)
            except UnicodeDecodeError:
                click.echo("That is no text.")
                continue
            except (EOFError, KeyboardInterrupt):
                click.echo()
                break
            if line.strip() == "quit":
                break
            self._answer(line.split())
        self._say_goodbye()

    def _has_ended(self) -> bool:
        if self.game.status is Status.IN_PROGRESS:
            return False
        return self.game.refusal(UNDO) is not None

    def _answer(self, words: list[str]) -> None:
        if words == ["help"]:
            click.echo(HELP[self.game.rules.family])
            return
        if "q" in words:
            # Too much to lose for a word that elsewhere means to leave.
            click.echo("Q, a capital letter, resigns; quit leaves the game as it stands.")
            return
        moves = [word.upper() for word in words]
        try:
            check_moves(self.game.rules, moves)
        except InvalidMove as error:
            _say(f"{error.detail}; help lists the moves")
            return
        self._play_moves(moves)

    def _play_moves(self, moves: list[str]) -> None:
        self.game, failure = play_all(self.game, moves)
        played = moves[: failure.index] if failure else moves
        if played:
            self._note(played)
        if played or not failure:
            click.echo(f"\n{draw_game(self.game)}")
        if failure:
            _say(_refused(failure, len(moves)))
        elif self.game.status is Status.LOST and not self._has_ended():
            click.echo("The game is lost: U takes back, quit leaves.")

    def _note(self, played: list[str]) -> None:
        record, now = self.record, _clock_ms() - self._began
        times = record.times_ms
        if times or not record.moves:
            times = (*(times or ()), *(now for _ in played))
        self.record = record._replace(moves=(*record.moves, *played), times_ms=times)
        if self.file:
            self._save(self.file)

    def _save(self, file: Path) -> None:
        part = file.with_name(f"{file.name}.part")
        try:
            # A full disk must not cost what was saved before.
            part.write_text(format_record(self.record), "ascii")
            part.replace(file)
        except OSError as error:
            message = f"cannot save to {click.format_filename(file)}: {error.strerror}"
            raise click.ClickException(message) from error

    def _say_goodbye(self) -> None:
        record, score, status = self.record, self.game.score, self.game.status
        over = status is not Status.IN_PROGRESS
        what = f"{score.cards_up} of 52 cards up, actions {score.actions}"
        click.echo(f"{status.capitalize() if over else 'Left in progress'}: {what}.")
        if self.file:
            name = shlex.quote(click.format_filename(self.file))
            command = "replay" if self._has_ended() else "play --resume"
            click.echo(f"This game: semilla {command} {name}")
        elif not over:
            click.echo("It is not saved: --save FILE keeps a game.")
        if record.seed is not None and (over or self.open_seed):
            changed = changed_options(record.variant, record.rules, record.seed)
            options = "".join(f" -o {option}" for option in changed)
            click.echo(f"This deal: semilla play {record.variant} --seed {record.seed}{options}")


def _refused(failure: Failure, count: int) -> str:
    if count == 1:
        return failure.detail
    return f"{failure.detail} ({failure.index} of {count} moves played)"


def _say(sentence: str) -> None:
    # Where the input is no terminal, no line break follows the prompt.
    click.echo(click.wrap_text(sentence, WIDTH - len(_PROMPT)))


def _clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000
