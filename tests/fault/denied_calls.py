#!/usr/bin/env python3
"""Runs a small job while the kernel denies one system call, as sandboxes do. The script tries each way to start PEs.

usage: denied_calls.py [--only CALL] DENY PROGRAM

DENY is built from deny.cpp. The job must end within two minutes, and leave no process. If the denied call is optional,
the job's result must be right. If the denied call is not optional, the job may also end with status 2 and an error with
the reason. No message of the job may name a PE that the job does not have.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

from job_processes import mpi_launchers, run_to_end

SECONDS = 120
PES = 3

# For each optional call, the words of a warning that must be printed, or "" if there is no warning.
OPTIONAL = {
    "epoll_create1": "", "eventfd2": "", "fallocate": "", "flock": "", "get_mempolicy": "", "getrandom": "", "kcmp": "",
    "madvise": "", "mbind": "", "membarrier": "", "mremap": "", "perf_event_open": "", "pidfd_open": "",
    "process_vm_readv": "", "ptrace": "", "readlink": "", "rseq": "", "sched_getaffinity": "sched_getaffinity",
    "sched_setaffinity": "", "sched_setscheduler": "", "setitimer": "", "sigaltstack": "", "signalfd4": "", "socket": "",
    "datagrams": "", "statx": "", "sysinfo": "", "timer_create": "--stall-time", "timer_settime": "--stall-time",
    "timerfd_create": "", "userfaultfd": "", "waitid": "",
}
NEEDED = ["clone3", "memfd_create", "prctl", "kill", "tgkill", "clock_nanosleep"]

# Without a model of time, a simulated job pins no threads. A simulated PE has no stall detector.
WAYS = {"processes": f"--pes {PES}", "threads": f"--pes {PES} --pe-kind thread", "sim": f"--pes {PES} --transport sim"}
# Under MPI, the script denies only calls that Atoll makes but that the MPI library itself does not need.
OF_RANKS = ["datagrams", "sysinfo", "timer_create", "sched_setaffinity"]
LAUNCHERS = mpi_launchers(PES)
SAID_OF_RANKS = {"datagrams": r"rank [12] cannot be handed the memory.*counts as of another node", "timer_create": "--stall-time"}


def complaint_about(status, text, left, optional, words):
    if status is None:
        return f"it runs on after {SECONDS} s"
    if left:
        return f"processes are left: {left}"
    if any(not 0 <= int(pe) < PES for pe in re.findall(r"\bPE (-?\d+)\b", text)):
        return "it names a PE that there is not"
    is_right = status == 0 and "verified: the result is right" in text
    if optional and not is_right:
        return f"its status is {status}, and the call is optional"
    if not is_right and (status != 2 or "error: " not in text):
        return f"its status is {status}, and it does not say why"
    if words and not re.search(words, text, re.DOTALL):
        return f"it does not say {words}"
    return None


def cases(folder):
    graph = pathlib.Path(folder, "chain.el")
    graph.write_text("0 1\n1 2\n2 3\n")
    job = ["cc", str(graph), "--verify", "--output", str(pathlib.Path(folder, "labels.csv"))]
    for call in [*OPTIONAL, *NEEDED]:
        for way, flags in WAYS.items():
            words = OPTIONAL.get(call, "")
            if way == "sim" and words == "--stall-time":
                words = ""
            yield call, way, [], job + flags.split(), call in OPTIONAL, words
    for call in OF_RANKS:
        for way, launcher in LAUNCHERS.items():
            of_library = way == "mpich" and call == "datagrams"  # UCX has its own
            if shutil.which(launcher[0]) and not of_library:
                yield call, way, launcher, job, True, SAID_OF_RANKS.get(call, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only")
    parser.add_argument("deny", type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    bad = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for call, way, launcher, flags, optional, words in cases(folder):
            if arguments.only not in (None, call):
                continue
            command = [*launcher, arguments.deny, call, arguments.program, *flags]
            status, text, left = run_to_end(command, SECONDS, folder=folder)
            complaint = complaint_about(status, text, left, optional, words)
            tried += 1
            bad += complaint is not None
            if complaint:
                print(f"{call} on {way}: {complaint}\n{text}", flush=True)
    print(f"{tried} denied calls, {bad} jobs not as they should be")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
