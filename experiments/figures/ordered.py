"""Runs of the global stack and the global queue, which the figures of flat combining use."""

from lib.figure import Run, metric, nodes, on_nodes

WORKERS = 2048  # on each PE
MIXES = {"push only": "1.0", "mixed": "0.5"}
# Number of operations per worker. The number is small, so that a run takes at most a few minutes. In the mode
# none, operations are executed one after another. An operation of a worker thus waits for the operations of
# millions of other workers.
OPERATIONS = {"none": 1, "central": 2, "local": 16, "both": 16}
HOSTS = (2, 3, 4)
HOST_OPERATIONS = {"none": 30_000, "central": 200_000, "local": 2_000_000, "both": 2_000_000}


def command(structure, mix, mode):
    return ["bench", structure, "--mix", MIXES[mix], "--combining", mode, "--workers",
            str(WORKERS), "--alone"]


def on_model(structure, mix, mode, count, points):
    """Returns a run on the model. `points` is {series: name of the metric}."""
    operations = WORKERS * 16 * count * OPERATIONS[mode]
    return Run([*command(structure, mix, mode), "--operations", str(operations),
                *on_nodes(count)], found(points, count))


def on_hosts(structure, mix, mode, count, points):
    return Run([*command(structure, mix, mode), "--operations", str(HOST_OPERATIONS[mode]),
                "--trials", "3"], found(points, count), hosts=count)


def found(points, x):
    return {series: (x, metric(name)) for series, name in points.items()}


def model_counts(quick):
    return nodes(quick)


def sparse_counts(quick):
    """Returns every second number of nodes, for slow runs whose rates hardly depend on the number of
    nodes."""
    return nodes(quick)[::2]


def host_counts(quick):
    return HOSTS[:1] if quick else HOSTS
