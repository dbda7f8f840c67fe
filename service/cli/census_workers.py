"""Who solves the deals of a census: processes of this machine, or a Dask cluster."""

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import NamedTuple

import click

from service import __version__
from service.solver.census import Terms, survey
from service.solver.solution import Solution

# Deals in one piece of work, and pieces that wait for each core, lest it wait for one.
PIECE, _AHEAD = 8, 3
_CONNECT_S = 10


class Workers(NamedTuple):
    """Who works, and on how many cores."""

    executor: Executor
    cores: int


def cores_here() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0))


@contextmanager
def processes(terms: Terms, count: int) -> Iterator[Workers]:
    """Give processes of this machine; they end with this one, however it ends."""
    # numba keeps on the disk what it has compiled: here once, or all of them would compile it.
    survey(replace(terms, nodes=1), [1])
    executor = ProcessPoolExecutor(count, get_context("spawn"), _begin)
    try:
        yield Workers(executor, count)
    except BaseException:
        for child in active_children():
            child.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the process that has started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Give the workers of a Dask cluster, each of which has this very release.

    Raises ``click.ClickException`` where there is none, or the workers have another release.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - not installed everywhere
    except ImportError as error:
        message = "--scheduler needs the extra census: pip install 'semilla[census]'"
        raise click.ClickException(message) from error
    try:
        client = Client(address, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        message = f"no scheduler of Dask answers at {address}: {error}"
        raise click.ClickException(message) from error
    with client:
        versions = set(client.run(_version).values())
        if versions - {__version__}:
            message = f"the workers have another release than this one ({__version__})"
            raise click.ClickException(message)
        yield Workers(client.get_executor(pure=False), sum(client.ncores().values()))


def _version() -> str:
    return __version__


def surveyed(
    workers: Workers, terms: Terms, pieces: Iterable[list[int]]
) -> Iterator[dict[int, Solution]]:
    """Let the workers solve pieces of work, and give what they found as it is found."""
    waiting = iter(pieces)
    running: set[Future[dict[int, Solution]]] = set()
    while True:
        more = islice(waiting, max(1, workers.cores) * _AHEAD - len(running))
        running |= {workers.executor.submit(survey, terms, piece) for piece in more}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
