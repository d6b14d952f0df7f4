"""Facts about a round: the program that was run, and the machine."""

import hashlib
import json
import os
import pathlib
import platform
import time

from lib.figure import PRICES
from lib.runs import digest_of, version_of

HERE = pathlib.Path(__file__).resolve().parents[1]
JUDGES = ("tolerance", "condition", "bounds", "shapes", "pairs", "judge")


def processor():
    """Returns the name of the processor as Linux reports it."""
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def load():
    """Returns the load averages of the last 1, 5 and 15 minutes."""
    return " ".join(f"{average:.2f}" for average in os.getloadavg())


def digest_of_conditions():
    """Returns a digest (hash) of the files that define runs and conditions."""
    files = [*sorted((HERE / "figures").glob("*.py")), *(HERE / f"lib/{name}.py" for name in JUDGES)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def prices():
    """Returns the name of the file with the model's prices, and the machine on which they were measured."""
    machine = json.loads((HERE / PRICES).read_text())["host"]["cpu"]
    return f"experiments/{PRICES} {digest_of(HERE / PRICES)} ({machine})"


def versions(program):
    """Returns the versions on which a result depends. The page marks a saved result if one of its versions
    differs."""
    return {"program": version_of(program), "conditions": digest_of_conditions(),
            "prices of the model": prices()}


def of_round(program, quick):
    """Returns the facts that do not change during the round."""
    return {"round": "quick" if quick else "full", **versions(program), "processor": processor(),
            "cores": os.cpu_count(), "load at its begin": load()}


def now():
    """Returns the facts that change during the round."""
    return {"load at its end": load(), "written": time.strftime("%Y-%m-%d %H:%M")}
