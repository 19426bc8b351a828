"""Which graphs are decision graphs: each broken condition is refused by its own error, on the right object."""

import itertools
import random

import pytest
from hypothesis import given

from xpgcheck.errors import DomainError, ModelError, UndecidedError
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError, check_assumptions
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Integer, Real
from xpgcheck.model.graph_errors import (
    CycleError,
    EmptyLiteralError,
    LiteralError,
    OverlapError,
    RootError,
    StructureError,
    UnreachableError,
)
from xpgcheck.model.literals import read_literal
from xpgcheck.properties.strategies import cases, graphs, trees

FEATURES = [Feature("n", Integer()), Feature("b", Boolean()), Feature("c", Categorical(("x", "y", "z")))]


def literal(feature, *items):
    return read_literal(FEATURES[feature].domain, items)


def build(nodes, root=None):
    graph = decision_graph("test", FEATURES, ["no", "yes"], nodes, root)
    check_assumptions(graph)
    return graph


def split(feature, *edges):
    return NonTerminal(feature, tuple((child, literal(feature, *items)) for child, *items in edges))


NO, YES = Terminal(0), Terminal(1)


def test_kappa_follows_the_literals():
    graph = build(
        {"r": split(0, ("a", "(-inf, 3]"), ("y", "(3, inf)")), "a": split(1, ("y", 1), ("n", 0)), "y": YES, "n": NO}
    )
    assert [graph.kappa((n, b, "x")) for n, b in ((3, True), (3, False), (4, False))] == [1, 0, 1]
    assert graph.depth() == 2
    assert graph.node_ids[0] == "r"
    assert not graph.is_tree()


def test_parallel_edges_become_one_under_the_union_of_their_literals():
    graph = build({"r": split(2, ("y", "x"), ("y", "z"), ("n", "y")), "y": YES, "n": NO})
    assert [str(edge.values) for edge in graph.edges(0)] == ["{x, z}", "{y}"]


def test_a_constant_classifier_is_legal():
    graph = build({"t": YES})
    assert graph.kappa((0, False, "x")) == 1
    assert graph.depth() == 0


@pytest.mark.parametrize(
    ("nodes", "root", "error", "at_fault"),
    [
        ({}, None, StructureError, ()),
        ({"r": split(1, ("r", 1), ("n", 0)), "n": NO}, None, CycleError, ("r", "r")),
        (
            {"r": split(1, ("a", 1), ("n", 0)), "a": split(1, ("r", 1), ("n", 0)), "n": NO},
            None,
            CycleError,
            ("r", "a", "r"),
        ),
        ({"r": split(1, ("y", 1), ("n", 0)), "y": YES, "n": NO, "z": NO}, None, RootError, ("r", "z")),
        ({"r": split(1, ("y", 1), ("n", 0)), "y": YES, "n": NO, "z": NO}, "r", UnreachableError, ("z",)),
        ({"r": split(1, ("y", 1), ("n", 0)), "y": YES, "n": NO}, "y", RootError, ("y",)),
        ({"r": split(1, ("y", 1), ("n", 0)), "y": YES, "n": NO}, "q", RootError, ()),
        ({"r": split(1, ("y", 1), ("gone", 0)), "y": YES}, None, StructureError, ("r",)),
        ({"r": NonTerminal(1, ())}, None, StructureError, ("r",)),
        ({"r": NonTerminal(7, (("y", literal(1, 1)),)), "y": YES}, None, StructureError, ("r",)),
        ({"r": Terminal(2)}, None, StructureError, ("r",)),
    ],
)
def test_broken_structure_is_refused_with_the_nodes_at_fault(nodes, root, error, at_fault):
    with pytest.raises(StructureError) as caught:
        build(nodes, root)
    assert type(caught.value) is error
    if at_fault:
        assert caught.value.nodes == at_fault
    assert caught.value.mend
    assert "\n" not in str(caught.value)


def test_overlapping_literals():
    with pytest.raises(OverlapError) as caught:
        build({"r": split(0, ("y", "(-inf, 3]"), ("n", "[3, inf)")), "y": YES, "n": NO})
    assert (caught.value.node, caught.value.feature, str(caught.value.values)) == ("r", 0, "[3, 3]")


