"""``xpgcheck paper``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.bundles import bundled, command_error, said
from xpgcheck.cli.groups import LazyGroup
from xpgcheck.cli.spelling import file_option, folder_option, option
from xpgcheck.cli.vocabulary import html_option, jobs_option, json_option, list_option, quiet_option, seed_option
from xpgcheck.errors import InputError, UndecidedError

if TYPE_CHECKING:
    from xpgcheck.paper.judging import JudgedRow
    from xpgcheck.paper.rows import Row
    from xpgcheck.paper.sources import Options, Results, SourceUnit

SECTIONS = {
    "One source of evidence alone": {
        "bounded": "Every decision graph of a size, at every instance.",
        "symbolic": "Proofs for all decision graphs of a size at once.",
        "reduction": "The Σ₂ᵖ reduction on generated formulas, and the readings that fail.",
    },
    "Another paper": {"ensembles": "The published verdicts on forests (arXiv 2511.03169), made again."},
}

PLACES = {
    "One source of evidence alone": "xpgcheck.cli.paper_source_commands:{}",
    "Another paper": "xpgcheck.cli.paper_ensembles_command:{}",
}


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """Which rows are looked at, how closely, and where it is written."""

    quick: Annotated[
        bool, option("--quick", is_flag=True, help="Less of everything: about a minute of processor time.")
    ]
    data: Annotated[
        Path | None,
        folder_option("--data", help="Folder with pmlb/ and obdd/ (docs/explanation/paper.md says which files)."),
    ]
    names: Annotated[
        tuple[str, ...],
        option("--claim", "names", old=("--row",), multiple=True, metavar="NAME", help="This row alone (repeatable)."),
    ]
    listing: Annotated[bool, list_option("List the rows and their checks, and run none.")]
    bound: Annotated[
        str | None,
        option("--bound", metavar="N,M,D,K", help="Every graph of up to so many nodes, features, values and classes."),
    ]
    seed: Annotated[int, seed_option("random cases")]
    jobs: Annotated[int | None, jobs_option()]
    journal: Annotated[Path | None, file_option("--journal", help="Keep what is finished, to go on later.")]
    resume: Annotated[bool, option("--resume", is_flag=True, help="Go on where the --journal ends.")]
    html_file: Annotated[Path | None, html_option()]
    json_file: Annotated[Path | None, json_option()]
    tables: Annotated[
        Path | None, folder_option("--tables", help="Write the tables here, as CSV and LaTeX, for use in a paper.")
    ]
    smtlib: Annotated[
        Path | None,
        folder_option("--theorems", "smtlib", old=("--smtlib",), help="Write what is proved here, as SMT-LIB."),
    ]
    evidence: Annotated[
        bool, option("--checks", "evidence", old=("--evidence",), is_flag=True, help="Print every check of every row.")
    ]
    quiet: Annotated[bool, quiet_option()]


@click.group("paper", cls=LazyGroup, sections=SECTIONS, places=PLACES, invoke_without_command=True)
@bundled(asked=PaperOptions)
def command(asked: PaperOptions) -> int:
    """Look at each example, proposition, algorithm and claim of the paper, and say what holds, when, and how that is known.

    Random decision graphs, every graph of a size, proofs for all graphs of a size at once, ablations, and its tables made
    again (--data, or XPGCHECK_DATA). A row's verdict is what its evidence shows; each check names what turns it red. A
    command below shows one source of evidence alone.

    Exit status: 0 the verdicts are the known ones, 1 one is another, 2 wrong input or nothing could run, 3 one is open.
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    below = click.get_current_context().invoked_subcommand
    if below is not None:
        if said(asked):
            mend = f"put options behind it; 'xpgcheck paper {below} --help' lists them"
            raise command_error("options stand before the name of a source", mend)
        return 0
    from xpgcheck.paper.catalogue import chosen
    from xpgcheck.paper.judging import exit_status, judge
    from xpgcheck.paper.reports.console import last_line, print_rows, print_table
    from xpgcheck.paper.running import units_for
    from xpgcheck.paper.sources import Options
    from xpgcheck.reports.terminal import console

    rows = chosen(asked.names)
    if asked.listing:
        print_rows(rows, console())
        return 0
    _check(asked, rows)
    options = Options(asked.quick, asked.seed, None if asked.data is None else str(asked.data), asked.bound)
    if asked.smtlib is not None:
        from xpgcheck.paper.exporting import export_theorems

        export_theorems(asked.smtlib, quick=asked.quick)
    results = _results(asked, units_for(rows, options))
    judged = judge(rows, results)
    _write(asked, options, judged, results)
    if not asked.quiet:
        print_table(judged, console(), evidence=asked.evidence)
    click.echo(last_line(judged))
    return exit_status(judged)


def _check(asked: PaperOptions, rows: Sequence[Row]) -> None:
    """Raise ``InputError`` where something is missing that *rows* need, or a file cannot be written."""
    from xpgcheck.paper.data import require_data
    from xpgcheck.writers.writable import check_writable

    if asked.resume and asked.journal is None:
        raise command_error("--resume goes on with a journal", "name it with --journal")
    if asked.data is not None:
        if not asked.data.is_dir():
            raise InputError(
                "there is no such folder", place=str(asked.data), mend="name a folder with pmlb/ and obdd/"
            )
        require_data(asked.data, rows)
    for file in (asked.html_file, asked.json_file):
        if file is not None:
            check_writable(file)
    if asked.bound is not None:
        from xpgcheck.paper.bounded.law_evidence import read_bound

        read_bound(asked.bound)


def _results(asked: PaperOptions, units: list[SourceUnit]) -> dict[str, Results]:
    """Carry out *units*, but for those that the journal has."""
    from xpgcheck.paper.journal import PaperJournal
    from xpgcheck.paper.running import run
    from xpgcheck.runs.progress import bar, cores

    with (
        PaperJournal(asked.journal, units, resume=asked.resume) as kept,
        bar(len(units), "units of evidence", not asked.quiet) as advance,
    ):
        try:
            return run(units, kept, asked.jobs or cores(), advance)
        except UndecidedError:
            if asked.journal is not None:
                click.echo(f"xpgcheck: {kept.progress(len(units))}", err=True)
            raise


def _write(asked: PaperOptions, options: Options, judged: Sequence[JudgedRow], results: dict[str, Results]) -> None:
    """Write the reports that are *asked* for."""
    from xpgcheck.paper.data import named_folder
    from xpgcheck.paper.reports.html import html_report
    from xpgcheck.paper.reports.json_report import json_report
    from xpgcheck.paper.reports.table_files import write_tables
    from xpgcheck.writers.atomic import write_atomically

    folder = named_folder(options.data)
    used = None if folder is None else str(folder)
    told = {
        "quick": asked.quick,
        "seed": asked.seed,
        "data": used,
        "bound": asked.bound,
        "rows": ", ".join(asked.names),
    }
    if asked.json_file is not None:
        write_atomically(asked.json_file, json_report(judged, results, told))
    if asked.html_file is not None:
        write_atomically(asked.html_file, html_report(judged, told))
    if asked.tables is not None:
        write_tables(asked.tables, judged)
