# One short command for each task; every target installs what it needs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
ARCH ?= arm64
SAM = $(VENV)-sam/bin/sam
MACHINE ?= $(shell uname -m | sed s/arm64/aarch64/)
PYTHONS ?= 3.11 3.12 3.13
VERSION = $(shell sed -n 's/^VERSION = "\(.*\)"$$/\1/p' layers/shared/brskills_server/runtime/settings.py)
IMAGE ?= brskills-server
STACK ?= brskills
PACKAGE = dist/$(IMAGE)-$(VERSION)
VIEWER = functions/site/static/viewer
GUIDES = functions/site/guides
SOURCES = layers/shared functions cards guides package deployment checks clients/python/src/brskills on-premise/install.py tests/client/typed_program.py
export PYTHONPATH = layers/shared
export VENV  # tests start the programs of other environments
# The words of a variable as typed, quoted for the shell.
typed = $(foreach word,$(value $1),'$(subst ','\'',$(word))')
unexport ARGS
unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes import the same modules
export SAM_CLI_TELEMETRY ?= 0

.PHONY: help run admin participants copy test test-all check build deploy deploy-register smoke package image e2e e2e-browser e2e-cards e2e-mcp e2e-openapi \
  e2e-package e2e-image e2e-client e2e-npm e2e-ministack e2e-postgres e2e-proxy e2e-sam dist dist-npm lock

help: ## list these targets; make help ALL=1 lists all
	@grep -hE '^[a-z0-9-]+:.* #[$(if $(ALL),-)#] ' $(MAKEFILE_LIST) | sed -E 's/:.* #[-#] /\t/' | expand -t 16

