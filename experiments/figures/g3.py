from lib.figure import Figure, Panel, Run, metric, nodes, on_nodes
from lib.pairs import ends_above
from lib.shapes import falls, scales

T1, T3 = "T1", "T3"
BUSY = {T1: "T1, network", T3: "T3, network"}


def network_busy(result):
    """Returns how long a node's link into the network was occupied, averaged over the nodes, in percent of the time of
    the search. If there is only one node, the percentage is 0."""
    return 100 * result["metrics"].get("network_busy", {"median": 0})["median"]


def search(tree, count):
    return ["bench", "uts", "--tree", tree, "--in-memory", *on_nodes(count)]


def runs(quick):
    """Returns the runs. Tree T3 runs on at most 8 nodes: the tree offers little parallel work, so more nodes
    would mostly wait."""
    counts = {T1: [1, 2, 4] if quick else nodes(quick), T3: [1, 2, 4] if quick else [1, 2, 4, 8]}
    return [Run(search(tree, n), {tree: (n, metric("rate")), BUSY[tree]: (n, network_busy)})
            for tree in (T1, T3) for n in counts[tree]]


EXAMPLE = {T1: [(1, 5e6), (8, 3e7), (64, 2e8)], T3: [(1, 4e6), (4, 3e6), (8, 2e6)],
           BUSY[T1]: [(1, 0), (8, 80), (64, 50)], BUSY[T3]: [(1, 0), (4, 20), (8, 10)]}

FIGURE = Figure(
    id="G3", title="UTS in memory over nodes", x="nodes of 16 PEs",
    panels=(Panel("vertices/s", (T1, T3)),
            Panel("way into the network taken, percent", tuple(BUSY.values()), log=False)),
    published="T1 scales; T3, with little to do at a time, falls with nodes; UPC as slow as T3 on both",
    runs=runs,
    holds={"T1 scales": scales(T1),
           "T3 falls with nodes": falls(T3),
           "T1 is above T3 on many nodes": ends_above(T1, T3)},
    not_judged=("UPC is as slow as Grappa's T3 on both trees: no UPC runs on the model",
                "775 active tasks a core with T1 and 13 with T3 at 16 nodes: the counters of a run here "
                "include the building of the tree",
                "T3 on more than 8 nodes: most of such a run is waiting"),
    note="T3 is searched on 8 nodes at most.",
    example=EXAMPLE,
    denials={
        "T1 rises as the cube root of the nodes": (
            {**EXAMPLE, T1: [(1, 5e7), (8, 1e8), (64, 2e8)]}, "T1 scales"),
        "T1 falls from one node to two": (
            {**EXAMPLE, T1: [(1, 5e6), (2, 4e6), (8, 3e7), (64, 2e8)]}, "T1 scales"),
        "T3 rises 20 times": ({**EXAMPLE, T3: [(1, 1e6), (4, 8e6), (8, 2e7)]}, "T3 falls with nodes"),
        "T3 is flat": ({**EXAMPLE, T3: [(1, 4e6), (4, 3.9e6), (8, 3.8e6)]}, "T3 falls with nodes"),
        "T3 is the faster one": ({**EXAMPLE, T3: [(1, 4e8), (4, 3e8), (8, 2e8)]},
                                 "T1 is above T3 on many nodes")},
    sensitive=lambda quick: None if quick else Run(search(T1, 2), {T1: (2, metric("rate"))}))
