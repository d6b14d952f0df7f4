"""Compares two ways to reduce to one PE: a collective, and one message after another from each PE."""

import math

from figures.one_sided import (HOSTS, LIBRARIES, MPICH, NODES, OPEN_MPI, in_turn, level, medians,
                               on_model, times_faster_from)
from lib.condition import Condition, curve
from lib.figure import Figure, Panel
from lib.short import ratio
from lib.tolerance import FLAT, STEP

BYTES = 1 << 20
TREE, SEQUENCE = "to one PE", "one after the other"
OPERATIONS = {TREE: "reduce-to-one", SEQUENCE: "sequential-reduce"}
PUBLISHED = ("MPI_Reduce of 1 MB against sequential messages in OpenSHMEM, which has no reduction to one PE: a "
             "curve; what is asked for is a collective that is a tree")


def as_rounds_of_a_tree(series):
    """Returns a condition: the time grows in proportion to the number of rounds of a tree, within a factor.
    On 2 nodes, a tree has one round."""
    def parts(data):
        (first, low), (last, high) = curve(data, series)[0], curve(data, series)[-1]
        return high / low, math.ceil(math.log2(last)) / math.ceil(math.log2(first))
    return Condition(f"{series} grows with the rounds of a tree, within a factor of {FLAT:g}", (series,),
                     lambda data: parts(data)[0] <= FLAT * parts(data)[1],
                     lambda data: f"{ratio(parts(data)[0], 1)}, rounds {ratio(parts(data)[1], 1)}")


GROWS = "its time grows as the rounds of a tree"
FASTER = "from 4 nodes on: faster than one after the other"
EXAMPLE = {TREE: level(NODES, 400, 800, 1200, 1600), SEQUENCE: level(NODES, 450, 1300, 2900, 6000)}
MODELLED = Figure(
    id="S9", title="A reduction of 1 MB to one PE", x="nodes of one PE", panels=(Panel("us"),),
    published=PUBLISHED,
    runs=lambda quick: [on_model(operation, nodes, series, nodes, BYTES)
                        for nodes in (NODES[:3] if quick else NODES)
                        for series, operation in OPERATIONS.items()],
    holds={GROWS: as_rounds_of_a_tree(TREE), FASTER: times_faster_from(TREE, SEQUENCE, STEP, 4)},
    not_judged=("the times of the curve: none could be read",),
    example=EXAMPLE,
    denials={"it grows with the nodes": (
                 {TREE: level(NODES, 300, 900, 2000, 4500), SEQUENCE: level(NODES, 450, 1300, 2900, 6000)}, GROWS),
             "it is no faster on 4": ({**EXAMPLE, SEQUENCE: level(NODES, 450, 800, 2900, 6000)}, FASTER),
             "it is slower on 16": ({**EXAMPLE, SEQUENCE: level(NODES, 450, 1300, 1500, 1500)}, FASTER)},
    note="What adds takes no time in either.",
    sensitive=lambda quick: on_model("reduce-to-one", 4, TREE, 4, BYTES))

HOST_FASTER = "from 3 hosts on: faster than one after the other"
HOST_EXAMPLE = {TREE: level(HOSTS, 900, 1500, 1700), SEQUENCE: level(HOSTS, 950, 1900, 3000),
                **{series: level(HOSTS, 900, 1600, 1800) for series in LIBRARIES}}
OVER_HOSTS = Figure(
    id="S9-hosts", title="A reduction of 1 MB to one PE over hosts", x="hosts of one PE", panels=(Panel("us"),),
    published=PUBLISHED,
    runs=lambda quick: in_turn([(hosts, hosts, BYTES) for hosts in (HOSTS[:2] if quick else HOSTS)],
                               OPERATIONS, "reduce-to-one", quick),
    holds={HOST_FASTER: times_faster_from(TREE, SEQUENCE, STEP, 3)},
    not_judged=("that its time grows as the rounds of a tree: the hosts are namespaces of one machine, whose cores "
                "they share",),
    example=HOST_EXAMPLE,
    denials={"it is no faster on 3": ({**HOST_EXAMPLE, SEQUENCE: level(HOSTS, 950, 1500, 3000)}, HOST_FASTER),
             "it is slower on 4": ({**HOST_EXAMPLE, TREE: level(HOSTS, 900, 1500, 3100)}, HOST_FASTER)},
    note=f"{OPEN_MPI} and {MPICH} have MPI_Reduce; all run in turn, three times, and the median counts.",
    derive=medians, log_x=False)

FIGURES = (MODELLED, OVER_HOSTS)
