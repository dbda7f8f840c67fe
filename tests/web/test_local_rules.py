"""What the page shows before the service has answered: its rules and the service's, compared."""

import random

import pytest

from service.rules import VARIANTS
from tests.servers import ask

MOVES = 40
SEEDS = ("semilla",)
# The page's own functions, in the page.
COMPARE = """async ([root, states]) => {
  const rules = await import(`${root}play/rules.js`);
  return states.map(([state, move]) => {
    const legal = rules.legalMoves(state).sort();
    const next = move && rules.play(state, move);
    return [legal, next && [next.piles ?? next.wastes, next.foundations, next.score, next.ply]];
  });
}"""
REFUSE = """async ([root, state, moves]) => {
  const rules = await import(`${root}play/rules.js`);
  return moves.map((move) => rules.refusal(state, move));
}"""


def play_on(url, variant, seed):
    """Play at random, redeals more often than not; give each state with the move that follows."""
    chance = random.Random(f"{variant}/{seed}")
    moves, steps = [], []
    for _ in range(MOVES):
        body = {"variant": variant, "seed": seed, "moves": moves}
        state = ask(f"{url}/v1/evaluate", body).json
        legal = state["legal_moves"]
        if not legal:
            break
        move = "R" if "R" in legal and chance.random() < 0.4 else chance.choice(legal)
        steps.append((state, move))
        moves.append(move)
    return steps


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_and_the_service_agree_on_every_step(sit, url, variant):
    table = sit()
    table.open()
    seen = 0
    for seed in SEEDS:
        steps = play_on(url, variant, seed)
        answers = table.page.evaluate(COMPARE, [table.assets, steps])
        for at, ((state, move), (legal, played)) in enumerate(zip(steps, answers, strict=True)):
            assert legal == sorted(state["legal_moves"]), (seed, at)
            if at + 1 < len(steps):
                after = steps[at + 1][0]
                piles = after.get("piles", after.get("wastes"))
                assert played == [piles, after["foundations"], after["score"], after["ply"]], move
                seen += 1
    assert seen >= 20


def test_the_page_gives_the_services_reasons(sit, url):
    table = sit()
    table.open()
    asked = {
        "cruel": [f"{a}>{b}" for a in range(1, 13) for b in [*range(1, 13), "F"]],
        "royal-family": [f"{a}>{b}" for a in range(1, 13) for b in [*range(1, 13), "F"]],
        "calculation": [
            f"{a}>{b}{n}" for a in ("S", "W1", "W2") for b in ("F", "W") for n in range(1, 5)
        ],
    }
    found = set()
    for variant, moves in asked.items():
        body = {"variant": variant, "seed": "semilla"}
        start = {"moves": ["12>2"]} if variant == "cruel" else {}
        state = ask(f"{url}/v1/evaluate", {**body, **start}).json
        told = table.page.evaluate(REFUSE, [table.assets, state, moves])
        for move, reason in zip(moves[::3], told[::3], strict=True):
            sent = {**body, "moves": [*start.get("moves", []), move]}
            failed = ask(f"{url}/v1/evaluate", sent).json.get("failed")
            assert reason == (failed and failed["reason"]), (variant, move)
            found.add(reason)
    assert found >= {
        None,
        "same_pile",
        "wrong_suit",
        "wrong_rank",
        "wrong_colour",
        "waste_to_waste",
    }
