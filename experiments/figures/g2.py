from lib.figure import Figure, Run, metric, nodes, on_nodes
from lib.holds import above, at_least, ends_above, flat, rises

ON, OFF = "aggregation on", "aggregation off"


def gups(log2_table, count, *flags):
    return ["gups", "--log2-table", str(log2_table), *flags, *on_nodes(count)]


def runs(quick):
    on = [Run(gups(12 if quick else 14, n), {ON: (n, metric("rate"))}) for n in nodes(quick)]
    off = [Run(gups(6 if quick else 8, n, "--aggregation", "off"), {OFF: (n, metric("rate"))})
           for n in nodes(quick)]
    return on + off


FIGURE = Figure(
    id="G2", title="GUPS over nodes", x="nodes of 16 PEs", y="updates/s",
    published="aggregated over 1 G updates/s at 64 nodes; not aggregated nearly flat",
    runs=runs,
    holds=[rises(ON), above(ON, OFF, 2), at_least(ON, 1e9), flat(OFF, within=4)],
    why="Without aggregation an update is a message and its acknowledgement another, and the network of "
        "a node takes three million a second: more nodes, all of whose PEs issue updates here, where one "
        "worker a node did in the paper, do more, and one node alone has no network to wait for.",
    published_points={ON: [(64, 1e9)]},
    example={ON: [(1, 3e8), (8, 8e8), (64, 2e9)], OFF: [(1, 2e7), (8, 3e7), (64, 4e7)]},
    sensitive=lambda quick: Run(gups(12, 4), {ON: (4, metric("rate"))}))
