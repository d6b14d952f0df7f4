#!/usr/bin/env python3
"""Runs programs that start work or fail without end, with every way to start PEs.

usage: floods.py [--only FLOOD] [--way WAY] PROGRAM

Each program must end within a minute with the exit status of its entry, print the words of its entry once and little
else, and leave no process. If PEs are processes, all PEs together may hold at most one and a half times the memory
limit.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from job_processes import kill_all, marked, memory_of, mpi_launchers, new_mark, status_of, still_there

SECONDS = 240
MIB = 1 << 20
LIMIT = 96 * MIB
MOST_LINES = 20
OPENMPI, MPICH = mpi_launchers(3).values()

# Each entry has the form NAME: (LAUNCHER, FLAGS).
WAYS = {
    "processes": ([], ["--atoll-pes", "3"]),
    "alone": ([], ["--atoll-pes", "1"]),
    "threads": ([], ["--atoll-pes", "3", "--atoll-pe-kind", "thread"]),
    "sim": ([], ["--atoll-pes", "3", "--atoll-transport", "sim"]),
    "openmpi": (OPENMPI, []),
    "mpich": (MPICH, []),
}

SITE = r"floods\.cpp:\d+"
UNHAPPY = "error: .*the handler is unhappy"

# Each entry has the form FLOOD: (EXIT STATUS, WORDS THAT ARE PRINTED ONCE, FLAGS).
FLOODS = {
    "messages": (2, rf"error: .*--memory-limit: this PE holds .*{SITE}", []),
    "messages, one small limit": (2, rf"error: .*--overflow-limit: more than 1048576 bytes .*{SITE}",
                                  ["--atoll-overflow-limit", "1MiB"]),
    "tasks": (2, r"error: .*--memory-limit", []),
    "events": (2, r"error: .*--memory-limit", []),
    "deferred": (2, r"error: .*--memory-limit", []),
    "user-events": (2, r"error: .*--memory-limit", []),
    "unreceived": (2, r"error: .*no memory for .*--memory-limit", []),
    "unreceived-without-room": (2, r"error: .*--memory-limit", []),
    "fails-for-ever": (4, UNHAPPY, []),
    "fails-once": (4, UNHAPPY, []),
    "fails-and-is-caught": (0, r"caught: .*the handler is unhappy", []),
}


def watched_run(command, seconds):
    """Returns (status or None, text, processes left, the most bytes that the processes have held together)."""
    mark = new_mark()
    most = 0
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(command, env={**os.environ, **mark}, stdin=subprocess.DEVNULL,
                                   stdout=text, stderr=text, start_new_session=True)
        end = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < end:
            try:
                most = max(most, sum(memory_of(marked(mark))))
            except OSError:  # one of them has just ended
                pass
            time.sleep(0.1)
        status = process.poll()
        if status is None:
            kill_all(marked(mark))
        left = still_there(mark)
        kill_all(left)
        process.wait()
        text.seek(0)
        return status, text.read().decode(errors="replace"), left, most


def run(program, flood, way):
    """Runs a flood with one way to start PEs. Returns a description of what is wrong, or None."""
    launcher, flags = WAYS[way]
    status, words, more = FLOODS[flood]
    command = launcher + [program, flood.partition(",")[0], "--atoll-memory-limit", str(LIMIT)] + flags + more
    ended_with, text, left, most = watched_run(command, SECONDS)
    if ended_with is None:
        return f"it runs on after {SECONDS} s:\n{text[:2000]}"
    if left:
        return f"processes are left: {left}\n{text[:2000]}"
    if ended_with != status:
        return f"its status is {ended_with}, not {status}:\n{text[:2000]}"
    if len(re.findall(words, text)) != 1:
        return f"it does not say once {words}:\n{text[:2000]}"
    if text.count("\n") > MOST_LINES:
        return f"it says {text.count(chr(10))} lines:\n{text[:2000]}"
    if way == "processes" and most > 2 * LIMIT:  # code, buffers and what no limit refuses are beside it
        return f"it has taken {most // MIB} MiB"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only")
    parser.add_argument("--way")
    parser.add_argument("program")
    arguments = parser.parse_args()
    wanted = [(flood, way) for flood in FLOODS for way, (launcher, _) in WAYS.items()
              if (not launcher or shutil.which(launcher[0])) and arguments.only in (None, flood)
              and arguments.way in (None, way)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return status_of("floods", {one: pool.submit(run, arguments.program, *one) for one in wanted})


if __name__ == "__main__":
    sys.exit(main())
