#!/usr/bin/env python3
"""Runs a small job under resource limits (ulimit) that are too tight for this job, with every way to start PEs.

usage: limits.py [--only CASE] PROGRAM

Each job must end within 60 seconds with exit status 2, name the limit and its value, and leave no process. The script
ignores messages that come from MPI. If limits are tight but sufficient, the job's result must be verified.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

from job_processes import mpi_launchers, run_to_end

SECONDS = 60
LAUNCHERS = mpi_launchers(3)
# The limit on processes does not apply to root. If root runs the script, jobs with a limit on processes run as another
# user, who has no other processes.
AS_USER = "setpriv --reuid 54321 --regid 54321 --clear-groups" if os.geteuid() == 0 else ""
IS_ROOT = os.geteuid() == 0

GUPS = "bench gups --verify --log2-table 10"
LOCAL = {"processes": f"{GUPS} --pes 3", "threads": f"{GUPS} --pes 3 --pe-kind thread", "sim": f"{GUPS} --pes 3 --transport sim"}

# Each entry has the form CASE: (LIMITS, FLAGS BY WAY, WORDS, AS ANOTHER USER).
CASES = {
    "address space": ("-v 150000", LOCAL, r"address space \(ulimit -v, now 146 MiB\)", False),
    "open files": ("-n 4", LOCAL, r"open files \(ulimit -n, now 4\)", False),
    "size of shared memory": ("-f 100", LOCAL, r"size of files \(ulimit -f, now 100 KiB\)", False),
    "no file at all": ("-f 0", LOCAL, r"size of files \(ulimit -f, now 0 B\)", False),
    "data": ("-d 10000", LOCAL, r"data \(ulimit -d, now 9\.77 MiB\)", False),
    "stacks": ("-s 10000000000", LOCAL, r"the stack, which each thread gets \(ulimit -s, now 9\.31 TiB\)", False),
    "one process": ("-u 1", LOCAL, r"processes and threads \(ulimit -u, now 1\)", True),
    "processes": ("-u 2", {k: v for k, v in LOCAL.items() if k != "sim"}, r"processes and threads \(ulimit -u, now 2\)", True),
    "thread of the guard": ("-u 3", {"processes": LOCAL["processes"]}, r"processes and threads \(ulimit -u, now 3\)", True),
    "output": ("-f 1", {"options": "options > FILE"}, r"standard output could not be written.*; is there room below the limit of the size of files \(ulimit -f, now 1 KiB\)", False),
    "graph": ("-f 1000", {"generate": "generate --scale 16 --output FILE.el"},
              r"size of files \(ulimit -f, now 1000 KiB\)", False),
    # MPICH is left out: depending on the machine, MPICH's loader, the proxy's pipes or UCX fail before Atoll fails.
    "open files of ranks": ("-n 7", {"openmpi": GUPS}, r"open files \(ulimit -n, now 7\)", False),
}

# Each entry has the form CASE: (LIMITS, FLAGS BY WAY).
ENOUGH = {
    "narrow address space": ("-v 2000000", LOCAL | {way: GUPS for way in LAUNCHERS}),
    "address space of a batch system": ("-v 4000000", LOCAL | {way: GUPS for way in LAUNCHERS}),
    "narrow address space with a memory limit": ("-v 4000000", {way: f"{flags} --memory-limit 256MiB" for way, flags in LOCAL.items()}),
    "narrow data": ("-d 100000", LOCAL),
    "no timer": ("-i 0", LOCAL),
}


def run(program, limits, way, flags, as_user):
    """Returns (status or None when the job does not end, text, processes left)."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        words = flags.replace("FILE", str(pathlib.Path(folder, "file")))
        user = AS_USER if as_user else ""
        shell = ["bash", "-c", f"ulimit {limits} && exec {user} {program} {words}"]
        return run_to_end(LAUNCHERS.get(way, []) + shell, SECONDS, folder=folder)


def complaint_about(status, text, left, words):
    """Returns a description of what is wrong with a job, or None. If `words` is None, the job must have a right
    result."""
    if status is None:
        return f"it runs on after {SECONDS} s"
    if left:
        return f"processes are left: {left}"
    if words is None:
        return None if status == 0 and "verified: the result is right" in text else f"its status is {status}, without a result"
    if status != 2:
        return f"its status is {status}, not 2"
    if not re.search(words, text):
        return f"it does not say {words}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cases = CASES | {case: (limits, ways, None, False) for case, (limits, ways) in ENOUGH.items()}
    parser.add_argument("--only", choices=cases)
    parser.add_argument("program")
    arguments = parser.parse_args()
    bad = tried = 0
    for case, (limits, ways, words, as_user) in cases.items():
        for way, flags in ways.items():
            has_launcher = way not in LAUNCHERS or shutil.which(LAUNCHERS[way][0])
            if arguments.only not in (None, case) or not has_launcher or as_user and not IS_ROOT:
                continue
            status, text, left = run(arguments.program, limits, way, flags, as_user)
            complaint = complaint_about(status, text, left, words)
            tried += 1
            bad += complaint is not None
            print(f"{case} on {way} (ulimit {limits}): " + (f"{complaint}\n{text}" if complaint else "as it should"), flush=True)
    print(f"{tried} limits, {bad} ends not as they should be")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
