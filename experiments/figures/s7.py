"""Shows how the time of both exchanges decreases with the number of PEs, and from which number on the time no
longer decreases."""

import statistics

from figures.mst import (NAMES, NODES_OF, NOTE, ONE_SIDED, PES, TWO_SIDED, WHOLE_LISTS, all_points, by_exchange, known, less_time,
                         of_graph, on_model, seconds)
from lib.condition import Condition, at
from lib.figure import Figure, Panel
from lib.short import short

FEWEST, MOST = PES[0], PES[-1]
BEST = (12, 20)  # PEs


def gain_at(data, graph, exchange, pes):
    series = of_graph(graph, exchange)
    return less_time(at(data, series, pes), at(data, series, FEWEST))


def derive(data):
    def mean(exchange, pes):
        return statistics.mean(gain_at(data, graph, exchange, pes) for graph in NAMES)
    return {TWO_SIDED: known(PES, lambda pes: mean(TWO_SIDED, pes)),
            ONE_SIDED: known(PES, lambda pes: mean(ONE_SIDED, pes))}


def best_between(series, first, last):
    def best(data):
        return max(zip(all_points(data, series, PES), PES))
    return Condition(f"{series} gains most with {first} to {last} PEs", (series,),
                     lambda data: first <= best(data)[1] <= last,
                     lambda data: f"{short(best(data)[0])} % with {best(data)[1]} PEs")


def at_most(text, condition):
    return Condition(text, (TWO_SIDED, ONE_SIDED), condition,
                     lambda data: f"two-sided {short(at(data, TWO_SIDED, MOST))}, one-sided "
                                  f"{short(at(data, ONE_SIDED, MOST))} %")


OPTIMUM = {series: f"{series}: the optimum is with {BEST[0]} to {BEST[1]} PEs" for series in (TWO_SIDED, ONE_SIDED)}
FALLS = f"two-sided: slower with {MOST} PEs than with {FEWEST}"
HOLDS_ON = f"one-sided: not slower with {MOST} PEs than with {FEWEST}"
OF_TWO = dict(zip(PES, (2.63, 25.16, 28.18, 28.46, 20.94, 14.93, -67.60)))
OF_ONE = dict(zip(PES, (10.04, 23.37, 29.96, 32.94, 17.28, 19.10, 2.43)))


def data_of(two=(), one=()):
    """Returns the published data, with other values for some numbers of PEs. `two` (two-sided) and `one` (one-sided)
    are {number of PEs: time saved over the fewest PEs, in percent}."""
    return {TWO_SIDED: list({**OF_TWO, **dict(two)}.items()), ONE_SIDED: list({**OF_ONE, **dict(one)}.items())}


FIGURE = Figure(
    id="S7", title=f"Time saved over {FEWEST} PEs on one node", x="PEs, four a node",
    panels=(Panel("%", log=False),),
    published="with 4, 8, 12, 16, 20, 32, 64 PEs MPI 2.63, 25.16, 28.18, 28.46, 20.94, 14.93, -67.60 %, SHMEM 10.04, "
              "23.37, 29.96, 32.94, 17.28, 19.10, 2.43 %; for most graphs 12 to 20 PEs were best",
    runs=by_exchange, derive=derive,
    holds={**{OPTIMUM[series]: best_between(series, *BEST) for series in (TWO_SIDED, ONE_SIDED)},
           FALLS: at_most(f"{TWO_SIDED} is below 0 at {MOST}", lambda data: at(data, TWO_SIDED, MOST) < 0),
           HOLDS_ON: at_most(f"{ONE_SIDED} is 0 at least at {MOST}", lambda data: at(data, ONE_SIDED, MOST) >= 0)},
    not_judged=("by nodes: PEs and nodes grow together here (" +
                ", ".join(f"{pes} on {nodes}" for pes, nodes in NODES_OF.items()) + ")",
                "the percentages: of other graphs on another machine"),
    example=data_of(),
    denials={"two-sided gains to 32": (data_of(two={32: 40}), OPTIMUM[TWO_SIDED]),
             "one-sided gains to 64": (data_of(one={64: 50}), OPTIMUM[ONE_SIDED]),
             "one-sided is best with 4": (data_of(one={4: 50}), OPTIMUM[ONE_SIDED]),
             "two-sided does not fall": (data_of(two={64: 10}), FALLS),
             "one-sided falls too": (data_of(one={64: -20}), HOLDS_ON)},
    published_points=data_of(), note=NOTE + " The mean of all six; two-sided is Atoll's own: the model has no MPI.",
    sensitive=lambda quick: on_model("uk-2014", TWO_SIDED, MOST, {TWO_SIDED: (MOST, seconds)}, quick, more=WHOLE_LISTS))
