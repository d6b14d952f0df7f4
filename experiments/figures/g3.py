from lib.figure import Figure, Run, metric, nodes, on_nodes
from lib.holds import above, rises

T1, T3 = "T1", "T3"


def search(tree, count):
    return ["uts", "--tree", tree, "--in-memory", *on_nodes(count)]


def runs(quick):
    counts = [1, 2, 4] if quick else nodes(quick)
    return [Run(search(tree, n), {tree: (n, metric("rate"))})
            for tree in (T1, T3) for n in counts]


FIGURE = Figure(
    id="G3", title="UTS in memory over nodes", x="nodes of 16 PEs", y="vertices/s",
    published="T1 scales; T3, with little to do at a time, falls with nodes; UPC as slow as T3 on "
              "both",
    runs=runs,
    holds=[rises(T1, by=2), above(T1, T3)],
    why="A PE with nothing to run hands its buffers over at once, however little is in them, so "
        "that a read is nearly a message of its own between nodes, and the network of a node takes "
        "three million messages a second.",
    example={T1: [(1, 1e8), (8, 4e8), (64, 2e9)], T3: [(1, 9e7), (8, 9e7), (64, 5e7)]},
    sensitive=lambda quick: None if quick else Run(search(T1, 2), {T1: (2, metric("rate"))}))
