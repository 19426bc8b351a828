"""Judging claims: is 𝒳 an AXp, is 𝒴 a CXp, are these two families all of them?

One XP takes its own question and one per feature of it; a family takes one question per member and no search by a
solver (its completeness is duality, see :mod:`xpgcheck.oracles.duality`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from xpgcheck.arguments import COLLECTION, Rule, instance_of_type, takes
from xpgcheck.errors import InputError, shown
from xpgcheck.judging.consensus import Belief, Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.values import Point
from xpgcheck.oracles.duality import NotDual, NotDualKind, dual


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one claimed XP and its evidence.

    ``witness`` is a point of another class: for ``INSUFFICIENT`` one that agrees with the instance on the claim, for a
    (weak) CXp one that differs from it only there.  ``witnesses`` shows of each feature of an AXp that it is needed.
    ``needless`` are the features that can be left out one at a time, and ``inside`` is an XP inside a redundant claim
    (None where the search for it stayed open).  ``reason`` says what stayed open.
    """

    verdict: Verdict
    claim: frozenset[int]
    witness: Point | None = None
    witnesses: Mapping[int, Point] = field(default_factory=dict)
    needless: frozenset[int] = frozenset()
    inside: frozenset[int] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FamilyJudgement:
    """The verdict on two families that are claimed to be all AXps and all CXps, and its evidence.

    ``missing`` is an XP that is not listed, ``missing_kind`` ("AXp" or "CXp") which one it is.  ``fault`` says why the
    families are not dual.  ``member`` is the judgement of a listed set that is not even a weak XP, whose verdict the
    family then has.
    """

    verdict: Verdict
    missing: frozenset[int] | None = None
    missing_kind: str = ""
    fault: NotDual | None = None
    member: Judgement | None = None
    reason: str = ""


Question = Callable[[frozenset[int]], Belief]


_CONSENSUS = instance_of_type(Consensus, "a consensus of oracles", "pass an xpgcheck.Consensus")
_FAMILY = Rule(
    lambda family: COLLECTION.holds(family) and all(map(COLLECTION.holds, family)),
    "a collection of sets of feature indices",
    "pass a list of sets, such as [{0, 3}, {1}]",
)


@takes(consensus=_CONSENSUS, claim=COLLECTION)
def judge_axp(consensus: Consensus, claim: Iterable[int]) -> Judgement:
    """Judge the claim that a set of features is an AXp: Eq. 1 holds for it, and for none of its subsets.

    Parameters
    ----------
    consensus
        The oracles for one instance.
    claim
        Indices of features.

    Returns
    -------
    Judgement
        The verdict (AXp, redundant, insufficient, inconclusive) and its evidence.

    Raises
    ------
    InputError
        An index is no feature.

    Notes
    -----
    k + 1 questions to the oracles for k features.

    Examples
    --------
    >>> from xpgcheck import embedded
    >>> from xpgcheck.judging.panel import Panel
    >>> model = embedded.load("hardware")
    >>> with Panel(model.graph, ["z3"]) as panel:
    ...     consensus = panel.at(model.paper_instance)
    ...     print([judge_axp(consensus, claim).verdict.value for claim in ([0, 3], [0, 1, 3], [0])])
    ['AXp', 'redundant', 'insufficient']

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Eq. 1.
    """
    features = _checked(consensus, claim)
    whole = consensus.ask(features)
    if whole.changeable is None:
        return Judgement(Verdict.INCONCLUSIVE, features, reason=whole.reason)
    if whole.changeable:
        return Judgement(Verdict.INSUFFICIENT, features, witness=whole.witness)
    witnesses: dict[int, Point] = {}
    needless: set[int] = set()
    reason = ""
    for i in sorted(features):
        finding = consensus.ask(features - {i})
        if finding.changeable is False:
            needless.add(i)
        elif finding.changeable is None:
            reason = reason or finding.reason
        elif finding.witness is not None:
            witnesses[i] = finding.witness
    if needless:
        inside = shrink_axp(consensus, features)
        return Judgement(Verdict.REDUNDANT, features, None, witnesses, frozenset(needless), inside, reason)
    verdict = Verdict.INCONCLUSIVE if reason else Verdict.AXP
    return Judgement(verdict, features, witnesses=witnesses, reason=reason)


@takes(consensus=_CONSENSUS, claim=COLLECTION)
def judge_cxp(consensus: Consensus, claim: Iterable[int]) -> Judgement:
    """Judge the claim that a set of features is a CXp: Eq. 2 holds for it, and for none of its subsets.

    Parameters
    ----------
    consensus
        The oracles for one instance.
    claim
        Indices of features.

    Returns
    -------
    Judgement
        The verdict (CXp, redundant, ineffective, inconclusive) and its evidence.

    Raises
    ------
    InputError
        An index is no feature.

    Notes
    -----
    k + 1 questions to the oracles for k features.

    Examples
    --------
    >>> from xpgcheck import embedded
    >>> from xpgcheck.judging.panel import Panel
    >>> model = embedded.load("hardware")
    >>> with Panel(model.graph, ["z3"]) as panel:
    ...     consensus = panel.at(model.paper_instance)
    ...     print([judge_cxp(consensus, claim).verdict.value for claim in ([0], [0, 1], [2])])
    ['CXp', 'redundant', 'ineffective']

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Eq. 2.
    """
    features = _checked(consensus, claim)
    rest = frozenset(range(consensus.features)) - features
    whole = consensus.ask(rest)
    if whole.changeable is None:
        return Judgement(Verdict.INCONCLUSIVE, features, reason=whole.reason)
    if not whole.changeable:
        return Judgement(Verdict.INEFFECTIVE, features)
    needless: set[int] = set()
    reason = ""
    for j in sorted(features):
        finding = consensus.ask(rest | {j})
        if finding.changeable:
            needless.add(j)
        elif finding.changeable is None:
            reason = reason or finding.reason
    if needless:
        inside = shrink_cxp(consensus, features)
        return Judgement(Verdict.REDUNDANT, features, whole.witness, {}, frozenset(needless), inside, reason)
    verdict = Verdict.INCONCLUSIVE if reason else Verdict.CXP
    return Judgement(verdict, features, witness=whole.witness, reason=reason)


