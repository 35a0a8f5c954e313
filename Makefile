# SegRanks: `make run` starts it, `make test` tests it; each does all its own set-up.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
# How many processes run the tests; PARALLEL= runs them in one. One more than the machine has cores,
# because tests with a browser or a server wait.
PARALLEL ?= -n $(shell echo $$(($$(nproc) + 1))) --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/python -m pytest
# Its tests have one name for all operations of the API; xdist would run one of them.
SAME_NAMES := tests/security/test_schemathesis.py
STATIC_FILES := $(shell find static -type f)

.PHONY: help run setup stanza eflomal eflomal-portable development test test-same-names test-postgresql quick test-all notebooks load faults hosts chromium lint format types imports migrations-check docs screenshots secrets wheel release release-check release-files audit audit-if-answered clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup $(VENV)/.static  ## start SegRanks on 127.0.0.1:8000 (PORT=… for another port)
	@exec $(MANAGE) up

setup: $(VENV)/.light $(VENV)/.eflomal  ## install what `make run` needs

stanza: $(VENV)/.full  ## install the stanza parser too (with torch, several gigabytes on some machines)

development: $(VENV)/.dev $(VENV)/.eflomal chromium  ## install what the tests and checks need

# Some environments forbid Python to store compiled code, which the many processes of the tests share.
test test-same-names test-postgresql test-all quick faults: export PYTHONDONTWRITEBYTECODE =

# The two shorter passes run beside the long one, and their output comes after its own.
test: development  ## run the tests; those marked `databases` on PostgreSQL too
	@log=$$(mktemp); $(MAKE) --no-print-directory test-same-names test-postgresql > "$$log" 2>&1 & others=$$!; \
	$(PYTEST) -m "not slow" $(PARALLEL) --ignore $(SAME_NAMES); status=$$?; \
	wait $$others || status=1; cat "$$log"; rm "$$log"; exit $$status

test-same-names: development
	$(PYTEST) -m "not slow" $(SAME_NAMES)

test-postgresql: development
	$(BIN)/python -m tests.on_postgresql -m "databases and not slow and not process" \
	  $(filter-out $(SAME_NAMES),$(shell grep -rl 'mark\.databases' tests))

# The tests of a room are in the folder of its name: tests/annotation/judging for annotation/judging.
SINCE ?= HEAD
CHANGED = $(wildcard $(shell { git diff --name-only $(SINCE); git ls-files --others --exclude-standard; } \
  | sed -nE 's@^templates/(annotation|evaluation)/@\1/web/@; \
    s@^(tests/|templates/)?((annotation|evaluation)/[^/]+|[^/]+)/.*@tests/\2@p' | sort -u))

quick: $(VENV)/.dev  ## run the quick tests of the rooms with changes (SINCE=main: since that commit)
	$(if $(CHANGED),$(PYTEST) -m "not slow and not process and not browser" $(PARALLEL) $(CHANGED), \
	  @echo "No room differs from $(SINCE).")

test-all: export SEGRANKS_SCHEMATHESIS ?= 100
test-all: development faults  ## before a release: run all tests, on SQLite and on PostgreSQL (takes long)
	$(PYTEST) --hypothesis-profile=full $(PARALLEL) --ignore $(SAME_NAMES)
	$(PYTEST) --hypothesis-profile=full $(SAME_NAMES)
	SEGRANKS_SCHEMATHESIS= $(BIN)/python -m tests.on_postgresql --hypothesis-profile=full \
	  -m "(databases or django_db or postgresql) and not browser and not one_database" $(PARALLEL)

notebooks: $(VENV)/.dev  ## run the notebooks of examples/ again, and store their outputs
	SEGRANKS_WRITE_EXAMPLES=1 $(PYTEST) tests/examples

load: $(VENV)/.dev $(VENV)/.eflomal  ## measure how many annotators a server can serve (takes long)
	$(BIN)/python -m tests.load.campaign
	$(BIN)/python -m tests.load.pages
	$(BIN)/python -m tests.load.exports

# In one process, because they measure how soon work continues.
faults: development  ## test killed processes, restarted servers, full disks, and ten thousand odd requests
	$(PYTEST) tests/faults
	$(BIN)/python -m tests.on_postgresql -o faulthandler_timeout=900 tests/faults/test_fuzzed_requests.py

