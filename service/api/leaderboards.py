"""The ranking of a challenge: as JSON, for a terminal, and for spreadsheets."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, TEXT, answer, answer_text, answers_in, chosen_type, services
from service.api.leaderboard_answers import (
    draw_leaderboard,
    leaderboard_json,
    read_ranking_place,
    write_csv,
)
from service.api.leaderboard_schemas import LeaderboardQuerySchema, LeaderboardSchema
from service.api.tokens import bearer
from service.usecases import leaderboards

CSV = "text/csv"

blueprint = ApiBlueprint(
    "leaderboards",
    __name__,
    url_prefix="/v1/challenges/<challenge_id>",
    description="The rankings of challenges.",
)

_TABLE = {"type": "string", "description": "A header, and a line for each of the ranked."}


@blueprint.route("/leaderboard")
@blueprint.arguments(LeaderboardQuerySchema, location="query")
@blueprint.response(200, LeaderboardSchema)
@blueprint.operation(
    "getLeaderboard", "forbidden", "not_found", "not_entered", "bad_cursor", text=200
)
@answers_in(JSON, TEXT)
def get_leaderboard(query: Mapping[str, Any], challenge_id: str) -> Response:
    """See who is ahead in a challenge.

    Ranked is who has had an attempt dealt, running ones included, and is not disqualified.
    `around=me`, which needs a player's token, gives the page with you in its middle; the first page
    where you are in the challenge but not ranked. A cursor goes on from the rank where its page
    ended, even if that has changed since.
    """
    service = services()
    board = leaderboards.read_leaderboard(
        service.db,
        challenge_id,
        bearer(),
        around_me="around" in query,
        place=read_ranking_place(query),
        now=service.now_ms(),
    )
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if chosen_type(JSON, TEXT) == TEXT:
        drawn = draw_leaderboard(board, challenge_id, query["limit"])
        return answer_text(drawn, headers=headers)
    return answer(leaderboard_json(board), headers=headers)


@blueprint.route("/leaderboard.csv")
@blueprint.response(200, _TABLE, content_type=CSV)
@blueprint.operation("getLeaderboardTable", "not_found")
@answers_in(CSV)
def get_leaderboard_table(challenge_id: str) -> Response:
    """Take the whole ranking to a spreadsheet.

    Comma-separated in UTF-8, with a header; a name that begins with `-`, which spreadsheets may
    take for a formula, has a `'` before it. It is sent as it is read: until the challenge has
    finished somebody may move past the lines that are being read. The file is named by the id of
    the challenge.
    """
    service = services()
    chunks = leaderboards.read_whole(service.db, challenge_id, bearer(), service.now_ms())
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{challenge_id}.csv"',
    }
    return Response(write_csv(chunks), headers=headers, content_type=f"{CSV}; charset=utf-8")
