"""Which flags a test has: found from the graph, the instance and the families, not by who made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Feature, Float32, Float64, Integer, Real, has_missing
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.vectors.certifying import CertifiedFamilies
from xpgcheck.vectors.notes import NOTES

WIDE = 4
MANY = 20
NEAR = Fraction(1, 10**6)
"""The largest distance from a threshold at which a real is next to it."""

EXACT = 2**53


def flags_of(
    graph: DecisionGraph, instance: Point, families: CertifiedFamilies, more: tuple[str, ...] = ()
) -> list[str]:
    """Return the flags of a test, and *more*, in the order of ``NOTES``; ``normal`` where there is no other.  Linear."""
    found = {flag for flag, holds in _GRAPH.items() if holds(graph)}
    found.update(flag for flag, holds in _FAMILIES.items() if holds(families))
    found.update(_of_instance(graph, instance), more)
    return [flag for flag in NOTES if flag in found] or ["normal"]


def _tested(graph: DecisionGraph) -> set[int]:
    return {feature for feature in graph.feature_of if feature >= 0}


def _reached(graph: DecisionGraph) -> Counter[int]:
    return Counter(index for index in graph.class_of if index >= 0)


def _one_value(feature: Feature) -> bool:
    domain = feature.domain
    if isinstance(domain, Categorical):
        return len(domain.values) == 1
    return isinstance(domain, (Integer, Real)) and domain.low is not None and domain.low == domain.high


def _shared(graph: DecisionGraph) -> bool:
    entries = Counter(child for children in graph.children for child in children)
    return any(count > 1 and not graph.is_terminal(node) for node, count in entries.items())


def _parts(values: ValueSet) -> int:
    """Return how many values or intervals a literal lists."""
    return len(values.intervals()) + values.missing if isinstance(values, IntervalSet) else len(values.values)


def _ends(values: ValueSet) -> Iterator[Fraction]:
    if isinstance(values, IntervalSet):
        for span in values.intervals():
            yield from (end for end in (span.low, span.high) if end is not None)


def _thresholds(graph: DecisionGraph, kind: type[Real] | type[Integer]) -> Iterator[Fraction]:
    for feature, values in graph.literals:
        if isinstance(graph.features[feature].domain, kind):
            yield from _ends(values)


def _has(*kinds: type) -> Callable[[DecisionGraph], bool]:
    """Return the test whether a feature that some node tests has such a domain."""
    return lambda graph: any(isinstance(graph.features[i].domain, kinds) for i in _tested(graph))


def _integer_bounds(graph: DecisionGraph) -> bool:
    domains = [graph.features[i].domain for i in _tested(graph)]
    return any(isinstance(d, Integer) and (d.low is not None or d.high is not None) for d in domains)


def _open_bounds(graph: DecisionGraph) -> bool:
    domains = [graph.features[i].domain for i in _tested(graph)]
    return any(
        isinstance(d, Real) and ((d.low is not None and d.low_open) or (d.high is not None and d.high_open))
        for d in domains
    )


def _may_be_missing(graph: DecisionGraph) -> bool:
    domains = [graph.features[i].domain for i in _tested(graph)]
    return any(map(has_missing, domains))


def _repeated_conditions(graph: DecisionGraph) -> bool:
    """Tell whether some path tests a feature with an ordered domain more than once."""
    above = [0] * graph.node_count
    for node, feature in enumerate(graph.feature_of):
        if feature >= 0:
            if above[node] >> feature & 1 and isinstance(graph.features[feature].domain.all_values(), IntervalSet):
                return True
            for child in graph.children[node]:
                above[child] |= above[node] | 1 << feature
    return False


def _beyond_its_path(graph: DecisionGraph) -> bool:
    """Tell whether some literal of a feature has a cell that no path leaves at its node."""
    for feature in _tested(graph):
        everything = (1 << len(graph.cells[feature])) - 1
        arriving = [0] * graph.node_count
        arriving[0] = everything
        for node, own in enumerate(graph.feature_of):
            for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
                literal = everything
                if own == feature:
                    literal = sum((1 << high) - (1 << low) for low, high in graph.literal_cells[index])
                    if literal & ~arriving[node]:
                        return True
                arriving[child] |= arriving[node] & literal
    return False


_GRAPH: dict[str, Callable[[DecisionGraph], bool]] = {
    "root_terminal": lambda graph: graph.node_count == 1,
    "undeclared_effect": lambda graph: len(_reached(graph)) < len(graph.classes),
    "feature_never_tested": lambda graph: len(_tested(graph)) < len(graph.features),
    "one_value_domain": lambda graph: any(map(_one_value, graph.features)),
    "one_child": lambda graph: any(len(children) == 1 for children in graph.children),
    "several_terminals_of_a_class": lambda graph: any(count > 1 for count in _reached(graph).values()),
    "several_classes": lambda graph: len(_reached(graph)) > 2,
    "wide_node": lambda graph: any(len(children) >= WIDE for children in graph.children),
    "several_values_in_a_literal": lambda graph: any(_parts(values) > 1 for _, values in graph.literals),
    "shared_nodes": _shared,
    "feature_tested_twice": lambda graph: not graph.shape.read_once,
    "repeated_conditions": _repeated_conditions,
    "literal_beyond_its_path": _beyond_its_path,
    "float32": _has(Float32),
    "float64": _has(Float64),
    "exact_fraction": lambda graph: any(end.denominator & (end.denominator - 1) for end in _thresholds(graph, Real)),
    "integer_bounds": _integer_bounds,
    "big_integers": lambda graph: any(abs(end) >= EXACT for end in _thresholds(graph, Integer)),
    "open_bounds": _open_bounds,
    "may_be_missing": _may_be_missing,
}

_FAMILIES: dict[str, Callable[[CertifiedFamilies], bool]] = {
    "constant": lambda families: not families.cxps,
    "many_xps": lambda families: len(families.axps) + len(families.cxps) >= MANY,
    "unequal_xps": lambda families: any(len(set(map(len, family))) > 1 for family in families),
    "jointly_needed_change": lambda families: any(len(cxp) > 1 for cxp in families.cxps),
}


def _of_instance(graph: DecisionGraph, instance: Point) -> Iterator[str]:
    for feature, values in graph.literals:
        if isinstance(values, IntervalSet):
            for end in _ends(values):
                yield from _around(graph.features[feature], instance[feature], end)
    for i in _tested(graph):
        value = instance[i]
        if value is MISSING:
            yield "missing_value"
        elif not isinstance(value, (bool, str)) and value < 0:
            yield "negative_numbers"
    tested: set[int] = set()
    node = 0
    while not graph.is_terminal(node):
        feature = graph.feature_of[node]
        if feature in tested:
            yield "tested_twice_on_own_path"
        tested.add(feature)
        node = next(edge.child for edge in graph.edges(node) if instance[feature] in edge.values)


def _around(feature: Feature, value: Value, end: Fraction) -> Iterator[str]:
    """Yield how *value* lies to the end of an interval (on a discrete grid, a number of the grid that is inside)."""
    if isinstance(value, (bool, str)) or value is MISSING:
        return
    if value == end:
        yield "on_threshold"
        return
    domain = feature.domain
    if isinstance(domain, Real):
        near = abs(value - end) <= NEAR
    elif isinstance(domain, Integer):
        near = abs(value - end) == 1
    else:
        assert isinstance(domain, (Float32, Float64))
        near = value in (domain.binary.above(end), domain.binary.below(end))
    if near:
        yield "next_to_threshold"
