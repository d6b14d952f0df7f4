"""Graphs, which the server holds, and their algorithms."""

from __future__ import annotations

import contextlib
import os
import shutil
import warnings
import weakref
from typing import Any, Hashable, Iterator

import numpy as np

from . import _arrays
from ._connection import Connection
from ._errors import AtollError, InputError
from ._result import VertexArray, vertex_array
from ._session import Session, current

_Array = np.ndarray[Any, Any]


class Graph:
    """A graph that the PEs of the server hold.

    Args:
        src: first endpoint of each edge: integers from 0 to 2^63 - 1, or strings. ``src``, ``dst``
            and ``weight`` may be NumPy arrays, lists, columns of pandas, or Arrow arrays. A square
            matrix of scipy.sparse takes the place of ``src``, ``dst`` and ``weight``: its rows and
            columns are the vertices, and its entries are weights. The matrix of an undirected graph
            is symmetric or triangular.
        dst: second endpoint of each edge, of the same kind as ``src``.
        weight: weight of each edge: integers, or finite real numbers. If all weights are integers,
            lengths of shortest paths must be below 2^53.
        directed: whether edges lead from ``src`` to ``dst`` only.
        vertices: number of vertices. If ``vertices`` is given, the ids are 0 to ``vertices`` - 1,
            and vertices without edges exist as well. Without ``vertices``, each distinct id in
            ``src`` and ``dst`` is a vertex.

    Parallel edges count as one edge with the sum of their weights; ``shortest_paths`` and
    ``spanning_forest`` take the smallest of their weights. In an undirected graph of arrays, edges
    (u, v) and (v, u) are parallel. In a file or a symmetric matrix, (u, v) and (v, u) are one edge,
    and their weights are not added. An edge from a vertex to itself adds no
    neighbour.

    All methods may be called by any thread. Methods raise subclasses of ``atoll.AtollError``:
    ``InputError`` for a wrong argument, ``OutOfMemory``, or ``GraphLost`` if the server has ended
    since the graph was made. With ``verify=True``, a method also checks its result serially, with
    more time and memory, and raises ``WrongResult`` if the result is wrong.
    """

    def __init__(
        self,
        src: Any,
        dst: Any = None,
        weight: Any = None,
        *,
        directed: bool = False,
        vertices: int | None = None,
    ) -> None:
        symmetric = dst is None
        if dst is None:
            src, dst, weight, vertices = _of_matrix(src, weight, vertices, directed)
        arguments, arrays = _edges(src, dst, weight)
        arguments.update(directed=bool(directed), symmetric=symmetric)
        if vertices is not None:
            vertices = _arrays.positions(vertices, "vertices")
            _check_positions(arrays, vertices)
            arguments.update(positions=True, vertices=vertices)
        session = current()
        self._take(session, *session.call("graph", arguments, arrays))

    @classmethod
    def _of_file(cls, session: Session, arguments: dict[str, Any]) -> Graph:
        made = cls.__new__(cls)
        made._take(session, *session.call("read", arguments))
        return made

    def _take(
        self, session: Session, facts: dict[str, Any], arrays: list[_Array], server: Connection[Any]
    ) -> None:
        self._session = session
        self._server = server
        self._number = int(facts["graph"])
        self._facts = facts
        self._vertices: Any = None
        self._ids_are_here = False  # the server knows only positions of the vertices of a subgraph
        self._positions: dict[Hashable, int] | None = None
        for remark in facts.get("remarks", ()):
            warnings.warn(remark, stacklevel=4)
        weakref.finalize(self, session.free_later, server, self._number).atexit = False

    def __copy__(self) -> Graph:
        return self  # a graph cannot be changed

    def __deepcopy__(self, _: Any) -> Graph:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a graph that a server holds cannot be pickled")

    def is_held(self) -> bool:
        """Returns whether the server still holds the graph."""
        return self._session.holds(self._server)

    # ---- What the graph is.

    def __len__(self) -> int:
        """Number of vertices."""
        return int(self._facts["vertices"])

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = ", with weights" if self.weighted else ""
        return f"<atoll.Graph: {len(self):,} vertices, {self.edges:,} edges, {kind}{weights}>"

    @property
    def edges(self) -> int:
        """Number of edges in the input, including parallel edges and self loops."""
        return int(self._facts["edges"])

    @property
    def directed(self) -> bool:
        """Whether edges lead in one direction only."""
        return bool(self._facts["directed"])

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return bool(self._facts["weighted"])

    @property
    def vertices(self) -> _Array:
        """The id of each vertex: an array of int64, or of strings (dtype object).

        Results with one element per vertex are in the order of ``vertices``. Integer ids are in
        ascending order.
        """
        if self._vertices is None:
            self._vertices = self._fetch_vertices()
            self._vertices.flags.writeable = False  # all results of the graph share these ids
        found: _Array = self._vertices
        return found

    def _fetch_vertices(self) -> _Array:
        if self._facts["ids"] == "positions":
            return np.arange(len(self), dtype=np.int64)
        _, arrays = self._call("vertices")
        if self._facts["ids"] == "integers":
            return arrays[0]
        text = arrays[1].tobytes()
        begin, names = 0, []
        for place, end in enumerate(arrays[0].tolist()):
            names.append(text[begin:end].decode(errors="replace") if end > begin else str(place))
            begin = end
        made = np.empty(len(names), object)
        made[:] = names
        return made

    def position(self, vertex: Hashable) -> int:
        """Returns the position of ``vertex`` in ``vertices`` and in all results.

        Raises:
            InputError: the graph has no such vertex.
        """
        if self._positions is None:
            self._positions = {each: place for place, each in enumerate(self.vertices.tolist())}
        try:
            found = self._positions.get(vertex)
        except TypeError:  # a list, for example
            found = None
        if found is None:
            raise InputError(f"the graph has no vertex {vertex!r}")
        return found

    # ---- Neighbours.

    def degrees(self) -> VertexArray:
        """Number of different neighbours of each vertex (int64). In a directed graph, the
        neighbours are the targets of the edges of a vertex."""
        return self._vertex_call("degrees")

    def neighbors(self, vertex: Hashable) -> _Array:
        """Ids of the different neighbours of ``vertex``, in ascending order of their positions. In
        a directed graph, the neighbours are the targets of the edges that leave ``vertex``."""
        _, arrays = self._call("neighbors", vertex=self._text_of(vertex))
        found: _Array = self.vertices[arrays[0]]
        return found

    def edge_list(self) -> _Array:
        """Returns the edges that were given.

        Returns:
            One element per edge: ``src`` and ``dst`` (int64, positions of vertices), and ``weight``
            (int64 or float64) if edges have weights. In an undirected graph with weights, the two
            ends of an edge may have changed places.
        """
        return self._call("edges")[1][0]

    # ---- Parts and files.

    def subgraph(self, mask: Any) -> Graph:
        """Makes a graph of some vertices, with all edges between these vertices.

        Args:
            mask: one boolean per vertex, in the order of ``vertices``: whether the subgraph has the
                vertex. A comparison of a result gives such a mask: ``graph.core_numbers() >= 3``.

        Returns:
            A new graph in the same session. The vertices of the subgraph keep the ids and the order
            that they have in this graph.
        """
        chosen = self._mask(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (len(self),):
            raise InputError(
                f"mask: one boolean is needed for each of {len(self)} vertices, and the array has "
                f"the shape {chosen.shape} and the type {chosen.dtype}"
            )
        ids = self.vertices[chosen]
        made = Graph.__new__(Graph)
        arguments = {"graph": self._number}
        bytes_of_mask = np.ascontiguousarray(chosen).view(np.uint8)
        made._take(
            self._session,
            *self._session.call(
                "subgraph", arguments, {"mask": bytes_of_mask}, server=self._server
            ),
        )
        ids.flags.writeable = False
        made._vertices, made._ids_are_here = ids, True
        return made

    def _mask(self, mask: Any) -> _Array:
        """Returns the mask of a subgraph as an array. A Series of pandas with the ids of vertices as
        its index may have any order."""
        if type(mask).__module__.partition(".")[0] == "pandas" and hasattr(mask, "reindex"):
            if mask.index.dtype.kind != "i" or list(mask.index) != list(range(len(mask))):
                mask = mask.reindex(self.vertices)
        if isinstance(mask, np.ma.MaskedArray):
            raise InputError("mask: a masked array has elements that are neither true nor false")
        try:
            chosen = np.asarray(mask)
        except ValueError as cause:
            raise InputError(f"mask: {cause}") from None
        return chosen.astype(np.bool_) if chosen.size == 0 else chosen

    def write(
        self, path: str | os.PathLike[str], *, names: str | os.PathLike[str] | bool | None = None
    ) -> None:
        """Writes the graph to a file, in the format that the ending of the name tells.

        ``atoll convert --help`` lists the formats. The written file has the positions of vertices
        in place of their ids. Edges of an undirected graph are sorted, and an edge that was given
        in both directions is written once. What the format does not hold, such as weights in an
        ``.el``, is left out and told by ``warnings.warn``.

        Args:
            path: path of the file. An existing file at ``path`` is replaced when the new file is
                complete.
            names: path of a second file for the ids: line i, counted from 0, is the id of the
                vertex at position i. ``atoll.read(path, names=...)`` reads both files; all ids are
                then strings. With ``names=False``, no ids are written. ``names`` may be left out
                only if the id of each vertex is its position. The Python process writes the file
                ``names``, even if the server runs elsewhere.

        Raises:
            InputError: the name tells no format, the file cannot be written, or the ids would be
                lost because ``names`` is missing.
        """
        has_ids = self._ids_are_here or self._facts["ids"] != "positions"
        if names is not None and names is not False:
            _check_names(path, names, self.vertices)
        if names is None and has_ids:
            raise InputError(
                f"{os.fspath(path)}: the file has positions in place of the ids of vertices; give "
                "names=FILE for the ids, or names=False to lose them"
            )
        if names is None or names is False:
            facts, _ = self._call("write", path=self._session.path(path))
        else:
            with _complete_file(names, self.vertices.tolist()):
                facts, _ = self._call("write", path=self._session.path(path))
        for remark in facts["remarks"]:
            warnings.warn(remark, stacklevel=2)

    # ---- Algorithms.

    def components(self, *, verify: bool = False) -> VertexArray:
        """Finds connected components. Directions of edges are ignored.

        Returns:
            The component of each vertex (int64), given by the position of the first vertex of the
            component. ``facts`` has the number of components as ``count``.
        """
        return self._vertex_call("components", verify=verify)

    def bfs(self, source: Hashable, *, verify: bool = False) -> VertexArray:
        """Searches breadth-first from the vertex ``source``, along the direction of edges.

        Returns:
            Two int64 fields per vertex: ``distance``, the number of edges on a shortest path, and
            ``parent``, its predecessor's position on this path. The parent of the source is the
            source. ``distance`` and ``parent`` are -1 for a vertex to which no path leads.
            ``facts`` has ``reached``, the number of reached vertices, and ``levels``, the largest
            distance + 1.
        """
        return self._vertex_call("bfs", source=self._text_of(source), verify=verify)

    def shortest_paths(
        self, source: Hashable, *, weighted: bool = True, verify: bool = False
    ) -> VertexArray:
        """Finds shortest paths from ``source``. Weights must not be negative. Without weights, or
        with ``weighted=False``, each edge has length 1.

        Returns:
            Two fields per vertex: ``distance`` (float64; infinity without a path), and ``parent``
            (int64; position of the predecessor on a shortest path, or -1). ``facts`` has
            ``reached``, the number of reached vertices, and ``farthest``, the largest distance.
        """
        return self._vertex_call(
            "shortest_paths", source=self._text_of(source), unweighted=not weighted, verify=verify
        )

    def shortest_path(
        self, source: Hashable, target: Hashable, *, weighted: bool = True
    ) -> list[Any]:
        """Returns the ids of the vertices on a shortest path from ``source`` to ``target``.

        The list includes ``source`` and ``target``. The list is empty if no path leads to
        ``target``. Weights count as in ``shortest_paths``, which gives the paths from one source to
        all vertices.
        """
        place = self.position(target)
        counts = weighted and self.weighted
        tree = self.shortest_paths(source) if counts else self.bfs(source)
        parent, root = np.asarray(tree["parent"]), self.position(source)
        if parent[place] < 0:
            return []
        path = [place]
        while path[-1] != root:
            path.append(int(parent[path[-1]]))
        found: list[Any] = self.vertices[path[::-1]].tolist()
        return found

    def pagerank(
        self,
        damping: float = 0.85,
        *,
        tolerance: float = 1e-6,
        max_iterations: int = 100,
        weighted: bool = True,
        verify: bool = False,
    ) -> VertexArray:
        """Computes PageRank.

        Args:
            damping: probability that the random walk follows an edge, from 0 to 1.
            tolerance: iterations end when the sum of all changes is below this number.
            max_iterations: largest number of iterations.
            weighted: whether an edge with a larger weight is followed more often.
            verify: whether a serial program checks the ranks.

        Returns:
            The rank of each vertex (float64); the sum is 1. ``facts`` has ``iterations``,
            ``change`` (sum of the absolute changes of all ranks in the last iteration), and
            ``converged``.
        """
        return self._vertex_call(
            "pagerank",
            damping=float(damping),
            tolerance=float(tolerance),
            max_iterations=int(max_iterations),
            unweighted=not weighted,
            verify=verify,
        )

    def triangles(self, *, verify: bool = False) -> VertexArray:
        """Counts triangles. Directions are ignored for the count.

        Returns:
            Two fields per vertex: ``triangles`` (int64), and ``clustering`` (float64), the local
            clustering coefficient as LDBC Graphalytics defines it. ``facts`` has ``count``, the
            number of triangles of the graph, and its ``transitivity``.
        """
        return self._vertex_call("triangles", verify=verify)

    def core_numbers(self, *, verify: bool = False) -> VertexArray:
        """Computes the core number of each vertex (int64): the largest k such that the vertex is in
        a subgraph of minimum degree k. Directions are ignored. ``facts`` has the largest core
        number as ``largest``."""
        return self._vertex_call("core_numbers", verify=verify)

    def label_propagation(self, iterations: int = 10, *, verify: bool = False) -> VertexArray:
        """Finds communities by synchronous label propagation, as LDBC Graphalytics defines CDLP.

        Returns:
            The label of each vertex (int64): the position of the vertex that had this label first.
        """
        return self._vertex_call("label_propagation", iterations=int(iterations), verify=verify)

    def communities(
        self,
        seed: int = 1,
        *,
        resolution: float = 1.0,
        quality: str = "modularity",
        weighted: bool = True,
        verify: bool = False,
    ) -> VertexArray:
        """Finds communities by the Leiden algorithm. The same seed gives the same communities for
        any number of PEs.

        Args:
            seed: seed of the random order in which vertices move.
            resolution: a larger number gives more and smaller communities.
            quality: ``"modularity"``, or ``"cpm"`` for the constant Potts model.
            weighted: whether weights of edges count.
            verify: whether PE 0 checks labels, connectedness and quality.

        Returns:
            The community of each vertex (int64), given by the position of the first vertex of the
            community. ``facts`` has ``count`` (number of communities), their ``modularity``, and
            ``quality``, the value of the maximised function.
        """
        return self._vertex_call(
            "communities",
            seed=int(seed),
            resolution=float(resolution),
            quality=quality,
            unweighted=not weighted,
            verify=verify,
        )

    def betweenness(
        self,
        k: int | None = None,
        *,
        seed: int = 1,
        normalized: bool = True,
        verify: bool = False,
    ) -> VertexArray:
        """Computes betweenness centrality. Each edge has length 1.

        Args:
            k: number of random sources, for an estimate; by default every vertex is a source.
            seed: seed of the choice of sources.
            normalized: whether values are divided by the number of pairs of other vertices.
            verify: whether a serial program checks the values.

        Returns:
            The betweenness of each vertex (float64).
        """
        return self._vertex_call(
            "betweenness",
            k=None if k is None else int(k),
            seed=int(seed),
            counted=not normalized,
            verify=verify,
        )

    def spanning_forest(self, *, verify: bool = False) -> VertexArray:
        """Finds the minimum spanning forest. Weights must be integers.

        Returns:
            The edges of the forest, with the fields ``u``, ``v`` (int64, positions of vertices) and
            ``weight`` (int64). ``facts`` has the number of ``trees``, and the ``weight`` of the
            whole forest as an int.
        """
        facts, arrays = self._call("spanning_forest", verify=verify)
        found = vertex_array(arrays[0], facts, None)
        found.facts["weight"] = int(found.facts["weight"])
        return found

    # ---- Calls.

    def _text_of(self, vertex: Hashable) -> str:
        """Returns the name of a vertex as the server knows it."""
        return str(self.position(vertex) if self._ids_are_here else vertex)

    def _call(self, name: str, **arguments: Any) -> tuple[dict[str, Any], list[_Array]]:
        given = {key: value for key, value in arguments.items() if value is not None}
        if "verify" in given:
            given["verify"] = bool(given["verify"])
        given["graph"] = self._number
        facts, arrays, _ = self._session.call(name, given, server=self._server)
        return facts, arrays

    def _vertex_call(self, name: str, **arguments: Any) -> VertexArray:
        facts, arrays = self._call(name, **arguments)
        return vertex_array(arrays[0], facts, self)


def _check_names(path: Any, names: Any, ids: _Array) -> None:
    """Throws InputError if a file of names cannot hold the ids, or cannot be read with the graph."""
    if isinstance(names, bool) or not isinstance(names, (str, bytes, os.PathLike)) or not names:
        raise InputError(f"names: {names!r} is no path of a file, and not False")
    if os.path.realpath(os.fsdecode(names)) == os.path.realpath(os.fsdecode(path)):
        raise InputError(f"names: {os.fsdecode(names)} is the file of the graph")
    if os.fsdecode(path).endswith(".e"):
        raise InputError("names: a .e file has ids of its own, and is never read with names")
    if ids.dtype != object:
        return
    for each in ids.tolist():
        if each.startswith("\ufeff") or any(c < " " or c == "\x7f" for c in each):
            raise InputError(f"names: the id {each!r} has a control character, which no file of names holds")


@contextlib.contextmanager
def _complete_file(path: Any, lines: list[Any]) -> Iterator[None]:
    """Writes lines to a new file, which gets its name at the end of the `with` block. If the block
    raises an exception, a file with this name stays as it was."""
    text = os.path.realpath(os.path.expanduser(os.fsdecode(path)))
    folder, name = os.path.split(text)
    try:
        if os.path.exists(text) and not os.path.isfile(text):
            raise InputError(f"{text}: the file cannot be written, because it is no ordinary file")
        part = os.path.join(folder, f".{name}.{os.getpid()}.part")
        try:
            with open(part, "w", encoding="utf-8") as file:
                file.writelines(f"{each}\n" for each in lines)
            if os.path.exists(text):
                shutil.copymode(text, part)
            yield
            os.replace(part, text)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)
    except OSError as cause:
        if isinstance(cause, AtollError):
            raise
        raise InputError(f"{text}: the file cannot be written: {cause.strerror}") from None


