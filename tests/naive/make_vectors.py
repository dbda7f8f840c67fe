"""Compute our own golden vectors with the naive engine: `python -m tests.naive.make_vectors`."""

import itertools
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from .deals import opening
from .engine import CalculationTable, CruelTable, Naive, Options, perft
from .golden import join_piles, join_start, load, save, split_piles
from .players import (
    Dice,
    find_game,
    lost_openings,
    play_out,
    play_with_undos,
    random_layout,
    redeals_to_a_move,
)
from .variants import CRUEL_VARIANTS, DEFAULT_BASES, cruel_options

CALCULATION: Options = {"bases": DEFAULT_BASES}
OTHER_BASES = [
    ["AS", "2S", "3S", "4S"],
    ["AH", "2H", "3D", "4C"],
    ["AD", "2C", "3S", "4H"],
]
WHENS = ["anytime", "if_changes", "when_stuck"]
REDEALS = ["packets", "fans", "packets_from_top"]
BUILDS = ["suit_down", "alternate_up"]

# Layouts for `fans` in which no card moves now: after how many redeals one does (None: never)
# and after how many a layout comes again. Long waits are rare; these were searched for.
PATIENT_FANS: list[tuple[int | None, int, str]] = [
    (
        None,
        630,
        "QD 6C 3D KC/8S QH TC 9D/TS TD TH KS/9C JS QC JD/5D 7D 8D 7C/QS KH 9S/6D 8C KD/JH 4D JC",
    ),
    (
        7,
        630,
        "8S TH 5C JS/TC 7D 8C 3C/TD 2C 7C KH/JH KD TS 8D/QS 4C QD QC/9C JD KS/KC QH 6C/JC 9D 9S",
    ),
    (7, 330, "TC JH TH JD/QS 9S TD TS/8D 8S QC KD/6S JC KH KS/QH 9D 7S/JS QD KC"),
    (5, 20, "9C KH 8S JD/TD JS JC QC/8D 9S QD JH/QS TH 9D/KC TC KS/KD QH TS"),
    (5, 18, "TD QS KH KC/JH TC QD/JC QC QH/KD JD KS"),
]

# Positions that the rules themselves give as examples.
RULES_FANS = (
    "7D KH 2C 6D/JD 4H 4D QH/4S 9D 2S JS/3C 2D 7S TC/QC 6H QS 5C/9H 8C 5S KD"
    "/9S QD 3H KC/6C 2H TS 8H/JH 8D 4C 6S/7H JC 9C 3S/3D KS TH TD/7C 5H 5D 8S"
)
RULES_BACK_AND_FORTH = (
    "KH 2D 2C 7S 8D/JD TH 9S KC/4C 3C 6H TC/TS 9H 9D JS/4D JH QS/8H 8S 3H 5S"
    "/6C 2S 5H/7C 5D KD 3S 4H 5C 6D/QH 8C/4S QC 7H JC/7D 6S 3D/QD 9C TD KS"
)


def layout(text: str) -> list[list[str]]:
    """Read piles written with slashes; places that are not named are empty."""
    piles = split_piles(text.split("/"))
    return piles + [[] for _ in range(12 - len(piles))]


# ---- deals.json ----


