"""``xpgcheck reduction`` as a user runs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from xpgcheck.certificates.formulas import prime_certificate
from xpgcheck.check_certificate import check_file
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.oracles.propositional.dimacs import dnf_text, parse_cnf
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.prime_implicants import prime_implicants
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.truth_tables import muses_exhaustive

Run = Callable[..., tuple[int, str, str]]

FORMULA = [(1,), (-1,), (2,)]
GOOD = b"p cnf 2 3\n1 0\n-1 0\n2 0\n"
"""The same in DIMACS."""

OVERLAP = [(-1,), (1, 2), (-2,), (-2, 3), (-3, -2), (3, 2)]


def write(path: Path, clauses: list[tuple[int, ...]]) -> None:
    lines = [f"p cnf {cnf(clauses).variables} {len(clauses)}", *(" ".join(map(str, (*c, 0))) for c in clauses)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


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


def test_what_a_user_reads(run: Run, formula: Path) -> None:
    status, out, err = run(formula)
    assert (status, err) == (0, "")
    assert "clause 3, (x2), is in no MUS; s_3 ∧ ¬x2 is a PI of ψ" in out
    assert out.splitlines()[-1].startswith("HOLDS: reading A; 2 of 3 clauses in some MUS; ")


@pytest.mark.parametrize(("reading", "status"), [("A", 0), ("B", 1), ("C", 1), ("C-some", 1), ("C-every", 0), ("D", 0)])
def test_the_reading_that_has_to_hold_decides_the_status(run: Run, formula: Path, reading: str, status: int) -> None:
    found, out, _ = run(formula, "--reading", reading, "--quiet")
    assert found == status
    assert out.startswith("VIOLATED" if status else "HOLDS")


def test_the_dnf_and_the_qbf_are_written(run: Run, formula: Path, tmp_path: Path) -> None:
    assert run(formula, "--dnf", tmp_path / "psi.dnf", "--qdimacs", tmp_path / "q.qdimacs", "--clause", 3)[0] == 0
    text = dnf_text(selector_dnf(parse_cnf(formula.read_bytes())))
    assert (tmp_path / "psi.dnf").read_text(encoding="utf-8").endswith(text)
    assert "p cnf " in (tmp_path / "q.qdimacs").read_text()


@pytest.mark.parametrize("clauses", [FORMULA, OVERLAP, [()], [(1,), (1,), (-1,)]])
def test_the_certificate_is_accepted_by_the_checker_alone(
    run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]
) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "f.certificate.jsonl"
    write(source, clauses)
    assert run(source, "--certificate", target)[0] == 0
    muses = len(muses_exhaustive(cnf(clauses)))
    assert check_file(target).status == 0
    assert len(target.read_text().splitlines()) == muses + 2


@pytest.mark.parametrize("clauses", [FORMULA, OVERLAP, [()], [(1,), (1, 2)], [(1, -1), (2,), (-2, 1, 1)]])
def test_prime_implicants_as_certificates(run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "f.primes.jsonl"
    write(source, clauses)
    assert run(source, "--prime-certificate", target)[0] == 0
    assert check_file(target).status == 0
    known = prime_implicants(selector_dnf(cnf(clauses)))
    assert prime_certificate(cnf(clauses), known).count('"mus"') == len(known)
    target.write_text(prime_certificate(cnf(clauses), known), encoding="utf-8")
    assert check_file(target).status == 0


def test_what_is_no_prime_implicant_gets_no_certificate() -> None:
    for term in [(1,), (1, 2, 3), (3,)]:
        with pytest.raises(InputError):
            prime_certificate(cnf(FORMULA), [term])


@pytest.mark.parametrize("clauses", [[(1,)], [(1,), (1, 2)]])
def test_no_certificate_where_there_is_no_mus(run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "f.certificate.jsonl"
    write(source, clauses)
    status, _, err = run(source, "--certificate", target)
    assert status == 0
    assert "is not written: there is nothing to prove" in err
    assert not target.exists()


def test_one_clause_alone(run: Run, formula: Path) -> None:
    status, out, _ = run(formula, "--clause", 3, "--clause", 3, "-q")
    assert (status, out.split(";")[1]) == (0, " 0 of 1 clause in some MUS")


def test_too_many_clauses(run: Run, tmp_path: Path) -> None:
    large = tmp_path / "large.cnf"
    large.write_text("p cnf 1 50001\n" + "1 0\n" * 50_001)
    status, _, err = run(large)
    assert status == 2
    assert "50,001 clauses, and membership is decided for up to 50,000" in err


# ------------------------------------------------------------------------------------- files that are given and written


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"p wcnf 1 1\n1 1 0\n", 1),
        (b"c\np cnf 2 1\n1 3 0\n", 3),
        (b"p cnf 2 1\n1 " + b"9" * 100 + b" 0\n", 2),
        (b"p cnf 1 1\n\xff\xfe 0\n", 2),
        (b"\x1f\x8b\x08", 1),
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
@pytest.mark.parametrize("target", ["f.cnf", "no/such/file", "./../{folder}/f.cnf"])
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
        (("--limit", "0"), "--limit"),
        (("--qdimacs", "q", "--clause", 1, "--clause", 2), "one clause"),
        (("--qdimacs", "q"), "--qdimacs writes the question of one clause"),
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


@pytest.mark.slow
def test_many_clauses_get_their_dnf_and_their_qbf(run: Run, tmp_path: Path) -> None:
    """Both files are written; membership itself is refused in one line."""
    count = 200_000
    source = tmp_path / "f.cnf"
    source.write_text(f"p cnf {count} {count}\n" + "".join(f"{v} -{v % count + 1} 0\n" for v in range(1, count + 1)))
    status, out, err = run(source, "--dnf", tmp_path / "d", "--qdimacs", tmp_path / "q", "--clause", 7)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "200,000 clauses, and membership is decided for up to 50,000" in err
    with (tmp_path / "d").open(encoding="utf-8") as written:
        assert next(line for line in written if line.startswith("p")) == f"p dnf {2 * count} {count}\n"
    with (tmp_path / "q").open(encoding="utf-8") as written:
        assert next(line for line in written if line.startswith("p")).startswith("p cnf ")
