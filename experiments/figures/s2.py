"""Compares two versions of reductions to all PEs and of barriers: by symmetric memory and by messages."""

from figures.one_sided import (HOSTS, LIBRARIES, MPICH, NODES, OPEN_MPI, above_small,
                               hardly_slower_at, in_turn, level, mean_ratio, medians, on_model,
                               times_faster_from, times_of_library, up_to_small)
from lib.figure import Figure, Panel
from lib.tolerance import STEP

SIZES = (8, 64, 512, 4096, 32768, 262144, 1 << 20)
SMALL_SIZES = sum(map(up_to_small, SIZES))
QUICK_SIZES = (8, 4096, 65536)
SYMMETRIC, MESSAGES = "one-sided", "messages"
SLOWER = 1.7418  # published factor compared with MPI, up to 4 KB
PUBLISHED = "allreduce of SHMEM is up to 4 KB 74.18 % slower than MPI's, above 28.7 % faster"


def name(way, nodes):
    return f"{way}, {nodes} nodes"


def sizes(quick):
    return QUICK_SIZES if quick else SIZES


def all_reduce_on_model(quick):
    return [on_model(operation, nodes, name(way, nodes), size, size)
            for nodes in (NODES[:2] if quick else NODES) for size in sizes(quick)
            for way, operation in ((SYMMETRIC, "allreduce"), (MESSAGES, "message-allreduce"))]


BOTH = [(name(SYMMETRIC, nodes), name(MESSAGES, nodes)) for nodes in NODES]
SMALL = "up to 4 KB: one-sided 74 % slower than by messages at most"
LARGE = "above 4 KB: one-sided faster"
TIMES = (5, 5, 6, 9, 40, 200, 800)


def all_reduce(small, large):
    factors = [small] * SMALL_SIZES + [large] * (len(SIZES) - SMALL_SIZES)
    return {**{name(MESSAGES, nodes): level(SIZES, *TIMES) for nodes in NODES},
            **{name(SYMMETRIC, nodes): level(SIZES, *(f * y for f, y in zip(factors, TIMES)))
               for nodes in NODES}}


EXAMPLE = all_reduce(1.7, 0.7)
ALL_REDUCE = Figure(
    id="S2", title="Reductions to all PEs, on symmetric memory and by messages", x="bytes",
    panels=tuple(Panel("us", (name(SYMMETRIC, nodes), name(MESSAGES, nodes)), title=f"{nodes} nodes of one PE")
                 for nodes in NODES),
    published=PUBLISHED, runs=all_reduce_on_model,
    holds={SMALL: mean_ratio(BOTH, f"one-sided takes up to 4 KB {SLOWER:g} times the messages' time at most, "
                             "in the mean", lambda mean: mean <= SLOWER, up_to_small),
           LARGE: mean_ratio(BOTH, "one-sided takes less time than messages above 4 KB, in the mean",
                             lambda mean: mean < 1, above_small)},
    not_judged=("28.7 %: by how much the one is faster was a matter of two libraries",),
    example=EXAMPLE,
    denials={"small ones take twice the time": (all_reduce(2, 0.7), SMALL),
             "large ones are no faster": (all_reduce(1.7, 1.01), LARGE),
             "one number of nodes is much slower": (
                 {**EXAMPLE, name(SYMMETRIC, 16): [(x, 5 * y) for x, y in EXAMPLE[name(SYMMETRIC, 16)]]},
                 SMALL, LARGE)},
    note="By messages is Atoll's own reduction of values: the model has no MPI. What adds takes no time in either.")

BARRIER_NODES = (2, 4, 8, 16, 32, 64)
OF_MPI = level(BARRIER_NODES, 1.24, 5.16, 7.12, 12.72, 13.10, 14.48)
OF_SHMEM = level(BARRIER_NODES, 1.48, 2.15, 2.62, 6.41, 4.62, 6.64)
TWICE = 2 / STEP  # the smallest published factor is 1.98
ON_TWO = "on two nodes: one-sided hardly slower"
HALF = "from 4 nodes on: one-sided about twice as fast or more"
BARRIER_EXAMPLE = {SYMMETRIC: OF_SHMEM, MESSAGES: OF_MPI}


def barriers_on_model(quick):
    return [on_model(operation, nodes, way, nodes)
            for nodes in (BARRIER_NODES[:4] if quick else BARRIER_NODES)
            for way, operation in ((SYMMETRIC, "barrier"), (MESSAGES, "message-barrier"))]


