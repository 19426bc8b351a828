"""Large OBDDs (``XPGCHECK_DATA``): building the XpG, one AXp, one CXp, 300 XPs."""

from __future__ import annotations

from benchmarks.measure import Report, SkippedError, Target, cpu_seconds, median_and_max
from benchmarks.obdd_data import data_folder, read_bits, read_obdd
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp, find_cxp

METHOD = """\
CPU ms, median and maximum over instances: build is explanation_graph(graph, point); AXp and CXp are find_axp(xpg) and \
find_cxp(xpg) from all features; XPs is the first 300 of enumerate_xps(xpg, 300), on fewer instances."""

WORK = ("build", "AXp", "CXp", "300 XPs")
COLUMNS = ("OBDD", "nodes", "instances", *(f"{what}, {kind}" for what in WORK for kind in ("median", "max")))


def run(instances: int = 60, enumerated: int = 5, xps: int = 300) -> Report:
    """Measure every OBDD of the data folder on *instances* instances; *xps* XPs on *enumerated* of them."""
    folder = data_folder()
    if folder is None:
        raise SkippedError("XPGCHECK_DATA names no folder with the OBDDs")
    report = Report("large", METHOD, COLUMNS)
    files = sorted((folder / "obdd").glob("*.json"))
    if not files:
        raise SkippedError("XPGCHECK_DATA has no obdd/*.json")
    largest = (0, [(0.0, 0.0)] * 4)
    for path in files:
        graph = read_obdd(path)
        points = read_bits(path.with_suffix(".instances.csv"))[:instances]
        xpgs = []
        build, axp, cxp = [], [], []
        for point in points:
            build.append(1e3 * cpu_seconds(lambda: xpgs.append(explanation_graph(graph, point))))  # noqa: B023
            axp.append(1e3 * cpu_seconds(lambda: find_axp(xpgs[-1])))  # noqa: B023
            cxp.append(1e3 * cpu_seconds(lambda: find_cxp(xpgs[-1])))  # noqa: B023
        many = [1e3 * cpu_seconds(lambda: list(enumerate_xps(xpg, xps))) for xpg in xpgs[:enumerated]]  # noqa: B023
        figures = [median_and_max(values) for values in (build, axp, cxp, many)]
        report.rows.append((path.stem, graph.node_count, len(points), *(value for pair in figures for value in pair)))
        if graph.node_count > largest[0]:
            largest = graph.node_count, figures
    nodes, figures = largest
    for what, (median, _), wanted in zip(WORK, figures, (30, 10, 10, 3000), strict=True):
        report.targets.append(Target(f"{what} of the {nodes:,}-node OBDD, median ms", median, "<", wanted))
    for what, (_, most) in list(zip(WORK, figures, strict=True))[1:3]:
        report.targets.append(Target(f"one {what} of the {nodes:,}-node OBDD, slowest ms", most, "<", 5))
    return report
