#!/usr/bin/env python3
"""Every function of ../api/functions.tsv must be called, or redefined, by a program of the tests.

usage: every_function_test.py FILE... [-- ARGUMENTS OF UNITTEST]. Each FILE is an object file, a program, or a folder of
object files and programs.
"""

import pathlib
import re
import subprocess
import sys
import unittest

LIST = pathlib.Path(__file__).resolve().parents[1] / "api" / "functions.tsv"
FILES = []


def listed():
    return {row.split("\t")[0] for row in LIST.read_text().splitlines()}


def object_files(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.o")) if path.is_dir() else [path]


def named_by(path):
    """Returns the symbols that the file uses but does not define. If a shared library has appended a version to a
    symbol, the version is removed."""
    text = subprocess.run(["nm", "-u", path], text=True, capture_output=True, check=True).stdout
    return {re.split("@", line.split()[-1])[0] for line in text.splitlines() if line.strip()}


class EveryFunction(unittest.TestCase):
    def test_is_called_by_a_test(self):
        files = list(object_files(FILES))
        self.assertGreater(len(files), 0)
        called = set().union(*(named_by(path) for path in files))
        missing = sorted(listed() - called)
        self.assertEqual(len(missing), 0, "called by no test: " + " ".join(missing))


if __name__ == "__main__":
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    FILES, rest = words[:end], words[end + 1:]
    unittest.main(argv=[sys.argv[0], *rest])
