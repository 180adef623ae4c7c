# One short command each; every target does its own set-up.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
VIEWER = functions/site/static/viewer
SOURCES = layers/shared functions gateway
export PYTHONPATH = layers/shared

.PHONY: help run test e2e-browser check

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 16

$(VENV)/%.stamp: requirements/%.txt layers/shared/requirements.txt constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed (PYTHON=...)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r $<
	@touch $@

# The reference's viewer is others' work: its pinned files are copied, never kept in the repository.
$(VIEWER)/%: $(VENV)/run.stamp
	@mkdir -p $(VIEWER)
	@cp $(VENV)/lib/python3*/site-packages/flask_swagger_ui/dist/$* $@ && touch $@

.PHONY: viewer
viewer: $(VIEWER)/swagger-ui.css $(VIEWER)/swagger-ui-bundle.js

run: $(VENV)/run.stamp viewer ## the whole API at http://127.0.0.1:8000 (PORT= changes it)
	@exec $(BIN)/python -m gateway

test: $(VENV)/dev.stamp ## unit and integration tests
	$(BIN)/python -m pytest $(ARGS)

e2e-browser: $(VENV)/browser.stamp viewer ## the page in a real browser (Debian's chromium)
	@command -v chromium >/dev/null || { echo "chromium is needed: apt-get install chromium" >&2; exit 1; }
	$(BIN)/python -m pytest tests/browser $(ARGS)

check: $(VENV)/dev.stamp ## lint, types, the expanded template
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES)
