"""Compares real runs on this machine with runs on the model, at 1 and 2 PEs. The model uses prices (costs of
basic operations) that were measured on this machine."""

from lib.figure import MEASURE_PRICES, PRICES_OF_MACHINE, Figure, Panel, Run, metric
from lib.pairs import equal

MODELLED = ["--transport", "sim", "--sim-model", "grappa2014", "--sim-prices", PRICES_OF_MACHINE,
            "--trials", "1"]
KERNELS = {"GUPS in memory": ["bench", "gups", "--log2-table", "24"],
           "GUPS in the caches": ["bench", "gups", "--log2-table", "16"],
           "UTS": ["bench", "uts", "--tree", "T1"],
           "UTS in memory": ["bench", "uts", "--tree", "T1", "--in-memory"],
           "BFS": ["bench", "bfs", "--scale", "19", "--roots", "8"]}
UNITS = {"GUPS in memory": "updates/s", "GUPS in the caches": "updates/s", "UTS": "vertices/s",
         "UTS in memory": "vertices/s", "BFS": "edges/s"}


def measured(kernel):
    return f"{kernel}, measured"


def modelled(kernel):
    return f"{kernel}, model"


def runs(quick):
    found = [MEASURE_PRICES]
    for kernel, command in KERNELS.items():
        for pes in (1, 2):
            flags = ["--pes", str(pes)]
            point = (pes, metric("rate"))
            found.append(Run([*command, *flags, "--trials", "3"], {measured(kernel): point}))
            found.append(Run([*command, *flags, *MODELLED], {modelled(kernel): point}))
    return found


def claim(kernel):
    return f"{kernel}: as measured"


EXAMPLE = {name(kernel): [(1, 1e8), (2, 2e8)] for kernel in KERNELS for name in (measured, modelled)}

FIGURE = Figure(
    id="model", title="The model beside this machine", x="PEs",
    panels=tuple(Panel(UNITS[kernel], (measured(kernel), modelled(kernel)), title=kernel)
                 for kernel in KERNELS),
    published="nothing: the model of a cluster must know this machine before it may say something of others",
    runs=runs,
    holds={claim(kernel): equal(modelled(kernel), measured(kernel)) for kernel in KERNELS},
    not_judged=(),
    example=EXAMPLE,
    denials={f"{kernel}: the model twice as fast on 2 PEs":
             ({**EXAMPLE, modelled(kernel): [(1, 1e8), (2, 4e8)]}, claim(kernel))
             for kernel in KERNELS})
