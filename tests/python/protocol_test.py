"""Tests the protocol of `atoll serve` with clients that break its rules.

The server must end with the exit status 2 and a message, or answer with an error. It must never crash,
and never hang. SECONDS_OF_FUZZING in the environment sets how long random messages are sent, and
SEED_OF_FUZZING repeats the messages of an earlier run.
"""

import array
import collections
import fcntl
import json
import os
import random
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

SERVER = os.environ["ATOLL_SERVER"]
ENDED = 30  # seconds within which a server must have ended, on a busy machine


def memory_file(content, seals=fcntl.F_SEAL_SHRINK):
    made = os.memfd_create("test", os.MFD_ALLOW_SEALING)
    os.write(made, content)
    fcntl.fcntl(made, fcntl.F_ADD_SEALS, seals)
    return made


class Client:
    """A client that sends whatever a test wants."""

    def __init__(self, pes=2):
        self.socket, theirs = socket.socketpair()
        environment = {k: v for k, v in os.environ.items() if k != "ATOLL_SERVER"}
        self.server = subprocess.Popen(
            [SERVER, "serve", "--descriptor", str(theirs.fileno()), "--pes", str(pes)],
            pass_fds=[theirs.fileno()],
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        theirs.close()
        self.socket.settimeout(ENDED)

    def send(self, body, files=(), length=None, announced=None):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        header = struct.pack(
            "=II",
            len(text) if length is None else length,
            len(files) if announced is None else announced,
        )
        rights = []
        if files:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
        try:
            self.socket.sendmsg([header + text], rights)
        except (BrokenPipeError, ConnectionResetError):
            pass
        for each in files:
            os.close(each)

    def answer(self):
        """Returns the next answer, without its arrays, or None if the server has ended."""
        while True:
            body = self.receive()
            if body is None or "progress" not in body:
                return body

    def receive(self):
        """Returns the next message of the server, without its arrays, or None if the server has ended."""
        try:
            first, rights, _, _ = self.socket.recvmsg(8, 1024)
            for _, _, content in rights:
                numbers = array.array("i")
                numbers.frombytes(content)
                for each in numbers:
                    os.close(each)
            if not first:
                return None
            length, text = struct.unpack("=II", first)[0], b""
            while len(text) < length:
                text += self.socket.recv(length - len(text))
            return json.loads(text)
        except ConnectionResetError:
            return None

    def end(self):
        """Closes the connection. Returns the exit status of the server and its messages."""
        self.socket.close()
        _, messages = self.server.communicate(timeout=ENDED)
        return self.server.returncode, messages


GRAPH = {"id": 1, "call": "graph", "edges": 2, "src": 0, "dst": 1, "named": False}
TWO_IDS = struct.pack("=qq", 0, 1)


class Protocol(unittest.TestCase):
    def ends(self, client, *parts):
        self.assertIsNone(client.answer())
        status, messages = client.end()
        self.assertEqual(status, 2, messages)
        for part in parts:
            self.assertIn(part, messages)

    def is_refused(self, client, body, *parts, files=()):
        client.send(body, files)
        error = client.answer()["error"]
        for part in parts:
            self.assertIn(part, error["text"])

    def test_a_client_that_leaves_ends_the_server(self):
        client = Client()
        client.send({"id": 1, "call": "job"})
        self.assertEqual(client.answer()["facts"]["pes"], 2)
        self.assertEqual(client.end(), (0, ""))

    def test_messages_that_break_the_rules_end_the_server(self):
        for text, parts in (
            (b"no json", "JSON"),
            (b"[]", "JSON"),
            (b'{"id": 1', "JSON"),
            (b"\xff\xfe", "JSON"),
        ):
            client = Client()
            client.send(text)
            self.ends(client, parts)
        client = Client()
        client.send(b"", length=1 << 30)
        self.ends(client, "1073741824", "1048576")
        client = Client()
        client.send({"id": 1, "call": "job"}, announced=3)
        self.ends(client, "announces 3 descriptors")
        client = Client()
        client.send({"id": 1}, [memory_file(b"") for _ in range(20)])
        self.ends(client, "descriptors")

    def test_a_message_that_ends_early_ends_the_server(self):
        client = Client()
        client.send(b'{"id": 1, "call"', length=100)
        self.assertEqual(client.end()[0], 0)

    def test_a_flood_of_messages_ends_the_server(self):
        client = Client()
        ids = memory_file(struct.pack("=qq", 0, 1) * 100000)
        client.send({**GRAPH, "edges": 200000, "positions": True}, [ids, os.dup(ids)])
        for number in range(2000):
            client.send({"id": number, "call": "betweenness", "graph": 1, "verify": True})
        while client.answer() is not None:
            pass
        status, messages = client.end()
        self.assertEqual(status, 2, messages)
        self.assertIn("without waiting", messages)

    def test_wrong_calls_are_answered_by_errors(self):
        client = Client()
        ids = lambda: memory_file(TWO_IDS)
        self.is_refused(client, {"id": 1}, "call")
        self.is_refused(client, {"id": 1, "call": 7}, "call")
        self.is_refused(client, {"id": 1, "call": "drop tables"}, "drop tables")
        self.is_refused(client, {"id": 1, "call": "job", "pes": 4}, "no argument pes")
        self.is_refused(client, {"id": 1, "call": "components", "graph": 9}, "no such graph")
        self.is_refused(client, {"id": 1, "call": "components", "graph": -1}, "graph")
        self.is_refused(client, {"id": 1, "call": "components", "graph": "1"}, "graph")
        self.is_refused(client, GRAPH, "src", "no array")
        self.is_refused(client, GRAPH, "dst", "no array", files=[ids()])
        self.is_refused(client, {**GRAPH, "edges": 3}, "fewer than 3", files=[ids(), ids()])
        self.is_refused(client, {**GRAPH, "edges": 2**60}, "edges", files=[ids(), ids()])
        self.is_refused(client, {**GRAPH, "src_type": "<c16"}, "<c16", files=[ids(), ids()])
        self.is_refused(client, {**GRAPH, "src_type": "<f8"}, "integers", files=[ids(), ids()])
        self.is_refused(client, {**GRAPH, "named": 1}, "named", files=[ids(), ids()])
        self.is_refused(client, {**GRAPH, "direction": "in"}, "direction", files=[ids(), ids()])
        pipe, other = os.pipe()
        os.close(other)
        self.is_refused(client, GRAPH, "not a file", files=[pipe, ids()])
        client.send(GRAPH, [ids(), ids()])
        self.assertEqual(client.answer()["facts"]["vertices"], 2)
        part = {"id": 2, "call": "subgraph", "graph": 1, "mask": 0}
        self.is_refused(client, part, "mask", "no array")
        for mask in (b"", b"\1", b"\1\1\1"):
            text = f"mask: {len(mask)} elements were sent, and the graph has 2"
            self.is_refused(client, part, text, files=[memory_file(mask)])
        client.send(part, [memory_file(b"\0\1")])
        self.assertEqual(client.answer()["facts"]["vertices"], 1)
        self.assertEqual(client.end(), (0, ""))

    def test_wrong_ends_of_names_are_refused(self):
        for ends in ((0, 9, 9), (0, 3, 1), (2, 1, 2), (-1, 0, 1), (0, 1, 2**62)):
            client = Client()
            body = {**GRAPH, "named": True, "src_text": 2, "dst_text": 2}
            right = memory_file(struct.pack("=qqq", 0, 1, 2))
            wrong = memory_file(struct.pack("=qqq", *ends))
            self.is_refused(client, body, "ends of names", files=[wrong, right, memory_file(b"ab")])
            self.assertEqual(client.end(), (0, ""))

    def test_an_array_that_could_shrink_is_refused(self):
        client = Client()
        with tempfile.TemporaryFile() as file:
            file.write(TWO_IDS)
            file.flush()
            for unsealed in (memory_file(TWO_IDS, fcntl.F_SEAL_GROW), os.dup(file.fileno())):
                self.is_refused(client, GRAPH, "F_SEAL_SHRINK", files=[unsealed, memory_file(TWO_IDS)])
        self.assertEqual(client.end(), (0, ""))

    def test_a_dying_server_may_receive_messages(self):
        for _ in range(8):
            client = Client(pes=2)
            client.send({"id": 1, "call": "job"})
            client.answer()
            children = f"/proc/{client.server.pid}/task/{client.server.pid}/children"
            with open(children, encoding="ascii") as file:
                os.kill(int(file.read().split()[0]), signal.SIGKILL)
            while client.server.poll() is None:
                client.send({"id": 2, "call": "job"})
                time.sleep(0.0002)
            status, messages = client.end()
            self.assertEqual(status, 128 + signal.SIGKILL, messages)

    def test_a_descriptor_that_is_no_socket_is_refused(self):
        for descriptor in ("0", "999"):
            ended = subprocess.run(
                [SERVER, "serve", "--descriptor", descriptor],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=ENDED,
            )
            self.assertEqual(ended.returncode, 2)
            self.assertIn(f"--descriptor {descriptor}", ended.stderr)

    def test_random_messages_are_survived(self):
        seconds = float(os.environ.get("SECONDS_OF_FUZZING", "4"))
        seed = int(os.environ.get("SEED_OF_FUZZING", time.time_ns() % 10**9))
        print(f"SEED_OF_FUZZING={seed}", flush=True)
        rng, counts = random.Random(seed), collections.Counter()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.subTest(seed=seed, server=counts["servers"]):
                self.fuzz(rng, end, counts)
        print(f"{seconds:g} s of random messages: {dict(counts)}", flush=True)
        self.assertGreater(counts["results"], 0)
        self.assertGreater(counts["errors"], 0)

    def answer_to(self, client, body):
        try:
            return client.answer()
        except socket.timeout:
            client.server.kill()
            self.fail(f"no answer within {ENDED} s to {body}; messages: {client.end()[1]}")

    def fuzz(self, rng, end, counts):
        """Sends random messages to one server, and counts them and the answers."""
        counts["servers"] += 1
        client = Client(pes=rng.choice((1, 2, 3)))
        for number in range(200):
            if time.monotonic() >= end:
                break
            counts["messages"] += 1
            body, files = random_message(rng, number) if number else random_graph(rng)
            client.send(body, files)
            if may_take_hours(body):
                break
            if rng.random() < 0.9:
                answer = self.answer_to(client, body)
                if answer is None:
                    break
                counts["errors" if "error" in answer else "results"] += 1
        status, messages = client.end()
        counts[f"ended with status {status}"] += 1
        # 143: the client left during a call, which ended the job by SIGTERM.
        self.assertIn(status, (0, 2, 143), messages)
        told = [line for line in messages.splitlines() if "atoll: warning:" not in line]
        self.assertTrue(told or status != 2, "a server that refuses a message must tell why")


CALLS = ("graph read destroy vertices degrees neighbors components bfs shortest_paths pagerank "
         "triangles core_numbers label_propagation communities betweenness spanning_forest job edges subgraph write").split()
NAMES = ("graph vertex source edges src dst weight src_type dst_type weight_type named directed "
         "positions vertices unweighted verify damping tolerance max_iterations iterations k seed "
         "resolution quality counted path src_text dst_text mask").split()
VALUES = (None, True, False, 0, 1, 2, 3, 5, -1, 2**31, 2**63, 2**64 - 1, 0.5, -0.5, 1e300, "", "0",
          "1", "a", "modularity", "<i8", "<i4", "<u4", "<f8", "/dev/null", [], {}, [1], {"a": 1})


def may_take_hours(body):
    """Returns whether a message asks for a huge number of iterations. The client then leaves during the call."""
    given = body if isinstance(body, dict) else {}
    numbers = (given.get("iterations"), given.get("max_iterations"))
    return any(isinstance(each, (int, float)) and each >= 2**31 for each in numbers)


def random_graph(rng):
    """Returns a message that makes a small graph, and its files. Later random calls find this graph."""
    edges = rng.choice((1, 7, 50, 3000))
    body = {**GRAPH, "edges": edges, "directed": rng.random() < 0.5}
    columns = [[rng.randrange(1 + edges // 2) for _ in range(edges)] for _ in range(2)]
    if rng.random() < 0.5:
        body.update(weight=2, weight_type="<i8")
        columns.append([rng.randrange(10) for _ in range(edges)])
    return body, [memory_file(array.array("q", each).tobytes()) for each in columns]


def random_message(rng, number):
    """Returns a message that is often nearly right, and its files."""
    files = [
        memory_file(bytes(rng.choice((0, 0, 1, 2, 127, 255)) for _ in range(rng.choice((0, 8, 16, 24, 80)))))
        for _ in range(rng.choice((0, 0, 0, 0, 0, 2, 3, 4)))
    ]
    body = {"id": number, "call": rng.choice(CALLS), "graph": rng.choice((1, 1, 2, 3, 4, 9))}
    if files:
        body.update(call="graph", edges=rng.choice((0, 1, 2, 3)), src=0, dst=1)
        del body["graph"]
        if len(files) > 3 and rng.random() < 0.5:
            body.update(named=True, src_text=2, dst_text=3)
        elif len(files) > 2 and rng.random() < 0.7:
            body.update(weight=2, weight_type=rng.choice(("<i8", "<f8")))
    elif rng.random() < 0.9:
        vertex = {"bfs": "source", "shortest_paths": "source", "neighbors": "vertex"}
        if body["call"] in vertex:
            body[vertex[body["call"]]] = rng.choice(("0", "1", "257"))
    for _ in range(rng.choice((0, 0, 1, 2))):
        body[rng.choice(NAMES)] = rng.choice(VALUES)
    if rng.random() < 0.01:
        return json.dumps(body).encode()[: rng.randrange(200)], files
    return body, files


if __name__ == "__main__":
    unittest.main()
