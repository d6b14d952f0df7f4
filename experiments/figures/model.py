"""The model against this machine, at 1 and 2 PEs."""

from lib.figure import Figure, Run, metric
from lib.holds import Condition

MODELLED = ["--transport", "sim", "--sim-model", "grappa2014", "--trials", "1"]
MOST = 1.5
KERNELS = {"GUPS": (["gups", "--log2-table", "24"], ["gups", "--log2-table", "20"]),
           "UTS": (["uts", "--tree", "T1"],) * 2,
           "UTS in memory": (["uts", "--tree", "T1", "--in-memory"],) * 2,
           "BFS": (["bfs", "--scale", "19", "--roots", "8"],) * 2}


def runs(quick):
    found = []
    for kernel, (measured, modelled) in KERNELS.items():
        for pes in (1, 2):
            flags = ["--pes", str(pes)]
            point = (pes, metric("rate"))
            found.append(Run([*measured, *flags, "--trials", "3"],
                             {f"{kernel}, measured": point}))
            found.append(Run([*modelled, *flags, *MODELLED], {f"{kernel}, model": point}))
    return found


def near(kernel):
    def judge(data):
        pairs = zip(data[f"{kernel}, measured"], data[f"{kernel}, model"], strict=True)
        return all(1 / MOST <= modelled / measured <= MOST
                   for (_, measured), (_, modelled) in pairs)
    return Condition(f"{kernel}: model and measurement differ by a factor of {MOST} at most", judge)


FIGURE = Figure(
    id="model", title="The model beside this machine", x="PEs", y="rate", runs=runs,
    published="nothing: the model of the cluster must know this machine before it may say "
              "something of others",
    holds=[near(kernel) for kernel in KERNELS],
    why="A measurement on a machine with other work is slower than the quiet one that gave the "
        "prices; look at docs/explanation/cluster-model.md for what is not modelled.",
    example={f"{kernel}, {kind}": [(1, 1e8 * (k + 1)), (2, 2e8 * (k + 1))]
             for k, kernel in enumerate(KERNELS) for kind in ("measured", "model")})
