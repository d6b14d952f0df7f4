#!/usr/bin/python3
"""Compares the model of a cluster with hosts that are network namespaces of this machine (hosts.sh).
The script measures the parameters of the model on this machine and on the network between the hosts. The script then
compares the modelled times of kernels with measured times.

    tools/model_hosts.py [--bin build/release/bin] [--hosts 2,3,4] [--ranks 1,2]
                         [--wires plain,delay,rate] [--trials 7] [--most 1.5]
                         [--prices FILE]

The script prints a table in Markdown. The script needs root, MPI and a machine without other load. The exit status is
1 if a modelled and a measured time differ by more than the factor --most. The exit status is 77 if hosts.sh cannot
work on this machine."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = (["bench", "gups", "--log2-table", "16", "--updates-per-word", "64"],
           ["bench", "gups", "--log2-table", "24"],
           ["bench", "uts", "--tree", "T1"],
           ["bench", "uts", "--tree", "T1", "--in-memory"],
           ["bench", "bfs", "--scale", "16", "--roots", "8"],
           ["bench", "stack", "--operations", "2000000", "--alone"])
SECONDS = 900  # maximum time of a command
BUFFER_BYTES = 60 << 10  # size of a network buffer (transport/internode/nodes.cpp)
# A wire is a kind of network. Each wire has flags for hosts.sh and flags for the job. If tc limits the
# bandwidth, the wire also has the time per byte in picoseconds.
WIRES = {"plain": ([], [], None),
         "delay": ([], ["--delay", "50us"], None),
         "rate": (["--rate", "1gbit"], [], 8000)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=HERE.parent / "build/release/bin", type=pathlib.Path)
    parser.add_argument("--hosts", default="2,3,4", help="numbers of hosts")
    parser.add_argument("--ranks", default="1,2", help="numbers of PEs on each host")
    parser.add_argument("--wires", default="plain,delay,rate", help=", ".join(WIRES))
    parser.add_argument("--trials", default="7", help="of the measurement")
    parser.add_argument("--most", default=1.5, type=float, help="allowed factor between the two")
    parser.add_argument("--prices", type=pathlib.Path,
                        help="what atoll-papers model wrote here; measured if there is none")
    return parser.parse_args()


def output_of(command):
    command = list(map(str, command))
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)} has not ended after {SECONDS} s")
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode)
    return done.stdout


def prices_of_machine(options, scratch):
    file = options.prices or scratch / "machine.json"
    if options.prices is None:
        output_of([options.bin / "atoll-papers", "model", "--json", file])
    return json.loads(file.read_text())["prices"]


def share_of_cores(case):
    """Returns the share of a core, and of its caches, that each PE has."""
    return min(1, len(os.sched_getaffinity(0)) / (case[0] * case[1]))


def on_hosts(case, options, command):
    hosts, ranks, wire = case
    return output_of([HERE / "hosts.sh", "--hosts", hosts, "--ranks", ranks, *WIRES[wire][0],
                      options.bin / command[0], *command[1:]])


def prices_of_network(case, options):
    """Returns the parameters of the network in nanoseconds, measured with the same numbers of hosts and PEs. The
    parameters do not include the time that a PE waits for a core. On this machine, the processor does all the work of
    sending and of receiving a message. In a stream of messages in both directions, the time per message is therefore
    twice the overhead."""
    line = json.loads(on_hosts((*case[:2], "plain"), options,
                               ["atoll-limit-network", "--bytes", BUFFER_BYTES]))
    share = share_of_cores(case)
    small, large = line["small_message_nanoseconds"], line["large_message_nanoseconds"]
    return {"overhead": share * small / 2,
            "overhead_per_byte": share * max(0, large - small) / 2 / BUFFER_BYTES,
            "latency": max(0, line["half_round_trip_nanoseconds"] - small),
            "gap": 0, "gap_per_byte": 0, "far_look": share * line["look_nanoseconds"]}


def mean(one, other):
    return {name: (one[name] + other[name]) / 2 for name in one}


def shared(prices, case):
    """Scales the sizes of caches, because several PEs may share a core. A PE that shares a core has only a fraction of
    the caches of the core."""
    return {name: share_of_cores(case) * price if name in ("second_level", "third_level") else price
            for name, price in prices.items()}


def measured_rate(case, kernel, options, scratch):
    result = scratch / "result.json"
    on_hosts(case, options, ["atoll", *kernel, *WIRES[case[2]][1], "--trials", options.trials,
                             "--json", result])
    return json.loads(result.read_text())["metrics"]["rate"]["median"]


def modelled_rate(case, kernel, prices, options, scratch):
    hosts, ranks, wire = case
    _, of_job, gap_per_byte = WIRES[wire]
    file = scratch / "prices.json"
    varied = {"gap_per_byte": gap_per_byte} if gap_per_byte else {}
    file.write_text(json.dumps({"prices": {**prices, **varied}}))
    command = [options.bin / "atoll", *kernel, *of_job, "--pes", hosts * ranks, "--transport",
               "sim", "--sim-model", "grappa2014", "--sim-node-size", ranks, "--sim-prices", file,
               "--trials", "1", "--json", "-"]
    return json.loads(output_of(command))["metrics"]["rate"]["median"]


def compared(case, machine, options, scratch):
    """Yields for each kernel its name, the measured rate and the modelled rate. The network is measured before and
    after each kernel, because the speed of a network between simulated hosts changes within seconds."""
    before = prices_of_network(case, options)
    for kernel in KERNELS:
        measured = measured_rate(case, kernel, options, scratch)
        after = prices_of_network(case, options)
        network = {name: 1000 * price for name, price in mean(before, after).items()}
        prices = {**shared(machine, case), **network}
        yield kernel, measured, modelled_rate(case, kernel, prices, options, scratch)
        before = after


def cases_of(options):
    return [(hosts, ranks, wire) for wire in options.wires.split(",")
            for hosts in map(int, options.hosts.split(","))
            for ranks in map(int, options.ranks.split(","))]


def within(ratios, factor):
    return sum(1 / factor <= ratio <= factor for ratio in ratios)


def main():
    options = arguments()
    ratios = []
    print("| wire | hosts x PEs | kernel | measured | model | model / measured |\n"
          "|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        machine = {**prices_of_machine(options, scratch),
                   "shared_cores": len(os.sched_getaffinity(0))}
        for case in cases_of(options):
            for kernel, measured, modelled in compared(case, machine, options, scratch):
                ratios.append(modelled / measured)
                print(f"| {case[2]} | {case[0]} x {case[1]} | `{' '.join(kernel)}` "
                      f"| {measured / 1e6:.3g} M/s | {modelled / 1e6:.3g} M/s "
                      f"| {ratios[-1]:.2f} |", flush=True)
    print(f"\n{len(ratios)} comparisons: {within(ratios, 1.2)} within 1.2, {within(ratios, 1.5)} "
          f"within 1.5, from {min(ratios):.2f} to {max(ratios):.2f}")
    return 0 if within(ratios, options.most) == len(ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
