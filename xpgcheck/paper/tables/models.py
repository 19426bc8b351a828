"""Models of the tables: exact functions, OBDDs of learned decision lists, trees of depth at most 6."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from xpgcheck import embedded
from xpgcheck.errors import MissingPackageError, ModelError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.values import Point
from xpgcheck.paper.tables.data import DataSet, Row
from xpgcheck.readers.decision_list_graph import DecisionList, Rule, by_equation
from xpgcheck.readers.sklearn_tree import from_sklearn

DEPTH = 6


@dataclass(frozen=True, slots=True)
class Model:
    """A classifier as a decision graph, its instances, and its accuracy on rows it was not trained on, in percent."""

    graph: DecisionGraph
    points: tuple[Point, ...]
    accuracy: Fraction
    how: str


def exact_function(name: str) -> Model:
    """Return the OBDD of a function that is known exactly, with its instances."""
    model = embedded.load(name)
    return Model(model.graph, tuple(model.instances), Fraction(100), "the function itself")


def decision_list_obdd(data: DataSet) -> Model:
    """Learn a decision list with Orange's CN2, compile it by the paper's equation, and compare the two on every row.

    Raises ``MissingPackageError`` without Orange or dd, ``ModelError`` where list and OBDD differ.
    """
    for package, extra in (("Orange", "pip install Orange3"), ("dd", "pip install 'xpgcheck[bdd]'")):
        if importlib.util.find_spec(package) is None:
            raise MissingPackageError(f"learning decision lists needs {package}", mend=extra)
    train, test = data.split()
    rules = _learned(data, train)
    graph = by_equation(rules)
    points = [_booleans(row) for row in data.rows]
    if any(graph.kappa(point) != rules.kappa(point) for point in points):
        raise ModelError("the OBDD and its decision list differ on a row", mend="report it")
    right = sum(graph.classes[graph.kappa(points[k])] == data.targets[k] for k in test)
    return Model(graph, tuple(map(_booleans, data.instances())), Fraction(100 * right, len(test)), "CN2 list, BDD")


def _booleans(row: Row) -> Point:
    return tuple(bool(value) for value in row)


def _learned(data: DataSet, train: Sequence[int]) -> DecisionList:
    """Return the ordered list that CN2 learns: conditions x = value, the default rule last."""
    import Orange

    variables = [Orange.data.DiscreteVariable(f"x{i}", values=("0", "1")) for i in range(len(data.features))]
    target = Orange.data.DiscreteVariable("target", values=("0", "1"))
    domain = Orange.data.Domain(variables, target)
    rows = [[*(int(v) for v in data.rows[k]), int(data.targets[k])] for k in train]
    learned: Any = Orange.classification.CN2Learner()(Orange.data.Table.from_list(domain, rows))
    rules = []
    for rule in learned.rule_list:
        antecedent: dict[int, frozenset[Any]] = {}
        for selector in rule.selectors:
            value = bool(int(selector.value)) if selector.op == "==" else not bool(int(selector.value))
            kept = antecedent.get(selector.column, frozenset([False, True]))
            antecedent[selector.column] = kept & {value}
        # A rule that asks two values of one feature holds nowhere.
        if all(antecedent.values()):
            rules.append(Rule(antecedent, int(rule.prediction)))
    cut = next((k for k, rule in enumerate(rules) if not rule.antecedent), len(rules) - 1)
    features = tuple(Feature(name, Boolean()) for name in data.features)
    return DecisionList(data.name, features, ("0", "1"), tuple(rules[: cut + 1]))


def decision_tree(data: DataSet) -> Model:
    """Train scikit-learn's tree of depth at most 6.  Raises ``MissingPackageError`` without scikit-learn."""
    if importlib.util.find_spec("sklearn") is None:
        raise MissingPackageError("training trees needs scikit-learn", mend="pip install 'xpgcheck[sklearn]'")
    import numpy
    from sklearn.tree import DecisionTreeClassifier

    train, test = data.split()
    table = numpy.asarray([[float(value) for value in row] for row in data.rows], dtype=numpy.float32)
    labels = numpy.asarray(data.targets)
    tree = DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(table[train], labels[train])
    graph = from_sklearn(tree, feature_names=list(data.features), name=data.name)
    right = sum(str(found) == data.targets[k] for found, k in zip(tree.predict(table[test]), test, strict=True))
    points = [tuple(Fraction(float(numpy.float32(float(value)))) for value in row) for row in data.instances()]
    return Model(graph, tuple(points), Fraction(100 * right, len(test)), f"scikit-learn, depth ≤ {DEPTH}")


MAKERS: dict[str, Callable[[DataSet], Model]] = {"list": decision_list_obdd, "tree": decision_tree}
"""How a data set becomes a model."""
