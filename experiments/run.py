#!/usr/bin/python3
"""Runs the experiments, judges and draws them, and writes the page. See README.md."""

import argparse
import concurrent.futures
import importlib
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from lib import judge, page, sensitivity  # noqa: E402
from lib.runs import Failed, Runner  # noqa: E402

NAMES = ("model", "g1", "g2", "g3", "g5", "g6", "g7", "g8",
         "f6", "f7", "f10")
MODEL_DEF = HERE.parent / "src/atoll/transport/sim/model.def"
PES_OF_LARGE_RUN = 512
QUICK_PARAMETERS = ("overhead", "latency", "gap", "gap_per_byte", "lines_touched")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--atoll", default=HERE.parent / "build/release/bin/atoll")
    parser.add_argument("--results", default=HERE / "results", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small cases, five minutes at most")
    parser.add_argument("--only", metavar="ID", help="one figure")
    parser.add_argument("--list", action="store_true", help="say which figures there are")
    return parser.parse_args()


def figures(only=None):
    modules = [importlib.import_module(f"figures.{name}") for name in NAMES]
    every = [figure for module in modules
             for figure in getattr(module, "FIGURES", None) or (module.FIGURE,)]
    return [figure for figure in every if only is None or figure.id.lower() == only.lower()]


class Progress:
    """Says which run is under way and how many are left."""

    def __init__(self, total):
        self.total = total
        self.done = 0
        self.begin = time.monotonic()

    def note(self, run, seconds):
        self.done += 1
        print(f"[{self.done}/{self.total}, {time.monotonic() - self.begin:.0f} s] "
              f"{seconds:6.1f} s  "
              f"{f'{run.hosts} hosts: ' if run.hosts else ''}atoll {' '.join(run.command)}", flush=True)


def timed(runner, run, progress):
    begin = time.monotonic()
    try:
        return runner.result(run)
    except Failed as reason:
        return reason
    finally:
        progress.note(run, time.monotonic() - begin)


def run_all(runner, wanted):
    """{run's file: result or Failed}. Modelled runs on all cores; those that are measured, and
    large ones, which take gigabytes, one at a time."""
    runs = {runner.file_of(run): run for run in wanted}
    progress = Progress(len(runs))
    beside = {file: run for file, run in runs.items()
              if run.modelled and run.pes < PES_OF_LARGE_RUN}
    results = {file: timed(runner, run, progress)
               for file, run in runs.items() if file not in beside}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda run: timed(runner, run, progress), beside.values())
        results.update(zip(beside, found))
    return results


def sensitivity_runs(figure, quick):
    usual = figure.sensitive(quick)
    if usual is None:
        return {}
    names = QUICK_PARAMETERS if quick else sensitivity.parameters(MODEL_DEF)
    return sensitivity.runs(usual, names)


def entry_of(figure, quick, result_of, picture):
    """What the page says of a figure."""
    runs = figure.runs(quick)
    if not runs:
        return {"figure": figure, "problem": "left out of a quick round"}
    results = [(run, result_of(run)) for run in runs]
    failures = [result for _, result in results if isinstance(result, Failed)]
    if failures:
        return {"figure": figure, "problem": str(failures[0])}
    data = judge.data_of(figure, results)
    picture(figure, data)
    varied = {key: result_of(run) for key, run in sensitivity_runs(figure, quick).items()}
    changes = None
    if varied and not any(isinstance(result, Failed) for result in varied.values()):
        usual = figure.sensitive(quick)
        changes = {"command": usual.command,
                   "changes": sensitivity.changes(usual, varied, result_of(usual))}
    return {"figure": figure, "data": data, "verdict": judge.verdict(figure, data),
            "sensitivity": changes}


def save(entry, folder):
    figure = entry["figure"]
    kept = {name: value for name, value in entry.items() if name != "figure"}
    (folder / f"{figure.id}.json").write_text(
        json.dumps({"id": figure.id, "title": figure.title, **kept}, indent=1))


def summary(entry):
    if "problem" in entry:
        return f"{entry['figure'].id}: not run: {entry['problem']}"
    lines = [f"{entry['figure'].id}: {'holds' if holds else 'DOES NOT HOLD'}: {sentence}"
             for sentence, holds in entry["verdict"]]
    return "\n".join(lines)


def main():
    chosen = arguments()
    wanted = figures(chosen.only)
    if chosen.list or not wanted:
        print("\n".join(f"{figure.id}: {figure.title}" for figure in figures()))
        return 0 if chosen.list else 2
    from lib import draw  # needs matplotlib, which the tests of the conditions do not
    runner = Runner(chosen.atoll, chosen.results / "runs")
    runs = [run for figure in wanted for run in figure.runs(chosen.quick)]
    for figure in wanted:
        varied = sensitivity_runs(figure, chosen.quick)
        runs += [*varied.values(), *([figure.sensitive(chosen.quick)] if varied else [])]
    results = run_all(runner, runs)

    def result_of(run):
        return results[runner.file_of(run)]

    def picture(figure, data):
        draw.picture(figure, data, chosen.results / f"{figure.id}.png")

    entries = [entry_of(figure, chosen.quick, result_of, picture) for figure in wanted]
    for entry in entries:
        save(entry, chosen.results)
        print(summary(entry))
    facts = {"round": "quick" if chosen.quick else "full", "program": runner.version,
             "written": time.strftime("%Y-%m-%d %H:%M")}
    (chosen.results / "index.html").write_text(page.page(entries, facts))
    print(f"page: {chosen.results / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
