"""A connection that is lost or slow: nothing that was played is lost, or played twice."""

from tests.servers import ask
from tests.web.table import Table

SEED = "32"
# What the browser says while there is no network.
NO_NETWORK = ["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]


def test_moves_made_without_a_connection_wait_and_are_sent_when_it_is_back(sit):
    table = sit(expected=NO_NETWORK)
    table.deal("cruel", SEED)
    table.drag("12>F")
    table.wait_until_recorded()
    table.page.context.set_offline(True)
    for move in ("3>F", "5>F", "7>F"):
        table.drag(move)
    table.page.get_by_text("No connection: 3 moves wait, and go by themselves.").wait_for()
    shown = table.seen()
    # A redeal can be looked at, and made, all the same.
    table.page.keyboard.press("r")
    table.page.get_by_role("button", name="Redeal now").click()
    table.page.keyboard.press("u")
    assert table.seen() == shown
    assert table.state()["ply"] == 1
    table.page.context.set_offline(False)
    table.wait_until_recorded()
    table.page.locator(".banner").wait_for(state="detached")
    state = table.state()
    assert (state["ply"], state["score"]["moves"], state["score"]["undos"]) == (6, 4, 1)
    assert table.seen() == shown


def test_a_hint_without_a_connection_says_so_at_once(sit):
    # Where a challenge of another test plays the same deal, the service refuses a hint in the end.
    refused = "Failed to load resource: the server responded with a status of 409"
    table = sit(expected=[*NO_NETWORK, refused])
    table.deal("cruel", SEED)
    table.page.context.set_offline(True)
    note = table.page.locator(".note")
    for move in (None, "12>F"):
        if move:
            table.drag(move)
            table.page.locator(".banner.offline").wait_for()
            note.evaluate("note => note.remove()")
        table.page.keyboard.press("h")
        note.wait_for(timeout=1_000)
        assert note.inner_text() == "The service cannot be reached. Is the network there?"
    table.page.context.set_offline(False)
    table.wait_until_recorded()
    # Nothing is held against whoever asks again.
    table.page.keyboard.press("h")
    table.page.locator(".note:not(:text('reached'))").wait_for()


def test_what_is_refused_after_a_lost_connection_is_not_said_to_wait(sit):
    expected = [*NO_NETWORK, "Failed to load resource: the server responded with a status of 409"]
    table = sit(expected=expected)
    table.deal("cruel", SEED)
    table.page.context.set_offline(True)
    table.drag("12>F")
    table.page.locator(".banner.offline").wait_for()
    path = f"{table.url}/v1/games/{table.game_id}/moves"
    assert ask(path, {"moves": ["3>7"]}, token=table.kept["token"]).status == 200
    table.page.context.set_offline(False)
    table.page.get_by_text("The game was played elsewhere meanwhile.").first.wait_for()
    assert table.page.locator(".banner").count() == 0


def test_what_waits_outlives_a_reload(sit):
    table = sit(expected=NO_NETWORK)
    table.deal("cruel", SEED)
    table.page.context.set_offline(True)
    for move in ("12>F", "3>F"):
        table.drag(move)
    shown = table.seen()
    assert table.kept["queue"] == ["12>F", "3>F"]
    game = table.game_id
    # The page is left, with the network still gone, and opened again when it is back.
    table.page.goto("about:blank")
    table.page.context.set_offline(False)
    table.open(f"games/{game}")
    table.wait_for_board()
    assert table.seen() == shown
    table.wait_until_recorded()
    assert table.state()["ply"] == 2


def test_a_reply_that_is_lost_plays_nothing_twice(sit):
    table = sit(expected=["Failed to load resource: net::ERR_CONNECTION_FAILED"])
    table.deal("cruel", SEED)
    lost = []

    def lose(route):
        # The service has recorded it, and the browser never hears of it.
        route.fetch()
        lost.append(route.request.post_data_json)
        route.abort("connectionfailed")

    table.page.route("**/moves", lose, times=1)
    table.drag("12>F")
    table.wait_until_recorded()
    assert lost == [{"at": 0, "moves": ["12>F"]}]
    assert table.state()["ply"] == 1


def test_a_reload_before_a_lost_reply_is_settled_plays_nothing_twice(sit):
    table = sit(expected=["Failed to load resource: net::ERR_CONNECTION_FAILED"])
    table.deal("cruel", SEED)

    def lose(route):
        route.fetch()
        route.abort("connectionfailed")

    table.page.route("**/moves", lose)
    table.drag("12>F")
    table.page.locator(".banner.offline").wait_for()
    table.page.unroute("**/moves")
    table.page.reload()
    table.wait_for_board()
    table.wait_until_recorded()
    assert table.state()["ply"] == 1
    assert table.seen()["F1"] == ["AC", "2C"]
    table.drag("3>F")
    table.wait_until_recorded()
    assert table.state()["ply"] == 2


def test_a_game_that_was_played_elsewhere_meanwhile_is_shown_as_it_stands(sit):
    table = sit(expected=["Failed to load resource: the server responded with a status of 409"])
    table.deal("cruel", SEED)
    path = f"{table.url}/v1/games/{table.game_id}/moves"
    assert ask(path, {"moves": ["3>7"]}, token=table.kept["token"]).status == 200
    table.drag("12>F")
    note = table.page.locator(".note")
    note.wait_for()
    assert note.inner_text() == "The game was played elsewhere meanwhile. This is how it stands."
    assert table.seen()["P7"] == ["TD", "6C", "2S", "3D", "2D"]
    assert table.seen()["F1"] == ["AC"]
    table.drag("12>F")
    table.wait_until_recorded()
    assert table.state()["ply"] == 2


def test_a_move_shows_before_the_service_has_answered(sit):
    table = sit()
    table.deal("cruel", SEED)
    held = []
    table.page.route("**/moves", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    table.drag("12>F")
    table.drag("3>F")
    assert table.seen()["F1"] == ["AC", "2C"]
    assert table.seen()["F2"] == ["AD", "2D"]
    # One request at a time: the second move goes with the next one.
    for number, move in enumerate(("12>F", "3>F")):
        table.page.wait_for_timeout(200)
        assert [route.request.post_data_json for route in held[number:]] == [
            {"at": number, "moves": [move]}
        ]
        held[number].continue_()
    table.wait_until_recorded()
    assert table.state()["ply"] == 2


def open_again(table):
    """Open the game that is shown in another tab of the same browser."""
    other = Table(table.page.context.new_page(), table.url)
    other.open(f"games/{table.game_id}")
    other.wait_for_board()
    return other


def test_a_game_that_is_open_in_two_tabs_is_the_same_in_both(sit):
    table = sit()
    table.deal("cruel", SEED)
    other = open_again(table)
    other.drag("12>F")
    table.zone("F1").and_(table.page.get_by_label("2 of clubs")).wait_for()
    table.drag("3>F")
    other.zone("F2").and_(other.page.get_by_label("2 of diamonds")).wait_for()
    for each in (table, other):
        each.wait_until_recorded()
        assert each.page.locator(".note").count() == 0
    assert table.seen() == other.seen()
    assert table.state()["ply"] == 2


def test_a_tab_that_was_out_of_sight_catches_up_when_it_is_looked_at(sit):
    table = sit()
    table.deal("cruel", SEED)
    # A browser without a screen has no tabs that are out of sight.
    show = """state => {
      Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    table.page.evaluate(show, "hidden")
    path = f"{table.url}/v1/games/{table.game_id}/moves"
    assert ask(path, {"moves": ["12>F", "3>7"]}, token=table.kept["token"]).status == 200
    table.page.evaluate(show, "visible")
    table.zone("P7").and_(table.page.get_by_label("2 of diamonds")).wait_for()
    assert table.seen()["F1"] == ["AC", "2C"]
    table.drag("5>F")
    table.wait_until_recorded()
    assert table.state()["ply"] == 3
