"""Runs both commands of the README, and installs the Debian packages, in a bare Debian 12. The test needs root and
mmdebstrap.

The test runs in the build folder. ATOLL_BARE_ONLY=demo, test or deb runs only one of the three parts.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEARCH = "/atoll/tests/packaging/outside/search.cpp"


def wanted(name):
    return os.environ.get("ATOLL_BARE_ONLY", name) == name


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("mmdebstrap"), "needs root and mmdebstrap")
class BareDebian(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="atoll-clone-")
        self.addCleanup(folder.cleanup)
        self.clone = pathlib.Path(folder.name) / "atoll"
        subprocess.run(["git", "clone", "-q", ROOT, self.clone], check=True)

    def in_bare_debian(self, script):
        command = [ROOT / "tools/bare_debian.sh", "--bind", f"{self.clone}=/atoll", "--", "sh", "-ec", script]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-5000:])
        return done.stdout

    def readme_command(self, target):
        return self.in_bare_debian("apt-get update -q; apt-get install -qy --no-install-recommends make git; "
                                   f"make -C /atoll {target}")

    @unittest.skipUnless(wanted("demo"), "not asked for")
    def test_make_demo(self):
        self.assertIn("verified", self.readme_command("demo"))

    @unittest.skipUnless(wanted("test"), "not asked for")
    def test_make_test(self):
        self.assertIn("100% tests passed", self.readme_command("test"))

    @unittest.skipUnless(wanted("deb"), "not asked for")
    def test_the_packages_install_and_serve(self):
        subprocess.run(["make", "-C", self.clone, "deb"], check=True, stdout=subprocess.DEVNULL)
        said = self.in_bare_debian(f"""
            apt-get update -q
            apt-get install -qy /atoll/build/package/atoll_*.deb g++ cmake make pkg-config
            atoll bench gups --verify --pes 3 --log2-table 10
            flags=$(pkg-config --cflags --libs atoll)
            g++ -O1 {SEARCH} -o /root/search $flags
            /root/search --atoll-pes 3
            cmake -S /atoll/tests/packaging/outside -B /root/outside
            cmake --build /root/outside
            /root/outside/host /root/outside/libupdates.so --atoll-pes 3
            apt-get install -qy /atoll/build/package/atoll-openmpi_*.deb /atoll/build/package/atoll-mpich_*.deb
            mpirun.openmpi --allow-run-as-root --oversubscribe -n 3 /root/search
            mpiexec.mpich -n 3 /root/search""")
        self.assertIn("verified", said)
        self.assertEqual(said.count(" levels\n"), 3, said[-3000:])
        self.assertIn("3 PEs: 6028\n", said)


if __name__ == "__main__":
    unittest.main()
