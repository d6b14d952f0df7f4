#!/bin/sh
# Runs the benchmarks, each beside the limit of this machine and its peers, one at a time.
# Usage: bench.sh ATOLL FOLDER; the results are printed, and written to FOLDER/NAME.json.
set -eu
atoll=$1
folder=$2
mkdir -p "$folder"

# run NAME ARGUMENT...
run() {
  name=$1
  shift
  printf '\n== atoll %s\n' "$*"
  "$atoll" "$@" --json "$folder/$name.json"
}

for tasks in 1000 500000 1000000; do
  run "context-switch-$tasks" bench context-switch --tasks $tasks --compare
done
run uts-T1L uts --tree T1L --pes 2 --verify --compare
run uts-T3L uts --tree T3L --pes 2 --verify --compare
run uts-T1-in-memory uts --tree T1 --in-memory --pes 2 --verify
run messages bench messages --pes 2 --compare
for pes in 1 2; do
  run event-latency-$pes bench event-latency --pes $pes
  for fan in 2 16 1024; do
    run event-throughput-$fan-$pes bench event-throughput --fan $fan --pes $pes
  done
done
run gups gups --pes 2 --log2-table 25 --verify --compare
# A message each: bound by messages, not by memory, so a small table tells as much.
run gups-not-aggregated gups --pes 2 --log2-table 20 --verify --aggregation off
run bfs bfs --scale 20 --pes 2 --verify --compare
run cc cc --scale 20 --pes 2 --verify --compare
run sort sort --class B --pes 2 --verify --compare
run sort-delegates sort --class B --exchange delegates --pes 2 --verify --compare
run pagerank pagerank --scale 20 --pes 2 --verify --compare
