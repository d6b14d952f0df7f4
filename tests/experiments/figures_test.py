"""The conditions of every figure hold of data that looks as published, and of no flat or reversed data."""

import html
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import run as experiments  # noqa: E402
from lib import holds, judge, page, sensitivity  # noqa: E402


def flat(data):
    return {series: [(x, 1.0) for x, _ in points] for series, points in data.items()}


def reversed_of(data):
    found = {}
    for series, points in data.items():
        xs, ys = zip(*points)
        found[series] = list(zip(xs, reversed(ys)))
    return found


def with_one_series_times(data, series, factor):
    changed = dict(data)
    changed[series] = [(x, factor * y) for x, y in data[series]]
    return changed


class Conditions(unittest.TestCase):
    rising = {"a": [(1, 1.0), (2, 2.0), (4, 3.0)], "b": [(1, 0.5), (2, 0.6), (4, 0.7)]}

    def judged(self, condition, data=None):
        return condition(self.rising if data is None else data)

    def test_rising_and_falling(self):
        self.assertTrue(self.judged(holds.rises("a", by=2)))
        self.assertFalse(self.judged(holds.rises("a", by=4)))
        for wrong in (flat(self.rising), reversed_of(self.rising)):
            self.assertFalse(holds.rises("a")(wrong))
            self.assertFalse(holds.ends_above("a", 1.1)(wrong))
        self.assertFalse(self.judged(holds.falls("a")))
        self.assertTrue(holds.falls("a")(reversed_of(self.rising)))
        self.assertFalse(holds.rises("a")({"a": [(1, 1.0), (2, 3.0), (4, 2.5), (8, 4.0)]}))

    def test_flat_is_a_ratio(self):
        self.assertTrue(self.judged(holds.flat("b", within=1.5)))
        self.assertFalse(self.judged(holds.flat("a", within=1.5)))
        self.assertFalse(holds.flat("a", within=1.5)({"a": [(1, 1.0)]}))

    def test_order_of_two(self):
        self.assertTrue(self.judged(holds.above("a", "b")))
        self.assertFalse(self.judged(holds.above("b", "a")))
        self.assertFalse(self.judged(holds.above("a", "b", by=3)))
        self.assertTrue(self.judged(holds.last_above("a", "b", by=4)))
        self.assertFalse(self.judged(holds.last_above("a", "b", by=5)))
        self.assertFalse(holds.above("a", "b")({"a": [(1, 2)], "b": [(2, 1)]}))

    def test_peaks_and_bounds(self):
        peak = {"a": [(1, 1.0), (2, 3.0), (4, 2.0)]}
        self.assertTrue(holds.peaks_within("a")(peak))
        self.assertFalse(self.judged(holds.peaks_within("a")))
        self.assertFalse(holds.peaks_within("a")(flat(peak)))
        self.assertTrue(self.judged(holds.at_least("a", 3)))
        self.assertFalse(self.judged(holds.at_least("a", 3, x=2)))
        self.assertTrue(self.judged(holds.at_most("a", 2, x=2)))
        self.assertFalse(self.judged(holds.at_most("a", 2)))

    def test_missing_data_proves_nothing(self):
        for condition in (holds.rises("c"), holds.flat("c", 2), holds.above("a", "c"),
                          holds.at_least("c", 0), holds.at_most("a", 9, x=77)):
            self.assertFalse(self.judged(condition))


class Figures(unittest.TestCase):
    def test_accept_what_looks_as_published(self):
        for figure in experiments.figures():
            self.assertEqual([s for s, ok in judge.verdict(figure, figure.example) if not ok], [],
                             figure.id)

    def test_reject_flat_and_reversed_curves(self):
        curves = [figure for figure in experiments.figures()
                  if not figure.table and figure.id != "model"]
        self.assertGreater(len(curves), 4)
        for figure in curves:
            self.assertFalse(judge.all_hold(figure, flat(figure.example)), figure.id)
            self.assertFalse(judge.all_hold(figure, reversed_of(figure.example)), figure.id)

    def test_tables_and_the_model_reject_each_number_that_is_far_off(self):
        for figure in experiments.figures():
            if not figure.table and figure.id != "model":
                continue
            for series in figure.example:
                distorted = [with_one_series_times(figure.example, series, factor)
                             for factor in (0.01, 100)]
                if all(y == 0 for _, y in figure.example[series]):
                    distorted = [{**figure.example, series: [("", 5)]}]
                self.assertFalse(all(judge.all_hold(figure, data) for data in distorted),
                                 (figure.id, series))

    def test_say_what_was_published_and_why_it_may_differ(self):
        for figure in experiments.figures():
            self.assertTrue(figure.published and figure.holds and figure.why.endswith("."))
            for quick in (True, False):
                for run in figure.runs(quick):
                    self.assertNotIn("--json", run.command)

    def test_the_page_says_which_runs_were_made_where_it_matters(self):
        with_note = [figure for figure in experiments.figures() if figure.note]
        self.assertTrue(with_note)
        for figure in with_note:
            shown = page.section({"figure": figure, "problem": "none"})
            self.assertIn(html.escape(figure.note), shown)

    def test_quick_rounds_stay_small(self):
        for figure in experiments.figures():
            for run in figure.runs(quick=True):
                pes = run.pes
                self.assertLessEqual(pes, 128, run.command)


class Sensitivity(unittest.TestCase):
    def test_knows_every_parameter_of_the_model(self):
        names = sensitivity.parameters(experiments.MODEL_DEF)
        self.assertLessEqual({"latency", "gap", "tree_nodes_hashed"}, set(names))
        self.assertLessEqual(set(experiments.QUICK_PARAMETERS), set(names))
        self.assertEqual(len(names), len(set(names)))

    def test_is_a_multiple_of_the_usual_result(self):
        figure = next(f for f in experiments.figures() if f.id == "G2")
        of = lambda rate: {"metrics": {"rate": {"median": rate}}}  # noqa: E731
        results = {("gap", 0.5): of(30.0), ("gap", 2): of(10.0)}
        self.assertEqual(sensitivity.changes(figure.sensitive(True), results, of(20.0)),
                         {"gap": (1.5, 0.5)})


if __name__ == "__main__":
    unittest.main()
