#!/usr/bin/env python3
"""Kills one process of a job or all its PEs, or interrupts the job, at a random moment of its start, run or end. Checks
that no process, memory or file of the job is left.

usage: random_kills.py [--kills N] [--seed S] [--seconds T] [--what one|all|interrupt] [--way WAY]...
                       [--prompt T] [--load L] PROGRAM ARGUMENTS...

PROGRAM must end by itself within seconds and print "the result is right". The script starts PROGRAM N times (default 5)
with each available way to start PEs. After a random time, one process of the program is killed (SIGKILL). The time is
at most the length of an undisturbed run. The job must end within --seconds T (default 30). No process, shared memory or
file in /dev/shm may be left. The status of the job may be 0 only if the job has printed its result. The job must name
the killed process. If the launcher itself is killed, the job need not report the death of the launcher. Without a
launcher, the job need not name PE 0, because PE 0 starts the other PEs. If a job took longer than --prompt T seconds
(default 2) to end, the script reports the processes that were still running after T seconds. With --load L, other L
processes compute all the time.
"""

import argparse
import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from job_processes import (LAST, files_in_dev_shm, kill_all, load, marked, mpi_launchers, name_of,
                           new_mark, pes_of, processes, shared_memory, stat_of)

PES = 3
LAUNCHERS = mpi_launchers(PES)
OF_PROCESSES = {"ATOLL_PES": str(PES)}
DONE = b"the result is right"

# Each entry has the form NAME: (LAUNCHER, SETTINGS, WHETHER THE LAUNCHER ITSELF IS KILLED).
WAYS = {
    "processes": ([], OF_PROCESSES, False),
    "threads": ([], OF_PROCESSES | {"ATOLL_PE_KIND": "thread"}, False),
    **{library: (start, {}, False) for library, start in LAUNCHERS.items()},
    **{f"{library}, a node each": (start, {"ATOLL_NODE_SIZE": "1"}, False)
       for library, start in LAUNCHERS.items()},
    **{f"launcher of {library}": (start, {}, True) for library, start in LAUNCHERS.items()},
}

ALL = "all PEs"
INTERRUPTED = "nobody: it was interrupted"

# For each kind of killed process, a pattern of the text that the job must print. If a process that a launcher has
# started dies, the launcher reports the death in words of its own. If MPI_Init fails on another rank first, MPICH ends
# all processes before the parent process of the killed PE (keeper) can print a message.
SAID = {
    "PE 0, the first": b"",
    "launcher": b"",
    "PE": rb"PE \d was killed by signal 9 \(Killed\)|Fatal error in \w*Init",
    "keeper": rb".",
    ALL: b"",
    INTERRUPTED: b"",
}