def make_deals() -> dict[str, Any]:
    """Seeds with the order of the cards that they stand for."""
    seeds = ["semilla", "a", "Z", "0", "9", "x" * 128, "aB3" * 42 + "yz", "a.b_c~d-e", "0-._~"]
    seeds += ["7__", "semilla-2", "semilla.3", "SEMILLA", "Cruel", "s1", "s2", "s268", "s185"]
    seeds += ["0" * 64, "f" * 64, "0123456789abcdef" * 4]
    seeds += ["pysol", "Pysol-1", "2024-02-29", "a-", "daily", "9007199254740993"]
    pysol = ["pysol-1", "pysol-31999", "pysol-32000", "pysol-100000000000000000000"]
    pysol += ["pysol-ms32000", "pysol-ms4294967295", "pysol-ms8589934591"]
    cases: list[dict[str, Any]] = []
    for seed in seeds + pysol:
        algorithm = "pysol" if seed in pysol else "deal/1"
        case: dict[str, Any] = {"seed": seed, "algorithm": algorithm, "cruel": {}}
        for deal in ("by_pile", "by_round"):
            piles = opening("cruel", cruel_options(deal=deal), seed)["piles"]
            case["cruel"][deal] = join_piles(piles)
        case["calculation"] = [join_start(opening("calculation", {}, seed))]
        for bases in OTHER_BASES:
            case["calculation"].append(join_start(opening("calculation", {"bases": bases}, seed)))
        cases.append(case)
    refused = ["", "-a", ".a", "_a", "~a", "a b", "a/b", "a\n", "ñ", "x" * 129, "pysol-"]
    refused += ["pysol-0", "pysol-01", "pysol-ms0", "pysol-ms01", "pysol-x", "pysol-1.0"]
    refused += ["pysol-100000000000000000001", "pysol-ms8589934592", "pysol-MS1", "pysol--1"]
    return {
        "what": "the opening of each seed: Cruel by both ways of dealing, Calculation with"
        " the bases it gets when none are named and then with three other choices;"
        " refused: no seeds at all",
        "cases": cases,
        "refused": refused,
    }


# ---- perft_more.json ----


def counts(family: str, options: Options, start: dict[str, Any], depth: int) -> list[int]:
    """Count the sequences of length 1, 2, ... depth."""
    game = Naive(family, options, start)
    return [perft(game, length) for length in range(1, depth + 1)]


def option_sets(limits: Iterable[int | None]) -> list[Options]:
    """Every combination of the options, for a layout that lies already."""
    sets = itertools.product(BUILDS, REDEALS, WHENS, limits)
    return [
        cruel_options(build=build, redeal=redeal, redeal_when=when, redeal_limit=limit)
        for build, redeal, when, limit in sets
    ]


def perft_position(
    name: str, piles: list[list[str]], limits: Iterable[int | None], depth: int
) -> dict[str, Any]:
    """Count one Cruel layout under every combination of the options."""
    start = {"piles": piles}
    return {
        "name": name,
        "family": "cruel",
        "start": join_start(start),
        "counts": [
            {"options": options, "leaves": counts("cruel", options, start, depth)}
            for options in option_sets(limits)
        ],
    }


def perft_variants() -> list[dict[str, Any]]:
    """Count the openings of every variant by name."""
    positions = []
    for variant, seed in itertools.product(CRUEL_VARIANTS, ["semilla", "pysol-24"]):
        options = CRUEL_VARIANTS[variant]
        start = opening("cruel", options, seed)
        position: dict[str, Any] = {"name": f"{variant}, opening", "family": "cruel"}
        position["variant"] = variant
        position |= {"seed": seed, "start": join_start(start)}
        leaves = counts("cruel", options, start, 5)
        positions.append({**position, "counts": [{"options": options, "leaves": leaves}]})
    for seed, bases in [("semilla", None), ("pysol-24", None), ("semilla-2", OTHER_BASES[1])]:
        dealt = opening("calculation", {"bases": bases}, seed)
        options = {"bases": dealt["bases"]}
        start = {"stock": dealt["stock"]}
        position = {"name": "calculation, opening", "family": "calculation"}
        position |= {"variant": "calculation", "seed": seed, "start": join_start(start)}
        leaves = counts("calculation", options, start, 6)
        positions.append({**position, "counts": [{"options": options, "leaves": leaves}]})
    return positions


def has_gap_and_tower(game: Naive) -> bool:
    """Tell whether some pile is empty, some is short and some holds more than four."""
    assert isinstance(game.table, CruelTable)
    sizes = [len(pile) for pile in game.table.piles]
    return 0 in sizes and max(sizes) > 4 and 0 < min(size for size in sizes if size) < 4


