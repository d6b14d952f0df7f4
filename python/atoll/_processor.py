"""Decides which of the servers in this package the processor of the machine can run.

An installed package has a server for each of the levels v2, v3 and v4 of x86-64. A level is a set of
instructions: v3 has AVX2, for example, and v4 has AVX-512. A program of a higher level is faster, but
an older processor would kill the program at the first instruction that the processor does not know.
"""

from __future__ import annotations

import re
from typing import AbstractSet, Iterable

from . import _errors

# The levels of x86-64 from the lowest on, each with the instructions that it adds to the level
# before. Instructions have the names that Linux uses in /proc/cpuinfo, such as abm for LZCNT and
# pni for SSE3.
LEVELS: dict[str, frozenset[str]] = {
    "v2": frozenset("cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3".split()),
    "v3": frozenset("abm avx avx2 bmi1 bmi2 f16c fma movbe xsave".split()),
    "v4": frozenset("avx512f avx512bw avx512cd avx512dq avx512vl".split()),
}


def flags_in(text: str) -> frozenset[str]:
    """Returns the instructions that all processors in the text of /proc/cpuinfo have."""
    lines = re.findall(r"^flags[ \t]*:(.*)$", text, re.MULTILINE)
    return frozenset.intersection(*(frozenset(line.split()) for line in lines)) if lines else frozenset()


def level_of(flags: AbstractSet[str], built: Iterable[str] = LEVELS) -> str:
    """Returns the highest level that a processor with these instructions can run.

    Args:
        flags: the instructions of the processor, as /proc/cpuinfo names them.
        built: the levels for which there is a server.

    Raises:
        EnvironmentFault: the processor can run none of the servers. The message of the exception
            names the instructions that the processor lacks.
    """
    usable, needed = "", frozenset[str]()
    missing: list[str] = []
    servers = set(built)
    for level, added in LEVELS.items():
        needed |= added
        if level not in servers:
            continue
        if needed <= flags:
            usable = level
        elif not missing:
            missing = sorted(needed - flags)
    if not usable:
        raise _errors.EnvironmentFault(
            f"the servers in this package need a processor with {', '.join(missing)} (x86-64-"
            f"{min(servers, default='v2')}): build the program atoll here, and set ATOLL_SERVER to its path"
        )
    return usable


def level_of_machine(built: Iterable[str] = LEVELS) -> str:
    """Returns the highest level that the processors of this machine can run.

    Raises:
        EnvironmentFault: the processors can run none of the servers, or are unknown.
    """
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            text = file.read()
    except OSError as cause:
        raise _errors.EnvironmentFault(f"the processor is unknown: {cause}") from cause
    return level_of(flags_in(text), built)
