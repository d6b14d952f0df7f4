from figures import f6_invented as invented
from figures.f6_invented import (CENTRAL_LITTLE, LOCAL_RISES, LOCAL_TEN, MIXED_HIGHER, MIXED_WORSE,
                                 MODES, NONE_DOES_NOT, PILES, QUEUE, QUEUE_AS_STACK, QUEUE_MIXED,
                                 STACK, STACK_MIXED, name)
from figures.ordered import host_counts, model_counts, on_hosts, on_model, sparse_counts
from lib.figure import Figure, Panel
from lib.pairs import a_little_above, above, equal, times_above
from lib.shapes import never_rises, rises

PUBLISHED = ("none does not scale at all; central little better; local at least 10 times that, and "
             "rising; mixed stack higher still; queue as stack where all push; mixed queue worse than that")


def runs(counts, slow_counts, run):
    """Returns the runs of all modes. In modes other than `local`, the rate hardly depends on the number of
    nodes, because all operations wait for one master. Runs of modes other than `local` therefore use only the
    numbers of nodes in `slow_counts`."""
    return [run(*pile, mode, count, {name(pile, mode): "rate"})
            for pile in PILES for mode in MODES
            for count in (counts if mode == "local" else slow_counts)]


def claims_of(pile):
    """Returns the claims of the paper about the three modes of combining, for one structure and one mix of
    operations."""
    none, central, local = (name(pile, mode) for mode in MODES)
    return {NONE_DOES_NOT(pile): never_rises(none),
            CENTRAL_LITTLE(pile): a_little_above(central, none),
            LOCAL_TEN(pile): times_above(local, central, 10)}


HOLDS = {claim: condition for pile in PILES for claim, condition in claims_of(pile).items()} | {
    MIXED_HIGHER: above(STACK_MIXED, STACK),
    QUEUE_AS_STACK: equal(QUEUE, STACK),
    MIXED_WORSE: above(QUEUE, QUEUE_MIXED)}
RISING = {LOCAL_RISES(pile): rises(name(pile, "local")) for pile in PILES}
PANELS = tuple(Panel("operations/s", tuple(name(pile, mode) for mode in MODES), title=", ".join(pile))
               for pile in PILES)
NODES, FEW_HOSTS = (1, 4, 64), (2, 3, 4)

MODELLED = Figure(
    id="F6", title="Stack and queue over nodes", x="nodes of 16 PEs", panels=PANELS,
    published=PUBLISHED,
    runs=lambda quick: runs(model_counts(quick), sparse_counts(quick), on_model),
    holds=HOLDS | RISING,
    not_judged=(),
    note="Each of the 2,048 workers of a PE does 16 operations, 2 with central combining and 1 without "
         "any; these two are run on every second number of nodes.",
    example=invented.example(NODES),
    denials=invented.denials(NODES) | invented.denials_of_rising(NODES),
    sensitive=lambda quick: on_model("stack", "push only", "local", 4, {STACK: "rate"}))

HOSTS = Figure(
    id="F6-hosts", title="Stack and queue over hosts of one PE, on this machine", x="hosts",
    panels=PANELS, published=PUBLISHED,
    runs=lambda quick: runs(host_counts(quick), host_counts(quick), on_hosts),
    holds=HOLDS,
    not_judged=("local rises with nodes: the hosts share the cores of this machine",),
    example=invented.example(FEW_HOSTS), denials=invented.denials(FEW_HOSTS), log_x=False)

FIGURES = (MODELLED, HOSTS)