def perft_layouts() -> list[dict[str, Any]]:
    """Count openings, middle games, endings and ended games under many options."""
    positions = []
    every = [None, 0, 1, 3]
    for deal, seed in (("by_pile", "calle"), ("by_round", "ronda")):
        piles = opening("cruel", cruel_options(deal=deal), seed)["piles"]
        positions.append(perft_position(f"opening of {seed}, {deal}", piles, every, 4))
    for variant in ("cruel", "ripple-fan", "royal-family"):
        _, _, game = find_game("cruel", cruel_options(variant), "gap", has_gap_and_tower)
        name = f"middle game of {variant}: empty, short and tall piles"
        assert isinstance(game.table, CruelTable)
        positions.append(perft_position(name, game.table.piles, [None, 1], 4))
    for number, (low, high, piles_used, depth) in enumerate(
        [(4, 8, 12, 4), (7, 11, 9, 4), (9, 12, 5, 5), (11, 13, 12, 5)], start=1
    ):
        piles = random_layout(Dice(f"late-{number}"), low, high, piles_used)
        positions.append(perft_position(f"ending {number}", piles, [None, 1], depth))
    more = {
        "blocked: no card can ever move": "TC JC QC KC/TD JD QD KD",
        "blocked: a redeal closes a gap and no more": "TC JC QC KC//TD JD QD KD",
        "one card left, in pile 12": "///////////KS",
        "won: no cards in the piles": "",
        "one move, then stuck until a redeal": "JC QC KC 9C/TC JD QD KD",
    }
    positions += [perft_position(name, layout(text), every, 4) for name, text in more.items()]
    _, _, text = PATIENT_FANS[4]
    positions.append(perft_position("no card moves before five fans", layout(text), every, 6))
    return positions


def has_few_left(left: int, game: Naive) -> bool:
    """Tell whether so many cards are not placed yet and a waste card fits."""
    table = game.table
    assert isinstance(table, CalculationTable)
    fits = any(text.startswith("W") for text in game.position_moves())
    return len(table.stock) == left and fits and game.status == "in_progress"


def perft_calculation() -> list[dict[str, Any]]:
    """Count late positions of Calculation: few cards or none left to turn."""
    positions = []
    for left in (6, 3, 2, 1, 0):
        for name in (f"late-{left}", f"later-{left}"):
            wanted = partial(has_few_left, left)
            seed, _, game = find_game("calculation", CALCULATION, name, wanted)
            table = game.table
            assert isinstance(table, CalculationTable)
            start = {"stock": table.stock, "wastes": table.wastes, "foundations": table.foundations}
            leaves = counts("calculation", CALCULATION, start, 5)
            positions.append(
                {
                    "name": f"calculation, {left} cards of {seed} not placed yet",
                    "family": "calculation",
                    "start": join_start(start),
                    "counts": [{"options": CALCULATION, "leaves": leaves}],
                }
            )
    return positions


def make_perft() -> dict[str, Any]:
    """Collect the positions with their counts."""
    return {
        "what": "perft: leaves[n-1] is the number of sequences of n moves of the position (redeals"
        " count as moves and against the limit; the end of the game stops nothing)",
        "positions": perft_variants() + perft_layouts() + perft_calculation(),
    }


# ---- status.json ----

