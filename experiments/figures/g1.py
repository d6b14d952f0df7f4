from lib.bounds import at_most
from lib.figure import Figure, Panel, Run, metric
from lib.pairs import times_above
from lib.shapes import flat

WORKERS, THREADS = "workers", "kernel threads"
FEW, MANY = 1_000, 500_000


def runs(quick):
    """Returns the runs. Kernel threads are measured only with the smallest number of workers."""
    counts = [FEW, MANY] if quick else [FEW, 16_000, 128_000, MANY]
    command = ["bench", "context-switch", "--pes", "1", "--trials", "3", "--tasks"]
    beside = {THREADS: (FEW, lambda result: 1e9 / metric("peer:threads")(result))}
    return [Run([*command, str(n), *(["--compare"] if n == FEW else [])],
                {WORKERS: (n, metric("nanoseconds_per_switch")), **(beside if n == FEW else {})})
            for n in counts]


EXAMPLE = {WORKERS: [(FEW, 50), (MANY, 75)], THREADS: [(FEW, 800)]}

FIGURE = Figure(
    id="G1", title="Context switch over workers of one core", x="workers of a core",
    panels=(Panel("ns a switch"),),
    published="50 ns with 1K workers, 75 ns with 500K; kernel threads 450 ns (few) and 800 ns (1K to 32K)",
    runs=runs,
    holds={"50 ns with 1K workers": at_most(WORKERS, 50, FEW),
           "75 ns with 500K workers": at_most(WORKERS, 75, MANY),
           "hardly slower with 500K than with 1K, 1.5 times": flat(WORKERS),
           "a switch of 1K kernel threads takes 16 times as long": times_above(THREADS, WORKERS, 16)},
    not_judged=("the curve without prefetching: nothing here turns it off",
                "450 ns with few kernel threads: measured with 1K only",
                "G1b, memory bandwidth bounds the switches of all cores, 34 M/s a socket at 8 line "
                "transfers a switch: no counter here tells the lines that a switch moves"),
    published_points={WORKERS: EXAMPLE[WORKERS], THREADS: [(FEW, 800), (32_000, 800)]},
    example=EXAMPLE,
    denials={
        "1K workers take 60 ns": ({WORKERS: [(FEW, 60), (MANY, 75)], THREADS: [(FEW, 1000)]},
                                  "50 ns with 1K workers"),
        "all take 80 ns": ({WORKERS: [(FEW, 80), (MANY, 80)], THREADS: [(FEW, 1500)]},
                           "75 ns with 500K workers", "50 ns with 1K workers"),
        "500K take twice as long": ({**EXAMPLE, WORKERS: [(FEW, 25), (MANY, 50)]},
                                    "hardly slower with 500K than with 1K, 1.5 times"),
        "kernel threads are five times slower": ({**EXAMPLE, THREADS: [(FEW, 250)]},
                                                 "a switch of 1K kernel threads takes 16 times as long")})
