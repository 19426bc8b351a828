"""Forests of trees that vote, in a small JSON format: nested tests ``feature <= at_most``, a class at each leaf.

.. code-block:: json

    {"name": "two", "features": ["a", "b"], "classes": [0, 1], "combine": "majority vote, ties to class 0",
     "trees": [{"feature": 0, "at_most": "0.5", "yes": {"class": 0}, "no": {"class": 1}}, {"class": 1}]}

Thresholds are decimals, texts or numbers, taken exactly as they are written; features are reals.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.errors import FormatError, InputError, LimitError, shown
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Feature, Real, exact_number
from xpgcheck.model.ensemble import MAX_TREES, Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, Interval, IntervalSet, interval_set
from xpgcheck.readers.fields import Fields, damaged, decode_json
from xpgcheck.readers.json_records import NumberText
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.source_trees import tree_graph

AGAIN = "write it again as docs/reference/format.md says"

_KEYS = ("name", "features", "classes", "combine", "trees")
_TEST = ("feature", "at_most", "yes", "no")


def parse_vote_forest(data: bytes, name: str) -> Ensemble:
    """Return the ensemble in *data*, called *name* where it has no name of its own.

    Raises ``FormatError`` or ``LimitError`` that names the place and the fix on anything else, ``ModelError`` for an
    ensemble that cannot be.  Without recursion; O(n·h) for n nodes in trees of depth h.
    """
    fields = _known(decode_json(data, AGAIN, parse_float=NumberText), "$", _KEYS)
    labels = _classes(fields)
    features = [Feature(text, Real()) for text in _feature_names(fields)]
    classes = [str(label) for label in labels]
    _check_names("class", classes, "classes")
    _check_rule(fields, labels)
    trees = fields.items("trees")
    if len(trees) > MAX_TREES:
        raise LimitError(f"there are {len(trees):,} trees", place="$.trees", mend=f"keep at most {MAX_TREES:,}")
    own = fields.optional("name", str) or name
    check_name("model", own, "$.name")
    with no_cycle_collection():
        built = [_tree(raw, number, features, classes, labels) for number, raw in enumerate(trees)]
        try:
            return ensemble(own, features, classes, built, Majority())
        except InputError as error:
            raise error.at("$.trees") from None


def _known(raw: object, place: str, keys: Sequence[str]) -> Fields:
    """Return the object *raw*.  Raises ``FormatError`` where it is none, or has a key besides *keys*."""
    fields = Fields(raw, place)
    if isinstance(raw, dict) and (more := [key for key in raw if key not in keys]):
        mend = f"write {', '.join(keys)} alone"
        raise FormatError(f"the field {shown(more[0])} is unknown", place=place, mend=mend)
    return fields


def _feature_names(fields: Fields) -> list[str]:
    names = fields.items("features")
    for position, text in enumerate(names):
        if not isinstance(text, str):
            raise FormatError(f"{shown(repr(text))} is no name", place=f"$.features[{position}]", mend="write a text")
    _check_names("feature", names, "features")
    return names


def _check_names(what: str, names: Sequence[str], key: str) -> None:
    """Refuse no names, names that cannot be shown, and a name that is there twice."""
    if not names:
        raise FormatError("nothing is listed", place=f"$.{key}", mend=f"declare at least one {what}")
    seen: set[str] = set()
    for position, name in enumerate(names):
        check_name(what, name, f"$.{key}[{position}]")
        if name in seen:
            problem = f"{what} {shown(name)} is declared twice"
            raise FormatError(problem, place=f"$.{key}[{position}]", mend=f"give each {what} its own name")
        seen.add(name)


def _classes(fields: Fields) -> list[str | int]:
    labels = fields.items("classes")
    for position, label in enumerate(labels):
        if isinstance(label, bool) or not isinstance(label, (str, int)) or isinstance(label, NumberText):
            mend = "write texts or integers"
            raise FormatError(f"{shown(repr(label))} is no class", place=f"$.classes[{position}]", mend=mend)
    return labels


def _check_rule(fields: Fields, labels: Sequence[str | int]) -> None:
    """Refuse every rule but the majority, with ties to the first class."""
    rule = fields.text("combine")
    ties = f"majority vote, ties to class {labels[0]}" if labels else ""
    if rule != ties:
        raise FormatError(
            f"{shown(rule)} is no rule that is read", place="$.combine", mend=f"the rule that is read is {shown(ties)}"
        )


def _tree(
    raw: object, number: int, features: list[Feature], classes: list[str], labels: Sequence[str | int]
) -> DecisionGraph:
    """Return the tree *raw*, without the tests that no point can fail.  Nodes are numbered from the root on."""
    index = {(type(label), label): position for position, label in enumerate(labels)}
    nodes: dict[NodeId, Node] = {}
    pending = [(raw, f"$.trees[{number}]")]
    for node, place in pending:
        if isinstance(node, dict) and "class" in node:
            label = _known(node, place, ("class",)).get("class")
            known = index.get((type(label), label)) if isinstance(label, (str, int)) else None
            if known is None:
                problem = f"the class {shown(label)} is not declared"
                raise FormatError(problem, place=f"{place}.class", mend="declare it in 'classes' or correct it")
            nodes[len(nodes)] = Terminal(known)
            continue
        fields = _known(node, place, _TEST)
        feature = fields.get("feature")
        if isinstance(feature, bool) or not isinstance(feature, int) or not 0 <= feature < len(features):
            mend = f"write its index, from 0 to {len(features) - 1}"
            raise FormatError(f"there is no feature {shown(feature)}", place=f"{place}.feature", mend=mend)
        below, above = _sides(_threshold(fields))
        children = len(pending), len(pending) + 1
        pending += [(fields.get("yes"), f"{place}.yes"), (fields.get("no"), f"{place}.no")]
        nodes[len(nodes)] = NonTerminal(feature, ((children[0], below), (children[1], above)))
    try:
        return tree_graph(f"tree {number}", features, classes, nodes, 0)
    except InputError as error:
        raise error.at(f"$.trees[{number}]") from None


def _threshold(fields: Fields) -> Fraction:
    raw: Any = fields.get("at_most")
    place = f"{fields.place}.at_most"
    if isinstance(raw, bool) or not isinstance(raw, (str, int)):
        raise damaged(f"{shown(repr(raw))} is not a number", place)
    try:
        return exact_number(str(raw))
    except InputError as error:
        raise FormatError(error.problem, place=place, mend=error.mend) from None


@functools.lru_cache(maxsize=4096)
def _sides(threshold: Fraction) -> tuple[IntervalSet, IntervalSet]:
    """Return the reals up to *threshold*, and those above it."""
    below = Interval(None, True, threshold, False)
    above = Interval(threshold, True, None, True)
    return interval_set(Grid.DENSE, [below]), interval_set(Grid.DENSE, [above])
