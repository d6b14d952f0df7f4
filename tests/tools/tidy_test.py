"""Tests tools/tidy.py: the sources that it reads, and the results that it remembers."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# This program records the sources that it reads, and complains about each source whose text requests a complaint.
TIDY = """#!/bin/sh
case $* in *--version*) echo 19; exit ;; esac
for file; do :; done
echo "$file" >> read.txt
! grep -H dirty "$file"
"""


class Tidy(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        tidy = self.folder / "clang-tidy-19"
        tidy.write_text(TIDY)
        tidy.chmod(0o755)
        for name in ("a.cpp", "b.cpp"):
            (self.folder / name).write_text(f"int of_{name[0]};\n")
        entries = [{"directory": str(self.folder), "file": str(self.folder / name),
                    "command": f"cc -o x.o -c {self.folder / name}"} for name in ("a.cpp", "b.cpp")]
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))

    def read(self, *names):
        """Returns (status, sources that the tool has read)."""
        said = self.folder / "read.txt"
        said.unlink(missing_ok=True)
        wanted = "\n".join(str(self.folder / name) for name in names)
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder),
                       "PATH": f"{self.folder}:{os.environ['PATH']}"}
        done = subprocess.run([sys.executable, ROOT / "tools" / "tidy.py", str(self.folder), "1"], input=wanted,
                              cwd=self.folder, env=environment, capture_output=True, text=True)
        lines = said.read_text().splitlines() if said.exists() else []
        return done.returncode, [pathlib.Path(line).name for line in lines]

    def test_what_was_clean_is_read_again_when_it_has_changed(self):
        self.assertEqual(self.read("a.cpp", "b.cpp"), (0, ["a.cpp", "b.cpp"]))
        self.assertEqual(self.read("a.cpp", "b.cpp"), (0, []))
        (self.folder / "b.cpp").write_text("int of_b;  // with a comment\n")
        self.assertEqual(self.read("a.cpp", "b.cpp"), (0, ["b.cpp"]))

    def test_what_was_not_clean_is_read_again(self):
        (self.folder / "a.cpp").write_text("int dirty;\n")
        self.assertEqual(self.read("a.cpp"), (1, ["a.cpp"]))
        self.assertEqual(self.read("a.cpp"), (1, ["a.cpp"]))

    def test_what_cannot_be_preprocessed_is_read(self):
        (self.folder / "a.cpp").write_text('#include "nowhere.hpp"\n')
        self.assertEqual(self.read("a.cpp"), (0, ["a.cpp"]))
        self.assertEqual(self.read("a.cpp"), (0, ["a.cpp"]))


if __name__ == "__main__":
    unittest.main()
