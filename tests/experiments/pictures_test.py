"""Tests the pictures of figures. Every axis must have a unit, no text may be clipped, and published values must have
another colour than measured values."""

import json
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"  # the one that Debian's matplotlib belongs to

# This script draws each figure of the experiments, and another figure with long titles. The script prints the texts
# and shapes in the pictures.
PROBE = """
import dataclasses, json, sys
sys.path.insert(0, sys.argv[1])
import run
from lib import draw
from matplotlib.colors import to_hex

def texts(made):
    for axes in made.axes:
        if axes.axison:
            yield from (axes.title, axes.xaxis.label, axes.yaxis.label)
            yield from (label for axis, (low, high) in ((axes.xaxis, axes.get_xlim()),
                                                        (axes.yaxis, axes.get_ylim()))
                        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels())
                        if min(low, high) <= place <= max(low, high))
    yield made._suptitle

def clipped(made):
    whole = made.bbox
    for text in texts(made):
        box = text.get_window_extent(made.canvas.get_renderer())
        if text.get_text() and (box.x0 < -0.5 or box.y0 < -0.5 or box.x1 > whole.x1 + 0.5
                                or box.y1 > whole.y1 + 0.5):
            yield text.get_text()

def colours(made, published):
    for axes in made.axes:
        drawn = [(line.get_label(), line.get_color()) for line in axes.get_lines()]
        drawn += [(bars.get_label(), bar.get_facecolor()) for bars in axes.containers for bar in bars]
        yield from (to_hex(colour) for label, colour in drawn
                    if label.endswith("published") == published)

def told(figure, data):
    made = draw.plot(figure, data)
    made.canvas.draw()
    shown = [axes for axes in made.axes if axes.axison]
    found = {"id": figure.id, "clipped": list(clipped(made)),
             "labels": [[axes.get_xlabel(), axes.get_ylabel()] for axes in shown],
             "curves": sum(not line.get_label().endswith("published")
                           for axes in shown for line in axes.get_lines()),
             "measured": sorted(set(colours(made, False))),
             "published": sorted(set(colours(made, True)))}
    draw.plt.close(made)
    return found

figures = run.figures()
long = " ".join(["a title of many words"] * 12)
longest = dataclasses.replace(figures[0], id="long", title=long, panels=tuple(
    dataclasses.replace(panel, title=long) for panel in figures[0].panels))
print(json.dumps({"figures": [told(figure, figure.example) for figure in figures]
                             + [told(longest, longest.example)],
                  "empty": [told(figures[0], {}), told(figures[-1], {})],
                  "palette": draw.PALETTE, "colour of published": draw.PUBLISHED,
                  "series": {figure.id: len(figure.example) for figure in figures if not figure.bars}}))
"""


def missing():
    if subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True).returncode != 0:
        return "no matplotlib (Debian package python3-matplotlib)"
    return None


@unittest.skipIf(missing() is not None, missing())
class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([PYTHON, "-c", PROBE, str(ROOT / "experiments")], check=True,
                              capture_output=True, text=True)
        cls.told = json.loads(done.stdout)

    def test_have_a_label_at_every_axis(self):
        for picture in self.told["figures"]:
            self.assertTrue(picture["labels"])
            for x, y in picture["labels"]:
                self.assertTrue(x and y, picture["id"])

    def test_clip_no_text(self):
        for picture in self.told["figures"]:
            self.assertEqual(picture["clipped"], [], picture["id"])

    def test_show_every_series(self):
        shown = {picture["id"]: picture["curves"] for picture in self.told["figures"]}
        for name, count in self.told["series"].items():
            self.assertEqual(shown[name], count, name)

    def test_have_the_same_colours_everywhere(self):
        every = set()
        for picture in self.told["figures"]:
            self.assertLessEqual(set(picture["measured"]), set(self.told["palette"]), picture["id"])
            self.assertTrue(picture["measured"], picture["id"])
            every |= set(picture["published"])
        self.assertEqual(every, {self.told["colour of published"]})
        self.assertNotIn(self.told["colour of published"], self.told["palette"])

    def test_of_nothing_are_drawn_too(self):
        self.assertEqual([picture["curves"] for picture in self.told["empty"]], [0, 0])


if __name__ == "__main__":
    unittest.main()
