"""Compares two ways of ending the algorithm for spanning forests. Either one PE continues with the data of
all PEs, or one PE of each group of four continues with the data of its group."""

import statistics

from figures.mst import NAMES, NOTE, TWO_SIDED, WHOLE_LISTS, gain, known, on_model, of_graph, percent_at, seconds
from lib.bounds import all_of
from lib.figure import Figure, Panel
from lib.tolerance import ABOUT_ZERO_PERCENT

SINGLE, LEADER = "single", "leader"
PES = (4, 8, 12, 16)
NODES = 4
GAIN = "less time with a single one"


def runs(quick):
    return [on_model(graph, TWO_SIDED, pes, {of_graph(graph, post): (pes, seconds)}, quick, nodes=NODES,
                     more=("--post", post, *WHOLE_LISTS)) for graph in NAMES for post in (SINGLE, LEADER) for pes in PES]


def derive(data):
    def mean(pes):
        return statistics.mean(gain(data, graph, pes, SINGLE, LEADER) for graph in NAMES)
    return {GAIN: known(PES, mean)}


SAME, FASTER = "4 PEs: hardly a difference", "from 8 PEs on: a single one is faster"
EXAMPLE = {GAIN: [(4, 1.1), (8, 18.9), (12, 21.7), (16, 22.2)]}
FIGURE = Figure(
    id="S5", title=f"One PE, or leaders of groups of four, at the end; {NODES} nodes", x="PEs",
    panels=(Panel("%", log=False),),
    published="by messages of two sides the difference is 1.1, 18.9, 21.7, 22.2 % with 4, 8, 12, 16 PEs; from 8 on a "
              "single one is faster",
    runs=runs, derive=derive,
    holds={SAME: percent_at(GAIN, 4, f"{ABOUT_ZERO_PERCENT:g} % at most, either way",
                            lambda y: abs(y) <= ABOUT_ZERO_PERCENT),
           FASTER: all_of(GAIN, "above 0 from 8 PEs on", lambda y: y > 0, keep=lambda x: x >= 8)},
    not_judged=("the percentages: of other graphs on another machine",),
    example=EXAMPLE,
    denials={"a fifth with 4 PEs": ({GAIN: [(4, 20), *EXAMPLE[GAIN][1:]]}, SAME),
             "leaders are faster with 16": ({GAIN: [*EXAMPLE[GAIN][:3], (16, -2)]}, FASTER)},
    published_points={GAIN: EXAMPLE[GAIN]}, note=NOTE + " The mean of all six.", log_x=False,
    sensitive=lambda quick: on_model("uk-2014", TWO_SIDED, 16, {GAIN: (16, seconds)}, quick, nodes=NODES,
                                     more=("--post", SINGLE, *WHOLE_LISTS)))
