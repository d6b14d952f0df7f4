"""Tests that each mistake is an exception that names its place, and that the session lives on."""

import os
import pathlib
import tempfile
import unittest

import atoll
import numpy as np


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.session = atoll.session(pes=3)
        cls.session.__enter__()
        cls.graph = atoll.Graph([0, 1, 5], [1, 5, 9], [1, 2, 3])

    @classmethod
    def tearDownClass(cls):
        cls.session.__exit__(None, None, None)

    def tearDown(self):
        self.assertEqual(self.graph.components().tolist(), [0, 0, 0, 0])

    def refused(self, call, *parts, kind=atoll.InputError):
        with self.assertRaises(kind) as caught:
            call()
        for part in parts:
            self.assertIn(part, str(caught.exception))
        self.assertNotIn(".cpp", str(caught.exception))
        self.assertNotIn(".hpp", str(caught.exception))

    def test_wrong_arrays_are_refused(self):
        make = atoll.Graph
        self.refused(lambda: make([0, 1], [1]), "src has 2", "dst has 1")
        self.refused(lambda: make([0, -4], [1, 2]), "src", "element 1 is -4")
        self.refused(lambda: make([0, 1], np.array([1, 2**63], np.uint64)), "dst", "element 1 is 9223372036854775808")
        self.refused(lambda: make([0.5], [1]), "src", "float64")
        self.refused(lambda: make([[0]], [[1]]), "src", "one dimension")
        self.refused(lambda: make(["a"], [1]), "strings")
        self.refused(lambda: make(["a", 3], ["b", "c"]))
        self.refused(lambda: make(np.array(["a", None], object), ["b", "c"]), "element 1", "None")
        self.refused(lambda: make(["a", ""], ["b", "c"]), "src", "element 1 is empty")
        self.refused(lambda: make(["a", "b"], ["b", "c\nd"]), "dst", "element 1 has a line break")
        self.refused(lambda: make([0], [1], [1, 2]), "weight has 2")
        self.refused(lambda: make([0], [1], ["x"]), "weight")
        self.refused(lambda: make([0, 1], [1, 2], [1.0, np.nan]), "weight", "element 1")
        self.refused(lambda: make([0], [1], [2**63]), "weight")
        self.refused(lambda: make([0], [7], vertices=7), "dst", "7", "vertices=7")
        self.refused(lambda: make([0]), "dst is missing")
        self.refused(lambda: make([0], [1], np.array([1, "x"], object)), "weight")
        self.refused(lambda: make([0], [2**64]), "dst")
        self.refused(lambda: make([0], [[1], [2, 3]]), "dst")
        self.refused(lambda: make(["\ud800"], ["b"]), "src", "UTF-8")
        self.refused(lambda: make([0], [1], vertices="3"), "vertices")
        self.refused(lambda: make([0], [1], vertices=2.5), "vertices")
        self.refused(lambda: make([0], np.ma.masked_array([1], [True])), "masked")
        self.assertEqual(make(np.array([], object), []).edges, 0)

    def test_wrong_arguments_are_refused(self):
        graph = self.graph
        self.refused(lambda: graph.bfs(4), "source", "no vertex 4")
        self.refused(lambda: graph.bfs("x"), "source", "no vertex x")
        self.refused(lambda: graph.pagerank(damping=1.5), "damping", "1.5")
        self.refused(lambda: graph.pagerank(max_iterations=0), "max_iterations", "0")
        self.refused(lambda: graph.pagerank(tolerance=-1), "tolerance")
        self.refused(lambda: graph.communities(resolution=-1), "resolution")
        self.refused(lambda: graph.communities(resolution=float("nan")), "argument")
        self.refused(lambda: graph.pagerank(float("nan")), "argument")
        self.refused(lambda: graph.pagerank(tolerance=float("inf")), "argument")
        self.refused(lambda: graph.bfs("\ud800"), "argument")
        self.refused(lambda: graph.bfs("x" * 2**20), "1048576")
        self.refused(lambda: graph.communities(quality="best"), "quality", "best")
        self.refused(lambda: graph.communities(seed=-1), "seed", "-1")
        self.refused(lambda: graph.betweenness(k=0), "k", "0")
        self.refused(lambda: atoll.Graph([0], [1]).spanning_forest(), "no weights")
        self.refused(lambda: atoll.Graph([0], [1], [-1]).shortest_paths(0), "-1")
        named = atoll.Graph(["Ada", "Bob"], ["Bob", "Cy"])
        self.refused(lambda: named.bfs("Adda"), "Adda", "is Ada meant")

    def test_wrong_files_are_refused(self):
        self.refused(lambda: atoll.read("/no/such/file.csv"), "/no/such/file.csv", "No such file")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "edges.el")
            path.write_text("0 1\n1 x\n")
            self.refused(lambda: atoll.read(path), "edges.el:2:3")

    def test_a_wrong_setting_is_refused(self):
        for name, value in (("memory_limit", "many"), ("pes", 0), ("pin", 7), ("speed", 1),
                            ("transport", "sim"), ("buffers_per_pair", "x"), ("tag_output", "x")):
            with self.subTest(setting=name):
                self.refused(atoll.session(**{name: value}).__enter__, name)

    def test_settings_are_passed_in_the_words_of_the_program(self):
        with atoll.session(pes=1, pin=False, huge_pages=True, buffers_per_pair=2) as session:
            self.assertEqual(session.pes, 1)

    def test_a_wrong_result_is_an_exception(self):
        # The verifier adds all weights up, and the sum of these weights is no double.
        graph = atoll.Graph([0, 1], [1, 2], [1.7e308, 1.7e308])
        self.assertEqual(len(graph.communities()), 3)
        self.refused(lambda: graph.communities(verify=True), "modularity", kind=atoll.WrongResult)
        self.assertEqual(len(graph.communities()), 3)

    def test_mpi_is_refused_with_the_way_to_start_ranks(self):
        self.refused(atoll.session(transport="mpi").__enter__, "transport mpi", "mpirun -n N atoll serve", "atoll.connect")

    def test_memory_that_does_not_suffice_is_an_exception(self):
        with atoll.session(pes=2, memory_limit="40MiB"):
            ids = np.random.default_rng(1).integers(0, 2**40, 10**6)
            with self.assertRaises(atoll.OutOfMemory) as caught:
                atoll.Graph(ids, ids[::-1], vertices=2**41)
            self.assertIn("memory_limit", str(caught.exception))

    def test_a_missing_server_is_an_exception(self):
        before = os.environ["ATOLL_SERVER"]
        os.environ["ATOLL_SERVER"] = "/no/such/program"
        try:
            self.refused(
                atoll.session().__enter__, "/no/such/program", kind=atoll.EnvironmentFault
            )
        finally:
            os.environ["ATOLL_SERVER"] = before


if __name__ == "__main__":
    unittest.main()
