"""Judged claims and cases as JSON: what reports hold, and what ``xpgcheck replay`` reads back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from xpgcheck.claims.reading import ClaimReader, ClaimRecord, box_document, claim_record, member_names
from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.judging.claim import Claim, Members, Notion
from xpgcheck.judging.judged import Evidence, Judged, Named
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.value_sets import ValueSet, value_text
from xpgcheck.model.values import Point
from xpgcheck.oracles.conditions import conditions_at, conditions_of
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_constraints import parse_constraint
from xpgcheck.readers.json_ensemble import parse_classifier
from xpgcheck.reports.documents import case_text
from xpgcheck.reports.schemas import JsonText, Record
from xpgcheck.version import __version__
from xpgcheck.writers.json_constraints import constraint_json
from xpgcheck.writers.json_model import classifier_json

FORMAT = "judged-case"
VERSION = 1


MemberRecords = list[str | dict[str, Any]]
Nodes = list[str | int]
InstanceRecord = dict[str, str]
LineNumber = Annotated[int, Meta(ge=1, description="The line of the claims file.")]


class XpRecord(Record):
    """An XP that evidence names."""

    kind: Literal["AXp", "CXp"]
    members: Annotated[MemberRecords, Meta(description="Features' names, or conditions.")]


ValuesRecord = dict[str, list[str | int]]
"""Sets of values by feature, as literals of models write them."""


class PieceRecord(Record):
    """A piece of values, next to a set or in it, and a point that shows what it does."""

    feature: str
    values: list[str | int] = msgspec.field(name="in")
    point: Annotated[InstanceRecord, Meta(description="A point of another class with a value there.")]


class EvidenceRecord(Record, kw_only=True):
    """The proof that a verdict is right, with features, conditions and nodes by name; what says nothing is left out."""

    text: str
    witness: Annotated[InstanceRecord | UnsetType, Meta(description="A point of another class.")] = UNSET
    needed: Annotated[
        dict[str, InstanceRecord] | UnsetType,
        Meta(
            description="For members that are needed: "
            "a point of another class that agrees with the instance on the other members."
        ),
    ] = UNSET
    needless: Annotated[MemberRecords | UnsetType, Meta(description="Members that can be left out, one at a time.")] = (
        UNSET
    )
    closed_set: Annotated[Nodes | UnsetType, Meta(description="Nodes that prove that only one class is left.")] = UNSET
    closed_sets: Annotated[
        dict[str, Nodes] | UnsetType,
        Meta(description="For each needless member: nodes that prove the same without it."),
    ] = UNSET
    correct: Annotated[XpRecord | UnsetType, Meta(description="An XP of the claimed kind at the same instance.")] = (
        UNSET
    )
    missing: Annotated[XpRecord | UnsetType, Meta(description="An XP that a claimed family lacks.")] = UNSET
    clash: Annotated[list[MemberRecords] | UnsetType, Meta(description="Sets that cannot both be in a family.")] = UNSET
    joining: Annotated[ValuesRecord | UnsetType, Meta(description="For sets of values: what should be in them.")] = (
        UNSET
    )
    idle: Annotated[ValuesRecord | UnsetType, Meta(description="For an inflated CXp: values that no change has.")] = (
        UNSET
    )
    pieces: Annotated[
        list[PieceRecord] | UnsetType,
        Meta(
            description="For sets of values: pieces next to them that cannot join; for an inflated CXp, those in them."
        ),
    ] = UNSET
    reason: Annotated[str | UnsetType, Meta(description="What stayed open.")] = UNSET
    confirmed_by: Annotated[list[str] | UnsetType, Meta(description="The oracles that are believed.")] = UNSET


class JudgedRecord(Record, kw_only=True):
    """A judged claim."""

    claim: ClaimRecord
    verdict: Verdict
    outcome: Outcome
    evidence: EvidenceRecord
    projected: Annotated[
        JudgedRecord | UnsetType, Meta(description="The same claim taken over features: a separate question.")
    ] = UNSET


class JudgedLineRecord(Record, kw_only=True):
    """A claim of the file, judged."""

    line: LineNumber
    id: Annotated[str | int | UnsetType, Meta(description="The id of the claim.")] = UNSET
    subject: Annotated[str | UnsetType, Meta(description="The subject of the claim.")] = UNSET
    model: Annotated[str, Meta(description="The name that the model has.")]
    claim: ClaimRecord
    verdict: Verdict
    outcome: Outcome
    evidence: EvidenceRecord
    projected: Annotated[
        JudgedRecord | UnsetType, Meta(description="The same claim taken over features: a separate question.")
    ] = UNSET
    given_witness: Annotated[
        str | UnsetType,
        Meta(
            description="What is wrong with the witness that came with a CXp: empty, if nothing; left out, if none came."
        ),
    ] = UNSET


class BadLineRecord(Record):
    """A line that was left out."""

    line: LineNumber
    bad: Annotated[str, Meta(description="Why the line was left out.")]


def judged_document(judged: Judged, graph: Classifier, instance: Point) -> JudgedRecord:
    """Return a judged claim: the claim, its verdict, what that means, and the evidence with features and nodes by name."""
    return JudgedRecord(
        claim=claim_record(judged.claim, graph, instance),
        verdict=judged.verdict,
        outcome=judged.outcome,
        evidence=_evidence(judged.evidence, judged.claim.notion, graph, instance),
        projected=UNSET if judged.projected is None else judged_document(judged.projected, graph, instance),
    )


def _evidence(evidence: Evidence, notion: Notion, graph: Classifier, instance: Point) -> EvidenceRecord:
    if evidence == Evidence(evidence.text, reason=evidence.reason, confirmed_by=evidence.confirmed_by):
        # Nothing of it names members: of a fault, the graph may have no conditions at all.
        names: Sequence[Any] = ()
    else:
        names = member_names(notion, graph, instance)
    keys = [name if isinstance(name, str) else json.dumps(name, ensure_ascii=False) for name in names]

    def point(values: Point) -> InstanceRecord:
        if notion is not Notion.CONDITIONS:
            return instance_document(graph, values)
        truth = conditions_at(conditions_of(graph), instance)
        # Keys are conditions as they hold at the instance; a value says whether that literal holds at the witness too.
        return {key: str(int(value is own)) for key, value, own in zip(keys, values, truth, strict=True)}

    def xp(named: Named | None) -> XpRecord | UnsetType:
        if named is None:
            return UNSET
        return XpRecord(kind=cast("Any", named.kind), members=_listed(names, named.members))

    return EvidenceRecord(
        text=evidence.text,
        witness=UNSET if evidence.witness is None else point(evidence.witness),
        needed={keys[i]: point(values) for i, values in sorted(evidence.needed.items())} or UNSET,
        needless=_listed(names, evidence.needless) or UNSET,
        closed_set=UNSET if evidence.closed_set is None else _nodes(graph, evidence.closed_set),
        closed_sets={keys[i]: _nodes(graph, nodes) for i, nodes in sorted(evidence.closed_sets.items())} or UNSET,
        correct=xp(evidence.correct),
        missing=xp(evidence.missing),
        clash=[_listed(names, members) for members in evidence.clash] or UNSET,
        joining=box_document(graph, evidence.joining) or UNSET,
        idle=box_document(graph, evidence.idle) or UNSET,
        pieces=[_piece(graph, *piece) for piece in evidence.pieces] or UNSET,
        reason=evidence.reason or UNSET,
        confirmed_by=list(evidence.confirmed_by) or UNSET,
    )


def _piece(graph: Classifier, feature: int, values: ValueSet, point: Point) -> PieceRecord:
    own = graph.features[feature]
    return PieceRecord(own.name, write_literal(own.domain, values), instance_document(graph, point))


def _listed(names: Sequence[Any], members: Members) -> list[Any]:
    return [names[i] for i in sorted(members)]


def _nodes(graph: Classifier, nodes: Iterable[int]) -> list[str | int]:
    assert isinstance(graph, DecisionGraph)
    return [graph.node_ids[node] for node in sorted(nodes)]


def _point(names: Sequence[str], point: Point) -> dict[str, str]:
    return dict(zip(names, map(value_text, point), strict=True))


def instance_document(graph: Classifier, instance: Point) -> dict[str, str]:
    """Return an instance as a mapping from features' names to the texts of their values."""
    return _point([feature.name for feature in graph.features], instance)


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A graph or an ensemble, an instance, and what a subject claims of it.

    ``verdicts`` are those that were given when it was saved, ``constraint`` what can occur, where a claim is under one.

    ``origin`` says where the case comes from, ``stderr`` is the end of what the subject wrote there.
    """

    graph: DecisionGraph | Ensemble
    instance: Point
    claims: tuple[Claim, ...]
    subject: str = ""
    origin: str = ""
    stderr: str = ""
    verdicts: tuple[str, ...] = ()
    constraint: Constraint | None = None


class KeptClaimRecord(Record, kw_only=True):
    """A claim, and how it was judged when the case was saved."""

    claim: ClaimRecord
    verdict: str = ""
    outcome: Outcome | UnsetType = UNSET
    evidence: dict[str, Any] | UnsetType = UNSET
    projected: KeptClaimRecord | UnsetType = UNSET


class JudgedCaseRecord(Record, kw_only=True):
    """A judged case as it is on file."""

    format: Annotated[str, Meta(extra_json_schema={"const": FORMAT})]
    version: Annotated[int, Meta(extra_json_schema={"const": VERSION})]
    xpgcheck: Annotated[str, Meta(description="The version that wrote the case.")] = ""
    subject: str = ""
    origin: Annotated[str, Meta(description="Where the case comes from.")] = ""
    instance: Annotated[InstanceRecord, Meta(description="The value of each feature, as models write them.")]
    judged: list[KeptClaimRecord]
    stderr: Annotated[str, Meta(description="The end of what the subject wrote to its standard error.")] = ""
    graph: Annotated[JsonText, Meta(description="A decision-graph or an ensemble document.")]
    constraints: Annotated[
        JsonText | UnsetType, Meta(description="A constraints document, where claims are made under a constraint.")
    ] = UNSET


class _ReadClaim(msgspec.Struct):
    claim: ClaimRecord
    verdict: str = ""


class _ReadCase(msgspec.Struct):
    """The part of a judged case that is read.  Its verdict is not: it is judged again; other versions had other words."""

    format: str
    version: int
    instance: dict[str, Any]
    judged: list[_ReadClaim]
    graph: msgspec.Raw
    subject: str = ""
    origin: str = ""
    stderr: str = ""
    constraints: msgspec.Raw | UnsetType = UNSET


def case_document(
    graph: DecisionGraph | Ensemble,
    instance: Point,
    judged: Sequence[Judged],
    *,
    subject: str,
    origin: str,
    stderr: str = "",
    constraint: Constraint | None = None,
) -> str:
    """Return a judged case as JSON text, which :func:`parse_judged_case` reads back."""
    claims = [msgspec.to_builtins(judged_document(item, graph, instance)) for item in judged]
    document = JudgedCaseRecord(
        format=FORMAT,
        version=VERSION,
        xpgcheck=__version__,
        subject=subject,
        origin=origin,
        instance=instance_document(graph, instance),
        judged=msgspec.convert(claims, list[KeptClaimRecord]),
        stderr=stderr,
        graph=msgspec.Raw(classifier_json(graph)),
        constraints=UNSET if constraint is None else msgspec.Raw(constraint_json(constraint)),
    )
    return case_text(document)


def parse_judged_case(data: bytes) -> JudgedCase:
    """Return the case that *data* holds.  Raises ``FormatError``, or the errors of the graph, its values and claims."""
    try:
        record = msgspec.json.decode(data, type=_ReadCase)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"no judged case: {shown(error)[1:-1]}", mend="save one by 'xpgcheck gate --cases'") from None
    if record.format != FORMAT or record.version != VERSION:
        raise FormatError(
            f"format {shown(record.format)} version {record.version}", mend=f"expected {FORMAT} version {VERSION}"
        )
    graph = parse_classifier(bytes(record.graph))
    instance = read_point(graph.features, record.instance)
    reader = ClaimReader(graph)
    claims = tuple(_claim(reader, item.claim, instance, number) for number, item in enumerate(record.judged, 1))
    verdicts = tuple(item.verdict for item in record.judged)
    raw = record.constraints
    constraint = None if isinstance(raw, UnsetType) else parse_constraint(bytes(raw), graph.features)
    return JudgedCase(graph, instance, claims, record.subject, record.origin, record.stderr, verdicts, constraint)


def _claim(reader: ClaimReader, record: ClaimRecord, instance: Point, number: int) -> Claim:
    try:
        return reader.read(record, instance)
    except XpgcheckError as error:
        raise error.at(f"claim {number}") from None
