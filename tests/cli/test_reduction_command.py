"""``xpgcheck reduction`` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from xpgcheck.certificates.formulas import prime_certificate
from xpgcheck.check_certificate import check_file
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.oracles.propositional.dimacs import cnf_text, parse_dnf, read_cnf
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.primes_exhaustive import prime_implicants_exhaustive
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.rup import rup_fault
from xpgcheck.oracles.propositional.subsets import muses_exhaustive
from xpgcheck.schemas import schema

Run = Callable[..., tuple[int, str, str]]

FORMULA = [(1,), (-1,), (2,)]
OVERLAP = [(-1,), (1, 2), (-2,), (-2, 3), (-3, -2), (3, 2)]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["reduction", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "formula.cnf"
    path.write_text(cnf_text(cnf(FORMULA)), encoding="utf-8")
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
    assert out.startswith("VIOLATION" if status else "HOLDS")


@pytest.mark.parametrize("clauses", [FORMULA, OVERLAP, [()], [(1, -1)], [(1,), (1,), (-1,)], [(1,), (1, 2)]])
def test_the_report_holds_its_evidence(run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "report.json"
    source.write_text(cnf_text(cnf(clauses)), encoding="utf-8")
    assert run(source, "--json", target)[0] == 0
    report = json.loads(target.read_text())
    jsonschema.validate(report, schema("reduction-report"))
    assert [tuple(clause) for clause in report["clauses"]] == clauses
    check_family(report)
    for asked in report["asked"]:
        if asked["in_some_mus"]["answer"]:
            assert asked["clause"] in asked["mus"]["clauses"]
            check_mus(report["clauses"], asked["mus"])
        else:
            check_no(report, asked)


def holds(literal: int, point: str) -> bool:
    return (point[abs(literal) - 1] == "1") == (literal > 0)


def check_mus(clauses: list[list[int]], mus: dict[str, Any]) -> None:
    chosen = [clauses[number - 1] for number in mus["clauses"]]
    assert rup_fault([tuple(c) for c in chosen], [tuple(line) for line in mus["refutation"]]) is None
    for left_out, point in enumerate(mus["models"]):
        assert all(any(holds(x, point) for x in c) for k, c in enumerate(chosen) if k != left_out)


def check_family(report: dict[str, Any]) -> None:
    family = report["family"]
    assert [mus["clauses"] for mus in family["muses"]] == report["muses"]
    assert family["mcses"] == report["mcses"]
    for mus in family["muses"]:
        check_mus(report["clauses"], mus)
    for mcs, point in zip(family["mcses"], family["models"], strict=True):
        kept = [c for number, c in enumerate(report["clauses"], 1) if number not in mcs]
        assert all(any(holds(x, point) for x in c) for c in kept)
    lines = [tuple(line) for line in family["refutation"]]
    negated = [tuple(-number for number in mus) for mus in report["muses"]]
    assert rup_fault([*map(tuple, family["mcses"]), *negated], lines) is None


def check_no(report: dict[str, Any], asked: dict[str, Any]) -> None:
    """As docs/reduction.md says: y falsifies the clause, m_i → γ_i(y), and a falsified clause is in for each point."""
    n, clauses = report["variables"], report["clauses"]
    given = [(-literal,) for literal in dict.fromkeys(asked["literals"])]
    given += [(-(n + k), *c) for k, c in enumerate(clauses, 1) if k != asked["clause"]]
    for point in asked["no"]["counterexamples"]:
        false = [k for k, c in enumerate(clauses, 1) if not any(holds(x, point) for x in c)]
        if asked["clause"] not in false:
            given.append(tuple(n + k for k in false))
    assert rup_fault(given, [tuple(line) for line in asked["no"]["refutation"]]) is None


def test_the_dnf_and_the_qbf_are_written(run: Run, formula: Path, tmp_path: Path) -> None:
    assert run(formula, "--dnf", tmp_path / "psi.dnf", "--qdimacs", tmp_path / "q.qdimacs", "--clause", 3)[0] == 0
    assert parse_dnf((tmp_path / "psi.dnf").read_bytes()) == selector_dnf(read_cnf(formula))
    assert "p cnf " in (tmp_path / "q.qdimacs").read_text()


@pytest.mark.parametrize("clauses", [FORMULA, OVERLAP, [()], [(1,), (1,), (-1,)]])
def test_the_certificate_is_accepted_by_the_checker_alone(
    run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]
) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "f.certificate.jsonl"
    source.write_text(cnf_text(cnf(clauses)), encoding="utf-8")
    assert run(source, "--certificate", target)[0] == 0
    muses = len(muses_exhaustive(cnf(clauses)))
    assert check_file(target).status == 0
    assert len(target.read_text().splitlines()) == muses + 2


@pytest.mark.parametrize("clauses", [FORMULA, OVERLAP, [()], [(1,), (1, 2)], [(1, -1), (2,), (-2, 1, 1)]])
def test_prime_implicants_as_certificates(run: Run, tmp_path: Path, clauses: list[tuple[int, ...]]) -> None:
    source, target = tmp_path / "f.cnf", tmp_path / "f.primes.jsonl"
    source.write_text(cnf_text(cnf(clauses)), encoding="utf-8")
    assert run(source, "--prime-certificate", target)[0] == 0
    assert check_file(target).status == 0
    known = prime_implicants_exhaustive(selector_dnf(cnf(clauses)))
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
    source.write_text(cnf_text(cnf(clauses)), encoding="utf-8")
    status, _, err = run(source, "--certificate", target)
    assert status == 0
    assert "is not written: there is nothing to prove" in err
    assert not target.exists()


def test_one_clause_alone(run: Run, formula: Path) -> None:
    status, out, _ = run(formula, "--clause", 3, "--clause", 3, "-q")
    assert (status, out.split(";")[1]) == (0, " 0 of 1 clause in some MUS")


def test_limits_leave_things_open(run: Run, tmp_path: Path) -> None:
    hard = tmp_path / "hard.cnf"
    from pysat.examples.genhard import PHP

    PHP(8).to_file(str(hard))
    status, out, err = run(hard, "--time", "0.3")
    assert (status, err) == (3, "")
    assert out.splitlines()[-1].startswith("INCONCLUSIVE")
    assert "time" in out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "formula.cnf"),
        ("p wcnf 1 1\n1 0\n", "wcnf"),
        ("p cnf 1 1\n2 0\n", "formula.cnf: line 2: "),
        ("p cnf 1 1\n1\n", "formula.cnf"),
        ("p cnf 1 2\n1 0\n", "formula.cnf"),
        ("p cnf 1 1\nx 0\n", "formula.cnf: line 2: "),
        ("1 0\n", "formula.cnf: line 1: "),
    ],
)
def test_a_file_that_is_wrong(run: Run, formula: Path, text: str, problem: str) -> None:
    formula.write_text(text)
    status, out, err = run(formula)
    assert (status, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_comments_anywhere_and_crlf(run: Run, formula: Path) -> None:
    formula.write_bytes(b"c a\r\np cnf 2 3\r\nc b\r\n1 0 -1\r\nc c\r\n0\r\n2 0\r\n%\r\n0\r\n")
    assert run(formula, "-q")[1].startswith("HOLDS: reading A; 2 of 3 clauses")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--clause", 4), "there is no clause 4; name one of 1 … 3"),
        (("--qdimacs", "q"), "--qdimacs writes the question of one clause"),
        (("--json", "no/such/folder/x"), "no/such/folder"),
    ],
)
def test_options_that_are_wrong(run: Run, formula: Path, options: tuple[object, ...], problem: str) -> None:
    status, out, err = run(formula, *options)
    assert (status, out) == (2, "")
    assert problem in err


def test_a_report_over_its_own_formula_is_refused(run: Run, formula: Path) -> None:
    before = formula.read_bytes()
    assert run(formula, "--json", formula)[0] == 2
    assert formula.read_bytes() == before


def test_too_many_clauses(run: Run, tmp_path: Path) -> None:
    large = tmp_path / "large.cnf"
    large.write_text("p cnf 1 50001\n" + "1 0\n" * 50_001)
    status, _, err = run(large)
    assert status == 2
    assert "50,001 clauses, and membership is decided for up to 50,000" in err
