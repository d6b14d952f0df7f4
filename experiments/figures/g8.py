from lib.figure import Figure, Run, metric
from lib.holds import at_least

STAGES = {"create and enqueue": ("create_enqueue", 16e6), "serialize": ("serialize", 32e6),
          "deserialize": ("deliver", 210e6), "all together": ("rate_per_core", 1e6),
          "blocking round trips": ("blocking", 7e6)}


def runs(quick):
    command = ["bench", "messages", "--pes", "2", "--trials", "3"]
    return [Run(command, {stage: ("", metric(name)) for stage, (name, _) in STAGES.items()})]


FIGURE = Figure(
    id="G8", title="Stages of a message, a core", x="", y="messages/s",
    published="create and enqueue 16 M/s, serialize 32 M/s, deserialize 210 M/s; bound 10 M/s, "
              "7 M/s where it blocks; 1 M/s achieved",
    runs=runs,
    holds=[at_least(stage, published) for stage, (_, published) in STAGES.items()],
    why="The processor is ten years younger; a stage that is slower here than there was disturbed.",
    published_points={stage: [("", published)] for stage, (_, published) in STAGES.items()},
    example={stage: [("", 2 * published)] for stage, (_, published) in STAGES.items()},
    table=True)
