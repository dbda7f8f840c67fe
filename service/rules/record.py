"""The portable record of a game: all that anyone needs to replay and verify it.

One value, two forms that hold the same: JSON (here) and a text that people can read and mail
(``record_text``). Append-only: records are kept by others, so what is read today must be read for
ever; a new form is ``semilla/2``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.errors import InvalidRecord, Within, pointer
from service.rules.family import RULES_VERSION, Rules
from service.rules.game import Failure, Game, check_moves, play_all

FORMAT = "semilla/1"

# In the order of both forms.
FIELDS = (
    "record",
    "variant",
    "options",
    "deal_algorithm",
    "rules_version",
    "seed",
    "position",
    "undo",
    "moves",
    "times_ms",
)

# The text form reads numbers of at most 18 digits.
TIMES = range(10**18)


class Record(NamedTuple):
    """A game from its start: a seed with its deal algorithm, or else an explicit ``position``.

    ``moves`` is the whole history, undone moves, ``U`` and ``Q`` included; ``times_ms`` gives for
    each the ms since the start, or is None (as it always is where there are no moves).
    """

    variant: str
    rules: Rules[Any]
    seed: str | None
    deal_algorithm: str | None
    position: Any | None
    undo: bool
    moves: tuple[str, ...]
    times_ms: tuple[int, ...] | None = None

    def start(self) -> Game[Any]:
        """Give the game at its opening."""
        position = self.position
        if self.seed is not None and self.deal_algorithm is not None:
            position = self.rules.opening(self.deal_algorithm, self.seed)
        return Game.start(self.rules, position, undo=self.undo)

    def replay(self) -> tuple[Game[Any], Failure | None]:
        """Play the history from the opening: the game after it, or before the refused move."""
        return play_all(self.start(), self.moves)


def to_json(record: Record) -> dict[str, object]:
    """Give the record as JSON values, in the order of its text form."""
    start = record.rules.position_json(record.position) if record.seed is None else None
    data = {
        "record": FORMAT,
        "variant": record.variant,
        "options": record.rules.options(),
        "deal_algorithm": record.deal_algorithm,
        "rules_version": RULES_VERSION,
        "seed": record.seed,
        "position": start,
        "undo": record.undo,
        "moves": list(record.moves),
        "times_ms": list(record.times_ms) if record.times_ms else None,
    }
    return {name: value for name, value in data.items() if value is not None}


def read_json(data: object) -> Record:
    """Read a record from JSON values.

    Raises ``Invalid`` with the place of the first fault: a field that is missing, unknown or of the
    wrong kind. Whether the moves are legal is not checked: ``Record.replay`` tells.
    """
    if not isinstance(data, dict) or data.get("record") != FORMAT:
        detail = f"a record is an object whose field record is {FORMAT!r}"
        raise InvalidRecord(detail, "/record")
    _check_fields(data)
    rules = read_rules(data["variant"], data["options"])
    algorithm, position = _read_start(data, rules)
    if not isinstance(data["undo"], bool) or (data["undo"] and rules.hides_cards):
        detail = "undo is true or false, and false in Calculation"
        raise InvalidRecord(detail, "/undo")
    moves = _read_moves(data["moves"], rules)
    times = _read_times(data["times_ms"], len(moves)) if "times_ms" in data else None
    return Record(
        data["variant"], rules, data.get("seed"), algorithm, position, data["undo"], moves, times
    )


def _check_fields(data: Mapping[str, object]) -> None:
    start = {"seed", "deal_algorithm"} if "seed" in data else {"position"}
    needed = {"record", "variant", "options", "rules_version", "undo", "moves"} | start
    for name in FIELDS:
        if name in needed and name not in data:
            detail = "a record has this field, and either seed and deal_algorithm or position"
            raise InvalidRecord(detail, f"/{name}")
    for name in data:
        if name not in needed | {"times_ms"}:
            detail = "this record has no such field"
            raise InvalidRecord(detail, pointer(name))
    if type(data["rules_version"]) is not int or data["rules_version"] != RULES_VERSION:
        detail = f"these are the rules of version {RULES_VERSION}"
        raise InvalidRecord(detail, "/rules_version")


def read_rules(variant: object, options: object) -> Rules[Any]:
    """Read the rules of a record, which names every option; ``Invalid`` with the place."""
    if not isinstance(variant, str):
        detail = "a variant is named by a text"
        raise InvalidRecord(detail, "/variant")
    with Within("/variant"):
        preset = find_variant(variant)
    names = ", ".join(preset.options())
    if not isinstance(options, dict) or not preset.options().keys() <= options.keys():
        detail = f"a record names every option of its variant: {names}"
        raise InvalidRecord(detail, "/options")
    with Within("/options"):
        return preset.configured(options, None)


def _read_start(data: Mapping[str, object], rules: Rules[Any]) -> tuple[str | None, Any]:
    if "position" in data:
        with Within("/position"):
            return None, rules.read_position(data["position"])
    seed = data["seed"]
    with Within("/seed"):
        algorithm = algorithm_of(seed if isinstance(seed, str) else "")
    if data["deal_algorithm"] != algorithm:
        detail = f"this seed is dealt by {algorithm}"
        raise InvalidRecord(detail, "/deal_algorithm")
    return algorithm, None


def _read_moves(data: object, rules: Rules[Any]) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(move, str) for move in data):
        detail = "moves is a list of move texts"
        raise InvalidRecord(detail, "/moves")
    with Within("/moves"):
        check_moves(rules, data)
    return tuple(data)


def _read_times(data: object, count: int) -> tuple[int, ...] | None:
    whole = isinstance(data, list) and all(type(time) is int and time in TIMES for time in data)
    if not isinstance(data, list) or not whole or len(data) != count or sorted(data) != data:
        detail = "times_ms gives for each move the ms since the start, never going back"
        raise InvalidRecord(detail, "/times_ms")
    return tuple(data) or None
