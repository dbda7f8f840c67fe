import json
import os
import re
import runpy
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from service.config import ConfigError
from service.db.migrations import head_revision
from tests.cli.operating import invoke
from tests.servers import (
    SEMILLA,
    Server,
    ask,
    environment,
    free_port,
    is_ready,
    running_server,
    started_server,
)


def workers(server):
    """Give the process ids of the workers that a server has now."""
    booted = re.findall(r"Booting worker with pid: (\d+)", server.output)
    return [int(pid) for pid in booted if lives(int(pid))]


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(reached, seconds=20):
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def start_game(url, seed="32"):
    return ask(f"{url}/v1/games", {"variant": "cruel", "seed": seed})


def serve(folder, *words, **settings):
    """Run ``semilla serve`` to its end, which must come by itself."""
    return subprocess.run(
        [SEMILLA, "serve", *words],
        cwd=folder,
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_new_database_is_migrated_and_two_workers_answer(tmp_path):
    with started_server(tmp_path) as server:
        assert invoke("db", "check", SEMILLA_DATA=str(tmp_path / "data")).exit_code == 0
        wait_for(lambda: len(workers(server)) == 2)
        for worker in workers(server):
            os.kill(worker, signal.SIGSTOP)
            try:
                # A worker that has just begun to start may have to be waited for.
                wait_for(lambda: is_ready(server.url))
                assert start_game(server.url).status == 201
            finally:
                os.kill(worker, signal.SIGCONT)
    assert server.process.returncode == 0
    assert "Traceback" not in server.output


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_ends_at_once_when_asked(order, tmp_path):
    with started_server(tmp_path) as server:
        server.process.send_signal(order)
        assert server.process.wait(10) == 0
    assert "Traceback" not in server.output


def test_a_server_that_is_asked_to_end_while_its_workers_start_ends_too(tmp_path):
    server = Server(tmp_path)
    server.wait_until_listening()
    server.process.send_signal(signal.SIGTERM)
    try:
        assert server.process.wait(10) == 0
    finally:
        server.kill()


def test_a_server_that_is_asked_to_end_finishes_the_request_in_progress(tmp_path):
    body = b'{"variant": "cruel", "seed": "32"}'
    head = (
        b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(body)
    )
    with started_server(tmp_path) as server:
        address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        with socket.create_connection(address, timeout=20) as client:
            client.sendall(head)
            # This comes from the worker, which now waits for the body.
            assert client.recv(1_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
            server.process.send_signal(signal.SIGTERM)
            wait_for(lambda: "Handling signal: term" in server.output)
            client.sendall(body)
            reply = b"".join(iter(lambda: client.recv(65_536), b""))
        assert server.process.wait(10) == 0
    assert reply.startswith(b"HTTP/1.1 201 ")
    game = json.loads(reply.partition(b"\r\n\r\n")[2])
    with running_server(tmp_path) as url:
        assert ask(f"{url}/v1/games/{game['id']}").json["seed"] == "32"


def test_a_killed_worker_is_replaced(tmp_path):
    with started_server(tmp_path) as server:
        wait_for(lambda: len(workers(server)) == 2)
        first = set(workers(server))
        game = start_game(server.url).json
        for worker in first:
            os.kill(worker, signal.SIGKILL)
        wait_for(lambda: len(set(workers(server)) - first) == 2)
        wait_for(lambda: is_ready(server.url))
        reply = ask(
            f"{server.url}/v1/games/{game['id']}/moves",
            {"at": 0, "moves": ["12>F"]},
            token=game["token"],
        )
        assert (reply.status, reply.json["ply"]) == (200, 1)


def test_games_survive_a_restart(tmp_path):
    with running_server(tmp_path) as url:
        game = start_game(url).json
        ask(f"{url}/v1/games/{game['id']}/moves", {"moves": ["12>F"]}, token=game["token"])
    with running_server(tmp_path) as url:
        reply = ask(
            f"{url}/v1/games/{game['id']}/moves",
            {"at": 0, "moves": ["12>F", "3>F"]},
            token=game["token"],
        )
        assert (reply.json["recorded"], reply.json["ply"]) == (1, 2)
        assert reply.json["started_at"] == game["started_at"]


def test_a_release_goes_on_working_after_the_migration_of_a_later_one(tmp_path):
    with running_server(tmp_path) as url:
        game = start_game(url).json
    with closing(sqlite3.connect(tmp_path / "data" / "semilla.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with running_server(tmp_path) as url:
        assert is_ready(url)
        assert ask(f"{url}/v1/games/{game['id']}").json["seed"] == game["seed"]


def test_two_servers_may_start_at_once_on_one_new_database(tmp_path):
    servers = [Server(tmp_path), Server(tmp_path)]
    try:
        for server in servers:
            server.wait_until_ready()
        game = start_game(servers[0].url).json
        assert ask(f"{servers[1].url}/v1/games/{game['id']}").json["seed"] == "32"
    finally:
        for server in servers:
            server.stop()


def test_a_database_of_the_operators_own_is_ready_once_it_is_migrated(tmp_path):
    url = f"sqlite:///{tmp_path}/games.db"
    server = Server(tmp_path, DATABASE_URL=url)
    try:
        server.wait_until_listening()
        wait_for(lambda: ask_livez(server.url))
        reply = ask(f"{server.url}/readyz")
        assert (reply.status, reply.json["code"]) == (503, "not_ready")
        assert f"this release needs {head_revision()}: run semilla db upgrade" in server.output
        invoke("db", "upgrade", DATABASE_URL=url)
        assert is_ready(server.url)
        assert start_game(server.url).status == 201
    finally:
        server.stop()
    assert not (tmp_path / "data").exists()


def ask_livez(url):
    try:
        return ask(f"{url}/livez").status == 200
    except OSError:
        return False


def test_flags_go_before_the_environment_and_port_0_is_a_free_one_that_is_printed(tmp_path):
    words = ["--host", "127.0.0.1", "--port", "0"]
    with started_server(tmp_path, *words, HOST="nowhere.invalid", PORT="1") as server:
        assert int(server.url.removeprefix("http://127.0.0.1:")) > 1_023
        assert f"Listening at: {server.url}" in server.output


def test_a_port_that_is_taken_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = serve(tmp_path, "--port", str(port), HOST="127.0.0.1")
    assert result.returncode == 1
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    said = [line["message"] for line in lines if line["level"] == "error"]
    assert any("Address already in use" in message for message in said)
    assert said[-1] == f"Can't connect to ('127.0.0.1', {port})"
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "settings", "code", "message"),
    [
        ([], {"PORT": "x"}, 1, "Error: PORT is 'x', and must be a whole number from 0 to 65535\n"),
        ([], {"LOG_LEVEL": "loud"}, 1, "Error: LOG_LEVEL is 'loud', and must be one of debug, "),
        ([], {"SEMILLA_DATA": "file/data"}, 1, "Error: cannot use the data folder file/data: "),
        (["--port", "65536"], {}, 2, "Invalid value for '--port': 65536 is not in the range"),
        (["--port", ""], {}, 2, "Invalid value for '--port': '' is not a valid integer"),
    ],
)
def test_a_fault_is_one_line_and_nothing_is_started(words, settings, code, message, tmp_path):
    (tmp_path / "file").write_text("a file", "utf-8")
    result = serve(tmp_path, *words, **settings)
    assert result.returncode == code
    assert message in result.stderr
    assert result.stderr.count("\n") == (1 if code == 1 else 4)
    assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_modules_of_the_same_name_in_the_working_folder_are_not_imported(tmp_path):
    for name in ("service", "migrations", "gunicorn"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    with running_server(tmp_path) as url:
        assert start_game(url).status == 201


def test_the_environment_says_where_to_listen_what_to_link_to_and_how_much_to_say(tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    public = "https://play.example.org/semilla"
    settings = {"HOST": "localhost", "PORT": port, "PUBLIC_URL": public, "LOG_LEVEL": "warning"}
    server = Server(tmp_path, **settings)
    try:
        wait_for(lambda: is_ready(url))
        assert start_game(url).headers["Location"].startswith(f"{public}/v1/games/")
    finally:
        server.stop()
    assert server.output == ""


def test_many_players_at_once_are_all_answered(tmp_path):
    def play(number):
        game = start_game(url, f"seed-{number}").json
        path = f"{url}/v1/games/{game['id']}/moves"
        for at in range(4):
            move = game["legal_moves"][0]
            reply = ask(path, {"at": at, "moves": [move]}, token=game["token"])
            assert reply.status == 200, reply.text
            game = {**game, **reply.json}
        return game["ply"]

    with running_server(tmp_path) as url, ThreadPoolExecutor(16) as pool:
        assert set(pool.map(play, range(32))) == {4}
    assert invoke("verify-games", SEMILLA_DATA=str(tmp_path / "data")).stdout.startswith("32 ")


def set_environment(monkeypatch, folder, **settings):
    monkeypatch.setattr(os, "environ", environment(folder, **settings))


def loaded(module):
    """Run a module as gunicorn does, though another test may have imported it."""
    return runpy.run_path(find_spec(module).origin)


@pytest.mark.parametrize("module", ["service.wsgi", "service.gunicorn_conf"])
def test_what_gunicorn_loads_names_the_faults_of_the_environment(module, tmp_path, monkeypatch):
    set_environment(monkeypatch, tmp_path, PORT="x", WEB_CONCURRENCY="none")
    with pytest.raises(ConfigError) as found:
        loaded(module)
    assert [fault.split()[0] for fault in found.value.faults] == ["PORT", "WEB_CONCURRENCY"]
    result = subprocess.run(
        [sys.executable, "-c", f"import {module}"],
        cwd=Path(__file__).parents[2],
        env=environment(tmp_path, PORT="x"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.endswith("PORT is 'x', and must be a whole number from 0 to 65535")


def test_what_gunicorn_loads_touches_no_database(tmp_path, monkeypatch):
    set_environment(monkeypatch, tmp_path)
    app = loaded("service.wsgi")["app"]
    assert app.test_client().get("/livez").status_code == 200
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "bind"),
    [
        ("", "127.0.0.1:8000"),
        ("0.0.0.0", "0.0.0.0:8000"),  # noqa: S104
        ("localhost", "localhost:8000"),
        ("::1", "[::1]:8000"),
        ("[::]", "[::]:8000"),
    ],
)
def test_gunicorn_binds_to_any_kind_of_host(host, bind, tmp_path, monkeypatch):
    set_environment(monkeypatch, tmp_path, HOST=host)
    assert loaded("service.gunicorn_conf")["bind"] == bind


def test_gunicorn_is_told_what_is_configured(tmp_path, monkeypatch):
    settings = {"WEB_CONCURRENCY": "3", "SEMILLA_THREADS": "7", "LOG_LEVEL": "debug"}
    set_environment(monkeypatch, tmp_path, **settings)
    told = loaded("service.gunicorn_conf")
    # Its own debug lines would show requests.
    assert (told["workers"], told["threads"], told["loglevel"]) == (3, 7, "info")


def test_no_header_says_that_a_path_begins_elsewhere(tmp_path):
    with running_server(tmp_path) as url:
        for name in ("SCRIPT_NAME", "PATH_INFO"):
            host, port = url.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port)), timeout=20) as client:
                request = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}: /v1\r\n\r\n"
                client.sendall(request.format(name).encode())
                assert client.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize(
    ("signals", "alive"),
    [
        ([], True),
        ([signal.SIGCHLD, signal.SIGUSR1], True),
        ([signal.SIGCHLD, signal.SIGTERM], False),
        ([signal.SIGQUIT], False),
    ],
)
def test_a_worker_heeds_what_it_was_told_before_it_had_handlers(
    signals, alive, tmp_path, monkeypatch
):
    set_environment(monkeypatch, tmp_path)
    hooks = loaded("service.gunicorn_conf")
    arbiter = SimpleNamespace(SIG_QUEUE=SimpleQueue(), WORKERS={})
    worker = SimpleNamespace(alive=True)
    hooks["pre_fork"](arbiter, worker)
    hooks["post_fork"](arbiter, worker)
    for number in signals:
        arbiter.SIG_QUEUE.put(number)
    hooks["post_worker_init"](worker)
    assert worker.alive is alive
