#!/usr/bin/env python3
"""Runs a small job with every way to start PEs. Each call of the C library that can fail is made to fail in a run of
its own.

usage: failing_calls.py [--way WAY] [--name NAME] [--sample N] [--seed S] [--call CALL] LIBRARY PROGRAM

LIBRARY is built from failing_calls.cpp. For each way to start PEs, a first run records the calls that PROGRAM and the
runtime make. Calls of one function with the same callers are counted once. After the first run, each recorded call
fails in a run of its own. With --sample N, only N random calls for each way to start PEs fail; the random numbers have
the seed S. Each run must end within two minutes, leave no process, and
 - print "right" and end with status 0, or
 - end with status 2 or 4 and say what has failed.

The error message of a run must contain the text of the errno. After a failed allocation, the error message must say
that there is too little memory. Option --call makes a single call fail. For example, "0.1 malloc 17 12" means PROCESS
NAME INDEX ERRNO.
"""

import argparse
import concurrent.futures
import errno
import os
import pathlib
import random
import shutil
import sys
import tempfile

from job_processes import mpi_launchers, run_to_end

SECONDS = 120
CALLERS_THAT_DIFFER = 7

# For each function, the error numbers that its manual page lists.
ERRORS = {
    "fork": "EAGAIN ENOMEM",
    "pthread_create": "EAGAIN",
    "malloc": "ENOMEM",
    "mmap": "ENOMEM",
    "munmap": "ENOMEM",
    "mprotect": "ENOMEM",
    "madvise": "ENOMEM EINVAL",
    "memfd_create": "EMFILE ENFILE ENOSYS",
    "ftruncate": "EINVAL EFBIG",
    "read": "EIO EINTR",
    "write": "EINTR ENOSPC EIO",
    "writev": "EINTR ENOSPC EIO",
    "open": "EMFILE EACCES",
    "fopen": "EMFILE EACCES",
    "fopen64": "EMFILE EACCES",
    "socket": "EMFILE EACCES",
    "bind": "EADDRINUSE ENOMEM",
    "sigaction": "EINVAL",
    "signal": "EINVAL",
    "sigaltstack": "ENOMEM",
    "sched_setaffinity": "EINVAL EPERM",
    "sched_getaffinity": "EINVAL",
    "waitpid": "EINTR",
    "nanosleep": "EINTR",
    "prctl": "EINVAL EPERM",
    "futex": "EINTR ENOMEM",
    "timer_create": "EAGAIN",
    "timer_settime": "EINVAL",
    "fopencookie": "ENOMEM",
    "on_exit": "ENOMEM",
    "dlopen": "ENOENT",
}
TOO_LITTLE_MEMORY = ["out of memory", "Cannot allocate memory", "Resource temporarily unavailable"]

PES = 3
# The job runs without --metrics, because the JSON library's destructor of arrays allocates memory, and ends the process
# if the allocation fails.
ALONE_FLAGS = "--atoll-trace trace.json --atoll-tag-output=on"
# Each entry has the form NAME: (LAUNCHER, FLAGS).
WAYS = {
    "processes": (None, f"--atoll-pes {PES} {ALONE_FLAGS}"),
    "alone": (None, f"--atoll-pes 1 {ALONE_FLAGS}"),
    "threads": (None, f"--atoll-pes {PES} --atoll-pe-kind thread {ALONE_FLAGS}"),
    "sim": (None, f"--atoll-pes {PES} --atoll-transport sim {ALONE_FLAGS}"),
    "openmpi": ("openmpi", ""),
    "mpich": ("mpich", ""),
}


class ways_to_run:
    def __init__(self, library, program):
        self.library = os.path.abspath(library)
        self.program = os.path.abspath(program)

    def command(self, way, variables):
        """Under a launcher, only the ranks get the variables, and not the launcher itself."""
        launcher, flags = WAYS[way]
        program = [self.program] + flags.split()
        if launcher == "openmpi":
            given = [w for name, value in variables.items() for w in ("-x", f"{name}={value}")]
            return mpi_launchers(PES)[launcher] + given + program
        if launcher == "mpich":
            given = [w for name, value in variables.items() for w in ("-genv", name, value)]
            return mpi_launchers(PES)[launcher] + given + program
        return program

    def run(self, way, folder, call=None):
        """Returns (exit status, or None if the job does not end; text; processes left; lines of the record)."""
        record = pathlib.Path(folder, "record")
        variables = {"LD_PRELOAD": self.library, "FAILING_CALLS_RECORD": str(record)}
        if call:
            variables["FAILING_CALLS"] = call
        environment = {} if WAYS[way][0] else variables
        status, text, left = run_to_end(self.command(way, variables), SECONDS, environment, folder)
        lines = record.read_text().splitlines() if record.exists() else []
        return status, text, left, lines


