from lib.figure import Figure, Run, metric, nodes, on_nodes
from lib.holds import rises

BFS = "BFS"


def search(scale, count):
    return ["bfs", "--scale", str(scale), "--roots", "2", *on_nodes(count)]


def runs(quick):
    counts = nodes(quick) if quick else [1, 2, 4, 8, 16, 32]
    return [Run(search(17 if quick else 20, n), {BFS: (n, metric("rate"))}) for n in counts]


FIGURE = Figure(
    id="G7", title="Scaling of BFS", x="nodes of 16 PEs", y="edges/s",
    published="of BFS, IntSort and PageRank to 64 nodes, BFS scales best and IntSort worst",
    runs=runs,
    holds=[rises(BFS, by=2)],
    why="The graph is small enough to be simulated here, and after each level searched from below every "
        "PE gets the bitmap of the whole frontier for itself, 2 MB a node on any number of nodes: 4 nodes "
        "reach 2.4 times the rate with a tenth of the gap per byte, and no more with a tenth of the gap "
        "per message or of the latency.",
    example={BFS: [(1, 1e9), (8, 4e9), (64, 1e10)]},
    sensitive=lambda quick: Run(search(16, 2), {BFS: (2, metric("rate"))}))
