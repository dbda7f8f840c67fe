"""Valid requests of real sessions, and what can be wrong with a request on its way."""

import json
import re
from dataclasses import dataclass, replace
from urllib.parse import quote

from tests.faults.odd import (
    LENGTHS,
    LONG_JSON,
    METHODS,
    NAMES,
    ODD_HEADERS,
    ODD_JSON,
    ODD_PATHS,
    ODD_QUERIES,
)

JSON = ("Content-Type", "application/json")
MARK = '"<odd>"'


@dataclass(frozen=True)
class Request:
    """A request; ``body`` goes out with its Content-Length unless a header says otherwise."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = (("Host", "localhost"),)
    body: bytes = b""

    @property
    def raw(self):
        """The bytes on the wire."""
        names = {name.lower() for name, _ in self.headers}
        headers = list(self.headers)
        if self.body and not names & {"content-length", "transfer-encoding"}:
            headers.append(("Content-Length", str(len(self.body))))
        lines = [f"{self.method} {self.target} HTTP/1.1", *(f"{n}: {v}" for n, v in headers)]
        head = "\r\n".join(lines).encode("utf-8", "surrogatepass")
        return head + b"\r\n\r\n" + self.body


def get(target, token=None, **headers):
    """Make a GET."""
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Request("GET", target, (("Host", "localhost"), *bearer(token), *named))


def post(target, body=None, token=None, **headers):
    """Make a POST with a JSON body, or with none."""
    data = b"" if body is None else json.dumps(body).encode()
    typed = [JSON] if data else []
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Request("POST", target, (("Host", "localhost"), *bearer(token), *typed, *named), data)


def bearer(token):
    """Give the headers that show a token."""
    return [("Authorization", f"Bearer {token}")] if token else []


class Mutator:
    """Changes requests by chance; ``targets``: the paths of all that were recorded."""

    def __init__(self, chance, recorded):
        self.chance = chance
        self.recorded = recorded

    def bytes_of(self, request):
        """Give the bytes of a request with one to three things wrong."""
        chance = self.chance
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            request = chance.choice(STRUCTURED)(self, request)
        raw = request.raw
        return self.spoil(raw, chance.randint(1, 4)) if chance.random() < 0.15 else raw

    def spoil(self, data, times):
        """Flip, insert, leave out, repeat or replace bytes."""
        data, chance = bytearray(data), self.chance
        for _ in range(times):
            at = chance.randrange(len(data) + 1)
            some = bytes(
                chance.choice(
                    (0, 9, 10, 13, 32, 34, 37, 47, 92, 127, 128, 255, chance.randrange(256))
                )
                for _ in range(chance.choice((1, 1, 2, 5)))
            )
            match chance.randrange(5):
                case 0:
                    data[at : at + 1] = bytes(
                        [data[at] ^ 1 << chance.randrange(8)] if at < len(data) else b""
                    )
                case 1:
                    data[at:at] = some
                case 2:
                    del data[at : at + chance.choice((1, 1, 2, 9, 50))]
                case 3:
                    data[at:at] = data[at : at + 20]
                case _:
                    data[at : at + len(some)] = some
        return bytes(data)

    def body(self, request):
        return replace(request, body=self.spoil(request.body, self.chance.randint(1, 3)))

    def value(self, request):
        """Put another value somewhere into the JSON, or another field beside it."""
        chance = self.chance
        odd = chance.choice(LONG_JSON if chance.random() < 0.05 else ODD_JSON)
        try:
            data = json.loads(request.body or b"{}")
        except (ValueError, RecursionError):
            return self.body(request)
        places = list(_places(data))
        if not places or chance.random() < 0.05:
            return self._with_json(request, odd)
        holder, key = chance.choice(places)
        old = holder[key]
        match chance.randrange(7):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[chance.choice((*NAMES, key.upper(), f"{key} ", f"{key}s", "x" * 999))] = (
                    holder.pop(key)
                )
            case 2 if isinstance(holder, dict):  # the same field twice
                holder[f"{key}<twice>"] = chance.choice((old, "<odd>", None))
            case 3 if isinstance(holder, list):
                holder.insert(chance.randrange(len(holder) + 1), old)
            case 4 if isinstance(old, str) and old:
                holder[key] = self.spoil(old.encode("utf-8", "surrogatepass"), 1).decode(
                    "utf-8", "replace"
                )
            case 5 if isinstance(holder, list):
                holder *= chance.choice((2, 50))
            case _:
                holder[key] = "<odd>"
        text = json.dumps(data).replace("<twice>", "").encode()
        return self._with_json(request, text.replace(MARK.encode(), odd))

    def _with_json(self, request, body):
        typed = any(name == "Content-Type" for name, _ in request.headers)
        headers = request.headers if typed else (*request.headers, JSON)
        return replace(request, body=body, headers=headers)

    def size(self, request):
        """Make the body empty, cut it, or make it as long as the service takes, or one more."""
        chance = self.chance
        body = chance.choice((b"", request.body[: chance.randrange(len(request.body) + 1)], None))
        if body is None:
            length = chance.choice(LENGTHS)
            body = request.body.ljust(length, chance.choice((b" ", b"x", b"\x00", b"[")))
        return replace(request, body=body)

    def framed(self, request):
        """Send the body in chunks, right or wrong."""
        chance, body = self.chance, request.body
        if chance.random() < 0.1:
            body = body.ljust(chance.choice(LENGTHS))
        chunks, at = [], 0
        while at < len(body):
            size = chance.choice((1, 7, 5_000, 100_000))
            piece = body[at : at + size]
            extension = chance.choice(
                (b"", b"", b"", b";a", b";a=b", b' ; a="b"', b";" + b"x" * 300)
            )
            chunks.append(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece))
            at += size
        chunks.append(
            chance.choice(
                (b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"0\r\n", b"", b"-1\r\n\r\n", b"ffffffff\r\n")
            )
        )
        framed = b"".join(chunks)
        if chance.random() < 0.3:
            framed = self.spoil(framed, 1)
        return replace(
            request, headers=(*request.headers, ("Transfer-Encoding", "chunked")), body=framed
        )

    def header(self, request):
        """Leave headers out, double them, or have odd ones."""
        chance, headers = self.chance, list(request.headers)
        name, *values = chance.choice(ODD_HEADERS)
        match chance.randrange(5):
            case 0:
                headers.pop(chance.randrange(len(headers))) if headers else None
            case 1:
                headers.append(chance.choice(headers or [("X", "y")]))
            case 2:
                headers += [
                    (f"X-{number}", "y") for number in range(chance.choice((50, 98, 101, 2_000)))
                ]
            case 3:
                headers = [(n, v) for n, v in headers if n.lower() != name.lower()]
                headers.append((name, chance.choice(values)))
            case _:
                headers.append((name, chance.choice(values)))
        return replace(request, headers=tuple(headers))

    def token(self, request):
        """Show the token of another game, or one that is nearly right."""
        chance = self.chance
        headers = [pair for pair in request.headers if pair[0] != "Authorization"]
        other = [v for r in self.recorded for n, v in r.headers if n == "Authorization"]
        shown = chance.choice(other)
        spoilt = self.spoil(shown.encode(), 1).decode("latin-1")
        return replace(
            request, headers=(*headers, ("Authorization", chance.choice((shown, spoilt))))
        )

    def path(self, request):
        """Ask for something else, or in odd letters."""
        chance = self.chance
        path, mark, query = request.target.partition("?")
        parts = path.split("/")
        at = chance.randrange(len(parts))
        match chance.randrange(8):
            case 0:
                path += chance.choice(ODD_PATHS)
            case 1:
                parts[at] = chance.choice(ODD_PATHS).removeprefix("/")
                path = "/".join(parts)
            case 2:
                path = "/".join(parts[:at] + parts[at + 1 :])
            case 3:
                path = self.spoil(path.encode(), 1).decode("latin-1")
            case 4:
                path = quote(path, safe=chance.choice(("", "/")))
            case 5:
                path = (
                    chance.choice(
                        ("http://localhost", "http://evil.example:99999", "*", "x:y", "//h")
                    )
                    + path
                )
            case 6:
                path = "/".join("".join(f"%{byte:02x}" for byte in part.encode()) for part in parts)
            case _:
                other = chance.choice(self.recorded).target.partition("?")[0].split("/")
                parts[at] = other[min(at, len(other) - 1)]
                path = "/".join(parts)
        return replace(request, target=f"{path}{mark}{query}")

    def query(self, request):
        """Ask with another query."""
        path = request.target.partition("?")[0]
        asked = self.chance.choice(ODD_QUERIES)
        return replace(request, target=f"{path}?{asked}")

    def method(self, request):
        """Ask by another method."""
        return replace(request, method=self.chance.choice(METHODS))


STRUCTURED = (
    Mutator.value, Mutator.value, Mutator.value, Mutator.value, Mutator.body, Mutator.size,
    Mutator.framed,
    Mutator.header, Mutator.header, Mutator.header, Mutator.token, Mutator.path, Mutator.path,
    Mutator.query, Mutator.method,
)  # fmt: skip


def _places(data):
    """Give every value of some JSON by what holds it and its key there."""
    pairs = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in list(pairs):
        yield data, key
        yield from _places(value)


# ---- what comes back ----

_REPLY = re.compile(rb"HTTP/1\.\d (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n")


@dataclass(frozen=True)
class Answer:
    """One reply."""

    status: int
    headers: dict[str, str]
    body: bytes


def read_answers(data, head_only):
    """Read all the replies that came over a connection; ``ValueError`` where they are none."""
    answers = []
    while data:
        found = _REPLY.match(data)
        if not found:
            message = f"no reply: {data[:200]!r}"
            raise ValueError(message)
        lines = found[2].decode("latin-1").splitlines()
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
        status, data = int(found[1]), data[found.end() :]
        if status == 100:
            continue
        bodiless = status in (204, 304) or (head_only and not answers)
        # The worker's own refusals have a body even after HEAD, and end the connection.
        bodiless &= "x-request-id" in headers
        length = 0 if bodiless else int(headers.get("content-length", len(data)))
        if len(data) < length:
            message = f"a reply that is cut off after {len(data)} of {length} bytes"
            raise ValueError(message)
        answers.append(Answer(status, headers, data[:length]))
        data = data[length:]
    return answers
