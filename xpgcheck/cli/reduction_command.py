"""``xpgcheck reduction``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.outputs import check_outputs
from xpgcheck.cli.seconds import Seconds
from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import json_option, limit_option, max_bytes_option, quiet_option
from xpgcheck.errors import InputError

READINGS = ("A", "B", "C", "C-some", "C-every", "D")


@click.command("reduction")
@click.argument("formula")
@option("--clause", "numbers", multiple=True, type=click.IntRange(1), metavar="N", help="This clause alone, from 1.")
@option(
    "--reading",
    "names",
    multiple=True,
    type=click.Choice(READINGS),
    help="A reading that has to hold (repeatable; default: A).",
)
@option("--time", "seconds", type=Seconds(), default=60.0, show_default=True, help="Seconds for all.")
@limit_option("Most MUSes to list.", 1_000, old=("--max-muses",))
@json_option("Write everything as JSON, evidence too.")
@file_option(
    "--certificate",
    "certificate_file",
    help="Write the MUSes with their proof, for 'xpgcheck check-certificate'.",
)
@file_option(
    "--prime-certificate",
    "prime_file",
    help="Write the prime implicants of reading B with their proof.",
)
@file_option("--dnf", "dnf_file", help="Write ψ as a DNF in DIMACS' manner.")
@file_option("--qdimacs", "qdimacs_file", help="Write membership of the one --clause.")
@max_bytes_option("formula")
@quiet_option()
def command(
    formula: str,
    numbers: tuple[int, ...],
    names: tuple[str, ...],
    seconds: float,
    limit: int,
    json_file: Path | None,
    certificate_file: Path | None,
    prime_file: Path | None,
    dnf_file: Path | None,
    qdimacs_file: Path | None,
    max_bytes: int | None,
    quiet: bool,
) -> int:
    """Put a CNF to the paper's reduction from MUS membership to prime implicants of DNFs.

    FORMULA is a file in DIMACS format. Of each clause it is decided whether it is in some MUS, and in which, and whether its
    selector is in some prime implicant of the DNF ψ, under each reading of that sentence (docs/reduction.md). Answers come
    with evidence in --json: a MUS with its refutation and a model for each clause that is left out; or the refutation that
    there is none.

    Readings B and C are known to fail: --reading says which must hold for the exit status.
    """
    from xpgcheck.certificates.formulas import mus_certificate, prime_certificate
    from xpgcheck.oracles.propositional.dimacs import MAX_BYTES, dnf_text, read_cnf
    from xpgcheck.oracles.propositional.qdimacs import membership_qdimacs
    from xpgcheck.oracles.propositional.reduction import selector_dnf
    from xpgcheck.paper.reduction.answers import Reading
    from xpgcheck.paper.reduction.console import print_study, verdict_line
    from xpgcheck.paper.reduction.json_report import json_report
    from xpgcheck.paper.reduction.study import StudyLimits, study
    from xpgcheck.paper.reduction.verdicts import exit_status
    from xpgcheck.readers.files import place_of
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar
    from xpgcheck.writers.atomic import write_atomically

    outputs = {
        "json_file": json_file,
        "certificate_file": certificate_file,
        "prime-certificate_file": prime_file,
        "dnf_file": dnf_file,
        "qdimacs_file": qdimacs_file,
    }
    check_outputs(outputs, formula)
    cnf = read_cnf(formula, max_bytes=max_bytes or MAX_BYTES)
    count, name = len(cnf.clauses), place_of(Path(formula).name)
    for number in numbers:
        if number > count:
            mend = f"name one of 1 … {count}" if count else "the formula has none"
            raise InputError(f"there is no clause {number}", place=name, mend=mend)
    clauses = tuple(dict.fromkeys(number - 1 for number in numbers)) or None
    if qdimacs_file is not None:
        if clauses is None or len(clauses) != 1:
            raise InputError("--qdimacs writes the question of one clause", mend="name it by --clause")
        write_atomically(qdimacs_file, membership_qdimacs(cnf, clauses[0]))
    if dnf_file is not None:
        comments = [f"psi of {name}: variable j selects clause j, variable {count} + v is v"]
        write_atomically(dnf_file, dnf_text(selector_dnf(cnf), comments))
    required = tuple(Reading(name) for name in dict.fromkeys(names)) or (Reading.A,)
    with bar(len(clauses or cnf.clauses), "deciding clauses", not quiet) as advance:
        found = study(name, cnf, clauses, StudyLimits(seconds, muses=limit), advance)
    if json_file is not None:
        write_atomically(json_file, json_report(found, required))
    primes = sorted({clause.prime_implicant for clause in found.clauses if clause.prime_implicant is not None})
    if certificate_file is not None:
        _write_proof(certificate_file, mus_certificate(cnf, found.mus_evidence) if found.mus_evidence else None)
    if prime_file is not None:
        _write_proof(prime_file, prime_certificate(cnf, primes) if primes else None)
    if not quiet:
        print_study(found, console())
        click.echo()
    click.echo(verdict_line(found, required))
    return exit_status(found, required)


def _write_proof(target: Path, text: str | None) -> None:
    """Write a certificate; None: there is nothing to prove, and a certificate of nothing is none."""
    from xpgcheck.writers.atomic import write_atomically

    if text is None:
        click.echo(f"xpgcheck: {target} is not written: there is nothing to prove", err=True)
    else:
        write_atomically(target, text)
