"""DOT and indented text: every node, edge, literal and class is there, and names are shown as they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from xpgcheck import embedded
from xpgcheck.errors import InstanceError
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Integer, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies import cases, graphs
from xpgcheck.writers.dot import dot_text
from xpgcheck.writers.literal_text import literal_text
from xpgcheck.writers.text_tree import tree_text

ZERO, ONE = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))

ODD = 'say "hi" \\N &amp; <b>|{x}'


def odd_names() -> DecisionGraph:
    nodes = {"a": NonTerminal(0, (("b", ZERO), ("c", ONE))), "b": Terminal(0), "c": Terminal(1)}
    return decision_graph("g", [Feature(ODD, Boolean())], ["line\nfeed", "ç"], nodes)


def shared() -> DecisionGraph:
    """x_0 xor x_1 xor x_2, as an OBDD."""
    nodes = {0: NonTerminal(0, ((1, ZERO), (2, ONE))), 5: Terminal(0), 6: Terminal(1)}
    nodes |= {1: NonTerminal(1, ((3, ZERO), (4, ONE))), 2: NonTerminal(1, ((4, ZERO), (3, ONE)))}
    nodes |= {3: NonTerminal(2, ((5, ZERO), (6, ONE))), 4: NonTerminal(2, ((6, ZERO), (5, ONE)))}
    return decision_graph("xor", [Feature(f"x_{i}", Boolean()) for i in range(3)], ["even", "odd"], nodes)


@pytest.mark.parametrize(
    ("domain", "items", "text"),
    [
        (Boolean(), [1], "x = 1"),
        (Boolean(), [0, 1], "x in {0, 1}"),
        (Categorical(("b", "a", "c")), ["a"], "x = a"),
        (Categorical(("b", "a", "c")), ["c", "b"], "x in {b, c}"),
        (Integer(), ["(-inf, 3]"], "x <= 3"),
        (Integer(), ["[3, inf)"], "x >= 3"),
        (Integer(), [3], "x = 3"),
        (Real(), ["(-inf, 1/3)"], "x < 1/3"),
        (Real(), ["(0.1, inf)"], "x > 0.1"),
        (Real(), ["(0, 1]"], "x in (0, 1]"),
        (Real(), ["(-inf, 0)", "[1, 2)", 7], "x in (-inf, 0) or [1, 2) or [7, 7]"),
        (Real(), ["(-inf, inf)"], "x is a number"),
        (Float32(True), ["(-inf, 0.5]", "missing"], "x <= 0.5 or is missing"),
        (Float32(True), ["(-inf, 0.5]", "[1, 2]", "missing"], "x in (-inf, 0.5] or [1, 2] or is missing"),
        (Float32(True), ["missing"], "x is missing"),
        (Float32(True), [], "x in {}"),
    ],
)
def test_literals_in_words(domain, items, text) -> None:
    assert literal_text("x", domain, read_literal(domain, items)) == text


def test_a_tree_as_text() -> None:
    assert tree_text(embedded.load("omdd").graph, max_depth=2) == (
        "|--- x3 = 0\n"
        "|   |--- class: R\n"
        "|--- x3 = 1\n"
        "|   |--- x2 = 0\n"
        "|   |   |--- class: R\n"
        "|   |--- x2 = 1\n"
        "|   |   |--- (left out: what is below node 4)\n"
        "|--- x3 = 2\n"
        "|   |--- x2 = 0\n"
        "|   |   |--- class: R\n"
        "|   |--- x2 = 1\n"
        "|   |   |--- (left out: what is below node 5)\n"
    )


def test_shared_nodes_are_written_once_and_referred_to() -> None:
    assert tree_text(shared()) == (
        "|--- x_0 = 0\n"
        "|   |--- x_1 = 0  [node 3]\n"
        "|   |   |--- x_2 = 0\n"
        "|   |   |   |--- class: even\n"
        "|   |   |--- x_2 = 1\n"
        "|   |   |   |--- class: odd\n"
        "|   |--- x_1 = 1  [node 4]\n"
        "|   |   |--- x_2 = 0\n"
        "|   |   |   |--- class: odd\n"
        "|   |   |--- x_2 = 1\n"
        "|   |   |   |--- class: even\n"
        "|--- x_0 = 1\n"
        "|   |--- x_1 = 0  [node 4], written out above\n"
        "|   |--- x_1 = 1  [node 3], written out above\n"
    )


def test_a_constant_model_as_text() -> None:
    graph = decision_graph("one", [Feature("x", Boolean())], ["a"], {1: Terminal(0)})
    assert tree_text(graph) == "|--- class: a\n"
    assert tree_text(graph, max_depth=0) == "|--- class: a\n"
    assert tree_text(shared(), max_depth=0) == "|--- (left out: what is below node 0)\n"


def test_a_chain_deeper_than_the_recursion_limit() -> None:
    size = 3_000
    nodes = {i: NonTerminal(0, ((i + 1, read_literal(Integer(), [i])), (-1, read_literal(Integer(), [f"({i}, inf)"]))))
             for i in range(size)}  # fmt: skip
    graph = decision_graph(
        "deep", [Feature("x", Integer(0))], ["a", "b"], {**nodes, size: Terminal(0), -1: Terminal(1)}
    )
    assert tree_text(graph).count("left out") == 1
    assert tree_text(graph, max_depth=None).count("\n") == 2 * size + size + 1
    assert dot_text(graph).count("->") == 2 * size


@given(graphs())
def test_every_edge_and_class_is_in_the_text(graph: DecisionGraph) -> None:
    text = tree_text(graph, max_depth=None)
    edges = sum(map(len, graph.children))
    classes = len(re.findall(r"^[| ]*--- class: ", text, re.MULTILINE))
    terminal_edges = sum(graph.is_terminal(child) for children in graph.children for child in children)
    assert text.count("\n") == edges + classes
    assert classes == max(terminal_edges, 1) if graph.node_count == 1 else terminal_edges


@given(graphs())
def test_every_node_and_edge_is_in_the_dot(graph: DecisionGraph) -> None:
    text = dot_text(graph)
    assert re.findall(r"^  n(\d+) \[", text, re.MULTILINE) == [str(node) for node in range(graph.node_count)]
    edges = [(str(node), str(child)) for node, children in enumerate(graph.children) for child in children]
    assert re.findall(r"^  n(\d+) -> n(\d+) \[label=\"[^\"]+\"\];$", text, re.MULTILINE) == edges


@given(cases())
def test_the_path_of_an_instance_is_bold_in_the_dot(case: tuple[DecisionGraph, Point]) -> None:
    graph, point = case
    text = dot_text(graph, point)
    (end,) = re.findall(r"^  n(\d+) \[.*peripheries=2", text, re.MULTILINE)
    assert int(end) == graph.terminal(point)
    bold = re.findall(r"^  n(\d+) -> n(\d+) .*style=bold", text, re.MULTILINE)
    assert [int(start) for start, _ in bold[:1]] in ([0], [])
    assert [child for _, child in bold[:-1]] == [node for node, _ in bold[1:]]


def test_dot_shows_names_as_they_are() -> None:
    text = dot_text(odd_names())
    assert r'label="say \"hi\" \\N &amp;amp; <b>|{x}"' in text
    assert r'label="line\\u000afeed"' in text
    assert 'label="ç"' in text


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["odd", "omdd", "iris"])
def test_another_program_reads_the_dot(name: str) -> None:
    pydot = pytest.importorskip("pydot", reason="pydot is not installed")
    graph = odd_names() if name == "odd" else embedded.load(name).graph
    (read,) = pydot.graph_from_dot_data(dot_text(graph))
    assert len(read.get_edges()) == sum(map(len, graph.children))
    assert {node.get_name() for node in read.get_nodes()} >= {f"n{node}" for node in range(graph.node_count)}


def test_a_point_outside_feature_space_is_refused() -> None:
    with pytest.raises(InstanceError, match="not in the model's feature space"):
        dot_text(shared(), (True,))
