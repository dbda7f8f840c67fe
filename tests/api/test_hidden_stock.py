"""Calculation's stock: no request can tell apart what looks the same so far."""

import re

import pytest

from tests.api.lives import TEXTS, ask_everything, deck, row_of, write_row
from tests.api.problems import assert_problem
from tests.conftest import SQLITE_ONLY
from tests.naive.players import Dice, calculation_choice
from tests.naive.variants import DEFAULT_BASES

# ---- two stocks that look the same so far ----


def normal(reply):
    """Give what a reply tells but for what is new in each."""
    text = re.sub(r'"request_id":"[0-9a-f]+"', "", reply.data.decode("latin-1"))
    changing = {"X-Request-ID", "Date"}
    headers = {name: value for name, value in reply.headers if name not in changing}
    return reply.status_code, text, headers


def batches(dice, wastes):
    """Give requests to play, from the likely to the wild."""
    texts = [text for text in TEXTS if text[0] in "SW" and ">F" in text]
    for text in TEXTS:
        yield [text]
        yield ["S>W1", text]
        yield [text, "S>W1"]
    for number in "1234":
        yield ["S>W1", f"S>F{number}"]
        yield ["S>W1", f"W1>F{number}", "F1>W1"]
        yield ["S>W1", "S>W1", f"W1>F{number}"]
        yield ["S>W1", f"S>F{number}", "X"]
        yield ["S>W1", f"S>F{number}", "Q", "Q"]
        yield ["S>W1", "Q", f"S>F{number}"]
    for blind in (["S>W1", "S>W2"], ["S>W1", "S>W2", "S>W3"], ["S>W1", "S>W1", "S>W1", "S>W2"]):
        yield from ([*blind, text] for text in TEXTS)
    for _ in range(40):
        yield [dice.pick([*texts, "S>W1", "S>W2", *wastes]) for _ in range(2 + dice.below(4))]


def shuffled(row, dice):
    """Give the row of a game with its hidden cards in another order, and so another seed."""
    foundations, wastes, stock = row["position"].split(" | ")
    turned, *hidden = stock.split()
    position = " | ".join((foundations, wastes, " ".join([turned, *dice.shuffle(hidden)])))
    return {**row, "position": position, "seed": "0" * 32}


# Some thousand requests each: what a reply tells hangs on no database.
@SQLITE_ONLY
@pytest.mark.parametrize("left", [48, 42, 25, 10, 4, 3])
def test_no_request_can_tell_two_stocks_apart_that_look_the_same_so_far(life, db, left):
    dice = Dice(f"apart-{left}")
    while len(life.naive.table.stock) > left:
        life.play(calculation_choice(life.naive, dice))
    row = row_of(db, life.id)
    others = [shuffled(row, dice) for _ in range(2)]
    tops = [f"W{n}>F{m}" for n in range(1, 5) for m in range(1, 5)]
    path = f"/v1/games/{life.id}/moves"
    refused = 0
    for moves in batches(dice, tops):
        seen = []
        for world in (row, *others):
            write_row(db, world)
            reply = life.client.post(path, json={"moves": moves}, headers=life.player.auth)
            seen.append(reply)
        statuses = {reply.status_code for reply in seen}
        assert len(statuses) == 1, moves
        if statuses == {200} and any(move[0] in "SQ" for move in moves):
            # It is played: what it turned may be told now.
            continue
        refused += statuses != {200}
        assert len({str(normal(reply)) for reply in seen}) == 1, moves
    assert refused > 100
    for headers in life.viewers().values():
        asked = []
        for world in (row, *others):
            write_row(db, world)
            asked.append([normal(reply) for reply in ask_everything(life, headers)])
        assert asked[0] == asked[1] == asked[2]


# ---- moves that hang on a card which the same request turns ----


def test_a_move_of_a_card_that_the_same_request_turns_is_refused_whether_legal_or_not(life):
    for moves, place in (
        (["S>W1", "S>F1"], 1),
        (["S>W1", "S>W1", "W1>F2"], 2),
        (["S>W1", "S>W1", "W1>W2"], 2),
        (["S>W1", "S>W2", "W1>F1", "S>F4"], 3),
    ):
        reply = life.player.play(*moves)
        if place == 3 and reply.json["code"] == "illegal_move":
            assert reply.json["index"] == 2
            continue
        says = f"{moves[place]} hangs on a card that is hidden now"
        assert_problem(reply, "validation_failed", says=says, pointers=[f"/moves/{place}"])
    assert life.player.get().json["ply"] == 0


def test_moves_that_need_no_card_of_the_stock_may_follow_one_that_turns_one(life, db):
    row = row_of(db, life.id)
    # 2S lies on a waste, and goes up on an ace.
    stock = [card for card in deck() if card not in (*DEFAULT_BASES, "2S")]
    position = f"{' '.join(DEFAULT_BASES)} | 2S / - / - / - | {' '.join(stock)}"
    write_row(db, {**row, "position": position, "moves": 1, "ply": 1, "history": "S>W1@0"})
    state = life.player.play("S>W4", "W1>F1", "S>W4", "S>W2", at=1).json
    assert (state["ply"], state["card"]) == (5, stock[3])
    again = life.player.play("S>W4", "W1>F1", "S>W4", "S>W2", at=1).json
    assert again["recorded"] == 4
    reply = life.player.play("S>W4", "S>W4", "W4>F1", at=5)
    assert_problem(reply, "validation_failed", pointers=["/moves/2"])
    assert life.player.play("S>W4", "Q", at=5).json["status"] == "resigned"


def test_what_follows_the_last_card_of_the_stock_waits_until_it_is_seen(life, db):
    position = "QC JH TS 9D | KH / - / - / - | KD KS KC"
    write_row(db, {**row_of(db, life.id), "position": position})
    reply = life.player.play("S>W2", "S>W3", "S>W4", "Q")
    assert_problem(reply, "validation_failed", pointers=["/moves/3"])
    assert life.player.play("S>W2", "S>W3", "S>W4").json["stock_count"] == 0
    assert life.player.play("W2>F1", "W1>F2", "W3>F3", "W4>F4").json["status"] == "won"


def test_when_no_card_is_hidden_any_more_moves_may_follow_each_other(life, db):
    position = "QC KD KH KS | - / - / - / - | KC"
    write_row(db, {**row_of(db, life.id), "position": position})
    assert life.player.play("S>W1", "W1>F1").json["status"] == "won"


def test_who_knows_the_seed_may_send_a_whole_game_at_once(named):
    state = named.player.play(*["S>W1"] * 48, at=0).json
    assert state["stock_count"] == 0
    assert state["ply"] == 48
