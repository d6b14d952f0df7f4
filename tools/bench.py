#!/usr/bin/env python3
"""Runs the benchmarks one at a time, and compares each with its peers and its limit. A limit is a plain program that
does the same memory work on the same cores. A peer is another program that solves the same problem.

    tools/bench.py ATOLL FOLDER [--only NAME]... [--page FILE]
    tools/bench.py --list

For each benchmark, the script writes FOLDER/NAME.json, and a row in a table of docs/performance.md. The
tables are between `<!-- bench: TOPIC -->` and `<!-- end -->`. If a result is wrong, its row says so and
has no numbers. If a benchmark cannot run, its row stays as it is.

The exit status is 0 if all benchmarks were measured and 1 if a result is wrong. The exit status is 2 if a benchmark
could not run, or if the arguments are wrong.
"""
import argparse
import datetime
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import typing

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "performance.md"
HEAD = "| what | rate over | rate | machine | date | command |\n|---|---|---|---|---|---|"
END = "<!-- end -->"


class Benchmark(typing.NamedTuple):
    name: str
    topic: str  # topic of the table that has a row for the benchmark
    what: str
    arguments: str
    over: str = ""  # metrics by which the rate is divided, the most important one first
    figure: str = "rate"  # metric that the column of rates shows
    program: str = "atoll"

    @property
    def command(self):
        return f"{self.program} {self.arguments}"


LIMIT_AND_MPI = "limit peer:openmpi peer:mpich"
EVENT_PES = [(1, "1 PE"), (2, "2 PEs")]

# The benchmarks, in the order of the page. The script finds the row of a benchmark in the page by the command of the
# benchmark.
BENCHMARKS = [
    Benchmark("gups", "random-updates", "random updates",
              "bench gups --pes 2 --log2-table 25 --verify --compare", "limit peer:alltoallv"),
    # Each update is sent as a message of its own. The rate is limited by sending and not by memory access, so a small
    # table is enough.
    Benchmark("gups-not-aggregated", "random-updates", "the same without aggregation",
              "bench gups --pes 2 --log2-table 20 --verify --aggregation off", "rate_with_aggregation"),
    Benchmark("bfs", "graphs", "breadth-first search",
              "bench bfs --scale 20 --pes 2 --verify --compare",
              "limit peer:openmpi-bitmaps peer:mpich-bitmaps peer:openmpi-edges peer:mpich-edges"),
    Benchmark("cc", "graphs", "connected components",
              "bench cc --scale 20 --pes 2 --verify --compare", "limit"),
    Benchmark("pagerank", "graphs", "PageRank",
              "bench pagerank --scale 20 --pes 2 --verify --compare", f"{LIMIT_AND_MPI} peer:tpetra"),
    Benchmark("mst", "forests", "minimum spanning forest",
              "bench mst --kind uniform --scale 20 --pes 2 --verify --compare",
              f"{LIMIT_AND_MPI} peer:shmem peer:openshmem"),
    Benchmark("sort", "sorting", "keys ranked",
              "bench sort --class B --pes 2 --verify --compare", LIMIT_AND_MPI),
    Benchmark("sort-delegates", "sorting", "keys ranked by delegates",
              "sort --class B --pes 2 --verify --compare",
              f"rate_of_gups {LIMIT_AND_MPI}", program="atoll-papers"),
    Benchmark("uts-T1L", "tree-search", "tree made during the search",
              "bench uts --tree T1L --pes 2 --verify --compare", "limit"),
    Benchmark("uts-T3L", "tree-search", "a deeper tree",
              "bench uts --tree T3L --pes 2 --verify --compare", "limit"),
    Benchmark("uts-T1-in-memory", "tree-search", "tree in global memory",
              "bench uts --tree T1 --in-memory --pes 2 --verify"),
    *[Benchmark(f"context-switch-{tasks}", "tasks", f"switch between {tasks:,} tasks",
                f"bench context-switch --tasks {tasks} --compare", "peer:fibers peer:threads",
                "nanoseconds_per_switch") for tasks in (1000, 500000, 1000000)],
    Benchmark("messages", "tasks", "messages of one kind",
              "bench messages --pes 2 --compare", "", "rate_per_core"),
    *[Benchmark(f"event-latency-{pes}", "events", f"an event after another, {pes_text}",
                f"bench event-latency --pes {pes}", "", "nanoseconds_per_trigger")
      for pes, pes_text in EVENT_PES],
    *[Benchmark(f"event-throughput-{fan}-{pes}", "events", f"inputs, {fan:,} an event, {pes_text}",
                f"bench event-throughput --fan {fan} --pes {pes}")
      for pes, pes_text in EVENT_PES for fan in (2, 16, 1024)],
]


def with_unit(value, unit):
    """Returns a number with three digits and its unit: 255 M updates/s, 13.3 ns, 1.20 us."""
    value = float(f"{value:.3g}")
    units = ["ns", "us", "ms", "s"] if unit == "ns" else [f"{size}{unit}" for size in
                                                         ("", "K ", "M ", "G ", "T ")]
    step = 0
    while value >= 1000 and step + 1 < len(units):
        value, step = value / 1000, step + 1
    return f"{value:#.3g}".rstrip(".") + f" {units[step]}"


