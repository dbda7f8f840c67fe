"""Games drawn for a terminal, with what to type next."""

from service.api.context import base_url, instant
from service.api.par_answers import draw_par
from service.boards.terminal import changed_options, draw_game
from service.rules.family import Status
from service.usecases.game_views import GameView
from service.usecases.pars import GameWithPar


def draw_view(read: GameWithPar, token: str | None, recorded: int | None) -> str:
    """Draw a stored game: which it is, the board, and the command that plays on.

    ``token``: the game's token, where this is the one reply that shows it; ``recorded``: how many
    of the moves sent were recorded already.
    """
    view = read.view
    seed = _secret(view) if view.seed is None else view.seed
    changed = changed_options(view.variant, view.game.rules, view.seed)
    lines = [
        f"game     {view.id}",
        f"variant  {', '.join([view.variant, *changed])}",
        f"seed     {seed}",
    ]
    if view.challenge_id and view.deadline:
        due = instant(view.deadline)
        lines.append(f"attempt  {view.attempt} of challenge {view.challenge_id}, until {due}")
    if read.par is not None:
        lines.append(f"par      {draw_par(read.par)}{_distance(read.to_par)}")
    if token:
        lines.append(f"token    {token}  (shown this once)")
    if recorded:
        lines.append(f"{recorded} of these moves were recorded already")
    return "\n".join([*lines, "", draw_game(view.game) + _next(view, token)])


def _distance(to_par: int | None) -> str:
    if to_par is None:
        return ""
    words = f"{abs(to_par)} {'more' if to_par > 0 else 'fewer'}" if to_par else "as many"
    return f"; here {words}"


def _secret(view: GameView) -> str:
    whole = "game has ended" if view.challenge_id is None else "challenge has finished"
    return f"secret until the {whole}"


def _next(view: GameView, token: str | None) -> str:
    if view.game.status is not Status.IN_PROGRESS:
        return ""
    moves = view.game.legal_moves()
    move = next((move for move in moves if ">F" in move), moves[0])
    # In a challenge each request says after which ply its moves come.
    at = "" if view.challenge_id is None else f', "at": {view.game.ply}'
    lines = [
        "",
        "Play, for example:",
        *([f"TOKEN={token}"] if token else []),
        """curl -H 'Accept: text/plain' -H "Authorization: Bearer $TOKEN" \\""",
        f"""  --json '{{"moves": ["{move}"]{at}}}' \\""",
        f"  {base_url()}/v1/games/{view.id}/moves",
        "",
    ]
    return "\n".join(lines)
