"""Lets Porcupine decide whether histories that tests have written are linearizable. Compares the verdicts of Porcupine
with the verdicts of the tests.

Usage: porcupine.py GO TESTS
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "porcupine"


def main():
    go, tests = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        program = f"{scratch}/decide"
        subprocess.run([go, "build", "-mod=vendor", "-o", program, "."], cwd=SOURCE, check=True)
        histories = f"{scratch}/histories"
        noting = os.environ | {"ATOLL_HISTORIES": histories}
        chosen = "--gtest_filter=*agree_on_small*:*narrow*:*while_it_grows*:*no_order_explains*"
        subprocess.run([tests, chosen], env=noting, check=True)
        with open(histories, encoding="utf-8") as noted:
            return subprocess.run([program], stdin=noted, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
