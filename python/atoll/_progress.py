"""Shows the progress of long calls by a bar of tqdm, in terminals and notebooks."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator

_SECONDS_WITHOUT_BAR = 0.5


def _is_shown() -> bool:
    """Returns whether a person watches: standard error is a terminal, or a notebook runs."""
    return "ipykernel" in sys.modules or bool(sys.stderr and sys.stderr.isatty())


@contextlib.contextmanager
def progress_bar(call: str) -> Iterator[Callable[[str, float], None] | None]:
    """Yields a function that takes the name of the present step and the fraction of it that is
    done, from 0 to 1.
    Yields None if nobody watches, or if tqdm is not installed."""
    if not _is_shown():
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    begin = time.monotonic()
    bar: Any = None

    def show(step: str, done: float) -> None:
        nonlocal bar
        if time.monotonic() - begin < _SECONDS_WITHOUT_BAR:
            return
        if bar is None:
            bar = tqdm(total=100, bar_format="{desc}: {percentage:3.0f}% |{bar}| {elapsed}", leave=False)
        bar.set_description(f"{call}: {step}")
        bar.n = round(100 * done)
        bar.refresh()

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
