"""Compares one-sided access with messages. On the model each node has one PE. Over hosts, both MPI libraries
take part. The file also has conditions on pairs of curves."""

import statistics

from lib.condition import Condition, Missing, at, pairs
from lib.figure import MODEL, Run
from lib.short import ratio, short
from lib.tolerance import FLAT

NODES = (2, 4, 8, 16)
HOSTS = (2, 3, 4)
TURNS = 3  # repetitions over hosts, because their speed changes from second to second
SMALL = 4096  # size in bytes at which the published curves change
OPEN_MPI, MPICH = "Open MPI", "MPICH"
LIBRARIES = {OPEN_MPI: "openmpi", MPICH: "mpich"}


def size_flags(size):
    return ["--size", str(size)] if size else []


def on_model(operation, nodes, series, x, size=0):
    """Returns a run on the model that lasts one millisecond of virtual time."""
    flags = [*size_flags(size), "--time", "1ms", "--pes", str(nodes), "--sim-node-size", "1"]
    read = lambda result: result["metrics"]["nanoseconds"]["median"] / 1000  # noqa: E731
    return Run(["bench", operation, *flags, *MODEL], {series: (x, read)})


def on_hosts(operation, hosts, series, x, size=0, turn=0):
    flags = [*size_flags(size), "--time", "200ms", "--trials", "1"]
    read = lambda result: result["metrics"]["nanoseconds"]["median"] / 1000  # noqa: E731
    return Run(["bench", operation, *flags], {series: (x, read)}, hosts=hosts, turn=turn)


def by_library(series, operation, hosts, x, size=0, turn=0):
    """Returns a run in which an MPI library performs the operation by two-sided messages."""
    library = LIBRARIES[series]
    flags = ["--operation", operation, *size_flags(size), "--way", "two-sided", "--seconds", "0.2"]
    return Run(flags, {series: (x, lambda result: result["nanoseconds"] / 1000)}, hosts=hosts,
               program=f"atoll-peer-{library}-one-sided", mpi=library, turn=turn)


def in_turn(places, operations, operation_of_library, quick):
    """Returns runs over hosts, repeated in several turns. The runs for one x come directly after each other.
    `places` is [(hosts, x, size), ...], and `operations` is {series: operation}."""
    return [run for turn in range(1 if quick else TURNS) for hosts, x, size in places
            for run in (*(on_hosts(operation, hosts, series, x, size, turn)
                          for series, operation in operations.items()),
                        *(by_library(series, operation_of_library, hosts, x, size, turn)
                          for series in LIBRARIES))]


def medians(data):
    """Returns the median over all turns for each x."""
    found = {}
    for series, points in data.items():
        by_x = {}
        for x, y in points:
            by_x.setdefault(x, []).append(y)
        found[series] = [(x, statistics.median(values)) for x, values in by_x.items()]
    return found


def up_to_small(x):
    return x <= SMALL


def above_small(x):
    return x > SMALL


def kept(data, a, b, keep):
    found = [(y, z) for x, y, z in pairs(data, a, b) if keep(x)]
    if not found:
        raise Missing(f"{a} beside {b}")
    return found


def mean_difference(a, b, sentence, judge, keep):
    """Returns a condition that holds if `judge` accepts the mean of a - b over every x for which `keep(x)` is
    true."""
    def mean(data):
        return statistics.mean(y - z for y, z in kept(data, a, b, keep))
    return Condition(f"{a} is {sentence} {b}, in the mean", (a, b),
                     lambda data: judge(mean(data)), lambda data: f"{short(mean(data))} us")


def faster(a, b, where, keep):
    return mean_difference(a, b, f"{where} below", lambda mean: mean < 0, keep)


def slower_at_most(a, b, by, where, keep):
    return mean_difference(a, b, f"{where} {by:g} us at most above", lambda mean: mean <= by, keep)


def mean_ratio(both, sentence, judge, keep):
    """Returns a condition that holds if `judge` accepts the mean of a / b over every x for which `keep(x)` is
    true. `both` is [(a, b), ...]. A pair is ignored if one of its curves is missing."""
    def mean(data):
        found = [y / z for a, b in both if a in data and b in data for y, z in kept(data, a, b, keep)]
        if not found:
            raise Missing(both[0][0])
        return statistics.mean(found)
    return Condition(sentence, tuple(series for pair in both for series in pair),
                     lambda data: judge(mean(data)), lambda data: f"{mean(data):.3g} times")


def fastest_library(data, x):
    return min(at(data, series, x) for series in LIBRARIES)


def times_of_library(a, by, where, keep):
    """Returns a condition: on average over all x for which `keep(x)` is true, `a` is at most `by` times the value of
    the faster library."""
    def part(data):
        found = [(y / fastest_library(data, x)) for x, y, _ in pairs(data, a, OPEN_MPI) if keep(x)]
        if not found:
            raise Missing(a)
        return statistics.mean(found)
    return Condition(f"{a} is {where} {by:.3g} times the faster MPI library at most, in the mean",
                     (a, *LIBRARIES), lambda data: part(data) <= by,
                     lambda data: f"{part(data):.3g} times")


def hardly_slower_at(a, b, x):
    return Condition(f"{a} is {FLAT:g} times {b} at most at {x}", (a, b),
                     lambda data: at(data, a, x) <= FLAT * at(data, b, x),
                     lambda data: f"{short(at(data, a, x))} and {short(at(data, b, x))} us")


def times_faster_from(a, b, by, x):
    """Returns a condition: from `x` on, b divided by a is at least `by` at every x."""
    def worst(data):
        return min(((z / y, y, z) for y, z in kept(data, a, b, lambda place: place >= x)))
    return Condition(f"{a} is {by:.3g} times as fast as {b} at least from {x} on", (a, b),
                     lambda data: worst(data)[0] >= by,
                     lambda data: f"{ratio(worst(data)[2], worst(data)[1])} in the worst case",
                     every_point=True)


def level(xs, *ys):
    return list(zip(xs, ys))
