"""Turns the arrays that a user passes into arrays that the server takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import InputError

_NAMES = {np.dtype(np.int32): "<i4", np.dtype(np.uint32): "<u4", np.dtype(np.int64): "<i8",
          np.dtype(np.uint64): "<u8", np.dtype(np.float64): "<f8"}


def _as_array(values: Any, name: str) -> np.ndarray[Any, Any]:
    if hasattr(values, "to_numpy") and not isinstance(values, np.ndarray):
        values = values.to_numpy()
    elif hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        import pyarrow

        values = pyarrow.chunked_array(values).to_numpy()
    found = np.asarray(values)
    if found.ndim != 1:
        raise InputError(f"{name}: an array of one dimension is needed, and this one has {found.ndim}")
    return found


def is_text(values: np.ndarray[Any, Any]) -> bool:
    """Returns whether the elements are names: an array of strings, or of objects."""
    return values.dtype.kind in "UO"


def ids(values: Any, name: str) -> np.ndarray[Any, Any]:
    """Returns ids of vertices as an array of integers, or of strings.

    Raises:
        InputError: the elements are neither integers nor strings.
    """
    found = _as_array(values, name)
    if found.dtype.kind == "U" and isinstance(values, (list, tuple)):
        found = np.array(values, object)  # NumPy would turn integers among strings into strings
    if found.size == 0 and found.dtype.kind == "f":
        return np.empty(0, np.int64)
    if is_text(found):
        return found
    if found.dtype.kind not in "iu":
        raise InputError(f"{name}: ids of vertices are integers or strings, and not {found.dtype}")
    if found.dtype not in _NAMES:
        found = found.astype(np.int32 if found.dtype.itemsize < 4 else np.int64)
    return np.ascontiguousarray(found)


def weights(values: Any, name: str) -> np.ndarray[Any, Any]:
    """Returns weights as an array of 64-bit integers, or of doubles.

    Raises:
        InputError: the elements are not numbers.
    """
    found = _as_array(values, name)
    if found.dtype.kind == "O":
        found = found.astype(np.float64)
    if found.dtype.kind == "u" and found.size and int(found.max()) > np.iinfo(np.int64).max:
        raise InputError(f"{name}: a weight is 2^63 or more")
    if found.dtype.kind not in "iubf":
        raise InputError(f"{name}: weights are numbers, and not {found.dtype}")
    return np.ascontiguousarray(found, np.float64 if found.dtype.kind == "f" else np.int64)


def type_name(of: np.ndarray[Any, Any]) -> str:
    """Returns the name by which the server knows the type of the elements."""
    return _NAMES[of.dtype]


def text_columns(values: np.ndarray[Any, Any], name: str) -> tuple[np.ndarray[Any, Any], bytes]:
    """Returns the ends of all names within their bytes, with a leading 0, and these bytes.

    Raises:
        InputError: an element is not a string.
    """
    try:
        encoded = [each.encode() for each in values.tolist()]
    except AttributeError:
        wrong = next(i for i, each in enumerate(values.tolist()) if not isinstance(each, str))
        raise InputError(
            f"{name}: element {wrong} is {values[wrong]!r}, and the others are strings"
        ) from None
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return ends, b"".join(encoded)
