"""A condition says what must hold of the data of a figure. Its code decides, and names the values
it looked at.

Data is {series: [(x, y), ...]}, in the order of x. A value that is missing or no number proves nothing.
"""

import dataclasses
import math
import typing


class Missing(LookupError):
    """The data lack what a condition needs."""


@dataclasses.dataclass(frozen=True)
class Condition:
    sentence: str
    series: tuple  # what it looks at
    judge: typing.Callable[[dict], bool]
    found: typing.Callable[[dict], str]  # the values that decide
    every_point: bool = False  # asks the same of each, so that no others can mend one that denies it

    def outcome(self, data, partial=False):
        """Returns True or False. Returns None if only a part of the runs was wanted and the
        condition needs the rest."""
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
    """Returns the points of the series: at least one, and all of them numbers."""
    found = data.get(series)
    if not found:
        raise Missing(series)
    if not all(isinstance(y, (int, float)) and math.isfinite(y) for _, y in found):
        raise ValueError(series)
    return found


def curve(data, series):
    """Returns the points of the series: at least two, because one point has no shape."""
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
    """Returns [(x, y of a, y of b), ...] wherever both have a value."""
    of_b = dict(map(tuple, points(data, b)))
    found = [(x, y, of_b[x]) for x, y in points(data, a) if x in of_b]
    if not found:
        raise Missing(f"{a} beside {b}")
    return found
