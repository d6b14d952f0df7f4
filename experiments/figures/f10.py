from figures.ordered import MIXES, host_counts, model_counts, on_hosts, on_model
from lib.bounds import everywhere_below, order_of
from lib.figure import Figure, Panel
from lib.pairs import no_gain

PUSH, MIXED = MIXES
PUBLISHED = ("requests that the master combines where both levels do: of the order of a thousand for "
             "pushes alone, below 20 on average for a mixed stack; no gain in throughput")
THOUSAND = "push only: of the order of a thousand requests at the master"
TWENTY = "mixed: below 20 requests at the master on average"
NODES, FEW_HOSTS = (1, 8, 64), (2, 3, 4)


def requests(mix):
    return f"{mix}: requests combined at the master"


def rate(mix, mode):
    return f"{mix}, {mode}"


def gain(mix):
    return f"{mix}: no gain in throughput"


def runs(counts, run, more):
    """Returns the runs for each number of nodes or hosts in `counts`. A run that combines at both levels gives its
    rate, and also the series in `more(mix)`."""
    return [found for count in counts for mix in MIXES for found in (
        run("stack", mix, "both", count, {rate(mix, "both"): "rate", **more(mix)}),
        run("stack", mix, "local", count, {rate(mix, "local"): "rate"}))]


def rates(xs):
    return {rate(mix, mode): list(zip(xs, ys)) for mix in MIXES
            for mode, ys in (("both", (2e8, 6e8, 2e9)), ("local", (2e8, 7e8, 3e9)))}


def with_gain(data, mix):
    """Returns example data in which combining at both levels is a fifth faster at the largest number of
    nodes."""
    *some, (x, best) = data[rate(mix, "local")]
    return {**data, rate(mix, "both"): [*some, (x, 1.2 * best)]}, gain(mix)


HOLDS = {gain(mix): no_gain(rate(mix, "both"), rate(mix, "local")) for mix in MIXES}
RATES = tuple(Panel("operations/s", (rate(mix, "both"), rate(mix, "local")), title=f"throughput, {mix}")
              for mix in MIXES)
REQUESTS = tuple(Panel("requests a commit of the master", (requests(mix),), title=mix) for mix in MIXES)
EXAMPLE = {requests(PUSH): list(zip(NODES, (15, 120, 1000))),
           requests(MIXED): [(x, 15) for x in NODES], **rates(NODES)}


def pushes(at_end):
    return {**EXAMPLE, requests(PUSH): list(zip(NODES, (1, 1.5, at_end)))}


MODELLED = Figure(
    id="F10", title="Both levels of combining, over nodes", x="nodes of 16 PEs",
    panels=(*REQUESTS, *RATES), published=PUBLISHED,
    runs=lambda quick: runs(model_counts(quick), on_model,
                            lambda mix: {requests(mix): "requests_combined_at_master"}),
    holds={THOUSAND: order_of(requests(PUSH), 1000, 64),
           TWENTY: everywhere_below(requests(MIXED), 20), **HOLDS},
    not_judged=(),
    published_points={requests(PUSH): [(64, 1000)]},
    example=EXAMPLE,
    denials={"1.9 requests where a thousand is published": (pushes(1.9), THOUSAND),
             "a hundred requests": (pushes(100), THOUSAND),
             "408 requests of a mixed stack": (
                 {**EXAMPLE, requests(MIXED): list(zip(NODES, (7, 23, 408)))}, TWENTY),
             "faster with both, push only": with_gain(EXAMPLE, PUSH),
             "faster with both, mixed": with_gain(EXAMPLE, MIXED)})

HOSTS = Figure(
    id="F10-hosts", title="Both levels of combining, over hosts of one PE: throughput", x="hosts",
    panels=RATES, published=PUBLISHED,
    runs=lambda quick: runs(host_counts(quick), on_hosts, lambda mix: {}),
    holds=HOLDS,
    not_judged=("a thousand requests at the master where all push: there are four PEs to come to it",
                "below 20 of them for a mixed stack: four PEs cannot bring more"),
    example=rates(FEW_HOSTS),
    denials={f"faster with both, {mix}": with_gain(rates(FEW_HOSTS), mix) for mix in MIXES},
    log_x=False)

FIGURES = (MODELLED, HOSTS)
