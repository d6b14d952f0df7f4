"""Tests how the results of runs become the data of a figure and a verdict about its claims. Failed runs and missing
runs must be named, and the data of all other runs must still be judged."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import run as experiments  # noqa: E402
from figures import f10, g2, g8  # noqa: E402
from lib import judge  # noqa: E402
from lib.figure import Run, metric  # noqa: E402
from lib.runs import Failed, LeftOut  # noqa: E402


def result(rate):
    return {"metrics": {"rate": {"median": rate}}}


def run(series, x):
    return Run(["bench", "gups", str(x)], {series: (x, metric("rate"))})


class Gathered(unittest.TestCase):
    def test_points_are_in_the_order_of_x(self):
        found = judge.gather(g2.FIGURE, [(run("a", x), result(10 * x)) for x in (16, 2, 4)])
        self.assertEqual(found.data, {"a": [(2, 20), (4, 40), (16, 160)]})
        self.assertEqual((found.missing, found.failed, found.left_out), (set(), [], []))

    def test_what_failed_or_was_left_out_is_told_and_missing(self):
        found = judge.gather(g2.FIGURE, [(run("a", 1), result(10)), (run("a", 2), Failed("it broke")),
                                         (run("b", 1), LeftOut("too late"))])
        self.assertEqual(found.data, {"a": [(1, 10)]})
        self.assertEqual(found.missing, {"a", "b"})
        self.assertEqual(found.failed, ["atoll bench gups 2: it broke"])
        self.assertEqual(found.left_out, ["atoll bench gups 1: too late"])

    def test_results_without_what_is_read_failed(self):
        for wrong in ({}, [], {"metrics": None}, {"metrics": {"rate": 7}}):
            found = judge.gather(g2.FIGURE, [(run("a", 1), wrong)])
            self.assertEqual(len(found.failed), 1, wrong)
            self.assertEqual(found.data, {})

    def test_names_keep_the_order_of_the_figure(self):
        (one,) = g8.runs(quick=True)
        names = {name: {"median": 1} for name, _ in g8.STAGES.values()}
        found = judge.gather(g8.FIGURE, [(one, {"metrics": names})])
        self.assertEqual([stage for stage, _ in found.data[g8.RATE]], list(g8.STAGES))

    def test_nothing_is_derived_from_nothing(self):
        for figure in experiments.figures():
            runs = [(one, LeftOut("too late")) for one in figure.runs(quick=True)]
            found = judge.gather(figure, runs)
            self.assertEqual(found.failed, [], figure.id)
            outcomes = {outcome for _, _, outcome, _ in
                        judge.verdict(figure, found.data, True, found.missing)}
            self.assertEqual(outcomes, {None}, figure.id)


class Verdict(unittest.TestCase):
    def outcomes(self, data, missing):
        return {claim: outcome for claim, _, outcome, _ in
                judge.verdict(f10.MODELLED, data, True, missing)}

    def test_is_open_where_points_are_missing(self):
        found = self.outcomes(f10.EXAMPLE, {f10.requests("push only"), f10.requests("mixed")})
        self.assertIsNone(found[f10.THOUSAND])
        self.assertIsNone(found[f10.TWENTY])
        self.assertTrue(found[f10.gain("mixed")])

    def test_is_no_where_a_point_that_is_there_denies_what_is_said_of_all(self):
        missing = f10.requests("mixed")
        found = self.outcomes({**f10.EXAMPLE, missing: [(1, 6), (4, 27)]}, {missing})
        self.assertIs(found[f10.TWENTY], False)


if __name__ == "__main__":
    unittest.main()
