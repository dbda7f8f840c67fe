"""Two workers that count in one Redis: together, without it, and together again."""

import os
import re
import signal
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.redis_server import PASSWORD, running_redis
from tests.servers import ask, started_server

SECONDS = 60
QUOTA = 20


@pytest.fixture
def redis(tmp_path):
    with running_redis(tmp_path) as server:
        yield server


def workers_of(server):
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process in /proc")
    # The server is ready with its first worker.
    eventually(lambda: len(children.read_text().split()) == 2)
    return [int(pid) for pid in children.read_text().split()]


@contextmanager
def only(worker, workers):
    """Let one worker answer all requests."""
    others = [pid for pid in workers if pid != worker]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in others:
            os.kill(pid, signal.SIGCONT)


def left(reply):
    """Give how many requests a reply leaves, None where it tells of no limit."""
    found = re.fullmatch(r'"address";r=(\d+);t=\d+', reply.headers.get("RateLimit", ""))
    return int(found[1]) if found else None


def within_a_minute(act):
    """Do something in one minute of the clock: once more where the minute ended meanwhile."""
    for _ in range(3):
        minute = time.time() // 60
        result = act()
        if time.time() // 60 == minute:
            return result
    pytest.fail("this machine is too slow: no minute was long enough")


def eventually(reached):
    deadline = time.monotonic() + SECONDS
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_workers_count_together_in_redis_and_go_on_without_it(tmp_path, redis):
    settings = {"REDIS_URL": redis.url, "RATE_LIMIT_ADDRESS": str(QUOTA), "WEB_CONCURRENCY": "2"}
    with started_server(tmp_path, **settings) as server:
        workers = workers_of(server)
        path = f"{server.url}/v1/variants/cruel"

        def ask_both():
            replies = []
            for worker in workers:
                with only(worker, workers):
                    replies += [ask(path, timeout=SECONDS) for _ in range(QUOTA // 2)]
            return [*replies, ask(path)]

        *answered, refused = within_a_minute(ask_both)
        assert [left(reply) for reply in answered][::-1] == list(range(QUOTA))
        assert (refused.status, refused.json["policy"]) == (429, "address")

        redis.kill()
        unlimited = [ask(path) for _ in range(3 * QUOTA)]
        assert {(reply.status, left(reply)) for reply in unlimited} == {(200, None)}

        redis.start()
        eventually(lambda: left(ask(path)) is not None)
        eventually(lambda: ask(path).status == 429)
        with redis.hanging():
            unlimited = [ask(path, timeout=SECONDS) for _ in range(3 * QUOTA)]
            assert {(reply.status, left(reply)) for reply in unlimited} == {(200, None)}
        eventually(lambda: left(ask(path)) is not None)
        output = server.output
    # One line of each worker for each of the two outages, at most, and for each return.
    assert 1 <= output.count("Redis cannot be used") <= 4
    assert 1 <= output.count("Redis can be used again") <= 4
    assert PASSWORD not in output


def test_without_redis_each_worker_counts_by_itself(tmp_path):
    settings = {"RATE_LIMIT_ADDRESS": str(QUOTA), "WEB_CONCURRENCY": "2"}
    with started_server(tmp_path, **settings) as server:
        workers = workers_of(server)
        path = f"{server.url}/v1/variants/cruel"

        def ask_both():
            replies = []
            for worker in workers:
                with only(worker, workers):
                    replies.append([ask(path, timeout=SECONDS) for _ in range(QUOTA + 1)])
            return replies

        for *answered, refused in within_a_minute(ask_both):
            assert [left(reply) for reply in answered][::-1] == list(range(QUOTA))
            assert refused.status == 429
