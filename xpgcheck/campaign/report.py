"""A campaign as one HTML page that needs nothing else: plots, tables, and each cause of failure with its case.

The journal may come from elsewhere: every text is escaped by the template engine and kept on one line, cases are read as
strictly as from files, and what would make the page large is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xpgcheck.campaign.causes import read_case_document
from xpgcheck.campaign.export import case_text, replay_command
from xpgcheck.campaign.figures import Figure, figures
from xpgcheck.campaign.journal import Cause, Journal
from xpgcheck.campaign.part import WHOLE
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.status import finding_fields
from xpgcheck.campaign.summary import Summary, clock, grouped, read_summary
from xpgcheck.campaign.watching import duration
from xpgcheck.claims.documents import parse_judged_case
from xpgcheck.errors import XpgcheckError
from xpgcheck.gate.reports.html_finding import MAX_SMALL
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.subjects import passed_over_words
from xpgcheck.reports.lines import MAX_COMMAND, line
from xpgcheck.reports.pages import page
from xpgcheck.wording import counted, short_value
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.text_tree import tree_text
from xpgcheck.xpg.xps import XP, Kind

MAX_FINDINGS = 60
"""Causes on the page; ``campaign status --json FILE`` has more, and ``campaign export`` all of them."""

MAX_NODES = 40
"""Nodes of a picture; the rest is folded."""

MAX_DOCUMENT = 20_000
"""Characters of a case's JSON on the page."""

MAX_TREE_LINES = 60

MAX_PICTURES = 400_000
"""Characters of all pictures and cases together, so that the page stays below a megabyte."""

MAX_ROWS = 40
"""Rows of tables of names, and features of an instance."""


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure for the template; ``svg`` is "" where there is none."""

    figure: Figure
    svg: str


@dataclass(frozen=True, slots=True)
class CauseView:
    """A cause for the template: texts of one line, the instance, the picture or why there is none, and the case."""

    number: int
    said: Mapping[str, Any]
    outcome: Outcome
    times: int
    unit: int
    command: str
    instance: tuple[tuple[str, str], ...]
    svg: str
    wide: bool
    problem: str
    tree: str
    document: str


def write_report(journal: Journal, path: Path) -> None:
    """Write the report of *journal* to *path*, whole or not at all.

    Raises ``FormatError`` where the journal is not what it has to be, ``InputError`` where the file cannot be written.
    """
    write_atomically(path, html_report(journal))


def html_report(journal: Journal) -> str:
    """Return the page.  Linear in the journal's units, besides the layout of a bounded number of pictures."""
    found = read_summary(journal)
    outcome = found.conclusion().outcome
    plots, no_plots = _plots(found)
    views = _Findings(journal.plan).views(found.causes[:MAX_FINDINGS])
    return page(
        "xpgcheck.campaign",
        "campaign.html.j2",
        found=found,
        name=line(found.name, 200),
        outcome=outcome,
        word=found.conclusion().word,
        verdict=_verdict(found),
        facts=_facts(found),
        figures=plots,
        no_plots=no_plots,
        counts=[(name, _cells(parts)) for name, parts in grouped(found.counts)],
        outcomes=tuple(Outcome),
        workers=_workers(found),
        findings=views,
        more_findings=len(found.causes) + found.more_causes - len(views),
    )


def _verdict(found: Summary) -> str:
    causes = len(found.causes) + found.more_causes
    return (
        f"{counted(found.cases, 'case')} in {counted(found.units, 'unit')}; "
        f"{counted(causes, 'cause')} of {counted(found.findings, 'finding')}; "
        f"{found.undecided:,} inconclusive"
    )


def _facts(found: Summary) -> list[tuple[str, str]]:
    left = found.left()
    facts = [
        ("state", found.state()),
        *([("part", str(found.part))] if found.part != WHOLE else []),
        ("units", f"{found.units:,}" + (f" of {found.of_units:,}" if found.of_units is not None else "")),
        ("time", duration(found.spent) + (f" of {duration(found.limit)}" if found.limit is not None else "")),
        ("rate", f"{found.rate():,.1f} cases per second"),
        ("begun", clock(found.created) if found.created is not None else "unknown"),
    ]
    if left is not None and not found.is_finished():
        facts.append(("left", f"about {duration(left)}"))
    facts += [("kind", found.kind), ("by", line(found.identity, 200))]
    if found.passed_over:
        facts.append(("passed over", "; ".join(passed_over_words(found.passed_over))))
    return [*facts, *((line(key, 40), text) for key, text in found.options.items())]


def _cells(parts: Mapping[Outcome | None, list[tuple[str, int]]]) -> dict[Outcome | None, list[tuple[str, int]]]:
    return {outcome: list(parts.get(outcome, ())) for outcome in (*Outcome, None)}


