"""``xpgcheck reduction`` as a user runs it."""

from __future__ import annotations

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
    path = tmp_path / "formula.cnf"
    write(path, FORMULA)
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
