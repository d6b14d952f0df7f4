#!/usr/bin/env python3
"""Kills and interrupts jobs at random times and looks at what is left.

usage: kills.py [--rounds N] [--seconds S] [--seed N] COMMAND...

COMMAND starts a job that would run for long; ATOLL_PES is set for it. Each round starts it once for
each way to end it: kill -9 of one of its processes (PE 0 too), Ctrl-C, SIGTERM. After each, the job
must have ended within S seconds (1) with the right exit status, and no process of its session, no
mapping of its shared memory and no file in /dev/shm may be left.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

PE_COUNTS = [1, 2, 3, 4, 7, 8]
SHARED = re.compile(r"\S+ \S+ \S+ \S+ (\d+)\s+/memfd:atoll")


def stat_of(pid):
    """State and session of a process; None when it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[3])


def processes():
    return [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]


def session(leader):
    """The processes of a session, without those that have ended and wait to be collected."""
    found = {pid: stat_of(pid) for pid in processes()}
    return [pid for pid, stat in found.items() if stat and stat[0] != "Z" and stat[1] == leader]


def shared_memory(pids):
    """The inodes of the jobs' memory that these processes map."""
    found = set()
    for pid in pids:
        try:
            found.update(SHARED.findall(pathlib.Path(f"/proc/{pid}/maps").read_text()))
        except OSError:
            pass
    return found


def files_in_dev_shm():
    folder = pathlib.Path("/dev/shm")
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()


def accept_interrupts():
    """A job started in the background of a shell would inherit that SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Job:
    def __init__(self, command, pes):
        self.files = files_in_dev_shm()
        self.process = subprocess.Popen(
            command, env={**os.environ, "ATOLL_PES": str(pes)}, start_new_session=True,
            preexec_fn=accept_interrupts, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.leader = self.process.pid
        self.wait_for(lambda: len(session(self.leader)) >= pes, 30, "it did not start")
        # All PEs are there; PE 0 handles signals a moment later, and then does something.
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

    def kill_one(self):
        self.memory = shared_memory([self.leader])
        victim = random.choice(session(self.leader))
        os.kill(victim, signal.SIGKILL)
        return -signal.SIGKILL if victim == self.leader else 128 + signal.SIGKILL

    def press_ctrl_c(self):
        self.memory = shared_memory([self.leader])
        os.killpg(self.leader, signal.SIGINT)
        return 128 + signal.SIGINT

    def terminate(self):
        self.memory = shared_memory([self.leader])
        os.kill(self.leader, signal.SIGTERM)
        return 128 + signal.SIGTERM

    def clean_up(self):
        for pid in session(self.leader):
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        return self.process.stderr.read().decode(errors="replace")


def run_once(command, way, pes, seconds):
    """The seconds the job took to end, or None after a failure."""
    job = Job(command, pes)
    try:
        took = job.expect_end(seconds, getattr(job, way)())
    except AssertionError as failure:
        said = job.clean_up()
        print(f"FAILED: {way} of {pes} PEs: {failure}\n{said}", flush=True)
        return None
    job.clean_up()
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)
    failures = 0
    for way in ("kill_one", "press_ctrl_c", "terminate"):
        times = []
        for _ in range(arguments.rounds):
            pes = random.choice(PE_COUNTS)
            times.append(run_once(arguments.command, way, pes, arguments.seconds))
        ended = [took for took in times if took is not None]
        failures += len(times) - len(ended)
        print(f"{way}: {len(ended)} of {len(times)} right, slowest "
              f"{max(ended, default=0) * 1000:.0f} ms", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
