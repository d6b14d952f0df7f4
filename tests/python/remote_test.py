"""Tests `atoll.connect` and `atoll serve --listen`: clients that break the rules, and servers that end.

All connections stay on this machine. Jobs of MPI run with a node for each PE, so that PEs exchange arrays with
PE 0 by messages.
"""

import contextlib
import hmac
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import atoll
import numpy as np
from protocol_test import random_message
from survival_test import keeps_freed_memory, resident_mebibytes

SERVER = os.environ["ATOLL_SERVER"]
TOKEN = "a-token-that-only-tests-know-0123456789"
ENDED = 40  # seconds within which everything must have ended, on a busy machine
OPENMPI = "mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n".split()
MPICH = ["mpiexec.mpich", "-n"]


def environment(**more):
    ours = ("ATOLL_SERVER", "ATOLL_TOKEN")
    return {**{k: v for k, v in os.environ.items() if k not in ours}, **more}


class Served:
    """A running server. At the end of the `with` block it must end by SIGTERM, without a trace of the token."""

    def __init__(self, *flags, pes=2, launcher=(), address="127.0.0.1:0", status=128 + signal.SIGTERM,
                 folder=None):
        self.status, self.folder = status, folder
        self.command = [*launcher, SERVER, "serve", "--listen", address, *flags]
        if not launcher:
            self.command += ["--pes", str(pes)]

    def __enter__(self):
        self.messages = tempfile.TemporaryFile("w+")
        self.server = subprocess.Popen(
            self.command,
            env=environment(ATOLL_TOKEN=TOKEN, ATOLL_LOG_LEVEL="info"),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            text=True,
        )
        self.address = self.server.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.told())
        self.port = int(self.address.rpartition(":")[2])
        return self

    def told(self):
        self.messages.seek(0)
        return self.messages.read()

    def __exit__(self, kind, value, trace):
        self.server.send_signal(signal.SIGTERM)
        rest, _ = self.server.communicate(timeout=ENDED)
        told = self.told()
        self.messages.close()
        if kind is None:
            assert self.status is None or self.server.returncode == self.status, (self.server.returncode, told)
            assert TOKEN not in told + rest, told

    def connect(self, **options):
        return atoll.connect(self.address, **{"token": TOKEN, **options})

    def raw(self):
        return Raw(self.port)

    def resident_mebibytes(self):
        with open(f"/proc/{self.server.pid}/task/{self.server.pid}/children", encoding="ascii") as children:
            return resident_mebibytes([self.server.pid, *map(int, children.read().split())])

    def works(self):
        """Checks that a good client is served."""
        with self.connect():
            assert atoll.Graph([0, 2], [1, 3]).components().tolist() == [0, 0, 2, 2]


class Raw:
    """A client that sends whatever a test wants."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), ENDED)
        self.progress = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def exactly(self, length):
        """Returns so many bytes, or fewer if the server has closed the connection."""
        found = b""
        while len(found) < length:
            try:
                more = self.socket.recv(length - len(found))
            except ConnectionResetError:
                more = b""
            if not more:
                break
            found += more
        return found

    def prove(self, token=TOKEN):
        """Returns the verdict of the server, and whether it has proved that it knows the token."""
        hello, ours = self.exactly(40), os.urandom(32)
        both = hello[8:] + ours
        self.socket.sendall(ours + hmac.digest(token.encode(), b"client" + both, "sha256"))
        verdict = self.exactly(1)
        return verdict, self.exactly(32) == hmac.digest(token.encode(), b"server" + both, "sha256")

    def send(self, body, arrays=(), length=None, count=None):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        header = struct.pack("<II", len(text) if length is None else length, len(arrays) if count is None else count)
        try:
            self.socket.sendall(header + text)
            for each in arrays:
                self.socket.sendall(struct.pack("<Q", len(each)) + each)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer(self):
        """Returns the next answer, without its arrays, or None if the server has closed the connection."""
        while True:
            header = self.exactly(8)
            if len(header) < 8:
                return None
            length, count = struct.unpack("<II", header)
            body = json.loads(self.exactly(length))
            for _ in range(count):
                self.exactly(*struct.unpack("<Q", self.exactly(8)))
            if "progress" not in body:
                return body
            self.progress.append(body["progress"])

    def is_closed(self):
        return self.exactly(1) == b""


def long_graph():
    rng = np.random.default_rng(1)
    return atoll.Graph(rng.integers(0, 20000, 200000), rng.integers(0, 20000, 200000))


LONG_CALL = """
import atoll, sys
import numpy as np
with atoll.connect(sys.argv[1]):
    rng = np.random.default_rng(1)
    graph = atoll.Graph(rng.integers(0, 3000, 30000), rng.integers(0, 3000, 30000))
    print("calls", flush=True)
    try:
        graph.betweenness()
    except KeyboardInterrupt:
        sys.exit(9)
