"""A server that is killed again and again loses nothing that it acknowledged."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.cli.operating import invoke
from tests.servers import ask, free_port, running_server, started_server

CRASHES = 20
PLAYERS = 3
MOVES_PER_GAME = 120
SECONDS_WITHOUT_ANSWER = 60


class Client:
    """Somebody who plays games one after the other, and sends each move until it is answered."""

    def __init__(self, url, number, done):
        self.url = url
        self.chance = random.Random(number)
        self.done = done
        self.acknowledged = {}
        self.retries = 0

    def play_on(self):
        while not self.done.is_set():
            game = self.send("/v1/games", {"variant": "cruel"})
            moves = self.acknowledged[game["id"]] = []
            path, token = f"/v1/games/{game['id']}/moves", game["token"]
            while game["legal_moves"] and len(moves) < MOVES_PER_GAME and not self.done.is_set():
                move = self.choose(game, moves)
                game = self.send(path, {"at": len(moves), "moves": [move]}, token)
                moves.append(move)
                assert game["ply"] == len(moves)

    def choose(self, game, moves):
        undo = moves and moves[-1] != "U" and self.chance.random() < 0.2
        return "U" if undo else self.chance.choice(game["legal_moves"])

    def send(self, path, body, token=None):
        deadline = time.monotonic() + SECONDS_WITHOUT_ANSWER
        while True:
            try:
                reply = ask(f"{self.url}{path}", body, token=token, timeout=5)
            except OSError:
                self.retries += 1
            else:
                if reply.status != 503:
                    assert reply.status in (200, 201), reply.text
                    return reply.json
            assert time.monotonic() < deadline, "the server is gone for good"
            time.sleep(0.01)


def history(url, game_id):
    items, cursor = [], ""
    while cursor is not None:
        page = ask(f"{url}/v1/games/{game_id}/moves?limit=200{cursor}").json
        items += page["items"]
        cursor = page["next"] and f"&cursor={page['next']}"
    return items


@pytest.mark.slow
def test_every_acknowledged_move_outlives_twenty_crashes_exactly_once(tmp_path):
    port, chance, done = free_port(), random.Random(20), Event()
    url = f"http://127.0.0.1:{port}"
    clients = [Client(url, number, done) for number in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as pool:
        playing = [pool.submit(client.play_on) for client in clients]
        try:
            for _ in range(CRASHES):
                with started_server(tmp_path, PORT=port) as server:
                    time.sleep(chance.uniform(0.1, 0.8))
                    server.kill()
            with running_server(tmp_path, PORT=port):
                done.set()
                for player in playing:
                    # Raises what a client has found.
                    player.result(2 * SECONDS_WITHOUT_ANSWER)
                acknowledged = {k: v for client in clients for k, v in client.acknowledged.items()}
                histories = {game_id: history(url, game_id) for game_id in acknowledged}
        finally:
            done.set()
    for game_id, moves in acknowledged.items():
        assert [entry["move"] for entry in histories[game_id]] == moves
        assert [entry["ply"] for entry in histories[game_id]] == list(range(1, len(moves) + 1))
    assert sum(map(len, acknowledged.values())) > 100
    assert all(client.retries for client in clients)
    verified = invoke("verify-games", SEMILLA_DATA=str(tmp_path / "data")).stdout
    checked, _, faulty = verified.removesuffix(" faulty\n").partition(" games checked, ")
    assert faulty == "0"
    # A game whose creation was cut off may be there, and no client knows it.
    assert int(checked) >= len(acknowledged)
