"""Runs NetworkX's own tests of the functions that the backend has, with Atoll as the backend.

The test makes an environment for each of two versions of NetworkX in the build folder, and needs a package
registry for that. NETWORKX_VERSIONS in the environment, such as "3.5 3.7", chooses other versions. The page
docs/reference/networkx.md must list each test that must fail, and each reason why Atoll refuses a call.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "networkx.md"
OLDEST, NEWER = "3.2.1", "3.6.1"
# For each version, how many tests at least must pass after Atoll has answered one of their calls.
LEAST = {OLDEST: 59, NEWER: 72}
LEAST_OF_OTHERS = 59
MODULES = (
    "centrality.tests.test_betweenness_centrality",
    "components.tests.test_connected",
    "components.tests.test_weakly_connected",
    "link_analysis.tests.test_pagerank",
    "shortest_paths.tests.test_unweighted",
    "shortest_paths.tests.test_weighted",
    "tests.test_cluster",
    "tests.test_core",
)


def run(*command, **settings):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **settings
    )
    return done.returncode, done.stdout


def environment_of(version):
    """Returns the interpreter of an environment with one version of NetworkX. Makes the environment."""
    folder = pathlib.Path("networkx", version).resolve()
    interpreter, complete = folder / "bin" / "python", folder / "complete"
    if not complete.exists():
        packages = ("pytest", "numpy", "scipy", f"networkx=={version}")
        for command in (
            (sys.executable, "-m", "venv", "--clear", folder),
            (interpreter, "-m", "pip", "install", "--quiet", *packages),
        ):
            status, text = run(*command)
            if status != 0:
                raise RuntimeError(f"{' '.join(map(str, command))} has failed:\n{text}")
        complete.touch()
    announce_backend(folder)
    return interpreter


def announce_backend(folder):
    """Writes what `pip install .` would tell NetworkX about the backend."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    sections = re.findall(r'^\[project\.entry-points\."([\w.]+)"\]\n((?:\w+ = .+\n)+)', project, re.M)
    if len(sections) != 2:
        raise RuntimeError("pyproject.toml must have two groups of entry points for NetworkX")
    lines = [f"[{name}]\n{entries.replace(chr(34), '')}" for name, entries in sections]
    packages = next(folder.glob("lib/python*/site-packages"))
    described = packages / "atoll-0.0.dist-info"
    described.mkdir(exist_ok=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: atoll\nVersion: 0.0\n")
    (described / "entry_points.txt").write_text("\n".join(lines))


def reports_of(version):
    """Runs the tests. Returns the exit status, what pytest prints, and the report of each test."""
    report = pathlib.Path("networkx", f"{version}.json").resolve()
    report.unlink(missing_ok=True)
    status, text = run(
        environment_of(version), "-m", "pytest", "-q", "-p", "networkx_plugin", "-p", "no:cacheprovider",
        "--pyargs", *(f"networkx.algorithms.{module}" for module in MODULES),
        env={
            **os.environ,
            "NETWORKX_TEST_BACKEND": "atoll",
            "NETWORKX_FALLBACK_TO_NX": "True",  # NetworkX computes what Atoll refuses
            "NETWORKX_REPORT": str(report),
            "PYTHONPATH": os.pathsep.join((str(pathlib.Path(__file__).parent), os.environ["PYTHONPATH"])),
        },
    )
    return status, text, json.loads(report.read_text()) if report.exists() else {}


class OwnTests(unittest.TestCase):
    def test_all_tests_of_networkx_pass(self):
        for version in os.environ.get("NETWORKX_VERSIONS", f"{OLDEST} {NEWER}").split():
            with self.subTest(networkx=version):
                status, text, reports = reports_of(version)
                self.assertEqual(status, 0, text)
                self.check(version, reports)

    def check(self, version, reports):
        """Checks that all tests have passed, that enough of them used Atoll, and that the page lists the rest."""
        page = PAGE.read_text(encoding="utf-8")
        functions, passed, reasons = collections.Counter(), 0, collections.Counter()
        for name, report in reports.items():
            if report["outcome"] == "passed":
                passed += bool(report["answered"])
                functions.update(report["answered"])
            else:
                self.assertEqual(report["outcome"], "xfailed", f"{name}: {report['reason']}")
                self.assertIn(f"`{name.rpartition('::')[2].partition('[')[0]}`", page)
                reasons[report["reason"]] += 1
            reasons.update({each.partition("=")[0] for each in report["refused"]})
        for reason in reasons:
            self.assertIn(f"`{reason}`", page, "the page does not list this reason")
        print(f"NetworkX {version}: {len(reports)} tests, {passed} passed with calls that Atoll has "
              f"answered; tests by reason: {dict(reasons)}", flush=True)
        self.assertGreaterEqual(passed, LEAST.get(version, LEAST_OF_OTHERS))
        self.assertEqual(set(functions), self.functions(), "each function must be called in some test")

    def functions(self):
        source = (ROOT / "python" / "atoll" / "networkx_backend.py").read_text(encoding="utf-8")
        return set(re.findall(r"^@_checked\ndef (\w+)", source, re.M))


if __name__ == "__main__":
    unittest.main()
