"""What must hold in every database, whoever has done what at the same moment.

Counts, states and standings are computed once more, from the events and the histories.
"""

import hashlib
import json
from collections import Counter, defaultdict
from itertools import pairwise

from sqlalchemy import select

from service.db import tables
from service.db.engine import open_engine
from service.usecases.standing import read_standing
from service.usecases.verify import verify_games
from tests.naive.deals import opening
from tests.naive.engine import Naive


def check_database(url):
    """Check every player, challenge, entry, event and game of a database."""
    engine = open_engine(url)
    faulty = [verdict for verdict in verify_games(engine) if verdict.faults]
    assert not faulty, faulty
    with engine.connect() as connection:
        rows = {
            table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in tables.Base.metadata.sorted_tables
        }
    engine.dispose()
    check_players(rows)
    inside = {name: _by_challenge(rows[name]) for name in ("entries", "events", "games")}
    former = _by_challenge(rows["former_terms"])
    for challenge in rows["challenges"]:
        found = [inside[name][challenge["id"]] for name in ("entries", "events", "games")]
        check_challenge(challenge, *found)
        check_terms(challenge, former[challenge["id"]], found[1])
    return Counter({name: len(found) for name, found in rows.items()})


def _by_challenge(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["challenge_id"]].append(row)
    return found


def check_players(rows):
    """Check that nobody shares a name or a token, and that everybody's name is taken by them."""
    taken = {row["folded"]: row["player_id"] for row in rows["player_names"]}
    assert len(taken) == len(rows["player_names"])
    for player in rows["players"]:
        if player["deleted_at"] is None:
            assert taken[player["name"].lower()] == player["id"]
        else:
            assert (player["name"], player["token_hash"]) == (None, None)
            assert player["id"] not in taken.values()
    tokens = [row["token_hash"] for row in rows["players"] if row["token_hash"]]
    assert len(set(tokens)) == len(tokens)
    made = [row["resource_id"] for row in rows["idempotency_keys"]]
    there = {row["id"] for name in ("players", "challenges", "games") for row in rows[name]}
    assert len(set(made)) == len(made)
    assert set(made) <= there


def check_challenge(challenge, entries, events, games):
    """Check a challenge against what has happened in it."""
    events = sorted(events, key=lambda event: event["number"])
    assert [event["number"] for event in events] == list(range(1, challenge["revision"] + 1))
    players = [entry["player_id"] for entry in entries]
    assert len(set(players)) == len(players)
    kinds = Counter(event["kind"] for event in events)
    assert challenge["entered"] == len(entries) == kinds["entered"] - kinds["left"]
    assert challenge["dealt"] == len(games) == kinds["attempt_dealt"]
    assert kinds["cancelled"] == (challenge["cancelled_at"] is not None)
    if kinds["cancelled"]:
        assert not games
    of_player = defaultdict(list)
    for event in events:
        of_player[event["player_id"]].append(event)
    over = []
    for entry in entries:
        played = [game for game in games if game["entry_id"] == entry["id"]]
        told = of_player[entry["player_id"]]
        check_entry(challenge, entry, sorted(played, key=lambda game: game["attempt"]), told)
        last_ended = entry["attempt_ended_at"] and entry["dealt"] == challenge["attempts"]
        over += [entry] if last_ended or entry["forfeited_at"] else []
    assert challenge["ended"] == len(over)
    everybody = 0 < len(over) == len(entries)
    check_finish(challenge, events, games, everybody=everybody)


def check_finish(challenge, events, games, *, everybody):
    """Check when a challenge finishes; a race does so early once everybody in it has ended.

    That is at the latest of their ends: who waited for the lock may have looked at the clock before
    others whose ends are told earlier, and the time of a game never goes back.
    """
    if challenge["clock"] == "own":
        assert challenge["finishes_at"] == challenge["ends_at"]
        return
    limit = challenge["time_limit_ms"]
    due = challenge["ends_at"]
    due = due if limit is None else min(due, challenge["starts_at"] + limit)
    if not everybody:
        assert challenge["finishes_at"] == due
        return
    told = [event["at"] for event in events if event["kind"] in ("attempt_ended", "forfeited")]
    played = [ended_at(game) for game in games if game["status"] != "in_progress"]
    assert challenge["finishes_at"] == max(min(max(told + played), due), challenge["starts_at"])


