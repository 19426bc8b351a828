"""Judging claims of sets of values, inflated AXps and CXps and boxes of changes, with what shows it in values and points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError, shown
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.judged import Evidence, Judged, Named
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.oracles.box_closed_set import check_closed_set_within, closed_set_within
from xpgcheck.wording import box_texts, listed, point_text, set_text

if TYPE_CHECKING:
    from xpgcheck.judging.box_judge import BoxJudge, BoxJudgement
    from xpgcheck.judging.frames import Frame

_XP = {ClaimKind.INFLATED_AXP: "AXp", ClaimKind.INFLATED_CXP: "CXp", ClaimKind.INFLATED_CHANGE: "CXp"}
"""The kind of XP that the features of a box are claimed to be."""


def judge_inflated(claim: Claim, frame: Frame, judges: Callable[[Notion], BoxJudge] | None) -> Judged:
    """Judge a claim of sets of values by the judge of its notion, its features by the oracles of *frame*.

    Raises ``InputError`` where the model or the notion has no values, a set is empty, or a feature does not exist.
    """
    if not claim.notion.of_features or frame.space is None or judges is None:
        raise InputError("sets of values are judged over features of a model", mend="claim them so")
    judge = judges(claim.notion)
    box: dict[int, ValueSet] = {}
    features = frame.space.features
    for feature, values in claim.box or ():
        if not 0 <= feature < len(features):
            raise InputError(f"there is no feature {feature}", mend="name a feature of the model")
        box[feature] = features[feature].domain.all_values().intersection(values)
        if box[feature].is_empty():
            raise InputError(
                f"the set of {shown(features[feature].name)} is empty", mend="give each feature some value"
            )
    if claim.kind is ClaimKind.INFLATED_AXP:
        found = judge.inflated_axp(frame.instance, box, frame.consensus)
    elif claim.kind is ClaimKind.INFLATED_CXP:
        found = judge.inflated_cxp(frame.instance, box, frame.consensus)
    else:
        own = enumerate(frame.instance)
        changed = tuple([v if i not in box or v in box[i] else box[i].representative() for i, v in own])
        found = judge.inflated_change(frame.instance, box, changed, frame.consensus)
    return Judged(claim, found.verdict, _evidence(claim, frame, found))


def _evidence(claim: Claim, frame: Frame, found: BoxJudgement) -> Evidence:
    assert frame.space is not None
    space, verdict, inner = frame.space, found.verdict, found.features
    said = text = f"{claim.kind.value} {{{', '.join(box_texts(space, dict(claim.box or ())))}}}"
    witness = found.witness
    correct = None
    if verdict is Verdict.INSUFFICIENT and witness is not None:
        occurs = frame.allows is None or frame.allows(witness)
        said_of = f"has class {space.classes[space.kappa(witness)]}" if occurs else "cannot occur"
        text += f": {point_text(space, witness)}, in these sets, {said_of}"
        if witness == frame.instance:
            text = f"{said}: a set lacks the value of the instance"
    elif inner is not None and inner.verdict is verdict and verdict is not Verdict.INCONCLUSIVE:
        # The fault is in the features.
        witness = inner.witness
        word = f"{_XP[claim.kind]} {set_text(frame.labels, inner.claim)}"
        if verdict is Verdict.REDUNDANT:
            text += f": {set_text(frame.labels, inner.needless)} can be left out of the {word}"
            correct = Named(_XP[claim.kind], inner.inside) if inner.inside is not None else None
        else:
            text += f": no point that differs from the instance on {word} alone has another class"
    elif verdict is Verdict.NOT_MAXIMAL:
        what = "can join" if claim.kind is not ClaimKind.INFLATED_CXP else "changes the class as well"
        text += f": {listed(box_texts(space, found.joining))} {what}"
    elif verdict is Verdict.INEFFECTIVE and found.idle:
        text += f": no change has {listed(box_texts(space, found.idle))}"
    elif (
        verdict is Verdict.INEFFECTIVE
        and witness is not None
        and frame.allows is not None
        and not frame.allows(witness)
    ):
        text += ": a point in these sets cannot occur"
    elif verdict is Verdict.INEFFECTIVE:
        text += ": a point in these sets has the class of the instance"
    return Evidence(
        text,
        witness=witness,
        closed_set=_closed_set(claim, frame, found),
        needless=frozenset() if inner is None else inner.needless,
        correct=correct,
        reason=found.reason,
        joining=found.joining,
        idle=found.idle,
        pieces=(*found.refused, *found.changes),
    )


def _closed_set(claim: Claim, frame: Frame, found: BoxJudgement) -> frozenset[int] | None:
    """Return a set of nodes that its checker accepts as a proof that the box of a claim has one class, if there is one."""
    graph, box = frame.space, dict(found.box)
    if claim.notion is Notion.CONSTRAINTS:
        # Nodes say nothing of what can occur.
        return None
    one_class = found.verdict in (Verdict.INFLATED, Verdict.NOT_MAXIMAL, Verdict.REDUNDANT)
    if not one_class or claim.kind is ClaimKind.INFLATED_CXP or not isinstance(graph, DecisionGraph):
        return None
    own = graph.kappa(frame.instance)
    if claim.kind is ClaimKind.INFLATED_CHANGE:
        held = {i: graph.cells[i] for i in range(len(graph.features)) if i not in box}
        box |= {i: next(cell for cell in cells if frame.instance[i] in cell) for i, cells in held.items()}
        point = tuple([v if v in box[i] else box[i].representative() for i, v in enumerate(frame.instance)])
        own = graph.kappa(point)
    nodes = closed_set_within(graph, box)
    return None if check_closed_set_within(graph, box, own, nodes) else frozenset(nodes)
