"""``xpgcheck convert`` as a user runs it: every format, and one clear line and no file for everything that is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import z3

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.readers.json_model import read_json
from xpgcheck.readers.xpg import read_xpg
from xpgcheck.writers.dot import dot_text
from xpgcheck.writers.json_model import model_json
from xpgcheck.writers.text_tree import tree_text

INSTANCE = "Age=O, Income=L, Student=Y, Credit=P"

DUMP = (
    '{"level_of_var": {"a": 0, "b": 1},\n"roots": {"and": 3, "nand": -3},\n"2": [1, "F", "T"],\n"3": [0, "F", 2]\n}\n'
)


@pytest.fixture
def run(capfd: Any) -> Any:
    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["convert", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1
    assert err.startswith("xpgcheck: ")
    assert "; " in err, "the remedy"
    for part in parts:
        assert part in err


def test_json_and_back(run: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    assert run("hardware", "-o", first) == (0, "", "")
    assert run(first, "--output", second) == (0, "", "")
    assert read_json(second) == embedded.load("hardware").graph
    assert first.read_bytes() == second.read_bytes()


def test_dot_and_text(run: Any, tmp_path: Path) -> None:
    graph = embedded.load("hardware").graph
    for ending, text in ((".dot", dot_text(graph)), (".GV", dot_text(graph)), (".txt", tree_text(graph))):
        target = tmp_path / f"m{ending}"
        assert run("hardware", "-o", target)[0] == 0
        assert target.read_text(encoding="utf-8") == text
    assert run("hardware", "-o", "-", "--to", "text") == (0, tree_text(graph), "")
    status, out, _ = run("hardware", "-o", "-", "--to", "dot", "--instance", INSTANCE)
    assert status == 0
    assert out == dot_text(graph, ("O", "L", "Y", "P"))


def test_the_format_that_is_named_wins_over_the_ending(run: Any, tmp_path: Path) -> None:
    target = tmp_path / "m.json"
    assert run("omdd", "-o", target, "--to", "text")[0] == 0
    assert target.read_text().startswith("|---")


def test_xpg_at_an_instance(run: Any, tmp_path: Path) -> None:
    target = tmp_path / "m.xpg"
    assert run("hardware", "-o", target, "--instance", INSTANCE) == (0, "", "")
    labels = read_xpg(target)
    assert labels.node_count == embedded.load("hardware").graph.node_count
    assert main(["check", "--quiet", str(target)]) == 0


@pytest.mark.parametrize(("fixed", "answer"), [([], "sat"), (["--fixed", "Age,Credit,Income,Student"], "unsat")])
def test_smt_lib_at_an_instance(run: Any, tmp_path: Path, fixed: list[str], answer: str) -> None:
    target = tmp_path / "m.smt2"
    assert run("hardware", "-o", target, "--instance", INSTANCE, *fixed) == (0, "", "")
    solver = z3.Solver()
    solver.add(z3.parse_smt2_file(str(target)))
    assert str(solver.check()) == answer


def test_a_root_of_a_dump(run: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "two.json", tmp_path / "m.json"
    source.write_text(DUMP)
    for root, values in (("and", [0, 0, 0, 1]), ("nand", [1, 1, 1, 0])):
        assert run(source, "-o", target, "--root", root) == (0, "", "")
        graph = read_json(target)
        assert [graph.kappa((a, b)) for a in (False, True) for b in (False, True)] == values
    status, _, err = run(source, "-o", target, "--root", "or")
    assert status == 2
    one_line(err, "two.json", "there is no root 'or'", "'and', 'nand'")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["hardware", "-o", "m.xpg"], ["xpg is written at an instance", "--instance"]),
        (["hardware", "-o", "m.smt2"], ["smt2 is written at an instance"]),
        (["hardware", "-o", "m.json", "--instance", INSTANCE], ["json is written without an instance"]),
        (["hardware", "-o", "m.dot", "--fixed", "Age"], ["dot is written without fixed features"]),
        (["hardware", "-o", "m.foo"], ["m.foo", "says no format", "--to"]),
        (["hardware", "-o", "-"], ["no format is named", "--to"]),
        (["hardware", "-o", "m.txt", "--to", "yaml"], ["--to", "--help"]),
        (["hardware"], ["--output", "--help"]),
        (["no-such.json", "-o", "m.json"], ["no-such.json"]),
        (["hardware", "-o", "no/such/m.json"], ["no/such", "create"]),
        (["hardware", "-o", "m.xpg", "--instance", "Age=O"], ["--instance: 3 features have no value"]),
        (["hardware", "-o", "m.xpg", "--instance", INSTANCE + ", x=1"], ["--instance: there is no feature 'x'"]),
        (["hardware", "-o", "m.xpg", "--instance", 'Age="O'], ["--instance: character 5: a quote is not closed"]),
        (
            ["hardware", "-o", "m.smt2", "--instance", INSTANCE, "--fixed", "age"],
            ["--fixed: there is no feature 'age'"],
        ),
        (["hardware", "-o", "m.json", "--root", "f"], ["hardware"]),
    ],
)
def test_a_wrong_command_is_one_line_and_no_file(
    run: Any, arguments: list[str], parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    one_line(err, *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_model_without_domains_is_not_converted(run: Any, tmp_path: Path) -> None:
    source = tmp_path / "m.xpg"
    assert run("hardware", "-o", source, "--instance", INSTANCE)[0] == 0
    status, _, err = run(source, "-o", tmp_path / "m.json")
    assert status == 2
    one_line(err, "m.xpg", "an .xpg model has no domains")
    assert not (tmp_path / "m.json").exists()


def test_names_that_a_format_does_not_hold_name_the_model(run: Any, tmp_path: Path) -> None:
    record = json.loads(model_json(embedded.load("omdd").graph))
    text = json.dumps(record).replace('"x3"', '"x  3"')
    source = tmp_path / "odd.json"
    source.write_text(text)
    status, _, err = run(source, "-o", tmp_path / "m.xpg", "--instance", "x1=0,x2=0,x  3=0")
    assert status == 2
    one_line(err, "odd.json", "'x  3'", "spaces")
