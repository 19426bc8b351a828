"""The certificate of a judged claim, from the evidence that its verdict came with.

What a gate or a file of claims was told is then checked by anyone, without asking the oracles again: that an explanation is
one, or what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from xpgcheck.certificates.canonical_texts import (
    class_json,
    end_text,
    header_text,
    instance_json,
    members_json,
    value_json,
)
from xpgcheck.certificates.closed_sets_and_points import ClosedSet, GraphTables, OtherPoint
from xpgcheck.certificates.constrained_evidence import BoxTables, ConstrainedTables
from xpgcheck.certificates.ensemble_evidence import EnsembleTables
from xpgcheck.certificates.family_lines import (
    AskedGraph,
    SetProver,
    Sufficient,
    claims_json,
    family_fields,
    pools_json,
)
from xpgcheck.certificates.value_evidence import ValueEvidence
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Members, Notion
from xpgcheck.judging.judged import Evidence, Judged, Named
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.xpg.explanation_graph import explanation_graph, mask_of

_Evidence = tuple[list[Sufficient], list[OtherPoint], str]
"""The pools, and the claim's fields that refer to them."""


class ClaimCertifier:
    """Issues the lines of judged claims about one graph, or one ensemble.

    The graph is the one whose points witnesses are (``Frame.space``): for claims over independent conditions, the graph over
    the conditions, which is then the model of the certificate.
    """

    def __init__(
        self, graph: DecisionGraph | Ensemble, constraint: Constraint | None = None, *, of_values: bool = False
    ) -> None:
        """Issue the lines of claims under *constraint*, if there is one, and only of these.

        Those of sets of values take *of_values*: of a decision graph they belong under another header than others.
        Of an ensemble, and under a constraint, raises what :class:`EnsembleTables` does.
        """
        self.graph = graph
        self._notions = (Notion.FEATURES, Notion.CONDITIONS) if constraint is None else (Notion.CONSTRAINTS,)
        self._tables: GraphTables | EnsembleTables
        if constraint is not None:
            self._tables = ConstrainedTables(graph, constraint)
        elif of_values:
            self._tables = BoxTables(graph)
        else:
            self._tables = EnsembleTables(graph) if isinstance(graph, Ensemble) else GraphTables(graph)

    def header(self) -> str:
        """Return the line that all lines of this certifier belong under."""
        return self._tables.header if isinstance(self._tables, EnsembleTables) else header_text(self.graph)

    def line(self, instance: Point, judged: Judged) -> str | None:
        """Return the line that shows that the verdict on a claim at *instance* is right, or None where none can.

        None of what a certificate does not speak of: predictions, that a feature is in no XP, sets listed twice, what stayed
        open, claims over conditions with theory, and claims of another kind than those that this certifier is for, under its
        constraint or without one.  For an incomplete family, it shows the XP that is missing; for a feature that is in some
        XP, that XP.  Missing evidence is made again: O(edges) operations on masks; of an ensemble, and under
        a constraint, a search, which raises ``UndecidedError`` where it takes too much or rounding decides.
        """
        claim = judged.claim
        if claim.notion not in self._notions or claim.fault is not None:
            return None
        if claim.kind in OF_VALUES:
            fields = self._of_values(instance, judged)
        else:
            fields = self._xp(instance, judged) if claim.members is not None else self._others(instance, judged)
        if fields is None:
            return None
        own_class = class_json(self.graph, self.graph.kappa(instance))
        notion = "constraints" if claim.notion is Notion.CONSTRAINTS else "features"
        return f'{{"instance":{instance_json(instance)},"class":{own_class},"notion":"{notion}",{fields}}}\n'

    def _xp(self, instance: Point, judged: Judged) -> str | None:
        claim, verdict = judged.claim, judged.verdict
        assert claim.members is not None
        is_axp = claim.kind is ClaimKind.AXP
        if verdict is Verdict.OUTSIDE_SEED:
            return self._named(instance, [Named(claim.kind.value, claim.members)])
        found = None
        if verdict in (Verdict.AXP, Verdict.CXP):
            found = self._right_axp(instance, claim, judged.evidence) if is_axp else self._right_cxp(instance, judged)
            if found is None:
                return self._named(instance, [Named(claim.kind.value, claim.members)])
        elif verdict is Verdict.REDUNDANT:
            found = self._redundant(instance, claim, judged.evidence)
        elif verdict is Verdict.INSUFFICIENT:
            found = self._one_point(instance, claim.members, judged.evidence.witness)
        elif verdict is Verdict.INEFFECTIVE:
            everything = frozenset(range(len(self.graph.features)))
            found = self._one_set(instance, everything - claim.members, judged.evidence.closed_set)
        if found is None:
            return None
        closed, points, refs = found
        members = members_json(sorted(claim.members))
        text = f'{{"kind":"{claim.kind.value}","features":{members},"verdict":"{verdict.value}",{refs}}}'
        return f"{pools_json(closed, points)},{claims_json([text])}"

    def _of_values(self, instance: Point, judged: Judged) -> str | None:
        """Return the fields about a claim of sets of values, with one before it that its features are an AXp or a CXp.

        Where the features are at fault, a claim of these alone.
        """
        claim, verdict, evidence = judged.claim, judged.verdict, judged.evidence
        assert isinstance(self._tables, EnsembleTables)
        members = frozenset(i for i, _ in claim.box or ())
        kind = ClaimKind.AXP if claim.kind is ClaimKind.INFLATED_AXP else ClaimKind.CXP
        of_features = replace(judged, claim=replace(claim, kind=kind, members=members, box=None))
        odd = evidence.idle if verdict is Verdict.INEFFECTIVE else evidence.joining
        if verdict is Verdict.REDUNDANT:
            return self._xp(instance, of_features)
        said = ValueEvidence(self._tables, instance).claim(claim, verdict, odd)
        if said is None:
            return self._xp(instance, of_features) if verdict is Verdict.INEFFECTIVE else None
        if verdict is not Verdict.INFLATED:
            return f"{pools_json([], [])},{claims_json([said])}"
        found = self._named(instance, [Named(kind.value, members)])
        return f"{found[:-1]},{said}]"

    def _others(self, instance: Point, judged: Judged) -> str | None:
        """Return the fields about claims that are not of one set."""
        claim, evidence = judged.claim, judged.evidence
        if judged.verdict is Verdict.INCOMPLETE and evidence.missing is not None:
            return self._named(instance, [evidence.missing])
        if claim.kind is ClaimKind.MEMBERSHIP:
            return None if evidence.correct is None else self._named(instance, [evidence.correct])
        if judged.verdict is not Verdict.COMPLETE:
            return None
        if claim.kind is ClaimKind.CXP:
            # There is no CXp: the empty set is the one AXp.
            return self._named(instance, [Named("AXp", frozenset())], "rup")
        if claim.axps is None or claim.cxps is None:
            return None
        listed = [Named("AXp", axp) for axp in claim.axps] + [Named("CXp", cxp) for cxp in claim.cxps]
        return self._named(instance, listed, "rup")

    def _named(self, instance: Point, listed: Iterable[Named], method: str = "none") -> str:
        """Return the fields about XPs, with evidence made again."""
        families: dict[str, list[int]] = {"AXp": [], "CXp": []}
        for kind, members in ((named.kind, named.members) for named in listed):
            families[kind].append(mask_of(members))
        return family_fields(self._asked(instance), families["AXp"], families["CXp"], method)[0]

    def _asked(self, instance: Point) -> SetProver:
        tables = self._tables
        if isinstance(tables, EnsembleTables):
            return tables.at(instance)
        return AskedGraph(tables, explanation_graph(tables.graph, instance))

    def _right_axp(self, instance: Point, claim: Claim, evidence: Evidence) -> _Evidence | None:
        assert claim.members is not None
        if evidence.closed_set is None or set(evidence.needed) != claim.members:
            return None
        members = sorted(claim.members)
        points = [self._changes(instance, evidence.needed[i]) for i in members]
        refs = f'"sufficient":0,"needed":{members_json(range(len(members)))}'
        return [self._closed(claim.members, evidence.closed_set)], points, refs

    def _right_cxp(self, instance: Point, judged: Judged) -> _Evidence | None:
        members, evidence = judged.claim.members, judged.evidence
        assert members is not None
        if evidence.witness is None or set(evidence.closed_sets) != members:
            return None
        rest = frozenset(range(len(self.graph.features))) - members
        closed: list[Sufficient] = [self._closed(rest | {j}, evidence.closed_sets[j]) for j in sorted(members)]
        refs = f'"changes":0,"needed":{members_json(range(len(closed)))}'
        return closed, [self._changes(instance, evidence.witness)], refs

    def _redundant(self, instance: Point, claim: Claim, evidence: Evidence) -> _Evidence | None:
        """Return a closed set that needs fewer members of an AXp, or a point that changes fewer of a CXp."""
        assert claim.members is not None
        needless = min(evidence.needless, default=None)
        if needless is None:
            return None
        if claim.kind is ClaimKind.AXP:
            return self._one_set(instance, claim.members - {needless}, evidence.closed_sets.get(needless))
        if evidence.witness is not None:
            point = self._changes(instance, evidence.witness)
            if point.changed != mask_of(claim.members):
                return [], [point], '"changes":0'
        everything = frozenset(range(len(self.graph.features)))
        return self._one_point(instance, everything - (claim.members - {needless}), None)

    def _one_set(self, instance: Point, fixed: Members, nodes: Collection[int] | None) -> _Evidence | None:
        item = self._closed(fixed, nodes) if nodes is not None else self._made(instance, fixed)
        return None if isinstance(item, OtherPoint) else ([item], [], '"sufficient":0')

    def _one_point(self, instance: Point, fixed: Members, witness: Point | None) -> _Evidence | None:
        item = self._changes(instance, witness) if witness is not None else self._made(instance, fixed)
        return ([], [item], '"changes":0') if isinstance(item, OtherPoint) else None

    def _made(self, instance: Point, fixed: Members) -> Sufficient | OtherPoint:
        asked = self._asked(instance)
        return asked.evidence([asked.all_variables & ~mask_of(fixed)])[0]

    def _closed(self, fixed: Members, nodes: Collection[int]) -> ClosedSet:
        digits = bytearray(b"0" * self.graph.node_count)
        for node in nodes:
            digits[-1 - node] = 49
        return ClosedSet(mask_of(fixed), f"{int(digits, 2):x}")

    def _changes(self, instance: Point, point: Point) -> OtherPoint:
        changed = [i for i, (own, value) in enumerate(zip(instance, point, strict=True)) if own != value]
        return OtherPoint(mask_of(changed), f"[{','.join([f'[{i},{value_json(point[i])}]' for i in changed])}]")


def certificate_of_judged(graph: DecisionGraph | Ensemble, instance: Point, judged: Judged) -> str | None:
    """Return a whole certificate of one judged claim, or None as :meth:`ClaimCertifier.line` does."""
    certifier = ClaimCertifier(graph, of_values=judged.claim.kind in OF_VALUES)
    line = certifier.line(instance, judged)
    return None if line is None else certifier.header() + line + end_text(1)
