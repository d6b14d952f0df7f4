#!/usr/bin/env python3
"""Runs the programs of this folder and of ../collectives as jobs, and checks how the jobs end.

conformance_test.py --bin FOLDER [--oshrun FILE] [--all] [--pes 1,2] [--launchers processes,mpich]
[--node-sizes 1,2] [--timeout SECONDS] [ARGUMENTS OF UNITTEST]. FOLDER contains the built programs, each with the name
of its source file. By default, jobs have 1, 2 and 3 PEs as processes. Under each installed MPI library, jobs have 2 and
3 PEs, with each PE on a node of its own. With --all, jobs have 1, 2, 3, 4 and 8 PEs, and under MPI also nodes of two
PEs.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
MPI = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                "--mca", "mpi_yield_when_idle", "1", "-n"],
    "mpich": ["mpiexec.mpich", "-n"],
}
PLAIN = ["rma", "amo", "signals", "sync", "memory", "locks", "ordering", "legacy", "profiling",
         "forked"]
LEVELS = ["single", "funneled", "serialized", "multiple"]
COLLECTIVES = sorted(path.stem for path in (HERE.parent / "collectives").glob("*.c"))
BAD = "a status that is not 0"
# The program's way to end a job, and the expected status for processes and under MPI. If a process is killed, an MPI
# launcher chooses its own exit status.
ENDS = [
    ("finalize 0", 0, 0), ("finalize 5", 5, 5), ("return 0", 0, 0), ("return 6", 6, 6),
    ("exit_all 0", 0, 0), ("exit_all 3", 3, 3), ("before_init 0", 0, 0), ("before_init 4", 4, 4),
    ("global_exit 0", 0, 0), ("global_exit 7", 7, 7), ("exit 3", 3, 3), ("exit 0", None, None),
    ("quick_exit 9", 9, BAD), ("quick_exit 0", BAD, BAD), ("abort", 128 + signal.SIGABRT, BAD),
]
OPTIONS = argparse.Namespace()


class Job:
    """One way to start a job of `pes` PEs."""

    def __init__(self, launcher, pes, node_size):
        self.launcher, self.pes, self.node_size = launcher, pes, node_size

    def __str__(self):
        node = f"_node_{self.node_size}" if self.launcher in MPI else ""
        return f"{self.launcher}_{self.pes}{node}"

    def command(self):
        if self.launcher in MPI:
            return [*MPI[self.launcher], str(self.pes)]
        return [OPTIONS.oshrun, "-np", str(self.pes)]

    def run(self, program, *arguments, by=(), by_script=None, **variables):
        """Runs a job to its end, and returns the finished process with returncode, stdout and stderr. A job that does
        not end in time is killed. The words of `by` come before the command that starts the job. Each PE runs the
        program, or the script `by_script`, which gets the program as $0."""
        environment = {**os.environ, "EXPECTED_PES": str(self.pes), **variables}
        if self.launcher in MPI:
            environment["ATOLL_NODE_SIZE"] = str(self.node_size)
        scripted = ["sh", "-c", by_script] if by_script else []
        command = [*by, *self.command(), *scripted, str(OPTIONS.bin / program), *arguments]
        job = subprocess.Popen(command, env=environment, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
        try:
            stdout, stderr = job.communicate(timeout=OPTIONS.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            stdout, stderr = job.communicate()
            stderr += f"\nkilled after {OPTIONS.timeout} s\n"
        return subprocess.CompletedProcess(command, job.returncode, stdout, stderr)


class Conformance(unittest.TestCase):
    """The test case; add_tests adds a test for each program and job."""

    def ended(self, job, expected, program, *arguments, **variables):
        return self.judged(job.run(program, *arguments, **variables), expected)

    def judged(self, result, expected):
        said = (f"{' '.join(result.args)}: status {result.returncode}, not {expected}\n"
                f"{result.stdout}{result.stderr}")
        if expected == BAD:
            self.assertNotEqual(result.returncode, 0, said)
        else:
            self.assertEqual(result.returncode, expected, said)
        return result

    def good(self, job, program, *arguments, **variables):
        return self.ended(job, 0, program, *arguments, **variables)

    def limit(self, job):
        """Checks that the error is a single line with the setting and its value."""
        for text, bytes_, shown in (("1m", 1 << 20, "1 MiB"), ("4194304", 4 << 20, "4 MiB"),
                                    ("0.5G", 1 << 29, "512 MiB")):
            stderr = self.good(job, "memory", "limit", str(bytes_),
                               SHMEM_SYMMETRIC_SIZE=text).stderr
            lines = [line for line in stderr.splitlines() if "SHMEM_SYMMETRIC_SIZE" in line]
            self.assertEqual(len(lines), 1, stderr)
            self.assertIn(f"SHMEM_SYMMETRIC_SIZE={shown}", lines[0])
        self.ended(job, BAD, "memory", "limit", "1", SHMEM_SYMMETRIC_SIZE="much")
        self.good(job, "memory", "limit", str(1 << 20), SHMEM_SYMMETRIC_SIZE="", SMA_SYMMETRIC_SIZE="1m")
        with tempfile.TemporaryDirectory() as folder:
            if subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE"],
                              check=False, capture_output=True).returncode != 0:
                self.skipTest("no localedef here (locales)")
            german = {"LOCPATH": folder, "LC_ALL": "de_DE"}
            self.good(job, "memory", "limit", str(1 << 19), SHMEM_SYMMETRIC_SIZE="0.5m", **german)

    def statics(self, job):
        """Text that stdio had buffered at shmem_init must be written only once. (MPI launchers mix the lines of
        different ranks.)"""
        stdout = self.good(job, "statics").stdout
        expected = job.pes * "before, once from each PE\nbehind, once from each PE\n"
        self.assertEqual(sorted(stdout), sorted(expected), stdout)

    def variables(self, job):
        """Checks that SHMEM_VERSION and SHMEM_INFO print their text once, under their new and their old names."""
        for prefix in ("SHMEM", "SMA"):
            version = self.good(job, "setup", **{f"{prefix}_VERSION": "1"}).stdout
            self.assertEqual(version.count("OpenSHMEM 1.5"), 1, version)
            information = self.good(job, "setup", **{f"{prefix}_INFO": "1"}).stdout
            self.assertEqual(information.count("SHMEM_SYMMETRIC_SIZE"), 1, information)

    def hangs(self, job):
        """A wait for a value that no PE puts must be reported as a hang. A PE that sleeps for long must not be
        reported."""
        stderr = self.ended(job, 3, "hangs", "wait", ATOLL_HANG_TIMEOUT="1s").stderr
        self.assertRegex(stderr, r"PEs? 0\S*: the program is in shmem_long_wait_until")
        self.assertNotIn("unknown place", stderr)
        stderr = self.good(job, "hangs", "sleep", ATOLL_HANG_TIMEOUT="1s").stderr
        self.assertNotIn("no progress", stderr)

    def closed(self, job):
        """Closed descriptors of the program must not be reused for the memory of the job."""
        for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                self.good(job, "printing", by=["sh", "-c", f'exec "$@" {closed}', "sh"])

    def test_closed_and_alone(self):
        program = str(OPTIONS.bin / "printing")
        done = subprocess.run(["sh", "-c", f"{program} <&- >&- 2>&-"], check=False, timeout=OPTIONS.timeout,
                              env={**os.environ, "EXPECTED_PES": "1"})
        self.assertEqual(done.returncode, 0)

    def twice(self, job):
        """If a script starts a second program, the second program must not get the memory of the first program. The
        error must name the reason."""
        done = job.run("printing", by_script='"$0"; "$0"')
        self.judged(done, BAD if job.launcher in MPI else 2)
        if job.launcher not in MPI:  # mpiexec ends the other ranks with the first
            self.assertEqual(done.stdout.count("the end\n"), job.pes)
        reason = {"openmpi": "a script can start one program of MPI for each rank",
                  "mpich": "a rank is one program of MPI"}.get(job.launcher, "has joined this job as PE")
        self.assertIn(reason, done.stderr)

    def refusals(self, job):
        """Two kinds of calls must be reported with the name of the call: calls with more elements than any machine can
        hold, and calls that differ between two PEs."""
        listed = subprocess.run([OPTIONS.bin / "refused"], text=True, capture_output=True, check=True).stdout
        by_count, differing, unequal = (part.split() for part in listed.split("\n\n"))
        for call in by_count:
            for count in (2**61 + 1, 2**64 - 1) if job.pes == 2 else (2**61 + 1,):
                with self.subTest(call=call, count=count):
                    stderr = self.ended(job, 2, "refused", call, str(count)).stderr
                    shown = 2**64 - 1 if call.endswith("_to_all") else count
                    self.assertIn(f"{call}: a count of {shown}", stderr)
        for call in ("shmem_long_iput", "shmem_long_iget", "shmem_ctx_double_iput"):
            with self.subTest(call=call):
                stderr = self.ended(job, 2, "refused", call, "stride").stderr
                self.assertIn(f"{call}: a count of {2**61 + 1}", stderr)
        for call in differing if job.pes > 1 else []:
            with self.subTest(call=call):
                stderr = self.ended(job, 2, "refused", call, "differ").stderr
                self.assertIn("the calls of two PEs differ", stderr)
                self.assertRegex(stderr, f"is in {call}\\b")
                self.assertRegex(stderr, r"is in shmem_long_sum_reduce, 3 elements")
        if job.pes > 1:  # the lines in question are of the program, which has none here
            stderr = self.ended(job, 2, "refused", "shmem_sync_all", "meet").stderr
            self.assertRegex(stderr, r"PE 0 calls shmem_barrier_all, PE \d calls shmem_sync_all;")
        for call in unequal if job.pes > 1 else []:
            with self.subTest(call=call):
                stderr = self.ended(job, 2, "refused", call, "unequal").stderr
                self.assertRegex(stderr, f"error: {call}\\b.*(all PEs must|is in {call}, .* is in {call}, )")

    def ends(self, job):
        for how, on_processes, under_mpi in ENDS:
            expected = under_mpi if job.launcher in MPI else on_processes
            if expected is None:  # PEs that wait for one that has ended well never end
                expected = BAD if job.pes > 1 else 0
            with self.subTest(how=how):
                self.ended(job, expected, "exits", *how.split())


def add_test(name, job, body):
    def test(self):
        body(self, job)
    setattr(Conformance, f"test_{name}_{job}", test)


def add_tests(job):
    """Adds the tests of a job for each program. A program of the folder ../collectives that was not built gets no
    test."""
    for program in PLAIN + COLLECTIVES:
        if program in PLAIN or (OPTIONS.bin / program).exists():
            add_test(program, job, lambda self, job, program=program: self.good(job, program))
    for level in LEVELS:
        add_test(f"threads_{level}", job,
                 lambda self, job, level=level: self.good(job, "threads", level))
    add_test("setup", job, Conformance.variables)
    add_test("limit", job, Conformance.limit)
    add_test("statics", job, Conformance.statics)
    add_test("exits", job, Conformance.ends)
    add_test("hangs", job, Conformance.hangs)
    add_test("twice", job, Conformance.twice)
    if job.launcher not in MPI:
        add_test("closed", job, Conformance.closed)
        add_test("refused", job, Conformance.refusals)


def jobs():
    counts = OPTIONS.pes or ([1, 2, 3, 4, 8] if OPTIONS.all else None)
    sizes = OPTIONS.node_sizes or ([1, 2] if OPTIONS.all else [1])
    for launcher in OPTIONS.launchers:
        if launcher in MPI and shutil.which(MPI[launcher][0]) is None:
            print(f"skipped: no {MPI[launcher][0]} here", file=sys.stderr)
            continue
        for pes in counts or ([2, 3] if launcher in MPI else [1, 2, 3]):
            for size in sizes if launcher in MPI else [0]:
                yield Job(launcher, pes, size)


def numbers(text):
    return [int(word) for word in text.split(",")]


def found_oshrun():
    for folder in (OPTIONS.bin, OPTIONS.bin.parent, OPTIONS.bin.parent / "bin"):
        if (folder / "oshrun").is_file():
            return str(folder / "oshrun")
    return "oshrun"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--oshrun")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--pes", type=numbers)
    parser.add_argument("--launchers", type=lambda text: text.split(","),
                        default=["processes", "openmpi", "mpich"])
    parser.add_argument("--node-sizes", type=numbers)
    parser.add_argument("--timeout", type=float, default=300)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.bin = OPTIONS.bin.resolve()
    OPTIONS.oshrun = OPTIONS.oshrun or found_oshrun()
    for each in jobs():
        add_tests(each)
    unittest.main(argv=[sys.argv[0], *rest])
