#!/usr/bin/env python3
"""Counts comments and sentences that are hard to understand for a reader who does not know the code.

usage: plain_words.py [--list] [--check] [FOLDER...]

The script counts two kinds of faults in comments, docstrings and pages. A comment or paragraph *leans* on the text
before it if it begins with "The same", "As", "Of", "So", "It", "Those" or "These". A sentence is long if it has more
than 30 words. Without options, the script prints the counts of each folder. --list also prints each place. With
--check, the script prints the places in folders that have more faults than LIMITS allows, and then ends with status 1.
CHANGELOG.md and docs/log are history and are not read.
"""

import argparse
import ast
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

FOLDERS = ("src", "app", "bench", "reproduction", "examples", "tests", "tools", "experiments", "docs", "python")
HISTORY = ("docs/log/", "CHANGELOG.md")
MOST_WORDS = 30
LEANS = re.compile(r"(The same|As|Of|So|It|Those|These)\b")
# For each folder, the allowed numbers of comments that begin with a word of LEANS, and of sentences with more than
# MOST_WORDS words. A limit may only be lowered.
LIMITS = {"app": (0, 0), "bench": (0, 0), "docs": (0, 0), "examples": (0, 0), "experiments": (0, 0),
          "python": (0, 0), "reproduction": (0, 0), "src": (0, 0), "tests": (3, 2), "tools": (0, 0)}

C_COMMENT = re.compile(r"^(?P<code>[^\"']*?(?:\"(?:[^\"\\]|\\.)*\"[^\"']*?)*?)//[/!]?<?\s?(?P<text>.*)$")
SENTENCE_END = re.compile(r"(?<=[.!?])[)\"'`*]*\s+(?=[A-Z`(\[*\"])")
WORD = re.compile(r"\S*[A-Za-z0-9]\S*")


class Block(NamedTuple):
    """A comment, docstring or paragraph: its file, first line and text."""
    file: str
    line: int
    text: str


def joined(file, lines):
    """Joins neighbouring comments and yields the blocks. A comment is given as (line number, has a line of its own,
    text)."""
    block, begun, last = [], 0, -1
    for number, alone, text in [*lines, (-1, False, "")]:
        goes_on = alone and number == last + 1 and text
        if block and not goes_on:
            yield Block(file, begun, " ".join(block))
            block = []
        if text and number >= 0:
            begun = begun if block else number
            block.append(text)
        last = number if alone or not block else -1


def c_blocks(file, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        comment = C_COMMENT.match(line)
        if comment:
            found.append((number, not comment["code"].strip(), comment["text"].strip()))
    return joined(file, found)


def python_blocks(file, text):
    comments = [(number, True, line.strip().lstrip("#! "))
                for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("#")]
    yield from joined(file, comments)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            documented = ast.get_docstring(node)
            if documented:
                line = node.body[0].lineno
                # A line such as "name: text" below "Args:" begins a paragraph of its own.
                for paragraph in re.split(r"\n\n|\n(?= *\w+:(?: |$))", documented):
                    if not paragraph.startswith("usage:"):
                        yield Block(file, line, " ".join(paragraph.split()))


def page_blocks(file, text):
    found, in_code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            in_code = not in_code
        if in_code or stripped.startswith(("```", "#", "|", "<!--")) or not stripped:
            continue
        begins = re.match(r"[-*]\s+|\d+\.\s+", stripped)
        if begins and found:
            found.append((number - 1, True, ""))  # an entry of a list begins a block
        found.append((number, True, stripped[begins.end():] if begins else stripped))
    return joined(file, found)


READERS = {".hpp": c_blocks, ".cpp": c_blocks, ".h": c_blocks, ".c": c_blocks, ".def": c_blocks,
           ".py": python_blocks, ".md": page_blocks}


def blocks_of(root, folders):
    names = subprocess.run(["git", "ls-files", *folders], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    for name in names:
        read = READERS.get(pathlib.PurePosixPath(name).suffix)
        if read and not name.startswith(HISTORY) and (root / name).is_file():
            yield from read(name, (root / name).read_text(encoding="utf-8"))


def sentences_of(block):
    return [sentence for sentence in SENTENCE_END.split(block.text) if WORD.search(sentence)]


def long_sentences(block):
    return [sentence for sentence in sentences_of(block) if len(WORD.findall(sentence)) > MOST_WORDS]


def leans(block):
    return LEANS.match(block.text.lstrip("*`(")) is not None


class Count:
    """The comments of one folder that begin with a word of LEANS, and its sentences with more than MOST_WORDS words."""

    def __init__(self):
        self.blocks = self.sentences = 0
        self.leaning, self.long = [], []

    def add(self, block):
        self.blocks += 1
        self.sentences += len(sentences_of(block))
        if leans(block):
            self.leaning.append(f"{block.file}:{block.line}: leans: {block.text[:90]}")
        self.long += [f"{block.file}:{block.line}: long: {sentence[:90]}" for sentence in long_sentences(block)]


def counted(root, folders):
    """Returns {folder: Count}, where the folder is the first part of a path."""
    all_counts = {}
    for block in blocks_of(root, folders):
        all_counts.setdefault(block.file.split("/")[0], Count()).add(block)
    return all_counts


def exceeding(counts, limits):
    """For each folder that exceeds `limits`, returns the places of the faults, followed by a sentence about the
    folder."""
    wrong = []
    for folder, count in counts.items():
        for kind, places, most in zip(("leaning comments", "long sentences"), (count.leaning, count.long),
                                      limits.get(folder, (0, 0))):
            if len(places) > most:
                wrong += [*places, f"{folder}: {len(places)} {kind}, and {most} are allowed"]
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    counts = counted(root, arguments.folders)
    if arguments.check:
        wrong = exceeding(counts, LIMITS)
        print("\n".join(wrong) or "plain_words: no folder has more than is allowed")
        return 1 if wrong else 0
    for folder, count in counts.items():
        if arguments.list:
            print("\n".join([*count.leaning, *count.long]))
        print(f"{folder}: {count.blocks} blocks, {len(count.leaning)} lean; {count.sentences} sentences, "
              f"{len(count.long)} have more than {MOST_WORDS} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
