"""Tests tools/check_layers.py, which checks rules of the project that no compiler checks. The tool must report each
place that breaks a rule, and no other places."""

import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"
SPEC = importlib.util.spec_from_file_location("check_layers", SCRIPT)
check_layers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_layers)

LONG_BODY = "  x();\n" * 41


class CheckLayers(unittest.TestCase):
    def check(self, files):
        """Returns the status and the complaints of the tool for a tree of these files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            with contextlib.redirect_stdout(io.StringIO()) as output:
                status = check_layers.main([folder])
        return status, output.getvalue().splitlines()[:-1]

    def accept(self, files):
        self.assertEqual(self.check(files), (0, []))

    def refuse(self, files, *starts):
        status, complaints = self.check(files)
        self.assertEqual(status, 1)
        self.assertEqual(len(complaints), len(starts), complaints)
        for complaint, start in zip(complaints, starts):
            self.assertTrue(complaint.startswith(start), complaint)

    def test_lower_and_own_layers_may_be_included(self):
        self.accept({"src/atoll/task/a.hpp": '#include "atoll/error.hpp"\n'
                                             '#include "atoll/task/b.hpp"\n#include <vector>\n'})

    def test_a_higher_layer_may_not(self):
        self.refuse({"src/atoll/base/a.hpp": '\n#include "atoll/task/b.hpp"\n'},
                    "src/atoll/base/a.hpp:2: layer base may not include layer task")

    def test_layers_of_one_floor_may_not_include_each_other(self):
        self.refuse({"src/atoll/event/a.cpp": "#include <atoll/synchronization.hpp>\n"},
                    "src/atoll/event/a.cpp:1: layer event may not include layer sync")
        self.refuse({"src/atoll/graph/a.cpp": '#  include "atoll/shmem/x.hpp"\n'},
                    "src/atoll/graph/a.cpp:1:")

    def test_a_layer_is_one_line_of_the_table(self):
        table = "0 low | asan | |\n1 high | | low | first\n"
        include = '#include "atoll/{}"\n'
        tree = {"cmake/layers.txt": table, "src/atoll/high/a.cpp": include.format("low/b.hpp"),
                "src/atoll/first.hpp": include.format("low/b.hpp")}
        self.accept(tree)
        self.refuse(tree | {"src/atoll/low/a.cpp": include.format("high/a.hpp")},
                    "src/atoll/low/a.cpp:1: layer low may not include layer high")
        self.refuse(tree | {"src/atoll/other/a.cpp": ""}, "src/atoll/other/a.cpp:1: other is no layer")

    def test_public_headers_stand_on_the_floors_of_layers(self):
        table = "0 low | | |\n1 high | | | first\n1 beside | | | second\n2 top | | |\n"
        tree = {"cmake/layers.txt": table, "src/atoll/first.hpp": "", "src/atoll/second.hpp": ""}
        include = '#include "atoll/first.hpp"\n'
        self.accept(tree | {"src/atoll/high/a.cpp": include, "src/atoll/top/a.cpp": include})
        self.refuse(tree | {"src/atoll/low/a.cpp": include}, "src/atoll/low/a.cpp:1: layer low may not")
        self.refuse(tree | {"src/atoll/second.hpp": include}, "src/atoll/second.hpp:1: layer beside may not")
        self.refuse(tree | {"src/atoll/third.hpp": ""}, "src/atoll/third.hpp:1: cmake/layers.txt does not list")
        self.refuse(tree | {"src/atoll/top/a.cpp": '#include "atoll/third.hpp"\n'},
                    "src/atoll/top/a.cpp:1: cmake/layers.txt does not list atoll/third.hpp")

    def test_the_umbrella_is_for_users_only(self):
        self.accept({"src/atoll/atoll.hpp": '#include "atoll/graph/csr.hpp"\n',
                     "src/atoll/kernels/bfs/run.hpp": "#include <atoll/atoll.hpp>\n"})
        self.refuse({"src/atoll/memory/a.hpp": '#include "atoll/atoll.hpp"\n'},
                    "src/atoll/memory/a.hpp:1: a layer may not include the umbrella")

    def test_unknown_layers_are_refused(self):
        self.refuse({"src/atoll/base/a.hpp": '#include "atoll/nope/b.hpp"\n'},
                    "src/atoll/base/a.hpp:1: nope is no layer")
        self.refuse({"src/atoll/nope/a.hpp": ""}, "src/atoll/nope/a.hpp:1: nope is no layer")

    def test_what_stands_above_is_not_included_from_below(self):
        self.refuse({"app/top_command.cpp": '#include "atoll/kernels/bfs/run.hpp"\n'}, "app/top_command.cpp:1:")
        self.refuse({"bench/a.hpp": '#include "app/command.hpp"\n'}, "bench/a.hpp:1:")
        for name in ("app/a.cpp", "bench/a.cpp", "examples/a.cpp", "src/atoll/kernels/a/a.cpp"):
            with self.subTest(name):
                self.refuse({name: '#include "reproduction/a.hpp"\n'}, f"{name}:1: ")
        self.accept({"reproduction/a/a.cpp": '#include "app/command.hpp"\n#include "bench/a.hpp"\n'
                                             '#include "reproduction/a.hpp"\n#include "atoll/kernels/bfs/run.hpp"\n'})
        self.refuse({"reproduction/a.cpp": "x = this_pe().transport->now();\n"}, "reproduction/a.cpp:1: this_pe()")
        self.refuse({"src/atoll/graph/a.hpp": '#include "atoll/kernels/bfs/run.hpp"\n'},
                    "src/atoll/graph/a.hpp:1: layer graph may not include layer kernels")

    def test_programs_do_not_reach_into_the_runtime(self):
        reach = "x = this_pe().transport->now();\n"
        for name in ("app/a.cpp", "bench/a.hpp", "examples/a.cpp", "bench/message_stages.cpp",
                     "src/atoll/kernels/bfs/run.hpp"):
            with self.subTest(name):
                self.refuse({name: "\n" + reach}, f"{name}:2: this_pe() is for the runtime")
        self.refuse({"app/a.cpp": "f(*this_pe().counters);\n"}, "app/a.cpp:1:")
        self.accept({"src/atoll/memory/a.hpp": reach, "tests/memory/a.cpp": reach,
                     "bench/message_stages.cpp": "this_pe().messages->flush();\n",
                     "src/atoll/kernels/cc/run.hpp": "f(*this_pe().messages);\n"})

    def test_programs_include_public_headers_only(self):
        include = "#include <{}>\n"
        for name in ("app/a.cpp", "bench/a.hpp", "examples/a.cpp", "bench/copies.cpp", "bench/limits/uts.cpp",
                     "bench/peers/sort/ranks.hpp"):
            with self.subTest(name):
                self.accept({name: include.format("atoll/atoll.hpp") + include.format("atoll/pe.hpp") +
                             include.format("atoll/kernels/bfs.hpp")})
                self.refuse({name: "\n" + include.format("atoll/memory/heap.hpp")},
                            f"{name}:2: atoll/memory/heap.hpp is internal")
        self.refuse({"examples/a.cpp": include.format("atoll/kernels/bfs/run.hpp")}, "examples/a.cpp:1:")
        self.refuse({"app/kernels/sort.cpp": include.format("atoll/kernels/sort/run.hpp")}, "app/kernels/sort.cpp:1:")

    def test_public_headers_are_few(self):
        most = check_layers.PUBLIC_HEADERS
        names = [f"h{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(most)]
        tree = {"cmake/layers.txt": "0 low | | | " + " ".join(names) + "\n"}
        tree |= {f"src/atoll/{name}.hpp": "" for name in names}
        self.accept(tree)
        self.refuse(tree | {"src/atoll/kernels/a.hpp": "", "cmake/layers.txt": tree["cmake/layers.txt"] + "1 kernels | | |\n"},
                    f"src/atoll:1: there are {most + 1} public headers")

    def test_long_files(self):
        self.accept({"app/a.cpp": "\n" * 800})
        self.refuse({"app/a.cpp": "\n" * 801}, "app/a.cpp:801: the file has 801 lines")

    def test_work_left_undone(self):
        self.refuse({"docs/a.md": "one\n" + "TO" + "DO: two\n"}, "docs/a.md:2: work left undone")

    def test_long_functions_of_all_forms(self):
        for head in ("int f() {", "template <class T>\nrequires (sizeof(T) > 1)\nvoid f(T t) {",
                     "namespace a::b {\nclass c : public d<decltype(e())> {\n  int f() const {",
                     "auto f() -> std::vector<int> {", "a::a(int b) : b_{b}, c_(b) {",
                     "a::a(int b) noexcept : d{b}, b_{{1}, 2} {", "TEST(a, b) {",
                     "struct a {\n bool operator()(int) {", 'extern "C" {\nint f() {'):
            text = head + "\n" + LONG_BODY + "}" * head.count("{")
            with self.subTest(head):
                line = head.count("\n") + 1
                self.refuse({"app/a.cpp": text}, f"app/a.cpp:{line}: the function has 42 lines")

    def test_what_is_long_and_no_function(self):
        for head in ("namespace a {", "class a : public b<decltype(c())> {", "enum class a {",
                     "const int a[] = {", "struct alignas(64) a {",
                     "template <class T> struct a {"):
            with self.subTest(head):
                self.accept({"app/a.cpp": head + "\n" + "  x,\n" * 60 + "};\n"})

    def test_braces_in_comments_strings_and_branches_do_not_count(self):
        body = '  // {\n  x("{"); y(\'{\'); z(R"(\n{)"); /* {\n{ */ w(1\'000);\n'
        either = "#if A\nint f() {\n#else\nint f(int) {\n#endif\n  x();\n}\n"
        macro = "#define B(x) \\\n  do { x\n"
        self.accept({"app/a.cpp": ("int g() {\n" + body + "}\n" + either + macro) * 12})

    def test_long_python_functions(self):
        self.refuse({"tools/a.py": "def f():\n" + "    x()\n" * 41},
                    "tools/a.py:1: the function has 41 lines")


if __name__ == "__main__":
    unittest.main()
