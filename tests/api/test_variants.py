"""The games on offer: options and ranges as in the rules, and rules that people can read."""

import re

import pytest

from tests.api.expected import PRESETS, family_of
from tests.api.problems import assert_problem

# The table of the rules: the values that each option takes.
CHOICES = {
    "deal": ["by_pile", "by_round"],
    "build": ["suit_down", "alternate_up"],
    "redeal": ["packets", "fans", "packets_from_top"],
    "redeal_when": ["anytime", "if_changes", "when_stuck"],
}
SECTIONS = {
    "en": "Set-up|Moves|Redeal|End of the game|Score|Notation".split("|"),
    "es": "Preparación|Movimientos|Redistribución|Final|Puntuación|Notación".split("|"),
}
# For each value of an option: the section that states it, by its place, and words that do.
STATED = {
    "en": {
        ("deal", "by_pile"): (0, "pile by pile|filling each pile before the next"),
        ("deal", "by_round"): (0, "one at a time|one by one"),
        ("build", "suit_down"): (1, "same suit.*one rank higher"),
        ("build", "alternate_up"): (1, r"other colour and is one rank \*higher\*"),
        ("redeal", "packets"): (2, "into fours|first four cards (make|are the new) pile 1"),
        ("redeal", "fans"): (2, "one card at a time, round after round"),
        ("redeal", "packets_from_top"): (2, "The top four cards"),
        ("redeal_when", "anytime"): (2, "[Aa]t any time"),
        ("redeal_when", "if_changes"): (2, "(only if|whenever) it changes the layout"),
        ("redeal_when", "when_stuck"): (2, "when no card can move|not one card can move"),
        ("redeal_limit", None): (2, "as often as|any number of times|no limit"),
        ("redeal_limit", 3): (2, "You have three"),
    },
    "es": {
        ("deal", "by_pile"): (0, "se completan una tras otra|llenando cada pila antes"),
        ("deal", "by_round"): (0, "de una en una|una por una"),
        ("build", "suit_down"): (1, "mismo palo y un punto más alta"),
        ("build", "alternate_up"): (1, r"otro color y un punto \*más alta\*"),
        ("redeal", "packets"): (2, "grupos de cuatro|de cuatro en cuatro|cuatro primeras cartas"),
        ("redeal", "fans"): (2, "de una en una, por vueltas"),
        ("redeal", "packets_from_top"): (2, "Las cuatro cartas de encima"),
        ("redeal_when", "anytime"): (2, "[Cc]uando quieras"),
        ("redeal_when", "if_changes"): (2, "(solo si|siempre que) cambi[ae] la disposición"),
        ("redeal_when", "when_stuck"): (2, "ninguna carta pued[ae] moverse|ni una carta se mueve"),
        ("redeal_limit", None): (2, "cuantas veces|tantas veces|sin límite|no hay límite"),
        ("redeal_limit", 3): (2, "Tienes tres"),
    },
}


def get(client, path="", **headers):
    reply = client.get(f"/v1/variants{path}", headers=headers)
    assert reply.status_code == 200
    return reply


def section(rules, language, place):
    """Give the words of one section of a text."""
    title = SECTIONS[language][place]
    return " ".join(rules.partition(f"\n## {title}\n")[2].partition("\n## ")[0].split())


def test_the_nine_games_are_on_offer_in_the_order_of_the_rules(client):
    items = get(client).json["items"]
    assert [item["variant"] for item in items] == list(PRESETS)


@pytest.mark.parametrize("variant", PRESETS)
def test_a_game_on_offer_is_the_same_by_itself_and_in_the_list(client, variant):
    for language in ("en", "es"):
        headers = {"Accept-Language": language}
        items = get(client, **headers).json["items"]
        listed = next(item for item in items if item["variant"] == variant)
        assert get(client, f"/{variant}", **headers).json == listed


@pytest.mark.parametrize("variant", PRESETS)
def test_options_and_their_ranges_are_those_of_the_rules(client, variant):
    shown = get(client, f"/{variant}").json
    assert shown["family"] == family_of(variant)
    assert shown["undo"] == (variant != "calculation")
    assert shown["fanned"] == (variant == "perseverance")
    options = shown["options"]
    assert {name: option["default"] for name, option in options.items()} == PRESETS[variant]
    for name, option in options.items():
        assert option.pop("description").endswith(".")
        del option["default"]
        if name in CHOICES:
            assert option == {"values": CHOICES[name]}
        elif name == "redeal_limit":
            assert option == {"minimum": 0, "maximum": 99, "nullable": True}
        else:
            assert name == "bases"
            assert option == {}


@pytest.mark.parametrize("variant", PRESETS)
def test_the_options_shown_are_those_that_a_game_takes(client, variant):
    for name, option in get(client, f"/{variant}").json["options"].items():
        values = option.get("values", [option["default"]])
        if "minimum" in option:
            values = [option["minimum"], option["maximum"], None]
        for value in values:
            body = {"variant": variant, "seed": "a", "options": {name: value}}
            assert client.post("/v1/games", json=body).json["options"][name] == value


@pytest.mark.parametrize("variant", PRESETS)
def test_the_notation_is_that_of_the_family(client, variant):
    lines = get(client, f"/{variant}").json["move_notation"]
    texts = [line.partition(": ")[0] for line in lines]
    if variant == "calculation":
        assert texts == ["S>F2", "S>W3", "W3>F2", "Q"]
    else:
        assert texts == ["7>3", "7>F", "R", "U", "Q"]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("variant", PRESETS)
