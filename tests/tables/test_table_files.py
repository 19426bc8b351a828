"""``xpgcheck explain --all``: rows to CSV, JSON Lines, Parquet and a page, whole or not there, and the summary."""

from __future__ import annotations

import csv
import io
import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from published_schemas import fits_schema

import xpgcheck
from xpgcheck.cli.main import main
from xpgcheck.cli.table_options import DEFAULT_SHOWN, SHOWN
from xpgcheck.embedded import load
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.tables.api import PART_NAMES
from xpgcheck.tables.asked import DEFAULT_PARTS
from xpgcheck.tables.plot import percent
from xpgcheck.writers.json_model import model_json

HEADER = "Age,Income,Student,Credit"
ROWS = f"{HEADER}\nO,L,Y,P\nW,M,N,E\nO,L,Y,P\n"
EVERYTHING = ["--parts", ",".join(SHOWN)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS)
    return path


def expected() -> list[dict[str, Any]]:
    points = [dict(zip(HEADER.split(","), line.split(","), strict=True)) for line in ROWS.split()[1:]]
    return [msgspec.to_builtins(row) for row in xpgcheck.explain_table("hardware", points, parts=PART_NAMES)]


def nasty() -> DecisionGraph:
    names = ("[red]a;b[/red]", '<b>"x",</b>')
    sides = [FiniteSet(frozenset([value])) for value in (False, True)]
    words = [FiniteSet(frozenset([value])) for value in ("=1+1", "<i>")]
    nodes = {
        0: NonTerminal(0, ((1, sides[0]), (2, sides[1]))),
        1: Terminal(0),
        2: NonTerminal(1, ((3, words[0]), (4, words[1]))),
        3: Terminal(0),
        4: Terminal(1),
    }
    features = [Feature(names[0], Boolean()), Feature(names[1], Categorical(("=1+1", "<i>")))]
    return decision_graph("[bold]<i>", features, ["<script>", "[/]"], nodes, 0)


def test_the_command_knows_what_the_library_knows() -> None:
    assert SHOWN == PART_NAMES
    assert tuple(part.value for part in DEFAULT_PARTS) == DEFAULT_SHOWN


