"""The domains of a table's columns: stated by files, mappings and dtypes, proposed from values; a line for each mistake."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

import xpgcheck
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Integer, Real
from xpgcheck.readers import read_classifier
from xpgcheck.readers.proposed_domains import domains_from
from xpgcheck.readers.table_schemas import TableSchema, read_table_schema, table_schema
from xpgcheck.schemas import schema
from xpgcheck.writers.table_schema import schema_text

MODEL = {
    "format": "decision-graph",
    "version": 1,
    "name": "loan",
    "features": [
        {"name": "age", "domain": {"type": "float64", "missing": True}},
        {"name": "student", "domain": {"type": "float64", "missing": False}},
        {"name": "job", "domain": {"type": "categorical", "values": ["clerk", "cook", "nurse"]}},
    ],
    "classes": ["no", "yes"],
    "nodes": [
        {
            "id": 0,
            "feature": "age",
            "edges": [{"to": 1, "in": ["(-inf, 30.5]", "missing"]}, {"to": 2, "in": ["(30.5, inf)"]}],
        },
        {
            "id": 1,
            "feature": "student",
            "edges": [{"to": "no", "in": ["(-inf, 0.5]"]}, {"to": "yes", "in": ["(0.5, inf)"]}],
        },
        {"id": 2, "feature": "job", "edges": [{"to": "no", "in": ["clerk"]}, {"to": "yes", "in": ["cook", "nurse"]}]},
        {"id": "no", "class": "no"},
        {"id": "yes", "class": "yes"},
    ],
}
TABLE = "age,student,job,y\n27,0,clerk,no\n45,1,cook,yes\n61,0,nurse,yes\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "loan.json").write_text(json.dumps(MODEL))
    (tmp_path / "table.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stated(*columns: dict[str, Any]) -> str:
    return json.dumps({"format": "table-schema", "version": 1, "columns": columns})


class TestFiles:
    def test_every_kind(self, tmp_path: Path) -> None:
        path = tmp_path / "s.json"
        path.write_text(
            '{"format": "table-schema", "version": 1, "columns": ['
            '{"name": "a", "domain": {"type": "integer", "low": 0}, "seen": "17 to 90"},'
            '{"name": "b", "domain": {"type": "boolean"}},'
            '{"name": "c", "domain": {"type": "categorical", "values": ["x", "y"], "cells": [1, 2.5]}},'
            '{"name": "d", "domain": {"type": "real", "low": 0.1, "low_open": true}},'
            '{"name": "e", "domain": {"type": "float32", "missing": true}}, {"name": "f", "seen": "numbers"}]}'
        )
        found = read_table_schema(path)
        assert found.columns == {
            "a": Integer(0),
            "b": Boolean(),
            "c": Categorical(("x", "y"), (Fraction(1), Fraction(5, 2))),
            "d": Real(Fraction(1, 10), None, True),
            "e": Float32(True),
            "f": None,
        }
        assert found.seen == {"a": "17 to 90", "f": "numbers"}
        fits_schema(json.loads(path.read_text()), "table-schema")
        again = tmp_path / "again.json"
        again.write_text(schema_text(found))
        fits_schema(json.loads(again.read_text()), "table-schema")
        assert read_table_schema(again).columns == found.columns

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "the file is empty; write a file of format table-schema"),
            ("{", "line 1, column 2: the JSON breaks off here"),
            ("[]", r"\$: this is of type array"),
            (
                json.dumps(MODEL),
                r"\$.format: the format is 'decision-graph'; the format that is read is 'table-schema'",
            ),
            (stated({"domain": {"type": "boolean"}}), r"\$.columns\[0\]: the field 'name' is missing; add it"),
            (stated({"name": "a", "kind": "integer"}), r"\$.columns\[0\]: the field 'kind' is unknown"),
            (
                stated({"name": "a", "domain": {"type": "int"}}),
                r"columns\[0\].domain.type: .*; write boolean, categorical",
            ),
            (
                stated({"name": "a", "domain": {"type": "integer", "low": 9, "high": 1}}),
                r"\$.columns\[0\].domain: the domain is empty: no integer from 9 to 1; swap the bounds",
            ),
            (
                stated({"name": "a", "domain": {"type": "integer", "low": 0.5}}),
                r"\$.columns\[0\].domain: low: 1/2 is not an integer",
            ),
            (stated({"name": "a"}, {"name": "a"}), r"\$.columns\[1\].name: the column 'a' is there twice"),
            (stated({"name": "a\n"}), "has a control character"),
            (
                '{"format": "table-schema", "version": 1, "columns": [{"name": "a", "name": "b"}]}',
                "the key 'name' is written twice; write each key once",
            ),
        ],
    )
    def test_mistakes(self, text: str, message: str, tmp_path: Path) -> None:
        path = tmp_path / "s.json"
        path.write_text(text)
        with pytest.raises(InputError, match=message) as caught:
            read_table_schema(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert str(caught.value).isprintable()
        assert str(caught.value).count(str(path)) == 1

    def test_the_published_schema_has_the_domains_of_decision_graphs(self) -> None:
        own, graphs = schema("table-schema")["$defs"], schema("decision-graph")["$defs"]
        assert own["column"]["properties"]["domain"] == graphs["feature"]["properties"]["domain"]
        assert {name: part for name, part in own.items() if name != "column"}.items() <= graphs.items()


class TestPython:
    @pytest.mark.parametrize(
        ("said", "domain"),
        [
            ("integer", Integer()),
            ({"type": "integer", "low": 0}, Integer(0)),
            ({"type": "categorical", "values": ["a"]}, Categorical(("a",))),
            (Real(), Real()),
            (int, Integer()),
            (bool, Boolean()),
            (None, None),
        ],
    )
    def test_mappings(self, said: Any, domain: Domain | None) -> None:
        assert table_schema({"x": said}).columns == {"x": domain}

    def test_dtypes_of_numpy(self) -> None:
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        kinds = {"int64": Integer(), "uint8": Integer(0), "bool": Boolean(), "float32": None, "object": None}
        found = table_schema({name: numpy.dtype(name) for name in kinds})
        assert found.columns == kinds

    def test_a_frame_and_its_dtypes(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        frame = pandas.DataFrame(
            {
                "n": [1, 2],
                "nullable": pandas.array([1, None], dtype="Int32"),
                "b": [True, False],
                "x": [0.5, 1.0],
                "c": pandas.Categorical(["a", "b"], ["b", "a"]),
                "k": pandas.Categorical([3, 1]),
                "s": ["p", "q"],
            }
        )
        for given in (frame, frame.dtypes, dict(frame.dtypes)):
            assert table_schema(given).columns == {
                "n": Integer(),
                "nullable": Integer(),
                "b": Boolean(),
                "x": None,
                "c": Categorical(("b", "a"), ("b", "a")),
                "k": Categorical(("1", "3"), (Fraction(1), Fraction(3))),
                "s": None,
            }

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (7, "domains: '7' states no domains; give a path, a frame's dtypes, or a dict"),
            ({"x": "whole"}, "domains, column 'x': .* is no domain; write one of boolean, integer"),
            ({"x": {"type": "int"}}, "domains, column 'x': this is no domain .*; write it as"),
            ({"x": 3}, "domains, column 'x': '3' is no domain"),
        ],
    )
    def test_mistakes(self, given: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            table_schema(given)

    def test_columns_are_found_as_in_tables(self) -> None:
        features = [Feature("age yrs", Float32()), Feature("b", Float32())]
        assert TableSchema({" age yrs": Integer(), "b": None}).of_features(features) == {0: Integer()}
        with pytest.raises(InputError, match="domains: the column 'c' is not a feature of the model; remove it"):
            TableSchema({"c": Integer()}).of_features(features)
        with pytest.raises(InputError, match="the column 'age yrs' is there twice"):
            TableSchema({" age yrs": Integer(), "age yrs": Integer()}).of_features(features)

    def test_readers_take_domains(self, folder: Path) -> None:
        domains = {"age": "integer", "student": "boolean"}
        for model in (
            read_classifier("loan.json", domains=domains),
            xpgcheck.read_model("loan.json", domains=domains),
        ):
            assert [feature.domain for feature in model.features[:2]] == [Integer(), Boolean()]  # type: ignore[union-attr]
        found = xpgcheck.explain("loan.json", {"age": 27, "student": 0, "job": "cook"}, domains=domains)
        assert found.closest(["age"]).values == {"age": 31}
        assert found.closest(["student"]).values == {"student": True}
        (row,) = xpgcheck.explain_table("loan.json", [[27, 0, "cook"]], domains=domains)
        assert row.change
        assert row.change.values in ({"age": "31"}, {"student": "1"})
        with pytest.raises(InputError, match=r"the missing|missing; write a value of integers"):
            xpgcheck.explain("loan.json", [None, 0, "cook"], domains=domains)

    def test_a_fitted_tree_takes_the_dtypes_of_its_frame(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        sklearn_tree = pytest.importorskip("sklearn.tree", reason="the environment has no scikit-learn")
        frame = pandas.DataFrame({"age": range(20, 60), "student": [i % 3 == 0 for i in range(40)], "x": 0.25})
        labels = (frame.age > 33) & frame.student
        fitted = sklearn_tree.DecisionTreeClassifier(random_state=0).fit(frame, labels)
        model = xpgcheck.from_sklearn(fitted, domains=frame.dtypes)
        assert [feature.domain for feature in model.features] == [Integer(), Boolean(), Float32()]
        for row, label in zip(frame.to_dict("records"), fitted.predict(frame), strict=True):
            assert model.classes[model.kappa(xpgcheck.read_point(model.features, row))] == str(label)
        change = xpgcheck.explain(model, frame.iloc[1]).closest_point
        assert callable(change)
        assert xpgcheck.explain(fitted, frame.iloc[1], domains=frame.dtypes).axps

    def test_an_xpg_model_has_none(self, tmp_path: Path) -> None:
        path = tmp_path / "m.xpg"
        path.write_bytes(
            b"NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 2\nVarDef:\n1 f0\n"
        )
        with pytest.raises(InputError, match=r"an \.xpg model has no domains to state; leave the schema out"):
            xpgcheck.read_model(path, domains={"f0": "boolean"})


class TestProposals:
    def test_what_is_proposed_of_a_file(self, folder: Path) -> None:
        text = "age,half,student,job,code,gone,note,yes,empty,big\n"
        text += "17,1.5,0,cook,1.0,3,ü x,true,,1e3\n90,2,1,clerk,2,,,False,,7\n"
        (folder / "t.csv").write_text(text)
        found = domains_from(folder / "t.csv", drop_columns=["note"])
        assert found.columns == {
            "age": Integer(),
            "half": None,
            "student": Boolean(),
            "job": Categorical(("clerk", "cook")),
            "code": Integer(),
            "gone": Integer(missing=True),
            "yes": Boolean(),
            "empty": None,
            "big": Integer(),
        }
        assert found.seen["age"] == "whole numbers from 17 to 90"
        assert found.seen["gone"] == "whole numbers from 3 to 3, 1 of 2 missing"
        assert found.seen["half"] == "numbers from 1.5 to 2"
        assert found.seen["job"] == "2 different texts ('clerk', 'cook')"
        assert found.seen["empty"] == "no values"

    def test_a_frame_and_rows(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        rows = [{"n": 1, "b": True, "x": 0.5}, {"n": 2, "b": False, "x": float("nan")}]
        for table in (rows, iter(rows), pandas.DataFrame(rows)):
            assert domains_from(table).columns == {"n": Integer(), "b": Boolean(), "x": None}

    def test_many_texts_and_bounds_are_not_guessed(self) -> None:
        rows = [{"id": f"c{i}", "zero": 0, "n": i} for i in range(1_001)]
        found = domains_from(rows)
        assert found.columns == {"id": None, "zero": Integer(), "n": Integer()}
        assert found.seen["id"] == "more than 1,000 different texts"

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ([], "table: there are no rows to propose domains from"),
            (3, "table: an object of type 'int' is no table"),
            ([[1, 2]], "row 1: this is no dict"),
        ],
    )
    def test_mistakes(self, table: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            domains_from(table)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "the file is empty"),
            ("a,a\n1,2\n", "line 1: the column 'a' is there twice"),
            ("a,\n1,2\n", "line 1, column 2: the name of a column is empty"),
            ("a,b\n1\n", "line 2: there are 1 cells, the first line has 2"),
            ("a\n", "there are no rows"),
        ],
    )
    def test_bad_files(self, text: str, message: str, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        path.write_text(text)
        with pytest.raises(InputError, match=re.escape(message)):
            domains_from(path)


class TestCommands:
    def test_from_a_table_to_whole_changes(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The proposal is shown, written, and used by every command that reads a model."""
        assert main(["domains", "table.csv", "--drop-column", "y", "-o", "s.json"]) == 0
        printed = capsys.readouterr().out
        assert re.search(r"age +integers \(-inf, inf\) +whole numbers from 27 to 61", printed)
        instance = ["--instance", "age=27, student=0, job=cook"]
        assert main(["explain", "loan.json", *instance]) == 0
        assert "age > 30.5" in capsys.readouterr().out
        assert main(["explain", "loan.json", *instance, "--schema", "s.json"]) == 0
        printed = capsys.readouterr().out
        assert "age ≥ 31 (not 27)" in printed or "age > 30 (not 27)" in printed
        assert "student = 1 (not 0)" in printed
        table = ["--instances", "table.csv", "--drop-column", "y", "--schema", "s.json"]
        assert main(["check", "loan.json", *table, "--quiet", "--jobs", "1"]) == 0
        assert main(["explain", "loan.json", *table, "--all", "-o", "rows.jsonl", "--jobs", "1"]) == 0
        changes = [json.loads(line)["change"]["values"] for line in (folder / "rows.jsonl").read_text().splitlines()]
        assert all(float(value).is_integer() for change in changes for name, value in change.items() if name == "age")
        assert main(["convert", "loan.json", "--schema", "s.json", "-o", "whole.json"]) == 0
        whole = xpgcheck.read_model("whole.json")
        assert whole.features[0] == Feature("age", Integer())  # type: ignore[union-attr]
        assert main(["draw", "loan.json", "--schema", "s.json", "-o", "a.dot"]) == 0
        assert "30.5" not in (folder / "a.dot").read_text()

    def test_without_a_file_it_is_only_shown(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["domains", "table.csv"]) == 0
        assert "-o FILE writes the proposal" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            (
                [{"name": "y", "domain": {"type": "boolean"}}],
                "s.json: the column 'y' is not a feature of the model; remove it, or correct its name",
            ),
            (
                [{"name": "job", "domain": {"type": "integer"}}],
                "s.json: feature 'job': the model reads '{clerk, cook, nurse}', and integers (-inf, inf) is stated: ",
            ),
            ([{"name": "age", "domain": {"type": "integer", "low": 40, "high": 18}}], "s.json: $.columns[0].domain"),
        ],
    )
    def test_schemas_that_do_not_fit(
        self, columns: list[dict[str, Any]], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "s.json").write_text(stated(*columns))
        assert main(["explain", "loan.json", "--instance", "age=1", "--schema", "s.json"]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1

    def test_values_that_are_not_whole(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "s.json").write_text(stated({"name": "age", "domain": {"type": "integer", "low": 18}}))
        (folder / "t.csv").write_text("age,student,job\n27.5,0,cook\n")
        command = ["explain", "loan.json", "--schema", "s.json", "--instances", "t.csv", "--all"]
        assert main(command) == 2
        assert "t.csv: line 2, column 1 ('age'): '27.5' is not an integer" in capsys.readouterr().err
        (folder / "t.csv").write_text("age,student,job\n,0,cook\n")
        assert main(command) == 2
        assert (
            "t.csv: line 2, column 1 ('age'): the value is missing; write a value of integers"
            in capsys.readouterr().err
        )
        (folder / "t.csv").write_text("age,student,job\n17,0,cook\n")
        assert main(command) == 2
        assert "'17' is outside the domain" in capsys.readouterr().err

    def test_embedded_models_are_read_as_they_are(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "s.json").write_text(stated())
        for command in ("explain", "check"):
            assert main([command, "iris", "--schema", "s.json", *(["--row", "1"] if command == "explain" else [])]) == 2
            assert "--schema out" in capsys.readouterr().err
