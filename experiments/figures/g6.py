from lib.bounds import at_most_beyond, like
from lib.figure import PAPERS, Figure, Panel, Run, metric, on_nodes
from lib.shapes import declines_slowly, peaks_at
from lib.tolerance import ABOUT_ZERO_PERCENT

RATE, LATENCY, IDLE = "throughput", "latency of a read", "idle time"
PEAK = 512


def sweep(workers, count, read):
    return Run(["concurrency", "--workers", str(workers), *on_nodes(count)], read, program=PAPERS)


def points(workers):
    def scaled(factor, name):
        return (workers, lambda result: factor * metric(f"{name}_{workers}")(result))
    return {RATE: scaled(1, "rate"), LATENCY: scaled(1e-3, "latency_mean"),
            IDLE: scaled(100, "idle_fraction")}


def runs(quick):
    workers = [PEAK, 2048, 128] if quick else [16, 32, 64, 128, 256, PEAK, 1024, 2048]
    return [sweep(w, 2 if quick else 16, points(w)) for w in workers]


TASKS = (16, 64, 256, PEAK, 1024, 2048)
EXAMPLE = {RATE: list(zip(TASKS, (1e7, 3e7, 8e7, 9e7, 8.5e7, 8e7))),
           LATENCY: list(zip(TASKS, (300, 500, 1000, 1800, 3800, 7600))),
           IDLE: list(zip(TASKS, (80, 50, 15, 1, 0, 0)))}


def rate(*values):
    return {**EXAMPLE, RATE: list(zip(TASKS, values))}


FIGURE = Figure(
    id="G6", title="UTS in memory over concurrent tasks of a core", x="concurrent tasks of a core",
    panels=(Panel("vertices/s", (RATE,)), Panel("latency of a read, us", (LATENCY,)),
            Panel("idle, percent of the time", (IDLE,), log=False)),
    published="48 nodes: throughput peaks at 512 tasks, where a read takes about 1.8 ms; idle about 0 "
              "above 512; slow decline after",
    runs=runs,
    holds={"throughput peaks at 512 tasks": peaks_at(RATE, PEAK),
           "it declines slowly behind the peak": declines_slowly(RATE),
           "a read takes about 1.8 ms at 512 tasks": like(LATENCY, 1800, PEAK),
           "idle about 0 above 512 tasks": at_most_beyond(IDLE, ABOUT_ZERO_PERCENT, PEAK)},
    not_judged=("that this is so on 48 nodes: the sweep is run on 16",),
    published_points={LATENCY: [(PEAK, 1800)]},
    example=EXAMPLE,
    denials={
        "the peak is at 64 tasks": (rate(1e7, 9e7, 8e7, 7e7, 6e7, 5e7), "throughput peaks at 512 tasks"),
        "no visible peak": (rate(8.8e7, 8.9e7, 8.9e7, 9e7, 8.5e7, 8e7), "throughput peaks at 512 tasks"),
        "a crash behind the peak": (rate(1e7, 3e7, 8e7, 9e7, 3e7, 1e7),
                                    "it declines slowly behind the peak"),
        "a read takes 10 us": ({**EXAMPLE, LATENCY: [(w, 10) for w in TASKS]},
                               "a read takes about 1.8 ms at 512 tasks"),
        "idle 20 percent at 2,048 tasks": ({**EXAMPLE, IDLE: [(w, 20) for w in TASKS]},
                                           "idle about 0 above 512 tasks")},
    sensitive=lambda quick: None if quick else sweep(256, 2, {RATE: points(256)[RATE]}))
