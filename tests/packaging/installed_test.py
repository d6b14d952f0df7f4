"""Other projects must be able to use the installed files, even after the folder is moved. Projects find the files by
CMake and by pkg-config. The projects link a shared or a static library, or load a shared object that contains the
library. The programs run alone, and as ranks of both MPI libraries.

The test runs in the build folder.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

OUTSIDE = pathlib.Path(__file__).resolve().parent / "outside"
ROOT = OUTSIDE.parents[2]
UPDATES = "3 PEs: 6028\n"  # 7 + 1007 + 2007 + 3007
LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "3"],
    "mpich": ["mpiexec.mpich", "-n", "3"],
}


def run(*command, **options):
    """Runs the command and returns what it prints. If the command fails, the error contains all its output."""
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          check=False, timeout=600, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="atoll-installed-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        run("cmake", "--install", ".", "--prefix", cls.folder / "before")
        cls.prefix = cls.folder / "moved to" / "another place"
        cls.prefix.parent.mkdir()
        (cls.folder / "before").rename(cls.prefix)
        cls.library = next(cls.prefix.glob("lib/**/libatoll.so"))
        cls.built = cls.folder / "by cmake"
        cls.build_by_cmake(cls.built)

    @classmethod
    def build_by_cmake(cls, folder, *options):
        """Builds a project with CMake. If a compiler cache is installed, it provides the objects, whatever the name of
        the temporary folder is."""
        if shutil.which("ccache"):
            options += tuple(f"-DCMAKE_{language}_COMPILER_LAUNCHER=env;CCACHE_BASEDIR={cls.folder};CCACHE_NOHASHDIR=1;ccache"
                             for language in ("C", "CXX"))
        run("cmake", "-S", OUTSIDE, "-B", folder, f"-DCMAKE_PREFIX_PATH={cls.prefix}",
            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror", *options)
        run("cmake", "--build", folder)

    def found(self, *command):
        """Runs a search, and returns the number of vertices that it reached."""
        line = run(*command)
        self.assertRegex(line, r"^[0-9]+ vertices in [0-9]+ levels\n$")
        return line

    def test_a_program_runs_on_three_pes(self):
        three = self.found(self.built / "search", "--atoll-pes", "3")
        self.assertEqual(three, self.found(self.built / "search", "--atoll-pes", "1"))

    def test_a_shared_object_is_loaded_and_runs_jobs(self):
        command = [self.built / "host", self.built / "libupdates.so", "--atoll-pes", "3"]
        for kind in ("process", "thread"):
            self.assertEqual(run(*command, "--atoll-pe-kind", kind), UPDATES)
        self.assertEqual(run(*command, "--atoll-transport", "sim"), UPDATES)

    def test_ranks_find_the_plug_ins(self):
        for library, launcher in LAUNCHERS.items():
            if not list(self.library.parent.glob(f"atoll/libatoll_mpi_{library}.so")):
                print(f"no {library} here")
                continue
            with self.subTest(library=library):
                alone = self.found(self.built / "search", "--atoll-pes", "3")
                self.assertEqual(self.found(*launcher, self.built / "search"), alone)
                loaded = run(*launcher, self.built / "host", self.built / "libupdates.so")
                self.assertEqual(loaded, UPDATES)

    def test_the_static_library_is_found_with_what_it_needs(self):
        folder = self.folder / "static"
        self.build_by_cmake(folder, "-DBUILD_SHARED_LIBS=OFF")
        self.assertNotIn("libatoll", run("readelf", "-d", folder / "search"))
        self.found(folder / "search", "--atoll-pes", "3")
        if list(self.library.parent.glob("atoll/libatoll_mpi_openmpi.so")):
            self.found(*LAUNCHERS["openmpi"], folder / "search")

    def built_by_pkg_config(self, package, compiler, source):
        # The name of the folder has no blanks, because pkg-config and the shell would have to quote them.
        prefix = self.folder / f"plain-{package}"
        shutil.copytree(self.prefix, prefix, symlinks=True)
        files = next(prefix.glob("lib/**/pkgconfig"))
        said = run("pkg-config", "--cflags", "--libs", package,
                   env=os.environ | {"PKG_CONFIG_PATH": str(files)})
        program = self.folder / f"{package}_by_pkg_config"
        run(compiler, "-O1", OUTSIDE / source, "-o", program, *said.split(),
            f"-Wl,-rpath,{files.parent}")
        return program

    def test_pkg_config_says_how_to_compile(self):
        self.found(self.built_by_pkg_config("atoll", "g++", "search.cpp"), "--atoll-pes", "3")

    def assert_adds_up(self, program):
        oshrun = self.prefix / "bin" / "oshrun"
        self.assertEqual(run(program), "1 PEs: 1\n")
        self.assertEqual(run(oshrun, "-np", "3", program), "3 PEs: 6\n")
        for library, launcher in LAUNCHERS.items():
            if list(self.library.parent.glob(f"atoll/libatoll_mpi_{library}.so")):
                self.assertEqual(run(*launcher, program), "3 PEs: 6\n")

    def test_openshmem_programs_are_built_by_cmake(self):
        self.assert_adds_up(self.built / "shmem_sum")

    def test_openshmem_programs_are_built_by_the_wrappers(self):
        source = OUTSIDE / "shmem_sum.c"
        for wrapper in ("oshcc", "oshc++"):
            wrapper = self.prefix / "bin" / wrapper
            with self.subTest(wrapper=wrapper.name):
                program = self.folder / "by wrapper"
                run(wrapper, "-O1", source, "-o", program)
                self.assert_adds_up(program)
                run(wrapper, "-c", source, "-o", self.folder / "part.o")
                run(wrapper, self.folder / "part.o", "-o", program)
                self.assert_adds_up(program)
                self.assertIn("-latoll", run(wrapper, "--showme", source))
                self.assertNotIn("-latoll", run(wrapper, "--showme", "-c", source))

    def test_openshmem_programs_are_built_by_pkg_config(self):
        self.assert_adds_up(self.built_by_pkg_config("atoll-shmem", "gcc", "shmem_sum.c"))

    def test_public_headers_are_installed_with_what_they_include(self):
        def public(folder):
            return sorted(str(file.relative_to(folder)) for deep in ("", "kernels/")
                          for file in folder.glob(deep + "*.hpp"))
        include = self.prefix / "include" / "atoll"
        headers = public(include)
        self.assertEqual(headers, public(ROOT / "src" / "atoll"))
        source = self.folder / "all_headers.cpp"
        source.write_text("".join(f"#include <atoll/{header}>\n" for header in reversed(headers)))
        run("g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{include.parent}", source)

    def test_internal_headers_are_installed_only_where_public_ones_include_them(self):
        files = sorted((self.prefix / "include" / "atoll").rglob("*.hpp"))
        text = "".join(file.read_text() for file in files)
        for file in files:
            name = file.relative_to(self.prefix / "include").as_posix()
            if name.count("/") > 1 and not re.fullmatch(r"atoll/kernels/\w+\.hpp", name):
                self.assertRegex(text, rf'#include ["<]{name}[">]')
        self.assertFalse((self.prefix / "include" / "atoll" / "kernels" / "bfs" / "run.hpp").exists())

    def test_shmem_info_says_what_it_is(self):
        self.assertIn("OpenSHMEM 1.5", run(self.prefix / "bin" / "shmem_info"))

    def test_no_folder_of_the_build_stands_in_what_is_installed(self):
        for file in self.prefix.rglob("*"):
            if file.is_file() and (file.suffix in (".cmake", ".pc") or file.name.startswith("oshc")):
                self.assert_names_no_folder(file.read_text(), file)
        self.assert_names_no_folder(run("readelf", "-d", self.library), self.library)

    def assert_names_no_folder(self, text, of):
        for folder in (os.getcwd(), ROOT / "src"):  # the project itself may lie in /atoll, a part of many paths
            self.assertNotIn(str(folder), text, of)

    def test_the_program_is_installed(self):
        self.assertIn("verified", run(self.prefix / "bin" / "atoll", "bench", "gups", "--verify",
                                      "--pes", "3", "--log2-table", "10"))


if __name__ == "__main__":
    unittest.main()
