"""The page that people play on: its files, read and compressed once.

They are ES modules, styles and drawings as a browser takes them; nothing builds them.
"""

import gzip
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}
# What a module is to have before it runs; what it asks for by and by is an `import(…)`.
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[^"]+\.js)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class File:
    """A file: what it holds, the same compressed by gzip, and its media type."""

    body: bytes
    packed: bytes
    mimetype: str


@cache
def files() -> dict[str, File]:
    """Give every file by its name, such as ``i18n/en.js``."""
    return dict(_read(resources.files(__package__), ""))


@cache
def version() -> str:
    """Name what the files hold: it changes when any of them does."""
    digest = sha256()
    for name, file in files().items():
        digest.update(f"{name}\n{len(file.body)}\n".encode() + file.body)
    return digest.hexdigest()[:16]


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """Name a module and all that it imports, directly or not: what a browser needs to run it."""
    found = [name]
    for module in found:
        folder = posixpath.dirname(module)
        imported = _IMPORT.findall(files()[module].body.decode("utf-8"))
        paths = (posixpath.normpath(posixpath.join(folder, path)) for path in imported)
        found += dict.fromkeys(path for path in paths if path not in found)
    return tuple(found)


def _read(folder: Traversable, prefix: str) -> list[tuple[str, File]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        kind = entry.name.rpartition(".")[2]
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        elif kind in _TYPES:
            body = entry.read_bytes()
            # No time in it: the same file is the same everywhere.
            packed = gzip.compress(body, mtime=0)
            found.append((f"{prefix}{entry.name}", File(body, packed, _TYPES[kind])))
    return found
