"""Fair play, checked by the page itself: what is sound passes, and no forgery does."""

import copy
import json

import pytest

from tests.hosting import commitment
from tests.servers import ask
from tests.web.contests import Contest, in_time, new_race, within
from tests.web.mounting import mount
from tests.web.test_play import README_LINE, README_SEED, winning

CHECK = """async ([root, challenge]) => {
  const {checkChallenge} = await import(`${root}proof/check.js`);
  const heard = [];
  const done = await checkChallenge(challenge, ({name, state}) => heard.push([name, state]));
  return [done, heard];
}"""
STEPS = (
    "record terms commitment kept former seed deal numbers times moves results reveal ranking "
    "winnable"
).split()
ZEROS = "0" * 64


def played_alone(url, seconds):
    """Play a challenge in one's own time: changed once, with one who is out and one deleted."""
    own = Contest(url, "In one's own time", attempts=3)
    own.change(attempts=2, ends_at=within(seconds=seconds))
    own.enter("ada", "bea", "cleo", "dora", "eva")
    for name, moves in (("ada", 4), ("bea", 4), ("dora", 4), ("eva", 2)):
        own.deal(name)
        own.wander(name, moves)
    own.play("ada", "Q")
    own.deal("ada", 2)
    own.wander("ada", 6)
    judged = {"disqualified": True, "reason": "two accounts"}
    own.host.send("PATCH", f"{own.path}/entries/{own.people['dora'].name}", judged)
    own.people["eva"].send("DELETE", "players/me")
    return own


@pytest.fixture(scope="module")
def contests(url):
    """Give challenges that have finished: of one's own time with a drawn seed, and two races."""
    seed, line = winning("hidden")
    own = in_time(lambda seconds: played_alone(url, 3 * seconds))
    race = new_race(url, "A race", "ada", "bea", seed=README_SEED, order="time")
    race.play("bea", README_LINE[0], "Q")
    race.play("ada", *README_LINE)
    turned = new_race(url, "Calculation", "ada", variant="calculation", seed=seed)
    for move in line:
        turned.play("ada", move)
    for contest in (race, turned, own):
        contest.wait_until("finished")
    return {"own": own, "race": race, "calculation": turned}


def checked(table, challenge):
    """Check a challenge; give the steps by name, each with its state and what is told of it."""
    done, heard = table.page.evaluate(CHECK, [table.assets, challenge])
    assert [step["name"] for step in done] == STEPS
    # Each step is heard of when it begins and when it is done.
    for step in done:
        states = [state for name, state in heard if name == step["name"]]
        assert (states[0], states[-1]) == ("running", step["state"])
        assert step["detail"]
    return {step["name"]: (step["state"], step["detail"]) for step in done}


@pytest.mark.parametrize(
    ("kind", "skipped"),
    [
        ("own", {"kept"}),
        ("race", {"kept", "former", "winnable"}),
        ("calculation", {"kept", "former", "winnable"}),
    ],
)
def test_a_challenge_that_was_fair_passes_every_step(sit, contests, kind, skipped):
    table = sit()
    table.open()
    found = checked(table, contests[kind].get())
    assert {name for name, (state, _) in found.items() if state == "skipped"} == skipped
    assert {state for name, (state, _) in found.items() if name not in skipped} == {"passed"}


def keep(table, contest, *commitments):
    kept = json.dumps([{"id": contest.id, "commitments": commitments}])
    table.page.evaluate("kept => localStorage.setItem('semilla.commitments', kept)", kept)


def test_what_the_browser_kept_before_is_compared(sit, contests):
    own = contests["own"]
    challenge = own.get()
    former = challenge["former_terms"][0]["commitment"]
    table = sit()
    table.open()
    keep(table, own, former, challenge["commitment"])
    assert checked(table, challenge)["kept"][0] == "passed"
    keep(table, own, former, ZEROS)
    found = checked(table, challenge)
    assert [name for name, (state, _) in found.items() if state == "failed"] == ["kept"]
    detail = found["kept"][1]
    assert ZEROS in detail
    assert challenge["commitment"] in detail


