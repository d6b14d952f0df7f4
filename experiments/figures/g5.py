from figures import g5_counters
from figures.g5_counters import (ACTIVE, BUFFER, BYTES, MESSAGES, NETWORK, PEAK, READY, STEALS,
                                 SWITCHES)
from lib.bounds import at_least, at_most, like
from lib.figure import Figure, Panel

# The largest number of active tasks is counted over a whole job. In a job with BFS, the largest number may
# occur while the graph is built.
PUBLISHED = {MESSAGES: {"GUPS": 984e3, "BFS": 983e3}, BYTES: {"GUPS": 31.8, "BFS": 33.9},
             NETWORK: {"GUPS": 478e6, "BFS": 511e6}, BUFFER: {"GUPS": 23.2e3, "BFS": 4.3e3},
             ACTIVE: {"GUPS": 0.9, "BFS": 58.2}, PEAK: {"GUPS": 1},
             READY: {"GUPS": 2.3, "BFS": 6.1}, SWITCHES: {"GUPS": 34.2e3, "BFS": 539e3},
             STEALS: {"GUPS": 0, "BFS": 0}}


def judged(quantity, kernel, number):
    """Returns the condition for a quantity. The rate of messages must reach the published rate, and the number of
    steals must not exceed the published 0. Every other quantity only describes the run, and must be similar to the
    published value."""
    if quantity == STEALS:
        return at_most(quantity, number, kernel)
    return (at_least if quantity == MESSAGES else like)(quantity, number, kernel)


def claim(quantity, kernel):
    return f"{kernel}: {quantity}"


def denial(quantity, kernel):
    """Returns example data that violate one claim. Either the rate of messages is a third of the published
    rate, or there are five steals, or another quantity is three times as large as published."""
    factor = 1 / 3 if quantity == MESSAGES else 3
    data = {**EXAMPLE, quantity: [(x, (5 if quantity == STEALS else factor * y) if x == kernel else y)
                                  for x, y in EXAMPLE[quantity]]}
    return data, claim(quantity, kernel)


EXAMPLE = {quantity: list(numbers.items()) for quantity, numbers in PUBLISHED.items()}
EVERY = [(quantity, kernel) for quantity, numbers in PUBLISHED.items() for kernel in numbers]

FIGURE = Figure(
    id="G5", title="What the runtime counts", x="kernel",
    panels=tuple(Panel(quantity, (quantity,)) for quantity in PUBLISHED),
    published="GUPS and BFS: application messages 984 and 983 K/s a core, of 31.8 and 33.9 B; network "
              "478 and 511 MB/s a node in messages of 23.2 and 4.3 KB; 0.9 and 58.2 active tasks (most: "
              "1 and 128), 2.3 and 6.1 ready; 34.2 and 539 K context switches/s; no steals",
    runs=g5_counters.runs, derive=g5_counters.derive,
    holds={claim(quantity, kernel): judged(quantity, kernel, PUBLISHED[quantity][kernel])
           for quantity, kernel in EVERY},
    not_judged=("128 active tasks at most in BFS: the most that are counted here are those of the whole "
                "job, the making of the graph included",
                "the columns of IntSort and PageRank: empty in the paper; what is shown was measured here"),
    note="What is shown is the difference of two runs, of which one updates or searches more: what "
         "both do before and after, such as making the graph, is not in it. IntSort and PageRank, by a "
         "delegate for each key and each arc, run on half of the nodes.",
    published_points=EXAMPLE,
    example=EXAMPLE,
    denials={f"{claim(quantity, kernel)} far off": denial(quantity, kernel)
             for quantity, kernel in EVERY},
    bars=True)
