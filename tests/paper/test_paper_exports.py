"""Proofs as SMT-LIB files (other tests ask whether other solvers answer them alike); tables; the page."""

from __future__ import annotations

import csv
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import InputError
from xpgcheck.paper.catalogue import chosen
from xpgcheck.paper.exporting import export_theorems
from xpgcheck.paper.judging import JudgedCheck, JudgedRow
from xpgcheck.paper.reports.html import html_report
from xpgcheck.paper.reports.table_files import write_tables
from xpgcheck.paper.sources import Found
from xpgcheck.paper.tables.figures import missing_files


def test_what_is_proved_is_written_for_other_solvers(tmp_path: Path) -> None:
    files = export_theorems(tmp_path / "smt", quick=True)
    assert len(files) > 10
    assert len({file.name for file in files}) == len(files)
    assert all(
        "sufficient" in file.name or file.read_text(encoding="utf-8").endswith("(check-sat)\n") for file in files
    )


def test_the_same_again_is_the_same(tmp_path: Path) -> None:
    first, second = (export_theorems(tmp_path / name, quick=True) for name in "ab")
    assert [f.read_bytes() for f in first] == [f.read_bytes() for f in second]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="it cannot be made"):
        export_theorems(file / "smt", quick=True)


def judged_row(verdict: str, known: str, name: str = "table-2", details: tuple[dict[str, Any], ...] = ()) -> JudgedRow:
    row = next(row for row in chosen((name,)) if row.id == name)
    row = dataclasses.replace(row, known=known)
    found = Found(verdict == "holds", "all", "", None, "xpgcheck paper", details=details)
    return JudgedRow(row, verdict, (JudgedCheck(row.checks[0], found),))


DETAILS = ({"data": "a_b", "#F": 3, "AXps ×": "1.5", "inner": {}}, {"data": "50 %", "#F": None, "AXps ×": "2"})


def test_tables_are_written_as_csv_and_latex(tmp_path: Path) -> None:
    files = write_tables(tmp_path / "new", [judged_row("holds", "holds", details=DETAILS)])
    assert sorted(file.name for file in files) == ["claims.csv", "claims.tex", "table-2.csv", "table-2.tex"]
    table = (tmp_path / "new" / "table-2.csv").read_text(encoding="utf-8")
    assert list(csv.reader(table.splitlines())) == [["data", "#F", "AXps ×"], ["a_b", "3", "1.5"], ["50 %", "", "2"]]
    latex = (tmp_path / "new" / "table-2.tex").read_text(encoding="utf-8").splitlines()
    assert latex[0] == r"\begin{tabular}{lrr}"
    assert latex[2] == r"data & \#F & AXps $\times$ \\"
    assert r"a\_b & 3 & 1.5 \\" in latex
    assert r"50 \% &  & 2 \\" in latex
    assert latex[-1] == r"\end{tabular}"
    assert all(len(line.split(" & ")) == 3 for line in latex if " & " in line)


def test_a_folder_for_tables_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="it cannot be made"):
        write_tables(file / "tables", [])


def test_the_page_begins_with_what_is_not_as_known_and_what_fails() -> None:
    rows = [
        judged_row("holds", "holds", "table-1"),
        judged_row("fails as printed", "fails as printed", "accuracy"),
        judged_row("fails", "holds", "prop-4"),
        judged_row("skipped", "holds", "table-2"),
    ]
    page = html_report(rows, {})
    found = re.findall(r'<h2 class="part">([\w ]+) <small>|<details id="([\w-]+)">', page)
    assert [heading or row for heading, row in found] == [
        *("Not as known", "prop-4"),
        *("Fails as printed", "accuracy"),
        *("Holds", "table-1"),
        *("Skipped", "table-2"),
    ]


def test_data_sets_that_are_not_there_are_named(tmp_path: Path) -> None:
    files = [tmp_path / "iris.csv", tmp_path / "vote.csv"]
    missing = missing_files(files)
    assert "adult.csv" in missing
    assert "tic_tac_toe.csv" in missing
    assert not {"iris.csv", "vote.csv"} & set(missing)
    assert missing_files(files, quick=True) == []
