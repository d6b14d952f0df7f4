#!/usr/bin/env python3
"""Measures minimum spanning trees by other libraries, and by a plain program without Atoll, the limit program. The
limit program and scipy use the same edges.

    tools/mst_peers.py FOLDER_OF_THE_PROGRAMS [--kind KIND] [--scale N | --vertices N]
                       [--edges-per-vertex X] [--seed N] [--rounds N] [--processes N]

- scipy runs if it is installed for Python. The measured time is the time of the function minimum_spanning_tree. Before
  the function is called, the script converts the edges to a sparse matrix with the lightest edge of each pair of
  vertices. The script reports the time of the conversion separately.

- KaMSTa (Sanders and Schimek 2023) runs under mpirun if its benchmark `kamsta` is found. KaMSTa cannot read a graph.
  KaMSTa generates a graph with the same numbers of vertices and edges, and with weights of one byte.

For each library, the script prints a line of JSON: the median, all values, and the ratio to the limit program. If the
weight of a tree is wrong, the exit status is 1.
"""
import argparse
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GRAPH = {"kind": "uniform", "scale": 20, "vertices": 0, "edges_per_vertex": 16.0, "seed": 1}


def limit(options, *more):
    program = pathlib.Path(options.programs) / "atoll-limit-mst"
    if not program.exists():
        sys.exit(f"{program} was not built")
    words = [program.resolve(), *more]
    for name in GRAPH:
        words += ["--" + name.replace("_", "-"), str(getattr(options, name))]
    result = subprocess.run(words, text=True, stdout=subprocess.PIPE, check=False)
    if result.returncode != 0:
        sys.exit(result.returncode)
    return json.loads(result.stdout)


def matrix_of(numpy, sparse, edges, vertices):
    """Returns a sparse matrix with a row for each vertex. An edge is in the row of its smaller endpoint. Each weight is
    increased by one, because the element 0 means that there is no edge."""
    ends = numpy.sort(edges[:, :2], axis=1).astype(numpy.uint64)
    pair = ends[:, 0] << numpy.uint64(32) | ends[:, 1]
    order = numpy.lexsort((edges[:, 2], pair))
    order = order[ends[order, 0] != ends[order, 1]]
    pair = pair[order]
    first = numpy.ones(len(pair), dtype=bool)
    first[1:] = pair[1:] != pair[:-1]
    order = order[first]
    weights = edges[order, 2].astype(numpy.float64) + 1
    begins = numpy.searchsorted(ends[order, 0], numpy.arange(vertices + 1, dtype=numpy.uint64))
    targets = ends[order, 1].astype(numpy.int32)
    return sparse.csr_matrix((weights, targets, begins.astype(numpy.int32)),
                             shape=(vertices, vertices))


class Scipy:
    name = "scipy"

    def __init__(self, file, facts):
        import numpy
        from scipy import sparse
        from scipy.sparse.csgraph import minimum_spanning_tree
        self.find = minimum_spanning_tree
        self.facts = facts
        start = time.perf_counter()
        edges = numpy.fromfile(file, dtype=numpy.uint32).reshape(-1, 3)
        self.matrix = matrix_of(numpy, sparse, edges, int(facts["vertices"]))
        self.prepare_seconds = time.perf_counter() - start

    def seconds(self):
        start = time.perf_counter()
        forest = self.find(self.matrix)
        taken = time.perf_counter() - start
        found = (forest.nnz, int(forest.data.sum()) - forest.nnz)
        expected = (self.facts["forest_edges"], self.facts["weight"])
        if found != expected:
            sys.exit(f"scipy: edges and weight are {found}, not {expected}")
        return taken

    def notes(self):
        return {"prepare_seconds": self.prepare_seconds}


def kamsta_seconds(output):
    """Returns the time of the last iteration in seconds. The program prints microseconds."""
    times = re.findall(r"mst_complete-\d+=(\d+)", output)
    if not times:
        sys.exit(f"kamsta printed no time: {output}")
    return int(times[-1]) * 1e-6


class Kamsta:
    name = "kamsta"

    def __init__(self, options, facts):
        self.words = ["mpirun", "--oversubscribe", "-n", str(options.processes), "kamsta",
                      "-g", "GNM", "--log_n", str(round(math.log2(facts["vertices"]))), "--log_m",
                      str(round(math.log2(facts["input_edges"]))), "-i", "2"]
        self.processes = options.processes

    def seconds(self):
        result = subprocess.run(self.words, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, check=False)
        if result.returncode != 0:
            sys.exit(f"kamsta ended with status {result.returncode}")
        return kamsta_seconds(result.stdout)

    def notes(self):
        return {"processes": self.processes, "graph": "its own, weights of a byte"}


def is_power_of_two(number):
    return number >= 1 and math.log2(number).is_integer()


def peers(options, file, facts):
    """Returns the libraries that are installed. For each other library, prints why it is left out."""
    found = []
    try:
        found.append(Scipy(file, facts))
    except ImportError as missing:
        print(f"scipy is left out: {missing}", file=sys.stderr)
    if not shutil.which("kamsta") or not shutil.which("mpirun"):
        print("kamsta is left out: there is no kamsta or no mpirun on the path", file=sys.stderr)
    elif options.kind != "uniform" or not all(
            is_power_of_two(facts[size]) for size in ("vertices", "input_edges")):
        print("kamsta is left out: its graph is uniform, its numbers are powers of two",
              file=sys.stderr)
    else:
        found.append(Kamsta(options, facts))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    for name, default in GRAPH.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2, help="of kamsta")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "edges"
        facts = limit(options, "--write", str(file), "--trials", "1")
        beside = peers(options, file, facts)
        if not beside:
            return
        taken = {peer.name: [] for peer in beside}
        of_limit = []
        for _ in range(options.rounds):
            of_limit.append(limit(options, "--trials", "1")["seconds"])
            for peer in beside:
                taken[peer.name].append(peer.seconds())
    print(json.dumps({"name": "limit", "seconds": statistics.median(of_limit), "values": of_limit}))
    for peer in beside:
        values = taken[peer.name]
        print(json.dumps({"name": peer.name, "seconds": statistics.median(values),
                          "values": values, "over_limit": statistics.median(values) /
                          statistics.median(of_limit), **peer.notes()}))


if __name__ == "__main__":
    main()
