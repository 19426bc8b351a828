"""Decision lists and their compilation into decision graphs.

Two routes, both into a reduced ordered diagram that tests the features in the order declared:

*the paper's equation* (Boolean features, two classes; needs `dd`)
    With one more variable y for the class, F_G = ⋁_k (⋀_{j<k} ¬A_j) ∧ A_k ∧ ℓ_k, where A_k is the antecedent of rule k and
    ℓ_k is y or ¬y.  Built as a BDD, then restricted to y = 1.

*expansion* (any finite domains, any number of classes)
    What matters of a prefix of values is which rules it has not refuted.  Each such set of rules is expanded once, on the
    next feature that one of them tests.

Where both serve, they give the same diagram, for reduced ordered diagrams are canonical; the first needs far fewer steps
where many sets of rules mean one function.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import LimitError, MissingPackageError, ModelError
from xpgcheck.extras import install
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.dd_bdd import from_dd
from xpgcheck.readers.pauses import no_cycle_collection

DEFAULT_NODE_LIMIT = 200_000
"""Nodes (by the equation, those of the BDD manager) or sets of rules (by expansion) before compilation gives up."""

MAX_EQUATION_FEATURES = 250
"""`dd` recurses once or more a variable: longer lists take the other route."""

State = tuple[int, int]
"""The next feature to test and the rules not refuted so far, as a mask."""


@dataclass(frozen=True, slots=True)
class ListRule:
    """IF x_i ∈ V_i for each i of ``antecedent`` THEN ``class_index``; without conditions, the default rule."""

    antecedent: Mapping[int, frozenset[Value]]
    class_index: int

    def holds(self, point: Point) -> bool:
        """Tell whether *point* satisfies the antecedent."""
        return all(point[feature] in values for feature, values in self.antecedent.items())


@dataclass(frozen=True, slots=True)
class DecisionList:
    """Rules in order, the last of which is the default rule; features are Boolean or categorical."""

    name: str
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    rules: tuple[ListRule, ...]

    def __post_init__(self) -> None:
        if not self.rules or self.rules[-1].antecedent:
            raise ModelError("the decision list has no default rule", mend="end it with a rule without conditions")
        for feature in self.features:
            if not isinstance(feature.domain, (Boolean, Categorical)):
                raise ModelError("a decision list is over finite domains", mend="use Boolean or categorical features")

    def kappa(self, point: Point) -> int:
        """Return the class index of the first rule that holds at *point*: the definition of decision lists."""
        return next(rule.class_index for rule in self.rules if rule.holds(point))


def equation_serves(rules: DecisionList) -> bool:
    """Tell whether the paper's equation applies: Boolean features, two classes, and not too many features for `dd`."""
    boolean = all(isinstance(feature.domain, Boolean) for feature in rules.features)
    return boolean and len(rules.classes) == 2 and len(rules.features) <= MAX_EQUATION_FEATURES


def decision_list_graph(rules: DecisionList, limit: int = DEFAULT_NODE_LIMIT) -> DecisionGraph:
    """Return the decision graph of *rules*: by the paper's equation where it serves and `dd` is installed, else expanded.

    Raises ``LimitError`` as the two routes do.
    """
    if equation_serves(rules) and importlib.util.find_spec("dd") is not None:
        return by_equation(rules, limit)
    return by_expansion(rules, limit)


def by_equation(rules: DecisionList, limit: int = DEFAULT_NODE_LIMIT) -> DecisionGraph:
    """Return the OBDD of *rules* by the paper's equation (its Example 9), built with ``dd.autoref``.

    Raises ``MissingPackageError`` without `dd`, ``LimitError`` where the manager has over *limit* nodes after a rule (an
    OBDD can be exponential in the features, under some order of them), ``ModelError`` where the equation does not serve.
    """
    if not equation_serves(rules):
        problem = f"the equation wants two classes and at most {MAX_EQUATION_FEATURES} features, all Boolean"
        raise ModelError(problem, mend="compile by expansion")
    try:
        from dd.autoref import BDD
    except ImportError:
        raise MissingPackageError("dd is not installed", mend=install("bdd")) from None
    bdd: Any = BDD()
    names = [feature.name for feature in rules.features]
    class_variable = "y"
    while class_variable in names:
        class_variable += "'"
    bdd.declare(*names, class_variable)
    y = bdd.var(class_variable)
    function, none_before = bdd.false, bdd.true
    for rule in rules.rules:
        holds = bdd.true
        for feature, values in rule.antecedent.items():
            holds &= _value_in(bdd, names[feature], values)
        function |= none_before & holds & (y if rule.class_index == 1 else ~y)
        none_before &= ~holds
        if len(bdd) > limit:
            bdd.collect_garbage()
            if len(bdd) > limit:
                raise _too_large(f"{limit:,} nodes of the BDD")
    return from_dd(
        bdd, bdd.let({class_variable: True}, function), name=rules.name, features=names, classes=rules.classes
    )


