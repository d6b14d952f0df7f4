"""Arrays of results: NumPy arrays with one element per vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import InputError

if TYPE_CHECKING:
    from ._graph import Graph

_Array = np.ndarray[Any, Any]


class VertexArray(np.ndarray[Any, Any]):
    """A NumPy array with one element per vertex, in the order of ``Graph.vertices``. Only the result
    of ``Graph.spanning_forest`` has one element per edge of the forest.

    Computing with the array gives ordinary arrays of NumPy, which know nothing of vertices.

    Attributes:
        facts: further results of the call, such as the number of components.
    """

    facts: dict[str, Any]
    _graph: Graph | None
    _is_part: bool

    def __array_finalize__(self, source: object) -> None:
        self.facts = getattr(source, "facts", {})
        self._graph = None  # a part or another order of the elements has other vertices
        self._is_part = True

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(key, str) and isinstance(found, VertexArray):
            found._graph, found._is_part = self._graph, self._is_part
        return found

    def to_pandas(self) -> Any:
        """Returns a Series, or a DataFrame if elements have several fields.

        The index has the ids of the vertices. If ``Graph.vertices`` was not used before, the server
        must still hold the graph. For a spanning forest, the index is instead the number of each
        edge, counted from 0.

        Raises:
            InputError: the array is only a part of a result, or its elements are not in the order
                of ``Graph.vertices``.
        """
        import pandas

        if self._is_part:
            raise InputError("a part of a result has lost its vertices: call to_pandas first")
        index = None
        if self._graph is not None:
            index = pandas.Index(self._graph.vertices, name="vertex")
        plain = np.asarray(self)
        if plain.dtype.names:
            return pandas.DataFrame({n: plain[n] for n in plain.dtype.names}, index=index)
        return pandas.Series(plain, index=index)


def vertex_array(found: _Array, facts: dict[str, Any], graph: Graph | None) -> VertexArray:
    """Returns a VertexArray that is a view of an array from the server. ``graph`` is the graph
    whose vertices the elements describe, or None if elements describe something else."""
    made = found.view(VertexArray)
    made.facts = facts
    made._graph, made._is_part = graph, False
    return made
