"""The ranking of a finished challenge from what is exported of it, and from nothing else."""

import hashlib
import json
from datetime import datetime

from tests.season.model import Entry, Played, deal_of, ranking


def ms(instant):
    """Read an instant as replies write it."""
    return round(datetime.fromisoformat(instant).timestamp() * 1000)


def pages(client, path, limit):
    """Give all pages of a list, from the first on."""
    found, cursor = [], {}
    while cursor is not None:
        reply = client.get(path, query_string={"limit": limit, **cursor})
        assert reply.status_code == 200, reply.text
        found.append(reply.json)
        cursor = reply.json["next"] and {"cursor": reply.json["next"]}
    return found


def exported(client, path, now):
    """Give all items of a leaderboard by the record of the challenge, and the record's items.

    The record has no entry without an attempt, and does not tell who has forfeited: the list of
    entries does; and the challenge tells its par.
    """
    record = pages(client, f"{path}/record", 7)
    head = record[0]
    told = f"commit/1\n{head['seed']}\n{head['terms']}"
    assert hashlib.sha256(told.encode()).hexdigest() == head["commitment"]
    terms = json.loads(head["terms"])
    deal = deal_of(head["terms"], head["seed"])
    entries = {}
    for page in pages(client, f"{path}/entries", 9):
        for item in page["items"]:
            entries[item["id"]] = Entry(
                item["id"], **_person(item), forfeited=item["forfeited_at"] is not None
            )
    items = [item for page in record for item in page["items"]]
    assert len(items) == head["dealt"]
    for item in items:
        entry = entries[item["entry"]]
        entry.attempts.append(_played(item))
        assert entry.attempts[-1].number == len(entry.attempts)
        assert {"player": entry.player, "bot": entry.bot} == _person(item)
        entry.disqualified = item["disqualified"] is not None
        _check_score(deal, item)
    par = client.get(path).json["par"]
    return ranking(deal, terms, entries.values(), now, over=True, par=par), items


def _person(item):
    return {"player": item["player"]["name"], "bot": item["player"]["bot"]}


def _played(item):
    return Played(
        item["attempt"],
        item["game_id"],
        ms(item["started_at"]),
        ms(item["deadline"]),
        item["moves"],
        item["times_ms"],
    )


def _check_score(deal, item):
    outcome = deal.after(item["moves"])
    acted = [at for move, at in zip(item["moves"], item["times_ms"], strict=True) if move != "Q"]
    assert item["times_ms"] == sorted(item["times_ms"])
    assert item["score"] == {
        "cards_up": outcome.cards_up,
        "moves": outcome.actions - outcome.redeals,
        "redeals": outcome.redeals,
        "actions": outcome.actions,
        "elapsed_ms": acted[-1] if acted else 0,
    }
    ended = "timed_out" if outcome.status == "in_progress" else outcome.status
    assert item["status"] == ended