CRUEL_ASKED = ["R", "1>F", "1>2", "12>12"]
CALCULATION_ASKED = ["S>W1", "W1>F1", "W1>W2", "F1>W1"]
INVALID: dict[str, list[str]] = {
    "cruel": [
        *["", " ", "1", "1>", ">F", "0>1", "01>2", "1>02", "13>1", "1>13", "99>1", "100>1"],
        *["1>f", "F>1", "r", "u", "q", "RR", "R ", " R", "1>F\n", "1 > 2", "1>2>3", "1-2"],
        *["S>F1", "W1>F1", "1>F1", "-1>2", "+1>2", "１>2", "1>２", "1>F R"],
    ],
    "calculation": [
        *["", " ", "S", "S>", "S>F", "S>W", "S>F0", "S>F5", "S>W5", "W0>F1", "W5>F1", "W1>F5"],
        *["W1>W5", "F5>W1", "F1>F2", "F1>S", "S>S", "W1>S", "s>F1", "S>f1", "w1>F1", "S>F01"],
        *["S>F1\n", " S>F1", "R", "1>2", "1>F", "u", "q", "UU", "S>F１"],
    ],
}


def described(game: Naive) -> dict[str, Any]:
    """Everything to expect of a game now."""
    state = game.state()
    known: dict[str, Any] = {"status": state["status"], "ply": state["ply"]}
    known["foundations"] = " ".join(state["foundations"])
    table = game.table
    if isinstance(table, CruelTable):
        known["piles"] = join_piles(table.piles)
    else:
        known["wastes"] = join_piles(table.wastes)
        known["card"] = state["card"]
        known["stock_count"] = state["stock_count"]
    known["score"] = state["score"]
    known["legal_moves"] = " ".join(state["legal_moves"])
    known["position_moves"] = " ".join(game.position_moves())
    known["redeal"] = None
    if isinstance(table, CruelTable):
        reason = game.refusal("R")
        known["redeal"] = {
            "allowed": reason is None,
            "reason": reason,
            "changes_layout": table.redealt() != table.piles,
            "used": table.redeals,
            "left": table.left(),
        }
    return known


def all_answers(game: Naive) -> dict[str, str]:
    """Sort every move text there is by what the game answers to it."""
    answers: dict[str, list[str]] = {}
    for text in [*game.table.texts(), "U", "Q"]:
        answers.setdefault(game.refusal(text) or "accepted", []).append(text)
    return {reason: " ".join(texts) for reason, texts in sorted(answers.items())}


class StatusCases:
    """The list of cases while it grows."""

    def __init__(self) -> None:
        """Start with none."""
        self.cases: list[dict[str, Any]] = []

    def add(
        self,
        name: str,
        options: Options,
        start: dict[str, Any],
        moves: Iterable[str] = (),
        *,
        status: str | None = None,
        seed: str | None = None,
        undo: bool = True,
        answers: bool = False,
    ) -> Naive:
        """Play the moves, all of which must be accepted, and record what is then."""
        family = "cruel" if "piles" in start else "calculation"
        undo = undo and family == "cruel"
        game = Naive(family, options, start, undo=undo)
        played = list(moves)
        for text in played:
            reason = game.play(text)
            if reason is not None:
                message = f"{name}: {text} is refused: {reason}"
                raise ValueError(message)
        if status is not None and game.status != status:
            message = f"{name}: {game.status} instead of {status}"
            raise ValueError(message)
        start = {key: value for key, value in start.items() if key != "bases"}
        case: dict[str, Any] = {"name": name, "family": family, "options": options, "undo": undo}
        if seed is not None:
            case["seed"] = seed
        case["start"] = join_start(start)
        case["moves"] = " ".join(played)
        case["expected"] = described(game)
        if answers and game.status == "in_progress":
            case["answers"] = all_answers(game)
        else:
            asked = ["U", "Q", *{"cruel": CRUEL_ASKED, "calculation": CALCULATION_ASKED}[family]]
            case["answers_to"] = {text: game.refusal(text) for text in asked}
        self.cases.append(case)
        return game

    def find(
        self,
        name: str,
        options: Options,
        seeds: str,
        wanted: Callable[[Naive], bool],
        *,
        more: str = "",
        status: str | None = None,
        answers: bool = False,
    ) -> Naive:
        """Record the first position of seeded play that is wanted, and perhaps some more moves."""
        family = "calculation" if "bases" in options else "cruel"
        seed, start, game = find_game(family, options, seeds, wanted)
        moves = [*game.history, *more.split()]
        return self.add(name, options, start, moves, seed=seed, status=status, answers=answers)


