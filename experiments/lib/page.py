"""The page: a picture, the published values and the verdict for each figure."""

import html

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 60em; margin: 2em auto; color: #222 }
section { border-top: 1px solid #ccc; padding: 1em 0 }
img { width: 42em; max-width: 100% }
table { border-collapse: collapse; font-size: 13px; margin: .6em 0 }
td, th { border: 1px solid #ddd; padding: .15em .6em; text-align: right }
td:first-child, th:first-child { text-align: left }
.holds { color: #060 } .fails { color: #a00 }
code { font-size: 12px }
"""


def number(value):
    """Three digits, and a unit prefix where it is large."""
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if abs(value) >= limit:
            return f"{value / limit:.3g} {prefix}"
    return f"{value:.3g}"


def table(head, rows):
    def line(cells, tag):
        inside = "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
        return f"<tr>{inside}</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def values_table(figure, data):
    published = {(series, x): y for series, points in figure.published_points.items()
                 for x, y in points}
    rows = [(series, x, number(y),
             number(published[series, x]) if (series, x) in published else "")
            for series, points in data.items() for x, y in points]
    return table(("series", figure.x, figure.y, "published"), rows)


def verdict_text(figure, verdict):
    lines = []
    for sentence, holds in verdict:
        kind, word = ("holds", "holds") if holds else ("fails", "does not hold")
        lines.append(f'<li class="{kind}"><b>{word}</b>: {html.escape(sentence)}</li>')
    why = ""
    if not all(holds for _, holds in verdict):
        why = f'<p class="fails">Why: {html.escape(figure.why)}</p>'
    return f"<ul>{''.join(lines)}</ul>{why}"


def sensitivity_text(found):
    if not found:
        return ""
    rows = [(name, f"{half:.2f}", f"{double:.2f}")
            for name, (half, double) in found["changes"].items()]
    command = html.escape("atoll " + " ".join(found["command"]))
    return ("<details><summary>Sensitivity to the parameters of the model</summary>"
            f"<p>The first value of <code>{command}</code>, as a multiple of the usual one, with "
            "each parameter halved and doubled:</p>"
            + table(("parameter", "half", "double"), rows) + "</details>")


def section(entry):
    figure = entry["figure"]
    parts = [f'<section id="{figure.id}"><h2>{figure.id}: {html.escape(figure.title)}</h2>',
             f"<p><b>Published:</b> {html.escape(figure.published)}</p>"]
    if figure.note:
        parts.append(f"<p><b>Runs:</b> {html.escape(figure.note)}</p>")
    if entry.get("problem"):
        parts.append(f'<p class="fails">Not run: {html.escape(entry["problem"])}</p>')
    else:
        parts += [f'<img src="{figure.id}.png" alt="{figure.id}">',
                  verdict_text(figure, entry["verdict"]),
                  values_table(figure, entry["data"]),
                  sensitivity_text(entry.get("sensitivity"))]
    return "".join(parts) + "</section>"


def page(entries, facts):
    body = "".join(section(entry) for entry in entries)
    facts_text = "; ".join(f"{name}: {value}" for name, value in facts.items())
    return ("<!doctype html><html lang=en><meta charset=utf-8><title>Atoll: experiments</title>"
            f"<style>{STYLE}</style><h1>Atoll beside the papers</h1>"
            f"<p>{html.escape(facts_text)}</p><p>Runs on several nodes are runs of the real "
            "runtime and kernels on a model of a cluster (docs/explanation/cluster-model.md), in "
            f"virtual time; all others are measured on this machine.</p>{body}</html>\n")
