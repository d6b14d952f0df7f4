"""Makes pieces of HTML."""

import html


def table(head, rows, escape=True):
    def line(cells, tag):
        inside = "".join(f"<{tag}>{html.escape(str(cell)) if escape else cell}</{tag}>"
                         for cell in cells)
        return f"<tr>{inside}</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def paragraph(text, label="", kind=""):
    bold = f"<b>{html.escape(label)}</b> " if label else ""
    attribute = f' class="{kind}"' if kind else ""
    return f"<p{attribute}>{bold}{html.escape(text)}</p>"


def items(lines):
    """Returns an HTML list. Each entry is (kind, bold, text)."""
    return "<ul>" + "".join(
        f'<li class="{kind}">{f"<b>{html.escape(bold)}</b>: " if bold else ""}{html.escape(text)}</li>'
        for kind, bold, text in lines) + "</ul>"
