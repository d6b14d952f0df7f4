from lib.bounds import at_least
from lib.figure import LARGE_TABLE, Figure, Panel, Run, metric, nodes, on_nodes
from lib.pairs import above
from lib.shapes import flat, rises

ON, OFF = "aggregation on", "aggregation off"


def gups(log2_table, count, *flags):
    return ["bench", "gups", "--log2-table", str(log2_table), *flags, *on_nodes(count), *LARGE_TABLE]


def runs(quick):
    on = [Run(gups(12 if quick else 14, n), {ON: (n, metric("rate"))}) for n in nodes(quick)]
    off = [Run(gups(6 if quick else 8, n, "--aggregation", "off"), {OFF: (n, metric("rate"))})
           for n in nodes(quick)]
    return on + off


EXAMPLE = {ON: [(1, 3e7), (8, 1.5e8), (64, 1.1e9)], OFF: [(1, 1.5e7), (8, 1.6e7), (64, 2e7)]}

FIGURE = Figure(
    id="G2", title="GUPS over nodes", x="nodes of 16 PEs", panels=(Panel("updates/s"),),
    published="aggregated over 1 G updates/s at 64 nodes; not aggregated nearly flat",
    runs=runs,
    holds={"aggregated, more nodes do more": rises(ON),
           "aggregated over 1 G updates/s at 64 nodes": at_least(ON, 1e9, 64),
           "not aggregated nearly flat": flat(OFF),
           "aggregated above not aggregated": above(ON, OFF)},
    not_judged=(),
    note="All PEs issue updates; in the paper one worker a node did.",
    published_points={ON: [(64, 1e9)]},
    example=EXAMPLE,
    denials={
        "aggregated falls at first": ({**EXAMPLE, ON: [(1, 3e8), (8, 1.5e8), (64, 1.1e9)]},
                                      "aggregated, more nodes do more"),
        "0.9 G at 64 nodes": ({**EXAMPLE, ON: [(1, 3e7), (8, 1.5e8), (64, 0.9e9)]},
                              "aggregated over 1 G updates/s at 64 nodes"),
        "not aggregated rises four times": ({**EXAMPLE, OFF: [(1, 1e7), (8, 2e7), (64, 4e7)]},
                                            "not aggregated nearly flat"),
        "not aggregated is faster": ({**EXAMPLE, OFF: [(1, 2e9), (8, 2e9), (64, 2e9)]},
                                     "aggregated above not aggregated")},
    sensitive=lambda quick: Run(gups(12, 4), {ON: (4, metric("rate"))}))
