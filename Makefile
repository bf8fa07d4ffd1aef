# Everything from a bare checkout: python >= 3.11, make and git are enough.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
WORKERS ?= 2

# A new folder in plugins/ is installed without a word here.
PLUGIN_PROJECTS := $(sort $(wildcard plugins/*/pyproject.toml))
PLUGINS         := $(patsubst %/pyproject.toml,%,$(PLUGIN_PROJECTS))

LAB             := experiments

.DEFAULT_GOAL := help
.PHONY: help setup docs demo test explore bench lint format release clean xskat browser

help:
	@echo "make setup   build .venv with tricktake, all extras, the plugins and the laboratory"
	@echo "make demo    games judged and explained, a player learned; two minutes"
	@echo "make test    the tests, then the kernel tests again with the JIT off"
	@echo "make explore the property tests with new random examples"
	@echo "make bench   solver speed and signature, against playouts, the last commit and DDS"
	@echo "make docs    these pages as a site, with search and a reference of all modules: build/site/index.html"
	@echo "make lint    ruff, mypy, import contracts"
	@echo "make release wheels in dist/, checked and tried out; about half an hour; uploads nothing"

setup: $(STAMP)

$(STAMP): pyproject.toml $(PLUGIN_PROJECTS) $(LAB)/pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: python 3.11 or newer is needed; name one with 'make setup PYTHON=...'" >&2; exit 2; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "error: this python has no venv/ensurepip; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@test -x $(BIN)/python -a -x $(BIN)/pip || "$(PYTHON)" -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  -e ".[all,test,lint]" $(foreach project,$(PLUGINS) $(LAB),-e $(project))
	@touch $@

demo: setup
	PATH="$(CURDIR)/$(BIN):$$PATH" bash examples/demo.sh

# XSkat is an oracle for Skat; its tests skip with a reason where it cannot be had.
xskat:
	@command -v xskat >/dev/null || test -x /usr/games/xskat || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    { apt-get install -y -q xskat || { apt-get update -q && apt-get install -y -q xskat; }; } >/dev/null 2>&1; } || \
	  echo "xskat is not installed: its tests will be skipped" >&2

# The page of the server is tested in a browser; where none can be had these tests skip with a reason.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    { apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; } >/dev/null 2>&1; } || \
	  echo "chromium is not installed: tests of the page will be skipped" >&2

# Players of strangers are shut in by bubblewrap; its tests skip with a reason where it cannot be had.
.PHONY: sandbox
sandbox:
	@command -v bwrap >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    { apt-get install -y -q bubblewrap || { apt-get update -q && apt-get install -y -q bubblewrap; }; } >/dev/null 2>&1; } || \
	  echo "bubblewrap is not installed: tests of the sandbox will be skipped" >&2

test: setup xskat browser sandbox
	$(BIN)/python -m pytest -n $(WORKERS)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) -m kernel

explore: setup
	HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -n $(WORKERS) tests/property

# The times of this commit go to build/speeds.json, to be compared with by the next one.
bench: setup
	$(BIN)/tricktake bench --speeds build/speeds.json --commit "$$(git describe --always --dirty 2>/dev/null || echo unknown)"
	@if $(BIN)/python -c "import endplay" 2>/dev/null; \
	then $(BIN)/python -m tricktake_lab bridge.dds --set boards=10; \
	else echo "endplay, which brings DDS, is not installed: no ratio to DDS"; fi

# From packages of PyPI alone; nothing on the pages is loaded from the net. A warning is an error.
docs: setup $(VENV)/.docs
	@test -f build/site/searchindex.js || rm -rf build/doctrees build/site # a build that was stopped: the next one would warn
	$(BIN)/sphinx-build -q -W --keep-going -c docs -d build/doctrees . build/site
	@echo "open build/site/index.html"

$(VENV)/.docs: pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

release: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[release]"
	$(BIN)/python packaging/release.py dist

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build docs/modules
