"""From a claim's record (JSON) to a :class:`Claim` of a graph at an instance, and back.

Features are named, or given by their index; a condition is a literal that holds at the instance and is a test of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, FaultKind, Members, Notion
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.literals import read_literal, write_literal
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.readers.names import NameLookup

KINDS = {kind.value: kind for kind in ClaimKind}
NOTIONS = {notion.value: notion for notion in Notion}
FAULTS = {fault.value: fault for fault in FaultKind}

_FIELDS = {
    ClaimKind.AXP: {"features", "conditions", "seed"},
    ClaimKind.CXP: {"features", "conditions", "seed"},
    ClaimKind.FAMILY: {"axps", "cxps"},
    ClaimKind.PREDICTION: {"class_name"},
    ClaimKind.MEMBERSHIP: {"feature", "member"},
    **{kind: {"values"} for kind in OF_VALUES},
}
_ALL_FIELDS = tuple(sorted({field for fields in _FIELDS.values() for field in fields}))


class LiteralRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A two-way test of the model, or the opposite of one, written as it holds at the instance."""

    feature: str
    values: Annotated[list[Any], Meta(description="Values and intervals, as literals of decision-graph files.")] = (
        msgspec.field(name="in")
    )


Member = str | int | dict[str, Any]
"""A feature's name or index, or a condition."""


class ClaimRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A claim, as claims files have it."""

    claim: Annotated[str, Meta(description="What is claimed.", extra_json_schema={"enum": list(KINDS)})]
    notion: Annotated[str, Meta(description="The notion of the sets.", extra_json_schema={"enum": list(NOTIONS)})] = (
        Notion.FEATURES.value
    )
    under: Annotated[
        str | UnsetType,
        Meta(description="For a claim of the notion constraints: the digest of its constraint ('sha256:…')."),
    ] = UNSET
    features: Annotated[
        list[str | int] | UnsetType | None,
        Meta(description="For an AXp or CXp over features: its members; null claims that there is none."),
    ] = UNSET
    conditions: Annotated[
        list[LiteralRecord] | UnsetType | None,
        Meta(description="For an AXp or CXp over conditions: its members; null claims that there is none."),
    ] = UNSET
    seed: Annotated[list[Member] | None, Meta(description="For an AXp or CXp: the set that it is to lie inside.")] = (
        None
    )
    axps: Annotated[
        list[list[Member]] | None, Meta(description="For a family: all AXps. A side that is left out is not claimed.")
    ] = None
    cxps: Annotated[list[list[Member]] | None, Meta(description="For a family: all CXps.")] = None
    class_name: Annotated[
        str | int | UnsetType, Meta(description="For a prediction: the class, by name or by index from 0.")
    ] = msgspec.field(name="class", default=UNSET)
    feature: Annotated[Member | UnsetType, Meta(description="For a membership: what is in some AXp, or in none.")] = (
        UNSET
    )
    member: Annotated[bool | UnsetType, Meta(description="For a membership: whether it is in some AXp.")] = UNSET
    values: Annotated[
        dict[str, list[Any]] | UnsetType,
        Meta(description="For sets of values: of each member by name, values and intervals, as literals of models."),
    ] = UNSET
    failed: Annotated[
        str | None,
        Meta(
            description="The explainer gave no answer; this came instead.",
            extra_json_schema={"enum": [*FAULTS, None]},
        ),
    ] = None
    message: Annotated[str | UnsetType, Meta(description="For a failure: what it said.")] = UNSET


class ClaimReader:
    """Reads the claims of one classifier."""

    def __init__(self, graph: Classifier) -> None:
        self.graph = graph
        self._index = NameLookup([feature.name for feature in graph.features])
        self._classes = {name: i for i, name in enumerate(graph.classes)}
        self._conditions: Any = None

    def read(self, record: ClaimRecord, instance: Point) -> Claim:
        """Return the claim of *record*.  Raises ``InputError`` that says what of it does not exist."""
        kind = _known(KINDS, record.claim, "claim")
        notion = _known(NOTIONS, record.notion, "notion")
        claim = self._read(kind, notion, record, instance)
        if record.under is UNSET:
            return claim
        if notion is not Notion.CONSTRAINTS:
            problem = f"'under' in a claim of the notion {notion.value}"
            raise FormatError(problem, mend='add "notion": "constraints", or leave it out')
        return replace(claim, under=record.under)

    def _read(self, kind: ClaimKind, notion: Notion, record: ClaimRecord, instance: Point) -> Claim:
        if record.failed is not None:
            fault = _known(FAULTS, record.failed, "way to fail")
            return Claim(kind, notion, fault=fault, message=record.message or "")
        if record.message:
            raise FormatError("a message without a failure", mend="add 'failed', or leave 'message' out")
        for field in _ALL_FIELDS:
            if field not in _FIELDS[kind] and getattr(record, field) not in (None, UNSET):
                name = field.removesuffix("_name")
                raise FormatError(f"'{name}' in a claim of kind {kind.value}", mend="leave it out, or correct the kind")
        if kind in OF_VALUES:
            return Claim(kind, notion, box=self._box(kind, notion, record))
        if kind is ClaimKind.PREDICTION:
            return Claim(kind, notion, class_index=self.class_index(record.class_name))
        if kind is ClaimKind.MEMBERSHIP:
            if record.feature is UNSET or record.member is UNSET:
                raise FormatError("a membership without 'feature' and 'member'", mend="give both")
            (member,) = self._members([record.feature], notion, instance)
            return Claim(kind, notion, feature=member, member=record.member)
        if kind is ClaimKind.FAMILY:
            if record.axps is None and record.cxps is None:
                raise FormatError("a family without 'axps' and 'cxps'", mend="list the AXps, the CXps or both")
            sides = [
                None if side is None else tuple(self._members(m, notion, instance) for m in side)
                for side in (record.axps, record.cxps)
            ]
            return Claim(kind, notion, axps=sides[0], cxps=sides[1])
        return self._xp(kind, notion, record, instance)

    def _xp(self, kind: ClaimKind, notion: Notion, record: ClaimRecord, instance: Point) -> Claim:
        over_features = notion.of_features
        field = "features" if over_features else "conditions"
        other = "conditions" if over_features else "features"
        if getattr(record, other) is not UNSET:
            raise FormatError(f"'{other}' in a claim over {field}", mend=f"list its '{field}', or change its notion")
        listed = getattr(record, field)
        if listed is UNSET:
            raise FormatError(f"an {kind.value} without '{field}'", mend=f"list its '{field}'; null: there is none")
        if listed is None and record.seed is not None:
            raise FormatError(f"that there is no {kind.value}, with a seed", mend="leave the seed out")
        seed = None if record.seed is None else self._members(record.seed, notion, instance)
        if listed is None:
            return Claim(kind, notion, None, seed)
        return Claim(kind, notion, self._members(listed, notion, instance), seed)

    def _box(self, kind: ClaimKind, notion: Notion, record: ClaimRecord) -> tuple[tuple[int, ValueSet], ...]:
        if not notion.of_features:
            raise FormatError(f"an {kind.value} over conditions", mend="claim sets of values over features")
        if record.values is UNSET:
            raise FormatError(f"an {kind.value} without 'values'", mend="give of each of its features a list of values")
        found: dict[int, ValueSet] = {}
        for name, items in record.values.items():
            feature = self._feature(name)
            if feature in found:
                raise FormatError(f"the values name {shown(name)} twice", mend="name each feature once")
            try:
                found[feature] = read_literal(self.graph.features[feature].domain, items)
            except XpgcheckError as error:
                raise error.at(f"values of {shown(name)}") from None
        return tuple(sorted(found.items(), key=lambda pair: pair[0]))

    def _members(self, listed: Sequence[Any], notion: Notion, instance: Point) -> Members:
        read = self._feature if notion.of_features else lambda member: self._condition(member, instance)
        members = [read(member) for member in listed]
        found = frozenset(members)
        if len(found) < len(members):
            twice = next(m for m, i in zip(listed, members, strict=True) if members.count(i) > 1)
            raise FormatError(f"a set names {_said(twice)} twice", mend="name each member once")
        return found

    def _feature(self, member: object) -> int:
        if isinstance(member, str):
            known = self._index.position(member)
            if known is not None:
                return known
        elif isinstance(member, int) and not isinstance(member, bool):
            if 0 <= member < len(self.graph.features):
                return member
        else:
            raise FormatError(f"{_said(member)} is no feature", mend="name a feature, or give its index from 0")
        mend = f"name a feature of the model {shown(self.graph.name)}, or give its index from 0"
        raise InputError(f"there is no feature {_said(member)}", mend=mend)

    def class_index(self, name: str | int | UnsetType) -> int:
        """Return the index of the class that *name* names; of an index, whatever it is.  Raises ``InputError``."""
        if isinstance(name, str) and name in self._classes:
            return self._classes[name]
        if isinstance(name, int) and not isinstance(name, bool):
            # One that does not exist is a wrong prediction, not wrong input.
            return name
        if name is UNSET:
            raise FormatError("a prediction without 'class'", mend="give the class's name, or its index from 0")
        mend = f"name a class of the model {shown(self.graph.name)}, or give its index from 0"
        raise InputError(f"there is no class {_said(name)}", mend=mend)

    def _condition(self, member: object, instance: Point) -> int:
        from xpgcheck.oracles.conditions import conditions_of

        record = member if isinstance(member, LiteralRecord) else _literal(member)
        feature = self._feature(record.feature)
        domain = self.graph.features[feature].domain
        try:
            values = read_literal(domain, record.values)
        except XpgcheckError as error:
            raise error.at(f"condition on {shown(record.feature)}") from None
        if self._conditions is None:
            self._conditions = conditions_of(self.graph)
        whole = domain.all_values()
        inside = whole.intersection(values)
        for index, condition in enumerate(self._conditions):
            if condition.feature == feature:
                own = whole.intersection(condition.values)
                if inside in (own, whole.difference(condition.values)):
                    if instance[feature] not in inside:
                        problem = f"{shown(record.feature)} in {shown(record.values)} does not hold at the instance"
                        raise InputError(problem, mend="write the condition as it holds there")
                    return index
        problem = f"{shown(record.feature)} in {shown(record.values)} is not a condition of the model"
        raise InputError(problem, mend="name a two-way test of the model, or the opposite of one")


def claim_record(claim: Claim, graph: Classifier, instance: Point) -> ClaimRecord:
    """Return *claim* as a record that :class:`ClaimReader` reads back."""
    record = ClaimRecord(claim.kind.value, claim.notion.value, claim.under or UNSET)
    if claim.fault is not None:
        record.failed, record.message = claim.fault.value, claim.message
        return record
    if claim.kind in OF_VALUES:
        record.values = box_document(graph, dict(claim.box or ()))
        return record
    names = member_names(claim.notion, graph, instance)
    if claim.kind is ClaimKind.PREDICTION:
        known = 0 <= claim.class_index < len(graph.classes)
        record.class_name = graph.classes[claim.class_index] if known else claim.class_index
    elif claim.kind is ClaimKind.MEMBERSHIP:
        record.feature, record.member = names[claim.feature], claim.member
    elif claim.kind is ClaimKind.FAMILY:
        record.axps = None if claim.axps is None else [_listed(names, members) for members in claim.axps]
        record.cxps = None if claim.cxps is None else [_listed(names, members) for members in claim.cxps]
    else:
        members = None if claim.members is None else _listed(names, claim.members)
        if claim.notion.of_features:
            record.features = members
        else:
            record.conditions = None if members is None else [_literal(member) for member in members]
        record.seed = None if claim.seed is None else _listed(names, claim.seed)
    return record


def box_document(graph: Classifier, box: Mapping[int, ValueSet]) -> dict[str, list[Any]]:
    """Return sets of values by the names of their features, each as literals of models write it."""
    pairs = sorted(box.items(), key=lambda pair: pair[0])
    return {graph.features[i].name: write_literal(graph.features[i].domain, values) for i, values in pairs}


def member_names(notion: Notion, graph: Classifier, instance: Point) -> Sequence[Any]:
    """Return what the members of a claim are written as, by index: features' names, or conditions as they hold."""
    if notion.of_features:
        return [feature.name for feature in graph.features]
    from xpgcheck.oracles.conditions import conditions_of

    names = []
    for condition in conditions_of(graph):
        feature = graph.features[condition.feature]
        whole = feature.domain.all_values()
        true = instance[condition.feature] in condition.values
        values = whole.intersection(condition.values) if true else whole.difference(condition.values)
        names.append({"feature": feature.name, "in": write_literal(feature.domain, values)})
    return names


def _listed(names: Sequence[Any], members: Iterable[int]) -> list[Any]:
    return [names[i] for i in sorted(members)]


def _literal(member: object) -> LiteralRecord:
    try:
        return msgspec.convert(member, LiteralRecord)
    except msgspec.ValidationError:
        mend = 'write a condition as {"feature": NAME, "in": [VALUES]}'
        raise FormatError(f"{_said(member)} is no condition", mend=mend) from None


def _known(table: dict[str, Any], name: str, what: str) -> Any:
    if name not in table:
        raise FormatError(f"no {what} is called {shown(name)}", mend=f"use one of {', '.join(table)}")
    return table[name]


def _said(raw: object) -> str:
    return shown(raw) if isinstance(raw, str) else str(raw)[:80]
