"""Reading and writing the JSON files of `tests/golden` so that people can read them too."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "golden"
WIDTH = 100
PILES = 12


def load(name: str) -> Any:
    """Read one golden file."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def save(name: str, data: dict[str, Any]) -> None:
    """Write one golden file, short things on one line, piles four to a line."""
    (FOLDER / name).write_text(pretty(data) + "\n", encoding="utf-8")


def join_piles(piles: list[list[str]]) -> list[str]:
    """Write each pile as one string."""
    return [" ".join(pile) for pile in piles]


def split_piles(piles: list[str]) -> list[list[str]]:
    """Read piles written as one string each."""
    return [pile.split() for pile in piles]


def join_start(start: dict[str, Any]) -> dict[str, Any]:
    """Write the start of a game the way the golden files do."""
    written: dict[str, Any] = {}
    for key, value in start.items():
        if key in ("piles", "wastes"):
            written[key] = join_piles(value)
        else:
            written[key] = " ".join(value)
    return written


def split_start(start: dict[str, Any]) -> dict[str, Any]:
    """Read what `join_start` wrote."""
    read: dict[str, Any] = {}
    for key, value in start.items():
        if key in ("piles", "wastes"):
            read[key] = split_piles(value)
        else:
            read[key] = value.split()
    return read


def pretty(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    """Format JSON: what fits stays on one line, the rest is filled or broken up."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) <= room - indent or not isinstance(value, dict | list) or not value:
        return flat
    inside = indent + 1
    if isinstance(value, dict):
        parts = []
        for key, item in value.items():
            name = json.dumps(key) + ": "
            parts.append(name + pretty(item, inside + (len(name) if is_flat(item) else 0), room))
        return "{" + fill(parts, inside, per_line=len(parts)) + "}"
    parts = [pretty(item, inside, room) for item in value]
    per_line = len(parts)
    if not is_flat(value):
        per_line = 1
    elif len(parts) == PILES and isinstance(value[0], str):
        per_line = 4
    return "[" + fill(parts, inside, per_line) + "]"


def is_flat(value: Any) -> bool:
    """Tell whether this is a list or an object of plain values."""
    if isinstance(value, dict):
        return is_flat(list(value.values()))
    return isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)


def fill(parts: list[str], indent: int, per_line: int) -> str:
    """Join parts with commas, breaking lines that would get too long."""
    lines = [""]
    on_line = 0
    for number, part in enumerate(parts):
        text = part + ("," if number < len(parts) - 1 else "")
        line = lines[-1]
        breaks = "\n" in line or "\n" in text or on_line >= per_line
        if line and (breaks or indent + len(line) + 1 + len(text) > WIDTH):
            lines.append(text)
            on_line = 1
        else:
            lines[-1] = f"{line} {text}" if line else text
            on_line += 1
    return ("\n" + " " * indent).join(lines)
