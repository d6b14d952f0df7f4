"""The schedule determines the order of runs, and how many runs are made at the same time."""

import concurrent.futures
import itertools
import math
import os
import time

from lib.runs import Failed, LeftOut

PES_OF_LARGE_RUN = 512
LEAST_SECONDS = 1  # a run begins only if more time than this is left


def batches(wanted, varied, quick):
    """Returns lists of runs in the order in which they are made. A full round makes all runs of one figure,
    then all runs of the next. A quick round may run out of time, so it makes one run of each figure, then a
    second run of each, and so on. Runs with changed parameters of the model come last."""
    if not quick:
        return [runs + more for runs, more in zip(wanted, varied)]
    turns = itertools.zip_longest(*wanted, *[[] for _ in varied])
    return [[run for run in turn if run is not None] for turn in turns] + varied


class Schedule:
    """Makes runs until the time `until`. A single run may take at most `run_seconds` seconds."""

    def __init__(self, runner, until=math.inf, run_seconds=math.inf, note=lambda run, seconds: None):
        self.runner = runner
        self.until = until
        self.run_seconds = run_seconds
        self.note = note
        self.results = {}  # {file of the run: its result, Failed or LeftOut}
        self.lasted = {}  # {kernel: seconds of its last run}

    def result_of(self, run):
        """Returns the result of a run, or None if the run has not been made yet."""
        return self.results.get(self.runner.file_of(run))

    def is_settled(self, runs):
        return all(self.result_of(run) is not None for run in runs)

    def enough_left(self, kernel):
        """Returns True if enough time is left for another run of the kernel, which is assumed to take as long
        as the last."""
        return self.until - time.monotonic() > max(LEAST_SECONDS, self.lasted.get(kernel, 0))

    def settle(self, run):
        file, kernel = self.runner.file_of(run), tuple(run.command[:2])
        begin = time.monotonic()
        try:
            if self.runner.known(run) is None and not self.enough_left(kernel):
                raise LeftOut("too little of the time of the round was left")
            self.results[file] = self.runner.result(run, min(self.until, begin + self.run_seconds))
            self.lasted[kernel] = time.monotonic() - begin
        except (Failed, LeftOut) as reason:
            self.results[file] = reason
        self.note(run, time.monotonic() - begin)

    def run(self, batch):
        """Makes the runs of a batch. Runs on the model are made at the same time, on all cores. Measured runs
        are made one at a time, as are large runs on the model, which need gigabytes of memory."""
        new = {self.runner.file_of(run): run for run in batch if self.result_of(run) is None}
        beside = [run for run in new.values() if run.modelled and run.pes < PES_OF_LARGE_RUN]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                for run in new.values():
                    if run not in beside:
                        pool.submit(self.settle, run).result()
                for future in [pool.submit(self.settle, run) for run in beside]:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.runner.stop()
                raise
