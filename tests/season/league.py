"""Players and challenges over HTTP: each write is sent twice, each ranking compared with the model.

What the model knows of a challenge stands in its ``Course``; nothing of it comes out of a ranking.
"""

import itertools
import json

from tests.api.problems import assert_problem
from tests.hosting import rfc
from tests.season.course import Course, Person
from tests.season.model import Entry, Played, deal_of, status
from tests.season.walks import bearer


class League:
    """Everybody, over one client and one clock that is moved by hand."""

    def __init__(self, client, clock):
        self.client, self.clock = client, clock
        self.people, self.courses = {}, {}
        self._keys = (f"season-key-number-{number:08}" for number in itertools.count(1))

    # ---- requests ----

    def send(self, who, verb, path, body=None, **headers):
        auth = bearer(self.people[who].token) if who else {}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        options = {} if body is None else {"json": body}
        return self.client.open(path, method=verb, headers={**auth, **named}, **options)

    def read(self, path, who=None, **query):
        auth = bearer(self.people[who].token) if who else {}
        reply = self.client.get(path, query_string=query, headers=auth)
        assert reply.status_code == 200, reply.text
        return reply.json

    def twice(self, who, verb, path, body=None, *, course=None, kinds=(), **headers):
        """Write, compare the ranking, and write once more, which must change nothing.

        ``kinds``: the events that it makes; the model must know of the rest before. Give both
        replies.
        """
        if course is not None:
            course.kinds += kinds
            course.writes.append((who, verb, path, body))
        first = self.send(who, verb, path, body, **headers)
        assert first.status_code < 300, (who, verb, path, body, first.text)
        before = self.look(course)
        second = self.send(who, verb, path, body, **headers)
        assert self.look(course) == before
        return first, second

    def look(self, course):
        """Read a challenge and its ranking, which must be the model's."""
        if course is None:
            return None
        board = self.read(f"{course.path}/leaderboard", limit=200)
        assert board == course.board(self.clock.ms)
        challenge = self.read(course.path)
        assert challenge["revision"] == board["revision"]
        return board, challenge

    def same(self, replies, first=200, second=200):
        """Check that both replies have these statuses and one body."""
        assert [reply.status_code for reply in replies] == [first, second], replies[1].text
        assert replies[0].json == replies[1].json
        return replies[0].json

    # ---- players ----

    def register(self, name, *, bot=False):
        body = {"name": name, "bot": bot}
        first, second = self.twice(
            None, "POST", "/v1/players", body, Idempotency_Key=next(self._keys)
        )
        assert (first.status_code, second.status_code) == (201, 201)
        assert second.headers["Idempotent-Replayed"] == "true"
        self.people[name] = Person(name, second.json["token"], bot)
        void = self.client.get("/v1/players/me", headers=bearer(first.json["token"]))
        assert_problem(void, "unauthenticated")

    def rename(self, who, name):
        self.same(self.twice(who, "PATCH", "/v1/players/me", {"name": name}))
        self._called(who, name)

    def rotate(self, who):
        first, second = self.twice(who, "POST", "/v1/players/me/token", {})
        assert_problem(second, "unauthenticated")
        self.people[who].token = first.json["token"]

    def delete(self, who):
        first, second = self.twice(who, "DELETE", "/v1/players/me")
        assert first.status_code == 204
        assert_problem(second, "unauthenticated")
        self._called(who, None)

    def _called(self, who, name):
        self.people[who].name = name
        for course in self.courses.values():
            if who in course.entries:
                course.entries[who].player = name

    # ---- challenges ----

    def create(self, name, host, dealt, lasts, **asked):
        """Set a challenge up from ``lasts[0]`` until ``lasts[1]``; ``dealt``: the seed of it.

        Of seeds that the server draws it takes the first that is not lost, proven winnable or not.
        """
        times = {"starts_at": rfc(lasts[0]), "ends_at": rfc(lasts[1])}
        body = {"title": name, "require_winnable": False, **asked, **times}
        replies = self.twice(host, "POST", "/v1/challenges", body, Idempotency_Key=next(self._keys))
        made = self.same(replies, 201, 201)
        assert replies[1].headers["Idempotent-Replayed"] == "true"
        self.courses[name] = self._course(made, host, dealt, lasts)
        return self.courses[name]

    def _course(self, made, host, seed, lasts):
        terms = json.loads(made["terms"])
        deal = deal_of(made["terms"], seed)
        return Course(made["id"], host, terms, deal, *lasts)

    def change(self, name, seed, **changes):
        """Change the terms, with a number that is stale when it comes again; another seed."""
        old = self.courses[name]
        revision = f'"{len(old.kinds)}"'
        first, second = self.twice(old.host, "PATCH", old.path, changes, If_Match=revision)
        assert_problem(second, "stale_revision", revision=len(old.kinds) + 1)
        new = self._course(first.json, old.host, seed, (old.starts, old.ends))
        new.kinds = [*old.kinds, "changed"]
        self.courses[name] = new
        self.look(new)

    def retitle(self, course, title):
        body = {"title": title}
        sent = {"course": course, "kinds": ["changed"], "If_Match": "*"}
        self.same(self.twice(course.host, "PATCH", course.path, body, **sent))

    def cancel(self, course):
        self.same(self.twice(course.host, "POST", f"{course.path}/cancel", {}))

    def judge(self, course, who, reason, *, disqualified):
        entry = course.entries[who]
        # Named in other capitals; and by the entry, where nobody has the name any more.
        named = entry.id if entry.player is None else entry.player.upper()
        entry.disqualified = disqualified
        body = {"disqualified": disqualified, "reason": reason}
        kinds = ["disqualified" if disqualified else "reinstated"]
        path = f"{course.path}/entries/{named}"
        replies = self.twice(course.host, "PATCH", path, body, course=course, kinds=kinds)
        told = self.same(replies)["disqualified"]
        assert (told and told["reason"]) == (reason if disqualified else None)

    # ---- entries ----

    def enter(self, course, who):
        person = self.people[who]
        first = self.send(who, "PUT", f"{course.path}/entries/me")
        assert first.status_code == 201, first.text
        course.entries[who] = Entry(first.json["id"], person.name, person.bot)
        course.kinds.append("entered")
        course.writes.append((who, "PUT", f"{course.path}/entries/me", None))
        before = self.look(course)
        again = self.send(who, "PUT", f"{course.path}/entries/me")
        self.same((first, again), 201, 200)
        assert self.look(course) == before

    def leave(self, course, who):
        """Leave before anything is dealt."""
        del course.entries[who]
        path = f"{course.path}/entries/me"
        replies = self.twice(who, "DELETE", path, course=course, kinds=["left"])
        assert [(reply.status_code, reply.data) for reply in replies] == [(204, b"")] * 2

    def forfeit(self, course, who):
        entry, now = course.entries[who], self.clock.ms
        if entry.attempts and status(course.deal, entry.attempts[-1], now) == "in_progress":
            latest = entry.attempts[-1]
            latest.moves.append("Q")
            latest.times.append(now - latest.started)
        entry.forfeited = True
        path = f"{course.path}/entries/me"
        self._note_end(course)
        told = self.same(self.twice(who, "DELETE", path, course=course, kinds=["forfeited"]))
        assert told["state"] == "forfeited"
        assert_problem(self.send(who, "PUT", path), "entries_closed")

    def deal(self, course, who):
        entry = course.entries[who]
        number = len(entry.attempts) + 1
        race = course.terms["clock"] == "shared"
        started = course.starts if race else self.clock.ms
        limit = course.terms["time_limit_ms"]
        due = course.ends if limit is None else min(started + limit, course.ends)
        path = f"{course.path}/entries/me/attempts/{number}"
        entry.attempts.append(Played(number, "", started, due))
        replies = self.twice(who, "PUT", path, course=course, kinds=["attempt_dealt"])
        told = self.same(replies, 201, 200)
        assert (told["started_at"], told["deadline"]) == (rfc(started), rfc(due))
        entry.attempts[-1].game_id = told["id"]

    def play(self, course, who, *moves):
        """Play moves in one request, which may be the resignation."""
        played = course.entries[who].attempts[-1]
        at, now = len(played.moves), self.clock.ms
        played.moves += moves
        played.times += [now - played.started] * len(moves)
        ended = course.deal.after(played.moves).status != "in_progress"
        self._note_end(course)
        path, body = f"/v1/games/{played.game_id}/moves", {"at": at, "moves": list(moves)}
        if moves == ("Q",):
            path, body = f"/v1/games/{played.game_id}/resign", {"at": at}
        kinds = ["attempt_ended"] if ended else []
        first, second = self.twice(who, "POST", path, body, course=course, kinds=kinds)
        assert second.status_code == 200
        told, again = first.json, second.json
        assert (told.pop("recorded"), again.pop("recorded")) == (0, len(moves))
        assert told == again
        return ended

    def late(self, course, who, move):
        """Try a move whose time is up, twice."""
        played = course.entries[who].attempts[-1]
        at = len(played.moves)
        for _ in range(2):
            body = {"at": at, "moves": [move]}
            reply = self.send(who, "POST", f"/v1/games/{played.game_id}/moves", body)
            assert_problem(reply, "time_expired", at=at)
        self.look(course)

    def _note_end(self, course):
        """Finish a race once everybody has ended by a move or has forfeited."""
        if course.terms["clock"] == "shared" and course.finished is None:
            ended = all(
                entry.forfeited
                or (entry.attempts and _ended_by_a_move(course.deal, entry.attempts[-1]))
                for entry in course.entries.values()
            )
            if ended:
                course.finished = self.clock.ms


def _ended_by_a_move(deal, played):
    return deal.after(played.moves).status != "in_progress"
