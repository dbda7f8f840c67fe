"""The checker finds what it is there for: rows that were spoilt by hand after a load."""

import sqlite3
from contextlib import closing

import pytest

from tests.faults.checker import check
from tests.faults.load import Load, Refusal
from tests.servers import running_server

SPOILT = {
    "lost": ("history = :before, ply = ply - 1", "lost Request"),
    "recorded twice": ("history = history || ' ' || :last, ply = ply + 1", "nobody was told"),
    "half recorded": ("cards_up = cards_up + 1", "its column cards_up holds"),
}


def test_the_checker_finds_moves_that_are_lost_added_or_half_recorded(tmp_path):
    file = tmp_path / "data" / "semilla.db"
    with running_server(tmp_path) as url:
        with Load(url) as load:
            load.wait_for_moves(20)
        check(load, tmp_path)
        game = max(load.games, key=lambda game: len(game.plies))
        for change, complaint in SPOILT.values():
            with closing(sqlite3.connect(file, isolation_level=None)) as database:
                query = "SELECT history, ply, cards_up FROM games WHERE id = ?"
                kept = database.execute(query, [game.id]).fetchone()
                before, _, last = kept[0].rpartition(" ")
                named = {"id": game.id, "before": before, "last": last}
                database.execute(f"UPDATE games SET {change} WHERE id = :id", named)  # noqa: S608
                with pytest.raises(AssertionError, match=complaint):
                    check(load, tmp_path)
                restore = "UPDATE games SET history = ?, ply = ?, cards_up = ? WHERE id = ?"
                database.execute(restore, [*kept, game.id])
        check(load, tmp_path)
        load.refusals.append(Refusal("busy", "0123456789abcdef", ""))
        with pytest.raises(AssertionError, match="no log line explains"):
            check(load, tmp_path)
