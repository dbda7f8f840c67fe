"""``semilla verify-challenge``: check a challenge from its public record, wherever that lies."""

import re
import sys
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import click
import orjson

from service.usecases.challenge_claims import NoRecord
from service.usecases.verify_challenge import Report, verify_challenge

# What a server may send before it is left alone.
_LONGEST_PAGE = 256 * 1024 * 1024
_LONGEST_PROBLEM = 64 * 1024
_MOST_PAGES = 10_000
_TIMEOUT_S = 30

_URL = re.compile("https?://")
_COLUMNS = ("cards_up", "actions", "redeals", "elapsed_ms")


@click.command("verify-challenge")
@click.argument("source", metavar="URL|FILE")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
def verify(source: str, *, as_json: bool) -> None:
    """Check a finished challenge from its public record alone; exit status 1 at any fault.

    URL is that of the challenge, as in http://127.0.0.1:8000/v1/challenges/ID; all pages of its
    record are fetched, and those of its leaderboard, which must show the ranking that follows.
    FILE (`-` for standard input) holds a page that is the whole record, or a list of all pages, and
    nothing is sent anywhere.
    """
    leaderboard = None
    if _URL.match(source):
        url = source.partition("?")[0].rstrip("/").removesuffix("/record")
        pages, leaderboard = (_fetch(f"{url}/{below}") for below in ("record", "leaderboard"))
    else:
        pages = _read(source)
    try:
        report = verify_challenge(pages, leaderboard)
    except NoRecord as error:
        message = f"not verified: {_printable(str(error))}"
        raise click.ClickException(message) from error
    held_to = "the ranking" if leaderboard is None else "the ranking, which the leaderboard shows"
    click.echo(orjson.dumps(_json(report)) if as_json else _draw(report, held_to))
    if report.faults:
        sys.exit(1)


def _fetch(base: str) -> list[object]:
    """Fetch all pages of a list."""
    pages: list[object] = []
    cursor: object = None
    while not pages or isinstance(cursor, str):
        if len(pages) == _MOST_PAGES:
            message = f"{base} has more than {_MOST_PAGES} pages"
            raise click.ClickException(message)
        query = {"limit": "200", **({"cursor": cursor} if isinstance(cursor, str) else {})}
        page = _parse(_get(f"{base}?{urlencode(query)}"), base)
        pages.append(page)
        cursor = page.get("next") if isinstance(page, dict) else None
    return pages


def _get(url: str) -> bytes:
    try:
        request = Request(url, headers={"Accept": "application/json"})  # noqa: S310 - http or https
        with urlopen(request, timeout=_TIMEOUT_S) as reply:  # noqa: S310 - as above
            body: bytes = reply.read(_LONGEST_PAGE + 1)
    except (OSError, HTTPException, ValueError) as error:
        why = _refusal(error) if isinstance(error, HTTPError) else str(error)
        message = f"cannot fetch {_printable(url)}: {_printable(why)}"
        raise click.ClickException(message) from error
    if len(body) > _LONGEST_PAGE:
        message = f"{_printable(url)} sends more than {_LONGEST_PAGE} bytes"
        raise click.ClickException(message)
    return body


def _refusal(error: HTTPError) -> str:
    """Give why a server refuses: what its problem says, where it sends one."""
    with error, suppress(OSError, HTTPException, orjson.JSONDecodeError):
        problem = orjson.loads(error.read(_LONGEST_PROBLEM))
        if isinstance(problem, dict) and isinstance(problem.get("detail"), str):
            return f"{error}: {problem['detail']}"
    return str(error)


def _read(name: str) -> list[object]:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        message = f"cannot read {click.format_filename(name)}: {why}"
        raise click.ClickException(message) from error
    data = _parse(content, click.format_filename(name))
    return data if isinstance(data, list) else [data]


def _parse(content: bytes, whence: str) -> object:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        message = f"{_printable(whence)} holds no JSON: {error}"
        raise click.ClickException(message) from error


def _json(report: Report) -> dict[str, object]:
    return {
        "challenge": report.challenge_id,
        "commitment": report.commitment,
        "verified": not report.faults,
        "attempts": report.attempts,
        "ranking": [
            {
                "rank": each.rank,
                "entry": each.entry,
                "player": each.player,
                "attempt": each.attempt,
                **each.standing._asdict(),
            }
            for each in report.ranking
        ],
        "disqualified": report.disqualified,
        "faults": report.faults,
    }


def _draw(report: Report, held_to: str) -> str:
    header = ("rank", "player", "attempt", "won", *_COLUMNS)
    rows: list[tuple[str, ...]] = [header]
    for each in report.ranking:
        figures = each.standing._asdict()
        won = "yes" if figures["won"] else "no"
        shown = (each.rank, _name(each.player), each.attempt, won)
        rows.append(tuple(map(str, (*shown, *(figures[name] for name in _COLUMNS)))))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"challenge   {_printable(report.challenge_id)}"]
    lines += [f"commitment  {_printable(report.commitment)}", ""]
    for row in rows:
        words = (word.ljust(width) for word, width in zip(row, widths, strict=True))
        lines.append("  ".join(words).rstrip())
    lines += [f"disqualified: {_name(player)}" for player in report.disqualified]
    lines += ["", *(f"fault: {_printable(fault)}" for fault in report.faults)]
    lines.append(
        f"Not verified: {len(report.faults)} faults."
        if report.faults
        else f"Verified: commitment, deal, all {report.attempts} attempts and {held_to}."
    )
    return "\n".join(lines)


def _name(player: str | None) -> str:
    return "(deleted)" if player is None else _printable(player)


def _printable(text: str) -> str:
    """Write what a stranger has written so that nothing runs wild in a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
