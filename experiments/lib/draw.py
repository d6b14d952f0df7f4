"""Draws pictures with matplotlib. In curves and in bars, published values have another colour than measured
values."""

import math
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of what draws)
from matplotlib import ticker  # noqa: E402

from lib.short import plain, short  # noqa: E402

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
PUBLISHED = "#777777"
MARKS = "osD^vP"
WIDE = 50  # factor between values; above it bars have a log scale, and curves have one tick per decade
WIDTH = 8
LETTERS_AN_INCH = 11  # of a title


def picture(figure, data, file):
    made = plot(figure, data)
    unfinished = file.with_name(f"unfinished-{file.name}")
    made.savefig(unfinished, dpi=100)
    plt.close(made)
    unfinished.rename(file)


def plot(figure, data):
    columns = min(2, len(figure.panels))
    rows = math.ceil(len(figure.panels) / columns)
    height = (1.9 if figure.bars and rows > 1 else 4 if rows == 1 else 3.2) * rows + 0.6
    made, grid = plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False,
                              layout="constrained")
    every = grid.flatten()
    for axes, panel in zip(every, figure.panels):
        (bars if figure.bars else curves)(axes, figure, panel, data)
        axes.grid(alpha=0.3)
        axes.set_title(wrapped(panel.title, WIDTH / columns), fontsize=9)
    for axes in every[len(figure.panels):]:
        axes.set_axis_off()
    made.suptitle(wrapped(f"{figure.id}: {figure.title}", WIDTH), fontsize=11)
    return made


def wrapped(title, inches):
    return textwrap.fill(title, int(LETTERS_AN_INCH * inches))


def series_of(panel, figure, data):
    """Returns the series of a panel in the order of the figure."""
    return panel.series or tuple(dict.fromkeys([*figure.example, *data]))


def scale(axis, set_scale, values, log):
    """Sets ticks with short labels. A log scale has one tick per decade, or three if the range of values is
    small."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: short(value)))
    positive = [value for value in values if value > 0]
    if log and positive:
        set_scale("log")
        narrow = max(positive) < WIDE * min(positive)
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if narrow else (1,)))
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: short(value)))
        axis.set_minor_formatter(ticker.NullFormatter())
    else:
        axis.set_major_locator(ticker.MaxNLocator(5))


def label(axes, x, y):
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8)


def curves(axes, figure, panel, data):
    for colour, mark, series in zip(PALETTE, MARKS, series_of(panel, figure, data)):
        if data.get(series):
            axes.plot(*zip(*data[series]), marker=mark, color=colour, label=series)
        if figure.published_points.get(series):
            axes.plot(*zip(*figure.published_points[series]), marker=mark, linestyle="--",
                      markerfacecolor="none", markersize=9, color=PUBLISHED,
                      label=f"{series}, published")
    lines = axes.get_lines()
    if figure.log_x:
        axes.set_xscale("log", base=2)
    xs = sorted({x for line in lines for x in line.get_xdata()})
    axes.set_xticks(xs, [plain(x) for x in xs])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    scale(axes.yaxis, axes.set_yscale, [y for line in lines for y in line.get_ydata()], panel.log)
    label(axes, figure.x, panel.unit)
    if lines:
        axes.legend(fontsize=7)


def bars(axes, figure, panel, data):
    """Draws a bar for each measured value, and a bar for the published value below it."""
    (series,) = panel.series or tuple(figure.example)
    here, published = (dict(values.get(series, [])) for values in (data, figure.published_points))
    names = list(dict.fromkeys([*here, *published]))
    for i, (values, colour, kind) in enumerate(((here, PALETTE[0], "here"),
                                                (published, PUBLISHED, "published"))):
        shown = [name for name in names if name in values]
        drawn = axes.barh([names.index(name) + 0.4 * i for name in shown],
                          [values[name] for name in shown], 0.38, color=colour, label=kind)
        axes.bar_label(drawn, [short(values[name]) for name in shown], padding=2, fontsize=7)
    every = [*here.values(), *published.values()]
    positive = [value for value in every if value > 0]
    log = bool(positive) and max(positive) > WIDE * min(positive)
    scale(axes.xaxis, axes.set_xscale, every, log)
    axes.set_xlim(min(positive) / 10 if log else 0, (30 if log else 1.6) * max(positive, default=1))
    label(axes, panel.unit, figure.x)
    axes.set_yticks([n + 0.2 for n in range(len(names))], names)
    axes.invert_yaxis()
    if axes.get_subplotspec().is_first_row() and axes.get_subplotspec().is_first_col():
        axes.legend(fontsize=7)
