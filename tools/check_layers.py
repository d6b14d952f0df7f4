#!/usr/bin/env python3
"""Checks rules of the project that no compiler checks, and prints file:line for each violation.

- A folder of src/atoll is a layer, and each layer is on a floor. A file includes only headers of its own layer and of
  layers on lower floors. src/ includes no file of another top-level folder. Headers directly in src/atoll and in
  src/atoll/kernels are public, and belong to layers. cmake/layers.txt lists the layers, and the public headers of each
  layer. Only the layer `kernels` includes the umbrella atoll.hpp. There are at most 51 public headers.
- bench/, app/, examples/ and python/ include public headers only. reproduction/ may also include internal headers, app/ and
  bench/. Only the tests of reproduction/ include reproduction/.
- Kernels and code above the layers get PE numbers and the time from atoll/pe.hpp. PE numbers and the time never come
  from objects of the runtime.
- Files have at most 800 lines, and functions at most 40.
- Comments contain no notes of unfinished work.

Usage: check_layers.py [ROOT]. The exit status is 0 if all rules are kept, and 1 if a rule is violated.
"""

import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = "cmake/layers.txt"
LAYER = re.compile(r"^(\d+) ([a-z]+) \|[^|]*\|[^|]*\|(.*)$")
UMBRELLA = "atoll"

# Maps each top-level folder with C++ programs to the top-level folders whose files it may include, besides src.
ABOVE = {"bench": {"bench"}, "app": {"app", "bench"}, "examples": {"examples"},
         "reproduction": {"reproduction", "app", "bench"}, "python": {"python", "app"}}
# The folder that may include internal headers, because its variants of kernels reuse parts of the kernels.
INSIDE = "reproduction"
PUBLIC_HEADERS = 51

# The files below measure internal parts of the runtime, so they may use objects of the runtime.
OF_PARTS = ("bench/message_stages.cpp", "reproduction/")
REACH = re.compile(r"\bthis_pe\(\)")
REACH_OF_KERNELS = re.compile(r"\bthis_pe\(\)\s*\.\s*transport\b")

FOLDERS = ["src", "app", "bench", "examples", "experiments", "reproduction", "python", "tests", "tools", "cmake",
           "docs"]
CPP = {".cpp", ".hpp", ".h", ".c", ".def"}
TEXT = CPP | {".py", ".sh", ".cmake", ".md"}
FILE_LINES = 800
FUNCTION_LINES = 40
UNDONE = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME"]) + r")\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')

# Matches text in which braces have no meaning: a comment, a raw string, a string or a character.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b")
TEMPLATE = re.compile(r"\btemplate\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")
TYPE_HEAD = re.compile(r"\W*(?:(?:inline|static|constexpr|typedef|public|private|protected)\W+)*"
                       r"(?:namespace|class|struct|union|enum)\b")
MEMBER_INITIALIZER = re.compile(r"\)[^()]*[^:]:[^:].*[\w>]\s*$", re.DOTALL)


class Layers:
    """The content of cmake/layers.txt: the floor of each layer, and the layer of each public header."""

    def __init__(self, text):
        self.floor, self.of_header = {}, {}
        for line in text.splitlines():
            row = LAYER.match(line)
            if row:
                self.floor[row[2]] = int(row[1])
                self.of_header.update({header: row[2] for header in row[3].split()})

    def of(self, parts):
        """Returns the layer of a file from the parts of its path: 'base' for ('src', 'atoll', 'base', 'x.hpp').
        Returns None if the file is in no layer, such as a file outside of src/atoll."""
        if parts[:2] != ("src", "atoll") or len(parts) < 3:
            return None
        if len(parts) > 3:
            return parts[2]
        return self.of_header.get(pathlib.PurePosixPath(parts[2]).stem)


def is_public(there):
    return len(there) == 2 or (len(there) == 3 and there[1] == "kernels")


def include_complaint(parts, target, layers):
    """Returns the reason why a file with this path may not include `target`, or None if it may."""
    there = pathlib.PurePosixPath(target).parts
    own = layers.of(parts)
    if own is None:
        allowed = ABOVE.get(parts[0])
        if allowed is not None and there[0] in ABOVE and there[0] not in allowed:
            return f"{parts[0]}/ may not include {target}"
        public_only = allowed is not None and parts[0] != INSIDE
        if public_only and there[0] == "atoll" and not is_public(there):
            return f"{target} is internal: include a public header, src/atoll/*.hpp or src/atoll/kernels/*.hpp"
        return None
    if there[0] in ABOVE:
        return f"src/ may not include {target}"
    if there[0] != "atoll":
        return None
    if there == ("atoll", UMBRELLA + ".hpp"):
        return None if own == "kernels" else f"a layer may not include the umbrella {target}"
    other = layers.of(("src", *there))
    if other not in layers.floor:
        return f"{other or target} is no layer" if len(there) > 2 else f"{TABLE} does not list {target}"
    if other != own and layers.floor[other] >= layers.floor.get(own, -1):
        return f"layer {own} may not include layer {other} ({target})"
    return None


