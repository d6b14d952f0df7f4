from figures.ordered import WORKERS
from lib.figure import Figure, Panel, Run, metric, nodes, on_nodes
from lib.pairs import ends_above
from lib.shapes import peaks_at, rises

STRUCTURES = ("set", "map")
FEW, MANY = RANGES = ("2^10 keys", "2^20 keys")
KEYS = {FEW: 1 << 10, MANY: 1 << 20}
MODES = ("none", "local")
OPERATIONS = {"none": 2, "local": 8}  # per worker
CURVES = [(structure, keys, mode) for structure in STRUCTURES for keys in RANGES for mode in MODES]


def name(structure, keys, mode):
    return f"{structure}, {keys}, {mode}"


def gain(structure, keys):
    return f"{structure}, {keys}: local over none"


GAINS = [gain(structure, keys) for structure in STRUCTURES for keys in RANGES]


def run(structure, keys, mode, count):
    command = ["bench", f"hash-{structure}", "--mix", "0.5", "--key-range", str(KEYS[keys]),
               "--combining", mode, "--workers", str(WORKERS), "--alone", "--operations",
               str(WORKERS * 16 * count * OPERATIONS[mode])]
    return Run([*command, *on_nodes(count)],
               {name(structure, keys, mode): (count, metric("rate"))})


def derive(data):
    """Adds a series: the factor by which combining increases the rate."""
    found = dict(data)
    for structure in STRUCTURES:
        for keys in RANGES:
            none, local = (dict(data.get(name(structure, keys, mode), ())) for mode in MODES)
            found[gain(structure, keys)] = [(x, local[x] / none[x]) for x in none if x in local]
    return found


def drops(structure, keys):
    return f"{structure}, {keys}: without combining it rises to 32 nodes, then drops off"


def goes_on(structure, keys):
    return f"{structure}, {keys}: with combining it rises to 64"


def gains_more(structure):
    return f"{structure}: the smaller range gains more"


def holds():
    found = {}
    for structure in STRUCTURES:
        for keys in RANGES:
            found[drops(structure, keys)] = peaks_at(name(structure, keys, "none"), 32)
            found[goes_on(structure, keys)] = rises(name(structure, keys, "local"))
        found[gains_more(structure)] = ends_above(gain(structure, FEW), gain(structure, MANY))
    return found


PLACES = (1, 32, 64)
LEVEL = {(FEW, "none"): (1e8, 9e8, 6e8), (FEW, "local"): (2e8, 4e9, 8e9),
         (MANY, "none"): (1e8, 9e8, 7e8), (MANY, "local"): (1e8, 2e9, 3e9)}
EXAMPLE = {name(structure, keys, mode): list(zip(PLACES, LEVEL[keys, mode]))
           for structure, keys, mode in CURVES}


def changed(structure, keys, mode, *values):
    return {**EXAMPLE, name(structure, keys, mode): list(zip(PLACES, values))}


def denials():
    found = {}
    for structure in STRUCTURES:
        for keys in RANGES:
            found[f"{structure}, {keys}: none rises to the end"] = (
                changed(structure, keys, "none", 1e8, 9e8, 9.5e8), drops(structure, keys))
            found[f"{structure}, {keys}: none falls throughout"] = (
                changed(structure, keys, "none", 9e8, 8e8, 7e8), drops(structure, keys))
            found[f"{structure}, {keys}: local drops off, too"] = (
                changed(structure, keys, "local", 1e8, 9e9, 8e9), goes_on(structure, keys))
        found[f"{structure}: the larger range gains as much"] = (
            changed(structure, MANY, "local", 1e8, 4e9, 1e10), gains_more(structure))
    return found


def panel(structure, keys):
    return Panel("operations/s", tuple(name(structure, keys, mode) for mode in MODES),
                 title=f"{structure}, {keys}")


FIGURE = Figure(
    id="F8", title="Hash set and hash map over nodes", x="nodes of 16 PEs",
    panels=tuple(panel(structure, keys) for structure in STRUCTURES for keys in RANGES)
    + (Panel("local over none", tuple(GAINS), title="What combining gains"),),
    published="without combining both rise to 32 nodes and then drop off; with combining they rise to "
              "64; a smaller range of keys gains more",
    runs=lambda quick: [run(*curve, count) for curve in CURVES for count in nodes(quick)],
    derive=derive, holds=holds(),
    not_judged=("256 M operations: 2 and 8 of each of 2,048 workers a PE here",
                "the ratio of inserts to lookups: not published, half and half here"),
    example=derive(EXAMPLE), denials={what: (derive(data), claim)
                                      for what, (data, claim) in denials().items()},
    sensitive=lambda quick: run("set", FEW, "local", 4))
