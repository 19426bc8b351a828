"""Generated graphs keep the definition's assumptions, generated sources break the one rule that they should."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.statistics import collector

from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError, check_assumptions
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Integer, Real
from xpgcheck.model.graph_errors import LiteralError
from xpgcheck.model.value_sets import Grid, Interval, interval_set, is_partition
from xpgcheck.model.values import MISSING
from xpgcheck.oracles.conditions import conditions_of
from xpgcheck.properties.borders import border_values
from xpgcheck.properties.cases import Case
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import (
    INVALID,
    KINDS,
    cases,
    changes,
    domains,
    graphs,
    invalid_sources,
    lawless_cases,
    lawless_graphs,
    points,
    property_cases,
    sources,
    trees,
    weak_axp_seeds,
    weak_cxp_seeds,
)
from xpgcheck.properties.strategies.atoms import all_atoms, coarser, partitions

MOST_FEATURES = {12: 5, 40: 6, 200: 10}
MOST_CELLS = {12: 1_000, 40: 20_000, 200: 50_000}


def generate(strategy, count, start=0):
    """Return *count* draws of *strategy*, and how many further ones a filter or an assumption rejected.

    What Hypothesis itself cuts short, as it tries short sequences of choices first, is no rejection.
    """
    drawn = []
    statistics = []

    with collector.with_value(statistics.append):
        visit(strategy, drawn.append, count, start)
    tried = [case["status"] for phases in statistics for case in phases["generate-phase"]["test-cases"]]
    assert tried.count("valid") == len(drawn)
    return drawn, tried.count("invalid")


def test_rejections_are_counted():
    assert generate(graphs().filter(lambda graph: graph.node_count > 10), 50)[1] > 0


@pytest.mark.parametrize(("size", "count"), [(1, 20), (2, 20), (3, 30), (7, 60), (12, 200), (40, 60), (200, 20)])
def test_every_graph_keeps_the_assumptions_and_no_draw_is_rejected(size, count):
    drawn, rejected = generate(graphs(size), count)
    assert rejected == 0
    band = next(end for end in MOST_FEATURES if size <= end)
    for graph in drawn:
        check_assumptions(graph)
        assert graph.node_count <= size
        assert len(graph.features) <= MOST_FEATURES[band]
        assert math.prod(map(len, graph.cells)) <= MOST_CELLS[band]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_what_its_name_says(kind):
    drawn, rejected = generate(graphs(kinds=[kind]), 60)
    assert rejected == 0
    for graph in drawn:
        check_assumptions(graph)
        if kind == "tree":
            assert graph.is_tree()
        if kind in ("ordered", "omdd", "obdd", "ladder"):
            assert graph.shape.read_once
            for node, children in enumerate(graph.children):
                tests = [graph.feature_of[child] for child in children if graph.feature_of[child] >= 0]
                assert all(test > graph.feature_of[node] for test in tests), "features are tested in their order"
        if kind == "threshold-tree":
            assert graph.is_tree()
            for domain in (graph.features[condition.feature].domain for condition in conditions_of(graph)):
                assert not isinstance(domain, Categorical)
        if kind == "obdd":
            assert {str(feature.domain) for feature in graph.features} == {"{0, 1}"}
        if kind == "omdd":
            for domain in (feature.domain for feature in graph.features):
                bounded = isinstance(domain, Integer) and None not in (domain.low, domain.high)
                assert bounded or isinstance(domain, Categorical) or str(domain) == "{0, 1}"


def test_the_large_end_is_reached():
    # Seeds, as what one seed draws depends on which modules are loaded.
    nodes = features = 0
    for start in range(4):
        drawn = generate(graphs(200, ["graph"]), 60, start)[0]
        nodes = max(nodes, *(graph.node_count for graph in drawn))
        features = max(features, *(len(graph.features) for graph in drawn))
        if nodes > 150 and features >= 8:
            return
    pytest.fail(f"no graph has more than {nodes} nodes, none more than {features} features")


def test_the_same_seed_gives_the_same_cases():
    first, second = (generate(property_cases(size=40), 30, start=7)[0] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("size", [0, -1, 201])
def test_a_size_out_of_bounds_is_refused(size):
    with pytest.raises(ValueError, match="the size is from 1 to 200"):
        graphs(size)


@pytest.mark.parametrize("kinds", [["forest"], [], ["tree", "forest"]])
def test_an_unknown_kind_is_refused(kinds):
    with pytest.raises(ValueError, match="the kinds are tree, graph"):
        graphs(kinds=kinds)


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="no rule 'taste'"):
        invalid_sources("taste")


@given(trees(40))
def test_trees_are_trees(graph):
    assert graph.is_tree()


@given(domains())
def test_domains_have_values(domain):
    assert not domain.all_values().is_empty()


@pytest.mark.parametrize("atoms", all_atoms(), ids=lambda atoms: str(atoms.domain))
def test_atoms_partition_their_domain(atoms):
    whole = atoms.domain.all_values()
    assert is_partition(whole, atoms.parts)
    assert atoms.union(atoms.full) == whole
    for count in range(2, 9):
        fewer = coarser(atoms, count)
        assert len(fewer.parts) == min(count, len(atoms.parts))
        assert is_partition(whole, fewer.parts)


def test_partitions_part_what_is_left_the_simplest_first():
    for left in range(256):
        if left.bit_count() < 2:
            continue
        for width in range(2, 9):
            ways = partitions(left, width)
            assert len(ways[0]) == 2
            for groups in ways:
                assert 2 <= len(groups) <= width
                assert all(groups)
                assert sum(groups) == left
                assert not any(a & b for a, b in itertools.combinations(groups, 2))
    assert set(partitions(0b111, 3)) == {(1, 6), (3, 4), (5, 2), (1, 2, 4)}
    assert len(set(partitions(0b111111, 8))) == 203 - 1, "the number of partitions of six things, without the one group"
    assert max(map(len, partitions(0xFF, 8))) == 8


def test_wide_nodes_come_up():
    widest = 0
    for start in range(4):
        drawn = generate(graphs(24, ["tree", "omdd"]), 200, start)[0]
        widest = max(widest, *(len(children) for graph in drawn for children in graph.children))
        if widest == 8:
            return
    pytest.fail(f"no node has more than {widest} children")


@given(cases(size=40))
def test_instances_are_in_the_feature_space(case):
    graph, point = case
    assert in_feature_space(graph, point)


@given(graphs(), st.data())
def test_points_go_with_any_graph(graph, data):
    assert in_feature_space(graph, data.draw(points(graph)))


@pytest.mark.parametrize(
    ("domain", "literal", "values"),
    [
        (Integer(-3, 9), Interval(Fraction(0), False, Fraction(4), False), {0, 1, 3, 4}),
        (Integer(), Interval(Fraction(2), False, None, True), {2, 3}),
        (Integer(), Interval(Fraction(2), False, Fraction(2), False), {2}),
        (Real(), Interval(Fraction(0), False, Fraction(0), False), {Fraction(0)}),
    ],
)
def test_values_at_the_borders_of_a_cell(domain, literal, values):
    grid = Grid.INTEGERS if isinstance(domain, Integer) else Grid.DENSE
    assert set(border_values(interval_set(grid, [literal]))) == values


def test_values_at_the_borders_of_reals_and_floats():
    opened = border_values(interval_set(Grid.DENSE, [Interval(Fraction(0), True, Fraction(1), False)]))
    assert opened[0] == 1
    assert 0 < min(opened) < Fraction(1, 1000), "close to the open end"
    assert 0 not in opened
    floats = border_values(interval_set(Grid.FLOAT32, [Interval(Fraction(1), True, None, True)]))
    assert 1 + Fraction(1, 1 << 23) in floats, "the least float32 number above 1"
    assert Float32.binary.highest in floats
    assert border_values(interval_set(Grid.FLOAT32, [], missing=True)) == (MISSING,)


@given(property_cases())
def test_property_cases_are_cases(case):
    assert isinstance(case, Case)
    assert 0 <= case.dice < 1 << 32


def satisfies(graph, point):
    """Return the tests of Eq. 1 and of Eq. 2 by their text, over one point of every combination of cells."""
    home = [next(k for k, cell in enumerate(cells) if v in cell) for v, cells in zip(point, graph.cells, strict=True)]
    others = [
        combination
        for combination in itertools.product(*(range(len(cells)) for cells in graph.cells))
        if graph.kappa(tuple(c[k].representative() for c, k in zip(graph.cells, combination, strict=True)))
        != graph.kappa(point)
    ]

    def changed(free):
        return any(all(k == h or i in free for i, (k, h) in enumerate(zip(o, home, strict=True))) for o in others)

    return changed


@given(cases(), st.data())
def test_seeds_satisfy_equations_1_and_2(case, data):
    graph, point = case
    changed = satisfies(graph, point)
    everything = frozenset(range(len(point)))
    assert not changed(everything - data.draw(weak_axp_seeds(graph, point)))
    found = changes(graph, point)
    if found:
        assert changed(data.draw(weak_cxp_seeds(graph, point)))
        for change in found:
            assert changed(change)
            assert not any(changed(change - {feature}) for feature in change)
    else:
        assert not changed(everything)
    # The minimal changes say all there is to say: every set of features is judged as the text judges it.
    for size in range(len(point) + 1):
        for free in map(frozenset, itertools.combinations(range(len(point)), size)):
            assert changed(free) == any(change <= free for change in found)


def test_every_weak_axp_and_weak_cxp_can_be_a_seed():
    graph, point = next(
        (graph, point)
        for graph, point in generate(cases(size=20), 200)[0]
        if len(changes(graph, point)) > 2 and len(point) == 4
    )
    found = changes(graph, point)
    everything = [frozenset(s) for k in range(5) for s in itertools.combinations(range(4), k)]
    seeds = set(generate(weak_axp_seeds(graph, point), 300)[0])
    assert seeds == {s for s in everything if all(s & change for change in found)}
    seeds = set(generate(weak_cxp_seeds(graph, point), 300)[0])
    assert seeds == {s for s in everything if any(change <= s for change in found)}


def test_a_constant_classifier_has_no_weak_cxp():
    graph = decision_graph("constant", [Feature("f", Boolean())], ["c"], {"t": Terminal(0)})
    assert changes(graph, (False,)) == ()
    assert set(generate(weak_axp_seeds(graph, (False,)), 20)[0]) == {frozenset(), frozenset([0])}
    with pytest.raises(ValueError, match="κ is constant"):
        generate(weak_cxp_seeds(graph, (False,)), 1)


@pytest.mark.parametrize("broken", INVALID)
def test_an_invalid_source_is_refused_with_the_right_error(broken):
    drawn, rejected = generate(invalid_sources(broken, size=14), 50)
    assert rejected == 0
    for source in drawn:
        assert len(source.nodes) <= 14
        if INVALID[broken] in (UncoveredError, InconsistentPathError):
            graph = source.build("broken")
            with pytest.raises(INVALID[broken]):
                check_assumptions(graph)
            continue
        with pytest.raises(INVALID[broken]) as caught:
            source.build("broken")
        if broken == "foreign literal":
            assert type(caught.value) is LiteralError
        assert isinstance(caught.value, ModelError)


def paths(graph):
    """Yield the product of cells that each path to a terminal leaves, as sets of indices a feature."""
    stack = [(0, tuple(frozenset(range(len(cells))) for cells in graph.cells))]
    while stack:
        node, left = stack.pop()
        if graph.is_terminal(node):
            yield left
        feature = graph.feature_of[node]
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            rest = left[feature] & {k for low, high in graph.literal_cells[index] for k in range(low, high)}
            stack.append((child, (*left[:feature], rest, *left[feature + 1 :])))


def test_lawless_graphs_break_one_assumption_and_keep_the_other():
    """By the definitions: (i) is that every point reaches a terminal, (ii) that every path leaves some point."""
    for assumption in ("i", "ii"):
        drawn, rejected = generate(lawless_graphs(assumption), 80)
        assert rejected == 0
        for graph in drawn:
            left = list(paths(graph))
            assert all(all(cells) for cells in left) == (assumption == "i")
            reached = sum(math.prod(map(len, cells)) for cells in left)
            assert (reached == math.prod(map(len, graph.cells))) == (assumption == "ii")


@pytest.mark.parametrize(("assumption", "error"), [("i", UncoveredError), ("ii", InconsistentPathError)])
def test_lawless_cases_have_a_class(assumption, error):
    drawn, rejected = generate(lawless_cases(assumption), 60)
    assert rejected == 0
    for case in drawn:
        assert in_feature_space(case.graph, case.instance)
        assert 0 <= case.graph.kappa(case.instance) < len(case.graph.classes)
        with pytest.raises(error):
            check_assumptions(case.graph)


def test_sources_with_tests_are_not_constant():
    for source in generate(sources(size=6, tests=True), 100)[0]:
        assert len(set(source.build("").class_of)) > 2
