"""What must hold of the data of a figure: conditions that code evaluates.

Data is {series: [(x, y), ...]}, sorted by x. A condition has a sentence and says whether it holds.
"""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Condition:
    sentence: str
    judge: typing.Callable[[dict], bool]

    def __call__(self, data):
        try:
            return bool(self.judge(data))
        except (KeyError, IndexError):  # what is missing proves nothing
            return False


def values(data, series):
    return [y for _, y in data[series]]


def common(data, a, b):
    of_b = dict(data[b])
    return [(y, of_b[x]) for x, y in data[a] if x in of_b]


def rises(series, by=1.1):
    """Each value is above the one before, and the last `by` times the first."""
    def judge(data):
        y = values(data, series)
        steps = all(later > earlier for earlier, later in zip(y, y[1:]))
        return len(y) > 1 and steps and y[-1] >= by * y[0]
    return Condition(f"{series} rises throughout, {by:g} times at least", judge)


def falls(series, by=1.1):
    """Each value is below the one before, and the first `by` times the last."""
    def judge(data):
        y = values(data, series)
        steps = all(later < earlier for earlier, later in zip(y, y[1:]))
        return len(y) > 1 and steps and y[0] >= by * y[-1]
    return Condition(f"{series} falls throughout, {by:g} times at least", judge)


def ends_above(series, by):
    """The last value is `by` times the first, whatever lies between."""
    return Condition(f"{series} ends {by:g} times above its beginning",
                     lambda data: data[series][-1][1] >= by * data[series][0][1])


def flat(series, within):
    """The largest value is at most `within` times the smallest."""
    def judge(data):
        y = values(data, series)
        return len(y) > 1 and max(y) <= within * min(y)
    return Condition(f"{series} is flat, within a factor of {within:g}", judge)


def no_higher(series, by=1.1):
    """It may fall, or stay."""
    return Condition(f"{series} ends no higher than it begins",
                     lambda data: len(data[series]) > 0
                     and data[series][-1][1] <= by * data[series][0][1])


def equal(a, b, within):
    """Wherever both have a value."""
    def judge(data):
        pairs = common(data, a, b)
        return bool(pairs) and all(y / within <= x <= y * within for x, y in pairs)
    return Condition(f"{a} and {b} differ by a factor of {within:g} at most", judge)


def nearer(series, low, high):
    """At the largest x, on a log scale."""
    def judge(data):
        y, below, beyond = (data[name][-1][1] for name in (series, low, high))
        return y * y <= below * beyond
    return Condition(f"{series} is nearer to {low} than to {high}, on a log scale", judge)


def always_at_least(series, bound):
    return Condition(f"{series} is {bound:g} at least everywhere",
                     lambda data: min(values(data, series)) >= bound)


def always_at_most(series, bound):
    return Condition(f"{series} is {bound:g} at most everywhere",
                     lambda data: max(values(data, series)) <= bound)


def above(higher, lower, by=1.0):
    """Wherever both have a value, one is `by` times the other at least."""
    def judge(data):
        pairs = common(data, higher, lower)
        return bool(pairs) and all(a > by * b for a, b in pairs)
    times = "" if by == 1 else f" {by:g} times"
    return Condition(f"{higher} is everywhere{times} above {lower}", judge)


def last_above(higher, lower, by=1.0):
    """At the largest x that both have."""
    def judge(data):
        a, b = common(data, higher, lower)[-1]
        return a > by * b
    return Condition(f"{higher} ends {by:g} times above {lower}", judge)


def peaks_within(series, by=1.05):
    """The largest value is neither the first nor the last, but `by` times both."""
    def judge(data):
        y = values(data, series)
        return max(y) > by * y[0] and max(y) > by * y[-1]
    return Condition(f"{series} rises to a peak and falls behind it", judge)


def at_least(series, bound, x=None):
    """The last value, or that at x."""
    def judge(data):
        return (dict(data[series])[x] if x is not None else data[series][-1][1]) >= bound
    where = "at the end" if x is None else f"at {x}"
    return Condition(f"{series} is {bound:g} at least {where}", judge)


def at_most(series, bound, x=None):
    def judge(data):
        return (dict(data[series])[x] if x is not None else data[series][-1][1]) <= bound
    where = "at the end" if x is None else f"at {x}"
    return Condition(f"{series} is {bound:g} at most {where}", judge)
