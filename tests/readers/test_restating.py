"""Models over the domains that a user states: κ is what the model says of the value that is read."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import xpgcheck
from xpgcheck.errors import DomainError, InputError, LimitError
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_family
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real, read_value
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.ieee754 import BINARY32, BINARY64
from xpgcheck.model.literals import read_literal
from xpgcheck.model.restated_sets import RestatedDomain, mapped_cut
from xpgcheck.model.value_sets import Grid, number_text
from xpgcheck.model.values import MISSING, Value
from xpgcheck.properties.strategies import cases
from xpgcheck.readers.restating import restated

FLOATS = {Grid.FLOAT32: Float32(), Grid.FLOAT64: Float64()}
STATED = {Grid.DENSE: Real(), Grid.INTEGERS: Integer(), **FLOATS}


def numbers_near(number: Fraction, grid: Grid) -> list[Value]:
    """Return numbers of *grid* at and around *number*, a float, and around the places where rounding changes."""
    near = {number}
    for binary in (BINARY32, BINARY64):
        for other in (binary.above(number), binary.below(number)):
            if other is not None:
                near |= {other, (other + number) / 2}
    tiny = Fraction(1, 10**400)
    near |= {each + sign * tiny for each in list(near) for sign in (1, -1)}
    if grid is Grid.DENSE:
        return sorted(near)
    if grid is Grid.INTEGERS:
        return sorted({int(each) + step for each in near for step in (-1, 0, 1)})
    return sorted({each for each in near if grid.binary.holds(each)})


@settings(max_examples=200, deadline=None)
@given(
    own=st.sampled_from(list(FLOATS)),
    stated=st.sampled_from(list(STATED)),
    number=st.one_of(
        st.floats(allow_nan=False, allow_infinity=False, width=32),
        st.integers(-(2**26), 2**26).map(float),
        st.floats(-100, 100, width=16).map(lambda x: x + 0.5),
    ),
)
def test_a_number_is_behind_a_cut_where_its_reading_is(own: Grid, stated: Grid, number: float) -> None:
    exact = own.binary.nearest(number)
    assert exact is not None
    cut = own.cut(exact, 0)
    found = mapped_cut(cut, own, stated)
    for value in numbers_near(exact, stated):
        try:
            read = read_value(FLOATS[own], value)
        except InputError:
            continue
        assert (stated.locate(value) >= found) is (own.locate(read) >= cut), value  # type: ignore[operator]


def test_ties_are_read_to_even_twice() -> None:
    """2²⁴ + 1 is halfway between two float32 numbers, and is read as the lower one; 2²⁴ + 3 as the upper one."""
    whole = RestatedDomain(Feature("n", Float32()), Integer())
    above = whole.values(read_literal(Float32(), ["(16777216, inf)"]))
    assert [n for n in range(2**24 - 2, 2**24 + 6) if n in above] == [2**24 + k for k in (2, 3, 4, 5)]
    real = RestatedDomain(Feature("n", Float32()), Real())
    # Halfway to 2²⁴ + 2, and what a float64 takes for it, goes down; the next float64 is the first that goes up.
    halfway = (2**24 + 1) + Fraction(1, 2**29)
    assert str(real.values(read_literal(Float32(), ["(16777216, inf)"]))) == f"({number_text(halfway)}, inf)"


DOMAINS: list[tuple[Domain, Domain]] = [
    (Float32(), Integer()),
    (Float32(), Integer(0, 60)),
    (Float32(), Boolean()),
    (Float32(), Real(Fraction(0), Fraction(100), True, False)),
    (Float32(), Float64()),
    (Float32(True), Float32()),
    (Float32(True), Integer()),
    (Float64(), Integer(5, None)),
    (Float64(True), Float32(True)),
    (Float64(), Categorical(("1", "2.5", "40"))),
    (Float32(True), Categorical(("low", "none"), (Fraction(1), MISSING))),
    (Integer(), Integer(0, 9)),
    (Integer(), Boolean()),
    (Real(), Integer()),
    (Real(), Float64()),
    (Categorical(("a", "b", "c")), Categorical(("c", "a"))),
]


def values_of(domain: Domain, rng: random.Random) -> list[Value]:
    if isinstance(domain, Boolean):
        return [False, True]
    if isinstance(domain, Categorical):
        return list(domain.values)
    found: list[Value] = [MISSING] if getattr(domain, "missing", False) else []
    for _ in range(30):
        number = Fraction(rng.choice([rng.randint(-5, 70), rng.uniform(-5, 70), rng.randint(-10, 140) / 2]))
        try:
            found.append(read_value(domain, int(number) if isinstance(domain, Integer) else number))
        except InputError:
            continue
    return found


def tree_over(domain: Domain, rng: random.Random, depth: int = 4) -> DecisionGraph:
    """Return a tree that tests the first of two features of *domain*, and the second, at random places."""
    features = (Feature("x", domain), Feature("y", domain))
    nodes: dict[Any, Any] = {}

    def grow(level: int, left: dict[int, Any]) -> int:
        key = len(nodes)
        nodes[key] = None
        feature = rng.randrange(2)
        whole = left[feature]
        if isinstance(domain, Categorical):
            part = read_literal(domain, [rng.choice(sorted(whole.values))])
        else:
            missing = ["missing"] if getattr(domain, "missing", False) and rng.random() < 0.5 else []
            part = read_literal(domain, [f"(-inf, {rng.randint(-10, 140) / 2}]", *missing])
        inside, outside = whole.intersection(part), whole.difference(part)
        if level == depth or inside.is_empty() or outside.is_empty():
            nodes[key] = Terminal(rng.randrange(3))
            return key
        children = [grow(level + 1, {**left, feature: side}) for side in (inside, outside)]
        nodes[key] = NonTerminal(feature, ((children[0], inside), (children[1], outside)))
        return key

    grow(0, {0: domain.all_values(), 1: domain.all_values()})
    return decision_graph("t", features, ("a", "b", "c"), nodes, 0)


def read_back(own: Domain, stated: Domain, value: Value) -> Value:
    """Return the value of the model's own domain that *value* is read as."""
    raw: object = value
    if isinstance(stated, Categorical) and stated.cells:
        raw = stated.cells[stated.values.index(str(value))]
    return read_value(own, int(raw) if isinstance(raw, bool) else raw)


