"""A session in which every route answers in every way that it can, in both families."""

from flask.testing import FlaskClient

from service.api import operations
from service.db.engine import DatabaseBusy
from service.db.migrations import upgrade
from service.rules import VARIANTS
from service.rules.record_text import parse_record
from service.usecases import playing
from service.usecases.solver_slot import one_at_a_time
from tests.boards.positions import GOLDEN
from tests.challenges import let_all_win, new_challenge
from tests.conftest import Player, limited
from tests.contract.solving import solve
from tests.entrants import new_entrant
from tests.hosting import DAY, Host, change_row
from tests.player_rows import fill_in

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
    solve(client, monkeypatch)
    _enter(client, clock)
    _play_dailies(client, clock)
    _register(client, clock)
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
        drawn = client.get(f"/v1/deals/{variant}/semilla/board.png")
        known = {"If-None-Match": drawn.headers["ETag"]}
        client.get(f"/v1/deals/{variant}/semilla/board.png", headers=known)
    for path in ("/v1/variants", "/v1/variants/cruel"):
        client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]})
    client.get("/v1/deals/cruel/-")
    client.get("/v1/deals/cruel/semilla?deal=by_hand")
    client.get("/v1/deals/calculation/semilla?bases=AC,2D,3H,4S")
    for kind in ("svg", "png"):
        client.get(f"/v1/deals/cruel/-/board.{kind}")
        client.get(f"/v1/deals/cruel/semilla/board.{kind}?deal=by_hand")
    client.get("/v1/deals/calculation/semilla/board.svg?bases=AC,2D,3H,4S")
    client.get("/v1/deals/cruel/semilla/board.svg", headers={"Accept": "image/png"})
    client.get("/v1/deals/cruel/semilla/board.png", headers={"Accept": "image/svg+xml"})
    paths = ("/v1/variants", "/v1/variants/patience", "/v1/deals/patience/semilla")
    drawn = [f"/v1/deals/patience/semilla/board.{kind}" for kind in ("svg", "png")]
    for path in (*paths, *drawn):
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
    host, guest, game = Host(client, db, "Eva"), Host(client, db, "Leo"), Player(client)
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
    client.post("/v1/solve", json={"variant": "cruel", "seed": "semilla", "goal": "verdict"})
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
    for path in ("", ".svg", ".png", "/redeal", *pages, "/record"):
        player.get(path)
        player.get(path, Accept="text/plain")
        player.get(path, token=False, **NOBODY)
    player.get(f"/moves?cursor={player.get('/moves?limit=1').json['next']}")
    client.post("/v1/evaluate", json=player.get("/record").json)


def _register(client, clock):
    key = {"Idempotency-Key": "1123456789-0123456789-0123456789"}
    body = {"name": "ana"}
    for _ in range(2):
        ana = client.post("/v1/players", json=body, headers=key).json
    client.post("/v1/players", json={"name": "bea", "bot": True}, headers=key)
    refused = ({}, {"name": "a b"}, {"name": "ANA"}, {"name": "Operator"}, {"nick": "ana"})
    for sent in ({"json": wrong} for wrong in refused):
        client.post("/v1/players", **sent)
    game = client.post("/v1/games").json
    tokens = (ana["token"], game["token"], "sp_nobody", None)
    shown = [{"Authorization": f"Bearer {token}"} if token else {} for token in tokens]
    paths = {
        "/v1/players": ("POST", body),
        "/v1/players/me": ("GET", None),
        "/v1/players/me/": ("PATCH", {"name": "daily"}),
        "/v1/players/me/token": ("POST", {}),
        "/v1/players/ana": ("GET", None),
        "/v1/players/a%20b": ("GET", None),
        "/v1/players/ana/history": ("GET", None),
    }
    for headers in shown[1:]:
        for path, (verb, sent) in paths.items():
            client.open(path.rstrip("/"), method=verb, json=sent, headers=headers)
        client.delete("/v1/players/me", headers=headers)
    for verb, path in (
        ("POST", ""),
        ("GET", "/me"),
        ("PATCH", "/me"),
        ("GET", "/ana"),
        ("GET", "/ana/history"),
    ):
        client.open(f"/v1/players{path}", method=verb, headers={"Accept": "text/plain"})
        client.open(f"/v1/players{path}", method=verb, data="x" * 2**17)
        client.open(f"/v1/players{path}?x=1", method=verb, data="x")
    mine = shown[0]
    for sent in ({}, {"name": "ana-2"}, {"bot": True}, {"name": "host"}, {"name": "-"}):
        client.patch("/v1/players/me", json=sent, headers=mine)
    client.post("/v1/players", json=body, headers=key)
    fill_in(client.application.extensions["semilla"].db, "ana-2", clock.ms)
    pages = [f"/ana-2/history{query}" for query in ("?period=month", "?limit=0", "?cursor=x")]
    for path in ("/me", "/ana-2", "/ana", "/ana-2/history", "/ana/history", *pages):
        client.get(f"/v1/players{path}", headers=mine)
    token = client.post("/v1/players/me/token", headers=mine).json["token"]
    client.delete("/v1/players/me", headers={"Authorization": f"Bearer {token}"})


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
        for path in ("", ".svg", ".png", "/redeal", "/moves", "/record"):
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
        patch.setattr(playing, "MAX_HISTORY", 1)
        for verb in ("redeal", "undo", "resign"):
            other.act(verb)
        other.play("6>9")
    other.act("resign")
    for name in ("cruel-won", "calculation-won"):
        text = (GOLDEN / "records" / f"{name}.txt").read_text("utf-8")
        _win(Player(client), parse_record(text))


