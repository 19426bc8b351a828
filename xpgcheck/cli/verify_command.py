"""``xpgcheck verify``."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.bundles import bundled
from xpgcheck.cli.outputs import Outputs, check_outputs, concluded
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import file_option, folder_option, option
from xpgcheck.cli.vocabulary import (
    cases_option,
    constraints_option,
    jobs_option,
    quiet_option,
    solver_option,
    timeout_option,
)

if TYPE_CHECKING:
    from xpgcheck.gate.verifying import Verification

DEFAULT_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """Which claims are judged, by whom, and where it is written."""

    claims: Annotated[str, click.argument("claims")]
    models: Annotated[
        tuple[str, ...],
        option("--model", "models", multiple=True, metavar="MODEL", help="A model that the claims name (repeatable)."),
    ]
    keep_going: Annotated[
        bool,
        option(
            "--keep-going", is_flag=True, help="Leave bad lines out and count them, instead of stopping at the first."
        ),
    ]
    constraints_file: Annotated[
        Path | None,
        constraints_option("What can occur, for claims of the notion constraints (docs/reference/constraints.md)."),
    ]
    solvers: Annotated[tuple[str, ...], solver_option()]
    timeout: Annotated[float, timeout_option(DEFAULT_TIMEOUT, "Seconds for one SMT question.")]
    jobs: Annotated[int, jobs_option(1)]
    output_file: Annotated[
        Path | None,
        file_option(
            "--output",
            "-o",
            "output_file",
            old=("--out",),
            repeats=False,
            help="Write a line with the verdict on each claim.",
        ),
    ]
    cases_folder: Annotated[Path | None, cases_option("Save each finding here, for 'replay'.")]
    certificates_folder: Annotated[
        Path | None,
        folder_option(
            "--certificates",
            "certificates_folder",
            repeats=False,
            help="Write certificates of all claims here, right or wrong: one file per model, and an index.",
        ),
    ]
    evidence_files: Annotated[
        tuple[str, ...],
        option(
            "--evidence",
            "evidence_files",
            multiple=True,
            metavar="FILE",
            help="A certificate that the claims come with; its proof is a route next to the solvers (repeatable).",
        ),
    ]
    outputs: Outputs
    reading: ReadingOptions
    quiet: Annotated[bool, quiet_option()]

    @property
    def file(self) -> str | None:
        """The file of the claims; None where they come from the standard input."""
        return None if self.claims == "-" else self.claims


@click.command("verify")
@bundled(asked=VerifyOptions)
def command(asked: VerifyOptions) -> int:
    """Judge the claims of any explainer, from a file.

    CLAIMS is a file with one JSON object a line, a claim or a line of a log (docs/how-to/claims.md), or '-' for the standard
    input. A claim names its model, a graph or a forest that votes (see docs/explanation/forests.md): an embedded one, a
    file by its path relative to CLAIMS, or one that is given by --model; a single --model need not be named.

    Any number of claims is judged in constant memory. What is wrong comes with its evidence: a witness, or what can be left
    out, and the explanation that would have been right.
    """
    from xpgcheck.claims.stream import opened
    from xpgcheck.gate.certificate_folder import CertificateFolder
    from xpgcheck.gate.results import SourcePlace
    from xpgcheck.gate.saving import save_findings
    from xpgcheck.gate.verifying import verify
    from xpgcheck.writers.streamed import streamed

    check_outputs(
        {**asked.outputs.files(), "output_file": asked.output_file}, asked.file, *asked.models, *asked.evidence_files
    )
    plan = _plan(asked)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(opened(asked.claims))
        write = stack.enter_context(streamed(asked.output_file)).write if asked.output_file is not None else None
        advance = stack.enter_context(_bar(asked.claims, wanted=not asked.quiet and asked.file is not None))
        folder = None
        if asked.certificates_folder is not None:
            folder = stack.enter_context(CertificateFolder(asked.certificates_folder))
        report, listed = verify(plan, file, jobs=asked.jobs, write=write, certificates=folder, advance=advance)
    if asked.file is not None:
        report.again = repeated_command("xpgcheck verify")
        report.source = SourcePlace(str(asked.file))
    if asked.cases_folder is not None:
        save_findings(report, asked.cases_folder)
    show_listed = functools.partial(_print_listed, report, listed)
    return concluded(report, asked.outputs, quiet=asked.quiet, before=show_listed)


def _plan(asked: VerifyOptions) -> Verification:
    from xpgcheck.claims.stream import place_of_claims
    from xpgcheck.gate.verifying import Verification

    return Verification(
        place_of_claims(asked.claims),
        asked.models,
        Path(asked.file).parent if asked.file is not None else Path(),
        asked.reading.options(),
        asked.solvers or ("z3",),
        max(1, int(asked.timeout * 1000)),
        asked.keep_going,
        full=asked.output_file is not None,
        certify=asked.certificates_folder is not None,
        evidence=asked.evidence_files,
        solvers_first=bool(asked.solvers),
        constraints=None if asked.constraints_file is None else str(asked.constraints_file),
    )


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
