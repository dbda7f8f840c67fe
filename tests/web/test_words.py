"""What the page says: in both languages, for every error, and nothing that it has no words for."""

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from service.api.errors import STATUSES
from service.api.page_texts import TEXTS
from service.rules.family import REASONS, Status

WEB = Path(str(resources.files("service.web")))
LANGUAGES = ("en", "es")
# Keys that are put together from parts: what stands before the part.
COMPOSED = re.compile(r"\bt\(\s*`([a-z.]+)\$\{")


def words(language):
    text = (WEB / "i18n" / f"{language}.js").read_text("utf-8")
    return json.loads(text.partition("export default ")[2].rstrip().removesuffix(";"))


def scripts():
    return {path: path.read_text("utf-8") for path in WEB.rglob("*.js") if "i18n" not in path.parts}


def test_both_languages_have_the_same_words_for_the_same_things():
    english, spanish = map(words, LANGUAGES)
    assert list(english) == list(spanish)
    for key, text in english.items():
        assert text.strip() == text != "", key
        holes = [sorted(re.findall(r"\{(\w+)\}", each[key])) for each in (english, spanish)]
        assert holes[0] == holes[1], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_sentence_for_every_error_reason_and_end(language):
    known = words(language)
    assert {key[6:] for key in known if key.startswith("error.")} == set(STATUSES)
    assert {key[7:] for key in known if key.startswith("reason.")} == {*REASONS, "none"}
    assert {f"end.{status}" for status in Status if status != "in_progress"} <= set(known)


def test_every_word_that_the_page_uses_is_there_and_none_is_left_over():
    known = set(words("en"))
    used, beginnings = set(), {"error.", "reason.", "rank.", "suit."}
    for text in scripts().values():
        used |= set(re.findall(r'"([a-z]+(?:\.[a-zA-Z]+)*)"', text)) & known
        called = re.findall(r'\bt\(\s*"([^"]+)"', text)
        assert set(called) <= known
        for key in re.findall(r'\bcount\(\s*"([^"]+)"', text):
            assert {f"{key}.one", f"{key}.other"} <= known
            used |= {f"{key}.one", f"{key}.other"}
        beginnings |= set(COMPOSED.findall(text))
    left = {key for key in known - used if not key.startswith(tuple(beginnings))}
    assert left == set()


def test_the_previews_of_links_have_the_same_words_too():
    english, spanish = TEXTS["en"], TEXTS["es"]
    assert english.keys() == spanish.keys()
    assert set(Status) <= english.keys()
    assert all(english[key] != spanish[key] for key in english.keys() - {"seed"})


def test_the_page_speaks_spanish_to_whoever_reads_it(sit):
    table = sit(locale="es-AR")
    table.open()
    assert table.page.locator("html").get_attribute("lang") == "es"
    assert table.page.locator("h1").inner_text() == "Solitarios, de una semilla"
    table.page.fill("[name=seed]", "32")
    table.page.get_by_role("button", name="Repartir").click()
    table.wait_for_board()
    table.drag_between("P9", "P2")
    assert table.page.locator(".note").inner_text() == "Las pilas se forman del mismo palo."
    assert table.zone("P3").get_attribute("aria-label").startswith("Pila 3: 2 de diamantes.")
    table.page.get_by_role("button", name="Reglas").click()
    # The rules come from the service, in the same language.
    assert "Redistribución" in table.page.get_by_role("dialog").inner_text()


def test_the_language_can_be_changed_and_stays(sit):
    table = sit()
    table.deal("cruel", "32")
    before = table.seen()
    table.page.get_by_role("button", name="Español").click()
    table.page.get_by_role("button", name="Deshacer").wait_for()
    assert table.seen() == before
    table.page.reload()
    table.page.get_by_role("button", name="Deshacer").wait_for()
    table.page.get_by_role("button", name="English").click()
    table.page.get_by_role("button", name="Undo").wait_for()
