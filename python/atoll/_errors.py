"""The exceptions of the package. An exception that the server causes has the text that the server
has sent or printed."""

from __future__ import annotations

import re

__all__ = [
    "AtollError",
    "InputError",
    "OutOfMemory",
    "WrongResult",
    "EnvironmentFault",
    "ServerEnded",
    "Hang",
    "PEDied",
    "GraphLost",
]


class AtollError(Exception):
    """The base class of all exceptions of this package."""


class InputError(AtollError, ValueError):
    """An argument, an array, a file or a setting is wrong. The session and its graphs remain usable."""


class OutOfMemory(AtollError, MemoryError):
    """A call needs more memory than the job may use. If the memory limit of the job is the cause,
    the message names the setting that limits the memory."""


class WrongResult(AtollError):
    """A verifier (``verify=True``) has found a wrong result. The message names what is wrong, in
    most cases a vertex and its value."""


class EnvironmentFault(AtollError, OSError):
    """The machine refuses a request, because of a limit or a missing facility. The program of the
    server is missing, or a server that runs elsewhere cannot be reached."""


class ServerEnded(AtollError):
    """The server, or the connection to it, has ended during a call.

    The next call starts a new server, or connects again. Graphs must be made or read again.

    Attributes:
        report: everything that the server has printed on its standard error stream; empty for a
            server that runs elsewhere.
        status: the exit status of the server, or None if it is unknown.
    """

    def __init__(self, message: str, report: str = "", status: int | None = None) -> None:
        super().__init__(message)
        self.report = report
        self.status = status


class Hang(ServerEnded):
    """The job made no progress, and was ended. ``report`` lists the waiting tasks of all PEs."""


class PEDied(ServerEnded):
    """A signal killed a processing element (PE), and the job was ended."""


class GraphLost(AtollError):
    """The server that held a graph, or the connection to it, has ended. The graph must be made or
    read again."""


def of_reply(error: dict[str, str]) -> AtollError:
    """Returns the exception for an error that the server has sent as the answer to a call."""
    kinds: dict[str, type[AtollError]] = {
        "input": InputError,
        "out_of_memory": OutOfMemory,
        "wrong_result": WrongResult,
    }
    text = _in_python_words(error.get("text", "unknown error"))
    return kinds.get(error.get("code", ""), EnvironmentFault)(text)


def of_end(status: int | None, report: str, is_first: bool = False) -> AtollError:
    """Returns the exception for a server that has ended during a call.

    Args:
        status: exit status of the server; 128 + signal if a signal killed a PE; None if unknown.
        report: everything that the server has printed on its standard error stream.
        is_first: whether the server ended during its first call; wrong settings may then be the
            cause.
    """
    input_status, hang_status, first_of_signals = 2, 3, 128
    told = _in_python_words(report.strip()) or "the server has printed nothing"
    if status == hang_status:
        return Hang(told, report, status)
    if status is not None and status >= first_of_signals:
        if "signal" not in told:
            told = f"PE 0 was killed by signal {status - first_of_signals}; {told}"
        return PEDied(told, report, status)
    if any(words in told for words in ("out of memory", "may use", "memory is exhausted")):
        return OutOfMemory(told)
    if status == input_status and is_first:
        return InputError(told)
    return ServerEnded(f"the server has ended with status {status}: {told}", report, status)


def of_run(status: int, report: str) -> AtollError:
    """Returns the exception for a benchmark that has ended with a status other than 0."""
    wrong_result = 1
    if status == wrong_result and report.strip():
        return WrongResult(_in_python_words(report.strip()))
    return of_end(status, report, is_first=True)


def _in_python_words(text: str) -> str:
    """Returns a message of the program with settings as Python writes them: ``memory_limit`` in
    place of ``--memory-limit``."""
    without_program = re.sub(r"^atoll: error: ", "", text, flags=re.MULTILINE)
    flags = re.compile(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
    return flags.sub(lambda found: found[1].replace("-", "_"), without_program)
