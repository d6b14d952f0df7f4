# Short commands in front of CMake. Each installs what is missing and builds what it needs.
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
# Half of the tests wait most of their time.
TESTS_AT_ONCE := $(shell expr 2 '*' $(JOBS))
PACKAGES := tools/packages.sh install
build_in = cmake --build build/$(1) -j $(JOBS)
ATOLL := build/release/bin/atoll
SOURCES = find app bench examples python reproduction src tests -name '*.[ch]pp' -print0
# g++ 12's sanitizers need addresses that are not too random.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: help
help:  ## this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- building
.PHONY: packages build program
packages:
	@$(PACKAGES) build test

build/%/build.ninja: CMakePresets.json | packages
	@cmake --preset $* && touch $@

build: build/release/build.ninja  ## everything, optimised, tests included
	@$(call build_in,release)

program: build/release/build.ninja  ## the program atoll alone: build/release/bin/atoll
	@$(call build_in,release) --target program

.PHONY: demo bench experiments
demo: program  ## search the package graph of this machine, and a Kronecker graph
	@$(PACKAGES) demo
	@examples/demo.sh $(ATOLL)

bench: build/release/build.ninja  ## Atoll beside the limits of this machine and its peers (ten minutes)
	@$(PACKAGES) bench
	@cmake --preset release >/dev/null && $(call build_in,release)
	@tools/bench.py $(ATOLL) build/bench

experiments: program  ## rerun and draw the figures of the papers (QUICK=1: five minutes at most)
	@$(PACKAGES) experiments
	@$(call build_in,release) --target atoll_bench_program atoll-papers atoll-peer-threads
	@/usr/bin/python3 experiments/run.py --atoll $(ATOLL) $(if $(QUICK),--quick)

# ---- installing
PREFIX ?= /usr/local
.PHONY: install deb
install: build/release/build.ninja  ## library, headers, kernels and program, built for this machine (PREFIX=/usr/local)
	@$(call build_in,release) --target installed
	@cmake --install build/release --prefix $(PREFIX)

deb: build/package/build.ninja  ## Debian packages for every x86-64-v2 processor, in build/package
	@$(PACKAGES) package
	@$(call build_in,package) --target installed
	@cd build/package && cpack

# ---- testing
.PHONY: check test test-all test-long thorough asan asan-all tsan tsan-all fuzz mutate clang lint lint-all format
check: build/release/build.ninja  ## the rules of the house, and the tests of what has changed since the last commit
	@tools/check.sh $(JOBS)

test: build  ## builds everything, and runs the quick tests
	@ctest --preset release -j $(TESTS_AT_ONCE)

test-all: test thorough asan tsan fuzz  ## also the thorough tests, and tests under the sanitizers, and the fuzzers

thorough: build  ## slow tests: MPI, peers, kills, planted faults, OpenSHMEM, experiments, packaging
	@ctest --preset thorough -j $(TESTS_AT_ONCE)

test-long: build  ## all tests, the long ones, all under the sanitizers, ten minutes of fuzzing, all lint
	@$(PACKAGES) long package
	@ctest --preset long -j $(JOBS)
	@ATOLL_TEST_ALL_SIZES=1 SECONDS_OF_FUZZING=600 $(MAKE) asan-all tsan-all
	@FUZZ_SECONDS=300 $(MAKE) fuzz
	@$(MAKE) lint-all

asan asan-all tsan tsan-all: %: build/%/build.ninja  ## the quick tests under the sanitizers
	@$(call build_in,$@)
	@$(FIXED_ADDRESSES) ctest --preset $@ -j $(TESTS_AT_ONCE)

fuzz: build/asan/build.ninja  ## the fuzzers of the file readers, briefly
	@$(call build_in,asan) --target tests/fuzz/all
	@ctest --preset fuzz -j $(TESTS_AT_ONCE)

mutate: packages  ## plants faults in a copy of the tree and looks whether the tests find them
	@tools/mutate.py

clang: build/clang/build.ninja  ## the quick tests, built by the second compiler
	@$(call build_in,clang)
	@ctest --preset clang -j $(TESTS_AT_ONCE)

build/asan/build.ninja build/asan-all/build.ninja: | packages-asan
build/clang/build.ninja build/lint/build.ninja: | packages-lint
.PHONY: packages-asan packages-lint
packages-asan packages-lint: packages-%:
	@$(PACKAGES) $*

lint: build/lint/build.ninja  ## layout, layers, sizes, and clang-tidy on what has changed
	@cmake --preset lint >/dev/null && tools/lint.sh build/lint $(JOBS)

lint-all: build/lint/build.ninja  ## the same, and clang-tidy on everything
	@cmake --preset lint >/dev/null && tools/lint.sh build/lint $(JOBS) --all

format: packages-lint  ## lay out the sources
	@$(SOURCES) | xargs -0 clang-format-19 -i

.PHONY: clean
clean:  ## remove what was built
	@rm -rf build
