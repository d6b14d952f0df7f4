"""Types with which a file in figures/ describes its figure."""

import dataclasses
import typing

# Flags of runs on the model of a cluster. The file PRICES has fixed costs of basic operations, so the results do not
# depend on this machine. Time in the model is virtual and does not vary, so one trial is enough.
PRICES = "prices.json"
MODEL = ["--transport", "sim", "--sim-model", "grappa2014", "--sim-prices", PRICES, "--trials", "1",
         "--huge-pages", "off"]
# Flags with which the model has no caches, so that a small table, which runs fast, causes as many cache misses as a
# large table.
LARGE_TABLE = ["--sim-vary", "second_level=0,third_level=0"]
# In a command, the word PRICES_OF_THIS_MACHINE is replaced by the name of a file with prices (costs of basic
# operations) of this machine. MEASURE_PRICES measures these prices.
PRICES_OF_MACHINE = "PRICES_OF_THIS_MACHINE"
PES_A_NODE = 16
# The program that has the variants of kernels in the papers, and measures prices (costs of basic operations). The
# program atoll-papers has the same flags as atoll.
PAPERS = "atoll-papers"


def nodes(quick):
    return [1, 2, 4, 8] if quick else [1, 2, 4, 8, 16, 32, 64]


def on_nodes(count):
    """Returns the flags of a run on `count` modelled nodes."""
    return ["--pes", str(PES_A_NODE * count), *MODEL]


def metric(name):
    return lambda result: result["metrics"][name]["median"]


@dataclasses.dataclass(frozen=True)
class Run:
    """A command, and the points that its result provides: {series: (x, function that reads y from the JSON
    result)}."""
    command: list
    points: dict
    with_metrics: bool = False  # if true, the result also has the "counters" and "averages"
    hosts: int = 0  # number of hosts with one PE each (tools/hosts.sh); 0: not over hosts
    program: str = ""  # program instead of atoll, in the same folder; with a slash: a path in the source tree
    mpi: str = "openmpi"  # library whose mpirun starts the program across hosts
    turn: int = 0  # number of this repetition, because equal runs are repeated with other runs in between

    def __str__(self):
        where = f"{self.hosts} hosts: " if self.hosts else ""
        return f"{where}{self.program or 'atoll'} {' '.join(self.command)}"

    @property
    def of_source_tree(self):
        return "/" in self.program

    @property
    def of_other_program(self):
        """Returns True if the run is of a program other than atoll and atoll-papers, which has other
        flags."""
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
    """A part of a figure's picture, with a unit of its own."""
    unit: str  # label of the y axis
    series: tuple = ()  # empty: all series
    title: str = ""
    log: bool = True


@dataclasses.dataclass(frozen=True)
class Figure:
    id: str
    title: str
    published: str  # the published result, as a sentence
    x: str  # label of the x axis
    panels: tuple
    runs: typing.Callable[[bool], list]  # makes the runs; the argument tells whether the round is quick
    holds: dict  # {published claim: Condition}
    not_judged: tuple  # published claims without a condition, each with the reason
    example: dict  # invented data for which every claim holds
    # Data for the tests: {fault: (data, claim that the data violate, further claims that the data violate)}.
    denials: dict
    why: str = ""  # measured reason why a claim does not hold, or empty
    note: str = ""  # a sentence that explains the runs, or empty
    published_points: dict = dataclasses.field(default_factory=dict)
    bars: bool = False  # the picture has bars and not curves
    log_x: bool = True
    # A function that computes the judged series from the results of the runs. If it is None, the results are
    # the series.
    derive: typing.Callable[[dict], dict] | None = None
    # A function that returns one run, which is repeated with each parameter of the model halved and doubled.
    # The value is None for figures that do not use the model.
    sensitive: typing.Callable[[bool], Run | None] = lambda quick: None
