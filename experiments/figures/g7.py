from lib.figure import Figure, Panel, Run, metric, nodes, on_nodes
from lib.shapes import scales

BFS = "BFS"
MOST = 32


def search(scale, count):
    return ["bfs", "--scale", str(scale), "--roots", "2", *on_nodes(count)]


def runs(quick):
    return [Run(search(17 if quick else 20, n), {BFS: (n, metric("rate"))})
            for n in nodes(quick) if n <= MOST]


FIGURE = Figure(
    id="G7", title="Scaling of BFS", x="nodes of 16 PEs", panels=(Panel("edges/s"),),
    published="of BFS, IntSort and PageRank to 64 nodes, BFS scales best and IntSort worst",
    runs=runs,
    holds={"BFS scales": scales(BFS)},
    not_judged=("BFS scales best and IntSort worst: there is no IntSort and no PageRank here",
                f"BFS from {MOST} to 64 nodes: run on {MOST} at most",
                "G4, BFS at 64 nodes, Grappa being 1: XMT 1.63, MPI 3.52; neither runs on the model",
                "G4, IntSort (XMT 3.59, MPI 5.36) and PageRank (4.35, 4.87): neither is here"),
    example={BFS: [(1, 1e8), (8, 6e8), (64, 4e9)]},
    denials={"BFS is flat": ({BFS: [(1, 1e8), (8, 1e8), (64, 1e8)]}, "BFS scales"),
             "BFS doubles": ({BFS: [(1, 1e8), (8, 1.5e8), (64, 2e8)]}, "BFS scales"),
             "BFS falls at the end": ({BFS: [(1, 1e8), (8, 4e9), (64, 3e9)]}, "BFS scales")},
    sensitive=lambda quick: Run(search(16, 2), {BFS: (2, metric("rate"))}))
