"""Compares the kernels of Grappa's paper in Atoll with MPI programs, on this machine and over two hosts. Each kernel
has three kinds of rows. A row *same algorithm* compares Atoll and MPI with the same algorithm. A row *best of each*
compares the fastest implementation by Atoll with the fastest implementation by MPI. In a row *by delegates*, Atoll
sends messages with functions, as in the paper."""

import statistics

from lib.condition import Condition, Missing, at
from lib.figure import PAPERS, Figure, Panel, Run, metric
from lib.short import short

ATOLL, OPEN_MPI, MPICH, TPETRA = "Atoll", "Open MPI", "MPICH", "Tpetra"
LIBRARIES = {OPEN_MPI: "openmpi", MPICH: "mpich"}
TURNS = 3  # repetitions in which all programs take turns
PES = 2

# Forms (implementations) of each kernel: {kernel: {form: command}}. The form `delegates` is a command of atoll-papers.
OF_ATOLL = {"GUPS": {"aggregated": ["bench", "gups"]},
            "BFS": {"both directions": ["bench", "bfs"]},
            "IntSort": {"collective": ["bench", "sort"], "delegates": ["sort"]},
            "PageRank": {"blocked": ["bench", "pagerank"], "delegates": ["pagerank"]}}
OF_MPI = {"GUPS": {"MPI_Alltoallv": []},
          "BFS": {"an item an arc": ["--algorithm", "edges"], "both directions": ["--algorithm", "bitmaps"]},
          "IntSort": {"MPI_Alltoallv": []},
          "PageRank": {"MPI_Alltoallv": []}}
PROGRAMS = {"GUPS": "atoll-peer-alltoallv", "BFS": "atoll-peer-bfs-{}", "IntSort": "atoll-peer-sort-{}",
            "PageRank": "atoll-peer-pagerank-{}"}
SAME, BEST, BY_DELEGATES = "same algorithm", "best of each", "by delegates"
SAME_FORMS = {"GUPS": ("aggregated", "MPI_Alltoallv"), "BFS": ("both directions", "both directions"),
              "IntSort": ("collective", "MPI_Alltoallv"), "PageRank": ("blocked", "MPI_Alltoallv")}
KERNELS = tuple(OF_ATOLL)


def row_of(kernel, kind):
    return f"{kernel}, {kind}"


def forms_of(kernel, kind):
    """Returns which forms (implementations) of a kernel a row compares: those of Atoll and those of MPI. `kind` is
    SAME, BEST or BY_DELEGATES. Only the fastest form of each side counts."""
    if kind == SAME:
        own, other = SAME_FORMS[kernel]
        return (own,), (other,)
    return (("delegates",) if kind == BY_DELEGATES else tuple(OF_ATOLL[kernel])), tuple(OF_MPI[kernel])


ROWS = [(kernel, kind) for kernel in KERNELS for kind in (SAME, BEST, BY_DELEGATES)
        if kind != BY_DELEGATES or "delegates" in OF_ATOLL[kernel]]
# Published ratios of the rate of MPI to the rate of Grappa. Grappa's kernels send delegates (messages with
# functions).
PUBLISHED = {row_of("GUPS", SAME): 0.11, row_of("BFS", BEST): 3.52, row_of("IntSort", BY_DELEGATES): 5.36,
             row_of("PageRank", BY_DELEGATES): 4.87}


def size_of(kernel, quick):
    return {"GUPS": ["--log2-table", "20" if quick else "22"],
            "BFS": ["--scale", "17" if quick else "19", "--roots", "8"],
            "IntSort": ["--class", "A" if quick else "B"],
            "PageRank": ["--scale", "16" if quick else "18", "--tolerance", "1e-4", "--max-iterations", "100"]}[kernel]


def key(who, kernel, form):
    return f"{who}: {kernel}, {form}"


def of_atoll(kernel, form, hosts, turn, quick):
    pes = [] if hosts else ["--pes", str(PES)]
    return Run([*OF_ATOLL[kernel][form], *size_of(kernel, quick), *pes, "--trials", "1"],
               {key(ATOLL, kernel, form): (turn, metric("rate"))}, hosts=hosts, turn=turn,
               program=PAPERS if form == "delegates" else "")


def of_program(who, kernel, form, program, library, hosts, turn, quick):
    processes = [] if hosts else ["--processes", str(PES)]
    return Run([*OF_MPI[kernel][form], *size_of(kernel, quick), *processes],
               {key(who, kernel, form): (turn, lambda result: result["rate"])},
               hosts=hosts, program=program, mpi=library, turn=turn)


def of_others(kernel, hosts, turn, quick):
    found = [of_program(who, kernel, form, PROGRAMS[kernel].format(library), library, hosts, turn, quick)
             for who, library in LIBRARIES.items() for form in OF_MPI[kernel]
             if kernel != "GUPS" or who == OPEN_MPI]
    if kernel == "PageRank":
        found += [of_program(TPETRA, kernel, form, PROGRAMS[kernel].format("tpetra"), "openmpi", hosts, turn, quick)
                  for form in OF_MPI[kernel]]
    return found


