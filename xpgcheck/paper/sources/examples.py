"""Fixed evidence: what Examples 1 to 9 print, recomputed.  Features and nodes count from 1 there, and from 0 here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from xpgcheck import embedded
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.values import Point
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.readers.decision_list_graph import DecisionList, ListRule, decision_list_graph
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.find_one import find_axp_by_deletion
from xpgcheck.xpg.xps import Kind

MODELS = {number: "hardware" if number in "1357" else "omdd" for number in "12345678"}
"""The embedded model of each example."""

TRUE, FALSE = frozenset([True]), frozenset([False])
LIST = (ListRule({0: TRUE, 1: TRUE}, 1), ListRule({0: FALSE, 1: TRUE}, 0), ListRule({}, 0))
"""The decision list of Example 9: x1 ∧ x2 gives 1, ¬x1 ∧ x2 gives 0, and so does the rest."""


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return one unit of all nine."""
    return [SourceUnit("examples", "examples/all", {})]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Recompute every example; say of each in what it differs, "" where in nothing."""
    return {"differs": {number: difference(number) for number in map(str, range(1, 10))}}


def look(results: Results, item: str) -> Found:
    """Return whether example *item* is as printed."""
    problem = results["examples/all"]["differs"][item]
    amount = {"5": "all 16 assignments", "6": "all 8 assignments", "9": "all 4 points"}.get(item, "the printed case")
    return Found(not problem, amount, "", {"text": problem} if problem else None)


def difference(number: str, instance: Point | None = None, rules: Iterable[ListRule] = LIST) -> str:
    """Return in what Example *number* differs from what it prints, "" where in nothing.

    At the instance of the paper, or at another (which then has to differ); Example 9 with the *rules* of its list.
    """
    if number == "9":
        return _example_9(tuple(rules))
    model = embedded.load(MODELS[number])
    point = model.paper_instance if instance is None else instance
    assert point is not None
    check = _CHECKS[number]
    return check(model.graph, point)


def _path(graph: DecisionGraph, point: Point) -> list[str | int]:
    """Return the ids of the nodes on the path of *point*."""
    node, path = 0, [graph.node_ids[0]]
    while not graph.is_terminal(node):
        node = next(child for child, values in graph.edges(node) if point[graph.feature_of[node]] in values)
        path.append(graph.node_ids[node])
    return path


def _figure(classes: str, path: list[int], nodes: int) -> Callable[[DecisionGraph, Point], str]:
    def check(graph: DecisionGraph, point: Point) -> str:
        if graph.node_count != nodes:
            return f"{graph.node_count} nodes instead of {nodes}"
        found = _path(graph, point)
        if found != path:
            return f"the path is {found} instead of {path}"
        name = graph.classes[graph.kappa(point)]
        return "" if name == classes else f"class {name} instead of {classes}"

    return check


def _labels(
    zeros: set[int], ones: set[tuple[int, int]], others: set[tuple[int, int]]
) -> Callable[[DecisionGraph, Point], str]:
    def check(graph: DecisionGraph, point: Point) -> str:
        xpg, ids = explanation_graph(graph, point), graph.node_ids
        if (found := {ids[t] for t in range(len(ids)) if xpg.is_zero[t]}) != zeros:
            return f"terminals labelled 0 are {sorted(map(str, found))} instead of {sorted(map(str, zeros))}"
        if {(ids[p], ids[c]) for p, c in enumerate(xpg.one_child) if c >= 0} != ones:
            return "other edges are labelled 1"
        if {(ids[p], ids[c]) for p, cs in enumerate(xpg.zero_children) for c in cs} != others:
            return "other edges are labelled 0"
        return ""

    return check


def _tree_equations(s: tuple[bool, ...]) -> tuple[dict[int, bool], tuple[int, ...]]:
    s1, s2, s3, s4 = s
    e = {1: True, 3: True, 7: True, 2: not s3, 6: not s4, 11: not s1}
    e |= {5: e[2] and not s1, 15: e[11]}
    e |= {8: e[5] and not s2, 9: e[5]}
    e |= {12: e[8] and not s1, 13: e[8] and not s1}
    return e, (6, 9, 12, 13, 15)


def _omdd_equations(s: tuple[bool, ...]) -> tuple[dict[int, bool], tuple[int, ...]]:
    s1, _, s3 = s
    e = {1: True, 2: not s3, 3: True, 5: True, 4: not s3}
    e |= {7: e[4] and not s1, 8: e[5] and not s1}
    return e, (7, 8)


def _equations(
    printed: Callable[[tuple[bool, ...]], tuple[dict[int, bool], tuple[int, ...]]],
) -> Callable[[DecisionGraph, Point], str]:
    def check(graph: DecisionGraph, point: Point) -> str:
        xpg = explanation_graph(graph, point)
        place = {name: node for node, name in enumerate(graph.node_ids)}
        for s in itertools.product((False, True), repeat=len(graph.features)):
            values, zeros = printed(s)
            fixed = [i for i, one in enumerate(s) if one]
            active = xpg.epsilon(fixed)
            wrong = [node for node, value in values.items() if bool(active[place[node]]) != value]
            if wrong or xpg.sigma(fixed) == any(values[node] for node in zeros):
                return f"at s = {tuple(map(int, s))} " + (f"ε differs at node {wrong[0]}" if wrong else "σ differs")
        return ""

    return check


def _axp(features: set[int], order: list[int], only: bool) -> Callable[[DecisionGraph, Point], str]:
    def check(graph: DecisionGraph, point: Point) -> str:
        xpg = explanation_graph(graph, point)
        wanted = frozenset(i - 1 for i in features)
        axps = _axps(xpg)
        if wanted not in axps or (only and axps != {wanted}):
            return f"the AXps are {[sorted(i + 1 for i in axp) for axp in axps]}"
        found = find_axp_by_deletion(xpg, order)
        return "" if found == wanted else f"Algorithm 2 returns {sorted(i + 1 for i in found)}"

    return check


def _axps(xpg: ExplanationGraph) -> set[frozenset[int]]:
    return {xp.features for xp in enumerate_xps(xpg) if xp.kind is Kind.AXP}


def _example_9(rules: tuple[ListRule, ...]) -> str:
    """Compare the formula with y of Example 9 with a list read rule by rule.  The formula is that of :data:`LIST`.

    The project compiles the list by the same equation (with `dd`; the other route without): that graph is compared too.
    """
    reached = rules[: 1 + next(k for k, rule in enumerate(rules) if not rule.antecedent)]
    features = Feature("x1", Boolean()), Feature("x2", Boolean())
    graph = decision_list_graph(DecisionList("Example 9", features, ("0", "1"), reached))
    for x1, x2 in itertools.product((False, True), repeat=2):
        listed = next(rule.class_index for rule in rules if rule.holds((x1, x2)))
        first, second = x1 and x2, not x1 and x2
        values = [
            (first and y) or (not first and second and not y) or (not first and not second and not y)
            for y in (False, True)
        ]
        if values[0] == values[1] or values[1] != bool(listed):
            return f"at x = ({int(x1)}, {int(x2)}) the list says {listed}, and the formula at y = 1 is {int(values[1])}"
        if graph.kappa((x1, x2)) != listed:
            return f"at x = ({int(x1)}, {int(x2)}) the list says {listed}, and the graph compiled from it does not"
    return ""


_CHECKS: dict[str, Callable[[DecisionGraph, Point], str]] = {
    "1": _figure("T", [1, 3, 7, 10], 15),
    "2": _figure("R", [1, 3, 5, 6], 8),
    "3": _labels(
        {6, 9, 12, 13, 15},
        {(1, 3), (2, 4), (3, 7), (5, 9), (7, 10), (11, 15)},
        {(1, 2), (2, 5), (3, 6), (5, 8), (7, 11), (8, 12), (8, 13), (11, 14)},
    ),
    "4": _labels({7, 8}, {(1, 3), (2, 4), (3, 5), (4, 6), (5, 6)}, {(1, 2), (1, 6), (2, 6), (3, 6), (4, 7), (5, 8)}),
    "5": _equations(_tree_equations),
    "6": _equations(_omdd_equations),
    "7": _axp({1, 4}, [1, 2, 0, 3], only=False),
    "8": _axp({1}, [1, 2, 0], only=True),
}
