from lib.figure import Figure, Run, metric, nodes, on_nodes
from lib.holds import above, rises

T1, T3 = "T1", "T3"


def search(tree, count):
    return ["uts", "--tree", tree, "--in-memory", *on_nodes(count)]


def runs(quick):
    """T3 has so little to do at a time that most of a run on more nodes is waiting."""
    counts = {T1: [1, 2, 4] if quick else nodes(quick), T3: [1, 2, 4] if quick else [1, 2, 4, 8]}
    return [Run(search(tree, n), {tree: (n, metric("rate"))})
            for tree in (T1, T3) for n in counts[tree]]


FIGURE = Figure(
    id="G3", title="UTS in memory over nodes", x="nodes of 16 PEs", y="vertices/s",
    published="T1 scales; T3, with little to do at a time, falls with nodes; UPC as slow as T3 on "
              "both",
    runs=runs,
    holds=[rises(T1, by=2), above(T1, T3)],
    why="From one node to two the search falls, for one needs no network: PEs with nothing to run hand "
        "over what they have, so that a buffer for another node carries some eleven messages (twenty on "
        "4 nodes), and of those buffers a node's network takes three million a second, which they send.",
    note="T3 is searched on 8 nodes at most: with more, most of a run is waiting.",
    example={T1: [(1, 1e8), (8, 4e8), (64, 2e9)], T3: [(1, 9e7), (8, 9e7), (64, 5e7)]},
    sensitive=lambda quick: None if quick else Run(search(T1, 2), {T1: (2, metric("rate"))}))
