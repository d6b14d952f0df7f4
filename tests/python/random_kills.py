#!/usr/bin/env python3
"""Kills the server, a PE or the client of the Python package at a random moment, again and again.

usage: random_kills.py [--kills N] [--seed S] [--seconds T]

A client starts a server, makes a graph, calls two algorithms, and ends the server. The script chooses a
step of the client, and kills one process (SIGKILL) at a random moment of that step. The server itself is
PE 0. If the client is the victim, the client is a forked process.

A client that survives must get the right results, or an exception: `PEDied` with the signal, or `GraphLost`
if the server has ended before the call. The next call must work. All steps of a client and the end of all
processes must together take less than T seconds (default 60). No process, shared memory, file or descriptor
may be left.
"""

import argparse
import collections
import gc
import mmap
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time
import traceback

import atoll
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fault"))
from job_processes import files_in_dev_shm, kill_all, marked, new_mark, stat_of  # noqa: E402

VERTICES = 2000
ENDS = np.random.default_rng(1).integers(0, VERTICES, (2, 10 * VERTICES))
ALGORITHMS = {
    "components": lambda graph: graph.components(),
    "bfs": lambda graph: graph.bfs(7)["distance"],
    "shortest_paths": lambda graph: graph.shortest_paths(7)["distance"],
    "pagerank": lambda graph: graph.pagerank(),
    "triangles": lambda graph: graph.triangles()["triangles"],
    "core_numbers": lambda graph: graph.core_numbers(),
    "communities": lambda graph: graph.communities(),
    "label_propagation": lambda graph: graph.label_propagation(),
    "betweenness": lambda graph: graph.betweenness(30),
    "spanning_forest": lambda graph: graph.spanning_forest()["weight"],
    "checked": lambda graph: graph.pagerank(verify=True),
}
PAUSE = 0.01  # seconds between two calls
OVER = 255