def status_lost_at_opening(cases: StatusCases) -> None:
    """Add deals that are lost before anybody moves."""
    for variant, options in CRUEL_VARIANTS.items():
        if variant == "ripple-fan":  # hardly ever lost while redeals have no limit
            continue
        for number, seed in enumerate(lost_openings(options, 3, 4000)):
            start = opening("cruel", options, seed)
            name = f"{variant}: lost at the opening"
            cases.add(name, options, start, status="lost", seed=seed, undo=number != 1)
    for seed in lost_openings(cruel_options("ripple-fan", redeal_limit=0), 2, 4000):
        for limit, expected in ((0, "lost"), (1, "in_progress")):
            options = cruel_options("ripple-fan", redeal_limit=limit)
            start = opening("cruel", options, seed)
            name = f"fans, limit {limit}: stuck at the opening"
            cases.add(name, options, start, status=expected, seed=seed)
    limits: list[int | None] = [0, 1, 2, None]
    for limit_now, when in itertools.product(limits, WHENS):
        options = cruel_options("ripple-fan", redeal_limit=limit_now, redeal_when=when)
        name = f"example of the rules: fans, {when}, limit {limit_now}"
        cases.add(name, options, {"piles": layout(RULES_FANS)})


def status_won(cases: StatusCases) -> None:
    """Add complete games, also with detours that were taken back."""
    solved = [deal for deal in load("solved_cruel.json")["deals"] if deal["winnable"]]
    for number, deal in enumerate(solved[:3]):
        options = cruel_options(("cruel", "cruel-semicolon", "cruel")[number])
        start = {"piles": split_piles(deal["piles"])}
        moves = deal["solution"].split()
        cases.add("won by a short solution", options, start, moves, status="won", answers=True)
        almost = moves[:-1]
        cases.add("one move before the win", options, start, almost, status="in_progress")
        detour = [*moves[:7], "U", "U", "U", *moves[4:20], "U", *moves[19:]]
        cases.add("won after taking moves back", options, start, detour, status="won")
        cases.add("resigned before the win", options, start, [*almost, "Q"], status="resigned")
    for played in load("pysol_cruel_games.json")["games"][:1]:
        options = cruel_options("cruel-pysol")
        start = {"piles": split_piles(played["piles"])}
        moves = [step["move"] for step in played["steps"]]
        seed = f"pysol-{played['deal']}"
        cases.add("won in PySolFC", options, start, moves, status="won", seed=seed)
    for variant in ("cruel-strict", "ripple-fan", "cruel-pysol"):
        options = CRUEL_VARIANTS[variant]
        cases.find(f"{variant}: won", options, "win", lambda game: game.status == "won")
    anytime = cruel_options("cruel-semicolon")
    for name, options in (("if_changes", cruel_options()), ("anytime", anytime)):
        cases.add(f"{name}: won from the start", options, {"piles": layout("")}, status="won")


def status_lost_in_play(cases: StatusCases) -> None:
    """Add games that end in a lost position, and what undo makes of them."""

    def lost(game: Naive) -> bool:
        return game.status == "lost" and len(game.history) > 10

    for variant, options in CRUEL_VARIANTS.items():
        game = cases.find(f"{variant}: lost in play", options, "lose", lost, answers=True)
        cases.find(f"{variant}: out of lost by undo", options, "lose", lost, more="U U")
        seed = cases.cases[-1]["seed"]
        start = opening("cruel", options, seed)
        name = f"{variant}: lost, undo is off"
        cases.add(name, options, start, game.history, status="lost", seed=seed, undo=False)
        name = f"{variant}: resigned after undo"
        moves = [*game.history, "U", "Q"]
        cases.add(name, options, start, moves, status="resigned", seed=seed)
    for limit in (0, 1, 5):
        options = cruel_options("limited-cruel", redeal_limit=limit)
        cases.find(f"limited-cruel with {limit}: lost in play", options, "lose", lost)


