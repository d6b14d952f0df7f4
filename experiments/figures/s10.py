"""Shows that the latency of calls explains only a small part of the time of a run. The latency is measured by single
calls of the exchange."""

import statistics

from figures.mst import (NAMES, NOTE, ONE_SIDED, TWO_SIDED, WHOLE_LISTS, all_points, known, mean_gain, on_model,
                         seconds, times)
from figures.one_sided import on_model as call_on_model
from lib.bounds import everywhere_below
from lib.condition import Condition, at
from lib.figure import Figure, Panel
from lib.short import short

PES = 16
BYTES = 8
CALLS = {"put": "put", "get": "get", "send/receive": "send-receive"}
MOST = 2  # percent
SHARE = "explained by the latency of calls"


def calls_of_pe(result):
    return result["counters"]["exchange_calls"]["total"] / PES


def runs(quick):
    of_calls = [call_on_model(operation, 2, series, "us", BYTES) for series, operation in CALLS.items()]
    return of_calls + [on_model(graph, ONE_SIDED, PES, {f"{graph}, calls": (PES, calls_of_pe),
                                                        f"{graph}, seconds": (PES, seconds)}, quick, with_metrics=True)
                       for graph in NAMES]


def derive(data):
    """Returns the percentage of the time of a run that the latency of calls explains. The explained time is
    the number of calls times the largest difference in latency between a one-sided call and a message."""
    def share(graph):
        message = at(data, "send/receive", "us")
        differs = max(abs(at(data, call, "us") - message) for call in ("put", "get"))
        calls, whole = at(data, f"{graph}, calls", PES), at(data, f"{graph}, seconds", PES)
        return 100 * 1e-6 * differs * calls / whole
    return {SHARE: known(NAMES, share)}


CLAIM = f"less than {MOST} % of the time"
EXAMPLE = {SHARE: [(graph, 1.0) for graph in NAMES]}
CALLS_ALONE = Figure(
    id="S10", title=f"Share of the time that the latency of single calls explains, {PES} PEs on 4 nodes", x="graphs",
    panels=(Panel("%", log=False),),
    published="below 2 %: the gain comes from overlap, and from that nobody shakes hands",
    runs=runs, derive=derive,
    holds={CLAIM: everywhere_below(SHARE, MOST)},
    not_judged=("that the gain comes from overlap and no handshakes: S10-overlap judges that",),
    example=EXAMPLE,
    denials={"3 % of one": ({SHARE: [*EXAMPLE[SHARE][:-1], (NAMES[-1], 3.0)]}, CLAIM),
             "2 % of all": ({SHARE: [(graph, 2.0) for graph in NAMES]}, CLAIM)},
    note=NOTE + f" By what {BYTES} bytes put or got differ from a message, for each call of a PE.", bars=True)

OVERLAPS, WHOLE = "one-sided, overlap", "one-sided, whole lists"
TWO_OVERLAP, TWO_WHOLE = "two-sided, overlap", "two-sided, whole lists"
KINDS = {OVERLAPS: (ONE_SIDED, ()), WHOLE: (ONE_SIDED, WHOLE_LISTS), TWO_OVERLAP: (TWO_SIDED, ()),
         TWO_WHOLE: (TWO_SIDED, WHOLE_LISTS)}
BY_BOTH = "both: one-sided with overlap"
BY_CALLS = "no handshakes: one-sided, whole lists"
BY_OVERLAP = "overlap: two-sided, in pieces"
GAINS = {BY_BOTH: OVERLAPS, BY_CALLS: WHOLE, BY_OVERLAP: TWO_OVERLAP}


def gains(data):
    """Returns, for each other kind of exchange, the percentage of time that it saves compared with the
    two-sided exchange of whole lists."""
    return {series: known(NAMES, lambda graph, kind=kind: mean_gain(data, graph, (PES,), kind, TWO_WHOLE))
            for series, kind in GAINS.items()}


def mean_of(data, series):
    return statistics.mean(all_points(data, series, NAMES))


def saves(series):
    return Condition(f"{series} saves time in the mean", (series,), lambda data: mean_of(data, series) > 0,
                     lambda data: f"{short(mean_of(data, series))} %")


def saves_most(data):
    return mean_of(data, BY_BOTH) > max(mean_of(data, BY_CALLS), mean_of(data, BY_OVERLAP))


TOGETHER = "both together save more than either alone"
BOTH_SAVE = "one-sided with overlap saves time"
CALLS_SAVE = "without handshakes, and without overlap: saves time"
OVERLAP_SAVES = "overlap saves time where two sides shake hands"


def saved(both, calls, overlap):
    return {series: [(graph, y) for graph in NAMES]
            for series, y in ((BY_BOTH, both), (BY_CALLS, calls), (BY_OVERLAP, overlap))}


OVERLAP = Figure(
    id="S10-overlap", title=f"Time saved over two sides with whole lists, {PES} PEs on 4 nodes", x="graphs",
    panels=tuple(Panel("%", series=(series,), title=series, log=False) for series in GAINS),
    published="the gain comes from overlap, and from that nobody shakes hands, not from the latency of calls",
    runs=lambda quick: times(NAMES, KINDS, (PES,), quick), derive=gains,
    holds={BOTH_SAVE: saves(BY_BOTH), CALLS_SAVE: saves(BY_CALLS), OVERLAP_SAVES: saves(BY_OVERLAP),
           TOGETHER: Condition(f"{BY_BOTH} saves more than the other two in the mean", tuple(GAINS), saves_most,
                               lambda data: ", ".join(f"{series} {short(mean_of(data, series))} %"
                                                      for series in GAINS))},
    not_judged=("how much each saves: the text has no numbers for it",),
    example=saved(30, 20, 10),
    denials={"both save nothing": (saved(-1, 20, 10), BOTH_SAVE, TOGETHER),
             "one-sided calls alone save nothing": (saved(30, -1, 10), CALLS_SAVE),
             "overlap alone saves nothing": (saved(30, 20, -1), OVERLAP_SAVES),
             "overlap alone saves as much": (saved(30, 20, 30), TOGETHER)},
    note=NOTE + " Two-sided is Atoll's own: the model has no MPI.", bars=True)

FIGURES = (CALLS_ALONE, OVERLAP)
