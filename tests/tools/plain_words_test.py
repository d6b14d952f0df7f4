"""Tests tools/plain_words.py: the tool must count long sentences, and comments that begin with a pointing word such as
"It". The tool must count nothing else."""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("plain_words", ROOT / "tools" / "plain_words.py")
words = importlib.util.module_from_spec(spec)
sys.modules["plain_words"] = words
spec.loader.exec_module(words)

LONG = "A reader " + "reads " * 28 + "on."


def texts(blocks):
    return [(block.line, block.text) for block in blocks]


class Blocks(unittest.TestCase):
    def test_neighbouring_lines_of_a_comment_are_one(self):
        source = "// One\n// and two.\nint a;  ///< Three.\nint b;  ///< Four.\n\n/// Five.\n"
        self.assertEqual(texts(words.c_blocks("a.hpp", source)),
                         [(1, "One and two."), (3, "Three."), (4, "Four."), (6, "Five.")])

    def test_a_string_is_no_comment(self):
        self.assertEqual(texts(words.c_blocks("a.cpp", 'const char* a = "http://x";  // Yes.\n')), [(1, "Yes.")])

    def test_docstrings_are_read_by_paragraph_without_their_usage(self):
        source = '"""First.\n\nusage: a b\n\nSecond\nand on.\n"""\n# Third.\nx = 1\n'
        self.assertEqual(sorted(text for _, text in texts(words.python_blocks("a.py", source))),
                         ["First.", "Second and on.", "Third."])

    def test_pages_have_paragraphs_and_entries_but_no_code(self):
        page = "# Title\n\nOne\ntwo.\n- Three.\n- Four.\n\n```\nOf code.\n```\n| Of a | table |\n"
        self.assertEqual([text for _, text in texts(words.page_blocks("a.md", page))],
                         ["One two.", "Three.", "Four."])


class Counting(unittest.TestCase):
    def block(self, text):
        return words.Block("src/a.hpp", 1, text)

    def test_the_first_word_decides_what_leans(self):
        for text in ("The same for a list.", "As `put`, later.", "Of all PEs.", "So it ends.", "It is 0.",
                     "Those of PE 0.", "These are all.", "`As` said."):
            self.assertTrue(words.leans(self.block(text)), text)
        for text in ("The sum.", "Often it ends.", "Items.", "Sorts.", "Assigns a PE."):
            self.assertFalse(words.leans(self.block(text)), text)

    def test_sentences_of_more_than_thirty_words_are_long(self):
        self.assertEqual(len(words.long_sentences(self.block(LONG))), 1)
        self.assertEqual(words.long_sentences(self.block(LONG.replace("reads ", "", 1) + " Two words.")), [])

    def test_a_folder_may_have_what_is_allowed(self):
        count = words.Count()
        count.add(self.block("Of all. " + LONG))
        self.assertEqual(words.exceeding({"src": count}, {"src": (1, 1)}), [])
        self.assertIn("src: 1 leaning comments, and 0 are allowed", words.exceeding({"src": count}, {"src": (0, 1)}))
        self.assertIn("src: 1 long sentences, and 0 are allowed", words.exceeding({"src": count}, {"src": (1, 0)}))

    def test_history_is_not_read(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs" / "log").mkdir(parents=True)
            (root / "docs" / "log" / "a.md").write_text("Of old.\n")
            (root / "docs" / "b.md").write_text("Of now.\n")
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)
            subprocess.run(["git", "add", "."], cwd=root, check=True)
            self.assertEqual([block.text for block in words.blocks_of(root, ["docs"])], ["Of now."])


if __name__ == "__main__":
    unittest.main()
