"""Pars as JSON and for a terminal."""

from service.usecases.pars import GameWithPar, Par


def par_json(par: Par | None) -> dict[str, object] | None:
    """Give a par, null where there is none."""
    if par is None:
        return None
    return {"length": par.length, "proven_shortest": par.proven_shortest}


def game_par_json(read: GameWithPar) -> dict[str, object]:
    """Give what a game tells of its par."""
    return {"par": par_json(read.par), "to_par": read.to_par}


def draw_par(par: Par) -> str:
    """Write a par for a terminal."""
    return f"{par.length} actions{', no line is shorter' if par.proven_shortest else ''}"
