"""Conditions that compare two curves at every x that both curves have."""

from lib.condition import Condition, pairs
from lib.short import plain, ratio, short
from lib.tolerance import FLAT, HALF_A_DECADE, STEP


def beside(a, b, sentence, judge):
    """Returns a condition that holds if `judge` accepts each pair of values."""
    def found(data):
        low, high = (choose(pairs(data, a, b), key=lambda p: p[1] / p[2] if p[2] else 0)
                     for choose in (min, max))
        span = {ratio(low[1], low[2]): None, ratio(high[1], high[2]): None}
        return f"{a} over {b}: {' to '.join(span)}"
    return Condition(f"{a} {sentence}", (a, b),
                     lambda data: all(judge(x, y) for _, x, y in pairs(data, a, b)), found,
                     every_point=True)


def above(higher, lower):
    return beside(higher, lower, f"is everywhere above {lower}", lambda a, b: a > b)


def times_above(higher, lower, by):
    return beside(higher, lower, f"is everywhere {by:g} times {lower} at least",
                  lambda a, b: a >= by * b)


def a_little_above(higher, lower):
    return beside(higher, lower,
                  f"is everywhere above {lower}, by less than half a decade",
                  lambda a, b: b < a < HALF_A_DECADE * b)


def equal(a, b, within=FLAT):
    return beside(a, b, f"and {b} are the same within a factor of {within:g}",
                  lambda x, y: y / within <= x <= y * within)


def no_gain(new, old):
    return beside(new, old, f"is nowhere {STEP:g} times above {old}", lambda a, b: a <= STEP * b)


def ends_above(higher, lower):
    """Returns a condition: `higher` is above `lower` at the largest x that both have."""
    def found(data):
        x, a, b = pairs(data, higher, lower)[-1]
        return f"{higher} {short(a)}, {lower} {short(b)} at {plain(x)}"

    def judge(data):
        _, a, b = pairs(data, higher, lower)[-1]
        return a > b
    return Condition(f"{higher} ends above {lower}", (higher, lower), judge, found)
