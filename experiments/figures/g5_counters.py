"""Makes the runs of G5. Computes the quantities of G5 from the counters of the runtime."""

from lib.figure import LARGE_TABLE, PAPERS, PES_A_NODE, Run, on_nodes

MESSAGES, BYTES, BUFFER = "messages/s a core", "bytes a message", "bytes a network buffer"
NETWORK, SWITCHES, STEALS = "network bytes/s a node", "context switches/s a core", "steals"
ACTIVE, PEAK, READY = "active tasks a core", "most active tasks a core", "ready tasks a core"

SUMS = ("messages_executed", "message_bytes_executed", "network_messages_sent",
        "network_bytes_sent", "context_switches", "steals", "active_tasks_total",
        "ready_length_total", "scheduler_rounds")
SECONDS, PES, PEAK_COUNTED = "seconds", "PEs", "active_tasks_peak"
LESS, MORE = "less", "more"
KERNELS = ("GUPS", "BFS", "IntSort", "PageRank")


def points(label):
    def total(counter):
        return lambda result: result["counters"][counter]["total"]
    return {**{counter: (label, total(counter)) for counter in SUMS},
            SECONDS: (label, lambda r: max(r["counters"]["run_nanoseconds"]["per_pe"]) * 1e-9),
            PES: (label, lambda r: r["pes"]),
            PEAK_COUNTED: (label, lambda r: r["counters"]["active_tasks_peak"]["largest"])}


def with_trials(command, number):
    """Returns the command with the number of trials replaced. Runs on the model usually have one trial."""
    at = command.index("--trials")
    return [*command[:at + 1], number, *command[at + 2:]]


def of_other_kernels(count, quick):
    """Returns the runs of IntSort and PageRank. As in the paper, one delegate (a message with a function) is
    sent per key or per arc."""
    sort = ["sort", "--keys", "262144" if quick else "4194304", "--bits", "24", *on_nodes(count)]
    rank = ["pagerank", "--scale", "13" if quick else "16", "--tolerance", "0", *on_nodes(count), "--max-iterations"]
    return [*(("IntSort", label, with_trials(sort, number)) for label, number in ((LESS, "1"), (MORE, "3"))),
            *(("PageRank", label, [*rank, number]) for label, number in ((LESS, "1"), (MORE, "3")))]


def runs(quick):
    count = 4 if quick else 16
    gups = ["bench", "gups", "--log2-table", "12" if quick else "14", *on_nodes(count),
            *LARGE_TABLE, "--updates-per-word"]
    bfs = ["bench", "bfs", "--scale", "16" if quick else "20", *on_nodes(count), "--roots"]
    commands = [(kernel, label, [*command, number])
                for kernel, command, numbers in (("GUPS", gups, ("4", "8")), ("BFS", bfs, ("1", "9")))
                for label, number in zip((LESS, MORE), numbers)]
    others = of_other_kernels(8 if not quick else count, quick)
    return [Run(command, points(f"{kernel}, {label}"), True, program=program)
            for some, program in ((commands, ""), (others, PAPERS)) for kernel, label, command in some]


def of_kernel(kernel, counted):
    """Returns the quantities of a kernel, computed from the difference of two runs, one of which has more
    work."""
    def more(name):
        return counted[name][f"{kernel}, {MORE}"] - counted[name][f"{kernel}, {LESS}"]
    core_seconds = more(SECONDS) * counted[PES][f"{kernel}, {MORE}"]
    return {MESSAGES: more("messages_executed") / core_seconds,
            BYTES: more("message_bytes_executed") / more("messages_executed"),
            NETWORK: more("network_bytes_sent") / core_seconds * PES_A_NODE,
            BUFFER: more("network_bytes_sent") / more("network_messages_sent"),
            ACTIVE: more("active_tasks_total") / more("scheduler_rounds"),
            PEAK: counted[PEAK_COUNTED][f"{kernel}, {MORE}"],
            READY: more("ready_length_total") / more("scheduler_rounds"),
            SWITCHES: more("context_switches") / core_seconds,
            STEALS: more("steals")}


def derive(data):
    """Returns the quantities of each kernel. A kernel is left out if one of its two runs is missing."""
    counted = {name: dict(points) for name, points in data.items()}
    found = {}
    for kernel in KERNELS:
        if all(f"{kernel}, {label}" in counted.get(SECONDS, {}) for label in (LESS, MORE)):
            for quantity, value in of_kernel(kernel, counted).items():
                found.setdefault(quantity, []).append((kernel, value))
    return found
