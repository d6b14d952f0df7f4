"""Compares the time of single calls of the exchange with the time of a run: they do not make the difference."""

from figures.mst import NAMES, NOTE, ONE_SIDED, known, on_model, seconds
from figures.one_sided import on_model as call_on_model
from lib.bounds import everywhere_below
from lib.condition import at
from lib.figure import Figure, Panel

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
    """Returns the largest difference of a one-sided call from a message, times the number of calls."""
    def share(graph):
        message = at(data, "send/receive", "us")
        differs = max(abs(at(data, call, "us") - message) for call in ("put", "get"))
        calls, whole = at(data, f"{graph}, calls", PES), at(data, f"{graph}, seconds", PES)
        return 100 * 1e-6 * differs * calls / whole
    return {SHARE: known(NAMES, share)}


CLAIM = f"less than {MOST} % of the time"
EXAMPLE = {SHARE: [(graph, 1.0) for graph in NAMES]}
FIGURE = Figure(
    id="S10", title=f"Share of the time that the latency of single calls explains, {PES} PEs on 4 nodes", x="graphs",
    panels=(Panel("%", log=False),),
    published="below 2 %: the gain comes from overlap, and from that nobody shakes hands",
    runs=runs, derive=derive,
    holds={CLAIM: everywhere_below(SHARE, MOST)},
    not_judged=("that the gain comes from overlap and no handshakes: --chunks 1 of either exchange tells these apart",),
    example=EXAMPLE,
    denials={"3 % of one": ({SHARE: [*EXAMPLE[SHARE][:-1], (NAMES[-1], 3.0)]}, CLAIM),
             "2 % of all": ({SHARE: [(graph, 2.0) for graph in NAMES]}, CLAIM)},
    note=NOTE + f" By what {BYTES} bytes put or got differ from a message, for each call of a PE.", bars=True)