def calls_of(lines):
    """Returns one "PROCESS NAME INDEX" for each combination of process, name and callers."""
    found = {}
    for line in lines:
        process, name, index, *callers = line.split()
        found.setdefault((process, name, *callers[:CALLERS_THAT_DIFFER]), f"{process} {name} {index}")
    return list(found.values())


def with_error(call, seed):
    choices = ERRORS[call.split()[1]].split()
    return f"{call} {getattr(errno, random.Random(f'{seed} {call}').choice(choices))}"


def says(text, name, error):
    text = text.lower()
    wanted = TOO_LITTLE_MEMORY if error == errno.ENOMEM else [os.strerror(error)]
    if name == "dlopen":
        wanted = ["/made/to/fail.so"]
    return any(words.lower() in text for words in wanted)


def complaint_about(status, text, left, call):
    """Returns a description of what is wrong with the end of a run, or None."""
    _, name, _, error = call.split()
    if status is None:
        return f"it runs on after {SECONDS} s"
    if left:
        return f"processes are left: {left}"
    if status == 0:
        return None if "right" in text else "it ends with status 0, without a result"
    if status not in (2, 4):
        return f"its status is {status}"
    if not says(text, name, int(error)):
        return f"it ends with status {status} and does not say what has failed"
    return None


def try_call(runner, way, call):
    with tempfile.TemporaryDirectory() as folder:
        status, text, left, lines = runner.run(way, folder, call)
    complaint = complaint_about(status, text, left, call)
    if not complaint:
        return "goes on" if status == 0 else f"status {status}", None
    callers = " ".join(lines[0].split()[3:]) if lines else "(the call was not made)"
    again = f'{sys.argv[0]} --way {way} --call "{call}" {runner.library} {runner.program}'
    return None, f"{way}: {call} ({errno.errorcode[int(call.split()[3])]}): {complaint}\n{text}  callers: {callers}\n  again: {again}\n"


def counted_calls(runner, way):
    with tempfile.TemporaryDirectory() as folder:
        status, text, left, lines = runner.run(way, folder)
    if status != 0 or "right" not in text or left or not lines:
        sys.exit(f"{way}: the job without a failing call ends with status {status}, {len(lines)} calls:\n{text}")
    return calls_of(lines)


def sampled(calls, count, seed):
    """Chooses a similar number of calls for each function name, because most calls allocate memory."""
    chance = random.Random(seed)
    by_name = {}
    for call in chance.sample(calls, len(calls)):
        by_name.setdefault(call.split()[1], []).append(call)
    chosen = []
    while len(chosen) < count and any(by_name.values()):
        for name in chance.sample(sorted(by_name), len(by_name)):
            if by_name[name] and len(chosen) < count:
                chosen.append(by_name[name].pop())
    return chosen


def wanted_calls(runner, arguments):
    for way in WAYS:
        launcher = WAYS[way][0]
        if arguments.way not in (None, way) or launcher and not shutil.which(mpi_launchers(PES)[launcher][0]):
            continue
        if arguments.call:
            yield way, arguments.call
            continue
        calls = [call for call in counted_calls(runner, way) if arguments.name in (None, call.split()[1])]
        print(f"{way}: {len(calls)} calls", flush=True)
        for call in sampled(calls, arguments.sample or len(calls), arguments.seed):
            yield way, with_error(call, arguments.seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--name", choices=ERRORS)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--call")
    parser.add_argument("library")
    parser.add_argument("program")
    arguments = parser.parse_args()
    runner = ways_to_run(arguments.library, arguments.program)
    ends = {}
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(try_call, runner, way, call) for way, call in wanted_calls(runner, arguments)]
        for job in concurrent.futures.as_completed(jobs):
            end, complaint = job.result()
            ends[end] = ends.get(end, 0) + 1
            if complaint:
                print(complaint, flush=True)
    bad = ends.pop(None, 0)
    print(f"{len(jobs)} calls failed: {bad} ended not as they should; the others: {ends}")
    return 1 if bad or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
