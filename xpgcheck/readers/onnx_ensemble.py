"""ONNX operators of many trees: what the leaves add is summed, in the type that thresholds have.

* Of more than two classes the first largest sum wins, ``base_values`` added; so it is of the targets of a ``TreeEnsemble``
  before ``ArgMax``, whose sums may be averages.
* Of two classes with weights of one of them only, the second one wins where the sum, the one base value added, is over
  1/2, or over 0 where any weight is negative, as onnxruntime has it.

onnxruntime adds the base last, and in blocks of trees where it uses several threads: the bound on rounding covers any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from xpgcheck.errors import InputError
from xpgcheck.model.combination import Arithmetic, Row, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, Node
from xpgcheck.model.domains import Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.onnx_arrays import AVERAGE, Tree
from xpgcheck.readers.onnx_graph import TREE_5, TreeOperator
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.source_trees import tree_graph
from xpgcheck.readers.weighed_trees import Numbers, TreeAnswers, Weights, in_tree

MakeNodes = Callable[[Tree, Mapping[NodeId, int]], dict[NodeId, Node]]
"""From a tree and the answers of its leaves to its nodes."""

_ONE_COLUMN = "export it with the weights of one class only (skl2onnx does)"


def onnx_ensemble(
    operator: TreeOperator,
    trees: Sequence[Tree],
    name: str,
    features: list[Feature],
    classes: list[str],
    nodes_of: MakeNodes,
) -> Ensemble:
    """Return the ensemble of *trees*, of *operator*.

    Raises ``InputError`` or ``FormatError`` with the place of the tree, and where runtimes understand the sums differently.
    O(n·h) for n nodes in trees of depth h.
    """
    with no_cycle_collection():
        own = [_reached(tree) for tree in trees]
        rule = _rule(operator, own)
        scores = len(rule.base)
        numbers = Numbers()
        graphs: list[DecisionGraph] = []
        outputs: list[list[Row]] = []
        try:
            for number, tree in enumerate(own):
                answers = TreeAnswers(numbers)
                with in_tree(number):
                    class_of = {key: answers.number(_weights(votes, scores)) for key, votes in tree.votes.items()}
                    nodes = nodes_of(tree, class_of)
                    graphs.append(tree_graph(f"tree {number}", features, answers.names, nodes, tree.root))
                outputs.append(answers.rows)
            return ensemble(name, features, classes, graphs, rule, outputs)
        except InputError as error:
            raise error.at(operator.place) from None


def _weights(votes: Mapping[int, float], scores: int) -> Weights:
    if scores == 1:
        return tuple(votes.values())
    return tuple([votes.get(k, 0.0) for k in range(scores)])


def _reached(tree: Tree) -> Tree:
    """Return *tree* without the nodes that its root does not reach: those of other trees, mostly."""
    tests, votes = {}, {}
    pending = [tree.root]
    while pending:
        key = pending.pop()
        if key in tests or key in votes:
            # A tree would reach it once; what reads it says so.
            continue
        if key in tree.tests:
            tests[key] = tree.tests[key]
            pending += tree.tests[key].ends
        elif key in tree.votes:
            votes[key] = tree.votes[key]
    return Tree(tests, votes, tree.root)


def _rule(operator: TreeOperator, trees: Sequence[Tree]) -> Sum:
    arithmetic = Arithmetic.BINARY64 if operator.input_type == "double" else Arithmetic.BINARY32
    base = operator.numbers("base_values") if operator.kind != TREE_5 else []
    if any(number - number != 0 for number in base):
        raise damaged("a base value is no finite number", operator.place)
    exact = tuple(map(Fraction, base))
    count = len(operator.labels)
    if operator.kind == TREE_5:
        aggregate = operator.attributes.get("aggregate_function")
        return Sum((Fraction(0),) * count, None, arithmetic, aggregate is not None and aggregate.i == AVERAGE)
    votes = [of_leaf for tree in trees for of_leaf in tree.votes.values()]
    weights = operator.numbers("class_weights")
    if count > 2:
        everywhere = {k for tree in trees if tree.votes for k in set.intersection(*map(set, tree.votes.values()))}
        if base and len(base) != count:
            problem = f"there are {len(base)} base values for {count} classes"
            raise InputError(problem, place=operator.place, mend="export it with one base value for each class")
        if not base and len(everywhere) < count and not all(weight > 0 for weight in weights):
            problem = (
                "leaves have no weights of some classes, which onnxruntime leaves out and the specification does not"
            )
            raise InputError(problem, place=operator.place, mend="export it with weights of all classes, zeros too")
        return Sum(exact or (Fraction(0),) * count, None, arithmetic)
    voted = {k for of_leaf in votes for k in of_leaf}
    if len(voted) > 1:
        problem = (
            "of two classes with weights of both, onnxruntime looks at the second alone, the specification at both"
        )
        raise InputError(problem, place=operator.place, mend=_ONE_COLUMN)
    if base and (len(base) > 1 or voted != {0}):
        problem = f"base values {base[:3]} of two classes are understood differently by runtimes"
        raise InputError(
            problem, place=operator.place, mend="export it with one base value, and the weights of class 0"
        )
    border = Fraction(1, 2) if all(weight >= 0 for weight in weights) else Fraction(0)
    return Sum(exact or (Fraction(0),), Threshold(border), arithmetic)
