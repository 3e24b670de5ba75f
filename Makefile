# SPDX-License-Identifier: MIT
# The short commands. CMake does the building (see CMakePresets.json); this file installs what is missing first.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
RELEASE := build/release

.PHONY: help demo test build bench mutants soak fuzz fuzz-coverage format clean setup

help:
	@echo "make demo     build, run two scenes, write a picture of each"
	@echo "make test     every check: two compilers, sanitizers, instruction sets, layers, documents"
	@echo "make build    release build; programs in $(RELEASE)/bin/"
	@echo "make bench    install the peers, build with them, print the table"
	@echo "make mutants  plant small faults one by one; the tests must catch each"
	@echo "make soak     the random tests again, with fresh seeds, for SOAK_MINUTES (10), then the scenes in full"
	@echo "make fuzz     the fuzzers, for FUZZ_SECONDS (600) in all"
	@echo "make fuzz-coverage  which lines the corpora reach, and what make fuzz has found since"
	@echo "make format   format the sources"
	@echo "make clean    remove build/"

setup:
	@tools/setup.sh

build: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/build.sh release

demo: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/build.sh release jostle_program
	$(RELEASE)/bin/jostle run scenes/collision_event.json --png build/collision_event.png
	$(RELEASE)/bin/jostle run scenes/crowd.json --png build/crowd.png
	@echo "pictures: build/collision_event.png build/crowd.png"

test: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/test.sh

bench:
	@tools/setup.sh peers
	@env -u MAKEFLAGS -u MAKELEVEL tools/build.sh release jostle-bench
	$(RELEASE)/bin/jostle-bench --table --peers

mutants: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/mutants.sh

soak: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/soak.sh
	@env -u MAKEFLAGS -u MAKELEVEL tools/soak.sh scenes

fuzz: setup
	@env -u MAKEFLAGS -u MAKELEVEL tools/fuzz.sh $(FUZZ_SECONDS)

fuzz-coverage: setup
	@env -u MAKEFLAGS -u MAKELEVEL FUZZ_RUNS=0 tools/fuzz.sh

format: setup
	@tools/format.sh

clean:
	rm -rf build
