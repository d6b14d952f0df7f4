"""Tests the order in which a round of experiments makes its runs. A full round makes all runs of one figure before the
first run of the next figure. A quick round makes some runs of each figure, and ends in time."""

import math
import pathlib
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

from lib.figure import MODEL, Run  # noqa: E402
from lib.runs import LeftOut, Runner  # noqa: E402
from lib.schedule import Schedule, batches  # noqa: E402


class Batches(unittest.TestCase):
    WANTED = [["a1", "a2", "a3"], ["b1"], ["c1", "c2"]]
    VARIED = [["a4"], [], ["c3"]]

    def test_of_a_full_round_are_figures(self):
        self.assertEqual(batches(self.WANTED, self.VARIED, quick=False),
                         [["a1", "a2", "a3", "a4"], ["b1"], ["c1", "c2", "c3"]])

    def test_of_a_quick_round_begin_with_the_first_run_of_each_figure(self):
        self.assertEqual(batches(self.WANTED, self.VARIED, quick=True),
                         [["a1", "b1", "c1"], ["a2", "c2"], ["a3"], ["a4"], [], ["c3"]])


class Time(unittest.TestCase):
    """The scheduled program does nothing. `lasted` sets how long earlier runs of this program took."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder = pathlib.Path(scratch.name)
        (folder / "program").write_text("#!/bin/sh\necho '{}'\n")
        (folder / "program").chmod(0o755)
        self.runner = Runner(folder / "program", folder / "runs")

    def schedule(self, seconds, **others):
        return Schedule(self.runner, time.monotonic() + seconds, **others)

    def test_without_an_end_lets_every_run_begin(self):
        schedule = self.schedule(math.inf)
        schedule.lasted["bench", "stack"] = 1e9
        schedule.run([Run(["bench", "stack"], {}), Run(["bench", "gups", "--pes", "16", *MODEL], {})])
        self.assertEqual(list(schedule.results.values()), [{}, {}])

    def test_too_short_for_another_run_of_the_kernel_leaves_it_out(self):
        schedule = self.schedule(600)
        schedule.lasted["bench", "stack"] = 601
        slow, other = Run(["bench", "stack"], {}), Run(["bench", "queue"], {})
        schedule.run([slow, other])
        self.assertIsInstance(schedule.result_of(slow), LeftOut)
        self.assertEqual(schedule.result_of(other), {})

    def test_that_is_over_leaves_all_out_but_what_is_known(self):
        known, new = Run(["bench", "gups", "--pes", "16", *MODEL], {}), Run(["bench", "uts", "--pes", "16", *MODEL], {})
        self.runner.result(known)
        schedule = self.schedule(0)
        schedule.run([known, new])
        self.assertEqual(schedule.result_of(known), {})
        self.assertIsInstance(schedule.result_of(new), LeftOut)
        self.assertTrue(schedule.is_settled([known, new]))

    def test_of_a_round_is_not_spent_on_one_run(self):
        schedule = self.schedule(600, run_seconds=0)
        (self.runner.program).write_text("#!/bin/sh\nexec sleep 600\n")
        slow = Run(["bench", "stack"], {})
        schedule.run([slow])
        self.assertIsInstance(schedule.result_of(slow), LeftOut)

    def test_is_not_spent_twice_on_a_run_of_two_figures(self):
        notes = []
        schedule = Schedule(self.runner, note=lambda run, seconds: notes.append(run.command))
        for _ in range(2):
            schedule.run([Run(["bench", "gups"], {}), Run(["bench", "gups"], {})])
        self.assertEqual(notes, [["bench", "gups"]])


if __name__ == "__main__":
    unittest.main()
