from lib.figure import PES_A_NODE, Figure, Run, on_nodes
from lib.holds import at_least, at_most

MESSAGES, BYTES, BUFFER = "messages/s a core", "bytes a message", "bytes a network buffer"
NETWORK, SWITCHES, STEALS = "network bytes/s a node", "context switches/s a core", "steals"


def a_core_and_second(counter):
    """Of the whole job, whose time the PEs counted."""
    def read(result):
        counted = result["counters"]
        seconds = max(counted["run_nanoseconds"]["per_pe"]) * 1e-9
        return counted[counter]["total"] / seconds / result["pes"]
    return read


def points(kernel):
    def average(name):
        return lambda result: result["averages"][name]["value"]

    def a_network_buffer(result):
        counted = result["counters"]
        return counted["network_bytes_sent"]["total"] / counted["network_messages_sent"]["total"]

    network = a_core_and_second("network_bytes_sent")
    return {f"{kernel}: {MESSAGES}": ("", a_core_and_second("messages_executed")),
            f"{kernel}: {BYTES}": ("", average("bytes_per_message")),
            f"{kernel}: {BUFFER}": ("", a_network_buffer),
            f"{kernel}: {NETWORK}": ("", lambda result: PES_A_NODE * network(result)),
            f"{kernel}: {SWITCHES}": ("", a_core_and_second("context_switches")),
            f"{kernel}: {STEALS}": ("", lambda result: result["counters"]["steals"]["total"])}


def runs(quick):
    count = 4 if quick else 16
    gups = ["gups", "--log2-table", "12" if quick else "14", *on_nodes(count)]
    bfs = ["bfs", "--scale", "16" if quick else "20", *on_nodes(count)]
    return [Run(gups, points("GUPS"), True), Run(bfs, points("BFS"), True)]


FIGURE = Figure(
    id="G5", title="What the runtime counts", x="", y="",
    published="GUPS and BFS: application messages 984 and 983 K/s a core, of 31.8 and 33.9 B; "
              "network 478 and 511 MB/s a node in messages of 23.2 and 4.3 KB; 34.2 and 539 K "
              "context switches/s; no steals",
    runs=runs,
    holds=[at_least(f"GUPS: {MESSAGES}", 984e3), at_most(f"GUPS: {BYTES}", 31.8),
           at_most(f"BFS: {BYTES}", 33.9), at_most(f"GUPS: {STEALS}", 0)],
    why="Rates are taken over the whole job here, the making of the graph included; a level of BFS "
        "searched from below sends bitmaps, not a message an edge.",
    published_points={f"GUPS: {MESSAGES}": [("", 984e3)], f"GUPS: {BYTES}": [("", 31.8)],
                      f"GUPS: {BUFFER}": [("", 23.2e3)], f"GUPS: {NETWORK}": [("", 478e6)],
                      f"GUPS: {SWITCHES}": [("", 34.2e3)], f"BFS: {MESSAGES}": [("", 983e3)],
                      f"BFS: {BYTES}": [("", 33.9)], f"BFS: {BUFFER}": [("", 4.3e3)],
                      f"BFS: {NETWORK}": [("", 511e6)], f"BFS: {SWITCHES}": [("", 539e3)]},
    example={f"GUPS: {MESSAGES}": [("", 2e7)], f"GUPS: {BYTES}": [("", 16)],
             f"BFS: {BYTES}": [("", 20)], f"GUPS: {STEALS}": [("", 0)]},
    table=True)
