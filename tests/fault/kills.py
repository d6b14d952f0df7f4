#!/usr/bin/env python3
"""Kills and interrupts jobs at random times, and checks that nothing is left of the jobs.

usage: kills.py [--rounds N] [--seconds S] [--seed N] [--site PATTERN] COMMAND...

COMMAND starts a job that would run for a long time. The script sets ATOLL_PES for COMMAND. Each round starts the job
once for each way to end it: kill -9 of one process (even PE 0), Ctrl-C, and SIGTERM. The job must then end within S
seconds (default 30) with the right exit status. No process of the job's session, no mapping of the job's shared memory
and no file in /dev/shm may be left. The job must name the killed PE and the signal. With --site, the job must also name
the source line of the PE's last task. Nothing else may be printed.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import time

from job_processes import (files_in_dev_shm, kill_all, processes, processor_seconds, session,
                           shared_memory)

PE_COUNTS = [1, 2, 3, 4, 7, 8]
START = 0.02  # processor time after which a PE has started and does something


def accept_interrupts():
    """Makes SIGINT end this process. A shell starts background jobs with SIGINT ignored, and the job would inherit the
    ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Job:
    def __init__(self, command, pes):
        self.pes = pes
        self.files = files_in_dev_shm()
        self.process = subprocess.Popen(
            command, env={**os.environ, "ATOLL_PES": str(pes)}, start_new_session=True,
            preexec_fn=accept_interrupts, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.leader = self.process.pid
        self.report = None

    def has_started(self):
        if self.process.poll() is not None:
            raise AssertionError(f"it ended by itself with status {self.process.returncode}")
        pids = session(self.leader)
        return (len(pids) >= self.pes and shared_memory([self.leader])
                and all(processor_seconds([pid]) >= START for pid in pids))

    def let_run(self):
        self.wait_for(self.has_started, 30, "it did not start")
        time.sleep(random.uniform(0.05, 0.4))

    def wait_for(self, condition, seconds, otherwise):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(otherwise)
            time.sleep(0.005)

    def expect_end(self, seconds, status):
        start = time.monotonic()
        memory = self.memory
        try:
            got = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"PE 0 runs on after {seconds} s") from None
        left = max(0.0, seconds - (time.monotonic() - start))
        self.wait_for(lambda: not session(self.leader), left, "processes are left")
        took = time.monotonic() - start
        if got != status:
            raise AssertionError(f"exit status {got} instead of {status}")
        if memory & shared_memory(processes()):
            raise AssertionError("its shared memory is still mapped")
        new = files_in_dev_shm() - self.files
        if any("atoll" in name for name in new):
            raise AssertionError(f"files in /dev/shm are left: {new}")
        return took

    def expect_report(self, text, site):
        """Checks the text that the job printed at its end. Only warnings may be printed in addition."""
        lines = [line for line in text.splitlines() if "warning" not in line]
        wanted = "; the last task it started came from " + site if site else ".*"
        right = [] if self.report is None else [f"atoll: {re.escape(self.report)}{wanted}"]
        if len(lines) != len(right) or not all(map(re.fullmatch, right, lines)):
            raise AssertionError(f"it did not say {right}")

    def kill_one(self):
        self.memory = shared_memory([self.leader])
        pids = session(self.leader)
        pe = random.randrange(len(pids))
        os.kill(pids[pe], signal.SIGKILL)
        if pe == 0:
            return -signal.SIGKILL
        self.report = f"PE {pe} was killed by signal 9 (Killed)"
        return 128 + signal.SIGKILL

    def press_ctrl_c(self):
        self.memory = shared_memory([self.leader])
        os.killpg(self.leader, signal.SIGINT)
        return 128 + signal.SIGINT

    def terminate(self):
        self.memory = shared_memory([self.leader])
        os.kill(self.leader, signal.SIGTERM)
        return 128 + signal.SIGTERM

    def clean_up(self):
        kill_all(session(self.leader))
        self.process.wait()
        return self.process.stderr.read().decode(errors="replace")


def run_once(arguments, way, pes):
    """Returns the number of seconds that the job took to end, or None after a failure."""
    job = Job(arguments.command, pes)
    said = None
    try:
        job.let_run()
        took = job.expect_end(arguments.seconds, getattr(job, way)())
        said = job.clean_up()
        job.expect_report(said, arguments.site)
        return took
    except AssertionError as failure:
        said = said or job.clean_up()
        print(f"FAILED: {way} of {pes} PEs: {failure}\n{said}", flush=True)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--site", default="")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)
    failures = 0
    for way in ("kill_one", "press_ctrl_c", "terminate"):
        times = []
        for _ in range(arguments.rounds):
            pes = random.choice(PE_COUNTS)
            times.append(run_once(arguments, way, pes))
        ended = [took for took in times if took is not None]
        failures += len(times) - len(ended)
        print(f"{way}: {len(ended)} of {len(times)} right, slowest "
              f"{max(ended, default=0) * 1000:.0f} ms", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
