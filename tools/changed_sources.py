#!/usr/bin/env python3
"""Prints the C++ sources that a static check must read after a change, one per line.

The script prints each changed source, and for each changed header a source that includes the header. A file counts as
changed if it has uncommitted changes, or if a commit has changed it in the ten hours before the newest commit. Files in
which only comments or white space have changed are not printed, except for changes of NOLINT. If .clang-tidy has
changed, or if git cannot tell what has changed, all sources are printed.

Usage: changed_sources.py BUILD [--since COMMIT] [--all]; BUILD has a compile_commands.json. Sources
and headers of tests are never printed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOURS = 10
CHECKS = {".clang-tidy"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
CODE = (".cpp", ".hpp", ".h", ".def")
COMMENT_OR_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^()\\ ]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'""", re.DOTALL)
PLACES = ("", "src", "bench", "src/atoll/shmem/include")  # where the paths of #include begin


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def commit_before():
    """Returns the newest commit that is more than ten hours older than the newest commit of all, or None. Earlier runs
    have already checked the changes up to the returned commit."""
    newest = None
    for line in git("log", "--format=%H %ct").splitlines():
        commit, seconds = line.split()
        newest = newest or int(seconds)
        if int(seconds) < newest - HOURS * 3600:
            return commit
    return None


def without_comments(text):
    """Returns the words of a C++ text without its comments, but with comments that turn off a check (NOLINT)."""
    def kept(found):
        is_comment = found[0].startswith(("//", "/*"))
        return " " if is_comment and "NOLINT" not in found[0] else found[0]
    return COMMENT_OR_TEXT.sub(kept, text).split()


def without_filter(text):
    """Returns the lines of a .clang-tidy file without the line that tells which headers it is about."""
    return [line for line in text.splitlines() if not line.startswith("HeaderFilterRegex:")]


def is_same_code(name, commit):
    """Returns whether only comments and white space of the file have changed since the commit, or only the filter of
    headers in .clang-tidy. New headers have changed themselves, so their sources are printed anyway."""
    try:
        if name in CHECKS:
            return without_filter(git("show", f"{commit}:{name}")) == without_filter((ROOT / name).read_text())
        return name.endswith(CODE) and (without_comments(git("show", f"{commit}:{name}")) ==
                                        without_comments((ROOT / name).read_text()))
    except (OSError, subprocess.CalledProcessError):
        return False  # the file is new, or it is gone


def changed_since(commit):
    names = set(git("diff", "--name-only", commit).splitlines()) | {
        line[3:] for line in git("status", "--porcelain", "--untracked-files=all").splitlines()}
    return {name for name in names if not is_same_code(name, commit)}


def included(name):
    """Returns the files of the project that a file includes directly."""
    found = set()
    for target in INCLUDE.findall((ROOT / name).read_text(errors="replace")):
        for place in (*PLACES, pathlib.Path(name).parent):
            file = (ROOT / place / target).resolve()
            if file.is_file():
                found.add(str(file.relative_to(ROOT)))
    return found


def reached(name, known):
    """Returns the files that a file includes directly or indirectly."""
    seen, left = set(), [name]
    while left:
        for other in known(left.pop()):
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


def sources_for(changed, sources):
    """Returns the changed sources. If no changed source includes a changed header, the result also has another source
    that includes the header."""
    memory = {}

    def known(name):
        if name not in memory:
            memory[name] = included(name)
        return memory[name]

    chosen = changed & sources
    headers = {name for name in changed
               if name.endswith((".hpp", ".def", ".h")) and not name.startswith("tests/") and (ROOT / name).is_file()}
    for name in chosen:
        headers -= reached(name, known)
    readers = {name: reached(name, known) & headers for name in sources} if headers else {}
    while headers:
        best = max(sorted(readers), key=lambda name: len(readers[name] & headers))
        if not readers[best] & headers:
            print(f"changed_sources.py: no source includes {', '.join(sorted(headers))}", file=sys.stderr)
            break
        chosen.add(best)
        headers -= readers[best]
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    entries = json.loads((arguments.build / "compile_commands.json").read_text())
    files = {pathlib.Path(entry["file"]).resolve() for entry in entries}
    files = {file for file in files if file.exists()}  # the build may know sources that have moved since
    inside = {str(file.relative_to(ROOT)) for file in files if file.is_relative_to(ROOT)}
    sources = {name for name in inside if not name.startswith(("tests/", "build/"))}
    try:
        since = None if arguments.all else arguments.since or commit_before()
        changed = changed_since(since) if since else CHECKS
    except (OSError, subprocess.CalledProcessError) as failure:
        print(f"changed_sources.py: {failure}; all sources count as changed", file=sys.stderr)
        changed = CHECKS
    chosen = sources if changed & CHECKS else sources_for(changed, sources)
    print("\n".join(str(ROOT / name) for name in sorted(chosen)))


if __name__ == "__main__":
    main()