def children(pid):
    """Returns the children that the first thread of a process has started."""
    try:
        return [int(each) for each in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def make_graph():
    return atoll.Graph(*ENDS, ENDS[0] % 100, vertices=VERTICES)


class Steps:
    """The steps of a client. Memory that a forked client shares with this process has the present step."""

    def __init__(self, algorithms):
        self.names = ["start", "graph"]
        for each in algorithms:
            self.names += ["pause", each]
        self.names.append("close")
        self.begun = {}  # the time of the begin of each step, in the process of the client
        self.took = {}
        self._present = mmap.mmap(-1, 1)

    @property
    def present(self):
        return self._present[0] - 1

    @property
    def are_over(self):
        return self._present[0] == OVER

    def run(self, place, act):
        self._present[0] = place + 1
        begin = self.begun[place] = time.monotonic()
        result = act()
        self.took[self.names[place]] = time.monotonic() - begin
        return result

    def end(self):
        self._present[0] = OVER


class Failure(Exception):
    """What a client or a server did wrong."""


def expect(name, found, results):
    """Checks a result. The first result of an algorithm is the expected one."""
    expected = results.setdefault(name, np.array(found))
    if not np.allclose(expected, found, rtol=0, atol=1e-5):
        raise Failure(f"{name}: the result is wrong")


def work(session, steps, results):
    """Runs all steps of a client. A failing step is followed by the end of the session."""
    last = len(steps.names) - 1
    steps.run(0, session.__enter__)
    try:
        graph = steps.run(1, make_graph)
        for place in range(2, last):
            name = steps.names[place]
            if name == "pause":
                steps.run(place, lambda: time.sleep(PAUSE))
            else:
                expect(name, steps.run(place, lambda: ALGORITHMS[name](graph)), results)
    except atoll.AtollError:
        expect("components", make_graph().components(), results)  # the next call works
        raise
    finally:
        steps.run(last, lambda: session.__exit__(None, None, None))


class Killer:
    """Waits for a moment of a step, and then kills a process that `victims()` returns with its name."""

    def __init__(self, rng, steps, durations, victims):
        self.steps, self.victims, self.rng = steps, victims, rng
        self.target = rng.randrange(len(steps.names))
        self.delay = rng.random() * durations.get(steps.names[self.target], PAUSE)
        self.victim = self.step = None
        self.before = self.after = 0.0  # two times between which the process was killed

    def run(self):
        while self.steps.present < self.target and not self.steps.are_over:
            time.sleep(0.0003)
        time.sleep(self.delay)
        while self.victim is None and not self.steps.are_over:
            found = self.victims()
            if found:
                pid, victim = self.rng.choice(found)
                self.kill(pid, victim)
            else:
                time.sleep(0.0002)

    def kill(self, pid, victim):
        step, self.before = self.steps.present, time.monotonic()
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # the process has ended by itself
        self.victim, self.step, self.after = victim, step, time.monotonic()


class Round:
    """One client and one kill. `seconds` limits the time of the client, and of the end of its processes."""

    def __init__(self, rng, results, durations, seconds):
        self.rng, self.results, self.durations, self.seconds = rng, results, durations, seconds
        self.pes = rng.choice((1, 2, 3, 4))
        self.steps = Steps(rng.choices(list(ALGORITHMS), k=2))
        self.session = atoll.session(pes=self.pes)
        self.mark = new_mark()
        os.environ.update(self.mark)  # for the server; /proc shows it only of processes started later
        self.failure = None
        self.waits_for_pes = self.pes > 1 and rng.random() < 0.5
        self.killer = Killer(rng, self.steps, durations, self.processes_of_server)

    def processes_of_server(self):
        """Returns the server and its other PEs. In half of the rounds, there must be several PEs."""
        server = children(os.getpid())
        others = [pid for each in server for pid in children(each)]
        if not others and self.waits_for_pes and self.steps.present == 0:
            return []
        return [(pid, "server") for pid in server] + [(pid, "PE") for pid in others]

    def kill_server(self):
        """Kills a process of the server. The client is this process."""
        thread = threading.Thread(target=self.killer.run)
        thread.start()
        try:
            work(self.session, self.steps, self.results)
        except atoll.AtollError as failure:
            self.failure = failure
        finally:
            self.steps.end()
            thread.join()
        if self.killer.victim is not None:
            self.check_failure()
            with self.session:  # in any case, the session can be used again
                expect("components", make_graph().components(), self.results)
        elif self.failure is not None:
            raise Failure("there was an exception, although nobody was killed")
        self.durations.update(self.steps.took)

    def check_failure(self):
        """Checks that the client got the right exception, or rightly none."""
        begun, last_call = self.steps.begun, len(self.steps.names) - 2
        if self.failure is None:
            if 1 in begun and begun[1] < self.killer.before and self.killer.after < begun[last_call]:
                raise Failure("a call needs the killed process, and there was no exception")
        elif isinstance(self.failure, atoll.PEDied):
            if self.failure.status != 128 + signal.SIGKILL or "signal 9" not in str(self.failure):
                raise Failure("PEDied does not name the signal")
        elif isinstance(self.failure, atoll.GraphLost):
            if max(place for place in begun if place <= last_call) < 2:
                raise Failure("GraphLost, although no call with a graph has begun")
            if self.killer.victim == "PE" and "signal 9" not in str(self.failure):
                raise Failure("GraphLost does not name the signal")
        else:
            raise Failure("this exception has the wrong class")

    def kill_client(self):
        """Kills a forked process that is the client."""
        client = os.fork()
        if client == 0:
            status = 1
            try:
                work(self.session, self.steps, self.results)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                self.steps.end()
                os._exit(status)
        self.killer.victims = lambda: [(client, "client")]
        self.killer.run()
        status = os.waitstatus_to_exitcode(os.waitpid(client, 0)[1])
        if status not in (0, -signal.SIGKILL):
            raise Failure(f"the client has ended with status {status}")
        if status == 0:
            self.killer.victim = None  # it had ended already

    def run(self):
        """Returns the killed process and the step of the client, or None if all had ended already."""
        files, descriptors = files_in_dev_shm(), len(os.listdir("/proc/self/fd"))
        if self.rng.random() < 1 / 3:
            self.kill_client()
        else:
            self.kill_server()
        self.expect_nothing_left(files, descriptors)
        return self.killer.victim

    def expect_nothing_left(self, files, descriptors):
        while marked(self.mark):
            time.sleep(0.002)  # the alarm ends this loop
        if any(name.startswith("atoll") for name in files_in_dev_shm() - files):
            raise Failure("files in /dev/shm are left")
        if os.listdir("."):
            raise Failure(f"files are left in the folder for temporary files: {os.listdir('.')}")
        gc.collect()
        if len(os.listdir("/proc/self/fd")) != descriptors:
            raise Failure("descriptors of the client are left open")
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        raise Failure("a process that has ended was not waited for")

    def describe(self):
        step = None if self.killer.step is None else self.steps.names[self.killer.step]
        return (f"{self.pes} PEs, steps {self.steps.names}: {self.killer.victim} killed in step "
                f"{step} (planned: {self.steps.names[self.killer.target]}); exception {self.failure!r}; "
                f"processes that are left: {[(pid, stat_of(pid)) for pid in marked(self.mark)]}")


def alarm(*_):
    raise Failure("the time limit is over")


def run_round(one, number, counts):
    """Runs a round, and counts what was killed, when, and the exception. Returns whether all was right."""
    signal.setitimer(signal.ITIMER_REAL, one.seconds)
    try:
        one.run()
    except Exception as failure:
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(f"FAILED: round {number}: {failure}; {one.describe()}", flush=True)
        traceback.print_exc(file=sys.stdout)
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        one.steps.end()
        kill_all(marked(one.mark))
    if one.killer.victim is not None:
        name = one.steps.names[one.killer.step]
        step = "call" if name in ALGORITHMS else name
        counts["kills"] += 1
        counts[f"{one.killer.victim} in {step}"] += 1
        if one.killer.victim != "client":
            counts[type(one.failure).__name__ if one.failure else "no exception"] += 1
    return True


def all_kinds(counts):
    """Returns the kinds of kills that a long run must contain and that did not occur."""
    kinds = [f"{victim} in {step}" for victim in ("server", "PE", "client")
             for step in ("start", "graph", "call", "pause", "close")]
    return [kind for kind in kinds if not counts[kind]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    signal.signal(signal.SIGALRM, alarm)
    results, durations, counts, failures, number = {}, {}, collections.Counter(), 0, 0
    with atoll.session(pes=2):
        graph = make_graph()
        for name, call in ALGORITHMS.items():
            expect(name, call(graph), results)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["TMPDIR"] = folder
        while counts["kills"] + failures < arguments.kills:
            rng = random.Random(f"{arguments.seed} {number}")
            one = Round(rng, results, durations, arguments.seconds)
            failures += not run_round(one, number, counts)
            number += 1
            if number % 100 == 0:
                print(f"{counts['kills']} kills, {failures} failures", flush=True)
        os.chdir("/")
    print(f"{number} clients, {failures} failures: {dict(sorted(counts.items()))}", flush=True)
    missing = all_kinds(counts) if arguments.kills >= 500 else []
    if missing:
        print(f"these kills did not occur: {missing}")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
