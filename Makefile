# SegRanks: `make run` starts it, `make test` tests it; each does all its own set-up.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
STATIC_FILES := $(shell find static -type f)

.PHONY: help run setup stanza eflomal eflomal-portable test chromium lint format types imports migrations-check clean

help:  ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup $(VENV)/.static  ## start SegRanks on 127.0.0.1:8000 (PORT=… for another port)
	@exec $(MANAGE) up

setup: $(VENV)/.light $(VENV)/.eflomal  ## install only what `make run` needs

stanza: $(VENV)/.full  ## install stanza and torch too, to parse with (gigabytes on many machines)

test: $(VENV)/.dev $(VENV)/.eflomal chromium  ## install what tests need and run all of them
	$(BIN)/python -m pytest
	$(BIN)/python -m tests.on_postgresql

lint: $(VENV)/.dev  ## look for mistakes and for unformatted files
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.dev  ## format all files and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev  ## check the types
	$(BIN)/mypy annotation evaluation segranks tests manage.py

imports: $(VENV)/.dev  ## check who imports whom
	$(BIN)/lint-imports

migrations-check: $(VENV)/.dev  ## check that the models have all their migrations
	@folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT \
	&& SEGRANKS_DATA="$$folder" DATABASE_URL= $(MANAGE) makemigrations --check --dry-run

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
	@command -v chromium chromium-browser > /dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then root=env; else root="sudo -n"; fi; \
	  echo "Installing Chromium …"; \
	  { $$root true && $$root apt-get -q update && $$root apt-get -q -y install chromium; } > /dev/null 2>&1 \
	  || { echo "The browser tests need Chromium, which cannot be installed from here: run apt-get install chromium as root, then make test again."; exit 1; }; }
