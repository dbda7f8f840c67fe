"""How many statements each use case takes, straight and over HTTP, where no hook adds another."""

from contextlib import suppress

import pytest

from service.usecases import games, new_games
from service.usecases.errors import Refused
from service.usecases.recent_games import recent_games
from tests.conftest import NOON
from tests.statements import count_statements
from tests.usecases.sitting import FOUR_MOVES, before_updates

READ = ["SELECT"]
MOVE = ["SELECT", "UPDATE"]


@pytest.fixture
def web_db(app):
    """Give the application's database, with a connection that is open already."""
    db = app.extensions["semilla"].db
    with db.connect():
        return db


def spent(db, act):
    """Give the verbs of the statements that an act takes, refused or not.

    As of a process that has played none of the games before.
    """
    recent_games(db).clear()
    with count_statements(db) as seen, suppress(Refused):
        act()
    return seen.verbs


# ---- straight ----


@pytest.mark.parametrize("seed", ["semilla", None])
@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_to_start_a_game_takes_one_insert(db, variant, seed):
    terms = {"variant": variant, "options": {}, "seed": seed, "undo": None, "now": NOON}
    with db.connect():
        pass
    assert spent(db, lambda: new_games.create(db, **terms)) == ["INSERT"]


def test_a_game_that_makes_no_sense_takes_none(db):
    terms = {"variant": "cruel", "options": {}, "seed": "no seed", "undo": None, "now": NOON}
    with count_statements(db) as seen, suppress(ValueError):
        new_games.create(db, **terms)
    assert seen == []


@pytest.mark.parametrize(
    "act",
    [
        lambda game: game.view(),
        lambda game: game.view_with(None),
        lambda game: game.history(),
        lambda game: games.record(game.db, game.id, game.hash, NOON),
        lambda game: games.preview_redeal(game.db, game.id, None, NOON),
        lambda game: games.read(game.db, "no-such-game", None, NOON),
    ],
    ids=["read", "read by a stranger", "history", "record", "preview", "no such game"],
)
def test_to_read_takes_one_select(sit, act):
    sitting = sit()
    sitting.play(*FOUR_MOVES)
    assert spent(sitting.db, lambda: act(sitting)) == READ


def test_to_read_with_another_games_token_takes_a_second_select(sit):
    sitting, other = sit(), sit()
    assert spent(sitting.db, lambda: sitting.view_with(other.hash)) == READ * 2


@pytest.mark.parametrize(
    ("before", "moves", "at"),
    [
        ([], ["6>9"], None),
        ([], ["6>9"], 0),
        ([], FOUR_MOVES, 0),
        (FOUR_MOVES[:2], FOUR_MOVES, 0),
        (FOUR_MOVES, ["U"], 4),
        (FOUR_MOVES, ["U", "U", "1>6"], None),
        (FOUR_MOVES, ["Q"], 4),
        (FOUR_MOVES[:3], ["1>6"], 3),
    ],
    ids=["move", "move at", "batch", "rest of a batch", "undo", "undos", "resign", "last move"],
)
def test_to_play_takes_one_select_and_one_update(sit, before, moves, at):
    sitting = sit(redeal_limit=1)
    sitting.play(*before)
    assert spent(sitting.db, lambda: sitting.play(*moves, at=at)) == MOVE


@pytest.mark.parametrize(
    ("moves", "at"),
    [
        (FOUR_MOVES, 0),
        (FOUR_MOVES[2:], 2),
        (["12>2"], 0),
        (["12>2"], 9),
        (["7>7"], 4),
        (["7>7"], None),
        ([], None),
    ],
    ids=["retry", "late retry", "conflict", "gap", "illegal", "illegal without at", "nothing"],
)
def test_what_records_nothing_takes_one_select(sit, moves, at):
    sitting = sit()
    sitting.play(*FOUR_MOVES)
    assert spent(sitting.db, lambda: sitting.play(*moves, at=at)) == READ


def test_a_race_that_is_lost_takes_the_same_again(sit, db):
    sitting = sit()
    with db.connect(), db.connect():  # the rival needs a connection of its own
        pass
    with before_updates(lambda: sitting.play("6>9")):
        verbs = spent(db, lambda: sitting.play("12>2"))
    ours, rivals = MOVE, MOVE
    assert verbs == [ours[0], *rivals, ours[1], *MOVE]
    assert sitting.moves == ["6>9", "12>2"]


