"""Each claim of each figure must accept data like the published data. Data that contradict a claim must be rejected,
with the name of the claim."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import run as experiments  # noqa: E402
from figures import f10, f7, g2, g3, g4, g5, g5_counters, g6, g7, mst, s10, s4, s5, s6, s7  # noqa: E402
from lib import judge, round, sensitivity  # noqa: E402
from lib.figure import PAPERS, Run  # noqa: E402
from lib.runs import LeftOut  # noqa: E402


class Figures(unittest.TestCase):
    def test_accept_what_looks_as_published(self):
        for figure in experiments.figures():
            self.assertEqual(judge.failing(figure, figure.example), [], figure.id)

    def test_reject_by_name_what_denies_a_claim(self):
        for figure in experiments.figures():
            self.assertGreaterEqual(len(figure.denials), 2, figure.id)
            for what, (data, claim, *followers) in figure.denials.items():
                with self.subTest(figure=figure.id, denial=what):
                    failing = judge.failing(figure, data)
                    self.assertIn(claim, failing)
                    self.assertEqual(set(failing), {claim, *followers})

    def test_have_no_claim_that_nothing_denies(self):
        for figure in experiments.figures():
            denied = {claim for _, claim, *_ in figure.denials.values()}
            self.assertEqual(denied, set(figure.holds), figure.id)

    def test_say_what_was_published_and_why_a_claim_is_not_judged(self):
        for figure in experiments.figures():
            self.assertTrue(figure.published and figure.title and figure.x)
            for sentence in figure.not_judged:
                self.assertRegex(sentence, ": .+[^.]$")

    def test_explain_only_what_is_a_sentence(self):
        for figure in experiments.figures():
            self.assertTrue(figure.why == "" or figure.why.endswith("."), figure.id)

    def test_ask_different_questions(self):
        judged = [(figure.x, condition.sentence) for figure in experiments.figures()
                  for condition in figure.holds.values()]
        self.assertEqual(len(judged), len(set(judged)))

    def test_show_every_series_once(self):
        for figure in experiments.figures():
            if figure.panels[0].series:
                shown = [series for panel in figure.panels for series in panel.series]
                self.assertEqual(sorted(shown), sorted(figure.example), figure.id)
            for panel in figure.panels:
                self.assertTrue(panel.unit, figure.id)

    def test_run_what_gives_the_series_that_are_judged(self):
        for figure in experiments.figures():
            given = {series for run in figure.runs(False) for series in run.points}
            judged = {series for condition in figure.holds.values() for series in condition.series}
            if figure.derive is None:
                self.assertLessEqual(judged, given, figure.id)

    def test_run_small_cases_in_a_quick_round(self):
        for figure in experiments.figures():
            for run in figure.runs(quick=True):
                self.assertLessEqual(run.pes, 128, run.command)
                self.assertNotIn("--json", run.command)


class Loopholes(unittest.TestCase):
    """Each test has wrong data that earlier conditions accepted. The current conditions must reject the data."""

    def assert_fails(self, figure, data, claim):
        self.assertIn(claim, figure.holds)
        self.assertIn(claim, judge.failing(figure, data))

    def test_g3_with_t3_that_rises_20_times(self):
        for t3 in ([(1, 1e6), (8, 2e7)], [(1, 1e6), (2, 0.9e6), (8, 2e7)]):
            self.assert_fails(g3.FIGURE, {**g3.EXAMPLE, "T3": t3}, "T3 falls with nodes")

    def test_g6_without_any_peak(self):
        for rates in (range(1, 7), range(6, 0, -1), [5] * 6):
            self.assert_fails(g6.FIGURE, g6.rate(*rates), "throughput peaks at 512 tasks")

    def test_g2_where_flat_rises_four_times(self):
        for off in ([(1, 1e7), (64, 4e7)], [(1, 4e7), (64, 1e7)], [(1, 1e7), (8, 4e7), (64, 1e7)]):
            self.assert_fails(g2.FIGURE, {**g2.EXAMPLE, g2.OFF: off}, "not aggregated nearly flat")

    def test_f10_with_1_9_where_a_thousand_is_published(self):
        for x in (4, 64):
            self.assert_fails(f10.MODELLED, {**f10.EXAMPLE, f10.requests("push only"): [(x, 1.9)]},
                              f10.THOUSAND)
        self.assertNotIn(f10.THOUSAND, f10.HOSTS.holds)
        self.assertIn("a thousand requests", " ".join(f10.HOSTS.not_judged))

    def test_f7_has_no_bound_that_cannot_be_exceeded(self):
        for figure in f7.FIGURES:
            self.assertEqual({series for condition in figure.holds.values()
                              for series in condition.series}, {"mixed"})
            self.assert_fails(figure, {**figure.example, "mixed": [(1, 1024)]}, f7.CLAIM)
            self.assertIn("push only", figure.not_judged[0])

    def test_g5_judges_the_network(self):
        for quantity in (g5.NETWORK, g5.BUFFER, g5.SWITCHES):
            for kernel in ("GUPS", "BFS"):
                for factor in (0.4, 2.5):
                    data = {**g5.EXAMPLE, quantity: [(x, factor * y) for x, y in g5.EXAMPLE[quantity]]}
                    self.assert_fails(g5.FIGURE, data, g5.claim(quantity, kernel))


    def test_s6_with_gains_that_have_nothing_to_do_with_edges_a_vertex(self):
        for gains in ([30] * 6, (39, 21, 20, 38, 27, 40), (40, 39, 38, 27, 21, 20)):
            data = {s6.GAIN: list(zip(mst.NAMES, gains))}
            self.assert_fails(s6.FIGURE, data, s6.CORRELATES)

    def test_s6_without_a_graph_proves_nothing(self):
        data = {s6.GAIN: s6.EXAMPLE[s6.GAIN][1:]}
        for claim in (s6.CORRELATES, s6.ON_AVERAGE, s6.FASTER["uk-2014"]):
            self.assert_fails(s6.FIGURE, data, claim)

    def test_s7_with_an_optimum_that_nobody_looked_beyond(self):
        for series in (mst.TWO_SIDED, mst.ONE_SIDED):
            data = {**s7.data_of(), series: [(pes, y) for pes, y in s7.data_of()[series] if pes <= 20]}
            self.assert_fails(s7.FIGURE, data, s7.OPTIMUM[series])

    def test_s4_with_places_that_are_no_configurations(self):
        data = {**s4.EXAMPLE, "uk-2005": [(f"{x} again", y) for x, y in s4.EXAMPLE["uk-2005"]]}
        self.assert_fails(s4.FIGURE, data, s4.CLAIMS["uk-2005"])


class Forests(unittest.TestCase):
    """Tests figures about minimum spanning forests, whose values are computed from the times of several runs."""

    def times(self, figure, seconds):
        """Returns the data of the figure if a run of each command takes the given number of seconds."""
        return judge.gather(figure, [(run, {"metrics": {"seconds": {"median": seconds(run)}}})
                                     for run in figure.runs(True)]).data

    def flag(self, run, name):
        return run.command[run.command.index(name) + 1]

    def test_gain_is_time_that_is_saved(self):
        data = self.times(s6.FIGURE, lambda run: 3 if self.flag(run, "--exchange") == mst.ONE_SIDED else 4)
        self.assertEqual(data, {s6.GAIN: [(graph, 25) for graph in mst.NAMES]})
        data = self.times(s5.FIGURE, lambda run: 4 if self.flag(run, "--post") == s5.SINGLE else 5)
        self.assertEqual(data, {s5.GAIN: [(pes, 20) for pes in s5.PES]})

    def test_two_sides_have_whole_lists(self):
        for figure in (s5.FIGURE, s6.FIGURE, s7.FIGURE):
            for run in figure.runs(True):
                whole = "--chunks" in run.command and self.flag(run, "--chunks") == "1"
                self.assertEqual(whole, self.flag(run, "--exchange") == mst.TWO_SIDED, run.command)

    def test_overlap_and_calls_save_each_their_part(self):
        def seconds(run):
            both_sides = self.flag(run, "--exchange") == mst.TWO_SIDED
            return 2 + 4 * both_sides + 2 * ("--chunks" in run.command)
        data = self.times(s10.OVERLAP, seconds)
        for series, percent in ((s10.BY_BOTH, 75), (s10.BY_CALLS, 50), (s10.BY_OVERLAP, 25)):
            self.assertEqual(data[series], [(graph, percent) for graph in mst.NAMES])

    def test_gain_over_pes_is_over_the_fewest(self):
        data = self.times(s7.FIGURE, lambda run: 1 + run.pes / 4)
        for series in (mst.TWO_SIDED, mst.ONE_SIDED):
            self.assertEqual(data[series][0], (4, 0))
            self.assertEqual(data[series][-1], (64, -750))

    def test_calls_count_by_what_their_latency_differs(self):
        counted = {"exchange_calls": {"total": s10.PES * 1000}}
        result = lambda us: {"metrics": {"seconds": {"median": 0.1}, "nanoseconds": {"median": 1000 * us}},  # noqa: E731
                             "counters": counted}
        latency = {"put": 4, "get": 3, "send-receive": 2.5}
        data = judge.gather(s10.CALLS_ALONE, [(run, result(latency.get(run.command[1], 0)))
                                         for run in s10.CALLS_ALONE.runs(True)]).data
        self.assertEqual([graph for graph, _ in data[s10.SHARE]], list(mst.NAMES))
        for _, share in data[s10.SHARE]:
            self.assertAlmostEqual(share, 100 * 1000 * 1.5e-6 / 0.1)


class Counters(unittest.TestCase):
    """Tests the quantities of the figure G5. Each quantity is the difference between two runs."""

    def counted(self, label, factor):
        result = {"pes": 32, "counters": {
            **{name: {"total": factor * 64e6} for name in g5_counters.SUMS},
            "run_nanoseconds": {"per_pe": [1e9, factor * 2e9]}, "active_tasks_peak": {"largest": 7}}}
        return {series: [(x, read(result))] for series, (x, read) in g5_counters.points(label).items()}

    def test_are_differences(self):
        less, more = self.counted("GUPS, less", 1), self.counted("GUPS, more", 3)
        found = g5_counters.derive({name: less[name] + more[name] for name in less})
        self.assertEqual(found[g5.MESSAGES], [("GUPS", 1e6)])
        self.assertEqual(found[g5.NETWORK], [("GUPS", 16e6)])
        self.assertEqual(found[g5.BUFFER], [("GUPS", 1)])
        self.assertEqual(found[g5.PEAK], [("GUPS", 7)])

    def test_are_there_of_all_four_kernels(self):
        found = {}
        for kernel in g5_counters.KERNELS:
            for label, factor in ((g5_counters.LESS, 1), (g5_counters.MORE, 3)):
                for name, points in self.counted(f"{kernel}, {label}", factor).items():
                    found[name] = found.get(name, []) + points
        for quantity, points in g5_counters.derive(found).items():
            self.assertEqual([kernel for kernel, _ in points], list(g5_counters.KERNELS), quantity)

    def test_of_more_differ_from_those_of_less_in_one_number(self):
        runs = g5_counters.runs(False)
        for less, more in zip(runs[::2], runs[1::2]):
            self.assertEqual(sum(a != b for a, b in zip(less.command, more.command)), 1, more.command)
            self.assertEqual(less.command.count("--trials"), 1)

    def test_of_a_kernel_that_lacks_a_run_are_not_there(self):
        self.assertEqual(g5_counters.derive(self.counted("BFS, less", 1)), {})
        self.assertEqual(g5_counters.derive({}), {})


class Relative(unittest.TestCase):
    """Tests the figure G4, which compares rates with those of other programs. Some of the other programs can be
    missing."""

    def gathered(self, rate, missing=lambda run: False, quick=True):
        figure = g4.FIGURES[0]
        results = [(run, LeftOut("was not built") if missing(run) else
                    {"rate": rate(run), "metrics": {"rate": {"median": rate(run)}}}) for run in figure.runs(quick)]
        found = judge.gather(figure, results)
        return found, judge.verdict(figure, found.data, partial=bool(found.left_out), missing=found.missing)

    def test_is_a_part_of_what_atoll_does(self):
        found, verdict = self.gathered(lambda run: 5 if run.of_other_program else 10)
        for who, rows in found.data.items():
            self.assertEqual({y for _, y in rows}, {0.5}, who)
        self.assertEqual(len(found.data[g4.OPEN_MPI]), len(g4.ROWS))
        self.assertTrue(all(outcome for _, _, outcome, _ in verdict))

    def test_takes_the_best_form_of_each(self):
        rates = {"edges": 30, "bitmaps": 5}
        rate = lambda run: next((y for form, y in rates.items() if form in run.command), 10)  # noqa: E731
        rows = dict(self.gathered(rate)[0].data[g4.MPICH])
        self.assertEqual(rows[g4.row_of("BFS", g4.SAME)], 0.5)
        self.assertEqual(rows[g4.row_of("BFS", g4.BEST)], 3)
        slow = lambda run: 5 if run.program == PAPERS else 10  # noqa: E731
        rows = dict(self.gathered(slow)[0].data[g4.OPEN_MPI])
        self.assertEqual([rows[g4.row_of("IntSort", kind)] for kind in (g4.SAME, g4.BEST, g4.BY_DELEGATES)], [1, 1, 2])

    def test_takes_the_median_of_the_turns(self):
        rate = lambda run: (7 + 100 * run.turn ** 2) if run.of_other_program else 10  # noqa: E731
        rows = dict(self.gathered(rate, quick=False)[0].data[g4.OPEN_MPI])
        self.assertEqual(set(rows.values()), {10.7})

    def test_does_not_judge_rows_without_a_program(self):
        for program, kernel in (("atoll-peer-bfs-openmpi", "BFS"), ("atoll-peer-sort-mpich", "IntSort")):
            _, verdict = self.gathered(lambda run: 10, lambda run: run.program == program)
            for claim, _, outcome, _ in verdict:
                self.assertEqual(outcome, None if claim.startswith(kernel) else True, claim)

    def test_does_without_tpetra(self):
        found, verdict = self.gathered(lambda run: 10, lambda run: run.program.endswith("tpetra"))
        self.assertNotIn(g4.TPETRA, found.data)
        self.assertTrue(all(outcome for _, _, outcome, _ in verdict))


class Scaling(unittest.TestCase):
    def test_of_g7_is_from_the_same_fewest_nodes_to_the_same_most(self):
        for series in g7.AS_PUBLISHED:
            data = {**g7.EXAMPLE, series: g7.EXAMPLE[series][:2]}
            self.assertIn(g7.WORST, judge.failing(g7.FIGURE, data))

    def test_of_g7_has_as_much_to_do_for_each_node(self):
        def number(command, flag):
            return int(command[command.index(flag) + 1])
        few, many = g7.commands(1, False), g7.commands(64, False)
        self.assertEqual(number(many[g7.SORT], "--keys"), 64 * number(few[g7.SORT], "--keys"))
        for series in (g7.BFS, g7.RANK, g7.TUNED_RANK):
            self.assertEqual(number(many[series], "--scale"), number(few[series], "--scale") + 6)


class Sensitivity(unittest.TestCase):
    def test_knows_every_parameter_of_the_model(self):
        names = sensitivity.parameters(experiments.MODEL_DEF)
        self.assertLessEqual({"latency", "gap", "tree_nodes_hashed"}, set(names))
        self.assertLessEqual(set(round.QUICK_PARAMETERS), set(names))
        self.assertEqual(len(names), len(set(names)))

    def test_leaves_out_what_a_factor_does_not_change(self):
        names = sensitivity.parameters(experiments.MODEL_DEF)
        self.assertIn("memory_line", names)
        for name in ("lines_touched", "shared_cores", "tick"):
            self.assertNotIn(name, names)

    def test_varies_beside_what_a_run_varies_itself(self):
        run = Run(["bench", "gups", "--sim-vary", "second_level=0", "--pes", "2"], {})
        self.assertEqual(sensitivity.varied(run, "gap", 2).command,
                         ["bench", "gups", "--pes", "2", "--sim-vary", "second_level=0,gap=2"])

    def test_is_a_multiple_of_the_usual_result(self):
        of = lambda rate: {"metrics": {"rate": {"median": rate}}}  # noqa: E731
        results = {("gap", 0.5): of(30.0), ("gap", 2): of(10.0)}
        self.assertEqual(sensitivity.changes(g2.FIGURE.sensitive(True), results, of(20.0)),
                         {"gap": (1.5, 0.5)})


if __name__ == "__main__":
    unittest.main()
