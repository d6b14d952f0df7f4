"""Compares methods of computing dense and sparse histograms: the five methods of Realm's paper, and a method
of Atoll that chooses between two of them."""

from figures.realm import HOSTS, NODES, host_counts, node_counts, on_hosts, read
from lib.bounds import at_least
from lib.condition import Condition, at, curve
from lib.figure import MODEL, Figure, Panel, Run
from lib.pairs import above, beside
from lib.shapes import barely_scales, scales
from lib.short import short
from lib.tolerance import HALF_A_DECADE

PES_OF_NODE = 8
LAST = NODES[-1]
SINGLE, MESSAGES, LOCALIZED = "single reads and writes", "active messages", "localized instance"
NODE_FOLD, FOLD, LIST = "fold instance a node", "fold instance a PE", "list instance"
CHOSEN = "automatic"
BETTER = "the better instance"
PANELS = (Panel("reductions/s", (NODE_FOLD, FOLD, LIST, CHOSEN, BETTER), title="by instances"),
          Panel("reductions/s", (SINGLE, MESSAGES, LOCALIZED), title="singly, and under a lock"))
METHODS = {SINGLE: "single", MESSAGES: "messages", LOCALIZED: "localized", NODE_FOLD: "node_fold",
           FOLD: "fold", LIST: "list", CHOSEN: "automatic"}
SINGLE_REDUCTIONS = "1024"  # per task; the rate is the same with more, but the run would take minutes


def command(shape, name):
    few = ["--reductions", SINGLE_REDUCTIONS] if name == SINGLE else []
    return ["reductions", "--shape", shape, "--method", METHODS[name], *few]


def on_model(shape, name, nodes):
    flags = ["--pes", str(PES_OF_NODE * nodes), "--sim-node-size", str(PES_OF_NODE), *MODEL]
    return Run(["bench", *command(shape, name), *flags], read({name: (nodes, "rate")}))


def over_nodes(shape, quick):
    return [on_model(shape, name, nodes) for name in METHODS for nodes in node_counts(quick)]


def over_hosts(shape, quick):
    return [on_hosts(command(shape, name), hosts, {name: (hosts, "rate")})
            for name in METHODS if name != NODE_FOLD for hosts in host_counts(quick)]


def about_ten_below(lower, higher, x):
    """Returns a condition: at `x`, `higher` is about ten times `lower`, which means between 3.2 and 32 times (half a
    decade on each side)."""
    def judge(data):
        part = at(data, higher, x) / at(data, lower, x)
        return 10 / HALF_A_DECADE <= part <= 10 * HALF_A_DECADE
    return Condition(f"{lower} is about ten times below {higher} at {x}", (lower, higher), judge,
                     lambda data: f"{short(at(data, lower, x))} and {short(at(data, higher, x))}")


def passes_at(riser, other, x):
    """Returns a condition: `riser` is not above `other` before `x`, and is above it from `x` on."""
    def judge(data):
        there = dict(curve(data, other))
        both = [(place, y, there[place]) for place, y in curve(data, riser) if place in there]
        before = [y <= z for place, y, z in both if place < x]
        behind = [y > z for place, y, z in both if place >= x]
        return bool(before) and bool(behind) and all(before) and all(behind)
    return Condition(f"{riser} passes {other} at {x}", (riser, other), judge,
                     lambda data: f"{short(at(data, riser, x))} and {short(at(data, other, x))} at {x}")


def best_at(best, others):
    """Returns a condition: `best` is above all other series at every x."""
    conditions = [above(best, other) for other in others]
    return Condition(f"{best} is above the others everywhere", (best, *others),
                     lambda data: all(each.judge(data) for each in conditions),
                     lambda data: "; ".join(each.found(data) for each in conditions))


def level(xs, *ys):
    return list(zip(xs, ys))


FASTEST = "a fold instance is best"
OVER_A_BILLION = "a fold instance: over 10^9/s on 16 nodes"
TEN_BELOW = "a list is about ten times below"
LIST_SCALES = "a list scales"
LOCKED = "what takes a lock is bottlenecked"
PASSES = "a list passes a fold instance at 16 nodes"
CHOOSES = "what chooses is nowhere a tenth below the better of the two instances (not published)"

OTHERS = (SINGLE, MESSAGES, LOCALIZED, LIST)


