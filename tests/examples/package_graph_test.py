"""Tests examples/debian_packages: the relations that become edges, and the treatment of malformed lists."""

import collections
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "debian_packages"
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))
import make_extract  # noqa: E402
import package_graph as graph  # noqa: E402


def edges(text):
    """Returns 'A B' for each edge of the list, and the malformed parts."""
    malformed = collections.Counter()
    packages = graph.newest(graph.parse(text, malformed))
    return sorted(" ".join(edge) for edge in graph.edges_of(packages, malformed)), +malformed


def stanza(name, **fields):
    lines = [f"Package: {name}"] + [f"{key.replace('_', '-')}: {fields[key]}" for key in fields]
    return "\n".join(lines) + "\n\n"


class Edges(unittest.TestCase):
    def expect(self, text, expected, malformed=None):
        self.assertEqual(edges(text), (expected, malformed or {}))

    def test_depends_and_pre_depends(self):
        self.expect(stanza("aa", Depends="bb (>= 1:2.0~), cc:any [amd64] ", Pre_Depends="dd") +
                    stanza("bb") + stanza("cc") + stanza("dd"), ["aa bb", "aa cc", "aa dd"])

    def test_other_fields_make_no_edge(self):
        self.expect(stanza("aa", Suggests="bb", Recommends="bb") + stanza("bb"), [])

    def test_first_alternative_that_exists(self):
        self.expect(stanza("aa", Depends="zz | cc (>= 1) | bb") + stanza("bb") + stanza("cc"),
                    ["aa cc"])

    def test_what_nobody_has_makes_no_edge(self):
        self.expect(stanza("aa", Depends="zz | yy, bb") + stanza("bb"), ["aa bb"])

    def test_virtual_names_stand_for_the_provider_of_highest_priority(self):
        self.expect(stanza("aa", Depends="awk") +
                    stanza("gawk", Provides="awk", Priority="optional") +
                    stanza("mawk", Provides="awk (= 1), xx", Priority="required"), ["aa mawk"])

    def test_of_equal_priority_the_first_by_name(self):
        self.expect(stanza("aa", Depends="mta") + stanza("postfix", Provides="mta") +
                    stanza("exim", Provides="mta"), ["aa exim"])

    def test_a_real_package_goes_before_its_providers(self):
        self.expect(stanza("aa", Depends="bb") + stanza("bb") + stanza("cc", Provides="bb"),
                    ["aa bb"])

    def test_cycles_stay_and_self_loops_and_twins_go(self):
        self.expect(stanza("aa", Depends="bb, aa, bb (>= 2)") + stanza("bb", Depends="aa"),
                    ["aa bb", "bb aa"])

    def test_the_highest_version_counts(self):
        for low, high in (("1.9", "1.10"), ("2.0~rc1", "2.0"), ("9", "1:1"), ("1-1", "1-1+u1")):
            for first, second in ((low, high), (high, low)):
                needed = {low: "old", high: "new"}
                self.expect(stanza("aa", Version=first, Depends=needed[first]) +
                            stanza("aa", Version=second, Depends=needed[second]) +
                            stanza("old") + stanza("new"), ["aa new"])


class Malformed(unittest.TestCase):
    def expect(self, text, expected, malformed=None):
        self.assertEqual(edges(text), (expected, malformed or {}))

    def test_stanza_without_a_name(self):
        self.expect("Version: 1\nDepends: bb\n\n" + stanza("bb"), [], {"stanzas": 1})

    def test_stanza_with_a_bad_name(self):
        self.expect("Package: a\tb\n\n" + stanza("<aa>") + stanza("bb"), [], {"stanzas": 2})

    def test_garbage_between_stanzas(self):
        self.expect("\n\n\x00\x01 no list\n\n" + stanza("aa", Depends="bb") + stanza("bb"),
                    ["aa bb"], {"stanzas": 1})

    def test_bad_relations_are_left_out(self):
        self.expect(stanza("aa", Depends="bb, (>= 1), ,cc |, dd (") + stanza("bb") + stanza("cc") +
                    stanza("dd"), ["aa bb", "aa cc"], {"relations": 4})

    def test_folded_fields_and_other_line_ends(self):
        self.expect("Package: aa\r\nDepends: bb,\r\n cc\r\n\r\nPackage: bb\r\n \t\r\nPackage: cc",
                    ["aa bb", "aa cc"])

    def test_empty_list(self):
        self.expect("", [])
        self.expect("\n\n \n", [])


class Program(unittest.TestCase):
    def run_main(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = graph.main(list(map(str, arguments)))
        return status, output.getvalue(), errors.getvalue()

    def test_writes_sorted_edges_of_all_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two, out = (pathlib.Path(folder, name) for name in ("1", "2", "new/out.tsv"))
            one.write_text(stanza("bb", Depends="aa"))
            two.write_text(stanza("aa", Depends="bb") + "broken\n")
            status, output, errors = self.run_main(out, one, two)
            self.assertEqual((status, out.read_text()), (0, "aa\tbb\nbb\taa\n"))
            self.assertIn("2 packages with 2 dependencies", output)
            self.assertIn("1 malformed stanzas left out", errors)

    def test_missing_list(self):
        with tempfile.TemporaryDirectory() as folder:
            status, _, errors = self.run_main(f"{folder}/out.tsv", f"{folder}/none")
        self.assertEqual(status, 2)
        self.assertIn("none", errors)

    def test_usage(self):
        self.assertEqual(self.run_main()[0], 2)
        self.assertEqual(self.run_main("--help")[0], 2)


class Extract(unittest.TestCase):
    def test_it_is_well_formed_closed_and_knows_libc6(self):
        malformed = collections.Counter()
        packages = graph.newest(graph.parse(graph.read(graph.EXTRACT), malformed))
        self.assertFalse(+malformed)
        self.assertIn("libc6", packages)
        self.assertGreater(len(packages), 200)
        providers = graph.providers_of(packages, malformed)
        for package in packages.values():
            for alternatives in graph.names_in(package.depends, malformed):
                self.assertTrue(any(n in packages or n in providers for n in alternatives),
                                f"{package.name} needs {alternatives}")

    def test_closure(self):
        edges_there = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
        self.assertEqual(make_extract.closure(["a"], edges_there), {"a", "b", "c"})


if __name__ == "__main__":
    unittest.main()
