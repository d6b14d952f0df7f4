#!/bin/sh
# Measures what the counters cost. For two programs, the script prints the number of instructions with
# counters, divided by the number in a build without counters (ATOLL_COUNTERS=OFF). Callgrind counts the
# instructions on one PE.
# Usage: count_cost.sh FOLDER; both variants are built below FOLDER. Needs valgrind.
set -eu
source=$(dirname "$0")/..
folder=$1

for counters in ON OFF; do
  # The build is for a common processor, because Callgrind does not know all instructions of new processors.
  cmake -S "$source" -B "$folder/$counters" -G Ninja -DCMAKE_BUILD_TYPE=Release -DATOLL_TESTING=OFF \
    -DCMAKE_CXX_FLAGS_RELEASE="-O3 -march=x86-64-v3 -g1" -DATOLL_COUNTERS=$counters >"$folder.log" 2>&1
  cmake --build "$folder/$counters" --target atoll_program >>"$folder.log" 2>&1
done

# instructions COUNTERS ARGUMENT...
instructions() {
  program=$folder/$1/bin/atoll
  shift
  valgrind --tool=callgrind --callgrind-out-file="$folder/callgrind.out" "$program" "$@" \
    >>"$folder.log" 2>&1
  sed -n 's/^summary: \([0-9]*\).*/\1/p' "$folder/callgrind.out"
}

# compare ARGUMENT...
compare() {
  with=$(instructions ON "$@")
  without=$(instructions OFF "$@")
  awk -v with="$with" -v without="$without" -v what="atoll $*" 'BEGIN {
    printf "%-60s %14.0f %14.0f %+6.2f %%\n", what, with, without, 100 * (with - without) / without }'
}

printf '%-60s %14s %14s\n' "instructions" "with counters" "without"
compare bench gups --pes 1 --log2-table 18 --trials 1 --stall-time 0 --hang-timeout 0
compare bench uts --tree T3 --pes 1 --trials 1 --stall-time 0 --hang-timeout 0
compare bench uts --tree T3 --in-memory --pes 1 --trials 1 --stall-time 0 --hang-timeout 0
