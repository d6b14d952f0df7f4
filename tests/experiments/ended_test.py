"""Tests the files that a round of experiments leaves if it is interrupted or has too little time."""

import os
import re
import signal
import subprocess
import time
import unittest

from fake_round import Rounds


class Ended(Rounds):
    def interrupted(self, number):
        """Runs a round of all figures, and interrupts it during the second figure."""
        self.write_program(SLEEP="context-switch")
        with subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as process:
            while not (self.folder / "asleep").exists() and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(number)
            said, _ = process.communicate()
        self.assertEqual(process.returncode, 128 + number, said)
        return said

    def test_by_a_signal_leaves_a_page_with_what_is_done(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                said = self.interrupted(number)
                self.assertIn("interrupted", said)
                self.assertIn("holds", self.row("model"))
                self.assertIn("not run yet", self.row("G1"))
                self.assertIn("interrupted", self.page())
                self.assert_not_running()
                (self.folder / "asleep").unlink()

    def test_by_its_time_says_what_was_left_out(self):
        self.write_program(SLEEP="2048")
        said = self.run_round("--quick", "--only", "G6", "--seconds", "5", status=0)
        self.assertRegex(said, "left out: G6: . of 3 runs: ")
        self.assertRegex(self.page(), "Left out of this round:.*G6: . of 3 runs: ")
        if (self.folder / "asleep").exists():
            self.assert_not_running()

    def test_by_its_time_leaves_out_pictures(self):
        self.run_round("--quick", "--only", "G7", status=0)
        said = self.run_round("--quick", "--only", "G7", "--seconds", "0.001", status=0)
        self.assertIn("left out: G7: the picture", said)
        self.assertIn("No picture", self.page())
        self.assertIn("holds", self.row("G7"))

    def test_leaves_no_unfinished_file(self):
        self.interrupted(signal.SIGTERM)
        self.assertEqual([name for name in os.listdir(self.results) if re.search("part|unfin", name)], [])


if __name__ == "__main__":
    unittest.main()