$(VENV)/%.stamp: requirements/%.txt requirements/dev.txt requirements/run.txt requirements/server.txt requirements/copy.txt $(wildcard layers/*/requirements.txt)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed (PYTHON=...)" >&2; exit 1; }
	@echo "installing $(VENV) for $(*F), once; this needs the network and a minute or two"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python requirements/install.py $<
	@touch $@

# Tools with conflicting pins are installed in separate environments.
$(VENV)-%/stamp: requirements/%.txt
	@echo "installing $(VENV)-$*, once; this needs the network and a minute or two"
	@test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	@$(VENV)-$*/bin/python requirements/install.py $<
	@touch $@

# Files of the API reference's viewer come from a pinned package and are not kept in the repository.
$(VIEWER)/%: $(VENV)/run.stamp
	@mkdir -p $(VIEWER)
	@cp $(VENV)/lib/python3*/site-packages/flask_swagger_ui/dist/$* $@ && touch $@

.PHONY: viewer
viewer: $(VIEWER)/swagger-ui.css $(VIEWER)/swagger-ui-bundle.js

# Templates of the guides are generated from docs/ and not kept in the repository.
$(GUIDES)/.made: $(VENV)/run.stamp $(shell find docs examples functions/site/installs -name '*.*' -type f) $(wildcard guides/*.py) CHANGELOG.md LICENSE functions/site/guide_list.json
	@$(BIN)/python -m guides $(GUIDES) && touch $@

.PHONY: guides
guides: $(GUIDES)/.made

# What the service serves: wheels of the Python client, and the TypeScript client's source, which `make dist-npm` adds as a
# package.
CLIENTS = functions/site/clients
$(CLIENTS)/.made: $(VENV)/run.stamp $(shell find layers/shared/brcode layers/shared/taxid clients -name '*.py' -o -name '*.toml' -o -name '*.ts' -o -name '*.json')
	@$(BIN)/python -m package.client $(CLIENTS) --wheels > /dev/null
	@$(BIN)/python -m package.npm $(CLIENTS) --source > /dev/null && touch $@

# Cards of the MCP server are made of the page's scripts and styles.
CARDS = functions/mcp/cards
$(CARDS)/.made: $(VENV)/run.stamp $(wildcard cards/*.* cards/scripts/*.js functions/site/static/*.js functions/site/static/*.css) functions/site/templates/script_texts.json layers/shared/brskills_server/web/english.json
	@$(BIN)/python -m cards $(CARDS) && touch $@

.PHONY: site
site: viewer guides $(CLIENTS)/.made $(CARDS)/.made

run: $(VENV)/run.stamp site ## run the API at http://127.0.0.1:8000 (PORT= changes it)
	@exec $(BIN)/python -m brskills_server.gateway --local-key

admin: $(VENV)/run.stamp ## run the admin command line: make admin ARGS="list"
	@$(BIN)/python -m brskills_server.admin $(call typed,ARGS)

copy: $(VENV)/copy.stamp ## build the register snapshot: make copy FROM=folder-or-address, ARGS=list, ARGS=rollback
	@$(BIN)/python -m brskills_server.snapshot_builder $(if $(FROM),build "$(FROM)") $(ARGS)

participants: $(VENV)/dev.stamp #- replace the list of Pix participants by the central bank's PDF or CSV: make participants FROM=file
	@$(BIN)/python -m package.participants $(if $(FROM),"$(FROM)") $(ARGS)

# Three: tests wait for processes, and so two processors have work.
PYTEST = $(BIN)/python -m pytest -n 3 --dist worksteal

test: $(VENV)/dev.stamp site ## test the whole behaviour once, in less than four minutes
	$(PYTEST) $(ARGS)

test-all: $(VENV)/dev.stamp $(VENV)-postgres/stamp $(VENV)-ministack/stamp site ## test it with many examples, kills, PostgreSQL and MiniStack
	$(PYTEST) -m "" --hypothesis-profile thorough tests/unit tests/integration tests/client tests/e2e lab/agents lab/tests $(ARGS)
	$(PYTEST) -m "" tests/integration/adapters tests/postgres --store postgresql --store dynamodb --moto -k "postgres or dynamodb" $(ARGS)
	@$(MAKE) --no-print-directory -j2 --output-sync=target e2e-postgres e2e-ministack  # MiniStack mostly waits

e2e-browser: $(VENV)/browser.stamp site #- test the pages in a browser (Debian's chromium)
	@command -v chromium >/dev/null || { echo "chromium is needed: apt-get install chromium" >&2; exit 1; }
	$(BIN)/python -m pytest tests/browser $(ARGS)

e2e-cards: $(VENV)/browser.stamp site #- test the cards in MCP Inspector and in a host of the official packages (chromium, Node)
	@command -v chromium >/dev/null || { echo "chromium is needed: apt-get install chromium" >&2; exit 1; }
	@command -v npm >/dev/null || { echo "Node 22 or later is needed, with npm" >&2; exit 1; }
	$(BIN)/python -m pytest lab/apps_host $(ARGS)

check: $(VENV)/dev.stamp ## check style, types and the expanded template
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES)
	@mkdir -p .cache && $(BIN)/python -m tests.services.expanded > .cache/expanded.json
	@$(BIN)/python -m tests.services.expanded Deployment=Canary10Percent15Minutes > .cache/gradual.json
	$(BIN)/cfn-lint .cache/expanded.json .cache/gradual.json monitoring.yaml register.yaml

.PHONY: audit audit-template audit-packages
audit: audit-template audit-packages #- run checkov on the expanded template; look up vulnerabilities of packages ("Error 3": no source reached)

audit-template: $(VENV)/dev.stamp $(VENV)-audit/stamp
	@mkdir -p .cache && $(BIN)/python -m tests.services.expanded > .cache/expanded.json
	$(VENV)-audit/bin/checkov --file .cache/expanded.json --config-file requirements/checkov.yaml --skip-download --compact --quiet

audit-packages: $(VENV)-audit/stamp
	@$(VENV)-audit/bin/python requirements/audit.py

e2e: $(VENV)/dev.stamp site ## test the public API over HTTP on a gateway like that of `make run`
	$(BIN)/python -m pytest tests/e2e --target gateway $(ARGS)

e2e-ministack: $(VENV)/dev.stamp $(VENV)-ministack/stamp site #- test the public API on the template in MiniStack
	$(BIN)/python -m pytest tests/e2e tests/ministack --target ministack $(ARGS)

e2e-mcp: $(VENV)/dev.stamp $(CARDS)/.made #- test with MCP clients and the conformance suite (Node 22 or later)
	@$(BIN)/python -m lab.clients $(ARGS)

e2e-openapi: $(VENV)/dev.stamp #- lint the OpenAPI document, and compare the running API with it (Node 22 or later)
	@$(BIN)/python -m lab.clients.openapi $(ARGS)

e2e-sam: engine $(VENV)/dev.stamp #- test the functions under `sam local` (Docker)
	@$(MAKE) --no-print-directory build ARCH=$$(uname -m | sed s/aarch64/arm64/)
	$(BIN)/python -m pytest tests/sam $(ARGS)

e2e-postgres: $(VENV)/dev.stamp $(VENV)-postgres/stamp site #- test the public API on PostgreSQL, installed as a package
	$(BIN)/python -m pytest tests/e2e --target postgres $(ARGS)

e2e-proxy: $(VENV)/dev.stamp site #- test on-premise/haproxy.cfg (Debian's haproxy)
	@command -v haproxy >/dev/null || { echo "haproxy is needed: apt-get install haproxy" >&2; exit 1; }
	$(BIN)/python -m pytest tests/proxy $(ARGS)

build: $(VENV)-sam/stamp site #- build the deployment's artefacts in .aws-sam (ARCH=arm64 or x86_64)
	PLATFORM=$(ARCH:arm64=aarch64) $(SAM) build --parameter-overrides Architecture=$(ARCH)
	@# For `sam local`, which loses the authorizer of a template with loops.
	@$(BIN)/python -m deployment.local_template .aws-sam/build/template.yaml > .aws-sam/build/local.yaml

samconfig.local.toml: | $(VENV)/run.stamp
	@$(BIN)/python -m deployment.questions $@

deploy: samconfig.local.toml build ## build and deploy to AWS; asks four things the first time (PARAMETERS='SupportUrl=…')
	@$(BIN)/python -m deployment.deploy samconfig.local.toml $(SAM) Architecture=$(ARCH) Release=$$(date +%s) $(PARAMETERS) $(ARGS)

deploy-register: $(VENV)-sam/stamp #- deploy the monthly build of the register to AWS, beside the stack STACK=brskills (PARAMETERS='Image=…')
	$(SAM) deploy --template register.yaml --stack-name $(STACK)-register \
	  --parameter-overrides Service=$(STACK) Architecture=$(ARCH) $(PARAMETERS) $(ARGS)

smoke: $(VENV)/run.stamp #- check a deployment by 15 requests: make smoke URL=https://… (API_KEY= where sign-up is closed)
	@$(BIN)/python -m deployment.smoke $(call typed,URL)

package: $(VENV)-package/stamp site ## build dist/: the on-premise package, for installation offline (MACHINE=x86_64, PYTHONS="3.13")
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} \
	  $(VENV)-package/bin/python -m package dist --machine $(MACHINE) --pythons $(PYTHONS)

dist: $(VENV)-package/stamp #- build dist/: the Python client and its dependencies, as wheels and sdists
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} \
	  $(VENV)-package/bin/python -m package.client dist

dist-npm: $(VENV)/run.stamp $(CLIENTS)/.made #- build dist/: the TypeScript client as an npm package (Node with npm)
	@command -v npm >/dev/null || { echo "Node 22 or later is needed, with npm" >&2; exit 1; }
	@$(BIN)/python -m package.npm dist && cp dist/brskills-$(VERSION).tgz $(CLIENTS)

.PHONY: engine
engine:
	@docker version >/dev/null 2>&1 || { echo "a running Docker engine is needed" >&2; exit 1; }

image: engine #- build the container image (docker compose builds the same), from BASE= (Docker; IMAGE=brskills-server-with-copy)
	DOCKER_BUILDKIT=1 docker build --quiet --build-arg PACKAGE=$(IMAGE) $(if $(BASE),--build-arg BASE=$(BASE)) \
	  $(if $(BUILDER),--build-arg BUILDER=$(BUILDER)) --secret id=pip,src=$${PIP_CONFIG_FILE:-/dev/null} \
	  --tag $(IMAGE):$(VERSION) .
	@mkdir -p dist
	docker save --output $(PACKAGE)-image.tar $(IMAGE):$(VERSION)
	gzip --no-name --force $(PACKAGE)-image.tar
	@du -h $(PACKAGE)-image.tar.gz

e2e-package: $(VENV)/dev.stamp package #- test the public API on the installed on-premise package
	$(BIN)/python -m pytest tests/package $(ARGS)
	$(BIN)/python -m pytest tests/e2e --target package $(ARGS)

e2e-client: $(VENV)/dev.stamp dist #- test the installed Python client against a gateway
	$(BIN)/python -m pytest tests/installed_client $(ARGS)

e2e-npm: $(VENV)/dev.stamp dist-npm #- test the installed npm package against a gateway and failing servers (Node 22 or later)
	$(BIN)/python -m pytest tests/npm $(ARGS)

e2e-image: $(VENV)/dev.stamp image #- test the public API on the container: not root, only its state is writable (Docker)
	$(BIN)/python -m pytest tests/e2e --target image $(ARGS)

.PHONY: reference
reference: $(VENV)/dev.stamp ## write docs/reference from the code
	@PYTHONPATH=layers/shared:clients/python/src $(BIN)/python -m checks.reference

lock: $(VENV)-lock/stamp #- write the lists of packages with hashes from requirements/*.in and others (ARGS=--upgrade)
	@$(VENV)-lock/bin/python requirements/lock.py $(ARGS)

include lab/Makefile
