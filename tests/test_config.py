"""The configuration: every setting, its default, what it takes, and all faults at once."""

import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from service.config import SETTINGS, Config, ConfigError

OPERATIONS = Path(__file__).resolve().parent.parent / "docs" / "operations.md"

# For each variable: texts that it takes with their values, and texts that it refuses.
TAKEN = {
    "SEMILLA_DATA": [
        ("/srv/games", Path("/srv/games")),
        ("here", Path("here")),
        ("a b", Path("a b")),
    ],
    "DATABASE_URL": [
        (url, url)
        for url in (
            "sqlite:///games.db",
            "sqlite:////srv/games.db",
            "sqlite+pysqlite:///games.db",
            "postgresql+psycopg://games:word@db.example.org:5433/games",
            "postgresql+psycopg://games@db/games?sslmode=require",
        )
    ]
    + [
        (f"{scheme}://games:wo%2Frd@db/games", "postgresql+psycopg://games:wo%2Frd@db/games")
        for scheme in ("postgresql", "postgres")
    ],
    "DATABASE_POOL_SIZE": [("1", 1), ("1000", 1_000), ("0", 0)],
    "SQLITE_SYNCHRONOUS": [("FULL", "FULL"), ("NORMAL", "NORMAL")],
    "HOST": [("0.0.0.0", "0.0.0.0"), ("localhost", "localhost")],  # noqa: S104 - only a text here
    "PORT": [("0", 0), ("1", 1), ("8000", 8000), ("65535", 65_535), ("08", 8)],
    "PUBLIC_URL": [
        ("https://example.org", "https://example.org"),
        ("https://example.org/", "https://example.org"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://example.org/play", "https://example.org/play"),
        ("https://example.org/play/", "https://example.org/play"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
    "WEB_CONCURRENCY": [("1", 1), ("256", 256)],
    "SEMILLA_THREADS": [("1", 1), ("64", 64)],
    "MAX_BODY_BYTES": [("1024", 1_024), ("67108864", 67_108_864)],
    "RATE_LIMIT_ADDRESS": [("0", 0), ("1", 1), ("600", 600), ("1000000", 1_000_000)],
    "RATE_LIMIT_CREATE": [("0", 0), ("1", 1), ("120", 120), ("1000000", 1_000_000)],
    "RATE_LIMIT_PLAYER": [("0", 0), ("1", 1), ("600", 600), ("1000000", 1_000_000)],
    "RATE_LIMIT_REGISTER": [("0", 0), ("1", 1), ("20", 20), ("1000000", 1_000_000)],
    "REDIS_URL": [
        (url, url)
        for url in (
            "redis://localhost",
            "redis://localhost/",
            "redis://localhost:6379/0",
            "redis://redis.example.org:1/15",
            "redis://:word@127.0.0.1:65535",
            "redis://user:w@rd:x@cache_1/2",
            "redis://[::1]:6379/0",
            "rediss://user:word@redis.example.org:6380",
        )
    ],
    "TRUSTED_PROXIES": [("0", 0), ("1", 1), ("16", 16)],
    "METRICS_TOKEN": [("Wachtwoord-1", "Wachtwoord-1")],
    "SOLVER_MAX_MS": [("1", 1), ("500", 500), ("10000", 10_000)],
    "PRUNE_AFTER_DAYS": [("2", 2), ("90", 90), ("36500", 36_500)],
    "LOG_LEVEL": [(word, word) for word in ("debug", "info", "warning", "error")],
}
NO_NUMBERS = ["-1", "+1", "1.0", "1e3", "0x10", " 1", "1 ", "1_000", "one", "١", "9" * 13, "true"]
REFUSED = {
    "SEMILLA_DATA": [],
    "DATABASE_URL": [
        "games.db",
        "sqlite:games.db",
        "sqlite://",
        "sqlite://host/games.db",
        "sqlite:///games.db?timeout=abc",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:games.db",
        "sqlite:///a%00b.db",
        "sqlite:///",
        "postgresql://localhost",
        "postgresql://localhost/",
        "postgresql+asyncpg://localhost/games",
        "postgresql+psycopg2://localhost/games",
        "postgresql://games:wo@rd@localhost/games",
        "postgresql://localhost/games?sslmod=require",
        "postgresql://user:word@host:port/games",
        "mysql://localhost/games",
        "sqlite+aiosqlite:///games.db",
        "://",
        " ",
    ],
    "DATABASE_POOL_SIZE": [*NO_NUMBERS, "1001"],
    "SQLITE_SYNCHRONOUS": ["full", "OFF", "EXTRA", "2", "FULL "],
    "HOST": [],
    "METRICS_TOKEN": ["two words", "pä", " x", "x\n"],
    "PORT": [*NO_NUMBERS, "65536", "http"],
    "PUBLIC_URL": [
        "example.org",
        "ftp://example.org",
        "https://",
        "https:///play",
        "https://example.org?x=1",
        "https://example.org/play?x=1",
        "https://example.org/#top",
        "https://exa mple.org",
        "HTTPS//example.org",
        "javascript:alert(1)",
    ],
    "WEB_CONCURRENCY": [*NO_NUMBERS, "0", "257"],
    "SEMILLA_THREADS": [*NO_NUMBERS, "0", "65"],
    "MAX_BODY_BYTES": [*NO_NUMBERS, "0", "1023", "67108865", "64K"],
    "RATE_LIMIT_ADDRESS": [*NO_NUMBERS, "1000001", "600/minute"],
    "RATE_LIMIT_CREATE": [*NO_NUMBERS, "1000001"],
    "RATE_LIMIT_PLAYER": [*NO_NUMBERS, "1000001"],
    "RATE_LIMIT_REGISTER": [*NO_NUMBERS, "1000001"],
    "REDIS_URL": [
        "localhost",
        "localhost:6379",
        "redis:localhost",
        "redis:/localhost",
        "redis://",
        "redis://:6379",
        "redis://user@",
        "redis://localhost:0",
        "redis://localhost:65536",
        "redis://localhost:port",
        "redis://localhost/games",
        "redis://localhost/0/1",
        "redis://localhost/0?socket_timeout=x",
        "redis://local host",
        "redis://a..b",
        f"redis://{'a' * 64}",
        "redis://[::1",
        "redis://localhost\n",
        "http://localhost:6379",
        "memcached://localhost",
        "unix:///run/redis.sock",
        "://",
        " ",
    ],
    "SOLVER_MAX_MS": [*NO_NUMBERS, "0", "10001"],
    "PRUNE_AFTER_DAYS": [*NO_NUMBERS, "0", "1", "36501"],
    "TRUSTED_PROXIES": [*NO_NUMBERS, "17", "10.0.0.1"],
    "LOG_LEVEL": ["INFO", "trace", "20", "info "],
}
FIELDS = {variable: name for name, (variable, _) in SETTINGS.items()}


def read(**environ):
    return Config.from_env(environ)


def faults(**environ):
    with pytest.raises(ConfigError) as caught:
        Config.from_env(environ)
    return caught.value.faults


def test_every_field_is_a_setting_and_every_setting_is_tried_here():
    assert [field.name for field in fields(Config)] == list(SETTINGS)
    assert len(FIELDS) == len(SETTINGS)
    assert TAKEN.keys() == REFUSED.keys() == FIELDS.keys()


def test_the_defaults_serve_the_embedded_database_on_the_loopback():
    config = read()
    assert config == Config()
    assert (config.host, config.port) == ("127.0.0.1", 8000)
    assert config.max_body_bytes == 64 * 1024
    assert config.embedded
    assert str(config.url) == "sqlite:///data/semilla.db"


@pytest.mark.parametrize("variable", TAKEN)
def test_a_setting_takes_what_makes_sense_and_changes_no_other(variable):
    for text, value in TAKEN[variable]:
        config = read(**{variable: text})
        changed = {
            field.name: getattr(config, field.name)
            for field in fields(Config)
            if getattr(config, field.name) != getattr(Config(), field.name)
        }
        default = getattr(Config(), FIELDS[variable])
        assert changed == ({} if value == default else {FIELDS[variable]: value})


@pytest.mark.parametrize("variable", REFUSED)
def test_a_setting_refuses_what_makes_none_in_one_line_that_says_what_it_takes(variable):
    for text in REFUSED[variable]:
        (line,) = faults(**{variable: text})
        assert line.startswith(f"{variable} is ")
        assert ", and must be " in line
        assert "invalid literal" not in line
        assert "\n" not in line


@pytest.mark.parametrize("variable", FIELDS)
def test_an_empty_variable_is_an_unset_one(variable):
    assert read(**{variable: ""}) == Config()


def test_all_faults_are_told_at_once_in_the_order_of_the_settings():
    wrong = {variable: texts[0] for variable, texts in REFUSED.items() if texts}
    found = faults(**wrong, SEMILLA_DATA="/srv")
    assert [line.split()[0] for line in found] == [name for name in FIELDS if name in wrong]
    error = ConfigError(found)
    assert str(error).splitlines() == found


def test_a_line_break_in_a_value_makes_no_second_line():
    (line,) = faults(PORT="80\n80")
    assert "\n" not in line


@pytest.mark.parametrize(
    "url",
    [
        "mysql://games:hunter2@db.example.org/games",
        "mysql://games:hunter2/3@db.example.org/games",
        "mysql://db.example.org/games?user=games&password=hunter2",
        "mysql://games:hunter2\n@db.example.org/games",
        "host=db password=hunter2 dbname=games",
        "postgresql:games:hunter2@db/games",
        "postgresql://games:hunter2",
        "games:hunter2@db:5432/games",
    ],
)
def test_a_password_in_a_url_is_not_repeated(url):
    (line,) = faults(DATABASE_URL=url)
    assert line.startswith("DATABASE_URL is wrong, and must be the URL of ")
    assert "hunter2" not in line


def test_postgresql_needs_its_extra(monkeypatch):
    monkeypatch.setattr("service.config.find_spec", lambda _name: None)
    (line,) = faults(DATABASE_URL="postgresql://games:hunter2@db/games")
    assert "make serve EXTRAS=postgres" in line
    assert "pip install '.[postgres]'" in line
    assert "hunter2" not in line


def test_redis_needs_its_extra(monkeypatch):
    monkeypatch.setattr("service.config.find_spec", lambda _name: None)
    (line,) = faults(REDIS_URL="redis://:hunter2@localhost:6379/0")
    assert "make serve EXTRAS=redis" in line
    assert "pip install '.[redis]'" in line
    assert "hunter2" not in line


@pytest.mark.parametrize(
    "text",
    [
        "redis://:hunter2@host:port",
        "redis://user:hunter2@host/0?x=hunter2",
        "redis://user:hunter2@",
        "redis://user:hunter2",
        "redis:/:hunter2@host",
        "redis://:hunt/hunter2@host",
        "user:hunter2@host",
        "hunter2",
    ],
)
def test_a_redis_url_may_be_as_wrong_as_it_likes_its_password_is_not_shown(text):
    (line,) = faults(REDIS_URL=text)
    assert "hunter2" not in line


def test_variables_that_are_no_settings_are_not_looked_at():
    assert read(PATH="/bin", DATA="x", port="1", SEMILLA_PORT="1") == Config()


def test_a_configuration_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Config().port = 1


def test_the_embedded_database_lies_in_the_data_folder():
    assert str(read(SEMILLA_DATA="/srv/games").url) == "sqlite:////srv/games/semilla.db"
    assert str(read(SEMILLA_DATA="here").url) == "sqlite:///here/semilla.db"


def test_a_database_of_ones_own_is_not_the_embedded_one():
    config = read(DATABASE_URL="sqlite:////srv/games.db", SEMILLA_DATA="/elsewhere")
    assert str(config.url) == "sqlite:////srv/games.db"
    assert not config.embedded


def table_rows():
    """Give the table of the operations guide by variable: its other cells."""
    rows = {}
    for line in OPERATIONS.read_text("utf-8").splitlines():
        row = re.fullmatch(r"\| `([A-Z_]+)` \|(.*)\|(.*)\|", line)
        if row:
            rows[row[1]] = (row[2].strip().strip("`"), row[3].strip())
    return rows


def test_the_readme_documents_every_setting_and_no_other():
    rows = table_rows()
    assert rows.keys() == FIELDS.keys()
    assert all(meaning for _, meaning in rows.values())


def test_the_readme_has_every_default_right():
    for variable, (written, _) in table_rows().items():
        default = getattr(Config(), FIELDS[variable])
        if isinstance(default, Path):
            assert Path(written) == default
        else:
            assert written == str(default)
