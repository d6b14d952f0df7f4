"""Tests tools/bench.py. The script tools/bench.py must write the rows that it has measured, report errors, and leave
all other rows unchanged."""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "bench.py"
sys.path.insert(0, str(SCRIPT.parent))
import bench  # noqa: E402

# This program records its arguments. A file next to the program can determine the output and the exit status of the
# program.
ATOLL = """#!{python}
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
words = sys.argv[1:]
with open(folder / "calls", "a") as calls:
    calls.write(" ".join(words[:-2]) + "\\n")
instead = json.loads((folder / "instead").read_text())
status, verified = instead.get(words[1], [0, True])
def metric(unit, *values):
    return {{"unit": unit, "values": values, "median": sorted(values)[len(values) // 2]}}
metrics = {{"rate": metric("updates/s", 2e8, 3e8, 2.5e8), "limit": metric("updates/s", 4e8, 5e8, 5e8),
           "peer:alltoallv": metric("updates/s", 1e7, 1e7, 1e7), "rate_with_aggregation": metric("updates/s", 1e10)}}
result = {{"name": words[1], "parameters": {{}}, "verified": verified, "metrics": metrics if verified else {{}},
          "host": {{"cpu": "AMD EPYC(TM) 9B14 96-Core Processor", "cores": 2, "transport": "shm"}}, "version": "0"}}
if status < 2:
    pathlib.Path(words[-1]).write_text(json.dumps(result))
sys.exit(status)
"""
OLD_ROW = "| the same without aggregation | old | old | old | old | `atoll bench gups --pes 2 --log2-table 20 " \
          "--verify --aggregation off` |"
BEFORE = "# Title\n\n| what | of another table |\n|---|---|\n| a | b |\n\n<!-- bench: random-updates -->"
BETWEEN = "<!-- end -->\n\nText | with bars.\n\n<!-- bench: forests -->"
AFTER = "<!-- end -->\n\n| the end | `atoll bench gups` |\n"
PAGE = f"{BEFORE}\n\n{bench.HEAD}\n{OLD_ROW}\n\n{BETWEEN}\n\n{AFTER}"


class Bench(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE)
        self.atoll = self.folder / "atoll"
        self.atoll.write_text(ATOLL.format(python=sys.executable))
        self.atoll.chmod(0o755)
        self.instead()

    def instead(self, **commands):
        (self.folder / "instead").write_text(json.dumps(commands))

    def run_script(self, *names):
        only = [word for name in names for word in ("--only", name)]
        return subprocess.run([sys.executable, SCRIPT, self.atoll, self.folder / "json", "--page",
                               self.page, *only], text=True, capture_output=True, check=False)

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def test_writes_rows_and_nothing_else(self):
        result = self.run_script("gups")
        self.assertEqual(result.returncode, 0, result.stderr)
        row = ("| random updates | limit 0.50, alltoallv 25 | 250 M updates/s | AMD EPYC 9B14, 2 cores | "
               f"{datetime.date.today()} | `atoll bench gups --pes 2 --log2-table 25 --verify --compare` |")
        self.assertEqual(self.page.read_text(), PAGE.replace(OLD_ROW, f"{row}\n{OLD_ROW}"))
        self.assertEqual(self.calls(), ["bench gups --pes 2 --log2-table 25 --verify --compare"])
        self.assertTrue(json.loads((self.folder / "json/gups.json").read_text())["verified"])
        self.assertRegex(result.stdout, r"page\.md: rows written: 1 \(AMD EPYC 9B14, 2 cores, ")

    def test_replaces_a_row(self):
        for _ in range(2):
            self.assertEqual(self.run_script("gups-not-aggregated").returncode, 0)
            table = re.search(r"random-updates -->\n\n(.*?)\n\n<!-- end", self.page.read_text(), re.DOTALL)
            lines = table.group(1).splitlines()
            self.assertEqual(lines[:2], bench.HEAD.splitlines())
            self.assertEqual(len(lines), 3)
            self.assertIn("| rate with aggregation 0.020 |", lines[2])

    def test_a_wrong_result_has_no_figures(self):
        self.instead(mst=[1, False])
        result = self.run_script("mst", "gups")
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong results: mst", result.stderr)
        rows = {line.split(" | ")[0]: line for line in self.page.read_text().splitlines()}
        self.assertIn("| wrong result | wrong result | AMD", rows["| minimum spanning forest"])
        self.assertIn("250 M updates/s", rows["| random updates"])

    def test_what_cannot_run_keeps_its_row(self):
        self.instead(gups=[2, True])
        result = self.run_script("gups-not-aggregated", "mst")
        self.assertEqual(result.returncode, 2)
        self.assertIn("could not run, rows kept: gups-not-aggregated", result.stderr)
        self.assertIn(OLD_ROW, self.page.read_text())
        self.assertIn("| minimum spanning forest | limit 0.50 |", self.page.read_text())

    def test_of_the_papers_are_by_the_program_beside(self):
        self.page.write_text(PAGE.replace("bench: forests", "bench: sorting"))
        result = self.run_script("sort-delegates")
        self.assertEqual(result.returncode, 2)
        self.assertIn("sort-delegates could not run: No such file or directory", result.stderr)
        self.atoll.rename(self.folder / "atoll-papers")
        self.atoll.symlink_to(self.folder / "atoll-papers")
        self.assertEqual(self.run_script("sort-delegates").returncode, 0)
        self.assertEqual(self.calls(), ["sort --class B --pes 2 --verify --compare"])
        self.assertIn("| `atoll-papers sort --class B --pes 2 --verify --compare` |", self.page.read_text())

    def test_begins_nothing_that_it_could_not_write(self):
        for page in ("no table", PAGE.replace("<!-- end -->", "", 1)):
            self.page.write_text(page)
            result = self.run_script("gups")
            self.assertEqual(result.returncode, 2)
            self.assertIn("has no table <!-- bench: random-updates -->", result.stderr)
        self.assertEqual(self.run_script("bananas").returncode, 2)
        self.assertEqual(self.calls(), [])

    def test_lists_each_benchmark_once(self):
        result = subprocess.run([sys.executable, SCRIPT, "--list"], text=True, capture_output=True, check=True)
        names = [line.split(":")[0] for line in result.stdout.splitlines()]
        self.assertEqual(names, [benchmark.name for benchmark in bench.BENCHMARKS])
        for distinct in (names, [benchmark.arguments for benchmark in bench.BENCHMARKS]):
            self.assertEqual(len(set(distinct)), len(distinct))

    def test_figures_have_three_digits(self):
        for value, unit, text in ((999.96e6, "edges/s", "1.00 G edges/s"), (5, "ns", "5.00 ns"),
                                  (1500, "ns", "1.50 us"), (640, "grants/s", "640 grants/s")):
            self.assertEqual(bench.with_unit(value, unit), text)

    def test_the_page_has_all_tables_and_no_other_rows(self):
        text = bench.PAGE.read_text()
        known = {f"`{benchmark.command}`" for benchmark in bench.BENCHMARKS}
        self.assertEqual(set(re.findall(r"<!-- bench: (\S+) -->", text)),
                         {benchmark.topic for benchmark in bench.BENCHMARKS})
        for topic in {benchmark.topic for benchmark in bench.BENCHMARKS}:
            begin, end = bench.table_of(text, topic)
            lines = text[begin:end].strip().splitlines()
            self.assertEqual("\n".join(lines[:2]), bench.HEAD)
            for line in lines[2:]:
                self.assertIn(line.rsplit("|", 2)[-2].strip(), known)


if __name__ == "__main__":
    unittest.main()
