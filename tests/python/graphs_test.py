"""Tests the results of the Python package against small serial programs, for several numbers of PEs."""

import heapq
import itertools
import os
import pathlib
import tempfile
import unittest

import atoll
import numpy as np

PES = (1, 2, 3, 5)


def on_all_pes(test):
    """Runs a test in sessions of several numbers of PEs. The test gets the number of PEs as its argument."""

    def run(self):
        for pes in PES:
            with self.subTest(pes=pes), atoll.session(pes=pes):
                test(self, pes)

    return run


class Plain:
    """A graph in plain Python: the ids in ascending order, and the neighbours by position."""

    def __init__(self, src, dst, weight=None, directed=False):
        self.ids = sorted(set(src) | set(dst))
        place = {each: i for i, each in enumerate(self.ids)}
        self.out = [dict() for _ in self.ids]
        self.both = [set() for _ in self.ids]
        weights = itertools.repeat(1) if weight is None else weight
        for a, b, w in zip(src, dst, weights):
            u, v = place[a], place[b]
            if u == v:
                continue
            for x, y in ((u, v),) if directed else ((u, v), (v, u)):
                self.out[x][y] = min(w, self.out[x].get(y, w))
            self.both[u].add(v)
            self.both[v].add(u)

    def components(self):
        label = list(range(len(self.ids)))
        for root in range(len(self.ids)):
            if label[root] < root:
                continue
            todo = [root]
            while todo:
                for v in self.both[todo.pop()]:
                    if label[v] > root:
                        label[v] = root
                        todo.append(v)
        return label

    def distances(self, root, weighted=True):
        found = [np.inf] * len(self.ids)
        found[root] = 0
        todo = [(0, root)]
        while todo:
            far, u = heapq.heappop(todo)
            if far > found[u]:
                continue
            for v, w in self.out[u].items():
                if far + (w if weighted else 1) < found[v]:
                    found[v] = far + (w if weighted else 1)
                    heapq.heappush(todo, (found[v], v))
        return found


def random_edges(seed, vertices, edges, largest_id=2**62):
    rng = np.random.default_rng(seed)
    ids = np.unique(rng.integers(0, largest_id, vertices))
    return ids[rng.integers(0, len(ids), edges)], ids[rng.integers(0, len(ids), edges)]


