#!/usr/bin/env python3
"""Compares `atoll` with other shared-memory libraries on the same graph. All programs run alternately.

    tools/shared_memory_peers.py FOLDER_OF_THE_PROGRAMS [--scale N] [--edge-factor N] [--seed N]
                                 [--pes N] [--roots N] [--rounds N]

The kernels are bfs, paths, cc, pagerank and mst. The libraries are networkit, python-graphblas (SuiteSparse) and
igraph. A library is left out if it is not installed (pip install networkit python-graphblas igraph). A library that
uses threads gets as many threads as Atoll has PEs. Only the call of the kernel is timed. Each library first converts
the graph, without duplicates, to its own representation, and the conversion is not timed. If a library uses another
method than Atoll for forests, components or ranks, a note below the table names the method.

The script prints the median time of each library in seconds, and its ratio to the time of Atoll. If a
result differs from Atoll's, the exit status is 1.
"""
import argparse
import importlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
KERNELS = ["bfs", "paths", "cc", "pagerank", "mst"]
MODULES = ["networkit", "graphblas", "igraph"]


def installed():
    """Returns the modules that are installed, and prints the names of the missing modules."""
    found = {}
    for name in MODULES:
        try:
            importlib.import_module("numpy")
            found[name] = importlib.import_module(name)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return found


class Atoll:
    """Runs the commands of the program atoll."""

    def __init__(self, options, file):
        self.program = pathlib.Path(options.programs).resolve() / "atoll"
        self.common = [file, "--pes", str(options.pes), "--seed", str(options.seed),
                       "--trials", "1", "--json", "-"]
        roots = ["--roots", str(options.roots)]
        self.more = {"bfs": roots, "paths": roots, "pagerank": ["--undirected"]}

    def run(self, kernel):
        """Returns the time in seconds, and the results with which the results of the libraries must agree."""
        words = [self.program, "bench", kernel, *self.common, *self.more.get(kernel, [])]
        result = subprocess.run(words, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                check=False)
        if result.returncode != 0:
            sys.exit(result.returncode)
        found = json.loads(result.stdout)
        metrics = found["metrics"]
        answers = {"bfs": lambda: {each["root"]: each["reached_vertices"]
                                   for each in found["searches"]},
                   "paths": lambda: {each["root"]: (each["reached_vertices"], each["farthest"])
                                     for each in found["searches"]},
                   "cc": lambda: found["components"],
                   "pagerank": lambda: (found["top"][0]["vertex"], found["top"][0]["rank"]),
                   "mst": lambda: int(found["forest_weight"])}
        return metrics["seconds"]["median"], answers[kernel]()


def clean_edges(numpy, file):
    """Returns both endpoints and the weight of each edge. Of several edges with the same endpoints, only the lightest
    edge is returned. Self loops are left out."""
    edges = numpy.fromfile(file, dtype=numpy.int64, sep=" ").reshape(-1, 3)
    edges = edges[edges[:, 0] != edges[:, 1]]
    edges[:, :2].sort(axis=1)
    edges = edges[numpy.lexsort((edges[:, 2], edges[:, 1], edges[:, 0]))]
    first = numpy.ones(len(edges), dtype=bool)
    first[1:] = (edges[1:, :2] != edges[:-1, :2]).any(axis=1)
    return edges[first]


def seconds_of(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def is_same(kernel, found, expected):
    if kernel != "pagerank":
        return found == expected
    vertex, rank = found
    return vertex == expected[0] and abs(rank - expected[1]) < 0.01 * expected[1]


def measure(options, file, modules):
    """Returns the times of all rounds in seconds, for each kernel and program."""
    import numpy
    from shared_memory import PROGRAMS
    edges, vertices = clean_edges(numpy, file), 1 << options.scale
    others = [PROGRAMS[name](modules[name], edges, vertices, options.pes) for name in modules]
    atoll, seconds = Atoll(options, file), {}
    for _ in range(options.rounds):
        for kernel in KERNELS:
            taken, expected = atoll.run(kernel)
            seconds.setdefault((kernel, "atoll"), []).append(taken)
            for other in others:
                if not hasattr(other, kernel):
                    continue
                roots = list(expected) if kernel in ("bfs", "paths") else None
                taken, found = getattr(other, kernel)(seconds_of, roots)
                if not is_same(kernel, found, expected):
                    sys.exit(f"{other.name}, {kernel}: {found}, not {expected}")
                seconds.setdefault((kernel, other.name), []).append(taken)
    return seconds, [f"{other.name}: {other.notes}" for other in others]


def print_table(seconds, names):
    print(f"{'seconds':10}{'atoll':>12}" + "".join(f"{name:>24}" for name in names))
    for kernel in KERNELS:
        own = statistics.median(seconds[kernel, "atoll"])
        line = f"{kernel:10}{own:12.4f}"
        for name in names:
            values = seconds.get((kernel, name))
            text = "-"
            if values:
                times = statistics.median(taken / atoll for taken, atoll in
                                          zip(values, seconds[kernel, "atoll"]))
                text = f"{statistics.median(values):.4f} ({times:.2f} x)"
            line += f"{text:>24}"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    for name, value in (("scale", 18), ("edge-factor", 16), ("seed", 1), ("pes", 2), ("roots", 4),
                        ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    modules = installed()
    if not modules:
        print("nothing to compare with")
        return
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/graph.wel"
        subprocess.run([f"{options.programs}/atoll", "generate", "--scale", str(options.scale),
                        "--edge-factor", str(options.edge_factor), "--seed", str(options.seed),
                        "--output", file], check=True, stdout=subprocess.DEVNULL)
        seconds, notes = measure(options, file, modules)
    print_table(seconds, list(modules))
    print("\n".join(notes))


if __name__ == "__main__":
    main()
