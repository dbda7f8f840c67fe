"""Pars as JSON and for a terminal."""

from service.usecases.par_searches import Searched
from service.usecases.pars import GameWithPar, Par


def par_json(par: Par | None) -> dict[str, object] | None:
    """Give a par, null where there is none."""
    if par is None:
        return None
    return {"length": par.length, "proven_shortest": par.proven_shortest}


def game_par_json(read: GameWithPar) -> dict[str, object]:
    """Give what a game tells of its par."""
    return {"par": par_json(read.par), "to_par": read.to_par}


def searched_json(searched: Searched) -> dict[str, object]:
    """Give what is known of a deal after a search."""
    known = searched.known
    return {
        "par": par_json(Par.of(known)),
        "verdict": known.verdict,
        "line": known.line,
        "length": known.length,
        "proven_shortest": known.proven_shortest,
        "lower_bound": known.lower_bound,
        "nodes": searched.nodes,
        "elapsed_ms": searched.elapsed_ms,
        "known": not searched.searched,
    }


def draw_par(par: Par) -> str:
    """Write a par for a terminal."""
    return f"{par.length} actions{', no line is shorter' if par.proven_shortest else ''}"
