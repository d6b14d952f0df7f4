"""Tests that the compiler reports mistakes of newcomers. The error for each mistake must be one sentence that tells the
user what to write."""

import json
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path.cwd()
MISTAKES = [
    ("int main(int argc, char** argv) { return atl::run(argc, argv, [] {}); }",
     "write `atl::task<> program()` in place of `void program()`"),
    ("int main(int argc, char** argv) { return atl::run(argc, argv, [](int) -> atl::task<> { co_return; }); }",
     "takes no arguments: write `atl::task<> program()`"),
    ("atl::task<> f() { auto t = atl::all_barrier(); co_await t; }",
     "write `co_await std::move(name)` for a task that has a name"),
    ("atl::task<> f() { const auto s = co_await atl::all_broadcast(std::string()); }",
     "write `all_gather(std::span<const E>(value))`"),
    ("atl::task<> f() { const auto s = co_await atl::all_reduce(std::string(), std::plus()); }",
     "write `all_gather(std::span<const E>(value))`"),
    ("atl::task<> f() { const auto s = co_await atl::all_reduce(std::vector<bool>(3), std::logical_or()); }",
     "write std::vector<char>"),
    ("atl::task<> f() { int n = 0; co_await atl::parallel_for(9, [&](std::uint64_t) { ++n; }); }",
     "capture by value, as [=] does"),
    ("atl::task<> f(atl::global_array<int> a) { int n = 0; "
     "co_await atl::for_each(a, [&](std::uint64_t, int& x) { n += x; }); }",
     "capture by value, as [=] does"),
    ("atl::task<> f() { int n = 0; co_await atl::on_all_pes([&] { ++n; }); }", "capture by value, as [=] does"),
    ("atl::task<> f() { int n = 0; co_await atl::call(1, [&n] { ++n; }); }", "capture by value, as [=] does"),
    ("atl::task<> f() { int n = 0; co_await atl::together([&]() -> atl::task<> { ++n; co_return; }); }",
     "capture by value, as [=] does"),
    ("atl::task<> f() { std::vector<int> v(3); co_await atl::parallel_for(9, [v](std::uint64_t) {}); }",
     "put their elements into a global array, and capture that"),
    ("atl::task<> f() { std::string s; co_await atl::on_all_pes([s] {}); }",
     "put their elements into a global array, and capture that"),
    ("atl::task<> f() { int n = 0; n += co_await atl::from_all_pes([&]() -> atl::task<int> { co_return n; }); }",
     "capture by value, as [=] does"),
]
RIGHT = """
class particle {  // has no standard layout
 public:
  explicit particle(double where) : x(where), speed_(1) {}
  double x;
 private:
  int speed_;
};
struct line { double x; const char* name; };
atl::task<> program() {
  int n = 1;
  const char* const text = "text";
  const line at{1.5, text};
  co_await atl::parallel_for(9, [=](std::uint64_t i) { (void)(i + n + at.x + text[0]); });
  co_await atl::parallel_for(9, [&](std::uint64_t) {});
  co_await atl::on_all_pes([=] { (void)(n + at.x); });
  co_await atl::call(0, [&] {});
  const auto array = co_await atl::make_array<int>(9);
  co_await atl::for_each(array, [n](std::uint64_t, int& x) { x += n; });
  auto named = atl::all_barrier();
  co_await std::move(named);
  const std::string word = "word";
  const auto words = co_await atl::all_gather(std::span<const char>(word));
}
int main(int argc, char** argv) { return atl::run(argc, argv, program); }
"""


def compiler():
    """Returns the compiler and its flags for the tests of this folder, without the flags that write dependency
    files."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    words = next(shlex.split(each["command"]) for each in commands if "memory_tests.dir" in each["command"])
    first = next(i for i, word in enumerate(words) if re.search(r"(g\+\+|clang\+\+|c\+\+)[-0-9]*$", word))
    flags = [word for word in words[first + 1:] if re.match(r"-[ID]|-std|-O|-f(sanitize|coroutines)", word)]
    return [words[first], *flags]


def said_of(program):
    source = "#include <atoll/atoll.hpp>\n#include <string>\n" + program
    command = [*compiler(), "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=source, text=True, capture_output=True, cwd=BUILD, check=False)


class CompileErrors(unittest.TestCase):
    def test_each_mistake_is_told_with_what_to_write(self):
        program = "".join(f"namespace mistake_{i} {{ {text} }}\n" for i, (text, _) in enumerate(MISTAKES))
        done = said_of(program.replace("int main(", "int start("))
        self.assertNotEqual(done.returncode, 0)
        errors = re.sub(r"\s+", " ", done.stderr)
        for i, (text, sentence) in enumerate(MISTAKES):
            line = re.search(rf"<stdin>:{i + 3}:", errors)
            self.assertTrue(line, f"nothing is said of: {text}\n{done.stderr[:5000]}")
            self.assertIn(sentence, errors, text)
        self.assertNotIn("bit_cast", errors)
        said = len(re.findall(r"error: static assertion failed|error: static_assert failed|error: static assertion", errors))
        self.assertGreaterEqual(said, len(MISTAKES))

    def test_what_is_right_compiles(self):
        done = said_of(RIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
