#!/usr/bin/env python3
"""Writes the initial corpora of the edge-list fuzzers into corpus/. The inputs are small files of every format and
compression, both valid and invalid. Each input begins with three bytes that edge_checks.hpp explains. The script needs
the program zstd."""

import gzip
import pathlib
import struct
import subprocess

CORPUS = pathlib.Path(__file__).parent / "corpus"
FORMATS = ["el", "wel", "tsv"]
PUBLISHED = ["txt", "csv"]
HEADED = ["mtx", "gr", "konect", "metis"]
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
        "returns": b"# one\r1 2\r\n3 4\r\r5 6\r",
        "sizes": b"# one\n7 7 3\n1 2\n3 4\n5 6\n",
        "path": b"4 3\n0 1\n1 2\n2 3\n",
        "from-1": b"3 4\n1 2\n2 3\n3 1\n1 2\n",
        "unlike": b"7 7 4\n1 2\n3 4\n5 6\n",
    },
    "wel": {
        "plain": b"1 2 3\n3 4 -5\n5 6 007\n",
        "range": b"1 2 9223372036854775807\n1 2 -9223372036854775808\n1 2 9223372036854775808\n",
        "fields": b"1 2 0.5\n",
        "numbers": b"1 2 +5\n1 2 1e3\n1 2 -7.0\r1 2 .5e1\n",
        "words": b"1 2 nan\n1 2 -Infinity\n1 2 1e-999\n1 2 x\n",
        "sizes": b"4 2\n0 1 5\n1 2 7\n",
    },
    "tsv": {
        "ids": b"1\t2\n3\t4\r\n",
        "names": b"libc6\tlibgcc-s1\n# comment\nlibgcc-s1 \tlibc6\n7\t007\n",
        "late": b"1\t2\n3\t-4\n99999999999999999999\t5\nx\t6\n",
        "range": b"1\t2\n3\t-4\n",
        "columns": b"a\tb\tc\n\t\n",
        "binary": b"a\x01\tb\n",
        "titles": b"from\tto\tweight\n0\t1\t5\r1\t2\t7\n",
        "titles-of-names": b"from\tto\n0\t1\nx\t2\n",
        "titles-of-ends": b"source\ttarget\tweight\nlibc6\tzlib\t5\nx\ty\t7\n",
        "titles-elsewhere": b"id\tfrom\tto\n0\t1\t2\n",
        "weights": b"a\tb\t5\nb\tc\t 7.0\t9\nc\td\n",
        "sizes": b"from\tto\n3\t2\n0\t1\n1\t2\n",
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
        "returns": b"0 1\r1 2 # seven\r\n// one\r3 4\r",
        "weights": b"0 1 5\n1 2 7.0\r2 0 +1\n",
        "weights-lost": b"0 1 5\n1 2\n2 0 x\n3 4 1 9\n",
        "sizes": b"6 6 4\n0 5\n5 4\n1 2\n3 3\n",
        "sizes-of-weights": b"4 2\n0 1 5\n1 2 7\n",
        "doubt": b"3 2\n2 1\n1 3\n",
        "quotes": b"0,1,\"a, b\",5\n1,2,\"c\n",
    },
    "csv": {
        "plain": b"id_1,id_2\n0,23977\n1,34526\n",
        "late": b"# one\n\n\"source\";\"target\";\"rating\"\r\n6;2;4\r\n6;5;2\r\n",
        "none": b"1,2,10,1289241911.72836\n3,4,-1,1289241941.53378\n",
        "twice": b"a,b\nc,d\n1,2\n",
        "mark": b"\xef\xbb\xbffrom,to\n1,2\n",
        "number": b"1.5,to\n1,2\n",
        "sizes": b"from,to\n4,3\n0,1\n1,2\n2,3\n",
        "returns": b"source,target,weight\r0,1,5\r1,2,7\r",
        "long": b"a" + b"b" * 300 + b"\n1,2\n",
    },
}


