"""Makes runs and stores their results. A run with a stored result is not made again."""

import hashlib
import json
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from lib.figure import MEASURE_PRICES, PAPERS, PRICES, PRICES_OF_MACHINE

HERE = pathlib.Path(__file__).resolve().parents[1]  # folder of the file of prices
HOSTS = HERE.parent / "tools/hosts.sh"
SKIPPED = 77  # exit status of hosts.sh on a machine where it cannot work
GRACE_SECONDS = 5  # time between asking a run to end and killing it
LOOK_SECONDS = 1  # interval in which a thread that waits for a run checks whether to stop


class Failed(Exception):
    """Raised if a run fails. The text is the output of the run, or the reason of the failure."""


class LeftOut(Exception):
    """Raised if a run was not begun, or was ended before it had a result. The text is the reason."""


def digest_of(file):
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()[:16]


def version_of(program):
    """Returns a digest (hash) of the programs atoll, atoll-bench and atoll-papers."""
    program = pathlib.Path(program)
    files = [program, program.with_name("atoll-bench"), program.with_name(PAPERS)]
    return "-".join(digest_of(file) for file in files if file.exists())


class Runner:
    """Makes runs. Several threads may use one object. A run is ended at its time limit, or when stop() is
    called."""

    def __init__(self, program, folder, limit_seconds=900):
        self.program = pathlib.Path(program).resolve()
        self.version = version_of(self.program)
        self.prices = digest_of(HERE / PRICES)
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.limit_seconds = limit_seconds
        self.stopped = False

    def file_of(self, run):
        prices = self.prices if PRICES in run.command else ""
        key = json.dumps([self.version, prices, run.command, run.with_metrics, run.hosts,
                          self.other_version(run), run.mpi, run.turn])
        return self.folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")

    def program_of(self, run):
        if run.of_source_tree:
            return HERE.parent / run.program
        return self.program.with_name(run.program) if run.program else self.program

    def other_version(self, run):
        """Returns a digest of the run's program. Returns an empty text if the program is atoll or was not built."""
        file = self.program_of(run)
        return digest_of(file) if run.program and file.exists() else ""

    def known(self, run):
        """Returns the stored result of a run. Returns None if no result is stored, or if the result cannot be
        read. Results of scripts in the source tree are not reused, because their results depend on the whole
        tree."""
        if run.of_source_tree:
            return None
        try:
            return json.loads(self.file_of(run).read_text())["result"]
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def result(self, run, until=math.inf):
        """Returns the result of a run, stored or new. Raises Failed. Raises LeftOut if the run was not
        finished at the time `until` (of time.monotonic), or if its program was not built."""
        known = self.known(run)
        if known is not None:
            return known
        result = self.execute(run, until)
        file = self.file_of(run)
        unfinished = file.with_suffix(f".{os.getpid()}.part")
        unfinished.write_text(json.dumps({"command": run.command, "result": result}, indent=1))
        unfinished.rename(file)  # so that a result is stored completely or not at all
        return result

    def execute(self, run, until=math.inf):
        if not self.program_of(run).exists():
            raise LeftOut(f"{run.program} was not built")
        with tempfile.TemporaryDirectory() as scratch:
            metrics = pathlib.Path(scratch) / "metrics.json"
            words = [self.prices_of_machine(until) if word == PRICES_OF_MACHINE else word
                     for word in run.command]
            command = [str(self.program_of(run)), *words]
            if not run.of_other_program:
                command += ["--json", "-"]
            elif run.of_source_tree:
                command += ["--json"]  # other programs of the source tree print nothing but JSON
            if run.hosts:
                command = [str(HOSTS), "--hosts", str(run.hosts), "--mpi", run.mpi, *command]
            if run.with_metrics:
                command += ["--metrics", str(metrics)]
            text = self.output_of(command, until)
            try:
                result = json.loads(text)
                if run.with_metrics:
                    result.update(json.loads(metrics.read_text()))
            except (OSError, ValueError) as reason:
                raise Failed(f"gave no JSON: {reason}") from None
            return result

    def prices_of_machine(self, until):
        """Returns the file with the prices (costs of basic operations) of this machine. If no measured prices are
        stored, first makes the run that measures the prices."""
        prices = self.result(MEASURE_PRICES, until).get("prices")
        if not prices:
            raise Failed(f"{MEASURE_PRICES} gave no prices")
        text = json.dumps({"prices": prices})
        file = self.folder / f"prices-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
        file.write_text(text)
        return str(file.resolve())

    def output_of(self, command, until):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=HERE, start_new_session=True)
        with process:
            try:
                output, errors = self.wait_for(process, until)
            finally:
                if process.returncode is None:
                    end(process)
        return checked(command, process.returncode, output, errors)

    def wait_for(self, process, until):
        """Waits for a process, and returns its standard output and standard error."""
        over = time.monotonic() + self.limit_seconds
        while not self.stopped:
            left = min(over, until) - time.monotonic()
            try:
                return process.communicate(timeout=max(0, min(LOOK_SECONDS, left)))
            except subprocess.TimeoutExpired:
                if over <= time.monotonic():
                    raise Failed(f"took longer than {self.limit_seconds} s") from None
                if left <= 0:
                    raise LeftOut("ended, for the round had no more time for it") from None
        raise LeftOut("interrupted")

    def stop(self):
        """Ends all runs, and prevents further runs. Raises LeftOut in every thread that waits for a run."""
        self.stopped = True


def checked(command, status, output, errors):
    if status == SKIPPED and command[0] == str(HOSTS):
        raise LeftOut(errors.strip())
    if status != 0:
        raise Failed(errors.strip() or f"ended with status {status}")
    return output


def end(process):
    """Ends a process and all processes of its session, which it has started. The processes first get time to
    clean up."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
    process.wait()
