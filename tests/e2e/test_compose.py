"""What ``compose.yaml`` says; ``make lint`` holds it to the schema of Compose.

What takes an engine is not shown here: that the images are there, and that PostgreSQL and Redis run
as confined as they stand.
"""

import re
from pathlib import Path

import pytest
import yaml

from service import gunicorn_conf
from service.config import SETTINGS, Config
from tests.e2e.dockerfile import PINNED

ROOT = Path(__file__).parents[2]
COMPOSE_YAML = (ROOT / "compose.yaml").read_text("utf-8")
COMPOSE = yaml.safe_load(COMPOSE_YAML)
SERVICES = COMPOSE["services"]
# What libpq reads, and no setting of ours.
OF_LIBPQ = {"PGPASSWORD"}


def settings_of(service):
    return {name for name in SERVICES[service].get("environment", {}) if name not in OF_LIBPQ}


def test_compose_sets_nothing_that_the_service_does_not_know():
    known = {variable for variable, _ in SETTINGS.values()}
    assert settings_of("web") | settings_of("migrate") <= known


def test_compose_gives_values_that_the_service_takes():
    for service in ("web", "migrate"):
        given = SERVICES[service]["environment"]
        config = Config.from_env({name: text for name, text in given.items() if text})
        assert config.url.host in SERVICES
        assert config.url.database == SERVICES["db"]["environment"]["POSTGRES_USER"]


def test_the_password_has_no_default_and_stands_nowhere():
    variables = re.findall(r"\$\{(.*?)\}", COMPOSE_YAML)
    assert len(variables) == 2
    assert all(variable.startswith("POSTGRES_PASSWORD:?") for variable in variables)
    assert SERVICES["db"]["environment"]["POSTGRES_PASSWORD"].startswith("${")
    assert SERVICES["web"]["environment"]["PGPASSWORD"].startswith("${")
    # The file that holds it is neither committed nor sent to a build.
    assert "/.env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


def test_the_schema_is_migrated_before_the_service_starts():
    assert SERVICES["web"]["depends_on"] == {
        "migrate": {"condition": "service_completed_successfully"},
        "redis": {"condition": "service_started"},
    }
    assert SERVICES["migrate"]["command"] == ["db", "upgrade"]
    assert SERVICES["migrate"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert SERVICES["migrate"]["environment"].items() <= SERVICES["web"]["environment"].items()


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_can_do_no_more_than_it_must(name):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert service.get("privileged") is None
    assert service.get("user") != "root"
    # Only the service can be reached, and only from this machine.
    assert ("ports" in service) == (name == "web")


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_comes_back_by_itself_and_is_watched(name):
    service = SERVICES[name]
    if name == "migrate":
        assert service["restart"] == "no"
        assert service["healthcheck"] == {"disable": True}
        return
    assert service["restart"] == "unless-stopped"
    assert ("healthcheck" in service) == ("build" not in service)


@pytest.mark.parametrize("name", ["db", "redis"])
def test_what_others_made_is_pinned_and_runs_as_its_own_user(name):
    assert PINNED.fullmatch(SERVICES[name]["image"])
    assert SERVICES[name]["user"] == {"db": "postgres", "redis": "redis"}[name]


def test_what_must_last_is_on_a_volume():
    (mount,) = SERVICES["db"]["volumes"]
    volume, _, folder = mount.partition(":")
    assert volume in COMPOSE["volumes"]
    assert folder == "/var/lib/postgresql/data"


def test_requests_under_way_end_before_the_container_is_killed():
    seconds = re.fullmatch(r"(\d+)s", SERVICES["web"]["stop_grace_period"])[1]
    assert int(seconds) > gunicorn_conf.graceful_timeout
