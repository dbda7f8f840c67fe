import pytest

from service.rules.errors import Invalid, InvalidOptions, InvalidPosition
from service.rules.family import Status
from service.rules.record import to_json
from service.usecases import games
from service.usecases.evaluate import evaluate, evaluate_record
from tests.usecases.sitting import FOUR_MOVES, LOST_SEEDS, OPENING_MOVES

# One card can go up, then only a redeal helps.
ONE_MOVE = [["JC", "QC", "KC", "9C"], ["TC", "JD", "QD", "KD"], *[[]] * 10]
WON = [[]] * 12


def start(**terms):
    whole = {
        "variant": "cruel",
        "options": {},
        "undo": None,
        "seed": None,
        "position": None,
        "moves": [],
    }
    return evaluate(**{**whole, **terms})


def refusal(**terms):
    with pytest.raises(Invalid) as caught:
        start(**terms)
    return caught.value


# ---- from a seed ----


def test_the_opening_of_a_seed_is_evaluated_without_moves():
    evaluation = start(seed="semilla")
    assert (evaluation.variant, evaluation.seed) == ("cruel", "semilla")
    assert (evaluation.deal_algorithm, evaluation.failed) == ("deal/1", None)
    assert evaluation.game.legal_moves() == OPENING_MOVES
    assert evaluation.game.undo is True


def test_moves_from_a_seed_lead_where_a_stored_game_goes(sit):
    sitting = sit()
    moves = [*FOUR_MOVES, "U", "U"]
    sitting.play(*moves)
    evaluation = start(seed="semilla", moves=moves)
    assert evaluation.game == sitting.view().game
    assert evaluation.failed is None


def test_a_deal_that_is_lost_at_the_opening_is_lost():
    evaluation = start(seed=LOST_SEEDS[0])
    assert evaluation.game.status is Status.LOST
    assert start(seed=LOST_SEEDS[0], moves=["1>2"]).failed.reason == "game_over"


def test_options_that_follow_from_the_seed_are_resolved():
    evaluation = start(variant="calculation", seed="pysol-7")
    assert evaluation.deal_algorithm == "pysol"
    assert evaluation.game.rules.options() != {"bases": ["AC", "2D", "3H", "4S"]}


@pytest.mark.parametrize("bad", range(3))
def test_the_game_before_the_first_move_that_fails_is_given_with_that_move(bad):
    moves = [*FOUR_MOVES[:bad], "3>3", *FOUR_MOVES[bad:]]
    evaluation = start(seed="semilla", moves=moves)
    assert evaluation.game == start(seed="semilla", moves=FOUR_MOVES[:bad]).game
    failed = evaluation.failed
    assert (failed.index, failed.move, failed.reason) == (bad, "3>3", "same_pile")
    assert failed.detail.startswith("3>3: ")


def test_a_move_after_the_end_fails():
    evaluation = start(seed="semilla", moves=["6>9", "Q", "U"])
    assert evaluation.game.status is Status.RESIGNED
    assert (evaluation.failed.index, evaluation.failed.reason) == (2, "game_over")


def test_calculation_hides_nothing_from_who_brings_the_seed():
    moves = ["S>W1", "S>W1", "S>W2"]
    evaluation = start(variant="calculation", seed="semilla", moves=moves)
    assert (evaluation.failed, evaluation.game.ply) == (None, 3)


# ---- from a position ----


def test_moves_are_played_from_a_position():
    evaluation = start(position={"piles": ONE_MOVE}, moves=["1>F", "R"])
    assert (evaluation.seed, evaluation.deal_algorithm) == (None, None)
    assert evaluation.failed is None
    assert evaluation.game.score == (45, 1, 1, 0)


def test_a_position_may_be_won_from_the_start():
    evaluation = start(position={"piles": WON})
    assert evaluation.game.status is Status.WON
    assert start(position={"piles": WON}, moves=["R"]).failed.reason == "game_over"


def test_undo_stops_at_the_position():
    evaluation = start(position={"piles": ONE_MOVE}, moves=["1>F", "U", "U"])
    assert (evaluation.failed.index, evaluation.failed.reason) == (2, "nothing_to_undo")


def test_a_position_of_calculation_may_have_other_bases():
    bases = ["AH", "2S", "3C", "4D"]
    opening = start(variant="calculation", options={"bases": bases}, seed="semilla").game
    position = opening.rules.position_json(opening.position)
    evaluation = start(variant="calculation", options={"bases": bases}, position=position)
    assert evaluation.game == opening
    assert refusal(variant="calculation", position=position).place == "/position/foundations/0"


# ---- undo ----


@pytest.mark.parametrize(("asked", "given"), [(None, True), (True, True), (False, False)])
def test_undo_is_there_unless_it_is_refused(asked, given):
    evaluation = start(seed="semilla", undo=asked, moves=["6>9", "U"])
    assert evaluation.game.undo is given
    assert (evaluation.failed is None) is given


