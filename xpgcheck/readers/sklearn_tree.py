"""Fitted scikit-learn decision tree classifiers, with the exact semantics of their ``predict``.

``predict`` casts its input to float32 (binary32, ties to even) and goes left where ``x <= threshold``, the threshold
being a binary64; a missing value (NaN) goes where the node's ``missing_go_to_left`` says; the class is the first of the
largest entries of the leaf's ``value``.  So the domain is the float32 numbers and a threshold is taken at its exact
value.

Learners leave edges that no float32 can take: thresholds on one feature along a path may have no float32 between them,
a threshold may be infinite (a split of the missing values from the others), and a node may send only the missing value
to one side.  The paper's assumption (ii) does not allow such edges: each is left out with what is below it, and its
node is replaced by the only child that can be reached.  That changes no prediction.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NodeId, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, Grid, IntervalSet
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection


def from_sklearn(
    estimator: object,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    missing: bool = False,
    name: str = "tree",
) -> DecisionGraph:
    """Return the decision graph of a fitted ``DecisionTreeClassifier`` (or ``ExtraTreeClassifier``).

    κ of a float32 point is what ``estimator.predict`` says of it; ``missing=True`` adds the missing value (NaN) to
    every domain.  ``feature_names`` default to those the tree was fitted with, else ``feature_0`` …; ``class_names`` to
    ``classes_``. Node ids are scikit-learn's node numbers.

    Raises ``InputError`` on any other object, an unfitted or multi-output tree, names that do not fit, and where
    ``missing`` is asked of a tree whose ``predict`` refuses missing values.  O(n·h) for n nodes and depth h.
    """
    tree = _fitted_tree(estimator)
    features = [Feature(text, Float32(missing)) for text in _feature_names(estimator, tree, feature_names)]
    classes = _class_names(estimator, class_names)
    check_name("model", name)
    if missing:
        _refuse_unless_missing_allowed(estimator, len(features))
    with no_cycle_collection():
        source = _Source.of(tree, missing)
        graph = decision_graph(name, features, classes, _reachable_nodes(source, len(features)))
        check_assumptions(graph)
    return graph


@dataclass(frozen=True, slots=True)
class _Source:
    """The arrays of ``tree_`` as Python values; ``cuts[node]`` is the gap on the float32 line at its threshold."""

    left: list[int]
    right: list[int]
    feature: list[int]
    cuts: list[Cut]
    missing_left: list[bool]
    class_of: list[int]
    missing: bool

    @classmethod
    def of(cls, tree: Any, missing: bool) -> _Source:
        left: list[int] = tree.children_left.tolist()
        cut_at: dict[float, Cut] = {}
        cuts = [
            BOTTOM if child < 0 else cut_at.get(threshold) or cut_at.setdefault(threshold, _cut(threshold))
            for child, threshold in zip(left, tree.threshold.tolist(), strict=True)
        ]
        missing_left = tree.missing_go_to_left.astype(bool).tolist() if missing else [False] * len(left)
        # argmax returns the first of equal maxima, as predict does on these same numbers.
        class_of: list[int] = tree.value[:, 0, :].argmax(axis=1).tolist()
        return cls(left, tree.children_right.tolist(), tree.feature.tolist(), cuts, missing_left, class_of, missing)


def _cut(threshold: float) -> Cut:
    if threshold in (float("inf"), float("-inf")):
        return TOP if threshold > 0 else BOTTOM
    return Grid.FLOAT32.cut(Fraction(threshold), 1)


@dataclass(frozen=True, slots=True)
class _Left:
    """What a path leaves of a feature: the float32 numbers between two cuts, and perhaps the missing value."""

    low: Cut
    high: Cut
    missing: bool

    def split(self, cut: Cut, missing_left: bool) -> tuple[_Left | None, _Left | None]:
        """Return what goes left and right at *cut*; None where nothing does."""
        below = _Left(self.low, min(self.high, cut), self.missing and missing_left)
        above = _Left(max(self.low, cut), self.high, self.missing and not missing_left)
        return below if below._holds() else None, above if above._holds() else None

    def _holds(self) -> bool:
        return self.missing or self.low < self.high


@dataclass(slots=True)
class _Visit:
    """A node on the current path; ``kept`` collects the nodes that stand for its children, in order left, right."""

    node: int
    pending: list[tuple[int, _Left]]
    before: _Left | None = None
    kept: list[int] = field(default_factory=list)


def _reachable_nodes(source: _Source, feature_count: int) -> dict[NodeId, Node]:
    """Return the nodes that some float32 point visits, those with one child left replaced by it.  No recursion."""
    nodes: dict[NodeId, Node] = {}
    open_values = [_Left(BOTTOM, TOP, source.missing) for _ in range(feature_count)]
    path = [_visit(source, 0, open_values)]
    while True:
        visit = path[-1]
        if visit.pending:
            child, values = visit.pending.pop()
            # The values of the feature of this node, for what is below this child.
            open_values[source.feature[visit.node]] = values
            path.append(_visit(source, child, open_values))
            continue
        if visit.before is not None:
            open_values[source.feature[visit.node]] = visit.before
        path.pop()
        stands_for = _keep(source, visit, nodes)
        if not path:
            return nodes
        path[-1].kept.append(stands_for)


def _visit(source: _Source, node: int, open_values: list[_Left]) -> _Visit:
    if source.left[node] < 0:
        return _Visit(node, [])
    before = open_values[source.feature[node]]
    below, above = before.split(source.cuts[node], source.missing_left[node])
    # Taken from the end: the left child first.
    pairs = ((source.right[node], above), (source.left[node], below))
    return _Visit(node, [(child, values) for child, values in pairs if values is not None], before)


def _keep(source: _Source, visit: _Visit, nodes: dict[NodeId, Node]) -> int:
    """Add the node of *visit* unless it has but one child; return the node that stands for it."""
    node = visit.node
    if source.left[node] < 0:
        nodes[node] = Terminal(source.class_of[node])
    elif len(visit.kept) == 1:
        return visit.kept[0]
    else:
        left, right = visit.kept
        cut, missing_left = source.cuts[node], source.missing_left[node]
        below = IntervalSet(Grid.FLOAT32, (BOTTOM, cut) if cut > BOTTOM else (), source.missing and missing_left)
        above = IntervalSet(Grid.FLOAT32, (cut, TOP) if cut < TOP else (), source.missing and not missing_left)
        nodes[node] = NonTerminal(source.feature[node], ((left, below), (right, above)))
    return node


def _fitted_tree(estimator: object) -> Any:
    """Return ``estimator.tree_`` after refusing whatever is not a fitted single-output tree classifier."""
    # An object of scikit-learn's exists only where its module is already imported: no import is needed to tell.
    module = sys.modules.get("sklearn.tree")
    kind = type(estimator).__name__
    classifier = getattr(module, "DecisionTreeClassifier", None)
    if classifier is None or not isinstance(estimator, classifier):
        problem = f"an object of type {shown(kind)} is not a scikit-learn DecisionTreeClassifier"
        raise InputError(problem, mend=_way_out(estimator))
    if type(estimator).predict is not classifier.predict:
        problem = f"the type {shown(kind)} has its own 'predict'"
        raise InputError(problem, mend="pass a plain DecisionTreeClassifier")
    tree = getattr(estimator, "tree_", None)
    if tree is None:
        raise InputError(f"this {kind} is not fitted", mend="call its 'fit' first")
    outputs = getattr(estimator, "n_outputs_", 1)
    if outputs != 1:
        raise InputError(f"this {kind} has {outputs} outputs", mend="fit one tree an output")
    return tree


def _way_out(estimator: object) -> str:
    if isinstance(estimator, type):
        return "pass a fitted object, not the class"
    if hasattr(estimator, "best_estimator_"):
        return "pass its best_estimator_"
    if hasattr(estimator, "steps"):
        return "pass its last step, and instances as that step gets them"
    if hasattr(estimator, "estimators_"):
        return "an ensemble is no decision graph; pass one tree of its estimators_"
    if isinstance(estimator, (str, bytes)):
        return "pass the fitted object, or name a model file to read_model"
    return "pass a fitted DecisionTreeClassifier"


def _feature_names(estimator: object, tree: Any, given: Sequence[str] | None) -> list[str]:
    count = int(tree.n_features)
    if given is None:
        fitted = getattr(estimator, "feature_names_in_", None)
        given = [f"feature_{i}" for i in range(count)] if fitted is None else fitted
    return _names("feature", given, count)


def _class_names(estimator: object, given: Sequence[str] | None) -> list[str]:
    classes = estimator.classes_.tolist()  # type: ignore[attr-defined]
    return _names("class", classes if given is None else given, len(classes))


_PLURAL = {"feature": "features", "class": "classes"}


def _names(what: str, given: Sequence[object], count: int) -> list[str]:
    if isinstance(given, str) or len(given) != count:
        found = "one text" if isinstance(given, str) else f"{len(given)} name(s)"
        problem = f"{found} for {count} {_PLURAL[what]}"
        raise InputError(problem, mend=f"pass {what}_names, a list with one name a {what}")
    names = [str(text) for text in given]
    for text in names:
        check_name(what, text)
    if len(set(names)) != len(names):
        twice = next(text for position, text in enumerate(names) if text in names[:position])
        raise InputError(f"two {what} names are {shown(twice)}", mend=f"pass {what}_names that all differ")
    return names


def _refuse_unless_missing_allowed(estimator: Any, count: int) -> None:
    """Ask ``predict`` itself: whether it takes missing values depends on version, splitter and criterion."""
    import warnings

    try:
        with warnings.catch_warnings():
            # Names that the tree was fitted with are not given here, which is warned of.
            warnings.simplefilter("ignore")
            estimator.predict([[float("nan")] * count])
    except ValueError:
        problem = f"this {type(estimator).__name__} does not predict for missing values"
        raise InputError(problem, mend="leave 'missing' out") from None
