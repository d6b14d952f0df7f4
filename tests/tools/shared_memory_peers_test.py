"""Tests tools/shared_memory_peers.py, which compares `atoll` with other shared-memory libraries. The tool must name
what is missing, and read edges correctly."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "shared_memory_peers.py"
MODULES = ("networkit", "graphblas", "igraph")


def script():
    spec = importlib.util.spec_from_file_location("shared_memory_peers", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class SharedMemoryPeers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_says_what_is_missing_and_ends_well(self):
        for name in MODULES:
            (self.folder / f"{name}.py").write_text(f"raise ImportError('no {name} here')")
        (self.folder / "numpy.py").write_text("")
        result = subprocess.run([sys.executable, SCRIPT, self.folder], text=True, check=False,
                                capture_output=True,
                                env={**os.environ, "PYTHONPATH": str(self.folder)})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for name in MODULES:
            self.assertIn(f"{name} is left out: no {name} here\n", result.stdout)
        self.assertIn("nothing to compare with\n", result.stdout)

    def test_takes_the_lightest_copy_of_each_edge(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        file = self.folder / "graph.wel"
        file.write_text("1 0 7\n0 1 3\n2 2 1\n2 1 9\n")
        self.assertEqual(script().clean_edges(numpy, file).tolist(), [[0, 1, 3], [1, 2, 9]])

    def test_compares_ranks_to_a_hundredth(self):
        is_same = script().is_same
        self.assertTrue(is_same("pagerank", (3, 0.2), (3, 0.2001)))
        self.assertFalse(is_same("pagerank", (3, 0.2), (3, 0.21)))
        self.assertFalse(is_same("pagerank", (2, 0.2), (3, 0.2)))
        self.assertFalse(is_same("cc", 4, 5))


if __name__ == "__main__":
    unittest.main()
