"""Tests that docs/reference/headers.md names each public header once, and names no other header."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "headers.md"


class HeadersPage(unittest.TestCase):
    def test_the_page_has_each_public_header_once(self):
        named = re.findall(r"^\| `(atoll/[\w/]+\.hpp)`", PAGE.read_text(), re.MULTILINE)
        there = [file.relative_to(ROOT / "src").as_posix() for folder in ("atoll", "atoll/kernels")
                 for file in (ROOT / "src" / folder).glob("*.hpp")]
        self.assertEqual(sorted(named), sorted(there))


if __name__ == "__main__":
    unittest.main()
