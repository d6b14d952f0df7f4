"""Conditions on the shape of one curve."""

from lib.condition import Condition, curve, values
from lib.short import ratio, short
from lib.tolerance import FLAT, LIKE, SCALES, STEP


def shape(series, sentence, judge):
    """Returns a condition that holds if `judge` accepts the values of the series."""
    def found(data):
        y = values(data, series)
        return f"{series} {short(y[0])} to {short(y[-1])} ({ratio(y[-1], y[0])})"
    return Condition(f"{series} {sentence}", (series,), lambda data: judge(values(data, series)),
                     found)


def every_step(y, judge):
    return all(judge(earlier, later) for earlier, later in zip(y, y[1:]))


def up(y):
    return every_step(y, lambda earlier, later: later > earlier)


def down(y):
    return every_step(y, lambda earlier, later: later < earlier)


def rises(series):
    return shape(series, f"rises throughout, {FLAT:g} times at least",
                 lambda y: up(y) and y[-1] >= FLAT * y[0])


def falls(series):
    return shape(series, f"falls throughout, {FLAT:g} times at least",
                 lambda y: down(y) and y[0] >= FLAT * y[-1])


def never_rises(series):
    """Returns a condition for a curve that falls or stays flat."""
    return shape(series, f"is nowhere {STEP:g} times above its beginning",
                 lambda y: max(y) <= STEP * y[0])


def flat(series):
    def found(data):
        y = values(data, series)
        return f"{series} {short(min(y))} to {short(max(y))} ({ratio(max(y), min(y))})"
    return Condition(f"{series} stays within a factor of {FLAT:g}", (series,),
                     lambda data: max(values(data, series)) <= FLAT * min(values(data, series)),
                     found, every_point=True)


def nearer_to_proportional(data, series):
    """Returns True if the series grows by more than the square root of the factor by which x grows."""
    (first, low), (last, high) = curve(data, series)[0], curve(data, series)[-1]
    return high >= low * (last / first) ** SCALES


def barely_scales(series):
    usual = shape(series, "", lambda y: True)
    return Condition(f"{series} is nearer to flat than to proportional", (series,),
                     lambda data: not nearer_to_proportional(data, series), usual.found)


def scales(series):
    def judge(data):
        return up(values(data, series)) and nearer_to_proportional(data, series)
    usual = shape(series, "", lambda y: True)
    return Condition(f"{series} rises throughout, and is nearer to proportional than to flat",
                     (series,), judge, usual.found)


def peak_of(data, series):
    return max(curve(data, series), key=lambda point: point[1])


def peak_text(series):
    def found(data):
        (x, top), last = peak_of(data, series), values(data, series)[-1]
        return f"{series} {short(top)} at {x}, {short(last)} at the end"
    return found


def peaks_at(series, x, within=LIKE):
    """Returns a condition: the largest value is near `x`, and the values at both ends are visibly smaller."""
    def judge(data):
        place, top = peak_of(data, series)
        ends = values(data, series)[0], values(data, series)[-1]
        return x / within <= place <= x * within and top >= STEP * max(ends)
    return Condition(f"{series} rises to a peak at {x} (within a factor of {within:g}) and falls "
                     "behind it", (series,), judge, peak_text(series))


def declines_slowly(series):
    """Returns a condition: after its largest value, the series falls throughout, but slowly. On log scales,
    it is nearer to flat than to inversely proportional to x."""
    def judge(data):
        place, top = peak_of(data, series)
        behind = [(x, y) for x, y in curve(data, series) if x >= place]
        if len(behind) < 2:
            return False
        last, low = behind[-1]
        return down([y for _, y in behind]) and low >= top * (place / last) ** SCALES
    return Condition(f"{series} falls behind its peak, nearer to flat than to inversely", (series,),
                     judge, peak_text(series))
