"""Plain evaluation against this project's own code, and what was assumed without loss of generality."""

import itertools
import json
import random

import pytest
from graph_kinds import is_of_kind

from xpgcheck import explanation_graph
from xpgcheck.paper.symbolic import plain
from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.plain import Table
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json
from xpgcheck.xpg.find_one import find_axp_by_deletion, find_cxp_by_deletion


def random_tables(size, kind, count, seed=0):
    """Yield tables of *kind* whose instance has the class of SAME."""
    dice = random.Random(seed)
    while count:
        feature = tuple(dice.randrange(size.features) for _ in range(size.nodes))
        leads = tuple(tuple((dice.choice(size.below(node)),) for _ in range(size.values)) for node in range(size.nodes))
        table = Table(size, feature, leads)
        if is_of_kind(table, kind) and not plain.other_class(table, (0,) * size.features):
            count -= 1
            yield table


def subsets(size):
    features = range(size.features)
    return [frozenset(c) for count in range(size.features + 1) for c in itertools.combinations(features, count)]


def read(table):
    return parse_json(json.dumps(plain.document(table, "table")).encode())


CASES = [
    (Size(4, 3, 2), GraphKind.READ_ONCE),
    (Size(4, 3, 3), GraphKind.CONSISTENT),
    (Size(3, 2, 3), GraphKind.READ_ONCE),
]


@pytest.mark.parametrize(("size", "kind"), CASES, ids=str)
def test_sigma_kappa_and_the_algorithms_are_those_of_the_project(size, kind):
    everything = frozenset(range(size.features))
    values = [False, True] if size.values == 2 else ["0", "1", "2"]
    for table in random_tables(size, kind, 60):
        graph = read(table)
        instance = (values[0],) * size.features
        if len(graph.feature_of) == 1:
            continue
        xpg = explanation_graph(graph, instance)
        for x in plain.points(size):
            point = tuple(values[k] for k in x)
            assert (graph.classes[graph.kappa(point)] == "other") is plain.other_class(table, x)
        for fixed in subsets(size):
            assert xpg.sigma(fixed) is plain.sigma(table, fixed)
            if plain.suffices(table, fixed):
                assert find_axp_by_deletion(xpg, fixed) == plain.algorithm_2(table, fixed)
            else:
                assert find_cxp_by_deletion(xpg, everything - fixed) == plain.algorithm_3(table, everything - fixed)


@pytest.mark.parametrize(("size", "kind"), CASES, ids=str)
def test_the_assumptions_are_read_as_the_project_reads_them(size, kind):
    from xpgcheck.model.assumptions import check_assumptions
    from xpgcheck.model.graph_errors import LiteralError

    judged = {True: 0, False: 0}
    for table in random_tables(size, GraphKind.INCONSISTENT, 300, seed=1):
        try:
            check_assumptions(read(table))
            fine = True
        except LiteralError:
            fine = False
        assert fine is is_of_kind(table, GraphKind.CONSISTENT)
        judged[fine] += 1
    assert min(judged.values()) > 20


@pytest.mark.parametrize(("size", "kind"), CASES, ids=str)
def test_values_that_lead_nowhere_are_read_as_the_project_reads_them(size, kind):
    from xpgcheck.errors import ModelError

    dice = random.Random(7)
    judged = {True: 0, False: 0}
    for table in random_tables(size, GraphKind.CONSISTENT, 400, seed=8):
        # Take some edges away from a graph that tests features again: often no path leaves their values.
        leads = [tuple(() if dice.random() < 0.1 else ways for ways in node) for node in table.leads]
        less = Table(size, table.feature, tuple(leads))
        if less.leads == table.leads:
            continue
        try:
            read(less)
            fine = True
        except ModelError:
            fine = False
        assert fine is is_of_kind(less, GraphKind.CONSISTENT)
        judged[fine] += 1
    assert min(judged.values()) > 20


