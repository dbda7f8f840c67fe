"""The text form of a record, for people and mail, and of a history with its times.

    record: semilla/1
    variant: cruel
    options: deal=by_pile build=suit_down redeal=packets redeal_when=if_changes
      redeal_limit=none
    deal_algorithm: deal/1
    rules_version: 1
    seed: semilla
    undo: yes
    moves: 7>3@1520 R@2040

Append-only, like the JSON form.
"""

import re
import textwrap
from collections.abc import Sequence

from service.rules.errors import InvalidRecord, Within
from service.rules.family import RULES_VERSION
from service.rules.record import FIELDS, FORMAT, Record, read_json, read_rules

_WIDTH = 72
_LONGEST_NUMBER = 18
_FIELD = re.compile(rf"({'|'.join(FIELDS)}):\s*(.*)")
_WORDS = {"none": None, "yes": True, "no": False}


def format_moves(moves: Sequence[str], times_ms: Sequence[int] | None) -> str:
    """Write a history in one line: ``7>3 R``, or ``7>3@1520 R@2040`` with its times in ms."""
    if times_ms is None:
        return " ".join(moves)
    return " ".join(f"{move}@{at}" for move, at in zip(moves, times_ms, strict=True))


def parse_moves(text: str) -> tuple[list[str], list[int] | None]:
    """Read what ``format_moves`` wrote: the move texts, not checked, and their times if any.

    A time that is no number is read as -1, which no history holds.
    """
    words = [word.partition("@") for word in text.split()]
    moves = [move for move, _, _ in words]
    if not any(at for _, at, _ in words):
        return moves, None
    return moves, [int(time) if _is_number(time) else -1 for _, _, time in words]


def format_record(record: Record) -> str:
    """Write the text form: a line a field, folded at 72 characters with two spaces before."""
    options = " ".join(
        f"{name}={format_option_value(value)}" for name, value in record.rules.options().items()
    )
    position = record.rules.format_position(record.position) if record.seed is None else None
    fields = {
        "record": FORMAT,
        "variant": record.variant,
        "options": options,
        "deal_algorithm": record.deal_algorithm,
        "rules_version": str(RULES_VERSION),
        "seed": record.seed,
        "position": position,
        "undo": format_option_value(record.undo),
        "moves": format_moves(record.moves, record.times_ms),
    }
    return "".join(_fold(f"{name}: {text}") for name, text in fields.items() if text is not None)


def parse_record(text: str) -> Record:
    """Read the text form, also where a mail program has quoted, indented or folded its lines.

    Raises ``Invalid`` like ``read_json``; places are those of the JSON form.
    """
    fields = _unfold(text)
    data: dict[str, object] = {**fields}
    for name in ("rules_version", "undo"):
        if name in fields:
            data[name] = parse_option_value(fields[name])
    if "options" in fields:
        options = [word.partition("=") for word in fields["options"].split()]
        data["options"] = {name: parse_option_value(value) for name, _, value in options}
    if "moves" in fields:
        data["moves"], times = parse_moves(fields["moves"])
        if times is not None:
            data.setdefault("times_ms", times)
    if "position" in fields:
        data["position"] = _position_json(data, fields["position"])
    return read_json(data)


def format_option_value(value: object) -> str:
    """Write one value of an option: ``none``, ``3``, ``packets`` or ``AC,2D,3H,4S``."""
    if isinstance(value, list):
        return ",".join(value)
    return next((word for word, meant in _WORDS.items() if value is meant), str(value))


def parse_option_value(word: str) -> object:
    """Read what ``format_option_value`` wrote; whether an option takes it is not checked."""
    if word in _WORDS:
        return _WORDS[word]
    if _is_number(word):
        return int(word)
    return word.split(",") if "," in word else word


def _position_json(data: dict[str, object], text: str) -> dict[str, object]:
    rules = read_rules(data.get("variant"), data.get("options"))
    with Within("/position"):
        position = rules.parse_position(text)
    if rules.redeals(position):
        detail = "no redeal stands at the start of a game"
        raise InvalidRecord(detail, "/position")
    return rules.position_json(position)


def _fold(line: str) -> str:
    folded = textwrap.fill(
        line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return f"{folded}\n"


def _unfold(text: str) -> dict[str, str]:
    fields: dict[str, list[str]] = {}
    words: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        # No field or move begins with ">", so a quoted mail loses nothing here.
        bare = line.lstrip("> \t").rstrip()
        start = _FIELD.fullmatch(bare)
        if start:
            if start[1] in fields:
                detail = f"line {number} writes this field a second time"
                raise InvalidRecord(detail, f"/{start[1]}")
            words = fields[start[1]] = [start[2]]
        elif bare and words is None:
            detail = f"line {number} is no field: a record begins with record: {FORMAT}"
            raise InvalidRecord(detail)
        elif bare and words is not None:
            words.append(bare)
    # Where a value is too long for the line of its name, that line holds no word of it.
    return {name: " ".join(words).strip() for name, words in fields.items()}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= _LONGEST_NUMBER
