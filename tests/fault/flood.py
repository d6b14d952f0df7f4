#!/usr/bin/env python3
"""Stops one PE while three other PEs flood it with messages, and measures their memory from outside.

usage: flood.py [--seconds S] COMMAND

The script runs COMMAND with one argument, SECONDS. COMMAND must be a job of four PEs. The job prints "PE 3 is process N", rests for a second, and then floods PE 3 for
SECONDS. The job ends with status 0 if no message was lost. The script stops PE 3 (SIGSTOP) for S seconds during the
flood. During the flood, the memory of the four PEs (shared and private) may grow by at most 96 MiB. The limit is 32 MiB
for each of the three pairs of PEs.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time

from job_processes import kill_all, memory_of, processor_seconds, session

MIB = 1 << 20
PAIRS = 3
MOST_A_PAIR = 32 * MIB
BEFORE = 1.5  # the job rests for a second, and then floods a PE that runs
AFTER = 1.5
BETWEEN_LOOKS = 0.25


class Watch:
    """Measures how much the memory of the PEs has grown since the object was made."""

    def __init__(self, pids):
        self.pids = pids
        self.start = memory_of(pids)
        self.most = (0, 0)

    def look(self):
        grown = tuple(now - start for now, start in zip(memory_of(self.pids), self.start))
        self.most = max(self.most, grown, key=sum)
        return grown

    def look_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            grown = self.look()
            time.sleep(BETWEEN_LOOKS)
        return grown


def text_of(grown):
    return f"{grown[0] / MIB:.1f} MiB private, {grown[1] / MIB:.1f} MiB shared"


def flood(job, seconds):
    said = re.fullmatch(r"PE 3 is process (\d+)\n", job.stdout.readline())
    if said is None:
        raise AssertionError("it did not start")
    flooded = int(said[1])
    pids = session(job.pid)
    watch = Watch(pids)
    watch.look_for(BEFORE)
    os.kill(flooded, signal.SIGSTOP)
    used = processor_seconds(pids)
    print(f"stopped after growing by {text_of(watch.look())}", flush=True)
    grown = watch.look_for(seconds)
    print(f"{seconds} s later: {text_of(grown)}; "
          f"{processor_seconds(pids) - used:.1f} s of processor time used", flush=True)
    os.kill(flooded, signal.SIGCONT)
    while job.poll() is None and session(job.pid) == pids:
        try:
            watch.look()
        except OSError:  # one of them has just ended
            break
        time.sleep(BETWEEN_LOOKS)
    output = job.stdout.read()
    status = job.wait(60)
    print(f"{output}at most: {text_of(watch.most)}", flush=True)
    if status != 0:
        raise AssertionError(f"exit status {status}")
    if sum(watch.most) > PAIRS * MOST_A_PAIR:
        raise AssertionError(f"more than {PAIRS * MOST_A_PAIR // MIB} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("command")
    arguments = parser.parse_args()
    duration = round(BEFORE + arguments.seconds + AFTER)
    job = subprocess.Popen([arguments.command, str(duration)], stdout=subprocess.PIPE, text=True,
                           start_new_session=True)
    try:
        flood(job, arguments.seconds)
    except AssertionError as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        kill_all(session(job.pid))
    return 0


if __name__ == "__main__":
    sys.exit(main())
