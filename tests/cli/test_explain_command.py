"""``xpgcheck explain`` as a user runs it: words, JSON, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.writers.json_model import model_json

Run = Callable[..., tuple[int, str, str]]

FIGURE_1 = "Age=O, Income=L, Student=Y, Credit=P"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")

    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["explain", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    path.write_text(model_json(embedded.load("hardware").graph), encoding="utf-8")
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text("Student,Age,Income,Credit\nY,O,L,P\nN,T,L,F\n", encoding="utf-8")
    return path


def test_the_papers_instance_in_words(run: Run) -> None:
    status, out, err = run("hardware", "--instance", FIGURE_1)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "hardware: class T for Age = O, Income = L, Student = Y, Credit = P"
    lines = [" ".join(line.split()) for line in out.splitlines()]
    text = " ".join(lines)
    assert "1 class T because Age = O and Credit = P or F, whatever the other 2 features are" in text
    assert "2 class L with Credit = E (not P)" in lines
    assert "Age O yes yes yes –" in lines
    assert lines[-1] == "The other 2 features are in no AXp and no CXp."


def test_a_row_of_a_file_and_of_an_embedded_model(run: Run, model_file: Path, rows: Path) -> None:
    expected = run("hardware", "--instance", "Credit=F, Student=N, Age=T, Income=L")
    assert run(model_file, "--row", 2, "--instances", rows) == expected
    number = embedded.load("hardware").instances.index(("T", "L", "N", "F")) + 1
    assert run("hardware", "--row", number) == expected


@pytest.mark.parametrize("row", [1, 50, 149])
@pytest.mark.parametrize("model", ["iris", "digits", "breast_cancer"])
def test_80_columns_are_enough(run: Run, model: str, row: int) -> None:
    if row > len(embedded.load(model).instances):
        pytest.skip("the model has fewer instances")
    status, out, _ = run(model, "--row", row)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80


def test_json_to_a_file_and_to_the_output(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "explanations.json"
    status, out, _ = run("hardware", "--instance", FIGURE_1, "--json", target)
    assert status == 0
    assert "because" in out
    written = target.read_text(encoding="utf-8")
    status, out, _ = run("hardware", "--instance", FIGURE_1, "--json", "-")
    assert (status, out) == (0, written)
    record = json.loads(written)
    fits_schema(record, "explanations")
    assert [axp["features"] for axp in record["axps"]["members"]] == [["Age", "Credit"]]
    assert record["cxps"]["members"][0]["closest"] == {
        "values": {"Age": "T"},
        "class": "L",
        "cells": 1,
        "value_distance": "0",
        "proven": True,
        "around": {"Age": ["T"]},
    }
    assert record["axps"]["members"][0]["values"] == {"Age": ["O"], "Credit": ["P", "F"]}
    assert record["features"][1] == {
        "name": "Income",
        "domain": "'{L, M, H}'",
        "in_some_axp": False,
        "in_every_axp": False,
        "in_some_cxp": False,
        "in_every_cxp": False,
    }


def test_one_and_smallest(run: Run) -> None:
    for options, word in ((["--one"], "One"), (["--smallest"], "A smallest"), (["--prefer", "Income"], "One")):
        status, out, _ = run("hardware", "--instance", "Age=T,Income=M,Student=Y,Credit=E", *options)
        assert status == 0
        assert f"Why class L? {word} AXp:" in out
        assert ("Income = L or M" in out.partition("What changes")[0].partition("Why")[2]) == ("--prefer" in options)


def test_never_says_why_not(run: Run) -> None:
    status, out, _ = run("hardware", "--instance", FIGURE_1, "--never", "Age, Credit")
    assert status == 0
    text = " ".join(out.split())
    assert "No AXp does without Age and Credit, all else as it is: class L with " in text
    assert "No CXp does without Age and Credit: class T because Age = O and Credit = P" in text


def test_a_limit_is_said(run: Run) -> None:
    status, out, _ = run("digits", "--row", 1, "--limit", 3)
    assert status == 0
    assert "The smallest 2 of " in out or "The smallest 1 of " in out
    status, out, _ = run("digits", "--row", 1, "--limit", 3, "--json", "-")
    record = json.loads(out)
    assert record["complete"] is False
    assert sum(len(record[kind]["members"]) for kind in ("axps", "cxps")) == 3


def test_at_least_is_said_where_the_search_was_cut_short(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xpgcheck.explanations.families_shown.xp_masks", lambda xpg: None)
    status, out, _ = run("digits", "--row", 1, "--limit", 3)
    assert status == 0
    assert "? At least 1 AXp; the limit cut the search short:" in out
    assert "? At least 2 CXps; the limit cut the search short:" in out


def test_an_xpg_model(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.xpg"
    path.write_text("NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 [b]\n")
    status, out, _ = run(path)
    assert status == 0
    assert "the prediction holds while [b] keeps its value" in out
    assert "value " not in out.splitlines()[-3]
    status, _, err = run(path, "--instance", "[b]=1")
    assert status == 2
    one_line(err, "leave --instance out")


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1
    assert err.startswith("xpgcheck: ")
    assert "Traceback" not in err
    for part in parts:
        assert part in err


INSTANCE = ["--instance", FIGURE_1]

BAD_COMMANDS: list[tuple[list[Any], list[str]]] = [
    ([], ["--help"]),
    (["no-such-model.json", *INSTANCE], ["no-such-model.json", "there is no such file"]),
    (["hardwere", *INSTANCE], ["hardwere", "no such file", "did you mean 'hardware'?"]),
    (["x" * 5000, *INSTANCE], ["cannot be read"]),
    (["hardware"], ["no instance", "--instance 'Age=…, …'", "--row N"]),
    (["hardware", *INSTANCE, "--row", 1], ["both --instance and --row", "one of them"]),
    (["hardware", *INSTANCE, "--instances", "rows.csv"], ["both --instance and --row"]),
    (["hardware", "--instances", "rows.csv"], ["--instances needs --row"]),
    (["model.json", "--row", 1], ["--row needs --instances"]),
    (["model.json", "--row", 3, "--instances", "rows.csv"], ["rows.csv: there is no row 3", "from 1 to 2"]),
    (["hardware", "--row", 99], ["hardware: there is no row 99", "from 1 to 54"]),
    (["hardware", "--row", 0], ["--row", "--help"]),
    (
        ["model.json", "--row", 1, "--instances", "extra.csv"],
        ["extra.csv", "'label' is not a feature", "--drop-column"],
    ),
    (["model.json", "--row", 1, "--instances", "none.csv"], ["none.csv"]),
    (["hardware", "--instance", "Age=O"], ["--instance: ", "Income"]),
    (
        ["hardware", "--instance", FIGURE_1.replace("=O", "=X")],
        ["--instance: ", "'Age'", "'X' is not a category", "W, T, O"],
    ),
    (["hardware", "--instance", FIGURE_1.replace("Age", "Agee")], ["--instance: ", "'Agee'"]),
    (["hardware", *INSTANCE, "--prefer", "Agee"], ["--prefer: ", "no feature 'Agee'", "'Age'"]),
    (["hardware", *INSTANCE, "--never", "Age,zzz"], ["--never: ", "no feature 'zzz'"]),
    (["hardware", *INSTANCE, "--never", "Age", "--prefer", "Age"], ["'Age' is both"]),
    (["hardware", *INSTANCE, "--smallest", "--prefer", "Age"], ["leave one of the two wishes out"]),
    (["hardware", *INSTANCE, "--smallest", "--one"], ["--one and --smallest"]),
    (["hardware", *INSTANCE, "--one", "--limit", 3], ["--limit", "leave it out"]),
    (["hardware", *INSTANCE, "--json", "no/such/folder/x.json"], ["no/such/folder"]),
]


@pytest.mark.parametrize(("arguments", "parts"), BAD_COMMANDS)
def test_a_bad_command_is_one_line_and_exit_2(
    run: Run, model_file: Path, rows: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[Any], parts: list[str]
) -> None:
    monkeypatch.chdir(model_file.parent)
    Path("extra.csv").write_text("Student,Age,Income,Credit,label\nY,O,L,P,1\n", encoding="utf-8")
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    one_line(err, *parts)


def test_a_label_column_can_be_dropped(run: Run, model_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "extra.csv"
    path.write_text("Student,Age,Income,Credit,label\nY,O,L,P,1\n", encoding="utf-8")
    status, out, _ = run(model_file, "--row", 1, "--instances", path, "--drop-column", "label")
    assert status == 0
    assert "class T because Age = O and Credit = P" in out


def test_explaining_loads_no_judge_and_no_solver() -> None:
    """Families of a tree need no SAT solver; z3, pySMT and the oracles are never needed."""
    code = (
        "import sys; from xpgcheck.cli.main import main; status = main(sys.argv[1:]); "
        "print(status, *sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "explain", "iris", "--row", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8", timeout=900)
    status, *loaded = done.stderr.split()
    assert status == "0"
    unwanted = {"z3", "pysmt", "pysat", "cvc5", "hypothesis", "sklearn", "numpy", "junitparser", "multiprocessing"}
    assert set(loaded) & {*unwanted, "xpgcheck.oracles", "xpgcheck.gate"} == set()


@pytest.mark.parametrize("model", ["hardware", "omdd", "corral"])
def test_membership_is_what_the_lists_say(run: Run, model: str) -> None:
    listed = json.loads(run(model, "--row", 1, "--json", "-")[1])
    names = [feature.name for feature in embedded.load(model).graph.features]
    status, out, err = run(model, "--row", 1, *(part for name in names for part in ("--membership", name)))
    assert (status, err) == (0, "")
    for name, line in zip(names, out.splitlines(), strict=True):
        in_some = any(name in axp["features"] for axp in listed["axps"]["members"])
        assert line.startswith(f"{name} is in {'the AXp' if in_some else 'no AXp'}")
        assert ("Algorithm 1" in line) == in_some


@pytest.mark.parametrize("other", [("--one",), ("--limit", 3), ("--json", "-")])
def test_membership_stands_alone(run: Run, other: tuple[object, ...]) -> None:
    status, out, err = run("hardware", "--row", 1, "--membership", "Age", *other)
    assert (status, out) == (2, "")
    assert "--membership stands alone" in err


def test_membership_of_a_feature_that_there_is_not(run: Run) -> None:
    status, _, err = run("hardware", "--row", 1, "--membership", "Foo")
    assert status == 2
    assert "there is no feature 'Foo'" in err


def test_of_many_explanations_the_first_are_put_in_words(run: Run, tmp_path: Path) -> None:
    # 2 · 2 · 2 · 2 · 2 · 2 = 64 AXps: one feature of each of six pairs.
    pairs = [(f"a{i}", f"b{i}") for i in range(6)]
    nodes: list[dict[str, Any]] = [{"id": "no", "class": "no"}, {"id": "yes", "class": "yes"}]
    for i, (first, second) in enumerate(pairs):
        behind = pairs[i + 1][0] if i + 1 < len(pairs) else "yes"
        nodes.append({"id": first, "feature": first, "edges": [{"to": behind, "in": [1]}, {"to": second, "in": [0]}]})
        nodes.append({"id": second, "feature": second, "edges": [{"to": behind, "in": [1]}, {"to": "no", "in": [0]}]})
    features = [{"name": name, "domain": {"type": "boolean"}} for pair in pairs for name in pair]
    head = {"format": "decision-graph", "version": 1, "name": "pairs", "root": "a0", "classes": ["no", "yes"]}
    model = tmp_path / "pairs.json"
    model.write_text(json.dumps({**head, "features": features, "nodes": nodes}))
    ones = ", ".join(f"{name}=1" for pair in pairs for name in pair)
    found = tmp_path / "found.json"
    _, out, _ = run(model, "--instance", ones, "--json", found)
    assert "Why class yes? 64 AXps:" in out
    assert "… and 14 more ('--limit 70' lists them)" in out
    assert len(json.loads(found.read_text())["axps"]["members"]) == 64
    _, out, _ = run(model, "--instance", ones, "--limit", 70)
    assert "\n 64 class yes because" in out
    assert "more (" not in out


def test_pages_of_one_instance(run: Run, tmp_path: Path) -> None:
    page, text, other = tmp_path / "page.html", tmp_path / "page.md", tmp_path / "text.txt"
    status, out, err = run("hardware", "--instance", FIGURE_1, "-o", page, "--markdown", other)
    assert (status, err) == (0, "")
    assert "Why class T? 1 AXp:" in out
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!DOCTYPE html>")
    assert "class T because Age = O and Credit = P or F, whatever the other 2 features are" in html
    assert html.count("<svg") == 2
    assert "<script" not in html
    written = other.read_text(encoding="utf-8")
    assert "## What changes class T? 2 CXps" in written
    assert "2. class L with Credit = E (not P)" in written
    assert "| Age | O | yes | yes | yes | – |" in written
    assert run("hardware", "--instance", FIGURE_1, "-o", text)[0] == 0
    assert text.read_text(encoding="utf-8") == written
    status, _, err = run("hardware", "--instance", FIGURE_1, "-o", tmp_path / "page.csv")
    assert status == 2
    assert "page.csv: one instance is written as a page; end the name in .html or .md, or add --all" in err
    status, _, err = run("hardware", "--instance", FIGURE_1, "--membership", "Age", "-o", page)
    assert (status, err.count("\n")) == (2, 1)


def test_no_line_breaks_inside_an_assignment(run: Run) -> None:
    for row in (1, 60, 120):
        _, out, _ = run("iris", "--row", row)
        for line in out.splitlines():
            assert line == line.rstrip()
            assert not line.endswith((" =", "≤", "<", ">", "≥", "(not", "petal", "sepal", "length", "width"))


def test_numbers_that_no_float_holds_are_told_apart(run: Run, tmp_path: Path) -> None:
    low, middle, high = (f"0.{'0' * 389}{digits}" for digits in ("1", "15", "2"))
    parts = [f"(-inf, {low}]", f"({low}, {high}]", f"({high}, inf)"]
    edges = [{"to": to, "in": [part]} for to, part in zip(("no", "yes", "no"), parts, strict=True)]
    nodes = [{"id": 0, "feature": "x", "edges": edges}, {"id": "no", "class": "no"}, {"id": "yes", "class": "yes"}]
    edges[0]["in"] = [parts[0], parts[2]]
    del edges[2]
    head = {"format": "decision-graph", "version": 1, "name": "tiny", "root": 0, "classes": ["no", "yes"]}
    model = tmp_path / "tiny.json"
    model.write_text(json.dumps({**head, "features": [{"name": "x", "domain": {"type": "real"}}], "nodes": nodes}))
    _, out, _ = run(model, "--instance", f"x={middle}")
    assert "class yes for x ≈ 1.5e-390" in out
    assert "1 class yes because about 1e-390 < x ≤ about 2e-390" in out
    assert "(not ≈1.5e-390)" in out
