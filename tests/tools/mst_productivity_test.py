"""Tests tools/mst_productivity.py, which counts the source lines and the communication calls of algorithms. The tool
must count in the right files, and find all operations."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "mst_productivity.py"

PROTOCOL = """#pragma once
// A comment with a brace { and LIB_Call(
namespace some {
class lists : public layer {
 public:
  lists() : size_(0), items_{} {}

  void shift(int to) {
    const auto again = [&] { wait(1); };  // LIB_Call(
    wait(2);

    again();
    help(to);
  }
  void gather() { sum(3); }

 private:
  void help(int) { LIB_Put(); }
  void idle() { LIB_Put(); }
  int items_ = {0};
};
}  // namespace some
"""
LAYER = """class layer {
 public:
  void wait(int) {
    LIB_Poll();
    progress();
  }
  int sum(int value) { return LIB_Sum(value); }

 private:
  void progress() { LIB_Probe(); }
};
"""


def load():
    spec = importlib.util.spec_from_file_location("mst_productivity", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class MstProductivity(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.script = load()
        self.script.ROOT = pathlib.Path(scratch.name)
        (self.script.ROOT / "protocol.hpp").write_text(PROTOCOL)
        (self.script.ROOT / "layer.hpp").write_text(LAYER)
        self.exchange = self.script.Exchange("some", ["protocol.hpp"], ["layer.hpp"],
                                             r"\b(LIB_\w+)\s*\(")

    def test_calls_of_the_layer_count_where_they_are_called(self):
        found = self.script.effort(self.exchange, "transfer")
        self.assertEqual(found["calls_of"], {"LIB_Poll": 2, "LIB_Probe": 2, "LIB_Put": 1})
        self.assertEqual(found["calls"], 5)

    def test_lines_count_once_and_without_comments(self):
        shift, help_line, wait, progress = 6, 1, 4, 1
        found = self.script.effort(self.exchange, "transfer")
        self.assertEqual(found["lines"], shift + help_line + wait + progress)

    def test_a_sum_within_another_operation_is_one_call(self):
        found = self.script.effort(self.exchange, "gather")
        self.assertEqual(found["calls_of"].get("sum"), 1)

    def test_every_operation_of_every_exchange_is_found(self):
        result = subprocess.run([sys.executable, SCRIPT, "--json"], text=True, check=True,
                                capture_output=True)
        rows = json.loads(result.stdout)
        self.assertEqual(len({row["exchange"] for row in rows}), 5)
        self.assertEqual({row["operation"] for row in rows}, {"transfer", "gather", "sum"})
        for row in rows:
            self.assertGreater(row["calls"], 0, row)
            self.assertGreater(row["lines"], row["calls"], row)

    def test_the_table_has_a_row_for_each(self):
        result = subprocess.run([sys.executable, SCRIPT], text=True, check=True,
                                capture_output=True)
        self.assertEqual(len(result.stdout.splitlines()), 1 + 5 * 3)


if __name__ == "__main__":
    unittest.main()
