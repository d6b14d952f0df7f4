"""What was run, and on which machine."""

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
    """Its name, as Linux gives it."""
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
    """Returns the digest of the files that say what is run and what must hold."""
    files = [*sorted((HERE / "figures").glob("*.py")), *(HERE / f"lib/{name}.py" for name in JUDGES)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def prices():
    """The file of the model's prices, and where they were measured."""
    machine = json.loads((HERE / PRICES).read_text())["host"]["cpu"]
    return f"experiments/{PRICES} {digest_of(HERE / PRICES)} ({machine})"


def versions(program):
    """What a saved result depends on: one that differs in any of it is shown as such."""
    return {"program": version_of(program), "conditions": digest_of_conditions(),
            "prices of the model": prices()}


def of_round(program, quick):
    """What is known when it begins."""
    return {"round": "quick" if quick else "full", **versions(program), "processor": processor(),
            "cores": os.cpu_count(), "load at its begin": load()}


def now():
    """What changes with the time."""
    return {"load at its end": load(), "written": time.strftime("%Y-%m-%d %H:%M")}
