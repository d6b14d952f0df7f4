"""Tests a project that adds or fetches Atoll's folder. Only the library may be built, and the program must run."""

import os
import pathlib
import subprocess
import tempfile
import unittest

OUTSIDE = pathlib.Path(__file__).resolve().parent / "outside"
ROOT = OUTSIDE.parents[2]
ADDED = "add_subdirectory({root} atoll)"
FETCHED = """include(FetchContent)
FetchContent_Declare(atoll SOURCE_DIR {root})
FetchContent_MakeAvailable(atoll)"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
{atoll}
add_executable(search {outside}/search.cpp)
target_link_libraries(search PRIVATE atoll::kernels)
get_directory_property(tests DIRECTORY {root} TESTS)
if(tests OR TARGET atoll_program OR TARGET atoll_static)
  message(FATAL_ERROR "more than the library")
endif()
"""


class Subproject(unittest.TestCase):
    def build_and_run(self, atoll):
        with tempfile.TemporaryDirectory() as folder:
            project = PROJECT.format(atoll=atoll.format(root=ROOT), outside=OUTSIDE, root=ROOT)
            (pathlib.Path(folder) / "CMakeLists.txt").write_text(project)
            for command in (["cmake", "-G", "Ninja", "-B", "build", "-DCMAKE_CXX_FLAGS=-O1", "."],
                            ["cmake", "--build", "build", "-j", str(os.cpu_count()), "--target", "search"]):
                subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            alone = [f"{folder}/build/search", "--atoll-pes", "3"]
            ranks = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "3", alone[0]]
            said = {subprocess.run(command, text=True, capture_output=True, check=True).stdout
                    for command in (alone, ranks)}
            self.assertEqual(len(said), 1, said)
            self.assertRegex(said.pop(), "^[0-9]+ vertices in [0-9]+ levels\n$")

    def test_added(self):
        self.build_and_run(ADDED)

    def test_fetched(self):
        self.build_and_run(FETCHED)


if __name__ == "__main__":
    unittest.main()
