#!/bin/sh
# Prints the C++ sources that clang-format would change. The exit status is 1 if there are any.
# Usage: layout.sh
set -eu
cd "$(dirname "$0")/.."
find app bench examples python reproduction src tests -name '*.[ch]pp' -print0 | xargs -0 clang-format-19 --dry-run 2>&1 |
  sed -n 's/:.*Wclang-format.*/: not laid out (make format)/p' | sort -u | { ! grep .; }
