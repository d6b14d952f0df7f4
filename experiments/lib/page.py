"""The page: a table of all figures, the facts of the round, and a section for each figure."""

import html

from lib import entries
from lib.section import section
from lib.tags import paragraph, table

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 64em; margin: 2em auto; color: #222 }
section { border-top: 1px solid #ccc; padding: 1em 0 }
img { max-width: 100% }
table { border-collapse: collapse; font-size: 13px; margin: .6em 0 }
td, th { border: 1px solid #ddd; padding: .15em .6em; text-align: left; vertical-align: top }
.holds { color: #060 } .fails { color: #a00 } .open { color: #666 }
code { font-size: 12px }
"""
MOST_SHOWN = 4


def shown(texts):
    """Returns the first few texts joined, followed by the number of the other texts."""
    texts = list(dict.fromkeys(text for text in texts if text))
    more = len(texts) - MOST_SHOWN
    return "; ".join(texts[:MOST_SHOWN]) + (f"; and {more} more" if more > 0 else "")


def here(entry):
    """Returns the compared values of the claims that do not hold. If all claims hold, returns the compared
    values of all claims."""
    rows = entries.failed_claims(entry) or entry["verdict"]
    return shown(seen for _, _, _, seen in rows)


def verdict_of(entry, versions):
    """Returns the verdict on an entry as (kind, text)."""
    failed, every = entries.failed_claims(entry), entry["verdict"]
    open_ones = [claim for claim, _, outcome, _ in every if outcome is None]
    left = f" ({len(open_ones)} of {len(every)} claims not judged in this round)" if open_ones else ""
    others = entries.differs(entry, versions)
    old = f" ({' and '.join(others)} of another round)" if others else ""
    if entry["failed"]:
        return "fails", f"runs failed: {len(entry['failed'])}{left}{old}"
    if failed:
        return "fails", f"does not hold: {shown(claim for claim, *_ in failed)}{left}{old}"
    if len(open_ones) == len(every):
        return "open", f"not judged{left}{old}"
    return "holds", f"holds{left}{old}"


def overview(figures, saved, versions):
    rows = []
    for figure in figures:
        entry = saved.get(figure.id)
        kind, text = verdict_of(entry, versions) if entry else ("open", "not run yet")
        rows.append((f'<a href="#{figure.id}">{figure.id}</a> {html.escape(figure.title)}',
                     html.escape(figure.published), html.escape(here(entry) if entry else ""),
                     f'<span class="{kind}">{html.escape(text)}</span>'))
    return table(("figure", "published", "here", "verdict"), rows, escape=False)


def left_out_text(texts):
    if not texts:
        return ""
    lines = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    return f"<p><b>Left out of this round:</b></p><ul>{lines}</ul>"


def page(figures, saved, facts, versions, left_out=()):
    """Returns the page. `saved` has the entries of this round and of earlier rounds. `versions` has the versions of the
    program, of the figures' conditions and of the prices in this round."""
    body = "".join(section(figure, saved.get(figure.id), entries.differs(saved[figure.id], versions)
                           if figure.id in saved else []) for figure in figures)
    return ("<!doctype html><html lang=en><meta charset=utf-8><title>Atoll: experiments</title>"
            f"<style>{STYLE}</style><h1>Atoll beside the papers</h1>"
            + overview(figures, saved, versions)
            + table(("this round", ""), facts.items()) + left_out_text(left_out)
            + paragraph("Runs on several nodes are runs of the real runtime and kernels on a model of "
                        "a cluster (docs/explanation/cluster-model.md), in virtual time; all others "
                        "are measured on this machine.")
            + body + "</html>\n")
