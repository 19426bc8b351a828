"""Ensembles from the package's own JSON format, ``ensemble`` version 1 (see its published schema)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError, shown
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.combination import Arithmetic, CombinationRule, Majority, Row, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, decision_graph
from xpgcheck.model.domains import Feature, exact_number
from xpgcheck.model.ensemble import MAX_TREES, Ensemble, ensemble
from xpgcheck.readers.json_model import GraphNodes, SharedLiterals, check_classes, features_of, parse_json
from xpgcheck.readers.json_records import (
    AverageRecord,
    MajorityRecord,
    RuleRecord,
    ThresholdRecord,
    TreeRecord,
    decode_ensemble,
    is_ensemble,
)
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.wording import counted


def parse_ensemble(data: bytes) -> Ensemble:
    """Return the ensemble that *data* holds, both assumptions of each of its trees checked.

    Raises as :func:`xpgcheck.readers.json_model.parse_json` does, with the place of the tree, and ``LimitError`` where there
    are too many trees.
    """
    with no_cycle_collection():
        document = decode_ensemble(data)
        check_name("model", document.name, "$.name")
        features = features_of(document.features)
        check_classes(document.classes)
        if len(document.trees) > MAX_TREES:
            problem = f"there are {len(document.trees):,} trees"
            raise LimitError(problem, place="$.trees", mend=f"keep at most {MAX_TREES:,}")
        rule = _rule(document.rule, len(document.classes))
        literals = SharedLiterals(features)
        trees, outputs = [], []
        for number, record in enumerate(document.trees):
            place = f"$.trees[{number}]"
            answers = _answers(record, rule, place)
            labels = document.classes if answers is None else list(answers)
            trees.append(_tree(record, place, features, labels, GraphNodes(features, labels, literals)))
            outputs.append([] if answers is None else list(answers.values()))
        try:
            return ensemble(document.name, features, document.classes, trees, rule, outputs)
        except XpgcheckError as error:
            raise error.at("$.trees") from None


def parse_classifier(data: bytes) -> DecisionGraph | Ensemble:
    """Return the decision graph or the ensemble that *data* holds, as its format says.  Raises what their readers raise."""
    return parse_ensemble(data) if is_ensemble(data) else parse_json(data)


def _rule(record: RuleRecord, classes: int) -> CombinationRule:
    if isinstance(record, MajorityRecord):
        return Majority()
    threshold = None
    if isinstance(record.threshold, ThresholdRecord):
        if classes != 2:
            problem = f"a threshold with {classes} classes"
            raise FormatError(problem, place="$.rule.threshold", mend="give two classes, or one score a class")
        at = _number(record.threshold.at, "$.rule.threshold.at")
        threshold = Threshold(at, record.threshold.inclusive is True)
    scores = classes if threshold is None else 1
    base = (Fraction(0),) * scores
    if not isinstance(record.base, UnsetType):
        base = _row(record.base, scores, "$.rule.base")
    doubt = Fraction(0) if record.doubt is UNSET else _number(record.doubt, "$.rule.doubt")
    if doubt < 0:
        raise FormatError("the doubt is negative", place="$.rule.doubt", mend="write 0 or a distance")
    arithmetic = Arithmetic("exact" if isinstance(record.arithmetic, UnsetType) else record.arithmetic)
    return Sum(base, threshold, arithmetic, isinstance(record, AverageRecord), doubt)


def _answers(record: TreeRecord, rule: CombinationRule, place: str) -> dict[str, Row] | None:
    """Return what each answer of a tree adds to each score; None where the tree votes."""
    given = record.answers
    if isinstance(rule, Majority):
        if not isinstance(given, UnsetType):
            problem, mend = "a tree that votes has answers", "remove them, or write the rule sum or average"
            raise FormatError(problem, place=f"{place}.answers", mend=mend)
        return None
    if isinstance(given, UnsetType):
        raise FormatError("the field 'answers' is missing", place=place, mend="say what each terminal's class adds")
    rows = {}
    for name, numbers in given.items():
        check_name("answer", name, f"{place}.answers")
        rows[name] = _row(numbers, len(rule.base), f"{place}.answers.{shown(name)}")
    return rows


def _row(numbers: list[Any], scores: int, place: str) -> Row:
    if len(numbers) != scores:
        problem = f"{counted(len(numbers), 'number')} for {counted(scores, 'score')}"
        raise FormatError(problem, place=place, mend="write one number a score: one a class, or one with a threshold")
    return tuple([_number(raw, place) for raw in numbers])


def _number(raw: object, place: str) -> Fraction:
    if isinstance(raw, bool) or not isinstance(raw, (str, int)):
        problem = f"{shown(repr(raw))} is not a number"
        raise FormatError(problem, place=place, mend="write a number, or a text such as '1/3'")
    try:
        return exact_number(str(raw))
    except InputError as error:
        raise FormatError(error.problem, place=place, mend=error.mend) from None


def _tree(
    record: TreeRecord, place: str, features: list[Feature], classes: list[str], nodes: GraphNodes
) -> DecisionGraph:
    check_name("tree", record.name, f"{place}.name")
    found = nodes.read(record.nodes, place)
    root = None if isinstance(record.root, UnsetType) else record.root
    try:
        graph = decision_graph(record.name, features, classes, found, root)
        check_assumptions(graph)
    except XpgcheckError as error:
        raise error.at(place) from None
    return graph
