"""Calculation's stock and seed: nobody learns of them before the end of the game, in any way."""

import logging

import pytest

from tests.api.lives import NAMED, TEXT, TEXTS, about, ask_everything, check_seed, row_of
from tests.api.problems import assert_problem
from tests.api.routes import routes_of
from tests.api.scanning import text_of
from tests.naive.players import Dice, calculation_choice

# ---- through a whole life ----


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
    yield post("/par", json={})
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
                    check_seed(f"{text_of(reply)}\n{reply.headers}", life.seed)
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
            for name in ("games", "playing", "hints", "par_searches"):
                patch.setattr(f"service.usecases.{name}.load_game", fail)
            patch.setattr("service.usecases.playing.recent_games", fail)
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
        check_seed(f"{text_of(reply)}{reply.headers}", row_of(db, game_id)["seed"])


def test_a_game_of_cruel_hides_nothing(player):
    state = player.start("cruel", None)
    assert player.get(token=False).json["seed"] == state["seed"]
    assert player.get("/record", token=False).json["seed"] == state["seed"]
