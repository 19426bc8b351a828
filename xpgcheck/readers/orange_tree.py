"""Orange's own classification trees (``Orange.classification.TreeLearner``), as fitted objects.

What ``TreeModel`` does, and so does κ: a numerical node goes right where ``x > threshold``, both float64; a discrete node
has a branch a value, or a mapping from values to branches.  Where a branch is empty or the value is unknown, the descent
stops, and the class is that of the node itself: the first of the largest entries of its distribution.

Numerical features have the float64 numbers as their domain, discrete ones their values; the unknown value is the missing
value of the former, and a category of its own called ``missing`` of the latter.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

from xpgcheck.arguments import FLAG, TEXT, takes
from xpgcheck.errors import InputError, shown
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Categorical, Domain, Feature, Float64
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet
from xpgcheck.readers.comparisons import at_most, sides
from xpgcheck.readers.names import check_name, checked_names
from xpgcheck.readers.source_trees import tree_graph

UNKNOWN = "missing"
"""The category that stands for the unknown value of a discrete feature."""


@takes(missing=FLAG, name=TEXT)
def from_orange(model: object, *, missing: bool = False, name: str = "tree") -> DecisionGraph:
    """Return the decision graph of a fitted Orange tree with a discrete class.

    Parameters
    ----------
    model
        An ``Orange.tree.TreeModel``.
    missing
        Whether the unknown value is added to every domain.
    name
        The name of the graph.

    Returns
    -------
    DecisionGraph
        Its κ of a point is what ``model(data)`` says of it.  Node ids count the nodes in preorder; an id such as
        ``3 stops`` is the class of node 3 where a descent ends there.

    Raises
    ------
    InputError
        Any other object, or a regression tree.

    Examples
    --------
    >>> from xpgcheck.errors import InputError
    >>> try:
    ...     from_orange(3)
    ... except InputError as error:
    ...     print(error.place or "refused")
    refused
    """
    check_name("model", name)
    root, domain = _parts(model)
    names = checked_names("feature", [v.name for v in domain.attributes], len(domain.attributes))
    features = [
        Feature(text, _domain(variable, missing)) for text, variable in zip(names, domain.attributes, strict=True)
    ]
    classes = checked_names("class", domain.class_var.values, len(domain.class_var.values))
    return tree_graph(name, features, classes, dict(_nodes(root, features, missing)), 0)


def _parts(model: Any) -> tuple[Any, Any]:
    module = sys.modules.get("Orange.tree")
    kind = getattr(module, "TreeModel", None)
    if kind is None or not isinstance(model, kind):
        problem = f"an object of type {shown(type(model).__name__)} is not an Orange TreeModel"
        raise InputError(problem, mend=_way_out(model))
    if type(model).predict is not kind.predict:
        raise InputError(f"the type {shown(type(model).__name__)} has its own 'predict'", mend="pass a plain TreeModel")
    variable = model.domain.class_var
    if variable is None or not variable.is_discrete:
        raise InputError("the tree is no classifier: it predicts numbers", mend="pass a classification tree")
    return model.root, model.domain


def _way_out(model: object) -> str:
    if hasattr(model, "trees"):
        return "an ensemble is no decision graph; pass one of its trees"
    if hasattr(model, "skl_model"):
        return "pass model.skl_model to from_sklearn"
    if callable(model) and hasattr(model, "fit_storage"):
        return "pass what the learner returns for the data"
    return "pass what TreeLearner() returns for the data"


def _domain(variable: Any, missing: bool) -> Domain:
    if variable.is_continuous:
        return Float64(missing)
    values = tuple(variable.values)
    for value in values:
        check_name("category", value)
    if missing and UNKNOWN in values:
        problem = f"the feature {shown(variable.name)} has a value 'missing' already"
        raise InputError(problem, mend="rename that value, or leave 'missing' out")
    return Categorical((*values, UNKNOWN) if missing else values)


def _nodes(root: Any, features: list[Feature], missing: bool) -> Iterator[tuple[NodeId, Node]]:
    """Walk the tree in preorder, without recursion; ids are given when a node is first seen."""
    stack = [(0, root)]
    count = 1
    while stack:
        key, node = stack.pop()
        if not node.children:
            yield key, Terminal(_class_of(node))
            continue
        branches = _branches(node, features[node.attr_idx].domain, missing)
        edges: list[tuple[NodeId, ValueSet]] = []
        stopped = branches[-1]
        for child, values in zip(node.children, branches, strict=False):
            if child is None:
                stopped = stopped.union(values)
            elif not values.is_empty():
                edges.append((count, values))
                stack.append((count, child))
                count += 1
        if not stopped.is_empty():
            edges.append((f"{key} stops", stopped))
            yield f"{key} stops", Terminal(_class_of(node))
        yield key, NonTerminal(node.attr_idx, tuple(edges))


def _branches(node: Any, domain: Domain, missing: bool) -> list[ValueSet]:
    """Return what goes to each child, and last what goes to none of them."""
    if isinstance(domain, Float64):
        # What is not larger goes left: with a NaN as the threshold, everything.
        threshold = float(node.threshold)
        below = at_most(Grid.FLOAT64, threshold if threshold == threshold else math.inf)
        return [*sides(below), IntervalSet(Grid.FLOAT64, (), missing)]
    assert isinstance(domain, Categorical)
    values = domain.values[:-1] if missing else domain.values
    mapping = getattr(node, "mapping", None)
    branch_of = range(len(values)) if mapping is None else [int(b) for b in mapping]
    branches: list[ValueSet] = [
        FiniteSet(frozenset(v for v, branch in zip(values, branch_of, strict=True) if branch == k))
        for k in range(len(node.children))
    ]
    return [*branches, FiniteSet(frozenset([UNKNOWN] if missing else []))]


def _class_of(node: Any) -> int:
    counts = [float(count) for count in node.value]
    total = sum(counts)
    probabilities = [count / total for count in counts] if total else counts
    return probabilities.index(max(probabilities))
