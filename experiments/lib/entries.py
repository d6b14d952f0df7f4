"""An entry holds everything that the page shows about a figure. Entries are stored in results/ID.json, so that a later
round can show figures that it does not run again."""

import json
import os
import sys

from lib import judge, sensitivity
from lib.runs import Failed, LeftOut

NEEDED = {"data": dict, "verdict": list, "facts": dict, "failed": list, "left_out": list,
          "picture": bool, "runs": int, "runs_of_full_round": int, "sensitivity": (dict, type(None))}


def entry_of(figure, quick, result_of, varied, facts):
    """Returns the entry of a figure. Returns None if none of its runs was made."""
    runs = figure.runs(quick)
    found = judge.gather(figure, [(run, result_of(run)) for run in runs])
    if len(found.left_out) == len(runs):
        return None
    return {"id": figure.id, "title": figure.title, "data": found.data,
            "verdict": judge.verdict(figure, found.data,
                                     quick or bool(found.failed or found.left_out), found.missing),
            "failed": found.failed, "left_out": found.left_out, "picture": False,
            "runs": len(runs), "runs_of_full_round": len(figure.runs(False)),
            "sensitivity": changes(figure, quick, result_of, varied), "facts": facts}


def changes(figure, quick, result_of, varied):
    """Returns by how much the result changes with each parameter of the model. Returns None if a run is
    missing."""
    usual = figure.sensitive(quick)
    if not varied:
        return None
    results = {key: result_of(run) for key, run in varied.items()}
    if any(result is None or isinstance(result, (Failed, LeftOut))
           for result in (result_of(usual), *results.values())):
        return None
    try:
        return {"command": str(usual).split(),
                "changes": sensitivity.changes(usual, results, result_of(usual))}
    except (LookupError, TypeError, ZeroDivisionError):
        return None  # the section of the figure names such results


def write(file, text):
    """Writes the file so that, after an interruption, it has either the old or the complete new contents."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.part")
    unfinished.write_text(text)
    unfinished.rename(file)


def save(entry, folder):
    write(folder / f"{entry['id']}.json", json.dumps(entry, indent=1))


def check(entry):
    """Raises ValueError, LookupError or TypeError if the page cannot show the entry, because its form is
    wrong."""
    pairs = [point for points in entry["data"].values() for point in points]
    if (not all(isinstance(entry[name], kind) for name, kind in NEEDED.items())
            or any(len(row) != 4 for row in entry["verdict"])
            or any(not isinstance(y, (int, float)) for _, y in pairs)):
        raise ValueError("it has another form")


def load(figures, folder):
    """Returns {id: entry} with the entries of earlier rounds. An entry that cannot be read is ignored, with a
    message."""
    found = {}
    for figure in figures:
        file = folder / f"{figure.id}.json"
        if not file.exists():
            continue
        try:
            entry = json.loads(file.read_text())
            check(entry)
            found[figure.id] = entry
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as reason:
            print(f"{file} is ignored: {reason!r}", file=sys.stderr)
    return found


def failed_claims(entry):
    return [row for row in entry["verdict"] if row[2] is False]


def is_wrong(entry):
    """Returns True if a claim of the entry does not hold or if a run of the entry has failed."""
    return bool(entry["failed"] or failed_claims(entry))


def differs(entry, versions):
    """Returns the names of the versions (such as the program's) in which the entry differs from
    `versions`."""
    return [name for name, value in versions.items() if entry["facts"].get(name) != value]
