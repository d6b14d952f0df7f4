#!/usr/bin/env python3
"""Counts lines and calls in the code that exchanges data for minimum spanning trees. The script counts separately for
each communication interface, such as MPI two-sided.

    tools/mst_productivity.py [--json]

For each interface and each of the operations below, the script counts the lines of the functions that implement the
operation. Comments and blank lines do not count. The script also counts how often the functions of an operation call
the communication interface. `transfer` sends lists between pairs of PEs and along a ring. `gather` collects lists at a
leader. `sum` adds over all PEs. If `transfer` or `gather` calls `sum`, this counts as one call, and the calls that
`sum` itself makes are not counted there.

The exchanges by MPI's one-sided operations and by OpenSHMEM have the same protocol code over a thin layer of functions.
A call inside a function of the layer is counted wherever the protocol code uses the function, but the lines of the
function are counted only once.
"""
import argparse
import collections
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
OPERATIONS = {"transfer": ["all_pairs", "shift"], "gather": ["gather"], "sum": ["sum"]}

Exchange = collections.namedtuple("Exchange", "name files layer calls")
Function = collections.namedtuple("Function", "name text lines")

MPI = r"\b(MPI_[A-Z][a-z]\w*)\s*\("
SHMEM = r"\b(shmem_(?!my_pe|n_pes)\w+)\s*\("
# The expression `co_await request;` counts as one call, like MPI_Wait.
ATOLL_TWO_SIDED = (r"\btwo_sided::(\w+)\s*\(|\b(all_reduce)\s*\("
                   r"|\b(co_await) \w+(?:\[\w+\])?;")
ATOLL_ONE_SIDED = r"\bone_sided::(\w+)\s*\(|\b(all_reduce)\s*\("
PEERS, KERNELS, PAPERS = "reproduction/peers/mst/", "src/atoll/kernels/mst/", "reproduction/mst/"
EXCHANGES = [
    Exchange("MPI two-sided", [PEERS + "mpi_two_sided.hpp", PEERS + "mpi_basis.hpp"], [], MPI),
    Exchange("MPI one-sided", [PEERS + "one_sided_lists.hpp", PEERS + "mpi_basis.hpp"],
             [PEERS + "mpi_one_sided.hpp"], MPI),
    Exchange("OpenSHMEM one-sided", [PEERS + "one_sided_lists.hpp", PEERS + "shmem_basis.hpp"],
             [PEERS + "shmem_one_sided.hpp"], SHMEM),
    Exchange("Atoll two-sided", [PAPERS + "two_sided.hpp", KERNELS + "exchange.hpp"], [],
             ATOLL_TWO_SIDED),
    Exchange("Atoll one-sided", [KERNELS + "one_sided.hpp", KERNELS + "exchange.hpp"], [],
             ATOLL_ONE_SIDED),
]
SCOPES = re.compile(r"\b(namespace|class|struct|enum|union)\b[^()]*$")
NAME = re.compile(r"(?:^|[\s:*&])(~?\w+)\s*\(")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r" = \{\}", "", text)  # of default arguments: no scope
    lines = (re.sub(r"//.*", "", line).rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def closing(text, opening):
    """Returns the position of the brace that closes the brace at `opening`."""
    depth = 0
    for place in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise ValueError("a brace is not closed")


def functions_of(text):
    """Returns all functions that have a body, in a text without comments. A lambda is part of the function that
    contains the lambda."""
    found = []
    start = place = 0
    while place < len(text):
        if text[place] == "{":
            header = re.sub(r"\b(public|private|protected):", "", text[start:place]).strip()
            name = NAME.search(header)
            if SCOPES.search(header) or not name:
                if not SCOPES.search(header):  # an initialiser
                    place = closing(text, place)
            else:
                end = closing(text, place)
                whole = header + text[place:end + 1]
                found.append(Function(name.group(1), whole, whole.count("\n") + 1))
                place = end
            start = place + 1
        elif text[place] in ";}":
            start = place + 1
        place += 1
    return found


def read_functions(files):
    return [each for file in files
            for each in functions_of(without_comments((ROOT / file).read_text()))]


def body_of(function):
    return function.text[function.text.index("{"):]


def called(function, among):
    """Returns how often a function calls each of the named functions."""
    names = {each.name for each in among}
    words = re.findall(r"\b(\w+)(?:<\w+>)?\s*\(", body_of(function))
    return collections.Counter(word for word in words if word in names)


def reached(names, functions, stops):
    """Returns the functions with the given `names`, and all functions that they call directly or indirectly. Calls of
    functions in `stops` are not followed."""
    wanted, left = set(), list(names)
    while left:
        name = left.pop()
        wanted.add(name)
        for function in (each for each in functions if each.name == name):
            left += [each for each in called(function, functions)
                     if each not in wanted and each not in stops]
    return [each for each in functions if each.name in wanted]


def direct_calls(function, pattern):
    names = (next(filter(None, match.groups())) for match in re.finditer(pattern, body_of(function)))
    return collections.Counter(names)


def calls_in(function, exchange, layer):
    calls = direct_calls(function, exchange.calls)
    for name, times in called(function, layer).items():
        for each in reached([name], layer, set()):
            for call, count in direct_calls(each, exchange.calls).items():
                calls[call] += count * times
    if function.name not in OPERATIONS["sum"]:
        calls["sum"] += len(re.findall(r"\bsum\s*\(", body_of(function)))
    return +calls


def effort(exchange, operation):
    """Returns the numbers of lines and of calls of one operation by one interface."""
    functions, layer = read_functions(exchange.files), read_functions(exchange.layer)
    roots = OPERATIONS[operation]
    stops = {name for names in OPERATIONS.values() for name in names} - set(roots)
    own = reached(roots, functions, stops)
    under = {name for each in own for name in called(each, layer)}
    calls = sum((calls_in(each, exchange, layer) for each in own), collections.Counter())
    lines = sum(each.lines for each in own + reached(under, layer, set()))
    return {"exchange": exchange.name, "operation": operation, "lines": lines,
            "calls": sum(calls.values()), "calls_of": dict(sorted(calls.items()))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    rows = [effort(exchange, operation) for exchange in EXCHANGES for operation in OPERATIONS]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'exchange':<20} {'operation':<9} {'lines':>5} {'calls':>5}  of them")
    for row in rows:
        which = ", ".join(f"{times} {name}" for name, times in row["calls_of"].items())
        print(f"{row['exchange']:<20} {row['operation']:<9} {row['lines']:>5} {row['calls']:>5}  "
              f"{which}")


if __name__ == "__main__":
    main()
