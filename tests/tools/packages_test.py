"""Tests tools/packages.sh, which installs missing Debian packages. The script must be quick if nothing is missing,
install missing packages, and print the commands that need root."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "packages.sh"


class Packages(unittest.TestCase):
    """Runs the script with fake versions of dpkg-query, apt-get and id. The fake apt-get records its arguments."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name)
        self.calls = self.bin / "calls"
        for tool in ("sh", "sed", "awk", "grep", "sort", "cat", "env", "ls"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.installed_except()
        self.fake("apt-get", f'echo "$*" >> {self.calls}')
        self.fake("id", "echo 0")

    def fake(self, tool, body):
        path = self.bin / tool
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def installed_except(self, *missing):
        """Returns a fake dpkg-query that knows all packages except `missing`."""
        cases = "".join(f"{name}) ;; " for name in missing)
        self.fake("dpkg-query",
                  f'shift 3; for p; do case $p in {cases} *) echo "installed $p" ;; esac; done')

    def run_script(self, *arguments):
        environment = dict(os.environ, PATH=str(self.bin))
        return subprocess.run(["/bin/sh", str(SCRIPT), *arguments], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def asked(self):
        return self.calls.read_text() if self.calls.exists() else ""

    def test_nothing_missing_means_no_apt_call(self):
        result = self.run_script("install", "build", "test", "bench")
        self.assertEqual((result.returncode, result.stderr, self.asked()), (0, "", ""))

    def test_installs_only_what_is_missing(self):
        self.installed_except("cmake")
        result = self.run_script("install", "build")
        self.assertEqual(result.returncode, 0, result.stderr)
        install = [line for line in self.asked().splitlines() if line.startswith("install")]
        self.assertEqual(len(install), 1)
        self.assertTrue(install[0].endswith(" cmake"), install)
        self.assertNotIn("ninja-build", install[0])

    def test_without_root_it_says_what_to_run(self):
        self.installed_except("cmake")
        self.fake("id", "echo 1000")
        result = self.run_script("install", "build")
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install -y cmake", result.stderr)
        self.assertEqual(self.asked(), "")

    def test_a_failure_is_an_error(self):
        self.installed_except("cmake")
        self.fake("apt-get", "exit 100")
        result = self.run_script("install", "build")
        self.assertEqual(result.returncode, 2)
        self.assertIn("could not install: cmake", result.stderr)

    def test_an_optional_package_may_fail(self):
        self.installed_except("openmpi-bin")
        self.fake("apt-get", "exit 100")
        result = self.run_script("install", "bench")
        self.assertEqual(result.returncode, 0)
        self.assertIn("goes on without openmpi-bin", result.stderr)

    def test_without_debian_it_goes_on(self):
        (self.bin / "apt-get").unlink()
        result = self.run_script("install", "build")
        self.assertEqual(result.returncode, 0)
        self.assertIn("list build", result.stderr)

    def test_list_gives_a_reason_for_each(self):
        for line in self.run_script("list").stdout.splitlines():
            self.assertGreaterEqual(len(line.split()), 3, line)

    def test_unknown_group_is_refused(self):
        for command in ("list", "install"):
            result = self.run_script(command, "nope")
            self.assertEqual(result.returncode, 2)
            self.assertIn("unknown group 'nope'", result.stderr)


if __name__ == "__main__":
    unittest.main()
