"""Claims about one instance, right and wrong, each with a certified verdict and its evidence.

There is a claim for every verdict that is possible at the instance.  A wrong family has one fault, so that no order of
checks has to be agreed on.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from xpgcheck.claims.documents import instance_document
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import Judgement
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.vectors.certifying import CertifiedFamilies, Certifier, Members
from xpgcheck.vectors.documents import (
    AxpClaim,
    CxpClaim,
    FamilyClaim,
    MembershipClaim,
    MissingXp,
    PredictionClaim,
    VectorClaim,
)

MOST = 2
"""Claims of one make, such as right AXps, at an instance."""


def claims_at(certifier: Certifier, families: CertifiedFamilies, rng: random.Random) -> list[VectorClaim]:
    """Return claims about the certifier's instance with their verdicts, each claim once.

    Raises ``UncertifiedError`` where two routes give a claim different verdicts.  A hundred questions or so.
    """
    graph = certifier.graph
    records: list[VectorClaim] = [_axp(certifier, claim) for claim in _once(_claimed_axps(certifier, families, rng))]
    records += [_cxp(certifier, claim) for claim in _once(_claimed_cxps(certifier, families, rng))]
    records += [_family(certifier, *claim) for claim in _claimed_families(certifier, families, rng)]
    own = graph.kappa(certifier.instance)
    records.append(PredictionClaim(class_name=graph.classes[own], verdict="right prediction"))
    if len(graph.classes) > 1:
        other = rng.choice([name for name in graph.classes if name != graph.classes[own]])
        records.append(PredictionClaim(class_name=other, verdict="prediction mismatch"))
    return records + list(_memberships(graph, families, rng))


def _some(rng: random.Random, items: Sequence[Members], most: int = MOST) -> list[Members]:
    """Return at most *most* of *items*, in their order: the first one, and others by chance."""
    if len(items) <= most:
        return list(items)
    chosen = [0, *rng.sample(range(1, len(items)), most - 1)]
    return [items[position] for position in sorted(chosen)]


def _once(claims: Iterable[Members]) -> list[Members]:
    return list(dict.fromkeys(claims))


def _claimed_axps(certifier: Certifier, families: CertifiedFamilies, rng: random.Random) -> Iterator[Members]:
    everything = frozenset(range(len(certifier.graph.features)))
    yield from _some(rng, families.axps)
    for axp in _some(rng, families.axps, 1):
        if axp != everything:
            yield axp | {rng.choice(sorted(everything - axp))}
            yield everything
        if axp:
            yield axp - {rng.choice(sorted(axp))}
            yield everything - rng.choice(families.cxps)
            yield rng.choice(families.cxps)


def _claimed_cxps(certifier: Certifier, families: CertifiedFamilies, rng: random.Random) -> Iterator[Members]:
    everything = frozenset(range(len(certifier.graph.features)))
    yield from _some(rng, families.cxps)
    for cxp in _some(rng, families.cxps, 1):
        if cxp != everything:
            yield cxp | {rng.choice(sorted(everything - cxp))}
            yield everything
        yield cxp - {rng.choice(sorted(cxp))}
    yield everything - rng.choice(families.axps)
    if not families.cxps:
        # A constant classifier: whatever is claimed, nothing changes the class.
        yield frozenset([0])
        yield everything


def _claimed_families(
    certifier: Certifier, families: CertifiedFamilies, rng: random.Random
) -> Iterator[tuple[list[Members], list[Members]]]:
    """Yield the right families, and ones with one fault each."""
    axps, cxps = list(families.axps), list(families.cxps)
    everything = frozenset(range(len(certifier.graph.features)))
    yield axps, cxps
    yield _without(axps, rng), cxps
    yield [*axps, rng.choice(axps)], cxps
    wider = rng.choice(axps)
    if wider != everything:
        yield [*axps, wider | {rng.choice(sorted(everything - wider))}], cxps
    if cxps:
        yield axps, _without(cxps, rng)
        yield axps, [*cxps, rng.choice(cxps)]
        longer = rng.choice(cxps)
        if longer != everything:
            yield axps, [*cxps, longer | {rng.choice(sorted(everything - longer))}]
        yield _shortened(axps, rng), cxps
        yield axps, _shortened(cxps, rng)
    else:
        yield axps, [frozenset([0])]


def _without(family: list[Members], rng: random.Random) -> list[Members]:
    position = rng.randrange(len(family))
    return family[:position] + family[position + 1 :]


def _shortened(family: list[Members], rng: random.Random) -> list[Members]:
    """Return *family*, a member less a feature: neither a weak XP nor, as all others are kept, listed already."""
    position = rng.randrange(len(family))
    member = family[position]
    return [*family[:position], member - {rng.choice(sorted(member))}, *family[position + 1 :]]


def _memberships(graph: DecisionGraph, families: CertifiedFamilies, rng: random.Random) -> Iterator[MembershipClaim]:
    held = set().union(*families.axps)
    for relevant in (True, False):
        features = [i for i in range(len(graph.features)) if (i in held) is relevant]
        if features:
            feature = rng.choice(features)
            for said in (True, False):
                yield MembershipClaim(
                    feature=feature,
                    member=said,
                    verdict="right membership" if said is relevant else "wrong membership",
                )


def _axp(certifier: Certifier, claim: Members) -> AxpClaim:
    judgement = certifier.axp(claim)
    found = AxpClaim(features=sorted(claim), verdict=cast("Any", judgement.verdict.value))
    if judgement.verdict is Verdict.AXP and claim:
        points = judgement.witnesses
        found.needed = [instance_document(certifier.graph, points[i]) for i in sorted(claim)]
    _add_evidence(certifier, found, judgement, witness=judgement.verdict is Verdict.INSUFFICIENT)
    return found


def _cxp(certifier: Certifier, claim: Members) -> CxpClaim:
    judgement = certifier.cxp(claim)
    found = CxpClaim(features=sorted(claim), verdict=cast("Any", judgement.verdict.value))
    _add_evidence(certifier, found, judgement, witness=judgement.verdict is not Verdict.INEFFECTIVE)
    return found


def _add_evidence(certifier: Certifier, found: AxpClaim | CxpClaim, judgement: Judgement, *, witness: bool) -> None:
    if witness and judgement.witness is not None:
        found.witness = instance_document(certifier.graph, judgement.witness)
    if judgement.verdict is Verdict.REDUNDANT and judgement.inside is not None:
        found.needless = sorted(judgement.needless)
        found.inside = sorted(judgement.inside)


def _family(certifier: Certifier, axps: list[Members], cxps: list[Members]) -> FamilyClaim:
    judgement = certifier.family(axps, cxps)
    found = FamilyClaim(
        axps=[sorted(axp) for axp in axps],
        cxps=[sorted(cxp) for cxp in cxps],
        verdict=cast("Any", judgement.verdict.value),
    )
    fault, member = judgement.fault, judgement.member
    if judgement.missing is not None:
        found.missing = MissingXp(kind=cast("Any", judgement.missing_kind), features=sorted(judgement.missing))
    elif member is not None:
        found.at_fault = sorted(member.claim)
        if member.witness is not None:
            found.witness = instance_document(certifier.graph, member.witness)
    elif fault is not None and judgement.verdict is Verdict.DUPLICATE:
        found.twice = sorted(fault.first)
    elif fault is not None and judgement.verdict is Verdict.NOT_DUAL:
        found.clash = [sorted(fault.first), sorted(fault.second)]
    return found
