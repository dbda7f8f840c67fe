"""Games drawn for a terminal: all that one needs to play, and nothing that one may not know."""

import itertools
import json
import re
import shlex

import pytest

from tests.api.expected import PRESETS, naive_game
from tests.api.problems import assert_problem
from tests.conftest import Player
from tests.naive.golden import FOLDER, load
from tests.naive.players import Dice

TEXT = {"Accept": "text/plain"}
CARD = re.compile(r"[A23456789TJQK][CDHS]")
PLAYTHROUGHS = load("playthroughs.json")["games"]


class Drawn:
    """What somebody reads off a drawn game, and nothing else."""

    def __init__(self, text):
        self.text = text
        lines = text.splitlines()
        head = lines[: lines.index("")]
        self.named = dict(
            re.fullmatch(r"(\w+) +(\S.*)", line).groups() for line in head if "  " in line
        )
        labels = [n for n, line in enumerate(lines) if line.startswith("  Status")]
        self.board = lines[len(head) + 1 : labels[0] - 1]
        self.said = self._said(lines[labels[0] :])
        self.command = text.partition("Play, for example:\n")[2]

    @staticmethod
    def _said(lines):
        said, label = {}, ""
        for line in lines:
            if line.startswith("  ") and line[2] != " ":
                label, _, words = line.strip().partition(" ")
                said[label] = words.strip()
            elif line.startswith("           "):
                said[label] += f" {line.strip()}"
            else:
                break
        return said

    @property
    def moves(self):
        moves = self.said["Moves"].split()
        return [] if moves == ["none"] else moves

    def piles(self):
        """Read the piles of the Cruel family: cells of 20 columns, four in a row."""
        piles, here = {}, {}
        for line in self.board:
            for column in range(4):
                cell = line[20 * column : 20 * column + 20]
                name = cell[:4].strip()
                if name:
                    here[column] = name
                if cell.strip():
                    piles.setdefault(here[column], []).extend(CARD.findall(cell[4:]))
        return piles

    def cards(self):
        return CARD.findall("\n".join(self.board))


def drawn(reply):
    assert reply.status_code in (200, 201), reply.text
    assert reply.content_type == "text/plain; charset=utf-8"
    assert reply.text.endswith("\n")
    assert not reply.text.endswith("\n\n")
    assert all(len(line) <= 80 for line in reply.text.splitlines() if "http" not in line)
    return Drawn(reply.text)


def start(client, variant, seed="semilla"):
    body = {"variant": variant, **({"seed": seed} if seed else {})}
    return drawn(client.post("/v1/games", json=body, headers=TEXT))


def follow(client, shown, token, move=None):
    """Send what the printed command sends: its move, or another one in its place."""
    words = shlex.split(shown.command.replace("\\\n", " "))
    while "=" in words[0]:  # what it sets before
        words.pop(0)
    assert words.pop(0) == "curl"
    headers, body, url = {}, None, ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value.replace("$TOKEN", token)
        elif word == "--json":
            body = json.loads(words.pop(0))
        else:
            url = word
    assert body["moves"] == [hinted(shown)]
    if move:
        body["moves"] = [move]
    assert headers["Accept"] == "text/plain"
    assert headers["Authorization"] == f"Bearer {token}"
    return client.post(url, json=body, headers=headers)


def hinted(shown):
    return re.search(r'\{"moves": \["(.+?)"\]\}', shown.command)[1]


def check_drawn(shown, naive):
    """Check that all that lies face up is drawn, and all that may be done is listed."""
    state = naive.state()
    assert sorted(shown.moves) == state["legal_moves"]
    words = state["status"].replace("_", " ")
    score = state["score"]
    assert shown.said["Status"] == f"{words}, {score['cards_up']} of 52 cards up"
    counts = {name: score[name] for name in ("moves", "actions", "undos")}
    if naive.family == "cruel":
        counts["redeals"] = score["redeals"]
    for name, count in counts.items():
        assert re.search(rf"\b{name} {count}\b", shown.said["Score"])
    if state["left"] is not None:
        assert f"({state['left']} left)" in shown.said["Score"]
    undo = naive.refusal("U")
    assert shown.said["Undo"].startswith("no" if undo else "yes: U")
    if naive.family == "cruel":
        piles = shown.piles()
        assert piles.pop("F") == state["foundations"]
        assert piles == {str(n): pile for n, pile in enumerate(state["piles"], 1)}
    else:
        face_up = [*state["foundations"], *(c for waste in state["wastes"] for c in waste)]
        face_up += [state["card"]] if state["card"] else []
        assert sorted(shown.cards()) == sorted(face_up)
        assert f"{state['stock_count']} more in the stock" in shown.text


@pytest.mark.parametrize("variant", PRESETS)
def test_a_whole_game_can_be_played_by_what_the_text_shows(client, variant):
    """By somebody who reads the moves off the text, and resigns a game that never ends."""
    naive, dice = naive_game(variant, "semilla"), Dice(variant)
    shown = start(client, variant)
    token = shown.named["token"].split()[0]
    check_drawn(shown, naive)
    plies = 0
    while shown.moves and plies < 120:
        ups = [move for move in shown.moves if "F" in move]
        move = dice.pick(ups or shown.moves)
        shown = drawn(follow(client, shown, token, move))
        assert naive.play(move) is None
        check_drawn(shown, naive)
        assert "token" not in shown.named
        assert token not in shown.text
        plies += 1
    if shown.moves:
        shown = drawn(follow(client, shown, token, "Q"))
        naive.play("Q")
        check_drawn(shown, naive)
    assert shown.command == ""
    assert naive.status in ("won", "lost", "resigned")


