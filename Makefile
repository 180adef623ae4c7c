# One short command each; every target does its own set-up.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = layers/shared functions gateway
export PYTHONPATH = layers/shared

.PHONY: help run test check

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 16

$(VENV)/%.stamp: requirements/%.txt layers/shared/requirements.txt constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed (PYTHON=...)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r $<
	@touch $@

run: $(VENV)/run.stamp ## the whole API at http://127.0.0.1:8000 (PORT= changes it)
	@exec $(BIN)/python -m gateway

test: $(VENV)/dev.stamp ## unit and integration tests
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/dev.stamp ## lint, types, the expanded template
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES)
