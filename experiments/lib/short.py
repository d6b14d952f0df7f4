"""Writes numbers and units in few characters."""


def short(value):
    """Writes three digits, and a unit prefix for a large number."""
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if abs(value) >= limit:
            return f"{value / limit:.3g} {prefix}"
    return f"{value:.3g}"


def ratio(a, b):
    """Writes a over b in words; b may be 0."""
    return f"{short(a / b)} times" if b else "from 0"


def plain(value):
    """Returns the value as it was given if that is short."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if abs(value) < 1e5 else short(value)
