"""The part of the session that asks the solver, in every way in which it answers."""

from service.solver.solution import Budget
from service.usecases import hints
from service.usecases.solver_slot import one_at_a_time
from tests.conftest import Player
from tests.solving import LOST, UNWINNABLE, WINNABLE

NOBODY = {"Authorization": "Bearer sg_nobody"}


def solve(client, monkeypatch):
    """Ask for solutions and hints, well and badly."""
    asked = {"variant": "cruel", "seed": WINNABLE, "goal": "line"}
    bodies = [asked, asked, {**asked, "goal": "verdict"}, {**asked, "goal": "shortest"}]
    bodies += [{**asked, "seed": UNWINNABLE}, {**asked, "moves": ["12>F"]}]
    bodies += [{**asked, "variant": "calculation"}, {**asked, "seed": "11", "budget_ms": 1}]
    bodies += [{**asked, "moves": ["12>1"]}, {**asked, "moves": ["U"]}, {"seed": "-"}, []]
    for body in bodies:
        client.post("/v1/solve", json=body)
    for headers in (NOBODY, {"Accept": "image/png"}):
        client.post("/v1/solve", json=asked, headers=headers)
    client.post("/v1/solve", data="{", content_type="application/json")
    client.post("/v1/solve", data="x")
    client.post("/v1/solve", data="x" * 2**17)
    client.post("/v1/solve", data="{", environ_overrides={"CONTENT_LENGTH": "9"})
    with one_at_a_time():
        client.post("/v1/solve", json={**asked, "moves": ["12>F"]})
    _give_hints(client, monkeypatch)


def _give_hints(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(hints, "CALCULATION_BUDGET", Budget(nodes=500))
        for variant, seed in (
            *(("cruel", seed) for seed in (WINNABLE, UNWINNABLE, LOST)),
            ("calculation", None),
        ):
            player = Player(client)
            player.start(variant, seed)
            for headers in ({}, NOBODY, {"Accept": "image/png"}):
                player.get("/hint", token=False, **headers)
        player.act("resign")
        player.get("/hint")
        player.get("/hint?all=1")
        patch.setattr(hints, "_WAIT_S", 0)
        player.start("cruel", WINNABLE)
        with hints._turn:  # noqa: SLF001 - another hint is under way
            player.get("/hint")
    client.get("/v1/games/none/hint")
