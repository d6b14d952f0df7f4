"""Computes the data of a figure from the results of its runs, and judges them."""

import dataclasses

from lib.runs import Failed, LeftOut


@dataclasses.dataclass
class Gathered:
    data: dict = dataclasses.field(default_factory=dict)
    missing: set = dataclasses.field(default_factory=set)  # series without some of their points
    failed: list = dataclasses.field(default_factory=list)  # descriptions of failures
    left_out: list = dataclasses.field(default_factory=list)  # descriptions of runs that were not made, with the reason


def in_order(points):
    """Sorts points by x if x is a number. Points whose x is a name keep their order."""
    return points if any(isinstance(x, str) for x, _ in points) else sorted(points)


def read(run, result):
    """Returns {series: (x, y)} for the result of one run."""
    try:
        return {series: (x, of(result)) for series, (x, of) in run.points.items()}
    except (LookupError, TypeError, ZeroDivisionError) as reason:
        raise Failed(f"its result has no use: {reason!r}") from None


def gather(figure, results):
    """Returns the data of all results. `results` is [(run, result or Failed or LeftOut), ...]."""
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
    """Returns [(claim, sentence, outcome, compared values), ...]. The outcome tells whether the claim holds, or is None
    if the claim needs runs that were not made. `partial` is true if not all runs were requested. `missing` has the
    names of the series that lack points."""
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
