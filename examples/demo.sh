#!/bin/sh
# Runs two commands and verifies their results. The first analyses the dependency graph of all packages of this machine's
# Debian, and the second measures a search in a Kronecker graph.
# Usage: demo.sh [ATOLL]; the files that the script makes stay in build/demo.
set -eu
cd "$(dirname "$0")/.."
atoll=${1:-build/release/bin/atoll}
graph=build/demo/packages.tsv

# The job has several PEs even on one core, and not more PEs than a small search can use.
pes=$(nproc)
[ "$pes" -ge 2 ] || pes=2
[ "$pes" -le 8 ] || pes=8

run() {
  printf '\n$ atoll %s\n' "$*"
  "$atoll" "$@"
}

echo "== A real graph: which packages need libc6, directly or not, and in how many steps?"
tools/packages.sh lists || echo "No package lists here: going on with the extract in the repository."
examples/debian_packages/package_graph.py "$graph"
goal=git
! grep -q '^jupyter	' "$graph" || goal=jupyter
run bfs "$graph" --directed in --root libc6 --path-to $goal --levels --pes "$pes" --verify

echo
echo "== A Kronecker graph, made and searched: 2^18 vertices, 16 edges for each"
run bench bfs --scale 18 --pes "$pes" --verify
