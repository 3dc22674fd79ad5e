# `make demo` shows what dup-groups does, `make test` proves it. Each installs into .venv what it needs, and no more.
PYTHON ?= python3
LOWEST_PYTHON ?= python3.10
VENV := .venv
BIN := $(VENV)/bin
GROUPS := test lint docs spark typing entities  # of pyproject.toml; $(VENV)/.GROUP is there when it is installed
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --editable
PYBABEL = $(BIN)/python -m babel.messages.frontend -q
TEXTS = --no-location --sort-output --omit-header -w 100
export PYTHONPATH := scrapy_project:tests
export OPENBLAS_NUM_THREADS := 1  # workers with a thread for each core would be in each other's way
unexport PYTHONDONTWRITEBYTECODE  # pytest rewrites hundreds of modules, in each worker, where it may not keep them

.PHONY: quality figures texts bench-filter test-writers help setup tools demo serve test test-all test-quick test-lowest smoke soak mutants lint workflows types layers wheel docs screenshots bench bench-offline bench-real bench-backfill servers server clean

help:  ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.dev  ## all of it at once (2 GB); without this, each target installs what it needs when it is made

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "dup-groups needs Python 3.10 or newer: make PYTHON=python3.11 ...")'
	@$(PYTHON) tests/tools.py python3-venv
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'  # which knows groups
	@touch $@

$(VENV)/.demo: pyproject.toml | $(VENV)/.python
	@echo 'Installing what the demo needs into $(VENV): 320 MB'
	$(INSTALL) '.[scrapy,web]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.python
	$(INSTALL) '.[all]' --group dev
	@touch $@ $(GROUPS:%=$(VENV)/.%) $(VENV)/.demo

$(GROUPS:%=$(VENV)/.%): $(VENV)/.%: pyproject.toml | $(VENV)/.python
	@echo 'Installing what `$*` needs into $(VENV)'
	$(INSTALL) '.[all]' --group $*
	@touch $@ $(VENV)/.demo

$(VENV)/.server: pyproject.toml | $(VENV)/.python
	$(BIN)/python -m pip install --quiet --group server
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) '.[all,bench]'
	@touch $@

tools: $(VENV)/.test  ## chromium and Maven, which tests need: found, or fetched by apt or playwright
	@$(BIN)/python -m tools

demo: $(VENV)/.demo  ## crawl seven small news sites on loopback, group them, search them
	@$(BIN)/dup-groups demo

serve: demo/news.db $(VENV)/.demo  ## the search page over what `make demo` crawled, and the sites behind its links
	@$(BIN)/dup-groups demo --serve

demo/news.db:
	@echo 'There is nothing to serve yet: run `make demo` first, then `make serve`.' >&2; exit 1

# Some of the time tests wait for servers: three workers keep two cores busy, and each one collects all tests.
test: tools  ## the tests: engines on the newest OpenSearch and Elasticsearch, the rest on OpenSearch, and a real browser
	@$(BIN)/python -m servers --fetch opensearch-3 elasticsearch-9
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not slow and not spark"
	@echo "make test-all adds OpenSearch 2.19 and Elasticsearch 8.19, on Elasticsearch 9 all but the contract of engines, the promises of the flow on every server, histories and deaths by chance, load, the wheel, Spark, training, all charsets crossed, 300 examples of each property for 20, mutants, and the clients for JavaScript, Go and Java"

