"""Judging claims: from what is claimed to a verdict with evidence, by the oracles of the claim's notion.

A wrong claim never stands alone: with the verdict come a witness or a closed set of nodes, and the XP that would have been
right.  Claims about whole families and about membership are settled by duality (see :mod:`xpgcheck.oracles.duality`);
where that takes XPs of our own explainer, they are candidates that the oracles judge like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError
from xpgcheck.judging.candidates import candidate_duals, candidate_families
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Members, Notion
from xpgcheck.judging.family_search import FoundXps, found_xps
from xpgcheck.judging.frames import Frame
from xpgcheck.judging.inflated_claims import judge_inflated
from xpgcheck.judging.judged import Evidence, Judged, Named
from xpgcheck.judging.second_opinions import after_other_judges
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import (
    FamilyJudgement,
    Judgement,
    judge_axp,
    judge_cxp,
    judge_family,
    shrink_axp,
    shrink_cxp,
)
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING
from xpgcheck.wording import counted, set_text

if TYPE_CHECKING:
    from xpgcheck.judging.box_judge import BoxJudge

BUDGET = 2_000_000
"""Comparisons of two sets that dualizing a claimed family may take; beyond, its completeness stays open."""

MAX_FAMILY = 4_000
"""XPs up to which two families are compared, which takes quadratic time at least."""

Frames = Callable[[Notion], Frame]


class ClaimJudge:
    """Judges the claims of one instance.

    ``frames`` gives the oracles of each notion, and is asked when one is needed; the completeness of a family of more than
    ``max_family`` XPs stays open.  ``boxes`` gives the judge of sets of values, where the model has values.
    """

    def __init__(
        self, frames: Frames, max_family: int = MAX_FAMILY, boxes: Callable[[Notion], BoxJudge] | None = None
    ) -> None:
        self._frames = frames
        self._boxes = boxes
        self._max_family = max_family
        self._used: dict[Notion, Frame] = {}
        self._families: dict[Notion, FoundXps] = {}

    @property
    def questions(self) -> int:
        """The number of questions that were put to oracles, whose answers are remembered."""
        return sum(frame.consensus.queries.total() for frame in self._used.values())

    def frame(self, notion: Notion) -> Frame:
        """Return the frame of *notion*.  Raises ``InputError`` where the graph has no such claims."""
        frame = self._used[notion] = self._frames(notion)
        return frame

    def inflation_asked(self, kind: ClaimKind) -> tuple[int, ...] | None:
        """Return the features of an inflated XP to ask for, in the order in which they grow, where one is known."""
        return None

    def judge(self, claim: Claim, *, evidence: bool = True) -> Judged:
        """Return the verdict on *claim*, with full evidence of a claim that is right too if *evidence*.

        One XP takes k + 1 questions to the oracles for k members, and as many again as there are members for the right XP
        next to a wrong one; a family takes one question per member.  Raises ``InputError`` where a name is unknown.
        """
        if claim.fault is not None:
            return Judged(claim, Verdict(claim.fault.value), Evidence(claim.message or "there is no answer"))
        frame = self.frame(claim.notion)
        return after_other_judges(self._by_the_oracles(claim, frame, evidence=evidence), frame)

    def _by_the_oracles(self, claim: Claim, frame: Frame, *, evidence: bool) -> Judged:
        if claim.under and claim.under != frame.under:
            raise InputError(f"the claim is made under another constraint, {claim.under}", mend="give that constraint")
        if claim.kind is ClaimKind.PREDICTION:
            return _prediction(claim, frame)
        if claim.kind is ClaimKind.MEMBERSHIP:
            return self._membership(claim, frame)
        if claim.kind in OF_VALUES:
            return judge_inflated(claim, frame, self._boxes)
        if claim.kind is ClaimKind.FAMILY:
            judged = _family(claim, frame, self._max_family)
        elif claim.members is None:
            judged = _none(claim, frame)
        else:
            judged = _xp(claim, frame, full=evidence)
        if claim.notion is not Notion.FEATURES and claim.members is not None:
            judged = replace(judged, projected=self._projected(claim, frame))
        return judged

    def _projected(self, claim: Claim, frame: Frame) -> Judged:
        """Judge the features that the members of *claim* are about, as an XP over features: a separate question."""
        assert claim.members is not None
        features = frozenset(frame.features[i] for i in claim.members)
        return _xp(Claim(claim.kind, members=features), self.frame(Notion.FEATURES), full=False)

    def _membership(self, claim: Claim, frame: Frame) -> Judged:
        """Judge by families that the oracles call complete: a feature is in some XP exactly if it is in one of these."""
        if not 0 <= claim.feature < len(frame.labels):
            raise InputError(f"there is no feature {claim.feature}", mend="name a feature of the model")
        found = self._families.get(claim.notion)
        if found is None:
            # An XpG over conditions knows nothing of the theory that links them.
            theory = claim.notion is Notion.THEORY
            found = FoundXps(problem="not judged under the theory") if theory else _certified_families(frame)
            self._families[claim.notion] = found
        axps, cxps = found.axps, found.cxps
        held = next((Named("AXp", axp) for axp in axps if claim.feature in axp), None)
        if held is None and found.problem and axps:
            held = _holding(frame, cxps, claim.feature)
        name = set_text(frame.labels, [claim.feature])
        if held is None and found.problem:
            return Judged(claim, Verdict.INCONCLUSIVE, Evidence("", reason=found.problem))
        if held is None:
            text = f"{name} is in none of {counted(len(axps), 'AXp')} and {counted(len(cxps), 'CXp')}, which are all"
        else:
            text = f"{name} is in the {held.kind} {set_text(frame.labels, held.members)}"
        right = (held is not None) == claim.member
        return Judged(claim, Verdict.MEMBERSHIP if right else Verdict.WRONG_MEMBERSHIP, Evidence(text, correct=held))


def _prediction(claim: Claim, frame: Frame) -> Judged:
    assert frame.space is not None
    classes, own = frame.space.classes, frame.space.kappa(frame.instance)
    if not 0 <= claim.class_index < len(classes):
        text = (
            f"class {claim.class_index} is claimed, of {len(classes)} from 0; the class by the graph is {classes[own]}"
        )
        return Judged(claim, Verdict.PREDICTION_MISMATCH, Evidence(text))
    if isinstance(frame.space, Ensemble) and not frame.space.is_settled(frame.instance):
        text = f"the class {classes[claim.class_index]} is claimed"
        return Judged(claim, Verdict.INCONCLUSIVE, Evidence(text, reason=WITHIN_ROUNDING))
    if claim.class_index == own:
        return Judged(claim, Verdict.PREDICTION, Evidence(f"the class is {classes[own]}"))
    text = f"class {classes[claim.class_index]} is claimed; the class by the graph, κ(v), is {classes[own]}"
    return Judged(claim, Verdict.PREDICTION_MISMATCH, Evidence(text))


def _xp(claim: Claim, frame: Frame, *, full: bool) -> Judged:
    """Judge one claimed AXp or CXp, and that it lies inside its seed."""
    assert claim.members is not None
    is_axp = claim.kind is ClaimKind.AXP
    judgement = (judge_axp if is_axp else judge_cxp)(frame.consensus, claim.members)
    verdict = judgement.verdict
    right = verdict in (Verdict.AXP, Verdict.CXP)
    proof = _evidence(frame, claim.kind, judgement) if full or not right else Evidence(_right_text(frame, judgement))
    if right and claim.seed is not None and not claim.members <= claim.seed:
        outside = set_text(frame.labels, claim.members - claim.seed)
        text = f"{claim.kind.value} {set_text(frame.labels, claim.members)} holds {outside}, which is outside its seed"
        nearest = _nearest(frame, is_axp=is_axp, wanted=claim.seed)
        inside = nearest is not None and nearest <= claim.seed
        return Judged(
            claim,
            Verdict.OUTSIDE_SEED,
            Evidence(text, correct=Named(claim.kind.value, nearest) if inside and nearest is not None else None),
        )
    return Judged(claim, verdict, proof)


def _right_text(frame: Frame, judgement: Judgement) -> str:
    return f"{judgement.verdict.value} {set_text(frame.labels, judgement.claim)}"


def _evidence(frame: Frame, kind: ClaimKind, judgement: Judgement) -> Evidence:
    is_axp = kind is ClaimKind.AXP
    claim, labels = judgement.claim, frame.labels
    everything = frozenset(range(len(labels)))
    word = f"{kind.value} {set_text(labels, claim)}"
    fixed = claim if is_axp else everything - claim
    verdict = judgement.verdict
    correct: Named | None = None
    closed: frozenset[int] | None = None
    closed_sets: dict[int, frozenset[int]] = {}
    if verdict is Verdict.INSUFFICIENT:
        text = f"{word}: a point that agrees with the instance on it has another class"
        nearest = _nearest(frame, is_axp=True, wanted=claim)
        correct = Named("AXp", nearest) if nearest is not None else None
    elif verdict is Verdict.INEFFECTIVE:
        text = f"{word}: no point that differs from the instance only there has another class"
        closed = frame.closed_set(fixed)
        nearest = _nearest(frame, is_axp=False, wanted=claim)
        correct = Named("CXp", nearest) if nearest is not None else None
        if frame.consensus.ask(()).changeable is False:
            text += "; there is no CXp at all, as the class cannot change"
    elif verdict is Verdict.REDUNDANT:
        one = ", one at a time" if len(judgement.needless) > 1 else ""
        text = f"{word}: {set_text(labels, judgement.needless)} can be left out{one}"
        correct = Named(kind.value, judgement.inside) if judgement.inside is not None else None
        closed = frame.closed_set(fixed) if is_axp else None
        if is_axp:
            closed_sets = _closed_sets(frame, {i: claim - {i} for i in judgement.needless})
    elif verdict is Verdict.INCONCLUSIVE:
        text = word
    else:
        text = _right_text(frame, judgement)
        if is_axp:
            closed = frame.closed_set(fixed)
        else:
            closed_sets = _closed_sets(frame, {j: fixed | {j} for j in claim})
    if correct is not None and correct.members != claim:
        text += f"; {correct.kind} {set_text(labels, correct.members)} is right"
    return Evidence(
        text,
        witness=judgement.witness,
        needed=dict(judgement.witnesses),
        needless=judgement.needless,
        closed_set=closed,
        closed_sets=closed_sets,
        correct=correct,
        reason=judgement.reason,
        confirmed_by=frame.consensus.ask(fixed).confirmed_by,
    )


def _closed_sets(frame: Frame, fixed_of: dict[int, frozenset[int]]) -> dict[int, frozenset[int]]:
    found = {i: frame.closed_set(fixed) for i, fixed in fixed_of.items()}
    return {i: nodes for i, nodes in found.items() if nodes is not None}


def _nearest(frame: Frame, *, is_axp: bool, wanted: Members) -> Members | None:
    """Return an XP of the instance that shares what it can with *wanted*: by deletion, the other members first."""
    count = len(frame.labels)
    everything = frozenset(range(count))
    whole = frame.consensus.ask(everything if is_axp else ())
    if whole.changeable is not (not is_axp):
        return None
    kept = _held_by_a_closed_set(frame, wanted) if is_axp else wanted | _changed(frame, whole.witness)
    for i in sorted(kept, key=lambda i: (i in wanted, i)):
        rest = kept - {i}
        if i not in kept:
            continue
        finding = frame.consensus.ask(rest if is_axp else everything - rest)
        if finding.changeable is None:
            return None
        if finding.changeable is not is_axp:
            # The changes of the witness are a weak CXp; wanted features are dropped last.
            kept = rest if is_axp else rest & (wanted | _changed(frame, finding.witness))
    return kept


def _held_by_a_closed_set(frame: Frame, wanted: Members) -> Members:
    """Return *wanted* and the members that hold some edge out of the least closed set of all: a weak AXp.

    All members where the notion's members are not the features of the frame's space, or nothing was proved.
    """
    everything = frozenset(range(len(frame.labels)))
    nodes = frame.closed_set(everything) if frame.notion is not Notion.THEORY else None
    if nodes is None:
        return everything
    space = frame.space
    assert isinstance(space, DecisionGraph)
    holding = {space.feature_of[node] for node in nodes if not nodes.issuperset(space.children[node])}
    return wanted | holding


def _changed(frame: Frame, witness: Point | None) -> Members:
    """Return the members that come out otherwise at *witness* than at the instance: a weak CXp.

    All members where that cannot be told.
    """
    if witness is None or frame.notion is Notion.THEORY:
        return frozenset(range(len(frame.labels)))
    return frozenset(i for i, (own, value) in enumerate(zip(frame.instance, witness, strict=True)) if own != value)


def _none(claim: Claim, frame: Frame) -> Judged:
    """Judge the claim that a kind has no XP: true of the CXps of a constant classifier, never of AXps."""
    word = claim.kind.value
    if claim.kind is ClaimKind.CXP:
        finding = frame.consensus.ask(())
        if finding.changeable is None:
            return Judged(claim, Verdict.INCONCLUSIVE, Evidence("that there is no CXp", reason=finding.reason))
        if not finding.changeable:
            closed = frame.closed_set(frozenset())
            return Judged(claim, Verdict.COMPLETE, Evidence("the class cannot change: no CXp", closed_set=closed))
    nearest = _nearest(frame, is_axp=claim.kind is ClaimKind.AXP, wanted=frozenset())
    if nearest is None:
        return Judged(claim, Verdict.INCONCLUSIVE, Evidence(f"that there is no {word}", reason="no XP could be shown"))
    missing = Named(word, nearest)
    text = f"it says that there is no {word}; {set_text(frame.labels, nearest)} is one"
    return Judged(claim, Verdict.INCOMPLETE, Evidence(text, missing=missing, correct=missing))


def _family(claim: Claim, frame: Frame, most: int) -> Judged:
    axps, cxps = claim.axps, claim.cxps
    if axps is None and cxps is None:
        raise InputError("a family without axps and cxps", mend="list the AXps, the CXps or both")
    for kind, family in ((ClaimKind.AXP, axps), (ClaimKind.CXP, cxps)):
        twice = _listed_twice(family or ())
        if twice is not None:
            text = f"{kind.value} {set_text(frame.labels, twice)} is listed twice"
            return Judged(claim, Verdict.DUPLICATE, Evidence(text, clash=(twice, twice)))
    if axps is not None and cxps is not None:
        return _both(claim, frame, axps, cxps, most)
    return _one_side(claim, frame, most)


def _listed_twice(family: Iterable[Members]) -> Members | None:
    seen: set[Members] = set()
    for members in family:
        if members in seen:
            return members
        seen.add(members)
    return None


def _both(claim: Claim, frame: Frame, axps: Sequence[Members], cxps: Sequence[Members], most: int) -> Judged:
    if len(axps) + len(cxps) > most:
        reason = f"more than {most:,} XPs are not compared"
        return Judged(claim, Verdict.INCONCLUSIVE, Evidence(f"{len(axps) + len(cxps):,} XPs listed", reason=reason))
    judgement = judge_family(frame.consensus, axps, cxps)
    return _family_judged(
        claim, frame, judgement, f"{counted(len(axps), 'AXp')} and {counted(len(cxps), 'CXp')} listed"
    )


def _family_judged(claim: Claim, frame: Frame, judgement: FamilyJudgement, what: str) -> Judged:
    labels = frame.labels
    verdict = judgement.verdict
    if judgement.member is not None:
        kind = ClaimKind.AXP if verdict is Verdict.INSUFFICIENT else ClaimKind.CXP
        proof = _evidence(frame, kind, judgement.member)
        return Judged(claim, verdict, proof)
    if judgement.missing is not None:
        missing = Named(judgement.missing_kind, judgement.missing)
        text = f"{what}; {missing.kind} {set_text(labels, missing.members)} is missing"
        return Judged(claim, verdict, Evidence(text, missing=missing, reason=judgement.reason))
    if verdict is Verdict.COMPLETE:
        return Judged(claim, verdict, Evidence(f"{what}, which are all: each other's minimal hitting sets"))
    if verdict is Verdict.NOT_DUAL and judgement.fault is not None:
        first, second = judgement.fault.first, judgement.fault.second
        text = f"{what}, which are not dual: {set_text(labels, first)} lies inside {set_text(labels, second)}"
        return Judged(claim, verdict, Evidence(text, clash=(first, second)))
    return Judged(claim, verdict, Evidence(what, reason=judgement.reason or "completeness stayed open"))


def _one_side(claim: Claim, frame: Frame, most: int) -> Judged:
    """Judge a family of one kind: its members, and then with its minimal hitting sets as the other family.

    A minimal hitting set that is no weak XP of the other kind shows an XP that is missing: its complement holds one.
    """
    is_axp = claim.axps is not None
    listed = claim.axps if claim.axps is not None else claim.cxps
    assert listed is not None
    kind = ClaimKind.AXP if is_axp else ClaimKind.CXP
    what = f"{counted(len(listed), kind.value)} listed"
    for members in listed:
        judged = _xp(Claim(kind, claim.notion, members), frame, full=True)
        if judged.verdict.outcome is not Verdict.AXP.outcome:
            return Judged(claim, judged.verdict, judged.evidence)
    other = candidate_duals(listed, BUDGET)
    if other is None or len(other) + len(listed) > most:
        return Judged(claim, Verdict.INCONCLUSIVE, Evidence(what, reason="too many minimal hitting sets"))
    judgement = judge_family(frame.consensus, *((listed, other) if is_axp else (other, listed)))
    if judgement.member is None:
        return _family_judged(claim, frame, judgement, what)
    rest = frozenset(range(len(frame.labels))) - judgement.member.claim
    missing = (shrink_axp if is_axp else shrink_cxp)(frame.consensus, rest)
    if missing is None:
        return Judged(claim, Verdict.INCONCLUSIVE, Evidence(what, reason="an XP is missing, and could not be shown"))
    text = f"{what}; {kind.value} {set_text(frame.labels, missing)} is missing"
    return Judged(claim, Verdict.INCOMPLETE, Evidence(text, missing=Named(kind.value, missing)))


def _holding(frame: Frame, cxps: Sequence[Members], member: int) -> Named | None:
    """Return an XP that holds *member* where not all are known: one of *cxps*, or an AXp that keeps it as long as it can."""
    cxp = next((cxp for cxp in cxps if member in cxp), None)
    if cxp is not None:
        return Named("CXp", cxp)
    nearest = _nearest(frame, is_axp=True, wanted=frozenset([member]))
    return Named("AXp", nearest) if nearest is not None and member in nearest else None


def _certified_families(frame: Frame) -> FoundXps:
    """Return all AXps and all CXps, which the oracles call complete.

    Of an ensemble, and under a constraint, they are found by asking: those that were found, if not all.
    """
    if isinstance(frame.space, DecisionGraph) and frame.notion is not Notion.CONSTRAINTS:
        families = candidate_families(frame.space, frame.instance)
        if families is None:
            return FoundXps(problem="the instance has too many XPs")
        found = FoundXps(*families)
    else:
        found = found_xps(frame.consensus, BUDGET)
    if found.problem:
        return found
    judgement = judge_family(frame.consensus, found.axps, found.cxps)
    if judgement.verdict is not Verdict.COMPLETE:
        problem = f"no complete families to compare with: {judgement.verdict.value} {judgement.reason}".strip()
        return FoundXps(problem=problem)
    return found
