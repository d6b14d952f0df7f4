"""Tests that static data is exposed in programs of all kinds that compilers and linkers make.

Run it by hand as: static_data_test.py --cxx g++-12 --include src [--library=WORD...] [TEST...]
The words name all libraries for the linker: libatoll_shmem.a, the libraries that it uses, -lfmt, ... If --library is
missing, and for statically linked programs, the script itself compiles the few sources of Atoll that it needs.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SOURCES = ["shmem/static_data", "shmem/executable_data", "transport/shm/mapping", "job/signal_scope"]
BASE = ["base/error", "base/limits", "base/format"]
CASES = ["contents", "c_library", "objects", "peer_of_fork", "peer_of_exec", "forked_later",
         "untouched", "scanned", "left_out", "interrupted", "refused"]
SAYS = {"c_library": "before, after\nfirst second\nat exit\n",
        "objects": "before, after\ndestroyed\n"}
PIE, NO_PIE = ["-fPIE"], ["-fno-pie"]
# If a compiler cache is installed, it provides the objects, whatever folder the sources are in.
CACHE = ["ccache"] if shutil.which("ccache") else []
ENVIRONMENT = {**os.environ, "CCACHE_BASEDIR": str(HERE.parents[2]), "CCACHE_NOHASHDIR": "1"}
OPTIONS = argparse.Namespace(cxx="g++", include=str(HERE.parents[2] / "src"), library=[])


def compiles(command):
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


class Programs:
    """The compiled and linked files of the tests, in one folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.objects = {}

    def objects_of(self, flags):
        """Compiles the sources of the cases with these flags, and returns the object files."""
        key = " ".join(flags)
        if key not in self.objects:
            files = sorted([*HERE.glob("*.c"), *HERE.glob("*.cpp")])
            self.objects[key] = self.compile(files, [*flags, *WARNINGS])
        return self.objects[key]

    def sources_of_atoll(self, sanitizer=()):
        found = []
        for names, flags in ((SOURCES, [*sanitizer]), (BASE, [])):
            key = " ".join([*names, *flags])
            if key not in self.objects:
                files = [pathlib.Path(OPTIONS.include) / "atoll" / f"{name}.cpp" for name in names]
                self.objects[key] = self.compile(files, ["-O2", *PIE, *flags])
            found += self.objects[key]
        return found

    def compile(self, files, flags):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        commands, objects = [], []
        for file in files:
            objects.append(folder / f"{file.stem}.o")
            language = ["-x", "c", "-std=gnu11", "-D_GNU_SOURCE"] if file.suffix == ".c" else ["-std=c++20"]
            commands.append([*CACHE, OPTIONS.cxx, *language, *flags, "-DFMT_HEADER_ONLY",
                             f"-I{OPTIONS.include}", "-c", file, "-o", objects[-1]])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compiles, commands))
        return objects

    def link(self, name, objects, flags):
        program = self.folder / name
        sanitizer = [flag for flag in flags if flag.startswith("-fsanitize")]
        if OPTIONS.library and not sanitizer and not {"-static", "-static-pie"} & set(flags):
            of_atoll = ["-Wl,--start-group", *OPTIONS.library, "-Wl,--end-group"]
        else:
            of_atoll = self.sources_of_atoll(sanitizer)
        compiles([OPTIONS.cxx, *objects, *flags, *of_atoll, "-pthread", "-o", program])
        return program


