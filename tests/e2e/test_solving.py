"""A real server that searches: everything else goes on meanwhile."""

import time
from threading import Thread

from tests.servers import ask, running_server
from tests.solving import WINNABLE

# Nobody has proven a shortest line of a deal of Calculation in so short a time.
LONG = {"variant": "calculation", "seed": "semilla", "goal": "shortest", "budget_ms": 2_000}


def test_one_worker_answers_others_while_it_searches(tmp_path):
    with running_server(tmp_path, WEB_CONCURRENCY="1") as url:
        game = ask(f"{url}/v1/games", {"seed": WINNABLE}).json
        path = f"{url}/v1/games/{game['id']}"
        assert ask(f"{path}/hint", timeout=90).json["verdict"] == "winnable"
        replies, waits = [], []
        thread = Thread(target=lambda: replies.append(ask(f"{url}/v1/solve", LONG, timeout=90)))
        thread.start()
        time.sleep(0.3)
        busy = ask(f"{url}/v1/solve", {**LONG, "seed": "7"})
        assert (busy.status, busy.json["code"], busy.headers["Retry-After"]) == (503, "busy", "1")
        while not replies:
            began = time.monotonic()
            for below in ("", "/redeal", "/hint"):
                assert ask(f"{path}{below}").status == 200
            waits.append(time.monotonic() - began)
        thread.join()
    assert replies[0].json["verdict"] == "winnable"
    assert 1_500 < replies[0].json["elapsed_ms"] < 4_000
    assert len(waits) > 10
    assert sorted(waits)[len(waits) // 2] < 0.5