def only_redeal(game: Naive) -> bool:
    """Tell whether R is the only legal move."""
    return game.legal_moves() == ["R"]


def only_foundation(game: Naive) -> bool:
    """Tell whether cards can move, but to foundations only."""
    moves = [text for text in game.legal_moves() if text != "R"]
    return moves != [] and all(text.endswith("F") for text in moves)


def limit_used_up(game: Naive) -> bool:
    """Tell whether no redeal is left in a game that goes on."""
    return game.table.left() == 0 and game.status == "in_progress"


def only_closes_a_gap(game: Naive) -> bool:
    """Tell whether a redeal would change nothing but the places of the piles."""
    table = game.table
    assert isinstance(table, CruelTable)
    after = table.redealt()
    return after != table.piles and [p for p in after if p] == [p for p in table.piles if p]


def status_redeals(cases: StatusCases) -> None:
    """Add, for each variant, games in which the redeal is the question."""
    for variant, options in CRUEL_VARIANTS.items():
        if variant != "royal-family":
            cases.find(f"{variant}: only R is left", options, "stuck", only_redeal, answers=True)
            cases.find(f"{variant}: R when stuck", options, "stuck", only_redeal, more="R")
            cases.find(f"{variant}: R taken back", options, "stuck", only_redeal, more="R U")
        name = f"{variant}: only foundation moves are left"
        cases.find(name, options, "up", only_foundation, answers=True)
        cases.find(f"{variant}: not a move is made", options, "open", lambda _: True, answers=True)


def status_limits(cases: StatusCases) -> None:
    """Add games in which no redeal is left."""
    for when in WHENS:
        for limit in (1, 3):
            options = cruel_options(redeal_limit=limit, redeal_when=when)
            name = f"{when}: limit {limit} used up, card moves are left"
            cases.find(name, options, "limit", limit_used_up, answers=True)
        name = f"{when}: the third of three redeals taken back"
        cases.find(name, options, "limit", limit_used_up, more="U", status="in_progress")
    options = cruel_options("cruel-semicolon", redeal_limit=3)
    start = opening("cruel", options, "semilla")
    for texts in ("R", "R R R", "R R R U", "R R R U U U", "R R R U U U R"):
        name = "anytime, limit 3: redeals that change nothing count"
        cases.add(name, options, start, texts.split(), seed="semilla", status="in_progress")


def status_gaps(cases: StatusCases) -> None:
    """Add layouts in which a redeal would only close a gap."""
    blocked = {"piles": layout("TC JC QC KC//TD JD QD KD")}
    moving = {"piles": layout("KC QC JC TC//KD QD JD TD")}
    for when, redeal in itertools.product(WHENS, ("packets", "packets_from_top")):
        options = cruel_options(redeal=redeal, redeal_when=when)
        cases.add(f"{when}, {redeal}: only a gap to close, stuck", options, blocked, status="lost")
        name = f"{when}, {redeal}: only a gap to close, cards can move"
        cases.add(name, options, moving, status="in_progress", answers=True)
        if when != "when_stuck":
            cases.add(f"{name}, redealt", options, moving, ["R"], status="in_progress")
    for when in ("if_changes", "anytime"):
        options = cruel_options(redeal_when=when)
        name = f"{when}: a redeal would only close a gap"
        cases.find(name, options, "gap", only_closes_a_gap, answers=True)


def first_move(redeals: int | None) -> str:
    """Say when a card can move."""
    return "no move ever" if redeals is None else f"first move after {redeals} redeals"


