"""How the modules of the page hang together: what one imports is there, none leads to itself."""

import re
from graphlib import TopologicalSorter

import pytest

from tests.web.test_words import WEB, scripts

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
PASSED_ON = re.compile(r'^export \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
PAGE = re.compile(r'^  \[/.*/, "([^"]+)", "(\w+)"\],$', re.MULTILINE)


def exports(text):
    """Give the names that a module offers."""
    passed = [name.strip() for names, _ in PASSED_ON.findall(text) for name in names.split(",")]
    return {*EXPORT.findall(text), *passed}


def imports(path, text):
    """Give what a module imports: other modules, and the names from each."""
    for names, place in [*IMPORT.findall(text), *PASSED_ON.findall(text)]:
        wanted = {name.split(" as ")[0].strip() for name in names.split(",")} - {""}
        yield (path.parent / place).resolve(), wanted


@pytest.fixture(scope="module")
def modules():
    return {path.resolve(): text for path, text in scripts().items()}


def test_whatever_a_module_imports_is_there(modules):
    for path, text in modules.items():
        assert len(IMPORT.findall(text)) == len(re.findall(r"^import ", text, re.MULTILINE)), path
        for other, names in imports(path, text):
            assert other in modules, f"{path.relative_to(WEB)} imports {other.name}"
            assert names <= exports(modules[other]), path.relative_to(WEB)


def test_no_module_leads_back_to_itself(modules):
    ways = {path: [other for other, _ in imports(path, text)] for path, text in modules.items()}
    assert len(list(TopologicalSorter(ways).static_order())) == len(modules)


def test_the_module_of_every_page_is_there(modules):
    pages = PAGE.findall(modules[WEB.resolve() / "app.js"])
    assert len(pages) >= 10
    for name, shows in pages:
        assert shows in exports(modules[WEB.resolve() / name])
