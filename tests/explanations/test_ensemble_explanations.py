"""Explanations of generated ensembles, votes and sums, are what the definitions say; limits and rounding are said."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import laws
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from published_schemas import fits_schema
from small_forests import document, forest, leaf, majority_of_three, stump
from summed_ensembles import summed_ensembles

from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.explanations import closest_moves
from xpgcheck.explanations.api import explain, explain_one
from xpgcheck.model.combination import Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.properties.ensembles.strategies import ensembles
from xpgcheck.properties.strategies.points import draw_point
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.deciding import Allowance
from xpgcheck.xpg.xps import Kind


@st.composite
def any_case(draw: st.DrawFn) -> tuple[Ensemble, Point]:
    drawn = draw(st.one_of(ensembles(), summed_ensembles()))
    # Within rounding of a tie nothing is certain, and the laws know no doubt.
    assume(not drawn.tally.slack)
    return drawn, draw_point(draw, drawn)  # type: ignore[arg-type]


@given(any_case())
def test_the_families_are_all_xps(case: tuple[Ensemble, Point]) -> None:
    laws.families_are_all_xps(*case)  # type: ignore[arg-type]


@given(any_case())
def test_a_limit_is_honest(case: tuple[Ensemble, Point]) -> None:
    laws.a_limit_is_honest(*case)  # type: ignore[arg-type]


@given(any_case())
def test_closest_points_are_closest(case: tuple[Ensemble, Point]) -> None:
    laws.closest_points_are_closest(*case)  # type: ignore[arg-type]


@given(any_case(), st.data())
def test_wishes_and_smallest(case: tuple[Ensemble, Point], data: st.DataObject) -> None:
    names = data.draw(st.permutations([feature.name for feature in case[0].features]))
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(names))] * 2)))
    laws.wishes_are_granted_where_they_can(*case, names[:first], names[second:])  # type: ignore[arg-type]
    laws.a_smallest_is_minimum(*case, names[:1])  # type: ignore[arg-type]


@given(any_case())
def test_roles_are_right_where_they_are_decided(case: tuple[Ensemble, Point]) -> None:
    expected = laws.truth(*case)  # type: ignore[arg-type]
    for found in (explain(*case), explain_one(*case)):
        names = found.case.names
        for i, name in enumerate(names):
            assert found.roles.tells(found.roles.relevant, i) in (None, name in expected.relevant)
            assert found.roles.tells(found.roles.in_every_axp, i) in (None, name in expected.necessary)
        assert not explain(*case).roles.undecided


@given(any_case())
def test_a_closest_search_that_is_cut_short_says_so_and_still_changes_the_class(case: tuple[Ensemble, Point]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closest_moves, "BUDGET", 0)
        found = explain(*case)
        for cxp in found.cxps:
            change = found.closest(cxp)
            assert set(change.values) == set(cxp)
            assert change.prediction != found.prediction
            assert not change.proven


def test_words_of_a_forest() -> None:
    text = str(explain(majority_of_three(), [0, 0, 0]))
    assert "votes of 3 trees; majority, ties to the lowest class" in text
    assert "class 0 because f0 ≤ 0.5 and f1 ≤ 0.5, whatever the other feature is; it settles 2 of 3 trees" in text
    assert "class 1 with f0 > 0.5 (not 0) and f1 > 0.5 (not 0)" in text


def test_time_that_is_over_is_said() -> None:
    found = explain(majority_of_three(), [0, 0, 0], seconds=1e-9)
    assert not found.complete
    assert "the time is over" in str(found)
    assert json.dumps(found.to_dict())
    with pytest.raises(InputError, match="seconds"):
        explain(majority_of_three(), [0, 0, 0], seconds=0)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    model, rows = tmp_path / "forest.json", tmp_path / "rows.csv"
    model.write_text(json.dumps(document(stump(0), stump(1), stump(2))), encoding="utf-8")
    rows.write_text("f0,f1,f2\n0,0,0\n1,1,0\n", encoding="utf-8")
    return str(model), str(rows)


def test_the_command_explains_a_forest(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = files
    assert main(["explain", model, "--row", "2", "--instances", rows]) == 0
    out = capsys.readouterr().out
    assert out.startswith("small: class 1 for f0 = 1, f1 = 1, f2 = 0")
    assert "Why class 1? 1 AXp:" in out
    assert "What changes class 1? 2 CXps:" in out
    assert main(["explain", model, "--row", "2", "--instances", rows, "--membership", "f0,f2"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "f0 is in the AXp {f0, f1} (3 questions) and in the CXp {f0} (2 questions)",
        "f2 is in no AXp and no CXp",
    ]
    assert (
        main(["explain", model, "--row", "1", "--instances", rows, "--smallest", "--timeout", "9", "--json", "-"]) == 0
    )
    report = json.loads(capsys.readouterr().out)
    fits_schema(report, "explanations")
    assert report["model"]["ensemble"]["tally"] == [{"class": "0", "amount": "3"}, {"class": "1", "amount": "0"}]
    assert report["axps"]["members"][0]["settled_trees"] == 2


def test_drawing_refuses_a_forest(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", files[0], "-o", f"{files[0]}.svg"]) == 2
    assert "ensemble of 3 trees" in capsys.readouterr().err


def test_a_constant_forest() -> None:
    found = explain(forest(leaf(0), leaf(0), stump(0)), [0, 0, 0])
    assert (found.axps, found.cxps, found.complete) == (((),), (), True)
    assert "the model is constant" in str(found)


def nearly_tied() -> Ensemble:
    """Return an ensemble where rounding decides whether b is needed: with a = 1 and b = 0 the sum is near the threshold."""
    features = (Feature("a", Boolean()), Feature("b", Boolean()))

    def tree(feature: int, name: str) -> DecisionGraph:
        edges = ((1, FiniteSet(frozenset([False]))), (2, FiniteSet(frozenset([True]))))
        nodes = {0: NonTerminal(feature, edges), 1: Terminal(0), 2: Terminal(1)}
        return decision_graph(name, features, ("low", "high"), nodes)

    outputs = [[(Fraction(-4),), (Fraction(2),)], [(Fraction(-7, 4),), (Fraction(0),)]]
    rule = Sum((Fraction(0),), Threshold(Fraction(0)), doubt=Fraction(1, 2))
    return ensemble("nearly tied", features, ("no", "yes"), [tree(0, "a"), tree(1, "b")], rule, outputs)


def test_a_feature_that_is_perhaps_not_needed_is_in_no_explanation_for_certain() -> None:
    found = explain(nearly_tied(), [1, 1])
    assert found.axps == (("a", "b"),)
    assert "open whether it needs b: within rounding" in str(found)
    assert found.relevant == ("a",)
    assert found.roles.tells(found.roles.relevant, 1) is None
    [record] = [record for record in found.to_dict()["features"] if record["name"] == "b"]
    assert record["in_some_axp"] is None
    assert "A smallest" not in str(explain_one(nearly_tied(), [1, 1], smallest=True)).partition("What changes")[0]


def test_what_rounding_decides_no_time_helps() -> None:
    with pytest.raises(UndecidedError, match=r"within rounding.*explain another instance"):
        explained_ensemble(nearly_tied(), (True, True)).find(Kind.AXP, [0])


def test_when_the_time_is_over_nothing_is_asked() -> None:
    explained = explained_ensemble(forest(stump(0), stump(1), stump(2)), (0, 0, 0))
    over = Allowance(ends=0.0)
    asked = explained.asked
    found = explained.shrink(Kind.AXP, explained.everything, allowance=over)
    assert explained.asked == asked
    assert (found.mask, found.open, found.reason) == (7, 7, "the time is over")