def _enter(client, clock):
    db = client.application.extensions["semilla"].db
    (host, hosts), (_, adas), (_, beas) = (new_entrant(db, name) for name in ("hugo", "ada", "bea"))
    hosts, adas, beas = ({"Authorization": f"Bearer {token}"} for token in (hosts, adas, beas))
    start = clock.ms + 1_000
    terms = {"attempts": 2, "ends_at": start + DAY}
    now, later = (new_challenge(db, host, **terms, starts_at=at) for at in (clock.ms, start))
    for challenge_id in (now, later, "none"):
        path = f"/v1/challenges/{challenge_id}/entries"
        for auth in ({}, NOBODY, adas, beas):
            for verb, below in (("GET", "/me"), ("PUT", "/me/attempts/1"), ("DELETE", "/me")):
                client.open(f"{path}{below}", method=verb, headers=auth)
            for verb, below in (("PUT", "/me"), ("GET", "/me"), ("PUT", "/me")):
                client.open(f"{path}{below}", method=verb, headers=auth)
        for kind in ("text/plain", "image/png"):
            for number in (2, 1, 1, 3, 0):
                headers = {**adas, "Accept": kind}
                client.put(f"{path}/me/attempts/{number}", headers=headers)
        client.put(f"{path}/me/attempts/1", headers=adas)
        client.put(f"{path}/me/attempts/1", headers=beas)
        for disqualified in (True, False, None):
            for auth in (hosts, adas, {}):
                body = {"disqualified": disqualified, "reason": "a solver"}
                client.patch(f"{path}/ada", json=body, headers=auth)
                client.get(path, headers=auth)
        pages = [client.get(f"{path}?limit=1").json]
        if pages[0].get("next"):
            client.get(f"{path}?cursor={pages[0]['next']}")
        client.get(f"{path}?cursor=none")
        client.patch(f"{path}/ada", data="{", content_type="application/json", headers=hosts)
        _rank(client, path.removesuffix("/entries"), adas)
        client.delete(f"{path}/me", headers=adas)
        client.put(f"{path}/me", headers=adas)
        client.put(f"{path}/me/attempts/2", headers=adas)
        client.get(f"{path}/me", headers=adas)
    _run_out_of_time(client, clock, host, (adas, beas))
    _prove(client, clock, host, adas)


def _play_dailies(client, clock):
    token = new_entrant(client.application.extensions["semilla"].db, "dana")[1]
    dana, game = {"Authorization": f"Bearer {token}"}, Player(client)
    game.start()
    dailies = ("/v1/daily/cruel", "/v1/daily/patience")
    boards = [f"/v1/leaderboards/{name}" for name in ("cruel", "cruel?around=me", "patience")]
    for path in (*dailies, *boards):
        for auth in ({}, NOBODY, game.auth, dana):
            client.get(path, headers=auth)
        client.get(path, headers=TEXT)
        client.get(path, headers={"Accept": "image/png"})
        client.delete(path)
    daily = client.get(dailies[0]).json["id"]
    path = f"/v1/challenges/{daily}/entries/me"
    client.put(path, headers=dana)
    played = client.put(f"{path}/attempts/1", headers=dana).json
    client.post(f"/v1/games/{played['id']}/resign", json={"at": 0}, headers=dana)
    client.get(dailies[0], headers=dana)
    for query in ("", "?around=me", "?period=month&limit=1", "?period=year", "?cursor=none"):
        client.get(f"/v1/leaderboards/cruel{query}", headers=dana)
    clock.tick(DAY)
    client.get(f"/v1/challenges/{daily}")


