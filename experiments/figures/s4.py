"""Tests on how many nodes, and with how many PEs, the runs fit into memory. The runs must succeed without a
setting for the size of buffers."""

from figures.mst import NOTE, ONE_SIDED, PART, all_points, on_model, seconds
from lib.condition import Condition, points
from lib.figure import Figure, Panel
from lib.short import short

GRAPHS = ("ara-2005", "uk-2005")
NODES, PES = (1, 2, 4), (4, 8, 16, 32)
BYTES_OF_NODE = 118 * 10 ** 9 // PART


def place(nodes, pes):
    return f"{pes} on {nodes}"


PLACES = tuple(place(nodes, pes) for nodes in NODES for pes in PES)


def runs(quick):
    # This memory limit also suits the small graphs of a quick round, because a PE needs some megabytes for
    # any graph.
    return [on_model(graph, ONE_SIDED, pes, {graph: (place(nodes, pes), seconds)}, quick, nodes=nodes,
                     more=("--memory-limit", f"{nodes * BYTES_OF_NODE // 1024}KiB"))
            for graph in GRAPHS for nodes in NODES for pes in PES]


def everywhere(graph):
    def lacking(data):
        return set(PLACES) - {x for x, _ in points(data, graph)}
    return Condition(f"{graph} has a time in all {len(PLACES)} configurations", (graph,),
                     lambda data: not lacking(data) and min(all_points(data, graph, PLACES)) > 0,
                     lambda data: f"{len(PLACES) - len(lacking(data))} of {len(PLACES)}, "
                                  f"{short(max(y for _, y in points(data, graph)))} s at most", every_point=True)


CLAIMS = {graph: f"{graph}: none fails" for graph in GRAPHS}
EXAMPLE = {graph: [(x, 0.1) for x in PLACES] for graph in GRAPHS}


def without(graph, *failed):
    return {**EXAMPLE, graph: [(x, y) for x, y in EXAMPLE[graph] if x not in failed]}


FIGURE = Figure(
    id="S4", title=f"Configurations of PEs and nodes that have room in 118 GB / {PART} a node", x="PEs on nodes",
    panels=tuple(Panel("s", (graph,), title=graph) for graph in GRAPHS),
    published="by heap and collective buffer, 8, 16 or 32 PEs at most on 1, 2, 4 nodes, and none of some: with small "
              "heaps communication fails, and large ones take the private memory",
    runs=runs,
    holds={CLAIMS[graph]: everywhere(graph) for graph in GRAPHS},
    not_judged=("none needs setting: no run sets a size, but for the limit that stands for the node's memory",),
    example=EXAMPLE,
    denials={"one fails on a node": (without("uk-2005", place(1, 32)), CLAIMS["uk-2005"]),
             "all fail on a node": (without("ara-2005", *(place(1, pes) for pes in PES)), CLAIMS["ara-2005"]),
             "one takes no time": ({**EXAMPLE, "ara-2005": [(x, 0.0) for x in PLACES]}, CLAIMS["ara-2005"])},
    note=NOTE, bars=True)