HEADED_TEXTS = {
    "mtx": {
        "plain": b"%%MatrixMarket matrix coordinate pattern general\n% one\n\n3 4 3\n1 2\n3 4\n1 2\n",
        "integer": b"%%MatrixMarket matrix coordinate integer symmetric\r\n3 3 3\r\n1 1 -7\r\n"
                   b"3 1 007\r\n2 1 9223372036854775807",
        "real": b"%%matrixmarket MATRIX Coordinate Real General\n2 2 4\n1 1 1e3\n1 2 +2.0\n"
                b"2 1 -.5e1\n2 2 3.\n",
        "fraction": b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.5\n1 2 1e-400\n",
        "skew": b"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 3 1\n",
        "upper": b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n1 3\n",
        "range": b"%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n3 1\n",
        "zero": b"%%MatrixMarket matrix coordinate pattern general\n2 3 1\n0 1\n",
        "less": b"%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n",
        "more": b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n1 2\n",
        "rectangle": b"%%MatrixMarket matrix coordinate pattern symmetric\n3 5 1\n2 1\n",
        "unsigned": b"%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n"
                    b"1 2 18446744073709551615\n",
        "returns": b"%%MatrixMarket matrix coordinate pattern general\r% one\r2 2 1\r1 2\r",
        "array": b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
        "complex": b"%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n",
        "headless": b"%%MatrixMarket matrix coordinate pattern general\n% nothing\n",
        "nan": b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n",
        "mark": b"\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
    },
    "gr": {
        "plain": b"c one\n\np sp 4 3\na 1 2 7\nc two\na 4 4 -1\r\na 1 2 7",
        "range": b"p sp 2 1\na 1 3 7\n",
        "less": b"p sp 2 2\na 1 2 7\n",
        "more": b"p sp 2 1\na 1 2 7\na 2 1 7\n",
        "twice": b"p sp 2 1\np sp 2 1\na 1 2 7\n",
        "late": b"a 1 2 7\np sp 2 1\n",
        "edge": b"p edge 2 1\ne 1 2\n",
        "fraction": b"p sp 2 1\na 1 2 0.5\n",
        "headless": b"c nothing\n",
    },
    "konect": {
        "plain": b"% sym unweighted\n% 3 4 4\n1 2\n3\t4\n1 2\n",
        "times": b"% asym positive\n33\t33\t1\t1138206644\n33\t28\t1\t1138211184\r\n",
        "sets": b"% bip weighted\n% 3 2 4\n1 1 3\n2 1 4.0\n2 4 -5 1.5e9",
        "unsized": b"% bip unweighted\n1 1 1 12\n7 1\n2 9\n% end\n",
        "late": b"% bip unweighted\n1 x\n0 1\n",
        "fraction": b"% asym weighted\n1 2 3\n2 1 0.5\n",
        "range": b"% sym unweighted\n% 1 2 2\n1 3\n",
        "sum": b"% bip unweighted\n% 1 281474976710655 2\n1 1\n",
        "far": b"% bip unweighted\n281474976710655 2\n",
        "farther": b"% bip unweighted\n281474976710656 2\n",
        "kind": b"% sym heavy\n1 2\n",
        "less": b"% sym unweighted\n% 2 2 2\n1 2\n",
        "missing": b"% sym signed\n1 2\n",
        "counted": b"% asym positive\n1 2 2\n2 3\r3 1 4 1000000\n",
        "comment": b"% sym unweighted\n% 1 2\n% 3 4 4\n1 2\n",
    },
    "metis": {
        "plain": b"% one\n4 3\n2 3\n1 3\n% two\n1 2\n\n",
        "weights": b"3 2 1\n2 7 3 -1\n1 7\n1 -1\n",
        "sizes": b"3 2 111 2\n1 2 3 2 7 3 8\n1 2 3 1 7\n1 2 3 1 8\n",
        "loops": b"2 3\n1 1 2\n1 2 2\n\n\n",
        "odd": b"2 2\n1 2\n1\n",
        "once": b"3 3 1\n1 2\t2 1\t\n1 1\t3 5\r2 5\n",
        "fractions": b"2 1 1\n2 0.5\n1 0.5\n",
        "one-way": b"3 2\n2\n3\n1\n",
        "unequal": b"2 1 1\n2 7\n1 8\n",
        "less": b"3 1\n2\n1\n",
        "more": b"1 0\n\n\n1\n",
        "edges": b"2 2\n2\n1\n",
        "range": b"2 1\n3\n1\n",
        "format": b"2 1 2\n2\n1\n",
        "ncon": b"2 1 1 2\n2 1\n1 1\n",
        "long": b"9 0" + b" " * 300 + b"\n" + b"\n" * 9,
        "headless": b"% nothing\n",
    },
}


