"""``xpgcheck draw`` as a user runs it: files of every format, and one clear line for everything that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from small_forests import majority_of_three

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.drawing.ensemble_trees import tree_of
from xpgcheck.model.combination import Sum, Threshold
from xpgcheck.model.ensemble import ensemble
from xpgcheck.writers.json_model import ensemble_json, model_json

FIGURE_1 = ["--instance", "Age=O, Income=L, Student=Y, Credit=P"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("model.json").write_text(model_json(embedded.load("hardware").graph), encoding="utf-8")
    Path("rows.csv").write_text("Student,Age,Income,Credit\nY,O,L,P\nN,T,L,F\n", encoding="utf-8")
    Path("two.xpg").write_text(
        "NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 [b]\n"
    )
    Path("folder.svg").mkdir()

    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["draw", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.mark.parametrize(
    "options", [[], FIGURE_1, [*FIGURE_1, "--xp", 3], ["--row", 2, "--instances", "rows.csv", "--xp", 1]]
)
def test_a_picture_is_written(run: Run, options: list[Any]) -> None:
    pytest.importorskip("graphlay")
    assert run("model.json", *options, "-o", "picture.svg") == (0, "", "")
    first = Path("picture.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")
    assert b"hardware" in first
    assert run("model.json", *options, "-o", "picture.svg")[0] == 0
    assert Path("picture.svg").read_bytes() == first


def test_the_ending_says_the_format(run: Run) -> None:
    assert run("hardware", *FIGURE_1, "--xp", 1, "-o", "picture.dot") == (0, "", "")
    for number, name in ((1, "axp1"), (2, "cxp1"), (3, "CXp2")):
        assert run("hardware", *FIGURE_1, "--xp", number, "-o", "by-number.svg") == (0, "", "")
        assert run("hardware", *FIGURE_1, "--xp", name, "-o", "by-name.svg") == (0, "", "")
        assert Path("by-number.svg").read_bytes() == Path("by-name.svg").read_bytes()
    assert Path("picture.dot").read_text(encoding="utf-8").startswith("digraph")
    pytest.importorskip("graphlay")
    pytest.importorskip("resvg_py")
    status, out, err = run("hardware", *FIGURE_1, "-o", "picture.png")
    if status == 2 and "no fonts" in err:
        pytest.skip("there are no fonts here")
    assert (status, out, err) == (0, "", "")
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_more_nodes_can_be_shown(run: Run) -> None:
    pytest.importorskip("graphlay")
    assert run("digits", "--max-nodes", 20, "-o", "few.svg")[0] == 0
    assert run("digits", "-o", "all.svg")[0] == 0
    assert "of 89 nodes are shown." in Path("few.svg").read_text(encoding="utf-8")
    assert "nodes are shown." not in Path("all.svg").read_text(encoding="utf-8")


BAD_COMMANDS: list[tuple[list[Any], list[str]]] = [
    (["hardware"], ["--output"]),
    (["hardware", "-o", "out.pdf"], ["out.pdf", "no format of pictures", ".svg, .png, .dot, .gv"]),
    (["hardware", "-o", "out"], ["out", "no format of pictures"]),
    (["hardware", "-o", "no/such/out.svg"], ["no/such", "create"]),
    (["hardware", "-o", "folder.svg"], ["folder.svg", "this is a folder"]),
    (["hardwere", "-o", "out.svg"], ["hardwere", "did you mean 'hardware'?"]),
    (["two.xpg", "-o", "out.svg"], ["two.xpg", "no literals to draw", "made from"]),
    (["hardware", "--xp", 1, "-o", "out.svg"], ["--xp needs an instance", "--row N"]),
    (
        ["hardware", *FIGURE_1, "--xp", 4, "-o", "out.svg"],
        ["--xp: there is no XP 4", "1 AXp and 2 CXps", "from 1 to 3"],
    ),
    (["hardware", *FIGURE_1, "--xp", 0, "-o", "out.svg"], ["--xp: there is no XP 0", "from 1 to 3"]),
    (["hardware", *FIGURE_1, "--xp", "one", "-o", "out.svg"], ["--xp", "'one'", "axp1"]),
    (["hardware", *FIGURE_1, "--xp", "cxp3", "-o", "out.svg"], ["--xp: there is no CXp 3", "2 CXps"]),
    (["hardware", *FIGURE_1, "--xp", "axp0", "-o", "out.svg"], ["--xp: there is no AXp 0", "1 AXp"]),
    (["hardware", *FIGURE_1, "--row", 1, "-o", "out.svg"], ["both --instance and --row"]),
    (["hardware", "--instances", "rows.csv", "-o", "out.svg"], ["--instances needs --row"]),
    (["model.json", "--row", 1, "-o", "out.svg"], ["--row needs --instances"]),
    (["model.json", "--row", 3, "--instances", "rows.csv", "-o", "out.svg"], ["rows.csv", "no row 3"]),
    (["hardware", "--instance", "Age=O", "-o", "out.svg"], ["--instance: ", "Income"]),
    (["hardware", "--max-nodes", 0, "-o", "out.svg"], ["--max-nodes", "--help"]),
]


@pytest.mark.parametrize(("arguments", "parts"), BAD_COMMANDS)
def test_a_bad_command_is_one_line_and_exit_2(run: Run, arguments: list[Any], parts: list[str]) -> None:
    before = sorted(Path().rglob("*"))
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("xpgcheck: ")
    for part in parts:
        assert part in err
    assert sorted(Path().rglob("*")) == before


def test_an_old_picture_survives_a_failure(run: Run) -> None:
    Path("picture.svg").write_text("old", encoding="utf-8")
    assert run("hardware", *FIGURE_1, "--xp", 9, "-o", "picture.svg")[0] == 2
    assert Path("picture.svg").read_text(encoding="utf-8") == "old"


FOREST = ensemble_json(majority_of_three())

POINT = ["--instance", "f0=1, f1=0, f2=1"]


def test_a_tree_of_an_ensemble(run: Run) -> None:
    Path("forest.json").write_text(FOREST, encoding="utf-8")
    assert run("forest.json", "-o", "tree.svg", "--tree", 1, *POINT) == (0, "", "")
    text = "".join(ElementTree.parse("tree.svg").getroot().itertext())
    assert text.count("f1") > text.count("f0")


def test_where_trees_are_summed_terminals_say_what_they_add(run: Run) -> None:
    model = majority_of_three()
    rows = [[(Fraction(1, 2),), (Fraction(1, 2),)], [(Fraction(-3),), (Fraction(5),)], [(Fraction(0),), (Fraction(1),)]]
    rule = Sum((Fraction(0),), Threshold(Fraction(1)))
    summed = ensemble("summed", model.features, model.classes, model.trees, rule, rows)
    Path("summed.json").write_text(ensemble_json(summed), encoding="utf-8")
    assert run("summed.json", "-o", "tree.svg", "--tree", 1) == (0, "", "")
    text = "".join(ElementTree.parse("tree.svg").getroot().itertext())
    assert "adds -3" in text
    assert tree_of(summed, 0).classes == ("adds 0.5", "adds 0.5 (answer 1)")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["forest.json"], "an ensemble of 3 trees is drawn tree by tree; name one by its number, from 0 to 2"),
        (["forest.json", "--tree", 3], "forest.json: there is no tree 3: the ensemble has 3 trees"),
        (
            ["forest.json", "--tree", 1, "--xp", 1, *POINT],
            "an explanation is of the whole ensemble, and not of one tree",
        ),
        (["model.json", "--tree", 1], "model.json: the model is no ensemble"),
    ],
)
def test_wrong_trees_of_ensembles(run: Run, words: list[object], problem: str) -> None:
    Path("forest.json").write_text(FOREST, encoding="utf-8")
    status, _, err = run(*words, "-o", "tree.svg")
    assert status == 2
    assert err.count("\n") == 1
    assert problem in err
