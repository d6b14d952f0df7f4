"""Starts a server process, and exchanges messages with it over a Unix socket."""

from __future__ import annotations

import array
import ctypes
import fcntl
import json
import mmap
import os
import shutil
import signal
import socket
import time
import weakref
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from . import _errors, _processor
from ._connection import HEADER, MOST_FILES, Array, Connection, bytes_of, text_of

_SOCKET_IN_SERVER = 3
# Variables that a server on this machine does not need. The token is for servers that run elsewhere.
_NOT_FOR_SERVER = ("ATOLL_SERVER", "ATOLL_TOKEN")
_LEAST_DESCRIPTOR = 10  # the server's streams and socket have lower numbers


def server_program() -> str:
    """Returns the path of the server: $ATOLL_SERVER, the program in this package that fits the
    processor, or the first ``atoll`` in $PATH.

    Raises:
        EnvironmentFault: there is no such program, or the processor is too old for the package.
    """
    chosen = os.environ.get("ATOLL_SERVER", "")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise _errors.EnvironmentFault(f"ATOLL_SERVER={chosen}: there is no such program")
        return chosen
    packed = _packed_program(Path(__file__).with_name("bin"))
    if packed:
        return packed
    found = shutil.which("atoll")
    if found is None:
        raise _errors.EnvironmentFault(
            "the program atoll was not found: set ATOLL_SERVER to its path, or add its folder to PATH"
        )
    return found


def _packed_program(folder: Path) -> str:
    """Returns the path of the server in `folder` that fits the processor. The result is an empty
    text if the folder has no servers, as in a source tree."""
    prefix = "atoll-server-"
    built = [file.name[len(prefix) :] for file in folder.glob(prefix + "v*")]
    return str(folder / (prefix + _processor.level_of_machine(built))) if built else ""


def memory_file(content: Any) -> int:
    """Returns the descriptor of a new file in memory with the bytes of a C-contiguous array."""
    view = bytes_of(content)
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


def _libc() -> Any:
    found = ctypes.CDLL(None, use_errno=True)
    found.mmap.restype = ctypes.c_void_p
    found.mmap.argtypes = [
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64,
    ]
    found.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return found


_LIBC = _libc()


def _mapped(descriptor: int, length: int) -> Any:
    """Maps a file as private memory. Unlike with `mmap.mmap`, no descriptor stays open, and
    processes do not share what they write after a fork."""
    access = mmap.PROT_READ | mmap.PROT_WRITE
    address = _LIBC.mmap(None, length, access, mmap.MAP_PRIVATE, descriptor, 0)
    if address == ctypes.c_void_p(-1).value:
        cause = os.strerror(ctypes.get_errno())
        raise _errors.OutOfMemory(f"a result of {length} bytes cannot be mapped: {cause}")
    memory = (ctypes.c_char * length).from_address(address)
    weakref.finalize(memory, _LIBC.munmap, address, length).atexit = False
    return memory


def _array_of(descriptor: int, dtype: np.dtype[Any], rows: int) -> Array:
    """Returns the array in a file in memory, without a copy. Closes the descriptor."""
    try:
        if rows == 0:
            return np.empty(0, dtype)
        return np.frombuffer(_mapped(descriptor, rows * dtype.itemsize), dtype, rows)
    finally:
        os.close(descriptor)


def _above_streams(descriptor: int) -> int:
    """Returns the descriptor if its number is at least ``_LEAST_DESCRIPTOR``, or else a copy with
    such a number. If a program has closed its standard streams, files that it opens later get the
    numbers 0 to 2. Closes the descriptor if it returns a copy."""
    if descriptor >= _LEAST_DESCRIPTOR:
        return descriptor
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LEAST_DESCRIPTOR)
    finally:
        os.close(descriptor)


def _spawn(command: list[str], theirs: int, report: int) -> int:
    """Starts a server, and returns the number of its process."""
    nowhere = _above_streams(os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC))
    try:
        return os.posix_spawn(
            command[0],
            command,
            {name: value for name, value in os.environ.items() if name not in _NOT_FOR_SERVER},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, nowhere, 0),
                (os.POSIX_SPAWN_DUP2, nowhere, 1),
                (os.POSIX_SPAWN_DUP2, report, 2),
                (os.POSIX_SPAWN_DUP2, theirs, _SOCKET_IN_SERVER),
            ],
        )
    finally:
        os.close(nowhere)


