"""Tests the runs of a program from which a figure gets its data. Each run is made once, and is repeated only if the
program has changed. An interrupted run must leave no process and no file."""

import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

from lib.figure import PAPERS, PRICES_OF_MACHINE, Run  # noqa: E402
from lib.runs import Failed, LeftOut, Runner  # noqa: E402

# This program records each call. The content of a file can make the program fail, print or sleep.
PROGRAM = """#!/bin/sh
echo "$@" >> calls
[ "$1" = fail ] && { echo "it broke" >&2; exit 3; }
[ "$1" = talk ] && { echo "seven"; exit 0; }
[ "$1" = sleep ] && { echo $$ >> pids; sleep 600 & echo $! >> pids; wait; }
echo '{"metrics": {"rate": {"median": 7}}}'
"""


class Runs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.program = self.folder / "program"
        self.write_program(PROGRAM.replace("calls", str(self.folder / "calls"))
                           .replace("pids", str(self.folder / "pids")))

    def write_program(self, text):
        for program in (self.program, self.program.with_name("atoll-papers")):
            program.write_text(text)
            program.chmod(0o755)

    def runner(self):
        return Runner(self.program, self.folder / "runs")

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def test_are_not_repeated(self):
        run = Run(["bench", "gups", "--pes", "2"], {})
        for _ in range(3):
            self.assertEqual(self.runner().result(run)["metrics"]["rate"]["median"], 7)
        self.assertEqual(self.calls(), ["bench gups --pes 2 --json -"])

    def test_take_the_prices_of_this_machine_which_are_measured_once(self):
        self.write_program(PROGRAM.replace("calls", str(self.folder / "calls"))
                           .replace("{\"metrics\"", "{\"prices\": {\"gap\": 5}, \"metrics\""))
        runner = self.runner()
        for size in ("16", "24"):
            runner.result(Run(["bench", "gups", "--log2-table", size, "--sim-prices", PRICES_OF_MACHINE], {}))
        measured, *modelled = self.calls()
        self.assertEqual(measured, "model --pes 2 --json -")
        self.assertEqual(len(modelled), 2)
        for call in modelled:
            file = pathlib.Path(call.split("--sim-prices ")[1].split()[0])
            self.assertEqual(json.loads(file.read_text()), {"prices": {"gap": 5}})

    def test_of_another_program_take_the_one_beside(self):
        run = Run(["--operation", "put"], {}, program="peer")
        with self.assertRaisesRegex(LeftOut, "peer was not built"):
            self.runner().result(run)
        for text in ("first", "second"):
            peer = self.folder / "peer"
            peer.write_text(f"#!/bin/sh\necho '{{\"{text}\": 1}}'\n")
            peer.chmod(0o755)
            self.assertEqual(self.runner().result(run), {text: 1})
        self.assertEqual(self.calls(), [])
        self.assertEqual(str(run), "peer --operation put")

    def test_of_the_papers_take_the_flags_of_atoll(self):
        run = Run(["concurrency", "--pes", "3"], {}, program=PAPERS)
        self.runner().result(run)
        self.assertEqual(self.calls(), ["concurrency --pes 3 --json -"])
        self.assertEqual((run.pes, str(run)), (3, "atoll-papers concurrency --pes 3"))

    def test_have_one_pe_where_nothing_is_said_of_pes(self):
        self.assertEqual(Run(["info", "a.graph"], {}).pes, 1)
        self.assertEqual(Run(["bench", "gups", "--pes", "3"], {}).pes, 3)
        self.assertEqual(Run(["--processes", "4"], {}, program="peer").pes, 4)
        self.assertEqual(Run(["bench", "gups"], {}, hosts=2).pes, 2)

    def test_in_several_turns_are_each_made(self):
        for turn in (0, 1, 0, 1):
            self.runner().result(Run(["bench", "gups"], {}, turn=turn))
        self.assertEqual(len(self.calls()), 2)

    def test_fail_where_no_prices_are_measured(self):
        with self.assertRaisesRegex(Failed, "atoll-papers model --pes 2 gave no prices"):
            self.runner().result(Run(["bench", "gups", "--sim-prices", PRICES_OF_MACHINE], {}))

    def test_are_repeated_for_another_program(self):
        run = Run(["bench", "gups"], {})
        self.runner().result(run)
        self.write_program(self.program.read_text() + "# changed\n")
        self.runner().result(run)
        self.assertEqual(len(self.calls()), 2)
        for name, calls in (("atoll-bench", 3), ("atoll-papers", 4)):
            (self.folder / name).write_text("which measures parts")
            self.runner().result(run)
            self.assertEqual(len(self.calls()), calls)

    def test_that_fail_say_why_and_are_tried_again(self):
        for _ in range(2):
            with self.assertRaisesRegex(Failed, "it broke"):
                self.runner().result(Run(["fail"], {}))
        self.assertEqual(len(self.calls()), 2)

    def test_that_say_no_json_failed(self):
        with self.assertRaisesRegex(Failed, "no JSON"):
            self.runner().result(Run(["talk"], {}))
        with self.assertRaisesRegex(Failed, "no JSON"):
            self.runner().result(Run(["bench", "gups"], {}, with_metrics=True))

    def test_whose_file_is_broken_are_repeated(self):
        run = Run(["bench", "gups"], {})
        for text in ("", "{", "[]", "7", "{}"):
            self.runner().file_of(run).write_text(text)
            self.assertEqual(self.runner().result(run)["metrics"]["rate"]["median"], 7)
        self.assertEqual(len(self.calls()), 5)

    def assert_nothing_is_left(self):
        pids = self.folder / "pids"  # not there where the end came before the beginning
        for pid in pids.read_text().split() if pids.exists() else []:
            while pathlib.Path(f"/proc/{pid}/exe").exists():
                time.sleep(0.01)

    def test_beyond_the_time_of_the_round_are_ended(self):
        runner = self.runner()
        found = []

        def wait():
            try:
                runner.result(Run(["sleep"], {}), until=time.monotonic() + 3)
            except LeftOut as reason:
                found.append(str(reason))
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join()
        self.assertEqual(found, ["ended, for the round had no more time for it"])
        self.assert_nothing_is_left()

    def test_that_are_stopped_are_ended_and_none_begins(self):
        runner = self.runner()
        found = []

        def wait():
            try:
                runner.result(Run(["sleep"], {}))
            except LeftOut as reason:
                found.append(str(reason))
        waiting = threading.Thread(target=wait)
        waiting.start()
        pids = self.folder / "pids"
        while not pids.exists() or len(pids.read_text().split()) < 2:
            time.sleep(0.01)
        runner.stop()
        waiting.join()
        self.assertEqual(found, ["interrupted"])
        self.assert_nothing_is_left()
        with self.assertRaises(LeftOut):
            runner.result(Run(["bench", "gups"], {}))

    def test_that_were_made_are_there_without_time(self):
        run = Run(["bench", "gups"], {})
        self.runner().result(run)
        self.assertTrue(self.runner().result(run, until=0))


if __name__ == "__main__":
    unittest.main()
