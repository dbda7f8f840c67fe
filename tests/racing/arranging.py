"""Challenges in every state of the tables, with everybody in them who can be there.

All of it is asked over HTTP, but for what only the operator does. Two challenges stand in the same
state: one whose host has entered, and one whose host has not.
"""

from service.usecases import operated_challenges
from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, rfc
from tests.players import new_player
from tests.racing.actions import Subject
from tests.racing.columns import ENTRY_STATES
from tests.racing.deal import WON

START, END, LIMIT = NOON + HOUR, NOON + 25 * HOUR, HOUR
TERMS = {
    "title": "Weekend",
    "starts_at": rfc(START),
    "ends_at": rfc(END),
    "time_limit_ms": LIMIT,
}
ENTERED = ("host+", "registered", "disqualified")
DEALT = ("ended", "forfeited", "disqualified", "host+")


class Stage:
    """Two challenges in a state of the tables; ``auth`` has the headers of each viewer."""

    def __init__(self, db, client, clock, kind, state):
        self.db, self.client, self.clock = db, client, clock
        self.shared = kind == "shared"
        self.games = {}
        token = client.post("/v1/games", json={}).json["token"]
        self.auth = {
            "stranger": {},
            "game-token": {"Authorization": f"Bearer {token}"},
            "unknown": {"Authorization": "Bearer sp_nobody"},
        }
        for viewer in ("other", "host", *ENTRY_STATES):
            name = viewer.replace("+", "-in")
            self.auth[viewer] = {"Authorization": f"Bearer {new_player(db, name)}"}
        visibility = "unlisted" if state == "unlisted" else "public"
        terms = {"clock": kind, "attempts": 1 if self.shared else 2, "visibility": visibility}
        self.paths = {}
        for host in ("host", "host+"):
            made = self._send(host, "POST", "/v1/challenges", {**TERMS, **terms})
            self.paths[host] = f"/v1/challenges/{made.json['id']}"
        getattr(self, f"_{state.replace('-', '_')}")()

    def send(self, verb, path, headers, body=None):
        """Send a request; give the reply."""
        options = {} if body is None else {"json": body}
        return self.client.open(path, method=verb, headers=headers, **options)

    def host_of(self, viewer):
        """Tell who hosts the challenge about which a viewer asks."""
        return "host+" if viewer == "host+" else "host"

    def players_dealt(self, viewer):
        """Give who has an attempt dealt in the challenge about which a viewer asks."""
        return {who for host, who in self.games if host == self.host_of(viewer)}

    def subject(self, viewer):
        """Give what a viewer asks about."""
        host, dealt = self.host_of(viewer), self.players_dealt(viewer)
        # Of the states with games only a race that has ended early has nobody of the first names.
        fellow, judged = ("playing", "registered")
        if dealt and fellow not in dealt:
            fellow, judged = ("ended", "ended")
        rival = fellow if viewer == "ended" else "ended"
        if rival == viewer:
            rival = "forfeited"
        nothing = None, []
        game, moves = self.games.get((host, viewer if viewer in dealt else fellow), nothing)
        return Subject(
            path=self.paths[host],
            game=game,
            peeked=self.games.get((host, rival), nothing)[0],
            ply=len(moves),
            first=WON[0],
            next=WON[len(moves)],
            judged=judged,
        )

    # ---- what people do in both challenges ----

    def _send(self, viewer, verb, path, body=None):
        reply = self.send(verb, path, self.auth[viewer], body)
        assert reply.status_code < 300, reply.text
        return reply

    def _mine(self, viewer, verb, below=""):
        for host, path in self.paths.items():
            if viewer != "host+" or host == "host+":
                yield host, self._send(viewer, verb, f"{path}/entries/me{below}")

    def _enter(self, *viewers):
        for viewer in viewers:
            list(self._mine(viewer, "PUT"))

    def _leave(self, *viewers):
        for viewer in viewers:
            list(self._mine(viewer, "DELETE"))

    def _deal(self, viewer, *moves, attempt=1):
        for host, reply in self._mine(viewer, "PUT", f"/attempts/{attempt}"):
            self.games[host, viewer] = reply.json["id"], []
        self._play(viewer, *moves)

    def _play(self, viewer, *moves):
        for (_, who), (game, played) in self.games.items():
            if who == viewer:
                body = {"at": len(played), "moves": moves}
                self._send(viewer, "POST", f"/v1/games/{game}/moves", body)
                played.extend(moves)

    def _disqualify(self):
        for host, path in self.paths.items():
            body = {"disqualified": True, "reason": "two accounts"}
            self._send(host, "PATCH", f"{path}/entries/disqualified", body)

    def _operate(self, act):
        for path in self.paths.values():
            act(self.db, path.rpartition("/")[2], self.clock.ms)

    # ---- the states ----

    def _scheduled(self):
        self._enter(*ENTERED)
        self._disqualify()

    def _scheduled_alone(self):
        self._enter("host+")

    def _started(self):
        self._scheduled()
        if self.shared:
            self._enter("forfeited")
        self.clock.ms = START
        if self.shared:
            self._leave("forfeited")

    def _started_alone(self):
        self._enter("host+")
        self.clock.ms = START

    def _running(self):
        self._enter(*ENTRY_STATES)
        self.clock.ms = START
        if self.shared:
            self._deal("timed-out", *WON[:1])
        else:
            self._deal("timed-out", *WON[:1], "Q")
            self._deal("timed-out", *WON[:1], attempt=2)
            self.clock.tick(LIMIT)
        self.clock.tick(MINUTE)
        self._deal("playing", *WON[:2])
        self._play_attempts()

    def _play_attempts(self):
        for viewer in DEALT:
            self._deal(viewer, *WON[:2])
        self._play("ended", "Q")
        self._leave("forfeited")
        for held in [key for key in self.games if key[1] == "forfeited"]:
            self.games[held][1].append("Q")
        self._disqualify()

    _unlisted = _running

    def _hidden(self):
        self._running()
        self._operate(operated_challenges.hide)

    def _finished(self):
        self._running()
        self.clock.ms = START + LIMIT if self.shared else END

    def _ended_early(self):
        self._enter(*DEALT)
        self.clock.ms = START + MINUTE
        self._play_attempts()
        self._play("disqualified", "Q")
        self._play("host+", "Q")

    def _cancelled(self):
        self._scheduled()
        for host, path in self.paths.items():
            self._send(host, "POST", f"{path}/cancel")

    def _stopped(self):
        self._running()
        self.clock.tick(MINUTE)
        self._operate(operated_challenges.cancel)
