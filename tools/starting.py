#!/usr/bin/env python3
"""Measures how much time it takes to run a program as a job. A serial program runs alone, and as the main task of a job
of one PE. A job of 8 PEs that only starts and ends runs as one command, and under mpirun of Open MPI. The commands run
alternately and are timed as a whole. The script prints the median time of each command, and the ratios of the medians.

    tools/starting.py FOLDER_OF_THE_PROGRAMS [--rounds N] [--updates N]
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

MPIRUN = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "8"]


def seconds(command, pes=None):
    settings = {} if pes is None else {"ATOLL_PES": str(pes)}
    begin = time.monotonic()
    ended = subprocess.run(command, env={**os.environ, **settings}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0 or ended.stdout.count("sum ") != 1:  # eight separate jobs would print eight sums
        sys.exit(f"{' '.join(command)}: exit status {ended.returncode}, output {ended.stdout!r}\n{ended.stderr}")
    return time.monotonic() - begin


def compare(name, one, other, rounds):
    """Calls two functions alternately, and returns the medians of their results."""
    pairs = [(one(), other()) for _ in range(rounds)]
    first, second = (statistics.median(side) for side in zip(*pairs))
    print(f"{name}: {1e3 * first:.1f} and {1e3 * second:.1f} ms, ratio {first / second:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--updates", type=int, default=400_000_000)
    options = parser.parse_args()
    alone, as_job = (f"{options.programs}/atoll-serial-{form}" for form in ("alone", "under-run"))
    work = [str(options.updates)]
    compare("serial program, under run and alone", lambda: seconds([as_job, *work], pes=1),
            lambda: seconds([alone, *work]), options.rounds)
    compare("8 PEs that start and end, as a command and under mpirun",
            lambda: seconds([as_job], pes=8), lambda: seconds([*MPIRUN, as_job]), options.rounds)


if __name__ == "__main__":
    main()
