# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both make and use .venv; everything either leaves lies below it (and in pip's own cache).

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
STATE := $(CURDIR)/$(VENV)/state

export XDG_DATA_HOME := $(STATE)/data
export XDG_CONFIG_HOME := $(STATE)/config
export XDG_CACHE_HOME := $(STATE)/cache
export XDG_STATE_HOME := $(STATE)/state
export TMPDIR := $(STATE)/tmp
export TEXTUAL_ANIMATIONS := none
PIP := PIP_CACHE_DIR="$${PIP_CACHE_DIR:-$$HOME/.cache/pip}" PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip

.PHONY: demo test check screenshots clean

demo: $(VENV)/ready
	@$(BIN)/curator demo

test: check
	@$(BIN)/python -m pytest -n 4 --dist worksteal

check: $(VENV)/ready-to-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

screenshots: $(VENV)/ready-to-test
	@$(BIN)/python -m tests.screenshots

# The stamps are touched last, so an install that broke is tried again.
$(VENV)/ready: pyproject.toml | $(BIN)/python
	@echo "Setting up curator (about half a minute, once)…"
	@$(PIP) install -q -e .
	@touch $@

$(VENV)/ready-to-test: pyproject.toml | $(BIN)/python
	@echo "Setting up curator and its test tools (about a minute, once)…"
	@$(PIP) install -q -e '.[dev]'
	@touch $(VENV)/ready $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "curator needs Python 3.11 or newer; none was found." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STATE)/data $(STATE)/config $(STATE)/cache $(STATE)/state $(STATE)/tmp

clean:
	rm -rf $(VENV)
