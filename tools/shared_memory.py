"""Defines the kernels of the comparison, such as bfs, as calls of other shared-memory libraries. The script
shared_memory_peers.py runs the kernels of this file. Each kernel gets the function `seconds_of(call)`, which makes a
call and returns its time and result. Kernels for bfs and paths also get the roots of the searches. A kernel returns its
time in seconds and its result. If a kernel makes several searches, the time is the mean per search."""
import numpy


def best_of(scores):
    best = int(numpy.argmax(scores))
    return best, float(scores[best])


def searches(seconds_of, roots, search, reached):
    taken, found = [], {}
    for root in roots:
        seconds, result = seconds_of(lambda start=root: search(start))
        taken.append(seconds)
        found[root] = reached(result)
    return sum(taken) / len(taken), found


def reached_within(most):
    """Returns a function that counts the distances below `most`, and finds the largest distance below `most`."""
    def look(distances):
        near = distances[distances < most]
        return len(near), float(near.max())
    return look


class Networkit:
    name = "networkit"
    notes = ("ranks by the same iterations, forests by Kruskal's method, paths by Dijkstra's; bfs, "
             "paths and mst in one thread")

    def __init__(self, module, edges, vertices, threads):
        self.module = module
        module.setNumberOfThreads(threads)
        ends = (edges[:, 0], edges[:, 1])
        self.graph = module.GraphFromCoo((edges[:, 2].astype(float), ends), n=vertices,
                                         weighted=True)
        self.plain = module.graphtools.toUnweighted(self.graph)

    def bfs(self, seconds_of, roots):
        def search(root):
            result = self.module.distance.BFS(self.plain, root, storePaths=False)
            result.run()
            return result
        return searches(seconds_of, roots, search, self.reached)

    def paths(self, seconds_of, roots):
        def search(root):
            result = self.module.distance.Dijkstra(self.graph, root, storePaths=False)
            result.run()
            return numpy.array(result.getDistances())
        return searches(seconds_of, roots, search, reached_within(1e300))

    def reached(self, result):
        distances = numpy.array(result.getDistances())
        return int((distances < self.plain.numberOfNodes()).sum())

    def cc(self, seconds_of, _):
        seconds, result = seconds_of(self.module.components.ParallelConnectedComponents(
            self.plain, False).run)
        return seconds, result.numberOfComponents()

    def pagerank(self, seconds_of, _):
        centrality = self.module.centrality
        ranks = centrality.PageRank(self.plain, 0.85, 1e-4,
                                    distributeSinks=centrality.SinkHandling.DistributeSinks)
        ranks.norm = centrality.Norm.l1norm
        seconds, _ = seconds_of(ranks.run)
        scores = numpy.array(ranks.scores())
        return seconds, best_of(scores / scores.sum())

    def mst(self, seconds_of, _):
        forest = self.module.graph.KruskalMSF(self.graph)
        seconds, _ = seconds_of(forest.run)
        return seconds, int(forest.getTotalWeight())


class Graphblas:
    name = "graphblas"
    notes = ("bfs from above alone, paths by the method of Bellman and Ford, components by labels of "
             "neighbours, ranks by the same iterations")

    def __init__(self, module, edges, vertices, threads):
        self.module, self.vertices = module, vertices
        module.init("suitesparse", blocking=True)
        module.ss.config["nthreads"] = threads
        rows = numpy.concatenate((edges[:, 0], edges[:, 1]))
        columns = numpy.concatenate((edges[:, 1], edges[:, 0]))
        self.matrix = module.Matrix.from_coo(rows, columns, True, nrows=vertices, ncols=vertices)
        weights = numpy.concatenate((edges[:, 2], edges[:, 2])).astype(float)
        self.weights = module.Matrix.from_coo(rows, columns, weights, nrows=vertices,
                                              ncols=vertices)
        self.degrees = numpy.bincount(rows, minlength=vertices)

    def bfs(self, seconds_of, roots):
        return searches(seconds_of, roots, self.search, lambda parents: parents.nvals)

    def paths(self, seconds_of, roots):
        def search(root):
            gb = self.module
            distances = gb.Vector(float, self.vertices)
            distances[root] = 0
            while True:
                before = distances.dup()
                distances(gb.binary.min) << gb.semiring.min_plus(distances @ self.weights)
                if distances.isequal(before):
                    return distances.to_dense(fill_value=numpy.inf)
        return searches(seconds_of, roots, search, reached_within(1e300))

    def search(self, root):
        gb = self.module
        parents = gb.Vector(gb.dtypes.INT64, self.vertices)
        front = gb.Vector(gb.dtypes.INT64, self.vertices)
        parents[root] = front[root] = root
        while front.nvals > 0:
            front(~parents.S, replace=True) << gb.semiring.any_secondi(self.matrix.T @ front)
            parents(front.S) << front
        return parents

    def cc(self, seconds_of, _):
        seconds, labels = seconds_of(self.components)
        return seconds, len(numpy.unique(labels.to_coo()[1]))

    def components(self):
        gb = self.module
        labels = gb.Vector.from_dense(numpy.arange(self.vertices))
        while True:
            before = labels.dup()
            labels(gb.binary.min) << gb.semiring.min_second(self.matrix @ labels)
            if labels.isequal(before):
                return labels

    def pagerank(self, seconds_of, _):
        seconds, ranks = seconds_of(self.ranks)
        return seconds, best_of(ranks)

    def ranks(self):
        gb = self.module
        ranks, linked = numpy.full(self.vertices, 1 / self.vertices), self.degrees > 0
        while True:
            given = gb.Vector.from_dense(numpy.where(linked, ranks / numpy.maximum(
                self.degrees, 1), 0))
            sums = gb.semiring.plus_second(self.matrix @ given).new().to_dense(fill_value=0.0)
            after = 0.85 * (sums + ranks[~linked].sum() / self.vertices) + 0.15 / self.vertices
            change = numpy.abs(after - ranks).sum()
            ranks = after
            if change < 1e-4:
                return ranks


class Igraph:
    name = "igraph"
    notes = ("ranks by PRPACK to its own tolerance, forests by Prim's method, paths by Dijkstra's; "
             "one thread")

    def __init__(self, module, edges, vertices, _):
        self.graph = module.Graph(n=vertices, edges=edges[:, :2])
        self.weights = edges[:, 2].tolist()

    def bfs(self, seconds_of, roots):
        return searches(seconds_of, roots, self.graph.bfs, lambda found: len(found[0]))

    def paths(self, seconds_of, roots):
        def search(root):
            return numpy.array(self.graph.distances(root, weights=self.weights)[0])
        return searches(seconds_of, roots, search, reached_within(1e300))

    def cc(self, seconds_of, _):
        seconds, parts = seconds_of(self.graph.connected_components)
        return seconds, len(parts)

    def pagerank(self, seconds_of, _):
        seconds, ranks = seconds_of(lambda: self.graph.pagerank(damping=0.85))
        return seconds, best_of(numpy.array(ranks))

    def mst(self, seconds_of, _):
        seconds, forest = seconds_of(lambda: self.graph.spanning_tree(self.weights, False))
        return seconds, sum(self.weights[edge] for edge in forest)


PROGRAMS = {"networkit": Networkit, "graphblas": Graphblas, "igraph": Igraph}