class StaticData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.programs = Programs(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_case(self, command, case):
        done = subprocess.run([*command, case], input="first\nsecond\n", capture_output=True,
                              text=True, timeout=120)
        said = f"{' '.join(map(str, command))} {case}: {done.stdout}{done.stderr}"
        self.assertEqual(done.returncode, 0, said)
        self.assertEqual(done.stdout, SAYS.get(case, ""), said)

    def check(self, compiler_flags, linker_flags, cases=None, before=(), name=None):
        """Builds one program, and runs all of its cases."""
        name = name or self.id().rpartition(".")[2]
        objects = self.programs.objects_of(compiler_flags)
        program = self.programs.link(name, objects, linker_flags)
        for case in cases or CASES:
            with self.subTest(case=case, flags=compiler_flags + linker_flags):
                self.run_case([*before, program], case)

    def test_position_independent(self):
        for level in ("-O0", "-O2"):
            self.check([level, *PIE], ["-pie"], name=f"pie{level}")

    def test_at_fixed_addresses(self):
        for level in ("-O0", "-O2"):
            self.check([level, *NO_PIE], ["-no-pie"], name=f"fixed{level}")

    def test_static(self):
        for level in ("-O0", "-O2"):
            self.check([level, *NO_PIE], ["-static"], name=f"static{level}")

    def test_static_and_position_independent(self):
        self.check(["-O2", *PIE], ["-static-pie"])

    def test_bound_at_start(self):
        for form in ("-pie", "-no-pie"):
            self.check(["-O2", *PIE], [form, "-Wl,-z,now"], name=f"now{form}")
            self.check(["-O2", *PIE], [form, "-Wl,-z,lazy"], name=f"lazy{form}")

    def test_without_relro(self):
        for form in ("-pie", "-no-pie"):
            self.check(["-O2", *PIE, "-DATOLL_TEST_NO_RELRO"], [form, "-Wl,-z,norelro"],
                       name=f"norelro{form}")
        self.check(["-O2", *PIE, "-DATOLL_TEST_NO_RELRO"], ["-static", "-Wl,-z,norelro"],
                   name="norelro-static")

    def test_large_data_far_away(self):
        self.check(["-O2", *NO_PIE, "-mcmodel=medium"], ["-no-pie"])

    def test_wide_gaps_between_segments(self):
        self.check(["-O2", *PIE], ["-pie", "-Wl,-z,max-page-size=0x200000"])

    def test_linkers(self):
        for linker in ("bfd", "gold", "lld", "mold"):
            found = shutil.which(f"ld.{linker}") or shutil.which(linker)
            if not found:
                continue
            select = f"-fuse-ld={linker}"
            self.check(["-O2", *PIE], ["-pie", select], name=f"pie-{linker}")
            self.check(["-O2", *NO_PIE], ["-no-pie", select], name=f"fixed-{linker}")
            self.check(["-O2", *NO_PIE], ["-static", select], name=f"static-{linker}")
            self.check(["-O2", *PIE, "-DATOLL_TEST_NO_RELRO"],
                       ["-pie", "-Wl,-z,norelro", select], name=f"norelro-{linker}")

    def test_sanitizers_in_the_executable(self):
        """The state of the sanitizer must be part of the exposed memory."""
        cases = ["contents", "objects", "peer_of_exec", "left_out"]
        for kind, library in (("address", "asan"), ("thread", "tsan")):
            flags = ["-O1", *PIE, f"-fsanitize={kind}"]
            link = ["-pie", f"-fsanitize={kind}", f"-static-lib{library}"]
            self.check(flags, link[:2] if "clang" in OPTIONS.cxx else link, cases, name=kind)

    def test_without_random_addresses(self):
        """Without random addresses, the heap begins where .bss ends."""
        for form in ("-pie", "-no-pie"):
            self.check(["-O2", *PIE], [form], before=["setarch", "-R"], name=f"in-order{form}")
        self.check(["-O2", *PIE], ["-static"], before=["setarch", "-R"], name="in-order-static")

    def test_started_by_the_dynamic_linker(self):
        loader = pathlib.Path("/lib64/ld-linux-x86-64.so.2")
        if not loader.exists():
            self.skipTest(f"no {loader}")
        cases = [case for case in CASES if case != "peer_of_exec"]  # it starts /proc/self/exe
        self.check(["-O2", *PIE], ["-pie"], cases, [loader])

    def test_signals_at_any_moment(self):
        objects = self.programs.objects_of(["-O2", *PIE])
        for form in ("-pie", "-static"):
            program = self.programs.link(f"signals{form}", objects, [form])
            for _ in range(20):
                self.run_case([program], "interrupted")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cxx", default=OPTIONS.cxx)
    parser.add_argument("--include", default=OPTIONS.include)
    parser.add_argument("--library", action="append", default=[])
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