def _value_in(bdd: Any, name: str, values: frozenset[Value]) -> Any:
    if len(values) != 1:
        return bdd.true if values else bdd.false
    return bdd.var(name) if True in values else ~bdd.var(name)


def by_expansion(rules: DecisionList, limit: int = DEFAULT_NODE_LIMIT) -> DecisionGraph:
    """Return the reduced ordered decision graph of *rules* by memoised expansion.

    Raises ``LimitError`` after *limit* distinct sets of rules: there can be exponentially many.  Time and memory are
    linear in their number, times the values of a feature.  No recursion.
    """
    with no_cycle_collection():
        expansion = _Expansion(rules)
        start = expansion.state(0, (1 << len(rules.rules)) - 1)
        root = expansion.build(start, limit)
        return decision_graph(rules.name, rules.features, rules.classes, expansion.reached(root), root)


class _Expansion:
    """The tables of one expansion.

    A set of rules is a mask: bit k is rule k, the lowest bit is asked first.  After the last rule come a default rule for
    each class, so that equal sets with equal outcomes are equal masks.
    """

    def __init__(self, rules: DecisionList) -> None:
        self._values: list[tuple[Value, ...]] = []
        self._agree: list[dict[Value, int]] = []
        self._tests = [0] * len(rules.features)
        self._count = len(rules.rules)
        self._class: list[int] = [*(rule.class_index for rule in rules.rules), *range(len(rules.classes))]
        everything = (1 << len(self._class)) - 1
        for feature in rules.features:
            domain = feature.domain
            self._values.append(domain.values if isinstance(domain, Categorical) else (False, True))
            self._agree.append(dict.fromkeys(self._values[-1], everything))
        for k, rule in enumerate(rules.rules):
            for index, allowed in rule.antecedent.items():
                self._tests[index] |= 1 << k
                for value in self._values[index]:
                    if value not in allowed:
                        self._agree[index][value] &= ~(1 << k)
        self._tests_from = [0] * (len(rules.features) + 1)
        for index in range(len(rules.features) - 1, -1, -1):
            self._tests_from[index] = self._tests_from[index + 1] | self._tests[index]
        self._nodes: list[Node] = [Terminal(c) for c in range(len(rules.classes))]
        self._unique: dict[tuple[int, tuple[tuple[int, frozenset[Value]], ...]], int] = {}

    def state(self, feature: int, alive: int) -> State | int:
        """Return what is left to decide from *feature* on: a state without needless rules, or the node of a class."""
        certain = alive & ~self._tests_from[feature]
        first = certain & -certain
        decided = self._class[first.bit_length() - 1]
        alive &= first - 1
        # Rules right before the one that certainly holds, and of its class, decide nothing.
        while alive and self._class[alive.bit_length() - 1] == decided:
            alive ^= 1 << alive.bit_length() - 1
        if not alive:
            return decided
        while not alive & self._tests[feature]:
            feature += 1
        # Which rule certainly holds does not matter, only its class: it becomes one of the rules after the last.
        return feature, alive | 1 << self._count + decided

    def build(self, start: State | int, limit: int) -> int:
        """Return the node of *start*, building those below it first."""
        if isinstance(start, int):
            return start
        node_of: dict[State, int] = {}
        stack = [start]
        while stack:
            state = stack[-1]
            if state in node_of:
                stack.pop()
                continue
            if len(node_of) >= limit:
                raise _too_large(f"{limit:,} sets of rules")
            feature, alive = state
            following = {v: self.state(feature + 1, alive & mask) for v, mask in self._agree[feature].items()}
            waiting = [s for s in following.values() if not isinstance(s, int) and s not in node_of]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            node_of[state] = self._node(
                feature, {v: s if isinstance(s, int) else node_of[s] for v, s in following.items()}
            )
        return node_of[start]

    def _node(self, feature: int, child_of: Mapping[Value, int]) -> int:
        """Return the node that tests *feature* and goes to *child_of* its values: each node once, none for one child."""
        literals: dict[int, list[Value]] = {}
        for value, child in child_of.items():
            literals.setdefault(child, []).append(value)
        if len(literals) == 1:
            return next(iter(literals))
        edges = tuple((child, frozenset(values)) for child, values in literals.items())
        number = self._unique.setdefault((feature, edges), len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(NonTerminal(feature, tuple((child, FiniteSet(values)) for child, values in edges)))
        return number

    def reached(self, root: int) -> dict[NodeId, Node]:
        """Return the nodes that *root* reaches, by number."""
        found: dict[NodeId, Node] = {}
        stack = [root]
        while stack:
            number = stack.pop()
            if number not in found:
                node = found[number] = self._nodes[number]
                if isinstance(node, NonTerminal):
                    stack.extend(int(child) for child, _ in node.edges)
        return found


def _too_large(what: str) -> LimitError:
    problem = f"the decision list needs more than {what}"
    return LimitError(problem, mend="declare features that rules test together next to each other, or raise the limit")
