# The few commands of the course. Each makes .venv first, from whatever state it finds.
# A Python of your choice: make lab PYTHON=/path/to/python3.12
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11 python,\
            $(shell command -v $(p) >/dev/null 2>&1 && $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
BIN := .venv/bin
comma := ,
# What an installation depends on; pip copies the last one into .venv.
INSTALLED := pyproject.toml constraints.txt autograder/notebook/jupyter/ipython_kernel_config.py
PIP := $(BIN)/python -m pip install --disable-pip-version-check

# What make proof proves, a part each.
PROOF := proof-lessons proof-strangers proof-readers proof-walls

.PHONY: lab grade test system-packages test-gpu coverage build build-check proof $(PROOF) bench-grader lock clean
lab grade build build-check: .venv/ready
test test-gpu coverage proof $(PROOF) bench-grader lock: .venv/ready-test
test: system-packages

lab:           ## open the course in JupyterLab, on your own copies in work/
	@$(BIN)/tilewise lab

grade:         ## grade a sample class through the whole pipeline and print the table
	@echo "Making a sample class, and grading it. About a minute."
	@$(BIN)/python -m autograder.authoring.sample

test: SHELL := /bin/bash
test: export PYTHONDONTWRITEBYTECODE :=  # else each process that a test starts compiles the course anew
test:          ## lint, types and every test; of the proofs what has changed since tests/proved.txt was written
	@TIMEFORMAT='make test: %U s of CPU'; time ( set -ex; \
	  $(BIN)/ruff check --no-cache .; \
	  $(BIN)/ruff format --check --quiet --no-cache .; \
	  $(BIN)/lint-imports --no-logo; \
	  $(BIN)/mypy; \
	  $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder )

system-packages:
	@sh tests/system-packages.sh

test-gpu:      ## the tests that need an NVIDIA GPU: six at a time, and by themselves those that measure
	@$(BIN)/python -m pytest -m gpu -n 6 --ignore=tests/benchmark
	@$(BIN)/python -m pytest -m gpu tests/benchmark

coverage:      ## every test again, and the lines that none of them reaches; up to Python 3.11 they take twice as long
	@TILEWISE_EVERY_TEST=1 $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder \
	  --cov --cov-report=term:skip-covered

build:         ## lessons/*.md and kernels/*.py -> lessons/*.ipynb and solutions/*.ipynb
	@$(BIN)/tilewise build

build-check:   ## fail if a generated notebook is stale, naming it
	@$(BIN)/tilewise build --check

proof:         ## the author's proof: solutions pass, mutants die, starters earn nothing, strangers get what they deserve
	@$(MAKE) --no-print-directory --keep-going $(PROOF)  # a part that fails stops no other

proof-lessons:
	@$(BIN)/tilewise prove

proof-strangers:
	@echo "Grading strangers' answers; each is named when it is done. Wrong ones are tried with 100 seeds."
	@$(BIN)/python -m tests.strangers.seeds

proof-readers:
	@echo "Reading files and messages of any form, 5,000 of a kind."
	@TILEWISE_EXAMPLES=5000 $(BIN)/python -m pytest -q -s tests/grading/reading/test_fuzz.py

proof-walls:
	@echo "Grading each hostile submission behind every wall."
	@TILEWISE_EVERY_TEST=1 TILEWISE_EVERY_WALL=1 $(BIN)/python -m pytest -q tests/grading/hostile

bench-grader:  ## how fast checks and grades are on this machine
	@$(BIN)/python -m bench.grading.grader

lock:          ## pin what pyproject.toml asks for: requirements.lock, and what follows; newer versions: UPGRADE=--upgrade
	@$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes $(UPGRADE) \
	  --no-annotate --no-emit-index-url --custom-compile-command "make lock" --quiet --output-file requirements.lock
	@$(BIN)/python .ci/pins.py

# Stopped at any moment, the next make goes on from there, or begins anew if pip does not run.
define install
	@test -n "$(PYTHON)" || { echo "Tilewise needs Python 3.11 or newer: install it, or run make PYTHON=/path/to/it"; exit 1; }
	@echo "Installing $(1) into .venv. A few minutes the first time, and pip says how far it is."
	@$(BIN)/python -c 'import sys, pip._internal.cli.main; sys.exit(sys.prefix == sys.base_prefix)' 2>/dev/null || \
	  $(PYTHON) -m venv --clear .venv || \
	  { echo "Python cannot make virtual environments here; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(PIP) --quiet --upgrade pip  # the same resolver everywhere
	@$(PIP) --no-compile -c constraints.txt -e '$(2)'
	@touch $(3)
endef

.venv/ready: $(INSTALLED)
	$(call install,PyTorch$(comma) Triton$(comma) JupyterLab and the course,.,$@)
	@echo "Compiling what was installed, on all cores. Less than a minute."
	@$(BIN)/python -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true

# Besides what a learner needs: nbgrader, linters, a browser's driver. Python compiles what the tests import.
.venv/ready-test: $(INSTALLED)
	$(call install,the course and what its tests need,.[class$(comma)test],.venv/ready $@)

clean:
	rm -rf .venv build *.egg-info
