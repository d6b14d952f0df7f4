"""Opens the page of the experiments in a browser. Every picture must be on the page, and must show its text."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import run as experiments  # noqa: E402

PYTHON = "/usr/bin/python3"  # the one that Debian's matplotlib belongs to

# This script writes the results of a round of experiments, from the example data of the figures. The data of figure G7
# contradict its claim, and the last figure has no runs.
MAKE = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import run
from lib import draw, judge, page
folder = pathlib.Path(sys.argv[2])
saved = {}
figures = run.figures()
versions = {"program": "p1"}
for figure in figures[:-1]:
    data = figure.denials["BFS is flat"][0] if figure.id == "G7" else figure.example
    draw.picture(figure, data, folder / f"{figure.id}.png")
    saved[figure.id] = {"data": data, "verdict": judge.verdict(figure, data), "failed": [],
                        "left_out": [], "picture": True, "runs": 1, "runs_of_full_round": 1,
                        "sensitivity": {"command": ["atoll", "bench", "gups"], "changes": {"latency": (1.1, 0.8)}},
                        "facts": versions}
(folder / "index.html").write_text(page.page(figures, saved, {"round": "test"}, versions))
"""

# This script prints the pictures as the browser has decoded them.
PROBE = """<pre id=probe></pre><script>
onload = () => { probe.textContent = JSON.stringify([...document.images].map(
  i => [i.getAttribute("src"), i.naturalWidth, i.naturalHeight])); }
</script>"""


def missing():
    if shutil.which("chromium") is None:
        return "no chromium (Debian package chromium)"
    if subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True).returncode != 0:
        return "no matplotlib (Debian package python3-matplotlib)"
    return None


@unittest.skipIf(missing() is not None, missing())
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.folder = pathlib.Path(cls.scratch.name)
        subprocess.run([PYTHON, "-c", MAKE, str(ROOT / "experiments"), str(cls.folder)],
                       check=True)
        cls.shown = cls.show(PROBE)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def show(cls, more):
        """Loads the document in the browser, and returns the document after its scripts have changed it."""
        (cls.folder / "shown.html").write_text((cls.folder / "index.html").read_text() + more)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                   f"--user-data-dir={cls.folder / 'profile'}",
                   (cls.folder / "shown.html").as_uri()]
        return subprocess.run(command, check=True, capture_output=True, text=True,
                              timeout=300).stdout

    def section(self, name):
        return re.search(f'<section id="{name}">.*?</section>', self.shown, re.DOTALL).group(0)

    def test_begins_with_a_table_of_all_figures(self):
        self.assertLess(self.shown.index("<table>"), self.shown.index("<section"))
        table = re.search("<table>.*?</table>", self.shown, re.DOTALL).group(0)
        for figure in experiments.figures():
            self.assertIn(f'<a href="#{figure.id}">', table)

    def test_has_a_picture_for_each_figure_that_was_run(self):
        pictures = json.loads(re.search(r"<pre id=\"probe\">(.*?)</pre>", self.shown).group(1))
        self.assertEqual([source for source, _, _ in pictures],
                         [f"{figure.id}.png" for figure in experiments.figures()[:-1]])
        for source, width, height in pictures:
            self.assertEqual(width, 800, source)
            self.assertGreater(height, 400, source)

    def test_has_published_values_and_verdicts(self):
        self.assertIn("over 1 G updates/s at 64 nodes", self.section("G2"))
        self.assertIn("<b>holds</b>: aggregated", self.section("G2"))
        self.assertNotIn("does not hold", self.section("G2"))
        self.assertIn("<b>does not hold</b>: BFS scales", self.section("G7"))

    def test_shows_sensitivity_and_what_was_not_run(self):
        self.assertIn("<td>latency</td><td>1.10</td><td>0.80</td>", self.section("G2"))
        self.assertIn("Not run yet", self.section(experiments.figures()[-1].id))


if __name__ == "__main__":
    unittest.main()
