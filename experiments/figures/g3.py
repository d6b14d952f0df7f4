from lib.figure import Figure, Run, metric, nodes, on_nodes
from lib.holds import above, rises

T1, T3 = "T1", "T3"


def search(tree, count):
    return ["uts", "--tree", tree, "--in-memory", *on_nodes(count)]


def runs(quick):
    return [Run(search(tree, n), {tree: (n, metric("rate"))})
            for tree in (T1, T3) for n in nodes(quick)]


FIGURE = Figure(
    id="G3", title="UTS in memory over nodes", x="nodes of 16 PEs", y="vertices/s",
    published="T1 scales; T3, with little to do at a time, falls with nodes; UPC as slow as T3 on "
              "both",
    runs=runs,
    holds=[rises(T1, by=2), above(T1, T3)],
    why="The trees have four million vertices, 4,000 for each of 1,024 PEs: at many nodes the "
        "search is over before the work has spread.",
    example={T1: [(1, 1e8), (8, 4e8), (64, 2e9)], T3: [(1, 9e7), (8, 9e7), (64, 5e7)]},
    sensitive=Run(search(T1, 2), {T1: (2, metric("rate"))}))
