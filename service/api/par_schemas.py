"""What is asked and answered where a par is made better."""

from service.api.par_fields import par_field
from service.api.requests import Closed
from service.api.solver_schemas import SolutionSchema, budget_field


class ParRequestSchema(Closed):
    """How long to search."""

    budget_ms = budget_field()


class ParSearchSchema(SolutionSchema):
    """What is known of a deal after the search, and the par that this makes."""

    par = par_field("The par of the deal from now on; null where no win is known.")