@pytest.mark.parametrize(("own", "stated"), DOMAINS, ids=str)
def test_kappa_is_what_the_model_says_of_what_is_read(own: Domain, stated: Domain) -> None:
    rng = random.Random(1)
    for _ in range(12):
        graph = tree_over(own, rng)
        for domains in ({0: stated}, {0: stated, 1: stated}):
            found = restated(graph, domains)
            assert isinstance(found, DecisionGraph)
            check_assumptions(found)
            assert found.features[0].domain == stated
            kinds = [domains.get(i, own) for i in range(2)]
            for point in itertools.product(*(values_of(kind, rng)[:12] for kind in kinds)):
                there = tuple(
                    read_back(own, kind, value) if kind is stated else value
                    for kind, value in zip(kinds, point, strict=True)
                )
                assert found.kappa(point) == graph.kappa(there)


def test_an_ensemble_is_restated_tree_by_tree() -> None:
    rng = random.Random(2)
    trees = [tree_over(Float32(), rng) for _ in range(5)]
    forest = ensemble("f", trees[0].features, trees[0].classes, trees, Majority())
    found = restated(forest, {0: Integer(), 1: Integer(0, 40)})
    assert isinstance(found, Ensemble)
    assert sum(map(len, found.cells)) <= sum(map(len, forest.cells))
    for x, y in itertools.product(range(-6, 72, 3), range(0, 41, 4)):
        assert found.kappa((x, y)) == forest.kappa((Fraction(x), Fraction(y)))


