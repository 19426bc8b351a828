"""Models of the tables: exact functions, OBDDs of learned decision lists, trees of depth at most 6."""

from __future__ import annotations

import importlib.util
import struct
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from xpgcheck import embedded
from xpgcheck.errors import LimitError, MissingPackageError, ModelError
from xpgcheck.extras import install
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.values import Point
from xpgcheck.paper.tables.data import DataSet, Row
from xpgcheck.readers.decision_list_graph import MAX_EQUATION_FEATURES, DecisionList, ListRule, by_equation
from xpgcheck.readers.sklearn_tree import from_sklearn

DEPTH = 6


@dataclass(frozen=True, slots=True)
class Model:
    """A classifier as a decision graph, its instances, and its accuracy on rows it was not trained on, in percent.

    ``differs`` says on how many rows the graph answers another class than what was learned, "" where on none.
    """

    graph: DecisionGraph
    points: tuple[Point, ...]
    accuracy: Fraction
    how: str
    differs: str = ""


def exact_function(name: str) -> Model:
    """Return the OBDD of a function that is known exactly, with its instances."""
    model = embedded.load(name)
    return Model(model.graph, tuple(model.instances), Fraction(100), "the function itself")


def decision_list_obdd(data: DataSet) -> Model:
    """Learn a decision list with Orange's CN2, compile it by the paper's equation, and compare the two on every row.

    Raises ``MissingPackageError`` without Orange or dd, ``ModelError`` where the learner takes no list from the rows.
    """
    if len(data.features) > MAX_EQUATION_FEATURES:
        problem = f"{len(data.features)} features, the equation takes {MAX_EQUATION_FEATURES}"
        raise LimitError(problem, mend="use fewer features")
    for package, extra in (("Orange", "run: pip install Orange3"), ("dd", install("bdd"))):
        if importlib.util.find_spec(package) is None:
            raise MissingPackageError(f"learning decision lists needs {package}", mend=extra)
    train, test = data.split()
    rules, predicted = _learned(data, train)
    graph = by_equation(rules)
    points = [_booleans(row) for row in data.rows]
    wrong = sum(
        not graph.kappa(point) == rules.kappa(point) == label for point, label in zip(points, predicted, strict=True)
    )
    right = sum(graph.classes[graph.kappa(points[k])] == data.targets[k] for k in test)
    instances = tuple(map(_booleans, data.instances()))
    differs = _differs("the learned list", wrong, len(points))
    return Model(graph, instances, Fraction(100 * right, len(test)), "CN2 list, BDD", differs)


def _differs(what: str, wrong: int, rows: int) -> str:
    return f"the graph differs from {what} on {wrong} of {rows} rows" if wrong else ""


def _booleans(row: Row) -> Point:
    return tuple(bool(value) for value in row)


def _learned(data: DataSet, train: Sequence[int]) -> tuple[DecisionList, list[int]]:
    """Return the ordered list that CN2 learns, the default rule last, and the classes that CN2 itself says of all rows."""
    import numpy

    with warnings.catch_warnings():
        # The warnings are those of what Orange brings along.
        warnings.simplefilter("ignore")
        import Orange

    variables = [Orange.data.DiscreteVariable(f"x{i}", values=("0", "1")) for i in range(len(data.features))]
    target = Orange.data.DiscreteVariable("target", values=("0", "1"))
    domain = Orange.data.Domain(variables, target)
    rows = [[*(int(v) for v in row), int(label)] for row, label in zip(data.rows, data.targets, strict=True)]
    try:
        table = Orange.data.Table.from_list(domain, rows)
        learned: Any = Orange.classification.CN2Learner()(table[list(train)])
        predicted = [int(label) for label in learned(table)]
    except Exception as error:
        raise ModelError(f"CN2 learns no list: {type(error).__name__}", mend="leave the data set out") from None
    rules = []
    for rule in learned.rule_list:
        antecedent: dict[int, frozenset[Any]] = {}
        for selector in rule.selectors:
            value = bool(int(selector.value)) if selector.op == "==" else not bool(int(selector.value))
            kept = antecedent.get(selector.column, frozenset([False, True]))
            antecedent[selector.column] = kept & {value}
        # A rule that asks two values of one feature holds nowhere.
        if all(antecedent.values()):
            # CN2 predicts this; its ``prediction`` is drawn at random where classes tie.
            rules.append(ListRule(antecedent, int(numpy.argmax(rule.probabilities))))
    cut = next((k for k, rule in enumerate(rules) if not rule.antecedent), len(rules) - 1)
    features = tuple(Feature(name, Boolean()) for name in data.features)
    return DecisionList(data.name, features, ("0", "1"), tuple(rules[: cut + 1])), predicted


def decision_tree(data: DataSet) -> Model:
    """Train scikit-learn's tree of depth at most 6.  Raises ``MissingPackageError`` without scikit-learn."""
    if importlib.util.find_spec("sklearn") is None:
        raise MissingPackageError("training trees needs scikit-learn", mend=install("sklearn"))
    import numpy
    from sklearn.tree import DecisionTreeClassifier

    train, test = data.split()
    table = numpy.asarray([[float(value) for value in row] for row in data.rows], dtype=numpy.float32)
    labels = numpy.asarray(data.targets)
    with warnings.catch_warnings():
        # It warns of many classes, and of sums that overflow in its check of the input; the rows are compared below.
        warnings.simplefilter("ignore")
        tree = DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(table[train], labels[train])
        predicted = [str(label) for label in tree.predict(table)]
    graph = from_sklearn(tree, feature_names=list(data.features), name=data.name)
    assert isinstance(graph, DecisionGraph)
    wrong = sum(
        graph.classes[graph.kappa(_singles(row))] != label for row, label in zip(data.rows, predicted, strict=True)
    )
    right = sum(predicted[k] == data.targets[k] for k in test)
    # Rows that differ in double precision only are one instance.
    points = tuple(dict.fromkeys(map(_singles, data.instances())))
    differs = _differs("the trained tree", wrong, len(data.rows))
    return Model(graph, points, Fraction(100 * right, len(test)), f"scikit-learn, depth ≤ {DEPTH}", differs)


def _singles(row: Row) -> Point:
    """Return *row* in single precision, exactly."""
    return tuple(Fraction(struct.unpack("f", struct.pack("f", float(value)))[0]) for value in row)


MAKERS: dict[str, Callable[[DataSet], Model]] = {"list": decision_list_obdd, "tree": decision_tree}
"""The making of a model from a data set."""
