"""Which findings have one cause: renamings of a case, and nothing else."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from campaign_units import document
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.campaign.causes import case_form, cause_of
from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Integer, Real
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.cases import Case
from xpgcheck.properties.corpus import case_json
from xpgcheck.properties.strategies import cases as generated_cases
from xpgcheck.properties.transformations import (
    source,
    with_a_feature_added,
    with_a_node_split,
    with_classes_permuted,
    with_features_permuted,
    with_nodes_permuted,
)
from xpgcheck.properties.verdicts import NotApplicable


def finding(graph: DecisionGraph, instance: Point, **other: Any) -> dict[str, Any]:
    """Return a finding on a case."""
    said: dict[str, Any] = {
        "about": "each-axp-is-weak",
        "is_property": True,
        "verdict": "insufficient",
        "outcome": "violated",
        "evidence": "with 3 features",
        "subject": "s",
        "origin": "seed 1",
        "non_terminals": 1,
        "features": len(graph.features),
        "case": json.loads(case_json("each-axp-is-weak", Case(graph, instance), "test")),
    }
    return document(**(said | other))


def with_values_renamed(graph: DecisionGraph, instance: Point, dice: random.Random) -> tuple[DecisionGraph, Point]:
    """Return *graph* with Boolean values swapped, categories renamed and numbers shifted, by chance."""
    renamings = [renaming(feature.domain, dice) for feature in graph.features]
    features = [Feature(f.name, renamings[i][0]) for i, f in enumerate(graph.features)]
    nodes: dict[NodeId, Node] = {}
    for key, node in source(graph).items():
        if isinstance(node, NonTerminal):
            rename = renamings[node.feature][1]
            node = NonTerminal(node.feature, tuple((child, rename(values)) for child, values in node.edges))
        nodes[key] = node
    point = tuple(rename_value(value) for (_, _, rename_value), value in zip(renamings, instance, strict=True))
    return decision_graph(graph.name, features, graph.classes, nodes, 0), point


def renaming(domain: Domain, dice: random.Random) -> tuple[Domain, Any, Any]:
    """Return a domain like *domain* with functions that take sets and values over to it."""
    if isinstance(domain, (Boolean, Categorical)):
        values: list[Value] = list(domain.values) if isinstance(domain, Categorical) else [False, True]
        named: list[Value] = [f"c{i}" for i in range(len(values))] if isinstance(domain, Categorical) else [False, True]
        dice.shuffle(named)
        table = dict(zip(values, named, strict=True))
        other: Domain = Categorical(tuple(map(str, named))) if isinstance(domain, Categorical) else domain
        return other, lambda s: FiniteSet(frozenset(table[v] for v in s.values)), table.__getitem__
    if isinstance(domain, (Integer, Real)):
        step = dice.choice([0, 3, -7])

        def moved(values: IntervalSet) -> ValueSet:
            spans = [
                Interval(low if low is None else low + step, low_open, high if high is None else high + step, high_open)
                for low, low_open, high, high_open in values.intervals()
            ]
            return interval_set(values.grid, spans)

        low, high = (None if end is None else end + step for end in (domain.low, domain.high))
        if isinstance(domain, Integer):
            return Integer(low, high), moved, lambda v: v + step
        return Real(low, high, domain.low_open, domain.high_open), moved, lambda v: v + step
    return domain, lambda s: s, lambda v: v


def renamed(graph: DecisionGraph, instance: Point, dice: random.Random) -> tuple[DecisionGraph, Point]:
    """Return the case under other names of everything."""
    graph, instance = with_values_renamed(graph, instance, dice)
    order = list(range(len(graph.features)))
    dice.shuffle(order)
    classes = list(range(len(graph.classes)))
    dice.shuffle(classes)
    graph = with_classes_permuted(with_features_permuted(graph, order), classes)
    return with_nodes_permuted(graph, dice), tuple(instance[i] for i in order)


CASES = generated_cases(size=12)


@given(CASES, st.randoms(use_true_random=False))
def test_a_renamed_case_has_the_same_cause(case: tuple[DecisionGraph, Point], dice: random.Random) -> None:
    before = finding(*case)
    after = finding(*renamed(*case, dice), evidence="with 17 features", origin="seed 2", subject="t", times=5)
    assert cause_of(before).startswith("graph:")
    assert cause_of(after) == cause_of(before)


@given(CASES, st.randoms(use_true_random=False))
def test_another_graph_is_another_cause(case: tuple[DecisionGraph, Point], dice: random.Random) -> None:
    graph, instance = case
    changed = [(with_a_feature_added(graph, 0), (False, *instance))]
    with contextlib.suppress(NotApplicable):
        changed.append((with_a_node_split(graph, dice), instance))
    for other in changed:
        assert case_form(*other) != case_form(graph, instance)


def test_other_words_are_other_causes() -> None:
    graph, point = step(Real(), Fraction(2), True), (Fraction(2),)
    keys = [
        cause_of(finding(graph, point)),
        cause_of(finding(graph, point, about="another")),
        cause_of(finding(graph, point, verdict="redundant")),
        cause_of(finding(graph, point, way="axp raised KeyError")),
        cause_of(finding(graph, point, case=None)),
        cause_of(finding(graph, point, case=None, evidence="else")),
    ]
    assert len(set(keys)) == len(keys)
    assert [key.partition(":")[0] for key in keys] == ["graph"] * 4 + ["text"] * 2
    assert cause_of(finding(graph, point, case=None, evidence="with 4 features")) == keys[4]


def step(domain: Domain, threshold: Fraction, closed: bool) -> DecisionGraph:
    """Return x ≤ threshold ↦ a, else b; x < threshold unless *closed*."""
    grid = domain.all_values().grid  # type: ignore[union-attr]
    low = interval_set(grid, [Interval(None, True, threshold, not closed)])
    nodes: dict[NodeId, Node] = {
        "r": NonTerminal(0, (("a", low), ("b", low.complement()))),
        "a": Terminal(0),
        "b": Terminal(1),
    }
    return decision_graph("step", [Feature("x", domain)], ["a", "b"], nodes, "r")


def test_what_is_idle_is_counted_by_kind() -> None:
    def constant(features: Sequence[Domain], classes: Sequence[str]) -> str:
        named = [Feature(f"x{i}", domain) for i, domain in enumerate(features)]
        graph = decision_graph("constant", named, list(classes), {0: Terminal(0)}, 0)
        return case_form(graph, tuple(domain.all_values().representative() for domain in features)).text

    assert constant([Boolean(), Real()], "ab") == constant([Real(), Boolean()], "pq")
    apart = [
        ([Boolean()], "ab"),
        ([Boolean()], "abc"),
        ([Real()], "ab"),
        ([Real(Fraction(0))], "ab"),
        ([Real()] * 2, "ab"),
    ]
    assert len({constant(*given) for given in apart}) == len(apart)


def test_numbers_keep_what_confuses_comparisons() -> None:
    """Equal up to the threshold's value; apart: < and ≤, and an instance on the threshold or off it."""
    two, seven = Fraction(2), Fraction(7)
    form = functools.partial(case_form, step(Real(), two, True))
    assert form((two,)) == case_form(step(Real(), seven, True), (seven,))
    assert form((Fraction(1),)) == form((Fraction(0),)) == case_form(step(Real(), seven, True), (Fraction(6),))
    apart = [
        form((two,)),
        form((Fraction(1),)),
        form((Fraction(3),)),
        case_form(step(Real(), two, False), (two,)),
        case_form(step(Real(), two, False), (Fraction(1),)),
        case_form(step(Integer(), two, True), (1,)),
        case_form(step(Integer(), two, True), (2,)),
        case_form(step(Integer(0, 9), two, True), (2,)),
    ]
    assert len(set(apart)) == len(apart)