def test_a_document_is_what_the_writer_writes():
    table = next(random_tables(Size(3, 2, 3), GraphKind.READ_ONCE, 1, seed=3))
    document = plain.document(table, "table")
    written = json.loads(model_json(read(table)))
    assert sorted(document["nodes"], key=lambda node: node["id"]) == sorted(
        written["nodes"], key=lambda node: node["id"]
    )
    assert {key: value for key, value in document.items() if key != "nodes"} == {
        key: value for key, value in written.items() if key != "nodes"
    }


@pytest.mark.parametrize(("size", "kind"), CASES, ids=str)
def test_every_instance_is_the_zero_instance_of_a_graph_with_renamed_values(size, kind):
    # σ and Eq. 1 at an instance v of the project's own code are those at (0, …, 0) of the renamed graph.
    values = [False, True] if size.values == 2 else ["0", "1", "2"]
    for table in random_tables(size, kind, 25, seed=2):
        graph = read(table)
        if len(graph.feature_of) == 1:
            continue
        for v in plain.points(size):
            renamed = rename(table, v)
            xpg = explanation_graph(graph, tuple(values[k] for k in v))
            for fixed in subsets(size):
                assert xpg.sigma(fixed) is plain.sigma(renamed, fixed)
            assert is_of_kind(renamed, kind)


def rename(table, v):
    """Swap v_i and 0 at every node of feature i, and the terminals where v has the other class."""
    size = table.size
    swapped = {size.same: size.other, size.other: size.same} if plain.other_class(table, v) else {}
    leads = []
    for node, children in enumerate(table.leads):
        own = list(children)
        own[0], own[v[table.feature[node]]] = own[v[table.feature[node]]], own[0]
        leads.append(tuple(tuple(swapped.get(q, q) for q in ways) for ways in own))
    return Table(size, table.feature, tuple(leads))


@pytest.mark.parametrize(("size", "kind"), CASES, ids=str)
def test_a_graph_over_fewer_values_is_one_whose_further_values_lead_where_the_last_does(size, kind):
    for table in random_tables(size, kind, 25, seed=6):
        larger = Size(size.nodes + 1, size.features + 1, size.values + 1)
        moved = {size.same: larger.same, size.other: larger.other}
        leads = [tuple(tuple(moved.get(q, q) for q in ways) for ways in (*node, node[-1])) for node in table.leads]
        spare = ((larger.same,),) * larger.values
        same = Table(larger, (*table.feature, 0), (*leads, spare))
        assert is_of_kind(same, kind)
        for fixed in subsets(size):
            assert plain.sigma(same, fixed) is plain.sigma(table, fixed)
            assert plain.suffices(same, fixed) is plain.suffices(table, fixed)


def test_merging_the_terminals_of_other_classes_changes_no_sigma():
    # Three classes and four terminals against two.
    size = Size(4, 3, 2)
    dice = random.Random(5)
    for table in random_tables(size, GraphKind.READ_ONCE, 40, seed=4):
        document = plain.document(table, "merged")
        several = json.loads(json.dumps(document))
        several["classes"] = ["same", "other", "third"]
        added = []
        for node in several["nodes"]:
            for edge in node.get("edges", ()):
                if edge["to"] == size.other and dice.random() < 0.7:
                    edge["to"] = size.other + 1 + dice.randrange(2)
                    added.append(edge["to"])
        several["nodes"] += [{"id": key, "class": "third"} for key in sorted(set(added))]
        used = {edge["to"] for node in several["nodes"] for edge in node.get("edges", ())} | {0}
        several["nodes"] = [node for node in several["nodes"] if node["id"] in used]
        graph, merged = parse_json(json.dumps(several).encode()), read(table)
        if len(graph.feature_of) == 1:
            continue
        first, second = (explanation_graph(g, (False,) * size.features) for g in (graph, merged))
        for fixed in subsets(size):
            assert first.sigma(fixed) is second.sigma(fixed)
