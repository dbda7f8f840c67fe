"""The statistics of a challenge."""

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in, person, services
from service.api.outcomes import actions_json, ends_json
from service.api.statistics_schemas import ChallengeStatisticsSchema
from service.api.tokens import bearer
from service.usecases.challenge_statistics import BestWin, ChallengeStatistics, read_statistics

blueprint = ApiBlueprint("challenge_statistics", __name__, url_prefix="/v1/challenges")


@blueprint.route("/<challenge_id>/statistics")
@blueprint.response(200, ChallengeStatisticsSchema)
@blueprint.operation("getChallengeStatistics", "not_found", "still_secret")
@answers_in(JSON)
def get_challenge_statistics(challenge_id: str) -> Response:
    """See what a challenge came to, once it has finished.

    How many have solved it, how their actions and cards are distributed, and who needed the fewest
    actions and the least time. Who is disqualified is left out of everything but `entered` and
    `disqualified`.
    """
    service = services()
    found = read_statistics(service.db, challenge_id, bearer(), service.now_ms())
    return answer(_statistics_json(found), headers=NO_STORE)


def _statistics_json(found: ChallengeStatistics) -> dict[str, object]:
    return {
        "entered": found.entered,
        "disqualified": found.disqualified,
        "ranked": found.ranked,
        "won": found.won,
        "solve_rate": round(found.won / found.ranked, 4) if found.ranked else None,
        "attempts": ends_json(found.ends),
        "actions": actions_json(found.actions, "players"),
        "cards_up": [
            {"cards_up": cards_up, "players": players}
            for cards_up, players in found.cards_up.items()
        ],
        "fewest_actions": _win_json(found.fewest_actions, "actions"),
        "fastest": _win_json(found.fastest, "elapsed_ms"),
    }


def _win_json(win: BestWin | None, figure: str) -> dict[str, object] | None:
    if win is None:
        return None
    return {
        "player": person(win.player, bot=win.bot),
        "attempt": win.attempt,
        "game_id": win.game_id,
        figure: win.figure,
        "shared_by": win.shared_by,
    }