def bottlenecked(*names):
    conditions = [barely_scales(name) for name in names]
    return Condition(f"{', '.join(names)} are nearer to flat than to proportional", names,
                     lambda data: all(each.judge(data) for each in conditions),
                     lambda data: "; ".join(each.found(data) for each in conditions))


def chooses_well(data):
    """Adds a series: at each number of nodes, the rate of the faster of the two instances."""
    best = {}
    for name in (FOLD, LIST):
        for x, y in data.get(name, ()):
            best[x] = max(y, best.get(x, 0))
    return {**data, BETTER: sorted(best.items())}


CHOICE = beside(CHOSEN, BETTER, "is nowhere a tenth below the better instance",
                lambda a, b: a >= 0.9 * b)


def example(**series):
    return chooses_well(series)


DENSE = {SINGLE: level(NODES, 1e6, 1e5, 1e5, 1e5, 1e5), MESSAGES: level(NODES, 1e8, 9e7, 9e7, 9e7, 9e7),
         LOCALIZED: level(NODES, 5e8, 4e8, 4e8, 4e8, 4e8), NODE_FOLD: level(NODES, 5e8, 1e9, 1e9, 2e9, 3e9),
         FOLD: level(NODES, 6e8, 1e9, 2e9, 4e9, 8e9), LIST: level(NODES, 7e7, 1e8, 2e8, 4e8, 8e8),
         CHOSEN: level(NODES, 6e8, 1e9, 2e9, 4e9, 8e9)}
SPARSE = {**DENSE, FOLD: level(NODES, 2e7, 2e7, 3e7, 4e7, 5e7), LIST: level(NODES, 1e7, 1.5e7, 2.5e7, 3.5e7, 9e7),
          NODE_FOLD: level(NODES, 2e7, 2e7, 3e7, 4e7, 5e7), MESSAGES: level(NODES, 5e6, 5e6, 5e6, 5e6, 5e6),
          LOCALIZED: level(NODES, 5e6, 4e6, 4e6, 3e6, 3e6), CHOSEN: level(NODES, 2e7, 2e7, 3e7, 4e7, 9e7)}
DENSE_EXAMPLE, SPARSE_EXAMPLE = chooses_well(DENSE), chooses_well(SPARSE)


def changed(example_data, **series):
    return chooses_well({**example_data, **series})


R5 = Figure(
    id="R5", title="Dense reductions: 256 Ki buckets, 4 Mi reductions a task", x="nodes of eight PEs",
    panels=PANELS,
    published="a fold instance is best, over 10^9/s on 16 nodes; a list about ten times below, scaling; others "
              "bottlenecked",
    runs=lambda quick: over_nodes("dense", quick), derive=chooses_well,
    holds={FASTEST: best_at(FOLD, OTHERS), OVER_A_BILLION: at_least(FOLD, 1e9, LAST),
           TEN_BELOW: about_ten_below(LIST, FOLD, LAST), LIST_SCALES: scales(LIST),
           LOCKED: bottlenecked(SINGLE, LOCALIZED), CHOOSES: CHOICE},
    not_judged=("that active messages are bottlenecked: Realm's are sent one by one, these are aggregated",),
    example=DENSE_EXAMPLE,
    denials={"a list is best": (changed(DENSE_EXAMPLE, **{LIST: level(NODES, 7e8, 2e9, 4e9, 8e9, 9e9)}), FASTEST,
                                TEN_BELOW, CHOOSES),
             "messages are best": (
                 changed(DENSE_EXAMPLE, **{MESSAGES: level(NODES, 7e8, 2e9, 4e9, 8e9, 9e9)}), FASTEST),
             "half a billion": (changed(DENSE_EXAMPLE, **{FOLD: level(NODES, 6e8, 6e8, 6e8, 7e8, 9e8)}),
                                OVER_A_BILLION, TEN_BELOW),
             "a list is half as fast": (changed(DENSE_EXAMPLE, **{LIST: level(NODES, 5e8, 8e8, 1e9, 2e9, 4e9)}),
                                        TEN_BELOW),
             "a list is flat": (changed(DENSE_EXAMPLE, **{LIST: level(NODES, 5e8, 5e8, 5e8, 5e8, 5e8)}), LIST_SCALES),
             "a localized instance scales": (
                 changed(DENSE_EXAMPLE, **{LOCALIZED: level(NODES, 1e8, 2e8, 4e8, 8e8, 1.6e9)}), LOCKED),
             "it takes the list": (changed(DENSE_EXAMPLE, **{CHOSEN: DENSE[LIST]}), CHOOSES)})

