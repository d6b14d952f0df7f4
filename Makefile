# Short commands in front of CMake. Each installs what is missing and builds what it needs.
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)
# Half of the tests wait most of their time.
TESTS_AT_ONCE := $(shell expr 2 '*' $(JOBS))
PACKAGES := tools/packages.sh install
build_in = cmake --build build/$(1) -j $(JOBS)
ATOLL := build/release/bin/atoll
SOURCES = find app bench examples kernels src tests -name '*.[ch]pp' -print0
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
	@$(call build_in,release) --target app/all

.PHONY: demo bench experiments
demo: program  ## search the package graph of this machine, and a Kronecker graph
	@$(PACKAGES) demo
	@examples/demo.sh $(ATOLL)

bench: build/release/build.ninja  ## Atoll beside the limits of this machine and its peers (ten minutes)
	@$(PACKAGES) bench
	@cmake --preset release >/dev/null && $(call build_in,release)
	@tools/bench.sh $(ATOLL) build/bench

experiments: program  ## rerun and draw the figures of the papers (QUICK=1: five minutes at most)
	@$(PACKAGES) experiments
	@$(call build_in,release) --target atoll-peer-threads
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
.PHONY: check test test-release test-long asan tsan fuzz mutate clang lint format
check: build/release/build.ninja  ## the rules of the house, and the tests of what has changed since the last commit
	@tools/check.sh $(JOBS)

test: test-release asan tsan fuzz  ## all but the long tests: plain, sanitized, fuzzed

test-release: build  ## the quick tests of the optimised build
	@ctest --preset release -j $(TESTS_AT_ONCE)

test-long: build  ## all tests, the long ones and those in a bare Debian too, and ten minutes of fuzzing
	@$(PACKAGES) long package
	@ctest --preset long -j $(JOBS)
	@FUZZ_SECONDS=300 $(MAKE) fuzz

asan tsan: %: build/%/build.ninja  ## the quick tests under the sanitizers
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

build/asan/build.ninja: | packages-asan
build/clang/build.ninja: | packages-lint
.PHONY: packages-asan packages-lint
packages-asan packages-lint: packages-%:
	@$(PACKAGES) $*

lint: build/clang/build.ninja  ## layout, layers, sizes, clang-tidy
	@tools/lint.sh build/clang $(JOBS)

format: packages-lint  ## lay out the sources
	@$(SOURCES) | xargs -0 clang-format-19 -i

.PHONY: clean
clean:  ## remove what was built
	@rm -rf build
