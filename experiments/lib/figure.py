"""A file in figures/ describes a figure by these types."""

import dataclasses
import typing

# Flags of runs on the model of a cluster. The prices are the same wherever the figures are drawn.
# Computing takes virtual time only, so one trial is enough.
PRICES = "prices.json"
MODEL = ["--transport", "sim", "--sim-model", "grappa2014", "--sim-prices", PRICES, "--trials", "1",
         "--huge-pages", "off"]
# A small table in a run stands for one that fits into no cache.
LARGE_TABLE = ["--sim-vary", "second_level=0,third_level=0"]
# This word stands for the file of prices of the machine at hand, which MEASURE_PRICES returns.
PRICES_OF_MACHINE = "PRICES_OF_THIS_MACHINE"
PES_A_NODE = 16
# The program that has the papers' variants and the prices takes flags as atoll does.
PAPERS = "atoll-papers"


def nodes(quick):
    return [1, 2, 4, 8] if quick else [1, 2, 4, 8, 16, 32, 64]


def on_nodes(count):
    """Returns the flags of a run on `count` nodes of the model."""
    return ["--pes", str(PES_A_NODE * count), *MODEL]


def metric(name):
    return lambda result: result["metrics"][name]["median"]


@dataclasses.dataclass(frozen=True)
class Run:
    """A command, and the points it gives: {series: (x, how to read y from the JSON result)}."""
    command: list
    points: dict
    with_metrics: bool = False  # the counters stand under "counters" and "averages" then
    hosts: int = 0  # across so many hosts of one PE (tools/hosts.sh); 0: not
    program: str = ""  # that is run in place of atoll, beside which it stands; with a slash: of the source tree
    mpi: str = "openmpi"  # whose mpirun starts it across hosts
    turn: int = 0  # of several runs of the same, between which others are made

    def __str__(self):
        where = f"{self.hosts} hosts: " if self.hosts else ""
        return f"{where}{self.program or 'atoll'} {' '.join(self.command)}"

    @property
    def of_source_tree(self):
        return "/" in self.program

    @property
    def of_other_program(self):
        """Returns whether the run is of another program, which has flags of its own."""
        return self.program not in ("", PAPERS)

    @property
    def modelled(self):
        return "--sim-model" in self.command

    @property
    def pes(self):
        if self.of_source_tree:
            return 1
        if self.hosts:
            return self.hosts
        flag = "--processes" if self.of_other_program else "--pes"
        return int(self.command[self.command.index(flag) + 1]) if flag in self.command else 1


MEASURE_PRICES = Run(["model", "--pes", "2"], {}, program=PAPERS)


@dataclasses.dataclass(frozen=True)
class Panel:
    """A picture of its own within that of the figure, with one unit."""
    unit: str  # what its axis says
    series: tuple = ()  # none: all there are
    title: str = ""
    log: bool = True


@dataclasses.dataclass(frozen=True)
class Figure:
    id: str
    title: str
    published: str  # in a sentence
    x: str  # what the axis says
    panels: tuple
    runs: typing.Callable[[bool], list]  # by whether it is to be quick
    holds: dict  # {published claim: Condition}
    not_judged: tuple  # published claims that no condition tests, each with the reason
    example: dict  # data that look as published, of which all holds
    # {what is wrong: (data, the claim that they deny, claims that cannot hold without it)}, for the
    # tests
    denials: dict
    why: str = ""  # what was measured that explains why it does not hold; none where nothing was
    note: str = ""  # one sentence on the runs, where it matters which they are
    published_points: dict = dataclasses.field(default_factory=dict)
    bars: bool = False  # numbers side by side, not curves
    log_x: bool = True
    # Derives the series that are judged from the results of the runs, if these are not the same.
    derive: typing.Callable[[dict], dict] | None = None
    # The run to repeat with each parameter of the model halved and doubled; none for measured
    # figures.
    sensitive: typing.Callable[[bool], Run | None] = lambda quick: None
