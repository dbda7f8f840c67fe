"""What somebody does with a generated client: ``python client_session.py URL``.

Run by ``test_generated_client`` in a process of its own, which finds the client in its path.
"""

import sys

from semilla_client import AuthenticatedClient, Client
from semilla_client.api.challenges import get_challenge, list_challenges
from semilla_client.api.evaluate import evaluate
from semilla_client.api.games import create_game, get_game, get_history, get_record, play_moves
from semilla_client.api.pictures import get_deal_picture, get_deal_png, get_game_picture
from semilla_client.api.players import (
    change_me,
    delete_me,
    get_me,
    get_player,
    register_player,
    rotate_token,
)
from semilla_client.models import (
    Card,
    Empty,
    EvaluationRequest,
    Moves,
    NewGame,
    NewPlayer,
    PlayedGame,
    PlayerChange,
    Problem,
    ProblemCode,
    Reason,
    Status,
    VariantName,
)

url = sys.argv[1]
anyone = Client(base_url=url, httpx_args={"trust_env": False})
game = create_game.sync(client=anyone, body=NewGame(variant=VariantName.CRUEL, seed="semilla"))
assert game.status is Status.IN_PROGRESS
assert game.piles[1][-1] is Card.KC
assert game.redeal.reason is Reason.NO_CHANGE
assert game.finished_at is None

player = AuthenticatedClient(base_url=url, token=game.token, httpx_args={"trust_env": False})
for recorded in (0, 2):
    body = Moves(at=0, moves=["12>2", "R"])
    played = play_moves.sync(game.id, client=player, body=body)
    assert isinstance(played, PlayedGame)
    assert (played.ply, played.recorded, played.score.actions) == (2, recorded, 2)

refused = play_moves.sync(game.id, client=player, body=Moves(moves=["12>2"]))
assert isinstance(refused, Problem)
assert refused.code is ProblemCode.ILLEGAL_MOVE
assert (refused.index, refused.move, refused.at) == (0, "12>2", 2)
assert refused.reason in list(Reason)

unknown = play_moves.sync(game.id, client=player, body=Moves(moves=["up"]))
assert unknown.code is ProblemCode.VALIDATION_FAILED
assert unknown.errors[0].pointer == "/moves/0"
assert get_game.sync("none", client=anyone).code is ProblemCode.NOT_FOUND

history = get_history.sync(game.id, client=anyone, limit=1)
assert [entry.move for entry in history.items] == ["12>2"]
record = get_record.sync(game.id, client=anyone)
assert evaluate.sync(client=anyone, body=record).piles == played.piles

picture = get_game_picture.sync(game.id, client=anyone)
assert picture.startswith("<svg ")
assert get_deal_picture.sync(VariantName.CRUEL, "semilla", client=anyone).startswith("<svg ")
png = get_deal_png.sync(VariantName.CRUEL, "semilla", client=anyone)
assert png.payload.read(8) == b"\x89PNG\r\n\x1a\n"
assert get_game_picture.sync("none", client=anyone).code is ProblemCode.NOT_FOUND

request = EvaluationRequest(variant=VariantName.CALCULATION, seed="semilla", moves=["S>W1", "S>F1"])
evaluation = evaluate.sync(client=anyone, body=request)
assert evaluation.redeal is None
assert evaluation.card is Card.KD
assert (evaluation.failed.index, evaluation.failed.reason) == (1, Reason.WRONG_RANK)

ana = register_player.sync(client=anyone, body=NewPlayer(name="ana"))
assert (ana.name, ana.bot) == ("ana", False)
shown = AuthenticatedClient(base_url=url, token=ana.token, httpx_args={"trust_env": False})
fresh = rotate_token.sync(client=shown, body=Empty())
assert get_me.sync(client=shown).code is ProblemCode.UNAUTHENTICATED
shown = AuthenticatedClient(base_url=url, token=fresh.token, httpx_args={"trust_env": False})
assert change_me.sync(client=shown, body=PlayerChange(name="bea")).name == "bea"
assert get_me.sync(client=shown).games == []
assert get_player.sync("bea", client=anyone).total.started == 0
assert delete_me.sync_detailed(client=shown).status_code == 204
assert list_challenges.sync(client=anyone).items == []
assert get_challenge.sync("none", client=anyone).code is ProblemCode.NOT_FOUND
