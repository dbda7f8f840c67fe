"""Calculation's stock and seed: nobody learns of them before the end of the game, in any way."""

import base64
import logging
import re
from itertools import chain
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select, update

from service.db.tables import games
from tests.api.problems import assert_problem
from tests.api.routes import routes_of
from tests.boards.test_svg import drawn_cards, named_cards
from tests.conftest import SQLITE_ONLY, Player
from tests.naive.deals import opening
from tests.naive.engine import CalculationTable, Naive
from tests.naive.players import Dice, calculation_choice
from tests.naive.variants import DEFAULT_BASES

NAMED = "a-seed-that-somebody-chose"
CARD = re.compile(r"(?<![A-Za-z0-9])[A23456789TJQK][CDHS](?![A-Za-z0-9])")
OPTIONS = {"bases": DEFAULT_BASES}
TEXTS = [*CalculationTable(OPTIONS, {"stock": []}).texts(), "U", "Q", "R", "X"]
TEXT = {"Accept": "text/plain"}


def row_of(db, game_id):
    with db.connect() as connection:
        query = select(games).where(games.c.id == game_id)
        return dict(connection.execute(query).mappings().one())


def write_row(db, row):
    with db.connect() as connection:
        connection.execute(update(games).where(games.c.id == row["id"]).values(row))


class Life:
    """A game of Calculation, what the one who plays it has seen of it, and what is hidden."""

    def __init__(self, app, db, client, seed=None):
        self.app, self.client = app, client
        self.player, self.other = Player(client), Player(client)
        self.other.start("cruel")
        self.player.start("calculation", seed)
        self.id, self.seed = self.player.id, row_of(db, self.player.id)["seed"]
        # The other engine deals the seed, and so knows the stock.
        self.naive = Naive("calculation", OPTIONS, opening("calculation", OPTIONS, self.seed))
        self.replies = 0

    @property
    def face_up(self):
        """Every card that lies, or has lain, face up."""
        return set(deck()) - set(self.naive.table.stock[1:])

    def viewers(self):
        return {"player": self.player.auth, "stranger": {}, "other": self.other.auth}

    def play(self, move):
        assert self.naive.play(move) is None
        return self.player.play(move)

    def check(self, reply, *, seed_too=True):
        """Check that a reply tells nothing that is hidden."""
        self.replies += 1
        told = f"{reply.text}\n{reply.headers}"
        if seed_too:
            check_seed(told, self.seed)
        if reply.mimetype == "image/svg+xml" and reply.data:
            root = ET.fromstring(reply.data)  # noqa: S314 - what we drew ourselves
            self.check_picture(root)
            # Its words alone: the outlines of suits may look like cards.
            told = f"{' '.join(root.itertext())}\n{reply.headers}"
        assert set(CARD.findall(told)) <= self.face_up
        if reply.status_code < 300 and reply.is_json and reply.data:
            self.check_state(reply.json)

    def check_state(self, state):
        assert "stock" not in state
        if "wastes" in state:
            table = self.naive.table
            assert state["wastes"] == table.wastes
            assert state["foundations"] == table.foundations
            assert state["card"] == (table.stock[0] if table.stock else None)
            assert state["stock_count"] == max(len(table.stock) - 1, 0)

    def check_picture(self, root):
        """Check that a picture draws and names each card that lies face up, and no other."""
        table = self.naive.table
        shown = [*table.foundations, *chain(*table.wastes), *table.stock[:1]]
        assert sorted(card for card, _, _ in drawn_cards(root)) == sorted(shown)
        assert sorted(named_cards(root)) == sorted(shown)


