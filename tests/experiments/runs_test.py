"""A round that was interrupted goes on where it was; one of another program begins anew."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

from lib.figure import Run  # noqa: E402
from lib.runs import Failed, Runner  # noqa: E402

# Notes each call, and fails if it is told to.
PROGRAM = """#!/bin/sh
echo "$@" >> calls
[ "$1" = fail ] && { echo "it broke" >&2; exit 3; }
echo '{"metrics": {"rate": {"median": 7}}}'
"""


class Runs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.program = self.folder / "program"
        self.write_program(PROGRAM.replace("calls", str(self.folder / "calls")))

    def write_program(self, text):
        self.program.write_text(text)
        self.program.chmod(0o755)

    def runner(self):
        return Runner(self.program, self.folder / "runs")

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def test_are_not_repeated(self):
        run = Run(["gups", "--pes", "2"], {})
        for _ in range(3):
            self.assertEqual(self.runner().result(run)["metrics"]["rate"]["median"], 7)
        self.assertEqual(self.calls(), ["gups --pes 2 --json -"])

    def test_are_repeated_for_another_program(self):
        run = Run(["gups"], {})
        self.runner().result(run)
        self.write_program(self.program.read_text() + "# changed\n")
        self.runner().result(run)
        self.assertEqual(len(self.calls()), 2)

    def test_that_fail_say_why_and_are_tried_again(self):
        for _ in range(2):
            with self.assertRaisesRegex(Failed, "it broke"):
                self.runner().result(Run(["fail"], {}))
        self.assertEqual(len(self.calls()), 2)


if __name__ == "__main__":
    unittest.main()
