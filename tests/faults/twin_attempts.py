"""Twins who enter, play and end attempts: more scenarios like those of ``twins.py``."""

import threading
import time
from contextlib import contextmanager

from tests.faults.pairs import Ask
from tests.faults.twins import (
    WON_MOVES,
    WON_SEED,
    cancel,
    codes,
    deal,
    enter,
    last_move,
    leave,
    now_ms,
    resign,
    rfc,
)
from tests.servers import ask

SPREAD_MS = 15  # around an instant at which something ends
WATCH_SECONDS = 0.01


@contextmanager
def watched(play, path):
    """Read a challenge all the time: once it has finished it stays so, and shows one seed."""
    seen, done = [], threading.Event()

    def watch():
        while not done.is_set():
            found = ask(f"{play.url}{path}").json
            seen.append((found["state"], found.get("seed")))
            time.sleep(WATCH_SECONDS)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    over = [place for place, (state, _) in enumerate(seen) if state == "finished"]
    if over:
        assert set(seen[over[0] :]) == {seen[over[0]]}, seen
        play.holds(path, state="finished", seed=seen[over[0]][1])


def race(play, **terms):
    """Set a race up that starts in a moment; give its path and the start."""
    host, starts_at = play.player(), now_ms() + 900
    times = {"starts_at": rfc(starts_at), "ends_at": rfc(starts_at + 60_000), "clock": "shared"}
    return play.challenge(host, **{**times, **terms}), starts_at


def enter_twice(play):
    path, player = play.challenge(play.player()), play.player()
    replies = play.both(enter(path, player), enter(path, player))
    assert codes(*replies) == ["200", "201"]
    (entry,) = {reply.json["id"] for reply in replies}
    play.holds(path, entered=1, revision=1)
    play.holds(f"{path}/entries/me", player.token, id=entry, state="registered")


def leave_against_a_deal(play):
    path = play.challenge(play.player())
    player = play.entrant(path)
    left, dealt = play.both(leave(path, player), deal(path, player))
    outcome = codes(dealt, left)
    assert outcome in (["204", "403 not_entered"], ["200", "201"])
    play.holds(path, entered=int(dealt.status == 201), dealt=int(dealt.status == 201))
    if dealt.status == 201:
        play.holds(f"{path}/entries/me", player.token, state="forfeited")
        play.holds(f"/v1/games/{dealt.json['id']}", player.token, status="resigned", ply=1)


def leave_a_race_that_starts(play):
    path, starts_at = race(play)
    player, other = play.entrant(path), play.entrant(path)
    with watched(play, path):
        play.wait_until(starts_at, SPREAD_MS)
        left, dealt = play.both(leave(path, player), deal(path, other))
    assert codes(left) in (["200"], ["204"])
    assert codes(dealt) in (["201"], ["409 not_running"])
    play.holds(path, entered=1 + (left.status == 200))


def deal_twice(play):
    path = play.challenge(play.player(), attempts=2)
    player = play.entrant(path)
    for number in (1, 2):
        replies = play.both(deal(path, player, number), deal(path, player, number))
        assert codes(*replies) == ["200", "201"]
        (game,) = {reply.json["id"] for reply in replies}
        assert play.ask(*resign(f"/v1/games/{game}", player)[:4]).status == 200
        play.holds(f"/v1/games/{game}", player.token, status="resigned", attempt=number)
    play.holds(path, dealt=2)


def deal_against_the_end(play):
    host, ends_at = play.player(), now_ms() + 1_300
    path = play.challenge(host, ends_at=rfc(ends_at))
    player, other = play.entrant(path), play.entrant(path)
    with watched(play, path):
        play.wait_until(ends_at, SPREAD_MS)
        replies = play.both(deal(path, player), deal(path, other))
        play.wait_until(ends_at + 2 * SPREAD_MS)
    assert set(codes(*replies)) <= {"201", "409 not_running"}
    play.holds(path, state="finished", dealt=sum(reply.status == 201 for reply in replies))


def undo_the_end(play):
    """Change and cancel in the last moment: too late, since others may see the seed meanwhile."""
    host, ends_at = play.player(), now_ms() + 1_300
    path = play.challenge(host, ends_at=rfc(ends_at))
    later = {"ends_at": rfc(ends_at + 60_000)}
    with watched(play, path):
        play.wait_until(ends_at, SPREAD_MS)
        change = Ask("PATCH", path, later, host.token, {"If_Match": "*"})
        replies = play.both(change, cancel(path, host))
        play.wait_until(ends_at + 2 * SPREAD_MS)
    assert codes(*replies) == ["409 not_running"] * 2
    play.holds(path, state="finished", revision=0)


