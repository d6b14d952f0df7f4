#!/usr/bin/env python3
"""Tests that shmem.h declares all of OpenSHMEM 1.5 as the standard does, and compiles without warnings in C and in C++.

Usage by hand: declared_test.py [--cc CC] [--cxx CXX] [--include FOLDER] [ARGUMENTS OF UNITTEST].
"""

import argparse
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
C_LEVELS = ["c99", "gnu99", "c11", "c17", "gnu17"]
GENERIC_LEVELS = ["c11", "c17", "gnu17"]
CXX_LEVELS = ["c++11", "c++14", "c++17", "c++20"]
HEADERS = ["shmem.h", "shmemx.h", "pshmem.h", "mpp/shmem.h", "mpp/shmemx.h"]
# Older names are missing in the text of the standard, or are only in its list of deprecated names.
OLDER = {"_my_pe", "_num_pes", "shmalloc", "shfree", "shrealloc", "shmemalign",
         "shmem_short_wait_until", "shmem_ushort_wait_until", "shmem_short_test",
         "shmem_ushort_test"}

# The headers of SHMEM include these headers of the C library.
LIBRARY = "#include <complex.h>\n#include <stddef.h>\n#include <stdint.h>\n"
DECLARATION = re.compile(r"\bextern [^;()]*?\b(\w+)\s*\([^;]*\)\s*;")
ROW = re.compile(r"^#define (\w+)", re.MULTILINE)
OPTIONS = argparse.Namespace(cc=os.environ.get("CC", "cc"), cxx=os.environ.get("CXX", "c++"),
                             include=ROOT / "src/atoll/shmem/include")


