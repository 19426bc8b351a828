"""A finding as the page shows it: plain texts and tables for the template, and the picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xpgcheck.errors import XpgcheckError
from xpgcheck.gate.reports.claim_texts import MAX_SETS, claim_text, closed_set_text, labels_of, named_text
from xpgcheck.gate.reports.finding_texts import graph_lines, origin_text, replay_command, shown_judged
from xpgcheck.gate.reports.html_points import PointTable, point_table
from xpgcheck.gate.reports.summary import ASKED_WORDS, other_notion
from xpgcheck.gate.results import Finding
from xpgcheck.gate.saving import case_text
from xpgcheck.judging.claim import ClaimKind, Members, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.reports.lines import MAX_COMMAND, line, tail
from xpgcheck.xpg.xps import XP, Kind

MAX_NODES = 40
"""Nodes of a picture; the rest is folded."""

MAX_TREES = 4
"""Trees of an ensemble that are drawn."""

_NAME_SPACE = ' xmlns="http://www.w3.org/2000/svg"'

MAX_SMALL = 700
"""Pixels of a picture that stands next to the words; a wider one stands below them."""

MAX_DOCUMENT = 100_000
"""Characters of the case's JSON on the page."""

MAX_MEMBERS = 40
"""Members of a set that are shown."""


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of a set; ``mark`` says what is wrong with it, or is empty."""

    name: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Sets:
    """One or more sets under a heading; ``more`` are left out."""

    title: str
    sets: tuple[tuple[MemberRow, ...], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class JudgedView:
    """A claim, the verdict, and the evidence next to the points; ``claim`` is empty where the sets say it."""

    claim: str
    verdict: str
    outcome: Outcome
    sets: tuple[Sets, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture and what it shows; without one, ``problem`` says why.  A ``wide`` one takes the page's width."""

    svg: str
    caption: str
    problem: str
    wide: bool = False


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding, for the template."""

    number: int
    about: str
    asked: str
    verdict: str
    outcome: Outcome
    text: str
    times: int
    origin: str
    judged: tuple[JudgedView, ...]
    more_judged: int
    points: PointTable
    drawing: Drawing
    tree: str
    file: str
    command: str
    stderr: str
    document: str


def finding_view(number: int, finding: Finding, subject: str) -> FindingView:
    """Return *finding* as the page shows it."""
    judged = shown_judged(finding)
    return FindingView(
        number=number,
        about=line(finding.about, 120),
        asked="property" if finding.is_property else ASKED_WORDS.get(finding.about, "claim"),
        verdict=line(finding.verdict, 120),
        outcome=finding.outcome,
        text=line(finding.text, 2_000),
        times=finding.times,
        origin=origin_text(finding),
        judged=tuple(_judged_view(item, finding) for item in judged),
        more_judged=len(finding.judged) - len(judged),
        points=point_table(judged[0] if judged else None, finding.case),
        drawing=_drawing(judged[0] if judged else None, finding),
        tree="\n".join(graph_lines(finding)),
        file=line(finding.file, MAX_COMMAND),
        command=line(replay_command(finding.file), MAX_COMMAND),
        stderr="\n".join(tail(finding.stderr)),
        document=_document(finding, subject),
    )


def _judged_view(judged: Judged, finding: Finding) -> JudgedView:
    claim, labels = judged.claim, labels_of(judged.claim, finding.case)
    in_sets = claim.members is not None or claim.kind is ClaimKind.FAMILY
    return JudgedView(
        claim="" if in_sets and claim.fault is None else claim_text(claim, labels, finding.case.graph),
        verdict=judged.verdict.value,
        outcome=judged.outcome,
        sets=tuple(_sets(judged, labels)),
        facts=tuple(_facts(judged, labels, finding)),
    )


def _sets(judged: Judged, labels: Sequence[str]) -> Iterator[Sets]:
    claim, evidence = judged.claim, judged.evidence
    if claim.members is not None:
        yield Sets(f"claimed {claim.kind.value}", (_members(labels, claim.members, evidence.needless),))
    if claim.seed is not None:
        yield Sets("seed", (_members(labels, claim.seed),))
    for word, family in (("AXps", claim.axps), ("CXps", claim.cxps)):
        if family is not None:
            shown = tuple(_members(labels, members) for members in family[:MAX_SETS])
            yield Sets(f"claimed {word}", shown, len(family) - len(shown))
    if evidence.clash:
        yield Sets("at fault", tuple(_members(labels, members) for members in evidence.clash))
    for word, named in (("right", evidence.correct), ("missing", evidence.missing)):
        # Where the claim is that there is none, both say the same.
        if named is not None and not (word == "right" and named == evidence.missing):
            yield Sets(f"{word} {named.kind}", (_members(labels, named.members),))


def _members(labels: Sequence[str], members: Members, needless: Members = frozenset()) -> tuple[MemberRow, ...]:
    order = sorted(members)
    shown = [MemberRow(line(labels[i], 80), "needless" if i in needless else "") for i in order[:MAX_MEMBERS]]
    rest = len(order) - len(shown)
    return (*shown, *([MemberRow(f"… {rest:,} more")] if rest else []))


def _facts(judged: Judged, labels: Sequence[str], finding: Finding) -> Iterator[tuple[str, str]]:
    evidence, graph = judged.evidence, finding.case.graph
    if evidence.closed_set is not None:
        yield "closed set", closed_set_text(graph, evidence.closed_set)
    for i, nodes in sorted(evidence.closed_sets.items())[:MAX_SETS]:
        yield f"closed set without {line(labels[i], 40)}", closed_set_text(graph, nodes)
    if evidence.reason:
        yield "stayed open", line(evidence.reason)
    if evidence.confirmed_by:
        yield "confirmed by", ", ".join(map(line, evidence.confirmed_by))
    if finding.certificate:
        yield "certificate", line(finding.certificate, MAX_COMMAND)
    if judged.projected is not None:
        other = judged.projected
        text = f"{other.verdict.value}, {line(other.evidence.text)}"
        yield f"{other_notion(judged.claim.notion.value)} (a separate question)", text


def _drawing(judged: Judged | None, finding: Finding) -> Drawing:
    from xpgcheck.drawing.api import draw

    graph, instance = finding.case.graph, finding.case.instance
    if isinstance(finding.case, EnsembleCase):
        return _trees_drawn(finding.case)
    xp, caption = _drawn_xp(judged, finding)
    try:
        svg = draw(graph, instance, xp, max_nodes=MAX_NODES).svg
    except XpgcheckError as error:
        return Drawing("", caption, line(str(error)))
    # Inside a page the name space goes without saying.
    width = re.search(r' width="([0-9.]+)"', svg)
    wide = width is not None and float(width[1]) > MAX_SMALL
    return Drawing(svg.replace(_NAME_SPACE, "", 1), caption, "", wide)


def _trees_drawn(case: EnsembleCase) -> Drawing:
    """Return the first trees of an ensemble, one below the other, each with the path of the instance."""
    from xpgcheck.drawing.api import draw

    shown, count = min(len(case.graph.trees), MAX_TREES), len(case.graph.trees)
    which = "The trees of the ensemble" if shown == count else f"The first {shown} of the {count:,} trees"
    caption = f"{which}, with the path of the instance (thick)."
    try:
        pictures = [draw(case.graph, case.instance, tree=n, max_nodes=MAX_NODES).svg for n in range(shown)]
    except XpgcheckError as error:
        return Drawing("", caption, line(str(error)))
    return Drawing("".join(svg.replace(_NAME_SPACE, "", 1) for svg in pictures), caption, "", wide=True)


def _drawn_xp(judged: Judged | None, finding: Finding) -> tuple[XP | None, str]:
    """Return the XP that the picture shows, and what the picture shows in words."""
    path = "The decision graph with the path of the instance (thick)"
    if judged is None or judged.claim.fault is not None or judged.claim.notion is not Notion.FEATURES:
        return None, f"{path}."
    claim, evidence = judged.claim, judged.evidence
    labels = labels_of(claim, finding.case)
    if claim.members is not None and claim.kind in (ClaimKind.AXP, ClaimKind.CXP):
        what = f"the claimed {claim_text(claim, labels, finding.case.graph)}"
        return XP(Kind(claim.kind.value), claim.members), f"{path} and what {what} leaves open."
    named = evidence.missing or evidence.correct
    if named is None:
        return None, f"{path}."
    word = "missing " if evidence.missing else ""
    return XP(Kind(named.kind), named.members), f"{path} and what the {word}{named_text(named, labels)} leaves open."


def _document(finding: Finding, subject: str) -> str:
    """Return the case as JSON, cut where it is long."""
    try:
        text = case_text(finding, subject)
    except XpgcheckError as error:
        return line(str(error))
    if len(text) > MAX_DOCUMENT:
        return "\n".join(
            [*_visible(text[:MAX_DOCUMENT].splitlines()), "… cut; the saved case and the JSON have all of it"]
        )
    return "\n".join(_visible(text.splitlines()))


def _visible(lines: Iterable[str]) -> Iterator[str]:
    for text in lines:
        yield line(text, MAX_DOCUMENT)
