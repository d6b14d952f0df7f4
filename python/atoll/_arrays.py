"""Turns the arrays that a user passes into arrays that the server takes."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ._errors import InputError

_Array = np.ndarray[Any, Any]
_NAMES = {
    np.dtype(np.int32): "<i4",
    np.dtype(np.uint32): "<u4",
    np.dtype(np.int64): "<i8",
    np.dtype(np.uint64): "<u8",
    np.dtype(np.float64): "<f8",
}


def _of_arrow(values: Any, name: str) -> Any:
    """Returns an array of pyarrow as an array of NumPy."""
    if values.null_count:
        raise InputError(f"{name}: {values.null_count} elements are missing (null)")
    if hasattr(values, "dictionary_decode"):
        values = values.dictionary_decode()
    return np.array(values.to_pylist()) if len(values) else np.empty(0, np.int64)


def _as_array(values: Any, name: str) -> _Array:
    try:
        if type(values).__module__.partition(".")[0] == "pyarrow":
            values = _of_arrow(values, name)
        elif hasattr(values, "to_numpy") and not isinstance(values, np.ndarray):
            values = values.to_numpy()
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            raise InputError(f"{name}: elements are masked")
        found = np.asarray(values)
        if found.dtype.kind == "U" and isinstance(values, (list, tuple)):
            found = np.array(values, object)  # NumPy turns integers among strings into strings
        elif found.dtype.kind == "T":
            found = found.astype(object)
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError) as cause:
        raise InputError(f"{name}: the elements are no array of one type: {cause}") from None
    if found.ndim != 1:
        raise InputError(f"{name}: an array of one dimension is needed, and this one has {found.ndim}")
    return found


def _of_objects(found: _Array, name: str) -> _Array:
    """Returns an object array as int64 if all elements are integers, and as float64 if all are real
    numbers. Returns an array unchanged if it is empty or has an element that is no real number."""
    kinds = set(map(type, found.tolist()))
    try:
        if kinds and all(issubclass(kind, numbers.Integral) for kind in kinds):
            return np.array(found.tolist(), np.int64)
        if kinds and all(issubclass(kind, numbers.Real) for kind in kinds):
            return np.array(found.tolist(), np.float64)
    except OverflowError:
        raise InputError(f"{name}: an element does not fit in 64 bits") from None
    return found


def is_text(values: _Array) -> bool:
    """Returns whether the elements are names: whether the array has a string type or the object
    type."""
    return values.dtype.kind in "UO"


def ids(values: Any, name: str) -> _Array:
    """Returns ids of vertices as an array of integers, or of strings.

    Raises:
        InputError: the elements are neither integers nor strings.
    """
    found = _as_array(values, name)
    if found.size == 0:
        return np.empty(0, np.int64)
    if found.dtype.kind == "O":
        found = _of_objects(found, name)
    if is_text(found):
        return found
    if found.dtype.kind not in "iu":
        raise InputError(f"{name}: ids of vertices are integers or strings, and not {found.dtype}")
    found = found.astype(found.dtype.newbyteorder("="), copy=False)
    if found.dtype not in _NAMES:
        found = found.astype(np.int32 if found.dtype.itemsize < 4 else np.int64)
    return np.ascontiguousarray(found)


def weights(values: Any, name: str) -> _Array:
    """Returns weights as an array of 64-bit integers, or of doubles.

    Raises:
        InputError: the elements are not numbers.
    """
    found = _as_array(values, name)
    if found.dtype.kind == "O":
        found = _of_objects(found, name)
    if found.dtype.kind not in "iubf":
        raise InputError(f"{name}: weights are numbers, and not {found.dtype}")
    if found.dtype.kind == "u" and found.size and int(found.max()) > np.iinfo(np.int64).max:
        raise InputError(f"{name}: a weight is 2^63 or more")
    return np.ascontiguousarray(found, np.float64 if found.dtype.kind == "f" else np.int64)


def type_name(of: _Array) -> str:
    """Returns the name by which the server knows the type of the elements."""
    return _NAMES[of.dtype]


def text_columns(values: _Array, name: str) -> tuple[_Array, bytes]:
    """Returns 0 followed by the end offset of each name, and the concatenated UTF-8 bytes of all
    names.

    Raises:
        InputError: an element is not a string.
    """
    elements = values.tolist()
    try:
        encoded = [each.encode() for each in elements]
    except AttributeError:
        wrong = next(i for i, each in enumerate(elements) if not isinstance(each, str))
        kind = type(elements[wrong]).__name__
        raise InputError(
            f"{name}: element {wrong} is {elements[wrong]!r}, of type {kind}, and no string"
        ) from None
    except UnicodeEncodeError as cause:
        raise InputError(f"{name}: a name is no text of UTF-8: {cause}") from None
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return ends, b"".join(encoded)


def positions(values: Any, name: str) -> int:
    """Returns ``values``, the number of vertices that a caller has given, as an int.

    Raises:
        InputError: the value is not an integer of at least 0.
    """
    if isinstance(values, bool) or not isinstance(values, numbers.Integral) or values < 0:
        raise InputError(f"{name}: {values!r} is no integer of at least 0")
    return int(values)