test-all: tools servers $(VENV)/.spark $(VENV)/.entities  ## every test on every server, 300 examples of each property, make test-writers, make mutants: hours
	$(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-profile many
	$(MAKE) test-writers mutants

test-quick: $(VENV)/.test  ## the tests that need no server, no browser and no whole crawl
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not server and not browser and not whole and not spark and not slow"

test-lowest:  ## these, and whole crawls, with the lowest versions that pyproject.toml allows; LOWEST_PYTHON names a Python 3.10
	$(LOWEST_PYTHON) -m venv --clear .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet uv
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python \
		--resolution lowest-direct --editable '.[all]' --group test
	.venv-lowest/bin/python -m pytest -n 2 --dist worksteal -q -m "not server and not browser and not spark and not slow"

smoke:  ## install dup-groups without anything else, run every command: make smoke EXTRA=web
	$(PYTHON) -m venv --clear .venv-smoke
	.venv-smoke/bin/python -m pip install --quiet '.$(if $(EXTRA),[$(EXTRA)])'
	.venv-smoke/bin/python tests/smoke.py

soak: servers  ## kill at random moments, until stopped: make soak KILL=crawler|filter|server|writer NAME=opensearch-3 RUNS=100
	$(BIN)/python -m faults $(or $(NAME),opensearch-3) --kill $(or $(KILL),crawler) --runs $(or $(RUNS),0)

test-writers: servers  ## the JavaScript, Go and Java clients write through the filter (npm, go, mvn): ONLY=go-opensearch
	PYTHONPATH=tests $(BIN)/python -m filtering.writers $(ONLY)

mutants: $(VENV)/.test  ## change the rooms that decide, one expression at a time, and list what no test notices: make mutants ROOMS=engines
	@$(BIN)/python -m mutation $(ROOMS)

lint: $(VENV)/.lint  ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m naming

workflows:  ## actionlint, which needs Go, on the workflows of GitHub
	go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

types: $(VENV)/.typing  ## mypy --strict
	$(BIN)/mypy

layers: $(VENV)/.lint  ## who may import whom
	$(BIN)/lint-imports

wheel: $(VENV)/.test  ## build the wheel and the sdist, and look into them
	$(BIN)/python -m build --outdir dist . >/dev/null
	$(BIN)/python -m pytest -q tests/test_wheel.py

docs: $(VENV)/.docs  ## the docs as a site in site/; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "The docs are in site/index.html"

screenshots: tools  ## take the screenshots of the docs again, in chromium
	DUPGROUPS_SCREENSHOTS=docs/images $(BIN)/python -m pytest -q -k "shows or sqlite" tests/browser/test_docs_screenshots.py tests/browser/test_journey.py

figures: $(VENV)/.bench  ## write the tables of docs/ again: make figures SHARED=FOLDER, in which the labelled packs are
	$(BIN)/python docs/figures.py $(if $(SHARED),$(SHARED)/data/duplicates $(SHARED)/data/extraction)

quality: $(VENV)/.test  ## what must not get worse, in one table with its floors: make quality SHARED=FOLDER ONLY=PART
	$(BIN)/python -m quality $(SHARED) $(if $(ONLY),--only "$(ONLY)")

bench: $(VENV)/.bench  ## what a page and a signature cost, compared with other libraries: make bench PAGES=FILE DOCS=FILE
	$(BIN)/python benchmarks/chain.py $(PAGES) $(DOCS)

bench-filter: servers  ## what `dup-groups filter` costs compared with the server alone: make bench-filter ENGINE=URL SECONDS=6
	$(BIN)/python benchmarks/filter.py $(if $(ENGINE),--engine $(ENGINE)) $(if $(SECONDS),--seconds $(SECONDS))

texts: $(VENV)/.test  ## bring the catalogues of the pages up to date; make texts LANGUAGE=fr begins another language
	@mkdir -p build
	@for room in pipelines/dupgroups/presentation pipelines/dupgroups_lab/labelling; do \
		page=pipelines/dupgroups/web; [ $$room = $${page%/*}/presentation ] || page=; \
		$(PYBABEL) extract -F babel.toml -k plural:2,3 -k gettext_noop $(TEXTS) -o build/texts.pot $$room $$page && \
		if [ -e $$room/translations/$(or $(LANGUAGE),zh).po ]; then action="update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date"; else action=init; fi && \
		$(PYBABEL) $$action -i build/texts.pot -l $(or $(LANGUAGE),zh) -o $$room/translations/$(or $(LANGUAGE),zh).po -w 100; \
		sentences=$$room/translations/sentences; \
		[ -e $$sentences.$(or $(LANGUAGE),zh).po ] || sed -E '/^"Language:/d; s/^msgstr .+/msgstr ""/' $$sentences.zh.po >$$sentences.$(LANGUAGE).po; \
	done

bench-offline: $(VENV)/.bench $(VENV)/.spark  ## what dup-groups group costs, and on a PACK its F1, compared with other libraries: make bench-offline DOCUMENTS=1000000
	$(BIN)/python benchmarks/offline.py $(if $(PACK),--pack $(PACK),--texts $(or $(DOCUMENTS),50000))

bench-real: $(VENV)/.bench  ## the same on real documents, as a store grows, and compared with other libraries: make bench-real DOCS="FILE ..." ENGINE=URL
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
		$(BIN)/python benchmarks/scale.py sqlite:///$$folder/real.db --docs $(DOCS)
	$(if $(ENGINE),$(BIN)/python benchmarks/scale.py $(ENGINE) --docs $(DOCS) --batch 500 $(if $(INDICES),--indices $(INDICES)))
	$(BIN)/python benchmarks/offline.py --docs $(DOCS) --rivals gaoya,rensa

bench-backfill: $(VENV)/.test  ## documents a second of a backfill by step: make bench-backfill DOCUMENTS=1000000
	$(BIN)/python benchmarks/scale.py $(ENGINE) --backfill $(or $(DOCUMENTS),20000) --processes $(or $(PROCESSES),2)

servers: tools  ## download the servers that the tests start (Maven, cached outside the clone)
	@$(BIN)/python -m servers --fetch

server: $(VENV)/.server  ## run the newest OpenSearch on port 9200, or another server: make server NAME=elasticsearch-9
	@$(BIN)/python tests/tools.py maven
	@$(BIN)/python -m servers $(NAME)

clean:  ## remove what was made here
	rm -rf $(VENV) .venv-lowest .venv-smoke demo build dist site test-output .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
