# Counsel. `make demo` and `make test` need only Python 3.11+ and make; they set up the rest in .venv.
#
#   PYTHON=python3.12   the interpreter for the environment (when it is first made)
#   ARGS="..."          passed on to the command: make test ARGS="-k space -x"
#   JOBS=3              test processes, one of which mostly waits for browsers; JOBS=0 runs them in one, as a debugger wants

PYTHON ?= python3
ARGS ?=
JOBS ?= 3

VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
HEBO := .venv-hebo
OLDEST := .venv-oldest
HOSTS := .venv-integrations
INSTALL := -m pip install -qq --no-input --disable-pip-version-check --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt
# The oldest versions leave out agents: their library needs a newer pydantic than the core does.
ALL_BUT_MCP := .[dask,excel,optuna,postgres,ray,server,shap,tools]
# Old libraries call what their newer neighbours deprecate: that is theirs, and no error here.
# (An environment variable, because tests start pytest, too.)
OLD_WARNINGS := PYTEST_ADDOPTS="-W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning"

# Bytecode is worth keeping: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow test-oldest test-package test-integrations coverage docs dist check audit format bench bench-suites browser clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.server ## ready studies in your browser; ARGS=--terminal for a small one there
	@$(BIN)/counsel demo $(ARGS)

test: $(VENV)/.dev $(VENV)/.postgres $(VENV)/.browser ## the tests, without the slow ones
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --durations=10 $(ARGS) </dev/null

# A machine that is busy with other tests answers late; 5 is pytest's word for "none chosen".
test-slow: $(VENV)/.dev $(VENV)/.postgres $(VENV)/.browser ## statistics over many seeds, crowds and crashes
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --durations=10 -m "slow and not alone" $(ARGS) </dev/null || test $$? = 5
	@$(BIN)/python -m pytest -m "slow and alone" $(ARGS) </dev/null || test $$? = 5

test-oldest: $(OLDEST)/.ready $(VENV)/.postgres ## the tests, with the oldest versions that pyproject.toml allows
	@$(OLD_WARNINGS) $(OLDEST)/bin/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS) </dev/null

test-package: $(VENV)/.dev ## wheel and sdist, each installed into an empty environment and tried
	@$(BIN)/python -m pytest -m package tests/test_packaging.py $(ARGS) </dev/null

test-integrations: $(HOSTS)/.ready ## Xopt, optimas, Blop, ivoryOS and OptunaHub, as installed
	@$(HOSTS)/bin/python -m pytest tests/integrations/test_hosts.py $(ARGS) </dev/null
	@$(HOSTS)/bin/python -m pytest tests/integrations/test_examples.py -k "xopt or optimas or blop or ivoryos" $(ARGS) </dev/null

docs: $(VENV)/.docs ## the documentation site, into site/; no network, warnings are errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet $(ARGS)
	@echo "site/index.html"

dist: $(VENV)/.dev ## the distributions, into dist/
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	@ls dist

coverage: $(VENV)/.dev $(VENV)/.postgres $(VENV)/.browser ## the tests, and how much of the code they run
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --cov --cov-report=term:skip-covered $(ARGS) </dev/null

check: $(VENV)/.dev ## lint, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

audit: $(VENV)/.dev ## licences of what is installed, and known vulnerabilities where they can be looked up
	@$(BIN)/python scripts/licences
	@$(BIN)/python scripts/audit

format: $(VENV)/.dev ## repair what ruff can repair
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench: $(BENCH)/.ready ## time Counsel beside BoTorch, scikit-learn and Optuna
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

bench-suites: $(BENCH)/.suites $(HEBO)/.ready ## Counsel beside its rivals on public suites: hours, and it resumes
	@$(BENCH)/bin/python -m benchmarks.suites $(ARGS)

clean: ## remove the environments and the caches
	rm -rf $(VENV) $(BENCH) $(HEBO) $(OLDEST) $(HOSTS) .cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp file per set of packages: it is made again when pyproject.toml or constraints.txt changes.

$(VENV)/.made:
	@sh scripts/make-venv $(VENV) "$(PYTHON)"
	@touch $@

$(VENV)/.core: $(VENV)/.made $(INPUTS)
	@echo "Setting up $(VENV): once, a minute or two."
	@$(BIN)/python $(INSTALL) --editable . </dev/null
	@touch $@

$(VENV)/.server: $(VENV)/.made $(INPUTS)
	@echo "Setting up $(VENV): once, a minute or two."
	@$(BIN)/python $(INSTALL) --editable '.[server]' </dev/null
	@touch $(VENV)/.core $@

$(VENV)/.dev: $(VENV)/.made $(INPUTS)
	@echo "Setting up $(VENV) with the test tools: once, a minute or two."
	@# Most modules of these packages are never imported; those that are, are compiled then.
	@$(BIN)/python $(INSTALL) --no-compile --editable '.[dev]' </dev/null
	@touch $(VENV)/.core $(VENV)/.server $@

$(VENV)/.docs: $(VENV)/.dev
	@$(BIN)/python $(INSTALL) --editable '.[docs]' </dev/null
	@touch $@

browser: $(VENV)/.browser ## a Chromium for the tests of the pages

$(VENV)/.browser: $(VENV)/.dev
	@sh scripts/get-browser $(BIN)/python
	@touch $@

$(VENV)/.postgres: $(VENV)/.made scripts/get-postgres
	@sh scripts/get-postgres
	@touch $@

$(OLDEST)/.ready: pyproject.toml constraints-oldest.txt
	@test -x $(OLDEST)/bin/python || sh scripts/make-venv $(OLDEST) "$(PYTHON)"
	@echo "Setting up $(OLDEST) with the oldest versions: once, several minutes."
	@$(OLDEST)/bin/python -m pip install -qq --no-input --disable-pip-version-check --constraint constraints-oldest.txt --editable '$(ALL_BUT_MCP)' </dev/null
	@touch $@

$(HOSTS)/.ready: $(INPUTS) tests/integrations/requirements.txt
	@test -x $(HOSTS)/bin/python || sh scripts/make-venv $(HOSTS) "$(PYTHON)"
	@echo "Setting up $(HOSTS) with other people's systems: once, several minutes."
	@$(HOSTS)/bin/python $(INSTALL) --requirement tests/integrations/requirements.txt --editable '.[gest,optuna]' </dev/null
	@touch $@

$(BENCH)/.ready: $(INPUTS) benchmarks/requirements.txt
	@test -x $(BENCH)/bin/python || sh scripts/make-venv $(BENCH) "$(PYTHON)"
	@echo "Setting up $(BENCH) with the rivals: once, several minutes."
	@$(BENCH)/bin/python $(INSTALL) --requirement benchmarks/requirements.txt --editable . </dev/null
	@touch $@

$(BENCH)/.suites: $(BENCH)/.ready benchmarks/suites/requirements.txt benchmarks/suites/tables.txt
	@echo "Setting up $(BENCH) with the suites: once, several minutes."
	@$(BENCH)/bin/python $(INSTALL) --requirement benchmarks/suites/requirements.txt </dev/null
	@$(BENCH)/bin/python $(INSTALL) --no-deps --requirement benchmarks/suites/tables.txt </dev/null
	@touch $@

$(HEBO)/.ready: benchmarks/suites/hebo.txt
	@test -x $(HEBO)/bin/python || sh scripts/make-venv $(HEBO) "$(PYTHON)"
	@$(HEBO)/bin/python -m pip install -qq --no-input --no-deps --requirement benchmarks/suites/hebo.txt </dev/null \
		|| echo "HEBO cannot be installed for this Python: it does not take part."
	@touch $@
