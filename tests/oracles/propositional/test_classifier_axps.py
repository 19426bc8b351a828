"""AXps of DNFs as classifiers, with a third value and without: by the definition, from every point, and by CEGAR."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from explained_by_definition import ODD_DNFS, axps_by_definition, odd_dnf, random_point
from odd_formulas import FAILS_EVERYWHERE, ODD, odd_formula

from xpgcheck.oracles.propositional import classifier_axps, starred
from xpgcheck.oracles.propositional.classifier_axps import axp_with, axps_exhaustive
from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Point, cnf, dnf, dnf_holds, points
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.starred import starred_axps_exhaustive


def wrong_features(formula: Dnf, point: Point, axps: Family) -> list[int]:
    """Return the features of which the answer of CEGAR is not what *axps*, all of them, say."""
    wrong = []
    for feature in range(formula.variables):
        found = axp_with(formula, point, feature)
        if found is None and any(feature in axp for axp in axps):
            wrong.append(feature)
        if found is not None and (feature not in found or found not in axps):
            wrong.append(feature)
    return wrong


@pytest.mark.parametrize("name", ODD_DNFS)
def test_the_odd_ones_at_every_point(name: str) -> None:
    formula = ODD_DNFS[name]
    for point in points(formula.variables):
        axps = axps_by_definition(formula, point)
        assert axps_exhaustive(formula, point) == axps
        assert wrong_features(formula, point, axps) == []


def test_exhaustion_is_the_definition() -> None:
    rng = random.Random(1)
    classes = {False: 0, True: 0}
    for _ in range(60):
        formula = odd_dnf(rng, 5, 7)
        point = random_point(rng, formula)
        axps = axps_exhaustive(formula, point)
        assert axps == axps_by_definition(formula, point), (formula, point)
        assert wrong_features(formula, point, axps) == [], (formula, point)
        classes[dnf_holds(formula, point)] += 1
    assert min(classes.values()) > 10


def test_limits_and_arguments() -> None:
    wide = dnf([tuple(range(1, 22))])
    with pytest.raises(TooLarge, match="21 features"):
        axps_exhaustive(wide, (True,) * 21)
    with pytest.raises(ValueError, match="a point of 1 values for 2 variables"):
        axps_exhaustive(dnf([(1, 2)]), (True,))
    with pytest.raises(ValueError, match="a point of 1 values for 2 variables"):
        axp_with(dnf([(1, 2)]), (True,), 0)
    for feature in (-1, 2):
        with pytest.raises(ValueError, match=f"feature {feature} is none of 0 … 1"):
            axp_with(dnf([(1, 2)]), (True, True), feature)
    with pytest.raises(OutOfTime):
        axp_with(dnf([(1, 2)]), (True, True), 0, Deadline(0))


def test_20_features_take_moments() -> None:
    rng = random.Random(2)
    formula = dnf([[rng.choice((1, -1)) * v for v in rng.sample(range(1, 21), 4)] for _ in range(60)], 20)
    started = time.process_time()
    assert len(axps_exhaustive(formula, (True,) * 20)) > 20
    assert time.process_time() - started < 60


def test_cegar_answers_where_axps_are_too_many_to_list() -> None:
    """(a_1 ∨ b_1) ∧ … ∧ (a_30 ∨ b_30) written as a classifier of class 0 has 2^30 AXps at (1, …, 1)."""
    pairs = 30
    formula = dnf([(-v, -v - pairs) for v in range(1, pairs + 1)], 2 * pairs + 1)
    point = (True,) * (2 * pairs + 1)
    started = time.process_time()
    for feature in range(2 * pairs):
        axp = axp_with(formula, point, feature)
        assert axp is not None
        assert feature in axp
        assert len(axp) == pairs
    assert axp_with(formula, point, 2 * pairs) is None
    assert time.process_time() - started < 60


STARRED = [*ODD.values(), *(odd_formula(random.Random(seed), 3, 4) for seed in range(25))]


@pytest.mark.parametrize("formula", STARRED)
def test_reading_d_point_by_point(formula: Cnf) -> None:
    """The definition once more, without sets of sets as numbers."""
    assert starred_axps_exhaustive(formula) == starred_by_definition(formula)


def test_limits_of_reading_d() -> None:
    with pytest.raises(TooLarge, match="9 variables"):
        starred_axps_exhaustive(cnf([(9,)]))
    with pytest.raises(TooLarge, match="21 features"):
        starred_axps_exhaustive(cnf([(8,)] * 13))


def test_a_clause_that_is_falsified_by_the_third_value_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starred, "STAR", False)
    assert starred_axps_exhaustive(FAILS_EVERYWHERE) != starred_by_definition(FAILS_EVERYWHERE)


def starred_by_definition(formula: Cnf) -> Family:
    count, features = len(formula.clauses), len(formula.clauses) + formula.variables

    def is_1(point: tuple[bool | None, ...]) -> bool:
        selected, values = point[:count], point[count:]
        return None in values or any(
            chosen and all(values[abs(literal) - 1] != (literal > 0) for literal in clause)
            for chosen, clause in zip(selected, formula.clauses, strict=True)
        )

    domains: list[tuple[bool | None, ...]] = [(True, False)] * count + [(None, False, True)] * formula.variables
    every = [(point, is_1(point)) for point in itertools.product(*domains)]
    instance, same = every[0]
    weak = [
        fixed
        for size in range(features + 1)
        for fixed in map(frozenset, itertools.combinations(range(features), size))
        if all(one == same for point, one in every if all(point[f] == instance[f] for f in fixed))
    ]
    return family(fixed for fixed in weak if not any(other < fixed for other in weak))


class TestMistakesShow:
    def test_a_point_of_the_same_class_is_not_believed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(classifier_axps, "dnf_holds", lambda formula, point: True)
        with pytest.raises(AssertionError, match="not of the other class"):
            axp_with(dnf([(1, 2)]), (True, True), 0)

    def test_shrinking_that_takes_the_feature_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(classifier_axps._OtherClass, "core", lambda self: frozenset())
        with pytest.raises(AssertionError, match="shown to be needed, and is not"):
            axp_with(dnf([(1,), (-1, 2, 3), (-1, 2, -3)]), (True, True, True), 1)

    def test_refinement_that_leaves_a_feature_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def too_few(inner: classifier_axps._OtherClass, counterexample: Point) -> frozenset[int]:
            differing = sorted(frozenset(range(len(counterexample))) - inner.agreement(counterexample))
            return frozenset(differing[1:])

        monkeypatch.setattr(classifier_axps, "_differing_in_least", too_few)
        assert self.wrong() > 0

    def test_no_shrinking(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(classifier_axps, "_shrunk", lambda inner, weak, feature: weak)
        assert self.wrong() > 0

    @staticmethod
    def wrong() -> int:
        rng = random.Random(11)
        count = 0
        for _ in range(30):
            formula = odd_dnf(rng, 5, 7)
            point = random_point(rng, formula)
            count += len(wrong_features(formula, point, axps_exhaustive(formula, point)))
        return count
