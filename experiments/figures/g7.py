"""Runs BFS, IntSort and PageRank on the model of a cluster. The work per node is the same on any number of
nodes (weak scaling)."""

from lib.condition import Condition, curve
from lib.figure import PAPERS, Figure, Panel, Run, metric, nodes, on_nodes
from lib.shapes import scales
from lib.short import ratio

BFS, SORT, RANK = "BFS", "IntSort", "PageRank"
TUNED_SORT, TUNED_RANK = "IntSort, collective", "PageRank, blocked"
AS_PUBLISHED = (BFS, SORT, RANK)
TUNED = (TUNED_SORT, TUNED_RANK)
MOST_TUNED = 32  # on more nodes, each of these runs takes minutes


def doublings(count):
    return count.bit_length() - 1


def search(count, quick):
    return ["bench", "bfs", "--scale", str((14 if quick else 15) + doublings(count)), "--roots", "2", *on_nodes(count)]


def sort(count, quick):
    keys = (1 << (16 if quick else 17)) * count
    return ["sort", "--keys", str(keys), "--bits", "24", *on_nodes(count)]


def rank(count, quick, iterations):
    return ["pagerank", "--scale", str((11 if quick else 12) + doublings(count)), "--tolerance", "0",
            "--max-iterations", iterations, *on_nodes(count)]


def commands(count, quick):
    """Returns the command of each series."""
    return {BFS: search(count, quick), SORT: sort(count, quick), RANK: rank(count, quick, "2"),
            TUNED_SORT: ["bench", *sort(count, quick)], TUNED_RANK: ["bench", *rank(count, quick, "4")]}


# Series in which IntSort and PageRank send one delegate (a message with a function) per key or per arc.
OF_PAPERS = (SORT, RANK)


def runs(quick):
    """Returns the runs. Runs that decide about a claim come first, because the time limit may leave no time for all
    runs."""
    return [Run(commands(count, quick)[series], {series: (count, metric("rate"))},
                program=PAPERS if series in OF_PAPERS else "")
            for series in (*AS_PUBLISHED, *TUNED) for count in nodes(quick)
            if series in AS_PUBLISHED or count <= MOST_TUNED]


def gain(data, series):
    """Returns the rate on the most nodes divided by the rate on the fewest nodes."""
    found = curve(data, series)
    return found[-1][1] / found[0][1]


def span(data):
    """Returns the set of pairs (fewest nodes, most nodes) of all curves. The gains of curves are comparable only if the
    set has one pair."""
    return {(curve(data, series)[0][0], curve(data, series)[-1][0]) for series in AS_PUBLISHED}


def extreme(series, word, choose):
    """Returns a condition: of all published curves, `series` has the largest gain (if `choose` is max) or the
    smallest gain (if `choose` is min)."""
    def judge(data):
        gains = {name: gain(data, name) for name in AS_PUBLISHED}
        return len(span(data)) == 1 and gains[series] == choose(gains.values())
    return Condition(f"{series} gains {word} of {', '.join(AS_PUBLISHED)} from the fewest nodes to the most",
                     AS_PUBLISHED, judge,
                     lambda data: ", ".join(f"{name} {ratio(gain(data, name), 1)}" for name in AS_PUBLISHED))


SCALES, BEST, WORST = "BFS scales", "BFS scales best", "IntSort scales worst"


def rates(*gains):
    """Returns one curve from 1 to 64 nodes for each gain. In a curve, the rate grows by a constant factor whenever the
    number of nodes doubles."""
    return [(count, 1e8 * top ** (doublings(count) / 6)) for top in gains for count in (1, 8, 64)]


EXAMPLE = {BFS: rates(40), SORT: rates(12), RANK: rates(25), TUNED_SORT: rates(20), TUNED_RANK: rates(20)}

FIGURE = Figure(
    id="G7", title="Scaling of BFS, IntSort and PageRank", x="nodes of 16 PEs",
    panels=(Panel("edges/s", (BFS, RANK, TUNED_RANK), title="of graphs"),
            Panel("keys/s", (SORT, TUNED_SORT), title="of keys")),
    published="of BFS, IntSort and PageRank to 64 nodes, BFS scales best and IntSort worst",
    runs=runs,
    holds={SCALES: scales(BFS),
           BEST: extreme(BFS, "most", max),
           WORST: extreme(SORT, "least", min)},
    not_judged=("how the tuned forms scale, IntSort by collective exchange and PageRank by blocks: the paper "
                "has none of them",),
    note="As many vertices, keys and arcs for each node on any number of them: 2^15 vertices to search, 2^12 to "
         "rank and 2^17 keys. UTS over nodes is G3.",
    example=EXAMPLE,
    denials={"BFS is flat": ({**EXAMPLE, BFS: rates(1)}, SCALES, BEST, WORST),
             "BFS doubles": ({**EXAMPLE, BFS: rates(2)}, SCALES, BEST, WORST),
             "BFS falls at the end": ({**EXAMPLE, BFS: [(1, 1e8), (8, 5e9), (64, 4e9)]}, SCALES),
             "PageRank gains more than BFS": ({**EXAMPLE, RANK: rates(50)}, BEST),
             "IntSort gains more than BFS": ({**EXAMPLE, SORT: rates(50)}, BEST, WORST),
             "IntSort gains more than PageRank": ({**EXAMPLE, SORT: rates(30)}, WORST),
             "PageRank gains least": ({**EXAMPLE, RANK: rates(3)}, WORST),
             "IntSort was not run on all nodes": ({**EXAMPLE, SORT: rates(12)[:2]}, BEST, WORST)},
    sensitive=lambda quick: Run(search(2, True), {BFS: (2, metric("rate"))}))
