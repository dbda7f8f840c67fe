"""What must hold after any fault: the histories are exactly what was acknowledged, and sound."""

import re

from sqlalchemy import select

from service.config import Config
from service.db.engine import open_engine
from service.db.tables import games
from tests.cli.operating import invoke
from tests.servers import ask


def check(load, folder, *, others=0, **settings):
    """Compare the ledger of a load with a server that is well, and with its database.

    ``folder`` holds the logs of the servers, ``settings`` say where the database is, which holds
    so many ``others`` beside the games of the load.
    """
    config = Config.from_env({"SEMILLA_DATA": str(folder / "data"), **settings})
    rows = stored_rows(config)
    for game in load.games:
        check_game(load.url, game, rows[game.id])
    verified = invoke("verify-games", SEMILLA_DATA=str(config.data), **settings).stdout
    # None that no client knows, though the reply that brought it may have been cut off.
    assert verified == f"{len(load.games) + others} games checked, 0 faulty\n", verified
    check_logs(load, folder)


def stored_rows(config):
    engine = open_engine(config.url)
    with engine.connect() as connection:
        rows = {row["id"]: row for row in connection.execute(select(games)).mappings()}
    engine.dispose()
    return rows


def check_game(url, game, row):
    entries = history(url, game.id)
    moves = [entry["move"] for entry in entries]
    times = [entry["at_ms"] for entry in entries]
    assert [entry["ply"] for entry in entries] == list(range(1, len(entries) + 1))
    assert times == sorted(times)
    assert min(times, default=0) >= 0
    for request in game.acknowledged:
        end = request.at + len(request.moves)
        assert tuple(moves[request.at : end]) == request.moves, f"{game.id} lost {request}"
    # Every request was sent until it had a definite answer, so somebody was told of each entry.
    assert game.plies == set(range(1, len(entries) + 1)), f"{game.id} holds what nobody was told"
    assert row["history"] == " ".join(f"{move}@{at}" for move, at in zip(moves, times, strict=True))
    assert row["ply"] == len(moves)
    state = ask(f"{url}/v1/games/{game.id}", token=game.token).json
    assert (state["ply"], state["status"]) == (row["ply"], row["status"])
    if state["finished_at"]:
        assert state["elapsed_ms"] == max(times, default=0)


def history(url, game_id):
    """Read a whole history over HTTP."""
    items, cursor = [], ""
    while cursor is not None:
        page = ask(f"{url}/v1/games/{game_id}/moves?limit=200{cursor}").json
        items += page["items"]
        cursor = page["next"] and f"&cursor={page['next']}"
    return items


def check_logs(load, folder):
    """Find the log line of each refusal, which says what is the matter, and no traceback.

    What stands on a second line belongs to nobody.
    """
    logs = "".join(path.read_text("utf-8", "replace") for path in folder.glob("server-*.log"))
    assert "Traceback" not in logs, logs[-5_000:]
    lines = {}
    for line in logs.splitlines():
        for request_id in re.findall(r"\b[0-9a-f]{16}\b", line):
            lines.setdefault(request_id, []).append(line)
    for refusal in load.refusals:
        found = lines.get(refusal.request_id, [])
        assert any("database" in line for line in found), f"no log line explains {refusal}"
