"""Families of XPs that are known beforehand: judging by comparison, and by oracles where a claim is wrong.

The families come from a file that two routes certified when it was made.  They alone never make a claim wrong: whatever
does not fit them is judged by the oracles, with evidence, and where these differ the verdict stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Members, Notion
from xpgcheck.judging.claim_judge import ClaimJudge
from xpgcheck.judging.consensus import Belief, Consensus
from xpgcheck.judging.frames import Frame, frame_of_features
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.second_opinions import after_other_judges
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.wording import set_text


@dataclass(frozen=True, slots=True)
class KnownInflation:
    """An inflated AXp, whose sets grow in *order*, or an inflated CXp: the *box* as claims have it."""

    order: tuple[int, ...]
    box: tuple[tuple[int, ValueSet], ...]


@dataclass(frozen=True, slots=True)
class KnownFamilies:
    """All AXps and all CXps of an instance over *features* features; None stands for a family that is not listed.

    One of the two is listed.  The other is then known as its minimal hitting sets (Reiter's duality).  The sets of
    values of one AXp and of one CXp may be known, too.
    """

    features: int
    axps: tuple[Members, ...] | None
    cxps: tuple[Members, ...] | None
    inflated_axp: KnownInflation | None = None
    inflated_cxp: KnownInflation | None = None

    def inflation(self, kind: ClaimKind) -> KnownInflation | None:
        """Return the sets of values that are known of a *kind* of claim."""
        known = {ClaimKind.INFLATED_AXP: self.inflated_axp, ClaimKind.INFLATED_CXP: self.inflated_cxp}
        return known.get(kind)

    def changeable(self, fixed: Members) -> bool:
        """Tell whether a point that agrees with the instance on *fixed* has another class."""
        if self.cxps is not None:
            return any(not cxp & fixed for cxp in self.cxps)
        assert self.axps is not None
        return not any(axp <= fixed for axp in self.axps)

    def holds(self, members: Members, *, is_axp: bool) -> bool:
        """Tell whether *members* are an AXp, or a CXp."""
        own, other = (self.axps, self.cxps) if is_axp else (self.cxps, self.axps)
        if own is not None:
            return members in own
        assert other is not None
        if not all(members & one for one in other):
            return False
        private = {next(iter(members & one)) for one in other if len(members & one) == 1}
        return private == members

    def in_some_xp(self) -> Members:
        """Return the features that are in some AXp, and so in some CXp."""
        listed = self.cxps if self.cxps is not None else self.axps
        return frozenset().union(*listed or ())

    def are(self, axps: Iterable[Members] | None, cxps: Iterable[Members] | None) -> bool:
        """Tell whether the families are these, each set once; one that is None is not claimed."""
        for claimed, own in ((axps, self.axps), (cxps, self.cxps)):
            if claimed is None:
                continue
            listed = list(claimed)
            if own is None or len(listed) != len(own) or set(listed) != set(own):
                return False
        return True


class _Believed(Consensus):
    """The answers of known families, as a consensus: enough to tell which seeds are weak XPs."""

    def __init__(self, families: KnownFamilies) -> None:
        super().__init__(families.features, (), lambda *_: None)
        self._families = families

    def ask(self, fixed: Iterable[int]) -> Belief:
        """Return what the families say of *fixed*."""
        changeable = self._families.changeable(frozenset(fixed))
        return Belief(changeable, None, ("known families",), "", False, ())


class KnownJudge(ClaimJudge):
    """Judges the claims of one instance whose *families* are known; *opened* gives the judge that asks oracles.

    What does not fit gets the verdict that the families give, without witnesses: a report has it judged in full
    (:func:`in_full`).  Claims of other notions, and of a family that is not listed, are the oracles' from the beginning.
    """

    def __init__(
        self, graph: DecisionGraph, instance: Point, families: KnownFamilies, opened: Callable[[], ClaimJudge]
    ) -> None:
        # Without closed sets, which are evidence.
        self._known = replace(frame_of_features(graph, instance, _Believed(families)), closed_set=lambda _: None)
        super().__init__(lambda _: self._known)
        self._families_known = families
        self._opened = opened
        self._oracles: ClaimJudge | None = None

    def inflation_asked(self, kind: ClaimKind) -> tuple[int, ...] | None:
        """Return the features of the known inflated XP, in its order."""
        known = self._families_known.inflation(kind)
        return None if known is None else known.order

    def frame(self, notion: Notion) -> Frame:
        """Return the frame of *notion*: of features that of the families."""
        return self._known if notion is Notion.FEATURES else self._by_oracles().frame(notion)

    def judge(self, claim: Claim, *, evidence: bool = True) -> Judged:
        """Return the verdict on *claim*, without witnesses; *evidence* is for the oracles."""
        known = self._families_known.inflation(claim.kind)
        if known is not None and claim.fault is None and claim.box == known.box:
            text = f"{claim.kind.value} of {set_text(self._known.labels, known.order)}, as it is known"
            return Judged(claim, Verdict.INFLATED, Evidence(text, confirmed_by=("known sets of values",)))
        if claim.notion is not Notion.FEATURES or claim.kind in OF_VALUES:
            # Another box can be right, too: where sets grow in another order.
            return self._by_oracles().judge(claim, evidence=evidence)
        if claim.fault is not None or claim.kind is ClaimKind.PREDICTION:
            # Neither asks an oracle.
            return super().judge(claim, evidence=evidence)
        fits, right, text = self._fit(claim)
        if fits:
            return after_other_judges(
                Judged(claim, right, Evidence(text, confirmed_by=("known families",))), self._known
            )
        if claim.kind is ClaimKind.MEMBERSHIP:
            return Judged(claim, Verdict.WRONG_MEMBERSHIP, Evidence(text))
        if claim.kind is ClaimKind.FAMILY and not self._both_listed():
            return self._by_oracles().judge(claim, evidence=evidence)
        return super().judge(claim, evidence=False)

    def _fit(self, claim: Claim) -> tuple[bool, Verdict, str]:
        """Tell whether *claim* is right by the families; return the verdict that it then has, and what it says."""
        families, labels = self._families_known, self._known.labels
        word = claim.kind.value
        if claim.kind is ClaimKind.MEMBERSHIP:
            fits = claim.member == (claim.feature in families.in_some_xp())
            return (
                fits,
                Verdict.MEMBERSHIP,
                f"{set_text(labels, [claim.feature])} is {'' if claim.member else 'not '}in some XP",
            )
        if claim.kind is ClaimKind.FAMILY:
            return families.are(claim.axps, claim.cxps), Verdict.COMPLETE, "all XPs, as they are known"
        if claim.members is None:
            none = claim.kind is ClaimKind.CXP and not families.changeable(frozenset())
            return none, Verdict.COMPLETE, f"there is no {word}"
        is_axp = claim.kind is ClaimKind.AXP
        fits = families.holds(claim.members, is_axp=is_axp) and (claim.seed is None or claim.members <= claim.seed)
        return fits, Verdict.AXP if is_axp else Verdict.CXP, f"{word} {set_text(labels, claim.members)}"

    def _both_listed(self) -> bool:
        return self._families_known.axps is not None and self._families_known.cxps is not None

    def _by_oracles(self) -> ClaimJudge:
        if self._oracles is None:
            self._oracles = self._opened()
        return self._oracles


def in_full(judged: Judged, oracles: ClaimJudge) -> Judged:
    """Return what *oracles* make of a claim that known families call wrong, with evidence; undecided if they differ."""
    full = oracles.judge(judged.claim)
    if full.outcome is not Outcome.HOLDS:
        return full
    reason = f"the oracles call it {full.verdict.value}, by the known families it is {judged.verdict.value}"
    return replace(full, verdict=Verdict.INCONCLUSIVE, evidence=replace(full.evidence, reason=reason))
