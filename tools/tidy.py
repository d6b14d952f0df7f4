#!/usr/bin/env python3
"""Runs clang-tidy on sources. A source is skipped if an earlier run with the same text and the same rules found it
clean.

Usage: tidy.py BUILD JOBS < SOURCES; BUILD has a compile_commands.json. The exit status is 0 if all sources are clean,
and 1 if a source is not clean. For each clean source, an empty file is made below $XDG_CACHE_HOME or ~/.cache. If the
folder cannot be used, no source is skipped.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "atoll-lint"
TIDY = "clang-tidy-19"


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def rules():
    return output_of([TIDY, "--version"], ROOT) + (ROOT / ".clang-tidy").read_bytes()


def key_of(entry, of_rules):
    """Returns a hash of the preprocessed source and the rules. The hash includes comments, because a comment may turn
    rules off."""
    command = shlex.split(entry["command"])
    out = command.index("-o")
    text = output_of(command[:out] + command[out + 2:] + ["-E", "-C"], entry["directory"])
    return hashlib.sha256(of_rules + text.replace(str(ROOT).encode(), b"")).hexdigest()


def is_clean(entry, build, of_rules):
    try:
        remembered = CACHE / key_of(entry, of_rules)
        if remembered.exists():
            return True
    except (OSError, ValueError, subprocess.CalledProcessError):
        remembered = None
    done = subprocess.run([TIDY, "-p", build, "--quiet", entry["file"]], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    if done.returncode == 0 and not done.stdout and remembered is not None:
        try:
            CACHE.mkdir(parents=True, exist_ok=True)
            remembered.touch()
        except OSError:
            pass  # the next run checks the source again
    return done.returncode == 0


def main():
    build, jobs = sys.argv[1], int(sys.argv[2])
    wanted = {line.strip() for line in sys.stdin if line.strip()}
    known = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    entries = {entry["file"]: entry for entry in known if entry["file"] in wanted}.values()
    of_rules = rules()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda entry: is_clean(entry, build, of_rules), entries))
    print(f"clang-tidy: {len(found)} files, {found.count(False)} not clean")
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
