"""The evidence in units: shares of the graphs of each size, the ablations, and the independent counts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from xpgcheck.errors import InputError, XpgcheckError
from xpgcheck.paper.bounded import forms
from xpgcheck.paper.bounded.ablations import HOLDS, as_stated
from xpgcheck.paper.bounded.campaign import Campaign, LawViolation, run
from xpgcheck.paper.bounded.counting import decision_graphs, graphs_testing
from xpgcheck.paper.bounded.generation import Assumed, Bound
from xpgcheck.paper.bounded.laws import LAWS
from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.wording import counted
from xpgcheck.writers.json_model import model_json

FULL = (
    ("4,3,3,2", 0, 20),
    ("4,4,3,2", 4, 8),
    ("5,3,2,2", 0, 10),
    ("5,4,2,2", 4, 8),
    ("5,5,2,2", 5, 4),
    ("3,3,3,4", 0, 1),
    ("3,3,4,2", 0, 4),
)
"""(bound, features tested at least, shares).

A graph of n non-terminals tests at most n features: with those that test 4 of 4, the first line is all graphs of 4
non-terminals, whatever the number of features; so with 5 for Boolean ones.
"""

QUICK = (("3,3,3,2", 0, 2), ("3,3,2,3", 0, 1))

FULL_ABLATED = ("3,3,3,2", 2)
QUICK_ABLATED = ("3,2,2,2", 1)


def units(bound: str | None = None, quick: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """Return the units: of *bound* alone ("nodes,features,values,classes"), or of all sizes.

    Each takes at most about half a minute, with *quick* a few seconds.  A bound that cannot be read is a unit that says so.
    """
    plan: Iterable[tuple[str, int, int]] = QUICK if quick else FULL
    if bound is not None:
        plan = [(bound, 0, _shares(bound))]
    found = []
    for size, tested, of in plan:
        found += [_unit(size, tested, Assumed.BOTH, share, of) for share in range(of)]
        found.append((_name(size, tested, "count"), {"what": "count", "bound": size, "tested": tested}))
    if bound is None:
        size, of = QUICK_ABLATED if quick else FULL_ABLATED
        found += [_unit(size, 0, assumed, share, of) for assumed in HOLDS for share in range(of)]
    return [(name, {**arguments, "units": len(found)}) for name, arguments in found]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask all laws about one share, or count independently."""
    result = dict(arguments)
    try:
        bound = read_bound(arguments["bound"])
        if arguments["what"] == "count":
            result["labelled"] = {str(n): graphs_testing(bound, n, arguments["tested"]) for n in range(bound.nodes + 1)}
        else:
            assumed = Assumed(arguments["assumed"])
            share = arguments["share"], arguments["of"]
            campaign = run(bound, assumed=assumed, share=share, tested=arguments["tested"])
            result |= _record(bound, campaign)
    except XpgcheckError as error:
        result["error"] = str(error)
    return result


def outcome(results: Mapping[str, dict[str, Any]]) -> EvidenceSummary:
    """Merge the units that have run: which laws failed where, and whether all is there and the counts agree."""
    wrong: list[str] = []
    open_ = [str(result["error"]) for result in results.values() if "error" in result]
    missing = max((result.get("units", 1) for result in results.values()), default=1) - len(results)
    if missing > 0:
        open_.append(counted(missing, "unit has not run", "units have not run"))
    groups = _groups(results)
    labelled = {
        (result["bound"], result["tested"]): result["labelled"]
        for result in results.values()
        if result.get("what") == "count" and "labelled" in result
    }
    details: list[dict[str, Any]] = []
    complete: list[str] = []
    counts = {"graphs with an instance": 0, "graphs with names": 0, "cases": 0, "checks": 0, "failures": 0}
    first: list[dict[str, Any]] = []
    asked = {law.name: 0 for law in LAWS}
    failed = dict(asked)
    for (size, tested, assumed), shares in groups.items():
        merged = _merged(shares)
        lacking = shares[0]["of"] - len(shares)
        expected = _expected(size, assumed, labelled.get((size, tested)))
        rows = _count_rows(size, tested, assumed, merged, expected)
        details += rows
        wrong += [] if lacking else _miscounted(rows)
        if assumed is not Assumed.BOTH:
            details += _ablated_rows(size, assumed, merged)
            wrong += [] if lacking else as_stated(assumed, merged["asked"], merged["failed"])
            continue
        if not lacking:
            complete.append(_extent(size, tested))
        if not lacking and not expected:
            open_.append(f"the graphs of {size} were not counted independently")
        counts["graphs with an instance"] += sum(merged["pairs"].values())
        counts["graphs with names"] += sum(merged["labelled"].values())
        counts["cases"] += merged["cases"]
        for law, times in merged["asked"].items():
            asked[law] += times
            failed[law] += merged["failed"][law]
        first += merged["first"]
    counts["checks"], counts["failures"] = sum(asked.values()), sum(failed.values())
    details = [*_law_rows(asked, failed), *details]
    idle = [law for law, times in asked.items() if not times]
    if idle:
        open_.append(f"never asked: {', '.join(idle)}")
    bad = bool(wrong or counts["failures"])
    limits = _limits(complete, open_)
    smallest = min(first, key=lambda found: (len(found["rows"]), found["rows"], found["law"]), default=None)
    if smallest is None and wrong:
        smallest = {"what": "; ".join(wrong)}
    return EvidenceSummary(False if bad else None if open_ else True, counts, limits, smallest, details)