class Forger:
    """Alters what the service says on its way to the page."""

    def __init__(self, told):
        self.challenge, self.record, self.board = copy.deepcopy(told)
        self.line = self.deal = None

    def item(self, attempt=1, least=0):
        """Give the first attempt of that number that has so many moves."""
        return next(
            item
            for item in self.record["items"]
            if item["attempt"] == attempt and len(item["moves"]) >= least
        )

    def with_head(self, **fields):
        self.record |= fields
        self.challenge |= {name: fields[name] for name in fields if name in self.challenge}

    def with_terms(self, **changes):
        """Publish other terms and commit to them, as if they had always been so."""
        terms = json.dumps({**json.loads(self.record["terms"]), **changes}, separators=(",", ":"))
        self.challenge |= changes
        seed = self.record["seed"]
        self.with_head(terms=terms, commitment=commitment(seed, terms))

    def answers(self, table, contest):
        page = table.page
        base = f"{table.url}/v1/{contest.path}"
        page.unroute_all()
        page.route(f"{base}/record?*", lambda route: route.fulfill(json=self.record))
        page.route(f"{base}/leaderboard?*", lambda route: route.fulfill(json=self.board))
        if self.line:
            page.route(f"{base}/par", lambda route: route.fulfill(json={"line": self.line}))
        if self.deal:
            page.route(f"{table.url}/v1/deals/**", lambda route: route.fulfill(json=self.deal))


def told(contest):
    """Give what the service says of a challenge, its record and its ranking."""
    return contest.get(), contest.get("/record", limit=200), contest.get("/leaderboard", limit=200)


def moved(forger, ms):
    """Have the last move of a second attempt come after so many milliseconds."""
    item = forger.item(2)
    item["times_ms"][-1] = item["score"]["elapsed_ms"] = ms


def swap(items, one, other):
    items[one], items[other] = items[other], items[one]


def other_move(forger):
    """Play a move of the first attempt twice: its card has gone, so its pile shows another."""
    item = forger.item(least=4)
    item["moves"][1] = item["moves"][0]


def named(forger, seed):
    forger.with_head(seed=seed, commitment=commitment(seed, forger.record["terms"]))


def with_text(forger, terms):
    forger.with_head(terms=terms, commitment=commitment(forger.record["seed"], terms))


def second_entry(forger):
    """Give one player's name to another, too."""
    first, *_, last = forger.record["items"]
    last["player"]["name"] = first["player"]["name"]


def other_cards(forger):
    piles = [["AC"]] * 12
    forger.deal = {"piles": piles, "foundations": ["AC", "AD", "AH", "AS"]}


