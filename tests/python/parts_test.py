"""Tests of subgraphs, lists of edges, written files, benchmarks, and sessions of several threads."""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings

import atoll
import numpy as np

PES = (1, 3)


def random_edges(seed, vertices=40, edges=150):
    chance = random.Random(seed)
    ends = [[chance.randrange(vertices) for _ in range(edges)] for _ in range(2)]
    return ends[0], ends[1], [chance.randrange(1, 9) for _ in range(edges)]


def edges_of(graph):
    """Returns the edges as ids with weights. In an undirected graph, the smaller end comes first."""
    ids = graph.vertices.tolist()
    found = []
    for row in graph.edge_list().tolist():
        ends = (ids[row[0]], ids[row[1]])
        found.append((*(ends if graph.directed else sorted(ends)), *row[2:]))
    return sorted(found)


def inside(edges, kept):
    return [edge for edge in edges if edge[0] in kept and edge[1] in kept]


class Subgraphs(unittest.TestCase):
    def forms(self, seed):
        src, dst, weight = random_edges(seed)
        names = [[f"v{v}" for v in ends] for ends in (src, dst)]
        for directed in (False, True):
            yield atoll.Graph(src, dst, directed=directed, vertices=45)
            yield atoll.Graph(src, dst, weight, directed=directed, vertices=45)
            yield atoll.Graph([7 * v for v in src], [7 * v for v in dst], weight, directed=directed)
            yield atoll.Graph(*names, [w / 4 for w in weight], directed=directed)

    def test_a_subgraph_has_the_chosen_vertices_and_all_edges_between_them(self):
        for pes, kind in ((1, "process"), (3, "process"), (5, "process"), (3, "thread")):
            with atoll.session(pes=pes, pe_kind=kind):
                for seed, graph in enumerate(self.forms(pes)):
                    mask = np.random.default_rng(seed).random(len(graph)) < 0.6
                    part = graph.subgraph(mask)
                    self.assertEqual(part.vertices.tolist(), graph.vertices[mask].tolist())
                    self.assertEqual(edges_of(part), inside(edges_of(graph), set(part.vertices)))
                    self.assertEqual(part.directed, graph.directed)
                    self.assertEqual(part.weighted, graph.weighted)

    def test_calls_of_a_subgraph_take_and_return_ids(self):
        graph = atoll.Graph(["a", "b", "c", "d"], ["b", "c", "d", "a"], [1, 1, 1, 9])
        part = graph.subgraph(graph.vertices != "b")
        self.assertEqual(part.shortest_path("c", "a"), ["c", "d", "a"])
        self.assertEqual(set(part.neighbors("d")), {"c", "a"})
        self.assertEqual(part.shortest_paths("a", verify=True)["distance"].max(), 10)
        self.assertRaises(atoll.InputError, part.bfs, "b")
        again = part.subgraph(part.vertices != "d")
        self.assertEqual(again.components().tolist(), [0, 1])

    def test_many_vertices_and_edges_keep_their_numbers(self):
        """A PE takes 64 vertices and 32,768 edges at a time, and these graphs have more."""
        src, dst, weight = random_edges(11, vertices=200, edges=90000)
        with atoll.session(pes=2):
            graph = atoll.Graph(src, dst, weight, vertices=200)
            wanted = sorted((*sorted(ends), w) for *ends, w in zip(src, dst, weight))
            np.testing.assert_array_equal(edges_of(graph), wanted)
            mask = np.arange(200) % 9 != 4
            part = graph.subgraph(mask)
            self.assertEqual(part.vertices.tolist(), np.flatnonzero(mask).tolist())
            np.testing.assert_array_equal(edges_of(part), inside(wanted, set(part.vertices.tolist())))

    def test_a_subgraph_may_be_empty_or_whole(self):
        for pes in (1, 3):
            with atoll.session(pes=pes):
                graph = atoll.Graph([1, 2], [2, 5], [3, 4])
                none = graph.subgraph(np.zeros(3, bool))
                self.assertEqual((len(none), none.edges, none.components().tolist()), (0, 0, []))
                alone = graph.subgraph(graph.vertices == 5)
                self.assertEqual((alone.vertices.tolist(), alone.edges), ([5], 0))
                self.assertEqual(edges_of(graph.subgraph(np.ones(3, bool))), edges_of(graph))

    def test_a_series_of_pandas_may_have_another_order(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        graph = atoll.Graph(["a", "b", "c"], ["b", "c", "d"])
        chosen = pandas.Series({"d": True, "c": True, "b": False, "a": False})
        self.assertEqual(set(graph.subgraph(chosen).vertices), {"c", "d"})
        self.assertEqual(graph.subgraph(graph.degrees().to_pandas() > 1).edges, 1)
        self.assertRaises(atoll.InputError, graph.subgraph, chosen[:3])
        self.assertEqual(graph.subgraph(pandas.Series([False, True, True, False])).edges, 1)

    def test_a_wrong_mask_is_an_error(self):
        graph = atoll.Graph([0, 1], [1, 2])
        hidden = np.ma.array([1, 1, 1], mask=[0, 1, 0], dtype=bool)
        for wrong in (np.ones(2, bool), np.ones(3, int), np.ones((3, 1), bool), [0, 1, 1], "abc", hidden, [[1], 2]):
            with self.assertRaisesRegex(atoll.InputError, "^mask: "):
                graph.subgraph(wrong)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, graph, name, **arguments):
        """Writes the graph, and returns the graph that is read back and the warnings of writing."""
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            graph.write(self.folder / name, **arguments)
        return atoll.read(self.folder / name, directed=graph.directed), [str(w.message) for w in heard]

    def test_files_of_all_formats_hold_the_edges(self):
        src, dst, weight = random_edges(5)
        src, dst = src + [44], dst + [3]  # the last vertex has an edge, also in a plain list
        weights = {"none": None, "integers": weight + [2], "reals": [w / 8 for w in weight] + [0.1]}
        real, integer = ("g.wel", "g.mtx", "g.mtx.gz", "out.g", "g.e"), ("g.gr", "g.wsg", "g.metis")
        unweighted = ("g.el", "g.tsv", "g.csv.zst", "g.txt", "g.sg", "g.graph", "g.metis")
        for pes in PES:
            for directed in (False, True):
                with atoll.session(pes=pes):
                    for kind, given in weights.items():
                        graph = atoll.Graph(src, dst, given, directed=directed, vertices=45)
                        more = {"none": unweighted, "integers": integer, "reals": ()}[kind]
                        for name in real + more:
                            if directed and name == "g.metis":
                                continue  # METIS has no directions
                            found, heard = self.written(graph, name)
                            wanted = edges_of(graph)
                            if given is None and found.weighted:
                                wanted = [(*ends, 1) for ends in wanted]
                            with self.subTest(pes=pes, directed=directed, kind=kind, name=name):
                                if given is None:  # formats may hold parallel edges once
                                    self.assertEqual(set(edges_of(found)), set(wanted))
                                else:
                                    self.assertEqual(edges_of(found), wanted)
                                self.assertEqual(len(found), 45)
                                if name not in ("g.graph", "g.metis"):  # these have remarks on other programs
                                    self.assertEqual(heard, [])

    def test_weights_are_reals_if_those_of_any_pe_are(self):
        """The first lines, which PE 0 reads, have integers only."""
        weights = [1 + i % 7 for i in range(3000)] + [0.5]
        lines = [f"{i} {i + 1} {weight}\n" for i, weight in enumerate(weights)]
        (self.folder / "reals.wel").write_text("".join(lines))
        for pes in PES:
            with self.subTest(pes=pes), atoll.session(pes=pes):
                graph = atoll.read(self.folder / "reals.wel")
                np.testing.assert_array_equal([row[2] for row in edges_of(graph)], weights)
                part = graph.subgraph(graph.vertices < 2000)
                np.testing.assert_array_equal([row[2] for row in edges_of(part)], weights[:1999])
                np.testing.assert_array_equal(edges_of(self.written(graph, "g.wel")[0]), edges_of(graph))

    def test_what_a_format_does_not_hold_is_a_warning(self):
        graph = atoll.Graph([0, 1], [1, 2], [5, 6], directed=True, vertices=9)
        found, heard = self.written(graph, "g.csv")
        self.assertEqual((found.edges, found.weighted), (2, False))
        self.assertEqual(len(heard), 2)
        self.assertRegex(heard[0], "weights, which were left out")
        self.assertRegex(heard[1], "the last 6 vertices")
        with self.assertWarnsRegex(UserWarning, "directions, which were left out"):
            graph.write(self.folder / "g.metis")
        with self.assertRaisesRegex(atoll.InputError, "not integers.*wel"):
            atoll.Graph([0], [1], [0.5], vertices=2).write(self.folder / "g.gr")
        self.assertFalse((self.folder / "g.gr").exists())

    def test_an_edge_in_both_directions_is_written_once(self):
        (self.folder / "both.el").write_text("0 1\n1 0\n2 1\n1 1\n")
        graph = atoll.read(self.folder / "both.el")
        self.assertEqual(edges_of(self.written(graph, "g.mtx")[0]), [(0, 1), (1, 1), (1, 2)])
        graph.write(self.folder / "g.el")
        self.assertEqual((self.folder / "g.el").read_text(), "0 1\n1 1\n2 1\n")

    def test_other_weights_in_the_opposite_direction_are_kept(self):
        (self.folder / "a.wel").write_text("0 1 5\n1 0 1\n1 2 3\n3 2 4\n2 3 4\n")
        for pes in PES:
            with atoll.session(pes=pes):
                graph = atoll.read(self.folder / "a.wel")
                for name in ("b.wel", "b.mtx", "b.gr", "out.b", "b.e", "b.wsg"):
                    with self.assertWarnsRegex(UserWarning, "another weight in the opposite direction"):
                        graph.write(self.folder / name)
                    found = atoll.read(self.folder / name)
                    with self.subTest(pes=pes, name=name):
                        for start in range(4):
                            wanted = graph.shortest_paths(start)["distance"].tolist()
                            self.assertEqual(found.shortest_paths(start)["distance"].tolist(), wanted)
                        self.assertEqual(found.pagerank().round(9).tolist(), graph.pagerank().round(9).tolist())

    def test_a_path_with_nul_is_refused(self):
        graph = atoll.Graph([0], [1], vertices=2)
        for call in (graph.write, atoll.read):
            with self.assertRaisesRegex(atoll.InputError, "NUL"):
                call(str(self.folder / "new\0.el"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_names_that_a_file_cannot_hold_are_refused_before_anything_is_written(self):
        graph = atoll.Graph(["a", "b"], ["b", "c\td"])
        plain = atoll.Graph(["a", "b"], ["b", "c"])
        path = self.folder / "g.mtx"
        for each, names, part in (
            (graph, self.folder / "n", "control character"), (plain, path, "file of the graph"),
            (plain, True, "no path"), (plain, "", "no path"), (plain, self.folder / "no/n", "No such file"),
            (plain, "/dev/full", "no ordinary file"), (plain, self.folder, "no ordinary file"),
        ):
            with self.subTest(names=names), self.assertRaisesRegex(atoll.InputError, part):
                each.write(path, names=names)
        with self.assertRaisesRegex(atoll.InputError, "ids of its own"):
            plain.write(self.folder / "g.e", names=self.folder / "n")
        self.assertEqual(list(self.folder.iterdir()), [])
        (self.folder / "n").write_text("old")
        with self.assertRaises(atoll.InputError):
            plain.write(self.folder / "no/g.mtx", names=self.folder / "n")
        self.assertEqual((self.folder / "n").read_text(), "old")
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_ids_are_written_to_a_second_file(self):
        graph = atoll.Graph(["Ada", "Jürgen"], ["Bob", "Ada"])
        with self.assertRaisesRegex(atoll.InputError, "names=FILE"):
            graph.write(self.folder / "g.mtx")
        graph.write(self.folder / "g.mtx", names=self.folder / "names")
        found = atoll.read(self.folder / "g.mtx", names=self.folder / "names")
        self.assertEqual(edges_of(found), [("Ada", "Bob"), ("Ada", "Jürgen")])
        self.assertEqual(edges_of(self.written(graph, "h.el", names=False)[0])[0][0], 0)

    def test_a_file_that_cannot_be_written_is_an_error(self):
        graph = atoll.Graph([0], [1], vertices=2)
        for wrong in ("nowhere/g.el", "g.unknown", "g", "."):
            self.assertRaises(atoll.InputError, graph.write, self.folder / wrong)
        with self.assertRaisesRegex(atoll.InputError, "nowhere/names"):
            graph.write(self.folder / "g.el", names=self.folder / "nowhere/names")
        self.assertEqual(graph.edges, 1)


class Benchmarks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_a_benchmark_returns_its_measurements(self):
        found = atoll.run("gups", pes=2, log2_table=12, trials=2, verify=True)
        self.assertIs(found["verified"], True)
        self.assertEqual(found["parameters"]["log2_table"], 12)
        self.assertEqual(len(found["metrics"]["rate"]["values"]), 2)

    def test_wrong_settings_are_errors_in_the_words_of_python(self):
        with self.assertRaisesRegex(atoll.InputError, "^log2_table: 99 is out of range"):
            atoll.run("gups", log2_table=99)
        with self.assertRaisesRegex(atoll.InputError, "did you mean gups"):
            atoll.run("gupps")
        with self.assertRaisesRegex(atoll.InputError, "nowhere.el"):
            atoll.run("bfs", "nowhere.el")

    def test_the_status_of_a_benchmark_tells_why_it_ended(self):
        """A script takes the place of the program: it prints a report and ends."""
        script = pathlib.Path(self.folder, "program")
        for kind, end in (
            (atoll.WrongResult, "exit 1"),
            (atoll.InputError, "exit 2"),
            (atoll.Hang, "exit 3"),
            (atoll.ServerEnded, "exit 4"),
            (atoll.PEDied, "kill -KILL $$"),
        ):
            script.write_text(f"#!/bin/sh\necho 'atoll: error: a report' >&2\n{end}\n")
            script.chmod(0o755)
            with self.subTest(end=end), unittest.mock.patch.dict(os.environ, ATOLL_SERVER=str(script)):
                with self.assertRaisesRegex(atoll.AtollError, "a report") as caught:
                    atoll.run("gups")
                self.assertIs(type(caught.exception), kind)
                if kind is atoll.PEDied:
                    self.assertEqual(caught.exception.status, 128 + signal.SIGKILL)


    def test_a_benchmark_has_pes_of_its_own_under_a_launcher(self):
        os.environ.update(OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="2", PMI_RANK="1", PMI_SIZE="2")
        try:
            found = atoll.run("gups", pes=1, log2_table=10, trials=1)
        finally:
            for name in ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"):
                del os.environ[name]
        self.assertEqual(found["parameters"]["pes"], 1)

    def test_a_benchmark_ends_with_a_killed_python(self):
        code = "import atoll; atoll.run('gups', pes=2, log2_table=24, trials=1000)"
        python = subprocess.Popen([sys.executable, "-c", code])
        deadline = time.monotonic() + 60
        while not (started := children_of(python.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(started)
        self.addCleanup(lambda: [os.kill(each, signal.SIGTERM) for each in started if is_running(each)])
        python.kill()
        python.wait()
        while any(is_running(each) for each in started):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_wrong_names_are_errors(self):
        for wrong in ("", "--help", None, 5, "gups\0"):
            with self.subTest(name=wrong), self.assertRaises(atoll.InputError):
                atoll.run(wrong)
        with self.assertRaises(atoll.EnvironmentFault):
            atoll.run("gups", help=True)


def children_of(process):
    """Returns the programs atoll that a process has started."""
    text = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(each) for each in text.split() if is_running(int(each))]


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" and "bench" in pathlib.Path(f"/proc/{process}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class Threads(unittest.TestCase):
    def test_threads_have_their_own_innermost_session(self):
        entered, found = threading.Barrier(2), {}

        def work(pes):
            with atoll.session(pes=pes) as session:
                entered.wait(timeout=60)
                found[pes] = (atoll.current() is session, atoll.Graph([0], [1]).is_held())
                entered.wait(timeout=60)

        threads = [threading.Thread(target=work, args=(pes,)) for pes in (1, 2)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(found, {1: (True, True), 2: (True, True)})

    def test_a_thread_without_a_session_uses_that_of_the_block_around_it(self):
        found = []
        with atoll.session(pes=1) as session:
            thread = threading.Thread(target=lambda: found.append(atoll.current()))
            thread.start()
            thread.join()
        self.assertIs(found[0], session)
        self.assertIsNot(atoll.current(), session)


if __name__ == "__main__":
    unittest.main()
