#!/bin/sh
# The rules that no compiler checks: layers and sizes, layout, clang-tidy.
# Usage: lint.sh BUILD JOBS; BUILD is configured for clang, and need not be built.
# clang-tidy reads the sources as that build compiles them, several at once.
set -eu
build=$1
jobs=$2
cd "$(dirname "$0")/.."

failed=0
tools/check_layers.py || failed=1

find app bench examples kernels src tests -name '*.[ch]pp' -print0 | xargs -0 clang-format-19 --dry-run 2>&1 |
  sed -n 's/:.*Wclang-format.*/: not laid out (make format)/p' | sort -u | { ! grep .; } || failed=1

# Not the tests: the macros of GoogleTest are not ours to check.
sources=$(python3 -c '
import json, sys
for entry in json.load(open(sys.argv[1] + "/compile_commands.json")):
    if "/tests/" not in entry["file"]:
        print(entry["file"])' "$build")
echo "clang-tidy: $(echo "$sources" | wc -l) files"
echo "$sources" | xargs -n 1 -P "$jobs" clang-tidy-19 -p "$build" --quiet 2>/dev/null || failed=1
exit $failed
