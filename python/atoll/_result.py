"""Arrays of results: NumPy arrays with one element per vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._graph import Graph


class VertexArray(np.ndarray[Any, Any]):
    """A NumPy array with one element per vertex, in the order of ``Graph.vertices``.

    Attributes:
        facts: further results of the call, such as the number of components.
    """

    facts: dict[str, Any]
    _graph: Graph | None

    def __array_finalize__(self, source: object) -> None:
        self.facts = getattr(source, "facts", {})
        self._graph = getattr(source, "_graph", None)

    def to_pandas(self) -> Any:
        """Returns a Series, or a DataFrame if elements have several fields. Its index has the ids
        of the vertices."""
        import pandas

        graph = self._graph
        index = None
        if graph is not None and len(graph) == len(self):
            index = pandas.Index(graph.vertices, name="vertex")
        plain = np.asarray(self)
        if plain.dtype.names:
            return pandas.DataFrame({n: plain[n] for n in plain.dtype.names}, index=index)
        return pandas.Series(plain, index=index)


def vertex_array(found: np.ndarray[Any, Any], facts: dict[str, Any], graph: Graph) -> VertexArray:
    """Returns a view of an array of the server as a result of a graph."""
    made = found.view(VertexArray)
    made.facts = facts
    made._graph = graph
    return made
