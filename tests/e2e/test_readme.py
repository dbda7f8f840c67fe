from pathlib import Path

import pytest

from tests.e2e.sessions import Step, normalised, replay
from tests.servers import running_server

README = Path(__file__).parents[2] / "README.md"
SAMPLE = """\
# A sample

    $ this is no session

```console
$ URL=http://127.0.0.1:8000/v1
$ game() { curl -s $URL/games --json "$1" | tee game.json | \\
>   tr , '\\n' | grep -E '"(id|seed|token|started_at)"'; }
$ game '{"seed": "7"}'
{"id":"01m8mw7qhamv96356tqghkqsrr"
"seed":"7"
"started_at":"2026-11-30T00:03:52.057Z"
"token":"sg_OsQldcphqxzFuSkhR88XTqPnHyyvgvRjyLF2vDY5c8c"}
```

Text between.

```sh
not run
```

```console
$ ls; printf 'no newline'
game.json
no newline
$ printf 'a\\n\\nb\\n'
a

b
$ sed 's/.*"id":"\\([^"]*\\).*/\\1/' game.json; game '{}' | sed 1q
01m8mw7qhamv96356tqghkqsrr
{"id":"01m8mw7qksgp1z1n95fe1g20rc"
$ echo $URL; cat none
http://127.0.0.1:8000/v1
cat: none: No such file or directory
```
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("readme")) as url:
        yield url


def test_the_session_of_the_readme_goes_as_it_says(url, tmp_path):
    shown, happened = replay(README.read_text("utf-8"), url, tmp_path)
    commands = "\n".join(step.command for step in shown)
    assert commands.count("curl ") > 2
    assert any("Status   won" in step.output for step in shown)
    for step, other in zip(shown, happened, strict=True):
        assert other.output == step.output, step.command


def test_a_sample_session_goes_as_it_says(url, tmp_path):
    shown, happened = replay(SAMPLE, url, tmp_path)
    assert len(shown) == 7
    assert shown == happened


@pytest.mark.parametrize(
    ("right", "wrong", "index"),
    [
        ('"seed":"7"', '"seed":"8"', 2),
        ("\na\n\nb\n", "\na\nb\n", 4),
        ("\n01m8mw7qhamv96356tqghkqsrr\n", "\n01m8mw7qksgp1z1n95fe1g20rc\n", 5),
        ("cat: none: No such file or directory\n", "", 6),
    ],
)
def test_a_sample_that_says_something_else_is_found_out(right, wrong, index, url, tmp_path):
    assert SAMPLE.count(right) == 1
    shown, happened = replay(SAMPLE.replace(right, wrong), url, tmp_path)
    different = [n for n, (a, b) in enumerate(zip(shown, happened, strict=True)) if a != b]
    assert index in different


def test_what_differs_from_run_to_run_is_put_into_words():
    output = (
        '{"id":"01m8mw7qhamv96356tqghkqsrr","seed":"00112233445566778899aabbccddeeff","ply":3,'
        '"elapsed_ms":1234,"now":"2026-11-30T00:03:52.057Z"}\n'
        "TOKEN=sg_OsQldcphqxzFuSkhR88XTqPnHyyvgvRjyLF2vDY5c8c\n"
        '{"code":"not_found","request_id":"f3ee1d996f66ae6e"}\n'
        "moves: 7>3@1520 R@2040\n"
        "X-Request-ID: f3ee1d996f66ae6e\n\n"
    )
    assert normalised([Step("x", output)]) == [
        Step(
            "x",
            '{"id":"<id 1>","seed":"<seed 1>","ply":3,"elapsed_ms":<ms>,"now":"<instant>"}\n'
            "TOKEN=<token 1>\n"
            '{"code":"not_found","request_id":"<request>"}\n'
            "moves: 7>3@<ms> R@<ms>\n"
            "X-Request-ID: <changing>",
        )
    ]
