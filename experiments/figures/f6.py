from figures.ordered import MIXES, host_counts, model_counts, on_hosts, on_model, sparse_counts
from lib.figure import Figure
from lib.holds import above, equal, last_above, nearer, no_higher, rises

MODES = ("none", "central", "local")
STRUCTURES = ("stack", "queue")


def name(structure, mix, mode):
    return f"{structure}, {mix}, {mode}"


def runs(counts, slow_counts, run):
    """`slow_counts` are of what hardly changes with them: all operations wait for the master."""
    return [run(structure, mix, mode, count, {name(structure, mix, mode): "rate"})
            for structure in STRUCTURES for mix in MIXES for mode in MODES
            for count in (counts if mode == "local" else slow_counts)]


STACK, STACK_MIXED = (name("stack", mix, "local") for mix in MIXES)
QUEUE, QUEUE_MIXED = (name("queue", mix, "local") for mix in MIXES)
CENTRAL, NONE = name("stack", "push only", "central"), name("stack", "push only", "none")
PUBLISHED = ("log scale; none does not scale at all; central little better; local at least 10 times "
             "that and rising; mixed stack higher still; queue as stack where all push; mixed queue "
             "worse than push only")


def like_published(structure):
    """What holds of the three ways to combine, for each mix."""
    found = []
    for mix in MIXES:
        none, central, local = (name(structure, mix, mode) for mode in MODES)
        found += [no_higher(none), above(central, none), nearer(central, none, local),
                  above(local, none, 10), rises(local, by=2)]
    return found


def example(xs):
    level = {"none": [5e5, 4e5, 3e5], "central": [2e6, 2e6, 2e6], "local": [2e8, 8e8, 3e9]}
    factor = {("stack", "mixed"): 2, ("queue", "mixed"): 0.8}
    return {name(structure, mix, mode):
            [(x, y * (factor.get((structure, mix), 1) if mode == "local" else 1))
             for x, y in zip(xs, level[mode])]
            for structure in STRUCTURES for mix in MIXES for mode in MODES}


MODELLED = Figure(
    id="F6", title="Stack and queue over nodes", x="nodes of 16 PEs", y="operations/s",
    published=PUBLISHED,
    runs=lambda quick: runs(model_counts(quick), sparse_counts(quick), on_model),
    holds=[condition for structure in STRUCTURES for condition in like_published(structure)]
    + [above(STACK_MIXED, STACK), equal(QUEUE, STACK, within=1.5),
       last_above(QUEUE, QUEUE_MIXED)],
    why="The pushes and pops of a batch reserve their cells in one step here and move their data "
        "beside each other, so that a mixed queue need not be slower than one that only grows.",
    note="Each of the 2,048 workers of a PE does 16 operations, 2 with central combining and 1 without "
         "any; the last two hardly change with the nodes and are run on every second number of them.",
    example=example((1, 8, 64)),
    sensitive=lambda quick: on_model("stack", "push only", "local", 4, {STACK: "rate"}))

HOSTS = Figure(
    id="F6-hosts", title="Stack and queue over hosts of one PE, on this machine", x="hosts",
    y="operations/s", published=PUBLISHED,
    runs=lambda quick: runs(host_counts(quick), host_counts(quick), on_hosts),
    holds=[no_higher(NONE), above(CENTRAL, NONE), nearer(CENTRAL, NONE, STACK),
           above(STACK, NONE, 10), above(STACK_MIXED, STACK)],
    why="Some 1,000 operations that the master combines share one transfer of their values, and with it "
        "the wait for the network which each operation pays by itself without combining (44 us over 4 "
        "hosts): what is left of an operation, 0.8 us, is nearer to the 0.1 us of local combining.",
    example=example((2, 3, 4)), log_x=False)

FIGURES = (MODELLED, HOSTS)
