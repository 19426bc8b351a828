"""Tables 1 and 2 as evidence: units of some instances of one model, and what they show together."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from xpgcheck.errors import XpgcheckError
from xpgcheck.paper.data import named_folder
from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.paper.sources import Found
from xpgcheck.paper.tables.data import data_files, read_data
from xpgcheck.paper.tables.figures import missing_files, row_of
from xpgcheck.paper.tables.measuring import measure
from xpgcheck.paper.tables.models import MAKERS, Model, exact_function
from xpgcheck.wording import counted
from xpgcheck.xpg.choose import enumerate_xps

FUNCTIONS = ("corral", "mux6", "xd6", "threeOf9", "mofn_3_7_10", "parity5+5")
"""Functions of Table 1 that ship as embedded models."""

CHUNK = 150
QUICK_CHUNK = 64
QUICK_FUNCTIONS = ("corral", "mux6")
QUICK_DATA = ("corral", "tic_tac_toe", "vote")
SOLVER_SHARE = 10
"""Z3 judges one in so many instances too."""

PEER_RATIO = 20

EXPLAINERS = {"": enumerate_xps}
"""The measured subjects, by name: tests add explainers that are wrong."""


def units(data: str | None = None, quick: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """Return units of some instances: of the exact functions, and of each data set a list and a tree.

    A file that cannot be read, or a folder that has none, is a unit that says why.
    """
    found = []
    for name in QUICK_FUNCTIONS if quick else FUNCTIONS:
        found += _chunks(1, name, "", "function", _size("function", name, ""), quick)
    folder = named_folder(data)
    if folder is None:
        return [*found, ("tables/no data", _skipped("no data folder: name one by --data or XPGCHECK_DATA"))]
    if not folder.is_dir():
        return [*found, ("tables/no data", _skipped(f"{folder}: there is no such folder"))]
    files = data_files(folder)
    if not files:
        return [*found, ("tables/no data", _skipped(f"{folder}: there are no CSV files"))]
    missing = missing_files(files, quick=quick)
    if missing:
        found.append(("tables/missing", _skipped(f"not in {files[0].parent}: {', '.join(missing)}")))
    for path in files:
        if quick and path.stem not in QUICK_DATA:
            continue
        try:
            read = read_data(path)
        except (XpgcheckError, OSError) as error:
            found.append((f"tables/{path.stem}", {**_skipped(str(error)), "data": path.stem}))
            continue
        count = len(read.instances())
        if read.binary:
            found += _chunks(1, path.stem, str(path), "list", count, quick)
        found += _chunks(2, path.stem, str(path), "tree", count, quick)
    return found


def _chunks(table: int, name: str, path: str, how: str, count: int, quick: bool) -> list[tuple[str, dict[str, Any]]]:
    step = QUICK_CHUNK if quick else CHUNK
    starts = range(0, min(count, step) if quick else count, step)
    return [
        (
            f"tables/{table}/{name}/{how}/{start + 1}",
            {"table": table, "data": name, "path": path, "how": how, "first": start, "count": min(step, count - start),
             "explainer": ""},
        )
        for start in starts
    ]  # fmt: skip


def _skipped(reason: str) -> dict[str, Any]:
    return {"table": 0, "data": "", "skipped": reason}


def _size(how: str, name: str, path: str) -> int:
    return len(_model(how, name, path).points)


@functools.lru_cache(maxsize=4)
def _model(how: str, name: str, path: str) -> Model:
    return exact_function(name) if how == "function" else MAKERS[how](read_data(Path(path)))


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make the model of one unit, and measure and judge its instances."""
    if "skipped" in arguments:
        return dict(arguments)
    kept = {key: arguments[key] for key in ("table", "data", "how")}
    try:
        model = _model(arguments["how"], arguments["data"], arguments["path"])
        first, count = arguments["first"], arguments["count"]
        points = model.points[first : first + count]
        share = -(-len(points) // SOLVER_SHARE)
        explain = EXPLAINERS[arguments["explainer"]]
        found = measure(model.graph, points, peer=True, solver=share, explain=explain)
    except (XpgcheckError, OSError) as error:
        return {**kept, "skipped": str(error)}
    if model.differs:
        found["faults"].insert(0, model.differs)
    return {
        **kept,
        **found,
        "made": model.how,
        "features": len(model.graph.features),
        "nodes": model.graph.node_count,
        "depth": model.graph.depth(),
        "of": len(model.points),
        "accuracy": str(Fraction(model.accuracy)),
    }


def outcome(results: Mapping[str, dict[str, Any]]) -> EvidenceSummary:
    """Put the units of each model together."""
    groups: dict[tuple[int, str, str], list[dict[str, Any]]] = {}
    skipped: dict[str, str] = {}
    for result in results.values():
        if "skipped" in result:
            label = " ".join(str(result.get(key, "")) for key in ("data", "how")).strip()
            skipped[f"{label}: {result['skipped']}" if label else result["skipped"]] = label
        else:
            groups.setdefault((result["table"], result["data"], result["how"]), []).append(result)
    details = [
        {"table": table, **row_of(name, table, parts[0]["made"], parts)} for (table, name, _), parts in groups.items()
    ]
    faults = [f"{r['data']} ({r['how']}), {fault}" for r in results.values() for fault in r.get("faults", ())]
    counts = {
        "models": len(details),
        "instances": sum(row["instances"] for row in details),
        "judged by Z3 too": sum(row["by Z3"] for row in details),
        "faults": len(faults),
        "open": sum(row["open"] for row in details),
        "skipped": len(skipped),
    }
    limits = "; ".join(["skipped: " + reason for reason in skipped]) or "nothing was skipped"
    example = {"text": faults[0]} if faults else None
    holds = None if counts["open"] or not details else True
    return EvidenceSummary(False if faults else holds, counts, limits, example, details)


def look(found: EvidenceSummary, item: str) -> Found:
    """Return whether a table ("table 1", "table 2") holds, or the comparison with the peer ("peer")."""
    command = "xpgcheck paper --claim table-1 --claim table-2 --claim peer-runtime --data DIR"
    if item == "peer":
        return _peer(found, command)
    rows = [row for row in found.details if row["table"] == int(item.removeprefix("table "))]
    if not rows:
        return Found(None, "no model", "", None, command, skipped=found.limits)
    faulty = [row for row in rows if row["faults"]]
    differs = [row for row in rows if row["compared"].startswith("differs")]
    instances = sum(row["instances"] for row in rows)
    amount = (
        f"{counted(len(rows), 'model')}, {counted(instances, 'instance')}, every XP with a certificate that was checked, "
        f"{sum(row['by Z3'] for row in rows):,} instances by Z3 too; "
        f"{sum(row['compared'].startswith('equal') for row in rows)} equal, "
        f"{sum(row['compared'] == 'same order' for row in rows)} of the same order"
    )
    example = None
    if faulty:
        example = found.counterexample
    elif differs:
        example = {"text": f"{differs[0]['data']}: {differs[0]['compared']}"}
    left = sum(row["open"] for row in rows)
    limit = f"{left} instances are open; {found.limits}" if left else found.limits
    holds = False if faulty or differs else None if left else True
    return Found(holds, amount, limit, example, command, details=rows)


def _peer(found: EvidenceSummary, command: str) -> Found:
    rows = [row for row in found.details if row["peer ×"]]
    if not rows:
        reason = "XpGraph is not installed: pip install XpGraph==0.0.1 networkx six"
        return Found(None, "not measured", "", None, command, skipped=reason)
    ratios = [float(row["peer ×"]) for row in rows]
    median = statistics.median(ratios)
    amount = (
        f"the same XPs, times faster: median {median:.3g}, {min(ratios):.3g} to {max(ratios):.3g} on {len(rows)} models "
        f"({sum(row['peer same'] for row in rows):,} instances); "
        f"the peer fails or does not end on {sum(row['peer fails'] for row in found.details)} instances"
    )
    example = None if median > 1 else {"text": f"the peer takes {median:.3g} times our time"}
    reached = "reached" if median >= PEER_RATIO else "missed"
    limit = f"one run on one machine; the goal of {PEER_RATIO} times is {reached}"
    return Found(median > 1, amount, limit, example, command)
