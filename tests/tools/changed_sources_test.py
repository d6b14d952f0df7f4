"""Tests tools/changed_sources.py, which prints changed sources, and one source for each changed header."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "changed_sources.py"
FILES = {"src/atoll/a.cpp": '#include "atoll/a.hpp"\n', "src/atoll/a.hpp": "", "app/b.cpp": '#include "c.hpp"\n',
         "app/c.hpp": "", "app/d.cpp": "", "tests/e_test.cpp": "", ".clang-tidy": ""}


class ChangedSources(unittest.TestCase):
    """Runs a copy of the script in a small repository, whose only commit is two days old."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in FILES.items():
            self.write(name, text)
        (self.root / "tools").mkdir()
        shutil.copy(SCRIPT, self.root / "tools")
        entries = [{"file": str(self.root / name)} for name in FILES if name.endswith(".cpp")]
        self.write("build/compile_commands.json", json.dumps(entries))
        self.write(".gitignore", "build/\n")
        self.git("init", "-q")
        self.commit("2020-01-01T00:00:00")

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def git(self, *words, **variables):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@invalid", *words], cwd=self.root, check=True,
                       env=os.environ | variables)

    def commit(self, date):
        self.git("add", "-A")
        self.git("commit", "-qm", "c", "--allow-empty", GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)

    def ran(self, *words):
        return subprocess.run(["tools/changed_sources.py", "build", *words], cwd=self.root, check=True,
                              capture_output=True, text=True)

    def printed(self, *words):
        said = self.ran(*words).stdout
        return sorted(str(pathlib.Path(line).relative_to(self.root)) for line in said.split())

    def test_a_source_that_has_changed(self):
        self.commit("2020-01-03T00:00:00")
        self.write("app/d.cpp", "int d;\n")
        self.assertEqual(self.printed(), ["app/d.cpp"])
        self.commit("2020-01-03T01:00:00")
        self.assertEqual(self.printed(), ["app/d.cpp"])
        self.commit("2020-01-05T00:00:00")
        self.assertEqual(self.printed(), [])

    def test_comments_are_no_change(self):
        self.write("app/d.cpp", '// Says a.\nint d; const char* s = "// no comment";\n')
        self.commit("2020-01-03T00:00:00")
        self.commit("2020-01-05T00:00:00")
        self.write("app/d.cpp", '// Says b.\n/* More. */ int d;\n    const char* s = "// no comment";\n')
        self.assertEqual(self.printed(), [])
        self.write("app/d.cpp", '// Says a.\nint d; const char* s = "// no comment at all";\n')
        self.assertEqual(self.printed(), ["app/d.cpp"])
        self.write("app/d.cpp", '// Says a.\nint d; const char* s = "// no comment";  // NOLINT\n')
        self.assertEqual(self.printed(), ["app/d.cpp"])

    def test_other_checks_concern_all_sources_but_another_filter_of_headers_none(self):
        self.commit("2020-01-03T00:00:00")
        self.write(".clang-tidy", "HeaderFilterRegex: '/app/'\n")
        self.assertEqual(self.printed(), [])
        self.write(".clang-tidy", "Checks: bugprone-*\nHeaderFilterRegex: '/app/'\n")
        self.assertEqual(self.printed(), ["app/b.cpp", "app/d.cpp", "src/atoll/a.cpp"])

    def test_a_source_for_a_header(self):
        self.commit("2020-01-03T00:00:00")
        self.write("src/atoll/a.hpp", "int a;\n")
        self.write("app/c.hpp", "int c;\n")
        self.assertEqual(self.printed(), ["app/b.cpp", "src/atoll/a.cpp"])

    def test_headers_that_no_source_includes(self):
        self.commit("2020-01-03T00:00:00")
        self.write("tests/e.hpp", "")
        self.assertEqual(self.ran().stderr, "")
        self.write("app/e.hpp", "")
        self.assertIn("no source includes app/e.hpp", self.ran().stderr)

    def test_all_sources_but_those_of_tests(self):
        all_sources = ["app/b.cpp", "app/d.cpp", "src/atoll/a.cpp"]
        self.assertEqual(self.printed(), all_sources)  # no commit is old enough
        self.commit("2020-01-03T00:00:00")
        self.assertEqual(self.printed("--all"), all_sources)
        self.write(".clang-tidy", "Checks: '*'\n")
        self.assertEqual(self.printed(), all_sources)


if __name__ == "__main__":
    unittest.main()
