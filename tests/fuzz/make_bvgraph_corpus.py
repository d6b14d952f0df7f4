#!/usr/bin/env python3
"""Writes the initial corpora of the BVGraph fuzzers into corpus/. The inputs are files of properties, and short streams
of lists. Each stream follows six bytes that bvgraph_checks.hpp explains."""

import pathlib

CORPUS = pathlib.Path(__file__).parent / "corpus"

# A stream is written as digits, one node after another. Blanks separate code words.
STREAMS = {
    "empty": "1 1 1 1 1 1 1 1",
    "residuals": "00100 1 1 100 100 1101  1  010 1 1 1010",
    "intervals": "00101 1 010 1 1  00110 1 010 011 1 100",
    "references": "00101 1 010 1 1  00101 01 1  00100 001 011 010 1  011 01 010 010 1 1 1100",
    "outdegree": "0000000000 10000000000",
    "reference": "010 001",
    "blocks": "00101 1 010 1 1  010 01 010 00101",
    "negative": "010 1 1 1011",
    "zeros": "0" * 200,
}
HEADS = {"usual": [63, 7, 4, 2, 0, 0], "small": [5, 2, 2, 0, 1, 0], "other": [20, 9, 0, 4, 4, 7]}

LEAST = ("#BVGraph properties\nversion=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=9\n"
         "arcs=12\nminintervallength=3\nmaxrefcount=3\nwindowsize=7\nzetak=3\ncompressionflags=")
PROPERTIES = {
    "usual": LEAST + "\n",
    "flags": LEAST + "OUTDEGREES_DELTA | BLOCKS_DELTA | RESIDUALS_GOLOMB | REFERENCES_GAMMA\n",
    "syntax": " a\\=\\u0041 : b\\\n   c\r\n! x\nnodes 3\narcs=\\",
    "escape": "a=\\u12\n",
    "range": LEAST + "\nnodes=99999999999999999999\n",
}


def seed(folder, name, content):
    (CORPUS / folder).mkdir(parents=True, exist_ok=True)
    (CORPUS / folder / name).write_bytes(content)


def bytes_of(digits):
    digits = digits.replace(" ", "")
    digits += "0" * (-len(digits) % 8)
    return bytes(int(digits[i:i + 8], 2) for i in range(0, len(digits), 8))


def main():
    for head, values in HEADS.items():
        for name, digits in STREAMS.items():
            seed("bvgraph_lists", f"{head}-{name}", bytes(values) + bytes_of(digits))
    for name, text in PROPERTIES.items():
        seed("bvgraph_properties", name, text.encode("latin-1"))


if __name__ == "__main__":
    main()