def test_parallel_edges_must_not_overlap_either():
    with pytest.raises(StructureError, match="overlap"):
        build({"r": split(2, ("y", "x", "y"), ("y", "y"), ("n", "z")), "y": YES, "n": NO})


def test_empty_literals():
    with pytest.raises(EmptyLiteralError) as caught:
        build({"r": split(0, ("y", "(3, 4)"), ("n", "(-inf, inf)")), "y": YES, "n": NO})
    assert caught.value.node == "r"


def test_a_literal_of_another_kind_of_set():
    with pytest.raises(LiteralError):
        build({"r": NonTerminal(0, (("y", literal(1, 1)),)), "y": YES})


def test_uncovered_values_at_the_root():
    with pytest.raises(UncoveredError) as caught:
        build({"r": split(0, ("y", "(-inf, 3]"), ("n", "[5, inf)")), "y": YES, "n": NO})
    assert (caught.value.path, str(caught.value.values)) == (("r",), "[4, 4]")


def test_uncovered_values_on_one_path_only():
    nodes = {
        "r": split(1, ("a", 1), ("s", 0)),
        "a": split(2, ("s", "x", "y"), ("n", "z")),
        "s": split(2, ("y", "x"), ("n", "y")),
        "y": YES,
        "n": NO,
    }
    with pytest.raises(UncoveredError) as caught:
        build(nodes)
    assert (caught.value.path, str(caught.value.values)) == (("r", "s"), "{z}")


def test_an_inconsistent_path_names_path_feature_and_what_is_left():
    nodes = {
        "r": split(0, ("a", "(-inf, 3]"), ("y", "(3, inf)")),
        "a": split(1, ("b", 1), ("n", 0)),
        "b": split(0, ("n", "(-inf, 5]"), ("y", "(5, inf)")),
        "y": YES,
        "n": NO,
    }
    with pytest.raises(InconsistentPathError) as caught:
        build(nodes)
    error = caught.value
    assert (error.path, error.feature, str(error.values)) == (("r", "a", "b", "y"), 0, "(-inf, 3]")


def test_a_path_may_be_inconsistent_over_float32_alone():
    """1 < x < the next float32: consistent over the reals, empty over the float32 numbers."""
    upper = "1.00000011920928955078125"
    for domain, error in ((Real(), None), (Float32(), InconsistentPathError)):
        lit = [
            read_literal(domain, [text]) for text in ("(-inf, 1]", "(1, inf)", f"(-inf, {upper})", f"[{upper}, inf)")
        ]
        nodes = {
            "r": NonTerminal(0, (("n", lit[0]), ("a", lit[1]))),
            "a": NonTerminal(0, (("y", lit[2]), ("n", lit[3]))),
            "y": YES,
            "n": NO,
        }
        graph = decision_graph("f", [Feature("x", domain)], ["no", "yes"], nodes)
        if error is None:
            check_assumptions(graph)
        else:
            with pytest.raises(error):
                check_assumptions(graph)


def test_a_limit_on_states_is_undecided_and_names_the_feature():
    graph = decision_graph(
        "t",
        FEATURES,
        ["no", "yes"],
        {
            "r": split(0, ("a", "(-inf, 3]"), ("y", "(3, inf)")),
            "a": split(0, ("n", "(-inf, 1]"), ("y", "(1, inf)")),
            "y": YES,
            "n": NO,
        },
    )
    check_assumptions(graph, limit=2)
    with pytest.raises(UndecidedError, match="'n'") as caught:
        check_assumptions(graph, limit=1)
    assert caught.value.exit_status == 3


def test_no_features_duplicate_names_and_empty_domains():
    with pytest.raises(ModelError, match="no features"):
        decision_graph("t", [], ["a"], {"t": Terminal(0)})
    with pytest.raises(ModelError, match="declared twice"):
        decision_graph("t", [Feature("n", Boolean())] * 2, ["a"], {"t": Terminal(0)})
    with pytest.raises(ModelError, match="declared twice"):
        decision_graph("t", FEATURES, ["a", "a"], {"t": Terminal(0)})
    for make in (lambda: Categorical(()), lambda: Integer(2, 1), lambda: Categorical(("a", "a"))):
        with pytest.raises(DomainError):
            make()


