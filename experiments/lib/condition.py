"""A condition states what must hold for the data of a figure. The function `judge` of a condition returns
whether the condition holds. The function `found` returns a text with the compared values.

The data of a figure is {series: [(x, y), ...]}, in the order of x. A condition does not hold if a value is
missing or invalid.
"""

import dataclasses
import math
import typing


class Missing(LookupError):
    """Raised if data are missing that a condition needs."""


@dataclasses.dataclass(frozen=True)
class Condition:
    sentence: str
    series: tuple  # the series that the condition compares
    judge: typing.Callable[[dict], bool]
    found: typing.Callable[[dict], str]  # returns the compared values as a text
    every_point: bool = False  # true if every single point must fulfil the condition

    def outcome(self, data, partial=False):
        """Returns whether the condition holds. `partial` is true if not all runs were requested. Returns None if
        `partial` is true and the condition needs a run that was not requested."""
        try:
            return bool(self.judge(data))
        except Missing:
            return None if partial else False
        except ValueError:
            return False

    def seen(self, data):
        try:
            return self.found(data)
        except (Missing, ValueError):
            return ""


def points(data, series):
    """Returns the points of a series. Raises an exception for a series without points, and for a value that
    is not a finite number."""
    found = data.get(series)
    if not found:
        raise Missing(series)
    if not all(isinstance(y, (int, float)) and math.isfinite(y) for _, y in found):
        raise ValueError(series)
    return found


def curve(data, series):
    """Returns the points of a series. Raises an exception for a series of fewer than two points, because one
    point has no shape."""
    found = points(data, series)
    if len(found) < 2:
        raise Missing(series)
    return found


def values(data, series):
    return [y for _, y in curve(data, series)]


def at(data, series, x):
    for place, y in points(data, series):
        if place == x:
            return y
    raise Missing(f"{series} at {x}")


def pairs(data, a, b):
    """Returns [(x, y of a, y of b), ...] for each x at which both series have a value."""
    of_b = dict(map(tuple, points(data, b)))
    found = [(x, y, of_b[x]) for x, y in points(data, a) if x in of_b]
    if not found:
        raise Missing(f"{a} beside {b}")
    return found