# What is forged in the challenge of one's own time, the step that finds it, and what it says.
FORGERIES = {
    "another form": (lambda f: f.with_head(record="semilla/1"), "record", "semilla-challenge/1"),
    "other rules": (lambda f: f.with_head(rules_version=2), "record", "rules_version is 2"),
    "a history without a time": (lambda f: f.item(least=1)["times_ms"].pop(), "record", "times_ms"),
    "a figure in words": (lambda f: f.item()["score"].update(moves="4"), "record", "moves"),
    "no instant": (lambda f: f.item().update(started_at="noon"), "record", "started_at"),
    "a term that the page does not show": (
        lambda f: f.challenge.update(attempts=1),
        "terms",
        "attempts is 1. It must be 2",
    ),
    "other terms on the page": (
        lambda f: f.challenge.update(terms=f.challenge["terms"].replace('"v":1', '"v":2')),
        "terms",
        "terms is",
    ),
    "a rule that nobody knows": (
        lambda f: f.with_terms(options={**f.challenge["options"], "build": "any"}),
        "terms",
        "build is any",
    ),
    "terms that can be read in two ways": (
        lambda f: with_text(f, f.record["terms"].replace('{"v"', '{"attempts":9,"v"')),
        "terms",
        "The terms: terms is",
    ),
    "a clock that nobody knows": (lambda f: f.with_terms(clock="none"), "terms", "clock is none"),
    "no attempts": (lambda f: f.with_terms(attempts=0), "terms", "attempts is 0"),
    "another revelation on the page": (
        lambda f: f.challenge.update(revealed_at=within()),
        "terms",
        "revealed_at",
    ),
    "another seed": (lambda f: f.with_head(seed=ZEROS), "commitment", "commitment is"),
    "another commitment": (lambda f: f.with_head(commitment=ZEROS), "commitment", ZEROS),
    "the seed of earlier terms": (
        lambda f: f.record["former_terms"][0].update(seed=ZEROS),
        "former",
        "Earlier terms, revision 1: commitment is",
    ),
    "an odd beginning": (lambda f: f.record.update(prev=0), "record", "prev is 0"),
    "an odd end": (lambda f: f.record.update(next=""), "record", "next is"),
    # The same page comes again and again.
    "pages without end": (lambda f: f.record.update(next="more"), "record", "next is more"),
    "earlier terms that are told no more": (
        lambda f: f.record.update(former_terms=[]),
        "former",
        "This page: former_terms is [1]. It must be []",
    ),
    "other earlier terms on the page": (
        lambda f: f.challenge["former_terms"][0].update(commitment=ZEROS),
        "former",
        f"Earlier terms, revision 1: commitment is {ZEROS}",
    ),
    "a seed that somebody chose": (lambda f: named(f, "semilla"), "seed", "seed is semilla"),
    "another deal": (other_cards, "deal", "What the service deals: piles is"),
    "an attempt less": (lambda f: f.record["items"].pop(), "numbers", "dealt is 5. It must be 4"),
    "an attempt with another number": (
        lambda f: f.item(2).update(attempt=3),
        "numbers",
        "attempt is 3. It must be 2",
    ),
    "another's attempt": (
        lambda f: f.item(2)["player"].update(name="nobody"),
        "numbers",
        "player is nobody",
    ),
    "a game twice": (
        lambda f: f.item(2).update(game_id=f.item()["game_id"]),
        "numbers",
        "game_id",
    ),
    "a player with two entries": (
        second_entry,
        "numbers",
        "entry is",
    ),
    "half an entry out of the ranking": (
        lambda f: f.item(2).update(disqualified={}),
        "numbers",
        "disqualified is true. It must be false",
    ),
    "more attempts than the terms give": (lambda f: f.with_terms(attempts=1), "numbers", "≤ 1"),
    "a time that goes back": (
        lambda f: f.item(least=5)["times_ms"].__setitem__(2, 0),
        "times",
        "attempt 1, move 3: times_ms is 0",
    ),
    "a move after the deadline": (
        lambda f: moved(f, 10**8),
        "times",
        "times_ms is 100000000",
    ),
    "a start before the start": (
        lambda f: f.item().update(started_at="2026-01-01T12:00:00.000Z"),
        "times",
        "started_at is 2026-01-01T12:00:00.000Z",
    ),
    "more time than the terms give": (
        lambda f: f.item().update(deadline="2036-01-01T12:00:00.000Z"),
        "times",
        "deadline is 2036-01-01T12:00:00.000Z",
    ),
    "an attempt beside the one before": (
        lambda f: f.item(2).update(started_at=f.item()["started_at"]),
        "times",
        "attempt 2: started_at is",
    ),
    "a move that is not allowed": (other_move, "moves", "move 2"),
    "a text that is no move": (
        lambda f: f.item(least=5)["moves"].__setitem__(4, "4>13"),
        "moves",
        "move 5: 4>13 is no move",
    ),
    "an undo": (
        lambda f: f.item(least=5)["moves"].__setitem__(4, "U"),
        "moves",
        "move 5: U is not allowed",
    ),
    "a move less": (
        lambda f: [f.item(2)[name].pop() for name in ("moves", "times_ms")],
        "results",
        "It must be",
    ),
    "another end": (lambda f: f.item(2).update(status="won"), "results", "status is won"),
    "a card more": (
        lambda f: f.item(2)["score"].update(cards_up=52),
        "results",
        "cards_up is 52",
    ),
    "a quicker time": (
        lambda f: f.item(2)["score"].update(elapsed_ms=1),
        "results",
        "elapsed_ms is 1",
    ),
    "a seed that was told early": (
        lambda f: f.with_head(revealed_at="2026-01-01T12:00:00.000Z"),
        "reveal",
        "revealed_at is 2026-01-01T12:00:00.000Z",
    ),
    "rows that have changed places": (
        lambda f: swap(f.board["items"], 0, 1),
        "ranking",
        "Row 1 of the leaderboard: player is",
    ),
    "a row less": (lambda f: f.board["items"].pop(), "ranking", "items is 2. It must be 3"),
    "a row more": (
        lambda f: f.board["items"].append({**f.board["items"][0], "rank": 4}),
        "ranking",
        "It must be nobody",
    ),
    "a rank": (
        lambda f: f.board["items"][1].update(rank=1),
        "ranking",
        "rank is 1. It must be 2",
    ),
    "another end on the leaderboard": (
        lambda f: f.board["items"][0].update(status="won"),
        "ranking",
        "Row 1 of the leaderboard: status is won",
    ),
    "a state that nobody ranked has": (
        lambda f: f.board["items"][0].update(state="no_show"),
        "ranking",
        "state is no_show",
    ),
    "a distance from no par": (
        lambda f: f.board["items"][0].update(to_par=-3),
        "ranking",
        "to_par is -3. It must be null",
    ),
    "a person for a program": (
        lambda f: f.board["items"][0]["player"].update(bot=True),
        "ranking",
        "(program). It must be",
    ),
    "a leaderboard without end": (lambda f: f.board.update(next="more"), "ranking", "It must be"),
    "an odd end of the leaderboard": (
        lambda f: f.board.update(next=False),
        "ranking",
        "next is false. It must be null",
    ),
    "a line that is none": (
        lambda f: setattr(f, "line", ["what"]),
        "winnable",
        "The winning line: line is what",
    ),
    "a line that does not win": (
        lambda f: setattr(f, "line", ["Q"]),
        "winnable",
        "status is resigned. It must be won",
    ),
}


