# Needs GNU make and Python 3.11 or later with venv. Everything is installed into .venv, nothing elsewhere.
PYTHON ?= python3
# How many tests run at once: a number, or auto for one per core.
WORKERS ?= auto

VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check
# What is compiled is kept beside the code: else the first server would do it.
WARM_UP = echo "Compiling the solver ..." && $(BIN)/python -c 'import service.solver as s; s.warm_up()'
OPENAPI = service/api/openapi.yaml
VIEWER = service/api/viewer

.PHONY: help serve extras test lint format slow bench openapi viewer clean

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sort | awk -F '\t' '{printf "make %-8s %s\n", $$1, $$2}'

# With PostgreSQL and Redis: make serve EXTRAS=postgres,redis
serve: $(VENV)/serve.stamp $(if $(EXTRAS),extras) ## run the service; HOST and PORT say where (127.0.0.1, 8000)
	@exec $(BIN)/semilla serve

test: lint ## lint, then all tests but the slow ones, then how much of the code they ran
	$(BIN)/pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --cov --cov-report=
	$(BIN)/coverage report --fail-under=100 --include='service/rules/*'
	$(BIN)/coverage report --fail-under=100 --include='service/usecases/*'
	$(BIN)/coverage report --fail-under=100 --include='service/solver/*'
	$(BIN)/coverage report --fail-under=95

lint: $(VENV)/test.stamp ## style, types, imports, Dockerfile and compose.yaml
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yaml
	@$(BIN)/python -c "$$CHECK_PACKAGES"

format: $(VENV)/test.stamp ## format the code and mend what can be mended by itself
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

slow: $(VENV)/test.stamp ## the tests marked slow
	$(BIN)/pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile -m slow

# A PostgreSQL server to measure too: make bench POSTGRES=postgresql+psycopg://user@host/database
bench: $(VENV)/test.stamp ## measure how fast it is, as in docs/performance.md; POSTGRES names a server
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.solver --quick
	$(BIN)/python -m bench.calculation_solver
	$(BIN)/python -m bench.beside
	$(BIN)/python -m bench.http $(if $(POSTGRES),--postgres '$(POSTGRES)')
	$(BIN)/python -m bench.growth $(if $(POSTGRES),--postgres '$(POSTGRES)')
	$(BIN)/python -m bench.leaderboards $(if $(POSTGRES),--postgres '$(POSTGRES)')

openapi: $(VENV)/test.stamp ## write openapi.yaml anew from the code
	$(BIN)/python -m tests.contract.document > $(OPENAPI).new
	mv $(OPENAPI).new $(OPENAPI)

# The newest 5.x, or the one asked for: make viewer VIEWER_VERSION=5.35.0
VIEWER_VERSION ?= ^5
VIEWER_FILES = LICENSE NOTICE favicon-32x32.png swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt swagger-ui.css
viewer: ## vendor the viewer of the API reference anew (needs npm)
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	npm pack --silent --pack-destination "$$tmp" 'swagger-ui-dist@$(VIEWER_VERSION)'; \
	tar -xzf "$$tmp"/swagger-ui-dist-*.tgz -C "$$tmp"; \
	for file in $(VIEWER_FILES); do install -m 644 "$$tmp/package/$$file" $(VIEWER)/; done; \
	version=$$(sed -n 's/^  "version": "\(.*\)",$$/\1/p' "$$tmp/package/package.json"); \
	sed -i "s/^- Version: .*/- Version: $$version/" $(VIEWER)/README.md

clean: ## remove all that these commands made, but not data/
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache .schemathesis
	find service migrations tests bench -name __pycache__ -prune -exec rm -rf {} +

# A stamp is as old as the last installation; its package is editable, so only these two files call for another.
# pip is the last thing that venv makes: where it is missing, the environment is half made and made anew.
$(BIN)/pip:
	$(PYTHON) -m venv --clear $(VENV)

extras: $(VENV)/serve.stamp
	@$(PIP) install --quiet --editable '.[solver,$(EXTRAS)]'

$(VENV)/serve.stamp: setup.cfg pyproject.toml | $(BIN)/pip
	@echo "Installing into $(VENV) ..."
	@$(PIP) install --quiet --editable '.[solver]'
	@$(WARM_UP)
	@touch $@

$(VENV)/test.stamp: setup.cfg pyproject.toml | $(BIN)/pip
	@echo "Installing into $(VENV), with what the tests need ..."
	@$(PIP) install --quiet --editable '.[test]'
	@$(WARM_UP)
	@touch $@ $(VENV)/serve.stamp

# setup.cfg lists the packages by hand.
define CHECK_PACKAGES
import configparser, pathlib
config = configparser.ConfigParser()
config.read("setup.cfg")
listed = set(config["options"]["packages"].split())
modules = [m for top in ("service", "migrations") for m in pathlib.Path(top).rglob("*.py")]
there = {".".join(m.parent.parts).replace("migrations", "service.migrations", 1) for m in modules}
if listed != there:
    raise SystemExit(f"setup.cfg lists the wrong packages: {sorted(listed ^ there)}")
endef
export CHECK_PACKAGES