def ended_at(game):
    """Compute from its history when a game ended that has."""
    last = game["history"].split()[-1:]
    return game["started_at"] + sum(int(entry.partition("@")[2]) for entry in last)


def check_entry(challenge, entry, games, events):
    """Check an entry against its attempts and the events of its player."""
    kinds = Counter(event["kind"] for event in events)
    assert [game["attempt"] for game in games] == list(range(1, entry["dealt"] + 1))
    assert {game["owner"] for game in games} <= {entry["player_id"]}
    assert kinds["entered"] == kinds["left"] + 1
    assert kinds["attempt_dealt"] == entry["dealt"]
    assert kinds["forfeited"] == (entry["forfeited_at"] is not None)
    assert kinds["disqualified"] - kinds["reinstated"] == (entry["disqualified_at"] is not None)
    ended = [json.loads(event["facts"]) for event in events if event["kind"] == "attempt_ended"]
    by_move = [game for game in games if game["status"] != "in_progress"]
    if kinds["forfeited"] and by_move and by_move[-1]["status"] == "resigned":
        # The resignation that forfeits is told by the one event.
        by_move = by_move[: len(ended)]
    told = [{"attempt": game["attempt"], "status": game["status"]} for game in by_move]
    assert ended == told
    best = None
    for number, game in enumerate(games, 1):
        assert game["deadline"] <= challenge["ends_at"]
        assert game["ranks"] == (number == len(games))
        assert (game["seed"], game["options"]) == (challenge["seed"], challenge["options"])
        best = max(filter(None, (best, standing(challenge, game))))
        assert _ranked(challenge["order"], game["standing"]) == best
    for before, after in pairwise(games):
        timed_out = before["status"] == "in_progress"
        assert after["started_at"] >= (before["deadline"] if timed_out else ended_at(before))
    if games:
        latest = games[-1]
        assert (entry["attempt_ended_at"] is None) == (latest["status"] == "in_progress")
        assert entry["deadline"] == latest["deadline"]


def standing(challenge, game):
    """Compute from a history what the contract says of the ranking: the greater tuple is better."""
    options = json.loads(game["options"])
    family = "calculation" if game["variant"] == "calculation" else "cruel"
    naive = Naive(family, options, opening(family, options, game["seed"]), undo=False)
    last = 0
    for entry in game["history"].split():
        move, _, at_ms = entry.partition("@")
        assert naive.play(move) is None, game["history"]
        last = last if move == "Q" else int(at_ms)
    assert naive.status == game["status"]
    table = naive.table
    actions = table.moves + table.redeals
    return _tuple(
        challenge["order"], naive.status == "won", table.cards_up(), actions, table.redeals, last
    )


def _tuple(order, won, cards_up, actions, redeals, elapsed_ms):
    if order == "time":
        return won, cards_up, -elapsed_ms, -actions, -redeals
    return won, cards_up, -actions, -redeals, -elapsed_ms


def _ranked(order, text):
    return _tuple(order, *read_standing(order, text))


def check_terms(challenge, former, events):
    """Check every commitment, and that no terms were replaced once somebody else was in."""
    for row in (challenge, *former):
        committed = f"commit/1\n{row['seed']}\n{row['terms']}".encode()
        assert row["commitment"] == hashlib.sha256(committed).hexdigest()
    replaced = {row["revision"] for row in former}
    others = 0
    for event in sorted(events, key=lambda each: each["number"]):
        if event["player_id"] != challenge["host"]:
            others += {"entered": 1, "left": -1}.get(event["kind"], 0)
        assert not (others and event["number"] in replaced)
