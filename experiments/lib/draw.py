"""Pictures, by matplotlib."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of what draws)

MARKS = "osD^vP*X"


def picture(figure, data, file):
    plot, axes = plt.subplots(figsize=(7, 4.5))
    draw = bars if figure.table else curves
    draw(axes, figure, data)
    axes.set_title(f"{figure.id}: {figure.title}", fontsize=11)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    plot.tight_layout()
    plot.savefig(file, dpi=100)
    plt.close(plot)


def curves(axes, figure, data):
    for mark, (series, points) in zip(MARKS, data.items()):
        axes.plot(*zip(*points), marker=mark, label=series)
    for mark, (series, points) in zip(MARKS, figure.published_points.items()):
        axes.plot(*zip(*points), marker=mark, linestyle=":", color="gray",
                  label=f"{series} (published)")
    if figure.log_x:
        axes.set_xscale("log", base=2)
        ticks = sorted({x for points in data.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks], fontsize=8)
        axes.minorticks_off()
    if figure.log_y:
        axes.set_yscale("log")
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)


def bars(axes, figure, data):
    """Each series and x is a bar; published values stand beside."""
    both = [("here", data), ("published", figure.published_points)]
    names = [f"{series} {x}".strip() for series, points in data.items() for x, _ in points]
    for i, (label, values) in enumerate(both):
        found = {f"{series} {x}".strip(): y for series, points in values.items()
                 for x, y in points}
        places = [n + 0.4 * i for n, name in enumerate(names) if name in found]
        heights = [found[name] for name in names if name in found]
        if heights:
            axes.barh(places, heights, 0.38, label=label, color=("C0", "gray")[i])
    axes.set_yticks([n + 0.2 for n in range(len(names))], names, fontsize=8)
    axes.invert_yaxis()
    if figure.log_y:
        axes.set_xscale("log")
    axes.set_xlabel(figure.y)
