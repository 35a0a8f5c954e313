# SegRanks: `make run` starts it, `make test` tests it; each does all its own set-up.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
# How tests run side by side: many wait for browsers, servers and clocks. TOGETHER= is one by one.
TOGETHER ?= -n 3 --dist worksteal
STATIC_FILES := $(shell find static -type f)

.PHONY: help run setup stanza eflomal eflomal-portable test load faults chromium lint format types imports migrations-check secrets audit audit-if-answered clean

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup $(VENV)/.static  ## start SegRanks on 127.0.0.1:8000 (PORT=… for another port)
	@exec $(MANAGE) up

setup: $(VENV)/.light $(VENV)/.eflomal  ## install only what `make run` needs

stanza: $(VENV)/.full  ## install stanza and torch too, to parse with (gigabytes on many machines)

# What one process has compiled serves the hundreds of others too, also where an image keeps nothing.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev $(VENV)/.eflomal chromium  ## install what tests need and run all of them
	$(BIN)/python -m tests.steadily $(TOGETHER)
	$(BIN)/python -m tests.on_postgresql $(TOGETHER)

load: $(VENV)/.dev $(VENV)/.eflomal  ## measure how much a server bears, on PostgreSQL (takes long)
	$(BIN)/python -m tests.load.campaign
	$(BIN)/python -m tests.load.pages
	$(BIN)/python -m tests.load.exports

# One by one: they measure times.
faults: $(VENV)/.dev chromium  ## kill processes, restart servers and fill disks (ten minutes)
	$(BIN)/python -m pytest tests/faults

lint: $(VENV)/.dev  ## look for mistakes and for unformatted files
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.dev  ## format all files and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev  ## check the types
	$(BIN)/mypy annotation api crowd evaluation operations people segranks webhooks tools tests manage.py

imports: $(VENV)/.dev  ## check who imports whom
	$(BIN)/lint-imports

migrations-check: $(VENV)/.dev  ## check that the models have all their migrations
	@folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT \
	&& SEGRANKS_DATA="$$folder" DATABASE_URL= $(MANAGE) makemigrations --check --dry-run

# Who reads it reads everything: it is made for its owner only, and never made anew.
ENV_FILE ?= .env
RANDOM_WORD = LC_ALL=C tr -dc 'A-Za-z0-9' < /dev/urandom | head -c

secrets:  ## make up the secrets of a server, in .env (SITE=rank.example.org, or SITE=localhost to try)
	@case '$(SITE)' in \
	  '') echo "Say under which name people reach the site, as in: make secrets SITE=rank.example.org"; exit 1;; \
	  *[!A-Za-z0-9.-]*) echo "SITE is the name of a host, as in: make secrets SITE=rank.example.org"; exit 1;; \
	esac
	@test ! -e '$(ENV_FILE)' || { echo \
	  "$(ENV_FILE) is there already, and stays: without its secrets nobody gets at the data. Move it away to have others."; exit 1; }
	@umask 077; set -C; { \
	  echo "# The secrets of this installation: keep a copy where backups are kept."; \
	  echo "SECRET_KEY=$$($(RANDOM_WORD) 64)"; \
	  echo "POSTGRES_PASSWORD=$$($(RANDOM_WORD) 40)"; \
	  echo "REDIS_PASSWORD=$$($(RANDOM_WORD) 40)"; \
	  echo "METRICS_TOKEN=$$($(RANDOM_WORD) 40)"; \
	  echo "ALLOWED_HOSTS=$(SITE)"; \
	  if [ '$(SITE)' = localhost ]; then echo "SITE_ADDRESS=http://localhost:8000"; echo "HTTPS=0"; \
	  else echo "SITE_ADDRESS=https://$(SITE)"; echo "HTTPS=1"; echo "PROXIES=1"; fi; \
	} > '$(ENV_FILE)'
	@echo "$(ENV_FILE) has the secrets; whoever else can read it can do anything with SegRanks."

