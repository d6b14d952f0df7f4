"""Tests the README. The program in the README must be the example that is compiled and run, and every link must have a
target."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Readme(unittest.TestCase):
    def test_the_programs_are_examples(self):
        programs = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
        examples = ["random_updates.cpp", "labels.cpp"]
        self.assertEqual(programs, [(ROOT / "examples" / name).read_text() for name in examples])

    def test_the_page_of_graphs_shows_the_example(self):
        page = (ROOT / "docs" / "how-to" / "compute-on-graphs.md").read_text()
        self.assertIn((ROOT / "examples" / "triangles.cpp").read_text(), page)

    def test_links_of_the_pages_lead_somewhere(self):
        pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
        for page in pages:
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")


if __name__ == "__main__":
    unittest.main()
