"""Calls a server and receives its answers, over any kind of connection."""

from __future__ import annotations

import abc
import json
import struct
from typing import Any, Callable, Generic, TypeVar

import numpy as np

from . import _errors

HEADER = struct.Struct("<II")
MOST_FILES = 8
_MOST_BYTES = 1 << 20

Progress = Callable[[str, float], None]
Array = np.ndarray[Any, Any]
Received = TypeVar("Received")


class Connection(abc.ABC, Generic[Received]):
    """A connection to a server. One thread at a time calls the functions."""

    def __init__(self) -> None:
        self._calls = 0

    def __del__(self) -> None:
        try:
            self.end()
        except Exception:  # the interpreter may have ended parts of itself
            pass

    @abc.abstractmethod
    def is_usable(self) -> bool:
        """Returns whether calls can be sent: the server runs, and a fork has not copied this object."""

    @abc.abstractmethod
    def why_ended(self) -> str:
        """Returns a line that tells why the connection has ended, or an empty text."""

    @abc.abstractmethod
    def end(self) -> None:
        """Ends the connection."""

    @abc.abstractmethod
    def _send(self, body: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Sends a call. For each array argument ``name``, sets ``body[name]`` to the position of
        the array in the call, counted from 0."""

    @abc.abstractmethod
    def _receive(self) -> tuple[dict[str, Any], list[Received]]:
        """Receives a message and its arrays: file descriptors from a local server, bytes from a
        remote one."""

    @abc.abstractmethod
    def _array(self, received: Received, dtype: np.dtype[Any], rows: int) -> Array:
        """Returns a received array."""

    @abc.abstractmethod
    def _discard(self, received: list[Received]) -> None:
        """Frees received arrays that nobody needs."""

    def call(
        self,
        name: str,
        arguments: dict[str, Any],
        arrays: dict[str, Any],
        progress: Progress | None,
    ) -> tuple[dict[str, Any], list[Array]]:
        """Sends a call and waits for the answer: facts, and arrays.

        Args:
            name: name of the call.
            arguments: arguments other than arrays.
            arrays: arguments that are C-contiguous arrays or bytes.
            progress: called repeatedly with the name of the present step and the fraction of this
                step that is done.

        Raises:
            AtollError: the call has failed, or the server has ended.
        """
        self._calls += 1
        body = {"id": self._calls, "call": name, **arguments}
        text_of({**body, **dict.fromkeys(arrays, 0)})  # a wrong argument is an error before any copy
        try:
            self._send(body, arrays)
            return self._answer(progress)
        except _errors.AtollError:
            raise
        except OSError as cause:
            # An OSError can come from a session that another thread or a signal handler has closed,
            # or from files that cannot be opened.
            self.end()
            raise _errors.EnvironmentFault(f"the call of the server has failed: {cause}") from cause
        except BaseException:
            # An exception such as Ctrl-C may leave a message half read, and its rest would be taken
            # for the next message.
            self.end()
            raise

    def _answer(self, progress: Progress | None) -> tuple[dict[str, Any], list[Array]]:
        while True:
            body, received = self._receive()
            if body.get("id") != self._calls:
                self._discard(received)
                continue
            if "progress" in body:
                if progress is not None:
                    progress(body["progress"]["step"], body["progress"]["done"])
                continue
            if "error" in body:
                raise _errors.of_reply(body["error"])
            arrays = [
                self._array(each, _dtype(described["fields"]), described["rows"])
                for each, described in zip(received, body["arrays"])
            ]
            return body["facts"], arrays


def _dtype(fields: list[list[str]]) -> np.dtype[Any]:
    if len(fields) == 1:
        return np.dtype(fields[0][1])
    return np.dtype([(title, kind) for title, kind in fields])


def bytes_of(content: Any) -> memoryview:
    """Returns the bytes of a C-contiguous array."""
    return memoryview(content).cast("B") if np.size(content) else memoryview(b"")


def text_of(body: dict[str, Any]) -> bytes:
    """Returns a message as JSON.

    Raises:
        InputError: an argument has an infinite number, NaN or text that is not UTF-8, or the
            message is too long.
    """
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError) as cause:
        raise _errors.InputError(f"an argument cannot be sent: {cause}") from None
    if len(text) > _MOST_BYTES:
        raise _errors.InputError(f"the arguments take {len(text)} bytes, and at most {_MOST_BYTES} fit")
    return text
