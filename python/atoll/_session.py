"""Sessions: a server with its settings, which starts with the first call and stays for later calls."""

from __future__ import annotations

import collections
import os
import threading
import weakref
from types import TracebackType
from typing import Any

import numpy as np

from . import _errors
from ._connection import Connection
from ._progress import progress_bar
from ._server import Server

_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


class Session:
    """A server process with its PEs (processing elements), and the graphs that it holds.

    Several threads may use a session: their calls are answered one after another. The server starts
    with the first call. If the server ends during a call, the next call starts a new server.

    Args:
        pes: number of PEs; by default one per physical core.
        memory_limit: memory for results, arrays of algorithms, tasks and messages of all PEs, such
            as ``"8GiB"``. The lists of neighbours and of edges of a graph are not counted.
        settings: further settings that ``atoll options`` lists, with ``_`` in place of ``-``, such
            as ``hang_timeout="30s"``.
    """

    def __init__(
        self, pes: int | None = None, memory_limit: str | int | None = None, **settings: object
    ) -> None:
        given = {"pes": pes, "memory_limit": memory_limit, **settings}
        self._flags = flags_of(given)
        self._lock = threading.RLock()
        self._is_calling = False
        self._server: Connection[Any] | None = None
        self._freed: collections.deque[tuple[Connection[Any], int]] = collections.deque()
        _sessions.add(self)

    def call(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        arrays: dict[str, Any] | None = None,
        server: Connection[Any] | None = None,
    ) -> tuple[dict[str, Any], list[np.ndarray[Any, Any]], Connection[Any]]:
        """Calls the server and waits for the answer. Other Python threads run while this thread
        waits for the answer.

        Args:
            name: name of the call.
            arguments: arguments other than arrays.
            arrays: arguments that are C-contiguous arrays or bytes.
            server: the server that holds the graph of the call; by default any server.

        Returns:
            The facts of the answer, its arrays, and the server that has answered.

        Raises:
            AtollError: the call has failed, or the server has ended.
            GraphLost: ``server`` has ended before the call.
        """
        with self._lock:
            if self._is_calling:  # the same thread: a signal handler or a finalizer
                raise _errors.AtollError(f"{name} was called in the middle of another call")
            self._is_calling = True
            try:
                answering = self._running(server)
                self._free_graphs(answering)
                with progress_bar(name) as progress:
                    facts, found = answering.call(name, arguments or {}, arrays or {}, progress)
                return facts, found, answering
            finally:
                self._is_calling = False

    def holds(self, server: Connection[Any]) -> bool:
        """Returns whether the graphs of ``server`` can still be used."""
        return server is self._server and server.is_usable()

    def free_later(self, server: Connection[Any], graph: int) -> None:
        """Frees a graph of the server at the next call. Does not block, so that finalizers can call
        this function."""
        self._freed.append((server, graph))

    def close(self) -> None:
        """Ends the server, and frees all its graphs. The next call would start a new server."""
        with self._lock:
            if self._server is not None:
                self._server.end()
                self._server = None

    def path(self, path: str | bytes | os.PathLike[Any]) -> str:
        """Returns the path by which the server opens a file. A relative path begins at the working
        directory of the Python process."""
        return os.path.abspath(os.path.expanduser(os.fsdecode(path)))

    @property
    def pes(self) -> int:
        """Number of PEs of the server. Starts the server if it does not run."""
        return int(self.call("job")[0]["pes"])

    def __enter__(self) -> Session:
        self.call("job")  # starts the server, so that wrong settings are errors here
        _of_thread.entered.append(self)
        _of_all_threads.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _remove_last(_of_thread.entered, self)
        _remove_last(_of_all_threads, self)
        self.close()

    def __repr__(self) -> str:
        state = "running" if self._server is not None and self._server.is_usable() else "not running"
        return f"<atoll.Session {' '.join(self._flags) or 'with default settings'}, {state}>"

    def _running(self, server: Connection[Any] | None) -> Connection[Any]:
        """Returns the server that answers a call; `server` is the one that holds the call's graph."""
        if server is not None and not self.holds(server):
            why = server.why_ended()
            raise _errors.GraphLost(
                "the session that held this graph was closed, or its server has ended: make or read "
                "the graph again"
                + (f" (its last message: {why})" if why else "")
            )
        if self._server is None or not self._server.is_usable():
            self._server = self._new_server()
        return self._server

    def _new_server(self) -> Connection[Any]:
        return Server(self._flags)

    def _free_graphs(self, answering: Connection[Any]) -> None:
        while self._freed:
            server, graph = self._freed.popleft()
            if server is answering:
                answering.call("destroy", {"graph": graph}, {}, None)

    def _forget_after_fork(self) -> None:
        self._lock = threading.RLock()
        self._is_calling = False
        if self._server is not None:
            self._server.end()  # closes this process's copy of the socket only
            self._server = None


def flags_of(settings: dict[str, object]) -> list[str]:
    """Returns settings as arguments of the program atoll. A setting of None is left out."""
    return [
        f"--{name.replace('_', '-')}={_setting(value)}"
        for name, value in settings.items()
        if value is not None
    ]


def _setting(value: object) -> str:
    """Returns the value of a setting as the server reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


class _OfThread(threading.local):
    """The sessions whose ``with`` blocks the present thread has entered, the innermost last."""

    def __init__(self) -> None:
        self.entered: list[Session] = []


_of_thread = _OfThread()
_of_all_threads: list[Session] = []
_first: Session | None = None


def current() -> Session:
    """Returns the session in which the calling thread makes graphs.

    A thread inside of ``with atoll.session(...)`` blocks uses the session of its innermost block. A
    thread with no open ``with`` block of its own uses the session of the most recently entered open
    block of any thread. A thread that is started inside of a ``with`` block normally uses the
    session of this block. If no ``with`` block is open, the calling thread uses a session with
    default settings.
    """
    global _first
    if _of_thread.entered:
        return _of_thread.entered[-1]
    if _of_all_threads:
        return _of_all_threads[-1]
    if _first is None:
        _first = Session()
    return _first


def _remove_last(entered: list[Session], session: Session) -> None:
    for place in range(len(entered) - 1, -1, -1):
        if entered[place] is session:
            del entered[place]
            return


def _after_fork() -> None:
    for each in list(_sessions):
        each._forget_after_fork()


os.register_at_fork(after_in_child=_after_fork)
