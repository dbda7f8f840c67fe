"""Starting and reading games; ``test_games_play.py`` plays them."""

import json
import re
import secrets
from itertools import pairwise

import pytest
from ulid import ULID

from service.rules import VARIANTS
from service.rules.errors import Invalid, InvalidMove
from service.rules.family import RULES_VERSION, Status
from service.rules.record import to_json
from service.usecases import games, new_games
from service.usecases.errors import NotFound, StillSecret, Unauthenticated
from service.usecases.evaluate import evaluate_record
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.usecases.sitting import FOUR_MOVES, LOST_SEEDS


def create(db, variant="cruel", seed="semilla", undo=None, **options):
    return new_games.create(db, variant=variant, options=options, seed=seed, undo=undo, now=NOON)


# The columns that only the attempts of challenges fill.
OF_ATTEMPTS = (
    *("challenge_id", "entry_id", "attempt", "deadline", "standing", "earlier_standing"),
    *("earlier_attempt", "ranks"),
)


def count_games(db):
    with db.connect() as connection:
        return connection.exec_driver_sql("SELECT count(*) FROM games").scalar()


# ---- starting ----


def test_a_game_starts_at_the_opening_of_its_seed(sit):
    view = sit().opened
    assert (view.variant, view.seed, view.deal_algorithm) == ("cruel", "semilla", "deal/1")
    assert (view.started_at, view.finished_at, view.now) == (NOON, None, NOON)
    game = view.game
    assert game.rules == VARIANTS["cruel"]
    assert game.position == VARIANTS["cruel"].opening("deal/1", "semilla")
    assert (game.status, game.ply, game.undo) == (Status.IN_PROGRESS, 0, True)
    assert (game.score.cards_up, game.score.actions, game.score.undos) == (4, 0, 0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_starts_with_its_preset_options(sit, variant):
    sitting, rules = sit(variant), VARIANTS[variant]
    game, row = sitting.opened.game, sitting.row
    assert game.rules == rules
    assert game.undo is (not rules.hides_cards)
    assert json.loads(row["options"]) == rules.options()
    assert row == {
        "id": sitting.id,
        "variant": variant,
        "options": row["options"],
        "seed": "semilla",
        "seed_named": 1,
        "deal_algorithm": "deal/1",
        "rules_version": RULES_VERSION,
        "undo": int(game.undo),
        "owner": None,
        "token_hash": sitting.hash,
        "history": "",
        "ply": 0,
        "position": rules.format_position(game.position),
        "status": "in_progress",
        "cards_up": 4,
        "moves": 0,
        "redeals": 0,
        "undos": 0,
        "started_at": NOON,
        "finished_at": None,
        **dict.fromkeys(OF_ATTEMPTS),
    }


def test_options_that_are_changed_are_stored_with_those_that_are_not(sit):
    sitting = sit(build="alternate_up", redeal_limit=5)
    expected = {**VARIANTS["cruel"].options(), "build": "alternate_up", "redeal_limit": 5}
    assert sitting.opened.game.rules.options() == expected
    assert sitting.view().game.rules.options() == expected
    assert json.loads(sitting.row["options"]) == expected


def test_options_are_stored_in_one_canonical_form(sit):
    first = sit(redeal_limit=5, build="alternate_up").row["options"]
    assert sit(build="alternate_up", redeal_limit=5).row["options"] == first
    assert first == (
        '{"build":"alternate_up","deal":"by_pile","redeal":"packets","redeal_limit":5,'
        '"redeal_when":"if_changes"}'
    )


def test_the_bases_of_calculation_are_stored_as_they_were_chosen(sit):
    bases = ["AH", "2S", "3C", "4D"]
    sitting = sit("calculation", bases=bases)
    assert sitting.view().game.rules.options() == {"bases": bases}
    assert json.loads(sitting.row["options"]) == {"bases": bases}


def test_the_bases_that_follow_from_a_pysol_seed_are_stored(sit):
    sitting = sit("calculation", seed="pysol-7")
    bases = VARIANTS["calculation"].configured({}, "pysol-7").options()
    assert json.loads(sitting.row["options"]) == bases != VARIANTS["calculation"].options()
    assert sitting.view().game.rules.options() == bases
    assert sitting.row["deal_algorithm"] == "pysol"


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_as_it_was_asked_for(sit, undo):
    sitting = sit(undo=undo)
    assert sitting.opened.game.undo is undo
    assert sitting.view().game.undo is undo


def test_calculation_may_be_asked_for_without_undo(sit):
    assert sit("calculation", undo=False).view().game.undo is False


@pytest.mark.parametrize(
    ("place", "terms"),
    [
        ("/variant", {"variant": "bridge"}),
        ("/variant", {"variant": ""}),
        ("/options/colour", {"colour": "red"}),
        ("/options/bases", {"bases": ["AC", "2D", "3H", "4S"]}),
        ("/options/deal", {"deal": "by_hand"}),
        ("/options/build", {"build": "by_pile"}),
        ("/options/redeal", {"redeal": "R"}),
        ("/options/redeal_when", {"redeal_when": "never"}),
        ("/options/redeal_limit", {"redeal_limit": 100}),
        ("/options/redeal_limit", {"redeal_limit": True}),
        ("/options/deal", {"variant": "calculation", "deal": "by_pile"}),
        ("/options/bases", {"variant": "calculation", "bases": ["AC"]}),
        ("/options/bases/2", {"variant": "calculation", "bases": ["AC", "2D", "4H", "4S"]}),
        ("/options/bases/0", {"variant": "calculation", "bases": ["A", "2D", "3H", "4S"]}),
        ("/seed", {"seed": ""}),
        ("/seed", {"seed": "-semilla"}),
        ("/seed", {"seed": "s" * 129}),
        ("/seed", {"seed": "pysol-0"}),
        ("/seed", {"variant": "calculation", "seed": "pysol-x"}),
        ("/undo", {"variant": "calculation", "undo": True}),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place_and_stores_nothing(db, place, terms):
    with pytest.raises(Invalid) as caught:
        create(db, **terms)
    assert caught.value.place == place
    assert count_games(db) == 0


def test_a_token_is_drawn_for_each_game(db):
    tokens = {create(db).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(re.fullmatch(r"sg_[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_ids_sort_by_the_start_and_cannot_be_guessed(sit, clock):
    ids = []
    for _ in range(5):
        ids.append(sit().id)
        clock.tick(1)
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"[0-9a-z]{26}", game_id) for game_id in ids)
    same_instant = {sit().id for _ in range(20)}
    assert len({game_id[10:] for game_id in same_instant}) == 20


def test_a_seed_that_nobody_names_is_drawn_with_128_bits(sit):
    sittings = [sit(seed=None) for _ in range(20)]
    seeds = [sitting.opened.seed for sitting in sittings]
    assert len(set(seeds)) == 20
    assert all(re.fullmatch(r"[0-9a-f]{32}", seed) for seed in seeds)
    assert [sitting.row["seed"] for sitting in sittings] == seeds
    assert not any(sitting.row["seed_named"] for sitting in sittings)


def test_a_deal_that_is_drawn_is_drawn_again_while_it_is_lost(db, monkeypatch):
    draws = iter([*LOST_SEEDS, "semilla", "s1"])
    sizes = []
    monkeypatch.setattr(secrets, "token_hex", lambda size: sizes.append(size) or next(draws))
    view = create(db, seed=None).view
    assert (view.seed, view.game.status) == ("semilla", Status.IN_PROGRESS)
    assert sizes == [16] * 5


def test_deals_that_are_drawn_are_never_lost_at_the_opening(db):
    # Under a limit of no redeals one deal in ten or so is.
    statuses = [create(db, seed=None, redeal_limit=0).view.game.status for _ in range(100)]
    assert set(statuses) == {Status.IN_PROGRESS}


def test_options_under_which_every_draw_is_lost_end_in_a_lost_game(db, monkeypatch):
    draws = []
    monkeypatch.setattr(secrets, "token_hex", lambda _: draws.append(1) or LOST_SEEDS[0])
    view = create(db, seed=None).view
    assert (view.game.status, view.finished_at) == (Status.LOST, NOON)
    assert len(draws) == 100


@pytest.mark.parametrize("seed", LOST_SEEDS)
def test_a_lost_deal_that_somebody_names_is_a_game_that_is_lost_from_the_start(sit, seed):
    sitting = sit(seed=seed)
    for view in (sitting.opened, sitting.view()):
        assert (view.game.status, view.started_at, view.finished_at) == (Status.LOST, NOON, NOON)
        assert (view.game.ply, view.game.score.cards_up, view.game.score.actions) == (0, 4, 0)
        assert view.game.legal_moves() == []
        assert view.seed == seed


# ---- reading ----


def test_a_game_is_read_as_it_was_started(sit):
    sitting = sit()
    assert sitting.view() == sitting.view_with(None) == sitting.opened


def test_a_game_is_read_as_it_was_played(sit, clock):
    sitting = sit()
    clock.tick(1_500)
    played = sitting.play(*FOUR_MOVES).view
    clock.tick(500)
    view = sitting.view()
    assert (view.game, view.finished_at) == (played.game, None)
    assert (view.started_at, view.now) == (NOON, NOON + 2_000)
    assert view.game == sitting.replayed()


@pytest.mark.parametrize("game_id", ["", "no-such-game", "01KDWGMC00AAAAAAAAAAAAAAAA"])
def test_there_is_no_game_with_another_id(db, sit, game_id):
    sitting = sit()
    for token_hash in (None, sitting.hash):
        with pytest.raises(NotFound, match="no game with this id"):
            games.read(db, game_id, token_hash, NOON)


def test_an_id_is_read_as_it_is_written(db, sit):
    with pytest.raises(NotFound):
        games.read(db, sit().id.upper(), None, NOON)


def test_a_token_that_nobody_has_reads_nothing(db, sit):
    unknown = hash_token("sg_nobody")
    for game_id in (sit().id, "no-such-game"):
        with pytest.raises(Unauthenticated, match="nobody has this token"):
            games.read(db, game_id, unknown, NOON)


def test_another_games_token_reads_what_anybody_may(sit):
    sitting = sit()
    assert sitting.view_with(sit().hash) == sitting.view_with(None)


# ---- secrets ----

VIEWERS = ["holder", "stranger", "another"]


def hash_of(viewer, sitting, sit):
    return {"holder": sitting.hash, "stranger": None, "another": sit().hash}[viewer]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", ["semilla", None])
def test_the_seed_of_calculation_is_known_to_who_named_it_while_the_game_runs(sit, seed, viewer):
    sitting = sit("calculation", seed=seed)
    shown = seed if viewer == "holder" else None
    assert sitting.opened.seed == seed
    token_hash = hash_of(viewer, sitting, sit)
    assert sitting.view_with(token_hash).seed == shown
    if viewer == "holder":
        assert sitting.play("S>W1").view.seed == shown
        assert sitting.play("S>W1", at=0).view.seed == shown  # sent again
        assert sitting.view_with(token_hash).seed == shown
    if shown:
        assert games.record(sitting.db, sitting.id, token_hash, NOON).seed == shown
    else:
        with pytest.raises(StillSecret, match="until the game has ended"):
            games.record(sitting.db, sitting.id, token_hash, NOON)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", ["semilla", None])
@pytest.mark.parametrize("end", ["resigned", "lost"])
def test_the_seed_of_calculation_is_no_secret_once_the_game_has_ended(sit, seed, viewer, end):
    sitting = sit("calculation", seed=seed)
    if end == "resigned":
        assert sitting.play("Q").view.seed == sitting.row["seed"]
    else:
        assert sitting.play_out().game.status is Status.LOST
    token_hash = hash_of(viewer, sitting, sit)
    assert sitting.view_with(token_hash).seed == sitting.row["seed"]
    assert games.record(sitting.db, sitting.id, token_hash, NOON).seed == sitting.row["seed"]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", ["semilla", None])
def test_the_seed_of_a_game_without_hidden_cards_is_no_secret(sit, seed, viewer):
    sitting = sit(seed=seed)
    token_hash = hash_of(viewer, sitting, sit)
    assert sitting.opened.seed == sitting.view_with(token_hash).seed == sitting.row["seed"]
    assert games.record(sitting.db, sitting.id, token_hash, NOON).seed == sitting.row["seed"]


# ---- the preview of a redeal ----


def test_a_redeal_is_previewed_as_it_would_be_made(sit):
    sitting = sit("cruel-semicolon", redeal_limit=2)
    sitting.play("12>2")
    preview = games.preview_redeal(sitting.db, sitting.id, None, NOON)
    assert (preview.refusal, preview.changes_layout) == (None, True)
    assert (preview.used, preview.left) == (0, 2)
    assert preview.piles == sitting.play("R").view.game.position.piles
    preview = games.preview_redeal(sitting.db, sitting.id, sitting.hash, NOON)
    assert (preview.changes_layout, preview.used, preview.left) == (False, 1, 1)


@pytest.mark.parametrize(
    ("variant", "options", "moves", "reason"),
    [
        ("cruel", {}, [], "no_change"),
        ("cruel-strict", {}, [], "not_stuck"),
        ("cruel-semicolon", {"redeal_limit": 1}, ["R"], "limit_reached"),
        ("cruel", {}, ["Q"], "game_over"),
    ],
)
def test_a_preview_says_why_a_redeal_is_refused(sit, variant, options, moves, reason):
    sitting = sit(variant, **options)
    sitting.play(*moves)
    before = sitting.row
    preview = games.preview_redeal(sitting.db, sitting.id, None, NOON)
    assert preview.refusal.reason == reason
    assert sitting.row == before


def test_calculation_has_no_redeal_to_preview(sit):
    sitting = sit("calculation")
    with pytest.raises(InvalidMove, match="calculation has no redeal") as caught:
        games.preview_redeal(sitting.db, sitting.id, sitting.hash, NOON)
    assert caught.value.place == ""


def test_there_is_no_preview_without_a_game(db):
    with pytest.raises(NotFound):
        games.preview_redeal(db, "no-such-game", None, NOON)


# ---- the history ----


@pytest.fixture
def long_game(sit, clock):
    """Give a game of thirteen redeals, a second apart."""
    sitting = sit("cruel-semicolon")
    for _ in range(13):
        clock.tick(1_000)
        sitting.play("R")
    return sitting


ALL = [(ply, "R", 1_000 * ply) for ply in range(1, 14)]


def test_the_history_of_a_new_game_is_empty(sit):
    page = sit().history()
    assert (page.entries, page.start, page.end, page.has_after) == ([], 0, 0, False)


def test_the_history_keeps_undone_moves_and_undos(sit, clock):
    sitting = sit()
    clock.tick(5)
    sitting.play("12>2", "1>11")
    clock.tick(10)
    sitting.play("U", "6>9")
    expected = [(1, "12>2", 5), (2, "1>11", 5), (3, "U", 15), (4, "6>9", 15)]
    assert sitting.history().entries == expected


@pytest.mark.parametrize("limit", [*range(1, 8), 12, 13, 14, 200])
def test_the_history_is_read_forwards_page_by_page(long_game, limit):
    read, after = [], None
    while True:
        page = long_game.history(after=after, limit=limit)
        assert len(page.entries) <= limit
        assert (page.start, page.end) == (len(read), len(read) + len(page.entries))
        read += page.entries
        assert page.has_after is (page.end < 13)
        if not page.has_after:
            break
        after = page.end
    assert read == ALL


@pytest.mark.parametrize("limit", [*range(1, 8), 12, 13, 14, 200])
def test_the_history_is_read_backwards_page_by_page(long_game, limit):
    read, before = [], 14
    while True:
        page = long_game.history(before=before, limit=limit)
        assert len(page.entries) == min(limit, before - 1)
        assert page.has_after is (before <= 13)
        read = page.entries + read
        if not page.start:
            break
        before = page.start + 1
    assert read == ALL


@pytest.mark.parametrize("limit", [1, 5, 20])
@pytest.mark.parametrize("place", [{"after": 13}, {"after": 14}, {"after": 999_999_999}])
def test_after_the_end_there_is_nothing(long_game, limit, place):
    page = long_game.history(**place, limit=limit)
    assert (page.entries, page.start, page.end, page.has_after) == ([], 13, 13, False)


@pytest.mark.parametrize("limit", [1, 5, 20])
@pytest.mark.parametrize("before", [0, 1])
def test_before_the_beginning_there_is_nothing(long_game, limit, before):
    page = long_game.history(before=before, limit=limit)
    assert (page.entries, page.start, page.end, page.has_after) == ([], 0, 0, True)


def test_before_a_place_beyond_the_end_stand_the_last_entries(long_game):
    page = long_game.history(before=999_999_999, limit=2)
    assert page.entries == ALL[-2:]
    assert page.has_after is False


def test_the_history_of_a_running_calculation_is_no_secret(sit):
    sitting = sit("calculation", seed=None)
    sitting.play("S>W1")
    sitting.play("S>W2")
    page = games.history(sitting.db, sitting.id, None, NOON, after=None, before=None, limit=50)
    assert [move for _, move, _ in page.entries] == ["S>W1", "S>W2"]


def test_there_is_no_history_without_a_game(db):
    with pytest.raises(NotFound):
        games.history(db, "no-such-game", None, NOON, after=None, before=None, limit=1)


# ---- the record ----


@pytest.mark.parametrize(
    ("variant", "moves"),
    [
        ("cruel", []),
        ("cruel", [*FOUR_MOVES, "U", "U", "12>2"]),
        ("cruel-semicolon", ["R", "12>2", "Q"]),
        ("calculation", ["S>W1", "S>W1", "Q"]),
    ],
)
def test_a_record_leads_to_the_game_that_it_was_taken_from(sit, clock, variant, moves):
    sitting = sit(variant)
    for move in moves:
        clock.tick(100)
        sitting.play(move)
    record = games.record(sitting.db, sitting.id, sitting.hash, NOON)
    assert (record.variant, record.seed, record.deal_algorithm) == (variant, "semilla", "deal/1")
    assert record.position is None
    assert record.moves == tuple(moves)
    assert record.times_ms == (tuple(range(100, 100 * len(moves) + 1, 100)) or None)
    game, failure = record.replay()
    assert failure is None
    assert game == sitting.view().game

    evaluation = evaluate_record(json.loads(json.dumps(to_json(record))))
    assert evaluation.game == game
    assert evaluation.failed is None


def test_a_record_keeps_options_and_whether_undo_is_allowed(sit):
    sitting = sit("royal-family", seed="pysol-3", undo=False, redeal_limit=7)
    record = games.record(sitting.db, sitting.id, None, NOON)
    assert record.undo is False
    assert record.rules.options()["redeal_limit"] == 7
    assert record.deal_algorithm == "pysol"


def test_there_is_no_record_without_a_game(db):
    with pytest.raises(NotFound):
        games.record(db, "no-such-game", None, NOON)


def test_nobody_who_has_an_id_can_guess_the_next(db):
    ids = [create(db).view.id for _ in range(40)]
    numbers = sorted(ULID.from_str(game_id.upper()).to_uuid().int for game_id in ids)
    assert len({game_id[:10] for game_id in ids}) == 1  # all of one millisecond
    assert min(b - a for a, b in pairwise(numbers)) > 2**40