def test_every_forgery_fails_the_step_that_it_is_about_and_no_other(sit, contests):
    own = contests["own"]
    table = sit()
    table.open()
    truth = told(own)
    for name, (forge, step, says) in FORGERIES.items():
        forger = Forger(truth)
        forge(forger)
        forger.answers(table, own)
        found = checked(table, forger.challenge)
        failed = {each: detail for each, (state, detail) in found.items() if state == "failed"}
        assert [*failed] == [step], (name, failed)
        assert says in failed[step], (name, failed)
        assert found["record"][0] == "passed" or step == "record", name
    # What the browser kept is forged in another way.
    assert {step for _, step, _ in FORGERIES.values()} == {*STEPS} - {"kept"}


RANK = """async ([root, order, attempts]) => {
  const {rank} = await import(`${root}proof/ranking.js`);
  const ends = new Map();
  const items = attempts.map(([entry, attempt, out, status, cards_up, actions, redeals, ms]) => {
    const item = {entry, player: {name: entry}, attempt, game_id: `${entry}${attempt}`};
    Object.assign(item, {disqualified: out ? {} : null, moves: ["R", "Q"], times_ms: [ms, ms + 9]});
    ends.set(item, {status, score: {cards_up, actions, redeals}});
    return item;
  });
  const rows = rank({record: {items}, terms: {order}, ends});
  return rows.map(({rank, entry, attempt}) => [rank, entry, attempt]);
}"""
ATTEMPTS = [
    ("a", 1, False, "won", 52, 60, 2, 5_000),
    ("a", 2, False, "won", 52, 60, 2, 4_000),
    ("b", 1, False, "won", 52, 60, 2, 4_000),
    ("c", 1, True, "won", 52, 50, 1, 1_000),
    ("d", 1, False, "won", 52, 61, 1, 3_000),
    ("e", 1, False, "lost", 40, 20, 0, 2_000),
    ("f", 1, False, "resigned", 40, 20, 1, 1_000),
    ("g", 1, False, "timed_out", 41, 99, 9, 9_000),
]


