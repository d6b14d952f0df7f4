"""Tests rounds of experiments: their exit statuses, errors for wrong use, and the results of other rounds that stay on
the page."""

import json
import subprocess
import sys
import unittest

from fake_round import RUN, Rounds


class Statuses(Rounds):
    def test_0_where_all_that_is_judged_holds(self):
        said = self.run_round("--quick", "--only", "G7", status=0)
        self.assertIn("G7: holds: BFS scales", said)
        self.assertIn("holds", self.row("G7"))
        self.assertEqual((self.results / "G7.png").read_text(), "G7")

    def test_1_where_a_claim_does_not_hold(self):
        said = self.run_round("--quick", "--only", "g3", status=1)
        self.assertIn("G3: DOES NOT HOLD: T3 falls with nodes", said)
        self.assertIn("does not hold: T3 falls with nodes", self.row("G3"))

    def test_1_where_a_run_fails(self):
        self.write_program(FAIL="bfs")
        self.assertIn("FAILED", self.run_round("--quick", "--only", "G7", status=1))
        self.assertIn("runs failed: 4", self.row("G7"))
        self.assertIn("it broke", self.page())

    def test_1_where_a_result_lacks_what_is_read(self):
        self.assertIn("its result has no use", self.run_round("--quick", "--only", "G8", status=1))

    def test_0_where_a_quick_round_cannot_judge_a_claim(self):
        said = self.run_round("--quick", "--only", "F7-hosts", "--seconds", "0.001", status=0)
        self.assertIn("left out: F7-hosts", said)


class WrongUse(Rounds):
    def test_of_only_names_the_setting_and_the_figures(self):
        said = self.run_round("--only", "G99", status=2)
        self.assertRegex(said, "--only: there is no figure 'G99', but model, G1, G2, .*F10-hosts")

    def test_of_a_program_that_is_not_there(self):
        for path in (self.folder / "nothing", self.folder):
            said = self.run_round("--atoll", str(path), status=2)
            self.assertRegex(said, f"--atoll: there is no program at '{path}'")

    def test_of_a_folder_that_cannot_be_written(self):
        said = self.run_round("--results", str(self.folder / "program"), status=2)
        self.assertRegex(said, "--results: cannot write to '.*program'")

    def test_of_seconds(self):
        for text in ("0", "-1", "nan", "inf", "five"):
            self.assertIn("--seconds: ", self.run_round(f"--seconds={text}", status=2))

    def test_is_not_looked_for_by_list(self):
        done = subprocess.run([sys.executable, "-c", RUN, "--list"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("G2: GUPS over nodes\n", done.stdout)


class Saved(Rounds):
    def test_entries_of_other_figures_stay(self):
        self.run_round("--quick", "--only", "G7", status=0)
        self.run_round("--quick", "--only", "G3", status=1)
        self.assertIn("holds", self.row("G7"))
        self.assertIn("does not hold", self.row("G3"))
        self.assertIn("not run yet", self.row("G2"))

    def test_entries_of_another_program_are_shown_as_such(self):
        self.run_round("--quick", "--only", "G7", status=0)
        self.write_program(FAIL="another-program")
        self.run_round("--quick", "--only", "G3", status=1)
        self.assertIn("(program of another round)", self.row("G7"))
        self.assertNotIn("of another round", self.row("G3"))

    def test_entries_that_are_broken_are_ignored_with_a_word(self):
        self.run_round("--quick", "--only", "G7", status=0)
        whole = json.loads((self.results / "G7.json").read_text())
        for broken in ("", "{", "[]", "7", "{}", json.dumps({**whole, "verdict": [[1]]}),
                       json.dumps({**whole, "data": {"BFS": [7]}})):
            (self.results / "G7.json").write_text(broken)
            said = self.run_round("--quick", "--only", "G3", status=1)
            self.assertRegex(said, "G7.json is ignored")
            self.assertIn("not run yet", self.row("G7"))


if __name__ == "__main__":
    unittest.main()
