"""Hang reports and error messages must name the function of <shmem.h> that a PE has called, and the source line of the
call.

usage: lines_test.py --oshcc OSHCC --oshrun OSHRUN [unittest arguments]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).parent / "lines" / "waits.c"
OPTIONS = argparse.Namespace()

# The argument of the program selects the call in which the first PE waits.
CALLS = {"wait": "shmem_long_wait_until", "signal": "shmem_signal_wait_until", "barrier": "shmem_barrier_all",
         "malloc": "shmem_malloc", "sum": "shmem_long_sum_reduce"}


def line_of(call, mode):
    """Returns the source line on which the program makes the call for this mode."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return 1 + next(i for i, line in enumerate(lines) if f'"{mode}"' in line and call in line)


# The argument of the program selects the call, and the reason for its refusal.
REFUSALS = {"absent": ("shmem_long_p", "PE 99 does not exist"), "private": ("shmem_long_p", "not symmetric"),
            "much": ("shmem_long_put", "more than a machine can address")}


def built(folder, flags):
    program = f"{folder}/waits{len(flags)}"
    if not pathlib.Path(program).exists():
        subprocess.run([OPTIONS.oshcc, *flags, str(SOURCE), "-o", program], check=True)
    return program


def run(command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=False, timeout=120,
                          stdin=subprocess.DEVNULL, **more)


class Errors(unittest.TestCase):
    def test_a_call_that_is_refused_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            program = built(folder, ["-g", "-O1"])
            for pes in (1, 2, 3):
                for mode, (call, why) in REFUSALS.items():
                    with self.subTest(pes=pes, mode=mode):
                        done = run([OPTIONS.oshrun, "-np", str(pes), program, mode])
                        self.assertEqual(done.returncode, 2, done.stderr)
                        place = f", called at waits.c:{line_of(call, mode)}" if shutil.which("addr2line") else ""
                        self.assertRegex(done.stderr, rf"PE \d: error: {call}{place}: .*{why}")

    def test_without_debugging_information_the_call_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run([OPTIONS.oshrun, "-np", "2", built(folder, ["-O1", "-s", "-g0"]), "absent"])
            self.assertRegex(done.stderr, r"PE \d: error: shmem_long_p: PE 99 does not exist")

    def test_a_simulation_is_refused_by_program_and_launcher(self):
        with tempfile.TemporaryDirectory() as folder:
            program = built(folder, ["-g", "-O1"])
            for launcher in ([], [OPTIONS.oshrun, "-np", "2"]):
                done = run([*launcher, program], env={**os.environ, "ATOLL_TRANSPORT": "sim"})
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("the setting transport is sim", done.stderr)


class Lines(unittest.TestCase):
    def report(self, folder, flags, pes, mode):
        done = run([OPTIONS.oshrun, "-np", str(pes), built(folder, flags), mode])
        self.assertEqual(done.returncode, 3, done.stderr)
        for word in ("unknown place", "nowhere", "program_beside", "symmetric_"):
            self.assertNotIn(word, done.stderr)
        return done.stderr

    def test_each_call_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for pes in (1, 2, 3):
                for mode, call in CALLS.items():
                    if pes == 1 and mode not in ("wait", "signal"):
                        continue  # one PE alone misses nobody
                    with self.subTest(pes=pes, mode=mode):
                        self.named(self.report(folder, ["-g", "-O1"], pes, mode), call, mode)

    def named(self, report, call, mode):
        found = re.search(rf"^  PEs? 0\S*: the program is in {call}(.*)$", report, re.M)
        self.assertIsNotNone(found, report)
        if shutil.which("addr2line"):
            self.assertEqual(found[1], f", called at waits.c:{line_of(call, mode)}", report)

    def test_a_lock_that_is_never_given_back(self):
        with tempfile.TemporaryDirectory() as folder:
            report = self.report(folder, ["-g", "-O1"], 3, "lock")
            self.assertRegex(report, r"the program is in shmem_set_lock")
            self.assertRegex(report, r"the program is in shmem_barrier_all")

    def test_without_debugging_information_the_call_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertRegex(self.report(folder, ["-O1", "-s", "-g0"], 2, "wait"),
                             r"PEs 0-1: the program is in shmem_long_wait_until\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshcc", required=True)
    parser.add_argument("--oshrun", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
