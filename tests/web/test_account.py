"""Whoever plays under a name: how they get it, take its key along, and give it up."""

import re
from datetime import datetime

import pytest

from tests.servers import ask
from tests.web.contests import Contest, within
from tests.web.looks import in_every_look, look, sit_before

# What the browser says of a reply that the page deals with.
REFUSED = "Failed to load resource: the server responded with a status of "
KEPT = "() => JSON.parse(localStorage.getItem('semilla.player'))"
GAMES = KEPT.replace("player", "games")
ASKED = KEPT.replace("player", "asked")
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def here(table):
    """Give what a table's browser keeps of who plays there."""
    return table.page.evaluate(KEPT)


def button(table, name):
    return table.page.get_by_role("button", name=name, exact=True)


def in_dialog(table, name):
    return table.page.get_by_role("dialog").get_by_role("button", name=name, exact=True)


def open_you(table):
    table.open("players/me")
    table.page.locator("main h1").wait_for()


def register(table, name):
    open_you(table)
    table.page.locator("[name=player]").fill(name)
    button(table, "Begin").click()
    table.page.locator("main h1", has_text=name).wait_for()


def bring(table, text):
    button(table, "Bring a key").click()
    table.page.locator("[name=key]").fill(text)
    button(table, "Use this key").click()


def saved_key(table):
    """Save the key as a file; give its name and what it says."""
    button(table, "Show and copy the key").click()
    with table.page.expect_download() as coming:
        button(table, "Save as a file").click()
    button(table, "Done").click()
    return coming.value.suggested_filename, coming.value.path().read_text("utf-8")


def name_in_bar(table):
    return table.page.locator('.top nav [data-go="players/me"]').inner_text()


def api(table, path, **more):
    return ask(f"{table.url}/v1/{path}", **more)


def test_whoever_takes_a_name_plays_under_it(sit):
    table = sit()
    open_you(table)
    assert name_in_bar(table) == "You"
    assert "This browser keeps a key" in table.page.locator("main").inner_text()
    register(table, "Ana-1")
    assert name_in_bar(table) == "Ana-1"
    assert api(table, "players/me", token=here(table)["token"]).json["name"] == "Ana-1"
    table.deal("cruel", "32")
    assert api(table, f"games/{table.game_id}").json["player"] == "Ana-1"
    table.page.locator('[data-go="players/me"]').click()
    row = table.page.locator(".going li")
    assert row.inner_text().startswith("Cruel\nsince ")
    row.get_by_role("link").click()
    table.wait_for_board()


def test_what_is_in_play_is_a_click_away(sit, url):
    contest = Contest(url, "Tonight")
    contest.enter("ada")
    contest.deal("ada")
    ada = contest.people["ada"]
    race = Contest(url, "Sprint", clock="shared", starts_at=within(hours=1))
    ada.send("PUT", f"{race.path}/entries/me")
    ada.send("POST", "challenges", {"title": "At home", "variant": "calculation"})
    daily = ask(f"{url}/v1/daily/cruel").json
    ada.send("PUT", f"challenges/{daily['id']}/entries/me")
    table = sit()
    table.become(ada)
    table.open("players/me")
    # A daily is called what it is called everywhere, not by the title that the service gives it.
    today = table.page.locator(".going b", has_text="Daily")
    day = datetime.fromisoformat(daily["starts_at"])
    assert today.all_inner_texts() == [f"Daily Cruel, {day:%b} {day.day}, {day.year}"]
    ada.send("DELETE", f"challenges/{daily['id']}/entries/me")
    table.open("players/me")
    games, challenges = table.page.locator(".going").all()
    game = games.get_by_role("link")
    assert game.get_attribute("href") == f"/games/{contest.games['ada']['id']}"
    assert game.inner_text().startswith("Cruel\nTonight · until ")
    # As the service gives them: the newest first.
    for link, said in zip(
        challenges.get_by_role("link").all(),
        (
            r"At home\nCalculation · until .* · you are the host",
            r"Sprint\nCruel · starts .* · entered",
            r"Tonight\nCruel · until .* · you are playing",
        ),
        strict=True,
    ):
        assert re.fullmatch(said, link.inner_text())
    challenges.get_by_role("link", name="Tonight").click()
    table.page.get_by_role("heading", name="Tonight").wait_for()


