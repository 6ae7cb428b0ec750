# The two commands of the README: make run, make test. Both make the environment when it is not there; what only tests
# and benchmarks need is added by the targets that need it.
#   make run                                  the small example web, crawled, indexed and served; seven ports from WEB_PORT=
#   make run URL=https://... CONTACT=you@...  that site instead; OWN=1 when it is yours
#   make machines                             a PostgreSQL server, three OpenSearch nodes where make opensearch and make
#                                             opensearch-server were run, two crawls and two search pages, to try them
#   make test                                 format, lint, types, tests
#   make postgresql                           what `database = "postgresql://..."` in crawl.toml needs
#   make opensearch                           what an index in an OpenSearch cluster needs
#   make archive                              what scrapy import needs: fastwarc
#   make parquet                              what scrapy export FILE.parquet needs: pyarrow
#   make render                               what `render` of a [[site]] needs besides the system's Chromium: playwright
#   make oidc                                 what [oidc] in crawl.toml needs: joserfc
#   make opensearch-server                    a server for the tests of that: its jars by Maven, and a JDK's javac
#   make promises                             what crawl database and index promise, on a PostgreSQL server and in a cluster
#   make requirements                         every row of docs/requirements.md with its tests
#   make journeys                             the tests that are slow, and whole systems at full size: people, crawls,
#                                             kills, nights, the zoo, browsers
#   make long                                 all tests at full size
#   make zoo                                  a crawl of some 240 hostile hosts, as one's own and as strangers'; memory peaks
#   make fuzz                                 what reads strangers' octets, for an hour; FUZZ_SECONDS= for each target
#   make soak                                 an hour of 1,000 hosts, a full disk and a kill; SOAK_MINUTES=, SOAK_HOSTS=
#   make pins                                 requirements*.txt anew, after a change of constraints.txt
#   make words                                new texts of the search page into its catalogues, to be translated
#   make picture                              the README's picture anew, of what make run serves; QUERY=words
#   make bench                                benchmarks beside their peers, into docs/benchmarks.md
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
WEB_PORT ?= 8101
DATABASE_PORT ?= 8091
OPENSEARCH_PORT ?= 8092
QUERY ?= spider
OPENSEARCH := build/opensearch

export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Some images set it: then each of the hundreds of processes that tests start would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install tools postgresql opensearch archive parquet render oidc opensearch-server run machines test promises requirements long journeys zoo fuzz soak pins words picture bench

install: $(VENV)/installed

tools: $(VENV)/tools

# Modules are compiled as they are imported; most never are.
$(VENV)/installed: pyproject.toml requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . & editable=$$!; \
	$(BIN)/python -m engine.kernels.precompile engine.index.indexing engine.search engine.index.cluster_searching && wait $$editable
	touch $@

# The same and more: what tests and benchmarks need besides.
$(VENV)/tools: $(VENV)/installed requirements-test.txt
	$(BIN)/pip install --quiet --no-compile --require-hashes --requirement requirements-test.txt
	touch $@

postgresql: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt 'psycopg[binary]'

opensearch: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt opensearch-py

archive: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt fastwarc

parquet: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt pyarrow

render: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt playwright

oidc: install
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt joserfc

opensearch-server: $(OPENSEARCH)/Node.class

$(OPENSEARCH)/Node.class: tests/opensearch/pom.xml tests/opensearch/Node.java
	rm -rf $(OPENSEARCH)
	mvn --batch-mode --quiet --strict-checksums --file tests/opensearch/pom.xml dependency:copy-dependencies \
		-DoutputDirectory=$(CURDIR)/$(OPENSEARCH)
	javac -d $(OPENSEARCH) -cp '$(OPENSEARCH)/*' tests/opensearch/Node.java

run: install
	@BIN=$(BIN) PORT=$(PORT) WEB_PORT=$(WEB_PORT) URL='$(URL)' CONTACT='$(CONTACT)' OWN='$(OWN)' bash deploy/run

machines: install
	@BIN=$(BIN) PORT=$(PORT) WEB_PORT=$(WEB_PORT) DATABASE_PORT=$(DATABASE_PORT) OPENSEARCH_PORT=$(OPENSEARCH_PORT) \
		bash deploy/machines

test: tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest -m 'not slow and not long and not sites' -n 4 --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$types && exit $$tests

PROMISES := $(addprefix tests/engine/,admin alerts commands complaints crawl explain frontier gates monitor \
	ownership plan report store submission) tests/simulation
PROMISES_OF_INDEX := $(addprefix tests/engine/,alerts commands explain gates index/indexing relevance report search \
	submission suggest)
promises: tools
	LYCOSA_TEST_DATABASE=postgresql $(BIN)/pytest $(PROMISES) -m 'not slow and not long and not sqlite' \
		-n 2 --dist loadfile --no-loadscope-reorder
	LYCOSA_TEST_INDEX=opensearch $(BIN)/pytest $(PROMISES_OF_INDEX) -m 'not slow and not long and not folder' \
		-n 2 --dist loadfile --no-loadscope-reorder

requirements: tools
	@$(BIN)/python -m tests.requirements_report

long: tools
	$(BIN)/pytest -m long --timeout 3600
	LYCOSA_TEST_INDEX=opensearch $(BIN)/pytest tests/recovery/test_index_kills.py --timeout 3600

journeys: tools
	$(BIN)/pytest -m 'slow and not long' -n 2 --dist loadfile --no-loadscope-reorder
	$(BIN)/pytest tests/journeys tests/recovery tests/search_ui/admin tests/search_ui/browser tests/search_ui/owner \
		tests/simulation tests/walk tests/zoo -m long --timeout 3600 -n 2 --dist loadfile --no-loadscope-reorder

zoo: tools
	$(BIN)/pytest tests/zoo -s --timeout 3600

fuzz: tools
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz

soak: tools
	$(BIN)/python -m tests.soak

# All files of each version of constraints.txt, by their hashes; of what is installed by hand (fuzz, xapian) none.
# uv asks the index that its own settings name (UV_DEFAULT_INDEX), not pip's.
COMPILE = $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-annotate --no-header \
	--constraint constraints.txt
pins: tools
	$(BIN)/pip install --quiet --constraint constraints.txt uv
	$(COMPILE) --extra build pyproject.toml --output-file requirements.txt
	$(COMPILE) --extra build --extra test --extra bench pyproject.toml --output-file requirements-test.txt

words: tools
	$(BIN)/pybabel -q extract -F search_ui/locale/babel.cfg -k Message -k RerankSignal:2 --add-location=file -o $(VENV)/lycosa.pot .
	$(BIN)/pybabel update -N -i $(VENV)/lycosa.pot -d search_ui/locale -D lycosa -w 110 --ignore-obsolete --ignore-pot-creation-date

picture:
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1000,760 \
		--screenshot=deploy/search-page.png 'http://127.0.0.1:$(PORT)/search?q=$(subst $() ,+,$(QUERY))'

bench: tools
	$(BIN)/python -m benchmarks.table
