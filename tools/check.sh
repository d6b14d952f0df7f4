#!/bin/bash
# Checks a small change quickly: the rules of the project, and the tests of the folders that have changed
# since the last commit. If nothing has changed since then, the script tests the folders that the
# last commit has changed.
# Usage: check.sh JOBS
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=$1

changed=$(git status --porcelain --untracked-files=all | sed 's/^...//; s/.* -> //')
[ -n "$changed" ] || changed=$(git diff --name-only HEAD~1)

# Sets `layers` to the layers of the public headers that have changed.
layers=$(sed -nE 's#^src/atoll/(\w+)\.[ch]pp$#\1#p' <<<"$changed" | while read -r header; do
  sed -nE "s/^[0-9]+ ([a-z]+) .*\|[^|]*\b$header\b[^|]*$/\1/p" cmake/layers.txt
done)

# Sets `folders` to the folders of tests/ that test the changed files.
folders=$({ echo "$layers"; sed -nE 's#^src/atoll/([a-z]+)/.*#\1#p; s#^tests/([a-z]+)/.*#\1#p
  s#^app/.*#app#p; s#^bench/.*#app\nbench#p; s#^reproduction/.*#reproduction#p; s#^examples/.*#examples#p; s#^python/.*#python#p; s#^(tools|cmake)/.*#tools#p' <<<"$changed"; } | grep . | sort -u)
echo "check: ${folders//$'\n'/ }"

tools/check_layers.py || exit 1
tools/plain_words.py --check || exit 1
if command -v clang-format-19 >/dev/null; then  # which `make lint` installs
  tools/layout.sh || exit 1
fi
targets=$(ninja -C build/release -t targets all 2>/dev/null)
wanted=()
for folder in $folders; do
  for target in "${folder}_tests" "tests/$folder/all" "$folder/all"; do
    grep -q "^$target:" <<<"$targets" && wanted+=("$target")
  done
done
if [ ${#wanted[@]} -gt 0 ]; then
  cmake --build build/release -j "$jobs" --target "${wanted[@]}" || exit 1
fi
[ -z "$folders" ] || ctest --test-dir build/release --output-on-failure -j "$jobs" \
  --no-tests=ignore -LE '^(long|fuzz)$' -L "^(${folders//$'\n'/|})$"
