"""``xpgcheck reduction``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.bundles import bundled
from xpgcheck.cli.outputs import check_outputs
from xpgcheck.cli.seconds import Seconds
from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import json_option, limit_option, max_bytes_option, quiet_option
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.oracles.propositional.formulas import Cnf
    from xpgcheck.paper.reduction.answers import Study

READINGS = ("A", "B", "C", "C-some", "C-every", "D")


@dataclass(frozen=True, slots=True)
class ReductionOptions:
    """Which clauses of a formula are decided, by which readings, and where it is written."""

    numbers: Annotated[
        tuple[int, ...],
        option(
            "--clause", "numbers", multiple=True, type=click.IntRange(1), metavar="N", help="This clause alone, from 1."
        ),
    ]
    names: Annotated[
        tuple[str, ...],
        option(
            "--reading",
            "names",
            multiple=True,
            type=click.Choice(READINGS),
            help="A reading that has to hold (repeatable; default: A).",
        ),
    ]
    seconds: Annotated[
        float, option("--time", "seconds", type=Seconds(), default=60.0, show_default=True, help="Seconds for all.")
    ]
    limit: Annotated[int, limit_option("Most MUSes to list.", 1_000, old=("--max-muses",))]
    json_file: Annotated[Path | None, json_option("Write everything as JSON, evidence too.")]
    certificate_file: Annotated[
        Path | None,
        file_option(
            "--certificate",
            "certificate_file",
            help="Write the MUSes with their proof, for 'xpgcheck check-certificate'.",
        ),
    ]
    prime_file: Annotated[
        Path | None,
        file_option(
            "--prime-certificate", "prime_file", help="Write the prime implicants of reading B with their proof."
        ),
    ]
    dnf_file: Annotated[Path | None, file_option("--dnf", "dnf_file", help="Write ψ as a DNF in DIMACS' manner.")]
    qdimacs_file: Annotated[
        Path | None, file_option("--qdimacs", "qdimacs_file", help="Write membership of the one --clause.")
    ]
    max_bytes: Annotated[int | None, max_bytes_option("formula")]
    quiet: Annotated[bool, quiet_option()]

    def outputs(self) -> dict[str, Path | None]:
        """Return the files that are written, by their options."""
        return {
            "json_file": self.json_file,
            "certificate_file": self.certificate_file,
            "prime-certificate_file": self.prime_file,
            "dnf_file": self.dnf_file,
            "qdimacs_file": self.qdimacs_file,
        }


@click.command("reduction")
@click.argument("formula")
@bundled(asked=ReductionOptions)
def command(formula: str, asked: ReductionOptions) -> int:
    """Put a CNF to the paper's reduction from MUS membership to prime implicants of DNFs.

    FORMULA is a file in DIMACS format. For each clause it is decided whether it is in some MUS, and in which, and whether
    its selector is in some prime implicant of the DNF ψ, under each reading of that sentence (see
    docs/explanation/reduction.md). Answers come with evidence in --json: a MUS with its refutation and a model for each
    clause that is left out; or the refutation that there is none.

    Readings B and C are known to fail: --reading says which must hold for the exit status.
    """
    from xpgcheck.oracles.propositional.dimacs import parse_cnf
    from xpgcheck.paper.reduction.answers import Reading
    from xpgcheck.paper.reduction.console import print_study, verdict_line
    from xpgcheck.paper.reduction.json_report import json_report
    from xpgcheck.paper.reduction.study import StudyLimits, study
    from xpgcheck.paper.reduction.verdicts import exit_status
    from xpgcheck.readers.files import DEFAULT_MAX_BYTES, place_of, read_bytes
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar
    from xpgcheck.writers.atomic import write_atomically

    check_outputs(asked.outputs(), formula)
    cnf = parse_cnf(read_bytes(formula, asked.max_bytes or DEFAULT_MAX_BYTES), place_of(formula))
    name = place_of(Path(formula).name)
    clauses = _clauses(asked.numbers, len(cnf.clauses), name)
    _write_questions(asked, cnf, name, clauses)
    required = tuple(Reading(name) for name in dict.fromkeys(asked.names)) or (Reading.A,)
    with bar(len(clauses or cnf.clauses), "deciding clauses", not asked.quiet) as advance:
        found = study(name, cnf, clauses, StudyLimits(asked.seconds, muses=asked.limit), advance)
    if asked.json_file is not None:
        write_atomically(asked.json_file, json_report(found, required))
    _write_proofs(asked, cnf, found)
    if not asked.quiet:
        print_study(found, console())
        click.echo()
    click.echo(verdict_line(found, required))
    return exit_status(found, required)


def _clauses(numbers: Sequence[int], count: int, place: str) -> tuple[int, ...] | None:
    """Return the clauses that *numbers*, from 1, name of *count* in the formula at *place*; None for all."""
    for number in numbers:
        if number > count:
            mend = f"name one of 1 … {count}" if count else "the formula has none"
            raise InputError(f"there is no clause {number}", place=place, mend=mend)
    return tuple(dict.fromkeys(number - 1 for number in numbers)) or None


def _write_questions(asked: ReductionOptions, cnf: Cnf, name: str, clauses: tuple[int, ...] | None) -> None:
    """Write the formulas that *asked* names files for."""
    from xpgcheck.oracles.propositional.dimacs import dnf_text
    from xpgcheck.oracles.propositional.qdimacs import membership_qdimacs
    from xpgcheck.oracles.propositional.reduction import selector_dnf
    from xpgcheck.writers.atomic import write_atomically

    if asked.qdimacs_file is not None:
        if clauses is None or len(clauses) != 1:
            raise InputError("--qdimacs writes the question of one clause", mend="name it by --clause")
        write_atomically(asked.qdimacs_file, membership_qdimacs(cnf, clauses[0]))
    if asked.dnf_file is not None:
        comments = [f"psi of {name}: variable j selects clause j, variable {len(cnf.clauses)} + v is v"]
        write_atomically(asked.dnf_file, dnf_text(selector_dnf(cnf), comments))


def _write_proofs(asked: ReductionOptions, cnf: Cnf, found: Study) -> None:
    """Write the certificates that *asked* names files for."""
    from xpgcheck.certificates.formulas import mus_certificate, prime_certificate

    primes = sorted({clause.prime_implicant for clause in found.clauses if clause.prime_implicant is not None})
    if asked.certificate_file is not None:
        _write_proof(asked.certificate_file, mus_certificate(cnf, found.mus_evidence) if found.mus_evidence else None)
    if asked.prime_file is not None:
        _write_proof(asked.prime_file, prime_certificate(cnf, primes) if primes else None)


def _write_proof(target: Path, text: str | None) -> None:
    """Write a certificate; None: there is nothing to prove, and a certificate of nothing is none."""
    from xpgcheck.writers.atomic import write_atomically

    if text is None:
        click.echo(f"xpgcheck: {target} is not written: there is nothing to prove", err=True)
    else:
        write_atomically(target, text)
