"""Looking for secrets in whatever leaves the service: replies, lines of the log, output."""

import base64
import re
from xml.etree import ElementTree as ET

from tests.boards.test_svg import drawn_cards, named_cards

# A part of a seed so long stands nowhere by chance.
PART = 16
# So many moves of a win one after the other neither.
RUN = 12
CARD = re.compile(r"(?<![A-Za-z0-9])[A23456789TJQK][CDHS](?![A-Za-z0-9])")
TOKEN = re.compile(r"s[gp]_[\w-]{20,}")
_HEX = re.compile(f"[0-9a-f]{{{PART},}}")


class Secrets:
    """Drawn seeds, each 64 hex digits, and wins of their deals: nobody may learn of them."""

    def __init__(self, seeds, lines=()):
        self.seeds = list(seeds)
        self._parts = {part for seed in seeds for part in _parts(seed) | _parts(seed[::-1])}
        self._runs = [
            mark.join(run) for line in lines for run in _runs(line) for mark in (" ", '","', '", "')
        ]
        raw = [bytes.fromhex(seed) for seed in seeds]
        self._written = [
            form
            for seed, digits in zip(self.seeds, raw, strict=True)
            for form in (
                base64.b64encode(seed.encode()).decode()[:40],
                base64.b64encode(digits).decode()[:40],
                base64.urlsafe_b64encode(digits).decode()[:40],
                base64.b32encode(digits).decode()[:48],
            )
        ]

    def check(self, told):
        """Check that a text holds no part of a seed, in no form in which it might slip out."""
        for run in _HEX.findall(told.lower()):
            assert not self._parts & _parts(run), f"a part of a seed: {run}"
        for form in self._written:
            assert form not in told
        for run in self._runs:
            assert run not in told, f"a part of a win: {run}"


def _parts(digits):
    return {digits[start : start + PART] for start in range(len(digits) - PART + 1)}


def _runs(line):
    """Give runs of moves so long that nobody else plays them by chance."""
    return [line[start : start + RUN] for start in range(0, len(line) - RUN + 1, RUN)]


def text_of(reply):
    """Give the text of a reply; pixels have none, and are drawn from an SVG that has."""
    return "" if reply.mimetype == "image/png" else reply.text


def words_of(reply):
    """Give all that a reply tells but for outlines of suits, which may look like cards."""
    body = text_of(reply)
    if reply.mimetype == "image/svg+xml" and reply.data:
        body = " ".join(ET.fromstring(reply.data).itertext())  # noqa: S314 - what we drew ourselves
    return f"{body}\n{reply.status}\n{reply.headers}"


def cards_of(reply):
    """Give every card that a reply names or draws."""
    found = set(CARD.findall(TOKEN.sub("", words_of(reply))))
    if reply.mimetype == "image/svg+xml" and reply.data:
        root = ET.fromstring(reply.data)  # noqa: S314 - what we drew ourselves
        found |= {card for card, _, _ in drawn_cards(root)} | set(named_cards(root))
    return found
