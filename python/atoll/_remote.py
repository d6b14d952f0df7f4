"""Connects to a server that runs elsewhere, such as a job of many PEs on a cluster."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import select
import socket
import ssl
import struct
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from . import _errors
from ._connection import HEADER, Array, Connection, bytes_of, text_of
from ._session import Session

_PROTOCOL = b"atoll-1\n"
_RANDOM_BYTES = 32
_PROOF_BYTES = 32
_LENGTH = struct.Struct("<Q")
_PIECE = 1 << 24
_SECONDS_TO_CONNECT = 10
_BLANKS = " \t\r\n"  # those that the server removes from both ends of its token
_WRONG_TOKEN, _BUSY = b"\1", b"\2"  # verdicts of the server about a client


class RemoteServer(Connection["np.ndarray[Any, Any]"]):
    """A server at the other end of a TCP connection. Arrays travel as their bytes.

    Args:
        address: ``tcp://HOST:PORT`` or ``tls://HOST:PORT``.
        token: what server and client both know.
        certificate: file with the certificate of the server, or with certificates of authorities
            that may have signed it; None: the authorities that the system trusts. Only for ``tls``.
    """

    def __init__(self, address: str, token: str, certificate: str | None) -> None:
        super().__init__()
        self._has_ended = True
        self._why = ""
        self._address = address
        self._owner = os.getpid()
        self._socket = _connected(address, certificate)
        try:
            self._prove(token.encode())
            self._socket.settimeout(None)
        except (OSError, EOFError) as cause:
            self._socket.close()
            if isinstance(cause, _errors.AtollError):
                raise
            raise _errors.EnvironmentFault(f"{address}: {_why_no_answer(cause, address)}") from cause
        except BaseException:
            self._socket.close()
            raise
        self._has_ended = False

    def is_usable(self) -> bool:
        if self._has_ended or self._owner != os.getpid():
            return False
        # Between calls a server sends nothing, so there is something to read only if it has ended.
        watched = select.poll()
        watched.register(self._socket, select.POLLIN)
        if watched.poll(0):
            self._lose()
        return not self._has_ended

    def why_ended(self) -> str:
        return self._why

    def end(self) -> None:
        """Closes the connection. The server frees the graphs, and waits for the next client."""
        if self._has_ended:
            return
        self._has_ended = True
        if self._owner == os.getpid():
            try:
                # `shutdown` ends the connection even if a forked child holds a copy of the socket;
                # `close` alone would not.
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the connection has ended already
        self._socket.close()

    def _prove(self, token: bytes) -> None:
        """Proves that this side knows the token, and checks the proof of the server."""
        hello = self._exactly(len(_PROTOCOL) + _RANDOM_BYTES)
        if not hello.startswith(_PROTOCOL):
            raise _errors.EnvironmentFault(
                f"{self._address}: another program listens there, or a server of another version"
            )
        ours = secrets.token_bytes(_RANDOM_BYTES)
        both = hello[len(_PROTOCOL) :] + ours
        self._socket.sendall(ours + hmac.digest(token, b"client" + both, "sha256"))
        verdict = self._exactly(1)
        if verdict == _WRONG_TOKEN:
            raise _errors.InputError(f"{self._address}: the server has another token")
        proof = self._exactly(_PROOF_BYTES)
        if not hmac.compare_digest(proof, hmac.digest(token, b"server" + both, "sha256")):
            raise _errors.EnvironmentFault(
                f"{self._address}: the server has not proved that it knows the token"
            )
        if verdict == _BUSY:
            raise _errors.EnvironmentFault(
                f"{self._address}: the server is busy: it serves another client, or finishes the "
                "call of a client that has left; try again later"
            )

    def _send(self, body: dict[str, Any], arrays: dict[str, Any]) -> None:
        body.update({name: number for number, name in enumerate(arrays)})
        text = text_of(body)
        try:
            self._socket.sendall(HEADER.pack(len(text), len(arrays)) + text)
            for content in arrays.values():
                view = bytes_of(content)
                self._socket.sendall(_LENGTH.pack(len(view)))
                for begin in range(0, len(view), _PIECE):
                    self._socket.sendall(view[begin : begin + _PIECE])
        except OSError as cause:
            raise self._lost(cause) from None

    def _receive(self) -> tuple[dict[str, Any], list[Array]]:
        try:
            length, count = HEADER.unpack(self._exactly(HEADER.size))
            body = json.loads(self._exactly(length))
            return body, [self._bytes(*_LENGTH.unpack(self._exactly(_LENGTH.size))) for _ in range(count)]
        except (OSError, EOFError) as cause:
            raise self._lost(cause) from None
        except MemoryError:
            self.end()  # the rest of the answer would be taken for the next answer
            raise _errors.OutOfMemory("a result does not fit into the memory of this machine") from None

    def _array(self, received: Array, dtype: np.dtype[Any], rows: int) -> Array:
        return np.frombuffer(received, dtype, rows) if rows else np.empty(0, dtype)

    def _discard(self, received: list[Array]) -> None:
        received.clear()

    def _exactly(self, length: int) -> bytes:
        return self._bytes(length).tobytes()

    def _bytes(self, length: int) -> Array:
        found = np.empty(length, np.uint8)
        view, done = memoryview(found), 0
        while done < length:
            got = self._socket.recv_into(view[done : done + _PIECE])
            if got == 0:
                raise EOFError("the server has closed the connection")
            done += got
        return found

    def _lose(self, cause: BaseException | None = None) -> None:
        why = f": {cause}" if cause is not None and str(cause) else ""
        self._why = f"the connection to {self._address} has ended{why}"
        self.end()

    def _lost(self, cause: BaseException) -> _errors.ServerEnded:
        self._lose(cause)
        return _errors.ServerEnded(
            f"{self._why}; the server was ended, one of its PEs has died, or the network has failed"
        )


def _why_no_answer(cause: BaseException, address: str) -> str:
    if isinstance(cause, socket.timeout):
        return "the server does not answer; it may check many other clients now, or be stopped"
    hint = "" if address.startswith("tls") else "; does it need tls:// in place of tcp://?"
    return f"the server has ended the connection ({cause}){hint}"


def _connected(address: str, certificate: str | None) -> socket.socket:
    """Returns a socket that is connected to the address."""
    host, port, is_encrypted = _parts(address)
    if certificate is not None and not is_encrypted:
        raise _errors.InputError(f"certificate: {address} does not begin with tls://")
    context = _context(certificate) if is_encrypted else None
    try:
        plain = socket.create_connection((host, port), _SECONDS_TO_CONNECT)
    except (OSError, UnicodeError) as cause:
        raise _errors.EnvironmentFault(f"{address}: no connection: {cause}") from cause
    _watch_for_vanished_server(plain)
    if context is None:
        return plain
    try:
        return context.wrap_socket(plain, server_hostname=host)
    except ssl.SSLCertVerificationError as cause:
        plain.close()
        raise _errors.EnvironmentFault(
            f"{address}: the certificate of the server is not accepted: {cause.verify_message}"
        ) from cause
    except OSError as cause:
        plain.close()
        raise _errors.EnvironmentFault(
            f"{address}: TLS cannot begin ({cause}); does the server need tcp:// in place of tls://?"
        ) from cause


def _parts(address: str) -> tuple[str, int, bool]:
    """Returns the host, the port, and whether the connection is encrypted."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
        others = parts.path or parts.query or parts.fragment or "@" in address or address.split() != [address]
    except (ValueError, AttributeError, TypeError):
        host, port, others = None, None, True
    if not host or not port or parts.scheme not in ("tcp", "tls") or others:
        raise _errors.InputError(
            f"{address!r} is no address of a server, such as tls://node17:7000 or tcp://127.0.0.1:7000"
        )
    return host, port, parts.scheme == "tls"