def test_the_key_stands_in_the_page_only_while_somebody_looks_at_it(sit):
    table = sit(**CLIPBOARD)
    register(table, "secretive")
    token = here(table)["token"]
    shown = "document.documentElement.outerHTML + document.title + location.href"
    assert token not in table.page.evaluate(shown)
    button(table, "Show and copy the key").click()
    assert table.page.get_by_role("dialog").get_by_text(token).is_visible()
    assert "plays as secretive" in table.page.get_by_role("dialog").inner_text()
    button(table, "Copy").click()
    table.page.locator(".note", has_text="The key is copied.").wait_for()
    assert table.page.evaluate("navigator.clipboard.readText()") == token
    button(table, "Done").click()
    table.page.locator("dialog").wait_for(state="detached")
    assert token not in table.page.evaluate(shown)


def test_names_that_cannot_be_had_are_said_to_be_so(sit):
    table = sit(expected=[REFUSED + "409"])
    register(table, "first-come")
    other = sit(expected=[REFUSED + "409"])
    open_you(other)
    for name, says in (("First-Come", "That name is taken."), ("admin", "not for players")):
        other.page.locator("[name=player]").fill(name)
        button(other, "Begin").click()
        other.page.locator(".wrong", has_text=says).wait_for()
    other.page.locator("[name=player]").fill("a b")
    button(other, "Begin").click()
    assert other.page.locator("input:user-invalid").count() == 1
    name = other.page.locator("[name=player]")
    said = name.evaluate("input => input.validationMessage")
    assert said.startswith("A name has 3 to 24 of these: letters from a to z without accents")
    assert here(other) is None
    # What is typed anew is judged anew.
    name.fill("a-b")
    assert name.evaluate("input => input.validity.valid")


def test_a_name_whose_answer_was_lost_is_theirs_who_asked(sit):
    table = sit(expected=["Failed to load resource: net::ERR_", REFUSED + "409"])

    def lose(route):
        route.fetch()
        route.abort()

    open_you(table)
    table.page.route("**/v1/players", lose, times=1)
    table.page.locator("[name=player]").fill("unheard")
    button(table, "Begin").click()
    table.page.locator(".wrong", has_text="The service cannot be reached.").wait_for()
    assert api(table, "players/unheard").status == 200
    # With another spelling it is another's.
    table.page.locator("[name=player]").fill("Unheard")
    button(table, "Begin").click()
    table.page.locator(".wrong", has_text="That name is taken.").wait_for()
    table.page.reload()
    register(table, "unheard")
    assert api(table, "players/me", token=here(table)["token"]).json["name"] == "unheard"
    # What was answered is kept no longer.
    assert table.page.evaluate(ASKED) == []


@pytest.mark.parametrize("kept", ["{", '{"a": 1}', '"text"', '[null, 7, {"id": 3}]'])
def test_whatever_is_kept_of_games_there_is_something_to_choose(sit, kept):
    table = sit()
    table.open()
    table.page.evaluate("kept => localStorage.setItem('semilla.games', kept)", kept)
    table.deal("cruel", "32")
    assert [game["id"] for game in table.page.evaluate(GAMES)] == [table.game_id]


def test_words_without_an_end_stay_on_a_narrow_screen(sit, url):
    contest = Contest(url, "W" * 80)
    contest.enter("ada")
    ada = contest.people["ada"]
    judged = {"disqualified": True, "reason": "W" * 200}
    contest.host.send("PATCH", f"{contest.path}/entries/{ada.name}", judged)
    table = sit(width=320)
    table.become(ada)
    for path, part in (("players/me", ".going"), (contest.path, ".seat .wrong")):
        table.open(path)
        table.page.locator(part).wait_for()
        assert table.page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_saved_key_plays_the_same_games_on_another_device(sit):
    table, other = sit(), sit()
    register(table, "traveller")
    table.deal("cruel", "32")
    game = table.game_id
    open_you(table)
    name, text = saved_key(table)
    assert name == "semilla-traveller.txt"
    assert "Whoever has this key plays as traveller." in text
    open_you(other)
    button(other, "Bring a key").click()
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    other.page.locator("input[type=file]").set_input_files(file)
    other.page.wait_for_function("document.querySelector('[name=key]').value")
    # Whoever takes the choice back has the text still.
    other.page.locator("input[type=file]").set_input_files([])
    button(other, "Use this key").click()
    other.page.locator("main h1", has_text="traveller").wait_for()
    assert here(other) == here(table)
    other.page.locator(f'[data-go="games/{game}"]').click()
    other.wait_for_board()
    other.drag("12>F")
    other.wait_until_recorded()
    assert api(other, f"games/{game}").json["ply"] == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("what is this", "There is no key in this."),
        ("sg_" + "A" * 43, "There is no key in this."),
        ("sp_" + "A" * 42, "There is no key in this."),
        ("sp_" + "A" * 9_000, "There is no key in this."),
        ("sp_" + "A" * 43, "The service does not know this key."),
    ],
)
def test_what_is_no_key_is_not_kept(sit, text, says):
    table = sit(expected=[REFUSED + "401"])
    open_you(table)
    bring(table, text)
    table.page.locator("dialog .wrong", has_text=says).wait_for()
    assert here(table) is None


