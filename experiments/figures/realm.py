"""Runs of events and reservations on the model. A node has one PE, which stands for the processor of a node
in Realm's experiments."""

from lib.figure import MODEL, Run, metric

NODES = [1, 2, 4, 8, 16]
HOSTS = (1, 2, 3, 4)


def node_counts(quick):
    return NODES[:3] if quick else NODES


def host_counts(quick):
    return HOSTS[:2] if quick else HOSTS


def on_model(command, nodes, points):
    """Returns a run on the model. `points` is {series: (x, name of the metric)}."""
    return Run(["bench", *command, "--pes", str(nodes), "--sim-node-size", "1", *MODEL], read(points))


def on_hosts(command, hosts, points):
    """Returns a run over hosts. With one host, the run has one PE and does not use a network."""
    flags = ["bench", *command, "--trials", "3"]
    return Run(flags, read(points), hosts=hosts) if hosts > 1 else Run([*flags, "--pes", "1"],
                                                                       read(points))


def read(points):
    return {series: (x, metric(name)) for series, (x, name) in points.items()}
