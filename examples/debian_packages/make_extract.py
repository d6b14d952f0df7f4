#!/usr/bin/env python3
"""Writes an extract of this machine's package lists, for machines without apt.

Usage: make_extract.py PACKAGE... > extract_Packages
The extract contains the given packages and all packages that they need. Of each package, it contains only
the fields from which the graph is made.
"""

import collections
import sys

import package_graph as graph


def closure(roots, edges):
    """Returns the names of `roots`, and of all packages that they need directly or indirectly."""
    needs = collections.defaultdict(list)
    for package, needed in edges:
        needs[package].append(needed)
    found, waiting = set(roots), list(roots)
    while waiting:
        new = [name for name in needs[waiting.pop()] if name not in found]
        found.update(new)
        waiting += new
    return found


def main(roots):
    ignored = collections.Counter()
    texts = (graph.read(path) for path in graph.lists_of_this_machine())
    packages = graph.newest(package for text in texts for package in graph.parse(text, ignored))
    unknown = [name for name in roots if name not in packages]
    if unknown or not roots:
        print("make_extract: no such package:", *unknown or ["(none given)"], file=sys.stderr)
        return 2
    for name in sorted(closure(roots, graph.edges_of(packages, ignored))):
        package = packages[name]
        print(f"Package: {name}\nVersion: {package.version}\nPriority: {package.priority}")
        if package.provides:
            print(f"Provides: {package.provides}")
        if package.depends:
            print(f"Depends: {package.depends}")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
