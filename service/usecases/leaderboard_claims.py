"""What a leaderboard shows, read from JSON that anybody may have written, and held to a ranking."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from service.usecases.challenge_claims import NoRecord, field_of, nullable, typed
from service.usecases.standing import Standing


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in its place, by its best attempt; ``player`` is None once they are deleted."""

    rank: int
    player: str | None
    attempt: int
    game_id: str
    status: str
    standing: Standing

    @property
    def figures(self) -> dict[str, object]:
        """All that is compared, by name."""
        return {
            "player": self.player,
            "rank": self.rank,
            "attempt": self.attempt,
            "game_id": self.game_id,
            "status": self.status,
            **self.standing._asdict(),
        }


def read_rows(pages: Sequence[object]) -> list[Row]:
    """Read all pages of a leaderboard, in their order; ``NoRecord`` where they are not that."""
    read = [typed(page, dict, "a page of the leaderboard") for page in pages]
    if not read or read[0].get("prev") is not None or read[-1].get("next") is not None:
        detail = "pages of the leaderboard are missing: the first has no prev, and the last no next"
        raise NoRecord(detail)
    return [
        _row(typed(item, dict, "a row of the leaderboard"))
        for page in read
        for item in field_of(page, "items", list)
    ]


def find_difference(shown: Iterable[Row], ranking: Iterable[Row]) -> str | None:
    """Tell the first row in which a leaderboard is not a ranking; None where it is."""
    for number, (row, right) in enumerate(zip_longest(shown, ranking), 1):
        if row is None or right is None:
            what = "is missing" if row is None else "is too much"
            return f"row {number} of the leaderboard {what}: the record gives {_whom(right)} there"
        given = right.figures
        for name, figure in row.figures.items():
            if figure != given[name]:
                says = f"row {number} of the leaderboard says {name} {_written(figure)}"
                return f"{says}, and the record gives {_written(given[name])}"
    return None


def _row(data: Mapping[str, object]) -> Row:
    return Row(
        rank=field_of(data, "rank", int),
        player=nullable(field_of(data, "player", dict), "name", str),
        attempt=field_of(data, "attempt", int),
        game_id=field_of(data, "game_id", str),
        status=field_of(data, "status", str),
        standing=Standing(
            won=field_of(data, "won", bool),
            cards_up=field_of(data, "cards_up", int),
            actions=field_of(data, "actions", int),
            redeals=field_of(data, "redeals", int),
            elapsed_ms=field_of(data, "elapsed_ms", int),
        ),
    )


def _whom(row: Row | None) -> str:
    return "nobody" if row is None else _written(row.player)


def _written(figure: object) -> str:
    if figure is None:
        return "(deleted)"
    return {True: "yes", False: "no"}[figure] if isinstance(figure, bool) else str(figure)
