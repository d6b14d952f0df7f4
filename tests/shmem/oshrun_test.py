"""Tests oshrun: the programs that it starts, the arguments and variables that it passes on, and its exit status. The
programs of this test do not use SHMEM; the programs in the folder conformance/ use SHMEM.

usage: oshrun_test.py OSHRUN [unittest arguments]
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSHRUN = None


def run(*words, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([OSHRUN, *words], text=True, capture_output=True, check=False,
                          timeout=60, **options)


def shell(pes, script, *options, **more):
    return run("-np", str(pes), *options, "sh", "-c", script, **more)


class CommandLine(unittest.TestCase):
    def refused(self, *words, saying):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(saying, done.stderr)

    def test_help_teaches(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("-np N", "--tag-output", "mpirun", "SIGUSR1", "exit status"):
            self.assertIn(word, done.stdout)

    def test_what_is_wrong_is_named(self):
        self.refused(saying="no program")
        self.refused("-np", "2", saying="no program")
        self.refused("-np", saying="-np: its value is missing")
        self.refused("-np", "two", "true", saying='-np: "two"')
        self.refused("-np", "0", "true", saying="0")
        self.refused("-np", "5000", "true", saying="5000")
        self.refused("--unknown", "true", saying="--unknown")
        self.refused("-np", "2", "no-such-program", saying="no-such-program")
        self.refused("-np", "2", "./no/such/program", saying="./no/such/program")
        self.refused("-x", "NO_SUCH_VARIABLE", "true", saying="NO_SUCH_VARIABLE")
        self.refused("--atoll-no-such-setting", "1", "true", saying="no-such-setting")

    def test_a_folder_or_a_text_is_no_program(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "text"
            text.write_text("no program\n")
            self.refused("-np", "2", folder, saying=folder)
            self.refused("-np", "2", str(text), saying=str(text))

    def test_each_way_to_say_the_number(self):
        for words in (["-np", "3"], ["-n", "3"], ["--np", "3"], ["--np=3"], ["-c", "3"],
                      ["--pes=3"], ["--oversubscribe", "--allow-run-as-root", "-np", "3"]):
            self.assertEqual(run(*words, "echo", "x").stdout, "x\n" * 3, words)

    def test_options_behind_the_program_are_its_own(self):
        self.assertEqual(run("-np", "1", "echo", "-np", "7", "--help").stdout, "-np 7 --help\n")


class Programs(unittest.TestCase):
    def test_the_largest_status_is_that_of_oshrun(self):
        self.assertEqual(shell(3, "exit 0").returncode, 0)
        done = shell(3, "exit 5")
        self.assertEqual(done.returncode, 5)
        self.assertIn("status 5", done.stderr)

    def test_a_killed_one_is_named_and_ends_the_others(self):
        begin = time.monotonic()
        done = shell(3, 'read word && kill -9 $$; exec sleep 50', input="word\n", stdin=None)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(done.returncode, 128 + 9)
        self.assertIn("PE 0 was killed by signal 9", done.stderr)

    def test_pe_0_alone_reads_standard_input(self):
        done = shell(3, "cat", input="a line\n", stdin=None)
        self.assertEqual((done.returncode, done.stdout), (0, "a line\n"))

    def test_variables_are_passed(self):
        words = ["-np", "2", "-x", "ONE=1 and more", "-x", "TWO", "sh", "-c", 'echo "$ONE/$TWO"']
        done = run(*words, env={**os.environ, "TWO": "2"})
        self.assertEqual(done.stdout, "1 and more/2\n" * 2)

    def test_a_launcher_around_it_is_forgotten(self):
        """If oshrun is started by a launcher, such as that of a batch system, the job must ignore this launcher.
        If the job did not ignore the launcher, the ranks of the launcher would become PEs of one job."""
        for around in ({"PMIX_RANK": "0"}, {"PMI_RANK": "3", "PMI_SIZE": "4"},
                       {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}):
            done = shell(3, 'echo "x$PMIX_RANK$PMI_RANK$OMPI_COMM_WORLD_RANK"',
                         env={**os.environ, **around})
            self.assertEqual((done.returncode, done.stdout), (0, "x\n" * 3), done.stderr)

    def test_standard_descriptors_that_are_closed_are_dev_null(self):
        script = ('input=$(readlink /proc/$$/fd/0) output=$(readlink /proc/$$/fd/1) '
                  'errors=$(readlink /proc/$$/fd/2); echo "$input $output $errors" > "$0/$$"')
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            with tempfile.TemporaryDirectory() as folder:
                command = [OSHRUN, "-np", "2", "sh", "-c", script, folder]
                done = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *command], timeout=60,
                                      check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, (closed, done.stderr))
                for file in pathlib.Path(folder).iterdir():
                    names = file.read_text().split()
                    self.assertEqual(len(names), 3, (closed, names))
                    for name, sign in zip(names, ("<&-", ">&-", "2>&-")):
                        if sign in closed.split():
                            self.assertEqual(name, "/dev/null", (closed, names))

    def test_a_limit_of_the_size_of_files_is_named(self):
        words = ["bash", "-c", 'ulimit -f 1000 && exec "$0" -np 2 true', OSHRUN]
        done = subprocess.run(words, timeout=60, check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("size of files (ulimit -f, now 1000 KiB)", done.stderr)

    def test_signals_of_limits_are_as_they_were(self):
        ignored = shell(1, "grep SigIgn: /proc/self/status").stdout.split()[1]
        self.assertEqual(int(ignored, 16) >> (signal.SIGXFSZ - 1) & 1, 0, ignored)

    def test_settings_reach_the_pes(self):
        done = shell(1, 'echo "$ATOLL_BUFFER_SIZE"', "--atoll-buffer-size", "8KiB")
        self.assertEqual(done.stdout, "8KiB\n")

    def test_many_pes_start_and_end(self):
        done = run("-np", "200", "echo", "here")
        self.assertEqual((done.returncode, done.stdout), (0, "here\n" * 200))


class Signals(unittest.TestCase):
    def start(self, script, pes=3):
        started = subprocess.Popen([OSHRUN, "-np", str(pes), "sh", "-c", script], text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(started.stderr.close)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.kill)
        for _ in range(pes):
            self.assertEqual(started.stdout.readline(), "ready\n")
        return started

    def ended(self, process):
        _, said = process.communicate(timeout=30)
        return process.returncode, said

    def test_interrupts_end_all(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder:
                script = f"echo $$ >> {folder}/ids; echo ready; exec sleep 50"
                started = self.start(script)
                started.send_signal(number)
                self.assertEqual(self.ended(started)[0], 128 + number)
                for word in pathlib.Path(folder, "ids").read_text().split():
                    self.assertFalse(pathlib.Path("/proc", word).exists(), word)

    def test_others_are_passed_on(self):
        for name in ("HUP", "USR2", "CONT"):
            script = f"trap 'exit 0' {name}; echo ready; while :; do sleep 0.1; done"
            started = self.start(script)
            started.send_signal(getattr(signal, f"SIG{name}"))
            self.assertEqual(self.ended(started)[0], 0, name)

    def test_the_programs_end_with_their_launcher(self):
        with tempfile.TemporaryDirectory() as folder:
            ids = pathlib.Path(folder, "ids")
            started = self.start(f"echo $$ >> {ids}; echo ready; while :; do sleep 0.1; done")
            started.kill()
            self.ended(started)
            left = [pathlib.Path("/proc", word) for word in ids.read_text().split()]
            deadline = time.monotonic() + 20
            while any(each.exists() for each in left) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse([each for each in left if each.exists()])


if __name__ == "__main__":
    OSHRUN = sys.argv.pop(1)
    unittest.main()
