"""Runs rounds of the experiments with a program whose output the test determines."""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# This script is experiments/run.py without matplotlib. Instead of a picture, the script writes the name of the figure.
RUN = f"""
import sys
sys.path.insert(0, {str(ROOT / "experiments")!r})
import run
run.pictures = lambda parser: lambda figure, data, file: file.write_text(figure.id)
sys.exit(run.main())
"""

# The rates that this program prints are proportional to the number of PEs. A command that contains FAIL fails, and a
# command that contains SLEEP sleeps.
PROGRAM = """#!/bin/sh
for word in "$@"; do
  [ "$previous" = --pes ] && pes=$word
  [ "$previous" = --workers ] && workers=_$word
  [ "$word" = "FAIL" ] && { echo "it broke" >&2; exit 3; }
  [ "$word" = "SLEEP" ] && { echo $$ > FOLDER/pid; mv FOLDER/pid FOLDER/asleep; exec sleep 600; }
  previous=$word
done
cat <<END
{"metrics": {"rate$workers": {"median": ${pes}000}, "latency_mean$workers": {"median": 1.8e6},
  "idle_fraction$workers": {"median": 0}}, "prices": {"gap": 7}}
END
"""
USUAL = {"FAIL": "no-such-word", "SLEEP": "no-such-word"}


class Rounds(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.results = self.folder / "results"
        self.write_program()

    def write_program(self, **words):
        text = PROGRAM.replace("FOLDER", str(self.folder))
        for word, value in {**USUAL, **words}.items():
            text = text.replace(f'"{word}"', f'"{value}"')
        for name in ("program", "atoll-papers"):
            program = self.folder / name
            program.write_text(text)
            program.chmod(0o755)

    def command(self, *flags):
        return [sys.executable, "-c", RUN, "--atoll", str(self.folder / "program"),
                "--results", str(self.results), *flags]

    def run_round(self, *flags, status):
        done = subprocess.run(self.command(*flags), capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def page(self):
        return (self.results / "index.html").read_text()

    def row(self, name):
        return next(line for line in self.page().split("<tr>") if f'href="#{name}"' in line)

    def assert_not_running(self):
        pid = int((self.folder / "asleep").read_text())
        while pathlib.Path(f"/proc/{pid}/exe").exists():
            time.sleep(0.01)