def _workers(found: Summary) -> list[tuple[str, str, str, str]]:
    most = sorted(found.workers.items(), key=lambda item: (-item[1].units, item[0]))
    rows = [(name, f"{w.units:,}", f"{w.cases:,}", clock(w.last)) for name, w in most[:MAX_ROWS]]
    return [*rows, *([(f"and {len(most) - MAX_ROWS:,} more", "", "", "")] if len(most) > MAX_ROWS else [])]


def _plots(found: Summary) -> tuple[list[FigureView], str]:
    """Return the figures, and why there are no plots, where there are none."""
    from xpgcheck.campaign.plots import svg_of

    shown = figures(found)
    try:
        return [FigureView(figure, svg_of(figure, number)) for number, figure in enumerate(shown, 1)], ""
    except XpgcheckError as error:
        return [FigureView(figure, "") for figure in shown], line(str(error))


class _Findings:
    """Causes as the page shows them, within its size."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._room = MAX_PICTURES

    def views(self, causes: list[Cause]) -> list[CauseView]:
        return [self._view(number, cause) for number, cause in enumerate(causes, 1)]

    def _view(self, number: int, cause: Cause) -> CauseView:
        said = finding_fields(cause)
        open_ = said["outcome"] == Outcome.INCONCLUSIVE.value
        instance: tuple[tuple[str, str], ...] = ()
        svg, wide, tree, problem = "", False, "", "There is no case that can be drawn."
        case = cause.document.get("case")
        if isinstance(case, dict):
            try:
                graph, point = read_case_document(json.dumps(case).encode())
                instance, tree = _instance(graph, point), self._tree(graph)
                svg, wide = self._picture(graph, point, case)
                problem = ""
            except (XpgcheckError, RecursionError) as error:
                problem = line(str(error))
        return CauseView(
            number,
            said,
            Outcome.INCONCLUSIVE if open_ else Outcome.VIOLATED,
            cause.times,
            cause.unit,
            line(replay_command(cause, self._plan), MAX_COMMAND),
            instance,
            svg,
            wide,
            problem,
            tree,
            self._document(cause),
        )

    def _fits(self, text: str) -> bool:
        self._room -= len(text)
        return self._room >= 0

    def _picture(self, graph: DecisionGraph, point: Point, case: dict[str, Any]) -> tuple[str, bool]:
        from xpgcheck.drawing.api import draw

        if self._room <= 0:
            raise _full()
        svg = draw(graph, point, _claimed(case), max_nodes=MAX_NODES).svg
        if not self._fits(svg):
            raise _full()
        width = re.search(r' width="([0-9.]+)"', svg)
        # Inside a page the name space goes without saying.
        inside = svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
        return inside, width is not None and float(width[1]) > MAX_SMALL

    def _tree(self, graph: DecisionGraph) -> str:
        lines = [line(text, 200) for text in tree_text(graph).splitlines()]
        more = [f"… {len(lines) - MAX_TREE_LINES:,} more lines"] if len(lines) > MAX_TREE_LINES else []
        text = "\n".join([*lines[:MAX_TREE_LINES], *more])
        return text if self._fits(text) else ""

    def _document(self, cause: Cause) -> str:
        text = case_text(cause.document) or ""
        shown = "\n".join(line(part, MAX_DOCUMENT) for part in text[:MAX_DOCUMENT].splitlines())
        if len(text) > MAX_DOCUMENT:
            shown += "\n… cut; 'campaign export' writes all of it"
        return shown if self._fits(shown) else ""


def _full() -> XpgcheckError:
    return XpgcheckError("the page would grow too large", mend="'xpgcheck campaign export' writes the cases")


def _instance(graph: DecisionGraph, point: Point) -> tuple[tuple[str, str], ...]:
    pairs = zip(graph.features, point, strict=True)
    rows = [(line(f.name, 80), line(short_value(f.domain, value), 60)) for f, value in pairs]
    more = [("…", f"{len(rows) - MAX_ROWS:,} more")] if len(rows) > MAX_ROWS else []
    return (*rows[:MAX_ROWS], *more)


def _claimed(case: dict[str, Any]) -> XP | None:
    """Return the claimed XP of a judged case, over features, if there is one."""
    from xpgcheck.claims import documents
    from xpgcheck.judging.claim import ClaimKind, Notion

    if case.get("format") != documents.FORMAT:
        return None
    for claim in parse_judged_case(json.dumps(case).encode()).claims:
        drawn = claim.kind in (ClaimKind.AXP, ClaimKind.CXP) and claim.notion is Notion.FEATURES
        if drawn and claim.members is not None and claim.fault is None:
            return XP(Kind(claim.kind.value), claim.members)
    return None