def test_whoever_plays_here_is_replaced_only_when_somebody_says_so(sit):
    table, other = sit(), sit()
    register(table, "here-first")
    register(other, "here-second")
    bring(table, here(other)["token"])
    question = table.page.get_by_role("dialog", name="Play as here-second here?")
    question.get_by_text("Without a copy of that key nobody can play as here-first").wait_for()
    in_dialog(table, "Stay here-first").click()
    assert here(table)["name"] == "here-first"
    bring(table, here(other)["token"])
    question.wait_for()
    in_dialog(table, "Play as here-second").click()
    table.page.locator("main h1", has_text="here-second").wait_for()
    assert here(table) == here(other)


def test_a_new_key_shuts_out_the_old_one_which_says_so_and_how_to_go_on(sit):
    table, other = sit(), sit(expected=[REFUSED + "401"])
    register(table, "careful")
    open_you(other)
    bring(other, here(table)["token"])
    other.page.locator("main h1", has_text="careful").wait_for()
    old = here(table)["token"]
    button(table, "New key").click()
    in_dialog(table, "Make a new key").click()
    table.page.get_by_text("This is your new key.").wait_for()
    new = here(table)["token"]
    assert table.page.get_by_role("dialog").get_by_text(new).is_visible()
    assert api(table, "players/me", token=old).status == 401
    assert api(table, "players/me", token=new).json["name"] == "careful"
    # Whatever the other one does next, it is told, on every page, and can play without a name.
    other.open()
    button(other, "Deal").click()
    lost = other.page.get_by_role("alert").filter(has_text="does not know your key any more")
    lost.wait_for()
    assert name_in_bar(other) == "You"
    other.deal("cruel", "32")
    other.drag("12>F")
    other.wait_until_recorded()
    lost.get_by_role("link", name="Bring it back").click()
    other.page.get_by_role("heading", name="The key of careful is not known any more.").wait_for()
    bring(other, f"  {new}\n")
    other.page.locator(".top .me", has_text="careful").wait_for()
    assert other.page.locator(".unknown").count() == 0


def test_another_players_key_takes_the_place_of_an_old_one_and_its_games(sit):
    table, other = sit(expected=[REFUSED + "401"]), sit()
    register(table, "outgoing")
    register(other, "incoming")
    table.deal("cruel", "32")
    api(table, "players/me/token", body={}, token=here(table)["token"])
    open_you(table)
    table.page.get_by_role("heading", name="The key of outgoing").wait_for()
    bring(table, here(other)["token"])
    table.page.locator("main h1", has_text="incoming").wait_for()
    assert table.page.evaluate(GAMES) == []


def test_an_old_key_can_be_forgotten(sit):
    table = sit(expected=[REFUSED + "401"])
    register(table, "replaced")
    api(table, "players/me/token", body={}, token=here(table)["token"])
    table.page.reload()
    open_you(table)
    button(table, "Forget the old key").click()
    table.page.get_by_role("heading", name="Play under a name").wait_for()
    assert here(table) is None
    table.open()
    assert table.page.locator(".unknown").count() == 0


