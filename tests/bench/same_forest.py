#!/usr/bin/env python3
"""Runs several programs for minimum spanning forests. All programs must find the same forest as the first program.

    tests/bench/same_forest.py LIMIT PEER...

Each program PEER runs with 1 to 4 processes, and with each kind of exchange that it supports. The script ends with
status 1 if a program fails, or if its forest has another weight or number of edges.
"""
import json
import subprocess
import sys

GRAPHS = [["--kind", "kronecker", "--scale", "12", "--edges-per-vertex", "16"],
          ["--kind", "web", "--vertices", "4001", "--edges-per-vertex", "1.5", "--seed", "7"]]


def output_of(*words):
    result = subprocess.run(words, text=True, stdout=subprocess.PIPE, check=False, timeout=100)
    if result.returncode != 0:
        sys.exit(f"status {result.returncode}: {' '.join(words)}")
    return result.stdout


def forest_of(*words):
    found = json.loads(output_of(*words, "--trials", "1"))
    return found["weight"], found["forest_edges"]


def main():
    limit, *peers = sys.argv[1:]
    for graph in GRAPHS:
        right = forest_of(limit, *graph)
        for peer in peers:
            ways = [[]]
            if "--exchange " in output_of(peer, "--help"):
                ways = [["--exchange", way] for way in ("one-sided", "two-sided")]
            for words in ([*way, "--processes", str(n)] for way in ways for n in range(1, 5)):
                found = forest_of(peer, *graph, *words)
                if found != right:
                    sys.exit(f"{found}, not {right}: {' '.join([peer, *graph, *words])}")


if __name__ == "__main__":
    main()
