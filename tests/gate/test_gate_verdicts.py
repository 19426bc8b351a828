"""Each verdict is given through the live ways in: an object, a subject in Python, and a program of the line protocol."""

from __future__ import annotations

import dataclasses
import shlex
import sys
from pathlib import Path

import canned
import pytest

from xpgcheck import embedded
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, opener
from xpgcheck.gate.results import Report
from xpgcheck.gate.run import gate
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.oracles.answers import replay
from xpgcheck.oracles.closed_set import check_closed_set
from xpgcheck.subjects.limits import MEBIBYTE, Limits

HERE = Path(__file__).parent


def limits(verdict: str) -> Limits:
    """Return limits that only what they are for can reach, on the busiest machine."""
    return Limits(seconds=2.0 if verdict == "timeout" else 300.0, memory=300 * MEBIBYTE)


# The same instance again and again, as the seeds that are drawn depend on the number of the instance.
MODEL = embedded.load("hardware")
JOB = Job(MODEL.graph, (MODEL.paper_instance,) * 6, "the paper's instance")


def by_python(verdict: str) -> GatePlan:
    return GatePlan(opener(f"canned:{verdict.replace(' ', '_')}", None, limits(verdict)), Cases(0, 0, 12), seconds=30)


def by_command(verdict: str) -> GatePlan:
    words = [sys.executable, str(HERE / "canned.py"), verdict]
    return GatePlan(opener(None, shlex.join(words), limits(verdict)), Cases(0, 0, 12), seconds=30)


def by_object(verdict: str) -> GatePlan:
    return GatePlan(InProcess(canned.Canned(verdict)), Cases(0, 0, 12), seconds=1 if verdict == "timeout" else 300)


def judged(plan: GatePlan, verdict: str) -> Report:
    job = JOB
    if verdict in ("crash", "timeout", "memory"):
        job = dataclasses.replace(JOB, points=JOB.points[:1])
    if verdict == "inconclusive":
        # Too many cells, and no solver: nothing tells whether the class can change.
        model = embedded.load("digits")
        return gate(dataclasses.replace(plan, models=(Job(model.graph, model.instances[:1], "one"),), solvers=()))
    return gate(dataclasses.replace(plan, models=(job,)))


# What differs between a subject in Python and a program is how questions and answers travel, and how the process ends: for
# Python, one verdict of each ability and of each end.  In this process nobody can end a subject.
OF_PYTHON = ("crash", "timeout", "memory", "malformed answer")
OF_PYTHON += ("redundant", "CXp", "complete", "outside the seed", "wrong membership", "prediction mismatch")
ENDED = ("crash", "memory")
GIVEN = [verdict.value for verdict in Verdict]
WAYS = [
    *((by_command, verdict) for verdict in GIVEN),
    *((by_python, verdict) for verdict in OF_PYTHON),
    *((by_object, verdict) for verdict in GIVEN if verdict not in ENDED),
]


@pytest.mark.parametrize(("way", "verdict"), WAYS, ids=lambda value: getattr(value, "__name__", value))
def test_each_verdict_is_given_through_each_way(way, verdict):
    report = judged(way(verdict), verdict)
    given = {row[1] for row in report.counts}
    assert verdict in given, report.counts
    expected = Verdict(verdict).outcome
    assert report.outcome() is expected
    assert report.exit_status() == {Outcome.HOLDS: 0, Outcome.VIOLATED: 1, Outcome.INCONCLUSIVE: 3}[expected]
    findings = [finding for finding in report.findings if finding.verdict == verdict]
    assert bool(findings) is (expected is not Outcome.HOLDS)
    for finding in findings:
        assert finding.text


def test_every_verdict_has_a_canned_answer():
    assert set(canned.ANSWERS) == set(GIVEN)


@pytest.mark.parametrize("verdict", ["redundant", "insufficient", "ineffective", "incomplete", "wrong membership"])
def test_a_wrong_claim_has_the_right_xp_and_evidence_beside_it(verdict):
    graph, point = MODEL.graph, MODEL.paper_instance
    report = judged(by_object(verdict), verdict)
    [finding] = [f for f in report.findings if f.verdict == verdict]
    [claim] = finding.judged
    evidence = claim.evidence
    right = [frozenset(members) for _, members in canned.RIGHT]
    named = evidence.correct or evidence.missing
    if verdict != "wrong membership" or named is not None:
        assert named is not None
        assert named.members in right
    if verdict == "insufficient":
        assert replay(graph, point, claim.claim.members, evidence.witness) is None
    if verdict == "ineffective":
        fixed = frozenset(range(4)) - claim.claim.members
        assert check_closed_set(graph, point, fixed, evidence.closed_set) is None
    if verdict == "redundant":
        assert evidence.needless == {1}
        assert check_closed_set(graph, point, {0, 3}, evidence.closed_sets[1]) is None
        assert set(evidence.needed) == {0, 3}