def test_the_best_attempt_counts_and_equal_ones_share_a_rank(sit):
    table = sit()
    table.open()
    by_actions = table.page.evaluate(RANK, [table.assets, "actions", ATTEMPTS])
    assert by_actions == [
        [1, "a", 2],
        [1, "b", 1],
        [3, "d", 1],
        [4, "g", 1],
        [5, "e", 1],
        [6, "f", 1],
    ]
    by_time = table.page.evaluate(RANK, [table.assets, "time", ATTEMPTS])
    assert by_time == [
        [1, "d", 1],
        [2, "a", 2],
        [2, "b", 1],
        [4, "g", 1],
        [5, "f", 1],
        [6, "e", 1],
    ]


def test_in_a_race_nobody_starts_sooner_and_no_seed_is_told_before_all_have_ended(sit, contests):
    race = contests["race"]
    table = sit()
    table.open()
    for name, instant, step in (
        ("started_at", "2026-01-01T12:00:00.000Z", "times"),
        ("revealed_at", race.get()["starts_at"], "reveal"),
    ):
        forger = Forger(told(race))
        if name == "started_at":
            forger.item()[name] = instant
        else:
            forger.with_head(revealed_at=instant)
        forger.answers(table, race)
        found = checked(table, forger.challenge)
        assert [each for each, (state, _) in found.items() if state == "failed"] == [step]
        assert f"{name} is {instant}" in found[step][1]


# ---- what people see of it ----


def show(table, challenge):
    table.open()
    mount(table, ("proof/view.js", "drawProof", challenge))
    return table.page.locator(".proof")


def test_somebody_checks_a_challenge_and_sees_each_step_and_what_was_compared(sit, contests):
    own = contests["own"].get()
    table = sit()
    section = show(table, own)
    assert own["commitment"] in section.inner_text()
    table.page.get_by_role("button", name="Check it in this browser").click()
    section.locator(".verdict").wait_for()
    assert section.locator(".verdict").inner_text() == ("Fair: 13 checks passed. 1 was skipped.")
    heard = table.page.locator("[role=status]").inner_text()
    assert heard.strip() == section.locator(".verdict").inner_text()
    rows = section.locator(".steps li")
    assert rows.count() == len(STEPS)
    # Not by colour alone.
    assert rows.nth(2).inner_text().split("\n") == [
        "✓",
        "The commitment is that of seed and terms",
        "passed",
    ]
    rows.nth(2).locator("summary").press("Enter")
    assert own["seed"] in rows.nth(2).inner_text()
    assert own["terms"] in rows.nth(2).inner_text()
    rows.nth(6).locator("summary").click()
    dealt = ask(f"{table.url}/v1/deals/cruel/{own['seed']}").json["piles"]
    assert " ".join(dealt[11]) in rows.nth(6).inner_text()
    assert table.page.get_by_role("button", name="Check again").is_enabled()


