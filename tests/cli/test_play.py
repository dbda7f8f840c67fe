import re
import secrets

import pytest

from service.cli import table
from service.rules import VARIANTS
from tests.cli.running import CALCULATION_MOVES, CRUEL_MOVES, board, flat, run, why_not

DRAWN = "5eed" * 8


@pytest.fixture
def drawn(monkeypatch):
    """Make the drawn seed a known one."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: "5eed" * (size // 2))


def test_a_whole_game_is_won():
    lines = CRUEL_MOVES.replace("R", "R\n").lower()
    output = run("play", "--seed", "32", typed=lines)
    assert output.startswith("cruel, seed 32; help lists the moves\n")
    assert board("cruel-won") in output
    assert output.endswith(
        "Won: 52 of 52 cards up, actions 62.\nThis deal: semilla play cruel --seed 32\n"
    )


def test_calculation_is_won_move_by_move():
    output = run("play", "calculation", "--seed", "1", typed=CALCULATION_MOVES.replace(" ", "\n"))
    assert output.count("> \n") == 93
    assert board("calculation-stock-used-up") in output
    assert board("calculation-won") in output


def test_a_refusal_is_said_and_the_game_goes_on():
    output = run("play", "--seed", "32", typed="1>1\n12>F 3>4 5>F\n3>F\n")
    assert f"> {why_not('1>1')}\n> " in output
    assert f"{why_not('3>4', 1)} (1 of 3 moves played) >" in flat(output)
    assert "Left in progress: 6 of 52 cards up, actions 2." in output


def test_sentences_are_wrapped():
    output = run("play", "calculation", "--seed", "1", typed="S>F1 S>F2\nXXX\n")
    assert all(len(line) <= 80 for line in output.splitlines())


def test_a_line_with_a_word_that_is_no_move_plays_nothing():
    output = run("play", "--seed", "32", typed="12>F 7>13\n\n")
    assert "'7>13' is no move here: write 7>3, 7>F, R, U or Q, piles" in flat(output)
    assert "in capital letters; help lists" in flat(output)
    assert "actions 0." in output


def test_an_empty_line_shows_the_board_again():
    assert run("play", "--seed", "semilla", typed="\n").count(board("cruel-opening")) == 2


@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_help_lists_the_moves(variant):
    output = run("play", variant, typed="help\n")
    shown = table.HELP[variant]
    assert shown in output
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_every_family_has_its_help():
    assert set(table.HELP) == {rules.family for rules in VARIANTS.values()}


@pytest.mark.parametrize("typed", ["quit\n", " quit ", "", "12>"])
def test_leaving_is_not_resigning(typed):
    output = run("play", "--seed", "32", typed=typed)
    assert "Left in progress: 4 of 52 cards up, actions 0.\nIt is not saved: --save" in output
    assert "--seed 32" in output


def test_an_interrupt_leaves(monkeypatch):
    def interrupt(prompt):
        raise KeyboardInterrupt(prompt)

    monkeypatch.setattr("builtins.input", interrupt)
    assert "Left in progress" in run("play")


def test_only_a_capital_q_resigns():
    output = run("play", "--seed", "32", typed="q\n12>F q\nQ\n12>F\n")
    assert output.count("Q, a capital letter, resigns; quit leaves") == 2
    assert "Resigned: 4 of 52 cards up, actions 0." in output


def test_what_is_no_text_is_said():
    output = run("play", "--seed", "32", typed=b"\xff\xfe\n12>F\n")
    assert "That is no text." in output
    assert "Left in progress" in output


def test_undo_takes_back_unless_it_was_given_up():
    assert "moves 1, redeals 0, actions 1, undos 1" in run(
        "play", "--seed", "32", typed="12>F 3>F U"
    )
    output = run("play", "--seed", "32", "--no-undo", typed="12>F u")
    assert "U: this game is played without undo (1 of 2 moves played)" in flat(output)


def test_a_lost_game_goes_on_where_undo_can_mend_it():
    output = run("play", "limited-cruel", "--seed", "191", typed="8>9\nu\nquit")
    assert f"{board('limited-cruel-lost')}\nThe game is lost: U takes back, quit leaves." in output
    assert "Left in progress: 4 of 52 cards up, actions 0." in output


def test_a_lost_game_may_be_left():
    output = run("play", "limited-cruel", "--seed", "191", typed="8>9\nquit\n")
    assert "Lost: 4 of 52 cards up, actions 1." in output


def test_a_game_that_is_lost_for_good_ends():
    output = run("play", "limited-cruel", "--seed", "191", "--no-undo", typed="8>9\n8>9\n")
    assert output.count("> ") == 1
    assert "Lost: 4 of 52 cards up, actions 1." in output


def test_a_deal_that_is_lost_at_the_opening_asks_for_nothing():
    output = run("play", "--seed", "135")
    assert board("cruel-lost-at-the-opening") in output
    assert "> " not in output


def test_the_deal_can_be_repeated_as_the_end_says():
    words = ["-o", "redeal_limit=2", "-o", "redeal_when=anytime"]
    first = run("play", "cruel", "--seed", "a~b", *words)
    command = re.search(r"This deal: semilla (.*)\n", first)[1]
    assert run(*command.split(" ")) == first


@pytest.mark.usefixtures("drawn")
def test_a_drawn_seed_has_128_bits_and_is_shown():
    assert run("play").startswith(f"cruel, seed {DRAWN};")
    assert len(DRAWN) * 4 == 128


@pytest.mark.usefixtures("drawn")
def test_a_drawn_seed_of_calculation_is_not_shown_before_the_end(tmp_path):
    file = tmp_path / "game.txt"
    typed = "S>W1\nhelp\n\nS>F1 S>F2 S>F3\nquit\n"
    assert DRAWN not in run("play", "calculation", typed=typed)
    assert DRAWN not in run("play", "calculation", "--save", str(file), typed=typed)
    assert DRAWN not in run("play", "--resume", str(file), typed="S>W1\n")
    assert DRAWN in file.read_text("utf-8")


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("typed", ["S>W1\nQ\n", "S>W1 " * 48])
def test_a_drawn_seed_of_calculation_is_shown_at_the_end(typed):
    output = run("play", "calculation", typed=typed)
    assert output.index(DRAWN) > output.index(" of 52 cards up, actions ")
    assert output.endswith(f"This deal: semilla play calculation --seed {DRAWN}\n")


def test_a_seed_that_the_player_gave_is_no_secret():
    output = run("play", "calculation", "--seed", "1")
    assert output.startswith("calculation, seed 1;")
    assert output.endswith("semilla play calculation --seed 1\n")
