"""The trees of an ONNX operator as nodes, and how its attributes give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xpgcheck.errors import InputError, shown
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.onnx_graph import TreeOperator
from xpgcheck.readers.summed_trees import refuse_count

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")

MEMBER = 6

AVERAGE, SUM = 0, 1

LEAF = "LEAF"


@dataclass(frozen=True, slots=True)
class OnnxTest:
    """The test of a node: its threshold, and the ends of its true and its false branch."""

    mode: str
    feature: int
    threshold: float
    missing_true: bool
    ends: tuple[NodeId, NodeId]

    @property
    def key(self) -> tuple[str, float, bool]:
        """The fields that decide the literals."""
        return self.mode, self.threshold, self.missing_true


Votes = Mapping[int, float]
"""The numbers that a leaf adds to the scores of the classes (or targets) that it has a weight for."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The tests and what the leaves add, by node."""

    tests: Mapping[NodeId, OnnxTest]
    votes: Mapping[NodeId, Votes]
    root: NodeId


def shows_missing(trees: Sequence[Tree]) -> bool:
    """Tell whether a node sends missing values somewhere, or nothing else: the threshold is then infinite."""
    return any(
        test.missing_true or test.threshold - test.threshold != 0 for tree in trees for test in tree.tests.values()
    )


def classifier_trees(operator: TreeOperator) -> list[Tree]:
    """Return the trees of a ``TreeEnsembleClassifier``: its ``nodes_…`` attributes, of one length, the root first."""
    ids, of_tree = operator.integers("nodes_nodeids"), operator.integers("nodes_treeids")
    columns = (
        of_tree,
        ids,
        operator.texts("nodes_modes"),
        operator.integers("nodes_featureids"),
        operator.numbers("nodes_values"),
        operator.integers("nodes_truenodeids"),
        operator.integers("nodes_falsenodeids"),
        operator.integers("nodes_missing_value_tracks_true") or [0] * len(ids),
    )
    if len({len(column) for column in columns}) != 1 or len(set(zip(of_tree, ids, strict=True))) != len(ids):
        raise damaged("the attributes of the nodes do not fit each other", operator.place)
    refuse_count(len(set(of_tree)), operator.place, "export at least one tree")
    votes = _votes(operator)
    found: dict[int, tuple[dict[NodeId, OnnxTest], dict[NodeId, Votes], int]] = {}
    for tree, key, mode, feature, value, true, false, missing_true in zip(*columns, strict=True):
        if tree not in found:
            found[tree] = {}, {}, key
        tests, leaves, _ = found[tree]
        if mode != LEAF:
            tests[key] = OnnxTest(mode, feature, value, missing_true == 1, (true, false))
        elif (tree, key) in votes:
            leaves[key] = votes[tree, key]
        else:
            raise damaged("a leaf has no weights", f"{operator.place}: node {key}")
    return [Tree(*parts) for parts in found.values()]


def _votes(operator: TreeOperator) -> dict[tuple[int, int], dict[int, float]]:
    """Return what each leaf adds to each class, by the ids of tree and node."""
    columns = (
        operator.integers("class_treeids"),
        operator.integers("class_nodeids"),
        operator.integers("class_ids"),
        operator.numbers("class_weights"),
    )
    count = len(operator.labels)
    if len({len(column) for column in columns}) != 1:
        raise damaged("the attributes of the weights do not fit each other", operator.place)
    if count < 2 or any(not 0 <= k < count for k in columns[2]):
        raise damaged(f"a weight is of none of the {count} classes, or there is one class only", operator.place)
    votes: dict[tuple[int, int], dict[int, float]] = {}
    for tree, node, k, weight in zip(*columns, strict=True):
        if k in votes.setdefault((tree, node), {}):
            raise damaged(f"class {k} has two weights", f"{operator.place}: node {node}")
        votes[tree, node][k] = weight
    return votes


def trees_5(operator: TreeOperator) -> list[Tree]:
    """Return the trees of a ``TreeEnsemble``; ids of nodes are positions, those of leaves ``leaf k``."""
    roots = operator.integers("tree_roots")
    refuse_count(len(roots), operator.place, "export at least one tree")
    for option, known in (("post_transform", (0,)), ("aggregate_function", (AVERAGE, SUM))):
        attribute = operator.attributes.get(option)
        if attribute is not None and attribute.i not in known:
            problem = f"{option} {attribute.i} is not read"
            raise InputError(problem, place=operator.place, mend=f"export the tree with {option} {known[-1]}")
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
    tests: dict[NodeId, OnnxTest] = {}
    for key, mode in enumerate(modes):
        ends = (_end(true_ids[key], true_leaves[key]), _end(false_ids[key], false_leaves[key]))
        tests[key] = OnnxTest(MODES[mode], features[key], splits[key], missing[key] == 1, ends)
    votes: dict[NodeId, Votes] = {_end(k, 1): of_leaf for k, of_leaf in enumerate(_leaf_votes(operator))}
    trees = []
    for key in roots:
        root = tests.get(key)
        if root is not None and root.ends[0] == root.ends[1]:
            # That is how a tree of one leaf is written.
            trees.append(Tree({}, votes, root.ends[0]))
        else:
            trees.append(Tree(tests, votes, key))
    return trees


def _end(number: int, leaf: int) -> NodeId:
    return f"leaf {number}" if leaf else number


def _leaf_votes(operator: TreeOperator) -> list[Votes]:
    """Return what each leaf adds, to one target."""
    targets, weights = operator.integers("leaf_targetids"), operator.tensor("leaf_weights")
    count = len(operator.labels)
    if len(targets) != len(weights) or any(not 0 <= target < count for target in targets):
        raise damaged("the attributes of the leaves do not fit each other", operator.place)
    if any(weight != weight for weight in weights):
        raise damaged(f"a weight is {shown('NaN')}", operator.place)
    return [{target: weight} for target, weight in zip(targets, weights, strict=True)]
