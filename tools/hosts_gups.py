#!/usr/bin/env python3
"""Compares random updates of Atoll with the same updates by MPI_Alltoallv. The two programs run alternately, with Open
MPI and one PE per host. Hosts are simulated on this machine (tools/hosts.sh). The script prints the rates of both
programs, the ratio of the rates, and the bytes per update that each program sent.

    tools/hosts_gups.py FOLDER_OF_THE_PROGRAMS [--hosts N] [--log2-table N] [--rounds N]
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

PASSES = 3


def run(hosts, command):
    """Returns the JSON that the job prints, and the number of bytes sent between hosts."""
    tool = pathlib.Path(__file__).parent / "hosts.sh"
    result = subprocess.run([tool, "--hosts", str(hosts)] + command, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    crossed = re.search(r"(\d+) bytes crossed", result.stderr)
    if result.returncode != 0 or not crossed:
        sys.exit(result.returncode or result.stderr)
    return json.loads(result.stdout[result.stdout.index("{"):]), int(crossed[1])


def atoll(options, folder, updates):
    """Returns the updates per second, and the bytes per update that were passed to MPI. The counter of sent bytes
    counts a single pass."""
    counters = folder / "metrics.json"
    result, _ = run(options.hosts, [
        f"{options.programs}/atoll", "bench", "gups", "--log2-table", str(options.log2_table),
        "--trials", str(PASSES), "--node-size", "1", "--json", "-", "--metrics", str(counters)])
    sent = json.loads(counters.read_text())["counters"]["network_bytes_sent"]["total"]
    return result["metrics"]["rate"]["median"], sent / updates


def peer(options, updates):
    result, crossed = run(options.hosts, [
        f"{options.programs}/atoll-peer-alltoallv", "--log2-table", str(options.log2_table),
        "--passes", str(PASSES)])
    return result["rate"], crossed / PASSES / updates


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--log2-table", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    updates = options.hosts * 4 << options.log2_table
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            rate, bytes_each = atoll(options, pathlib.Path(folder), updates)
            rate_of_peer, bytes_of_peer = peer(options, updates)
            ratios.append(rate / rate_of_peer)
            print(f"atoll {rate / 1e6:.1f} M updates/s, {bytes_each:.2f} bytes each; "
                  f"peer:alltoallv {rate_of_peer / 1e6:.1f} M updates/s, {bytes_of_peer:.2f} bytes "
                  f"each; ratio {ratios[-1]:.2f}", flush=True)
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
