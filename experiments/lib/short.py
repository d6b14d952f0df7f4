"""Formats numbers and units in few characters."""


def short(value):
    """Returns a number with three digits, and with a unit prefix if it is large."""
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if abs(value) >= limit:
            return f"{value / limit:.3g} {prefix}"
    return f"{value:.3g}"


def ratio(a, b):
    """Returns the ratio of a and b as a text. `b` may be 0."""
    return f"{short(a / b)} times" if b else "from 0"


def plain(value):
    """Returns a text unchanged, a number below 100,000 in full, and a larger number as `short` shows it."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if abs(value) < 1e5 else short(value)
