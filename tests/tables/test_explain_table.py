"""Every row of a table explained: the same as one by one, once per row that differs, in order and in bounded memory."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec import UNSET

import xpgcheck
from benchmarks.explain import random_tree
from xpgcheck.embedded import load
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.explanations.api import constraint_of, explain_case
from xpgcheck.explanations.case import case_of
from xpgcheck.model.combination import Majority, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float64, Integer
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies import cases
from xpgcheck.tables import answers, running
from xpgcheck.tables.api import PART_NAMES
from xpgcheck.tables.documents import ExplainedRowRecord
from xpgcheck.tables.rows import TableSource

TREE = random_tree(60, 9, 1, 8)
FOREST = ensemble("forest", TREE.features, TREE.classes, [random_tree(9, 4, seed, 8) for seed in range(3)], Majority())
OTHER_GRAPH = load("tic_tac_toe").graph


def points_of(model: DecisionGraph | Ensemble, count: int, seed: int = 0) -> list[Point]:
    rng = random.Random(seed)
    return [tuple(rng.choice(split).representative() for split in model.cells) for _ in range(count)]


def compare(model: DecisionGraph | Ensemble, point: Point, row: ExplainedRowRecord) -> None:
    """Hold *row* against the explanations of *point* alone."""
    found = explain_case(case_of(model, point))
    assert row.prediction == found.prediction
    assert row.left_open is UNSET
    axps, cxps = [[list(xp) for xp in family] for family in (found.axps, found.cxps)]
    assert row.axps == axps
    assert row.cxps == cxps
    assert row.axp in axps
    assert len(row.axp) == len(axps[0])
    closest = min((found.closest(cxp) for cxp in cxps), key=lambda change: change.distance, default=None)
    if closest is None:
        assert row.change is None
        return
    assert row.change
    assert row.change.proven
    assert list(row.change.values) in cxps
    assert found.closest(list(row.change.values)).distance == closest.distance
    names = [feature.name for feature in model.features]
    changed = dict(zip(names, point, strict=True)) | row.change.values
    assert model.classes[model.kappa(xpgcheck.read_point(model.features, changed))] == row.change.class_name
    assert row.change.class_name != row.prediction


@pytest.mark.parametrize("model", [TREE, OTHER_GRAPH, FOREST], ids=["tree", "graph", "ensemble"])
def test_rows_have_the_explanations_that_each_has_alone(model: DecisionGraph | Ensemble) -> None:
    points = points_of(model, 12)
    rows = list(xpgcheck.explain_table(model, points, parts=PART_NAMES))
    assert [row.row for row in rows] == list(range(1, 13))
    for point, row in zip(points, rows, strict=True):
        compare(model, point, row)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_graphs_of_any_kind_and_any_domains(case: Any) -> None:
    graph, point = case
    (row,) = xpgcheck.explain_table(graph, [point], parts=PART_NAMES)
    compare(graph, point, row)


@pytest.mark.slow
def test_a_thousand_rows_of_twenty_trees() -> None:
    for seed in range(20):
        graph = random_tree(15 + 4 * seed, 4 + seed % 7, seed, 3 + seed % 9)
        points = points_of(graph, 50, seed)
        for point, row in zip(points, xpgcheck.explain_table(graph, points, parts=PART_NAMES), strict=True):
            compare(graph, point, row)


def test_the_values_that_would_do_are_those_of_an_inflated_axp() -> None:
    for point, row in zip(points_of(TREE, 8), xpgcheck.explain_table(TREE, points_of(TREE, 8)), strict=True):
        case = case_of(TREE, point)
        assert isinstance(row.values, dict)
        assert isinstance(row.because, str)
        found = next(xp for xp in explain_case(case).to_dict()["axps"]["members"] if xp["features"] == row.axp)
        assert row.values == found["values"]
        assert row.because in found["text"]


class TestRowsThatAreTheSame:
    def test_they_are_explained_once(self) -> None:
        points = points_of(TREE, 20)
        table = xpgcheck.explain_table(TREE, points * 5, parts=["axp", "cxps"])
        rows = list(table)
        assert table.summary.rows == 100
        assert table.summary.distinct == 20
        assert [row.axp for row in rows] == [row.axp for row in rows[:20]] * 5

    def test_values_within_a_cell_are_the_same_but_for_a_closest_change(self) -> None:
        """A change depends on the values: each different row is one."""
        rows = [[5.1, 3.5, 1.4, 0.2], [5.2, 3.5, 1.4, 0.2], [5.1, 3.5, 1.4, 0.2]]
        for parts, distinct in (["axp"], 1), (["axp", "change"], 2):
            assert xpgcheck.explain_table("iris", rows, parts=parts).summary.distinct == distinct

    def test_rows_in_the_same_cells_share_all_but_their_change(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One of 60 rows, which differ in their numbers alone, is looked at; and no answer is taken for another's."""
        asked: list[int] = []
        inflated = answers.inflate_axp

        def counted(*arguments: Any) -> Any:
            asked.append(1)
            return inflated(*arguments)

        monkeypatch.setattr(answers, "inflate_axp", counted)
        monkeypatch.setattr(answers, "MAX_KNOWN", 2)
        rows = [[5.1 + i / 1_000, 3.5, 1.4, 0.2] for i in range(60)]
        table = xpgcheck.explain_table("iris", [*rows, [6.0, 2.9, 4.5, 1.5], *rows])
        assert len({row.because for row in table}) == 2
        assert table.summary.distinct == 61
        assert len(asked) == 2

    @pytest.mark.parametrize("most", [1, 3, 7])
    def test_answers_are_forgotten_when_they_are_many(self, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(running, "MAX_ANSWERS", most)
        monkeypatch.setattr(running, "TREE_BLOCK", 2)
        monkeypatch.setattr(running, "MAX_WAITING", 5)
        points = [*points_of(TREE, 9), *points_of(TREE, 9)]
        rows = list(xpgcheck.explain_table(TREE, points, parts=["axp", "cxps"]))
        assert [row.row for row in rows] == list(range(1, 19))
        assert [row.cxps for row in rows[9:]] == [row.cxps for row in rows[:9]]


def test_rows_are_taken_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without an end: no more rows are held than a few blocks have."""
    monkeypatch.setattr(running, "TREE_BLOCK", 4)
    taken = 0

    def endless() -> Iterator[Point]:
        nonlocal taken
        for seed in itertools.count():
            taken += 1
            yield points_of(TREE, 1, seed)[0]

    found = iter(xpgcheck.explain_table(TREE, endless(), parts=["axp"]))
    assert [row.row for row in itertools.islice(found, 40)] == list(range(1, 41))
    assert taken <= 44


def test_several_processes_give_the_same_rows_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TREE_BLOCK", 4)
    points = points_of(TREE, 30) * 2
    tables = [xpgcheck.explain_table(TREE, points, parts=PART_NAMES, jobs=jobs) for jobs in (1, 2)]
    first, second = map(list, tables)
    assert first == second
    assert tables[0].summary.document() == tables[1].summary.document()


class TestWhatIsLeftOpen:
    def test_lists_that_are_cut_say_so(self) -> None:
        (row,) = xpgcheck.explain_table(TREE, points_of(TREE, 1), parts=["axps", "cxps"], limit=1)
        assert row.axps
        assert len(row.axps) == len(row.cxps or ()) == 1
        assert row.left_open == "there are more than 1 CXps"

    def test_of_other_models_likewise(self) -> None:
        table = xpgcheck.explain_table(FOREST, points_of(FOREST, 1, 3), parts=["axp", "axps", "cxps"], limit=1)
        (row,) = table
        assert isinstance(row.left_open, str)
        assert "not all AXps and CXps were found" in row.left_open
        assert table.summary.undecided == table.summary.left_open == 1

    def test_a_row_whose_class_rounding_leaves_open_does_not_end_the_table(self) -> None:
        """A sum of 1/4 where rounding may be 1/2: nothing is said of that row, and the next one is explained."""
        features = (Feature("a", Boolean()),)
        edges = ((1, FiniteSet(frozenset([False]))), (2, FiniteSet(frozenset([True]))))
        tree = decision_graph(
            "t", features, ("low", "high"), {0: NonTerminal(0, edges), 1: Terminal(0), 2: Terminal(1)}
        )
        rule = Sum((Fraction(0),), Threshold(Fraction(0)), doubt=Fraction(1, 2))
        tied = ensemble("tied", features, ("no", "yes"), [tree], rule, [[(Fraction(-4),), (Fraction(1, 4),)]])
        first, second = xpgcheck.explain_table(tied, [(True,), (False,)], parts=["axp", "cxps"])
        assert isinstance(first.left_open, str)
        assert "round" in first.left_open
        assert first.axp is first.cxps is UNSET
        assert second.prediction == "no"

    def test_hard_rows_are_left_to_the_solvers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(answers, "BRANCHES", 0)
        monkeypatch.setattr(answers, "COMPARISONS", 0)
        points = points_of(TREE, 6)
        for point, row in zip(points, xpgcheck.explain_table(TREE, points, parts=PART_NAMES), strict=True):
            compare(TREE, point, row)


class TestUnderAConstraint:
    """Only points that can occur count: the same as one by one, and rows that cannot occur are errors."""

    def test_rows_have_the_explanations_that_each_has_alone(self, tmp_path: Path) -> None:
        model = load("hardware").graph
        (tmp_path / "c.json").write_text(
            json.dumps(
                {
                    "format": "constraints",
                    "version": 1,
                    "clauses": [{"any": [{"feature": "Age", "in": ["O"]}, {"feature": "Student", "in": ["Y"]}]}],
                }
            )
        )
        constraint = constraint_of(model, tmp_path / "c.json")
        assert constraint is not None
        possible = [point for point in load("hardware").instances if constraint.allows(point)]
        table = xpgcheck.explain_table(model, possible, parts=PART_NAMES, constraints=tmp_path / "c.json")
        shorter = 0
        for point, row in zip(possible, table, strict=True):
            found = xpgcheck.explain(model, point, constraints=constraint)
            assert row.axps == [list(xp) for xp in found.axps]
            assert row.cxps == [list(xp) for xp in found.cxps]
            shorter += row.axps != [list(xp) for xp in xpgcheck.explain(model, point).axps]
            if row.change:
                names = [feature.name for feature in model.features]
                changed = dict(zip(names, point, strict=True)) | row.change.values
                assert constraint.allows(xpgcheck.read_point(model.features, changed))
        assert shorter
        impossible = next(point for point in load("hardware").instances if not constraint.allows(point))
        with pytest.raises(InstanceError, match="row 2: the instance breaks the constraint: clause 1"):
            list(xpgcheck.explain_table(model, [possible[0], impossible], constraints=constraint))


class TestTheSummary:
    def test_it_counts_the_roles_of_each_row(self) -> None:
        points = points_of(TREE, 25) * 2
        document = xpgcheck.explain_table(TREE, points, parts=["axp"]).summary.document()
        counts: dict[tuple[str, str], list[int]] = {}
        for point in points:
            found = explain_case(case_of(TREE, point))
            least = min(map(len, found.cxps), default=0)
            smallest = {name for cxp in found.cxps if len(cxp) == least for name in cxp}
            for name in found.case.names:
                own = counts.setdefault((str(found.prediction), name), [0, 0, 0])
                own[0] += name in found.relevant
                own[1] += name in found.necessary
                own[2] += name in smallest
        for each in document.classes:
            assert each.rows == sum(TREE.classes[TREE.kappa(point)] == each.class_name for point in points)
            for feature in each.features:
                expected = counts[each.class_name, feature.name]
                assert [feature.in_some_axp, feature.in_every_axp, feature.in_smallest_cxp] == expected
        for place, feature in enumerate(document.features):
            assert feature.in_some_axp == sum(each.features[place].in_some_axp for each in document.classes)

    def test_of_an_ensemble_it_is_the_same_as_of_the_tree_that_it_is(self) -> None:
        """One tree that votes alone: by questions, and by paths."""
        single = ensemble("one", TREE.features, TREE.classes, [TREE], Majority())
        points = points_of(TREE, 6)
        documents = [xpgcheck.explain_table(model, points).summary.document() for model in (single, TREE)]
        assert documents[0].features == documents[1].features
        assert documents[0].classes == documents[1].classes


class TestTables:
    def test_a_frame(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        model = load("hardware").graph
        frame = pandas.DataFrame(
            [{"Credit": "P", "Student": "Y", "Age": "O", "Income": "L", "bought": "T"} for _ in range(3)]
        )
        table = xpgcheck.explain_table(model, frame, drop_columns=["bought"], parts=["axps"])
        alone = xpgcheck.explain(model, dict(frame.iloc[0].drop("bought")))
        assert [row.axps for row in table] == [[list(xp) for xp in alone.axps]] * 3
        again = xpgcheck.explain_table(model, frame, ignore_extra_columns=True).to_frame()
        assert list(again.columns) == [
            "row",
            "prediction",
            "axp",
            "axp_size",
            "because",
            "change",
            "change_class",
            "left_open",
        ]
        assert list(again["row"]) == [1, 2, 3]

    def test_a_frame_with_numbers_booleans_and_missing_values(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        features = (
            Feature("x", Float64(missing=True)),
            Feature("n", Integer()),
            Feature("b", Boolean()),
            Feature("c", Categorical(("1", "True"), (True, False))),
        )
        frame = pandas.DataFrame(
            {"x": [0.5, float("nan"), 2], "n": pandas.array([1, 2, 3], dtype="Int64"), "b": [True, False, True]}
        ).assign(c=["1", "True", "1"])
        points = list(TableSource(frame).points(features))
        assert [type(point[0]).__name__ for point in points] == ["Fraction", "Missing", "Fraction"]
        assert [point[1:3] for point in points] == [(1, True), (2, False), (3, True)]
        frame.loc[1, "n"] = pandas.NA
        with pytest.raises(InstanceError, match=r"row 2: feature 'n': the value is missing"):
            list(TableSource(frame).points(features))

    def test_a_pipeline_and_its_frame(self, tmp_path: Path) -> None:
        """From a fitted pipeline to a page: original columns, whole ages, κ as predicted."""
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        pytest.importorskip("sklearn", reason="the environment has no scikit-learn")
        from sklearn.compose import make_column_transformer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler
        from sklearn.tree import DecisionTreeClassifier

        rng = random.Random(0)
        rows = [(rng.randrange(19, 75), rng.choice(["clerk", "cook", "nurse"]), rng.random()) for _ in range(80)]
        frame = pandas.DataFrame(rows, columns=["age", "job", "x"])
        columns = make_column_transformer((OneHotEncoder(), ["job"]), (StandardScaler(), ["age", "x"]))
        fitted = make_pipeline(columns, DecisionTreeClassifier(random_state=0, max_depth=5))
        fitted.fit(frame, (frame.age > 40) & (frame.job != "cook") | (frame.x > 0.8))
        table = xpgcheck.explain_table(fitted, frame, domains=xpgcheck.domains_from(frame))
        found = list(table)
        assert [row.prediction for row in found] == [str(label) for label in fitted.predict(frame)]
        changes = [row.change.values for row in found if row.change]
        assert {name for change in changes for name in change} <= {"age", "job", "x"}
        assert all(change["age"].isdigit() for change in changes if "age" in change)
        assert table.write(tmp_path / "page.html").rows == 80

    def test_a_csv_file(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.csv"
        path.write_text("Age,Income,Student,Credit,extra\nO,L,Y,P,1\n")
        (row,) = xpgcheck.explain_table("hardware", path, ignore_extra_columns=True)
        assert row.prediction == "T"

    def test_rows_that_can_be_gone_through_once(self) -> None:
        table = xpgcheck.explain_table("iris", iter([[5.1, 3.5, 1.4, 0.2]]))
        assert len(list(table)) == 1
        assert table.summary.rows == 1
        with pytest.raises(InputError, match="the rows of this iterator are gone"):
            list(table)


class TestBadInput:
    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ([[1, 2, 3, 4], [1, 2, 3]], "row 2: the instance has 3 values, there are 4 features"),
            ([[1, 2, 3, "blue"]], "row 1: feature 'petal width (cm)': 'blue' is not a finite number"),
            ([[1, 2, 3, float("nan")]], "row 1: feature 'petal width (cm)': the value is missing"),
            ([{"sepal length (cm)": 1}], "row 1: features .* have no value"),
            ([], "table: there are no rows"),
            (7, "table: an object of type 'int' is no table"),
            ({"a": 1}, "table: an object of type 'dict' is no table"),
        ],
    )
    def test_rows(self, table: Any, message: str) -> None:
        with pytest.raises(InputError, match=message.replace("(", r"\(").replace(")", r"\)")):
            list(xpgcheck.explain_table("iris", table))

    @pytest.mark.parametrize(
        ("columns", "options", "message"),
        [
            (["Age", "Income", "Student"], {}, "table: there is no column for 1 feature: 'Credit'"),
            (["Age", "Income", "Student", "Credit", "y"], {}, "table: the column 'y' is no feature; pass drop_columns"),
            (["Age", "Income", "Student", "Credit"], {"drop_columns": ["y"]}, "table: there is no column 'y' to drop"),
        ],
    )
    def test_columns_of_a_frame(self, columns: list[str], options: dict[str, Any], message: str) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        frame = pandas.DataFrame([dict.fromkeys(columns, "O")])
        with pytest.raises(InstanceError, match=message):
            list(xpgcheck.explain_table("hardware", frame, **options))

    def test_a_category_of_a_frame(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        good = {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"}
        with pytest.raises(InstanceError, match="row 2: feature 'Age': 'old' is not a category; write one of"):
            list(xpgcheck.explain_table("hardware", pandas.DataFrame([good, good | {"Age": "old"}])))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"parts": ["all"]}, "parts: "),
            ({"parts": []}, "parts: "),
            ({"limit": 0}, "limit: "),
            ({"jobs": 0}, "jobs: "),
        ],
    )
    def test_arguments(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            xpgcheck.explain_table("iris", [], **options)
