"""The daily challenges, and the rankings over them."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.challenge_answers import challenge_answer
from service.api.challenge_schemas import ChallengeSchema
from service.api.context import (
    JSON,
    TEXT,
    answer,
    answer_text,
    answers_in,
    base_url,
    chosen_type,
    instant,
    instant_or_null,
    person,
    services,
)
from service.api.daily_schemas import DailyRankingQuerySchema, DailyRankingSchema
from service.api.paging import page_json, read_place
from service.api.tokens import bearer
from service.usecases import challenges
from service.usecases.daily_leaderboards import DailyRank, rank_dailies

blueprint = ApiBlueprint(
    "dailies",
    __name__,
    url_prefix="/v1",
    description="A challenge for every variant and day, and the rankings over them.",
)

_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept"}


@blueprint.route("/daily/<variant>")
@blueprint.response(200, ChallengeSchema, headers={"ETag": "RevisionETag"})
@blueprint.operation("getDaily", "not_found", text=200)
@answers_in(JSON, TEXT)
def get_daily(variant: str) -> Response:
    """Read today's challenge.

    The day is that of UTC. It is there without anybody having set it up, and is entered and played
    as any other, under its id: `daily-{variant}-{date}`.
    """
    service = services()
    return challenge_answer(challenges.read_daily(service.db, variant, bearer(), service.now_ms()))


@blueprint.route("/leaderboards/<variant>")
@blueprint.arguments(DailyRankingQuerySchema, location="query")
@blueprint.response(200, DailyRankingSchema)
@blueprint.operation(
    "getDailyLeaderboard", "bad_cursor", "forbidden", "not_entered", "not_found", text=200
)
@answers_in(JSON, TEXT)
def get_daily_leaderboard(query: Mapping[str, Any], variant: str) -> Response:
    """Rank the players of the daily challenges.

    By how many they solved in this week, this month or ever, then by the fewest actions in those
    together. What is solved today counts at once. `around=me` needs a player's token.
    """
    service = services()
    now, token_hash = service.now_ms(), bearer()
    place = read_place(query, int, int, str)
    ranking = rank_dailies(
        service.db,
        variant,
        token_hash,
        period=query["period"],
        around_me="around" in query,
        place=place,
        now=now,
    )
    body = {
        "variant": variant,
        "period": query["period"],
        "starts_at": instant_or_null(ranking.starts_at),
        "ends_at": instant_or_null(ranking.ends_at),
        **page_json((_rank_json(rank) for rank in ranking.items), ranking),
        "now": instant(now),
    }
    if chosen_type(JSON, TEXT) == TEXT:
        return answer_text(_draw(body, ranking.items, query["limit"]), headers=_HEADERS)
    return answer(body, headers=_HEADERS)


def _rank_json(rank: DailyRank) -> dict[str, object]:
    return {
        "rank": rank.rank,
        "player": person(rank.name, bot=rank.bot),
        "solved": rank.solved,
        "actions": rank.actions,
        "played": rank.played,
    }


def _draw(body: Mapping[str, Any], ranks: list[DailyRank], limit: int) -> str:
    """Write a page for a terminal, with where the next one is."""
    lines = [
        f"dailies   {body['variant']}",
        *([f"from      {body['starts_at']}"] if body["starts_at"] else []),
        *([f"to        {body['ends_at']}"] if body["ends_at"] else []),
        f"now       {body['now']}",
        "",
        f"{'rank':>6}  {'player':<29}  solved  played  actions",
    ]
    for rank in ranks:
        name = "a player who is gone" if rank.name is None else rank.name
        name += " bot" if rank.bot else ""
        figures = f"{rank.solved:>6}  {rank.played:>6}  {rank.actions:>7}"
        lines.append(f"{rank.rank:>6}  {name:<29}  {figures}")
    if body["next"]:
        page = f"period={body['period']}&limit={limit}&cursor={body['next']}"
        lines += ["", f"More: {base_url()}/v1/leaderboards/{body['variant']}?{page}"]
    return "\n".join([*lines, ""])
