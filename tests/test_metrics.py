"""The metrics: what they count, over which labels, and who may read them."""

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families

from service.api.errors import STATUSES
from service.api.watch import METHODS, NO_ROUTE, OTHER_METHOD
from service.app import create_app
from service.config import Config
from service.db.engine import DatabaseBusy, DatabaseDown, PoolExhausted
from service.metrics import FAILURES, Metrics
from service.rules import VARIANTS
from tests.api.problems import assert_problem
from tests.conftest import Player
from tests.servers import Server, ask, is_ready, started_server

OPERATIONS = Path(__file__).resolve().parent.parent / "docs" / "operations.md"


def read(text):
    """Give every sample as ``{name: {labels: value}}``, its labels as a sorted tuple of pairs."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


def value(text, name, **labels):
    """Give one value, 0 where nothing has been counted."""
    return read(text).get(name, {}).get(tuple(sorted(labels.items())), 0)


def families():
    """Give every metric by its name."""
    found = {}
    for metric in vars(Metrics()).values():
        if isinstance(metric, Counter | Gauge | Histogram):
            (family,) = metric.describe()
            found[f"{family.name}_total" if family.type == "counter" else family.name] = metric
    return found


def test_the_operators_guide_lists_every_metric_with_its_labels():
    section = OPERATIONS.read_text("utf-8").partition("## Metrics\n")[2].partition("Alerts")[0]
    listed = re.findall(r"^\| `(\w+)(?:\{(.*)\})?` \|", section, re.MULTILINE)
    metrics = families()
    assert [name for name, _ in listed] == list(dict.fromkeys(name for name, _ in listed))
    assert {name for name, _ in listed} == metrics.keys()
    for name, labels in listed:
        # Other labels than its own raise.
        metric = (
            metrics[name].labels(**dict.fromkeys(labels.split(","), "x"))
            if labels
            else metrics[name]
        )
        (metric.observe if hasattr(metric, "observe") else metric.inc)(1)


def test_the_alerts_of_the_guide_are_about_metrics_that_there_are():
    section = (
        OPERATIONS.read_text("utf-8").partition("Alerts worth having")[2].partition("\n## ")[0]
    )
    named = {re.sub("_bucket$", "", name) for name in re.findall(r"semilla_\w+", section)}
    assert named
    assert named <= families().keys()


def test_they_are_in_the_text_format_of_prometheus_and_not_kept(client):
    reply = client.get("/metrics")
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-store"
    assert "# TYPE semilla_requests_total counter\n" in reply.text


def test_requests_are_counted_and_timed_by_method_route_and_status(client, player):
    player.start()
    player.get()
    player.get()
    client.get("/v1/games/none")
    text = client.get("/metrics").text
    of = {"method": "GET", "route": "/v1/games/<game_id>"}
    assert value(text, "semilla_requests_total", **of, status="200") == 2
    assert value(text, "semilla_requests_total", **of, status="404") == 1
    assert value(text, "semilla_request_duration_seconds_count", **of) == 3
    assert value(text, "semilla_request_duration_seconds_bucket", **of, le="+Inf") == 3
    assert value(text, "semilla_request_duration_seconds_sum", **of) > 0
    assert value(text, "semilla_problems_total", code="not_found") == 1


def test_no_client_can_make_up_a_label(client, player):
    player.start()
    for number in range(50):
        client.get(f"/v1/x{number}")
        client.open("/v1/variants", method=f"BREW{number}")
        client.open(f"/{number}", method=f"X{number}")
        client.get(f"/v1/variants/x{number}")
        client.get(f"/v1/deals/x{number}/{number}?x{number}=1")
        client.post("/v1/games", json={"variant": f"x{number}"})
        client.post(f"/v1/games/{player.id}/moves", json={"moves": [f"X{number}"]})
    text = client.get("/metrics").text
    rules = {rule.rule for rule in client.application.url_map.iter_rules()}
    known = {
        "method": METHODS | {OTHER_METHOD},
        "route": rules | {NO_ROUTE},
        "variant": set(VARIANTS),
        "code": set(STATUSES),
    }
    for samples in read(text).values():
        for labels in samples:
            for name, word in labels:
                assert word in known.get(name, {word})
    assert not re.search(r"[xX]\d|BREW", text)
    assert len(read(text)["semilla_requests_total"]) < 12


def test_games_and_moves_are_counted_once_however_often_they_are_sent(client, player):
    player.start("cruel", "32")
    player.play("12>F", "3>F")
    player.play("12>F", "3>F", at=0)
    player.play("9>2")
    player.act("undo")
    player.act("resign")
    player.act("resign", at=3)
    other = Player(client)
    other.start("calculation", None)
    text = client.get("/metrics").text
    assert value(text, "semilla_games_created_total", variant="cruel") == 1
    assert value(text, "semilla_games_created_total", variant="calculation") == 1
    assert value(text, "semilla_moves_recorded_total", variant="cruel") == 4
    assert read(text)["semilla_games_ended_total"] == {
        (("status", "resigned"), ("variant", "cruel")): 1
    }


def test_a_deal_that_is_lost_at_its_opening_ends_where_it_begins(client, player):
    assert player.start("cruel", "135")["status"] == "lost"
    text = client.get("/metrics").text
    assert value(text, "semilla_games_ended_total", variant="cruel", status="lost") == 1


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (DatabaseBusy("locked"), "busy", "busy"),
        (PoolExhausted("none is free"), "no_connection", "busy"),
        (DatabaseDown("away"), "down", "not_ready"),
    ],
)
def test_what_the_database_fails_is_counted_by_its_kind(error, kind, code, client, monkeypatch):
    def fail(_db):
        raise error

    monkeypatch.setattr("service.api.operations.check_ready", fail)
    assert_problem(client.get("/readyz"), code, retry_after=5 if kind == "down" else 1)
    text = client.get("/metrics").text
    counted = {(("kind", each),): each == kind for each in FAILURES}
    assert read(text)["semilla_database_failures_total"] == counted
    assert value(text, "semilla_problems_total", code=code) == 1


def test_every_kind_of_failure_is_there_before_the_first(client):
    """An increase is seen only from a count that was there before."""
    text = client.get("/metrics").text
    for kind in ("busy", "no_connection", "down"):
        assert value(text, "semilla_database_failures_total", kind=kind) == 0
        assert f'semilla_database_failures_total{{kind="{kind}"}} 0' in text


def test_two_applications_count_by_themselves(client, tmp_path):
    client.get("/v1/variants")
    other = create_app(Config(data=tmp_path / "other"))
    text = other.test_client().get("/metrics").text
    assert value(text, "semilla_problems_total", code="not_found") == 0
    assert "/v1/variants" not in text


@pytest.mark.parametrize(
    "word", ["", "Bearer", "Bearer ", "Bearer word-1", "Bearer word", "word", "é"]
)
def test_a_token_that_the_operator_has_set_is_asked_for(word, tmp_path):
    app = create_app(Config(data=tmp_path, metrics_token="word-12"))
    client = app.test_client()
    headers = {"Authorization": word} if word else {}
    reply = client.get("/metrics", headers=headers)
    assert_problem(reply, "unauthenticated", says="Authorization: Bearer METRICS_TOKEN")
    assert "word" not in reply.text
    right = client.get("/metrics", headers={"Authorization": "Bearer word-12"})
    assert right.status_code == 200
    assert "word" not in right.text


def test_without_such_a_token_any_may_be_sent(client):
    assert client.get("/metrics", headers={"Authorization": "Bearer x"}).status_code == 200


# ---- over the processes of a server ----


def shared_folders():
    memory = Path("/dev/shm")  # noqa: S108 - where servers put theirs
    return set(memory.glob("semilla-*"))


def is_forgotten(folder):
    """Tell whether no server holds a folder's lock; one that is gone is not forgotten."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return folder.exists()


