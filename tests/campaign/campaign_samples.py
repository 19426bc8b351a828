"""Journals made by hand: what a campaign may have found, and what a journal of others may say."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from campaign_units import document, plan_of

from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import UnitResult
from xpgcheck.claims.documents import case_document
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Real
from xpgcheck.model.value_sets import Grid, Interval, interval_set
from xpgcheck.properties.cases import Case
from xpgcheck.properties.corpus import case_json

PROPERTY = "an_axp_suffices"

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x1b[2J{{ 7*7 }} $x^2$ & \"'`"


def step(threshold: int, name: str = "x", label: str = "a") -> DecisionGraph:
    """Return x ≤ threshold ↦ a, else b, and an idle feature."""
    low = interval_set(Grid.DENSE, [Interval(None, True, Fraction(threshold), False)])
    nodes: dict[Any, Node] = {
        0: NonTerminal(0, ((1, low), (2, low.complement()))),
        1: Terminal(0),
        2: Terminal(1),
    }
    features = [Feature(name, Real()), Feature(f"{name}'", Real())]
    return decision_graph("step", features, [label, f"{label}'"], nodes, 0)


def property_finding(threshold: int = 2, at: int = 1, **other: Any) -> dict[str, Any]:
    """Return a finding of a property; all that lie below their threshold have one cause."""
    graph = step(threshold, other.pop("name", "x"), other.pop("label", "a"))
    case = json.loads(case_json(PROPERTY, Case(graph, (Fraction(at), Fraction(0))), "made up"))
    said = {"about": PROPERTY, "is_property": True, "verdict": "insufficient", "outcome": "violated"}
    more = {"evidence": "AXp {x}", "subject": "ours", "origin": "seed 0", "non_terminals": 1, "features": 2}
    return document(**{**said, **more, "case": case, **other})


def claim_finding(**other: Any) -> dict[str, Any]:
    """Return a finding of a gate: a redundant AXp."""
    graph, instance = step(2), (Fraction(1), Fraction(0))
    claim = Claim(ClaimKind.AXP, members=frozenset((0, 1)))
    judged = Judged(claim, Verdict.REDUNDANT, Evidence("AXp {x, x'} is redundant", needless=frozenset((1,))))
    case = json.loads(case_document(graph, instance, [judged], subject="theirs", origin="seed 0"))
    said = {"about": "axp", "is_property": False, "verdict": "redundant", "outcome": "violated"}
    more = {"evidence": "x' is needless", "subject": "theirs", "origin": "seed 0", "non_terminals": 1, "features": 2}
    return document(**{**said, **more, "case": case, **other})


def result(unit: int, findings: tuple[dict[str, Any], ...] = (), **other: Any) -> UnitResult:
    """Return what came of a unit."""
    found = UnitResult(
        unit,
        10,
        {PROPERTY: {"held": 10 - len(findings), "failed": len(findings), "open": 0, "silent": 3}},
        {"non-terminals: 1": 6, "non-terminals: 30": 4, "features: 2": 10, "AXps: 1": 9, "AXps: 70": 1, "CXps: 0": 10},
        {"axp": {"3": 9, "14": 1}, "cxp": {"5": 10}},
        findings=list(findings),
        seconds=0.5,
        layers={"subject": 0.1, "judges": 0.4},
    )
    return replace(found, **other)


FULL = [
    result(0),
    result(1, (property_finding(5, 4, name="z", label="q"), property_finding(2, 2))),
    result(2, (property_finding(), property_finding(case=None, evidence="no case 7"))),
    result(3, counts={PROPERTY: {"held": 9, "open": 1}}, reasons=["an_axp_suffices: out of time"], open=1),
]
"""Four units with five findings of three causes."""


def written(path: Path, results: list[UnitResult], plan: Plan | None = None, worker: str = "w", **noted: str) -> Path:
    """Write a journal of *results*."""
    with Journal.create(path, plan or plan_of(20, subject="ours")) as journal:
        journal.begin_session(2)
        for number, found in enumerate(results):
            assert journal.add(found, f"{worker}{number % 2}", float(number + 1))
        for key, value in noted.items():
            journal.note(key, value)
        journal.end_session()
    return path


def hostile(path: Path) -> Path:
    """Write a journal whose every text is meant to break out, or is long."""
    finding = property_finding(name=f"f{HOSTILE[:60]}".replace("\x1b", "").replace("\u202e", ""), label="<b>&amp;")
    finding |= dict.fromkeys(("about", "verdict", "way", "evidence", "subject", "origin", "outcome"), HOSTILE)
    finding |= {"example": "many", "non_terminals": None}
    counts = {HOSTILE: {HOSTILE: 3, "held": 1}, "x" * 100_000: {"held": 1}}
    counts |= {f"name {i}": {"held": 1} for i in range(3_000)}
    found = result(0, (finding,), counts=counts, layers={HOSTILE: 1.0}, reasons=[HOSTILE] * 500, open=1)
    found = replace(
        found, query_seconds={HOSTILE: {"3": 1, "x": 5, "99999999999": 1}}, sizes={HOSTILE: 1, "features: 1e9": 2}
    )
    return written(path, [found, result(1)], plan_of(20, subject=HOSTILE), worker=HOSTILE, name=HOSTILE)


def changed(path: Path, statement: str, *values: Any) -> None:
    """Change a journal behind its back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)
