"""The claims of F6 by name, and invented data for the tests. One set of data agrees with all claims; each
other set violates one claim."""

from figures.ordered import MIXES

MODES = ("none", "central", "local")
PILES = [(structure, mix) for structure in ("stack", "queue") for mix in MIXES]


def name(pile, mode):
    return ", ".join((*pile, mode))


def claim_of_pile(text):
    return lambda pile: f"{', '.join(pile)}: {text}"


NONE_DOES_NOT = claim_of_pile("no combining does not scale at all")
CENTRAL_LITTLE = claim_of_pile("central is little better")
LOCAL_TEN = claim_of_pile("local is 10 times that at least")
LOCAL_RISES = claim_of_pile("local rises with nodes")
MIXED_HIGHER = "the mixed stack is higher still"
QUEUE_AS_STACK = "where all push the queue is as the stack"
MIXED_WORSE = "the mixed queue is worse than pushes alone"

STACK, STACK_MIXED, QUEUE, QUEUE_MIXED = (name(pile, "local") for pile in PILES)
LEVEL = {"none": (5e5, 4e5, 3e5), "central": (8e5, 7e5, 6e5), "local": (2e8, 2.2e8, 3e9)}
FACTOR = {STACK_MIXED: 2, QUEUE_MIXED: 0.8}  # factor between the rate of a series and the local level


def values(series, mode):
    return [FACTOR.get(series, 1) * y for y in LEVEL[mode]]


def example(xs):
    return {name(pile, mode): list(zip(xs, values(name(pile, mode), mode)))
            for pile in PILES for mode in MODES}


def changed(xs, others):
    """Returns the example data with the values in `others` for some of the series."""
    return {**example(xs), **{series: list(zip(xs, ys)) for series, ys in others.items()}}


def denials_of(xs, pile):
    none, central, _ = (name(pile, mode) for mode in MODES)
    where = ", ".join(pile)
    return {
        f"{where}: no combining rises by a quarter": (
            changed(xs, {none: (4e5, 4.5e5, 5e5)}), NONE_DOES_NOT(pile)),
        f"{where}: central is 28 times none": (
            changed(xs, {central: (14e6, 11e6, 8.4e6)}), CENTRAL_LITTLE(pile)),
        f"{where}: central is as slow as none": (
            changed(xs, {central: LEVEL["none"]}), CENTRAL_LITTLE(pile)),
        f"{where}: local is four times central on few nodes": (
            changed(xs, {central: (5e7,) * 3, none: (3e7,) * 3}), LOCAL_TEN(pile))}


def denials(xs):
    of_piles = [denials_of(xs, pile) for pile in PILES]
    return {what: denial for found in of_piles for what, denial in found.items()} | {
        "the mixed stack ends below the other": (
            changed(xs, {STACK_MIXED: (4e8, 4.4e8, 2.9e9)}), MIXED_HIGHER),
        "the queue ends at twice the stack": (
            changed(xs, {QUEUE: (2e8, 2.2e8, 6e9)}), QUEUE_AS_STACK),
        "the mixed queue is as fast as pushes alone": (
            changed(xs, {QUEUE_MIXED: LEVEL["local"]}), MIXED_WORSE)}


def denials_of_rising(xs):
    """Returns data in which one curve falls from its first point to its second point."""
    found = {}
    for pile in PILES:
        series = name(pile, "local")
        first, _, last = values(series, "local")
        found[f"{series} falls at first"] = (
            changed(xs, {series: (first, 0.95 * first, last)}), LOCAL_RISES(pile))
    return found
