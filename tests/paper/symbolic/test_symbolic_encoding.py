"""The encoding against plain Python: at small sizes, all its models are exactly all graphs, sets, and truths about them."""

import itertools

import pytest
from graph_kinds import is_of_kind

from xpgcheck.paper.symbolic import plain
from xpgcheck.paper.symbolic.algorithms import algorithm_2, algorithm_3
from xpgcheck.paper.symbolic.decoding import decoded
from xpgcheck.paper.symbolic.formulas import Formula
from xpgcheck.paper.symbolic.graphs import GraphKind, Size, graphs
from xpgcheck.paper.symbolic.plain import Table
from xpgcheck.paper.symbolic.points import changes, classes, instance_class, some_point, suffices
from xpgcheck.paper.symbolic.sigma import activation, path_to_zero

SMALL = [Size(2, 2, 2), Size(2, 1, 3)]


def models(formula, size, sets, more=()):
    """Yield (graph, sets, values of *more*) of all models, each once, the other variables projected away."""
    from pysat.solvers import Solver

    projected = [v for v, name in enumerate(formula.names, 1) if name.startswith(("tests", "leads"))]
    projected += [v for members in sets.values() for v in members] + list(more)
    with Solver(name="glucose4", bootstrap_with=formula.bare()) as solver:
        while solver.solve():
            model = solver.get_model()
            values = [literal > 0 for literal in model] + [False] * (len(formula.names) - len(model))
            found = decoded(size, set(itertools.compress(formula.names, values)), sets)
            yield found.table, tuple(found.sets.values()), tuple(values[v - 1] for v in more)
            solver.add_clause([-v if values[v - 1] else v for v in projected])


def tables(size, kind):
    """Yield every table of *kind* whose instance has the class of SAME, by trying all: no clause is involved."""
    optional = kind in (GraphKind.UNCOVERED, GraphKind.CONSISTENT)
    choices = []
    for node in range(size.nodes):
        ways = [(q,) for q in size.below(node)]
        if optional:
            ways.append(())
        if kind is GraphKind.OVERLAPPING:
            below = size.below(node)
            ways = [c for count in range(1, len(below) + 1) for c in itertools.combinations(below, count)]
        choices.append(list(itertools.product(ways, repeat=size.values)))
    for feature in itertools.product(range(size.features), repeat=size.nodes):
        for leads in itertools.product(*choices):
            table = Table(size, feature, leads)
            if is_of_kind(table, kind) and not plain.other_class(table, (0,) * size.features):
                yield table


def subsets(size):
    features = range(size.features)
    return [frozenset(c) for count in range(size.features + 1) for c in itertools.combinations(features, count)]


def symbolic_set(formula, size, name="s"):
    return tuple(formula.variable(f"{name}_f{i}") for i in range(size.features))


def sigma_faults(size, kind, left_out=()):
    """Return how the models of graph, κ, σ differ from what plain evaluation says; () where they do not."""
    formula = Formula(left_out=frozenset(left_out))
    g = graphs(formula, size, kind)
    kappa = classes(formula, g)
    s = symbolic_set(formula, size)
    zero = activation(formula, g, s, "s").zero
    found = list(models(formula, size, {"s": s}, [zero, *kappa.values()]))
    expected = {(table, (fixed,)) for table in tables(size, kind) for fixed in subsets(size)}
    faults = set()
    if len(found) != len(set(found)) or len(found) != len(expected):
        faults.add("count")
    if {(table, sets) for table, sets, _ in found} != expected:
        faults.add("graphs")
    for table, (fixed,), (is_zero, *others) in found:
        if is_zero is plain.sigma(table, fixed):
            faults.add("sigma")
        if kind is not GraphKind.CONSISTENT and others != [plain.other_class(table, x) for x in kappa]:
            faults.add("kappa")
    return faults


@pytest.mark.parametrize("kind", GraphKind)
@pytest.mark.parametrize("size", SMALL, ids=str)
def test_models_are_all_graphs_and_sets_with_their_classes_and_sigma(size, kind):
    assert not sigma_faults(size, kind)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "kind"),
    [
        (Size(3, 2, 2), GraphKind.READ_ONCE),
        (Size(3, 1, 2), GraphKind.CONSISTENT),
        (Size(3, 2, 2), GraphKind.CONSISTENT),
    ],
    ids=str,
)
def test_models_of_three_nodes_are_all_graphs(size, kind):
    assert not sigma_faults(size, kind)


