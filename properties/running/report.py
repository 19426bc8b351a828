"""What a run shows: a table of properties on the terminal, the findings with their graphs, and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xpgcheck.errors import NOTHING_CHECKED, shown
from xpgcheck.model.value_sets import value_text
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.running.outcomes import Failure, Result, Tally
from xpgcheck.properties.subjects import ARGUMENTS, Methods, passed_over_words
from xpgcheck.version import __version__
from xpgcheck.writers.json_model import model_json
from xpgcheck.writers.text_tree import tree_text

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "xpgcheck-run-report"
VERSION = 1

MAX_GRAPH_LINES = 40


def case_lines(case: Case | FormulaCase) -> list[str]:
    """Return a case as text: its graph, indented, and its instance; or its formula."""
    if isinstance(case, FormulaCase):
        return [formula_text(case.formula)]
    lines = tree_text(case.graph).splitlines()
    if len(lines) > MAX_GRAPH_LINES:
        lines = [*lines[:MAX_GRAPH_LINES], f"… {len(lines) - MAX_GRAPH_LINES} more lines"]
    names = [feature.name for feature in case.graph.features]
    pairs = ", ".join(f"{n}={shown(value_text(v), 40)[1:-1]}" for n, v in zip(names, case.instance, strict=True))
    return [*lines, f"instance: {pairs} (class {case.graph.classes[case.graph.kappa(case.instance)]})"]


def verdict_line(result: Result[Any], properties: int, asked_for: Sequence[Sequence[str]] = ()) -> str:
    """Return the last line: whether everything holds, of how many *properties* that had a case, and cases.

    *asked_for* are groups of properties of which some has to have a case, as :meth:`Result.unasked` takes them.
    """
    word = "VIOLATED" if result.findings else "INCONCLUSIVE" if result.open else "HOLDS"
    if word == "HOLDS" and result.unasked(asked_for):
        word = NOTHING_CHECKED
    failed = {finding.property_name for finding in result.findings}
    silent = sum(1 for n, t in result.tallies.items() if not (t.held or t.open or n in failed))
    return (
        f"{word}: {properties - silent} properties, {result.cases:,} cases, {len(result.findings)} violated, "
        f"{result.open} inconclusive" + (f", {silent} without a case" if silent else "")
    )


def print_report(result: Result[Any], properties: Sequence[Property], console: Console) -> None:
    """Print one row a property, then each finding with its case."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    for title in ("property", "paper"):
        table.add_column(title, overflow="fold")
    for title in ("held", "silent", "open", "verdict"):
        table.add_column(title, justify="left" if title == "verdict" else "right", no_wrap=True)
    for item in properties:
        tally = result.tallies.get(item.name, Tally())
        failed = any(finding.property_name == item.name for finding in result.findings)
        word, colour = ("violated", "bold red") if failed else ("open", "yellow") if tally.open else ("holds", "green")
        if not failed and not tally.held and not tally.open:
            word, colour = "no case", "dim"
        table.add_row(
            item.name, item.source, f"{tally.held:,}", f"{tally.silent:,}", f"{tally.open:,}", Text(word, style=colour)
        )
    console.print(table)
    console.print()
    for finding in result.findings:
        print_finding(finding, console)
    for name, tally in result.tallies.items():
        for reason in tally.reasons[:1]:
            console.print(Text(f"open: {name}: {reason}", style="yellow"), soft_wrap=True)


def finding_lines(finding: Failure[Any]) -> list[str]:
    """Return a finding as text, without its property: the verdict and the evidence, where it comes from, the case."""
    where = f"case {finding.example}, {finding.origin}, shrunk to" if finding.example else f"{finding.origin},"
    first, second, *_ = finding.case.size
    of_formula = isinstance(finding.case, FormulaCase)
    size = f"{first} clauses, {second} literals" if of_formula else f"{first} non-terminals, {second} features"
    return [
        f"{finding.verdict}: {finding.evidence}",
        f"  subject {shown(finding.subject)}; {where} {size}:",
        *(f"    {line}" for line in case_lines(finding.case)),
    ]


def print_finding(finding: Failure[Any], console: Console) -> None:
    """Print one finding."""
    from rich.text import Text

    first, *rest = finding_lines(finding)
    console.print(Text(f"{finding.property_name}: {first}", style="bold red"), soft_wrap=True)
    for line in rest:
        console.print(Text(line), soft_wrap=True)
    console.print()


def print_statistics(result: Result[Any], console: Console) -> None:
    """Print how many of the generated cases had each label."""
    for label, count in sorted(result.labels.items()):
        console.print(f"  {100 * count / max(result.cases, 1):5.1f} %  {label}", markup=False, highlight=False)
    console.print()


def print_methods(methods: Methods, console: Console) -> None:
    """Print which methods of the subject are judged, and which are passed over."""
    from rich.text import Text

    console.print(Text(f"judged: {', '.join(name for name in ARGUMENTS if name in methods.judged)}"), soft_wrap=True)
    for text in passed_over_words(methods.passed_over):
        console.print(Text(f"passed over: {text}", style="yellow"), soft_wrap=True)
    console.print()


def json_report(result: Result, properties: Sequence[Property], options: dict[str, Any], methods: Methods) -> str:
    """Return the report as JSON text; see ``schemas/run-report.schema.json``."""
    report = {
        "format": FORMAT,
        "version": VERSION,
        "xpgcheck": __version__,
        "options": options,
        "abilities": sorted(methods.judged),
        "passed_over": dict(methods.passed_over),
        "cases": result.cases,
        "violations": len(result.findings),
        "inconclusive": result.open,
        "properties": [_property(item, result.tallies.get(item.name, Tally())) for item in properties],
        "labels": dict(sorted(result.labels.items())),
        "findings": [_finding(finding) for finding in result.findings],
    }
    return json.dumps(report, indent=1, ensure_ascii=True) + "\n"


def _property(item: Property, tally: Tally) -> dict[str, Any]:
    return {
        "name": item.name,
        "statement": item.statement,
        "source": item.source,
        "held": tally.held,
        "failed": tally.failed,
        "open": tally.open,
        "silent": tally.silent,
        "seconds": round(tally.seconds, 6),
        "reasons": tally.reasons,
    }


def _finding(finding: Failure) -> dict[str, Any]:
    names = [feature.name for feature in finding.case.graph.features]
    return {
        "property": finding.property_name,
        "subject": finding.subject,
        "verdict": finding.verdict,
        "evidence": finding.evidence,
        "example": finding.example,
        "origin": finding.origin,
        "non_terminals": finding.nodes,
        "features": finding.features,
        "dice": finding.case.dice,
        "instance": dict(zip(names, map(value_text, finding.case.instance), strict=True)),
        "graph": json.loads(model_json(finding.case.graph)),
    }
