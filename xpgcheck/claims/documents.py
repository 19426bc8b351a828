"""Judged claims and cases as JSON: what reports hold, and what ``xpgcheck replay`` reads back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from xpgcheck.claims.reading import ClaimReader, ClaimRecord, claim_record, member_names
from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.judging.claim import Claim, Members, Notion
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.oracles.conditions import conditions_at, conditions_of
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.version import __version__
from xpgcheck.writers.json_model import model_json

FORMAT = "judged-case"
VERSION = 1


def judged_document(judged: Judged, graph: DecisionGraph, instance: Point) -> dict[str, Any]:
    """Return a judged claim: the claim, its verdict, what that means, and the evidence with features and nodes by name."""
    document: dict[str, Any] = {
        "claim": claim_record(judged.claim, graph, instance),
        "verdict": judged.verdict.value,
        "outcome": judged.outcome.value,
        "evidence": _evidence(judged.evidence, judged.claim.notion, graph, instance),
    }
    if judged.projected is not None:
        document["projected"] = judged_document(judged.projected, graph, instance)
    return document


def _evidence(evidence: Evidence, notion: Notion, graph: DecisionGraph, instance: Point) -> dict[str, Any]:
    document: dict[str, Any] = {"text": evidence.text}
    if evidence == Evidence(evidence.text, reason=evidence.reason, confirmed_by=evidence.confirmed_by):
        # Nothing of it names members: of a fault, the graph may have no conditions at all.
        names: Sequence[Any] = ()
    else:
        names = member_names(notion, graph, instance)
    keys = [name if isinstance(name, str) else json.dumps(name, ensure_ascii=False) for name in names]

    def point(values: Point) -> dict[str, str]:
        if notion is not Notion.CONDITIONS:
            return instance_document(graph, values)
        truth = conditions_at(conditions_of(graph), instance)
        # Keys are conditions as they hold at the instance; a value says whether that literal holds at the witness too.
        return {key: str(int(value is own)) for key, value, own in zip(keys, values, truth, strict=True)}

    if evidence.witness is not None:
        document["witness"] = point(evidence.witness)
    if evidence.needed:
        document["needed"] = {keys[i]: point(p) for i, p in sorted(evidence.needed.items())}
    if evidence.needless:
        document["needless"] = _listed(names, evidence.needless)
    if evidence.closed_set is not None:
        document["closed_set"] = _nodes(graph, evidence.closed_set)
    if evidence.closed_sets:
        document["closed_sets"] = {keys[i]: _nodes(graph, nodes) for i, nodes in sorted(evidence.closed_sets.items())}
    for field, named in (("correct", evidence.correct), ("missing", evidence.missing)):
        if named is not None:
            document[field] = {"kind": named.kind, "members": _listed(names, named.members)}
    if evidence.clash:
        document["clash"] = [_listed(names, members) for members in evidence.clash]
    if evidence.reason:
        document["reason"] = evidence.reason
    if evidence.confirmed_by:
        document["confirmed_by"] = list(evidence.confirmed_by)
    return document


def _listed(names: Sequence[Any], members: Members) -> list[Any]:
    return [names[i] for i in sorted(members)]


def _nodes(graph: DecisionGraph, nodes: Iterable[int]) -> list[str | int]:
    return [graph.node_ids[node] for node in sorted(nodes)]


def _point(names: Sequence[str], point: Point) -> dict[str, str]:
    return dict(zip(names, map(value_text, point), strict=True))


def instance_document(graph: DecisionGraph, instance: Point) -> dict[str, str]:
    """Return an instance as a mapping from features' names to the texts of their values."""
    return _point([feature.name for feature in graph.features], instance)


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A graph, an instance, and what a subject claims of it; ``verdicts`` are those that were given when it was saved.

    ``origin`` says where the case comes from, ``stderr`` is the end of what the subject wrote there.
    """

    graph: DecisionGraph
    instance: Point
    claims: tuple[Claim, ...]
    subject: str = ""
    origin: str = ""
    stderr: str = ""
    verdicts: tuple[str, ...] = ()


class _JudgedRecord(msgspec.Struct):
    claim: ClaimRecord
    verdict: str = ""


class _CaseRecord(msgspec.Struct):
    format: str
    version: int
    instance: dict[str, Any]
    judged: list[_JudgedRecord]
    graph: msgspec.Raw
    subject: str = ""
    origin: str = ""
    stderr: str = ""


def case_document(
    graph: DecisionGraph, instance: Point, judged: Sequence[Judged], *, subject: str, origin: str, stderr: str = ""
) -> str:
    """Return a judged case as JSON text, which :func:`parse_judged_case` reads back."""
    head: Mapping[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "xpgcheck": __version__,
        "subject": subject,
        "origin": origin,
        "instance": instance_document(graph, instance),
        "judged": [judged_document(item, graph, instance) for item in judged],
        "stderr": stderr,
    }
    fields = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    text = model_json(graph).rstrip().replace("\n", "\n ")
    return "{\n" + ",\n".join([*fields, f' "graph": {text}']) + "\n}\n"


def parse_judged_case(data: bytes) -> JudgedCase:
    """Return the case that *data* holds.  Raises ``FormatError``, or the errors of the graph, its values and claims."""
    try:
        record = msgspec.json.decode(data, type=_CaseRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"no judged case: {shown(error)[1:-1]}", mend="save one by 'xpgcheck gate --cases'") from None
    if record.format != FORMAT or record.version != VERSION:
        raise FormatError(
            f"format {shown(record.format)} version {record.version}", mend=f"expected {FORMAT} version {VERSION}"
        )
    graph = parse_json(bytes(record.graph))
    instance = read_point(graph.features, record.instance)
    reader = ClaimReader(graph)
    claims = tuple(_claim(reader, item.claim, instance, number) for number, item in enumerate(record.judged, 1))
    verdicts = tuple(item.verdict for item in record.judged)
    return JudgedCase(graph, instance, claims, record.subject, record.origin, record.stderr, verdicts)


def _claim(reader: ClaimReader, record: ClaimRecord, instance: Point, number: int) -> Claim:
    try:
        return reader.read(record, instance)
    except XpgcheckError as error:
        raise error.at(f"claim {number}") from None