AUDITED := requirements-light.txt requirements.txt requirements-dev.txt requirements-eflomal.txt

audit: $(VENV)/.audit  ## ask PyPI whether the packages have known holes (needs the network)
	@$(VENV)/bin/python -m tests.audit $(AUDITED)

# As part of CI, where there need be no network.
audit-if-answered:
	@if $(MAKE) --no-print-directory $(VENV)/.audit; \
	then $(VENV)/bin/python -m tests.audit --where-it-answers $(AUDITED); \
	else echo "pip-audit cannot be installed here: nothing was audited."; fi

clean:  ## remove all that was installed or made for speed, and no data
	rm -rf $(VENV) .static .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -r {} +

# --- what was installed -----------------------------------------------------------------------

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	  "SegRanks needs Python 3.11, and $(PYTHON) is not: install it, or name it, as in make PYTHON=/usr/bin/python3.11 run"; exit 1; }
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

$(VENV)/.dev: requirements-dev.txt requirements.txt requirements-light.txt | $(VENV)/.made
	@echo "Installing everything, and what tests need …"
	@$(INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/.light $(VENV)/.full

# Apart, since it needs packages of its own, and perhaps in other versions.
$(VENV)/.audit: requirements-audit.txt | $(VENV)/.made
	@$(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip install -qq --disable-pip-version-check -r requirements-audit.txt
	@touch $@

# Tried once: where it cannot be built, SegRanks goes on without.
$(VENV)/.eflomal: requirements-eflomal.txt | $(VENV)/.light
	@echo "Building eflomal …"
	@PIP_CONSTRAINT=$< PIP_BUILD_CONSTRAINT=$< $(INSTALL) -r $< > $(VENV)/eflomal.log 2>&1 || echo \
	  "eflomal could not be built here; systran-align will align instead ($(VENV)/eflomal.log says why, \`make eflomal\` tries again)."
	@touch $@

eflomal:  ## try to build eflomal again
	@rm -f $(VENV)/.eflomal
	@$(MAKE) --no-print-directory $(VENV)/.eflomal

# Without -march=native the program runs on any processor of its kind, as a container image must.
# Variables in MAKEFLAGS outrank those of eflomal's own Makefile; a wheel of pip's cache may be native.
WHEELS ?= $(VENV)/wheels
PORTABLE := CFLAGS=-Ofast\ --std=gnu99\ -fopenmp

eflomal-portable: | $(VENV)/.light  ## build a wheel of eflomal that runs on any machine, in WHEELS=.venv/wheels
	@echo "Building eflomal for any machine …"
	@MAKEFLAGS='$(PORTABLE)' PIP_CONSTRAINT=requirements-eflomal.txt PIP_BUILD_CONSTRAINT=requirements-eflomal.txt \
	  $(BIN)/python -m pip wheel -v --disable-pip-version-check --no-cache-dir --no-binary eflomal --no-deps \
	  --wheel-dir '$(WHEELS)' "$$(grep '^eflomal==' requirements-eflomal.txt)" > $(VENV)/eflomal-portable.log 2>&1 \
	  || { echo "eflomal could not be built ($(VENV)/eflomal-portable.log says why)."; exit 1; }
	@! grep -e -march=native $(VENV)/eflomal-portable.log || { echo "eflomal was built for this machine only."; exit 1; }

$(VENV)/.static: $(STATIC_FILES) $(VENV)/.light
	@$(MANAGE) collectstatic --noinput --verbosity 0
	@touch $@

chromium:
	@command -v chromium-headless-shell chromium chromium-browser > /dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then root=env; else root="sudo -n"; fi; \
	  echo "Installing Chromium …"; \
	  { $$root true && $$root apt-get -q update && { $$root apt-get -q -y install chromium-headless-shell \
	    || $$root apt-get -q -y install chromium; }; } > /dev/null 2>&1 \
	  || { echo "The browser tests need Chromium, which cannot be installed from here: run apt-get install chromium as root, then make test again."; exit 1; }; }
