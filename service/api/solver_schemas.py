"""What clients send to the solver, and what it answers."""

from marshmallow import fields, validate

from service.api.fields import TrueOrFalse, Whole, described, one_of, seed_field
from service.api.replies import Open
from service.api.requests import Closed, OptionsSchema, move_texts
from service.rules import VARIANTS
from service.solver.solution import Goal, Verdict
from service.usecases.game_views import MAX_HISTORY
from service.usecases.solver_slot import DEFAULT_MS, HIGHEST_MS

_VERDICT = "Whether it can be won; `unknown`: the budget was spent before that was clear."


def budget_field() -> Whole:
    """Make a field of what a search may take."""
    description = (
        f"How long to search, in ms; {DEFAULT_MS} by default. An operator may allow less: then it "
        "is that."
    )
    return Whole(
        load_default=None, validate=validate.Range(1, HIGHEST_MS), metadata=described(description)
    )


class SolveSchema(Closed):
    """A deal, or a position that moves lead to from it, and what you want to know of it."""

    variant = one_of(*VARIANTS, required=True, description="`GET /v1/variants` tells of each.")
    options = fields.Nested(
        OptionsSchema, load_default=dict, metadata=described("Options to change.")
    )
    seed = seed_field("The seed that is dealt.", required=True)
    moves = move_texts(
        "Moves to play first, `R` included; no `U` and no `Q`.",
        load_default=list,
        validate=validate.Length(max=MAX_HISTORY),
    )
    goal = one_of(
        *Goal,
        required=True,
        description="`verdict`: whether it can be won; `line`: moves that win it; `shortest`: the "
        "fewest that can be found.",
    )
    budget_ms = budget_field()


class SolutionSchema(Open):
    """What is known of a deal or position."""

    verdict = one_of(*Verdict, required=True, description=_VERDICT)
    line = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata=described(
            "Moves that win from there, `R` included; null where none is known, or the goal was "
            "`verdict`."
        ),
    )
    length = Whole(
        required=True,
        allow_none=True,
        metadata=described("How many actions `line` has; null without one."),
    )
    proven_shortest = TrueOrFalse(
        required=True, metadata=described("Whether it is proven that no line is shorter.")
    )
    lower_bound = Whole(
        required=True,
        metadata=described("No line is shorter; 0 where it is not known to be winnable."),
    )
    nodes = Whole(
        required=True, metadata=described("How many positions this request has had looked at.")
    )
    elapsed_ms = Whole(required=True, metadata=described("How long that has taken."))
    known = TrueOrFalse(
        required=True, metadata=described("Whether it was known before, and nothing was searched.")
    )


class SampleSchema(Open):
    """What speaks for a move where cards are unseen."""

    orders = Whole(
        required=True,
        metadata=described("In how many orders the unseen cards were laid for a trial."),
    )
    wins = Whole(required=True, metadata=described("How many of them were won after the move."))
    all_orders = TrueOrFalse(
        required=True, metadata=described("Whether these are all the orders that there can be.")
    )


class HintSchema(Open):
    """A next move, from nothing that the player does not see."""

    verdict = one_of(
        *Verdict,
        required=True,
        description="`winnable`: the game is won from here; `unwinnable`: this position is lost; "
        "`unknown`: neither is clear.",
    )
    move = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The move; null where the position is lost or no way to win was found.",
            "examples": ["7>3"],
        },
    )
    length = Whole(
        required=True,
        allow_none=True,
        metadata=described(
            "How many actions the line has that begins with it and wins; null where none is known."
        ),
    )
    sampled = fields.Nested(
        SampleSchema,
        required=True,
        allow_none=True,
        metadata=described(
            "In Calculation what the move rests on; null where it hangs on no unseen card."
        ),
    )
    ply = Whole(required=True, metadata=described("The ply of the game that it is for."))
