"""The columns of the tables from what was measured, exactly, and the comparison with the printed ones."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from xpgcheck.paper.printed import TABLE_1, TABLE_2, Printed

SAME_NAMES = {"vote": "house-votes-84", "tic_tac_toe": "tic-tac-toe", "kr_vs_kp": "kr-vs-kp", "car_evaluation": "car"}
"""Data sets that have another name in the paper."""

EXACT = ("corral", "mux6", "xd6")
"""Functions that are known, and of which the paper's OBDDs have accuracy 100."""

UNSAMPLED = {"xd6": "the all-zero instance, which has 27 AXps, was not in its sample"}
"""Exact functions whose most AXps differ, and why."""

ORDER = 5
"""Learned models compare where the averages of XPs differ by at most this factor."""


@dataclass(frozen=True, slots=True)
class Family:
    """The most, the fewest and the average AXps or CXps per instance, and their average length in percent."""

    most: int
    least: int
    mean: Fraction
    length: Fraction

    def rounded(self) -> tuple[int, int, int, int]:
        """Return the columns as the paper rounds them: the average to the nearest, the length up."""
        return self.most, self.least, _nearest(self.mean), -(-self.length.numerator // self.length.denominator)


def family(counts: Sequence[int], lengths: int, features: int) -> Family:
    """Return the columns of *counts* an instance and *lengths* in all, over *features* features."""
    total = sum(counts)
    length = Fraction(100 * lengths, total * features) if total else Fraction(0)
    return Family(max(counts), min(counts), Fraction(total, len(counts)), length)


def _nearest(number: Fraction) -> int:
    return int(number + Fraction(1, 2))


def printed_row(name: str, table: int) -> Printed | None:
    """Return the paper's row of data set *name* in Table 1 or 2, None where it has none."""
    wanted = SAME_NAMES.get(name, name)
    return next((row for row in (TABLE_1 if table == 1 else TABLE_2) if row.name == wanted), None)


def missing_files(files: Sequence[Path], *, quick: bool = False) -> list[str]:
    """Return the CSV files of Table 2's data sets that are not among *files*, as the PMLB calls them; none if *quick*."""
    own = {printed: name for name, printed in SAME_NAMES.items()}
    wanted = [] if quick else [f"{own.get(row.name, row.name)}.csv" for row in TABLE_2]
    there = {path.name for path in files}
    return sorted(name for name in wanted if name not in there)


def row_of(name: str, table: int, how: str, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one row: the columns, the paper's next to them, what was judged, and the ratio to the peer."""
    first = parts[0]
    instances = [instance for part in parts for instance in part["instances"]]
    features = first["features"]
    axps = family([i[0] for i in instances], sum(i[2] for i in instances), features)
    cxps = family([i[1] for i in instances], sum(i[3] for i in instances), features)
    seconds = [i[4] for i in instances]
    printed = printed_row(name, table)
    mean = axps.mean + cxps.mean
    compared = comparison(name, how, features, axps, cxps, printed, whole=len(instances) == first["of"])
    # Where both give the same XPs; else the peer's entry says what it does.
    ratios = [i[6] / i[5] for i in instances if isinstance(i[6], float) and i[5] > 0]
    failed = [i[6] for i in instances if isinstance(i[6], str)]
    return {
        "data": name,
        "how": how,
        "features": features,
        "instances": len(instances),
        "of": first["of"],
        "depth": first["depth"],
        "nodes": first["nodes"],
        "accuracy": f"{float(Fraction(first['accuracy'])):.0f}",
        "xps": f"{float(mean):.1f}",
        "axps": _shown(axps),
        "cxps": _shown(cxps),
        "total s": f"{sum(seconds):.3f}",
        "most ms": f"{1000 * max(seconds):.2f}",
        "least ms": f"{1000 * min(seconds):.2f}",
        "mean ms": f"{1000 * sum(seconds) / len(seconds):.2f}",
        "printed": "" if printed is None else _printed(printed),
        "compared": compared,
        "peer ×": f"{statistics.median(ratios):.3g}" if ratios else "",
        "peer same": len(ratios),
        "peer fails": len(failed),
        "faults": sum(len(part["faults"]) for part in parts),
        "open": sum(len(part.get("open", ())) for part in parts),
        "by Z3": sum(part["judged_by_z3"] for part in parts),
    }


def comparison(
    name: str, how: str, features: int, axps: Family, cxps: Family, printed: Printed | None, *, whole: bool = True
) -> str:
    """Return how a row compares: "equal", "same order", "differs: …", or why it cannot be compared.

    An exact function has to be equal where the *whole* of its instances was looked at.
    """
    if printed is None:
        return "not in the paper"
    if features != printed.features:
        return f"not comparable: {features} features here, {printed.features} there"
    mean = axps.mean + cxps.mean
    exact = name in EXACT and how == "the function itself"
    ours = (printed.axps[0], *axps.rounded()[1:]) if exact and name in UNSAMPLED else axps.rounded()
    if (ours, cxps.rounded(), _nearest(mean)) == (printed.axps, printed.cxps, printed.xps):
        return f"equal, but for the most AXps: {UNSAMPLED[name]}" if exact and name in UNSAMPLED else "equal"
    if exact and whole:
        return f"differs: AXps {axps.rounded()}, CXps {cxps.rounded()}"
    if mean * ORDER >= printed.xps and mean <= printed.xps * ORDER:
        return "same order"
    return f"differs: {float(mean):.1f} XPs on average, {printed.xps} printed"


def _shown(found: Family) -> str:
    return f"{found.most} {found.least} {float(found.mean):.1f} {float(found.length):.0f}%"


def _printed(row: Printed) -> str:
    families = " | ".join(" ".join(map(str, columns)) for columns in (row.axps, row.cxps))
    return f"{row.tested} instances, {row.nodes} nodes, {row.accuracy} %, {row.xps} XPs | {families} | {row.mean} s"