def folder_of(server):
    """Give the folder that a server's own process holds open."""
    for link in Path(f"/proc/{server.process.pid}/fd").iterdir():
        if "/semilla-" in str(link.readlink()):
            return link.readlink()
    raise AssertionError


def workers(server):
    return [int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", server.output)]


def wait_for(reached, seconds=20):
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def ask_each(server, pids, path, times):
    """Ask each worker by holding the others still."""
    for pid in pids:
        others = [other for other in pids if other != pid]
        for other in others:
            os.kill(other, signal.SIGSTOP)
        try:
            wait_for(lambda: is_ready(server.url))
            for _ in range(times):
                assert ask(f"{server.url}{path}").status == 200
        finally:
            for other in others:
                os.kill(other, signal.SIGCONT)


def test_they_add_up_over_workers_also_when_some_are_killed(tmp_path):
    of = {"method": "GET", "route": "/v1/variants", "status": "200"}

    def counted():
        return value(ask(f"{server.url}/metrics").text, "semilla_requests_total", **of)

    with started_server(tmp_path) as server:
        wait_for(lambda: len(workers(server)) == 2)
        ask_each(server, workers(server), "/v1/variants", 5)
        assert counted() == 10
        folder = folder_of(server)
        assert folder.stat().st_mode & 0o777 == 0o700
        files = None
        for killed in range(1, 4):
            before = workers(server)
            os.kill(before[-1], signal.SIGKILL)
            wait_for(lambda before=before: len(workers(server)) == len(before) + 1)
            assert counted() == 10 + 10 * (killed - 1)
            ask_each(server, [workers(server)[0], workers(server)[-1]], "/v1/variants", 5)
            assert counted() == 10 + 10 * killed
            names = {path.name for path in folder.iterdir()}
            assert files in (None, names)
            files = names
    assert not folder.exists()


def test_what_a_killed_server_leaves_is_removed_by_the_next_one(tmp_path):
    with started_server(tmp_path) as server:
        left = folder_of(server)
        assert ask(f"{server.url}/v1/variants").status == 200
        server.kill()
        assert left.exists()
    with started_server(tmp_path) as server:
        other = folder_of(server)
        assert not left.exists()
        text = ask(f"{server.url}/metrics").text
        assert "/v1/variants" not in text
        # Another that starts leaves the folder of one that runs alone.
        with started_server(tmp_path) as beside:
            assert folder_of(beside) != other
            assert other.exists()
        assert other.exists()
    assert not other.exists()


def test_nothing_is_shared_where_no_server_runs():
    code = "import os, service.wsgi; print('PROMETHEUS_MULTIPROC_DIR' in os.environ)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout == "False\n"


def test_a_server_that_cannot_listen_leaves_nothing(tmp_path):
    with started_server(tmp_path) as server:
        before = shared_folders()
        second = Server(tmp_path, PORT=server.url.rpartition(":")[2])
        assert second.process.wait(30) == 1
        # Those of other tests' servers, which come and go, have an owner.
        left = shared_folders() - before
        assert not any(is_forgotten(folder) for folder in left)
