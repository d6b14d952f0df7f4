"""Runs kernels that use the global structures: breadth-first search (F9a) and connected components (F9b)."""

from figures.ordered import sparse_counts
from lib.figure import PAPERS, Figure, Panel, Run, metric, nodes, on_nodes
from lib.pairs import above, equal
from lib.shapes import barely_scales, never_rises
from lib.tolerance import HALF_A_DECADE

SCALE, QUICK_SCALE = 18, 14
X = "nodes of 16 PEs"
PLACES = (1, 8, 64)


def points(**series):
    return {name: list(zip(PLACES, values)) for name, values in series.items()}


def kernel(command, flag, forms):
    """Returns a function that returns the run of one form (implementation) of an algorithm on `count` nodes. `forms` is
    {name in the figure: name in the program}."""
    def run(series, count, scale):
        return Run([*command, "--scale", str(scale), flag, forms[series], *on_nodes(count)],
                   {series: (count, metric("rate"))}, program=PAPERS)
    return run


def every(run, forms, slow=()):
    """Returns a function that returns the runs of all `forms` (implementations) of an algorithm. The rates of `slow`
    forms hardly depend on the number of nodes, so slow forms run on fewer numbers of nodes."""
    return lambda quick: [run(series, count, QUICK_SCALE if quick else SCALE) for series in forms
                          for count in (sparse_counts(quick) if series in slow else nodes(quick))]


QUEUES = {"simple": "simple", "combining": "combining", "tuned": "relaxed"}
bfs = kernel(["bfs", "--roots", "1"], "--queue", QUEUES)
BFS_EXAMPLE = points(simple=(2e6, 1.5e6, 1e6), combining=(1e8, 3e8, 9e8), tuned=(1.5e8, 5e8, 1.4e9))
FLAT, TRACKS = "the simple queue does not scale", "the combining queue tracks the tuned one"

SEARCH = Figure(
    id="F9a", title="BFS through a global queue", x=X, panels=(Panel("edges/s", tuple(QUEUES)),),
    published="of a graph of scale 26, the simple queue does not scale; the combining queue tracks the "
              "tuned one",
    runs=every(bfs, QUEUES, slow=("simple",)),
    holds={FLAT: never_rises("simple"), TRACKS: equal("combining", "tuned", HALF_A_DECADE)},
    not_judged=(f"scale 26: scale {SCALE} is run on the model",),
    example=BFS_EXAMPLE,
    denials={"simple rises by half": ({**BFS_EXAMPLE, **points(simple=(2e6, 2.4e6, 3e6))}, FLAT),
             "tuned leaves combining behind": (
                 {**BFS_EXAMPLE, **points(tuned=(2e8, 1e9, 4e9))}, TRACKS)},
    sensitive=lambda quick: bfs("combining", 2, QUICK_SCALE))

SETS = {"simple": "simple", "combining": "combining", "tuned": "tuned"}
cc = kernel(["cc"], "--set", SETS)
CC_EXAMPLE = points(simple=(1e7, 2e7, 3e7), combining=(3e7, 6e7, 1e8), tuned=(5e7, 1e8, 1.4e8))
BEATS, TUNED_BEATS = "the combining set beats the simple one", "the tuned set beats the combining one"


def badly(series):
    return f"{series} does not scale well"


COMPONENTS = Figure(
    id="F9b", title="Connected components by a global set", x=X,
    panels=(Panel("edges/s", tuple(SETS)),),
    published="of the same graph, none scales well; the combining set beats the simple one, and the "
              "tuned one beats that",
    runs=every(cc, SETS),
    holds={BEATS: above("combining", "simple"), TUNED_BEATS: above("tuned", "combining"),
           **{badly(series): barely_scales(series) for series in SETS}},
    not_judged=(f"scale 26: scale {SCALE} is run on the model",),
    example=CC_EXAMPLE,
    denials={"combining ends below simple": (
                 {**CC_EXAMPLE, **points(combining=(3e7, 6e7, 2.9e7))}, BEATS),
             "tuned begins below combining": (
                 {**CC_EXAMPLE, **points(tuned=(2e7, 1e8, 1.4e8))}, TUNED_BEATS),
             "simple scales": ({**CC_EXAMPLE, **points(simple=(1e6, 8e6, 6e7))}, badly("simple")),
             "combining scales": ({**CC_EXAMPLE, **points(combining=(1.1e7, 6e7, 1e8))},
                                  badly("combining")),
             "tuned scales": ({**CC_EXAMPLE, **points(tuned=(4e7, 1e8, 4e8))}, badly("tuned"))},
    sensitive=lambda quick: cc("combining", 2, QUICK_SCALE))

FIGURES = (SEARCH, COMPONENTS)
