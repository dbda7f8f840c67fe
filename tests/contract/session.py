"""A session in which every route answers in every way that it can, in both families."""

from flask.testing import FlaskClient

from service.api import operations
from service.db.engine import DatabaseBusy
from service.db.migrations import upgrade
from service.rules import VARIANTS
from service.rules.record_text import parse_record
from service.usecases import games
from tests.boards.positions import GOLDEN
from tests.conftest import Player, limited
from tests.hosting import DAY, Host, change_row

TEXT = {"Accept": "text/plain"}
NOBODY = {"Authorization": "Bearer sg_nobody"}
BASES = {"bases": ["AC", "2D", "3H", "4S"]}


class RecordingClient(FlaskClient):
    """A client that keeps every reply."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.replies = []

    def open(self, *args, **kwargs):
        reply = super().open(*args, **kwargs)
        self.replies.append(reply)
        return reply


def replies_of_a_session(app, clock, monkeypatch):
    """Give all replies; ``app`` has an empty file as its database yet."""
    app.test_client_class = RecordingClient
    client = app.test_client()
    client.get("/readyz")
    upgrade(app.extensions["semilla"].db)
    _ask(client)
    _evaluate(client)
    _host(client, clock)
    for variant in VARIANTS:
        _play(client, clock, variant)
    _be_refused(client, monkeypatch)
    _break(client, monkeypatch)
    return client.replies


def _ask(client):
    for path in ("/livez", "/readyz", "/metrics", "/v1/variants"):
        client.get(path)
        client.head(path)
        client.get(path, headers={"Accept": "image/png"})
    settings = client.application.config
    settings["METRICS_TOKEN"] = "an operator's"
    client.get("/metrics", headers=NOBODY)
    settings["METRICS_TOKEN"] = ""
    for variant in VARIANTS:
        client.get(f"/v1/variants/{variant}", headers={"Accept-Language": "es"})
        deal = client.get(f"/v1/deals/{variant}/semilla")
        client.get(f"/v1/deals/{variant}/pysol-1")
        known = {"If-None-Match": deal.headers["ETag"]}
        client.get(f"/v1/deals/{variant}/semilla", headers=known)
        picture = client.get(f"/v1/deals/{variant}/semilla/board.svg")
        known = {"If-None-Match": picture.headers["ETag"]}
        client.get(f"/v1/deals/{variant}/semilla/board.svg", headers=known)
    for path in ("/v1/variants", "/v1/variants/cruel"):
        client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]})
    client.get("/v1/deals/cruel/-")
    client.get("/v1/deals/cruel/semilla?deal=by_hand")
    client.get("/v1/deals/calculation/semilla?bases=AC,2D,3H,4S")
    client.get("/v1/deals/cruel/-/board.svg")
    client.get("/v1/deals/cruel/semilla/board.svg?deal=by_hand")
    client.get("/v1/deals/calculation/semilla/board.svg?bases=AC,2D,3H,4S")
    client.get("/v1/deals/cruel/semilla/board.svg", headers={"Accept": "image/png"})
    paths = ("/v1/variants", "/v1/variants/patience", "/v1/deals/patience/semilla")
    for path in (*paths, "/v1/deals/patience/semilla/board.svg"):
        client.get(path)
        client.get(path, headers=NOBODY)
        client.get(path, headers={"Authorization": "Basic c2VtaWxsYQ=="})
        client.delete(path)
    client.get("/v1/nothing")


def _evaluate(client):
    def evaluate(body, **options):
        return client.post("/v1/evaluate", json=body, **options)

    for variant in VARIANTS:
        evaluate({"variant": variant, "seed": "semilla", "moves": ["Q", "Q"]})
        deal = client.get(f"/v1/deals/{variant}/semilla").json
        places = ("piles", "stock", "wastes", "foundations")
        position = {name: deal[name] for name in places if name in deal}
        evaluate({"variant": variant, "position": position})
    evaluate({"seed": "semilla", "moves": ["12>2", "1>2", "R"]})
    evaluate({"seed": "semilla"}, headers=NOBODY)
    evaluate({"seed": "semilla"}, headers=TEXT)
    for body in ({}, {"record": "semilla/1", "seeds": 1}, {"position": {"piles": [["KX"]]}}, []):
        evaluate(body)
    client.post("/v1/evaluate", data="{", content_type="application/json")
    client.post("/v1/evaluate", data=" " * 2**19, content_type="application/json")
    client.post("/v1/evaluate", data="seed=semilla")
    cut = {"CONTENT_LENGTH": "9"}
    client.post("/v1/evaluate", data="{", environ_overrides=cut)


def _host(client, clock):
    db = client.application.extensions["semilla"].db
    host, guest, game = Host(client, db), Host(client, db, "Bea"), Player(client)
    game.start()
    key = {"Idempotency-Key": "2123456789-0123456789-0123456789"}
    for title in ("Once", "Once", "Twice"):
        host.post(key, title=title)
    host.post(TEXT)
    host.post(order="time")
    for headers in ({}, NOBODY, game.auth, {**host.auth, "Accept": "image/png"}):
        client.post("/v1/challenges", json={"title": "x"}, headers=headers)
    _misuse(client, "POST", "/v1/challenges", host.auth)
    host.create(seed="semilla", attempts=2)
    host.patch(time_limit_ms=60_000)
    guest.id = host.id
    for seen in ("*", '"0"', None):
        host.patch(seen, title="x")
        guest.patch(seen, title="x")
    host.get(**TEXT)
    client.patch(host.path, json={}, headers={**host.auth, **TEXT, "If-Match": "*"})
    guest.enter(host)
    guest.get()
    host.patch(attempts=3)
    change_row(db, host.id, dealt=1)
    host.patch(attempts=3)
    host.cancel()
    for who in ({}, NOBODY, game.auth, guest.auth, {**host.auth, "Accept": "image/png"}):
        client.get(host.path, headers=who)
        client.get("/v1/challenges", headers=who)
        client.get("/v1/challenges?mine=true", headers=who)
        client.patch(host.path, json={}, headers=who)
        client.post(f"{host.path}/cancel", headers=who)
    _misuse(client, "PATCH", host.path, host.auth)
    _misuse(client, "POST", f"{host.path}/cancel", host.auth)
    clock.tick(DAY)
    host.get()
    host.patch(attempts=3)
    host.cancel()
    host.create()
    host.cancel()
    client.post(f"{host.path}/cancel", headers={**host.auth, **TEXT})
    first = client.get("/v1/challenges?limit=1").json
    for cursor in (first["next"], "none"):
        client.get("/v1/challenges", query_string={"limit": 1, "cursor": cursor})
    client.get("/v1/challenges?status=over")
    host.id = "none"
    for ask in (host.get, host.patch, host.cancel):
        ask()


def _misuse(client, verb, path, headers):
    """Send what is no body of the operation."""
    client.open(path, method=verb, json={"x": 1}, headers=headers)
    client.open(path, method=verb, data="x", headers=headers)
    client.open(path, method=verb, data="x" * 2**17, headers=headers)
    client.open(path, method=verb, data="{", content_type="application/json", headers=headers)


def _play(client, clock, variant):
    player = Player(client)
    client.post("/v1/games", json={"variant": variant}, headers=TEXT)
    first = player.start(variant, seed=None)["legal_moves"][0]
    player.get("/record")
    player.get("/record", token=False)
    clock.tick(1_000)
    for options in ({}, {"headers": NOBODY}, {"headers": {**player.auth, **TEXT}}):
        url = f"/v1/games/{player.id}/moves"
        client.post(url, json={"at": 0, "moves": [first]}, **options)
    for verb in ("redeal", "undo", "resign"):
        client.post(f"/v1/games/{player.id}/{verb}", headers={**player.auth, **TEXT})
        player.act(verb)
        player.act(verb, at=0)
        player.act(verb, at=99)
    pages = ("/moves", "/moves?limit=1", "/moves?cursor=none")
    for path in ("", ".svg", "/redeal", *pages, "/record"):
        player.get(path)
        player.get(path, Accept="text/plain")
        player.get(path, token=False, **NOBODY)
    player.get(f"/moves?cursor={player.get('/moves?limit=1').json['next']}")
    client.post("/v1/evaluate", json=player.get("/record").json)


def _be_refused(client, monkeypatch):
    player, other = Player(client), Player(client)
    other.start("calculation", options=BASES)
    player.start(undo=False)
    for verb, at in (("redeal", None), ("undo", None), ("undo", 3)):
        player.act(verb, at)
    player.play("12>2", "U")
    other.start()
    other.act("undo")
    other.play("12>2")
    other.play("6>9", at=0)
    other.play("7>F")
    other.play("77")
    for url in (f"/v1/games/{player.id}", "/v1/games/none"):
        for verb in ("moves", "redeal", "undo", "resign"):
            body = {"moves": ["12>2"]} if verb == "moves" else {}
            client.post(f"{url}/{verb}", json=body)
            client.post(f"{url}/{verb}", json=body, headers=other.auth)
            client.post(f"{url}/{verb}", json={"ply": 1}, headers=other.auth)
            client.post(f"{url}/{verb}", data="x" * 2**17, headers=other.auth)
            client.post(f"{url}/{verb}", data="x", headers=other.auth)
            client.post(f"{url}/{verb}", data="{", content_type="application/json")
            client.post(f"{url}/{verb}", json=body, headers={"Accept": "image/png"})
        for path in ("", ".svg", "/redeal", "/moves", "/record"):
            client.get(url + path)
            client.get(url + path, headers={"Accept": "image/png"})
            client.patch(url + path)
    client.post("/v1/games", json={"seed": "pysol-0", "options": {"build": "up"}})
    key = {"Idempotency-Key": "0123456789-0123456789-0123456789"}
    for body in ({}, {}, {"variant": "calculation"}):
        client.post("/v1/games", json=body, headers=key)
    client.post("/v1/games", json={}, headers=NOBODY)
    client.post("/v1/games", json={}, headers={"Accept": "image/png"})
    client.post("/v1/games", data="x" * 2**17)
    client.post("/v1/games", data="x")
    client.post("/v1/games", data="{", content_type="application/json")
    with monkeypatch.context() as patch:
        patch.setattr(games, "MAX_HISTORY", 1)
        for verb in ("redeal", "undo", "resign"):
            other.act(verb)
        other.play("6>9")
    other.act("resign")
    for name in ("cruel-won", "calculation-won"):
        text = (GOLDEN / "records" / f"{name}.txt").read_text("utf-8")
        _win(Player(client), parse_record(text))


def _win(player, record):
    terms = {"options": record.rules.options(), "undo": record.undo}
    player.start(record.variant, record.seed, **terms)
    player.play(*record.moves)
    assert player.get().json["status"] == "won"


def _break(client, monkeypatch):
    for error in (DatabaseBusy("locked"), RuntimeError("a bug")):

        def fail(_db, error=error):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(operations, "check_ready", fail)
            client.get("/readyz")
    with limited(client.application, address=1):
        client.get("/v1/variants")
        client.get("/v1/variants")
