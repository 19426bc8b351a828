"""Sentences on the tables of the section on experiments, looked up in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction

from xpgcheck.paper.printed import TABLE_1, TABLE_2, Printed

Rows = Sequence[Printed]
Saying = Callable[[Rows, Rows], str]
"""Given both tables, what contradicts the sentence; "" where nothing does."""


def data_sets(first: Rows, second: Rows) -> str:
    """45 data sets: 11 and 34."""
    return "" if (len(first), len(second)) == (11, 34) else f"the tables have {len(first)} and {len(second)} rows"


def obdd_times(first: Rows, second: Rows) -> str:
    """At most less than 0.074 s, on average no more than 0.02 s."""
    slow = max(first, key=lambda row: row.most)
    average = max(first, key=lambda row: row.mean)
    if average.mean > Decimal("0.02"):
        return f"{average.name}: {average.mean} s on average"
    return "" if slow.most < Decimal("0.074") else f"{slow.name}: {slow.most} s at most, which is not less than 0.074 s"


def dt_times(first: Rows, second: Rows) -> str:
    """The largest average is 0.036 s, of dna."""
    slow = max(second, key=lambda row: row.mean)
    return "" if (slow.name, slow.mean) == ("dna", Decimal("0.036")) else f"{slow.name}: {slow.mean} s on average"


def averages(first: Rows, second: Rows) -> str:
    """Averages of XPs: their mean is below 11 and none is above 18."""
    most = max(second, key=lambda row: row.xps)
    mean = Fraction(sum(row.xps for row in second), len(second))
    if most.xps > 18:
        return f"{most.name}: {most.xps} XPs on average"
    return "" if mean < 11 else f"the mean of the averages is {mean}"


def each_instance(first: Rows, second: Rows) -> str:
    """No instance has more than 18 XPs: an instance with the most AXps has at least as many XPs."""
    most = max(second, key=lambda row: max(row.axps[0], row.cxps[0]))
    count = max(most.axps[0], most.cxps[0])
    kind = "AXps" if most.axps[0] == count else "CXps"
    return "" if count <= 18 else f"{most.name}: an instance has {count} {kind} alone"


def accuracy(first: Rows, second: Rows) -> str:
    """Every accuracy is greater than 75 %."""
    low = [row for row in (*first, *second) if row.accuracy <= 75]
    return "" if not low else f"{', '.join(row.name for row in low)}: printed with {min(row.accuracy for row in low)} %"


def depths(first: Rows, second: Rows) -> str:
    """No tree is deeper than 6."""
    deep = max(second, key=lambda row: row.depth or 0)
    return "" if (deep.depth or 0) <= 6 else f"{deep.name}: depth {deep.depth}"


def spect(first: Rows, second: Rows) -> str:
    """The OBDD of spect has 284 nodes and 11 XPs on average, and is the largest."""
    large = max(first, key=lambda row: row.nodes)
    found = (large.name, large.nodes, large.xps)
    return "" if found == ("spect", 284, 11) else f"{large.name}: {large.nodes} nodes, {large.xps} XPs on average"


def milliseconds(first: Rows, second: Rows) -> str:
    """A tree takes a few milliseconds an instance: at most 10 on average, but for the slowest, which the text names."""
    slow = [row for row in sorted(second, key=lambda row: row.mean)[:-1] if row.mean > Decimal("0.010")]
    return ", ".join(f"{row.name}: {row.mean} s on average" for row in slow)


def lengths(first: Rows, second: Rows) -> str:
    """XPs are short in general: of most data sets the average AXp and CXp have at most half of the features."""
    long = [row.name for row in (*first, *second) if max(row.axps[3], row.cxps[3]) > 50]
    return "" if 2 * len(long) < len(first) + len(second) else f"more than half of the features: {', '.join(long)}"


def add_up(first: Rows, second: Rows) -> str:
    """Averages and totals fit together, within what rounding leaves, and CXps of trees are bounded by Proposition 6."""
    half = Decimal("0.0005")
    for row in (*first, *second):
        if abs(row.axps[2] + row.cxps[2] - row.xps) > 1:
            return f"{row.name}: {row.axps[2]} AXps and {row.cxps[2]} CXps on average, and {row.xps} XPs"
        unit = Decimal("0.001") if row.depth is None else Decimal("0.01")  # how totals are printed
        low, high = ((row.total + sign * unit / 2) / row.tested for sign in (-1, 1))
        if high < row.mean - half or low > row.mean + half:
            return f"{row.name}: {row.total} s for {row.tested} instances, and {row.mean} s on average"
    for row in second:
        if row.cxps[0] > row.nodes - 2:
            return f"{row.name}: {row.cxps[0]} CXps of a tree with {row.nodes} nodes"
    return ""


SAYINGS: dict[str, Saying] = {
    "45 data sets": data_sets,
    "OBDD times": obdd_times,
    "DT times": dt_times,
    "18 XPs at most on average": averages,
    "18 XPs at most": each_instance,
    "accuracy": accuracy,
    "depth": depths,
    "spect": spect,
    "a few milliseconds": milliseconds,
    "short in general": lengths,
    "figures fit together": add_up,
}
"""The sentences, by a short name."""


def contradiction(name: str, first: Rows = TABLE_1, second: Rows = TABLE_2) -> str:
    """Return what contradicts the sentence *name*, "" where nothing does."""
    return SAYINGS[name](first, second)
