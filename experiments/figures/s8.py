"""Counts the calls of the interface and the lines of code that each exchange needs."""

from lib.condition import Condition, at
from lib.figure import Figure, Panel, Run
from lib.short import short

CALLS, LINES = "calls", "lines"
TWO_SIDED, ONE_SIDED = "two-sided", "one-sided"
INTERFACES = {"Atoll": (TWO_SIDED, ONE_SIDED), "MPI": (TWO_SIDED, ONE_SIDED), "OpenSHMEM": (ONE_SIDED,)}
# The published ratios. The thesis counts 110 calls for the one-sided exchange and 82 for the two-sided exchange. The
# thesis counts 1402 lines of code for the one-sided exchange and 1188 for the two-sided exchange.
PUBLISHED_MORE = {CALLS: 110 / 82, LINES: 1402 / 1188}


def name_of(interface, side):
    return f"{interface} {side}"


def total(name, what):
    return lambda rows: sum(row[what] for row in rows if row["exchange"] == name)


def runs(quick):
    names = [name_of(interface, side) for interface, sides in INTERFACES.items() for side in sides]
    return [Run([], {what: (name, total(name, what))}, program="tools/mst_productivity.py")
            for what in (CALLS, LINES) for name in names]


def times_more(data, interface, what):
    return at(data, what, name_of(interface, ONE_SIDED)) / at(data, what, name_of(interface, TWO_SIDED))


def more(interface, what):
    return Condition(f"{interface}: one side takes more {what} than two", (what,),
                     lambda data: times_more(data, interface, what) > 1,
                     lambda data: f"{short(times_more(data, interface, what))} times as many, where "
                                  f"{short(PUBLISHED_MORE[what])} are published", every_point=True)


CLAIMS = {(interface, what): f"{interface}: one side takes more {what}"
          for interface in ("Atoll", "MPI") for what in (CALLS, LINES)}
EXAMPLE = {what: [("Atoll two-sided", 10), ("Atoll one-sided", 14), ("MPI two-sided", 11), ("MPI one-sided", 20),
                  ("OpenSHMEM one-sided", 15)] for what in (CALLS, LINES)}


def with_fewer(name, what):
    return {**EXAMPLE, what: [(x, 5 if x == name else y) for x, y in EXAMPLE[what]]}


FIGURE = Figure(
    id="S8", title="What the exchanges of minimum spanning trees take to write", x="interface",
    panels=(Panel("calls", (CALLS,), title="calls that stand in the text", log=False),
            Panel("lines", (LINES,), title="lines without comments", log=False)),
    published="with two sides 82 calls and 1188 lines, with one 110 and 1402: 34 and 18 % more, over all phases",
    runs=runs,
    holds={claim: more(*which) for which, claim in CLAIMS.items()},
    not_judged=("how many more: here all phases share one exchange, so only that is counted, and no algorithm",
                "phase by phase: the phases have no calls of their own"),
    example=EXAMPLE,
    denials={f"fewer {what} of {interface}": (with_fewer(name_of(interface, ONE_SIDED), what),
                                              CLAIMS[interface, what])
             for interface, what in CLAIMS},
    note="Counted in the source tree by `tools/mst_productivity.py`.", bars=True)