class TestFormats:
    def test_json_lines(self, table: Path, tmp_path: Path) -> None:
        target = tmp_path / "out.jsonl"
        assert main(["explain", "hardware", "--instances", str(table), "--all", "-o", str(target), *EVERYTHING]) == 0
        rows = [json.loads(line) for line in target.read_text().splitlines()]
        assert rows == expected()
        for row in rows:
            fits_schema(row, "explained-row")

    def test_csv(self, table: Path, tmp_path: Path) -> None:
        target = tmp_path / "out.csv"
        assert main(["explain", "hardware", "--instances", str(table), "--all", "-o", str(target), *EVERYTHING]) == 0
        rows = list(csv.DictReader(io.StringIO(target.read_text())))
        for row, record in zip(rows, expected(), strict=True):
            assert [row["row"], row["prediction"], row["because"]] == [
                str(record["row"]),
                record["prediction"],
                record["because"],
            ]
            for column in ("axp", "axps", "cxps"):
                assert json.loads(row[column]) == record[column]
            assert int(row["axp_size"]) == len(record["axp"])
            assert json.loads(row["change"]) == record["change"]["values"]
            assert row["change_class"] == record["change"]["class"]

    def test_parquet(self, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        parquet = pytest.importorskip("pyarrow.parquet", reason="the environment has no pyarrow")
        monkeypatch.setattr("xpgcheck.tables.files.PARQUET_ROWS", 2)
        target = tmp_path / "out.parquet"
        assert main(["explain", "hardware", "--instances", str(table), "--all", "-o", str(target), *EVERYTHING]) == 0
        found = parquet.read_table(target)
        assert found.column_names == [
            *("row", "prediction", "axp", "axp_size", "because", "axps", "cxps", "change", "change_class", "left_open")
        ]
        for row, record in zip(found.to_pylist(), expected(), strict=True):
            assert [row[key] for key in ("row", "axp", "axps", "cxps")] == [
                record[key] for key in ("row", "axp", "axps", "cxps")
            ]
            assert dict(row["change"]) == record["change"]["values"]
            assert row["left_open"] is None

    def test_a_page(self, tmp_path: Path) -> None:
        """Names of others are text; the page runs and loads nothing."""
        (tmp_path / "model.json").write_text(model_json(nasty()))
        (tmp_path / "rows.csv").write_text("1,<i>\n1,=1+1\n0,<i>\n")
        arguments = ["--instances", str(tmp_path / "rows.csv"), "--all", *EVERYTHING]
        outputs = ["-o", str(tmp_path / "a.csv"), "--html", str(tmp_path / "a.html")]
        assert main(["explain", str(tmp_path / "model.json"), *arguments, *outputs]) == 0
        page = (tmp_path / "a.html").read_text()
        assert "<script" not in page
        assert "<b>" not in page
        assert "&lt;b&gt;" in page
        assert page.count("<svg") == 3
        assert not re.findall(r"(?:src|href)=", page)
        assert "class [/] with" not in page.split("</h2>")[0]
        cell = next(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))["axp"]
        assert json.loads(cell) == ["[red]a;b[/red]", '<b>"x",</b>']

    def test_a_page_shows_the_first_rows(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("xpgcheck.tables.api.MAX_ROWS", 2)
        xpgcheck.explain_table("hardware", load("hardware").instances).write(tmp_path / "a.html")
        page = (tmp_path / "a.html").read_text()
        assert "The first 2 rows" in page
        assert page.split("<h2>Rows</h2>")[1].count("<tr>") == 3

    def test_several_files_at_once(self, tmp_path: Path) -> None:
        targets = [tmp_path / f"a.{ending}" for ending in ("csv", "jsonl", "html")]
        summary = xpgcheck.explain_table("hardware", load("hardware").instances).write(*targets)
        assert all(target.stat().st_size for target in targets)
        assert summary.rows == len(load("hardware").instances)


class TestTheSummary:
    def test_on_the_terminal_and_as_json(self, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        target = tmp_path / "summary.json"
        command = ["explain", "hardware", "--instances", str(table), "--all"]
        assert main([*command, "--json", str(target)]) == 0
        printed = capsys.readouterr().out
        assert "hardware: 3 rows explained" in printed
        assert "rows: 3, of which 2 were explained" in printed
        document = json.loads(target.read_text())
        fits_schema(document, "table-summary")
        assert document == msgspec.to_builtins(xpgcheck.explain_table("hardware", table).summary.document())
        assert main([*command, "--json", "-"]) == 0
        assert json.loads(capsys.readouterr().out) == document

    def test_an_embedded_model_brings_its_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "iris", "--all", "--jobs", "1", "--parts", "axp"]) == 0
        assert "iris: 149 rows explained" in capsys.readouterr().out

    def test_a_model_that_is_constant(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        model = tmp_path / "constant.json"
        model.write_text(model_json(decision_graph("c", [Feature("f", Boolean())], ["X"], {1: Terminal(0)})))
        (tmp_path / "rows.csv").write_text("f\n1\n")
        command = ["explain", str(model), "--instances", str(tmp_path / "rows.csv"), "--all", *EVERYTHING]
        assert main([*command, "-o", str(tmp_path / "a.jsonl"), "--html", str(tmp_path / "a.html")]) == 0
        assert "no feature is in any AXp or CXp" in capsys.readouterr().out
        row = json.loads((tmp_path / "a.jsonl").read_text())
        assert (row["axp"], row["axps"], row["cxps"], row["change"]) == ([], [[]], [], None)
        assert row["because"] == "whatever the features are"

    @pytest.mark.parametrize(
        ("count", "rows", "text"),
        [(0, 3, "0 %"), (3, 3, "100 %"), (1, 3, "33 %"), (1, 1000, "< 1 %"), (999, 1000, "> 99 %"), (0, 0, "–")],
    )
    def test_shares_are_never_rounded_to_nothing_or_all(self, count: int, rows: int, text: str) -> None:
        assert percent(count, rows) == text


class TestNothingIsWrittenHalf:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (f"{ROWS}old,L,Y,P\n", "line 5, column 1 ('Age'): 'old' is not a category; write one of"),
            (f"{ROWS},L,Y,P\n", "line 5, column 1 ('Age'): '' is not a category; write one of"),
            (f"{ROWS}O,L\n", "line 5: there are 2 cells, the first line has 4; write one cell for each column"),
            ("Age,Income\nO,L\n", "line 1: there is no column for 2 feature(s): 'Student', 'Credit'; add the column"),
            (f"{HEADER},y\nO,L,Y,P,1\n", "line 1: the column 'y' is not a feature; add --drop-column y"),
            (f"{HEADER}\n", "there is a header and no instance; write one line for each instance"),
        ],
    )
    def test_bad_rows(self, text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """File, line, column, remedy; the output is what it was."""
        rows, target = tmp_path / "bad.csv", tmp_path / "out.csv"
        rows.write_text(text)
        target.write_text("as it was")
        page = tmp_path / "page.html"
        command = ["explain", "hardware", "--instances", str(rows), "--all", "-o", str(target), "--html", str(page)]
        assert main(command) == 2
        error = capsys.readouterr().err
        assert f"xpgcheck: {rows}: {message}" in error
        assert error.count("\n") == 1
        assert target.read_text() == "as it was"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "out.csv"]

    def test_a_row_that_cannot_occur(self, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        clause = {"any": [{"feature": "Age", "in": ["O"]}]}
        (tmp_path / "c.json").write_text(json.dumps({"format": "constraints", "version": 1, "clauses": [clause]}))
        command = ["explain", "hardware", "--instances", str(table), "--all", "-o", str(tmp_path / "a.csv")]
        assert main([*command, "--constraints", str(tmp_path / "c.json")]) == 2
        assert f"xpgcheck: {table}: line 3: the instance breaks the constraint: clause 1" in capsys.readouterr().err
        assert not (tmp_path / "a.csv").exists()

    def test_from_python_a_bad_row_far_down_leaves_no_file(self, tmp_path: Path) -> None:
        good = {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"}
        rows = iter([*[good] * 6_000, good | {"Age": "?"}])
        targets = [tmp_path / "a.csv", tmp_path / "a.jsonl", tmp_path / "a.html"]
        if find_spec("pyarrow") is not None:
            targets.append(tmp_path / "a.parquet")
        with pytest.raises(xpgcheck.XpgcheckError, match="row 6001: feature 'Age'"):
            xpgcheck.explain_table("hardware", rows).write(*targets)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["-o", "absent/a.csv"], "absent/a.csv: its folder does not exist"),
            (["-o", "a.xlsx"], "a.xlsx: the ending says no format of rows; end it in .csv, .jsonl, .parquet or .html"),
            (["-o", "rows.csv"], "rows.csv: this is also an input"),
            (["-o", "a.html", "--html", "a.html"], "name the same file"),
            (["--html", "a.csv"], "command line: --html writes a page; end its name in .html"),
            (
                ["--parts", "axp,all"],
                "--parts: 'all' is not a part of a row; name some of axp, values, axps, cxps, change",
            ),
            (["--row", "1"], "--all is for every row of --instances; leave --instance and --row out"),
            (["--smallest"], "--smallest is for one instance; leave it or --all out (--all explains by --parts)"),
            (["--boxes", "2"], "--boxes is for one instance; leave it or --all out"),
            (["--order", "Age"], "--order is for one instance"),
            (["--markdown", "a.md"], "--markdown is for one instance"),
        ],
    )
    def test_what_cannot_be_done_is_refused_first(
        self, options: list[str], message: str, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
    ) -> None:
        monkeypatch.chdir(table.parent)
        monkeypatch.setattr("xpgcheck.tables.running.AnsweredRows.of", None)
        assert main(["explain", "hardware", "--instances", "rows.csv", "--all", *options]) == 2
        assert message in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["-o", "a.csv"], "a.csv: one instance is written as a page; end the name in .html or .md, or add --all"),
            (["--parts", "axp"], "--parts is for a whole table; add --all, or leave it out"),
            (["-j", "2"], "--jobs is for a whole table; add --all, or leave it out"),
        ],
    )
    def test_options_of_a_table_need_all(
        self, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain", "iris", "--row", "1", *options]) == 2
        assert message in capsys.readouterr().err

    def test_a_table_is_needed(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "m.json").write_text(model_json(nasty()))
        assert main(["explain", str(tmp_path / "m.json"), "--all"]) == 2
        assert "--all needs --instances" in capsys.readouterr().err

    def test_without_pyarrow_parquet_is_refused_with_the_remedy(
        self, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
        target = tmp_path / "a.parquet"
        assert main(["explain", "hardware", "--instances", str(table), "--all", "-o", str(target)]) == 2
        assert "needs the package 'pyarrow'; write .csv or .jsonl, or " in capsys.readouterr().err
