"""Tests that the backend for NetworkX returns what NetworkX itself returns."""

import unittest

import atoll
import networkx as nx
from atoll import networkx_backend as backend


def graphs():
    """Graphs with isolated nodes, with several components, of one node, and with nodes of any type."""
    undirected = nx.gnm_random_graph(60, 90, seed=1)
    undirected.add_node("alone")
    dense = nx.relabel_nodes(nx.gnm_random_graph(25, 150, seed=2), lambda n: f"node {n}")
    directed = nx.gnm_random_graph(40, 100, seed=3, directed=True)
    for graph in (undirected, dense, directed):
        for place, (_, _, data) in enumerate(graph.edges(data=True)):
            if place % 4:
                data["weight"] = 1 + place * 7 % 5
            data["toll"] = place % 3 / 8
    one = nx.Graph()
    one.add_node((1, 2))
    return [undirected, dense, directed, one, nx.path_graph(5), nx.star_graph(6)]


class Backend(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.session = atoll.session(pes=2)
        cls.session.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.session.__exit__(None, None, None)

    def same(self, expected, found):
        if isinstance(expected, dict):
            self.assertEqual(list(expected) and set(expected), list(found) and set(found))
            for key, value in expected.items():
                self.assertAlmostEqual(value, found[key], places=7)
        elif isinstance(expected, list):
            self.assertEqual(expected, found)
        else:
            self.assertAlmostEqual(expected, found, places=9)

    def compare(self, name, *arguments, weight=None, **keywords):
        """Compares a function for all graphs that `can_run` accepts. Returns their number."""
        count = 0
        for graph in graphs():
            given = {**keywords, **({"weight": weight} if weight else {})}
            places = tuple(next(iter(graph)) if each is NODE else each for each in arguments)
            if backend.can_run(name, (graph, *places), given) is not True:
                continue
            attributes = {weight or "weight": 1} if weight or name in WEIGHTED else None
            held = backend.convert_from_nx(graph, edge_attrs=attributes)
            serial = plain_pagerank if name == "pagerank" else getattr(nx, name)
            expected = serial(graph, *places, **given)
            found = getattr(backend, name)(held, *places, **given)
            if name.endswith("connected_components") and not name.startswith("number"):
                expected, found = (sorted(map(repr, map(sorted_texts, x))) for x in (expected, found))
            self.same(expected, found)
            count += 1
        return count

    def test_all_functions_return_the_values_of_networkx(self):
        self.assertEqual(self.compare("pagerank", tol=1e-9, max_iter=1000), 6)
        self.assertEqual(self.compare("pagerank", tol=1e-9, weight="toll", alpha=0.5), 6)
        self.assertEqual(self.compare("connected_components"), 5)
        self.assertEqual(self.compare("number_connected_components"), 5)
        self.assertEqual(self.compare("is_connected"), 5)
        self.assertEqual(self.compare("single_source_shortest_path_length", NODE), 6)
        self.assertEqual(self.compare("single_source_shortest_path_length", NODE, cutoff=2), 6)
        self.assertEqual(self.compare("single_source_dijkstra_path_length", NODE), 6)
        self.assertEqual(
            self.compare("single_source_dijkstra_path_length", NODE, weight="toll", cutoff=0.5), 6
        )
        self.assertEqual(self.compare("triangles"), 5)
        self.assertEqual(self.compare("triangles", NODE), 5)
        self.assertEqual(self.compare("clustering"), 5)
        self.assertEqual(self.compare("average_clustering"), 5)
        dense = graphs()[1]
        self.same(
            nx.average_clustering(dense, count_zeros=False),
            backend.average_clustering(backend.convert_from_nx(dense), count_zeros=False),
        )
        self.assertEqual(self.compare("transitivity"), 5)
        self.assertEqual(self.compare("core_number"), 5)
        self.assertEqual(self.compare("betweenness_centrality"), 6)
        self.assertEqual(self.compare("betweenness_centrality", normalized=False), 6)

    def test_weak_components_of_directed_graphs_are_those_of_networkx(self):
        graph = graphs()[2]
        held = backend.convert_from_nx(graph)
        for name in ("number_weakly_connected_components", "is_weakly_connected"):
            self.assertEqual(getattr(nx, name)(graph), getattr(backend, name)(held))
        expected = sorted(map(sorted, nx.weakly_connected_components(graph)))
        self.assertEqual(sorted(map(sorted, backend.weakly_connected_components(held))), expected)

    def test_a_converted_graph_outlives_its_server(self):
        with atoll.session(pes=1):
            held = backend.convert_from_nx(nx.path_graph(4))
            self.assertEqual(backend.number_connected_components(held), 1)
        self.assertEqual(backend.number_connected_components(held), 1)

    def test_functions_themselves_refuse_what_is_not_supported(self):
        """NetworkX 3.2 calls functions without asking `can_run`."""
        held = backend.convert_from_nx(nx.path_graph(3))
        directed = backend.convert_from_nx(nx.DiGraph([(0, 1)]))
        for call in (
            lambda: backend.pagerank(held, personalization={0: 1}),
            lambda: backend.pagerank(held, 0.85, {0: 1}),
            lambda: backend.clustering(held, weight="weight"),
            lambda: backend.betweenness_centrality(held, endpoints=True),
            lambda: backend.transitivity(directed),
        ):
            self.assertRaisesRegex(NotImplementedError, "atoll", call)

    def test_what_is_not_supported_is_refused_with_its_reason(self):
        graph, directed = nx.path_graph(3), nx.DiGraph([(0, 1)])
        for name, of, given, part in (
            ("pagerank", graph, {"personalization": {0: 1}}, "personalization"),
            ("betweenness_centrality", graph, {"weight": "weight"}, "weight"),
            ("betweenness_centrality", graph, {"endpoints": True}, "endpoints"),
            ("single_source_dijkstra_path_length", graph, {"source": 0, "weight": len}, "name"),
            ("clustering", directed, {}, "undirected"),
            ("triangles", nx.MultiGraph(), {}, "multigraphs"),
            ("girth", graph, {}, "girth"),
        ):
            self.assertIn(part, backend.can_run(name, (of,), given))
        self.assertRaises(NotImplementedError, backend.convert_from_nx, nx.MultiGraph())
        looped = backend.convert_from_nx(nx.Graph([(0, 0), (0, 1)]))
        self.assertRaises(NotImplementedError, backend.pagerank, looped)
        self.assertRaises(nx.NetworkXNotImplemented, backend.core_number, looped)
        held = backend.convert_from_nx(graph)
        self.assertRaises(nx.NodeNotFound, backend.single_source_shortest_path_length, held, 9)
        self.assertRaises(nx.PowerIterationFailedConvergence, backend.pagerank, held, max_iter=0)
        self.assertRaises(ValueError, backend.betweenness_centrality, held, k=4)
        self.assertRaises(ValueError, backend.betweenness_centrality, held, k=-1)
        self.assertRaises(ZeroDivisionError, backend.betweenness_centrality, held, k=0)
        self.assertRaises(nx.NetworkXError, backend.triangles, held, 77)
        self.assertRaises(nx.NetworkXPointlessConcept, backend.is_connected,
                          backend.convert_from_nx(nx.Graph()))


def plain_pagerank(graph, alpha=0.85, weight="weight", tol=1e-6, max_iter=100):
    """PageRank as NetworkX defines it, without SciPy, which NetworkX needs for its own."""
    rank = {node: 1 / len(graph) for node in graph}
    total = {
        node: sum(data.get(weight, 1) for data in ends.values()) for node, ends in graph.adj.items()
    }
    for _ in range(max_iter):
        dangling = sum(r for node, r in rank.items() if not total[node])
        after = dict.fromkeys(graph, (1 - alpha + alpha * dangling) / len(graph))
        for node, ends in graph.adj.items():
            for end, data in ends.items():
                if total[node]:
                    after[end] += alpha * rank[node] * data.get(weight, 1) / total[node]
        change = sum(abs(after[node] - rank[node]) for node in graph)
        rank = after
        if change < len(graph) * tol:
            break
    return rank


NODE = object()  # stands for the first node of a graph
WEIGHTED = ("pagerank", "single_source_dijkstra_path_length")


def sorted_texts(nodes):
    return sorted(map(str, nodes))


if __name__ == "__main__":
    unittest.main()
