"""The documents: their programs run, their numbers are right, their links lead somewhere."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from service.api.errors import STATUSES
from service.app import create_app
from service.config import Config
from tests.naive.deals import opening, words
from tests.naive.golden import load, split_piles
from tests.naive.variants import cruel_options

ROOT = Path(__file__).resolve().parent.parent
DEALS_MD = (ROOT / "docs" / "deals.md").read_text("utf-8")
API_MD = (ROOT / "docs" / "api.md").read_text("utf-8")
DOCUMENTS = sorted(
    path
    for folder in (".", "docs", "service", "tests")
    for path in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fenced(text, language):
    return [body for name, body in FENCED.findall(text) if name == language]


# ---- the programs of docs/deals.md ----


def cases():
    """Give what to ask the programs, and the cards that they must print: a line for each pile."""
    found = {}
    for case in load("deals.json")["cases"]:
        for how, piles in case["cruel"].items():
            found[how, case["seed"]] = piles
        unnamed, *named = case["calculation"]
        found["calculation", case["seed"]] = [unnamed["stock"]]
        for start in named:
            found["calculation", case["seed"], *start["bases"].split()] = [start["stock"]]
    games = load("pysol_deals.json")["games"]
    for number in games["cruel"]:
        seed = f"pysol-{number}"
        found["by_round", seed] = games["cruel"][number]["rows"]
        found["calculation", seed] = [stock_of(games["calculation"][number])]
        found["calculation", seed, "AC", "2C", "3C", "4C"] = [stock_of(games["hopscotch"][number])]
    return found


def stock_of(deal):
    return " ".join([*deal["waste"].split(), *deal["talon"].split()[::-1]])


CASES = cases()
REFUSED = [
    (how, seed) for seed in load("deals.json")["refused"] for how in ("by_pile", "calculation")
]
REFUSED += [("by_hand", "semilla")]

# Runs the program once for each list of words, in one process, and prints what each gave.
DRIVER_JS = """
const [program] = process.argv.slice(2);
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const path = require.resolve(program);
process.exit = () => { throw new Error("exit"); };
console.error = () => {};
const write = console.log;
const answers = asked.map((words) => {
  const lines = [];
  console.log = (line) => lines.push(line);
  process.argv = ["node", program, ...words];
  delete require.cache[path];
  try { require(path); } catch (error) {
    if (error.message !== "exit") throw error;
    return null;
  }
  return lines;
});
write(JSON.stringify(answers));
"""


def run_python(asked):
    (program,) = fenced(DEALS_MD, "python")
    names = {"__name__": "deal", "__doc__": None}
    exec(compile(program, "deal.py", "exec"), names)  # noqa: S102 - it is the document under test
    answers = []
    for words_given in asked:
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            try:
                names["main"](*words_given)
            except SystemExit:
                answers.append(None)
                continue
        answers.append(written.getvalue().splitlines())
    return answers


def node():
    """Give the path of Node; without it there is nothing to run, save where all must be run."""
    found = shutil.which("node")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI runs the JavaScript of docs/deals.md, and needs node")
        pytest.skip("there is no node to run the JavaScript of docs/deals.md")
    return found


@pytest.fixture
def run_js(tmp_path):
    (program,) = fenced(DEALS_MD, "js")
    (tmp_path / "deal.js").write_text(program, "utf-8")
    (tmp_path / "driver.js").write_text(DRIVER_JS, "utf-8")

    def run(asked):
        command = [node(), "driver.js", "./deal.js"]
        result = subprocess.run(
            command,
            cwd=tmp_path,
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        return json.loads(result.stdout)

    return run


def test_the_python_program_gives_every_golden_deal():
    assert len(CASES) > 200
    assert run_python(CASES) == list(CASES.values())


def test_the_python_program_refuses_what_is_no_seed():
    assert run_python(REFUSED) == [None] * len(REFUSED)


def test_the_javascript_program_gives_every_golden_deal(run_js):
    assert run_js(list(CASES)) == list(CASES.values())


def test_the_javascript_program_refuses_what_is_no_seed(run_js):
    assert run_js(REFUSED) == [None] * len(REFUSED)


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_programs_run_as_the_document_says(tmp_path, language):
    (program,) = fenced(DEALS_MD, language)
    file = "deal.py" if language == "python" else "deal.js"
    command = [sys.executable, file] if language == "python" else [node(), file]
    assert f"{'python' if language == 'python' else 'node'} {file} by_pile|by_round" in program
    (tmp_path / file).write_text(program, "utf-8")
    result = subprocess.run(
        [*command, "by_pile", "semilla"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert result.stdout.splitlines() == CASES["by_pile", "semilla"]
    wrong = subprocess.run(
        [*command, "by_pile", "-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (wrong.returncode, wrong.stdout) == (1, "")


# ---- the numbers of docs/deals.md ----


def printed():
    """Give what the console blocks show: the words of each command, and its lines."""
    found = {}
    for block in fenced(DEALS_MD, "console"):
        for entry in block.split("$ python deal.py ")[1:]:
            command, *lines = entry.splitlines()
            found[tuple(command.split())] = lines
    return found


def test_the_vectors_of_the_document_are_what_the_other_engine_deals():
    assert len(printed()) > 15
    for (how, seed, *bases), lines in printed().items():
        if how == "calculation":
            options = {"bases": bases} if bases else {}
            dealt = [" ".join(opening("calculation", options, seed)["stock"])]
        else:
            piles = opening("cruel", cruel_options(deal=how), seed)["piles"]
            dealt = [" ".join(pile) for pile in piles]
        assert lines == dealt, (how, seed)


def test_the_vectors_of_the_document_are_what_its_program_prints():
    assert run_python(printed()) == list(printed().values())


def test_the_words_of_the_worked_examples_are_right():
    rows = re.findall(
        r"^\| `([0-9a-f]{8})` \| (\d+) \| (\d+) \| (\d+) \| (\d*) \|", DEALS_MD, re.MULTILINE
    )
    assert len(rows) >= 10
    for word, number, i, bound, j in rows:
        assert int(word, 16) == int(number)
        assert int(bound) == 2**32 - 2**32 % (int(i) + 1)
        assert (int(number) % (int(i) + 1) if int(number) < int(bound) else "") == (
            int(j) if j else ""
        )
    known = [f"{word:08x}" for word, _ in zip(words("semilla"), range(48), strict=False)]
    rejected = [
        f"{word:08x}" for word, _ in zip(words("rejected-4544765"), range(17), strict=False)
    ]
    assert {row[0] for row in rows} <= {*known, *rejected[12:]}
    blocks = re.findall(r"^block \d+ +(.*)$", DEALS_MD, re.MULTILINE)
    shown = " ".join(blocks).split()
    assert shown == known[: len(shown)]


def test_the_bases_that_the_document_names_are_pysols():
    games = load("pysol_deals.json")["games"]["calculation"]
    text = " ".join(DEALS_MD.split())
    for number in ("1", "32000", "ms4294967296"):
        assert f"`{' '.join(games[number]['foundations'])}`" in text


def test_every_golden_deal_of_pysol_is_among_the_cases():
    for number, board in load("pysol_deals.json")["games"]["cruel"].items():
        assert split_piles(CASES["by_round", f"pysol-{number}"]) == split_piles(board["rows"])


# ---- the guide to the API ----


def test_the_guide_lists_every_code_with_its_status():
    table = API_MD.partition("| status | codes |")[2]
    rows = re.findall(r"^\| (\d{3}) \| (.*) \|$", table, re.MULTILINE)
    listed = {code: int(status) for status, codes in rows for code in re.findall("`(.+?)`", codes)}
    assert listed == STATUSES


def test_the_guide_lists_every_route(tmp_path):
    app = create_app(Config(data=tmp_path))
    routes = {
        f"{verb} {re.sub('<(.*?)>', '{}', rule.rule.removeprefix('/v1'))}"
        for rule in app.url_map.iter_rules()
        for verb in rule.methods - {"HEAD", "OPTIONS"}
        if not rule.endpoint.startswith(("docs.", "pages."))
    }
    table = API_MD.partition("| verb and path |")[2].partition("\n\n")[0]
    listed = set()
    for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        first, *others = re.findall("`(.+?)`", re.sub(r"\{.*?\}", "{}", cell.partition(" (")[0]))
        listed.add(first)
        # Beside a path stands another one, or what its last part is there.
        verb, _, path = first.partition(" ")
        for other in others:
            both = {f"{verb} {other}", f"{verb} {path.rpartition('/')[0]}{other}"}
            listed |= both & routes or both
    assert listed == routes
    app.extensions["semilla"].db.dispose()


# ---- every document ----


def bare(text):
    """Give a document without its code, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))


def anchors(path):
    """Give the anchors of a document's headings, as the usual viewers make them."""
    text = FENCED.sub("", path.read_text("utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


def test_there_are_documents():
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/api.md", "docs/deals.md"):
        assert name in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_relative_link_leads_to_a_file_and_a_heading(name):
    path = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", bare(path.read_text("utf-8"))):
        if re.match("[a-z]+:", target):
            continue
        file, _, anchor = unquote(target).partition("#")
        to = (path.parent / file).resolve() if file else path
        assert to.exists(), target
        assert to.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(to), target


@pytest.mark.parametrize("name", NAMES)
def test_every_fenced_json_can_be_read(name):
    text = (ROOT / name).read_text("utf-8")
    indented = re.findall(r"^    \{.*\n(?:^    .*\n)*", FENCED.sub("", text), re.MULTILINE)
    for block in [*fenced(text, "json"), *indented]:
        json.loads(block)


@pytest.mark.parametrize("name", NAMES)
def test_every_fence_is_closed(name):
    text = (ROOT / name).read_text("utf-8")
    assert len(re.findall("^```", text, re.MULTILINE)) == 2 * len(FENCED.findall(text))
