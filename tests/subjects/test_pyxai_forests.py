"""The adapters of PyXAI's ensembles: translation, what they refuse, and what is found (docs/findings/pyxai-forests.md)."""

from __future__ import annotations

import importlib.metadata
import itertools
import sys
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_forests import forest, leaf, stump, test

from xpgcheck.errors import MissingPackageError
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.model.combination import Sum, Threshold
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.ensemble import ensemble as build_ensemble
from xpgcheck.oracles.conditions import conditions_of
from xpgcheck.properties.subjects import models_of
from xpgcheck.subjects.adapters import pyxai_boosted, pyxai_forest
from xpgcheck.subjects.adapters.pyxai_forest import CONTRASTIVE, DIRECT, REASONS, SUFFICIENT, literals

sys.path.append(str(Path(__file__).parents[2] / "tools"))

INSTALLED = any(each.metadata["Name"] == "pyxai" for each in importlib.metadata.distributions())

needs_pyxai = pytest.mark.skipif(not INSTALLED, reason="pyxai is not installed")

SUBJECTS = (
    pyxai_forest.PyXAIForestProjected,
    pyxai_forest.PyXAIForestWithTheory,
    pyxai_forest.PyXAIForest,
    pyxai_forest.PyXAIForestSmallest,
    pyxai_forest.PyXAIForestMajoritary,
    pyxai_forest.PyXAIForestSmallestMajoritary,
    pyxai_forest.PyXAIForestDirect,
)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Let PyXAI's dependencies warn of each other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def point(*values: float) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


def verdict(ensemble: Ensemble, instance: tuple[Fraction, ...], kind: ClaimKind, members: Any) -> str:
    with EnsemblePanel(ensemble) as panel:
        judge = panel.claims_at(instance)
        return judge.judge(Claim(kind, members=frozenset(members)), evidence=False).verdict.value


@pytest.mark.skipif(INSTALLED, reason="pyxai is installed")
def test_without_the_package_it_says_what_to_install() -> None:
    with pytest.raises(MissingPackageError, match=r"pip install pyxai==2\.0\.1"):
        pyxai_forest.PyXAIForest()


@needs_pyxai
def test_the_forest_of_pyxai_votes_as_ours() -> None:
    ensemble = forest(
        test(0, "0.5", stump(1), test(1, "1.5", leaf(1), leaf(0))),
        test(1, "-0.25", leaf(1), stump(0, "1.5")),
        leaf(1),
        stump(2),
    )
    for instance in itertools.product((-1, 0, Fraction(1, 2), 1, 2), repeat=3):
        opened = pyxai_forest.PyXAIForest().opened(ensemble, point(*instance))
        assert opened.explainer.target_prediction == ensemble.kappa(point(*instance))


@needs_pyxai
@pytest.mark.parametrize("make", SUBJECTS)
def test_each_kind_of_reason_is_answered(make: Any) -> None:
    subject = make()
    assert subject.notion == ("features" if "projected" in subject.name else "conditions")
    assert models_of(subject) == ("majority",)
    assert "forests" in subject.name
    ensemble = forest(stump(0), stump(1), stump(2))
    members = subject.axp(ensemble, point(1, 1, 1))
    expected = {0, 1, 2} if make is pyxai_forest.PyXAIForestDirect else 2
    assert set(members) == expected or len(set(members)) == expected
    if subject.notion == "features":
        assert verdict(ensemble, point(1, 1, 1), ClaimKind.CXP, subject.cxp(ensemble, point(1, 1, 1))) == "CXp"


@needs_pyxai
def test_conditions_are_those_of_the_ensemble() -> None:
    ensemble = forest(stump(0, "1.5"), test(0, "0.5", stump(1), stump(0, "1.5")), features=2)
    opened = pyxai_forest.PyXAIForest().opened(ensemble, point(1, 1))
    conditions = conditions_of(ensemble)
    for literal in opened.explainer.binary_representation:
        (index,) = opened.members([literal])
        feature, _, threshold = opened.tests[abs(literal)]
        assert conditions[index].feature == feature - 1
        assert conditions[index].holds(point(2, 2)) is not conditions[index].holds(point(0, 0))
        assert conditions[index].holds((Fraction(threshold), Fraction(threshold))) is conditions[index].holds(
            point(0, 0)
        )


@needs_pyxai
def test_no_reason_is_no_answer() -> None:
    constant = forest(test(0, "0.5", leaf(0), leaf(0)))
    assert pyxai_forest.PyXAIForest().cxp(constant, point(0, 0, 0)) is None
    assert set(pyxai_forest.PyXAIForest().axp(constant, point(0, 0, 0)) or ()) == set()


