"""Tests that each fault of tests/mutants/planted.toml can be planted. The text that a fault replaces must occur
exactly once in the file of the fault."""

import pathlib
import re
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def outside_brackets(text):
    """Returns the text without the parts inside brackets of any kind."""
    before = None
    while text != before:
        before, text = text, re.sub(r"\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]", "0", text)
    return text


def without_template_arguments(text):
    return re.sub(r"<[^<>]*>", "", text)


class Planted(unittest.TestCase):
    def test_stands_once_in_its_file(self):
        faults = tomllib.loads((ROOT / "tests/mutants/planted.toml").read_text())["fault"]
        self.assertGreater(len(faults), 100)
        for fault in faults:
            with self.subTest(fault["name"]):
                self.assertEqual((ROOT / fault["file"]).read_text().count(fault["old"]), 1)

    def test_is_an_expression_or_whole_statements(self):
        """The text `old` of a fault must be a whole expression or whole statements, so that a condition can choose
        between `old` and `new`."""
        faults = tomllib.loads((ROOT / "tests/mutants/planted.toml").read_text())["fault"]
        for fault in faults:
            for text in (fault["old"], fault["new"]):
                with self.subTest(fault["name"], text=text):
                    for opening, closing in ("()", "{}"):
                        self.assertEqual(text.count(opening), text.count(closing))
                    if not fault["old"].endswith((";", "}")):
                        self.assertNotRegex(text, r"^(if|for|while|return)\b")

    def test_can_stand_behind_a_condition(self):
        """The alternatives of a fault must be complete expressions or statements, and must not be bodies of
        functions."""
        faults = tomllib.loads((ROOT / "tests/mutants/planted.toml").read_text())["fault"]
        for fault in faults:
            if fault["old"].endswith((";", "}")):
                with self.subTest(fault["name"]):
                    self.assertNotRegex(fault["old"], r"^\s*\{", "the body of a function")
                    self.assertNotRegex(fault["old"], r"^\s*else\b", "the second half of a condition")
                    self.assertRegex(fault["new"], r"(^|[;}])\s*$", "no whole statements")
                continue
            for text in (fault["old"], fault["new"]):
                with self.subTest(fault["name"], text=text):
                    outside = outside_brackets(text)
                    self.assertNotRegex(outside, r"^\s*$|//|;", "no expression")
                    self.assertNotRegex(outside, r"^\s*(\|\||&&|[/?:,])", "begins in the middle of one")
                    self.assertNotRegex(outside, r"(\|\||&&|[*/?:,]|(?<![-+])[-+]|\bstd)\s*$", "ends in the middle of one")
                    self.assertNotRegex(without_template_arguments(outside), ",", "several")

    def test_has_a_name_of_its_own(self):
        faults = tomllib.loads((ROOT / "tests/mutants/planted.toml").read_text())["fault"]
        names = [fault["name"] for fault in faults]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
