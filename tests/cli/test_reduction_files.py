"""Files that ``xpgcheck reduction`` is given and writes: wrong ones get one line, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from xpgcheck.cli.main import main

Run = Callable[..., tuple[int, str, str]]

GOOD = b"p cnf 2 3\n1 0\n-1 0\n2 0\n"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["reduction", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "f.cnf"
    path.write_bytes(GOOD)
    return path


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"\n\n", 1),
        (b"c nothing else\n", 1),
        (b"1 0\np cnf 1 1\n", 1),
        (b"p cnf\n", 1),
        (b"p cnf x 1\n1 0\n", 1),
        (b"p cnf -1 1\n1 0\n", 1),
        (b"p cnf 1 1 1\n1 0\n", 1),
        (b"p dnf 1 1\n1 0\n", 1),
        (b"p wcnf 1 1\n1 1 0\n", 1),
        (b"p cnf 99999999999 0\n", 1),
        (b"c\np cnf 2 1\n1 3 0\n", 3),
        (b"p cnf 2 1\n-3 0\n", 2),
        (b"p cnf 2 1\n1 " + b"9" * 100 + b" 0\n", 2),
        (b"p cnf 2 2\n1 0\nc\n1 2\n", 4),
        (b"p cnf 2 1\n1 0\n2 0\n", 3),
        (b"p cnf 2 3\n1 0\n2 0\n", 1),
        (b"p cnf 1 1\n1.5 0\n", 2),
        (b"p cnf 1 1\n+1 0\n", 2),
        (b"p cnf 1 1\n1_0 0\n", 2),
        (b"p cnf 1 1\n\xff\xfe 0\n", 2),
        (b"p cnf 1 1\n1 0\np cnf 1 1\n", 3),
        (b"p cnf 1 1\n1 0\n%\n0\n1 0\n", 5),
        (b"p cnf 2 2\r\n1 0\r\nx 0\r\n", 3),
        (b"\x1f\x8b\x08", 1),
        (b"\x00\x00", 1),
        (b"<html>", 1),
    ],
)
def test_a_wrong_formula_gets_one_line_that_names_its_own(run: Run, formula: Path, data: bytes, line: int) -> None:
    formula.write_bytes(data)
    status, out, err = run(formula, "--json", formula.with_suffix(".json"))
    assert (status, out) == (2, "")
    assert err.startswith(f"xpgcheck: {formula}: line {line}: ")
    assert err.count("\n") == 1
    assert err.isascii() or err.replace("\n", "").isprintable()
    assert not formula.with_suffix(".json").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b"\r"),
        GOOD.rstrip(b"\n"),
        b"c \xff\xfe\nc\n\n" + GOOD,
        b"p cnf 2 3\nc a\n1 0 -1\nc b\n0\n\n\n2\n0\nc end",
        b"p  cnf\t2   3  \n 1   0\t-1 0   2 0\n",
        GOOD + b"%\n0\n\n",
    ],
)
def test_what_users_of_the_format_expect_is_read(run: Run, formula: Path, data: bytes) -> None:
    formula.write_bytes(data)
    status, out, err = run(formula, "-q")
    assert (status, err) == (0, "")
    assert out.startswith("HOLDS: reading A; 2 of 3 clauses in some MUS; ")


@pytest.mark.parametrize("name", ["no.cnf", ".", "f.cnf/x"])
def test_a_formula_that_is_not_there(run: Run, formula: Path, name: str) -> None:
    status, out, err = run(formula.parent / name)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_formula_that_is_too_long(run: Run, formula: Path) -> None:
    status, _, err = run(formula, "--max-bytes", len(GOOD) - 1)
    assert status == 2
    assert "--max-bytes" in err
    assert run(formula, "--max-bytes", len(GOOD), "-q")[0] == 0


@pytest.mark.parametrize("option", ["--json", "--certificate", "--dnf", "--qdimacs"])
@pytest.mark.parametrize("target", ["f.cnf", ".", "no/such/file", "-", "./../{folder}/f.cnf"])
def test_an_output_that_cannot_be_written(
    run: Run, formula: Path, monkeypatch: pytest.MonkeyPatch, option: str, target: str
) -> None:
    monkeypatch.chdir(formula.parent)
    target = target.format(folder=formula.parent.name)
    status, out, err = run("f.cnf", "--clause", 1, option, target)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert formula.read_bytes() == GOOD
    assert sorted(path.name for path in formula.parent.iterdir()) == ["f.cnf"]


def test_two_outputs_in_one_file_are_refused(run: Run, formula: Path) -> None:
    target = formula.with_suffix(".out")
    status, _, err = run(formula, "--json", target, "--dnf", target)
    assert status == 2
    assert "--json and --dnf name the same file" in err
    assert not target.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("name", [b"a\nb.cnf", b"a\xffb.cnf", b"a[red]b.cnf"])
def test_names_that_do_not_print(run: Run, tmp_path: Path, name: bytes) -> None:
    source = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    source.write_bytes(GOOD)
    status, out, err = run(source, "--json", tmp_path / "j", "--dnf", tmp_path / "d")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].split(":")[0].isprintable()
    assert ": 3 clauses over 2 variables, unsatisfiable" in out.splitlines()[0]
    assert (tmp_path / "d").read_text(encoding="utf-8").splitlines()[1] == "p dnf 5 3"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--clause", 0), "--clause"),
        (("--clause", "x"), "--clause"),
        (("--clause", 10**30), "name one of 1 … 3"),
        (("--reading", "E"), "--reading"),
        (("--time", "nan"), "--time"),
        (("--time", "0"), "--time"),
        (("--max-muses", "0"), "--max-muses"),
        (("--qdimacs", "q", "--clause", 1, "--clause", 2), "one clause"),
    ],
)
def test_options_out_of_range(run: Run, formula: Path, options: tuple[object, ...], problem: str) -> None:
    status, out, err = run(formula, *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_a_clause_of_a_formula_without_any(run: Run, formula: Path) -> None:
    formula.write_text("p cnf 0 0\n")
    assert "there is no clause 1; the formula has none" in run(formula, "--clause", 1)[2]


def test_a_formula_without_clauses(run: Run, formula: Path) -> None:
    formula.write_text("p cnf 3 0\n")
    status, out, error = run(formula)
    assert (status, out) == (2, "")
    assert "nothing checked: there is no clause to ask about" in error


def test_the_question_of_a_clause_as_a_qbf(run: Run, formula: Path) -> None:
    """Its answer, by expanding the quantifiers here."""
    for number, expected in ((1, True), (2, True), (3, False)):
        target = formula.with_name(f"{number}.qdimacs")
        assert run(formula, "--clause", number, "--qdimacs", target, "-q")[0] == 0
        assert qbf(target.read_text(encoding="utf-8")) is expected


def qbf(text: str) -> bool:
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    header, *rest = lines
    blocks = [(line[0], [int(x) for x in line[1:-1]]) for line in rest if line[0] in "ae"]
    clauses = [[int(x) for x in line[:-1]] for line in rest if line[0] not in "ae"]
    assert header == ["p", "cnf", header[2], str(len(clauses))]
    order = [(kind, v) for kind, variables in blocks for v in variables]
    assert sorted(v for _, v in order) == sorted({abs(x) for clause in clauses for x in clause} | {v for _, v in order})
    return holds(order, clauses)


def holds(order: list[tuple[str, int]], clauses: list[list[int]]) -> bool:
    if [] in clauses:
        return False
    if not clauses or not order:
        return not clauses
    (kind, variable), *rest = order
    sides = (
        holds(rest, [[x for x in clause if x != -literal] for clause in clauses if literal not in clause])
        for literal in (variable, -variable)
    )
    return any(sides) if kind == "e" else all(sides)


@pytest.mark.slow
def test_a_million_clauses_get_their_dnf_and_their_qbf(run: Run, tmp_path: Path) -> None:
    """Both files are written; membership itself is refused in one line."""
    count = 1_000_000
    source = tmp_path / "f.cnf"
    source.write_text(f"p cnf {count} {count}\n" + "".join(f"{v} -{v % count + 1} 0\n" for v in range(1, count + 1)))
    status, out, err = run(source, "--dnf", tmp_path / "d", "--qdimacs", tmp_path / "q", "--clause", 7)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "1,000,000 clauses, and membership is decided for up to 50,000" in err
    with (tmp_path / "d").open(encoding="utf-8") as written:
        assert next(line for line in written if line.startswith("p")) == f"p dnf {2 * count} {count}\n"
    with (tmp_path / "q").open(encoding="utf-8") as written:
        assert next(line for line in written if line.startswith("p")).startswith("p cnf ")
