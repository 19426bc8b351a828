"""Explainers that give rules and points: rows of numbers, and what alibi and DiCE answered, as boxes and sets.

What the packages answered was recorded once; they themselves are asked where they are installed
(tests/subjects/test_alibi_and_dice.py).
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_forests import majority_of_three

from xpgcheck.embedded import load
from xpgcheck.errors import InstanceError, MissingPackageError
from xpgcheck.judging.rule_judge import RuleJudge
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import MISSING
from xpgcheck.properties.subjects import methods_of
from xpgcheck.readers.instances import read_instances
from xpgcheck.subjects.adapters import alibi_anchors, dice
from xpgcheck.subjects.adapters.alibi_anchors import box_of_conditions
from xpgcheck.subjects.adapters.dice import points_of
from xpgcheck.subjects.adapters.number_rows import NO_CLASS, ROWS_FILE, NumberRows
from xpgcheck.subjects.adapters.rules_and_points import PointExplainer, RuleExplainer


def chain(*tests: tuple[Domain, str]) -> DecisionGraph:
    """Return a graph that answers c1 where the value of each feature is in the set that is written, else c0."""
    nodes: dict[int | str, Any] = {"c0": Terminal(0), "c1": Terminal(1)}
    for i, (domain, text) in enumerate(tests):
        inside = read_literal(domain, [text])
        onward = i + 1 if i + 1 < len(tests) else "c1"
        nodes[i] = NonTerminal(i, ((onward, inside), ("c0", domain.all_values().difference(inside))))
    return decision_graph("chain", [Feature(f"x{i}", d) for i, (d, _) in enumerate(tests)], ["c0", "c1"], nodes, 0)


COLOUR = Categorical(("red", "green", "blue"))
MIXED = chain((Boolean(), "1"), (COLOUR, "green"), (Integer(0, 9), "[0, 4]"), (Real(), "(-inf, 1/2]"))


class TestNumberRows:
    def test_points_go_both_ways(self) -> None:
        rows = NumberRows(MIXED)
        assert rows.categories == {0: ("0", "1"), 1: ("red", "green", "blue")}
        point = (True, "blue", 7, Fraction(-3, 4))
        assert rows.row(point) == [1.0, 2.0, 7.0, -0.75]
        assert rows.point([1, 2, 7.2, -0.75]) == point
        assert [type(value) for value in rows.point([1, 2, 7, 0])] == [bool, str, int, Fraction]

    def test_classes_are_those_of_the_classifier(self) -> None:
        rows = NumberRows(MIXED)
        assert rows.classes([[1, 1, 4, 0.5], [1, 1, 4, 0.75], [0, 1, 4, 0.5], [1, 1, 4, 0.25]]) == [1, 0, 0, 1]

    @pytest.mark.parametrize(
        "row", [[2, 1, 4, 0], [0.5, 1, 4, 0], [1, 3, 4, 0], [1, -1, 4, 0], [1, 1, 12, 0], [1, 1, 4, float("nan")]]
    )
    def test_a_row_outside_the_feature_space_has_no_class(self, row: list[float]) -> None:
        assert NumberRows(MIXED).classes([row]) == [NO_CLASS]
        with pytest.raises(InstanceError, match="is not a value of its domain"):
            NumberRows(MIXED).point(row)

    def test_what_floats_cannot_hold_is_declined(self) -> None:
        with pytest.raises(NotImplementedError, match="1/3 is no binary64"):
            NumberRows(MIXED).row((True, "red", 1, Fraction(1, 3)))
        rows = NumberRows(chain((Float64(missing=True), "missing")))
        with pytest.raises(NotImplementedError, match="missing value"):
            rows.row((MISSING,))
        assert rows.drawn(3) == [(Fraction(0),)] * 3
        wide = chain((Integer(), f"[{10**350}, {10**350 + 1}]"))
        with pytest.raises(NotImplementedError, match="no binary64"):
            NumberRows(wide).row((10**350,))

    def test_a_feature_without_floats_is_named(self) -> None:
        third = Fraction(1, 3)
        narrow = chain((Real(third, third + Fraction(1, 10**30)), "[1/3, 1/3]"))
        with pytest.raises(NotImplementedError, match="no value of 'x0' is a binary64 number"):
            NumberRows(narrow).drawn(1)

    def test_ends_of_rules_are_open_below_and_closed_above(self) -> None:
        rows = NumberRows(MIXED)
        assert str(rows.between(3, 0.5, 2)) == "(0.5, 2]"
        assert str(rows.between(3, 0.5, 2, low_open=False, high_open=True)) == "[0.5, 2)"
        assert str(rows.between(2, None, 3.5)) == "[0, 3]"
        assert str(rows.between(2, 3, float("inf"))) == "[4, 9]"
        assert rows.between(1, 0, 2) == FiniteSet(frozenset(("green", "blue")))
        assert rows.between(0, 0, 1, low_open=False, high_open=True) == FiniteSet(frozenset((False,)))
        assert rows.one_of(1, [0, 2]) == FiniteSet(frozenset(("red", "blue")))

    def test_a_quantile_between_two_floats_shuts_the_lower_one_in(self) -> None:
        rows = NumberRows(chain((Float32(), "(-inf, 0.5]")))
        tenth = 0.1  # The float32 nearest to it is larger.
        assert rows.point([tenth])[0] > Fraction(tenth)
        assert rows.point([tenth])[0] not in rows.between(0, None, tenth)
        assert rows.point([tenth])[0] in rows.between(0, tenth)

    def test_drawn_rows_are_of_all_cells_and_the_same_again(self) -> None:
        drawn = NumberRows(MIXED).drawn(200)
        assert drawn == NumberRows(MIXED).drawn(200)
        assert drawn != NumberRows(MIXED).drawn(200, seed=1)
        assert {point[1] for point in drawn} == {"red", "green", "blue"}
        assert {MIXED.kappa(point) for point in drawn} == {0, 1}

    def test_the_table_is_given_or_a_file_or_drawn(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = NumberRows(MIXED)
        given = [(True, "red", 1, Fraction(0))]
        file = tmp_path / "rows.csv"
        file.write_text("x0,x1,x2,x3\n0,blue,3,0.5\n")
        assert len(rows.table()) == 1000
        monkeypatch.setenv(ROWS_FILE, str(file))
        assert rows.table() == [(False, "blue", 3, Fraction(1, 2))]
        assert rows.table(given) == given


class TestAnchors:
    """Answers of ``AnchorTabular`` of alibi 0.9.6 on trees of depth 5 (docs/findings/anchors.md)."""

    def test_an_anchor_of_iris(self) -> None:
        graph = load("iris").graph
        rows = NumberRows(graph)
        # Quantiles of the sepal's width and of the petal's: 0.3, 1.3, 1.8 are those of the table.
        edges = {1: [2.8, 3.0, 3.3], 3: [0.30000001192092896, 1.2999999523162842, 1.7999999523162842]}
        box = box_of_conditions(rows, edges, [(3, [0, 1, 2]), (1, [1, 2, 3]), (3, [1, 2, 3])])
        assert set(box) == {1, 3}
        inside, outside = (5, 3, 1, 1.5), (5, 3, 1, 1.9)
        assert [rows.point(row)[3] in box[3] for row in (inside, outside)] == [True, False]
        assert rows.point(inside)[1] in box[1]
        assert rows.point((5, 2.75, 1, 1.5))[1] not in box[1]

    def test_bins_are_open_below_and_closed_above(self) -> None:
        rows = NumberRows(MIXED)
        edges = {2: [2.0, 4.0], 3: [0.5]}
        texts = [
            str(box_of_conditions(rows, edges, [(2, bins)])[2]) for bins in ([0], [0, 1], [1], [1, 2], [2], [0, 1, 2])
        ]
        assert texts == ["[0, 2]", "[0, 4]", "[3, 4]", "[3, 9]", "[5, 9]", "[0, 9]"]
        assert str(box_of_conditions(rows, edges, [(3, [1])])[3]) == "(0.5, inf)"

    def test_conditions_on_one_feature_are_met_together(self) -> None:
        box = box_of_conditions(NumberRows(MIXED), {2: [2.0, 4.0]}, [(2, [0, 1]), (1, [1.0]), (2, [1, 2]), (0, [1.0])])
        assert str(box[2]) == "[3, 4]"
        assert box[1] == FiniteSet(frozenset(("green",)))
        assert box[0] == FiniteSet(frozenset((True,)))

    def test_no_condition_is_the_whole_space(self) -> None:
        assert box_of_conditions(NumberRows(MIXED), {}, []) == {}


class TestCounterfactuals:
    """Answers of DiCE 0.12, as records."""

    def test_records_are_points(self) -> None:
        graph = load("iris").graph
        record = {"f0": 5.1, "f1": 3.5, "f2": 1.4, "f3": 1.5, "class": 1}
        instance = NumberRows(graph).point((5.1, 3.5, 1.4, 0.2))
        (point,) = points_of(NumberRows(graph), [record])
        with RuleJudge(graph) as judge:
            found = judge.point(instance, point)
        assert (found.another, found.changed.claim) == (True, {3})

    def test_categories_come_as_texts(self) -> None:
        record = {"f0": "1", "f1": "2", "f2": 4, "f3": 0.5, "class": 0}
        assert points_of(NumberRows(MIXED), [record]) == [(True, "blue", 4, Fraction(1, 2))]

    def test_a_counterfactual_outside_the_feature_space_is_named(self) -> None:
        record = {"f0": "1", "f1": "2", "f2": 11, "f3": 0.5, "class": 0}
        with pytest.raises(InstanceError, match=r"11\.0 is not a value of its domain .*'x2'|'x2'.*11"):
            points_of(NumberRows(MIXED), [record])


class Thresholds(RuleExplainer):
    """A stand-in: each feature keeps the value that it has, up to the next number."""

    name = "thresholds"

    def rule(self, classifier: Any, instance: Any) -> Any:
        rows = NumberRows(classifier)
        return {i: rows.between(i, x, x, low_open=False) for i, x in enumerate(rows.row(instance)[:2])}


class Flip(PointExplainer):
    """A stand-in: the first of some rows that has another class."""

    name = "flip"

    def points(self, classifier: Any, instance: Any) -> Any:
        own = classifier.kappa(instance)
        return [point for point in NumberRows(classifier).drawn(50) if classifier.kappa(point) != own]


class TestRecipe:
    def test_rules_are_asked_for_sets_that_suffice(self) -> None:
        graph, instance = majority_of_three(), tuple(map(Fraction, (0, 0, 1)))
        assert list(methods_of(Thresholds()).judged) == ["axp"]
        assert Thresholds().axp(graph, instance) == [0, 1]
        with RuleJudge(graph) as judge:
            found = judge.rule(instance, Thresholds().rule(graph, instance))
        assert (found.holds, found.features.verdict) == (True, Verdict.AXP)

    def test_points_are_asked_for_sets_that_change(self) -> None:
        graph, instance = majority_of_three(), tuple(map(Fraction, (0, 0, 1)))
        assert list(methods_of(Flip()).judged) == ["cxp"]
        changed = Flip().cxp(graph, instance)
        assert changed
        with RuleJudge(graph) as judge:
            (found, *_) = [judge.point(instance, p) for p in Flip().points(graph, instance)]
        assert found.another
        assert found.changed.claim == set(changed)

    def test_who_says_nothing_is_declined(self) -> None:
        graph, instance = majority_of_three(), tuple(map(Fraction, (0, 0, 1)))
        with pytest.raises(NotImplementedError, match="no rule"):
            RuleExplainer().axp(graph, instance)
        with pytest.raises(NotImplementedError, match="no point"):
            PointExplainer().cxp(graph, instance)
        silent = type("Silent", (PointExplainer,), {"points": lambda *_: []})()
        with pytest.raises(NotImplementedError, match="no counterfactual was found"):
            silent.cxp(graph, instance)


THEIR_PACKAGE = '''
def conditions(predict, table, row):
    """Each column, a bit around its value, as long as no row of the table in the rule has another class."""
    found = {i: (x - 0.001, x + 0.001) for i, x in enumerate(row)}
    for i in list(found):
        rest = {j: ends for j, ends in found.items() if j != i}
        inside = [r for r in table if all(low < r[j] <= high for j, (low, high) in rest.items())]
        if set(predict(inside)) <= set(predict([row])):
            found = rest
    return [(i, low, high) for i, (low, high) in found.items()]


def other_rows(predict, table, row):
    """The first row of the table that has another class."""
    return [r for r, label in zip(table, predict(table)) if [label] != predict([row])][:1]
'''
"""A stand-in for the package of the recipe."""


@pytest.fixture
def recipe(tmp_path: Path) -> str:
    """Return the last program of the recipe; the modules that it needs are in *tmp_path*."""
    document = Path(__file__).parents[2] / "docs" / "how-to" / "rules-and-points.md"
    rules, points, program = re.findall(r"```py\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "their_package.py").write_text(THEIR_PACKAGE)
    (tmp_path / "my_rules.py").write_text(rules + points)
    return str(program)


def run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=900)


def test_the_recipe_counts(recipe: str, tmp_path: Path) -> None:
    done = run(tmp_path, "-c", recipe)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    # The drawn table is not the one of iris: a rule that all its rows keep need not hold.
    for rule, point in zip(lines[::2], lines[1::2], strict=True):
        assert re.fullmatch(r"(True|False) (AXp|redundant|insufficient)( [\d,]+ of [\d,]+){3}", rule)
        assert re.fullmatch(r"True \[[0-3, ]+\] (CXp|redundant)", point)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ability"), [("TheirRules", "axp"), ("TheirPoints", "cxp")])
def test_the_gate_asks_the_recipe(name: str, ability: str, recipe: str, tmp_path: Path) -> None:
    asked = ("--examples", "10", "--no-deck", "--no-models", "--graph-kind", "threshold-tree")
    done = run(tmp_path, "-m", "xpgcheck", "gate", f"my_rules:{name}", *asked)
    assert done.returncode in (0, 1), done.stderr
    assert f"can:       {ability}" in done.stdout
    # What no drawn row refutes may still fail; a point of another class always changes something.
    assert ("insufficient" in done.stdout) is (name == "TheirRules")
    assert "ineffective" not in done.stdout


def installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


@pytest.mark.skipif(installed("alibi"), reason="alibi is installed")
def test_without_alibi_it_says_what_to_install() -> None:
    with pytest.raises(MissingPackageError, match=r"pip install alibi==0\.9\.6"):
        alibi_anchors.Anchors()


@pytest.mark.skipif(installed("dice-ml"), reason="dice-ml is installed")
def test_without_dice_it_says_what_to_install() -> None:
    with pytest.raises(MissingPackageError, match=r"pip install dice-ml==0\.12"):
        dice.Dice()


def test_read_instances_of_the_table_are_points_of_the_model(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("f0,f1,f2\n0,1,0.25\n")
    (row,) = read_instances(file, majority_of_three().features)
    assert NumberRows(majority_of_three()).row(row) == [0.0, 1.0, 0.25]
