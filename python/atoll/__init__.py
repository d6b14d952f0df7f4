"""Algorithms on large graphs, computed by many processes: NumPy arrays in, NumPy arrays out.

    import atoll
    g = atoll.Graph([0, 1, 2], [1, 2, 0])
    g.components()

A server with one processing element (PE) per physical core starts with the first call, and holds the
graphs. `atoll.connect` uses a server that runs elsewhere, such as on a cluster. An error, a hang or
a dead PE is a Python exception; the Python process is never in danger.
"""

from ._errors import (
    AtollError,
    EnvironmentFault,
    GraphLost,
    Hang,
    InputError,
    OutOfMemory,
    PEDied,
    ServerEnded,
    WrongResult,
)
from ._graph import Graph, read
from ._remote import connect
from ._result import VertexArray
from ._run import run
from ._session import Session, current
from ._session import Session as session

__version__ = "0.1.0"

__all__ = [
    "AtollError",
    "EnvironmentFault",
    "Graph",
    "GraphLost",
    "Hang",
    "InputError",
    "OutOfMemory",
    "PEDied",
    "ServerEnded",
    "Session",
    "VertexArray",
    "WrongResult",
    "close",
    "connect",
    "current",
    "read",
    "run",
    "session",
]


def close() -> None:
    """Ends the server of the current session, or the connection to it. The graphs of the session are
    freed. A later call starts a new server, or connects again."""
    current().close()
