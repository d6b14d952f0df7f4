from lib.bounds import at_least
from lib.figure import Figure, Panel, Run, metric

RATE = "messages/s a core"
STAGES = {"create and enqueue": ("create_enqueue", 16e6), "serialize": ("serialize", 32e6),
          "deserialize": ("deliver", 210e6), "all together": ("rate_per_core", 1e6),
          "blocking round trips": ("blocking", 7e6)}


def runs(quick):
    """Returns the single run that gives all points. The x axis has one position for each stage of a message."""
    command = ["bench", "messages", "--pes", "2", "--trials", "3"]
    return [Run(command, {stage: (stage, metric(name)) for stage, (name, _) in STAGES.items()})]


def derive(data):
    return {RATE: [point for stage in STAGES for point in data.get(stage, [])]}


EXAMPLE = {RATE: [(stage, published) for stage, (_, published) in STAGES.items()]}


def denial(slow):
    """Returns example data in which one stage has half of the published rate."""
    return ({RATE: [(stage, y / 2 if stage == slow else y) for stage, y in EXAMPLE[RATE]]},
            f"{slow}: what was published is reached")


FIGURE = Figure(
    id="G8", title="Stages of a message", x="stage", panels=(Panel(RATE),),
    published="a core creates and enqueues 16 M/s, serializes 32 M/s, deserializes 210 M/s; bound 10 M/s, "
              "7 M/s where it blocks; 1 M/s achieved",
    runs=runs, derive=derive,
    holds={f"{stage}: what was published is reached": at_least(RATE, published, stage)
           for stage, (_, published) in STAGES.items()},
    not_judged=("the bound of 10 M/s: it follows from the rates of the three stages",),
    published_points=EXAMPLE,
    example=EXAMPLE,
    denials={f"{stage} at half": denial(stage) for stage in STAGES},
    bars=True)
