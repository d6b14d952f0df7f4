"""Builds the wheel of the Python package (tools/wheel.sh), and installs it on this machine and in a bare Debian.

The test runs in the build folder. The tools come from the package index of pip. The part in a bare Debian needs root and
mmdebstrap.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ("v2", "v3", "v4")
CALL = """
import atoll
with atoll.session(pes=2):
    graph = atoll.Graph([1, 2, 3, 9], [2, 3, 1, 7])
    print(graph.components(verify=True).tolist(), graph.triangles(verify=True).facts["count"])
    print(atoll._server.server_program())
"""


def run(*command, **options):
    """Runs the command and returns what it prints. If the command fails, the error contains all its output."""
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout[-5000:]}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="atoll-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.said = run(ROOT / "tools/wheel.sh", cls.folder / "dist", "/usr/bin/python3")
        cls.wheel, = (cls.folder / "dist").glob("*.whl")
        with zipfile.ZipFile(cls.wheel) as file:
            cls.modes = {each.filename: each.external_attr >> 16 & 0o777 for each in file.infolist()}
            file.extractall(cls.folder / "content")
        cls.programs = [cls.folder / f"content/atoll/bin/atoll-server-{level}" for level in LEVELS]

    def test_one_wheel_is_for_all_pythons(self):
        self.assertRegex(self.wheel.name, r"^atoll-[0-9.]+-py3-none-manylinux_2_28_x86_64\.whl$")
        self.assertIn("requires no external shared libraries", self.said)

    def test_the_wheel_has_programs_types_and_licences(self):
        for program in self.programs:
            self.assertEqual(self.modes[f"atoll/bin/{program.name}"], 0o755)
        for name in ("atoll/py.typed", "atoll/licenses/README.txt", "atoll/licenses/LGPL-2.1.txt"):
            self.assertIn(name, self.modes)
        for library in ("libc6", "libstdc++", "libboost-context", "libcli11", "libfmt", "libhwloc", "libspdlog",
                        "libxxhash", "libzstd", "nlohmann-json3", "zlib1g"):
            texts = list((self.folder / "content/atoll/licenses").glob(library + "*.txt"))
            self.assertEqual(len(texts), 1, library)
            self.assertRegex(texts[0].read_text(errors="replace"), "(?i)(copyright|software license)", library)
        self.assertTrue([name for name in self.modes if name.endswith("/LICENSE")])
        others = [name for name in self.modes if not name.startswith(("atoll/", "atoll-"))]
        self.assertEqual(others, [])

    def test_each_program_is_static_and_of_its_level(self):
        for program in self.programs:
            parts = run("readelf", "--program-headers", "--dynamic", "--wide", program)
            self.assertNotIn("INTERP", parts)
            self.assertNotIn("NEEDED", parts)
        # The C library contains functions for all levels, so these instructions occur in each program.
        v2, v3, v4 = (run("objdump", "--disassemble", "--no-show-raw-insn", program) for program in self.programs)
        shifts = re.compile(r"\b(shlx|shrx|sarx|rorx|mulx|andn)\b")  # of v3
        masks = re.compile(r"%k[1-7]|%[xyz]mm(1[6-9]|2[0-9]|3[01])")  # of v4
        self.assertGreater(len(shifts.findall(v3)), 2 * len(shifts.findall(v2)))
        self.assertGreater(len(masks.findall(v4)), 2 * len(masks.findall(v3)))

    def test_install_run_and_uninstall(self):
        home = self.folder / "home"
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", home / "venv")
        before = {path for path in home.rglob("*") if "__pycache__" not in path.parts}
        alone = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        pip = [home / "venv/bin/pip", "--disable-pip-version-check"]
        run(*pip, "install", "--no-index", "--no-deps", self.wheel, env=alone, cwd=home)
        said = run(home / "venv/bin/python", "-c", CALL, env=alone, cwd=home)
        self.assertRegex(said, r"^\[0, 0, 0, 3, 3\] 1\n/.*/atoll/bin/atoll-server-v[234]\n$")
        run(*pip, "uninstall", "-y", "atoll", env=alone, cwd=home)
        after = {path for path in home.rglob("*") if "__pycache__" not in path.parts}
        self.assertEqual(after - before, set())

    def test_each_program_that_this_processor_can_run_computes(self):
        for level in self.levels_of_this_machine():
            server = self.folder / f"content/atoll/bin/atoll-server-{level}"
            server.chmod(0o755)
            said = run("/usr/bin/python3", "-c", CALL, cwd=self.folder,
                       env={"ATOLL_SERVER": str(server), "PYTHONPATH": str(ROOT / "python")})
            self.assertEqual(said, f"[0, 0, 0, 3, 3] 1\n{server}\n")

    def levels_of_this_machine(self):
        best = run("/usr/bin/python3", "-c", "from atoll import _processor; print(_processor.level_of_machine())",
                   env={"PYTHONPATH": str(ROOT / "python")}).strip()
        return LEVELS[: LEVELS.index(best) + 1]

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mmdebstrap"), "needs root and mmdebstrap")
    def test_a_user_without_rights_installs_it_in_a_bare_debian(self):
        (self.folder / "dist/call.py").write_text(CALL)
        said = run(ROOT / "tools/bare_debian.sh", "--bind", f"{self.folder / 'dist'}=/dist", "--", "sh", "-ec", """
            apt-get update -q
            apt-get install -qy --no-install-recommends python3-venv python3-numpy
            useradd --create-home ada
            unshare --mount sh -ec 'mount -t tmpfs -o size=64m,mode=1777 tmpfs /dev/shm
              exec setpriv --reuid ada --regid ada --clear-groups env HOME=/home/ada sh -ec "
                cd; python3 -m venv --system-site-packages venv
                venv/bin/pip install --no-index /dist/*.whl
                venv/bin/python /dist/call.py
                venv/bin/pip uninstall -y atoll"'""")
        self.assertIn("[0, 0, 0, 3, 3] 1\n/home/ada/venv", said)
        self.assertIn("Successfully uninstalled", said)


if __name__ == "__main__":
    unittest.main()