def deck():
    return [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def check_seed(told, seed):
    """Check that a text holds a seed in no form in which it might slip out."""
    for form in (seed, seed[::-1], quote(seed, safe=""), base64.b64encode(seed.encode()).decode()):
        assert form.lower() not in told.lower()


@pytest.fixture
def life(app, db, client):
    """Start a game whose seed the server draws."""
    return Life(app, db, client)


@pytest.fixture
def named(app, db, client):
    """Start a game whose seed its player names."""
    return Life(app, db, client, NAMED)


# ---- through a whole life ----


def about(life):
    """Give the routes that have to do with the game."""
    found = [route for route in routes_of(life.app, life.id) if life.id in route.path]
    assert len(found) >= 9
    return found


def ask_everything(life, headers):
    """Ask every route for what it knows about the game, and give the replies."""
    for route in about(life):
        if route.verb == "GET":
            for accept in ({}, TEXT):
                yield route.send(life.client, headers={**headers, **accept})
        yield life.client.head(route.path, headers=headers)
        yield life.client.options(route.path, headers=headers)


def ask_elsewhere(life, headers):
    """Ask every route that has nothing to do with the game, and give the replies."""
    for route in routes_of(life.app, life.id):
        if life.id not in route.path:
            yield route.send(life.client, headers=headers)


def blunder(life, headers):
    """Provoke every error that can be provoked on a game without changing it; give the replies."""
    client, path = life.client, f"/v1/games/{life.id}"
    ply = len(life.naive.history)

    def post(below, **options):
        return client.post(f"{path}{below}", headers=headers, **options)

    for move in TEXTS:
        if life.naive.refusal(move):
            yield post("/moves", json={"moves": [move]})
    for below in ("/moves", "/redeal", "/undo", "/resign"):
        body = {"moves": ["S>W1"]} if below == "/moves" else {}
        yield post(below, json={**body, "at": ply + 1})
        yield post(below, json={**body, "at": -1})
        yield post(below, json={**body, "seed": 1})
        yield post(below, json=[])
        yield post(below, data="{", content_type="application/json")
        yield post(below, data="a=b")
        yield post(below, data=b" " * 70_000, content_type="application/json")
        yield client.post(f"{path}{below}", json={**body, "at": ply})  # no token
        yield client.post(f"{path}{below}", json=body, headers={"Authorization": "Bearer sg_x"})
        yield client.post(f"{path}{below}", json=body, headers={"Authorization": "x"})
        yield client.post(f"{path}{below}", json=body, headers={**headers, "Accept": "text/html"})
        yield client.delete(f"{path}{below}", headers=headers)
        yield client.get(f"{path}{below}/", headers=headers)
        yield client.get(f"{path}{below}?seed=1&cursor=x&limit=0", headers=headers)
    if ply:
        yield post("/moves", json={"moves": ["F1>W1"], "at": 0})
        yield post("/resign", json={"at": 0})
    yield client.get(f"{path}.svg?seed=1", headers=headers)
    yield client.get(f"{path}/board.svg", headers=headers)
    yield client.get(f"{path}/seed", headers=headers)
    yield client.get(f"{path}/stock", headers=headers)
    yield client.get(f"{path}?stock=1", headers=headers)


def live(life, caplog, secret_from, monkeypatch):
    """Play a game to its end, and look at every reply and line of the log on the way."""
    dice, turned = Dice(life.seed), [life.naive.table.stock[0]]
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "service")
    while life.naive.status == "in_progress":
        ply = len(life.naive.history)
        viewers = list(life.viewers().items())
        for viewer, headers in viewers if ply % 8 == 0 else viewers[ply % 3 :][:1]:
            for reply in ask_everything(life, headers):
                life.check(reply, seed_too=viewer in secret_from)
            if ply % 16 == 0 or len(life.naive.table.stock) < 3:
                for reply in blunder(life, headers):
                    assert reply.status_code >= 300 or reply.request.query_string
                    life.check(reply, seed_too=viewer in secret_from)
                for reply in ask_elsewhere(life, headers):
                    check_seed(f"{reply.text}\n{reply.headers}", life.seed)
        if ply % 16 == 0:
            break_down(life, monkeypatch)
        before = life.naive.table.stock[:1]
        reply = life.play(calculation_choice(life.naive, dice))
        assert reply.status_code == 200
        if life.naive.status == "in_progress":
            life.check(reply, seed_too="player" in secret_from)
        if life.naive.table.stock and life.naive.table.stock[:1] != before:
            turned.append(life.naive.table.stock[0])
    return turned


def break_down(life, monkeypatch):
    """Let everything fail below each route."""

    def fail(*_args, **_kwargs):
        raise RuntimeError

    for route in about(life):
        with monkeypatch.context() as patch:
            for name in ("games.load_game", "playing.load_game", "playing.recent_games"):
                patch.setattr(f"service.usecases.{name}", fail)
            reply = route.send(life.client, headers=life.player.auth)
        assert_problem(reply, "internal_error")
        life.check(reply)