@needs_pyxai
def test_what_pyxai_cannot_hold_is_declined() -> None:
    subject = pyxai_forest.PyXAIForest()
    with pytest.raises(NotImplementedError, match="no ensemble whose trees vote"):
        subject.axp(forest(stump(0)).trees[0], point(0, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="no binary64 number"):
        subject.axp(forest(stump(0, "0.1")), point(0, 0, 0))
    with pytest.raises(NotImplementedError, match="no binary64 number"):
        subject.axp(forest(stump(0)), (Fraction(1, 3), Fraction(0), Fraction(0)))


@needs_pyxai
def test_ties_of_two_classes_are_right() -> None:
    ensemble = forest(stump(0), stump(1), features=2)
    for instance, expected in (((1, 0), {1}), ((0, 1), {0}), ((1, 1), {0, 1})):
        members = pyxai_forest.PyXAIForest().axp(ensemble, point(*instance))
        assert set(members or ()) == expected
        assert verdict(ensemble, point(*instance), ClaimKind.AXP, expected) == "AXp"


@needs_pyxai
def test_with_theory_contrastive_reasons_count_features() -> None:
    ensemble = forest(test(0, "2.5", test(1, "2.5", leaf(1), leaf(1)), test(1, "1.5", leaf(1), leaf(0))), features=2)
    free, linked = (make().opened(ensemble, point(1, 1)) for make in SUBJECTS[:2])
    assert len(literals(free, CONTRASTIVE) or ()) == 2
    assert len(literals(linked, CONTRASTIVE) or ()) == 3, "b > 2.5 is listed although b > 1.5 is enough"
    assert (
        free.members(literals(free, CONTRASTIVE) or ()) == linked.members(literals(linked, CONTRASTIVE) or ()) == {0, 1}
    )


@needs_pyxai
def test_a_constant_tree_and_three_classes_make_insufficient_reasons() -> None:
    ensemble = forest(leaf(1), test(0, "0.5", leaf(2), leaf(0)), features=1, classes=(0, 1, 2))
    instance = point(1)
    assert ensemble.kappa(instance) == 0
    assert ensemble.kappa(point(0)) == 1
    opened = pyxai_forest.PyXAIForest().opened(ensemble, instance)
    assert literals(opened, SUFFICIENT) == ()
    assert verdict(ensemble, instance, ClaimKind.AXP, ()) == "insufficient"


@needs_pyxai
def test_ties_of_three_classes_make_redundant_reasons() -> None:
    ensemble = forest(test(0, "0.5", leaf(0), leaf(1)), test(0, "0.5", leaf(2), leaf(0)), features=1, classes=(0, 1, 2))
    opened = pyxai_forest.PyXAIForest().opened(ensemble, point(1))
    assert len(literals(opened, SUFFICIENT) or ()) == 1
    assert verdict(ensemble, point(1), ClaimKind.AXP, {0}) == "redundant"


@needs_pyxai
def test_the_study_finds_what_the_page_says() -> None:
    from pyxai_forests import NONE, REDUNDANT, RIGHT, WRONG, study

    two = study(8, 2, constant=False, theory=False)
    assert all(two[method][RIGHT] == 8 for method in (SUFFICIENT, DIRECT, CONTRASTIVE))
    assert set(two) == set(REASONS)
    three = study(8, 3, constant=False, theory=False)
    assert three[SUFFICIENT][REDUNDANT]
    assert not three[SUFFICIENT][WRONG] + three[SUFFICIENT][NONE]
    constant = study(8, 3, constant=True, theory=False)
    assert constant[SUFFICIENT][WRONG]
    assert constant[SUFFICIENT]["insufficient"]


def boosted(
    *, base: Fraction = Fraction(1, 4), at: Fraction = Fraction(1, 2), weight: Fraction = Fraction(1)
) -> Ensemble:
    """Return three trees that are summed against a threshold."""
    grown = forest(stump(0), stump(1), test(2, "0.5", stump(0), leaf(1)))
    outputs = [[(-weight,), (Fraction(1),)], [(Fraction(-1, 2),), (Fraction(3, 4),)], [(Fraction(-3),), (Fraction(1),)]]
    return build_ensemble("boosted", grown.features, grown.classes, grown.trees, Sum((base,), Threshold(at)), outputs)


@needs_pyxai
def test_boosted_trees_of_pyxai_sum_as_ours() -> None:
    ensemble = boosted()
    for values in itertools.product((0, 1), repeat=3):
        instance = point(*values)
        subject = pyxai_boosted.PyXAIBoostedProjected()
        assert subject.opened(ensemble, instance).explainer.target_prediction == ensemble.kappa(instance)
        assert verdict(ensemble, instance, ClaimKind.AXP, subject.axp(ensemble, instance)) in ("AXp", "redundant")
        assert verdict(ensemble, instance, ClaimKind.CXP, subject.cxp(ensemble, instance)) == "CXp"
    assert set(pyxai_boosted.PyXAIBoostedDirect().axp(ensemble, point(1, 1, 1)) or ()) == {0, 1, 2}
    assert models_of(pyxai_boosted.PyXAIBoosted()) == ("sum",)


@needs_pyxai
@pytest.mark.parametrize(
    "made",
    [
        lambda: forest(stump(0)),
        lambda: boosted(weight=Fraction(1, 2**30)),
        lambda: boosted(base=Fraction(1, 3)),
        lambda: boosted(base=Fraction(2**21)),
    ],
)
def test_sums_that_pyxai_does_not_follow_are_declined(made: Any) -> None:
    with pytest.raises(NotImplementedError, match=r"over a threshold|may be rounded"):
        pyxai_boosted.PyXAIBoosted().axp(made(), point(1, 1, 1))