# Not in CI: it makes network namespaces and mounts, and needs two cores of its own.
hosts: $(VENV)/.dev  ## run SegRanks on ten hosts of this machine, with faults (as root, 20 minutes)
	@$(BIN)/python -m tests.hosts

lint: $(VENV)/.dev  ## run ruff, and hadolint on the Dockerfile
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/hadolint Dockerfile

format: $(VENV)/.dev  ## format all files and fix what ruff can fix
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev  ## check the types
	$(BIN)/mypy annotation api crowd evaluation operations people segranks webhooks tools tests examples manage.py

imports: $(VENV)/.dev  ## check the import rules
	$(BIN)/lint-imports

migrations-check: $(VENV)/.dev  ## check that no migration is missing
	@folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT \
	&& SEGRANKS_DATA="$$folder" DATABASE_URL= $(MANAGE) makemigrations --check --dry-run

# Otherwise the theme advises at each build to move to its successor.
docs wheel: export NO_MKDOCS_2_WARNING = 1

docs: $(VENV)/.docs  ## build the documentation as a site in .docs, which `make run` serves at /docs/
	@$(BIN)/mkdocs build
	@echo "The documentation is in .docs. SegRanks shows it at /docs/ after a restart."

screenshots: $(VENV)/.dev $(VENV)/.static  ## take the screenshots of the documentation anew
	$(BIN)/python -m tools.docs.screenshots

wheel: $(VENV)/.dev  ## build the package of a release in dist/
	@$(BIN)/hatchling build
	@ls -l dist

release: release-check  ## run all tests, then build all files of a release in dist/, twice (takes long)
	@$(MAKE) --no-print-directory test-all
	@$(MAKE) --no-print-directory release-files

# Fails before the tests take their time.
release-check: $(VENV)/.dev
	@$(BIN)/python -m tools.release --check

release-files: $(VENV)/.dev $(VENV)/.eflomal $(VENV)/.release  ## build the files of a release without tests
	@$(BIN)/python -m tools.release

# Only its owner can read the file, and an existing one is never overwritten.
ENV_FILE ?= .env
RANDOM_WORD = LC_ALL=C tr -dc 'A-Za-z0-9' < /dev/urandom | head -c

secrets:  ## generate the secrets of a server in .env (SITE=rank.example.org, or SITE=localhost to try)
	@case '$(SITE)' in \
	  '') echo "Set SITE to the host name of the site, for example: make secrets SITE=rank.example.org"; exit 1;; \
	  *[!A-Za-z0-9.-]*) echo "SITE must be a host name, for example: make secrets SITE=rank.example.org"; exit 1;; \
	esac
	@test ! -e '$(ENV_FILE)' || { echo \
	  "$(ENV_FILE) already exists and was not changed. Its secrets protect the existing data; move it away to generate new ones."; exit 1; }
	@umask 077; set -C; { \
	  echo "# The secrets of this installation. Keep a copy with the backups."; \
	  echo "SECRET_KEY=$$($(RANDOM_WORD) 64)"; \
	  echo "POSTGRES_PASSWORD=$$($(RANDOM_WORD) 40)"; \
	  echo "REDIS_PASSWORD=$$($(RANDOM_WORD) 40)"; \
	  echo "METRICS_TOKEN=$$($(RANDOM_WORD) 40)"; \
	  echo "ALLOWED_HOSTS=$(SITE)"; \
	  if [ '$(SITE)' = localhost ]; then echo "SITE_ADDRESS=http://localhost:8000"; echo "HTTPS=0"; \
	  else echo "SITE_ADDRESS=https://$(SITE)"; echo "HTTPS=1"; echo "PROXIES=1"; fi; \
	} > '$(ENV_FILE)'
	@echo "Wrote the secrets to $(ENV_FILE). Anyone who can read this file has full access to SegRanks."

AUDITED := requirements-light.txt requirements.txt requirements-models.txt requirements-examples.txt requirements-dev.txt requirements-docs.txt requirements-eflomal.txt requirements-release.txt

audit: $(VENV)/.audit  ## check the packages for known vulnerabilities (needs the network)
	@$(VENV)/bin/python -m tests.audit $(AUDITED)

