"""Runs the code cells of the tutorial page in order. Each cell must print the text below it on the page, and
no picture may be blank."""

import ast
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorial"
CELL = re.compile(r"^```(?:\{code-cell\}[^\n]*|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


def run_cell(code, namespace):
    """Runs a cell as a notebook does. Returns what the cell prints, with the value of its last line."""
    tree = ast.parse(code)
    is_quiet = code.rstrip().endswith(";")
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
            if value is not None and not is_quiet:
                print(repr(value))
    return printed.getvalue()


def lines_of(text):
    return [line.rstrip() for line in text.strip().splitlines()]


class Tutorial(unittest.TestCase):
    def test_cells_print_what_the_page_shows(self):
        cells = CELL.findall((FOLDER / "graphs-in-python.md").read_text(encoding="utf-8"))
        self.assertGreater(len(cells), 10)
        namespace, pictures = {}, 0
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(FOLDER)
        files = tempfile.TemporaryDirectory()  # for the file that the page makes
        self.addCleanup(files.cleanup)
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = files.name
        for code, expected in cells:
            with self.subTest(cell=code.splitlines()[0]):
                printed = run_cell(code, namespace)
                figures = plt.get_fignums()
                # A cell that draws returns objects of matplotlib, which the page does not show.
                if expected or not figures:
                    self.assertEqual(lines_of(printed), lines_of(expected), code)
                for number in figures:
                    self.check_picture(plt.figure(number))
                pictures += len(figures)
                plt.close("all")
        self.assertEqual(pictures, 4)

    def check_picture(self, figure):
        """Saves a picture, and checks that it shows something besides the background, and has a title."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "picture.png")
            figure.savefig(path, dpi=80)
            pixels = plt.imread(path)[:, :, :3]
        drawn = np.abs(pixels - pixels[0, 0]).max(axis=2) > 0.1
        self.assertGreater(drawn.mean(), 0.01, "the picture is nearly blank")
        for axes in figure.axes:
            self.assertTrue(axes.get_title())


if __name__ == "__main__":
    unittest.main()