def read_bound(text: str) -> Bound:
    """Read "nodes,features,values,classes".  Raises ``InputError``."""
    parts = text.split(",")
    numbers = [int(part) for part in parts if part.strip().isascii() and part.strip().isdigit()]
    if len(numbers) != len(parts) or len(parts) != 4 or min(numbers[1:]) < 1 or max(numbers) > 9:
        raise InputError(
            f"{text!r} is no bound", mend="write four numbers up to 9: nodes,features,values,classes, as in 4,3,3,2"
        )
    return Bound(*numbers)


def _shares(bound: str) -> int:
    try:
        nodes = read_bound(bound).nodes
    except InputError:
        return 1
    return 1 if nodes < 3 else 2 if nodes == 3 else 20


def _name(bound: str, tested: int, rest: str) -> str:
    return f"bounded/{bound}{f'/testing {tested}' if tested else ''}/{rest}"


def _unit(bound: str, tested: int, assumed: Assumed, share: int, of: int) -> tuple[str, dict[str, Any]]:
    part = f"{share + 1} of {of}"
    name = _name(bound, tested, part if assumed is Assumed.BOTH else f"{assumed.value}/{part}")
    arguments = {"what": "laws", "bound": bound, "tested": tested, "assumed": assumed.value, "share": share, "of": of}
    return name, arguments


def _record(bound: Bound, campaign: Campaign) -> dict[str, Any]:
    return {
        "pairs": {str(nodes): count for nodes, count in campaign.pairs.items()},
        "labelled": {str(nodes): count for nodes, count in campaign.labelled.items()},
        "cases": campaign.cases,
        "asked": campaign.asked,
        "failed": campaign.failed,
        "first": [_violation(bound, violation) for violation in campaign.first.values()],
    }


def _violation(bound: Bound, found: LawViolation) -> dict[str, Any]:
    return {
        "law": found.law,
        "what": found.what,
        "rows": [list(row) for row in found.rows],
        "graph": json.loads(model_json(found.graph(bound))),
        "instance": list(forms.instance(bound)),
    }


Group = tuple[str, int, Assumed]


def _groups(results: Mapping[str, dict[str, Any]]) -> dict[Group, list[dict[str, Any]]]:
    groups: dict[Group, list[dict[str, Any]]] = {}
    for result in results.values():
        if result.get("what") == "laws" and "pairs" in result:
            key = result["bound"], result["tested"], Assumed(result["assumed"])
            groups.setdefault(key, []).append(result)
    return groups


def _merged(shares: list[dict[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {"cases": 0, "first": []}
    for share in shares:
        merged["cases"] += share["cases"]
        merged["first"] += share["first"]
        for key in ("pairs", "labelled", "asked", "failed"):
            total = merged.setdefault(key, {})
            for name, count in share[key].items():
                total[name] = total.get(name, 0) + count
    return merged


def _expected(size: str, assumed: Assumed, counted: dict[str, int] | None) -> dict[str, int]:
    if assumed is Assumed.BOTH:
        return counted or {}
    bound = read_bound(size)
    return {str(nodes): decision_graphs(bound, nodes, assumed) for nodes in range(bound.nodes + 1)}


def _count_rows(
    size: str, tested: int, assumed: Assumed, merged: dict[str, Any], expected: dict[str, int]
) -> list[dict[str, Any]]:
    return [
        {
            "table": "counts",
            "bound": size,
            "tested": tested,
            "assumed": assumed.value,
            "nodes": int(nodes),
            "pairs": merged["pairs"].get(nodes, 0),
            "labelled": merged["labelled"].get(nodes, 0),
            "counted": expected.get(nodes),
        }
        for nodes in sorted({*merged["pairs"], *(nodes for nodes, count in expected.items() if count)})
    ]


def _miscounted(rows: list[dict[str, Any]]) -> list[str]:
    return [
        f"{row['bound']}: {row['labelled']} graphs of {row['nodes']} non-terminals, counted {row['counted']}"
        for row in rows
        if row["counted"] not in (None, row["labelled"])
    ]


def _law_rows(asked: dict[str, int], failed: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "table": "laws",
            "law": law.name,
            "place": law.place,
            "statement": law.statement,
            "asked": asked[law.name],
            "failed": failed[law.name],
            "turned_red_by": list(law.turned_red_by),
        }
        for law in LAWS
    ]


def _ablated_rows(size: str, assumed: Assumed, merged: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "table": "ablations",
            "bound": size,
            "assumed": assumed.value,
            "law": law,
            "asked": asked,
            "failed": merged["failed"][law],
            "expected": "holds" if law in HOLDS[assumed] else "fails",
        }
        for law, asked in merged["asked"].items()
    ]


def _extent(size: str, tested: int) -> str:
    bound = read_bound(size)
    least = f", at least {tested} of them tested" if tested else ""
    sizes = f"{bound.nodes} non-terminals, {bound.classes} classes, {bound.features} features of {bound.values} values"
    return f"{sizes}{least}"


def _limits(complete: list[str], open_: list[str]) -> str:
    reach = f"Every decision graph up to {'; '.join(complete)}" if complete else "No size was finished"
    text = (
        f"{reach}; each at every instance and for every set of features, with one terminal per class and, for trees, a leaf"
        " an edge. Larger graphs are not looked at, and of the orders in which Algorithms 2 and 3 delete features only two."
    )
    return text + (f" Open: {'; '.join(open_)}." if open_ else "")
