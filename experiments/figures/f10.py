from figures.ordered import MIXES, host_counts, model_counts, on_hosts, on_model
from lib.figure import Figure
from lib.holds import above, always_at_most, at_least, ends_above

PUSH, MIXED = (f"{mix}: requests combined at the master" for mix in MIXES)
BOTH, LOCAL = (f"push only: operations/s, {mode}" for mode in ("both", "local"))
PUBLISHED = ("requests that the master combines where both levels do: of the order of a thousand for "
             "pushes alone, below 20 on average for a mixed stack; no gain in throughput")


def runs(counts, run):
    found = []
    for count in counts:
        combined = "requests_combined_at_master"
        found += [run("stack", "push only", "both", count, {PUSH: combined, BOTH: "rate"}),
                  run("stack", "mixed", "both", count, {MIXED: combined}),
                  run("stack", "push only", "local", count, {LOCAL: "rate"})]
    return found


def example(xs):
    return {PUSH: list(zip(xs, (10, 90, 700))), MIXED: [(x, 4.0) for x in xs],
            BOTH: [(x, 4e7) for x in xs], LOCAL: [(x, 4e8) for x in xs]}


MODELLED = Figure(
    id="F10", title="Both levels of combining, over nodes", x="nodes of 16 PEs", y="",
    published=PUBLISHED, runs=lambda quick: runs(model_counts(quick), on_model),
    holds=[at_least(PUSH, 500, x=64), ends_above(PUSH, 4), always_at_most(MIXED, 20),
           above(LOCAL, BOTH)],
    why="A PE whose pushes and pops do not cancel out commits the rest at once here, so that nearly "
        "every PE has a small request at the master, mixed or not; fewer than 64 nodes do not bring "
        "it hundreds.",
    example=example((1, 8, 64)))

HOSTS = Figure(
    id="F10-hosts", title="Both levels of combining, over hosts of one PE", x="", y="",
    published=PUBLISHED, runs=lambda quick: runs(host_counts(quick), on_hosts),
    holds=[at_least(PUSH, 1), always_at_most(PUSH, 20), always_at_most(MIXED, 20),
           above(LOCAL, BOTH, 0.67)],
    why="A few hosts bring the master a few requests at a time.",
    example={**example((2, 3, 4)), PUSH: [(x, 2.0) for x in (2, 3, 4)]}, table=True)

FIGURES = (MODELLED, HOSTS)
