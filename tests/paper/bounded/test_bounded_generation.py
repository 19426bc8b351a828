"""The generator makes every graph once: against trying everything, and against counts that need no graphs."""

import math
from collections import Counter

import naive_graphs
import pytest

from xpgcheck.errors import XpgcheckError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.paper.bounded import generation
from xpgcheck.paper.bounded.counting import decision_graphs, graphs_testing
from xpgcheck.paper.bounded.generation import Assumed, Bound, generate, orbit
from xpgcheck.paper.bounded.law_evidence import read_bound

MEANT = {Assumed.BOTH: (True, True), Assumed.WITHOUT_I: (None, True), Assumed.WITHOUT_II: (None, None)}


def made(bound, assumed=Assumed.BOTH, **options):
    pairs, names = Counter(), Counter()
    for graph in generate(bound, assumed, **options):
        pairs[len(graph.rows)] += 1
        names[len(graph.rows)] += orbit(bound, graph)
    return pairs, names


def tried(bound, nodes, assumed):
    for graph in naive_graphs.labelled(nodes, bound.features, bound.values, bound.classes):
        if assumed is Assumed.WITHOUT_II:
            if all(target is not None for _, row in graph for target in row):
                yield graph
            continue
        covered, consistent = naive_graphs.assumptions(graph, bound.features, bound.values)
        if consistent and (covered or assumed is Assumed.WITHOUT_I):
            yield graph


@pytest.mark.parametrize("assumed", Assumed)
@pytest.mark.parametrize("bound", [Bound(2, 2, 2, 2), Bound(2, 1, 3, 2), Bound(2, 2, 3, 1), Bound(2, 2, 2, 3)], ids=str)
def test_as_many_as_by_trying_everything(bound, assumed):
    pairs, names = made(bound, assumed)
    for nodes in range(1, bound.nodes + 1):
        found = list(tried(bound, nodes, assumed))
        assert names[nodes] == len(found) / math.factorial(nodes - 1)
        assert pairs[nodes] == naive_graphs.kinds(iter(found), bound.features, bound.values, bound.classes)


@pytest.mark.parametrize("assumed", Assumed)
def test_as_many_of_three_nodes_as_by_trying_everything(assumed):
    bound = Bound(3, 2, 2, 2)
    pairs, names = made(bound, assumed)
    found = list(tried(bound, 3, assumed))
    assert names[3] == len(found) / 2
    assert pairs[3] == naive_graphs.kinds(iter(found), 2, 2, 2)


@pytest.mark.parametrize("bound", ["3,3,2,2", "3,2,3,2", "3,3,3,2", "3,1,3,2", "3,2,2,4", "4,2,2,2"])
def test_as_many_as_counted_without_graphs(bound):
    bound = read_bound(bound)
    numbers = range(bound.nodes + 1)
    for assumed in Assumed:
        if assumed is not Assumed.WITHOUT_I or bound.values**bound.features < 16:
            assert made(bound, assumed)[1] == {n: decision_graphs(bound, n, assumed) for n in numbers}


@pytest.mark.parametrize("tested", [0, 1, 2, 3])
def test_as_many_that_test_so_many_features(tested):
    bound = Bound(3, 3, 2, 2)
    names = made(bound, tested=tested)[1]
    assert {n: names[n] for n in range(4)} == {n: graphs_testing(bound, n, tested) for n in range(4)}


MUTATIONS = {
    "one renaming kept": ("_still_open", lambda rows, renamings: tuple(renamings)[:1]),
    "texts with symmetries lost": ("_still_open", lambda rows, renamings: still_open(rows, renamings)),
    "assumption (i) forgotten": (
        "_paths",
        lambda bound, assumed, rows, paths: generation_paths(bound, Assumed.WITHOUT_I, rows, paths),
    ),
    "what the root leaves open forgotten": ("_all_open", lambda bound: 0),
    "untested features not renamed": ("_automorphisms", lambda bound, part, group: len(part.open)),
}
generation_paths, generation_still_open = generation._paths, generation._still_open


def still_open(rows, renamings):
    found = generation_still_open(rows, renamings)
    return None if found and len(found) == 2 else found


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_mutated_generator_is_counted_out(mutation, monkeypatch):
    bound = Bound(3, 3, 3, 2)
    name, wrong = MUTATIONS[mutation]
    monkeypatch.setattr(generation, name, wrong)
    names = made(bound)[1]
    assert any(names[n] != decision_graphs(bound, n) for n in range(1, 4))


def test_shares_are_disjoint_and_everything():
    bound = Bound(3, 2, 3, 2)
    everything = [graph.rows for graph in generate(bound)]
    parts = [[graph.rows for graph in generate(bound, share=(k, 3))] for k in range(3)]
    assert sorted(everything) == sorted(rows for part in parts for rows in part)
    assert len(set(everything)) == len(everything)
    assert all(parts)


def test_small_graphs_come_first():
    sizes = [len(graph.rows) for graph in generate(Bound(3, 2, 2, 2))]
    assert sizes == sorted(sizes)


def test_the_assumptions_are_the_projects():
    domain = Categorical(("0", "1"))
    features = [Feature("a", domain), Feature("b", domain)]
    seen = Counter()
    for graph in naive_graphs.labelled(2, 2, 2, 2):
        nodes = {f"c{number}": Terminal(number) for number in range(2) if any(f"c{number}" in row for _, row in graph)}
        for number, (feature, row) in enumerate(graph):
            targets = [target for target in dict.fromkeys(row) if target is not None]
            edges = tuple(
                (target, FiniteSet(frozenset(str(v) for v in range(2) if row[v] == target))) for target in targets
            )
            nodes[f"n{number}"] = NonTerminal(feature, edges)
        meant = naive_graphs.assumptions(graph, 2, 2) == (True, True)
        try:
            check_assumptions(decision_graph("g", features, ["0", "1"], nodes, "n0"))
            accepted = True
        except XpgcheckError:
            accepted = False
        assert accepted == meant, graph
        seen[meant] += 1
    assert seen[True] == 80
    assert seen[False]
