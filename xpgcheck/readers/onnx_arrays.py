"""The tree of an ONNX operator as nodes, and how the attributes of a ``TreeEnsemble`` (ai.onnx.ml 5) give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xpgcheck.errors import InputError, shown
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.onnx_graph import TreeOperator

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")

MEMBER = 6

SUM = 1


@dataclass(frozen=True, slots=True)
class Test:
    """The test of a node: its threshold, and the ends of its true and its false branch."""

    mode: str
    feature: int
    threshold: float
    missing_true: bool
    ends: tuple[NodeId, NodeId]

    @property
    def key(self) -> tuple[str, float, bool]:
        """What decides the literals."""
        return self.mode, self.threshold, self.missing_true


@dataclass(frozen=True, slots=True)
class Tree:
    """The tests and the classes of the leaves, by node."""

    tests: Mapping[NodeId, Test]
    leaves: Mapping[NodeId, int]
    root: NodeId

    @property
    def features(self) -> list[int]:
        """The features that are tested."""
        return [test.feature for test in self.tests.values()]

    def shows_missing(self) -> bool:
        """Tell whether a node sends missing values somewhere, or nothing else: the threshold is then infinite."""
        return any(test.missing_true or test.threshold - test.threshold != 0 for test in self.tests.values())


def tree_5(operator: TreeOperator) -> Tree:
    """Return the tree of a ``TreeEnsemble``; ids of nodes are positions, those of leaves ``leaf k``."""
    roots = operator.integers("tree_roots")
    if len(roots) != 1:
        problem = f"there are {len(roots)} trees, and an ensemble is no decision graph"
        raise InputError(problem, place=operator.place, mend="export a model of one tree")
    for option, only in (("post_transform", 0), ("aggregate_function", SUM)):
        attribute = operator.attributes.get(option)
        if attribute is not None and attribute.i != only:
            problem = f"{option} {attribute.i} is not read"
            raise InputError(problem, place=operator.place, mend=f"export the tree with {option} {only}")
    modes = operator.bytes_of("nodes_modes")
    count = len(modes)
    splits = operator.tensor("nodes_splits")
    features = operator.integers("nodes_featureids")
    missing = operator.integers("nodes_missing_value_tracks_true") or [0] * count
    branches = [
        (operator.integers("nodes_truenodeids"), operator.integers("nodes_trueleafs")),
        (operator.integers("nodes_falsenodeids"), operator.integers("nodes_falseleafs")),
    ]
    lengths = {
        count,
        len(splits),
        len(features),
        len(missing),
        *(len(column) for branch in branches for column in branch),
    }
    if not count or len(lengths) != 1 or any(mode > MEMBER for mode in modes):
        raise damaged("the attributes of the nodes do not fit each other", operator.place)
    if MEMBER in modes:
        problem = "BRANCH_MEMBER is not read: onnxruntime and the specification differ on sets of members"
        raise InputError(problem, place=operator.place, mend="export the sets as nodes of BRANCH_EQ")
    (true_ids, true_leaves), (false_ids, false_leaves) = branches
    tests: dict[NodeId, Test] = {}
    for key, mode in enumerate(modes):
        ends = (_end(true_ids[key], true_leaves[key]), _end(false_ids[key], false_leaves[key]))
        tests[key] = Test(MODES[mode], features[key], splits[key], missing[key] == 1, ends)
    class_of: dict[NodeId, int] = {_end(k, 1): index for k, index in enumerate(_leaf_classes(operator))}
    root = tests.get(roots[0])
    if root is not None and root.ends[0] == root.ends[1]:
        # That is how a tree of one leaf is written.
        return Tree({}, class_of, root.ends[0])
    return Tree(tests, class_of, roots[0])


def _end(number: int, leaf: int) -> NodeId:
    return f"leaf {number}" if leaf else number


def _leaf_classes(operator: TreeOperator) -> list[int]:
    """Return the class of each leaf: the first of the largest scores, those of the other targets being 0."""
    targets, weights = operator.integers("leaf_targetids"), operator.tensor("leaf_weights")
    count = len(operator.labels)
    if len(targets) != len(weights) or any(not 0 <= target < count for target in targets):
        raise damaged("the attributes of the leaves do not fit each other", operator.place)
    if any(weight != weight for weight in weights):
        raise damaged(f"a weight is {shown('NaN')}", operator.place)
    classes = []
    for target, weight in zip(targets, weights, strict=True):
        others = 1 if target == 0 and count > 1 else 0
        classes.append(target if weight > 0 or count == 1 else min(target, others) if weight == 0 else others)
    return classes
