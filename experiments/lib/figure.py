"""What a file in figures/ describes."""

import dataclasses
import typing

# Runs on the model of a cluster. Computing takes virtual time only, so one trial says it all.
MODEL = ["--transport", "sim", "--sim-model", "grappa2014", "--trials", "1", "--huge-pages", "off"]
PES_A_NODE = 16


def nodes(quick):
    return [1, 2, 4, 8] if quick else [1, 2, 4, 8, 16, 32, 64]


def on_nodes(count):
    """The flags of a run on so many nodes of the model."""
    return ["--pes", str(PES_A_NODE * count), *MODEL]


def metric(name):
    return lambda result: result["metrics"][name]["median"]


@dataclasses.dataclass(frozen=True)
class Run:
    """One command, and the points it gives: {series: (x, how to read y from the JSON result)}."""
    command: list
    points: dict
    with_metrics: bool = False  # the counters stand under "counters" and "averages" then
    hosts: int = 0  # across so many hosts of one PE (tools/hosts.sh); 0: not

    @property
    def modelled(self):
        return "--sim-model" in self.command

    @property
    def pes(self):
        return int(self.command[self.command.index("--pes") + 1]) if not self.hosts else self.hosts


@dataclasses.dataclass(frozen=True)
class Figure:
    id: str
    title: str
    published: str  # in a sentence
    x: str
    y: str
    runs: typing.Callable[[bool], list]  # by whether it is to be quick
    holds: list
    why: str  # one sentence: why it does not hold, where it does not
    note: str = ""  # one sentence on the runs, where it matters which they are
    published_points: dict = dataclasses.field(default_factory=dict)
    example: dict = dataclasses.field(default_factory=dict)  # data of which all holds, for the tests
    table: bool = False  # numbers side by side, not curves
    log_x: bool = True
    log_y: bool = True
    # Repeated with each parameter of the model halved and doubled; none for figures that are measured.
    sensitive: typing.Callable[[bool], Run | None] = lambda quick: None
