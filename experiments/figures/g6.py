from lib.figure import Figure, Run, metric, on_nodes
from lib.holds import ends_above, falls

RATE, LATENCY, IDLE = "vertices/s", "latency of a read, ns", "idle, percent"


def sweep(workers, count):
    numbers = ",".join(map(str, workers))
    return ["bench", "concurrency", "--workers", numbers, *on_nodes(count)]


def points_of(workers):
    return [({RATE: (w, metric(f"rate_{w}")), LATENCY: (w, metric(f"latency_mean_{w}")),
              IDLE: (w, lambda r, w=w: 100 * metric(f"idle_fraction_{w}")(r))}) for w in workers]


def runs(quick):
    workers = [16, 256, 1024] if quick else [16, 32, 64, 128, 256, 512, 1024, 2048]
    count = 2 if quick else 16
    return [Run(sweep([w], count), points) for w, points in zip(workers, points_of(workers))]


FIGURE = Figure(
    id="G6", title="UTS in memory over concurrent tasks of a core", x="tasks of a core", y="",
    published="48 nodes: throughput peaks at 512 tasks, where a read takes about 1.8 ms; idle "
              "about 0 above 512; slow decline after",
    runs=runs,
    holds=[ends_above(RATE, 2), ends_above(LATENCY, 1.5), falls(IDLE, 1.5)],
    why="What bounds the search is the number of messages that the network of a node takes, as in G3, and "
        "not latency: more tasks fill them better (on 2 nodes 98 bytes with 256 tasks, 390 with 1,024), so "
        "that a read takes no longer, and PEs stay idle.",
    published_points={"latency of a read, ns": [(512, 1.8e6)]},
    example={RATE: [(16, 1e7), (512, 9e7), (2048, 8e7)], LATENCY: [(16, 1e4), (512, 1e5), (2048, 4e5)],
             IDLE: [(16, 80), (512, 10), (2048, 5)]},
    sensitive=lambda quick: None if quick else Run(sweep([256], 2),
                                                   {RATE: (256, metric("rate_256"))}))
