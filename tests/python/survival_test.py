"""Tests that the Python process survives the end of its server in any way, and that no process is left.

A call that takes long runs while the server, a PE or the client is killed, stopped or interrupted.
"""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import atoll
import numpy as np

LONG_ENDED = 30  # seconds within which everything must have ended, on a busy machine


def processes_of(server):
    """Returns the process numbers of a server and of its PEs, PE 0 first."""
    session = server
    found = [session]
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == session:
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        state, of_session = fields[0], int(fields[3])
        if of_session == session and state != "Z":
            found.append(int(name))
    return sorted(found, key=lambda each: each != session)


def resident_mebibytes(processes):
    """Returns the memory of processes. Graphs do not count for the setting memory-limit."""
    pages = 0
    for each in processes:
        with open(f"/proc/{each}/statm", encoding="ascii") as statm:
            pages += int(statm.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def keeps_freed_memory():
    """Returns whether the server was built with a sanitizer, which does not return memory to the system."""
    with open(os.environ["ATOLL_SERVER"], "rb") as program:
        content = program.read()
    return b"__asan_init" in content or b"__tsan_init" in content


def are_gone(processes):
    deadline = time.monotonic() + LONG_ENDED
    while time.monotonic() < deadline:
        left = [each for each in processes if is_running(each)]
        if not left:
            return True
        time.sleep(0.02)
    return False


def is_running(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def server_of(session):
    return session._server._process


def long_graph():
    rng = np.random.default_rng(1)
    return atoll.Graph(rng.integers(0, 20000, 200000), rng.integers(0, 20000, 200000))


def long_call(graph):
    graph.betweenness()  # takes minutes


def after_a_moment(act):
    def later():
        time.sleep(0.3)
        act()

    thread = threading.Thread(target=later)
    thread.start()
    return thread


class Survival(unittest.TestCase):
    def ends_during_a_call(self, kind, end, pes=3, **settings):
        """Calls `end(processes)` during a call, and checks the exception and the next call."""
        with atoll.session(pes=pes, **settings) as session:
            graph = long_graph()
            processes = processes_of(server_of(session))
            self.assertEqual(len(processes), pes)
            acting = after_a_moment(lambda: end(processes))
            with self.assertRaises(kind) as caught:
                long_call(graph)
            acting.join()
            self.assertTrue(are_gone(processes))
            with self.assertRaises(atoll.GraphLost):
                graph.components()
            self.assertEqual(long_graph().components().facts["count"], 1)
        return caught.exception

    def test_a_killed_pe_is_an_exception(self):
        for number in (0, 1, 2):
            with self.subTest(pe=number):
                failure = self.ends_during_a_call(
                    atoll.PEDied, lambda all, n=number: os.kill(all[n], signal.SIGKILL)
                )
                self.assertEqual(failure.status, 128 + signal.SIGKILL)
                self.assertIn("signal 9", str(failure))

    def test_an_aborted_pe_is_an_exception_with_its_stack(self):
        # AddressSanitizer would catch SIGSEGV, and end the PE with another status.
        failure = self.ends_during_a_call(
            atoll.PEDied, lambda all: os.kill(all[1], signal.SIGABRT), pes=2
        )
        self.assertIn("signal 6", failure.report)

    def test_the_status_and_the_report_of_a_server_tell_why_it_ended(self):
        """A script takes the place of the server: it prints a report and ends with a status."""
        for kind, status, report in (
            (atoll.Hang, 3, "atoll: hang: nothing moved for 30 s"),
            (atoll.PEDied, 139, "atoll: PE 1: signal 11"),
            (atoll.OutOfMemory, 2, "atoll: out of memory (memory-limit)"),
            (atoll.ServerEnded, 4, "atoll: an exception"),
        ):
            with self.subTest(status=status), tempfile.TemporaryDirectory() as folder:
                script = pathlib.Path(folder, "server")
                script.write_text(f"#!/bin/sh\necho '{report}' >&2\nexit {status}\n")
                script.chmod(0o755)
                with unittest.mock.patch.dict(os.environ, ATOLL_SERVER=str(script)):
                    with self.assertRaises(kind) as caught:
                        atoll.session().__enter__()
                self.assertIn(report, str(caught.exception))

    def test_an_interrupt_ends_the_call(self):
        self.ends_during_a_call(
            KeyboardInterrupt, lambda _: os.kill(os.getpid(), signal.SIGINT), pes=2
        )

    def test_a_server_that_waits_does_not_count_as_hanging(self):
        with atoll.session(pes=2, hang_timeout="1s"):
            graph = atoll.Graph([0], [1])
            time.sleep(3.5)
            self.assertEqual(graph.components().tolist(), [0, 0])

    def test_a_server_that_died_between_calls_is_noticed(self):
        with atoll.session(pes=2) as session:
            graph = atoll.Graph([0], [1])
            processes = processes_of(server_of(session))
            os.kill(processes[1], signal.SIGKILL)
            self.assertTrue(are_gone(processes))
            # PEDied: the last thread of the server may still be about to end.
            with self.assertRaises((atoll.GraphLost, atoll.PEDied)) as caught:
                graph.components()
            self.assertIn("signal 9", str(caught.exception))
            self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])

    def test_a_signal_handler_may_close_the_session_during_a_call(self):
        with atoll.session(pes=2) as session:
            graph = long_graph()
            processes = processes_of(server_of(session))
            before = signal.signal(signal.SIGUSR1, lambda *_: session.close())
            try:
                acting = after_a_moment(lambda: os.kill(os.getpid(), signal.SIGUSR1))
                with self.assertRaises(atoll.AtollError):
                    long_call(graph)
                acting.join()
            finally:
                signal.signal(signal.SIGUSR1, before)
            self.assertTrue(are_gone(processes))

    def test_sessions_may_end_in_any_order(self):
        first, second = atoll.session(pes=1), atoll.session(pes=2)
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        self.assertIs(atoll.current(), second)
        second.__exit__(None, None, None)
        self.assertNotIn(atoll.current(), (first, second))

    def test_ended_and_forgotten_sessions_leave_nothing(self):
        atoll.Graph([0], [1])
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            with atoll.session(pes=1):
                atoll.Graph([0], [1])
            forgotten = atoll.session(pes=1)
            self.assertEqual(forgotten.pes, 1)
            process = server_of(forgotten)
            del forgotten
            gc.collect()
            self.assertRaises(ChildProcessError, os.waitpid, process, os.WNOHANG)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_a_program_without_standard_streams_can_start_a_server(self):
        call = "import atoll, sys; sys.exit(atoll.Graph([0], [1]).components().facts['count'] + 40)"
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            command = f'exec "$0" -c "$1" {closed}'
            ended = subprocess.run(["sh", "-c", command, sys.executable, call], timeout=LONG_ENDED)
            self.assertEqual(ended.returncode, 41, closed)

    def test_each_rank_of_a_launcher_has_a_server_of_its_own(self):
        launchers = (
            {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1"},
            {"PMI_SIZE": "4", "PMI_RANK": "1"},
        )
        for variables in launchers:
            with unittest.mock.patch.dict(os.environ, variables), atoll.session(pes=2) as session:
                self.assertEqual(session.pes, 2)
                self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])

    def test_pes_may_be_threads(self):
        with atoll.session(pes=3, pe_kind="thread"):
            graph = atoll.Graph([0, 1, 5], [1, 5, 9], [1, 2, 3])
            paths = graph.shortest_paths(0, verify=True)
            self.assertEqual(paths["distance"].tolist(), [0, 1, 3, 6])

    def test_closing_leaves_no_process(self):
        session = atoll.session(pes=4)
        with session:
            atoll.Graph([0], [1])
            processes = processes_of(server_of(session))
        self.assertTrue(are_gone(processes))

    def test_several_threads_share_a_session(self):
        with atoll.session(pes=2):
            graph = atoll.Graph([0, 2], [1, 3])
            found = []
            threads = [
                threading.Thread(target=lambda: found.append(graph.components().facts["count"]))
                for _ in range(8)
            ]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            self.assertEqual(found, [2] * 8)

    def test_a_forked_child_starts_a_server_of_its_own(self):
        with atoll.session(pes=2) as session:
            graph = atoll.Graph([0, 2], [1, 3])
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    try:
                        graph.components()
                    except atoll.GraphLost:
                        status = int(atoll.Graph([0], [1]).components().tolist() != [0, 0])
                    session.close()
                finally:
                    os._exit(status)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(graph.components().tolist(), [0, 0, 2, 2])

    @unittest.skipIf(keeps_freed_memory(), "a sanitizer keeps memory that was freed")
    def test_graphs_that_nobody_uses_are_freed(self):
        ids = np.random.default_rng(1).integers(0, 300000, 300000)
        ones = np.ones(len(ids), np.int64)
        for weights in (None, ones):  # shortest paths need another form of a graph with weights
            with self.subTest(has_weights=weights is not None), atoll.session(pes=2) as session:
                held = []
                for _ in range(10):
                    graph = atoll.Graph(ids, ids[::-1], weights)
                    self.assertGreater(graph.shortest_paths(int(ids[0])).facts["farthest"], 0)
                    held.append(resident_mebibytes(processes_of(server_of(session))))
                self.assertLess(held[-1] - held[1], 40, held)  # a graph, or its other form, has 10 MiB

    def test_results_are_freed(self):
        with atoll.session(pes=2, memory_limit="100MiB"):
            graph = atoll.Graph([], [], vertices=10**6)
            for _ in range(15):  # all fifteen results together would not fit
                self.assertEqual(graph.degrees().max(), 0)

    def test_a_graph_that_was_lost_frees_no_other_graph(self):
        with atoll.session(pes=1) as session:
            lost = atoll.Graph([0], [1])
            session.close()
            graph = atoll.Graph([0, 2], [1, 3])  # its number in the new server is that of the lost graph
            del lost
            gc.collect()
            self.assertEqual(graph.components().tolist(), [0, 0, 2, 2])
            self.assertEqual(graph.degrees().tolist(), [1, 1, 1, 1])


CLIENT = """
import atoll, os, sys
import numpy as np
with atoll.session(pes=3) as session:
    rng = np.random.default_rng(1)
    graph = atoll.Graph(rng.integers(0, 20000, 200000), rng.integers(0, 20000, 200000))
    print(session._server._process, flush=True)
    if sys.argv[1] == "call":
        graph.betweenness()
    sys.stdin.read()
"""


class KilledClients(unittest.TestCase):
    def test_a_killed_client_leaves_no_process(self):
        for state in ("call", "idle"):
            with self.subTest(state=state):
                with subprocess.Popen(
                    [sys.executable, "-c", CLIENT, state],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                ) as client:
                    processes = processes_of(int(client.stdout.readline()))
                    time.sleep(0.3)
                    client.kill()
                self.assertEqual(len(processes), 3)
                self.assertTrue(are_gone(processes))


if __name__ == "__main__":
    unittest.main()