class TestWholeNumbers:
    @staticmethod
    def tree() -> DecisionGraph:
        """``age ≤ 30.5`` and, below, ``age ≤ 30.25``: no whole number is between."""
        features = (Feature("age", Float32()), Feature("b", Float32()))
        low = read_literal(Float32(), ["(-inf, 30.5]"]), read_literal(Float32(), ["(30.5, inf)"])
        high = read_literal(Float32(), ["(-inf, 30.25]"]), read_literal(Float32(), ["(30.25, inf)"])
        nodes = {
            0: NonTerminal(0, ((1, low[0]), (2, low[1]))),
            1: NonTerminal(0, ((3, high[0]), (4, high[1]))),
            2: Terminal(1),
            3: Terminal(0),
            4: Terminal(1),
        }
        return decision_graph("ages", features, ("young", "old"), nodes, 0)

    def test_cells_between_them_vanish_and_a_change_is_whole(self) -> None:
        whole = restated(self.tree(), {0: Integer()})
        assert whole.node_count == 3
        assert [str(cell) for cell in whole.cells[0]] == ["(-inf, 30]", "[31, inf)"]
        found = xpgcheck.explain(whole, [27, 0])
        assert found.closest(["age"]).values == {"age": 31}
        assert "age ≥ 31" in str(found) or "age > 30" in str(found)
        assert xpgcheck.explain(self.tree(), [27, 0]).closest(["age"]).values["age"] == Fraction(
            BINARY32.above(Fraction("30.25")) or 0
        )

    def test_a_smaller_domain_can_settle_a_feature(self) -> None:
        grown_up = restated(self.tree(), {0: Integer(31, None)})
        assert grown_up.node_count == 1
        assert xpgcheck.explain(grown_up, [40, 0]).axps == ((),)

    def test_the_oracles_agree_over_the_stated_domain(self) -> None:
        rng = random.Random(3)
        for _ in range(3):
            graph = restated(tree_over(Float32(), rng), {0: Integer(0, 50), 1: Boolean()})
            assert isinstance(graph, DecisionGraph)
            with Panel(graph) as panel:
                for point in [(7, True), (33, False)]:
                    found = xpgcheck.explain(graph, point)
                    names = [feature.name for feature in graph.features]
                    families = [
                        [{names.index(name) for name in xp} for xp in family] for family in (found.axps, found.cxps)
                    ]
                    assert judge_family(panel.at(point), *families).verdict is Verdict.COMPLETE