def accept_interrupts():
    """Makes SIGINT end this process. A shell starts background jobs with SIGINT ignored, and the job would inherit the
    ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class LauncherHangs(Exception):
    pass


def pes_or_keepers(pids, program):
    return [pid for pid in pids if name_of(pid) == program]


class Job:
    def __init__(self, way, command, is_last=False):
        self.launcher, settings, self.kills_launcher = way
        self.mark = new_mark()
        self.program = os.path.realpath(command[0])
        self.files = files_in_dev_shm()
        self.memory = set()
        self.text = tempfile.TemporaryFile()
        self.start = time.monotonic()
        self.process = subprocess.Popen((LAST if is_last else []) + self.launcher + command,
                                        stdin=subprocess.DEVNULL, env=os.environ | settings | self.mark,
                                        start_new_session=not is_last,
                                        stdout=self.text, stderr=self.text,
                                        preexec_fn=accept_interrupts)

    def said(self):
        return os.pread(self.text.fileno(), 1 << 20, 0)

    def victims(self):
        """Returns the processes that may be killed, as (process, description)."""
        pids = marked(self.mark)
        if self.kills_launcher:
            return [(pid, "launcher") for pid in pids if name_of(pid) != self.program]
        if not self.launcher:
            return [(pid, "PE 0, the first" if pid == self.process.pid else "PE") for pid in pids]
        pes = {pe for pe, _ in pes_of(pids, self.program)}
        return [(pid, "PE" if pid in pes else "keeper")
                for pid in pes_or_keepers(pids, self.program)]

    def kill(self, moment, what):
        """Returns a description of the killed process, or None if the job had already ended."""
        time.sleep(max(0, self.start + moment - time.monotonic()))
        while self.process.poll() is None:
            victims = self.victims()
            if what == "all":  # a rank that has no PE yet may become its keeper
                victims = [victim for victim in victims if victim[1] != "keeper"]
            if victims:
                self.memory = shared_memory(marked(self.mark))
                return getattr(self, f"kill_{what}")(victims)
        return None

    def kill_one(self, victims):
        pid, what = random.choice(victims)
        kill_all([pid])
        return what

    def kill_all(self, victims):
        kill_all([pid for pid, _ in victims])
        return ALL

    def kill_interrupt(self, _):
        """Interrupts the job as Ctrl-C does. Launchers pass the signal on to the ranks."""
        pids = [self.process.pid] if self.launcher else marked(self.mark)
        for pid in pids:
            try:
                os.kill(pid, signal.SIGINT)
            except ProcessLookupError:
                pass
        return INTERRUPTED

    def expect_nothing_left(self, seconds, prompt):
        """Waits until no process, shared memory or file of the job is left. Returns the processes that had not ended
        after `prompt` seconds."""
        start = time.monotonic()
        end, late = start + seconds, []
        while self.process.poll() is None or marked(self.mark):
            if not late and time.monotonic() > start + prompt:
                late = self.left()
            if time.monotonic() > end and self.mpirun_hangs():
                raise LauncherHangs
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s there are still {self.left()}")
            time.sleep(0.02)
        if self.memory & shared_memory(processes()):
            raise AssertionError("its shared memory is still mapped")
        if any("atoll" in name for name in files_in_dev_shm() - self.files):
            raise AssertionError("files in /dev/shm are left")
        return late

    def mpirun_hangs(self):
        """Returns true if only Open MPI's launcher is left and hangs, because a rank was killed while it connected to
        the launcher. Open MPI's launcher hangs in the same way with any program, so the hang is not a fault of
        Atoll."""
        return b"PMIX ERROR" in self.said() and not pes_or_keepers(marked(self.mark), self.program)

    def mpiexec_died(self):
        """Returns whether MPICH's launcher was killed by SIGPIPE. If a keeper (the parent process of a PE) is killed,
        its proxy ends, but the launcher still writes to the proxy. After the launcher's death by SIGPIPE, all processes
        end, and the job cannot name the killed process."""
        return "mpich" in self.launcher[0] and self.process.returncode == -signal.SIGPIPE

    def left(self):
        pes = {pe for pe, _ in pes_of(marked(self.mark), self.program)}
        return [(pid, name_of(pid), "PE" if pid in pes else "", (stat_of(pid) or "-")[0])
                for pid in marked(self.mark)]

    def expect_told(self, killed):
        if DONE in self.said():
            return
        if self.process.returncode == 0:
            raise AssertionError("its status is 0, and it has not said its result")
        if killed == "keeper" and self.mpiexec_died():
            return
        if killed and not re.search(SAID[killed], self.said()):
            raise AssertionError("it was not said who was killed")

    def clean_up(self):
        kill_all(marked(self.mark))
        self.process.kill()
        self.process.wait()


def run_once(way, command, moment, arguments):
    """Returns what was killed and the seconds until all processes had ended, or None after a failure."""
    job = Job(WAYS[way], command, arguments.load > 0)
    killed = None
    try:
        killed = job.kill(moment, arguments.what)
        start = time.monotonic()
        late = job.expect_nothing_left(arguments.seconds, arguments.prompt)
        job.expect_told(killed)
        took = time.monotonic() - start
        if late:
            print(f"{way}, {killed} killed after {moment:.3f} s: {took:.1f} s to the end; after "
                  f"{arguments.prompt} s there were still {late}", flush=True)
        return killed or "nobody, it had ended", took
    except LauncherHangs:
        return f"{killed}, and mpirun hung alone", arguments.seconds
    except AssertionError as failure:
        print(f"FAILED: {way}, {killed} killed after {moment:.3f} s: {failure}; status "
              f"{job.process.returncode}; it said:\n{job.said().decode(errors='replace')}", flush=True)
        return None
    finally:
        job.clean_up()


def length_of(way, arguments):
    """Returns the length of an undisturbed run, in seconds."""
    job = Job(WAYS[way], arguments.command, arguments.load > 0)
    try:
        status = job.process.wait(10 * arguments.seconds)
        if status != 0 or DONE not in job.said():
            raise SystemExit(f"undisturbed, {way} ended with status {status}:\n{job.said().decode()}")
        return time.monotonic() - job.start
    finally:
        job.clean_up()


def run_way(way, arguments):
    """Returns the number of runs with a complaint."""
    random.seed(f"{arguments.seed} {way}")
    length = length_of(way, arguments)
    results = [run_once(way, arguments.command, random.uniform(0, length), arguments)
               for _ in range(arguments.kills)]
    right = list(filter(None, results))
    counts = collections.Counter(killed for killed, _ in right)
    slowest = max((took for _, took in right), default=0)
    print(f"{way}, a run takes {length:.1f} s: {len(right)} of {len(results)} right, slowest end "
          f"{slowest:.1f} s; killed: {dict(counts)}", flush=True)
    return len(results) - len(right)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--prompt", type=float, default=2.0)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--what", default="one", choices=["one", "all", "interrupt"])
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    wanted = arguments.way or WAYS
    there = [way for way in wanted if not WAYS[way][0] or shutil.which(WAYS[way][0][0])]
    with load(arguments.load):
        failures = sum(run_way(way, arguments) for way in there)
    return 1 if failures or not there else 0


if __name__ == "__main__":
    sys.exit(main())