def runs_on(hosts):
    """Returns a function that returns all runs. The programs of a kernel run in turns, because the speed of
    the machine changes over time."""
    return lambda quick: [
        run for kernel in KERNELS for turn in range(1 if quick else TURNS)
        for run in (*(of_atoll(kernel, form, hosts, turn, quick) for form in OF_ATOLL[kernel]),
                    *of_others(kernel, hosts, turn, quick))]


def fastest(data, who, kernel, forms):
    """Returns the rate of the fastest form (implementation) of a kernel. The rate of a form is the median over its
    repetitions. Returns None if any form was not measured."""
    rates = [[y for _, y in data.get(key(who, kernel, form), ())] for form in forms]
    return max(map(statistics.median, rates)) if all(rates) else None


def relative(data):
    """Returns, for each row, the rate of each library divided by the rate of Atoll. A row is missing if a
    program was not measured."""
    found = {}
    for kernel, kind in ROWS:
        own_forms, other_forms = forms_of(kernel, kind)
        own = fastest(data, ATOLL, kernel, own_forms)
        for who in (OPEN_MPI, MPICH, TPETRA):
            # Tpetra uses another algorithm than Atoll, so Tpetra is in no row that compares the same algorithm.
            other = None if who == TPETRA and kind == SAME else fastest(data, who, kernel, other_forms)
            if own and other:
                found.setdefault(who, []).append((row_of(kernel, kind), other / own))
    return found


def libraries_of(kernel):
    return (OPEN_MPI,) if kernel == "GUPS" else (OPEN_MPI, MPICH)


def times_at_most(kernel, kind, bound):
    """Returns a condition: no library is more than `bound` times as fast as Atoll. The condition does not
    hold if an MPI library was not measured. Tpetra is ignored if it was not measured."""
    row = row_of(kernel, kind)

    def most(data):
        found = [at(data, who, row) for who in libraries_of(kernel)]
        try:
            found.append(at(data, TPETRA, row))
        except Missing:
            pass
        return max(found)
    return Condition(f"{row}: the fastest of MPI is {bound:g} times Atoll at most", (row,),
                     lambda data: most(data) <= bound, lambda data: f"{row} {short(most(data))}")


def bound_of(kernel, kind):
    return PUBLISHED[row_of(kernel, kind)] if kind == BY_DELEGATES else 1


def claim(kernel, kind):
    if kind == BY_DELEGATES:
        return f"{row_of(kernel, kind)}: MPI is no further ahead than published"
    return f"{row_of(kernel, kind)}: MPI is not ahead (published: GUPS only)"


EXAMPLE = {OPEN_MPI: [(row_of(*row), 0.9 * bound_of(*row)) for row in ROWS],
           MPICH: [(row_of(*row), 0.8 * bound_of(*row)) for row in ROWS if row[0] != "GUPS"],
           TPETRA: [(row_of("PageRank", kind), 0.3) for kind in (BEST, BY_DELEGATES)]}


def ahead(who, row):
    """Returns example data in which one row is a tenth above its bound."""
    return {**EXAMPLE, who: [(x, 1.1 * bound_of(*row) if x == row_of(*row) else y) for x, y in EXAMPLE[who]]}


DENIALS = {**{f"{row_of(*row)}: {OPEN_MPI} is ahead": (ahead(OPEN_MPI, row), claim(*row)) for row in ROWS},
           **{f"{row_of(*row)}: {MPICH} is ahead": (ahead(MPICH, row), claim(*row)) for row in ROWS if row[0] != "GUPS"},
           "Tpetra is ahead": (ahead(TPETRA, ("PageRank", BEST)), claim("PageRank", BEST)),
           "MPICH was not measured": ({who: points for who, points in EXAMPLE.items() if who != MPICH},
                                      claim("BFS", SAME),
                                      *(claim(*row) for row in ROWS if row[0] != "GUPS" and row != ("BFS", SAME)))}


def relative_to_atoll(name, where, hosts):
    return Figure(
        id=name, title=f"Rates of MPI programs relative to Atoll {where}", x=f"kernel {where}",
        panels=tuple(Panel("times Atoll", (who,), title=who) for who in (OPEN_MPI, MPICH, TPETRA)),
        published="at 64 nodes, Grappa being 1, XMT and MPI: GUPS 2.23 and 0.11, BFS 1.63 and 3.52, IntSort 3.59 and "
                  "5.36, UTS T1 0.38 and none (UPC 0.09), PageRank 4.35 and 4.87",
        runs=runs_on(hosts), derive=relative,
        holds={claim(*row): times_at_most(*row, bound_of(*row)) for row in ROWS},
        not_judged=("XMT, and UPC for UTS: neither is here",
                    "UTS: no public version of it for MPI is installed, for Debian has none",
                    "BFS by an item for each arc: Atoll has no search of undirected graphs from above alone; MPI's is in "
                    "the best of each",
                    "64 nodes: MPI is measured, and not modelled"),
        note=f"All programs in turn, {TURNS} times, and the median counts; a program that is not built is left out, and "
             "its rows are not judged. GUPS in MPI is by MPI_Alltoallv, and Open MPI's only.",
        published_points={OPEN_MPI: list(PUBLISHED.items())},
        example=EXAMPLE, denials=DENIALS, bars=True)


FIGURES = (relative_to_atoll("G4", "on this machine", 0), relative_to_atoll("G4-hosts", "over two hosts", 2))
