"""A plugin of pytest for NetworkX's own tests. The plugin writes a report as JSON to the file $NETWORKX_REPORT.

For each test, the report has the outcome, the calls that Atoll has answered, and the reasons of refused calls.
"""

import collections
import functools
import json
import os

from atoll import networkx_backend as backend

answered, refused = collections.Counter(), collections.Counter()  # of the running test
tests = {}


def counted(name, function):
    """Returns a function of the backend that counts its calls."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            found = function(*args, **kwargs)
        except NotImplementedError as reason:
            refused[str(reason)] += 1
            raise
        answered[name] += 1
        return found

    return call


def noted(can_run):
    """Returns `can_run` with a note of each reason."""

    @functools.wraps(can_run)
    def ask(name, args, kwargs):
        found = can_run(name, args, kwargs)
        if isinstance(found, str) and hasattr(backend, name):
            refused[found] += 1
        return found

    return ask


for each in list(backend.get_info()["functions"]):
    setattr(backend, each, counted(each, getattr(backend, each)))
backend.can_run = noted(backend.can_run)


def pytest_runtest_logstart(nodeid, location):
    answered.clear()
    refused.clear()


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        outcome, reason = report.outcome, ""
        if hasattr(report, "wasxfail"):
            outcome, reason = "xfailed", report.wasxfail.replace("reason: ", "")
        elif report.skipped:
            reason = str(report.longrepr)
        tests[report.nodeid.rpartition("networkx/")[2]] = {
            "outcome": outcome, "reason": reason, "answered": dict(answered), "refused": dict(refused),
        }


def pytest_sessionfinish(session, exitstatus):
    with open(os.environ["NETWORKX_REPORT"], "w", encoding="utf-8") as file:
        json.dump(tests, file, indent=1)