@takes(consensus=_CONSENSUS, axps=_FAMILY, cxps=_FAMILY)
def judge_family(
    consensus: Consensus, axps: Collection[Iterable[int]], cxps: Collection[Iterable[int]]
) -> FamilyJudgement:
    """Judge the claim that two families are all AXps and all CXps of the instance.

    Each member has to be a weak XP, and the families each other's minimal hitting sets.  Weak AXps and weak CXps that are
    dual families are all AXps and all CXps: a set that contains no listed AXp has a complement that contains a listed CXp,
    so it is no weak AXp.

    Parameters
    ----------
    consensus
        The oracles for one instance.
    axps, cxps
        The families: sets of indices of features.

    Returns
    -------
    FamilyJudgement
        The verdict (complete, incomplete, duplicate, not dual, …) and its evidence.

    Raises
    ------
    InputError
        An index is no feature.

    Notes
    -----
    One question for each member, and then duality, which is quasi-polynomial.

    Examples
    --------
    >>> from xpgcheck import embedded
    >>> from xpgcheck.judging.panel import Panel
    >>> model = embedded.load("hardware")
    >>> with Panel(model.graph, ["z3"]) as panel:
    ...     consensus = panel.at(model.paper_instance)
    ...     print(judge_family(consensus, [{0, 3}], [{0}, {3}]).verdict.value)
    complete

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Section 2,
    minimal-hitting-set duality.
    """
    listed = [_checked(consensus, claim) for claim in axps], [_checked(consensus, claim) for claim in cxps]
    fault = dual(*listed, consensus.features)
    if fault is not None and fault.kind is NotDualKind.DUPLICATE:
        return FamilyJudgement(Verdict.DUPLICATE, fault=fault)
    everything = frozenset(range(consensus.features))
    for family, wanted, wrong in zip(listed, (False, True), (Verdict.INSUFFICIENT, Verdict.INEFFECTIVE), strict=True):
        for claim in family:
            finding = consensus.ask(everything - claim if wanted else claim)
            if finding.changeable is None:
                return FamilyJudgement(Verdict.INCONCLUSIVE, reason=finding.reason)
            if finding.changeable is not wanted:
                member = Judgement(wrong, claim, witness=finding.witness)
                return FamilyJudgement(wrong, member=member)
    if fault is None:
        return FamilyJudgement(Verdict.COMPLETE)
    if fault.kind is NotDualKind.DISJOINT:
        # Fixing the one suffices and freeing the other changes the class: believed both, they contradict each other.
        reason = "the oracles contradict themselves: a weak AXp and a weak CXp without a common feature"
        return FamilyJudgement(Verdict.INCONCLUSIVE, fault=fault, reason=reason)
    if fault.kind is not NotDualKind.MISSING:
        return FamilyJudgement(Verdict.NOT_DUAL, fault=fault)
    return _missing(consensus, fault)


def shrink_axp(consensus: Consensus, weak: frozenset[int]) -> frozenset[int] | None:
    """Return an AXp inside the weak AXp *weak* by deletion (one question per feature); None where one stays open."""
    return _shrink(weak, consensus.ask, wanted=False)


def shrink_cxp(consensus: Consensus, weak: frozenset[int]) -> frozenset[int] | None:
    """Return a CXp inside the weak CXp *weak* by deletion (one question per feature); None where one stays open."""
    everything = frozenset(range(consensus.features))
    return _shrink(weak, lambda claim: consensus.ask(everything - claim), wanted=True)


def _shrink(weak: frozenset[int], question: Question, *, wanted: bool) -> frozenset[int] | None:
    kept = weak
    for i in sorted(weak):
        answer = question(kept - {i}).changeable
        if answer is None:
            return None
        if answer is wanted:
            kept -= {i}
    return kept


def _missing(consensus: Consensus, fault: NotDual) -> FamilyJudgement:
    """Turn the witness against duality into an XP that is not listed."""
    finding = consensus.ask(fault.first)
    if finding.changeable is None:
        return FamilyJudgement(Verdict.INCONCLUSIVE, fault=fault, reason=finding.reason)
    if finding.changeable:
        missing, kind = shrink_cxp(consensus, fault.second), "CXp"
    else:
        missing, kind = shrink_axp(consensus, fault.first), "AXp"
    reason = "" if missing is not None else "an XP is missing, but its minimality stayed open"
    return FamilyJudgement(Verdict.INCOMPLETE, missing, kind, fault, reason=reason)


def _checked(consensus: Consensus, claim: Iterable[int]) -> frozenset[int]:
    features = list(claim)
    for i in features:
        # A bool is an int and 3.0 equals 3, but a claim with them means something else.
        if type(i) is not int or not 0 <= i < consensus.features:
            mend = f"name features by their index, from 0 to {consensus.features - 1}"
            raise InputError(f"a claim names feature {shown(repr(i))}, which does not exist", mend=mend)
    return frozenset(features)
