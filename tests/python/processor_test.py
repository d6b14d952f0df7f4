"""Tests which of the servers in the package is chosen for which processor."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

import atoll
from atoll import _processor, _server

# What /proc/cpuinfo lists for a processor without any of the levels, and what is added later.
FIRST = "fpu cx8 cmov mmx fxsr sse sse2 syscall lm"
NEHALEM = FIRST + " pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"
SANDY_BRIDGE = NEHALEM + " avx xsave"
HASWELL = SANDY_BRIDGE + " avx2 bmi1 bmi2 f16c fma abm movbe"
SKYLAKE_SERVER = HASWELL + " avx512f avx512bw avx512cd avx512dq avx512vl"
KNIGHTS_LANDING = HASWELL + " avx512f avx512cd avx512er avx512pf"


def level(flags, built=("v2", "v3", "v4")):
    return _processor.level_of(frozenset(flags.split()), built)


class Processor(unittest.TestCase):
    def test_each_processor_gets_the_highest_level_that_it_can_run(self):
        self.assertEqual(level(NEHALEM), "v2")
        self.assertEqual(level(SANDY_BRIDGE), "v2")
        self.assertEqual(level(HASWELL), "v3")
        self.assertEqual(level(KNIGHTS_LANDING), "v3")
        self.assertEqual(level(SKYLAKE_SERVER), "v4")

    def test_each_instruction_is_needed(self):
        lower = {"v2": None, "v3": "v2", "v4": "v3"}
        for name, added in _processor.LEVELS.items():
            for one in added:
                flags = " ".join(each for each in SKYLAKE_SERVER.split() if each != one)
                with self.subTest(name + " " + one):
                    if lower[name] is None:
                        self.assertRaises(atoll.EnvironmentFault, level, flags)
                    else:
                        self.assertEqual(level(flags), lower[name])

    def test_an_avx512_processor_whose_avx_is_switched_off_is_no_v3(self):
        self.assertEqual(level(SKYLAKE_SERVER.replace(" avx ", " ")), "v2")

    def test_an_older_processor_is_refused_with_what_is_missing(self):
        with self.assertRaises(atoll.EnvironmentFault) as caught:
            level(NEHALEM.replace(" popcnt", "").replace(" sse4_2", ""))
        self.assertIn("need a processor with popcnt, sse4_2 (x86-64-v2)", str(caught.exception))
        self.assertIn("ATOLL_SERVER", str(caught.exception))

    def test_an_unknown_processor_is_refused(self):
        with self.assertRaises(atoll.EnvironmentFault) as caught:
            level("")
        for each in _processor.LEVELS["v2"]:
            self.assertIn(each, str(caught.exception))

    def test_only_servers_that_were_built_are_chosen(self):
        self.assertEqual(level(SKYLAKE_SERVER, ["v2", "v3"]), "v3")
        self.assertEqual(level(HASWELL, ["v4", "v2"]), "v2")
        with self.assertRaises(atoll.EnvironmentFault) as caught:
            level(NEHALEM, ["v4", "v3"])
        self.assertIn("(x86-64-v3)", str(caught.exception))
        self.assertNotIn("avx512", str(caught.exception))

    def test_flags_are_those_that_all_processors_have(self):
        text = "processor\t: 0\nflags\t\t: sse avx fma\nvmx flags\t: vnmi\nprocessor\t: 1\nflags\t\t: sse fma\nbugs\t\t:\n"
        self.assertEqual(_processor.flags_in(text), {"sse", "fma"})
        self.assertEqual(_processor.flags_in("CPU part\t: 0xd0c\nFeatures\t: asimd\n"), frozenset())


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def chosen(self, flags, *built):
        for each in built:
            (self.folder / f"atoll-server-{each}").touch()
        text = f"flags\t: {flags}\n"
        with mock.patch("builtins.open", mock.mock_open(read_data=text)):
            return os.path.basename(_server._packed_program(self.folder))

    def test_the_folder_of_the_package_has_a_server_for_each_level(self):
        self.assertEqual(self.chosen(HASWELL, "v2", "v3", "v4"), "atoll-server-v3")

    def test_a_package_without_servers_chooses_none(self):
        self.assertEqual(self.chosen(HASWELL), "")
        self.assertEqual(_server._packed_program(self.folder / "absent"), "")

    def test_a_missing_file_of_the_system_is_an_error(self):
        (self.folder / "atoll-server-v2").touch()
        with mock.patch("builtins.open", side_effect=FileNotFoundError(2, "No such file", "/proc/cpuinfo")):
            with self.assertRaises(atoll.EnvironmentFault) as caught:
                _server._packed_program(self.folder)
        self.assertIn("/proc/cpuinfo", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