def _rank(client, path, auth):
    game = Player(client)
    game.start()
    for headers in ({}, auth, NOBODY, game.auth, {**auth, **TEXT}, {**auth, "Accept": "image/png"}):
        for query in ("", "?around=me", "?limit=1", "?limit=1&cursor=x", "?around=me&cursor=x"):
            found = client.get(f"{path}/leaderboard{query}", headers=headers)
            if found.is_json and found.json.get("next"):
                client.get(f"{path}/leaderboard?cursor={found.json['next']}", headers=headers)
        client.get(f"{path}/leaderboard.csv", headers={**headers, "Accept": "*/*"})
        client.get(f"{path}/leaderboard.csv", headers=headers)
        client.get(f"{path}/leaderboard.csv?limit=1", headers=headers)


def _run_out_of_time(client, clock, host, auths):
    db, (adas, beas) = client.application.extensions["semilla"].db, auths
    short = new_challenge(db, host, starts_at=clock.ms, ends_at=clock.ms + 1_000)
    client.put(f"/v1/challenges/{short}/entries/me", headers=adas)
    game = client.put(f"/v1/challenges/{short}/entries/me/attempts/1", headers=adas).json["id"]
    for headers in (adas, beas, {}):
        client.get(f"/v1/games/{game}", headers=headers)
        client.get("/v1/games?player=ada", headers=headers)
        client.get(f"/v1/games?challenge={short}&limit=1&cursor=x", headers=headers)
    client.post(f"/v1/games/{game}/resign", json={}, headers=adas)
    client.get(f"/v1/games/{game}/hint", headers=adas)
    clock.tick(1_000)
    client.post(f"/v1/games/{game}/resign", json={"at": 0}, headers=adas)
    client.get(f"/v1/games?challenge={short}")
    pages = [client.get("/v1/games?player=ada&limit=1", headers=adas).json]
    client.get(f"/v1/games?player=ada&cursor={pages[0]['next']}", headers=adas)
    client.get("/v1/games")
    client.get("/v1/games?player=ada", headers={"Accept": "image/png"})
    client.get("/v1/games?player=ada", headers=NOBODY)


def _prove(client, clock, host, auth):
    db = client.application.extensions["semilla"].db
    terms = {"starts_at": clock.ms, "ends_at": clock.ms + DAY, "attempts": 2}
    challenge_id = new_challenge(db, host, **terms)
    path = f"/v1/challenges/{challenge_id}"
    client.put(f"{path}/entries/me", headers=auth)
    for number in (1, 2):
        game = client.put(f"{path}/entries/me/attempts/{number}", headers=auth).json["id"]
        client.post(f"/v1/games/{game}/moves", json={"at": 0, "moves": ["Q"]}, headers=auth)
    client.get(f"{path}/record")
    client.get(f"{path}/statistics")
    _watch(client, path)
    _ask_for_par(client, path, f"/v1/games/{game}", auth)
    clock.tick(DAY)
    _ask_for_par(client, path, f"/v1/games/{game}", auth)
    page = client.get(f"{path}/record?limit=1").json
    for query in (f"?cursor={page['next']}", "?cursor=none", "?limit=0"):
        client.get(f"{path}/record{query}")
    client.get(f"{path}/record", headers=NOBODY)
    client.get(f"{path}/record", headers={"Accept": "image/png"})
    client.get("/v1/challenges/none/record")
    client.get(f"{path}/statistics")
    let_all_win(db, challenge_id)
    for headers in ({}, NOBODY, {"Accept": "image/png"}):
        client.get(f"{path}/statistics", headers=headers)
    client.get("/v1/challenges/none/statistics")


def _ask_for_par(client, challenge, game, auth):
    for path in (challenge, game, "/v1/challenges/none", "/v1/games/none"):
        url = f"{path}/par"
        for headers in ({}, auth, NOBODY, {**auth, "Accept": "image/png"}):
            client.post(url, json={"budget_ms": 1}, headers=headers)
        with one_at_a_time():
            client.post(url, json={"budget_ms": 1})
        _misuse(client, "POST", url, auth)
        client.post(url, json={"budget_ms": 10_001})
        client.get(path, headers=auth)
    client.get(f"{challenge}/leaderboard")


def _watch(client, path):
    tag = client.get(f"{path}/events").headers["ETag"]
    client.get(f"{path}/events", headers={"If-None-Match": tag})
    for query in ("?after=3", "?after=-1", "?before=3"):
        client.get(f"{path}/events{query}")
    client.get(f"{path}/events", headers=NOBODY)
    client.get(f"{path}/events", headers={"Accept": "image/png"})
    client.get("/v1/challenges/none/events")


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
