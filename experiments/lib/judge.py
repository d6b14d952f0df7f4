"""Turns the results of runs into data and a verdict."""

import dataclasses

from lib.runs import Failed, LeftOut


@dataclasses.dataclass
class Gathered:
    data: dict = dataclasses.field(default_factory=dict)
    missing: set = dataclasses.field(default_factory=set)  # series that lack points
    failed: list = dataclasses.field(default_factory=list)  # what went wrong
    left_out: list = dataclasses.field(default_factory=list)  # runs, and why


def in_order(points):
    """Sorts numbers by size, and leaves names as they came."""
    return points if any(isinstance(x, str) for x, _ in points) else sorted(points)


def read(run, result):
    """Returns {series: (x, y)} of one run."""
    try:
        return {series: (x, of(result)) for series, (x, of) in run.points.items()}
    except (LookupError, TypeError, ZeroDivisionError) as reason:
        raise Failed(f"its result has no use: {reason!r}") from None


def gather(figure, results):
    """Gathers the data of the results [(run, result, Failed or LeftOut), ...]."""
    found = Gathered()
    for run, result in results:
        try:
            if isinstance(result, Exception):
                raise result
            for series, point in read(run, result).items():
                found.data.setdefault(series, []).append(point)
        except (Failed, LeftOut) as reason:
            texts = found.failed if isinstance(reason, Failed) else found.left_out
            texts.append(f"{run}: {reason}")
            found.missing |= set(run.points)
    found.data = {series: in_order(points) for series, points in found.data.items()}
    if figure.derive:
        derive(figure, found)
    return found


def derive(figure, found):
    try:
        found.data = figure.derive(found.data)
    except (LookupError, ZeroDivisionError) as reason:
        found.failed.append(f"nothing follows from the runs: {reason!r}")
        found.data = {}


def verdict(figure, data, partial=False, missing=()):
    """Returns [(claim, sentence, True, False or None, the values that decide), ...]. `partial` says
    that only a part of the runs was wanted; `missing` names series that lack points. None says that
    the condition needs the others."""
    return [(claim, condition.sentence, outcome_of(condition, data, partial, missing),
             condition.seen(data))
            for claim, condition in figure.holds.items()]


def outcome_of(condition, data, partial, missing):
    outcome = condition.outcome(data, partial)
    if set(condition.series) & set(missing) and not (condition.every_point and outcome is False):
        return None
    return outcome


def failing(figure, data):
    """Returns the claims that do not hold."""
    return [claim for claim, _, outcome, _ in verdict(figure, data) if not outcome]
