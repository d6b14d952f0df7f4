"""cmake/fresh_headers.sh: what it does to commands that make precompiled headers, and to no other."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "cmake" / "fresh_headers.sh"


class FreshHeaders(unittest.TestCase):
    def run_with(self, *words):
        """The words of the command that it runs at last."""
        done = subprocess.run([SCRIPT, "printf", "%s\\n", *words], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def test_a_former_precompiled_header_is_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.gch", "a.pch", "a.o"):
                made = pathlib.Path(folder) / name
                made.touch()
                self.run_with("-c", "-o", str(made), "a.hxx")
                self.assertEqual(made.exists(), name == "a.o")

    def test_all_headers_are_part_of_the_key_of_a_precompiled_header(self):
        for name in ("a.gch", "a.pch"):
            words = self.run_with("CCACHE_EXTRAFILES=x.txt", "-o", name, "a b.hxx")
            self.assertEqual(words[1:], ["-o", name, "a b.hxx"])
            files = words[0].removeprefix("CCACHE_EXTRAFILES=").split(":")
            self.assertEqual(files[0], "x.txt")
            self.assertEqual({pathlib.Path(file).resolve() for file in files[1:]},
                             {*ROOT.glob("src/**/*.hpp"), *ROOT.glob("src/**/*.def")})

    def test_other_commands_stay_as_they_are(self):
        words = ["CCACHE_EXTRAFILES=x.txt", "-o", "a.o", "a b.cpp"]
        self.assertEqual(self.run_with(*words), words)


if __name__ == "__main__":
    unittest.main()