@pytest.mark.parametrize("variant", PRESETS)
def test_following_the_printed_command_plays_legal_moves(client, variant):
    naive = naive_game(variant, "semilla")
    shown = start(client, variant)
    token = shown.named["token"].split()[0]
    for _ in range(150):
        if not shown.command:
            break
        move = hinted(shown)
        assert move in shown.moves
        shown = drawn(follow(client, shown, token))
        assert naive.play(move) is None
        check_drawn(shown, naive)
    assert (shown.command == "") == (naive.status != "in_progress")


@pytest.mark.parametrize(
    "played", PLAYTHROUGHS, ids=[f"{game['variant']}-{game['seed']}" for game in PLAYTHROUGHS]
)
def test_the_ends_of_golden_games_are_drawn(player, played):
    player.start(played["variant"], played["seed"], undo=played["undo"])
    player.play(*played["moves"].split())
    shown = drawn(player.get(**TEXT))
    status, score = played["steps"][-1]["status"], played["score"]
    assert shown.said["Status"] == f"{status}, {score['cards_up']} of 52 cards up"
    assert shown.moves == []
    assert shown.command == ""


def test_the_text_says_which_game_it_is_and_who_may_play_it(client):
    reply = client.post("/v1/games", json={"seed": "semilla"}, headers=TEXT)
    shown = drawn(reply)
    game_id = reply.headers["Location"].rpartition("/")[2]
    assert shown.named.keys() == {"game", "variant", "seed", "token"}
    assert shown.named["game"] == game_id
    assert shown.named["variant"] == "cruel"
    assert shown.named["seed"] == "semilla"
    assert "shown this once" in shown.named["token"]
    shown = drawn(client.get(f"/v1/games/{game_id}", headers=TEXT))
    assert shown.named.keys() == {"game", "variant", "seed"}


def test_a_retry_is_drawn_with_how_much_was_recorded(player):
    player.start()
    path, body = f"/v1/games/{player.id}/moves", {"at": 0, "moves": ["6>9", "1>11"]}
    headers = {**player.auth, **TEXT}
    first = player.client.post(path, json=body, headers=headers).text
    again = player.client.post(path, json=body, headers=headers).text
    assert "recorded already" not in first
    assert "2 of these moves were recorded already" in again


def test_redeal_undo_and_resign_are_drawn_too(player):
    player.start("cruel-semicolon")
    naive = naive_game("cruel-semicolon", "semilla")
    for verb, move in (("redeal", "R"), ("undo", "U"), ("redeal", "R"), ("resign", "Q")):
        path = f"/v1/games/{player.id}/{verb}"
        shown = drawn(player.client.post(path, headers={**player.auth, **TEXT}))
        assert naive.play(move) is None
        check_drawn(shown, naive)


def test_the_seed_of_a_running_game_of_calculation_is_drawn_for_who_named_it_only(player):
    player.start("calculation", "my-own-seed")
    assert "my-own-seed" in player.get(**TEXT).text
    stranger = player.get(token=False, **TEXT).text
    assert "my-own-seed" not in stranger
    assert "secret until the game has ended" in stranger
    player.act("resign")
    assert "my-own-seed" in player.get(token=False, **TEXT).text


def test_a_drawn_seed_of_calculation_is_drawn_for_nobody_before_the_end(player):
    player.start("calculation", None)
    for token in (True, False):
        assert Drawn(player.get(token=token, **TEXT).text).named["seed"].startswith("secret")
    player.act("resign")
    seed = player.get("/record").json["seed"]
    assert Drawn(player.get(token=False, **TEXT).text).named["seed"] == seed


def test_a_refused_move_is_a_problem_and_no_drawing(player):
    player.start()
    reply = player.client.post(
        f"/v1/games/{player.id}/moves", json={"moves": ["1>2"]}, headers={**player.auth, **TEXT}
    )
    assert_problem(reply, "illegal_move", index=0, move="1>2", reason="wrong_suit", at=0)


def test_the_record_in_text_is_the_one_in_json(player, clock):
    player.start("calculation", "1")
    clock.tick(1_520)
    player.play("S>W4", "W4>F3")
    reply = player.get("/record", **TEXT)
    assert reply.content_type == "text/plain; charset=utf-8"
    assert reply.headers["Vary"] == "Accept"
    assert reply.text == (
        "record: semilla/1\n"
        "variant: calculation\n"
        "options: bases=AC,2D,3H,4S\n"
        "deal_algorithm: deal/1\n"
        "rules_version: 1\n"
        "seed: 1\n"
        "undo: no\n"
        "moves: S>W4@1520 W4>F3@1520\n"
    )


@pytest.mark.parametrize("name", ["cruel-won", "calculation-won"])
def test_a_kept_record_is_played_again_and_its_text_is_the_same_but_for_the_times(player, name):
    kept = (FOLDER / "records" / f"{name}.txt").read_text("utf-8").split()
    values = dict(itertools.pairwise(kept))
    player.start(values["variant:"], values["seed:"])
    moves = kept[kept.index("moves:") + 1 :]
    assert player.play(*moves).json["status"] == "won"
    assert player.get("/record", **TEXT).text.replace("@0", "").split() == kept


def test_two_players_reading_the_same_game_see_the_same_board(client):
    one, other = Player(client), Player(client)
    one.start("ripple-fan")
    other.id = one.id
    assert one.get(**TEXT).text == other.get(token=False, **TEXT).text


def test_the_text_names_the_options_that_the_game_changed(client):
    body = {"variant": "limited-cruel", "seed": "semilla", "options": {"redeal_limit": 5}}
    shown = drawn(client.post("/v1/games", json=body, headers=TEXT))
    assert shown.named["variant"] == "limited-cruel, redeal_limit=5"
