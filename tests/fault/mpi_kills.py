#!/usr/bin/env python3
"""Kills one rank of a job under mpirun, and checks that nothing is left of the job.

usage: mpi_kills.py [--rounds N] [--seconds S] [--node-sizes LIST] PROGRAM ARGUMENTS...

Each round starts PROGRAM, which would run for a long time, on 4 ranks under each installed launcher. The node sizes
are 1, 2 and all ranks, or the sizes of LIST. The round kills one process, which is a PE or the parent process (keeper)
of a PE. The job must end within S seconds (default 30) with a status other than 0. No process of the job and no file of
Atoll in /dev/shm may be left. If a PE was killed, the job must name the PE and the signal.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from job_processes import (files_in_dev_shm, kill_all, marked, mpi_launchers, new_mark, pes_of,
                           processes, processor_seconds, shared_memory)

RANKS = 4
LAUNCHERS = list(mpi_launchers(RANKS).values())


def wait_for(condition, seconds, otherwise):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(otherwise)
        time.sleep(0.02)


class Job:
    def __init__(self, launcher, command, node_size):
        self.mark = new_mark()
        self.program = os.path.realpath(command[0])
        self.files = files_in_dev_shm()
        self.process = subprocess.Popen(
            launcher + command + ["--node-size", node_size],
            env={**os.environ, **self.mark}, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def ranks(self):
        return pes_of(marked(self.mark), self.program)

    def is_at_work(self):
        if self.process.poll() is not None:
            raise AssertionError(f"it ended by itself with status {self.process.returncode}")
        ranks = self.ranks()
        return len(ranks) == RANKS and all(
            shared_memory([pe]) and processor_seconds([pe]) > 0.2 for pe, _ in ranks)

    def kill_one(self, keeper, seconds):
        """Returns the number of seconds until all processes of the job had ended."""
        memory = shared_memory(marked(self.mark))
        start = time.monotonic()
        os.kill(random.choice(self.ranks())[1 if keeper else 0], signal.SIGKILL)
        try:
            said = self.process.communicate(timeout=seconds)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the job runs on after {seconds} s") from None
        wait_for(lambda: not marked(self.mark), seconds, "processes are left")
        took = time.monotonic() - start
        if took > seconds:
            raise AssertionError(f"it took {took:.1f} s")
        if self.process.returncode == 0:
            raise AssertionError("its status is 0")
        if memory & shared_memory(processes()):
            raise AssertionError("its shared memory is still mapped")
        if any("atoll" in name for name in files_in_dev_shm() - self.files):
            raise AssertionError("files in /dev/shm are left")
        if not keeper and not re.search(r"PE \d was killed by signal 9 \(Killed\); the last task",
                                        said):
            raise AssertionError(f"it was not said who was killed:\n{said}")
        return took

    def clean_up(self):
        kill_all(marked(self.mark))
        self.process.kill()
        self.process.wait()


def run_once(launcher, command, node_size, keeper, seconds):
    job = Job(launcher, command, node_size)
    try:
        wait_for(job.is_at_work, 60, "it did not start")
        return job.kill_one(keeper, seconds)
    except AssertionError as failure:
        print(f"FAILED: {launcher[0]}, node size {node_size}: {failure}", flush=True)
        return None
    finally:
        job.clean_up()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--node-sizes", default="1,2,auto")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    failures = 0
    for launcher in LAUNCHERS:
        if not shutil.which(launcher[0]):
            print(f"{launcher[0]}: skipped, it is not there", flush=True)
            continue
        for node_size in arguments.node_sizes.split(","):
            for round_number in range(arguments.rounds):
                keeper = round_number % 2 == 1
                took = run_once(launcher, arguments.command, node_size, keeper, arguments.seconds)
                failures += took is None
                if took is not None:
                    print(f"{launcher[0]}, node size {node_size}, "
                          f"{'keeper' if keeper else 'PE'} killed: {took:.1f} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