@pytest.mark.parametrize("asked", [None, False])
def test_calculation_has_no_undo(asked):
    evaluation = start(variant="calculation", seed="semilla", undo=asked, moves=["S>W1", "U"])
    assert evaluation.game.undo is False
    assert evaluation.failed.reason == "undo_not_allowed"


def test_undo_cannot_be_asked_for_in_calculation():
    error = refusal(variant="calculation", seed="semilla", undo=True)
    assert (type(error), error.place) == (InvalidOptions, "/undo")


# ---- what makes no sense ----


@pytest.mark.parametrize(
    "terms", [{}, {"seed": "semilla", "position": {"piles": ONE_MOVE}}], ids=["neither", "both"]
)
def test_a_start_is_either_a_seed_or_a_position(terms):
    error = refusal(**terms)
    assert (type(error), error.detail) == (InvalidPosition, "write either seed or position")


@pytest.mark.parametrize(
    ("place", "terms"),
    [
        ("/variant", {"variant": "bridge", "seed": "semilla"}),
        ("/variant", {"variant": "bridge", "position": {"piles": ONE_MOVE}}),
        ("/seed", {"seed": "no seed"}),
        ("/seed", {"seed": "pysol-0"}),
        ("/options/deal", {"options": {"deal": "by_hand"}, "seed": "semilla"}),
        ("/options/deal", {"options": {"deal": "by_hand"}, "position": {"piles": ONE_MOVE}}),
        ("/options/colour", {"options": {"colour": "red"}, "position": {"piles": ONE_MOVE}}),
        ("/position", {"position": []}),
        ("/position", {"position": {}}),
        ("/position/piles", {"position": {"piles": []}}),
        ("/position/piles/0/1", {"position": {"piles": [["JC", "AC"], *ONE_MOVE[1:]]}}),
        ("/position/piles/11/0", {"position": {"piles": [*ONE_MOVE[:11], ["JC"]]}}),
        ("/moves/0", {"seed": "semilla", "moves": ["S>W1"]}),
        ("/moves/2", {"seed": "semilla", "moves": ["6>9", "R", "6>13"]}),
        ("/moves/1", {"variant": "calculation", "seed": "semilla", "moves": ["S>W1", "R"]}),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(place, terms):
    assert refusal(**terms).place == place


# ---- records ----


@pytest.mark.parametrize("variant", ["cruel", "ripple-fan", "royal-family", "calculation"])
def test_the_record_of_a_stored_game_leads_to_that_game(sit, variant):
    sitting = sit(variant)
    view = sitting.play_out() if variant != "royal-family" else sitting.play("10>8", "U").view
    evaluation = evaluate_record(to_json(games.record(sitting.db, sitting.id, None, view.now)))
    assert evaluation.game == view.game
    assert (evaluation.variant, evaluation.seed) == (variant, "semilla")
    assert (evaluation.deal_algorithm, evaluation.failed) == ("deal/1", None)


def record(**changes):
    whole = {
        "record": "semilla/1",
        "variant": "cruel",
        "options": start(seed="semilla").game.rules.options(),
        "deal_algorithm": "deal/1",
        "rules_version": 1,
        "seed": "semilla",
        "undo": True,
        "moves": ["6>9", "R"],
    }
    return {name: value for name, value in {**whole, **changes}.items() if value is not None}


def test_a_record_is_replayed_to_the_move_that_fails():
    evaluation = evaluate_record(record(moves=["6>9", "3>3", "Q"], times_ms=[1, 2, 3]))
    assert (evaluation.failed.index, evaluation.failed.reason) == (1, "same_pile")
    assert evaluation.game.ply == 1


def test_a_record_may_start_from_a_position():
    data = record(seed=None, deal_algorithm=None, position={"piles": ONE_MOVE}, moves=["1>F"])
    evaluation = evaluate_record(data)
    assert (evaluation.seed, evaluation.deal_algorithm, evaluation.failed) == (None, None, None)
    assert evaluation.game.score.cards_up == 45


@pytest.mark.parametrize(
    ("place", "data"),
    [
        ("/record", None),
        ("/record", record(record="semilla/2")),
        ("/variant", record(variant="bridge")),
        ("/seed", record(seed="no seed")),
        ("/deal_algorithm", record(deal_algorithm="pysol")),
        ("/rules_version", record(rules_version=2)),
        ("/moves/1", record(moves=["6>9", "6>13"])),
        ("/times_ms", record(times_ms=[2, 1])),
        ("/colour", record(colour="red")),
    ],
)
def test_what_is_no_record_is_told_with_its_place(place, data):
    with pytest.raises(Invalid) as caught:
        evaluate_record(data)
    assert caught.value.place == place