def zstd(data):
    return subprocess.run(["zstd", "-c", "-q"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def pack(data, packing):
    """Returns the data as one gzip member or one zstd frame. Equal data always has equal compressed bytes."""
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


def headed():
    for kind, texts in HEADED_TEXTS.items():
        for name, text in texts.items():
            seed("read_headed", f"{kind}-{name}", kind, "none", text, formats=HEADED)
        for packing in PACKINGS[1:]:
            seed("read_headed", f"{kind}-{packing}", kind, packing, texts["plain"], formats=HEADED)


def rows():
    """Writes inputs as csr_checks.hpp explains: flags (1 weighted, 2 directed, 4 the file itself), a number of parts,
    and the content."""
    path = CORPUS / "read_rows"
    path.mkdir(parents=True, exist_ok=True)
    plain = [3, 0, 1, 3, 4, 1, 0, 2, 1]
    head = struct.pack("<bqq", 0, 4, 3)
    begins = struct.pack("<4q", 0, 1, 3, 4)
    seeds = {
        "undirected": [0, 1] + plain,
        "directed": [2, 1] + plain,
        "weighted": [1, 1, 2, 0, 1, 2, 1, 7, 0, 7],
        "unequal": [1, 1, 2, 0, 1, 2, 1, 7, 0, 8],
        "one-way": [0, 1, 2, 0, 1, 1, 1],
        "loops": [0, 1, 2, 0, 3, 4, 0, 0, 1, 0],
        "odd": [0, 1, 1, 0, 1, 0],
        "backwards": [2, 1, 3, 0, 3, 1, 4, 0, 1, 2, 0],
        "range": [2, 1, 1, 0, 2, 255, 1],
        "empty": [0, 1, 0, 0],
        "raw": [4, 1] + list(head + begins + struct.pack("<4i", 1, 0, 2, 1)),
        "short": [4, 1] + list(head + begins),
        "absurd": [4, 1] + list(struct.pack("<bqq", 0, 2**62, 2**31) + begins),
        "head": [4, 1, 0, 1, 2],
        "flag": [4, 1] + list(struct.pack("<bqq", 2, 0, 0) + bytes(8)),
    }
    for name, numbers in seeds.items():
        (path / name).write_bytes(bytes(numbers))


def recognised():
    """Writes files whose content tells their format. Each input begins with a byte for the number of parts."""
    path = CORPUS / "read_recognised"
    path.mkdir(parents=True, exist_ok=True)
    rows = struct.pack("<bqq", 0, 2, 2) + struct.pack("<3q", 0, 1, 2)
    contents = {kind: HEADED_TEXTS[kind]["plain"] for kind in ("mtx", "gr", "konect")}
    contents |= {f"mtx-{packing}": pack(contents["mtx"], packing) for packing in PACKINGS[1:]}
    contents |= {"sg": rows + struct.pack("<2i", 1, 0), "wsg": rows + struct.pack("<4i", 1, 7, 0, 7)}
    contents |= {"none": b"1 2\n", "empty": b""}
    for name, content in contents.items():
        (path / name).write_bytes(b"\1" + content)


def main():
    published()
    headed()
    recognised()
    rows()
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
