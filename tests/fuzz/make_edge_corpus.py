#!/usr/bin/env python3
"""Writes the seeds of the fuzzers of edge lists into corpus/: small files of every format and
compression, right ones and wrong ones. Each begins with three bytes that edge_checks.hpp explains.
Needs the program zstd."""

import gzip
import pathlib
import subprocess

CORPUS = pathlib.Path(__file__).parent / "corpus"
FORMATS = ["el", "wel", "tsv"]
PUBLISHED = ["txt", "csv"]
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


PUBLISHED_TEXTS = {
    "txt": {
        "plain": b"# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\r\n1\t2\r\n",
        "separators": b"1,2\n3;4\n5 , 6\n\t7\t;\t8 \n9 10",
        "more": b"1 2 0.5 1082040961\n3,4,,x\n5 6 # seven\n",
        "comments": b"// one\n % two\n\n  //\n1 2\n/3 4\n",
        "empty": b"1,,2\n,1,2\n1,\n",
        "range": b"281474976710656 1\n-1 2\n",
        "titles": b"from to\n1 2\n",
        "binary": b"\xef\xbb\xbf1\r2\n\x00;\xff\n",
    },
    "csv": {
        "plain": b"id_1,id_2\n0,23977\n1,34526\n",
        "late": b"# one\n\n\"source\";\"target\";\"rating\"\r\n6;2;4\r\n6;5;2\r\n",
        "none": b"1,2,10,1289241911.72836\n3,4,-1,1289241941.53378\n",
        "twice": b"a,b\nc,d\n1,2\n",
        "mark": b"\xef\xbb\xbffrom,to\n1,2\n",
        "number": b"1.5,to\n1,2\n",
        "long": b"a" + b"b" * 300 + b"\n1,2\n",
    },
}


def zstd(data):
    return subprocess.run(["zstd", "-c", "-q"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def pack(data, packing):
    """One member or frame; the same bytes every time."""
    return {"none": bytes, "gzip": lambda d: gzip.compress(d, mtime=0), "zstd": zstd}[packing](data)


def seed(folder, name, kind, packing, content, longest=60, formats=FORMATS):
    head = bytes([formats.index(kind) + len(formats) * PACKINGS.index(packing), 1, longest])
    (CORPUS / folder).mkdir(parents=True, exist_ok=True)
    (CORPUS / folder / name).write_bytes(head + content)


def published():
    for kind, texts in PUBLISHED_TEXTS.items():
        for name, text in texts.items():
            seed("read_published", f"{kind}-{name}", kind, "none", text, formats=PUBLISHED)
        for packing in PACKINGS[1:]:
            seed("read_published", f"{kind}-{packing}", kind, packing, texts["plain"],
                 formats=PUBLISHED)


def main():
    published()
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