class Server(Connection[int]):
    """A server that this process has started. Arrays travel as descriptors of files in memory.

    Args:
        flags: settings of the job, such as ``["--pes", "4"]``.
    """

    def __init__(self, flags: Sequence[str]) -> None:
        super().__init__()
        self._has_ended = True
        program = server_program()
        command = [program, "serve", "--descriptor", str(_SOCKET_IN_SERVER), *flags]
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            theirs = socket.socket(fileno=_above_streams(theirs.detach()))
            self._report = _above_streams(os.memfd_create("atoll-report", os.MFD_CLOEXEC))
            with theirs:
                self._process = _spawn(command, theirs.fileno(), self._report)
        except OSError as cause:
            raise _errors.EnvironmentFault(f"{program} cannot be started: {cause}") from cause
        self._socket = ours
        self._owner = os.getpid()
        self._status: int | None = None
        self._text: str | None = None
        self._has_ended = False

    def is_usable(self) -> bool:
        if self._has_ended or self._owner != os.getpid():
            return False
        if self._wait(seconds=0):
            self._ended()
        return not self._has_ended

    def why_ended(self) -> str:
        # The last line of the server's messages.
        return (self._text or "").strip().rpartition("\n")[2]

    def end(self) -> None:
        """Ends the server and all its PEs. Waits until the server has ended, for 12 seconds at most."""
        if self._has_ended:
            return
        if self._owner != os.getpid():
            self._socket.close()
            os.close(self._report)
            self._has_ended = True
            return
        self._has_ended = True  # an interrupt below must not leave a server that seems usable
        self._socket.close()
        if not self._wait(seconds=2):
            self._kill(signal.SIGTERM)
            if not self._wait(seconds=5):
                self._kill(signal.SIGKILL)
                self._wait(seconds=5)
        self._ended()

    def _ended(self) -> None:
        """Keeps the messages of a server that has ended, and closes all descriptors."""
        self._has_ended = True
        self._socket.close()
        if self._text is None:
            size = os.fstat(self._report).st_size
            self._text = os.pread(self._report, size, 0).decode(errors="replace")
            os.close(self._report)

    def _send(self, body: dict[str, Any], arrays: dict[str, Any]) -> None:
        files: list[int] = []
        try:
            for number, (argument, content) in enumerate(arrays.items()):
                files.append(memory_file(content))
                body[argument] = number
            self._send_files(text_of(body), files)
        finally:
            self._discard(files)

    def _send_files(self, text: bytes, files: list[int]) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        message = HEADER.pack(len(text), len(files)) + text
        try:
            sent = self._socket.sendmsg([message], rights)
            self._socket.sendall(message[sent:])
        except (BrokenPipeError, ConnectionResetError):
            raise self._end_of_server() from None

    def _array(self, received: int, dtype: np.dtype[Any], rows: int) -> Array:
        return _array_of(received, dtype, rows)

    def _discard(self, received: list[int]) -> None:
        for descriptor in received:
            os.close(descriptor)

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        room = socket.CMSG_SPACE(MOST_FILES * 4)
        first, flags = b"", 0
        rights: list[tuple[int, int, bytes]] = []
        try:
            first, rights, flags, _ = self._socket.recvmsg(1, room, socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            pass
        files = array.array("i")
        for _, _, content in rights:
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
        if flags & socket.MSG_CTRUNC:
            for descriptor in files:
                os.close(descriptor)
            self.end()
            raise _errors.EnvironmentFault("too many files are open to receive a result (ulimit -n)")
        if not first:
            raise self._end_of_server()
        length, _ = HEADER.unpack(first + self._receive_exactly(HEADER.size - 1))
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
        if not self._has_ended:
            self._has_ended = True
            self._socket.close()
            if not self._wait(seconds=10):
                self._kill(signal.SIGKILL)
                self._wait(seconds=5)
            self._ended()
        return _errors.of_end(self._status, self._text or "", is_first=self._calls == 1)

    def _wait(self, seconds: float) -> bool:
        """Waits until the server process has ended, but at most ``seconds`` seconds. Returns
        whether the server process has ended."""
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