def stairs(classes: str) -> DecisionGraph:
    """Return a graph that cuts the reals at 1, 2, … and gives each part a terminal of its own, of these classes."""
    ends = [None, *map(Fraction, range(1, len(classes))), None]
    parts = [interval_set(Grid.DENSE, [Interval(low, True, high, False)]) for low, high in itertools.pairwise(ends)]
    names = sorted(set(classes))
    nodes: dict[NodeId, Node] = {i: Terminal(names.index(name)) for i, name in enumerate(classes)}
    nodes["r"] = NonTerminal(0, tuple(enumerate(parts)))
    return decision_graph("stairs", [Feature("x", Real())], names, nodes, "r")


def test_parts_of_the_line_keep_their_order() -> None:
    at = (Fraction(9),)
    assert case_form(stairs("aabb"), at) == case_form(stairs("bbaa"), at)
    assert case_form(stairs("aabb"), at) != case_form(stairs("abab"), at)


# Every decision graph over a few binary features with up to three non-terminals and three terminals of two classes, against
# all renamings.


def small_graphs(domains: Sequence[Domain]) -> Iterator[DecisionGraph]:
    """Yield decision graphs, those that differ in the order of their nodes alone among them."""
    names = {"a": 0, "b": 1, "a2": 0}
    for count in (1, 2, 3):
        for tested in itertools.product(range(len(domains)), repeat=count):
            targets = [[*range(node + 1, count), *names] for node in range(count)]
            pairs = [list(itertools.permutations(t, 2)) for t in targets]
            for edges in itertools.product(*pairs):
                reached = {0}.union(*(set(pair) - set(names) for pair in edges))
                if len(reached) < count:
                    continue
                nodes: dict[NodeId, Node] = {
                    node: NonTerminal(
                        tested[node],
                        tuple((to, part) for to, part in zip(pair, halves(domains[tested[node]]), strict=True)),
                    )
                    for node, pair in enumerate(edges)
                }
                nodes |= {name: Terminal(i) for name, i in names.items() if any(name in pair for pair in edges)}
                features = [Feature(f"x{i}", domain) for i, domain in enumerate(domains)]
                graph = decision_graph("small", features, ["a", "b"], nodes, 0)
                try:
                    check_assumptions(graph)
                except ModelError:
                    continue
                yield graph


