"""Certificates of judged claims are checked as they are made: a wrong verdict, or a wrong line, does not get through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck import check_certificate, embedded
from xpgcheck.certificates import checked
from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.checked import CertifiedLine, CertifierPool, CheckedCertifier, RefusedLineError, undecided
from xpgcheck.certificates.judged_claims import ClaimCertifier
from xpgcheck.check_certificate import check_lines
from xpgcheck.judging.claim import Claim, ClaimKind, FaultKind, Notion
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.properties import strategies
from xpgcheck.properties.cases import Case

MODEL = embedded.load("omdd")
assert isinstance(MODEL.graph, DecisionGraph)
GRAPH = MODEL.graph
POINT = (0, 0, 2)
AXP = Claim(ClaimKind.AXP, members=frozenset((0,)))
CXP = Claim(ClaimKind.CXP, members=frozenset((0, 1)))
OTHERS = tuple(point for point in embedded.all_points(GRAPH.features) if GRAPH.kappa(point) != GRAPH.kappa(POINT))


def judged(claim: Claim) -> Judged:
    with Panel(GRAPH, solver_last=True) as judges:
        return judges.claims_at(POINT).judge(claim)


def accepted(header: str, *lines: str) -> bool:
    text = header + "".join(lines) + end_text(len(lines))
    return check_lines(text.encode().splitlines(keepends=True)).status == 0


@given(case=strategies.property_cases(12), data=st.data())
def test_verdicts_pass_and_any_other_verdict_does_not(case: Case, data: st.DataObject) -> None:
    members = data.draw(st.frozensets(st.integers(0, len(case.graph.features) - 1)))
    certifier = CheckedCertifier(case.graph)
    with Panel(case.graph, solver_last=True) as judges:
        for kind in (ClaimKind.AXP, ClaimKind.CXP):
            right = judges.claims_at(case.instance).judge(Claim(kind, members=members))
            found = certifier.line(case.instance, right)
            assert found is not None
            assert accepted(certifier.header, found[0])
            words = (kind.value, "redundant", "insufficient" if kind is ClaimKind.AXP else "ineffective")
            for word in words:
                if word == right.verdict.value:
                    continue
                for needless in [right.evidence.needless, *[frozenset((i,)) for i in members]]:
                    wrong = Judged(right.claim, Verdict(word), Evidence(needless=needless))
                    with pytest.raises(RefusedLineError):
                        certifier.line(case.instance, wrong)


def test_the_steps_are_those_that_the_checker_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    certifier = CheckedCertifier(GRAPH)
    found = certifier.line(POINT, judged(AXP))
    assert found is not None
    monkeypatch.setattr(check_certificate.Work, "left", found[1])
    lines = [line.encode() + b"\n" for line in (certifier.header + found[0] + end_text(1)).splitlines()]
    assert check_lines(lines, per_byte=0).status == 0
    monkeypatch.setattr(check_certificate.Work, "left", found[1] - 1)
    assert check_lines(lines, per_byte=0).status == 1


def test_what_a_solver_found_does_not_show_in_the_line() -> None:
    certifier = CheckedCertifier(GRAPH)
    right = judged(CXP)
    lines = {
        certifier.line(POINT, Judged(CXP, right.verdict, Evidence(witness=witness)))
        for witness in (None, right.evidence.witness, *OTHERS)
    }
    assert len(lines) == 1


def with_line(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    plain = ClaimCertifier.line
    monkeypatch.setattr(ClaimCertifier, "line", lambda self, instance, item: change(plain, self, instance, item))


SEEDED: dict[str, tuple[str, Any]] = {
    "another instance": ("another instance", lambda line, c, v, j: line(c, (0, 0, 1), j)),
    "another claim": ("another claim", lambda line, c, v, j: line(c, v, judged(CXP))),
    "no claim": ("another claim", lambda line, c, v, j: _without_claims(line(c, v, j))),
    "a node less": ("checker refuses", lambda line, c, v, j: line(c, v, j).replace('"nodes":"', '"nodes":"1')),
    "not even JSON": ("checker refuses", lambda line, c, v, j: line(c, v, j)[:-3] + "\n"),
    "none": ("no evidence", lambda *_: None),
    "more features fixed": (
        "checker refuses",
        lambda line, c, v, j: line(c, v, j).replace('"fixed":[0]', '"fixed":[0,1]'),
    ),
}


def _without_claims(line: str) -> str:
    return json.dumps({**json.loads(line), "claims": []}, separators=(",", ":"), ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", SEEDED)
def test_a_seeded_mistake_of_the_issuer_leaves_the_claim_open(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = judged(AXP)
    says, change = SEEDED[name]
    assert isinstance(CertifierPool().certified(GRAPH, POINT, right), CertifiedLine)
    with_line(monkeypatch, change)
    with pytest.raises(RefusedLineError, match=says) as refused:
        CertifierPool().certified(GRAPH, POINT, right)
    left = undecided(right, refused.value)
    assert (left.outcome, left.claim) == (Outcome.INCONCLUSIVE, AXP)
    assert says in left.evidence.reason


def test_a_checker_that_refuses_all_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any) -> None:
        raise check_certificate.Refused("not today")

    monkeypatch.setattr(checked, "check_family", refuses)
    with pytest.raises(RefusedLineError, match="not today"):
        CertifierPool().certified(GRAPH, POINT, judged(AXP))


@pytest.mark.parametrize(
    ("claim", "verdict", "evidence", "why"),
    [
        (Claim(ClaimKind.PREDICTION, class_index=0), Verdict.PREDICTION, Evidence(), "predictions"),
        (Claim(ClaimKind.PREDICTION, class_index=1), Verdict.PREDICTION_MISMATCH, Evidence(), "predictions"),
        (Claim(ClaimKind.AXP, fault=FaultKind.CRASH), Verdict.CRASH, Evidence(), checked.NO_ANSWER),
        (Claim(ClaimKind.CXP, fault=FaultKind.TIMEOUT), Verdict.TIMEOUT, Evidence(), checked.NO_ANSWER),
        (Claim(ClaimKind.AXP, Notion.THEORY, frozenset()), Verdict.INSUFFICIENT, Evidence(), checked.THEORY),
        (AXP, Verdict.INCONCLUSIVE, Evidence(), "inconclusive claims"),
        (Claim(ClaimKind.MEMBERSHIP, feature=2), Verdict.MEMBERSHIP, Evidence(), "features that are in no XP"),
        (Claim(ClaimKind.FAMILY, axps=(frozenset(),) * 2), Verdict.DUPLICATE, Evidence(), "sets that are listed twice"),
        (Claim(ClaimKind.FAMILY, axps=(frozenset((0,)),)), Verdict.COMPLETE, Evidence(), "families of one kind"),
        (Claim(ClaimKind.FAMILY, axps=(frozenset(),)), Verdict.INSUFFICIENT, Evidence(), checked.MEMBER),
    ],
)
def test_what_has_no_certificate_is_said(claim: Claim, verdict: Verdict, evidence: Evidence, why: str) -> None:
    assert CertifierPool().certified(GRAPH, POINT, Judged(claim, verdict, evidence)) == why


def test_the_header_comes_once() -> None:
    pool = CertifierPool(kept=1)
    found = [pool.certified(GRAPH, POINT, judged(claim)) for claim in (AXP, CXP)]
    other = embedded.load("iris")
    assert isinstance(other.graph, DecisionGraph)
    everything = Claim(ClaimKind.AXP, members=frozenset(range(4)))
    with Panel(other.graph) as judges:
        found.append(
            pool.certified(other.graph, other.instances[0], judges.claims_at(other.instances[0]).judge(everything))
        )
    found.append(pool.certified(GRAPH, POINT, judged(AXP)))
    lines = [line for line in found if isinstance(line, CertifiedLine)]
    assert [bool(line.header) for line in lines] == [True, False, True, False]
    assert [line.digest == lines[0].digest for line in lines] == [True, True, False, True]


def test_families_and_membership_show_what_was_claimed() -> None:
    axps, cxps = (frozenset((0,)), frozenset((1,))), (frozenset((0, 1)),)
    certifier = CheckedCertifier(GRAPH)
    for claim, verdict in (
        (Claim(ClaimKind.FAMILY, axps=axps, cxps=cxps), Verdict.COMPLETE),
        (Claim(ClaimKind.FAMILY, axps=axps[:1]), Verdict.INCOMPLETE),
        (Claim(ClaimKind.FAMILY, axps=axps[:1], cxps=()), Verdict.INCOMPLETE),
        (Claim(ClaimKind.MEMBERSHIP, feature=0, member=True), Verdict.MEMBERSHIP),
        (Claim(ClaimKind.MEMBERSHIP, feature=0, member=False), Verdict.WRONG_MEMBERSHIP),
        (Claim(ClaimKind.CXP), Verdict.INCOMPLETE),
        (Claim(ClaimKind.AXP, members=axps[0], seed=frozenset((1, 2))), Verdict.OUTSIDE_SEED),
    ):
        item = judged(claim)
        assert item.verdict is verdict, item
        found = certifier.line(POINT, item)
        if found is not None:
            assert accepted(certifier.header, found[0])
        assert found is not None or (claim.cxps == () and item.evidence.missing is None)
    # Each of them with the opposite said is about another claim.
    wrong = Judged(Claim(ClaimKind.MEMBERSHIP, feature=2, member=True), Verdict.MEMBERSHIP, judged(claim).evidence)
    named = judged(Claim(ClaimKind.MEMBERSHIP, feature=0, member=True)).evidence
    for claim, verdict, evidence in (
        (wrong.claim, wrong.verdict, named),
        (Claim(ClaimKind.MEMBERSHIP, feature=0, member=False), Verdict.MEMBERSHIP, named),
        (
            Claim(ClaimKind.FAMILY, axps=axps),
            Verdict.INCOMPLETE,
            judged(Claim(ClaimKind.FAMILY, axps=axps[:1])).evidence,
        ),
        (Claim(ClaimKind.AXP, members=axps[0], seed=axps[0]), Verdict.OUTSIDE_SEED, Evidence()),
        (Claim(ClaimKind.FAMILY, axps=axps[:1], cxps=cxps), Verdict.COMPLETE, Evidence()),
    ):
        with pytest.raises(RefusedLineError):
            certifier.line(POINT, Judged(claim, verdict, evidence))
