"""``xpgcheck convert-claims`` as a user runs it: logs of several shapes, and each refusal with its row and column."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.writers.json_model import model_json

HEADER = "case,x3,x2,x1,kind,why,class"
ROW = "a,2,0,0,AXp,x1; x3,R"
OPTIONS = ("--model", "omdd", "--set-column", "why", "--kind-column", "kind")


@pytest.fixture
def run(capfd: Any) -> Any:
    def run_(command: str, *arguments: object) -> tuple[int, str, str]:
        status = main([command, *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def log(tmp_path: Path) -> Any:
    def write(*lines: str | bytes, header: str = HEADER) -> Path:
        path = tmp_path / "log.csv"
        rows = [line.encode() if isinstance(line, str) else line for line in (header, *lines) if line]
        path.write_bytes(b"\r\n".join(rows) + b"\r\n")
        return path

    return write


def claims_in(path: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        fits_schema(line, "claims")
    assert lines[0]["format"] == "xpgcheck-claims"
    return lines[1:]


def test_a_log_with_the_values(run: Any, log: Any, tmp_path: Path) -> None:
    target = tmp_path / "c.jsonl"
    rows = [ROW, "b,2,0,0,cxp,0;2,G", "", "c,0,1,1,axp,,B"]
    options = ("--class-column", "class", "--id-column", "case", "--explainer", "s", "-o", target)
    assert run("convert-claims", log(*rows), *OPTIONS, *options) == (0, "", "")
    instance = {"x1": "0", "x2": "0", "x3": "2"}
    assert claims_in(target)[:4] == [
        {"model": "omdd", "instance": instance, "id": "a", "claim": "AXp", "features": ["x1", "x3"]},
        {"model": "omdd", "instance": instance, "id": "a", "claim": "prediction", "class": "R"},
        {"model": "omdd", "instance": instance, "id": "b", "claim": "CXp", "features": ["x1", "x3"]},
        {"model": "omdd", "instance": instance, "id": "b", "claim": "prediction", "class": "G"},
    ]
    assert len(claims_in(target)) == 6
    assert claims_in(target)[4]["features"] == []
    status, out, _ = run("verify", target, "-q")
    assert status == 1
    assert "6 claims" in out


def test_a_log_of_row_numbers(run: Any, log: Any, tmp_path: Path) -> None:
    rows, target = tmp_path / "rows.csv", tmp_path / "c.jsonl"
    rows.write_text("x1,x2,x3,y\n0,0,2,R\n1,0,1,G\n")
    path = log("2,1|3", "1,none", "2,", header="row,set")
    options = ("--instances", rows, "--row-column", "row", "--drop-column", "y", "--separator", "|", "--first-index", 1)
    arguments = ("--model", "omdd", "--set-column", "set", "--kind", "cxp", "--none", "none", *options, "-o", target)
    assert run("convert-claims", path, *arguments) == (0, "", "")
    found = claims_in(target)
    assert [claim["features"] for claim in found] == [["x1", "x3"], None, []]
    assert [claim["instance"]["x3"] for claim in found] == ["1", "2", "1"]
    assert {claim["claim"] for claim in found} == {"CXp"}


def test_how_the_model_is_named(run: Any, log: Any, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "models").mkdir()
    model = tmp_path / "models" / "m.json"
    model.write_text(model_json(embedded.load("omdd").graph))
    rest = ("--model", model, *OPTIONS[2:])
    near, far = tmp_path / "c.jsonl", tmp_path / "inside" / "c.jsonl"
    assert run("convert-claims", log(ROW), *rest, "-o", near) == (0, "", "")
    assert claims_in(near)[0]["model"] == "models/m.json"
    assert run("verify", near, "-q")[0] in (0, 1)
    status, out, err = run("convert-claims", log(ROW), *rest, "-o", far)
    assert (status, out) == (0, "")
    assert err == f"xpgcheck: the claims name no model: verify them with --model {model}\n"
    assert "model" not in claims_in(far)[0]
    assert run("verify", far, "-q")[0] == 2
    assert run("verify", far, "-q", "--model", model)[0] in (0, 1)
    status, out, _ = run("convert-claims", log(ROW), *OPTIONS, "-o", "-")
    assert status == 0
    assert [json.loads(line) for line in out.splitlines()][1:] == [{"model": "omdd"} | claims_in(far)[0]]


REFUSED = {
    "a cell too few": (["a,2,0,0,AXp,x1"], "line 2: there are 6 cells, the header has 7"),
    "a value outside": ([ROW, "a,7,0,0,AXp,x1,R"], "line 3: column 2 ('x3'): '7' is outside the domain"),
    "no value": (["a,,0,0,AXp,x1,R"], "line 2: column 2 ('x3'): "),
    "no such feature": (["a,2,0,0,AXp,x1;x9,R"], "line 2: column 6 ('why'): there is no feature 'x9'"),
    "no such index": (["a,2,0,0,AXp,3,R"], "line 2: column 6 ('why'): there is no feature '3'"),
    "a negative index": (["a,2,0,0,AXp,-1,R"], "line 2: column 6 ('why'): there is no feature '-1'"),
    "an empty name": (["a,2,0,0,AXp,x1;,R"], "line 2: column 6 ('why'): there is no feature ''"),
    "a feature twice": (["a,2,0,0,AXp,x1;0,R"], "line 2: column 6 ('why'): the set names 'x1' twice"),
    "no kind": (["a,2,0,0,PI,x1,R"], "line 2: column 5 ('kind'): 'PI' is no kind"),
    "no class": (["a,2,0,0,AXp,x1,X"], "line 2: column 7 ('class'): there is no class 'X'"),
    "open quotes": (['a,2,0,0,AXp,"x1,R'], "line 2: this is not CSV ("),
    "no text": ([b"\xff"], "is not UTF-8 text; save it as UTF-8"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_row_is_refused_and_nothing_written(name: str, run: Any, log: Any, tmp_path: Path) -> None:
    rows, said = REFUSED[name]
    path, target = log(*rows), tmp_path / "c.jsonl"
    status, out, err = run("convert-claims", path, *OPTIONS, "--class-column", "class", "-o", target)
    assert (status, out) == (2, "")
    assert err.startswith(f"xpgcheck: {path}: ")
    assert said in err
    assert err.count("\n") == 1
    assert "; " in err
    assert sorted(tmp_path.iterdir()) == [path]


def test_columns_and_rows_that_are_not_there(run: Any, log: Any, tmp_path: Path) -> None:
    target, rows = tmp_path / "c.jsonl", tmp_path / "rows.csv"
    rows.write_text("0,0,2\n")
    numbered = ("--instances", rows, "--row-column", "case")
    for (row, header), arguments, said in (
        (("", ""), OPTIONS, "log.csv: the file is empty"),
        ((ROW, HEADER), (*OPTIONS, "--id-column", "id"), "line 1: there is no column 'id'"),
        ((ROW, "case,x3,x2,x1,kind,why,why"), OPTIONS, "line 1: the column 'why' is there twice"),
        ((ROW, "case,x4,x2,x1,kind,why,class"), OPTIONS, "line 1: there is no column 'x3'"),
        (("2,2,0,0,AXp,x1,R", HEADER), (*OPTIONS, *numbered), "column 1 ('case'): there is no instance '2'"),
        (("0,2,0,0,AXp,x1,R", HEADER), (*OPTIONS, *numbered), "column 1 ('case'): there is no instance '0'"),
        ((ROW, HEADER), (*OPTIONS, "--instances", rows), "--instances and --row-column go together"),
        ((ROW, HEADER), (*OPTIONS, "--kind", "AXp"), "the kind of the rows is not clear"),
        ((ROW, HEADER), OPTIONS[:4], "the kind of the rows is not clear"),
        ((ROW, HEADER), (*OPTIONS, "--drop-column", "y"), "--drop-column is for --instances"),
        ((ROW, HEADER), (*OPTIONS, "--separator", ""), "the separator is empty"),
        ((ROW, HEADER), ("--model", "nowhere", *OPTIONS[2:]), "nowhere: there is no such file"),
    ):
        status, out, err = run("convert-claims", log(row, header=header), *arguments, "-o", target)
        assert (status, out) == (2, ""), said
        assert said in err, err
        assert err.count("\n") == 1
        assert not target.exists()
    # Log and claims in one file would lose the log.
    path = log(ROW)
    assert "also an input" in run("convert-claims", path, *OPTIONS, "-o", path)[2]
