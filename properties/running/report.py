"""Report of a run: a table of properties on the terminal, the findings with their graphs, and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xpgcheck.errors import shown
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import number_text, value_text
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.running.documents import FindingRecord, OptionsRecord, PropertyRecord, RunReport
from xpgcheck.properties.running.outcomes import Failure, PropertyTally, Result
from xpgcheck.properties.subjects import ARGUMENTS, Methods, passed_over_words
from xpgcheck.reports.conclusion import STYLES, Conclusion
from xpgcheck.reports.documents import record_text
from xpgcheck.reports.terminal import new_table, say
from xpgcheck.wording import counted
from xpgcheck.writers.json_model import model_json
from xpgcheck.writers.text_tree import tree_text

if TYPE_CHECKING:
    from rich.console import Console

MAX_GRAPH_LINES = 40


def case_lines(case: Case | EnsembleCase | FormulaCase) -> list[str]:
    """Return a case as text: its graph, indented, or its ensemble in a line, and its instance; or its formula."""
    if isinstance(case, FormulaCase):
        return [formula_text(case.formula)]
    if isinstance(case, EnsembleCase):
        trees = counted(len(case.graph.trees), "tree")
        lines = [f"{shown(case.graph.name)}: {trees}, {case.graph.rule}{_base_words(case.graph)}"]
        if case.graph.node_count <= MAX_GRAPH_LINES:
            lines += [line for number in range(len(case.graph.trees)) for line in _member_lines(case.graph, number)]
    else:
        lines = tree_text(case.graph).splitlines()
    if len(lines) > MAX_GRAPH_LINES:
        lines = [*lines[:MAX_GRAPH_LINES], f"… {len(lines) - MAX_GRAPH_LINES} more lines"]
    names = [feature.name for feature in case.graph.features]
    pairs = ", ".join(f"{n}={shown(value_text(v), 40)[1:-1]}" for n, v in zip(names, case.instance, strict=True))
    return [*lines, f"instance: {pairs} (class {case.graph.classes[case.graph.kappa(case.instance)]})"]


def _base_words(ensemble: Ensemble) -> str:
    """Return what the scores of *ensemble* begin with; "" where that is nothing."""
    base = () if isinstance(ensemble.rule, Majority) else ensemble.rule.base
    return f", base {shown(', '.join(map(number_text, base)), 60)[1:-1]}" if any(base) else ""


def _member_lines(ensemble: Ensemble, number: int) -> list[str]:
    """Return a tree of *ensemble* as text; of sums, under a line that says what its answers add."""
    lines = tree_text(ensemble.trees[number]).splitlines()
    if isinstance(ensemble.rule, Majority):
        return lines
    adds = "; ".join(
        f"{answer}: {', '.join(map(number_text, row))}" for answer, row in enumerate(ensemble.outputs[number])
    )
    return [f"tree {number}, whose answers add {shown(adds, 100)[1:-1]}", *lines]


def verdict_line(result: Result[Any], properties: int, asked_for: Sequence[Sequence[str]] = ()) -> str:
    """Return the last line: whether everything holds, of how many *properties* that had a case, and cases.

    *asked_for* are groups of properties of which some has to have a case, as :meth:`Result.unasked` takes them.
    """
    comes_to = Conclusion.of(len(result.findings), result.open, asked=not result.unasked(asked_for))
    failed = {finding.property_name for finding in result.findings}
    silent = sum(1 for n, t in result.tallies.items() if not (t.held or t.open or n in failed))
    return comes_to.line(
        counted(properties - silent, "property", "properties"),
        counted(result.cases, "case"),
        f"{len(result.findings)} violated",
        f"{result.open} inconclusive",
        *([f"{silent} without a case"] if silent else []),
    )


def print_report(result: Result[Any], properties: Sequence[Property], console: Console) -> None:
    """Print one row per property, then each finding with its case."""
    from rich.text import Text

    table = new_table(["property", "paper"], ["held", "silent", "open"], ["verdict"])
    for item in properties:
        tally = result.tallies.get(item.name, PropertyTally())
        failed = any(finding.property_name == item.name for finding in result.findings)
        outcome = Conclusion.of(failed, tally.open).outcome
        word, colour = "open" if outcome is Outcome.INCONCLUSIVE else outcome.value, STYLES[outcome]
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
            say(console, f"open: {name}: {reason}", STYLES[Outcome.INCONCLUSIVE])


def finding_lines(finding: Failure[Any]) -> list[str]:
    """Return a finding as text, without its property: the verdict and the evidence, where it comes from, the case."""
    where = f"case {finding.example}, {finding.origin}, shrunk to" if finding.example else f"{finding.origin},"
    first, second, *_ = finding.case.size
    of_formula = isinstance(finding.case, FormulaCase)
    words = ("clause", "literal") if of_formula else ("non-terminal", "feature")
    size = f"{counted(first, words[0])}, {counted(second, words[1])}"
    return [
        f"{finding.verdict}: {finding.evidence}",
        f"  subject {shown(finding.subject)}; {where} {size}:",
        *(f"    {line}" for line in case_lines(finding.case)),
    ]


def print_finding(finding: Failure[Any], console: Console) -> None:
    """Print one finding."""
    first, *rest = finding_lines(finding)
    say(console, f"{finding.property_name}: {first}", STYLES[Outcome.VIOLATED])
    for line in rest:
        say(console, line)
    console.print()


def print_statistics(result: Result[Any], console: Console) -> None:
    """Print how many of the generated cases had each label."""
    for label, count in sorted(result.labels.items()):
        console.print(f"  {100 * count / max(result.cases, 1):5.1f} %  {label}", markup=False, highlight=False)
    console.print()


def print_methods(methods: Methods, console: Console) -> None:
    """Print which methods of the subject are judged, and which are passed over."""
    say(console, f"judged: {', '.join(name for name in ARGUMENTS if name in methods.judged)}")
    for text in passed_over_words(methods.passed_over):
        say(console, f"passed over: {text}", "yellow")
    console.print()


def json_report(result: Result, properties: Sequence[Property], options: dict[str, Any], methods: Methods) -> str:
    """Return the report as JSON text; see ``schemas/run-report.schema.json``."""
    report = RunReport(
        options=OptionsRecord(**options),
        abilities=sorted(methods.judged),
        passed_over=dict(methods.passed_over),
        cases=result.cases,
        violations=len(result.findings),
        inconclusive=result.open,
        properties=[_property(item, result.tallies.get(item.name, PropertyTally())) for item in properties],
        labels=dict(sorted(result.labels.items())),
        findings=[_finding(finding) for finding in result.findings],
    )
    return record_text(report)


def _property(item: Property, tally: PropertyTally) -> PropertyRecord:
    return PropertyRecord(
        name=item.name,
        statement=item.statement,
        source=item.source,
        held=tally.held,
        failed=tally.failed,
        open=tally.open,
        silent=tally.silent,
        seconds=round(tally.seconds, 6),
        reasons=tally.reasons,
    )


def _finding(finding: Failure) -> FindingRecord:
    names = [feature.name for feature in finding.case.graph.features]
    return FindingRecord(
        property=finding.property_name,
        subject=finding.subject,
        verdict=finding.verdict,
        evidence=finding.evidence,
        example=finding.example,
        origin=finding.origin,
        non_terminals=finding.nodes,
        features=finding.features,
        dice=finding.case.dice,
        instance=dict(zip(names, map(value_text, finding.case.instance), strict=True)),
        graph=json.loads(model_json(finding.case.graph)),
    )
