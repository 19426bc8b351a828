"""Judges of plug-ins: what they say can contradict a verdict, and nothing that they say gives one."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from xpgcheck import embedded, plugins
from xpgcheck.judging.claim import Claim, ClaimKind, FaultKind, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.known_families import KnownFamilies, KnownJudge
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph

MODEL = embedded.load("hardware")


def exits(*_: object) -> bool:
    raise SystemExit(0)


def closes(*_: object) -> bool:
    raise GeneratorExit


ANSWERS = {
    "yes": lambda *_: True,
    "no": lambda *_: False,
    "silent": lambda *_: None,
    "raises": lambda *_: 1 / 0,
    "exits": exits,
    "closes": closes,
    "chats": lambda *_: "yes",
}


def all_judged() -> list[Judged]:
    """Return the judged claims that every set of features is an AXp, is a CXp, and is an AXp inside the first feature."""
    assert MODEL.paper_instance is not None
    count = len(MODEL.graph.features)
    sets = [frozenset(s) for size in range(count + 1) for s in itertools.combinations(range(count), size)]
    claims = [Claim(kind, members=members) for kind in (ClaimKind.AXP, ClaimKind.CXP) for members in sets]
    claims += [Claim(ClaimKind.AXP, members=members, seed=frozenset([0])) for members in sets]
    claims += [Claim(ClaimKind.AXP, fault=FaultKind.CRASH, message="no"), Claim(ClaimKind.PREDICTION, class_index=1)]
    with Panel(MODEL.graph, solver_last=True) as panel:
        judge = panel.claims_at(MODEL.paper_instance)
        return [judge.judge(claim, evidence=False) for claim in claims]


BEFORE = all_judged()


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch):
    def register(said: Any) -> None:
        monkeypatch.setattr(plugins, "_parts", {**plugins._parts, "judges": {}})
        plugins.judge("mine")(said)

    return register


OPENED = {
    "yes": {"violated"},
    # A set outside its seed is wrong, and an AXp.
    "no": {"holds", "violated"},
    "silent": set(),
    "raises": {"holds"},
    "exits": {"holds"},
    "closes": {"holds"},
    "chats": {"holds"},
}
"""The outcomes of the oracles that each answer opens."""


@pytest.mark.parametrize("answer", ANSWERS)
def test_nothing_that_is_wrong_becomes_right_nor_the_other_way_round(answer: str, heard: Any) -> None:
    heard(ANSWERS[answer])
    moves = [(b, a) for b, a in zip(BEFORE, all_judged(), strict=True) if a.outcome is not b.outcome]
    assert {after.outcome for _, after in moves} <= {Outcome.INCONCLUSIVE}
    assert {before.outcome.value for before, _ in moves} == OPENED[answer]
    if answer == "no":
        assert {b.verdict for b, _ in moves if b.outcome is Outcome.VIOLATED} == {Verdict.OUTSIDE_SEED}


def test_what_is_said_of_it(heard: Any) -> None:
    heard(lambda model, instance, kind, members: kind == "AXp" and len(members) == 1)
    for before, after in zip(BEFORE, all_judged(), strict=True):
        claim = after.claim
        if claim.members is None:
            assert after == before
        elif after.outcome is Outcome.INCONCLUSIVE:
            words = "an AXp" if len(claim.members) == 1 and claim.kind is ClaimKind.AXP else f"no {claim.kind.value}"
            expected = f"disagreement: {before.verdict.value} by the oracles, {words} by the judge 'mine'"
            assert after.evidence.reason == expected
        else:
            assert after.verdict is before.verdict
            assert after.evidence.confirmed_by[-1] == "judge mine"
    heard(ANSWERS["raises"])
    (reason,) = {judged.evidence.reason for judged in all_judged() if judged.outcome is Outcome.INCONCLUSIVE}
    assert reason == "the judge 'mine' of a plug-in failed (ZeroDivisionError: division by zero)"


def test_known_families_are_contradicted_too(heard: Any) -> None:
    assert MODEL.paper_instance is not None
    xps = list(enumerate_xps(explanation_graph(MODEL.graph, MODEL.paper_instance)))
    axps, cxps = (tuple(xp.features for xp in xps if xp.kind.value == word) for word in ("AXp", "CXp"))
    families = KnownFamilies(len(MODEL.graph.features), axps, cxps)
    judge = KnownJudge(MODEL.graph, MODEL.paper_instance, families, lambda: pytest.fail("no oracle is needed"))
    right = Claim(ClaimKind.AXP, members=axps[0])
    heard(ANSWERS["yes"])
    assert judge.judge(right).evidence.confirmed_by == ("known families", "judge mine")
    heard(ANSWERS["no"])
    assert judge.judge(right).verdict is Verdict.INCONCLUSIVE


def test_other_notions_are_not_asked(heard: Any) -> None:
    asked: list[Any] = []
    heard(lambda *arguments: asked.append(arguments))
    corral = embedded.load("corral")
    with Panel(corral.graph, solver_last=True) as panel:
        panel.claims_at(corral.instances[0]).judge(Claim(ClaimKind.AXP, Notion.CONDITIONS, frozenset([0])))
    # As features, which is a separate question, the claim is not heard.
    assert asked == []