# ---- over HTTP ----


def test_to_post_a_game_takes_one_insert(client, web_db):
    body = {"variant": "cruel-strict"}
    assert spent(web_db, lambda: client.post("/v1/games", json=body)) == ["INSERT"]
    assert spent(web_db, lambda: client.post("/v1/games")) == ["INSERT"]


def test_who_plays_on_in_the_same_process_takes_one_update(sit):
    sitting = sit(redeal_limit=1)
    sitting.play(*FOUR_MOVES[:2])
    for move, at in zip(FOUR_MOVES[2:], (2, None), strict=True):
        with count_statements(sitting.db) as seen:
            sitting.play(move, at=at)
        assert seen.verbs == ["UPDATE"]


def test_to_post_a_game_with_the_token_of_another_takes_two_selects_before(client, player, web_db):
    player.start()
    act = lambda: client.post("/v1/games", json={}, headers=player.auth)  # noqa: E731
    assert spent(web_db, act) == ["SELECT", "SELECT", "INSERT"]


@pytest.mark.parametrize("token", [True, False])
@pytest.mark.parametrize("path", ["", "/moves", "/moves?limit=1", "/record", "/redeal"])
def test_to_get_takes_one_select(player, web_db, path, token):
    player.start()
    player.play(*FOUR_MOVES)
    replies = []
    verbs = spent(web_db, lambda: replies.append(player.get(path, token=token)))
    assert verbs == READ
    assert replies[0].status_code == 200


def test_a_hint_takes_what_reading_takes_and_a_look_at_the_challenges(player, web_db):
    player.start("cruel", "32")
    replies = []
    assert spent(web_db, lambda: replies.append(player.get("/hint"))) == READ * 2
    assert replies[0].status_code == 200
    player.act("resign")
    assert spent(web_db, lambda: replies.append(player.get("/hint"))) == READ


@pytest.mark.parametrize(
    ("act", "status", "verbs"),
    [
        (lambda player: player.play("6>9", at=0), 200, MOVE),
        (lambda player: player.play("6>9"), 200, MOVE),
        (lambda player: player.play(*FOUR_MOVES, "U", at=0), 200, MOVE),
        (lambda player: player.act("resign"), 200, MOVE),
        (lambda player: player.act("redeal"), 422, READ),
        (lambda player: player.act("undo"), 409, READ),
        (lambda player: player.play("12>2", at=1), 409, READ),
        (lambda player: player.play("nothing"), 422, READ),
        (lambda player: player.play(), 422, []),
        (lambda player: player.play("6>9", at=-1), 422, []),
    ],
)
def test_to_post_moves_takes_one_select_and_one_update_at_most(player, web_db, act, status, verbs):
    player.start()
    replies = []
    assert spent(web_db, lambda: replies.append(act(player))) == verbs
    assert replies[0].status_code == status


@pytest.mark.parametrize("verb", ["undo", "redeal"])
def test_undo_and_redeal_take_one_select_and_one_update_and_a_retry_one_select(
    player, web_db, verb
):
    player.start("cruel-semicolon")
    player.play("6>9")
    replies = []
    act = lambda: replies.append(player.act(verb, at=1))  # noqa: E731
    assert spent(web_db, act) == MOVE
    assert spent(web_db, act) == READ
    assert [(reply.status_code, reply.json["recorded"]) for reply in replies] == [
        (200, 0),
        (200, 1),
    ]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/variants",
        "/v1/variants/cruel",
        "/v1/deals/calculation/semilla",
        "/livez",
        "/openapi.yaml",
        "/docs/",
        "/no-such-page",
    ],
)
def test_what_does_not_depend_on_games_takes_no_statement(client, web_db, path):
    replies = []
    assert spent(web_db, lambda: replies.append(client.get(path))) == []
    replies[0].close()


def test_to_evaluate_takes_no_statement(client, web_db):
    body = {"seed": "semilla", "moves": FOUR_MOVES}
    assert spent(web_db, lambda: client.post("/v1/evaluate", json=body)) == []
