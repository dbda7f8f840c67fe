"""Several games of all kinds over HTTP, beside the same games of the naive engine.

After every step the service's state, history and refusals are the model's, whatever the step was.
"""

import itertools
from datetime import UTC, datetime
from functools import partial
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from service.config import Config
from service.usecases.verify import verify_games
from tests.conftest import NOON, UNLIMITED
from tests.naive.golden import load
from tests.naive.variants import CRUEL_VARIANTS
from tests.stateful.model import Seat, fork

EXAMPLES, STEPS = 80, 30
MOST_GAMES = 4
ENDED = [
    game
    for game in load("playthroughs.json")["games"]
    if game["steps"][-1]["status"] in ("won", "lost")
]

seeds = st.one_of(
    st.integers(0, 400).map("s{}".format),
    st.sampled_from(["s268", "s400"]),  # lost at the opening of some variants
    st.integers(1, 40_000).map("pysol-{}".format),
    st.integers(1, 2**33 - 1).map("pysol-ms{}".format),
)
limits = st.sampled_from([None, 0, 0, 1, 2, 3])
cruel_options = st.fixed_dictionaries(
    {},
    optional={
        "deal": st.sampled_from(["by_pile", "by_round"]),
        "build": st.sampled_from(["suit_down", "alternate_up"]),
        "redeal": st.sampled_from(["packets", "fans", "packets_from_top"]),
        "redeal_when": st.sampled_from(["anytime", "if_changes", "when_stuck"]),
        "redeal_limit": limits,
    },
)
bases = st.tuples(*[st.sampled_from([rank + suit for suit in "CDHS"]) for rank in "A234"])
calculation_options = st.one_of(st.just({}), st.fixed_dictionaries({"bases": bases.map(list)}))
# Which of the legal moves: the rest of a division by how many there are.
choices = st.integers(0, 59)
# Which of the texts of a family, legal or not: likewise.
words = st.integers(0, 9_999)
STRANGE = ["", "Q ", "r", "13>1", "1>0", "S>F5", "7>3@9", "１>2", "1>F\n", "S>W1", "7>3", "R"]


def word_of(seat, number):
    """Give a text that somebody may send: undo, one that may be no move, or any move."""
    pools = [["U"], STRANGE, *[seat.naive.table.texts()] * 6]
    number, pool = divmod(number, len(pools))
    return pools[pool][number % len(pools[pool])]


