"""The sensitivity of a result on the model: by how much the result changes with each parameter of the
model."""

import dataclasses
import re

FACTORS = (0.5, 2)


OF_SHARED_CORES = ("tick", "core_switch")  # parameters that have no effect in any figure


def parameters(model_def):
    """Returns the names of the parameters of model.def whose default value is not 0, in the order of that
    file."""
    names = re.findall(r"^ATOLL_(?:NETWORK|MEMORY|PRICE)\((\w+), (?!0,)", model_def.read_text(),
                       re.MULTILINE)
    return [name for name in names if name not in OF_SHARED_CORES]


def varied(run, parameter, factor):
    """Returns the run with one parameter multiplied by `factor`. Parameters that the run already changes stay
    changed."""
    command, factors = list(run.command), f"{parameter}={factor:g}"
    if "--sim-vary" in command:
        at = command.index("--sim-vary")
        factors = f"{command[at + 1]},{factors}"
        del command[at:at + 2]
    return dataclasses.replace(run, command=[*command, "--sim-vary", factors])


def runs(run, names):
    """Returns runs in each of which one of the parameters `names` is multiplied by a factor: {(parameter,
    factor): run}."""
    return {(name, factor): varied(run, name, factor) for name in names for factor in FACTORS}


def changes(run, results, usual):
    """Returns {parameter: (ratio at half, ratio at double)}. A ratio is the result with the changed parameter
    divided by the usual result, for the first series of the run."""
    _, read = next(iter(run.points.values()))
    found = {}
    for (name, factor), result in results.items():
        found.setdefault(name, {})[factor] = read(result) / read(usual)
    return {name: tuple(by[factor] for factor in FACTORS) for name, by in found.items()}
