"""Finds minimum spanning forests on the model, by the one-sided and by the two-sided exchange. The thesis used real web
graphs. Here, each graph of the thesis is replaced by a synthetic graph with fewer vertices and with the same number of
edges per vertex."""

import statistics

from lib.condition import Condition, Missing, at, points
from lib.figure import MODEL, PAPERS, Run
from lib.short import short

ONE_SIDED, TWO_SIDED = "one-sided", "two-sided"
# Flags with which lists are sent as a whole and are not overlapped with work, as in the two-sided exchange of the
# thesis.
WHOLE_LISTS = ("--chunks", "1")
# Each graph has a number of vertices and a number of edges per vertex. Each arc of the symmetrised graph
# counts as an edge.
PUBLISHED_GRAPHS = {"uk-2014": (1.77e6, 20.66), "gsh-2015": (3.08e7, 39.09), "ara-2005": (2.27e7, 56.28),
                    "uk-2005": (3.95e7, 47.46), "it-2004": (4.13e7, 55.74), "sk-2005": (5.06e7, 77.00)}
NAMES = tuple(PUBLISHED_GRAPHS)
EDGES_A_VERTEX = {graph: ratio for graph, (_, ratio) in PUBLISHED_GRAPHS.items()}
PART, QUICK_PART = 64, 1024  # fraction of the published size: 1/64, and 1/1024 in quick rounds
# The number of nodes for each number of PEs. A node usually has up to four PEs. Only for 20 PEs, a node has
# five.
NODES_OF = {4: 1, 8: 2, 12: 4, 16: 4, 20: 4, 32: 8, 64: 16}
PES = tuple(NODES_OF)
NOTE = f"Synthetic web graphs of 1/{PART} of the published vertices, the published edges a vertex."


def vertices_of(graph, quick):
    return round(PUBLISHED_GRAPHS[graph][0] / (QUICK_PART if quick else PART))


def on_model(graph, exchange, pes, points, quick, nodes=None, more=(), with_metrics=False):
    """Returns a run of the algorithm of the thesis. `points` is {series: (x, function that reads y from the result of
    the run)}."""
    size = ["--vertices", str(vertices_of(graph, quick)), "--edges-per-vertex", f"{EDGES_A_VERTEX[graph] / 2:g}"]
    node = ["--sim-node-size", str(pes // (nodes or NODES_OF[pes]))]
    return Run(["mst", "--kind", "web", *size, "--exchange", exchange, "--filter", "off", "--local", "rounds",
                *more, "--pes", str(pes), *node, *MODEL], points, with_metrics, program=PAPERS)


def seconds(result):
    return result["metrics"]["seconds"]["median"]


def of_graph(graph, what):
    return f"{graph}, {what}"


def times(graphs, kinds, counts, quick):
    """Returns the runs for curves of seconds over numbers of PEs. There is one series for each graph and
    kind. `kinds` is {name: (exchange, more flags)}."""
    return [on_model(graph, exchange, pes, {of_graph(graph, kind): (pes, seconds)}, quick, more=more)
            for graph in graphs for kind, (exchange, more) in kinds.items() for pes in counts]


EXCHANGES = {ONE_SIDED: (ONE_SIDED, ()), TWO_SIDED: (TWO_SIDED, WHOLE_LISTS)}


def by_exchange(quick):
    """Returns the runs that several figures share: all graphs, both exchanges, all numbers of PEs."""
    return times(NAMES, EXCHANGES, PES, quick)


def less_time(new, old):
    """Returns the time that `new` saves compared with `old`, in percent."""
    return 100 * (old - new) / old


def gain(data, graph, pes, new, old):
    return less_time(at(data, of_graph(graph, new), pes), at(data, of_graph(graph, old), pes))


def mean_gain(data, graph, counts, new, old):
    return statistics.mean(gain(data, graph, pes, new, old) for pes in counts)


def known(xs, value):
    """Returns [(x, value(x)), ...]. If `value(x)` needs missing data, the x is left out."""
    found = []
    for x in xs:
        try:
            found.append((x, value(x)))
        except Missing:
            pass
    return found


def percent_at(series, x, sentence, judge):
    return Condition(f"{series} is {sentence} at {x}", (series,), lambda data: judge(at(data, series, x)),
                     lambda data: f"{short(at(data, series, x))} % at {x}")


def all_points(data, series, xs):
    """Returns the values of a series in the order of `xs`. Raises Missing if one of the values is missing."""
    found = dict(map(tuple, points(data, series)))
    if not set(xs) <= set(found):
        raise Missing(series)
    return [found[x] for x in xs]
