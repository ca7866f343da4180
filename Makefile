# Thin: what each target does stands in scripts/.
PYTHON := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help setup build demo test check bench docs sanitize fuzz soak clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup:  ## make .venv, install, build; seconds when nothing changed
	@scripts/setup.sh

build: setup  ## the same as setup

demo: setup  ## train, export, run in Java, compare: the whole chain on real digits
	@$(PYTHON) scripts/demo.py

test: setup  ## JUnit through Gradle, then pytest against torch in Python
	@scripts/test.sh

check: setup  ## formatters, linters, type checkers, compiler warnings
	@scripts/check.sh

bench: setup  ## Java against C++ and Python on the same file, threads and inputs
	@scripts/bench.sh

fuzz: setup  ## changed archives and wrong calls in child JVMs
	@$(PYTHON) scripts/fuzz.py

soak: setup  ## a million calls and more in small heaps: does native memory stay flat (20 minutes)
	@$(PYTHON) -W ignore scripts/soak.py

docs: setup  ## Javadoc into build/gradle, and the generated tables of docs/
	@gradle --offline --no-daemon --quiet javadoc
	@$(PYTHON) -m pytest -q -W ignore tests/test_values_table.py -k cell --values-table docs/values.md
	@$(PYTHON) -m pytest -q -W ignore tests/test_failures.py tests/test_b_libraries.py -k docs --write-docs
	@$(PYTHON) -W ignore scripts/export_table.py

sanitize: setup  ## the native library under AddressSanitizer and UBSan
	@scripts/sanitize.sh

clean:  ## remove everything that is built
	rm -rf build .venv
