#!/usr/bin/env python3
"""Plants faults and checks whether the tests find them.

All faults of tests/mutants/planted.toml are planted into one copy of the tree, which is built only once.
An environment variable switches one fault on. The tests run first without a fault. For each fault, the tests run until
one test fails; tests of the layer that has the fault run first. The script prints which test found which fault, the
share of the faults that were found, and the faults that no test found.

A fault is equivalent if no test can find it. The exit status is 0 if at least 95 % of the faults that are not
equivalent were found, and 1 if fewer were found. The exit status is 2 if faults cannot be planted, or if a test fails
although no fault is switched on.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/fault"))
from job_processes import kill_all, marked  # noqa: E402

FAULTS = ROOT / "tests/mutants/planted.toml"
NAMED_BY = "PLANTED_FAULT"
ENOUGH = 0.95
# Names of tests that the script never runs, because these tests read the text of the tree or build the whole tree
# again.
NOT_ASKED = "^(tools/|packaging/)"
HEADER = f"""#pragma once
#include <cstdlib>
namespace atl::planted {{
inline const int present = [] {{
  const char* const text = std::getenv("{NAMED_BY}");
  return text == nullptr ? 0 : std::atoi(text);
}}();
inline bool is(int number) {{ return present == number; }}
}}  // namespace atl::planted
"""


def fail(sentence):
    print(f"mutate.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def with_fault(text, number, fault):
    old, new = fault["old"], fault["new"]
    if text.count(old) != 1:
        fail(f"{fault['name']}: {fault['file']} has {text.count(old)} times: {old}")
    chosen = f"::atl::planted::is({number})"
    if old.endswith((";", "}")):
        return text.replace(old, f"if ({chosen}) {{ {new} }} else {{ {old} }}")
    return text.replace(old, f"({chosen} ? ({new}) : ({old}))")


def with_header(text):
    line = '#include "atoll/base/planted.hpp"\n'
    if "#pragma once\n" in text:
        return text.replace("#pragma once\n", "#pragma once\n" + line, 1)
    return line + text


def remove_others(copy, names):
    """Removes from the copy the files that the tree no longer has, because otherwise the build would include these
    files."""
    for place in copy.rglob("*"):
        name = place.relative_to(copy)
        if name.parts[0] != "build" and place.is_file() and str(name) not in names:
            place.unlink()


def plant(faults, copy):
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = files.stdout.splitlines()
    remove_others(copy, set(names))
    for name in names:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    (copy / "src/atoll/base/planted.hpp").write_text(HEADER)
    for number, fault in enumerate(faults, 1):
        place = copy / fault["file"]
        place.write_text(with_fault(place.read_text(), number, fault))
    for name in {fault["file"] for fault in faults}:
        (copy / name).write_text(with_header((copy / name).read_text()))


def build(copy):
    # Warnings are not errors here, because the planted code leaves some names unused.
    configure = ["cmake", "--preset", "release", "-DATOLL_WERROR=OFF",
                 "-DATOLL_INSTALL=OFF"]
    for command in (configure, ["cmake", "--build", "build/release"]):
        if subprocess.run(command, cwd=copy, stdout=subprocess.DEVNULL).returncode != 0:
            fail(f"the copy with all faults cannot be built in {copy}")


def layer_of(fault):
    parts = pathlib.PurePath(fault["file"]).parts
    return parts[2] if parts[0] == "src" else parts[0]


def end_run(mark):
    """Kills all processes of a run, including the processes that they have started."""
    while pids := marked(mark):
        kill_all(pids)
        time.sleep(0.1)


def first_that_fails(copy, number, jobs, only, longest):
    """Runs tests, and returns the name of the first test that fails, or "" if all pass. After a failure, all running
    tests are ended. After `longest` seconds, all tests are ended."""
    command = ["ctest", "--test-dir", "build/release", "-j", str(jobs), *only]
    mark = {"RUN_OF_MUTATE": uuid.uuid4().hex}
    run = subprocess.Popen(command, cwd=copy, env=os.environ | mark | {NAMED_BY: str(number)},
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace")
    too_long = threading.Timer(longest, end_run, [mark])
    too_long.start()
    failed = None
    for line in run.stdout:
        failed = re.search(r"Test +#\d+: (\S+) [^*]*\*\*\*", line)
        if failed:
            break
    too_long.cancel()
    end_run(mark)
    if failed:
        return failed.group(1)
    status = run.wait()
    if status < 0:
        return f"a test that hangs for {longest:.0f} s"
    return "" if status == 0 else f"ctest ended with status {status}"


def find(copy, number, fault, jobs, longest):
    layer = layer_of(fault)
    own = ["-L", f"^{layer}$", "-LE", "^(long|fuzz)$"]
    others = ["-LE", f"^({layer}|long|fuzz)$", "-E", NOT_ASKED]
    return (first_that_fails(copy, number, jobs, own, longest)
            or first_that_fails(copy, number, jobs, others, longest))


def report(found, survived, equivalent):
    asked = len(found) + len(survived)
    print(f"found: {len(found)} of {asked}; equivalent: {len(equivalent)}")
    for fault in survived:
        print(f"nobody found {fault['name']}: {fault['file']}: {fault['old']}")
    for fault in equivalent:
        print(f"equivalent: {fault['name']}: {fault['equivalent']}")
    return 0 if len(found) >= ENOUGH * asked else 1


def main():
    words = argparse.ArgumentParser(description=__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--copy", type=pathlib.Path, default=ROOT / "build/mutate",
                       help="where the copy of the tree stands (build/mutate)")
    words.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1), help="tests at once")
    words.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these faults alone")
    words.add_argument("--list", action="store_true", help="show the faults and end")
    asked = words.parse_args()
    faults = tomllib.loads(FAULTS.read_text())["fault"]
    unknown = set(asked.only) - {fault["name"] for fault in faults}
    if unknown:
        words.error(f"--only: there is no fault {', '.join(sorted(unknown))}")
    if asked.list:
        for fault in faults:
            print(f"{fault['name']:45} {fault['file']}")
        return 0
    try:
        plant(faults, asked.copy)
    except (OSError, KeyError) as wrong:
        fail(f"the faults cannot be planted: {wrong!r}")
    build(asked.copy)
    begin = time.monotonic()
    broken = first_that_fails(asked.copy, 0, asked.jobs, ["-LE", "^(long|fuzz)$", "-E", NOT_ASKED], longest=3600)
    if broken:
        fail(f"without a fault {broken} fails")
    longest = 3 * (time.monotonic() - begin)  # seconds; only tests that hang take longer
    found, survived, equivalent = [], [], []
    for number, fault in enumerate(faults, 1):
        if asked.only and fault["name"] not in asked.only:
            continue
        if "equivalent" in fault:
            equivalent.append(fault)
            continue
        begin = time.monotonic()
        by = find(asked.copy, number, fault, asked.jobs, longest)
        (found if by else survived).append(fault)
        print(f"{fault['name']:45} {by or 'NOBODY':40} {time.monotonic() - begin:5.0f} s", flush=True)
    return report(found, survived, equivalent)


if __name__ == "__main__":
    sys.exit(main())
