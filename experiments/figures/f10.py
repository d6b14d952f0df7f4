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
    why="Of the 3,000 operations of a mixed batch all but one to eight have met on their PE, but with "
        "those that are left a PE comes to the master after 86 us already, where it would have to stay "
        "away for 1.5 ms if 1,024 of them were to find 20 there in the 30 us of a commit; and as the "
        "master takes nearly a microsecond for each, they queue up at it from 16 nodes on.",
    example=example((1, 8, 64)))

HOSTS = Figure(
    id="F10-hosts", title="Both levels of combining, over hosts of one PE", x="", y="",
    published=PUBLISHED, runs=lambda quick: runs(host_counts(quick), on_hosts),
    holds=[at_least(PUSH, 1), always_at_most(PUSH, 20), always_at_most(MIXED, 20),
           above(LOCAL, BOTH, 0.67)],
    why="A few hosts bring the master a few requests at a time.",
    example={**example((2, 3, 4)), PUSH: [(x, 2.0) for x in (2, 3, 4)]}, table=True)

FIGURES = (MODELLED, HOSTS)
