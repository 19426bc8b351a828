"""Report of a self-test: the table of seeded bugs, and the figures that are promised of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.running.report import print_finding
from xpgcheck.properties.selftest import BugGround, Measured, SelftestSettings, extent, ground_of, grounds_of
from xpgcheck.reports.conclusion import STYLES
from xpgcheck.reports.documents import document_text
from xpgcheck.reports.terminal import new_table

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "xpgcheck-selftest-report"
VERSION = 1

SMALL = 3
"""Non-terminals and features, or clauses and literals, that a shrunk counterexample should not exceed."""


def print_report(measured: Sequence[Measured], idle: Sequence[str], console: Console, *, show: bool) -> None:
    """Print one row per bug: what is wrong, what catches it, how soon, how small; then what no bug makes fail."""
    from rich.text import Text

    for kind, title in _titles(measured).items():
        rows = [found for found in measured if found.bug.kind == kind]
        if not rows:
            continue
        table = new_table([f"wrong {title}", "first caught by"], ["all", "cases", "largest", "smallest"])
        for found in rows:
            smallest = found.smallest
            first = smallest.property_name if smallest is not None else "nothing"
            table.add_row(
                found.bug.name,
                Text(first, style="" if found.caught else STYLES[Outcome.VIOLATED]),
                str(len(found.caught_by)),
                f"{found.examples:g}",
                size_text(found.largest),
                size_text(extent(smallest)) if smallest is not None else "",
            )
        console.print(table)
        console.print()
    if show:
        for found in measured:
            console.print(Text(f"{found.bug.name}: {found.bug.wrong} [{found.bug.source}]", style="bold"))
            if found.smallest is not None:
                print_finding(found.smallest, console)
    for name in idle:
        console.print(Text(f"no seeded bug makes this property fail: {name}", style=STYLES[Outcome.VIOLATED]))


def _titles(measured: Sequence[Measured]) -> dict[str, str]:
    return {k: title for ground in _grounds(measured) for k, title in ground.titles.items()}


def _grounds(measured: Sequence[Measured]) -> list[BugGround]:
    return grounds_of([found.bug for found in measured])


def size_text(size: tuple[int, int]) -> str:
    """Return the size of a counterexample: non-terminals and features, or clauses and literals."""
    return f"{size[0]}, {size[1]}"


def all_caught(measured: Sequence[Measured], idle: Sequence[str]) -> bool:
    """Tell whether every bug was caught with every seed, and no check is *idle*."""
    return not idle and all(found.caught for found in measured)


def verdict_line(measured: Sequence[Measured], idle: Sequence[str], settings: SelftestSettings) -> str:
    """Return the last line: how many bugs were caught, within how many cases, and how small the counterexamples are."""
    findings = [f for m in measured for f in m.findings if f is not None]
    shrunk = [f for m in measured for f in m.shrunk_findings]
    runs = sum(len(m.findings) for m in measured)
    small = sum(1 for f in shrunk if max(extent(f)) <= SMALL)
    largest = max((max(extent(f)) for f in shrunk), default=0)
    what = " or ".join(" and ".join(ground.extents) for ground in _grounds(measured))
    caught = sum(1 for m in measured if m.caught)
    word = "CAUGHT" if all_caught(measured, idle) else "MISSED"
    share = 100 * small / max(len(shrunk), 1)
    seeds = "with 1 seed" if settings.seeds == 1 else f"in each of {settings.seeds} seeds"
    return (
        f"{word}: {caught} of {len(measured)} seeded bugs {seeds} "
        f"({len(findings):,} of {runs:,} runs, at most {settings.examples:,} cases each); {share:.1f} % of {len(shrunk):,} "
        f"shrunk counterexamples have at most {SMALL} {what}, none more than {largest}"
    )


def json_text(measured: Sequence[Measured], idle: Sequence[str], settings: SelftestSettings) -> str:
    """Return the figures as JSON text."""
    report = {
        "examples": settings.examples,
        "seeds": settings.seeds,
        "shrunk_seeds": settings.shrunk,
        "size": settings.size,
        "summary": verdict_line(measured, idle, settings),
        "bugs": [
            {
                "name": found.bug.name,
                "kind": found.bug.kind,
                "wrong": found.bug.wrong,
                "caught": found.caught,
                "caught_by": list(found.caught_by),
                "runs": [None if f is None else _run(f, ground_of(found.bug)) for f in found.findings],
            }
            for found in measured
        ],
        "idle_properties": list(idle),
    }
    return document_text(FORMAT, VERSION, report)


def _run(finding: Failure[Any], ground: BugGround) -> dict[str, Any]:
    names = (name.replace("-", "_") for name in ground.extents)
    text = ground.shown(finding)
    return {
        "property": finding.property_name,
        "verdict": finding.verdict,
        "example": finding.example,
        **dict(zip(names, extent(finding), strict=True)),
        **({"formula": text} if text else {}),
    }


def markdown(measured: Sequence[Measured], idle: Sequence[str], settings: SelftestSettings, command: str) -> str:
    """Return the figures as a document: what *command* measured, and a row for each seeded bug, all of one ground."""
    page = _grounds(measured)[0].page
    lines = [
        f"# {page.title}",
        "",
        f"{page.wrong} that are wrong on purpose, each a small variation of a right one, and how the",
        f"[properties]({page.page}) catch them. Written by `{command}`:",
        "",
        "```text",
        verdict_line(measured, idle, settings),
        "```",
        "",
        f"*caught by*: the property that most often fails first, and how many fail of it on {page.looked_at} cases.",
        f"*cases*: the number of generated cases until it is caught, median and most of {settings.seeds} seeds.",
        f"*shrunk*: {page.shrunk},",
        f"with {settings.shrunk} of the seeds.",
    ]
    for kind, called in _titles(measured).items():
        lines += [
            "",
            f"## Wrong {called}s",
            "",
            "| name | what is wrong | caught by | cases | shrunk |",
            "| --- | --- | --- | --- | --- |",
            *(_row(found) for found in measured if found.bug.kind == kind),
        ]
    return "\n".join(lines) + "\n"


def _row(found: Measured) -> str:
    findings = [f for f in found.findings if f is not None]
    first = statistics.mode(f.property_name for f in findings) if findings else "nothing"
    examples = [f.example for f in findings] + [math.inf] * (len(found.findings) - len(findings))
    texts = [ground_of(found.bug).shown(f) for f in found.shrunk_findings]
    size = min(texts, key=len, default="") or size_text(max(map(extent, found.shrunk_findings), default=(0, 0)))
    wrong = found.bug.wrong.replace("|", "\\|")
    cases = f"{statistics.median(examples):g}, {max(examples):g}"
    return f"| {found.bug.name} | {wrong} | `{first}`, {len(found.caught_by)} | {cases} | {size} |"