def ratio_text(metrics, other):
    """Returns a text such as `limit 0.91`. The number is the rate of Atoll divided by the rate of `other`, as the
    median of the ratios of all trials. The text is empty if `other` was not measured."""
    if other not in metrics:
        return ""
    pairs = zip(metrics["rate"]["values"], metrics[other]["values"])
    ratio = statistics.median(own / beside for own, beside in pairs)
    digits = "#.2g" if ratio < 0.1 else ".2f" if ratio < 10 else ".0f"
    return f"{other.removeprefix('peer:').replace('_', ' ')} {ratio:{digits}}"


def figures(benchmark, result):
    """Returns two cells of a row of the table: one with the ratios, and one with the rate."""
    if result["verified"] is not True:
        text = "wrong result" if result["verified"] is False else "not verified"
        return text, text
    metrics = result["metrics"]
    ratios = [ratio_text(metrics, other) for other in benchmark.over.split()]
    shown = metrics[benchmark.figure]
    core = " a core" if benchmark.figure.endswith("_per_core") else ""
    return ", ".join(filter(None, ratios)) or "-", with_unit(shown["median"], shown["unit"]) + core


def machine_of(host):
    """Returns the make and model of the processor, without filler words, and the number of cores."""
    cpu = re.sub(r"\((R|TM)\)|\b\d+-Core\b|\b(Processor|CPU)\b|@.*", " ", host["cpu"])
    return f"{' '.join(cpu.split())}, {host['cores']} core{'s' if host['cores'] != 1 else ''}"


def row_of(benchmark, result):
    cells = [benchmark.what, *figures(benchmark, result), machine_of(result["host"]),
             datetime.date.today().isoformat(), f"`{benchmark.command}`"]
    return "| " + " | ".join(cells) + " |"


def table_of(text, topic):
    """Returns the positions where the table of a topic begins and ends, or None if there is no table."""
    marker = f"<!-- bench: {topic} -->"
    begin = text.find(marker)
    if begin < 0:
        return None
    begin += len(marker)
    end = text.find(END, begin)
    return None if end < 0 or "<!--" in text[begin:end] else (begin, end)


def with_row(text, benchmark, row):
    """Returns the text of the page, in which `row` replaces the row of the benchmark."""
    begin, end = table_of(text, benchmark.topic)
    rows = {line.rsplit("|", 2)[-2].strip(): line
            for line in text[begin:end].splitlines() if line.startswith("| ")}
    rows[f"`{benchmark.command}`"] = row
    commands = [f"`{each.command}`" for each in BENCHMARKS if each.topic == benchmark.topic]
    table = [HEAD, *(rows[command] for command in commands if command in rows)]
    return text[:begin] + "\n\n" + "\n".join(table) + "\n\n" + text[end:]


def file_of(benchmark, atoll):
    """Returns the path of a benchmark's program: atoll itself, or a program in the folder of atoll."""
    return atoll if benchmark.program == "atoll" else pathlib.Path(shutil.which(atoll)).with_name(benchmark.program)


def run(benchmark, options):
    """Runs a benchmark and returns the JSON that it wrote, or None if it could not run."""
    file = options.folder / f"{benchmark.name}.json"
    file.unlink(missing_ok=True)
    print(f"\n== {benchmark.command}", flush=True)
    command = [file_of(benchmark, options.atoll), *benchmark.arguments.split(), "--json", file]
    try:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
        how = f"exit status {status}"
    except OSError as reason:
        status, how = None, reason.strerror
    if status not in (0, 1) or not file.exists():
        print(f"{benchmark.name} could not run: {how}", file=sys.stderr)
        return None
    result = json.loads(file.read_text())
    if status == 1:
        result["verified"] = False
    return result


class List(argparse.Action):
    """An option that lists the benchmarks. The script then ignores other arguments."""

    def __call__(self, parser, namespace, values, option=None):
        for benchmark in BENCHMARKS:
            print(f"{benchmark.name}: {benchmark.what} ({benchmark.command})")
        parser.exit(0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("atoll", metavar="ATOLL", help="the program")
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="of the JSON files")
    parser.add_argument("--only", metavar="NAME", action="append",
                        choices=[benchmark.name for benchmark in BENCHMARKS],
                        help="run this benchmark (repeatable)")
    parser.add_argument("--page", metavar="FILE", type=pathlib.Path, default=PAGE,
                        help="whose tables are written (docs/performance.md)")
    parser.add_argument("--list", action=List, nargs=0, help="say which benchmarks there are")
    options = parser.parse_args()
    if shutil.which(options.atoll) is None:
        parser.error(f"{options.atoll} is no program")
    options.chosen = [each for each in BENCHMARKS if each.name in (options.only or [each.name])]
    text = options.page.read_text() if options.page.is_file() else ""
    for topic in {each.topic for each in options.chosen}:
        if table_of(text, topic) is None:
            parser.error(f"{options.page} has no table <!-- bench: {topic} -->")
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = arguments()
    wrong, missing, machines = [], [], set()
    for benchmark in options.chosen:
        result = run(benchmark, options)
        if result is None:
            missing.append(benchmark.name)
            continue
        if result["verified"] is not True:
            wrong.append(benchmark.name)
        machines.add(machine_of(result["host"]))
        text = with_row(options.page.read_text(), benchmark, row_of(benchmark, result))
        options.page.write_text(text)
    if machines:
        print(f"\n{options.page}: rows written: {len(options.chosen) - len(missing)} "
              f"({'; '.join(machines)}, {datetime.date.today()})")
    if wrong:
        print(f"wrong results: {', '.join(wrong)}", file=sys.stderr)
    if missing:
        print(f"could not run, rows kept: {', '.join(missing)}", file=sys.stderr)
    return 1 if wrong else 2 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
