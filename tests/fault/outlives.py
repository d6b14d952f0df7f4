#!/usr/bin/env python3
"""Runs jobs with tasks that fork, and jobs that get a signal (SIGUSR1) again and again. The script tries each way to
start PEs.

usage: outlives.py [--only CASE] [--way WAY] PROGRAM

The results of the jobs must be right. Each forked copy of a PE must end with its own status, and must not end any part
of the job. The signals arrive from the start of the program to its end, even while no job runs.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from floods import WAYS
from job_processes import kill_all, marked, name_of, new_mark, still_there

SECONDS = 120
BETWEEN_QUESTIONS = 0.003
RIGHT_FORKS = r"(?m)^0 of (\d) copies ended otherwise, and all \1 PEs go on$"
CAME_BACK = r"a process that one of its tasks had forked came back"

# Each entry has the form CASE: (WORDS, WORDS THAT ARE PRINTED ONCE FOR EACH PE).
CASES = {
    "exit": (RIGHT_FORKS, None),
    "return": (RIGHT_FORKS, CAME_BACK),
    "throw": (RIGHT_FORKS, CAME_BACK),
    "questions": (r"all jobs were right", None),
}


def ask(program, mark):
    for pid in marked(mark):
        if name_of(pid) == program:
            try:
                os.kill(pid, signal.SIGUSR1)
            except ProcessLookupError:
                pass


def has_begun(text, programs):
    """Returns true if the text shows that all `programs` have begun. The signal must be sent only after every program
    has begun, because the signal would end a program that does not handle it yet."""
    return os.pread(text.fileno(), 1 << 16, 0).count(b"begun") == programs


def run(program, case, way):
    """Runs a case with one way to start PEs. Returns a description of what is wrong, or None."""
    launcher, flags = WAYS[way]
    programs = 3 if launcher else 1
    mark = new_mark()
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(launcher + [program, case] + flags, env={**os.environ, **mark},
                                   stdin=subprocess.DEVNULL, stdout=text, stderr=text, start_new_session=True)
        end = time.monotonic() + SECONDS
        while process.poll() is None and time.monotonic() < end:
            time.sleep(BETWEEN_QUESTIONS)
            if case == "questions" and has_begun(text, programs):
                ask(program, mark)
        status = process.poll()
        left = still_there(mark) if status is not None else marked(mark)
        kill_all(left)
        process.wait()
        text.seek(0)
        said = text.read().decode(errors="replace")
    words, for_each = CASES[case]
    pes = 1 if way == "alone" else 3
    if status is None:
        return f"it runs on after {SECONDS} s:\n{said[:2000]}"
    if left:
        return f"processes are left: {left}\n{said[:2000]}"
    if status != 0 or not re.search(words, said):
        return f"its status is {status}, or it does not say {words}:\n{said[:2000]}"
    if said.count("the end of a process") != 1:
        return f"another process than the first has ended as a program does:\n{said[:2000]}"
    if for_each and len(re.findall(for_each, said)) != pes:
        return f"it does not say for each PE {for_each}:\n{said[:2000]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only")
    parser.add_argument("--way")
    parser.add_argument("program")
    arguments = parser.parse_args()
    program = os.path.realpath(arguments.program)
    wanted = [(case, way) for case in CASES for way, (launcher, _) in WAYS.items()
              if (not launcher or shutil.which(launcher[0])) and arguments.only in (None, case)
              and arguments.way in (None, way)]
    bad = 0
    for case, way in wanted:
        complaint = run(program, case, way)
        bad += complaint is not None
        print(f"{case} on {way}: {complaint or 'as it should'}", flush=True)
    print(f"{len(wanted)} cases, {bad} not as they should be")
    return 1 if bad or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