def test_a_forgery_is_told_in_words_and_at_once_in_sight(sit, contests):
    own = contests["own"]
    forger = Forger(told(own))
    forger.item(2).update(status="won")
    table = sit(locale="es")
    section = show(table, forger.challenge)
    forger.answers(table, own)
    table.page.get_by_role("button", name="Comprobarlo en este navegador").click()
    section.locator(".verdict").wait_for()
    assert section.locator(".verdict").inner_text() == "No es lo prometido: falló 1 comprobación."
    text = section.locator("[data-state=failed] details[open]").inner_text()
    assert f"{own.people['ada'].name}, intento 2: status es won. Debe ser timed_out." in text


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ({"status": 500, "json": {"code": "internal_error"}}, "No winning line could be asked for"),
        ({"json": {"line": None}}, "The service tells no line that wins."),
    ],
)
def test_a_promise_that_cannot_be_shown_is_not_called_kept(sit, contests, reply, says):
    table = sit(expected=("Failed to load resource",))
    section = show(table, contests["own"].get())
    table.page.route("**/par", lambda route: route.fulfill(**reply))
    table.page.get_by_role("button", name="Check it in this browser").click()
    verdict = section.locator(".verdict")
    verdict.wait_for()
    assert verdict.inner_text() == (
        "12 checks passed. That the deal can be won is promised, but could not be shown. "
        "1 was skipped."
    )
    assert verdict.get_attribute("data-state") == "open"
    last = section.locator(".steps li").last
    assert last.locator("summary").inner_text().split("\n") == [
        "?",
        "The deal can be won",
        "not shown",
    ]
    assert says in last.inner_text()


def test_a_lost_connection_is_no_fault_and_the_check_can_be_made_again(sit, contests):
    own = contests["own"]
    table = sit(expected=("Failed to load resource",))
    section = show(table, own.get())
    table.page.route("**/record?*", lambda route: route.abort())
    table.page.get_by_role("button", name="Check it in this browser").click()
    section.get_by_text("The check could not be finished.").wait_for()
    assert section.locator("[data-state=failed]").count() == 0
    table.page.unroute_all()
    table.page.get_by_role("button", name="Check again").click()
    section.get_by_text("Fair: 13 checks passed.").wait_for()


def test_before_the_reveal_the_commitment_can_be_kept(sit, url):
    drawn = Contest(url, "To come", starts_at=within(hours=1), require_winnable=False).get()
    # A seed of its own: as long as it is that of a challenge, nobody is told anything of its deal.
    named = Contest(url, "Named", seed="named-by-hana", starts_at=within(hours=1)).get()
    table = sit(permissions=["clipboard-read", "clipboard-write"])
    section = show(table, drawn)
    assert "secret seed" in section.inner_text()
    assert table.page.get_by_role("button", name="Check it in this browser").count() == 0
    table.page.get_by_role("button", name="Copy").click()
    table.page.locator(".note").wait_for()
    assert table.page.evaluate("navigator.clipboard.readText()") == drawn["commitment"]
    assert "The host has named the seed" in show(table, named).inner_text()


def test_where_no_hash_can_be_computed_the_page_says_so_and_how_else_to_check(sit, contests):
    own = contests["own"].get()
    table = sit()
    table.page.add_init_script("Object.defineProperty(crypto, 'subtle', {value: undefined})")
    text = show(table, own).inner_text()
    assert "Open it by https" in text
    assert f"semilla verify-challenge {table.url}/v1/challenges/{own['id']}" in text
    assert table.page.get_by_role("button", name="Check it in this browser").count() == 0


def test_who_has_watched_a_race_checks_it_on_its_page(sit, url):
    race = new_race(url, "A race to watch", "ada", "bea", require_winnable=False)
    table = sit()
    # Whoever sees it before the end keeps what was promised.
    table.open(race.path)
    promised = table.page.locator(".commitment code")
    promised.wait_for()
    assert promised.inner_text() == race.get()["commitment"]
    for name in ("ada", "bea"):
        race.wander(name, 2)
        race.play(name, "Q")
    table.page.locator(".results .plots").wait_for()
    table.page.get_by_role("button", name="Check it in this browser").click()
    table.page.locator(".verdict").wait_for()
    assert table.page.locator(".verdict").inner_text() == "Fair: 12 checks passed. 2 were skipped."
    kept = table.page.locator(".steps li").nth(STEPS.index("kept"))
    assert kept.get_attribute("data-state") == "passed"
    table.page.get_by_role("link", name="Replay").first.click()
    table.page.locator(".player .step").wait_for()
