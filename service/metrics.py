"""Prometheus metrics: one set for an application, added up over the processes of a server.

Every label has few values: routes are rules, never paths.
"""

import os
from functools import cache
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

__all__ = ["CONTENT_TYPE", "Metrics", "forget_worker", "share", "take_place"]

# Seconds: from what no database was asked for to what somebody gives up on.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# How the database fails a request.
FAILURES = ("busy", "no_connection", "down")
_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

disable_created_metrics()


class _Process:
    """Which file of the shared folder this process writes: a worker's place, not its pid."""

    place = "master"


def share(folder: Path) -> None:
    """Keep what is counted from now on in files of a folder, for all processes of the server.

    Only for metrics made after this call.
    """
    os.environ[_FOLDER] = str(folder)
    values.ValueClass = values.MultiProcessValue(lambda: _Process.place)


def take_place(place: int) -> None:
    """Count in the place of a worker, going on where the one before it has left off.

    So files are never more than workers, and no count is lost or goes back when one is killed.
    """
    _Process.place = str(place)


def forget_worker(place: int) -> None:
    """Forget what a worker that has ended was doing; what it counted stays."""
    if _FOLDER in os.environ:
        mark_process_dead(place)


class Metrics:
    """What an application counts. ``docs/operations.md`` says what each is for."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = self._counter("requests", "Requests", "method", "route", "status")
        self.seconds = Histogram(
            "semilla_request_duration_seconds",
            "Time to answer",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.problems = self._counter("problems", "Answers that are problems", "code")
        self.games_created = self._counter("games_created", "Games created", "variant")
        self.games_ended = self._counter("games_ended", "Games ended", "variant", "status")
        self.moves_recorded = self._counter("moves_recorded", "Entries recorded", "variant")
        self.database_failures = self._counter(
            "database_failures", "Requests that the database failed", "kind"
        )
        # From the start, so that the first is an increase.
        for kind in FAILURES:
            self.database_failures.labels(kind)
        self.limits_unavailable = self._counter(
            "limits_unavailable", "Requests let through without asking the limiter"
        )
        self.searches = self._counter("searches", "Searches of the solver", "kind", "outcome")
        # To find the child of a label takes as long as to count.
        self._recorded = cache(self.moves_recorded.labels)
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"semilla_{name}_total", meaning, labels, registry=self.registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method, route, status)
        found = self._children.get(key)
        if found is None:
            counter = self.requests.labels(method, route, str(status))
            found = self._children[key] = counter, self.seconds.labels(method, route)
        found[0].inc()
        found[1].observe(seconds)

    def game_created(self, variant: str, status: str) -> None:
        """Count a new game; a deal may be lost at its opening."""
        self.games_created.labels(variant).inc()
        self._ended(variant, status)

    def moves_played(self, variant: str, entries: int, status: str) -> None:
        """Count entries that a request added to a history, none where it was sent before."""
        if entries:
            self._recorded(variant).inc(entries)
            self._ended(variant, status)

    def searched(self, kind: str, outcome: str) -> None:
        """Count what was asked of the solver: a verdict, or ``busy`` where it was refused."""
        self.searches.labels(kind, outcome).inc()

    def _ended(self, variant: str, status: str) -> None:
        if status != "in_progress":
            self.games_ended.labels(variant, status).inc()

    def text(self) -> bytes:
        """Write them in Prometheus' text format."""
        folder = os.environ.get(_FOLDER)
        if folder is None:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)
        return generate_latest(registry)
