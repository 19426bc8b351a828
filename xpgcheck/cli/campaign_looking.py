"""``xpgcheck campaign --status``, ``--report``, ``--export`` and ``--merge``: what looks at journals, and runs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.campaign.journal import Journal


@dataclass(frozen=True)
class Look:
    """What to do with a journal: show its status, write its report or its cases, add other journals."""

    status: bool
    report: Path | None
    export: Path | None
    merge: tuple[Path, ...]
    as_json: bool
    quiet: bool

    def __bool__(self) -> bool:
        """Tell whether anything of it is asked for."""
        return self.status or self.report is not None or self.export is not None or bool(self.merge)


def look(path: Path, name: str, asked: Look) -> int:
    """Do what is *asked* with the journal at *path*."""
    from xpgcheck.campaign.driver import any_asked
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.campaign.journal_file import files_of
    from xpgcheck.writers.writable import check_writable

    if asked.as_json and not asked.status:
        raise InputError("--json is for the status", place="command line", mend="add --status, or leave --json out")
    if asked.report is not None:
        # What SQLite keeps beside a journal is part of it.
        check_writable(asked.report, *(file for journal in (path, *asked.merge) for file in files_of(journal)))
    if asked.merge:
        from xpgcheck.campaign.merge import merge as join

        count = join(path, list(asked.merge))
        click.echo(f"{name}: {count:,} units added", err=True)
    with Journal.open(path, read_only=True) as journal:
        if asked.report is not None:
            from xpgcheck.campaign.report import write_report

            write_report(journal, asked.report)
            click.echo(f"{asked.report}: written", err=True)
        if asked.export is not None:
            from xpgcheck.campaign.export import export as write_cases

            count = len(write_cases(journal, asked.export))
            click.echo(f"{asked.export}: {count:,} cases written", err=True)
        if asked.status:
            told(journal, as_json=asked.as_json, quiet=asked.quiet, folder=asked.export)
        # To look is not to judge, and a journal of nothing is neither.
        return 3 if (asked.status or asked.report is not None) and not any_asked(journal) else 0


def told(journal: Journal, *, as_json: bool, quiet: bool, folder: Path | None = None) -> int:
    """Show what was found, whose cases are in *folder*; return the exit status."""
    from xpgcheck.campaign.driver import verdict
    from xpgcheck.campaign.status import status_json, status_text

    found = verdict(journal)
    if as_json:
        click.echo(status_json(journal, folder), nl=False)
        return found.status
    if not quiet:
        click.echo(status_text(journal, folder))
    click.echo(found.text)
    return found.status
