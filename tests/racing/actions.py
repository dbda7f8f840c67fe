"""The rows of the tables: everything that may be asked about a challenge, and its games.

An action gives verb, path and body. Who has an attempt dealt acts on the game of their latest one;
everybody else on the game of somebody who is in the challenge.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """What a viewer asks about: ``game`` is the one to act on, ``peeked`` another player's."""

    path: str
    game: str | None
    peeked: str | None
    ply: int
    first: str
    next: str
    judged: str

    @property
    def id(self):
        """The id of the challenge."""
        return self.path.rpartition("/")[2]


def _get(below):
    return lambda asked: ("GET", asked.path + below, None)


def _mine(verb, below=""):
    return lambda asked: (verb, f"{asked.path}/entries/me{below}", None)


def _look(below):
    return lambda asked: ("GET", f"/v1/games/{asked.game}{below}", None)


def _play(below, body):
    return lambda asked: ("POST", f"/v1/games/{asked.game}{below}", body(asked))


def _judge(player, disqualified):
    body = {"disqualified": disqualified, "reason": "seen twice"}
    return lambda asked: ("PATCH", f"{asked.path}/entries/{player(asked)}", body)


ACTIONS = {
    "read": _get(""),
    "find": lambda _: ("GET", "/v1/challenges?limit=200", None),
    "mine": lambda _: ("GET", "/v1/challenges?mine=true&limit=200", None),
    "title": lambda asked: ("PATCH", asked.path, {"title": "Another title"}),
    "terms": lambda asked: ("PATCH", asked.path, {"time_limit_ms": 1_800_000}),
    "par": lambda asked: ("POST", f"{asked.path}/par", None),
    "cancel": lambda asked: ("POST", f"{asked.path}/cancel", None),
    "enter": _mine("PUT"),
    "leave": _mine("DELETE"),
    "entry": _mine("GET"),
    "entries": _get("/entries"),
    "ranking": _get("/leaderboard"),
    "csv": _get("/leaderboard.csv"),
    "events": _get("/events"),
    # The records and the statistics of challenges; `record` is that of a game.
    "proof": _get("/record"),
    "statistics": _get("/statistics"),
    "deal-1": _mine("PUT", "/attempts/1"),
    "deal-2": _mine("PUT", "/attempts/2"),
    "play": _play("/moves", lambda asked: {"at": asked.ply, "moves": [asked.next]}),
    "retry": _play("/moves", lambda asked: {"at": 0, "moves": [asked.first]}),
    "no-at": _play("/moves", lambda asked: {"moves": [asked.next]}),
    "preview": _look("/redeal"),
    "hint": _look("/hint"),
    "undo": _play("/undo", lambda asked: {"at": asked.ply}),
    "resign": _play("/resign", lambda asked: {"at": asked.ply}),
    "game": _look(""),
    "history": _look("/moves"),
    "record": _look("/record"),
    "game-par": _play("/par", lambda _: None),
    "svg": _look(".svg"),
    "peek": lambda asked: ("GET", f"/v1/games/{asked.peeked}", None),
    "games": lambda asked: ("GET", f"/v1/games?challenge={asked.id}&limit=200", None),
    "disqualify": _judge(lambda asked: asked.judged, disqualified=True),
    "reinstate": _judge(lambda _: "disqualified", disqualified=False),
}


def headers_of(action, viewer_headers):
    """Give the headers of a request: changes are made whatever has happened."""
    changes = action in ("title", "terms")
    return {**viewer_headers, **({"If-Match": "*"} if changes else {})}
