#!/usr/bin/env python3
"""Runs commands inside memory control groups. The groups' limits are slightly above or below the memory that the
commands need.

usage: memory_groups.py [--all] [--bench] [--only WORDS] PROGRAM

Each command must end with status 0, or be refused with status 2 and an error that states the available memory. The
kernel must not kill a process. If this machine does not allow memory control groups with a limit, the script prints a
message and runs nothing. Without --all, the script tries only some limits. --bench runs commands of `atoll bench`
instead of the usual commands.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
LIMITS = [20, 40, 60, 100, 200, 400, 800, None]
QUICK = [20, 40, 100, 400]
SECONDS = 600  # on a loaded machine
GUPS = "bench gups --trials 1"
SMALL_GUPS = f"{GUPS} --log2-table 10 --verify"
COMMANDS = [
    SMALL_GUPS, f"{GUPS} --log2-table 20 --verify", GUPS, f"{GUPS} --log2-table 22 --pes 3",
    f"{GUPS} --log2-table 21 --pes 6", f"{SMALL_GUPS} --pes 7", f"{SMALL_GUPS} --pes 3 --pe-kind thread",
    f"{SMALL_GUPS} --pes 3 --transport sim", "bench uts --trials 1 --in-memory", "bench uts --trials 1",
    "bench bfs --scale 10 --trials 1 --verify", "bench bfs --scale 16 --trials 1",
    "bench cc --scale 14 --trials 1 --verify", "bench mst --scale 14 --trials 1 --verify",
    "bench pagerank --scale 14 --trials 1", "bench sort --trials 1 --verify",
    "generate --scale 14 --output graph.el", "cc graph.el --verify", "bfs graph.el --root 0", "pagerank graph.el",
    "convert graph.el graph.mtx", "info graph.el",
]
OF_BENCH = [f"bench {name} --trials 1" for name in
            ("hash-map", "hash-set", "queue", "stack", "reductions", "copies", "messages", "reservations",
             "event-throughput", "event-latency", "context-switch", "stealing", "concurrency --workers 16,1024,8192",
             "reading graph.el", "put", "get", "put-nbi", "get-nbi", "atomic", "send-receive", "barrier", "broadcast",
             "allreduce", "reduce-to-one", "all-to-all", "ring", "message-barrier", "message-allreduce",
             "sequential-reduce", "busy-get", "model")]


class control_group:
    """Makes a control group below the current one, with a limit of memory. If `limit` is None, the group has no
    limit."""

    def __init__(self, limit):
        version, parent = place_of_groups()
        self.names = {1: ("memory.limit_in_bytes", "memory.oom_control"), 2: ("memory.max", "memory.events")}[version]
        self.path = parent / f"test-of-atoll-{os.getpid()}"
        self.path.mkdir()
        if limit is not None:
            (self.path / self.names[0]).write_text(str(limit * MIB))

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def killed(self):
        found = re.search(r"^oom_kill (\d+)$", (self.path / self.names[1]).read_text(), re.MULTILINE)
        return int(found.group(1)) if found else 0

    def remove(self):
        for _ in range(50):
            try:
                self.path.rmdir()
                return
            except OSError:  # the last process is about to go
                time.sleep(0.1)


def place_of_groups():
    """Returns (version of control groups, folder of the current group)."""
    own = {}
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        own[controllers] = path
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, point = before.split()[3:5]
        if kind == "cgroup" and "memory" in options.split(","):
            return 1, below(point, root, own.get("memory", "/"))
        if kind == "cgroup2" and "" in own:
            folder = below(point, root, own[""])
            if "memory" in (folder / "cgroup.subtree_control").read_text().split():
                return 2, folder
    raise OSError("no control groups of memory")


def below(point, root, path):
    if root != "/" and path.startswith(root):
        path = path[len(root):]
    folder = pathlib.Path(point, path.lstrip("/"))
    return folder if folder.is_dir() else pathlib.Path(point)


def run_within(limit, command, folder):
    """Runs a command in a group with this limit. Returns (status, text, number of killed processes)."""
    group = control_group(limit)
    try:
        done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False, preexec_fn=group.enter)
        return done.returncode, done.stdout, group.killed()
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace"), group.killed()
    finally:
        group.remove()


def complaint_about(status, text, killed):
    if status is None:
        return f"it runs on after {SECONDS} s"
    if killed:
        return f"the kernel has killed {killed} of its processes"
    if status == 0:
        return None
    if status == 2 and re.search(r"error: .*(MiB|GiB|KiB|bytes)", text):
        return None
    return f"its status is {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--bench", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    try:
        control_group(None).remove()
    except OSError as refused:
        print(f"left out: no group of memory can be made here: {refused}")
        return 0
    commands = OF_BENCH if arguments.bench else COMMANDS
    bad = tried = right = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments.program, "generate", "--scale", "14", "--output", "graph.el"], cwd=folder,
                       stdout=subprocess.DEVNULL, check=True)
        for command in commands if not arguments.only else [arguments.only]:
            for limit in LIMITS if arguments.all else QUICK:
                status, text, killed = run_within(limit, [arguments.program, *command.split()], folder)
                complaint = complaint_about(status, text, killed)
                tried += 1
                right += status == 0
                bad += complaint is not None
                if complaint:
                    print(f"{command} with {limit} MiB: {complaint}\n{text}", flush=True)
    print(f"{tried} commands in groups of memory, {right} right, {tried - right - bad} refused, {bad} not as they should be")
    return 1 if bad or not right else 0


if __name__ == "__main__":
    sys.exit(main())