"""


class Doors(unittest.TestCase):
    """Clients at the door: who is let in, and who keeps nobody waiting."""

    def test_a_wrong_token_is_refused_and_the_server_goes_on(self):
        with Served() as served:
            begin = time.monotonic()
            for wrong in ("", TOKEN[:-1], TOKEN + "x", "x" * len(TOKEN)):
                with served.raw() as client:
                    self.assertEqual(client.prove(wrong), (b"\1", False))
                    self.assertTrue(client.is_closed())
            self.assertLess(time.monotonic() - begin, 10)
            with self.assertRaisesRegex(atoll.InputError, "another token"):
                served.connect(token="another token of this length")
            served.works()

    def test_a_server_without_the_token_is_refused(self):
        """The false server sends the right hello, and cannot prove that it knows the token."""
        with socket.create_server(("127.0.0.1", 0)) as door:
            random_bytes = set()

            def serve():
                for _ in range(2):
                    client, _ = door.accept()
                    with client:
                        client.sendall(b"atoll-1\n" + bytes(32))
                        random_bytes.add(client.recv(64, socket.MSG_WAITALL)[:32])
                        client.sendall(bytes(33))
                        client.recv(1)

            thread = threading.Thread(target=serve)
            thread.start()
            address = f"tcp://127.0.0.1:{door.getsockname()[1]}"
            for _ in range(2):
                with self.assertRaisesRegex(atoll.EnvironmentFault, "not proved that it knows the token"):
                    atoll.connect(address, token=TOKEN)
            thread.join()
            self.assertEqual(len(random_bytes), 2)  # the proof of an earlier connection must be useless

    def test_a_proof_is_useless_for_the_next_connection(self):
        with Served() as served:
            with served.raw() as first, served.raw() as second:
                # The server answers the second client when the first client has left.
                hello = first.exactly(40)
                first.socket.close()
                self.assertNotEqual(second.exactly(40), hello)
            served.works()

    def test_a_server_may_listen_at_an_address_of_ipv6(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("this machine has no IPv6")
        with Served(address="[::1]:0") as served:
            self.assertTrue(served.address.startswith("tcp://[::1]:"), served.address)
            served.works()

    def test_silent_clients_do_not_keep_others_out(self):
        with Served() as served, contextlib.ExitStack() as stack:
            silent = [stack.enter_context(served.raw()) for _ in range(20)]
            for each in silent[::2]:
                each.socket.sendall(b"x" * 63)
            served.works()  # a client gives up after 10 seconds, and one after another they would take 80
            for each in silent:
                each.exactly(40)
                self.assertTrue(each.is_closed())

    def test_brackets_in_brackets_are_an_error_of_the_call(self):
        deep = b"[" * 400000 + b"]" * 400000
        with Served() as served:
            for body in (b'{"call":"job","id":' + deep + b"}", b'{"id":1,"call":"edges","graph":' + deep + b"}"):
                with served.raw() as client:
                    client.prove()
                    client.send(body)
                    self.assertIn("a list or an object", client.answer()["error"]["text"])
                served.works()

    def test_clients_that_leave_or_chatter_at_the_door_do_no_harm(self):
        with Served() as served:
            for said in (b"", b"x", b"GET / HTTP/1.1\r\n\r\n", os.urandom(64), os.urandom(100000)):
                with served.raw() as client:
                    client.socket.sendall(said)
            served.works()

    def test_a_second_client_is_told_that_the_server_is_busy(self):
        with Served() as served, served.connect() as first:
            self.assertEqual(first.pes, 2)
            # Only connecting has a deadline, and a call may take hours.
            self.assertIsNone(first._server._socket.gettimeout())
            with self.assertRaisesRegex(atoll.EnvironmentFault, "busy"):
                served.connect()
            self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])
            first.close()
            served.works()

    def test_wrong_flags_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "token"
            file.write_text(TOKEN + "\n")
            file.chmod(0o644)
            short = pathlib.Path(folder) / "short"
            short.write_text("abc\n")
            short.chmod(0o600)
            loop = ["--listen", "127.0.0.1:0"]
            for flags, part in (
                ([], "--listen"),
                (loop, "token"),
                ([*loop, "--token-file", str(file)], "chmod 600"),
                ([*loop, "--token-file", str(short)], "3 characters"),
                ([*loop, "--token-file", folder + "/none"], "none"),
                ([*loop, "--descriptor", "3"], "--descriptor"),
            ):
                self.is_refused(flags, part)
            for flags, part in (
                (["--listen", "127.0.0.1"], "HOST:PORT"),
                (["--listen", "127.0.0.1:x"], "HOST:PORT"),
                (["--listen", "127.0.0.1:65536"], "HOST:PORT"),
                (["--listen", "192.0.2.1:0"], "--without-encryption"),
                (["--listen", "0.0.0.0:0"], "--without-encryption"),
                ([*loop, "--transport", "sim"], "sim"),
                ([*loop, "--tls-key", str(file)], "belong together"),
                ([*loop, "--tls-key", str(file), "--tls-certificate", str(file)], "--tls-certificate"),
            ):
                self.is_refused(flags, part, ATOLL_TOKEN=TOKEN)
            file.chmod(0o600)
            with Served("--token-file", str(file)) as served:
                served.works()

    def is_refused(self, flags, part, **variables):
        ended = subprocess.run(
            [SERVER, "serve", *flags], capture_output=True, text=True, timeout=ENDED, env=environment(**variables)
        )
        self.assertIn(part, ended.stderr)
        self.assertEqual(ended.returncode, 2)
        self.assertNotIn(TOKEN, ended.stderr)

    def test_wrong_addresses_are_refused(self):
        for address in ("", "127.0.0.1:7", "tcp://", "tcp://host", "tcp://:7", "http://a:7", "tcp://a:7/b", "tcp://a:x"):
            with self.subTest(address=address), self.assertRaisesRegex(atoll.InputError, "address"):
                atoll.connect(address, token=TOKEN)
        with self.assertRaisesRegex(atoll.InputError, "token"):
            atoll.connect("tcp://127.0.0.1:7")
        with self.assertRaisesRegex(atoll.InputError, "certificate"):
            atoll.connect("tcp://127.0.0.1:7", token=TOKEN, certificate="x.pem")
        with socket.create_server(("127.0.0.1", 0)) as door:
            port = door.getsockname()[1]
        with self.assertRaisesRegex(atoll.EnvironmentFault, "no connection"):
            atoll.connect(f"tcp://127.0.0.1:{port}", token=TOKEN)


def make_certificate(folder, name, san="IP:127.0.0.1"):
    files = [f"{folder}/{name}.pem", f"{folder}/{name}.key"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", f"subjectAltName={san}", "-out", files[0], "-keyout", files[1]],
        check=True, capture_output=True,
    )
    return files


@unittest.skipUnless(shutil.which("openssl"), "no program openssl makes certificates here")
class Encryption(unittest.TestCase):
    def test_certificates_decide_who_is_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            right, key = make_certificate(folder, "right")
            wrong, other_key = make_certificate(folder, "wrong")
            elsewhere, its_key = make_certificate(folder, "elsewhere", "IP:192.0.2.1")
            with Served("--tls-certificate", right, "--tls-key", key) as served:
                self.assertTrue(served.address.startswith("tls://"))
                with served.connect(certificate=right):
                    rng = np.random.default_rng(1)
                    ids = rng.integers(0, 10**5, (2, 300000))
                    self.assertEqual(atoll.Graph(*ids).vertices.tolist(), np.unique(ids).tolist())
                for refused in (wrong, None):
                    with self.assertRaisesRegex(atoll.EnvironmentFault, "certificate"):
                        served.connect(certificate=refused)
                with self.assertRaisesRegex(atoll.EnvironmentFault, "tls://"):
                    atoll.connect(served.address.replace("tls", "tcp"), token=TOKEN)
                with self.assertRaisesRegex(atoll.InputError, "another token"):
                    served.connect(token="another token of this length", certificate=right)
                with self.assertRaisesRegex(atoll.InputError, "cannot be read"):
                    served.connect(certificate=folder + "/none.pem")
                with served.connect(certificate=right):
                    self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])
            with Served("--tls-certificate", elsewhere, "--tls-key", its_key) as served:
                with self.assertRaisesRegex(atoll.EnvironmentFault, "certificate"):
                    served.connect(certificate=elsewhere)
            with Served() as served, self.assertRaisesRegex(atoll.EnvironmentFault, "tcp://"):
                atoll.connect(served.address.replace("tcp", "tls"), token=TOKEN, certificate=right)
            ended = subprocess.run(
                [SERVER, "serve", "--listen", "127.0.0.1:0", "--tls-certificate", right, "--tls-key", other_key],
                capture_output=True, text=True, timeout=ENDED, env=environment(ATOLL_TOKEN=TOKEN),
            )
            self.assertEqual(ended.returncode, 2)
            self.assertIn("--tls-key", ended.stderr)

    def test_a_client_that_does_not_begin_tls_keeps_others_waiting_for_some_seconds_only(self):
        with tempfile.TemporaryDirectory() as folder:
            right, key = make_certificate(folder, "right")
            with Served("--tls-certificate", right, "--tls-key", key) as served, served.raw() as silent:
                begin = time.monotonic()
                with served.connect(certificate=right) as session:
                    self.assertEqual(session.pes, 2)
                self.assertLess(time.monotonic() - begin, 9)
                self.assertTrue(silent.is_closed())


class Files(unittest.TestCase):
    def test_paths_are_those_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder, Served(folder=folder) as served, served.connect():
            pathlib.Path(folder, "both.el").write_text("0 1\n1 2\n2 0\n")
            pathlib.Path(folder, "names").write_text("Ada\nBob\nCy\n")
            graph = atoll.read("both.el", names="names")
            self.assertEqual(graph.vertices.tolist(), ["Ada", "Bob", "Cy"])
            part = graph.subgraph(graph.vertices != "Cy")
            self.assertEqual(part.edge_list().tolist(), [(0, 1)])
            part.write("part.el", names=False)
            self.assertEqual(pathlib.Path(folder, "part.el").read_text(), "0 1\n")


class Messages(unittest.TestCase):
    def test_messages_that_break_the_rules_end_the_connection_only(self):
        ids = struct.pack("<qq", 0, 1)
        graph = {"id": 1, "call": "graph", "edges": 2, "src": 0, "dst": 1, "named": False}
        with Served() as served:
            for act in (
                lambda raw: raw.send(b"no json"),
                lambda raw: raw.send(b"[]"),
                lambda raw: raw.send(b"", length=1 << 30),
                lambda raw: raw.send({"id": 1, "call": "job"}, count=9),
                lambda raw: raw.send({"id": 1, "call": "job"}, count=1 << 31),
                lambda raw: (raw.send(graph, count=2), raw.socket.sendall(struct.pack("<Q", 1 << 60))),
                lambda raw: (raw.send(graph, count=2), raw.socket.sendall(struct.pack("<Q", 2**64 - 1))),
            ):
                with served.raw() as raw:
                    self.assertEqual(raw.prove(), (b"\0", True))
                    act(raw)
                    self.assertIsNone(raw.answer())
            for act in (
                lambda raw: raw.socket.sendall(b"\0\0\0"),
                lambda raw: raw.send(b'{"id": 1, "call"', length=100),
                lambda raw: (raw.send(graph, count=2), raw.socket.sendall(b"\7\0\0")),
                lambda raw: (raw.send(graph, count=2), raw.socket.sendall(struct.pack("<Q", 16) + ids[:9])),
            ):
                with served.raw() as raw:
                    self.assertEqual(raw.prove(), (b"\0", True))
                    act(raw)
            with served.raw() as raw:
                self.assertEqual(raw.prove(), (b"\0", True))
                raw.send({**graph, "edges": 3}, [ids, ids])
                self.assertIn("fewer than 3", raw.answer()["error"]["text"])
                raw.send(graph, [ids, ids])
                self.assertEqual(raw.answer()["facts"]["vertices"], 2)
            served.works()

    def test_progress_is_told_during_a_call(self):
        ids = np.random.default_rng(1).integers(0, 3000, (2, 30000))
        with Served() as served, served.raw() as raw:
            raw.prove()
            graph = {"id": 1, "call": "graph", "edges": ids.shape[1], "src": 0, "dst": 1, "named": False}
            raw.send(graph, [each.tobytes() for each in ids])
            self.assertEqual(raw.answer()["facts"]["edges"], ids.shape[1])
            raw.send({"id": 2, "call": "betweenness", "graph": 1})
            self.assertEqual(raw.answer()["id"], 2)
            self.assertTrue(any(0 < each["done"] < 1 and each["step"] for each in raw.progress), raw.progress)

    def test_an_array_that_does_not_fit_is_refused_and_the_next_call_works(self):
        with Served("--memory-limit", "64MiB") as served, served.connect() as session:
            large = np.zeros(9 << 20, np.int64)
            with self.assertRaisesRegex(atoll.OutOfMemory, "memory-limit is 64MiB"):
                atoll.Graph(large, large)
            self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])
            self.assertEqual(session.pes, 2)

    def test_random_messages_are_survived(self):
        seconds = float(os.environ.get("SECONDS_OF_FUZZING", "4"))
        seed = int(os.environ.get("SEED_OF_FUZZING", time.time_ns() % 10**9))
        rng, end = random.Random(seed), time.monotonic() + seconds
        with self.subTest(seed=seed), Served(pes=3) as served:
            while time.monotonic() < end:
                with served.raw() as raw:
                    self.assertEqual(raw.prove()[1], True)
                    self.fuzz(raw, rng, end)
            served.works()

    def fuzz(self, raw, rng, end):
        for number in range(200):
            body, files = random_message(rng, number)
            arrays = []
            for each in files:
                arrays.append(os.pread(each, 1000, 0))
                os.close(each)
            count = rng.choice((None,) * 50 + (rng.randrange(10),))
            raw.send(body, arrays, count=count)
            if rng.random() < 0.01:
                raw.socket.sendall(os.urandom(rng.randrange(100)))
                return
            if count is not None or time.monotonic() >= end or (rng.random() < 0.9 and raw.answer() is None):
                return


class Losses(unittest.TestCase):
    def test_a_client_that_is_killed_or_interrupted_during_a_call_is_forgotten(self):
        for number, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 9)):
            with self.subTest(signal=number), Served() as served:
                with subprocess.Popen(
                    [sys.executable, "-c", LONG_CALL, served.address],
                    stdout=subprocess.PIPE, env={**os.environ, "ATOLL_TOKEN": TOKEN},
                ) as client:
                    client.stdout.readline()
                    time.sleep(0.3)
                    client.send_signal(number)
                    self.assertEqual(client.wait(ENDED), status)
                self.await_free(served)
                served.works()

    def await_free(self, served):
        """The server finishes the call of a client that has left, before it serves the next client."""
        deadline = time.monotonic() + 4 * ENDED
        while True:
            try:
                return served.connect().close()
            except atoll.EnvironmentFault as fault:
                self.assertIn("busy", str(fault))
                self.assertLess(time.monotonic(), deadline)

    @unittest.skipIf(keeps_freed_memory(), "a sanitizer keeps memory that was freed")
    def test_graphs_of_clients_that_have_left_are_freed(self):
        with Served() as served:
            ids = np.random.default_rng(1).integers(0, 300000, 300000)
            held = []
            for _ in range(6):
                with served.connect():
                    kept = [atoll.Graph(ids, ids[::-1]) for _ in range(2)]
                    self.assertEqual(kept[1].edges, len(ids))
                    held.append(served.resident_mebibytes())
            self.assertLess(held[-1] - held[1], 40, held)  # the graphs of a client have 20 MiB

    def test_the_end_of_a_server_is_an_exception(self):
        with Served(status=None) as served, served.connect() as session:
            graph = long_graph()
            threading.Timer(0.3, served.server.kill).start()
            with self.assertRaisesRegex(atoll.ServerEnded, "connection"):
                graph.betweenness()
            with self.assertRaisesRegex(atoll.GraphLost, "connection"):
                graph.components()
            served.server.wait(ENDED)
            with self.assertRaisesRegex(atoll.EnvironmentFault, "no connection"):
                atoll.Graph([0], [1])
            with Served(address=f"127.0.0.1:{served.port}"):
                self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])
            self.assertIn("not connected", repr(session))

    def test_a_result_that_does_not_fit_here_is_an_exception(self):
        with Served() as served, served.connect():
            graph = atoll.Graph([], [], vertices=100000)
            empty = np.empty

            def without_room(shape, *more):
                if shape == 8 * 100000:
                    raise MemoryError
                return empty(shape, *more)

            with unittest.mock.patch.object(np, "empty", without_room), self.assertRaises(atoll.OutOfMemory):
                graph.degrees()
            self.assertRaises(atoll.GraphLost, graph.degrees)
            self.assertEqual(atoll.Graph([0], [1]).degrees().tolist(), [1, 1])

    def test_the_end_of_an_idle_server_is_noticed(self):
        with Served(status=None) as served, served.connect():
            graph = atoll.Graph([0], [1])
            served.server.kill()
            served.server.wait(ENDED)
            with self.assertRaises(atoll.GraphLost):
                graph.components()

    def test_a_forked_child_leaves_the_connection_of_its_parent_alone(self):
        with Served() as served, served.connect():
            graph = atoll.Graph([0, 2], [1, 3])
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    graph.components()
                except atoll.GraphLost:
                    status = 0
                finally:
                    os._exit(status)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(graph.components().tolist(), [0, 0, 2, 2])

    def test_an_idle_server_does_not_hang(self):
        with Served("--hang-timeout", "1s") as served:
            time.sleep(3)
            with served.connect():
                time.sleep(3)
                self.assertEqual(atoll.Graph([0], [1]).components().tolist(), [0, 0])
            self.assertNotIn("no progress", served.told())


def launchers():
    """Returns the launchers of the MPI libraries that are installed and for which the server has a plug-in."""
    with open(SERVER, "rb") as program:
        if b"__asan_init" in program.read():
            return {}  # sanitizers would report faults of the MPI libraries
    plugins = pathlib.Path(SERVER).parent.parent / "lib/atoll"
    known = {"openmpi": OPENMPI, "mpich": MPICH}
    return {
        library: command for library, command in known.items()
        if shutil.which(command[0]) and (plugins / f"libatoll_mpi_{library}.so").exists()
    }


class Clusters(unittest.TestCase):
    def test_a_job_of_mpi_answers_as_a_local_server_does(self):
        if not launchers():
            self.skipTest("there is no MPI here")
        rng = np.random.default_rng(2)
        ids, weights = rng.integers(0, 20000, (2, 60000)), rng.integers(1, 9, 60000)
        names = [np.char.add("name ", each[:10000].astype(str)) for each in ids]
        with atoll.session(pes=2):
            right = answers_about(ids, weights, names)
        for library, command in launchers().items():
            for ranks, more in ((2, ["--node-size", "1"]), (3, ["--node-size", "2", "--buffer-size", "1KiB"])):
                with self.subTest(library=library, ranks=ranks, more=more):
                    launcher = [*command, str(ranks)]
                    with Served(*more, launcher=launcher, status=None) as served, served.connect() as session:
                        self.assertEqual(session.pes, ranks)
                        for found, expected in zip(answers_about(ids, weights, names), right):
                            np.testing.assert_array_equal(found, expected)


def answers_about(ids, weights, names):
    """Returns results that use every way of arrays: ids, weights, names, rows, edges and neighbours."""
    graph, named = atoll.Graph(*ids, weights), atoll.Graph(*names)
    order = np.argsort(named.vertices)
    part = graph.subgraph(graph.vertices % 3 > 0)
    return [
        np.sort(graph.edge_list(), order=["src", "dst", "weight"]), part.vertices, part.components(),
        np.sort(part.edge_list(), order=["src", "dst", "weight"]), written(graph),
        graph.vertices, graph.components(), graph.shortest_paths(int(ids[0][0]))["distance"],
        np.sort(graph.spanning_forest(), order=["u", "v"])["weight"], graph.neighbors(int(ids[0][0])),
        graph.core_numbers(), named.vertices[order], named.degrees()[order],
        atoll.Graph(np.empty(0, int), np.empty(0, int)).vertices,
    ]


def written(graph):
    """Returns the lines of the file that the server writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "graph.wel")
        graph.write(path, names=False)
        return path.read_text().splitlines()


if __name__ == "__main__":
    unittest.main()
