from figures.realm import NODES, node_counts, on_model
from lib.condition import Condition, at, values
from lib.figure import Figure, Panel
from lib.shapes import rises
from lib.short import short
from lib.tolerance import STEP

FANS = (2, 8, 32, 128)
TRACKS, LEVELS = 32, 32  # defaults of the program by Realm's authors
SMALL, LARGE = FANS[0], FANS[-1]
DIPS = f"fan {SMALL}: it dips at 2 nodes, then rises"
LOWER = f"fan {LARGE} is below fan {SMALL} on one node"
RISES = f"fan {LARGE} rises"


def name(fan):
    return f"fan {fan}"


def run(fan, count):
    return on_model(["event-throughput", "--fan", str(fan), "--levels", str(LEVELS), "--tracks",
                     str(TRACKS)], count, {name(fan): (count, "event_rate")})


def dips_at_two(series):
    def judge(data):
        one, two = at(data, series, 1), at(data, series, 2)
        return one >= STEP * two and values(data, series)[-1] >= STEP * two
    return Condition(f"{series} falls from 1 to 2 nodes and is higher at the end", (series,), judge,
                     lambda data: f"{series} " + ", ".join(short(y) for y in values(data, series)))


def lower_on_one_node(lower, higher):
    return Condition(f"{lower} is below {higher} at 1", (lower, higher),
                     lambda data: STEP * at(data, lower, 1) <= at(data, higher, 1),
                     lambda data: f"{short(at(data, lower, 1))} and {short(at(data, higher, 1))} at 1")


def level(*values_of_fan):
    return list(zip(NODES, values_of_fan))


EXAMPLE = {name(2): level(5e6, 1e6, 1.5e6, 2e6, 3e6), name(8): level(2e6, 1e6, 1.2e6, 1.8e6, 2.5e6),
           name(32): level(5e5, 6e5, 9e5, 1.4e6, 2e6), name(128): level(1e5, 1.6e5, 2.8e5, 5e5, 9e5)}

FIGURE = Figure(
    id="R2", title="Throughput of merged events", x="nodes of one PE", panels=(Panel("events/s"),),
    published="small fans dip at 2 nodes and then rise; larger fans are lower, and rise",
    runs=lambda quick: [run(fan, count) for fan in FANS for count in node_counts(quick)],
    holds={DIPS: dips_at_two(name(SMALL)), LOWER: lower_on_one_node(name(LARGE), name(SMALL)),
           RISES: rises(name(LARGE))},
    not_judged=("how high each curve is: printed on a scale without numbers that could be read",),
    example=EXAMPLE,
    denials={"no dip": ({**EXAMPLE, name(2): level(1e6, 1.5e6, 2e6, 3e6, 4e6)}, DIPS),
             "it goes on falling": ({**EXAMPLE, name(2): level(5e6, 4e6, 3e6, 2e6, 1e6)}, DIPS),
             "the larger fan is higher": (
                 {**EXAMPLE, name(128): level(9e6, 1e7, 2e7, 3e7, 4e7)}, LOWER),
             "the larger fan falls": (
                 {**EXAMPLE, name(128): level(9e5, 5e5, 2e5, 1e5, 9e4)}, RISES)})