# Part of CI, which may have no network.
audit-if-answered:
	@if $(MAKE) --no-print-directory $(VENV)/.audit; \
	then $(VENV)/bin/python -m tests.audit --allow-no-network $(AUDITED); \
	else echo "pip-audit could not be installed: nothing was audited."; fi

clean:  ## remove what was installed or cached, but no data
	rm -rf $(VENV) .static .docs dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -r {} +

# --- installation -----------------------------------------------------------------------------

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	  "SegRanks needs Python 3.11 or later, and $(PYTHON) is older: install it, or run make PYTHON=/usr/bin/python3.11 run"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.light: requirements-light.txt | $(VENV)/.made
	@echo "Installing packages …"
	@$(INSTALL) -r requirements-light.txt
	@touch $@

$(VENV)/.full: requirements.txt requirements-light.txt | $(VENV)/.made
	@echo "Installing stanza and torch …"
	@$(INSTALL) -r requirements.txt
	@touch $@ $(VENV)/.light

# Not compiled: pip would compile all of torch, half a minute of processor, and the tests use little.
$(VENV)/.dev: requirements-dev.txt requirements-docs.txt requirements-examples.txt requirements-models.txt requirements.txt requirements-light.txt | $(VENV)/.made
	@echo "Installing the development packages …"
	@$(INSTALL) --no-compile -r requirements-dev.txt
	@touch $@ $(VENV)/.light $(VENV)/.full $(VENV)/.docs

$(VENV)/.docs: requirements-docs.txt | $(VENV)/.made
	@echo "Installing what builds the documentation …"
	@$(INSTALL) -r requirements-docs.txt
	@touch $@

# In its own environment, because its packages may conflict with ours.
$(VENV)/.audit: requirements-audit.txt | $(VENV)/.made
	@$(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip install -qq --disable-pip-version-check -r requirements-audit.txt
	@touch $@

# Likewise.
$(VENV)/.release: requirements-release.txt | $(VENV)/.made
	@$(PYTHON) -m venv $(VENV)/release
	@$(VENV)/release/bin/python -m pip install -qq --disable-pip-version-check -r requirements-release.txt
	@touch $@

# Tried once: if it cannot be built, SegRanks aligns with systran-align.
$(VENV)/.eflomal: requirements-eflomal.txt $(wildcard tools/eflomal/*) | $(VENV)/.light
	@echo "Building eflomal …"
	@command -v patch > /dev/null || echo \
	  "There is no program \`patch\`, so eflomal will not take a seed, and no preparation can be repeated exactly."
	@tools/eflomal/install.sh $(BIN)/python > $(VENV)/eflomal.log 2>&1 || echo \
	  "eflomal could not be built, so systran-align will be used (see $(VENV)/eflomal.log; \`make eflomal\` tries again)."
	@touch $@

eflomal:  ## try to build eflomal again
	@rm -f $(VENV)/.eflomal
	@$(MAKE) --no-print-directory $(VENV)/.eflomal

# Without -march=native the program runs on any processor of the architecture, as a container image
# must. Variables in MAKEFLAGS override those of eflomal's Makefile.
WHEELS ?= $(VENV)/wheels
PORTABLE := CFLAGS=-Ofast\ --std=gnu99\ -fopenmp

eflomal-portable: | $(VENV)/.light  ## build a portable wheel of eflomal in WHEELS=.venv/wheels
	@echo "Building a portable eflomal …"
	@MAKEFLAGS='$(PORTABLE)' tools/eflomal/build.sh $(BIN)/python '$(WHEELS)' > $(VENV)/eflomal-portable.log 2>&1 \
	  || { echo "eflomal could not be built ($(VENV)/eflomal-portable.log says why)."; exit 1; }
	@! grep -e -march=native $(VENV)/eflomal-portable.log || { echo "eflomal was built with -march=native."; exit 1; }

$(VENV)/.static: $(STATIC_FILES) $(VENV)/.light
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@touch $@

chromium:
	@command -v chromium-headless-shell chromium chromium-browser > /dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then root=env; else root="sudo -n"; fi; \
	  echo "Installing Chromium …"; \
	  { $$root true && $$root apt-get -q update && { $$root apt-get -q -y install chromium-headless-shell \
	    || $$root apt-get -q -y install chromium; }; } > /dev/null 2>&1 \
	  || { echo "The browser tests need Chromium, which could not be installed: run apt-get install chromium as root."; exit 1; }; }