class Service(RuleBasedStateMachine):
    """Up to four games, played, retried, disturbed and looked at in any order."""

    games = Bundle("games")

    def __init__(self, app, clock):
        super().__init__()
        self.client = app.test_client()
        self.clock = clock
        clock.ms = NOON
        self.db = app.extensions["semilla"].db
        self.seats = []
        with self.db.connect() as connection:
            connection.exec_driver_sql("DELETE FROM games")

    def teardown(self):
        for seat in self.seats:
            self.check(seat)
            self.check_state(seat, self.get(seat, token=False).json, token=False)
            self.check_record(seat)
        verdicts = {verdict.game_id: verdict.faults for verdict in verify_games(self.db)}
        assert verdicts == {seat.id: () for seat in self.seats}

    # ---- starting ----

    @initialize(target=games, variant=st.sampled_from([*CRUEL_VARIANTS, "calculation"]), seed=seeds)
    def sit_down(self, variant, seed):
        return self.start(variant, seed=seed)

    @precondition(lambda self: len(self.seats) < MOST_GAMES)
    @rule(
        target=games,
        variant=st.sampled_from(list(CRUEL_VARIANTS)),
        options=cruel_options,
        seed=seeds,
        undo=st.sampled_from([None, None, True, False]),
    )
    def start_cruel(self, variant, options, seed, undo):
        return self.start(variant, options, seed, undo)

    @precondition(lambda self: len(self.seats) < MOST_GAMES)
    @rule(
        target=games, options=calculation_options, seed=seeds, undo=st.sampled_from([None, False])
    )
    def start_calculation(self, options, seed, undo):
        return self.start("calculation", options, seed, undo)

    @precondition(lambda self: len(self.seats) < MOST_GAMES)
    @rule(
        target=games,
        variant=st.sampled_from(["calculation", *CRUEL_VARIANTS]),
        hidden=st.booleans(),
        drawn=st.integers(0, 2**60),
    )
    def start_with_a_drawn_seed(self, variant, hidden, drawn):
        variant = "calculation" if hidden else variant
        draws = itertools.count(drawn)
        with mock.patch("secrets.token_hex", lambda size: f"{next(draws):0{2 * size}x}"):
            return self.start(variant)

    @precondition(lambda self: len(self.seats) < MOST_GAMES)
    @rule(target=games, number=st.integers(0, len(ENDED) - 1), left=st.integers(0, 3))
    def start_near_the_end(self, number, left):
        golden = ENDED[number]
        seat = self.start(golden["variant"], seed=golden["seed"])
        moves = golden["moves"].split()
        self.post(seat, moves[: len(moves) - left], at=0)
        return seat

    def start(self, variant, options=None, seed=None, undo=None):
        """Start a game on both sides and sit down at it."""
        terms = {"variant": variant, "options": options, "seed": seed, "undo": undo}
        body = {name: value for name, value in terms.items() if value is not None}
        reply = self.client.post("/v1/games", json=body)
        assert reply.status_code == 201, reply.text
        game = reply.json
        stored = self.rows()[game["id"]]["seed"]
        assert seed in (stored, None)
        named = seed is not None
        seat = Seat(variant, options or {}, stored, undo=undo, named=named, now=self.clock.ms)
        seat.id, seat.token = game["id"], game.pop("token")
        assert reply.headers["Location"].endswith(f"/v1/games/{seat.id}")
        assert named or seat.running
        self.seats.append(seat)
        self.check_state(seat, game)
        self.check(seat)
        return seat

    # ---- playing ----

    @rule(seat=games, chosen=st.lists(choices, min_size=1, max_size=6), at=st.booleans())
    def play_legal_moves(self, seat, chosen, at):
        moves = self.choose(seat, chosen)
        if moves:
            assert self.post(seat, moves, at=seat.ply if at else None) == 200

    @rule(seat=games, chosen=st.lists(choices, min_size=10, max_size=25))
    def play_on_move_by_move(self, seat, chosen):
        for choice in chosen:
            for move in self.choose(seat, [choice]):
                assert self.post(seat, [move], at=seat.ply, check=False) == 200
        self.check(seat)

    @rule(
        seat=games,
        chosen=st.lists(choices, max_size=4),
        word=words,
        place=st.integers(0, 4),
        at=st.booleans(),
    )
    def play_a_batch_with_any_text_in_it(self, seat, chosen, word, place, at):
        moves = self.choose(seat, chosen)
        moves.insert(place, word_of(seat, word))
        self.post(seat, moves, at=seat.ply if at else None)

    @rule(seat=games, some=st.lists(words, min_size=1, max_size=3), at=st.integers(-3, 3))
    def play_anything_anywhere(self, seat, some, at):
        moves = [word_of(seat, word) for word in some]
        self.post(seat, moves, at=max(seat.ply + at, 0))

    @rule(
        seat=games,
        back=st.integers(1, 30),
        count=st.integers(1, 30),
        chosen=st.lists(choices, max_size=3),
        last=st.none() | words,
    )
    def send_again_and_go_on(self, seat, back, count, chosen, last):
        at = max(seat.ply - back, 0)
        moves = seat.naive.history[at : at + count]
        if at + len(moves) == seat.ply:
            moves = moves + self.choose(seat, chosen)
        if last is not None:
            moves = [*moves, word_of(seat, last)]
        if moves:
            self.post(seat, moves, at=at)

    @rule(seat=games, undos=st.integers(1, 5), too_many=st.integers(0, 9), chosen=choices)
    def take_back_and_play_otherwise(self, seat, undos, too_many, chosen):
        standing = len(seat.naive.before)
        count = max(min(undos, standing), 1) if too_many else standing + 1
        self.post(seat, ["U"] * count, at=seat.ply)
        if seat.running:
            self.post(seat, self.choose(seat, [chosen]) or ["R"])

    @rule(
        seat=games,
        verb=st.sampled_from(["undo", "redeal", "redeal"]),
        at=st.sampled_from([None, 0, 0, -1, 1]),
    )
    def use_a_verb(self, seat, verb, at):
        self.act(seat, verb, None if at is None else max(seat.ply + at, 0))

    @rule(seat=games, at=st.sampled_from([None, 0]), sure=st.integers(0, 3))
    def resign(self, seat, at, sure):
        if not sure:
            self.act(seat, "resign", None if at is None else seat.ply + at)

    @rule(seat=games, word=words)
    def knock_where_the_game_has_ended(self, seat, word):
        if seat.naive.status in ("won", "resigned"):
            for text in ["U", "Q", word_of(seat, word)]:
                assert self.post(seat, [text], check=False) in (409, 422)
            self.check(seat)

    @precondition(lambda self: any(seat.hides for seat in self.seats))
    @rule(turns=st.integers(1, 4), to=st.integers(1, 4), word=words)
    def play_beyond_hidden_cards(self, turns, to, word):
        for seat in self.seats:
            if seat.hides:
                for last in (word_of(seat, word), f"W{to}>F{turns}", "S>F1"):
                    self.post(seat, [f"S>W{to}"] * turns + [last])

    @rule(seat=games, other=games, word=words)
    def play_without_the_right_token(self, seat, other, word):
        before, move = self.rows(), word_of(seat, word)
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer sg_nobody"}, 401),
            (self.auth(other), 403),
        ):
            if headers != self.auth(seat):
                reply = self.client.post(
                    f"/v1/games/{seat.id}/moves", json={"moves": [move]}, headers=headers
                )
                assert reply.status_code == status, reply.text
        assert self.rows() == before

    @rule(ms=st.one_of(st.integers(0, 10_000), st.integers(-10_000, 0)))
    def let_time_pass(self, ms):
        self.clock.tick(ms)

    # ---- looking ----

    @rule(seat=games, limit=st.integers(1, 9))
    def read_the_history_both_ways(self, seat, limit):
        pages, cursor = [], ""
        while cursor is not None:
            page = self.get(seat, f"/moves?limit={limit}{cursor and f'&cursor={cursor}'}").json
            pages.append(page)
            cursor = page["next"]
        assert [entry for page in pages for entry in page["items"]] == self.history(seat)
        back = pages[-1]["items"]
        cursor = pages[-1]["prev"]
        while cursor is not None:
            page = self.get(seat, f"/moves?limit={limit}&cursor={cursor}").json
            back = page["items"] + back
            cursor = page["prev"]
        assert back == self.history(seat)

    @rule(seat=games)
    def preview_a_redeal(self, seat):
        reply = self.get(seat, "/redeal")
        if seat.family == "calculation":
            assert (reply.status_code, reply.json["code"]) == (422, "validation_failed")
            return
        preview = reply.json
        preview.pop("detail", None)
        expected = seat.state()["redeal"] | {"piles": seat.naive.table.redealt()}
        assert preview == expected

    @rule(seat=games)
    def take_the_record(self, seat):
        self.check_record(seat)

    # ---- requests ----

    @staticmethod
    def auth(seat):
        return {"Authorization": f"Bearer {seat.token}"}

    def get(self, seat, path="", *, token=True):
        headers = self.auth(seat) if token else {}
        return self.client.get(f"/v1/games/{seat.id}{path}", headers=headers)

    def rows(self):
        with self.db.connect() as connection:
            found = connection.exec_driver_sql("SELECT * FROM games").mappings()
            return {row["id"]: dict(row) for row in found}

    def choose(self, seat, chosen):
        """Choose legal moves one after the other, those to a foundation more often."""
        game, moves = fork(seat.naive), []
        for choice in chosen:
            legal = game.legal_moves()
            ups = [text for text in legal if "F" in text]
            pick = ups if ups and choice % 3 else legal
            if pick:
                moves.append(pick[choice // 3 % len(pick)])
                game.play(moves[-1])
        return moves[: seat.blind(moves)]

    def post(self, seat, moves, at=None, *, check=True):
        """Post moves; hold the answer to what was foreseen; give its status."""
        body = {"moves": moves, **({} if at is None else {"at": at})}
        return self.answered(seat, "moves", body, seat.expect(moves, at), check=check)

    def act(self, seat, verb, at):
        """Post to one of the routes of a single move, which never points into a body."""
        move = {"undo": "U", "redeal": "R", "resign": "Q"}[verb]
        expected = seat.expect([move], at)
        if expected.pointer:
            expected.pointer = ""
        self.answered(seat, verb, {} if at is None else {"at": at}, expected)

    def answered(self, seat, path, body, expected, *, check=True):
        before = self.rows()
        url = f"/v1/games/{seat.id}/{path}"
        reply = self.client.post(url, json=body, headers=self.auth(seat))
        given = reply.json
        assert (reply.status_code, given.get("code")) == (expected.status, expected.code), given
        assert {name: given[name] for name in expected.facts} == expected.facts
        if expected.pointer is not None:
            assert given["errors"][0]["pointer"] == expected.pointer
        after = self.rows()
        if expected.after is not None:
            moved = len(expected.after.history) > seat.ply
            seat.accept(expected.after, self.clock.ms)
            given.pop("recorded")
            self.check_state(seat, given)
            assert (after.pop(seat.id) != before.pop(seat.id)) is moved
        assert after == before
        if check:
            self.check(seat)
        return reply.status_code

    # ---- checks ----

    def check(self, seat):
        """Hold what is read now, with the token and where it matters without, to the model."""
        assert seat.cards() == 52
        for token in (True, False) if seat.family == "calculation" else (True,):
            self.check_state(seat, self.get(seat, token=token).json, token=token)
        history, cursor = [], ""
        while cursor is not None:
            page = self.get(seat, f"/moves?limit=200{cursor and f'&cursor={cursor}'}").json
            history += page["items"]
            cursor = page["next"]
        assert history == self.history(seat)

    @staticmethod
    def history(seat):
        entries = zip(seat.naive.history, seat.times, strict=True)
        return [{"ply": n, "move": move, "at_ms": at} for n, (move, at) in enumerate(entries, 1)]

    def check_state(self, seat, game, *, token=True):
        """Hold a state to the model: every field, none more."""
        if game["redeal"]:
            game["redeal"].pop("detail", None)
        now = self.clock.ms
        elapsed = (now if seat.ended is None else seat.ended) - seat.started
        assert game == {
            "id": seat.id,
            **seat.state(token=token),
            "started_at": instant(seat.started),
            "finished_at": None if seat.ended is None else instant(seat.ended),
            "elapsed_ms": max(elapsed, 0),
            "now": instant(now),
            **dict.fromkeys(("player", "challenge_id", "attempt", "deadline", "par", "to_par")),
        }

    def check_record(self, seat):
        """Hold the record to the model, and its replay to the game."""
        for token in (True, False):
            reply = self.get(seat, "/record", token=token)
            if not seat.shows_seed(token=token):
                assert (reply.status_code, reply.json["code"]) == (409, "still_secret")
                assert seat.seed not in reply.json["detail"]
                continue
            record = reply.json
            assert record == {
                "record": "semilla/1",
                "variant": seat.variant,
                "options": seat.options,
                "deal_algorithm": "pysol" if seat.seed.startswith("pysol-") else "deal/1",
                "rules_version": 1,
                "seed": seat.seed,
                "undo": seat.undo,
                "moves": seat.naive.history,
                **({"times_ms": seat.times} if seat.times else {}),
            }
            replayed = self.client.post("/v1/evaluate", json=record).json
            if replayed["redeal"]:
                replayed["redeal"].pop("detail", None)
            assert replayed == {**seat.state(), "seed": seat.seed}


def instant(ms):
    text = datetime.fromtimestamp(ms / 1_000, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


PROFILE = settings(
    deadline=None,
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture
def config(tmp_path):
    """Give a configuration whose database waits for no disk."""
    return Config(data=tmp_path, sqlite_synchronous="NORMAL", **UNLIMITED)


def test_the_service_agrees_with_the_naive_engine_whatever_people_do(app, clock):
    # The same examples in every run.
    run_state_machine_as_test(
        partial(Service, app, clock), settings=settings(PROFILE, derandomize=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("_part", range(10))
def test_the_service_agrees_with_the_naive_engine_in_ten_times_as_many_ways(app, clock, _part):
    # Other examples in every run; what fails is printed as a program.
    run_state_machine_as_test(
        partial(Service, app, clock), settings=settings(PROFILE, derandomize=False)
    )
