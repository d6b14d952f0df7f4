#!/usr/bin/env python3
"""Stops and continues single PEs of jobs at random moments. The runtime must not report a hang only because some PEs
are stopped.

usage: false_hangs.py [--runs N] [--seed S] [--stopped T] [--load L] [--seconds E] [--way WAY]... [--hang]
                      [--oshrun FILE] PROGRAM...

Each PROGRAM is a single word that contains a program and its arguments. The program ends by itself within seconds and
prints "the result is right". Without a launcher, oshrun starts programs with "shmem" in their name, because programs
with this name use shmem.h. Each of N runs (default 20) uses the next program, the next way to start PEs, and the next
seed. In a run, PEs and their parent processes (keepers) are stopped one after the other, for 1 ms to 4 s each. The
stops continue until the run ends, or for T seconds (default 6). With --load L, other L processes compute all the time.

The job must end with status 0 within E seconds (default 120) after the last stop. Status 3 means that the runtime has
wrongly reported a hang. On a loaded machine, a job can get less than E/10 seconds of processor time. If a job got less
than E/10 seconds and still computes, it may take up to ten times as long. With --hang, the programs do hang, and must
end with status 3 and report the hang. PEs are simulated (the way "sim") only on request.
"""

import argparse
import contextlib
import math
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

from job_processes import load, marked, processor_seconds
from random_kills import DONE, OF_PROCESSES, PES, WAYS, Job, pes_or_keepers

KINDS = {"sim": ([], OF_PROCESSES | {"ATOLL_TRANSPORT": "sim"}, False),
         **{name: way for name, way in WAYS.items() if not way[2]}}
HANGS = b"atoll: hang: "


def ends_within(process, seconds):
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.returncode is not None


def disturb(job, chance, seconds):
    """Stops processes of the job at random moments, and returns the number of stops."""
    stopped = stops = 0
    while stopped < seconds and not ends_within(job.process, 10 ** chance.uniform(-3, 0)):
        pids = sorted(pes_or_keepers(marked(job.mark), job.program))
        which, time_stopped = chance.random(), 10 ** chance.uniform(-3, 0.6)
        if not pids:
            continue
        pid = pids[int(which * len(pids))]
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            ends_within(job.process, time_stopped)
            os.kill(pid, signal.SIGCONT)
        stopped, stops = stopped + time_stopped, stops + 1
    return stops


def ends_at_all(job, seconds):
    """Returns true if the job ends at all. The job may need long on a loaded machine: if its steps depend on each
    other, each step waits for a processor."""
    times = [processor_seconds(marked(job.mark))]
    while len(times) <= 10:
        if ends_within(job.process, seconds):
            return True
        times.append(processor_seconds(marked(job.mark)))
        if times[-1] == times[-2] or times[-1] - times[0] >= seconds / 10:
            return False
    return False


def complaint(job, arguments):
    """Returns a description of what is wrong with a job whose processes were stopped, or None."""
    if not ends_at_all(job, arguments.seconds):
        return "it does not end"
    status, said = job.process.returncode, job.said()
    if not arguments.hang and (status == 3 or HANGS in said):
        return "a false verdict"
    right, words = (3, HANGS) if arguments.hang else (0, DONE)
    return None if status == right and words in said else f"it ended with status {status}"


def run_once(way, program, seed, arguments):
    """Returns (complaint or None, number of stops, seconds from the last stop to the end)."""
    chance = random.Random(seed)
    launcher, settings, _ = KINDS[way]
    command = shlex.split(program)
    if "shmem" in command[0] and not launcher:
        launcher = [arguments.oshrun, "-np", str(PES)]
    settings = settings | {"ATOLL_HANG_TIMEOUT": "1s" if arguments.hang else chance.choice(["100ms", "1s"])}
    job = Job((launcher, settings, False), command, arguments.load > 0)
    try:
        stops = disturb(job, chance, arguments.stopped)
        start = time.monotonic()
        why = complaint(job, arguments)
        if why:
            print(f"FAILED: {why}, after {stops} stops; again: --runs 1 --seed {seed} --way '{way}' '{program}'; "
                  f"it said:\n{job.said().decode(errors='replace')}", flush=True)
        return why, stops, time.monotonic() - start
    finally:
        job.clean_up()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--stopped", type=float, default=6.0)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--way", action="append", choices=KINDS)
    parser.add_argument("--oshrun", default="oshrun")
    parser.add_argument("--hang", action="store_true")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    wanted = arguments.way or [way for way in KINDS if way != "sim"]
    ways = [way for way in wanted if not KINDS[way][0] or shutil.which(KINDS[way][0][0])]
    results = []
    # Ctrl-C ends the runs early. The results so far are printed.
    with load(arguments.load), contextlib.suppress(KeyboardInterrupt):
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            which = seed + seed // math.lcm(len(ways), len(arguments.programs))  # all pairs in turn
            program = arguments.programs[which % len(arguments.programs)]
            results.append(run_once(ways[seed % len(ways)], program, seed, arguments))
    if not results:
        return 1
    whys, stops, times = zip(*results)
    verdicts = Counter(why or "right" for why in whys)
    print(f"{len(results)} runs from seed {arguments.seed} with {sum(stops)} stops and load {arguments.load} on "
          f"{', '.join(ways)}; at most {max(times):.1f} s behind them to the end: {dict(verdicts)}")
    return 0 if verdicts["right"] == arguments.runs else 1


if __name__ == "__main__":
    sys.exit(main())