def test_the_text_states_the_variants_own_options(client, variant, language):
    shown = get(client, f"/{variant}", **{"Accept-Language": language}).json
    rules = shown["rules"]
    assert shown["language"] == language
    assert re.findall(r"^## (.*)$", rules, re.MULTILINE) == SECTIONS[language]
    if variant == "calculation":
        for row in (
            "1. A 2 3 4 5 6 7 8 9 T J Q K",
            "2. 2 4 6 8 T Q A 3 5 7 9 J K",
            "3. 3 6 9 Q 2 5 8 J A 4 7 T K",
            "4. 4 8 Q 3 7 J 2 6 T A 5 9 K",
        ):
            assert f"\n{row}\n" in rules
        assert re.search(r"AC, 2D, 3H (and|y) 4S", section(rules, language, 0))
        return
    for option in PRESETS[variant].items():
        place, words = STATED[language][option]
        assert re.search(words, section(rules, language, place)), option
    if PRESETS[variant]["deal"] == "by_pile":
        _, words = STATED[language]["deal", "by_round"]
        assert not re.search(words, section(rules, language, 0))


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_text_has_a_title_of_its_own_a_summary_and_the_moves(client, language):
    items = get(client, **{"Accept-Language": language}).json["items"]
    assert len({item["title"] for item in items}) == len(items)
    assert len({item["summary"] for item in items}) == len(items)
    for item in items:
        assert item["rules"].startswith(f"# {item['title']}\n\n")
        assert item["summary"] in " ".join(item["rules"].split())
        assert item["summary"].endswith(".")
        notation = section(item["rules"], language, 5)
        for line in item["move_notation"]:
            assert f"`{line.partition(': ')[0]}`" in notation


def test_the_example_of_the_rules_stands_where_a_redeal_is_special(client):
    for language in ("en", "es"):
        for variant, result in (
            ("ripple-fan", r"5C 2D 3S 5D (and|y) 9H KD 8C 4D"),
            ("cruel-pysol", r"4D 5C 9H 2D (and|y) KD 3S 8C 5D"),
        ):
            rules = get(client, f"/{variant}", **{"Accept-Language": language}).json["rules"]
            assert re.search(result, section(rules, language, 2))


# ---- languages ----


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("en", "en"),
        ("es", "es"),
        ("ES", "es"),
        ("es-MX", "es"),
        ("es-419", "es"),
        ("en-GB", "en"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("en-US,en;q=0.9,es;q=0.8", "en"),
        ("en;q=0.3, es;q=0.7", "es"),
        ("es;q=0.3, en;q=0.7", "en"),
        ("fr", "en"),
        ("fr, es;q=0.1", "es"),
        ("fr-CA, de;q=0.9, es-AR;q=0.2", "es"),
        ("es;q=0", "en"),
        ("ast, gl", "en"),
        ("estonian", "en"),
        ("x" * 5_000, "en"),
        (";;q=,", "en"),
    ],
)
def test_the_language_is_the_best_of_what_is_asked_for(client, wanted, language):
    headers = {} if wanted is None else {"Accept-Language": wanted}
    for path in ("", "/calculation"):
        reply = get(client, path, **headers)
        shown = reply.json if path else reply.json["items"][0]
        assert shown["language"] == language
        assert reply.headers["Content-Language"] == language
        assert reply.headers["Vary"] == "Accept-Language"
        assert (SECTIONS["es"][0] in shown["rules"]) == (language == "es")


# ---- caching ----


@pytest.mark.parametrize("path", ["", "/cruel"])
def test_the_texts_may_be_kept_for_an_hour_and_asked_for_again_by_etag(client, path):
    english, spanish = (get(client, path, **{"Accept-Language": lang}) for lang in ("en", "es"))
    assert english.headers["Cache-Control"] == "public, max-age=3600"
    assert english.headers["ETag"] != spanish.headers["ETag"]
    for first, language in ((english, "en"), (spanish, "es")):
        asked = {"If-None-Match": first.headers["ETag"], "Accept-Language": language}
        reply = client.get(f"/v1/variants{path}", headers=asked)
        assert reply.status_code == 304
        assert reply.data == b""
        assert reply.headers["ETag"] == first.headers["ETag"]
        assert reply.headers["Vary"] == "Accept-Language"
    asked = {"If-None-Match": english.headers["ETag"], "Accept-Language": "es"}
    assert client.get(f"/v1/variants{path}", headers=asked).status_code == 200


@pytest.mark.parametrize(
    "name", ["klondike", "Cruel", "CRUEL", "cruel%20", "%20", "%00", "..", "x" * 300]
)
def test_a_game_that_is_not_on_offer_is_not_found_and_those_that_are_named(client, name):
    reply = client.get(f"/v1/variants/{name}")
    assert_problem(reply, "not_found")
    # Those two are no name at all.
    if name not in ("..", "%00"):
        assert "limited-cruel" in reply.json["detail"]


def test_options_and_notation_are_told_in_both_languages(client):
    english = get(client, "", Accept_Language="en").json["items"]
    spanish = get(client, "", Accept_Language="es").json["items"]
    for one, other in zip(english, spanish, strict=True):
        assert one["options"].keys() == other["options"].keys()
        for name, option in one["options"].items():
            assert option["description"] != other["options"][name]["description"]
        moves = [[line.partition(": ")[0] for line in x["move_notation"]] for x in (one, other)]
        assert moves[0] == moves[1]
        assert one["move_notation"] != other["move_notation"]