def test_signing_out_warns_and_other_tabs_follow(sit):
    table = sit()
    register(table, "two-tabs")
    token = here(table)["token"]
    table.deal("cruel", "32")
    second = table.page.context.new_page()
    second.goto(table.url)
    second.locator(".top .me", has_text="two-tabs").wait_for()
    second.locator(".going li").wait_for()
    open_you(table)
    button(table, "Sign out here").click()
    assert "Without a copy" in table.page.get_by_role("dialog").inner_text()
    in_dialog(table, "Forget the key").click()
    table.page.get_by_role("heading", name="Play under a name").wait_for()
    second.locator(".top nav", has_text="You").wait_for()
    assert second.locator(".top .me").count() == 0
    # Nothing is left that only they could play; the service knows them still.
    table.open()
    assert table.page.locator(".going").count() == 0
    assert api(table, "players/me", token=token).status == 200


def test_a_name_and_what_is_said_of_it_can_be_changed(sit):
    table = sit()
    register(table, "caterpillar")
    table.page.locator("[name=player]").fill("butterfly")
    table.page.get_by_label("A program plays under this name").check()
    button(table, "Save").click()
    table.page.locator("main h1", has_text="butterfly").wait_for()
    assert name_in_bar(table) == "butterfly"
    assert table.page.locator("h1 .tag").inner_text() == "program"
    found = api(table, "players/me", token=here(table)["token"]).json
    assert (found["name"], found["bot"]) == ("butterfly", True)


def test_a_name_that_was_changed_elsewhere_is_learnt(sit):
    table, other = sit(), sit()
    register(table, "old-name")
    open_you(other)
    bring(other, here(table)["token"])
    other.page.locator("main h1", has_text="old-name").wait_for()
    table.page.locator("[name=player]").fill("new-name")
    button(table, "Save").click()
    table.page.locator("main h1", has_text="new-name").wait_for()
    open_you(other)
    other.page.locator(".top .me", has_text="new-name").wait_for()
    assert here(other) == here(table)


def test_whoever_leaves_for_good_types_the_name(sit):
    table = sit(expected=[REFUSED + "40"])
    register(table, "Leaver")
    token = here(table)["token"]
    button(table, "Leave for good").click()
    typed = table.page.get_by_label("Type Leaver to go on")
    typed.fill("Somebody")
    in_dialog(table, "Leave for good").click()
    table.page.locator("dialog .wrong", has_text="That is not the name.").wait_for()
    assert api(table, "players/me", token=token).status == 200
    typed.fill("Leaver")
    in_dialog(table, "Leave for good").click()
    table.page.locator(".note", has_text="Leaver is gone.").wait_for()
    assert here(table) is None
    assert api(table, "players/me", token=token).status == 401
    assert api(table, "players/Leaver").status == 404


def test_the_page_of_who_plays_here_speaks_spanish_too(sit):
    table = sit(locale="es")
    open_you(table)
    table.page.get_by_label("Nombre").fill("espinela")
    button(table, "Empezar").click()
    table.page.locator("main h1", has_text="espinela").wait_for()
    button(table, "Ver y copiar la llave").click()
    assert (
        "Quien tenga esta llave juega como espinela."
        in table.page.get_by_role("dialog").inner_text()
    )


def test_the_service_may_be_out_of_reach_and_the_key_is_still_at_hand(sit):
    table = sit(expected=["Failed to load resource: net::ERR_"])
    register(table, "stranded")
    table.page.locator('[data-go=""]').first.click()
    table.page.locator(".choose").wait_for()
    table.page.context.set_offline(True)
    table.page.locator('[data-go="players/me"]').click()
    table.page.get_by_text("The service cannot be reached.").wait_for()
    button(table, "Show and copy the key").click()
    assert re.fullmatch(r"sp_[\w-]{43}", table.page.locator("dialog .key").inner_text())


@in_every_look
def test_everybody_can_use_the_page_of_who_plays_here(sit, url, size, scheme):
    table = sit_before(sit, size, scheme)

    def see(name):
        look(table, f"{name}-{size}-{scheme}", whole=True)

    open_you(table)
    see("me-nobody")
    button(table, "Bring a key").click()
    see("me-bring")
    table.page.keyboard.press("Escape")
    contest = Contest(url, "Tonight")
    contest.enter("ada")
    contest.deal("ada")
    table.become(contest.people["ada"])
    table.page.reload()
    table.page.locator(".going").nth(1).wait_for()
    see("me")
    for name in ("Show and copy the key", "New key", "Sign out here", "Leave for good"):
        button(table, name).click()
        see(f"me-{name.split()[0].lower()}")
        table.page.keyboard.press("Escape")
