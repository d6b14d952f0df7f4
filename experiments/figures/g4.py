from figures import g2
from lib.figure import Figure, Run, metric
from lib.holds import at_least

ATOLL = "GUPS, Atoll over Grappa"
GRAPPA_64_NODES = 1e9  # "over 1 G updates/s"


def runs(quick):
    return [] if quick else [
        Run(g2.gups(14, 64), {ATOLL: ("", lambda r: metric("rate")(r) / GRAPPA_64_NODES)})]


FIGURE = Figure(
    id="G4", title="Throughput at 64 nodes, Grappa being 1", x="", y="Grappa = 1",
    published="XMT / MPI: GUPS 2.23 / 0.11; BFS 1.63 / 3.52; IntSort 3.59 / 5.36; UTS T1 0.38 / "
              "none (UPC 0.09); PageRank 4.35 / 4.87. Grappa's own rate is published for GUPS only",
    runs=runs,
    holds=[at_least(ATOLL, 1)],
    why="The network of a node takes so many buffers a second and no more, and those that PEs hand over "
        "before they are full count as full ones do.",
    published_points={"GUPS, XMT over Grappa": [("", 2.23)], "GUPS, MPI over Grappa": [("", 0.11)]},
    example={ATOLL: [("", 2.0)]}, table=True)