def one_move_twice(play):
    path = play.challenge(play.player(), seed=WON_SEED)
    player = play.entrant(path)
    game = play.dealt(path, player)
    move = Ask("POST", f"{game}/moves", {"moves": WON_MOVES[:1], "at": 0}, player.token)
    replies = play.both(move, move)
    assert codes(*replies) == ["200", "200"]
    assert sorted(reply.json["recorded"] for reply in replies) == [0, 1]
    play.holds(game, player.token, ply=1)


def two_moves_for_one_place(play):
    path = play.challenge(play.player(), seed=WON_SEED)
    player = play.entrant(path)
    game = play.dealt(path, player)
    moves = [
        Ask("POST", f"{game}/moves", {"moves": [move], "at": 0}, player.token)
        for move in ("12>F", "3>F")
    ]
    assert codes(*play.both(*moves)) == ["200", "409 ply_conflict"]
    play.holds(game, player.token, ply=1)


def winning_move_twice(play):
    path = play.challenge(play.player(), seed=WON_SEED)
    player = play.entrant(path)
    game = play.almost_won(path, player)
    replies = play.both(last_move(game, player), last_move(game, player))
    assert codes(*replies) == ["200", "200"]
    assert sorted(reply.json["recorded"] for reply in replies) == [0, 1]
    play.holds(game, player.token, status="won", ply=len(WON_MOVES))
    play.holds(f"{path}/entries/me", player.token, state="finished")


def winning_move_against_forfeiting(play):
    path = play.challenge(play.player(), seed=WON_SEED)
    player = play.entrant(path)
    game = play.almost_won(path, player)
    moved, left = play.both(last_move(game, player), leave(path, player))
    assert left.status == 200
    assert codes(moved) in (["200"], ["409 ply_conflict"])
    won = moved.status == 200
    state = "finished" if won else "forfeited"
    assert left.json["state"] == state
    play.holds(f"{path}/entries/me", player.token, state=state)
    play.holds(game, player.token, status="won" if won else "resigned", ply=len(WON_MOVES))


def forfeit_twice(play):
    path = play.challenge(play.player())
    player = play.entrant(path)
    game = play.dealt(path, player)
    replies = play.both(leave(path, player), leave(path, player))
    assert codes(*replies) == ["200", "200"]
    play.holds(path, revision=3)
    play.holds(game, player.token, status="resigned", ply=1)


def resign_against_the_deadline(play):
    path = play.challenge(play.player(), time_limit_ms=1_000)
    player = play.entrant(path)
    game = play.dealt(path, player)
    due = now_ms() + 1_000
    play.wait_until(due, SPREAD_MS)
    resigned, moved = play.both(resign(game, player), leave(path, player))
    play.wait_until(due + 2 * SPREAD_MS)
    assert moved.status == 200
    if resigned.status == 200:
        assert moved.json["state"] in ("finished", "forfeited")
        play.holds(game, player.token, status="resigned", ply=1)
        return
    assert codes(resigned) in (["409 time_expired"], ["409 game_over"])
    state = play.read(game, player.token)["status"]
    play.holds(game, player.token, status=state)
    assert state in ("resigned", "timed_out")


def disqualify_twice(play):
    host = play.player()
    path = play.challenge(host)
    player = play.entrant(path)
    body = {"disqualified": True, "reason": "a solver"}
    judge = Ask("PATCH", f"{path}/entries/{player.name}", body, host.token)
    assert codes(*play.both(judge, judge)) == ["200", "200"]
    assert play.read(path)["revision"] == 2
    back = judge._replace(body={"disqualified": False, "reason": "none"})
    assert codes(*play.both(back, back)) == ["200", "200"]
    play.holds(path, revision=3)


def end_a_race_together(play):
    path, starts_at = race(play, order=play.chance.choice(["actions", "time"]))
    players = play.entrant(path), play.entrant(path)
    play.wait_until(starts_at + 1)
    games = [play.dealt(path, player) for player in players]
    with watched(play, path):
        replies = play.both(*[resign(*each) for each in zip(games, players, strict=True)])
        assert codes(*replies) == ["200", "200"]
        assert play.read(path)["state"] == "finished"
    for game in games:
        play.holds(game, status="resigned")


def end_a_race_by_forfeiting_together(play):
    path, starts_at = race(play)
    players = play.entrant(path), play.entrant(path)
    play.wait_until(starts_at + 1)
    game = play.dealt(path, players[0])
    with watched(play, path):
        replies = play.both(resign(game, players[0]), leave(path, players[1]))
        assert codes(*replies) == ["200", "200"]
        assert play.read(path)["state"] == "finished"
    play.holds(game, status="resigned")


SCENARIOS = [
    enter_twice,
    leave_against_a_deal,
    leave_a_race_that_starts,
    deal_twice,
    deal_against_the_end,
    undo_the_end,
    one_move_twice,
    two_moves_for_one_place,
    winning_move_twice,
    winning_move_against_forfeiting,
    forfeit_twice,
    resign_against_the_deadline,
    disqualify_twice,
    end_a_race_together,
    end_a_race_by_forfeiting_together,
]
