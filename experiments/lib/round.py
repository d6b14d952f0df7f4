"""A round makes the runs of the requested figures, and rewrites the page after each figure."""

import collections
import math
import time

from lib import entries, facts, page, sensitivity
from lib.runs import LeftOut, Runner
from lib.schedule import Schedule, batches

QUICK_PARAMETERS = ("overhead", "latency", "gap", "gap_per_byte", "memory_line")
SHARE_OF_RUNS = 0.8  # fraction of the time of the round; the rest is for pictures and the page
SHARE_OF_PICTURES = 0.95
SHARE_OF_QUICK_RUN = 0.1  # largest fraction of a quick round for one run, so that one figure does not take all the time


def say(text):
    print(text, flush=True)


def varied_runs(figure, quick, model_def):
    """Returns runs in each of which one parameter of the model is changed: {(parameter, factor): run}."""
    usual = figure.sensitive(quick)
    if usual is None:
        return {}
    return sensitivity.runs(usual, QUICK_PARAMETERS if quick else sensitivity.parameters(model_def))


class Round:
    """The page shows the figures in `every`. The round makes only the runs of the figures in `wanted`.
    `picture(figure, data, file)` draws a picture. The round ends at the latest `seconds` after the time
    `begin`."""

    def __init__(self, every, wanted, program, folder, quick, begin, seconds, picture, model_def):
        self.every, self.wanted, self.quick = every, wanted, quick
        self.folder, self.picture = folder, picture
        self.begin, self.seconds = begin, seconds
        self.facts = {"figures": "all" if len(wanted) == len(every) else wanted[0].id,
                      **facts.of_round(program, quick)}
        self.versions = facts.versions(program)
        self.saved = entries.load(every, folder)
        self.done = {}  # {id: entry of this round, or None if no run was made}
        self.varied = {figure.id: varied_runs(figure, quick, model_def) for figure in wanted}
        self.finished = {}  # {id: whether runs with changed parameters were included in the entry}
        self.schedule = Schedule(Runner(program, folder / "runs"), self.until(SHARE_OF_RUNS),
                                 SHARE_OF_QUICK_RUN * seconds if quick else math.inf, self.note)
        self.count = 0

    def until(self, share):
        return self.begin + share * self.seconds

    def runs_with_parameters(self, figure):
        varied = self.varied[figure.id]
        return [figure.sensitive(self.quick), *varied.values()] if varied else []

    def note(self, run, seconds):
        self.count += 1
        result = self.schedule.result_of(run)
        trouble = f": {result}" if isinstance(result, Exception) else ""
        say(f"[{self.count}, {time.monotonic() - self.begin:.0f} s] {seconds:6.1f} s  {run}{trouble}")

    def go(self):
        say("; ".join(f"{name}: {value}" for name, value in self.facts.items()))
        self.write_page()
        for batch in batches([figure.runs(self.quick) for figure in self.wanted],
                             [self.runs_with_parameters(figure) for figure in self.wanted],
                             self.quick):
            self.schedule.run(batch)
            for figure in self.wanted:
                self.finish(figure)
        self.write_page()

    def finish(self, figure):
        """Makes the entry of a figure as soon as all of its runs have ended. When the runs with changed
        parameters have ended, makes the entry again."""
        varied = self.runs_with_parameters(figure)
        state = self.schedule.is_settled(varied)
        if (not self.schedule.is_settled(figure.runs(self.quick))
                or self.finished.get(figure.id) == state):
            return
        self.finished[figure.id] = state
        entry = entries.entry_of(figure, self.quick, self.schedule.result_of,
                                 self.varied[figure.id], {**self.facts, **facts.now()})
        before = self.done.get(figure.id)
        self.done[figure.id] = entry
        if entry is None:
            say(f"{figure.id}: left out")
            return
        self.draw(figure, entry, before)
        entries.save(entry, self.folder)
        self.saved[figure.id] = entry
        if before is None:
            say(summary(entry))
        self.write_page()

    def draw(self, figure, entry, before):
        if before and before["picture"]:
            entry["picture"] = True
        elif time.monotonic() < self.until(SHARE_OF_PICTURES):
            self.picture(figure, entry["data"], self.folder / f"{figure.id}.png")
            entry["picture"] = True

    def left_out(self):
        """Returns sentences that say which runs were not made, and why."""
        found = []
        for figure in self.wanted:
            for runs, kind in ((figure.runs(self.quick), "runs"),
                               (self.runs_with_parameters(figure),
                                "runs with other parameters of the model")):
                reasons = collections.Counter(
                    str(result) for result in map(self.schedule.result_of, runs)
                    if isinstance(result, LeftOut))
                found += [f"{figure.id}: {count} of {len(runs)} {kind}: {reason}"
                          for reason, count in reasons.items()]
            if self.done.get(figure.id) and not self.done[figure.id]["picture"]:
                found.append(f"{figure.id}: the picture")
        return found

    def write_page(self, interrupted=False):
        state = {"interrupted": "some figures are not run, or of an earlier round"}
        text = page.page(self.every, self.saved,
                         {**self.facts, **facts.now(), **(state if interrupted else {})},
                         self.versions, self.left_out())
        entries.write(self.folder / "index.html", text)

    def is_wrong(self):
        return any(entry and entries.is_wrong(entry) for entry in self.done.values())


def summary(entry):
    words = {True: "holds", False: "DOES NOT HOLD", None: "not judged in this round"}
    return "\n".join(
        [f"{entry['id']}: {words[outcome]}: {claim}{f' ({seen})' if seen else ''}"
         for claim, _, outcome, seen in entry["verdict"]]
        + [f"{entry['id']}: FAILED: {text}" for text in entry["failed"]])