def _is_symmetric_or_triangular(entries: Any) -> bool:
    if (entries.row <= entries.col).all() or (entries.row >= entries.col).all():
        return True
    return int((entries != entries.T).nnz) == 0


def _of_matrix(
    matrix: Any, weight: Any, vertices: int | None, directed: bool
) -> tuple[Any, Any, Any, int]:
    if not hasattr(matrix, "tocoo"):
        raise InputError(
            "dst is missing: src and dst are arrays of the same length, such as two columns of a "
            "table; only a matrix of scipy.sparse stands alone"
        )
    if weight is not None or vertices is not None:
        raise InputError("a sparse matrix has the weights and the number of vertices already")
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"the shape of the matrix is {matrix.shape}, and not square")
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    if not directed and not _is_symmetric_or_triangular(entries):
        raise InputError("the matrix of an undirected graph must be symmetric or triangular")
    return entries.row, entries.col, entries.data, matrix.shape[0]


def _edges(src: Any, dst: Any, weight: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    ends = {"src": _arrays.ids(src, "src"), "dst": _arrays.ids(dst, "dst")}
    if len(ends["src"]) != len(ends["dst"]):
        raise InputError(f"src has {len(ends['src'])} elements, and dst has {len(ends['dst'])}")
    arguments: dict[str, Any] = {"edges": len(ends["src"])}
    arrays: dict[str, Any] = {}
    named = [_arrays.is_text(each) for each in ends.values()]
    if named[0] != named[1] and len(ends["src"]):
        raise InputError("src and dst: the ids of one are strings, and those of the other integers")
    arguments["named"] = named[0] and named[1]
    for name, column in ends.items():
        if arguments["named"]:
            arrays[name], arrays[f"{name}_text"] = _arrays.text_columns(column, name)
        else:
            arrays[name], arguments[f"{name}_type"] = column, _arrays.type_name(column)
    if weight is not None:
        column = _arrays.weights(weight, "weight")
        if len(column) != len(ends["src"]):
            raise InputError(f"weight has {len(column)} elements, and src has {len(ends['src'])}")
        arrays["weight"], arguments["weight_type"] = column, _arrays.type_name(column)
    return arguments, arrays


def _check_positions(arrays: dict[str, Any], vertices: int) -> None:
    for name in ("src", "dst"):
        if name + "_text" in arrays:
            raise InputError("vertices: a number of vertices is possible only with integers as ids")
        column = arrays[name]
        if len(column) and int(column.max()) >= vertices:
            raise InputError(f"{name}: {int(column.max())} is not below vertices={vertices}")


def read(
    path: str | os.PathLike[str],
    *,
    directed: bool = False,
    names: str | os.PathLike[str] | None = None,
    any_ids: bool = False,
    weight_column: int | None = None,
    skip_lines: int | None = None,
) -> Graph:
    """Reads a graph from a file of any format that ``atoll info`` knows.

    Args:
        path: path of the file, on the machines of the server. Only a ``.tsv`` file may have names
            as ids; its first line then counts as titles only if its words are like source and
            target.
            Formats other than ``.tsv`` need integer ids; use pandas to read names from such a file,
            and pass two columns to ``Graph``.
        directed: whether edges lead from the first endpoint to the second only.
        names: path of a file whose line i, counted from 0, is the name of vertex i.
        any_ids: whether only the ids that occur become vertices. Without ``any_ids``, the vertices
            are 0 to the largest id; in a file with names, they are the names that occur.
        weight_column: number of the column with the weights in a text file, at least 3; 0: none.
        skip_lines: number of lines to skip at the beginning of a text file. By default, a first
            line with a word in place of an id is taken as titles and skipped.

    ``warnings.warn`` reports unused columns, and weights that were ignored because some line had no
    number there.

    Raises:
        InputError: the file cannot be read; the message has the file, the line and the column.
    """
    session = current()
    arguments = {
        "path": session.path(path),
        "directed": bool(directed),
        "names": None if names is None else session.path(names),
        "any_ids": bool(any_ids),
        "weight_column": weight_column,
        "skip_lines": skip_lines,
    }
    return Graph._of_file(session, {k: v for k, v in arguments.items() if v is not None})