BARRIER = Figure(
    id="S2-barrier", title="Barriers, on symmetric memory and by messages", x="nodes of one PE",
    panels=(Panel("us"),),
    published="MPI 1.24 us on 2 nodes to 14.48 on 64, SHMEM 1.48 to 6.64: from 4 nodes on about twice as fast or more",
    runs=barriers_on_model,
    holds={ON_TWO: hardly_slower_at(SYMMETRIC, MESSAGES, 2),
           HALF: times_faster_from(SYMMETRIC, MESSAGES, TWICE, 4)},
    not_judged=("the microseconds: on two nodes less than one way through the network of the model",),
    published_points=BARRIER_EXAMPLE, example=BARRIER_EXAMPLE,
    denials={"twice as slow on two": ({**BARRIER_EXAMPLE, SYMMETRIC: [(2, 2.5), *OF_SHMEM[1:]]}, ON_TWO),
             "as slow on 64": ({**BARRIER_EXAMPLE, SYMMETRIC: [*OF_SHMEM[:-1], (64, 14)]}, HALF),
             "a half faster on 4": ({**BARRIER_EXAMPLE, MESSAGES: [(2, 1.24), (4, 3.2), *OF_MPI[2:]]}, HALF)},
    note="By messages is Atoll's own barrier: the model has no MPI.",
    sensitive=lambda quick: on_model("barrier", 16, SYMMETRIC, 16))

# ---- the next runs are over hosts; the x of a series is the number of hosts
MOST = HOSTS[-1]
HOST_OPERATIONS = {SYMMETRIC: "allreduce", MESSAGES: "message-allreduce"}
HOST_SMALL = "up to 4 KB: 74 % slower than MPI at most"
HOST_LARGE = "above 4 KB: faster than MPI"
HOST_TIMES = tuple(60 + y for y in TIMES)


def over_hosts(small, large):
    factors = [small] * SMALL_SIZES + [large] * (len(SIZES) - SMALL_SIZES)
    return {SYMMETRIC: level(SIZES, *(f * y for f, y in zip(factors, HOST_TIMES))),
            **{series: level(SIZES, *HOST_TIMES) for series in (MESSAGES, *LIBRARIES)}}


ALL_REDUCE_HOSTS = Figure(
    id="S2-hosts", title=f"Reductions to all PEs over {MOST} hosts of one PE", x="bytes, over hosts",
    panels=(Panel("us"),), published=PUBLISHED,
    runs=lambda quick: in_turn([(MOST, size, size) for size in sizes(quick)], HOST_OPERATIONS,
                               "allreduce", quick),
    holds={HOST_SMALL: times_of_library(SYMMETRIC, SLOWER, "up to 4 KB", up_to_small),
           HOST_LARGE: times_of_library(SYMMETRIC, 1, "above 4 KB", above_small)},
    not_judged=("28.7 %: by how much the one is faster was a matter of two libraries",),
    example=over_hosts(1.7, 0.7),
    denials={"small ones take twice the time": (over_hosts(2, 0.7), HOST_SMALL),
             "large ones are no faster": (over_hosts(1.7, 1.1), HOST_LARGE)},
    note=f"{OPEN_MPI} and {MPICH} have MPI_Allreduce; all run in turn, three times, and the median counts.",
    derive=medians)

HOST_ON_TWO = "on two hosts: hardly slower than MPI"
HOST_BARRIERS = {SYMMETRIC: "barrier", MESSAGES: "message-barrier"}


def host_barriers(two, three, four):
    return {SYMMETRIC: level(HOSTS, two, three, four), MESSAGES: level(HOSTS, 60, 150, 200),
            **{series: level(HOSTS, 30, 90, 120) for series in LIBRARIES}}


def on(hosts):
    return lambda x: x == hosts


BARRIER_HOSTS = Figure(
    id="S2-barrier-hosts", title="Barriers over hosts", x="hosts of one PE", panels=(Panel("us"),),
    published=BARRIER.published,
    runs=lambda quick: in_turn([(hosts, hosts, 0) for hosts in (HOSTS[:1] if quick else HOSTS)],
                               HOST_BARRIERS, "barrier", quick),
    holds={HOST_ON_TWO: times_of_library(SYMMETRIC, 1.5, "on two", on(2)),
           HALF: times_of_library(SYMMETRIC, 1 / TWICE, f"on {MOST}", on(MOST))},
    not_judged=("the microseconds: the network here is TCP between namespaces",),
    example=host_barriers(35, 60, 60),
    denials={"twice as slow on two": (host_barriers(60, 60, 60), HOST_ON_TWO),
             "as slow on four": (host_barriers(35, 60, 119), HALF)},
    note=f"{OPEN_MPI} and {MPICH} have MPI_Barrier; all run in turn, three times, and the median counts.",
    derive=medians, log_x=False)

FIGURES = (ALL_REDUCE, BARRIER, ALL_REDUCE_HOSTS, BARRIER_HOSTS)
