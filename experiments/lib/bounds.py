"""Conditions that compare measured values with published numbers."""

from lib.condition import Condition, Missing, at, points
from lib.short import plain, short
from lib.tolerance import HALF_A_DECADE, LIKE


def value_at(series, x, sentence, judge):
    return Condition(f"{series} {sentence} at {plain(x)}", (series,),
                     lambda data: judge(at(data, series, x)),
                     lambda data: f"{series} {short(at(data, series, x))} at {plain(x)}")


def at_least(series, bound, x):
    return value_at(series, x, f"is {plain(bound)} at least", lambda y: y >= bound)


def at_most(series, bound, x):
    return value_at(series, x, f"is {plain(bound)} at most", lambda y: y <= bound)


def like(series, number, x, within=LIKE):
    """Returns a condition: at `x`, `series` is at most `within` times `number`, and at least `number` /
    `within`."""
    return value_at(series, x, f"is {plain(number)} within a factor of {within:.2g}",
                    lambda y: number / within <= y <= number * within)


def order_of(series, number, x):
    """Returns a condition: at `x`, `series` differs from `number` by at most half a decade (a factor of about
    3)."""
    return like(series, number, x, within=HALF_A_DECADE)


def all_of(series, sentence, judge, keep=lambda x: True):
    """Returns a condition that holds if `judge` accepts every point for which `keep(x)` is true. `keep(x)` must be true
    for at least one point."""
    def kept(data):
        found = [y for x, y in points(data, series) if keep(x)]
        if not found:
            raise Missing(series)
        return found

    def found(data):
        low, high = min(kept(data)), max(kept(data))
        return f"{series} {short(low)}" + (f" to {short(high)}" if high != low else "")
    return Condition(f"{series} is {sentence}", (series,),
                     lambda data: all(map(judge, kept(data))), found, every_point=True)


def everywhere_above(series, bound):
    return all_of(series, f"above {plain(bound)} everywhere", lambda y: y > bound)


def everywhere_below(series, bound):
    return all_of(series, f"below {plain(bound)} everywhere", lambda y: y < bound)


def at_most_beyond(series, bound, x):
    return all_of(series, f"{plain(bound)} at most beyond {x}", lambda y: y <= bound,
                  keep=lambda place: place > x)
