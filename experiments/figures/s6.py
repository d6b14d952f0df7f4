"""Shows how much faster the one-sided exchange is than the two-sided exchange, for each graph."""

import statistics

from figures.mst import (EDGES_A_VERTEX, NAMES, NOTE, ONE_SIDED, PES, TWO_SIDED, all_points, by_exchange, known,
                         mean_gain, on_model, percent_at, seconds)
from lib.condition import Condition
from lib.figure import Figure, Panel
from lib.tolerance import LIKE, SIX_CORRELATE

GAIN = "less time one-sided"
PUBLISHED = (21.07, 20.71, 37.93, 26.75, 39.04, 39.63)
MEAN = 30.86


def derive(data):
    return {GAIN: known(NAMES, lambda graph: mean_gain(data, graph, PES, ONE_SIDED, TWO_SIDED))}


def correlation(data):
    """Returns the correlation between gains and edges per vertex. Older versions of Python do not have
    statistics.correlation."""
    gains = all_points(data, GAIN, NAMES)
    ratios = [EDGES_A_VERTEX[graph] for graph in NAMES]
    x, y = ([value - statistics.mean(values) for value in values] for values in (ratios, gains))
    spread = (sum(a * a for a in x) * sum(b * b for b in y)) ** 0.5
    if spread == 0:
        raise ValueError("all are the same")
    return sum(a * b for a, b in zip(x, y)) / spread


def mean(data):
    return statistics.mean(all_points(data, GAIN, NAMES))


FASTER = {graph: f"{graph}: one-sided is faster" for graph in NAMES}
CORRELATES = "the more edges a vertex, the larger the gain: correlation 0.86"
ON_AVERAGE = f"{MEAN} % less time on average"
EXAMPLE = {GAIN: list(zip(NAMES, PUBLISHED))}


def where(**others):
    named = {name.replace("_", "-"): y for name, y in others.items()}
    return {GAIN: [(graph, named.get(graph, y)) for graph, y in EXAMPLE[GAIN]]}


def scaled(factor):
    return {GAIN: [(graph, factor * y) for graph, y in EXAMPLE[GAIN]]}


FIGURE = Figure(
    id="S6", title="Time that the one-sided exchange saves, 4 to 64 PEs on 1 to 16 nodes", x="graphs",
    panels=(Panel("%", log=False),),
    published="uk-2014 21.07, gsh-2015 20.71, ara-2005 37.93, uk-2005 26.75, it-2004 39.04, sk-2005 39.63 %, on "
              "average 30.86 %; correlation with edges a vertex 0.86",
    runs=by_exchange, derive=derive,
    holds={**{claim: percent_at(GAIN, graph, "above 0 %", lambda y: y > 0) for graph, claim in FASTER.items()},
           CORRELATES: Condition(f"{GAIN} and edges a vertex correlate by {SIX_CORRELATE:g} at least", (GAIN,),
                                 lambda data: correlation(data) >= SIX_CORRELATE,
                                 lambda data: f"correlation {correlation(data):.2f}"),
           ON_AVERAGE: Condition(f"{GAIN} is {MEAN / LIKE:.3g} % at least in the mean", (GAIN,),
                                 lambda data: mean(data) >= MEAN / LIKE, lambda data: f"{mean(data):.3g} %")},
    not_judged=("the percentage of each graph: of other graphs on another machine",
                "0.71 with edges and with bytes: six graphs tell no such correlation from none"),
    example=EXAMPLE,
    denials={"slower for uk-2014": (where(uk_2014=-1), FASTER["uk-2014"]),
             "slower for gsh-2015": (where(gsh_2015=-1), FASTER["gsh-2015"], CORRELATES),
             "slower for ara-2005": (where(ara_2005=-1), FASTER["ara-2005"], CORRELATES),
             "slower for uk-2005": (where(uk_2005=-1), FASTER["uk-2005"], CORRELATES),
             "slower for it-2004": (where(it_2004=-1), FASTER["it-2004"], CORRELATES),
             "slower for sk-2005": (where(sk_2005=-1), FASTER["sk-2005"], CORRELATES),
             "the same for all": ({GAIN: [(graph, 30) for graph in NAMES]}, CORRELATES),
             "less the more edges": ({GAIN: [(graph, 100 - EDGES_A_VERTEX[graph]) for graph in NAMES]}, CORRELATES),
             "a third of it": (scaled(1 / 3), ON_AVERAGE)},
    published_points={GAIN: EXAMPLE[GAIN]}, note=NOTE + " Two-sided is Atoll's own: the model has no MPI.", bars=True,
    sensitive=lambda quick: on_model("uk-2014", ONE_SIDED, 16, {GAIN: ("uk-2014", seconds)}, quick))
