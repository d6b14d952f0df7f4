#!/usr/bin/python3
"""Runs the experiments, judges and draws their results, and writes the page. See README.md.

The exit status is 0 if all judged claims hold, and 1 if a claim does not hold or a run has failed. The
status is 2 after wrong use, and 128 plus the number of the signal after an interruption. The page is written
in all cases except wrong use."""

import argparse
import importlib
import math
import os
import pathlib
import signal
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from lib.round import Round, say  # noqa: E402

NAMES = ("model", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "f6", "f7", "f8", "f9", "f10", "r1", "r2", "r3", "r5",
         "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10")
MODEL_DEF = HERE.parent / "src/atoll/transport/sim/model.def"
QUICK_SECONDS = 300


class Interrupted(BaseException):
    """Raised if a signal interrupts the program. The argument is the number of the signal."""


def figures():
    modules = [importlib.import_module(f"figures.{name}") for name in NAMES]
    return [figure for module in modules
            for figure in getattr(module, "FIGURES", None) or (module.FIGURE,)]


def figure_named(text):
    for figure in figures():
        if figure.id.lower() == text.lower():
            return figure
    names = ", ".join(figure.id for figure in figures())
    raise argparse.ArgumentTypeError(f"there is no figure '{text}', but {names}")


def program_at(text):
    path = pathlib.Path(text)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError(f"there is no program at '{text}' (make build makes it)")
    return path


def folder_at(text):
    path = pathlib.Path(text)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError as reason:
        raise argparse.ArgumentTypeError(f"cannot write to '{text}': {reason.strerror}") from None


def seconds_of(text):
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return seconds


class List(argparse.Action):
    """A command-line action that prints the list of figures and exits. Other arguments are ignored."""

    def __call__(self, parser, namespace, values, option=None):
        for figure in figures():
            print(f"{figure.id}: {figure.title}")
        parser.exit(0)


def arguments(given):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--atoll", default=str(HERE.parent / "build/release/bin/atoll"),
                        type=program_at, help="the program")
    parser.add_argument("--results", default=str(HERE / "results"), type=folder_at,
                        help="folder of the page")
    parser.add_argument("--quick", action="store_true",
                        help=f"small cases, {QUICK_SECONDS // 60} minutes at most")
    parser.add_argument("--seconds", type=seconds_of,
                        help="what the round may take; what it has no time for is left out")
    parser.add_argument("--only", metavar="ID", type=figure_named, help="one figure")
    parser.add_argument("--list", action=List, nargs=0, help="say which figures there are")
    return parser, parser.parse_args(given)


def pictures(parser):
    try:
        from lib import draw
    except ImportError as reason:
        parser.error(f"no pictures without matplotlib (Debian: python3-matplotlib): {reason}")
    return draw.picture


def interrupt(number, _):
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # a second signal must not interrupt the writing of the page
    raise Interrupted(number)


def finish(current, folder, interrupted=False):
    current.write_page(interrupted)
    for text in current.left_out():
        say(f"left out: {text}")
    say(f"page: {folder / 'index.html'}")


def main(given=None):
    begin = time.monotonic()
    parser, chosen = arguments(given)
    seconds = chosen.seconds or (QUICK_SECONDS if chosen.quick else math.inf)
    current = Round(figures(), [chosen.only] if chosen.only else figures(), chosen.atoll,
                    chosen.results, chosen.quick, begin, seconds, pictures(parser), MODEL_DEF)
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, interrupt)
    try:
        current.go()
    except Interrupted as reason:
        say("interrupted")
        finish(current, chosen.results, interrupted=True)
        return 128 + reason.args[0]
    finish(current, chosen.results)
    return 1 if current.is_wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