def _context(certificate: str | None) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=certificate)
    except OSError as cause:
        raise _errors.InputError(f"certificate: {certificate} cannot be read: {cause}") from cause
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def _watch_for_vanished_server(plain: socket.socket) -> None:
    """Makes the system notice within about two minutes that the machine of the server has vanished."""
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, 30),
        (socket.TCP_KEEPINTVL, 10),
        (socket.TCP_KEEPCNT, 6),
    ):
        plain.setsockopt(socket.IPPROTO_TCP, option, value)


class _RemoteSession(Session):
    """A session whose server runs elsewhere."""

    def __init__(self, address: str, token: str, certificate: str | None) -> None:
        super().__init__()
        self._address, self._token, self._certificate = address, token, certificate

    def _new_server(self) -> Connection[Any]:
        return RemoteServer(self._address, self._token, self._certificate)

    def path(self, path: str | bytes | os.PathLike[Any]) -> str:
        return os.fsdecode(path)  # a path of another machine

    def __repr__(self) -> str:
        is_open = self._server is not None and self._server.is_usable()
        return f"<atoll.Session at {self._address}, {'connected' if is_open else 'not connected'}>"


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeError:
        return False
    return True


def connect(
    address: str, *, token: str | None = None, certificate: str | os.PathLike[str] | None = None
) -> Session:
    """Connects to a server that runs elsewhere, which ``atoll serve --listen HOST:PORT`` has started.

    The session is used like one of ``atoll.session``: inside its ``with`` block, the remote server
    makes new graphs. When the session is closed, the server frees its graphs and waits for the next
    client. Paths given to ``atoll.read`` and to ``write`` are paths of the server's machines, and
    relative paths begin at the server's folder. Of the paths given to ``write``, only ``names`` is
    a path of this machine: the Python process writes that file itself. If the connection ends, the
    next call connects again.

    Args:
        address: what the server has printed: ``tls://HOST:PORT``, or ``tcp://HOST:PORT`` without
            encryption.
        token: the token of the server; by default that in the variable ``ATOLL_TOKEN``. The token
            is never sent.
        certificate: file with the certificate of the server, or with certificates of authorities
            that may have signed it. By default, an authority that the system trusts must have
            signed the certificate of the server.

    Raises:
        InputError: the address, the token or the certificate file is wrong.
        EnvironmentFault: there is no connection, the certificate of the server is not accepted, or
            the server is busy with another client.
    """
    given = os.environ.get("ATOLL_TOKEN", "") if token is None else token
    if not isinstance(given, str) or not _is_utf8(given):
        raise _errors.InputError("token: a text of UTF-8 is needed")
    given = given.strip(_BLANKS)
    if not given:
        raise _errors.InputError(
            "token: the token of the server is needed, as an argument or in the variable ATOLL_TOKEN"
        )
    file = None if certificate is None else os.fspath(certificate)
    session = _RemoteSession(address, given, file)
    session.call("job")  # connects, so that a wrong token is an error here
    return session
