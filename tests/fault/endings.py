#!/usr/bin/env python3
"""Runs programs that hang or end too early, with every way to start PEs.

usage: endings.py [--only CASE] [--way WAY] [--all] PROGRAM

Each case must end within two minutes with the exit status of its entry, print the words of its entry, and leave no
process. Without --all, only some cases are run with each rank on a node of its own.
"""

import argparse
import concurrent.futures
import re
import shutil
import sys

from job_processes import mpi_launchers, run_to_end, status_of

SECONDS = 120
OPENMPI, MPICH = mpi_launchers(3).values()

# Each entry has the form NAME: (LAUNCHER, FLAGS).
WAYS = {
    "processes": ([], ["--atoll-pes", "3"]),
    "alone": ([], ["--atoll-pes", "1"]),
    "threads": ([], ["--atoll-pes", "3", "--atoll-pe-kind", "thread"]),
    "sim": ([], ["--atoll-pes", "3", "--atoll-transport", "sim"]),
    "sim, PE 2 dies": ([], ["--atoll-pes", "3", "--atoll-transport", "sim", "--atoll-sim-kill", "2@1ms"]),
    "openmpi": (OPENMPI, []),
    "mpich": (MPICH, []),
    "openmpi, a node each": (OPENMPI, ["--atoll-node-size", "1"]),
    "mpich, a node each": (MPICH, ["--atoll-node-size", "1"]),
}
ALONE = ["processes", "alone", "threads", "sim"]
RANKS = ["openmpi", "mpich"]
RANKS_APART = ["openmpi, a node each", "mpich, a node each"]
EVERYWHERE = ALONE + RANKS + RANKS_APART
# The hang detector reads the state of a PE's thread to recognise that the PE is blocked in the kernel. A simulated job
# has a single thread. In a job on several nodes, no PE sees the threads of another host.
WHERE_THREADS_ARE_SEEN = ["processes", "alone", "threads"] + RANKS
DYING = ["processes"] + RANKS + RANKS_APART
SEVERAL_PES = [way for way in EVERYWHERE if way != "alone"]

WAITS = r"atoll: hang: .*\n(.*\n)*.* waits? at hanging\.cpp:\d+ (.*\n)*atoll: ended with status 3\n"
BLOCKED = r"atoll: hang: no progress for 1 s.*\n(.*\n)*.*is blocked in a system call"

# The sample contains the cases that behave most differently when each rank is on a node of its own.
SAMPLE_APART = ["latch", "mutex", "wait-until", "one-sided-barrier", "exit-last", "dependents-throw",
                "dependents-killed"]

# Each entry has the form CASE: (WAYS, EXIT STATUS, WORDS).
CASES = {
    "at-home": (EVERYWHERE, 3, WAITS),
    "latch": (EVERYWHERE, 3, WAITS),
    "barrier": (EVERYWHERE, 3, WAITS),
    "mutex": (EVERYWHERE, 3, WAITS),
    "circle": (SEVERAL_PES, 3, r"deadlock: each of these tasks waits for what the next one holds\n"
               r"(    a task of PE \d waits at hanging\.cpp:\d+ for what a task of PE \d holds, "
               r"since hanging\.cpp:\d+\n){3}"),
    "semaphore": (EVERYWHERE, 3, WAITS),
    "full-empty": (EVERYWHERE, 3, WAITS),
    "condition-variable": (EVERYWHERE, 3, WAITS),
    "collective": (SEVERAL_PES, 3, r"PE 2 has not reached the collective .* at hanging\.cpp:\d+"),
    "wait-until": (EVERYWHERE, 3, WAITS),
    "one-sided-barrier": (SEVERAL_PES, 3, WAITS),
    "blocked-first": (WHERE_THREADS_ARE_SEEN, 3, BLOCKED),
    "blocked-last": (WHERE_THREADS_ARE_SEEN, 3, BLOCKED),
    "exit-first": (EVERYWHERE, 7, r"atoll: PE 0 called exit\(7\) before the end of the job"),
    "exit-last": (EVERYWHERE, 7, r"atoll: PE [02] called exit\(7\) before the end of the job"),
    "throws-last": (SEVERAL_PES, 3, r"PE 0: part of a scope has failed; .*: PE 2: the last PE is "
                    r"unhappy \(in the task spawned at hanging\.cpp:\d+\)\n(.*\n)*atoll: ended with status 3"),
    "throws-main": (EVERYWHERE, 3, r"PE 0: the task spawned at .* has failed; .*"
                    r"the main task is unhappy\n(.*\n)*atoll: ended with status 3"),
    "dependents-exit": (SEVERAL_PES, 7, r"atoll: PE [02] called exit\(7\) before the end of the job"),
    "dependents-throw": (SEVERAL_PES, 3, r"PE 0: part of a scope has failed; .*: PE 2: the last PE is "
                         r"unhappy \(in the task spawned at dependents\.hpp:\d+\)\n(.*\n)*atoll: ended "
                         r"with status 3"),
    "dependents-abort": (DYING, 134, r"atoll: PE 2 was killed by signal 6 \(Aborted\); the last task it "
                         r"started came from \S+:\d+\n"),
    "dependents-killed": (DYING, 137, r"atoll: PE 2 was killed by signal 9 \(Killed\); the last task it "
                          r"started came from \S+:\d+\n"),
    "dependents-for-ever": (["sim, PE 2 dies"], 137, r"atoll: PE 2 was killed by signal 9 \(Killed\)"),
    "killed-when-forked": (["processes"] + RANKS, 137,
                           r"atoll: PE 2 was killed by signal 9 \(Killed\) before it began\n"),
    "killed-after-a-job":
        (RANKS, 137, r"atoll: PE 0 was killed by signal 9 \(Killed\) while no job ran\n"),
    "exit-last-as-if-right":
        (EVERYWHERE, 4, r"atoll: PE [02] called exit\(0\) .*, which ends with status 4"),
}


def run(program, case, way):
    """Runs a case with one way to start PEs. Returns a description of what is wrong, or None."""
    launcher, flags = WAYS[way]
    _, status, words = CASES[case]
    command = launcher + [program, case, "--atoll-hang-timeout", "1s"] + flags
    ended_with, text, left = run_to_end(command, SECONDS)
    if ended_with is None:
        return f"it runs on after {SECONDS} s:\n{text}"
    if left:
        return f"processes are left: {left}\n{text}"
    # When a rank was killed, MPICH's mpiexec can end with the number of a signal as its status. The signal is the one
    # that has killed the rank, or has ended the other ranks.
    by_signal = {status, status - 128, 9} if status > 128 and way.startswith("mpich") else {status}
    if ended_with not in by_signal:
        return f"its status is {ended_with}, not {status}:\n{text}"
    if not re.search(words, text):
        return f"it does not say {words}:\n{text}"
    return None


def wanted(arguments):
    for case, (ways, _, _) in CASES.items():
        for way in ways:
            launcher = WAYS[way][0]
            is_there = not launcher or shutil.which(launcher[0])
            is_sampled = arguments.all or way not in RANKS_APART or case in SAMPLE_APART
            is_asked_for = arguments.only in (None, case) and arguments.way in (None, way)
            if is_there and is_sampled and is_asked_for:
                yield case, way


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only")
    parser.add_argument("--way")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("program")
    arguments = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        return status_of("endings", {one: pool.submit(run, arguments.program, *one) for one in wanted(arguments)})


if __name__ == "__main__":
    sys.exit(main())
