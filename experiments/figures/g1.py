from lib.figure import Figure, Run, metric
from lib.holds import above, ends_above

ATOLL, PUBLISHED, THREADS = "Atoll", "Grappa, published", "kernel threads, published"
GRAPPA = {1_000: 50, 500_000: 75}


def runs(quick):
    counts = [1_000, 500_000] if quick else [1_000, 16_000, 128_000, 500_000]
    return [Run(["bench", "context-switch", "--pes", "1", "--tasks", str(n), "--trials", "3"],
                {ATOLL: (n, metric("nanoseconds_per_switch")),
                 PUBLISHED: (n, lambda _, n=n: GRAPPA[n])} if n in GRAPPA else
                {ATOLL: (n, metric("nanoseconds_per_switch"))}) for n in counts]


FIGURE = Figure(
    id="G1", title="Context switch over workers of one core", x="workers", y="ns a switch",
    published="50 ns with 1K workers, 75 ns with 500K; kernel threads 450 to 800 ns",
    runs=runs,
    holds=[above(PUBLISHED, ATOLL, 2), ends_above(ATOLL, 1.05)],
    why="A switch of a coroutine is a call; it becomes slower only as frames leave the caches.",
    published_points={THREADS: [(1_000, 800), (32_000, 800)]},
    example={ATOLL: [(1_000, 5), (500_000, 7)], PUBLISHED: [(1_000, 50), (500_000, 75)]})
