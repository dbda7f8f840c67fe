"""A challenge's drawn seed and its deal: nobody learns of them before the reveal, in any way.

Every route of the application is asked, as every kind of viewer: one that is added is asked too,
and where it has a placeholder that nothing here stands for the test fails.
"""

from itertools import product

import click
import pytest
from click.testing import CliRunner

from service import cli
from service.api import plain_requests
from tests.api.asking import READS, Chance, bodies, check, read_all, routes, write_all
from tests.api.scanning import TOKEN
from tests.api.scene import Scene
from tests.cli.operating import UNSET
from tests.conftest import SQLITE_ONLY
from tests.hosting import commitment
from tests.test_logs import written

__all__ = ["written"]  # the fixture

# Of what is asked beside the plain requests, which are all sent, the ordinary run asks so much.
SHARE = 1 / 12
KINDS = list(product(("cruel", "calculation"), ("own", "shared")))


@pytest.fixture(params=KINDS, ids=["-".join(kind) for kind in KINDS])
def scene(request, app, db, clock):
    """Set a challenge up that is about to start."""
    return Scene(app, db, clock, *request.param)


def scan(scene, written, chance):
    """Ask everybody's everything before the start and while it runs, and look at every answer."""
    asked = 0
    for happens in (lambda: None, scene.start):
        happens()
        scene.remember()
        for who in scene.viewers:
            asked += read_all(scene, who, chance) + write_all(scene, who, chance)
    for who, path, reply in scene.replies:
        check(scene, who, path, "games.get_game", reply, turns=1)
    scene.secrets.check(written.text)
    assert not TOKEN.search(written.text)
    assert asked > 2_000


# Some thousand requests each: what a reply tells hangs on no database.
@SQLITE_ONLY
def test_no_reply_tells_of_a_seed_or_a_hidden_card_before_the_reveal(scene, written):
    scan(scene, written, Chance(f"{scene.variant} {scene.kind}", SHARE))


@pytest.mark.slow
def test_no_reply_at_all_tells_of_a_seed_or_a_hidden_card_before_the_reveal(scene, written):
    scan(scene, written, Chance("all", 1))


# ---- a crash, and the operator's hand ----


def test_no_crash_tells_of_a_seed_or_a_token(scene, written, monkeypatch):
    scene.start()
    scene.remember()
    words = f"seed={scene.seed!r} {scene.tokens} {scene.seed}"

    def crashing(view):
        def crash(*values, **named):
            view(*values, **named)
            raise RuntimeError(words)

        return crash

    chance, crashed = Chance("crash", 0.3), 0
    with monkeypatch.context() as patch:
        for endpoint, view in scene.app.view_functions.items():
            patch.setitem(scene.app.view_functions, endpoint, crashing(view))
        for short in ("_read_game", "_play_moves"):
            patch.setattr(plain_requests, short, crashing(getattr(plain_requests, short)))
        for endpoint, verb, path in routes(scene, "playing", chance):
            headers = {"If-Match": "*", **scene.auth("playing")}
            options = next(bodies(scene, endpoint, path))
            options = {} if verb in READS else options
            reply = scene.client.open(path, method=verb, headers=headers, **options)
            check(scene, "playing", path, endpoint, reply)
            crashed += reply.status_code == 500
            if verb not in READS:
                scene.bring_back()
    told = written.text
    assert crashed > 30
    assert told.count("Traceback") == crashed
    scene.secrets.check(told)
    assert not any(token in told for token in scene.tokens.values())


def commands(scene):
    """Give the words of every command of an operator that has to do with people and challenges."""
    known = {
        "name": "judged",
        "new_name": "renamed",
        "challenge_id": scene.id,
    }
    yield ["verify-games"]
    for group, found in cli.main.commands.items():
        if isinstance(found, click.Group) and group != "db":
            for name, command in found.commands.items():
                words = [known[argument.name] for argument in command.params]
                yield [group, name, *words]
                yield [group, name, *["nothing" for _ in words]]


def test_no_command_tells_of_a_seed_or_a_token(scene, config):
    scene.start()
    scene.remember()
    settings = {"SEMILLA_DATA": str(config.data), "DATABASE_URL": config.database_url or None}
    told = []
    for words in commands(scene):
        result = CliRunner().invoke(cli.main, words, env={**UNSET, **settings})
        assert result.exit_code in (0, 1), result.output
        scene.secrets.check(result.output)
        assert not any(token in result.output for token in scene.tokens.values())
        given = TOKEN.findall(result.output)
        assert bool(given) == (words == ["player", "token", "judged"])
        assert not TOKEN.search(result.stderr)
        told.append(" ".join(words[:2]))
        scene.bring_back()
    assert {"player token", "challenge cancel", "challenge hide", "verify-games"} <= {*told}


# ---- the reveal ----


def test_after_the_reveal_everybody_sees_the_seed_and_all_of_it_was_true(scene):
    scene.start()
    before = scene.ask("GET", scene.path).json
    scene.finish()
    for who in scene.viewers:
        found = scene.ask("GET", scene.path, who).json
        assert (found["state"], found["seed"]) == ("finished", scene.seed)
        assert found["commitment"] == before["commitment"]
        assert found["commitment"] == commitment(found["seed"], found["terms"])
        (former,) = found["former_terms"]
        assert former["commitment"] == commitment(former["seed"], former["terms"])
        assert {found["seed"], former["seed"]} == set(scene.secrets.seeds)
        listed = scene.ask("GET", f"/v1/games?challenge={scene.id}", who).json["items"]
        assert {each["id"] for each in listed} == set(scene.owned.values())
        for name, game_id in scene.owned.items():
            state = scene.ask("GET", f"/v1/games/{game_id}", who).json
            record = scene.ask("GET", f"/v1/games/{game_id}/record", who).json
            assert state["seed"] == record["seed"] == scene.seed
            assert record["moves"] == scene.naive(name).history
            replayed = scene.ask("POST", "/v1/evaluate", None, record).json
            assert "failed" not in replayed
            if state["status"] == "timed_out":
                # Time ends the game, and no record tells of it.
                for field in ("status", "legal_moves", "redeal"):
                    replayed.pop(field)
            assert {each: state[each] for each in replayed} == replayed
