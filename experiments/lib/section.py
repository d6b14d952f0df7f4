"""A section of the page shows one figure."""

import html

from lib.short import plain, short
from lib.tags import items, paragraph, table

WORDS = {True: ("holds", "holds"), False: ("fails", "does not hold"),
         None: ("open", "not judged in this round")}


def verdict_text(verdict):
    lines = []
    for claim, sentence, outcome, seen in verdict:
        kind, word = WORDS[outcome]
        lines.append((kind, word, f"{claim}. Judged: {sentence}{f'. Here: {seen}' if seen else ''}"))
    return items(lines)


def not_judged_text(figure):
    if not figure.not_judged:
        return ""
    return (paragraph("", "Published, and not judged:")
            + items([("open", "", text) for text in figure.not_judged]))


def values_table(figure, data):
    """Returns an HTML table of measured and published values, with their units."""
    units = {series: panel.unit for panel in figure.panels for series in panel.series}
    published = {(series, x): y for series, points in figure.published_points.items()
                 for x, y in points}
    measured = {(series, x): y for series, points in data.items() for x, y in points}
    rows = [(series, plain(x), short(measured[series, x]) if (series, x) in measured else "",
             units.get(series, figure.panels[0].unit),
             short(published[series, x]) if (series, x) in published else "")
            for series, x in dict.fromkeys([*measured, *published])]
    return table(("series", figure.x, "here", "unit", "published"), rows)


def sensitivity_text(found):
    if not found:
        return ""
    rows = [(name, f"{half:.2f}", f"{double:.2f}")
            for name, (half, double) in found["changes"].items()]
    command = html.escape(" ".join(found["command"]))
    return ("<details><summary>Sensitivity to the parameters of the model</summary>"
            f"<p>The first value of <code>{command}</code>, as a multiple of the usual one, with "
            "each parameter halved and doubled:</p>"
            + table(("parameter", "half", "double"), rows) + "</details>")


def when_text(entry, others):
    facts = "; ".join(f"{name}: {value}" for name, value in entry["facts"].items())
    runs = (f"; {entry['runs']} runs for the {entry['runs_of_full_round']} of a full round"
            if entry["facts"].get("round") == "quick" else "")
    other = (paragraph(f"Of another round, whose {' and '.join(others)} differed from this one's.",
                       kind="fails") if others else "")
    return other + paragraph(facts + runs, "Run:", "open")


def trouble_text(entry):
    return "".join(paragraph(text, label, "fails") for label, texts in (
        ("Failed:", entry["failed"]), ("Left out:", entry["left_out"])) for text in texts)


def why_text(figure, entry):
    wrong = any(outcome is False for _, _, outcome, _ in entry["verdict"])
    return paragraph(figure.why, "Why:", "fails") if wrong and figure.why else ""


def found_text(figure, entry, others):
    image = (f'<img src="{figure.id}.png" alt="{figure.id}">' if entry["picture"]
             else paragraph("No picture: the time of the round was over."))
    return "".join((trouble_text(entry), image, verdict_text(entry["verdict"]),
                    why_text(figure, entry), not_judged_text(figure),
                    values_table(figure, entry["data"]), sensitivity_text(entry["sensitivity"]),
                    when_text(entry, others)))


def section(figure, entry, others):
    """Returns the section of a figure as HTML. `others` names the versions (such as the program's) that differ between
    the entry and this round."""
    return (f'<section id="{figure.id}"><h2>{figure.id}: {html.escape(figure.title)}</h2>'
            + paragraph(figure.published, "Published:")
            + (paragraph(figure.note, "Runs:") if figure.note else "")
            + (found_text(figure, entry, others) if entry
               else paragraph("Not run yet.", kind="open") + not_judged_text(figure))
            + "</section>")
