"""Every test of every GoogleTest program must belong to exactly one ctest entry. The test runs in the build folder."""

import collections
import json
import subprocess
import unittest


def output_of(*command):
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout


def tests_in(program, *arguments):
    """Returns the tests that the program lists, as {"suite.name", ...}."""
    names, suite = set(), ""
    for line in output_of(program, "--gtest_list_tests", *arguments).splitlines():
        word = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = word
        else:
            names.add(suite + word.strip())
    return names


def programs_of_ctest():
    """Returns the filters of each program in its ctest entries, as {program: [filter, ...]}."""
    programs = collections.defaultdict(list)
    for entry in json.loads(output_of("ctest", "--show-only=json-v1"))["tests"]:
        command = entry.get("command", [])
        if len(command) == 2 and command[1].startswith("--gtest_filter="):
            programs[command[0]].append(command[1])
    return programs


class EveryTest(unittest.TestCase):
    def test_belongs_to_one_entry(self):
        programs = programs_of_ctest()
        self.assertGreater(len(programs), 5)
        for program, filters in programs.items():
            in_entries = collections.Counter()
            for chosen in filters:
                found = tests_in(program, chosen)
                self.assertTrue(found, f"{program} {chosen} runs nothing")
                in_entries.update(found)
            self.assertEqual(set(in_entries), tests_in(program), program)
            twice = [name for name, count in in_entries.items() if count > 1]
            self.assertEqual(twice, [], program)


if __name__ == "__main__":
    unittest.main()
