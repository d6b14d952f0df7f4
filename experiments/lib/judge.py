"""From the results of runs to data and a verdict."""


def data_of(figure, results):
    """{series: [(x, y), ...]} of [(run, result), ...]."""
    data = {}
    for run, result in results:
        for series, (x, read) in run.points.items():
            data.setdefault(series, []).append((x, read(result)))
    return {series: sorted(points) for series, points in data.items()}


def verdict(figure, data):
    """[(sentence, holds), ...]"""
    return [(condition.sentence, condition(data)) for condition in figure.holds]


def all_hold(figure, data):
    return all(holds for _, holds in verdict(figure, data))
