#!/bin/sh
# Checks rules that no compiler checks: layers, sizes and layout. The script also runs clang-tidy on
# changed sources, or on all sources with --all.
# Usage: lint.sh BUILD JOBS [--all]; BUILD must be configured for clang, and need not be built.
set -eu
build=$1
jobs=$2
cd "$(dirname "$0")/.."

failed=0
tools/check_layers.py || failed=1
tools/layout.sh || failed=1
tools/plain_words.py --check || failed=1

# Tests are left out, because clang-tidy would complain about the macros of GoogleTest.
sources=$(tools/changed_sources.py "$build" ${3-})
echo "$sources" | tools/tidy.py "$build" "$jobs" || failed=1
exit $failed
