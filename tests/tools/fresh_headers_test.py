"""Tests cmake/fresh_headers.sh. The script must change commands that make precompiled headers, and no other
commands."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "cmake" / "fresh_headers.sh"


def run_with(*words):
    """Returns what the command gets: its arguments, and the settings with which ccache would search for its output."""
    command = ["sh", "-c", 'printf "%s\\n" "${CCACHE_DEPEND-}" "$@"', "sh"]
    done = subprocess.run([SCRIPT, *command, *words], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


class FreshHeaders(unittest.TestCase):
    def test_a_former_precompiled_header_is_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.gch", "a.o"):
                made = pathlib.Path(folder) / name
                made.touch()
                run_with("-c", "-o", str(made), "a.hxx")
                self.assertEqual(made.exists(), name == "a.o")

    def test_ccache_compares_the_text_of_the_headers_of_a_precompiled_one(self):
        self.assertEqual(run_with("-o", "a.gch", "a b.hxx"), ["1", "-o", "a.gch", "a b.hxx"])

    def test_other_commands_stay_as_they_are(self):
        self.assertEqual(run_with("-o", "a.o", "a b.cpp"), ["", "-o", "a.o", "a b.cpp"])


if __name__ == "__main__":
    unittest.main()
