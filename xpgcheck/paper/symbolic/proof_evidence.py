"""The symbolic evidence in units that can be run, kept and merged: proofs, counterexamples, and controls."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.paper.symbolic.cases import Cube, uncovered
from xpgcheck.paper.symbolic.controls import satisfiable_without, smallest_counterexample
from xpgcheck.paper.symbolic.decoding import SymbolicCounterexample, decoded, replayed
from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.plain import document
from xpgcheck.paper.symbolic.plans import CONTROL_SIZE, FULL, QUICK, Goal
from xpgcheck.paper.symbolic.sigma import IDEAS
from xpgcheck.paper.symbolic.solving import decide
from xpgcheck.paper.symbolic.theorems import THEOREMS, theorem

Unit = tuple[str, dict[str, Any]]


def units(quick: bool = False) -> list[Unit]:
    """Return the units (name, arguments), the most important first; *quick*: small sizes, 15 seconds in all."""
    goals = QUICK if quick else FULL
    return _numbered([*_refutations(), *_mutations(), *[unit for goal in goals for unit in _proofs(goal)]])


def proof_units(goals: Iterable[Goal]) -> list[Unit]:
    """Return the units of *goals* alone."""
    return _numbered([unit for goal in goals for unit in _proofs(goal)])


def _numbered(found: list[Unit]) -> list[Unit]:
    """Let each unit know how many there are, so that what lacks is noticed."""
    return [(name, {**arguments, "of": len(found)}) for name, arguments in found]


def _proofs(goal: Goal) -> Iterator[Unit]:
    for part in theorem(goal.key).parts(goal.size):
        count = goal.units(part)
        for start in range(count):
            name = f"{goal.key}, {goal.kind.value}, {goal.size}, {part}, {start + 1} of {count}"
            name += ", without cases" if goal.whole else ""
            yield name, _proof(goal, part, start)


def _proof(goal: Goal, part: str, start: int) -> dict[str, Any]:
    return {
        "what": "proof",
        "theorem": goal.key,
        "kind": goal.kind.value,
        "size": [goal.size.nodes, goal.size.features, goal.size.values],
        "part": part,
        "start": start,
        "step": goal.units(part),
        "check_proofs": goal.check_proofs,
        "whole": goal.whole,
    }


def _refutations() -> list[Unit]:
    return [
        (
            f"{found.key}, {kind.value}, counterexample",
            {"what": "counterexample", "theorem": found.key, "kind": kind.value, "part": part},
        )
        for found in THEOREMS
        for kind, part in found.refuted.items()
    ]


def _mutations() -> list[Unit]:
    return [
        (
            f"{found.key}, {kind.value}, without '{group}'",
            {"what": "mutation", "theorem": found.key, "kind": kind.value, "group": group},
        )
        for found in THEOREMS
        for kind, groups in found.turned_red_by.items()
        for group in groups
    ]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Run one unit; the result holds the arguments, ``fine`` (None: shown neither way) and what was found."""
    started = time.monotonic()
    run = {"proof": _prove, "counterexample": _refute, "mutation": _mutate}[arguments["what"]]
    return {**arguments, **run(arguments), "seconds": round(time.monotonic() - started, 3)}


def _prove(arguments: dict[str, Any]) -> dict[str, Any]:
    found, kind, size = theorem(arguments["theorem"]), GraphKind(arguments["kind"]), Size(*arguments["size"])
    denial = found.denial(size, kind, arguments["part"], IDEAS if arguments["whole"] else ())
    every = (Cube(()),) if arguments["whole"] else denial.cubes
    result: dict[str, Any] = {
        "variables": len({abs(literal) for clause in denial.formula.bare() for literal in clause}),
        "clauses": len(denial.formula.clauses),
        "all_cubes": len(every),
    }
    if uncovered(every) is not None:
        return {**result, "fine": None, "fault": "the cubes leave a case out", "cubes": 0, "lines": 0}
    cubes = every[arguments["start"] :: arguments["step"]]
    answer = decide(denial, cubes, check_proofs=arguments["check_proofs"])
    result |= {"cubes": answer.cubes, "lines": answer.lines, "fault": answer.fault}
    if answer.model is None:
        return {**result, "fine": None if answer.fault else True}
    example = decoded(size, answer.model, denial.sets)
    differs = replayed(found.key, arguments["part"], example)
    # A model that plain evaluation does not confirm is a bug of the encoding, and refutes nothing.
    return {
        **result,
        "fine": False if differs else None,
        "fault": None if differs else "the model is no counterexample by plain evaluation",
        "counterexample": _counterexample(found.key, example, differs),
    }


def _refute(arguments: dict[str, Any]) -> dict[str, Any]:
    found, kind = theorem(arguments["theorem"]), GraphKind(arguments["kind"])
    refuted = smallest_counterexample(found, kind, arguments["part"])
    if refuted is None:
        return {"fine": None, "fault": "no counterexample was found"}
    fault = None if refuted.replay else "the model is no counterexample by plain evaluation"
    size = refuted.size
    return {
        "fine": None if fault else True,
        "fault": fault,
        "size": [size.nodes, size.features, size.values],
        "counterexample": _counterexample(found.key, refuted.found, refuted.replay),
    }


