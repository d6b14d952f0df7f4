"""Runs benchmarks of the program ``atoll``, and returns their measurements."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import Any

from . import _errors
from ._session import flags_of


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
    with tempfile.TemporaryDirectory(prefix="atoll-run-") as folder:
        file = os.path.join(folder, "result.json")
        words = [_program(), "bench", name, *[os.fspath(each) for each in inputs], f"--json={file}"]
        ended = subprocess.run(
            [*words, *flags_of(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        if ended.returncode != 0:
            code = ended.returncode
            raise _errors.of_run(128 - code if code < 0 else code, ended.stderr)
        with open(file, encoding="utf-8") as made:
            found: dict[str, Any] = json.load(made)
        return found
