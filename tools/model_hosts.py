#!/usr/bin/python3
"""Sets the model of a cluster beside hosts that are network namespaces of this machine (hosts.sh):
measures their network, puts its latency and rate into the model, and compares the kernels.

    tools/model_hosts.py [--bin build/release/bin] [--hosts 2,4] [--rate 1gbit] [--most 2]

Prints a table in Markdown. Needs root, MPI and a quiet machine. Exit status: 1 when model and
measurement differ by more than the factor --most anywhere; 77 where hosts.sh cannot work."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODEL_DEF = HERE.parent / "src/atoll/transport/sim/model.def"
KERNELS = {"GUPS": ["gups", "--log2-table", "20"],
           "UTS": ["uts", "--tree", "T1"],
           "BFS": ["bfs", "--scale", "16", "--roots", "8"]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=HERE.parent / "build/release/bin", type=pathlib.Path)
    parser.add_argument("--hosts", default="2,4", help="numbers of hosts")
    parser.add_argument("--rate", help="what each host may send, as hosts.sh has it")
    parser.add_argument("--trials", default="5", help="of the measurement")
    parser.add_argument("--most", default=2.0, type=float, help="allowed factor between the two")
    return parser.parse_args()


def on_hosts(hosts, options, command):
    """What the command prints as one job over the hosts, a rank on each."""
    rate = ["--rate", options.rate] if options.rate else []
    done = subprocess.run([HERE / "hosts.sh", "--hosts", str(hosts), *rate, *map(str, command)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode)
    return done.stdout


def model_file():
    """{parameter: picoseconds} of the network grappa2014, and of the prices."""
    text = MODEL_DEF.read_text()
    number = r"\s*([\d']+)"
    network, prices = ({name: int(value.replace("'", "")) for name, value in
                        re.findall(rf"^{kind}\((\w+),{number}", text, re.MULTILINE)}
                       for kind in ("ATOLL_NETWORK", "ATOLL_PRICE"))
    return network, prices


def measured_network(hosts, options):
    """Picoseconds. The processor does all there is to do for a message, so that a stream of them in
    both directions takes twice the overhead for each."""
    line = json.loads(on_hosts(hosts, options, [options.bin / "atoll-limit-network"]))
    small = line["small_message_nanoseconds"]
    half_trip = line["half_round_trip_nanoseconds"]
    found = {"overhead": small / 2, "latency": max(0, half_trip - small), "gap": small,
             "gap_per_byte": line["large_message_nanoseconds"] / line["bytes"],
             "look": line["look_nanoseconds"]}
    return {name: 1000 * nanoseconds for name, nanoseconds in found.items()}


def factors(hosts, network):
    """The text for --sim-vary. Hosts that share a core have their part of it."""
    usual, prices = model_file()
    share = max(1, hosts / len(os.sched_getaffinity(0)))
    varied = {name: value / usual[name] for name, value in network.items()}
    varied |= {name: share for name in [*prices, "clock"] if share > 1}
    return ",".join(f"{name}={factor:.6g}" for name, factor in varied.items())


def measured_rate(hosts, kernel, options):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        on_hosts(hosts, options, [options.bin / "atoll", *kernel, "--trials", options.trials,
                                  "--json", result])
        return json.loads(result.read_text())["metrics"]["rate"]["median"]


def modelled_rate(hosts, kernel, vary, options):
    command = [options.bin / "atoll", *kernel, "--pes", str(hosts), "--transport", "sim",
               "--sim-model", "grappa2014", "--sim-node-size", "1", "--sim-vary", vary,
               "--trials", "1", "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=600)
    return json.loads(done.stdout)["metrics"]["rate"]["median"]


def main():
    options = arguments()
    good = True
    rows = []
    for hosts in map(int, options.hosts.split(",")):
        network = measured_network(hosts, options)
        print(f"{hosts} hosts: " + ", ".join(f"{name} {value / 1000:.4g} ns"
                                             for name, value in network.items()), flush=True)
        vary = factors(hosts, network)
        for kernel in KERNELS.values():
            measured = measured_rate(hosts, kernel, options)
            modelled = modelled_rate(hosts, kernel, vary, options)
            ratio = modelled / measured
            good = good and 1 / options.most <= ratio <= options.most
            rows.append(f"| {hosts} | `{' '.join(kernel)}` | {measured / 1e6:.3g} M/s "
                        f"| {modelled / 1e6:.3g} M/s | {ratio:.2f} |")
    print("\n| hosts | kernel | measured | model | model / measured |\n|---|---|---|---|---|")
    print("\n".join(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
