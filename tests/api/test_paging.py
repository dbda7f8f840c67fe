"""Pages of a history: from its start to its end and back, and cursors that are none."""

import base64

import pytest

from tests.api.problems import assert_problem


@pytest.fixture
def played(player):
    """Somebody with a history of 120 entries."""
    player.start("cruel-semicolon")
    player.play(*["R"] * 60, *["R", "U"] * 30)
    return player


def page(player, **query):
    reply = player.client.get(f"/v1/games/{player.id}/moves", query_string=query)
    assert reply.status_code == 200, reply.text
    assert reply.json.keys() == {"items", "next", "prev"}
    return reply.json


def plies(page):
    return [item["ply"] for item in page["items"]]


def cursor(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_a_page_has_50_items_unless_it_is_asked_for_another_number(played):
    first = page(played)
    assert plies(first) == list(range(1, 51))
    assert first["prev"] is None
    assert first["next"]
    assert plies(page(played, limit=200)) == list(range(1, 121))
    assert plies(page(played, limit=1)) == [1]


@pytest.mark.parametrize("limit", [1, 7, 40, 50, 60, 119, 120, 121, 200])
def test_next_leads_to_the_end_and_prev_back_to_the_start(played, limit):
    forward, back = [page(played, limit=limit)], []
    while forward[-1]["next"]:
        forward.append(page(played, limit=limit, cursor=forward[-1]["next"]))
        assert len(forward) < 130
    assert [ply for each in forward for ply in plies(each)] == list(range(1, 121))
    assert all(len(each["items"]) == limit for each in forward[:-1])
    assert [bool(each["prev"]) for each in forward] == [False] + [True] * (len(forward) - 1)
    here = forward[-1]
    while here["prev"]:
        here = page(played, limit=limit, cursor=here["prev"])
        back.append(here)
        assert len(back) < 130
    first = min(plies(forward[-1]))
    assert [ply for each in reversed(back) for ply in plies(each)] == list(range(1, first))
    assert all(each["next"] for each in back)


def test_the_page_before_the_next_one_is_this_one(played):
    second = page(played, limit=10, cursor=page(played, limit=10)["next"])
    third = page(played, limit=10, cursor=second["next"])
    assert page(played, limit=10, cursor=third["prev"]) == second


def test_a_cursor_goes_on_where_it_was_though_the_history_grows(played):
    first = page(played, limit=100)
    played.play("R", "R")
    second = page(played, limit=100, cursor=first["next"])
    assert plies(second) == list(range(101, 123))
    last = page(played, limit=200)
    assert last["next"] is None
    assert plies(page(played, cursor=second["prev"], limit=5)) == list(range(96, 101))


def test_a_cursor_may_be_used_with_another_limit(played):
    after = page(played, limit=10)["next"]
    assert plies(page(played, limit=3, cursor=after)) == [11, 12, 13]


def test_cursors_are_opaque_and_safe_in_a_url(played):
    for each in (page(played)["next"], page(played, cursor=page(played)["next"])["prev"]):
        assert each.replace("-", "a").replace("_", "a").isalnum()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1",
        "50",
        "....",
        "=",
        "ñ",
        "\x00",
        "a" * 10_000,
        cursor("after"),
        cursor("after:"),
        cursor("after:-1"),
        cursor("after:x"),
        cursor("after:1.5"),
        cursor("after: 1"),
        cursor("after:1\n"),
        cursor("after:1:2"),
        cursor("After:1"),
        cursor("beside:1"),
        cursor("after:9999999999"),
        cursor("after:١"),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ],
)
def test_a_text_that_is_no_cursor_is_refused(played, text):
    reply = played.client.get(f"/v1/games/{played.id}/moves", query_string={"cursor": text})
    assert_problem(reply, "bad_cursor", says="next or prev of a page")


@pytest.mark.parametrize("side", ["after", "before"])
@pytest.mark.parametrize("number", [0, 1, 2, 119, 120, 121, 122, 999_999_999])
@pytest.mark.parametrize("limit", [1, 200])
def test_a_cursor_that_somebody_made_up_gives_a_page_of_the_history(played, side, number, limit):
    found = page(played, cursor=cursor(f"{side}:{number}"), limit=limit)
    shown = plies(found)
    assert shown == list(range(shown[0], shown[0] + len(shown))) if shown else True
    assert len(shown) <= limit
    assert all(1 <= ply <= 120 for ply in shown)
    assert all(ply > number if side == "after" else ply < number for ply in shown)


@pytest.mark.parametrize(
    "limit", ["0", "-1", "201", "", "x", "1.5", "5.0", "1e2", "true", "9" * 30, "null", "[1]"]
)
def test_a_limit_is_a_whole_number_from_1_to_200(played, limit):
    reply = played.client.get(f"/v1/games/{played.id}/moves", query_string={"limit": limit})
    assert_problem(reply, "validation_failed", parameters=["limit"])


def test_a_parameter_that_does_not_exist_is_refused(played):
    reply = played.client.get(f"/v1/games/{played.id}/moves?page=2&limit=0")
    assert_problem(reply, "validation_failed", parameters=["page", "limit"])


def test_a_cursor_of_one_game_is_good_for_another(played):
    after = page(played, limit=10)["next"]
    played.start("cruel-semicolon")
    played.play("R")
    assert page(played, cursor=after)["items"] == []
    assert page(played, cursor=after)["next"] is None
