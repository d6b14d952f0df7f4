"""Runs benchmarks of the program ``atoll``, and returns their measurements."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
from typing import Any

from . import _errors
from ._session import flags_of

# Variables by which a program finds out that a launcher of MPI has started it as a rank, and those
# of this package.
_NOT_FOR_BENCHMARK = (
    "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "ATOLL_SERVER", "ATOLL_TOKEN",
)
_LIBC = ctypes.CDLL(None)


def _program() -> str:
    """Returns the path of the program atoll, which has the benchmarks. The server programs in an
    installed package have no benchmarks."""
    found = shutil.which(os.environ.get("ATOLL_SERVER") or "atoll")
    if found is None:
        raise _errors.EnvironmentFault(
            "benchmarks need the program atoll, which was not found: build it by `make program`, and "
            "set ATOLL_SERVER to its path, or add its folder to PATH"
        )
    return found


def _end_with_parent() -> None:
    """Makes the system end this new process when the Python process ends, even by a signal."""
    set_signal_of_parents_death = 1
    _LIBC.prctl(set_signal_of_parents_death, signal.SIGTERM)


def _ended(program: str, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a program until it ends, and returns its status and what it has printed."""
    if any("\0" in each for each in words):
        raise _errors.InputError("an input or a setting of the benchmark has the character NUL")
    return subprocess.run(
        [program, *words],
        env={key: value for key, value in os.environ.items() if key not in _NOT_FOR_BENCHMARK},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        preexec_fn=_end_with_parent,
    )


def run(name: str, *inputs: str | os.PathLike[str], **settings: object) -> dict[str, Any]:
    """Runs ``atoll bench NAME`` in PEs of its own, and returns what the option ``--json`` writes.

    ``atoll bench`` lists the benchmarks, and ``atoll bench NAME --help`` lists the settings. No
    session is used. The function waits until the benchmark has ended; Ctrl-C ends the benchmark.

    Args:
        name: name of the benchmark, such as ``"gups"``.
        inputs: files of the benchmark, such as a graph.
        settings: settings with ``_`` in place of ``-``: ``pes=2, log2_table=24, verify=True``.

    Returns:
        The parts ``name``, ``parameters``, ``verified`` and ``metrics``. Each of ``metrics`` has a
        ``unit``, all ``values``, and the ``median``.

    Raises:
        InputError: there is no such benchmark, or a setting is wrong.
        WrongResult: the verifier has found a wrong result.
        ServerEnded: the benchmark has ended with another error; ``report`` has its output.
        EnvironmentFault: the program ``atoll`` is neither in ``ATOLL_SERVER`` nor in ``PATH``.
    """
    if not isinstance(name, str) or not name or name.startswith("-"):
        raise _errors.InputError(f"name: {name!r} is no name of a benchmark, such as 'gups'")
    program = _program()
    ended = _ended(program, ["bench", name, *map(os.fsdecode, inputs), "--json=-", *flags_of(settings)])
    if ended.returncode != 0:
        code = ended.returncode
        raise _errors.of_run(128 - code if code < 0 else code, ended.stderr)
    try:
        found: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        raise _errors.EnvironmentFault(f"{program} has printed no result of {name}") from None
    return found
