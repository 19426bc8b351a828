"""``xpgcheck campaign status``, ``report``, ``merge`` and ``export``: what looks at journals, and runs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.bundles import bundled
from xpgcheck.cli.spelling import Decorator, file_option, folder_option
from xpgcheck.cli.vocabulary import json_option, quiet_option
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from xpgcheck.campaign.journal import Journal

STDOUT = Path("-")


def journal_option() -> Decorator:
    """Return ``--journal``."""
    return file_option("--journal", help="The journal (default: NAME.campaign.sqlite).")


@dataclass(frozen=True, slots=True)
class StatusOptions:
    """The journal of a campaign, and the form of its status."""

    journal: Annotated[Path | None, journal_option()]
    json_file: Annotated[Path | None, json_option("Write the status as JSON ('-': to the output, nothing else).")]
    quiet: Annotated[bool, quiet_option()]


@click.command("status")
@click.argument("name")
@bundled(asked=StatusOptions)
def status(name: str, asked: StatusOptions) -> int:
    """Show how far the campaign NAME is and what it found, also while it runs.

    To look is not to judge. Exit status: 0, or 3 where nothing in the journal was checked.
    """
    from xpgcheck.campaign.driver import any_asked

    path = path_of(name, asked.journal)
    check_json_file(asked.json_file, path)
    with opened(path) as found:
        told(found, asked)
        return 0 if any_asked(found) else 3


@click.command("report")
@click.argument("name")
@journal_option()
@file_option("--output", "-o", required=True, help="The page to write.")
def report(name: str, journal: Path | None, output: Path) -> int:
    """Write what the campaign NAME found as one HTML page, with plots.

    Exit status: 0, or 3 where nothing in the journal was checked.
    """
    from xpgcheck.campaign.driver import any_asked

    path = path_of(name, journal)
    check_page(output, path)
    with opened(path) as found:
        write_page(found, output)
        return 0 if any_asked(found) else 3


@click.command("merge")
@click.argument("name")
@click.argument("journals", metavar="JOURNAL...", nargs=-1, required=True, type=click.Path(path_type=Path))
@journal_option()
def merge(name: str, journals: tuple[Path, ...], journal: Path | None) -> int:
    """Add what other machines found, each in a JOURNAL, to the journal of the campaign NAME; make it if it is not there."""
    path = path_of(name, journal)
    add(path, name, journals)
    with opened(path):
        return 0


@click.command("export")
@click.argument("name")
@journal_option()
@folder_option("--output", "-o", required=True, help="Folder to write into.")
def export(name: str, journal: Path | None, output: Path) -> int:
    """Write what failed in the campaign NAME as cases for 'xpgcheck replay'."""
    with opened(path_of(name, journal)) as found:
        write_folder(found, output)
    return 0


def path_of(name: str, journal: Path | None) -> Path:
    """Return the path of the journal of the campaign *name*."""
    from xpgcheck.campaign.journal import journal_path

    return journal if journal is not None else journal_path(name)


def opened(path: Path) -> Journal:
    """Return the journal at *path*, to be read only."""
    from xpgcheck.campaign.journal import Journal

    return Journal.open(path, read_only=True)


def check_page(page: Path, *journals: Path) -> None:
    """See that *page* can be written and does not belong to *journals*: what SQLite keeps next to one belongs to it."""
    from xpgcheck.campaign.journal_file import files_of
    from xpgcheck.writers.writable import check_writable

    check_writable(page, *(file for journal in journals for file in files_of(journal)))


def check_json_file(json_file: Path | None, *journals: Path) -> None:
    """See that *json_file*, if it is a file, can be written."""
    if json_file not in (None, STDOUT):
        check_page(Path(str(json_file)), *journals)


def add(path: Path, name: str, journals: tuple[Path, ...]) -> None:
    """Add *journals* to the journal at *path*."""
    from xpgcheck.campaign.merge import merge as join

    count = join(path, list(journals))
    click.echo(f"{name}: {counted(count, 'unit')} added", err=True)


def write_page(journal: Journal, page: Path) -> None:
    """Write the report on *journal*."""
    from xpgcheck.campaign.report import write_report

    write_report(journal, page)
    click.echo(f"{page}: written", err=True)


def write_folder(journal: Journal, folder: Path) -> None:
    """Write the cases of *journal* into *folder*."""
    from xpgcheck.campaign.export import export as write_cases

    count = len(write_cases(journal, folder))
    click.echo(f"{folder}: {counted(count, 'case')} written", err=True)


def told(journal: Journal, asked: StatusOptions, folder: Path | None = None) -> int:
    """Show what was found, whose cases are in *folder*, and write it as it is *asked* for; return the exit status."""
    from xpgcheck.campaign.driver import verdict
    from xpgcheck.campaign.status import status_json, status_text
    from xpgcheck.writers.atomic import write_atomically

    found = verdict(journal)
    if asked.json_file is not None:
        text = status_json(journal, folder)
        if asked.json_file == STDOUT:
            click.echo(text, nl=False)
            return found.status
        write_atomically(asked.json_file, text)
    if not asked.quiet:
        click.echo(status_text(journal, folder))
    click.echo(found.text)
    return found.status