def status_fans(cases: StatusCases) -> None:
    """Add stuck layouts that need several fans, or never move."""
    for first, cycle, text in PATIENT_FANS:
        start = {"piles": layout(text)}
        table = CruelTable(cruel_options("ripple-fan"), start)
        if redeals_to_a_move(table) != (first, cycle):
            raise ValueError(text)
        for when in WHENS:
            options = cruel_options("ripple-fan", redeal_when=when)
            name = f"fans, {when}: {cycle} layouts in a circle, {first_move(first)}"
            cases.add(name, options, start, status="lost" if first is None else "in_progress")
        if first is not None:
            for limit in (first - 1, first):
                options = cruel_options("ripple-fan", redeal_limit=limit)
                status = "lost" if limit < first else "in_progress"
                name = f"fans: a move after {first} redeals, {limit} left"
                cases.add(name, options, start, status=status)
            options = cruel_options("ripple-fan", redeal_limit=first)
            name = f"fans: {first} redeals, then a card can move"
            cases.add(name, options, start, ["R"] * first, status="in_progress", answers=True)
    seen: set[tuple[int | None, int]] = set()
    for number in range(6000):
        dice = Dice(f"fan-{number}")
        low = 5 + dice.below(4)
        start = {"piles": random_layout(dice, low, 12, 2 + dice.below(4))}
        options = cruel_options("ripple-fan")
        table = CruelTable(options, start)
        if table.can_move_a_card(table.piles) or not any(table.piles):
            continue
        first, cycle = redeals_to_a_move(table)
        if (first is None or first > 1) and (first, cycle) not in seen:
            seen.add((first, cycle))
            name = f"fans: {cycle} layouts until one comes again, {first_move(first)}"
            cases.add(name, options, start, status="lost" if first is None else "in_progress")


def status_alternate(cases: StatusCases) -> None:
    """Add the example in which one card goes back and forth."""
    for when in WHENS:
        options = cruel_options("royal-family", redeal_when=when)
        start = {"piles": layout(RULES_BACK_AND_FORTH)}
        for moves in ("", "8>6", "8>6 6>8", "8>6 6>8 8>6 U"):
            name = f"example of the rules: alternate_up, {when}, back and forth"
            cases.add(name, options, start, moves.split(), status="in_progress", answers=True)


def status_calculation(cases: StatusCases) -> None:
    """Add Calculation from beginning to end."""

    def on_wastes(count: int, game: Naive) -> bool:
        table = game.table
        assert isinstance(table, CalculationTable)
        return sum(len(waste) for waste in table.wastes) == count

    def no_card_left(game: Naive) -> bool:
        return game.state()["card"] is None and game.status == "in_progress"

    def last_card(game: Naive) -> bool:
        state = game.state()
        return state["card"] is not None and state["stock_count"] == 0

    def complete(game: Naive) -> bool:
        return game.state()["card"] is not None and any(
            top[0] == "K" for top in game.state()["foundations"]
        )

    options = CALCULATION
    cases.find("calculation: opening", options, "open", lambda _: True, answers=True)
    for count in (1, 5, 20):
        name = f"calculation: on the wastes {count}"
        cases.find(name, options, "waste", partial(on_wastes, count), answers=True)
    cases.find("calculation: last card turned", options, "last", last_card, answers=True)
    name = "calculation: no card to turn, wastes still fit"
    cases.find(name, options, "end", no_card_left, answers=True)
    name = "calculation: a foundation is complete"
    cases.find(name, options, "full", complete, answers=True)
    for seeds in ("lose", "lost"):
        game = cases.find(
            "calculation: lost", options, seeds, lambda game: game.status == "lost", answers=True
        )
    seed = cases.cases[-1]["seed"]
    start = opening("calculation", options, seed)
    moves = [*game.history[:-1], "Q"]
    name = "calculation: resigned one move before it was lost"
    cases.add(name, options, start, moves, seed=seed, status="resigned", answers=True)
    for seeds in ("win", "won"):
        name = "calculation: won"
        cases.find(name, options, seeds, lambda game: game.status == "won", answers=True)
    for played in load("pysol_calculation_games.json")["games"][-4:]:
        named = {"bases": played["bases"].split()}
        stock = [played["first_card"], *played["stock_in_turning_order"].split()]
        moves = [step["move"] for step in played["steps"]]
        seed = f"pysol-{played['deal']}"
        name = "calculation: won in PySolFC"
        cases.add(name, named, {"stock": stock}, moves, seed=seed, status="won")
    start = {
        "stock": ["9C", "TC"],
        "wastes": [["KC", "4C"], ["6C"], [], []],
        "foundations": ["AC", "2D", "3H", "4S"],
    }
    name = "calculation: a waste card goes up, the turned card stays"
    cases.add(name, options, start, ["W1>F2"], status="in_progress", answers=True)


