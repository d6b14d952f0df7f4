from figures.realm import HOSTS, NODES, host_counts, node_counts, on_hosts, on_model
from lib.condition import Condition, values
from lib.figure import Figure, Panel
from lib.shapes import falls
from lib.short import short
from lib.tolerance import STEP

LOCKS = (1, 16, 1024)  # per node
CHAINS, LENGTH = 256, 1024
CHAINS_OF_NODE = (1, 4, 16, 64, 256)
MOST_NODES = 16
FEW = LOCKS[0]


def name(locks, unfairness="inf"):
    fair = "" if unfairness == "inf" else f", --unfairness {unfairness}"
    return f"{locks} a node{fair}"


FAIR = name(FEW, 16)


def chains(locks, unfairness, total):
    return ["reservations", "--per-pe", str(locks), "--unfairness", unfairness, "--chains",
            str(total), "--length", str(LENGTH)]


def over_nodes(counts, run):
    kinds = [*((locks, "inf") for locks in LOCKS), (FEW, "16")]
    return [run(chains(locks, fair, CHAINS), count, {name(locks, fair): (count, "rate_of_grants")})
            for locks, fair in kinds for count in counts]


def over_chains(quick):
    counts = CHAINS_OF_NODE[:3] if quick else CHAINS_OF_NODE
    return [on_model(chains(locks, "inf", MOST_NODES * count), MOST_NODES,
                     {name(locks): (count, "rate_of_grants")})
            for locks in LOCKS for count in counts]


def is_u_shaped(series):
    """Returns a condition: the smallest value of the curve is not at an end, and is visibly below the values
    at both ends."""
    def judge(data):
        first, *between, last = values(data, series)
        return bool(between) and STEP * min(between) <= min(first, last)
    return Condition(f"{series} falls, and rises again", (series,), judge,
                     lambda data: f"{series} " + ", ".join(short(y) for y in values(data, series)))


def level(xs, *ys):
    return list(zip(xs, ys))


RISES_AGAIN = f"{name(FEW)}: high on few nodes, falls, and rises when contention is gone"
UNFAIR = f"{name(FEW)}: to be fair costs what unfairness gains on few nodes"
EXAMPLE = {name(1): level(NODES, 9e6, 5e6, 1e6, 1.5e6, 3e6), name(16): level(NODES, 8e6, 3e6, 2e6, 3e6, 5e6),
           name(1024): level(NODES, 4e6, 3e6, 3e6, 4e6, 6e6), FAIR: level(NODES, 9e6, 8e5, 9e5, 1e6, 2e6)}


def fairness_costs(fair, unfair):
    def judge(data):
        return values(data, unfair)[1] >= STEP * values(data, fair)[1]
    return Condition(f"{unfair} is above {fair} on two nodes", (fair, unfair), judge,
                     lambda data: f"{short(values(data, fair)[1])} and {short(values(data, unfair)[1])}")


OVER_NODES = Figure(
    id="R3", title="Reservations granted, 256 chains in all", x="nodes of one PE",
    panels=(Panel("grants/s"),),
    published="with few reservations a node: high on few nodes by unfairness, falls with the ratio of "
              "grants to migrations, rises when contention is gone",
    runs=lambda quick: over_nodes(node_counts(quick), on_model),
    holds={RISES_AGAIN: is_u_shaped(name(FEW)), UNFAIR: fairness_costs(FAIR, name(FEW))},
    not_judged=("the ratio of grants to migrations: bench reservations says it, no curve was published",),
    example=EXAMPLE,
    denials={"it only falls": (
                 {**EXAMPLE, name(1): level(NODES, 9e6, 5e6, 3e6, 2e6, 1e6)}, RISES_AGAIN),
             "it only rises": (
                 {**EXAMPLE, name(1): level(NODES, 1e6, 2e6, 3e6, 4e6, 5e6)}, RISES_AGAIN),
             "fairness costs nothing": ({**EXAMPLE, FAIR: EXAMPLE[name(1)]}, UNFAIR)})

FALLS = f"{name(FEW)}: falls from one host on"
HOST_EXAMPLE = {series: level(HOSTS, 9e6, 2e6, 1e6, 5e5) for series in EXAMPLE}
OVER_HOSTS = Figure(
    id="R3-hosts", title="Reservations granted over hosts, 256 chains in all", x="hosts of one PE",
    panels=(Panel("grants/s"),), published=OVER_NODES.published,
    runs=lambda quick: over_nodes(host_counts(quick), on_hosts),
    holds={FALLS: falls(name(FEW))},
    not_judged=("that it rises again: four hosts do not end the contention of 256 chains",),
    example=HOST_EXAMPLE,
    denials={"it rises": ({**HOST_EXAMPLE, name(1): level(HOSTS, 1e6, 2e6, 3e6, 4e6)}, FALLS),
             "it rises again": ({**HOST_EXAMPLE, name(1): level(HOSTS, 9e6, 1e6, 2e6, 3e6)}, FALLS)},
    log_x=False)

GAINS = f"{name(FEW)}: falls with contention, and rises again where chains exceed the reservations"
CHAIN_EXAMPLE = {name(1): level(CHAINS_OF_NODE, 3e6, 1e6, 1.5e6, 3e6, 6e6),
                 name(16): level(CHAINS_OF_NODE, 3e6, 6e6, 9e6, 8e6, 1e7),
                 name(1024): level(CHAINS_OF_NODE, 3e6, 9e6, 2e7, 3e7, 4e7)}
OVER_CHAINS = Figure(
    id="R4", title=f"Reservations granted on {MOST_NODES} nodes", x="chains a node",
    panels=(Panel("grants/s"),),
    published="falls with contention, and rises again from where the chains of a node exceed all "
              "reservations",
    runs=over_chains, holds={GAINS: is_u_shaped(name(FEW))},
    not_judged=("where each curve turns: the runs have every fourth number of chains",),
    example=CHAIN_EXAMPLE,
    denials={"it only rises": (
        {**CHAIN_EXAMPLE, name(1): level(CHAINS_OF_NODE, 1e6, 2e6, 3e6, 4e6, 5e6)}, GAINS),
        "it only falls": (
            {**CHAIN_EXAMPLE, name(1): level(CHAINS_OF_NODE, 5e6, 4e6, 3e6, 2e6, 1e6)}, GAINS)})

FIGURES = (OVER_NODES, OVER_HOSTS, OVER_CHAINS)