R6 = Figure(
    id="R6", title="Sparse reductions: 4 Mi buckets, 64 Ki reductions a task", x="nodes of eight PEs each",
    panels=PANELS,
    published="as dense ones, but a list passes a fold instance at 16 nodes",
    runs=lambda quick: over_nodes("sparse", quick), derive=chooses_well,
    holds={PASSES: passes_at(LIST, NODE_FOLD, LAST), LIST_SCALES: scales(LIST),
           LOCKED: bottlenecked(SINGLE, LOCALIZED), CHOOSES: CHOICE},
    not_judged=("the other curves: no values were published",),
    example=SPARSE_EXAMPLE,
    denials={"a list is above from the first node": (
                 changed(SPARSE_EXAMPLE, **{LIST: level(NODES, 2.1e7, 2.2e7, 3.1e7, 4.1e7, 9e7)}), PASSES),
             "a list stays below": (
                 changed(SPARSE_EXAMPLE, **{LIST: level(NODES, 1e7, 1.5e7, 2e7, 3e7, 4e7)}), PASSES),
             "a list is flat": (changed(SPARSE_EXAMPLE, **{LIST: level(NODES, 1e7, 1e7, 1e7, 1e7, 1e7)}), LIST_SCALES,
                 PASSES),
             "a localized instance scales": (
                 changed(SPARSE_EXAMPLE, **{LOCALIZED: level(NODES, 1e6, 2e6, 4e6, 8e6, 1.6e7)}), LOCKED),
             "it takes the slower one": (changed(SPARSE_EXAMPLE, **{CHOSEN: SPARSE[MESSAGES]}), CHOOSES)})

ABOVE_LIST = "a fold instance is above a list"
ABOVE_LOCALIZED = "a fold instance is above one under a lock"
HOST_PANELS = (Panel("reductions/s", (FOLD, LIST, CHOSEN), title="by instances"), PANELS[1])
HOST_DENSE = {name: level(HOSTS, *(y for _, y in points[:4])) for name, points in DENSE.items()
              if name != NODE_FOLD}
R5_HOSTS = Figure(
    id="R5-hosts", title="Dense reductions over hosts", x="hosts of one PE",
    panels=HOST_PANELS, published=R5.published,
    runs=lambda quick: over_hosts("dense", quick),
    holds={ABOVE_LIST: above(FOLD, LIST), ABOVE_LOCALIZED: above(FOLD, LOCALIZED)},
    not_judged=("how they scale: the hosts are namespaces of one machine, whose cores they share",),
    example=HOST_DENSE,
    denials={"a list is above": ({**HOST_DENSE, LIST: level(HOSTS, 7e8, 2e9, 4e9, 8e9)}, ABOVE_LIST),
             "what takes a lock is above": (
                 {**HOST_DENSE, LOCALIZED: level(HOSTS, 7e8, 2e9, 4e9, 8e9)}, ABOVE_LOCALIZED)},
    log_x=False)

ABOVE_FOLD = "a list is above a fold instance"
LIST_ABOVE_LOCALIZED = "a list is above what takes a lock"
HOST_SPARSE = {**HOST_DENSE, LIST: level(HOSTS, 1e8, 9e7, 8e7, 7e7), FOLD: level(HOSTS, 2e7, 2e7, 1e7, 1e7),
               LOCALIZED: level(HOSTS, 1e7, 5e6, 4e6, 3e6)}
R6_HOSTS = Figure(
    id="R6-hosts", title="Sparse reductions over hosts", x="hosts of one PE each",
    panels=HOST_PANELS, published=R6.published,
    runs=lambda quick: over_hosts("sparse", quick),
    holds={ABOVE_FOLD: above(LIST, FOLD), LIST_ABOVE_LOCALIZED: above(LIST, LOCALIZED)},
    not_judged=("where a list passes a fold instance: the published place is 16 nodes",),
    example=HOST_SPARSE,
    denials={"a fold instance is above": ({**HOST_SPARSE, FOLD: level(HOSTS, 2e8, 2e8, 1e8, 1e8)}, ABOVE_FOLD),
             "what takes a lock is above": (
                 {**HOST_SPARSE, LOCALIZED: level(HOSTS, 2e8, 2e8, 1e8, 1e8)}, LIST_ABOVE_LOCALIZED)},
    log_x=False)

FIGURES = (R5, R6, R5_HOSTS, R6_HOSTS)
