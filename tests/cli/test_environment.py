import pytest

from tests.cli.operating import complaint, invoke

FAULTS = [
    ("DATABASE_URL", "semilla.db", "the URL of an SQLite file ("),
    ("DATABASE_URL", "mysql://localhost/semilla", "the URL of an SQLite file ("),
    ("DATABASE_URL", "sqlite://", "the URL of an SQLite file ("),
    ("DATABASE_URL", "sqlite:///:memory:", "the URL of an SQLite file ("),
    ("DATABASE_POOL_SIZE", "1001", "a whole number from 0 to 1000"),
    ("SQLITE_SYNCHRONOUS", "OFF", "one of FULL, NORMAL"),
    ("PORT", "http", "a whole number from 0 to 65535"),
    ("PORT", "65536", "a whole number from 0 to 65535"),
    ("PORT", "-1", "a whole number from 0 to 65535"),
    ("PUBLIC_URL", "play.example.org", "an http or https URL without query"),
    ("WEB_CONCURRENCY", "0", "a whole number from 1 to 256"),
    ("WEB_CONCURRENCY", "two", "a whole number from 1 to 256"),
    ("SEMILLA_THREADS", "65", "a whole number from 1 to 64"),
    ("MAX_BODY_BYTES", "64k", "a whole number from 1024 to 67108864"),
    ("MAX_BODY_BYTES", "٦٥٥٣٦", "a whole number from 1024 to 67108864"),
    ("PRUNE_AFTER_DAYS", "1", "a whole number from 2 to 36500"),
    ("SOLVER_MAX_MS", "10001", "a whole number from 1 to 10000"),
    ("LOG_LEVEL", "INFO", "one of debug, info, warning, error"),
]
COMMANDS = [["serve"], ["db", "upgrade"], ["db", "check"], ["verify-games"]]
COMMANDS += [["prune"]]
COMMANDS += [["player", "token", "ana"], ["player", "disable", "ana"]]


@pytest.mark.parametrize(("variable", "text", "wanted"), FAULTS)
def test_a_faulty_setting_is_named_with_what_it_must_be(variable, text, wanted, tmp_path):
    settings = {"SEMILLA_DATA": str(tmp_path / "data"), variable: text}
    line = complaint("db", "upgrade", **settings)
    # What is no URL may hold a password anywhere.
    shown = "wrong" if variable == "DATABASE_URL" else repr(text)
    assert line.startswith(f"Error: {variable} is {shown}, and must be {wanted}")


def test_the_query_of_a_url_is_not_shown():
    line = complaint("db", "upgrade", PUBLIC_URL="https://play.example.org/?a=b")
    shown = "https://play.example.org/?…"
    assert line == f"Error: PUBLIC_URL is {shown!r}, and must be an http or https URL without query"


@pytest.mark.parametrize("words", COMMANDS)
def test_every_fault_has_its_line_and_nothing_is_started(words, tmp_path):
    settings = {"SEMILLA_DATA": str(tmp_path / "data"), "PORT": "x", "LOG_LEVEL": "y"}
    result = invoke(*words, code=1, **settings)
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "Error: PORT is 'x', and must be a whole number from 0 to 65535",
        "LOG_LEVEL is 'y', and must be one of debug, info, warning, error",
    ]
    assert list(tmp_path.iterdir()) == []


def test_the_embedded_database_stands_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    invoke("db", "upgrade")
    assert [file.name for file in tmp_path.glob("*/*.db")] == ["semilla.db"]
    assert (tmp_path / "data" / "semilla.db").is_file()


@pytest.mark.parametrize("name", ["a/b/c", "with space", "100%41", "what?", "a#b", "ñandú"])
def test_the_data_folder_may_have_any_name_and_is_made(name, tmp_path):
    invoke("db", "upgrade", SEMILLA_DATA=str(tmp_path / name))
    assert (tmp_path / name / "semilla.db").is_file()
    assert len(list(tmp_path.iterdir())) == 1


def test_the_database_may_be_another_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    relative = {"DATABASE_URL": "sqlite:///games.db", "SEMILLA_DATA": "unused"}
    invoke("db", "upgrade", **relative)
    assert (tmp_path / "games.db").is_file()
    assert not (tmp_path / "unused").exists()
    absolute = {"DATABASE_URL": f"sqlite:///{tmp_path / 'games.db'}"}
    assert "as this release needs it" in invoke("db", "check", **absolute).stdout


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_a_data_folder_that_cannot_be_made_is_told_in_one_line(words, folder, tmp_path):
    (tmp_path / "file").write_text("a file", "utf-8")
    line = complaint(*words, SEMILLA_DATA=str(tmp_path / folder))
    assert line.startswith(f"Error: cannot use the data folder {tmp_path / folder}: ")


@pytest.mark.parametrize("words", COMMANDS)
def test_a_data_folder_that_takes_no_database_is_told_in_one_line(words, tmp_path):
    (tmp_path / "semilla.db").mkdir()
    line = complaint(*words, SEMILLA_DATA=str(tmp_path))
    assert line == f"Error: sqlite:///{tmp_path}/semilla.db: unable to open database file"


@pytest.mark.parametrize("words", COMMANDS[1:])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "unable to open database file"),
        ("none/games.db", "unable to open database file"),
        ("letter.txt", "file is not a database"),
    ],
)
def test_a_database_url_that_leads_to_none_is_told_in_one_line(words, name, message, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam, " * 100, "utf-8")
    url = f"sqlite:///{tmp_path / name}"
    assert complaint(*words, DATABASE_URL=url) == f"Error: {url}: {message}"
