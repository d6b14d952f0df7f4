"""Compares put and get with two-sided messages between two nodes."""

from figures.one_sided import (LIBRARIES, MPICH, OPEN_MPI, above_small, faster, in_turn, level,
                               medians, on_model, slower_at_most, times_of_library, up_to_small)
from lib.figure import Figure, Panel
from lib.tolerance import FLAT, LIKE

SIZES = (1, 8, 64, 512, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20)
QUICK_SIZES = (8, 4096, 65536)
PUT, GET, MESSAGE = "put", "get", "send/receive"
OPERATIONS = {PUT: "put", GET: "get", MESSAGE: "send-receive"}
PUBLISHED = ("up to 4 KB put is 0.091 us faster than send/receive and get 0.531 us slower; above, put is "
             "3.56 us slower and get 3.75 us faster")


def sizes(quick):
    return QUICK_SIZES if quick else SIZES


SMALL_PUT = "up to 4 KB: put faster than send/receive"
SMALL_GET = "up to 4 KB: get 0.531 us slower at most"
LARGE_PUT = "above 4 KB: put 3.56 us slower at most"
LARGE_GET = "above 4 KB: get faster than send/receive"
TIMES = (1.5, 1.5, 1.6, 1.8, 3, 7, 23, 85, 330, 1310)


def beside(*differences):
    return level(SIZES, *(y + more for y, more in zip(TIMES, differences)))


def moved(small, large):
    return beside(*[small] * 5, *[large] * 5)


EXAMPLE = {PUT: moved(-0.09, 3.5), GET: moved(0.5, -3.7), MESSAGE: moved(0, 0)}
MODELLED = Figure(
    id="S1", title="Latency of put, get, and half a round trip of messages", x="bytes to another node",
    panels=(Panel("us"),), published=PUBLISHED,
    runs=lambda quick: [on_model(operation, 2, series, size, size)
                        for size in sizes(quick) for series, operation in OPERATIONS.items()],
    holds={SMALL_PUT: faster(PUT, MESSAGE, "up to 4 KB", up_to_small),
           SMALL_GET: slower_at_most(GET, MESSAGE, 0.531, "up to 4 KB", up_to_small),
           LARGE_PUT: slower_at_most(PUT, MESSAGE, 3.56, "above 4 KB", above_small),
           LARGE_GET: faster(GET, MESSAGE, "above 4 KB", above_small)},
    not_judged=("0.091 and 3.75 us: by how much each is faster was a matter of two libraries",),
    example=EXAMPLE,
    denials={"put is a little slower": ({**EXAMPLE, PUT: moved(0.1, 3.5)}, SMALL_PUT),
             "get takes a microsecond more": ({**EXAMPLE, GET: moved(1, -3.7)}, SMALL_GET),
             "large puts take 10 us more": ({**EXAMPLE, PUT: moved(-0.09, 10)}, LARGE_PUT),
             "only the largest put is slow": (
                 {**EXAMPLE, PUT: beside(*[-0.1] * 5, 0, 0, 0, 0, 40)}, LARGE_PUT),
             "large gets take 1 us more": ({**EXAMPLE, GET: moved(0.5, 1)}, LARGE_GET)},
    why="What says that a put is complete, or brings what is got, takes the way of the network once more: 3.9 and "
        "3.7 us for 8 bytes, of which 3.6 are an overhead and twice the latency and the gap of the model; a message "
        "is there after 2.9 us, an overhead at each end and the way once. Above the eager limit a message first "
        "waits for its receive, so that get, which waits for nobody, is ahead.",
    note="Send/receive is Atoll's own, by its two-sided calls: the model has no MPI.",
    sensitive=lambda quick: on_model("put", 2, PUT, 8, 8))

SHOWN = (PUT, GET, MESSAGE, *LIBRARIES)
HOST_TIMES = tuple(20 + y for y in TIMES)
HOST_EXAMPLE = {**{series: level(SIZES, *HOST_TIMES) for series in SHOWN},
                PUT: level(SIZES, *(1.9 * y for y in HOST_TIMES[:5]), *HOST_TIMES[5:]),
                MPICH: level(SIZES, *(1.3 * y for y in HOST_TIMES))}
TRIPS = {PUT: "put: a round trip of MPI at most, up to 4 KB", GET: "get: a round trip of MPI at most, up to 4 KB"}
LARGE = {PUT: "put: hardly slower than MPI above 4 KB", GET: "get: hardly slower than MPI above 4 KB"}


def slow(series, small, large):
    return {**HOST_EXAMPLE, series: level(SIZES, *(small * y for y in HOST_TIMES[:5]),
                                          *(large * y for y in HOST_TIMES[5:]))}


OVER_HOSTS = Figure(
    id="S1-hosts", title="Latency of put, get, and half a round trip of messages, over two hosts",
    x="bytes to another host", panels=(Panel("us"),), published=PUBLISHED,
    runs=lambda quick: in_turn([(2, size, size) for size in sizes(quick)], OPERATIONS, "put", quick),
    holds={**{TRIPS[series]: times_of_library(series, LIKE, "up to 4 KB", up_to_small)
              for series in (PUT, GET)},
           **{LARGE[series]: times_of_library(series, FLAT, "above 4 KB", above_small)
              for series in (PUT, GET)}},
    not_judged=("the microseconds: the network here is TCP between namespaces, no card reads memory, and a put "
                "or get takes two messages where send/receive counts one",),
    example=HOST_EXAMPLE,
    denials={"a put takes three messages' time": (slow(PUT, 3, 1), TRIPS[PUT]),
             "a get takes three messages' time": (slow(GET, 3, 1), TRIPS[GET]),
             "large puts are twice as slow": (slow(PUT, 1, 2), LARGE[PUT]),
             "large gets are twice as slow": (slow(GET, 1, 2), LARGE[GET]),
             f"only {OPEN_MPI} is fast": ({**HOST_EXAMPLE, OPEN_MPI: level(SIZES, *(y / 3 for y in HOST_TIMES))},
                                         TRIPS[PUT], TRIPS[GET], LARGE[PUT], LARGE[GET])},
    note=f"{OPEN_MPI} and {MPICH} send and receive; all run in turn, three times, and the median counts.",
    derive=medians)

FIGURES = (MODELLED, OVER_HOSTS)
