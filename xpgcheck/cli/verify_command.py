"""``xpgcheck verify``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.outputs import outputs_option
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import file_option, folder_option, option
from xpgcheck.cli.vocabulary import cases_option, jobs_option, quiet_option, solver_option, timeout_option

DEFAULT_TIMEOUT = 30.0


@click.command("verify")
@click.argument("claims")
@option("--model", "models", multiple=True, metavar="MODEL", help="A model that the claims name (repeatable).")
@option("--keep-going", is_flag=True, help="Leave bad lines out and count them, instead of stopping at the first.")
@solver_option()
@timeout_option(DEFAULT_TIMEOUT, "Seconds for one SMT question.")
@jobs_option(1)
@file_option(
    "--output", "-o", "output_file", old=("--out",), repeats=False, help="Write a line with the verdict on each claim."
)
@cases_option("Save each finding here, for 'replay'.")
@folder_option(
    "--certificates",
    "certificates_folder",
    repeats=False,
    help="Write certificates of all claims here, right or wrong: one file per model, and an index.",
)
@option(
    "--evidence",
    "evidence_files",
    multiple=True,
    metavar="FILE",
    help="A certificate that the claims come with; what it proves is a route beside the solvers (repeatable).",
)
@outputs_option
@reading_options
@quiet_option()
def command(
    claims: str,
    models: tuple[str, ...],
    keep_going: bool,
    solvers: tuple[str, ...],
    timeout: float,
    jobs: int,
    output_file: Path | None,
    cases_folder: Path | None,
    certificates_folder: Path | None,
    evidence_files: tuple[str, ...],
    outputs: dict[str, Path | None],
    reading: Reading,
    quiet: bool,
) -> int:
    """Judge the claims of any explainer, from a file.

    CLAIMS is a file with one JSON object a line (docs/claims.md), or '-' for the standard input. A claim names its model: an
    embedded one, a file by its path relative to CLAIMS, or one that is given by --model; a single --model need not be named.

    Any number of claims is judged in constant memory. What is wrong comes with its evidence: a witness, or what can be left
    out, and the explanation that would have been right.
    """
    from xpgcheck.claims.stream import STDIN, opened, place_of_claims
    from xpgcheck.cli.outputs import check_outputs
    from xpgcheck.gate.certificate_folder import CertificateFolder
    from xpgcheck.gate.reports import write_reports
    from xpgcheck.gate.reports.console import print_report
    from xpgcheck.gate.reports.summary import verdict_line
    from xpgcheck.gate.saving import save_findings
    from xpgcheck.gate.verifying import Verification, verify
    from xpgcheck.reports.terminal import console
    from xpgcheck.writers.streamed import streamed

    given = None if claims == STDIN else claims
    check_outputs({**outputs, "output_file": output_file}, given, *models, *evidence_files)
    plan = Verification(
        place_of_claims(claims),
        models,
        Path(claims).parent if given else Path(),
        reading.options(),
        tuple(solvers) or ("z3",),
        max(1, int(timeout * 1000)),
        keep_going,
        full=output_file is not None,
        certify=certificates_folder is not None,
        evidence=evidence_files,
    )
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(opened(claims))
        write = stack.enter_context(streamed(output_file)).write if output_file is not None else None
        advance = stack.enter_context(_bar(claims, wanted=not quiet and given is not None))
        folder = None
        if certificates_folder is not None:
            folder = stack.enter_context(CertificateFolder(certificates_folder))
        report, listed = verify(plan, file, jobs=jobs, write=write, certificates=folder, advance=advance)
    report.again = repeated_command("xpgcheck verify") if given else ""
    if cases_folder is not None:
        save_findings(report, cases_folder)
    write_reports(report, **outputs)
    for line in report.bad if quiet else ():
        click.echo(f"xpgcheck: {line}", err=True)
    if quiet:
        click.echo(verdict_line(report))
    else:
        _print_listed(report, listed)
        print_report(report, console())
    return report.exit_status()


def _bar(claims: str, *, wanted: bool) -> Any:
    import sys

    from xpgcheck.claims.stream import count_lines
    from xpgcheck.runs.progress import bar

    wanted = wanted and sys.stderr.isatty() and Path(claims).is_file()
    return bar(count_lines(claims) if wanted else 0, "judging claims", wanted)


def _print_listed(report: Any, listed: list[str]) -> None:
    from xpgcheck.judging.verdicts import Outcome

    for line in listed:
        click.echo(line)
    more = report.number(Outcome.VIOLATED) - len(listed)
    if more:
        click.echo(f"… and {more:,} more wrong claims (--output writes all)")
    if listed:
        click.echo()
