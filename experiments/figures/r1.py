from figures.realm import HOSTS, NODES, host_counts, node_counts, on_hosts, on_model
from lib.bounds import at_most, order_of
from lib.figure import Figure, Panel
from lib.shapes import flat

LATENCY = "microseconds a trigger"
FAR = "microseconds a trigger, from two nodes on"
EVENTS = {on_model: 20_000, on_hosts: 20_000}
WITHIN = "within a node: 0.33 us at most"
BETWEEN = "between two nodes: of the order of 3 us"
STAYS = "more nodes hardly change it"
PUBLISHED = dict(zip(NODES, (0.329, 3.259, 3.799, 3.862, 4.013)))


def runs(counts, run):
    return [run(["event-latency", "--events", str(EVENTS[run])], count,
                {LATENCY: (count, "nanoseconds_per_trigger")}) for count in counts]


def derive(data):
    """Converts the latencies to microseconds. Also adds a series without the point for one node, which uses
    no network."""
    us = [(x, y / 1000) for x, y in data.get(LATENCY, ())]
    return {**data, LATENCY: us, FAR: [(x, y) for x, y in us if x > 1]}


def example(*values, xs=NODES):
    us = list(zip(xs, values))
    return {LATENCY: us, FAR: us[1:]}


LIKE_PUBLISHED = example(*PUBLISHED.values())
MODELLED = Figure(
    id="R1", title="Latency of a chain of events around the nodes", x="nodes of one PE",
    panels=(Panel("us"),),
    published="0.329 us within a node, 3.259 between two, 4.013 around 16",
    runs=lambda quick: runs(node_counts(quick), on_model), derive=derive,
    holds={WITHIN: at_most(LATENCY, 0.329, 1), BETWEEN: order_of(LATENCY, 3.259, 2), STAYS: flat(FAR)},
    not_judged=(),
    published_points={LATENCY: list(PUBLISHED.items())},
    example=LIKE_PUBLISHED,
    denials={"a microsecond within a node": (example(1, 3.3, 3.8, 3.9, 4), WITHIN),
             "20 us between two": (example(0.3, 20, 21, 22, 22), BETWEEN),
             "it grows with the nodes": (example(0.3, 3.3, 5, 8, 12), STAYS)})

HOSTS_FIGURE = Figure(
    id="R1-hosts", title="Latency of a chain of events around hosts", x="hosts of one PE",
    panels=(Panel("us"),), published=MODELLED.published,
    runs=lambda quick: runs(host_counts(quick), on_hosts), derive=derive,
    holds={WITHIN: at_most(LATENCY, 0.329, 1), STAYS: flat(FAR)},
    not_judged=("of the order of 3 us between two: the network here is TCP between namespaces",),
    example=example(0.3, 30, 31, 33, xs=HOSTS),
    denials={"a microsecond within one": (example(1, 30, 31, 33, xs=HOSTS), WITHIN),
             "it grows with the hosts": (example(0.3, 30, 50, 80, xs=HOSTS), STAYS)},
    log_x=False)

FIGURES = (MODELLED, HOSTS_FIGURE)
