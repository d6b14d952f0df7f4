"""Compares the properties of the graphs with the published properties. Synthetic graphs replace published graphs that
are not available. One real graph is used if its file exists."""

import os
import pathlib

from figures.mst import (EDGES_A_VERTEX, NAMES, NOTE, ONE_SIDED, PART, PUBLISHED_GRAPHS, all_points, on_model)
from lib.condition import Condition
from lib.figure import Figure, Panel, Run
from lib.short import short

RATIO, VERTICES, LEFT = "edges a vertex", "vertices", "edges a vertex without loops and duplicates"
EXACT = 1.01  # the generator makes a whole number of edges
REAL = "cnr-2000 (real)"


def file_of_real_graph():
    """Returns the file of the real graph, or None if it does not exist. The file is in the folder that
    ATOLL_DATA names, or in shared/data next to the sources."""
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
    file = pathlib.Path(os.environ.get("ATOLL_DATA", beside)) / "cnr-2000.graph"
    return file if file.exists() else None


def of_real_graph(file):
    arcs = lambda result: result["metrics"]["symmetrised_edges"]["median"]  # noqa: E731
    vertices = lambda result: result["metrics"]["vertices"]["median"]  # noqa: E731
    return Run(["info", str(file)],
               {RATIO: (REAL, lambda result: arcs(result) / vertices(result)), VERTICES: (REAL, vertices)})


def of_graph(graph, quick):
    facts = lambda result: result["graph"]  # noqa: E731
    return on_model(graph, ONE_SIDED, 4, {
        RATIO: (graph, lambda result: 2 * facts(result)["input_edges"] / facts(result)["vertices"]),
        VERTICES: (graph, lambda result: facts(result)["vertices"]),
        LEFT: (graph, lambda result: 2 * facts(result)["edges_left"] / facts(result)["vertices"])}, quick)


def runs(quick):
    file = file_of_real_graph()
    return [*([of_real_graph(file)] if file else []), *(of_graph(graph, quick) for graph in NAMES)]


def as_published(series, published, factor, sentence):
    """Returns a condition: each graph's value is within a factor of `factor` of its published value."""
    def worst(data):
        return max((max(y / published[graph], published[graph] / y), graph)
                   for graph, y in zip(NAMES, all_points(data, series, NAMES)))
    return Condition(f"{series} {sentence}", (series,), lambda data: worst(data)[0] <= factor,
                     lambda data: f"{short(worst(data)[0])} times apart at most, {worst(data)[1]}", every_point=True)


PARTS = {graph: vertices / PART for graph, (vertices, _) in PUBLISHED_GRAPHS.items()}
RATIOS, SIZES = "E/V of each as published", f"1/{PART} of the vertices of each"
MOSTLY_LEFT = "most edges are left without loops and duplicates"


def mostly_left():
    def parts(data):
        return [left / all_of_it for left, all_of_it in zip(all_points(data, LEFT, NAMES),
                                                            all_points(data, RATIO, NAMES))]
    return Condition(f"{LEFT} are half at least", (LEFT, RATIO), lambda data: min(parts(data)) >= 0.5,
                     lambda data: f"{min(parts(data)):.2f} to {max(parts(data)):.2f}", every_point=True)


EXAMPLE = {RATIO: list(EDGES_A_VERTEX.items()), VERTICES: list(PARTS.items()),
           LEFT: [(graph, 0.8 * ratio) for graph, ratio in EDGES_A_VERTEX.items()]}


def with_other(series, graph, factor):
    return {**EXAMPLE, series: [(x, factor * y if x == graph else y) for x, y in EXAMPLE[series]]}


FIGURE = Figure(
    id="S3", title="Synthetic web graphs in place of six real ones", x="graphs",
    panels=(Panel("edges", (RATIO,), title="edges a vertex"), Panel("vertices", (VERTICES,), title="vertices"),
            Panel("edges", (LEFT,), title="edges a vertex without loops and duplicates")),
    published="uk-2014, gsh-2015, ara-2005, uk-2005, it-2004, sk-2005: 1.77, 30.8, 22.7, 39.5, 41.3, 50.6 M vertices; "
              "20.66, 39.09, 56.28, 47.46, 55.74, 77 edges a vertex",
    runs=runs,
    holds={RATIOS: as_published(RATIO, EDGES_A_VERTEX, EXACT, "are the published ones"),
           SIZES: as_published(VERTICES, PARTS, EXACT, f"are 1/{PART} of the published ones"),
           MOSTLY_LEFT: mostly_left()},
    not_judged=("bytes of the files: no files are written",
                "the largest degrees: those of synthetic graphs are a parameter of the generator, not a finding"),
    example=EXAMPLE,
    denials={"one has a tenth fewer edges": (with_other(RATIO, "sk-2005", 0.9), RATIOS),
             "one has twice the vertices": (with_other(VERTICES, "uk-2014", 2), SIZES),
             "two thirds are duplicates": (with_other(LEFT, "gsh-2015", 0.3), MOSTLY_LEFT)},
    note=NOTE, bars=True)
