#!/usr/bin/env python3
"""Writes the seeds of the fuzzers of edge lists into corpus/: small files of every format and
compression, right ones and wrong ones. Each begins with three bytes that edge_checks.hpp explains.
Needs the program zstd."""

import gzip
import pathlib
import subprocess

CORPUS = pathlib.Path(__file__).parent / "corpus"
FORMATS = ["el", "wel", "tsv"]
PACKINGS = ["none", "gzip", "zstd"]

TEXTS = {
    "el": {
        "plain": b"1 2\n3 4\n5 6\n",
        "blanks": b"# comment\r\n% another\n\n \t1\t 2 \r\n\t\n007 281474976710655",
        "range": b"1 2\n281474976710656 3\n",
        "overflow": b"18446744073709551617 -1\n",
        "fields": b"1\n1 2 3\n",
        "binary": b"\xef\xbb\xbf1 2\n\x00\xff\x1b\n",
        "long": b"#" + b"." * 300 + b"\n1 2\n",
    },
    "wel": {
        "plain": b"1 2 3\n3 4 -5\n5 6 007\n",
        "range": b"1 2 9223372036854775807\n1 2 -9223372036854775808\n1 2 9223372036854775808\n",
        "fields": b"1 2 0.5\n",
    },
    "tsv": {
        "ids": b"1\t2\n3\t4\r\n",
        "names": b"libc6\tlibgcc-s1\n# comment\nlibgcc-s1 \tlibc6\n7\t007\n",
        "late": b"1\t2\n3\t-4\n99999999999999999999\t5\nx\t6\n",
        "range": b"1\t2\n3\t-4\n",
        "columns": b"a\tb\tc\n\t\n",
        "binary": b"a\x01\tb\n",
    },
}


def zstd(data):
    return subprocess.run(["zstd", "-c", "-q"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def pack(data, packing):
    """One member or frame; the same bytes every time."""
    return {"none": bytes, "gzip": lambda d: gzip.compress(d, mtime=0), "zstd": zstd}[packing](data)


def seed(folder, name, kind, packing, content, longest=60):
    head = bytes([FORMATS.index(kind) + 3 * PACKINGS.index(packing), 1, longest])
    (CORPUS / folder).mkdir(parents=True, exist_ok=True)
    (CORPUS / folder / name).write_bytes(head + content)


def main():
    for kind, texts in TEXTS.items():
        for name, text in texts.items():
            seed("read_edges", f"{kind}-{name}", kind, "none", text)
        for packing in PACKINGS[1:]:
            text = texts.get("plain", texts.get("names"))
            seed("read_edges", f"{kind}-{packing}", kind, packing, text)
            packed = pack(text, packing)
            unpack = {"whole": packed, "twice": packed + pack(b"", packing) + packed,
                      "cut": packed[:-3], "tail": packed + b"tail", "zeros": packed + bytes(20),
                      "long": pack(text * 50, packing)}
            for name, content in unpack.items():
                seed("unpack_edges", f"{kind}-{packing}-{name}", kind, packing, content)


if __name__ == "__main__":
    main()