def make_status() -> dict[str, Any]:
    """Collect the cases."""
    cases = StatusCases()
    status_lost_at_opening(cases)
    status_won(cases)
    status_lost_in_play(cases)
    status_redeals(cases)
    status_limits(cases)
    status_gaps(cases)
    status_fans(cases)
    status_alternate(cases)
    status_calculation(cases)
    return {
        "what": "start, options and moves (all accepted), then what must hold: `answers`"
        " sorts every move text there is by the reason of its refusal, `answers_to` gives it for"
        " some (null: accepted); invalid: no move texts in this family",
        "invalid": INVALID,
        "cases": cases.cases,
    }


# ---- playthroughs.json ----


def playthrough(
    variant: str, options: Options, seed: str, play: Callable[[Naive, Dice], None]
) -> tuple[str, dict[str, Any]]:
    """Play one game and write down every step; also return how it ended."""
    family = "calculation" if "bases" in options else "cruel"
    start = opening(family, options, seed)
    game = Naive(family, options, start)
    play(game, Dice(f"{variant}/{seed}"))
    again = Naive(family, options, start)
    steps = []
    for text in game.history:
        again.play(text)
        known = described(again)
        step = {"move": text, "status": known["status"], "foundations": known["foundations"]}
        step["legal"] = known["legal_moves"]
        if family == "cruel":
            if options["redeal_limit"] is not None:
                step["left"] = known["redeal"]["left"]
            step["piles"] = known["piles"]
        else:
            step |= {"card": known["card"], "wastes": known["wastes"]}
        steps.append(step)
    return game.status, {
        "variant": variant,
        "family": family,
        "options": options,
        "undo": game.undo,
        "seed": seed,
        "start": join_start({key: start[key] for key in start if key != "bases"}),
        "moves": " ".join(game.history),
        "score": game.state()["score"],
        "steps": steps,
    }


def make_playthroughs() -> dict[str, Any]:
    """Play one game of each variant as it comes, and a won one where such play wins."""
    games = []
    for variant, options in CRUEL_VARIANTS.items():
        games.append(playthrough(variant, options, "semilla", play_with_undos)[1])
        if variant in ("cruel", "cruel-strict", "ripple-fan", "cruel-pysol"):
            games.append(first_won(variant, options, play_with_undos))
    games.append(playthrough("calculation", CALCULATION, "semilla", play_out)[1])
    games.append(first_won("calculation", CALCULATION, play_out))
    return {
        "what": "whole games with undos: each step a move and the state after it",
        "games": games,
    }


def first_won(
    variant: str, options: Options, play: Callable[[Naive, Dice], None]
) -> dict[str, Any]:
    """Play the seeds play-1, play-2, ... until a game is won."""
    for number in itertools.count(1):
        status, written = playthrough(variant, options, f"play-{number}", play)
        if status == "won":
            return written
    raise AssertionError


def main() -> None:
    """Write the files."""
    save("deals.json", make_deals())
    save("perft_more.json", make_perft())
    save("status.json", make_status())
    save("playthroughs.json", make_playthroughs())


if __name__ == "__main__":
    main()
