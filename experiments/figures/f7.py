from figures.ordered import MIXES, host_counts, model_counts, on_hosts, on_model
from lib.bounds import everywhere_above
from lib.figure import Figure, Panel

PUSH, MIXED = MIXES
BATCH = 1024
CLAIM = "mixed, more operations a message than its buffer of 1,024 holds"


def runs(counts, run):
    return [run("stack", mix, "local", count, {mix: "operations_per_commit"})
            for mix in MIXES for count in counts]


def figure(identity, where, counts, run, xs):
    example = {PUSH: [(x, 1000) for x in xs], MIXED: [(x, 3000) for x in xs]}
    first, *_, last = xs
    return Figure(
        id=identity, title=f"Stack: operations a commit, over {where}", x=where,
        panels=(Panel("operations a commit"),),
        published="with a buffer of 1024, more than 1024 operations a message where pushes meet pops",
        runs=lambda quick: runs(counts(quick), run),
        holds={CLAIM: everywhere_above(MIXED, BATCH)},
        not_judged=("push only, at most 1,024: a commit of pushes alone can hold no more here, so that "
                    "no run could deny it",),
        example=example,
        denials={f"as many as the buffer holds on {last}": (
                     {**example, MIXED: [*example[MIXED][:-1], (last, BATCH)]}, CLAIM),
                 f"fewer on {first}": (
                     {**example, MIXED: [(first, 900), *example[MIXED][1:]]}, CLAIM),
                 "pushes and pops do not meet": ({**example, MIXED: example[PUSH]}, CLAIM)},
        log_x=run is on_model)


FIGURES = (figure("F7", "nodes of 16 PEs", model_counts, on_model, (1, 8, 64)),
           figure("F7-hosts", "hosts of one PE", host_counts, on_hosts, (2, 3, 4)))
