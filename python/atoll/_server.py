"""Starts a server process, and exchanges messages with it over a Unix socket."""

from __future__ import annotations

import array
import fcntl
import json
import mmap
import os
import shutil
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

from . import _errors

_HEADER = struct.Struct("=II")
_MOST_FILES = 8
_SOCKET_IN_SERVER = 3

Fields = list[tuple[str, str]]
Progress = Callable[[str, float], None]


def server_program() -> str:
    """Returns the path of the server: $ATOLL_SERVER, the program in this package, or the first
    ``atoll`` in $PATH.

    Raises:
        EnvironmentFault: there is no such program.
    """
    chosen = os.environ.get("ATOLL_SERVER", "")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise _errors.EnvironmentFault(f"ATOLL_SERVER={chosen}: there is no such program")
        return chosen
    packed = Path(__file__).with_name("bin") / "atoll"
    if packed.exists():
        return str(packed)
    found = shutil.which("atoll")
    if found is None:
        raise _errors.EnvironmentFault(
            "the program atoll was not found: set ATOLL_SERVER to its path, or add its folder to PATH"
        )
    return found


def memory_file(content: Any) -> int:
    """Returns the descriptor of a new file in memory with the bytes of a C-contiguous array."""
    view = memoryview(content).cast("B") if np.size(content) else memoryview(b"")
    descriptor = os.memfd_create("atoll-argument", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(descriptor, len(view))
        # The server takes sealed files only: it would crash if a mapped file became shorter.
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        if len(view):
            with mmap.mmap(descriptor, len(view)) as mapped:
                np.copyto(np.frombuffer(mapped, np.uint8), np.frombuffer(view, np.uint8))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _array_of(descriptor: int, fields: Fields, rows: int) -> np.ndarray[Any, Any]:
    """Returns the array in a file in memory, without a copy. Closes the descriptor."""
    try:
        dtype = np.dtype(fields[0][1]) if len(fields) == 1 else np.dtype(fields)
        if rows == 0:
            return np.empty(0, dtype)
        return np.frombuffer(mmap.mmap(descriptor, rows * dtype.itemsize), dtype, rows)
    finally:
        os.close(descriptor)


class Server:
    """A running server. One thread at a time calls the functions.

    Args:
        flags: settings of the job, such as ``["--pes", "4"]``.
    """

    def __init__(self, flags: Sequence[str]) -> None:
        program = server_program()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._report = os.memfd_create("atoll-report", os.MFD_CLOEXEC)
        nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._process = os.posix_spawn(
                program,
                [program, "serve", "--descriptor", str(_SOCKET_IN_SERVER), *flags],
                {k: v for k, v in os.environ.items() if k != "ATOLL_SERVER"},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, nowhere, 0),
                    (os.POSIX_SPAWN_DUP2, nowhere, 1),
                    (os.POSIX_SPAWN_DUP2, self._report, 2),
                    (os.POSIX_SPAWN_DUP2, _high(theirs), _SOCKET_IN_SERVER),
                ],
            )
        except OSError as cause:
            ours.close()
            os.close(self._report)
            raise _errors.EnvironmentFault(f"{program} cannot be started: {cause}") from cause
        finally:
            os.close(nowhere)
            theirs.close()
        self._socket = ours
        self._owner = os.getpid()
        self._status: int | None = None
        self._has_ended = False
        self._calls = 0

    def is_usable(self) -> bool:
        """Returns whether calls can be sent. A child of a fork must not use its parent's server."""
        return not self._has_ended and self._owner == os.getpid()

    def call(
        self,
        name: str,
        arguments: dict[str, Any],
        arrays: dict[str, Any],
        progress: Progress | None,
    ) -> tuple[dict[str, Any], list[np.ndarray[Any, Any]]]:
        """Sends a call and waits for the answer: facts, and arrays.

        Args:
            name: name of the call.
            arguments: arguments other than arrays.
            arrays: arguments that are C-contiguous arrays or bytes.
            progress: called repeatedly with the name of the present step and its done fraction.

        Raises:
            AtollError: the call has failed, or the server has ended.
        """
        self._calls += 1
        body = {"id": self._calls, "call": name, **arguments}
        files: list[int] = []
        try:
            for number, (argument, content) in enumerate(arrays.items()):
                files.append(memory_file(content))
                body[argument] = number
            self._send(body, files)
            return self._answer(progress)
        except _errors.AtollError:
            raise
        except BaseException:
            # Ctrl-C, or a broken connection: an answer that comes later would be taken for another.
            self.end()
            raise
        finally:
            for descriptor in files:
                os.close(descriptor)

    def end(self) -> None:
        """Ends the server and all its PEs. Waits until the server has ended."""
        if self._owner != os.getpid():
            self._socket.close()
            return
        if self._has_ended:
            return
        self._socket.close()
        if not self._wait(seconds=2):
            self._kill(signal.SIGTERM)
            if not self._wait(seconds=5):
                self._kill(signal.SIGKILL)
                self._wait(seconds=5)
        self._has_ended = True

    def report(self) -> str:
        """Returns everything that the server has printed on its standard error stream."""
        size = os.fstat(self._report).st_size
        return os.pread(self._report, size, 0).decode(errors="replace")

    def _send(self, body: dict[str, Any], files: list[int]) -> None:
        text = json.dumps(body).encode()
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        message = _HEADER.pack(len(text), len(files)) + text
        try:
            sent = self._socket.sendmsg([message], rights)
            self._socket.sendall(message[sent:])
        except (BrokenPipeError, ConnectionResetError):
            raise self._end_of_server() from None

    def _answer(self, progress: Progress | None) -> tuple[dict[str, Any], list[np.ndarray[Any, Any]]]:
        while True:
            body, files = self._receive()
            if body.get("id") != self._calls:
                for descriptor in files:
                    os.close(descriptor)
                continue
            if "progress" in body:
                if progress is not None:
                    progress(body["progress"]["step"], body["progress"]["done"])
                continue
            if "error" in body:
                raise _errors.of_reply(body["error"])
            arrays = [
                _array_of(descriptor, [(f[0], f[1]) for f in each["fields"]], each["rows"])
                for descriptor, each in zip(files, body["arrays"])
            ]
            return body["facts"], arrays

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        room = socket.CMSG_SPACE(_MOST_FILES * 4)
        try:
            first, rights, flags, _ = self._socket.recvmsg(1, room, socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            first, rights = b"", []
        files = array.array("i")
        for _, _, content in rights:
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
        if not first:
            raise self._end_of_server()
        length, _ = _HEADER.unpack(first + self._receive_exactly(_HEADER.size - 1))
        return json.loads(self._receive_exactly(length)), list(files)

    def _receive_exactly(self, length: int) -> bytes:
        content = bytearray()
        while len(content) < length:
            try:
                more = self._socket.recv(length - len(content))
            except ConnectionResetError:
                more = b""
            if not more:
                raise self._end_of_server()
            content += more
        return bytes(content)

    def _end_of_server(self) -> _errors.AtollError:
        """Waits for the end of a server that has closed the connection. Returns the exception."""
        self._socket.close()
        if not self._wait(seconds=10):
            self._kill(signal.SIGKILL)
            self._wait(seconds=5)
        self._has_ended = True
        return _errors.of_end(self._status, self.report())

    def _wait(self, seconds: float) -> bool:
        """Waits until the process has ended, for at most so many seconds. Returns whether it has."""
        deadline = time.monotonic() + seconds
        pause = 0.0005
        while True:
            try:
                found, status = os.waitpid(self._process, os.WNOHANG)
            except ChildProcessError:
                return True  # another part of the program has waited for it
            if found == self._process:
                code = os.waitstatus_to_exitcode(status)
                self._status = 128 - code if code < 0 else code
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.05)

    def _kill(self, number: int) -> None:
        try:
            os.kill(self._process, number)
        except ProcessLookupError:
            pass


def _high(of: socket.socket) -> int:
    """Returns the descriptor of a socket, which must not be one that the server's streams replace."""
    number = of.fileno()
    if number <= _SOCKET_IN_SERVER:
        raise _errors.EnvironmentFault(
            f"descriptor {number} is free: a program that closes its standard streams cannot "
            "start a server"
        )
    return number
