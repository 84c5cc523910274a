# `make run` and `make test` are all a newcomer needs: Python 3.11+ and make.

PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3 python,\
	$(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
VENV := .venv
RUN := $(VENV)/bin/python -m

# The tests start the judge dozens of times: it is not to be compiled anew for each.
unexport PYTHONDONTWRITEBYTECODE

# Tests run beside each other; each long run takes so many seconds.
WORKERS ?= auto
SOAK_SECONDS ?= 120
TESTS := $(RUN) pytest --numprocesses=$(WORKERS) --maxprocesses=4 --dist=worksteal

.PHONY: help run drawing test test-postgres test-postgres-whole compiled .compiled test-compiled test-compiled-whole looks soak soak-long bench bench-short release format lock clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

# One environment for everything; made anew when the lock changes.
$(VENV)/ready: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed"; exit 2; }
	@echo "Making an environment in $(VENV), once, with $$($(PYTHON) --version); this takes a minute or two."
	@$(PYTHON) -m venv --clear $(VENV)
	@echo "Fetching the packages of requirements.lock:"
	@{ $(VENV)/bin/pip install --disable-pip-version-check --require-hashes -r requirements.lock || echo "Not installed"; } | \
		awk '/^Collecting/ { printf "  %3d  %s\n", ++n, $$2; fflush() } \
		/^Installing collected/ { print "  ... and putting them into place"; fflush() } /^Not installed$$/ { failed = 1 } END { exit failed }'
	@$(VENV)/bin/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
	@echo "Ready."

# What draws the boards, which no judge needs while it runs.
$(VENV)/drawing: $(VENV)/ready requirements-drawing.lock
	@$(VENV)/bin/pip install -qq --disable-pip-version-check --require-hashes -r requirements-drawing.lock
	@touch $@

drawing: $(VENV)/drawing ## what draws boards: its tests are skipped without it

run: $(VENV)/ready ## start the judge on this machine: no server, no account needed
	@$(VENV)/bin/judge migrate
	@exec $(VENV)/bin/judge serve

# The types are checked while tests wait for this and that; what was found is said at the end.
test: $(VENV)/ready ## everything CI checks
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(VENV)/bin/lint-imports
	@said=$$(mktemp); $(RUN) mypy >"$$said" 2>&1 & types=$$!; \
	echo "$(TESTS)"; $(TESTS); tests=$$?; \
	wait $$types; types=$$?; echo "$(RUN) mypy"; cat "$$said"; rm "$$said"; exit $$((tests + types))

# What says something about the database; the server comes from Debian's package `postgresql`.
ON_POSTGRES := TEST_DATABASE=postgresql $(TESTS) -m "not soak and not looks"
test-postgres: $(VENV)/ready ## what touches the database, on a PostgreSQL server that the tests start
	$(ON_POSTGRES) $(foreach name,storage storage_schema pipeline shared twice sharing dumps crossing upgrade operator failpoints process troubles moving waking database_away delivery gathering faults watch talk service lists suspects budgets,tests/test_$(name).py)
test-postgres-whole: $(VENV)/ready ## the whole suite on PostgreSQL
	$(ON_POSTGRES)

looks: $(VENV)/ready ## letters and pages as a browser shows them, Debian's `chromium`; GALLERY=folder keeps pictures
	$(TESTS) -m looks $(if $(GALLERY),--gallery=$(GALLERY))

soak: $(VENV)/ready ## long runs: the random ones SOAK_SECONDS each
	SOAK_SECONDS=$(SOAK_SECONDS) $(TESTS) -m "soak or long"

soak-long: $(VENV)/ready ## the same runs to their end: more than an hour
	env -u SOAK_SECONDS $(TESTS) -m "soak or long"

# The peer we measure ourselves against needs much that the judge does not: it gets an environment of its own.
$(VENV)-bench/ready: requirements-bench.lock
	$(PYTHON) -m venv --clear $(VENV)-bench
	$(VENV)-bench/bin/pip install -qq --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@touch $@

bench: $(VENV)/ready $(VENV)-bench/ready ## the figures we promise; fails if one is beyond its promise
	$(VENV)/bin/python benchmarks/promised.py

bench-short: $(VENV)/ready $(VENV)-bench/ready ## the same in some minutes, for noisy machines: fails beyond 1.3 times a promise
	$(VENV)/bin/python benchmarks/promised.py --short

release: $(VENV)/ready ## sdist, wheel and notes in dist/, tried in empty environments; uploads nothing
	.ci/release

compiled: $(VENV)/ready ## a wheel in dist/compiled/ whose adjudicator is machine code, for this machine; needs a C compiler
	@rm -rf dist/compiled
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(RUN) hatchling build --target wheel --directory dist/compiled

# The sources with the machine code beside them are a copy: there, a change of the sources has no effect.
.compiled: compiled
	@rm -rf $@ && mkdir $@
	@tar --create --exclude=./.git --exclude='./.venv*' --exclude='./.*_cache' --exclude=./.compiled --exclude=./dist --exclude=./var . | \
		tar --extract --directory $@
	@$(RUN) zipfile --extract dist/compiled/*.whl $@/wheel
	@cd $@/wheel && find . -name '*.so' -exec cp --parents --target-directory=.. {} + && rm -r ../wheel
	@cd $@ && $(CURDIR)/$(VENV)/bin/python -c "from judge.rules import decisions; assert decisions.__file__.endswith('.so')"

# What adjudicates, checks orders, or shows what came of them.
COMPILED_TESTS := datc rules reasons exchange exchange_input soundness sources properties removals sight possible recorded_games \
	endings choices short_games fog archive boards buttons facts insight many map_command other_boards robots shipped_boards verify
ON_COMPILED = cd .compiled && PYTHONPATH=$$PWD $(CURDIR)/$(TESTS)
test-compiled: .compiled ## the tests of what that wheel has compiled, on it
	$(ON_COMPILED) $(foreach name,$(COMPILED_TESTS),tests/test_$(name).py)
test-compiled-whole: .compiled ## the whole suite on that wheel; takes as long as the tests of `make test`, so CI leaves it out
	$(ON_COMPILED)

format: $(VENV)/ready ## tidy the code
	$(RUN) ruff check --fix-only .
	$(RUN) ruff format .

lock: ## renew the locks (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group dev --extra postgres \
		--output-file requirements.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --constraints requirements.lock \
		--group drawing --output-file requirements-drawing.lock
	echo diplomacy==1.1.2 | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate --output-file requirements-bench.lock -

clean: ## remove the environment and the caches, not the games
	rm -rf $(VENV) $(VENV)-bench .compiled .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist
