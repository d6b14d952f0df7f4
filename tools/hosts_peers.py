#!/usr/bin/env python3
"""Compares a kernel of Atoll with its peers over MPI. All programs run alternately, with one process per
host. Hosts are simulated on this machine (tools/hosts.sh). The script prints the median rate of each
program, and for each peer the ratio of Atoll's rate to the rate of the peer.

    tools/hosts_peers.py FOLDER_OF_THE_PROGRAMS bfs|pagerank|sort [--hosts N] [--mpi openmpi|mpich]
                         [--scale N] [--class S|W|A|B|C] [--rounds N]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

MPI = ["openmpi", "mpich"]


def rate_of(options, command):
    tool = pathlib.Path(__file__).parent / "hosts.sh"
    program = pathlib.Path(options.programs).resolve() / command[0]
    result = subprocess.run([tool, "--hosts", str(options.hosts), "--mpi", options.mpi, program]
                            + command[1:], text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        sys.stderr.write(result.stderr)
        sys.exit(result.returncode)
    line = json.JSONDecoder().raw_decode(result.stdout[result.stdout.index("{"):])[0]
    return line["rate"] if "rate" in line else line["metrics"]["rate"]["median"]


def programs(options):
    """Returns the commands of Atoll and of its peers, by the names of the programs."""
    size = ["--class", options.nas] if options.kernel == "sort" else ["--scale", str(options.scale)]
    atoll = ["atoll", "bench", options.kernel, *size, "--trials", "1", "--node-size", "1", "--verify",
             "--json", "-"]
    peer = [f"atoll-peer-{options.kernel}-{options.mpi}", *size, "--verify"]
    if options.kernel == "bfs":
        return {"atoll": atoll, **{f"{options.mpi}-{algorithm}": [*peer, "--algorithm", algorithm]
                                   for algorithm in ("edges", "bitmaps")}}
    all_of_them = {"atoll": atoll, options.mpi: peer}
    tpetra = "atoll-peer-pagerank-tpetra"
    if options.kernel == "pagerank" and options.mpi == "openmpi":
        if (pathlib.Path(options.programs) / tpetra).exists():
            all_of_them["tpetra"] = [tpetra, *size, "--verify"]
    return all_of_them


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    parser.add_argument("kernel", choices=["bfs", "pagerank", "sort"])
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--mpi", choices=MPI, default="openmpi")
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--class", dest="nas", default="B")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rates = {}
    for _ in range(options.rounds):
        for name, command in programs(options).items():
            rates.setdefault(name, []).append(rate_of(options, command))
    for name, all_rates in rates.items():
        times = [own / other for own, other in zip(rates["atoll"], all_rates)]
        print(f"{name:16} {statistics.median(all_rates) / 1e6:10.1f} M/s "
              f"({min(all_rates) / 1e6:.1f} to {max(all_rates) / 1e6:.1f})", end="")
        print("" if name == "atoll" else f"  atoll {statistics.median(times):.2f} times that"
              f" ({min(times):.2f} to {max(times):.2f})", flush=True)


if __name__ == "__main__":
    main()
