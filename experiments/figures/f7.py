from figures.ordered import MIXES, host_counts, model_counts, on_hosts, on_model
from lib.figure import Figure
from lib.holds import always_at_least, always_at_most

PUSH, MIXED = MIXES
PUBLISHED = "with batches of 1024, more than 1024 operations a message where pushes meet pops"


def runs(counts, run):
    return [run("stack", mix, "local", count, {mix: "operations_per_commit"})
            for mix in MIXES for count in counts]


def figure(identity, title, counts, run, xs):
    return Figure(
        id=identity, title=title, x="", y="operations a commit", published=PUBLISHED,
        runs=lambda quick: runs(counts(quick), run),
        holds=[always_at_least(MIXED, 1024), always_at_most(PUSH, 1024)],
        why="A PE commits what has gathered as soon as its last commit has ended, full or not.",
        example={PUSH: [(x, 1000.0) for x in xs], MIXED: [(x, 5000.0) for x in xs]}, table=True)


FIGURES = (figure("F7", "Stack: operations a commit, over nodes", model_counts, on_model, (1, 8, 64)),
           figure("F7-hosts", "Stack: operations a commit, over hosts", host_counts, on_hosts,
                  (2, 3, 4)))
