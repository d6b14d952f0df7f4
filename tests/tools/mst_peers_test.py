"""Tests tools/mst_peers.py, which measures minimum spanning forests by other libraries. The tool must name what it
skips, refuse wrong forests, and read the output of the programs."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "mst_peers.py"

# The graph is a triangle with a weight of 0, a second and heavier edge between 0 and 1, and a self loop.
LIMIT = """#!{python}
import struct, sys
if "--write" in sys.argv:
    edges = [(1, 0, 7), (0, 1, 3), (2, 2, 1), (2, 1, 0), (0, 2, 9)]
    with open(sys.argv[sys.argv.index("--write") + 1], "wb") as file:
        for edge in edges:
            file.write(struct.pack("3I", *edge))
print('{{"seconds": 0.5, "weight": {weight}, "forest_edges": 2, "vertices": {vertices}, "input_edges": 8}}')
"""
MPIRUN = """#!/bin/sh
echo "$@" > "$(dirname "$0")/arguments"
echo "RESULT p=2 mst_complete-0=900000 other-1=7 mst_complete-1=750000"
"""


def has_scipy():
    try:
        import scipy.sparse.csgraph  # noqa: F401
    except ImportError:
        return False
    return True


class MstPeers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def write_limit(self, weight, vertices=3):
        self.write("atoll-limit-mst",
                   LIMIT.format(python=sys.executable, weight=weight, vertices=vertices))

    def run_script(self, *flags, without_scipy=False):
        environment = {**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"}
        if without_scipy:
            self.write("numpy.py", "raise ImportError('no numpy here')")
            environment["PYTHONPATH"] = str(self.folder)
        return subprocess.run([sys.executable, SCRIPT, self.folder, "--rounds", "1", *flags],
                              text=True, capture_output=True, env=environment, check=False)

    def test_tells_what_is_left_out(self):
        self.write_limit(weight=3)
        result = self.run_script(without_scipy=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn("scipy is left out: no numpy here", result.stderr)
        self.assertIn("kamsta is left out", result.stderr)

    def test_reads_the_times_of_kamsta(self):
        self.write_limit(weight=3, vertices=4)
        self.write("mpirun", MPIRUN)
        self.write("kamsta", MPIRUN)
        result = self.run_script(without_scipy=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        line = json.loads(result.stdout.splitlines()[1])
        self.assertEqual(line["name"], "kamsta")
        self.assertEqual(line["seconds"], 0.75)
        self.assertEqual(line["over_limit"], 1.5)
        arguments = (self.folder / "arguments").read_text()
        self.assertIn("kamsta -g GNM --log_n 2 --log_m 3", arguments)

    def test_has_no_graph_of_kamsta_that_is_like_a_web(self):
        self.write_limit(weight=3, vertices=4)
        self.write("mpirun", MPIRUN)
        self.write("kamsta", MPIRUN)
        result = self.run_script("--kind", "web", without_scipy=True)
        self.assertIn("kamsta is left out: its graph is uniform", result.stderr)

    def test_says_that_the_limit_is_not_built(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("atoll-limit-mst was not built", result.stderr)

    @unittest.skipUnless(has_scipy(), "this Python has no scipy")
    def test_compares_the_forest_of_scipy(self):
        self.write_limit(weight=3)
        result = self.run_script()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout.splitlines()[1])["name"], "scipy")
        self.write_limit(weight=4)
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("edges and weight are (2, 3), not (2, 4)", result.stderr)


if __name__ == "__main__":
    unittest.main()
