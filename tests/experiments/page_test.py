"""Tests the web page of a round of experiments. The page has a table of all figures, then the facts of the round, and
then a section for each figure."""

import dataclasses
import html
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import run as experiments  # noqa: E402
from lib import judge, page  # noqa: E402

FIGURES = experiments.figures()
VERSIONS = {"program": "p1", "conditions": "c1"}
FACTS = {"round": "full", **VERSIONS, "processor": "a processor", "cores": 2,
         "load at its begin": "1.00 1.10 1.20", "load at its end": "2.00 2.10 2.20",
         "written": "2026-01-02 03:04"}


def figure(name):
    return next(one for one in FIGURES if one.id == name)


def entry(name, data=None, **others):
    shown = figure(name)
    data = shown.example if data is None else data
    return {"id": name, "title": shown.title, "data": data, "verdict": judge.verdict(shown, data),
            "failed": [], "left_out": [], "picture": True, "runs": 3, "runs_of_full_round": 7,
            "sensitivity": None, "facts": FACTS, **others}


def denied(name, what):
    return entry(name, figure(name).denials[what][0])


def shown(*entries, **others):
    return page.page(FIGURES, {one["id"]: one for one in entries}, FACTS, VERSIONS, **others)


def text(piece):
    return html.unescape(re.sub(r"<[^>]*>", " ", piece))


def row(whole, name):
    table = re.search("<table>.*?</table>", whole).group(0)
    return text(next(line for line in table.split("<tr>") if f'href="#{name}"' in line))


def section(whole, name):
    return text(re.search(f'<section id="{name}">.*?</section>', whole, re.DOTALL).group(0))


class Overview(unittest.TestCase):
    def test_comes_first_and_has_every_figure(self):
        whole = shown()
        self.assertLess(whole.index("<table>"), whole.index("<section"))
        self.assertRegex(whole, "<h1>[^<]*</h1><table><tr><th>figure</th><th>published</th>"
                                "<th>here</th><th>verdict</th>")
        for one in FIGURES:
            self.assertIn(one.published, row(whole, one.id))
            self.assertIn("not run yet", row(whole, one.id))

    def test_shows_what_was_measured_and_that_it_holds(self):
        found = row(shown(entry("G2")), "G2")
        self.assertIn("aggregation on 1.1 G at 64", found)
        self.assertRegex(found, r"holds\s*$")

    def test_names_what_does_not_hold_with_the_values_that_decide(self):
        found = row(shown(denied("G3", "T3 rises 20 times")), "G3")
        self.assertIn("does not hold: T3 falls with nodes", found)
        self.assertIn("T3 1 M to 20 M (20 times)", found)
        self.assertNotIn("T1 5 M", found)

    def test_says_what_was_not_judged_in_the_round(self):
        one = entry("G2")
        one["verdict"] = judge.verdict(figure("G2"), {**one["data"], "aggregation on": [(1, 1), (8, 9)]},
                                       partial=True)
        found = row(shown(one), "G2")
        self.assertIn("1 of 4 claims not judged in this round", found)

    def test_says_that_runs_failed(self):
        self.assertIn("runs failed: 1", row(shown(entry("G2", {}, failed=["it broke"])), "G2"))

    def test_says_which_entries_are_of_another_version(self):
        old = entry("G2", facts={**FACTS, "program": "p0"})
        whole = shown(old, entry("G3", facts={**FACTS, "conditions": "c0"}), entry("G7"))
        self.assertIn("(program of another round)", row(whole, "G2"))
        self.assertIn("(conditions of another round)", row(whole, "G3"))
        self.assertNotIn("another round", row(whole, "G7"))
        self.assertIn("program: p0", section(whole, "G2"))
        self.assertIn("Of another round", section(whole, "G2"))
        self.assertNotIn("Of another round", section(whole, "G7"))


class Round(unittest.TestCase):
    def test_shows_processor_load_program_date_and_kind(self):
        for value in FACTS.values():
            self.assertIn(str(value), text(shown()).split("Published:")[0])

    def test_says_what_was_left_out(self):
        self.assertIn("G5: 2 of 4 runs: too late", shown(left_out=["G5: 2 of 4 runs: too late"]))
        self.assertNotIn("Left out of this round", shown())


class Section(unittest.TestCase):
    def test_shows_published_and_measured_values_with_their_units(self):
        found = section(shown(entry("G6")), "G6")
        self.assertRegex(found, r"latency of a read\s+512\s+1.8 K\s+latency of a read, us\s+1.8 K")
        self.assertRegex(found, r"throughput\s+16\s+10 M\s+vertices/s")

    def test_lists_what_is_published_and_not_judged(self):
        for one in FIGURES:
            for sentence in one.not_judged:
                self.assertIn(sentence, section(shown(), one.id))

    def test_has_no_why_where_nothing_was_measured(self):
        whole = shown(*(denied(one.id, next(iter(one.denials))) for one in FIGURES))
        for one in FIGURES:
            self.assertEqual("Why:" in section(whole, one.id), bool(one.why), one.id)

    def test_says_why_only_where_it_does_not_hold(self):
        explained = dataclasses.replace(figure("G7"), why="It was measured.")
        self.assertNotIn("Why:", page.section(explained, entry("G7"), []))
        self.assertIn("It was measured.", page.section(explained, denied("G7", "BFS is flat"), []))

    def test_shows_trouble(self):
        found = section(shown(entry("G2", failed=["run 1: <it broke>"], left_out=["run 2: late"],
                                    picture=False)), "G2")
        for words in ("run 1: <it broke>", "run 2: late", "No picture"):
            self.assertIn(words, found)

    def test_shows_the_sensitivity_to_the_model(self):
        found = section(shown(entry("G2", sensitivity={"command": ["atoll", "bench", "gups"],
                                                       "changes": {"latency": (1.1, 0.8)}})), "G2")
        self.assertRegex(found, r"latency\s+1.10\s+0.80")

    def test_says_which_runs_were_made(self):
        quick = entry("G3", facts={**FACTS, "round": "quick"})
        self.assertIn("3 runs for the 7 of a full round", section(shown(quick), "G3"))
        self.assertIn(figure("G3").note, section(shown(quick), "G3"))
        self.assertNotIn("of a full round", section(shown(entry("G3")), "G3"))


if __name__ == "__main__":
    unittest.main()