def check_revealed(life, turned):
    """Check that after the end everybody sees seed and record, and that all of it was true."""
    for headers in life.viewers().values():
        state = life.client.get(f"/v1/games/{life.id}", headers=headers).json
        assert state["seed"] == life.seed
        assert state["status"] == life.naive.status
        record = life.client.get(f"/v1/games/{life.id}/record", headers=headers).json
        assert record["seed"] == life.seed
        assert record["moves"] == life.naive.history
        verified = life.client.post("/v1/evaluate", json=record).json
        assert "failed" not in verified
        assert verified == {name: state[name] for name in verified}
        drawn = life.client.get(f"/v1/games/{life.id}/record", headers={**headers, **TEXT}).text
        assert f"\nseed: {life.seed}\n" in drawn
        picture = life.client.get(f"/v1/games/{life.id}.svg", headers=headers).text
        assert f"Calculation, seed {life.seed}: {life.naive.status}<" in picture
    deal = life.client.get(f"/v1/deals/calculation/{life.seed}").json
    assert deal["stock"][: len(turned)] == turned


def test_a_drawn_seed_and_the_stock_are_told_to_nobody_before_the_end(life, caplog, monkeypatch):
    turned = live(life, caplog, {"player", "stranger", "other"}, monkeypatch)
    check_seed(caplog.text, life.seed)
    assert life.replies > 3_000
    assert life.naive.status in ("won", "lost")
    assert len(turned) == 48
    check_revealed(life, turned)


def test_a_named_seed_is_told_to_the_holder_of_the_token_only(named, caplog, monkeypatch):
    turned = live(named, caplog, {"stranger", "other"}, monkeypatch)
    check_seed(caplog.text, named.seed)
    check_revealed(named, turned)


def test_who_named_the_seed_sees_it_and_the_record_all_along(named):
    for move in ("S>W1", "S>W2", "S>W1"):
        assert named.play(move).json["seed"] == NAMED
        assert named.player.get().json["seed"] == NAMED
        assert named.player.get("/record").json["seed"] == NAMED
        assert f"Calculation, seed {NAMED}: in progress<" in named.player.get(".svg").text
        assert "stock" not in named.player.get().json
        for headers in ({}, named.other.auth):
            path = f"/v1/games/{named.id}"
            assert "seed" not in named.client.get(path, headers=headers).json
            assert (
                "Calculation: in progress<" in named.client.get(f"{path}.svg", headers=headers).text
            )
            reply = named.client.get(f"{path}/record", headers=headers)
            assert_problem(reply, "still_secret", says="until the game has ended")


@pytest.mark.parametrize("plies", [0, 1, 20])
def test_resigning_reveals_seed_and_record(life, plies):
    dice, first = Dice("resign"), life.naive.table.stock[:1]
    for _ in range(plies):
        life.play(calculation_choice(life.naive, dice))
    assert_problem(life.player.get("/record"), "still_secret")
    reply = life.player.act("resign")
    life.naive.play("Q")
    assert reply.json["seed"] == life.seed
    check_revealed(life, first)


def test_the_reply_that_starts_a_game_with_a_drawn_seed_does_not_hold_it(client, db):
    for headers in ({}, TEXT):
        reply = client.post("/v1/games", json={"variant": "calculation"}, headers=headers)
        game_id = reply.headers["Location"].rpartition("/")[2]
        check_seed(f"{reply.text}{reply.headers}", row_of(db, game_id)["seed"])


def test_a_game_of_cruel_hides_nothing(player):
    state = player.start("cruel", None)
    assert player.get(token=False).json["seed"] == state["seed"]
    assert player.get("/record", token=False).json["seed"] == state["seed"]


# ---- two stocks that look the same so far ----


def normal(reply):
    """Give what a reply tells but for what is new in each."""
    text = re.sub(r'"request_id":"[0-9a-f]+"', "", reply.text)
    headers = {name: value for name, value in reply.headers if name != "X-Request-ID"}
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
