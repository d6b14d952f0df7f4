#!/usr/bin/env python3
"""Converts Debian package lists to the dependency graph of all packages: a list of edges between names.

If package A needs package B (Depends or Pre-Depends), the output has a line `A<TAB>B`. Lines are sorted.

- If a package has several versions, the highest version is used.
- Of alternatives `x | y`, the first that exists is used. If none exists, there is no edge.

- If only other packages provide a name, the name stands for one of these packages: the one with the
  highest priority, or the first by name if priorities are equal. Every vertex is thus a real package.

Entries that cannot be parsed are left out and counted.

Usage: package_graph.py OUTPUT.tsv [LIST...]; without LIST the lists of this machine's apt are read,
or, where there are none, the extract beside this file.
"""

import collections
import pathlib
import re
import subprocess
import sys

LISTS = pathlib.Path("/var/lib/apt/lists")
APT_HELPER = pathlib.Path("/usr/lib/apt/apt-helper")
EXTRACT = pathlib.Path(__file__).with_name("extract_Packages")

NAME = r"[a-z0-9][a-z0-9+.-]+"
FIELD = re.compile(r"^(Package|Version|Priority|Provides|Depends|Pre-Depends):[ \t]*"
                   r"(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
PACKAGE = re.compile(NAME + r"\Z")
RELATION = re.compile(rf"\s*({NAME})(?::[a-z0-9-]+)?\s*(?:\([^()]*\)\s*)?(?:\[[^\]]*\]\s*)?\Z")
PRIORITIES = ["required", "important", "standard", "optional", "extra"]

Package = collections.namedtuple("Package", "name version priority provides depends")


def version_key(version):
    """Returns a key that orders versions as Debian does: by epoch, then by runs of non-digits and digits."""
    def order(character):
        if character == "~":
            return -1
        return ord(character) if character.isalpha() else ord(character) + 256

    epoch, _, rest = version.rpartition(":")
    upstream, _, revision = rest.rpartition("-") if "-" in rest else (rest, "", "")
    key = [int(epoch) if epoch.isdigit() else 0]
    for part in (upstream, revision):
        runs = re.findall(r"(\D*)(\d*)", part)
        key.append([([order(c) for c in text] + [0], int(digits or 0)) for text, digits in runs])
    return key


def names_in(field, malformed):
    """Returns the alternatives of each relation: 'a (>= 1) | b, c' -> [['a', 'b'], ['c']]."""
    relations = []
    for relation in field.split(",") if field.strip() else []:
        alternatives = [RELATION.match(text) for text in relation.split("|")]
        malformed["relations"] += alternatives.count(None)
        relations.append([match.group(1) for match in alternatives if match])
    return relations


def parse(text, malformed):
    """Yields the packages of one list."""
    for stanza in re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n")):
        fields = dict(FIELD.findall(stanza))
        name = fields.get("Package", "").strip()
        if PACKAGE.match(name):
            depends = fields.get("Pre-Depends", "") + "," + fields.get("Depends", "")
            version, priority = (fields.get(key, "").strip() for key in ("Version", "Priority"))
            yield Package(name, version, priority, fields.get("Provides", ""), depends.strip(","))
        elif stanza.strip():
            malformed["stanzas"] += 1


def newest(packages):
    """Maps each name to its package. If there are several versions, the highest is used."""
    best = {}
    for package in packages:
        other = best.get(package.name)
        if other is None or version_key(other.version) < version_key(package.version):
            best[package.name] = package
    return best


def providers_of(packages, malformed):
    """Maps each virtual name to the real package that stands for it."""
    def rank(package):
        known = package.priority in PRIORITIES
        return (PRIORITIES.index(package.priority) if known else len(PRIORITIES), package.name)

    best = {}
    for package in packages.values():
        for names in names_in(package.provides, malformed):
            for name in names:
                if name not in best or rank(package) < rank(best[name]):
                    best[name] = package
    return {name: package.name for name, package in best.items()}


def edges_of(packages, malformed):
    """Returns the set of pairs (package, package it needs)."""
    providers = providers_of(packages, malformed)
    edges = set()
    for package in packages.values():
        for alternatives in names_in(package.depends, malformed):
            real = (n if n in packages else providers.get(n) for n in alternatives)
            needed = next(filter(None, real), None)
            if needed and needed != package.name:
                edges.add((package.name, needed))
    return edges


def read(path):
    """Returns the text of a list. Apt stores lists plain or compressed."""
    if path.suffix in {".lz4", ".gz", ".xz", ".zst", ".bz2"}:
        data = subprocess.check_output([APT_HELPER, "cat-file", path])
    else:
        data = path.read_bytes()
    return data.decode("utf-8", "replace")


def lists_of_this_machine():
    found = sorted(path for path in LISTS.glob("*_Packages*") if path.is_file())
    return found if found and APT_HELPER.exists() else [EXTRACT]


def origin_of(lists):
    return "the extract in the repository" if lists == [EXTRACT] else f"{len(lists)} list(s)"


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.split("\n\n")[-1].strip(), file=sys.stderr)
        return 2
    output = pathlib.Path(arguments[0])
    lists = [pathlib.Path(name) for name in arguments[1:]] or lists_of_this_machine()
    malformed = collections.Counter()
    try:
        packages = newest(package for path in lists for package in parse(read(path), malformed))
        edges = sorted(edges_of(packages, malformed))
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text("".join(f"{a}\t{b}\n" for a, b in edges))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"package_graph: {error}", file=sys.stderr)
        return 2
    for what, count in malformed.items():
        if count:
            print(f"package_graph: {count} malformed {what} left out", file=sys.stderr)
    print(f"{len(packages):,} packages with {len(edges):,} dependencies, from {origin_of(lists)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
