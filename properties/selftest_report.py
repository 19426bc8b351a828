"""What a self-test shows: the table of seeded bugs, and the figures that are promised of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties import selftest
from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.running.report import print_finding
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import Measured, SelftestSettings
from xpgcheck.reports.conclusion import STYLES
from xpgcheck.reports.documents import document_text
from xpgcheck.reports.terminal import new_table

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "xpgcheck-selftest-report"
VERSION = 1

SMALL = 3
"""Non-terminals and features, or clauses and literals, that a shrunk counterexample should not exceed."""

TITLES = {"explainer": "explainer", "oracle": "oracle", "reduction": "route"}
"""What a seeded bug of each kind is called in tables."""

GRAPHS = (
    "Seeded bugs",
    "Explainers and oracles",
    "properties.md",
    selftest.LOOKED_AT,
    "non-terminals and features of the largest counterexample after shrinking",
)
FORMULAS = (
    "Seeded bugs of the reduction",
    "Reductions, solvers and checkers",
    "reduction.md",
    selftest.LOOKED_AT_FORMULAS,
    "the smallest counterexample",
)
"""How a document on either kind of cases is headed and described."""


def print_report(
    bugs: Sequence[SeededBug], measured: Sequence[Measured], idle: Sequence[str], console: Console, *, show: bool
) -> None:
    """Print one row per bug: what is wrong, what catches it, how soon, how small; then what no bug makes fail."""
    from rich.text import Text

    for kind, title in TITLES.items():
        rows = [(bug, found) for bug, found in zip(bugs, measured, strict=True) if bug.kind == kind]
        if not rows:
            continue
        table = new_table([f"wrong {title}", "first caught by"], ["all", "cases", "largest", "smallest"])
        for bug, found in rows:
            smallest = found.smallest
            first = smallest.property_name if smallest is not None else "nothing"
            table.add_row(
                bug.name,
                Text(first, style="" if found.caught else STYLES[Outcome.VIOLATED]),
                str(len(found.caught_by)),
                f"{found.examples:g}",
                size_text(found.largest),
                size_text(selftest.extent(smallest)) if smallest is not None else "",
            )
        console.print(table)
        console.print()
    if show:
        for bug, found in zip(bugs, measured, strict=True):
            console.print(Text(f"{bug.name}: {bug.wrong}", style="bold"))
            if found.smallest is not None:
                print_finding(found.smallest, console)
    for name in idle:
        console.print(Text(f"no seeded bug makes this property fail: {name}", style=STYLES[Outcome.VIOLATED]))


def size_text(size: tuple[int, int]) -> str:
    """Return the size of a counterexample: non-terminals and features, or clauses and literals."""
    return f"{size[0]}, {size[1]}"


def verdict_line(measured: Sequence[Measured], idle: Sequence[str], settings: SelftestSettings) -> str:
    """Return the last line: how many bugs were caught, within how many cases, and how small the counterexamples are."""
    findings = [f for m in measured for f in m.findings if f is not None]
    shrunk = [f for m in measured for f in m.shrunk_findings]
    runs = sum(len(m.findings) for m in measured)
    small = sum(1 for f in shrunk if max(selftest.extent(f)) <= SMALL)
    largest = max((max(selftest.extent(f)) for f in shrunk), default=0)
    what = "clauses and literals" if any(m.of_reduction for m in measured) else "non-terminals and features"
    caught = sum(1 for m in measured if m.caught)
    word = "CAUGHT" if caught == len(measured) and not idle else "MISSED"
    share = 100 * small / max(len(shrunk), 1)
    return (
        f"{word}: {caught} of {len(measured)} seeded bugs in each of {settings.seeds} seeds "
        f"({len(findings):,} of {runs:,} runs, at most {settings.examples:,} cases each); {share:.1f} % of {len(shrunk):,} "
        f"shrunk counterexamples have at most {SMALL} {what}, none more than {largest}"
    )


def report_of(
    bugs: Sequence[SeededBug], measured: Sequence[Measured], idle: Sequence[str], settings: SelftestSettings
) -> dict[str, Any]:
    """Return the figures as JSON data."""
    return {
        "examples": settings.examples,
        "seeds": settings.seeds,
        "shrunk_seeds": settings.shrunk,
        "size": settings.size,
        "summary": verdict_line(measured, idle, settings),
        "bugs": [
            {
                "name": bug.name,
                "kind": bug.kind,
                "wrong": bug.wrong,
                "caught": found.caught,
                "caught_by": list(found.caught_by),
                "runs": [None if f is None else _run(f, found) for f in found.findings],
            }
            for bug, found in zip(bugs, measured, strict=True)
        ],
        "idle_properties": list(idle),
    }


def _run(finding: Failure[Any], found: Measured) -> dict[str, Any]:
    names = ("clauses", "literals") if found.of_reduction else ("non_terminals", "features")
    return {
        "property": finding.property_name,
        "verdict": finding.verdict,
        "example": finding.example,
        **dict(zip(names, selftest.extent(finding), strict=True)),
        **({"formula": _formula(finding)} if found.of_reduction else {}),
    }


def _formula(finding: Failure[FormulaCase]) -> str:
    return formula_text(finding.case.formula)


def json_text(report: dict[str, Any]) -> str:
    """Return a report as JSON text."""
    return document_text(FORMAT, VERSION, report)


def markdown(report: dict[str, Any], command: str) -> str:
    """Return a report as a document: what *command* measured, and a row for each seeded bug."""
    reduction = any(bug["kind"] == "reduction" for bug in report["bugs"])
    title, subjects, page, cases, sizes = GRAPHS if not reduction else FORMULAS
    lines = [
        f"# {title}",
        "",
        f"{subjects} that are wrong on purpose, each a small variation of a right one, and how the",
        f"[properties]({page}) catch them. Written by `{command}`:",
        "",
        "```text",
        report["summary"],
        "```",
        "",
        f"*caught by*: the property that most often fails first, and how many fail of it on {cases} cases.",
        f"*cases*: the number of generated cases until it is caught, median and most of {report['seeds']} seeds.",
        f"*shrunk*: {sizes},",
        f"with {report['shrunk_seeds']} of the seeds.",
    ]
    for kind, called in TITLES.items():
        bugs = [bug for bug in report["bugs"] if bug["kind"] == kind]
        # A document on graphs has both of their tables, even where one is empty.
        if not bugs and (reduction or kind == "reduction"):
            continue
        lines += [
            "",
            f"## Wrong {called}s",
            "",
            "| name | what is wrong | caught by | cases | shrunk |",
            "| --- | --- | --- | --- | --- |",
            *(_row(bug, report["shrunk_seeds"]) for bug in bugs),
        ]
    return "\n".join(lines) + "\n"


def _row(bug: dict[str, Any], shrunk: int) -> str:
    runs = [run for run in bug["runs"] if run is not None]
    first = statistics.mode(run["property"] for run in runs) if runs else "nothing"
    examples = [run["example"] for run in runs] + [math.inf] * (len(bug["runs"]) - len(runs))
    small = [run for run in bug["runs"][:shrunk] if run is not None]
    if bug["kind"] == "reduction":
        size = min((run["formula"] for run in small), key=len, default="")
    else:
        size = size_text(max(((run["non_terminals"], run["features"]) for run in small), default=(0, 0)))
    wrong = bug["wrong"].replace("|", "\\|")
    cases = f"{statistics.median(examples):g}, {max(examples):g}"
    return f"| {bug['name']} | {wrong} | `{first}`, {len(bug['caught_by'])} | {cases} | {size} |"