def halves(domain: Domain) -> list[ValueSet]:
    whole = domain.all_values()
    if isinstance(whole, FiniteSet):
        return [FiniteSet(frozenset([value])) for value in sorted(whole.values, key=str)]
    low = interval_set(whole.grid, [Interval(None, True, Fraction(0), False)])
    return [low, low.complement()]


def least_text(graph: DecisionGraph, instance: Point) -> str:
    """Return the least text of the case over all renamings of features, classes and unordered values: by brute force.

    Nodes need no search: from the root on, a node is known by the values that lead to it.
    """
    texts = []
    domains = [feature.domain for feature in graph.features]
    parts = [halves(domain) for domain in domains]
    swaps = [(False, True) if isinstance(domain, (Boolean, Categorical)) else (False,) for domain in domains]
    for order in itertools.permutations(range(len(domains))):
        for flips in itertools.product(*swaps):
            for classes in itertools.permutations(range(len(graph.classes))):
                number = {0: 0}
                queue, lines = [0], []
                for node in queue:
                    if graph.is_terminal(node):
                        lines.append(str(classes[graph.class_of[node]]))
                        continue
                    feature = graph.feature_of[node]
                    edges = {}
                    for child, values in graph.edges(node):
                        place = parts[feature].index(values)
                        edges[place ^ flips[feature]] = child
                    for _, child in sorted(edges.items()):
                        if child not in number:
                            number[child] = len(number)
                            queue.append(child)
                    lines.append(f"{order[feature]}?{[number[child] for _, child in sorted(edges.items())]}")
                tested = set(graph.feature_of)
                marks = sorted(
                    (order[i], str(type(domains[i])), next(p for p in (0, 1) if instance[i] in parts[i][p]) ^ flips[i])
                    if i in tested
                    else (order[i], str(type(domains[i])), -1)
                    for i in range(len(domains))
                )
                texts.append(f"{marks} {lines}")
    return min(texts)


@pytest.mark.parametrize(
    "domains",
    [
        (Boolean(), Boolean()),
        (Boolean(), Categorical(("p", "q"))),
        (Boolean(), Real()),
        (Real(), Real()),
        pytest.param((Boolean(), Boolean(), Real()), marks=pytest.mark.slow),
    ],
    ids=lambda domains: "-".join(type(domain).__name__ for domain in domains),
)
def test_small_cases_by_brute_force(domains: Sequence[Domain]) -> None:
    of_form: dict[str, str] = {}
    of_text: dict[str, str] = {}
    number = 0
    for graph in small_graphs(domains):
        for chosen in itertools.product((0, 1), repeat=2):
            chosen = (*chosen, 0)[: len(domains)]
            instance = tuple(halves(d)[p].representative() for d, p in zip(domains, chosen, strict=True))
            form, text = case_form(graph, instance), least_text(graph, instance)
            assert form.exact
            assert of_form.setdefault(form.text, text) == text
            assert of_text.setdefault(text, form.text) == form.text
            number += 1
    assert number > 100
    assert 10 < len(of_form) < number / 3
