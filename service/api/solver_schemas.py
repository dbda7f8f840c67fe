"""What clients send to the solver, and what it answers."""

from marshmallow import fields, validate

from service.api.fields import TrueOrFalse, Whole, described, one_of
from service.api.replies import Open
from service.solver.solution import Verdict
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