@pytest.mark.parametrize("kind", GraphKind)
@pytest.mark.parametrize("size", SMALL, ids=str)
def test_eq_1_and_its_negation_have_the_models_that_plain_evaluation_says(size, kind):
    expected = {(table, fixed): plain.suffices(table, fixed) for table in tables(size, kind) for fixed in subsets(size)}
    for holds in (True, False):
        formula = Formula()
        g = graphs(formula, size, kind)
        s = symbolic_set(formula, size)
        if holds:
            suffices(formula, classes(formula, g), s, "s")
        else:
            instance_class(formula, g)
            changes(formula, some_point(formula, g, "x"), s, "s")
        found = {(table, fixed) for table, (fixed,), _ in models(formula, size, {"s": s})}
        assert found == {pair for pair, truth in expected.items() if truth is holds}


@pytest.mark.parametrize("kind", [GraphKind.READ_ONCE, GraphKind.CONSISTENT, GraphKind.INCONSISTENT])
def test_the_path_takes_no_model_away_and_ends_at_zero(kind):
    size = Size(2, 2, 2)
    found = []
    for with_path in (False, True):
        formula = Formula()
        g = graphs(formula, size, kind)
        s = symbolic_set(formula, size)
        at = activation(formula, g, s, "s")
        if with_path:
            path = path_to_zero(formula, g, at)
            more = [at.zero, *path.off.values()]
        else:
            more = [at.zero]
        found.append(list(models(formula, size, {"s": s}, more)))
    assert {(t, s, values[0]) for t, s, values in found[0]} == {(t, s, values[0]) for t, s, values in found[1]}
    assert len(found[0]) == len(found[1])  # the path is a function of the graph and the set
    for table, (fixed,), (zero, *off) in found[1]:
        followed = [x for x in plain.points(size) if not any(off[i * size.values + value] for i, value in enumerate(x))]
        if zero and kind is not GraphKind.INCONSISTENT:
            assert any(plain.end(table, x) == size.other and not any(x[i] for i in fixed) for x in followed)


@pytest.mark.parametrize(("encode", "run"), [(algorithm_2, plain.algorithm_2), (algorithm_3, plain.algorithm_3)])
@pytest.mark.parametrize("kind", [GraphKind.READ_ONCE, GraphKind.CONSISTENT])
def test_the_unrolled_algorithms_return_what_the_loops_return(encode, run, kind):
    size = Size(2, 2, 2)
    formula = Formula()
    g = graphs(formula, size, kind)
    instance_class(formula, g)
    unrolled = encode(formula, g)
    found = list(models(formula, size, {"seed": unrolled.seed, "result": unrolled.result}))
    assert len(found) == len(list(tables(size, kind))) * 4
    for table, (seed, result), _ in found:
        assert result == run(table, seed)


GROUPS = {
    GraphKind.READ_ONCE: [
        "one feature",
        "one child",
        "some child",
        "used",
        "read-once",
        "κ",
        "instance",
        "Eq. 3",
        "Eq. 4",
    ],
    GraphKind.CONSISTENT: [
        "one feature",
        "one child",
        "nowhere",
        "root",
        "left untested",
        "left tested",
        "assumption (i)",
        "assumption (ii)",
        "instance",
        "Eq. 3",
        "Eq. 4",
    ],
    GraphKind.UNCOVERED: ["nowhere", "no class"],
    GraphKind.OVERLAPPING: ["first edge", "κ"],
}


@pytest.mark.parametrize(("kind", "group"), [(kind, group) for kind, groups in GROUPS.items() for group in groups])
def test_without_any_group_of_clauses_the_models_differ(kind, group):
    size = {"left untested": Size(3, 2, 2), "κ": Size(1, 2, 2), "first edge": Size(1, 2, 2)}.get(group, Size(2, 2, 2))
    if group == "left untested":
        formula = Formula(left_out=frozenset([group]))
        graphs(formula, size, kind)
        wrong = (t for t, _, _ in models(formula, size, {}) if not is_of_kind(t, kind))
        assert next(wrong, None) is not None
    elif group == "one feature":
        with pytest.raises(ValueError, match="exactly one feature"):
            sigma_faults(size, kind, [group])
    else:
        assert sigma_faults(size, kind, [group])


def test_every_group_of_clauses_is_left_out_in_some_test():
    for kind in (GraphKind.READ_ONCE, GraphKind.CONSISTENT):
        formula = Formula()
        g = graphs(formula, Size(2, 2, 2), kind)
        classes(formula, g)
        activation(formula, g, symbolic_set(formula, g.size), "s")
        named = {group.split(",")[0] for group, _ in formula.clauses} - {"constant"}
        assert named <= {*GROUPS[kind], *GROUPS[GraphKind.UNCOVERED], *GROUPS[GraphKind.READ_ONCE]}