def reaches_too_deep(parts, line, layers):
    """Returns whether the line uses a member of the runtime for a value that a public header returns."""
    if parts[0] in ABOVE:
        return bool((REACH_OF_KERNELS if "/".join(parts).startswith(OF_PARTS) else REACH).search(line))
    return layers.of(parts) == "kernels" and bool(REACH_OF_KERNELS.search(line))


def without_directives(text):
    """Replaces preprocessor directives by blanks, and also all branches of an #if except the first. The result has as
    many lines as `text`."""
    kept, branches, continued = [], [], False
    for line in text.split("\n"):
        directive = continued or line.lstrip().startswith("#")
        continued = directive and line.endswith("\\")
        condition = CONDITION.match(line)
        if condition:
            word = condition.group(1)
            if word.startswith("if"):
                branches.append(True)
            elif branches and word == "endif":
                branches.pop()
            elif branches:
                branches[-1] = False
        kept.append("" if directive or not all(branches) else line)
    return "\n".join(kept)


def bare(text):
    """Replaces directives, comments, strings and characters by blanks. The result has as many lines as `text`."""
    def blank(match):
        return "\n" * match.group().count("\n")
    return without_directives(TOKEN.sub(blank, text))


def kind_of_brace(head, inside):
    """Returns the kind of the text that a `{` after `head` opens: 'scope', 'function', 'initializer' or 'block'."""
    if "function" in inside:
        return "block"
    if inside[-1:] == ["initializer"] or head.rstrip().endswith("="):
        return "initializer"
    if TYPE_HEAD.match(TEMPLATE.sub("", head)) or head.split() == ["extern"]:
        return "scope"
    if ")" not in head or MEMBER_INITIALIZER.search(head):
        return "initializer"
    return "function"


def long_functions(text):
    """Yields (line, length) of each C++ function longer than the limit."""
    inside, starts, head, line = [], [], "", 1
    for part in re.split(r"([{};\n])", bare(text)):
        if part == "\n":
            line += 1
            head += " "
        elif part == "{":
            inside.append(kind_of_brace(head, inside))
            starts.append(line)
            head = head if inside[-1] == "initializer" else ""
        elif part == "}" and inside:
            kind, start = inside.pop(), starts.pop()
            if kind == "function" and line - start > FUNCTION_LINES:
                yield start, line - start
            head = head + ")" if kind == "initializer" else ""
        elif part == ";":
            head = ""
        else:
            head += part


def long_python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno
            if length > FUNCTION_LINES:
                yield node.lineno, length


def place_complaint(parts, layers):
    """Returns the reason why no file may have this path, or None if a file may have it."""
    own = layers.of(parts)
    if own is not None:
        return None if own in layers.floor else f"{own} is no layer"
    if parts[:2] == ("src", "atoll") and parts[2:] != (UMBRELLA + ".hpp",):
        return f"{TABLE} does not list this public header"
    return None


def complaints_of(path, parts, layers):
    """Yields (line, text) for each rule the file breaks."""
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    misplaced = place_complaint(parts, layers)
    if misplaced:
        yield 1, misplaced
    for number, line in enumerate(lines, 1):
        if UNDONE.search(line):
            yield number, "work left undone"
        include = INCLUDE.match(line) if path.suffix in CPP else None
        complaint = include and include_complaint(parts, include.group(1), layers)
        if complaint:
            yield number, complaint
        if path.suffix in CPP and reaches_too_deep(parts, line, layers):
            yield number, "this_pe() is for the runtime: ask atoll/pe.hpp, or job_settings()"
    if len(lines) > FILE_LINES and path.suffix != ".md":
        yield FILE_LINES + 1, f"the file has {len(lines)} lines ({FILE_LINES} at most)"
    if path.suffix == ".py" or path.suffix in CPP:
        longest = long_python_functions if path.suffix == ".py" else long_functions
        for number, length in longest(text):
            yield number, f"the function has {length} lines ({FUNCTION_LINES} at most)"


def files_of(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and (path.suffix in TEXT or path.name == "CMakeLists.txt"):
                yield path


def too_many_headers(root):
    headers = sorted([*(root / "src/atoll").glob("*.hpp"), *(root / "src/atoll/kernels").glob("*.hpp")])
    if len(headers) > PUBLIC_HEADERS:
        return f"src/atoll:1: there are {len(headers)} public headers ({PUBLIC_HEADERS} at most)"
    return None


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else ROOT
    table = root / TABLE
    layers = Layers((table if table.exists() else ROOT / TABLE).read_text())
    files, broken = 0, 0
    for path in files_of(root):
        files += 1
        name = path.relative_to(root)
        for number, complaint in complaints_of(path, name.parts, layers):
            broken += 1
            print(f"{name}:{number}: {complaint}")
    too_many = too_many_headers(root)
    if too_many:
        broken += 1
        print(too_many)
    print(f"check_layers: {files} files, {broken} complaints")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