def compiled(language, level, text, *flags):
    """Compiles `text` as a file in tests/shmem/api/, and returns the finished process of the compiler."""
    compiler = OPTIONS.cc if language == "c" else OPTIONS.cxx
    command = [*shlex.split(compiler), f"-std={level}", f"-I{OPTIONS.include}", f"-I{HERE}",
               *flags, "-x", language, "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False)


@functools.cache
def preprocessed(level, text, *flags):
    result = compiled("c", level, text, "-E", "-P", *flags)
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return result.stdout


@functools.cache
def declared():
    """Returns the names of the functions that shmem.h and shmemx.h declare."""
    ours = set(DECLARATION.findall(preprocessed("c99", "#include <shmemx.h>\n")))
    return ours - set(DECLARATION.findall(preprocessed("c99", LIBRARY)))


def listed():
    rows = (HERE / "functions.tsv").read_text().splitlines()
    return {row.split("\t")[0] for row in rows}


def macros(level):
    """Returns the macros that the headers of SHMEM define in addition to those of the C library."""
    ours = preprocessed(level, "#include <shmemx.h>\n", "-dM")
    return set(ROW.findall(ours)) - set(ROW.findall(preprocessed(level, LIBRARY, "-dM")))


class Declared(unittest.TestCase):
    def test_every_function_of_the_standard(self):
        self.assertEqual(len(listed()), 1606)
        self.assertEqual(sorted((listed() | OLDER) - declared()), [])

    def test_each_has_its_profiling_name(self):
        own = {name for name in declared() if name[:1] != "p" or name[1:] not in declared()}
        self.assertEqual(len(declared()), 2 * len(own))
        self.assertEqual(sorted({"p" + name for name in own} - declared()), [])

    def test_nothing_else_but_extensions(self):
        known = listed() | OLDER
        others = declared() - known - {"p" + name for name in known}
        form = re.compile(r"p?shmemx_(\w+_(and|or|xor|max|min|sum|prod)_reduce_to"
                          r"|\w+_f?collect_to|f?collectmem_to)")
        self.assertEqual(sorted(name for name in others if not form.fullmatch(name)), [])
        self.assertEqual(len(others), 2 * (142 + 48 + 2))

    def test_macros_keep_to_the_prefixes(self):
        for level in ("c99", "c11"):
            with self.subTest(level=level):
                strange = [name for name in macros(level)
                           if not re.match(r"(_?SHMEM|ATOLL_SHMEMX?|shmemx?)_", name)]
                self.assertEqual(strange, [])
                self.assertNotIn("ATOLL_SHMEM_FUNCTION", macros(level))

    def test_a_generic_name_selects_functions_of_that_name(self):
        names = [name for name in macros("c11") if re.match("shmemx?_", name)]
        calls = "".join(f"GENERIC {name} {name}(a, b)\n" for name in names if name != "shmem_sync")
        text = preprocessed("c11", "#include <shmemx.h>\n" + calls)
        selections = re.findall(r"GENERIC (\w+) ([^;]*?)\(a, b\)\s", text)
        self.assertEqual(len(selections), 75)
        for name, selection in selections:
            self.assert_all_called(name, re.findall(r"\bshmem[a-z0-9]*_(?!ctx_t\b)\w+", selection))

    def test_an_overload_calls_a_function_of_its_name(self):
        result = compiled("c++", "c++11", "#include <shmemx.h>\n", "-E", "-P")
        overloads = re.findall(r"inline [^();{}]*\b(shmemx?_\w+)\s*\([^{}]*\{ return (\w+)",
                               result.stdout)
        self.assertEqual(len({name for name, _ in overloads}), 76)
        for name, function in overloads:
            if function != "shmem_team_sync":
                self.assert_all_called(name, [function])

    def assert_all_called(self, name, functions):
        prefix, operation = name.split("_", 1)
        self.assertTrue(functions, name)
        for function in functions:
            self.assertRegex(function, f"^{prefix}_(ctx_)?[a-z0-9]+_{operation}$")

    def test_the_version_is_that_of_the_project(self):
        version = re.search(r"project\(atoll VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        text = preprocessed("c99", "#include <shmem.h>\nvendor: SHMEM_VENDOR_STRING\n")
        self.assertIn(f'vendor: "Atoll {version.group(1)}"', text)


class Compiles(unittest.TestCase):
    def assert_clean(self, language, levels, text):
        for level in levels:
            with self.subTest(level=level):
                result = compiled(language, level, text, *WARNINGS, "-fsyntax-only")
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def refused(self, language, level, call):
        text = ("#include <shmem.h>\n"
                "void f(void* v, char* c, float* r, shmem_ctx_t ctx, shmem_team_t team);\n"
                "void f(void* v, char* c, float* r, shmem_ctx_t ctx, shmem_team_t team)\n"
                f"{{ (void)v; (void)c; (void)r; (void)ctx; (void)team; {call}; }}\n")
        return compiled(language, level, text, "-fsyntax-only").returncode != 0

    def test_each_header_alone(self):
        for header in HEADERS:
            text = f"#include <{header}>\nint main(void) {{ return shmem_my_pe(); }}\n"
            self.assert_clean("c", C_LEVELS[:1], text)
            self.assert_clean("c++", CXX_LEVELS[:1], text)

    def test_all_headers_twice(self):
        text = "".join(f"#include <{header}>\n" for header in HEADERS + HEADERS[::-1])
        self.assert_clean("c", C_LEVELS, text)
        self.assert_clean("c++", CXX_LEVELS, text)

    def test_prototypes_are_those_of_the_standard(self):
        text = '#include "standard_prototypes.h"\n'
        self.assert_clean("c", C_LEVELS, text)
        self.assert_clean("c++", CXX_LEVELS, text)

    def test_generic_names_in_c11(self):
        self.assert_clean("c", GENERIC_LEVELS, '#include "c11_generics.c"\n')

    def test_overloads_in_cxx(self):
        self.assert_clean("c++", CXX_LEVELS, '#include "cxx_overloads.cpp"\n')

    def test_c99_has_no_generic_name(self):
        self.assertEqual([name for name in macros("c99") if name.startswith("shmem")], [])

    def test_every_generic_name_is_used(self):
        generic = {name for name in macros("c11") if name.startswith("shmem")}
        used = set(re.findall(r"\b(shmemx?_\w+)\(", (HERE / "every_generic_name.h").read_text()))
        self.assertEqual((len(generic), sorted(generic - used)), (76, []))

    def test_a_type_without_the_operation_is_refused(self):
        for call in ("shmem_put(ctx, v, v, 1, 0)", "shmem_put(v, v, 1, 0)",
                     "shmem_atomic_add(c, 1, 0)", "shmem_atomic_add(ctx, r, 1, 0)",
                     "shmem_and_reduce(team, r, r, 1)", "shmem_test(r, SHMEM_CMP_EQ, 1)"):
            for language, level in (("c", "c11"), ("c++", "c++11")):
                with self.subTest(call=call, level=level):
                    self.assertTrue(self.refused(language, level, call))
        self.assertFalse(self.refused("c", "c11", "shmem_put(ctx, c, c, 1, 0)"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", default=OPTIONS.cc)
    parser.add_argument("--cxx", default=OPTIONS.cxx)
    parser.add_argument("--include", type=pathlib.Path, default=OPTIONS.include)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