class TestGraphsThatAreNoTrees:
    @staticmethod
    def graph(*below: list[str]) -> DecisionGraph:
        """Two tests of x that share what is below them, which tests x again where *below* says how."""
        features = (Feature("x", Real()), Feature("y", Boolean()))
        third = ["(-inf, 1.5]"], ["(1.5, 1.75]"], ["(1.75, inf)"]
        literals = [read_literal(Real(), each) for each in third]
        false, true = (read_literal(Boolean(), [value]) for value in (0, 1))
        nodes: dict[Any, Any] = {
            "x": NonTerminal(0, (("low", literals[0]), ("y", literals[1]), ("high", literals[2]))),
            "low": NonTerminal(1, (("y2", false), ("b", true))),
            "high": NonTerminal(1, (("y2", true), ("a", false))),
            "y": NonTerminal(1, (("a", false), ("b", true))),
            "a": Terminal(0),
            "b": Terminal(1),
            "y2": NonTerminal(0, (("a", read_literal(Real(), below[0])), ("b", read_literal(Real(), below[1]))))
            if below
            else Terminal(2),
        }
        return decision_graph("g", features, ("a", "b", "c"), nodes, "x")

    def test_edges_without_values_are_left_out(self) -> None:
        graph = self.graph()
        found = restated(graph, {0: Integer()})
        assert found.node_count == graph.node_count - 1
        for x, y in itertools.product(range(-2, 5), (False, True)):
            assert found.kappa((x, y)) == graph.kappa((Fraction(x), y))

    def test_a_path_that_no_point_takes_any_more_is_left_out(self) -> None:
        """There is one y2, which tests x again, for each set of values of x that is left above it."""
        graph = self.graph(["(-inf, 0.5]", "(3, inf)"], ["(0.5, 3]"])
        found = restated(graph, {0: Integer(1, None)})
        assert isinstance(found, DecisionGraph)
        check_assumptions(found)
        assert "y2/2" not in found.node_ids
        for x, y in itertools.product(range(1, 8), (False, True)):
            assert found.kappa((x, y)) == graph.kappa((Fraction(x), y))

    def test_a_graph_that_gets_too_many_nodes_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("xpgcheck.readers.restating.MAX_STATES", 3)
        with pytest.raises(LimitError, match=r"more than 3 nodes; state the domains of fewer features"):
            restated(self.graph(), {0: Integer()})

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=cases(), dice=st.randoms(use_true_random=False))
    def test_graphs_of_any_kind(self, case: Any, dice: random.Random) -> None:
        """Some features over a part of their domain: nothing changes there, and both assumptions hold."""
        graph, _ = case
        stated: dict[int, Domain] = {}
        for i, feature in enumerate(graph.features):
            if isinstance(feature.domain, (Real, Float32, Float64)) and not getattr(feature.domain, "missing", False):
                low = getattr(feature.domain, "low", None)
                high = getattr(feature.domain, "high", None)
                if low is None and high is None:
                    stated[i] = Integer(dice.randint(-3, 0), dice.randint(1, 4))
            elif isinstance(feature.domain, Categorical) and not feature.domain.cells:
                some = dice.sample(feature.domain.values, dice.randint(1, len(feature.domain.values)))
                stated[i] = Categorical(tuple(some))
        found = restated(graph, stated)
        assert isinstance(found, DecisionGraph)
        check_assumptions(found)
        for _ in range(20):
            point, there = [], []
            for i, (own, cells) in enumerate(zip(graph.features, graph.cells, strict=True)):
                if i not in stated:
                    value = dice.choice(cells).representative()
                    point.append(value)
                    there.append(value)
                    continue
                domain = stated[i]
                value = (
                    dice.choice(domain.values)
                    if isinstance(domain, Categorical)
                    else dice.randint(domain.low, domain.high)
                )
                point.append(value)
                there.append(read_value(own.domain, value))
            assert found.kappa(tuple(point)) == graph.kappa(tuple(there))


@pytest.mark.parametrize(
    ("own", "stated", "problem"),
    [
        (Boolean(), Integer(), "numbers are no categories"),
        (Categorical(("a",)), Real(), "numbers are no categories"),
        (Float32(), Float64(True), "it takes no missing value"),
        (Float32(), Integer(0, 10**60), "beyond the float32 numbers"),
        (Integer(), Real(), "it takes whole numbers alone"),
        (Integer(0, 9), Integer(0, 10), "'10' is outside the domain"),
        (Integer(0, 9), Integer(), "some of its values are outside"),
        (Real(Fraction(0), None, True), Real(Fraction(0)), "some of its values are outside"),
        (Integer(1, 9), Boolean(), "'0' is outside the domain"),
        (Float32(), Categorical(("1", "two")), "'two' is not a finite number"),
        (Categorical(("a", "b")), Categorical(("a", "z")), "'z' is not a category"),
        (Float32(), Categorical(("1", "none"), (Fraction(1), MISSING)), "the value is missing"),
    ],
    ids=str,
)
def test_domains_that_the_model_does_not_take(own: Domain, stated: Domain, problem: str) -> None:
    with pytest.raises(DomainError) as caught:
        RestatedDomain(Feature("x", own), stated)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("feature 'x': the model reads ")
    assert "leave the column out" in caught.value.mend


def test_open_ends_of_reals_stay_open() -> None:
    found = RestatedDomain(Feature("x", Real(Fraction(0), None, True)), Real(Fraction(0), Fraction(1), True))
    assert str(found.values(Real(Fraction(0), None, True).all_values())) == "(0, 1]"


def test_nothing_changes_where_nothing_is_stated() -> None:
    graph = TestWholeNumbers.tree()
    assert restated(graph, {0: Float32()}) is graph
