"""The reports that a command writes next to what it prints: files, and what a job of GitHub Actions shows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.bundles import command_error
from xpgcheck.cli.vocabulary import github_option, html_option, json_option, junit_option, markdown_option, sarif_option
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.gate.results import Report


@dataclass(frozen=True)
class Outputs:
    """The files that are written, by the parameters of ``write_reports``, and whether a job of GitHub Actions is told."""

    json_file: Annotated[Path | None, json_option()]
    junit_file: Annotated[Path | None, junit_option()]
    html_file: Annotated[Path | None, html_option()]
    markdown_file: Annotated[Path | None, markdown_option()]
    sarif_file: Annotated[Path | None, sarif_option()]
    github: Annotated[bool, github_option()]

    def files(self) -> dict[str, Path | None]:
        """Return the files by the parameters of ``write_reports``."""
        return {name: value for name, value in vars(self).items() if name != "github"}


def check_outputs(outputs: Mapping[str, Path | None], *inputs: str | Path | None) -> None:
    """See that every file can be written, that none is an input, and that no two are one.  Raises ``InputError``."""
    from xpgcheck.writers.writable import check_writable

    seen: dict[Path, str] = {}
    for name, target in outputs.items():
        if target is None:
            continue
        option = f"--{name.removesuffix('_file')}"
        if str(target) == "-":
            raise command_error(f"{option} writes a file", "name one ('./-' if it is called that)")
        check_writable(target, *inputs)
        real = target.resolve()
        if real in seen:
            raise InputError(f"{seen[real]} and {option} name the same file", place=str(target), mend="name two files")
        seen[real] = option


def concluded(report: Report, outputs: Outputs, *, quiet: bool, before: Callable[[], None] = lambda: None) -> int:
    """Write *report* and print it, after what is printed *before*, or its last line alone; return the exit status."""
    from xpgcheck.gate.reports import write_reports
    from xpgcheck.gate.reports.console import print_report
    from xpgcheck.gate.reports.summary import verdict_line
    from xpgcheck.reports.terminal import console

    write_reports(report, **outputs.files())
    with contextlib.ExitStack() as stack:
        if outputs.github:
            stack.enter_context(_told_to_github(report))
        if quiet:
            for line in report.bad:
                click.echo(f"xpgcheck: {line}", err=True)
            click.echo(verdict_line(report))
        else:
            before()
            print_report(report, console())
    return report.exit_status()


@contextlib.contextmanager
def _told_to_github(report: Report) -> Iterator[None]:
    """Print annotations, then what the body prints, so that this is no workflow command; add to the job's summary."""
    from xpgcheck.gate.reports.github import add_to_summary, commands_stopped, github_annotations

    for line in github_annotations(report):
        click.echo(line)
    with commands_stopped(click.echo):
        yield
    add_to_summary(report)
