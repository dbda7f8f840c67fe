"""Players: register, see and change oneself, rotate the token, leave, look at others."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint, Token
from service.api.context import (
    JSON,
    NO_STORE,
    answer,
    answer_nothing,
    answers_in,
    base_url,
    instant,
    instant_or_null,
    services,
)
from service.api.idempotency import HEADER, REPLAYED, idempotency_key
from service.api.outcomes import actions_json, ends_json
from service.api.player_schemas import (
    NewPlayerSchema,
    PlayerChangeSchema,
    PlayerSchema,
    PlayerStatisticsSchema,
    PlayerTokenSchema,
    SelfSchema,
)
from service.api.requests import EmptySchema
from service.api.tokens import bearer, refuse_unknown_token
from service.usecases import player_statistics, players, players_in_play
from service.usecases.player_statistics import Statistics, Tally, VariantStatistics
from service.usecases.players import PlayerView
from service.usecases.players_in_play import ChallengeInPlay, GameInPlay

blueprint = ApiBlueprint(
    "players", __name__, url_prefix="/v1/players", description="Who plays, under a name."
)


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewPlayerSchema)
@blueprint.response(201, PlayerTokenSchema, headers={name: name for name in ("Location", REPLAYED)})
@blueprint.operation(
    "registerPlayer", *BODY_PROBLEMS, "name_taken", "name_reserved", "key_reused", reads=[HEADER]
)
@answers_in(JSON)
def register_player(body: Mapping[str, Any]) -> Response:
    """Register under a name.

    The reply holds the token that stands for you, this once. A name is never free again. A request
    with an `Idempotency-Key` may be sent again, for 24 hours: it registers one player. The answer
    is that player as they are then, with a fresh token, which voids the one before, as long as they
    have done nothing.
    """
    refuse_unknown_token()
    service = services()
    key = idempotency_key("player", body)
    made = players.register(service.db, **body, now=service.now_ms(), key=key)
    headers = {"Location": f"{base_url()}/v1/players/{made.player.name}", **NO_STORE}
    if made.replayed:
        headers[REPLAYED] = "true"
    token = {} if made.token is None else {"token": made.token}
    return answer({**_player(made.player), **token}, 201, headers)


@blueprint.route("/me")
@blueprint.response(200, SelfSchema)
@blueprint.operation("getMe", "forbidden", token=Token.NEEDED)
@answers_in(JSON)
def get_me() -> Response:
    """See yourself.

    With the games and challenges that you are in now.
    """
    service = services()
    now = service.now_ms()
    view = players_in_play.read_self(service.db, bearer(), now)
    body = {
        "name": view.name,
        "bot": view.bot,
        "created_at": instant(view.created_at),
        "games": [_game(game) for game in view.games],
        "challenges": [_challenge(challenge) for challenge in view.challenges],
        "now": instant(now),
    }
    return answer(body, headers=NO_STORE)


@blueprint.route("/me", methods=["PATCH"])
@blueprint.arguments(PlayerChangeSchema, required=False)
@blueprint.response(200, PlayerSchema)
@blueprint.operation(
    "changeMe", *BODY_PROBLEMS, "forbidden", "name_taken", "name_reserved", token=Token.NEEDED
)
@answers_in(JSON)
def change_me(body: Mapping[str, Any]) -> Response:
    """Change your name, or say whether you are a program.

    Nobody else gets your old name, and you may go back to it.
    """
    changes = {name: body.get(name) for name in ("name", "bot")}
    return answer(_player(players.change(services().db, bearer(), **changes)), headers=NO_STORE)


@blueprint.route("/me", methods=["DELETE"])
@blueprint.response(204)
@blueprint.operation("deleteMe", "forbidden", token=Token.NEEDED)
@answers_in(JSON)
def delete_me() -> Response:
    """Leave for good.

    Your name and token are gone, and nobody gets the name. Your results stay, without a name.
    Running games are left as they are.
    """
    service = services()
    players.remove(service.db, bearer(), service.now_ms())
    return answer_nothing()


@blueprint.route("/me/token", methods=["POST"])
@blueprint.arguments(EmptySchema, required=False)
@blueprint.response(200, PlayerTokenSchema)
@blueprint.operation("rotateToken", *BODY_PROBLEMS, "forbidden", token=Token.NEEDED)
@answers_in(JSON)
def rotate_token(_body: Mapping[str, Any]) -> Response:
    """Take another token: the one that you send is void then.

    The reply shows it this once. Where the reply is lost, so is the way in: only the operator can
    give another token.
    """
    made = players.rotate(services().db, bearer())
    return answer({**_player(made.player), "token": made.token}, headers=NO_STORE)


@blueprint.route("/<name>")
@blueprint.response(200, PlayerStatisticsSchema)
@blueprint.operation("getPlayer", "not_found")
@answers_in(JSON)
def get_player(name: str) -> Response:
    """Look at a player's statistics.

    Capitals in the name do not matter. A former name, or that of a deleted player, leads nowhere.
    """
    refuse_unknown_token()
    service = services()
    found = player_statistics.read_statistics(service.db, name, service.now_ms())
    return answer(_statistics(found), headers=NO_STORE)


def _player(player: PlayerView) -> dict[str, object]:
    created_at = instant(player.created_at)
    return {"name": player.name, "bot": player.bot, "created_at": created_at}


def _game(game: GameInPlay) -> dict[str, object]:
    return {
        "id": game.id,
        "variant": game.variant,
        "challenge_id": game.challenge_id,
        "attempt": game.attempt,
        "started_at": instant(game.started_at),
        "deadline": instant_or_null(game.deadline),
    }


def _challenge(challenge: ChallengeInPlay) -> dict[str, object]:
    return {
        "id": challenge.id,
        "title": challenge.title,
        "variant": challenge.variant,
        "clock": challenge.clock,
        "state": challenge.state,
        "starts_at": instant(challenge.starts_at),
        "ends_at": instant(challenge.ends_at),
        "hosting": challenge.hosting,
        "entry": challenge.entry,
    }


def _statistics(found: Statistics) -> dict[str, object]:
    return {
        **_player(found.player),
        "total": _tally(found.tally),
        "variants": [_variant(name, played) for name, played in found.variants.items()],
        "streak": {"current": found.current_streak, "longest": found.longest_streak},
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "started": tally.started,
        **ends_json(tally.ends),
    }


def _variant(name: str, played: VariantStatistics) -> dict[str, object]:
    best = {"cards_up": played.most_cards_up, "actions": played.fewest_actions}
    return {
        "variant": name,
        **_tally(played.tally),
        "best": None if played.most_cards_up is None else best,
        "actions": actions_json(played.actions, "games"),
    }