def test_a_long_chain_needs_no_recursion():
    depth = 5_000
    nodes = {
        k: NonTerminal(0, ((k + 1, literal(0, f"({k}, inf)")), ("no", literal(0, f"(-inf, {k}]"))))
        for k in range(depth)
    }
    graph = decision_graph("chain", FEATURES, ["no", "yes"], {**nodes, depth: YES, "no": NO})
    check_assumptions(graph)
    assert graph.depth() == depth


@given(graphs())
def test_generated_graphs_satisfy_both_assumptions(graph):
    check_assumptions(graph)


@given(trees())
def test_generated_trees_are_trees(graph):
    assert graph.is_tree()


def paths(graph, node=0):
    """Every path from *node* to a terminal, as lists of (node, edge) steps: the definition, exponential."""
    if graph.is_terminal(node):
        yield []
    for edge in graph.edges(node):
        for rest in paths(graph, edge.child):
            yield [(node, edge), *rest]


def holds_by_definition(graph):
    """Assumptions (i) and (ii) path by path, from their text."""
    for path in paths(graph):
        left = [feature.domain.all_values() for feature in graph.features]
        for node, edge in path:
            feature = graph.feature_of[node]
            gap = left[feature]
            for out in graph.edges(node):
                gap = gap.difference(out.values)
            left[feature] = left[feature].intersection(edge.values)
            if left[feature].is_empty() or not gap.is_empty():
                return False
    return True


def unfolded(nodes, root):
    """The tree of the paths from *root*: a copy of a node for each."""
    copies, waiting = {}, [(root, root)]
    while waiting:
        name, original = waiting.pop()
        node = nodes[original]
        if isinstance(node, NonTerminal):
            ends = [(f"{name} {position}", child) for position, (child, _) in enumerate(node.edges)]
            waiting += ends
            edges = [(end, values) for (end, _), (_, values) in zip(ends, node.edges, strict=True)]
            node = NonTerminal(node.feature, tuple(edges))
        copies[name] = node
    return copies


@pytest.mark.parametrize("tree", [False, True])
def test_the_check_of_assumptions_agrees_with_the_definition_on_random_graphs(tree):
    rng = random.Random(7)
    verdicts = []
    for _ in range(1500):
        features = [Feature("n", Integer(0, 3)), Feature("c", Categorical(("x", "y", "z")))]
        inner = rng.randint(1, 4)
        nodes = {"no": NO, "yes": YES}
        for k in range(inner):
            feature = rng.randrange(2)
            values = list(range(4)) if feature == 0 else list("xyz")
            if rng.random() < 0.1:
                values.remove(rng.choice(values))
            rng.shuffle(values)
            cut = rng.randint(1, len(values) - 1)
            targets = [*(f"k{j}" for j in range(k + 1, inner)), "no", "yes"]
            ends = rng.sample(targets, 2)
            nodes[f"k{k}"] = NonTerminal(
                feature,
                tuple(
                    (end, read_literal(features[feature].domain, part))
                    for end, part in zip(ends, (values[:cut], values[cut:]), strict=True)
                ),
            )
        if tree:
            nodes = unfolded(nodes, "k0")
        reached, stack = {"k0"}, ["k0"]
        while stack:
            node = nodes[stack.pop()]
            for child, _ in node.edges if isinstance(node, NonTerminal) else ():
                if child not in reached:
                    reached.add(child)
                    stack.append(child)
        graph = decision_graph("r", features, ["no", "yes"], {k: n for k, n in nodes.items() if k in reached}, "k0")
        try:
            check_assumptions(graph)
            verdict = True
        except LiteralError:
            verdict = False
        assert graph.is_tree() or not tree
        assert verdict == holds_by_definition(graph)
        verdicts.append(verdict)
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.9


@given(cases())
def test_every_point_reaches_exactly_one_terminal_and_every_terminal_is_reached(case):
    """Propositions 2 and 3."""
    graph, point = case
    assert in_feature_space(graph, point)
    consistent = [
        path for path in paths(graph) if all(point[graph.feature_of[node]] in edge.values for node, edge in path)
    ]
    ends = {path[-1][1].child if path else 0 for path in consistent}
    assert ends == {graph.terminal(point)}
    representatives = [[cell.representative() for cell in cells] for cells in graph.cells]
    reached = {graph.terminal(p) for p in itertools.product(*representatives)}
    assert reached == {node for node in range(graph.node_count) if graph.is_terminal(node)}
