#!/bin/sh
# Checks the rules that no compiler checks: layers and sizes, layout, clang-tidy on changed sources.
# Usage: lint.sh BUILD JOBS [--all]; BUILD is configured for clang, and need not be built. With --all
# clang-tidy reads all sources.
set -eu
build=$1
jobs=$2
cd "$(dirname "$0")/.."

failed=0
tools/check_layers.py || failed=1
tools/layout.sh || failed=1
tools/plain_words.py --check || failed=1

# Tests are left out: the macros of GoogleTest are not ours to check.
sources=$(tools/changed_sources.py "$build" ${3-})
echo "$sources" | tools/tidy.py "$build" "$jobs" || failed=1
exit $failed
