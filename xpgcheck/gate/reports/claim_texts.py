"""Claims and their evidence in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Members, Notion
from xpgcheck.judging.judged import Evidence, Judged, Named
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.reports.lines import line
from xpgcheck.wording import box_texts, counted, point_text, set_text

MAX_SETS = 8
"""Sets of a family that are listed."""


def labels_of(claim: Claim, case: Case | EnsembleCase) -> tuple[str, ...]:
    """Return what the members of *claim* are called: features, or conditions as they come out at the instance."""
    if claim.fault is not None:
        # No answer has no members, and its graph perhaps no conditions.
        return ()
    if not claim.notion.of_features:
        from xpgcheck.oracles.conditions import literals_at

        return literals_at(case.graph, case.instance)
    return tuple(feature.name for feature in case.graph.features)


def claim_text(claim: Claim, labels: Sequence[str], graph: Classifier) -> str:
    """Return what is claimed, in one line."""
    kind = claim.kind.value
    if claim.fault is not None:
        return f"no answer: {line(claim.message or claim.fault.value)}"
    if claim.kind is ClaimKind.PREDICTION:
        known = 0 <= claim.class_index < len(graph.classes)
        return f"class {line(graph.classes[claim.class_index], 40) if known else claim.class_index}"
    if claim.kind is ClaimKind.MEMBERSHIP:
        known = 0 <= claim.feature < len(labels)
        name = line(labels[claim.feature], 40) if known else str(claim.feature)
        return f"{name} is in {'some' if claim.member else 'no'} AXp"
    if claim.kind is ClaimKind.FAMILY:
        sides = (("AXps", claim.axps), ("CXps", claim.cxps))
        return "; ".join(f"all {word}: {_sets(side, labels)}" for word, side in sides if side is not None)
    if claim.kind in OF_VALUES:
        return f"{kind} {{{', '.join(box_texts(graph, dict(claim.box or ())))}}}"
    inside = f" inside the seed {set_text(labels, claim.seed)}" if claim.seed is not None else ""
    return (f"there is no {kind}" if claim.members is None else f"{kind} {set_text(labels, claim.members)}") + inside


def _sets(side: Sequence[Members], labels: Sequence[str]) -> str:
    shown = ", ".join(set_text(labels, members) for members in side[:MAX_SETS])
    more = f" and {len(side) - MAX_SETS:,} more" if len(side) > MAX_SETS else ""
    return (shown or "none") + more


def named_text(named: Named, labels: Sequence[str]) -> str:
    """Return an XP with its kind."""
    return f"{named.kind} {set_text(labels, named.members)}"


def closed_set_text(graph: Classifier, nodes: Collection[int]) -> str:
    """Say what a closed set proves; the nodes themselves are in the JSON of the case."""
    return (
        f"{len(nodes):,} of {counted(graph.node_count, 'node')} can be reached, and all terminals there have one class"
    )


def witness_text(claim: Claim, witness: Point, labels: Sequence[str], case: Case | EnsembleCase) -> str:
    """Return a witness with its class: a point of feature space, or which conditions come out otherwise."""
    own = class_at(claim, witness, case)
    if claim.notion is not Notion.CONDITIONS:
        return f"{point_text(case.graph, witness)} (class {own})"
    pairs = enumerate(zip(instance_of(claim, case), witness, strict=True))
    changed = [i for i, (old, new) in pairs if old != new]
    return f"all conditions come out as at the instance, but for {set_text(labels, changed)} (class {own})"


def class_at(claim: Claim, witness: Point, case: Case | EnsembleCase) -> str:
    """Return the class of a witness of *claim*."""
    graph: Classifier = case.graph
    if claim.notion is Notion.CONDITIONS:
        from xpgcheck.oracles.conditions import over_conditions

        graph = over_conditions(case.graph)
    return line(graph.classes[graph.kappa(witness)], 40)


def instance_of(claim: Claim, case: Case | EnsembleCase) -> Point:
    """Return the instance in the space of the claim's witnesses: over conditions, which of them are true at it."""
    if claim.notion is not Notion.CONDITIONS:
        return case.instance
    from xpgcheck.oracles.conditions import conditions_at, conditions_of

    # A graph that tests nothing has one condition, which nothing tests.
    return conditions_at(conditions_of(case.graph), case.instance) or (False,)


def evidence_lines(judged: Judged, case: Case | EnsembleCase) -> list[tuple[str, str]]:
    """Return the claim and what shows that its verdict is right: names and texts, each on one line."""
    graph, claim, evidence = case.graph, judged.claim, judged.evidence
    labels = labels_of(claim, case)
    found = [("claim", claim_text(claim, labels, graph))]
    if evidence.needless:
        found.append(("needless", set_text(labels, evidence.needless)))
    found += _xps(evidence, labels)
    found += [("should be in it", text) for text in box_texts(graph, evidence.joining)]
    found += [("changes nothing", text) for text in box_texts(graph, evidence.idle)]
    if evidence.witness is not None:
        found.append(("witness", witness_text(claim, evidence.witness, labels, case)))
    if evidence.clash:
        found.append(("at fault", ", ".join(set_text(labels, members) for members in evidence.clash)))
    if evidence.closed_set is not None:
        found.append(("closed set", closed_set_text(graph, evidence.closed_set)))
    if evidence.reason:
        found.append(("open", line(evidence.reason)))
    if evidence.confirmed_by:
        found.append(("confirmed by", ", ".join(map(line, evidence.confirmed_by))))
    if judged.projected is not None:
        other = judged.projected
        about = "without the constraint" if claim.notion.of_features else "over features"
        found.append((about, f"{other.verdict.value} (a separate question): {line(other.evidence.text)}"))
    return found


def _xps(evidence: Evidence, labels: Sequence[str]) -> list[tuple[str, str]]:
    pairs = (("right", evidence.correct), ("missing", evidence.missing))
    return [(word, named_text(named, labels)) for word, named in pairs if named is not None]