def _mutate(arguments: dict[str, Any]) -> dict[str, Any]:
    found = theorem(arguments["theorem"])
    part = satisfiable_without(found, CONTROL_SIZE, GraphKind(arguments["kind"]), arguments["group"])
    fault = None if part else f"without the clauses of '{arguments['group']}' all parts are still unsatisfiable"
    return {"fine": None if fault else True, "fault": fault, "part": part}


def _counterexample(key: str, example: SymbolicCounterexample, differs: str | None) -> dict[str, Any]:
    size = example.table.size
    values = [False if size.values == 2 else "0"] * size.features
    return {"graph": document(example.table, f"against '{key}'"), "instance": values, "differs": differs}


def outcome(results: Mapping[str, dict[str, Any]]) -> EvidenceSummary:
    """Merge the *results* of units by name: all theorems hold if every unit ran, and is fine.

    A model of a theorem's negation that plain evaluation confirms is a counterexample: False.  A unit that lacks, a proof
    that was not accepted or a control that was not satisfiable leaves it open: None.
    """
    expected = max((result["of"] for result in results.values()), default=0)
    missing = expected - len(results)
    failed = [result for result in results.values() if result["fine"] is False]
    faults = [f"{name}: {result['fault']}" for name, result in results.items() if result["fine"] is None]
    holds = False if failed else True if expected and not missing and not faults else None
    details = _rows(results)
    proofs = [result for result in results.values() if result["what"] == "proof"]
    counts = {
        "units": len(results),
        "missing units": missing,
        "proved rows": sum(row["verdict"] == "proved" for row in details if row["what"] == "proof"),
        "cubes": sum(result["cubes"] for result in proofs),
        "lines of checked proofs": sum(result["lines"] for result in proofs),
        "counterexamples without an assumption": _fine(results, "counterexample"),
        "mutated encodings caught": _fine(results, "mutation"),
    }
    counterexample = failed[0]["counterexample"] if failed else None
    return EvidenceSummary(holds, counts, _limits(details), counterexample, details, faults)


def _fine(results: Mapping[str, dict[str, Any]], what: str) -> int:
    return sum(result["what"] == what and result["fine"] is True for result in results.values())


def _rows(results: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row a theorem, kind and size, and one a control."""
    rows: list[dict[str, Any]] = []
    proofs: dict[tuple[str, str, tuple[int, ...], bool], list[dict[str, Any]]] = defaultdict(list)
    for result in results.values():
        if result["what"] == "proof":
            proofs[result["theorem"], result["kind"], tuple(result["size"]), result["whole"]].append(result)
        elif result["what"] == "counterexample":
            rows.append(_row(result, "refuted" if result["fine"] else "open"))
        else:
            rows.append(_row(result, "caught" if result["fine"] else "not caught"))
    for (key, kind, size, at_once), found in proofs.items():
        whole = dict.fromkeys(theorem(key).parts(Size(*size)), 0)
        for result in found:
            whole[result["part"]] += result["cubes"]
        lacking = any(whole[result["part"]] < result["all_cubes"] for result in found) or not all(whole.values())
        verdict = "refuted" if any(r["fine"] is False for r in found) else "open" if lacking else "proved"
        rows.append(
            {
                "what": "proof",
                "theorem": key,
                "statement": theorem(key).statement,
                "source": theorem(key).source,
                "turned_red_by": list(theorem(key).turned_red_by.get(GraphKind(kind), ())),
                "kind": kind,
                "size": list(size),
                "variables": max(result["variables"] for result in found),
                "clauses": max(result["clauses"] for result in found),
                "cubes": sum(result["cubes"] for result in found),
                "lines": sum(result["lines"] for result in found),
                "confirmed": "proof checked" if all(r["check_proofs"] for r in found) else "two solvers",
                "without_cases": at_once,
                "seconds": round(sum(result["seconds"] for result in found), 1),
                "verdict": verdict,
            }
        )
    return rows


def _row(result: dict[str, Any], verdict: str) -> dict[str, Any]:
    """Return the row of a control."""
    kept = ("what", "theorem", "kind", "group", "part", "size", "counterexample", "seconds")
    return {**{key: result[key] for key in kept if key in result}, "verdict": verdict}


def _limits(details: list[dict[str, Any]]) -> str:
    reached: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in details:
        if row["what"] == "proof" and row["verdict"] == "proved" and not row["without_cases"]:
            reached[row["theorem"], row["kind"]].append(",".join(map(str, row["size"])))
    sizes = "; ".join(f"{key}, {kind}: {' and '.join(found)}" for (key, kind), found in reached.items())
    start = "All graphs with at most n non-terminals over at most m features of at most d values, for n,m,d"
    return f"{start} = {sizes}." if sizes else "Nothing is proved."