class Results(unittest.TestCase):
    @on_all_pes
    def test_sparse_ids_become_vertices_in_ascending_order(self, _):
        src, dst = random_edges(1, 300, 400)
        plain = Plain(src.tolist(), dst.tolist())
        graph = atoll.Graph(src, dst)
        self.assertEqual(graph.vertices.tolist(), plain.ids)
        self.assertEqual(graph.components().tolist(), plain.components())
        self.assertEqual(graph.components(verify=True).facts["count"], len(set(plain.components())))
        self.assertEqual(graph.degrees().tolist(), [len(each) for each in plain.both])
        self.assertEqual(
            graph.neighbors(plain.ids[7]).tolist(), [plain.ids[v] for v in sorted(plain.both[7])]
        )

    @on_all_pes
    def test_searches_have_the_distances_of_a_serial_search(self, _):
        src, dst = random_edges(2, 200, 500, largest_id=1000)
        weight = np.random.default_rng(3).integers(0, 50, len(src))
        for directed in (False, True):
            plain = Plain(src.tolist(), dst.tolist(), weight.tolist(), directed)
            graph = atoll.Graph(src, dst, weight, directed=directed)
            root = plain.ids[5]
            paths = graph.shortest_paths(root, verify=True)
            self.assertEqual(paths["distance"].tolist(), plain.distances(5))
            expected = plain.distances(5, weighted=False)
            unweighted = graph.shortest_paths(root, weighted=False)
            self.assertEqual(unweighted["distance"].tolist(), expected)
            tree = graph.bfs(root, verify=True)
            self.assertEqual(
                tree["distance"].tolist(), [-1 if d == np.inf else d for d in expected]
            )
            for found in (tree, paths):
                self.assertEqual(found["parent"][5], 5)
                for v in np.flatnonzero(found["parent"] >= 0):
                    self.assertTrue(v == 5 or int(v) in plain.out[found["parent"][v]])

    @on_all_pes
    def test_all_algorithms_pass_their_verifiers(self, _):
        src, dst = random_edges(4, 150, 900)
        weight = np.random.default_rng(5).integers(1, 9, len(src))
        for directed, weights in itertools.product((False, True), (None, weight)):
            graph = atoll.Graph(src, dst, weights, directed=directed)
            self.assertAlmostEqual(graph.pagerank(tolerance=1e-9, verify=True).sum(), 1)
            self.assertEqual(graph.triangles(verify=True).dtype.names, ("triangles", "clustering"))
            self.assertEqual(graph.core_numbers(verify=True).facts["largest"], graph.core_numbers().max())
            self.assertEqual(len(graph.label_propagation(verify=True)), len(graph))
            groups = graph.communities(verify=True)
            self.assertEqual(groups.facts["count"], len(np.unique(groups)))
            self.assertEqual(len(graph.betweenness(verify=True)), len(graph))
            self.assertEqual(graph.betweenness(k=10, verify=True).facts["sources"], 10)
        forest = atoll.Graph(src, dst, weight).spanning_forest(verify=True)
        self.assertEqual(forest.facts["weight"], int(forest["weight"].sum()))

    def test_results_are_the_same_for_any_number_of_pes(self):
        src, dst = random_edges(6, 400, 3000)
        weight = np.random.default_rng(7).integers(1, 9, len(src))

        def results(pes):
            with atoll.session(pes=pes):
                graph = atoll.Graph(src, dst, weight)
                root = graph.vertices[0]
                return [
                    graph.components(),
                    graph.bfs(root)["distance"],
                    graph.shortest_paths(root),
                    graph.triangles(),
                    graph.core_numbers(),
                    graph.label_propagation(),
                    graph.communities(seed=3),
                    graph.betweenness(k=20),
                    graph.spanning_forest(),
                ]

        first = results(1)
        for pes in PES[1:]:
            for one, other in zip(first, results(pes)):
                self.assertEqual(one.tobytes(), other.tobytes())

    @on_all_pes
    def test_names_identify_vertices(self, _):
        names = ["Ada", "Börje", "x" * 3000, "日本", "a b", "0"]
        rng = np.random.default_rng(8)
        src = [names[i] for i in rng.integers(0, 6, 40)]
        dst = [names[i] for i in rng.integers(0, 6, 40)]
        graph = atoll.Graph(src, dst, rng.random(40))
        self.assertEqual(sorted(graph.vertices), sorted(set(src) | set(dst)))
        plain = Plain(src, dst)
        place = {name: i for i, name in enumerate(graph.vertices)}
        for name in plain.ids:
            hops = graph.shortest_paths(name, weighted=False)["distance"]
            expected = plain.distances(plain.ids.index(name))
            self.assertEqual([hops[place[each]] for each in plain.ids], expected)
            self.assertEqual(
                set(graph.neighbors(name)), {plain.ids[v] for v in plain.both[plain.ids.index(name)]}
            )

    @on_all_pes
    def test_a_number_of_vertices_adds_vertices_without_edges(self, _):
        graph = atoll.Graph([0, 3], [3, 4], vertices=9)
        self.assertEqual(len(graph), 9)
        self.assertEqual(graph.vertices.tolist(), list(range(9)))
        self.assertEqual(graph.components().tolist(), [0, 1, 2, 0, 0, 5, 6, 7, 8])
        self.assertEqual(graph.core_numbers(verify=True).tolist(), [1, 0, 0, 1, 1, 0, 0, 0, 0])
        weighted = atoll.Graph([0, 3], [3, 4], [2, 3], vertices=9)
        self.assertEqual(weighted.pagerank(weighted=False, verify=True).shape, (9,))
        self.assertEqual(weighted.shortest_paths(0)["distance"].tolist()[:5], [0, np.inf, np.inf, 2, 5])

    @on_all_pes
    def test_a_graph_without_edges_has_empty_results(self, _):
        for empty in (atoll.Graph([], []), atoll.Graph(np.empty(0, np.int64), np.empty(0, np.int64), [])):
            self.assertEqual(len(empty), 0)
            self.assertEqual(empty.vertices.tolist(), [])
            self.assertEqual(empty.components().tolist(), [])
            self.assertEqual(empty.pagerank().tolist(), [])
        alone = atoll.Graph([], [], vertices=3)
        self.assertEqual(alone.components().tolist(), [0, 1, 2])
        self.assertEqual(alone.bfs(1)["distance"].tolist(), [-1, 0, -1])

    @on_all_pes
    def test_ids_of_every_integer_type_are_taken(self, _):
        for kind in (np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, ">i8"):
            graph = atoll.Graph(np.array([1, 100, 7], kind), np.array([100, 7, 9], kind))
            self.assertEqual(graph.vertices.tolist(), [1, 7, 9, 100])
            graph = atoll.Graph(np.array([1, 100, 7], object), np.array([100, 7, 9], kind))
            self.assertEqual(graph.vertices.tolist(), [1, 7, 9, 100])
        strided = np.arange(20)[::3]
        self.assertEqual(atoll.Graph(strided, strided[::-1]).edges, 7)
        largest = np.array([2**63 - 1], np.uint64)
        self.assertEqual(atoll.Graph(largest, [0]).vertices.tolist(), [0, 2**63 - 1])

    @on_all_pes
    def test_ids_of_very_different_sizes_are_kept(self, _):
        for bits in range(50, 63):
            largest = 2**bits + 3
            for src, dst in (([0, 1], [0, largest]), ([0, largest], [5, 1]), ([1, 9], [1, largest])):
                graph = atoll.Graph(src * 8, dst * 8)
                self.assertEqual(graph.vertices.tolist(), sorted(set(src + dst)))
                for u, v in zip(src, dst):
                    self.assertTrue(u == v or v in graph.neighbors(u))

    @on_all_pes
    def test_weights_of_parallel_edges_are_added_in_both_directions(self, _):
        for names in (lambda ids: ids, lambda ids: [f"vertex {i}" for i in ids]):
            one = atoll.Graph(names([0, 1]), names([1, 2]), [5, 2])
            two = atoll.Graph(names([1, 0, 2]), names([0, 1, 1]), [2, 3, 2])
            ranks = [dict(zip(g.vertices.tolist(), g.pagerank(verify=True))) for g in (one, two)]
            for vertex, rank in ranks[0].items():
                self.assertAlmostEqual(rank, ranks[1][vertex])
            self.assertEqual(two.shortest_paths(names([0])[0]).facts["farthest"], 4)
        directed = atoll.Graph([1, 0], [0, 1], [2, 3], directed=True)
        self.assertEqual(directed.shortest_paths(1)["distance"].tolist(), [2, 0])

    @on_all_pes
    def test_communities_do_not_depend_on_the_unit_of_weights(self, _):
        src, dst = [0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3]  # two triangles, and an edge between them
        for unit in (1, 0.1, 1e-300, 1e-320, 1e300, 1.7e307):
            graph = atoll.Graph(src, dst, [10 * unit] * 6 + [unit])
            # The verifier adds all weights up, and the sum of the largest ones is no double.
            found = graph.communities(verify=unit < 1e307)
            self.assertEqual(found.tolist(), [0, 0, 0, 3, 3, 3], unit)

    def test_computing_with_a_result_gives_ordinary_arrays(self):
        found = atoll.Graph([0, 1], [1, 2]).bfs(0)
        self.assertIs(type(found["distance"].max()), np.int64)
        self.assertIs(type(found["distance"] + 1), np.ndarray)
        self.assertIsNotNone(found["distance"]._graph)
        for part in (found[::-1], found["distance"][:2], np.sort(found["distance"])):
            self.assertIsNone(part._graph)
            self.assertTrue(part._is_part)

    @on_all_pes
    def test_a_shortest_path_is_a_list_of_ids(self, _):
        graph = atoll.Graph([10, 20, 10, 40], [20, 30, 30, 50], [1, 1, 5, 1])
        self.assertEqual(graph.shortest_path(10, 30), [10, 20, 30])
        self.assertEqual(graph.shortest_path(10, 30, weighted=False), [10, 30])
        self.assertEqual(graph.shortest_path(10, 10), [10])
        self.assertEqual(graph.shortest_path(10, 50), [])
        self.assertEqual(graph.position(40), 3)
        for wrong in (15, "10"):
            self.assertRaises(atoll.InputError, graph.position, wrong)
            self.assertRaises(atoll.InputError, graph.shortest_path, 10, wrong)
        named = atoll.Graph(["a", "b"], ["b", "c"])
        self.assertEqual(named.shortest_path("a", "c"), ["a", "b", "c"])

    def test_what_is_left_out_of_a_file_is_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "edges.csv")
            path.write_text("1,2,3\n2,3,x\n")
            with self.assertWarnsRegex(UserWarning, "left out"):
                self.assertFalse(atoll.read(path).weighted)

    def test_a_path_is_relative_to_the_folder_of_the_caller(self):
        before = os.getcwd()
        atoll.Graph([0], [1])  # starts the server here
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "edges.el").write_text("0 1\n")
            os.chdir(folder)
            try:
                self.assertEqual(atoll.read("edges.el").edges, 1)
            finally:
                os.chdir(before)

    def test_results_do_not_keep_files_open(self):
        graph = atoll.Graph([0, 1], [1, 2])
        before = len(os.listdir("/proc/self/fd"))
        kept = [graph.degrees() for _ in range(100)]
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        self.assertEqual(kept[99].tolist(), [1, 2, 1])

    def test_a_forked_child_does_not_share_results(self):
        found = atoll.Graph([0, 1], [1, 2]).degrees()
        child = os.fork()
        if child == 0:
            found[:] = -7
            os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(found.tolist(), [1, 2, 1])

    def test_the_ids_of_a_graph_cannot_be_overwritten(self):
        graph = atoll.Graph([4, 5], [5, 6])
        with self.assertRaises(ValueError):
            graph.vertices[0] = 9

    def test_a_sparse_matrix_is_a_graph(self):
        class Coordinates:  # the part of a matrix of scipy.sparse that the package uses
            shape = (5, 5)
            row, col, data = np.array([0, 1, 1]), np.array([1, 4, 4]), np.array([2.5, 1, 0.5])

            def tocoo(self, copy):
                return self

            def sum_duplicates(self):
                self.row, self.col, self.data = self.row[:2], self.col[:2], np.array([2.5, 1.5])

        graph = atoll.Graph(Coordinates(), directed=True)
        self.assertEqual(graph.shortest_paths(0)["distance"].tolist(), [0, 2.5, np.inf, np.inf, 4])

    def test_a_matrix_of_scipy_is_symmetric_or_triangular(self):
        try:
            from scipy import sparse
        except ImportError:
            self.skipTest("scipy is not installed")
        upper = sparse.coo_matrix(([1, 1, 7], ([0, 0, 1], [1, 1, 2])), shape=(4, 4))
        for matrix in (upper, upper.T, upper.tocsr() + upper.T.tocsr()):
            found = atoll.Graph(matrix).shortest_paths(0)["distance"]
            self.assertEqual(found.tolist(), [0, 2, 9, np.inf])
        wrong = upper + sparse.coo_matrix(([5], ([1], [0])), shape=(4, 4))
        self.assertRaises(atoll.InputError, atoll.Graph, wrong)
        self.assertEqual(atoll.Graph(wrong, directed=True).edges, 3)

    @on_all_pes
    def test_files_are_read(self, _):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "edges.tsv")
            path.write_text("Ada\tBob\t2\nBob\tCy\t0.5\n")
            graph = atoll.read(path)
            self.assertEqual(graph.shortest_paths("Ada", verify=True)["distance"].max(), 2.5)
            path = pathlib.Path(folder, "edges.csv")
            path.write_text("7,9\n9,1000000000000\n")
            self.assertEqual(atoll.read(path, any_ids=True).vertices.tolist(), [7, 9, 10**12])

    def test_results_of_many_vertices_are_in_the_order_of_vertices(self):
        """A PE writes 65,536 rows of a result at a time, and each PE has more rows here."""
        child = np.arange(1, 150000)
        with atoll.session(pes=2):
            tree = atoll.Graph(child // 2, child).bfs(0)
        np.testing.assert_array_equal(tree["parent"][1:], child // 2)
        np.testing.assert_array_equal(tree["distance"][1:], np.frexp(child)[1])

    def test_a_name_that_is_no_text_of_utf8_has_replacements(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "edges.tsv")
            path.write_bytes(b"J\xf6rg\tBob\nBob\tCy\n")
            graph = atoll.read(path)
            self.assertEqual(set(graph.vertices), {"J\ufffdrg", "Bob", "Cy"})
            with self.assertRaisesRegex(atoll.InputError, "is J\ufffdrg meant"):
                graph.bfs("Jorg")
            self.assertEqual(graph.components().tolist(), [0, 0, 0])

    def test_results_outlive_graph_and_server(self):
        with atoll.session(pes=2):
            graph = atoll.Graph([0, 1], [1, 2])
            found = graph.bfs(0)
        del graph
        self.assertEqual(found["distance"].tolist(), [0, 1, 2])
        found["distance"][0] = 9  # the array belongs to the caller

    def test_results_become_tables_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        graph = atoll.Graph(["a", "b"], ["b", "c"])
        self.assertEqual(graph.bfs("a").to_pandas().loc["c", "distance"], 2)
        self.assertEqual(graph.bfs("a")["distance"].to_pandas().loc["c"], 2)
        self.assertIsInstance(graph.pagerank().to_pandas(), pandas.Series)


if __name__ == "__main__":
    unittest.main()
