"""``xpgcheck paper``."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from xpgcheck.cli.groups import LazyGroup
from xpgcheck.cli.spelling import file_option, folder_option, option
from xpgcheck.cli.vocabulary import html_option, jobs_option, json_option, list_option, quiet_option, seed_option
from xpgcheck.errors import InputError, UndecidedError

SECTIONS = {
    "One source of evidence alone": {
        "bounded": (
            "xpgcheck.cli.paper_source_commands:bounded",
            "Every decision graph of a size, at every instance.",
        ),
        "symbolic": (
            "xpgcheck.cli.paper_source_commands:symbolic",
            "Proofs for all decision graphs of a size at once.",
        ),
        "reduction": (
            "xpgcheck.cli.paper_source_commands:reduction",
            "The Σ₂ᵖ reduction on generated formulas, and the readings that fail.",
        ),
    }
}


@click.group("paper", cls=LazyGroup, sections=SECTIONS, invoke_without_command=True)
@option("--quick", is_flag=True, help="Less of everything: under two minutes.")
@folder_option("--data", help="Folder with pmlb/ and obdd/.")
@option("--claim", "names", old=("--row",), multiple=True, metavar="NAME", help="This row alone (repeatable).")
@list_option("List the rows and their checks, and run none.")
@option("--bound", metavar="N,M,D,K", help="Every graph of up to so many nodes, features, values and classes.")
@seed_option("random cases")
@jobs_option()
@file_option("--journal", help="Keep what is finished, to go on later.")
@option("--resume", is_flag=True, help="Go on where the --journal ends.")
@html_option()
@json_option()
@folder_option("--theorems", "smtlib", old=("--smtlib",), help="Write what is proved here, as SMT-LIB.")
@option("--checks", "evidence", old=("--evidence",), is_flag=True, help="Print every check of every row.")
@quiet_option()
@click.pass_context
def command(
    context: click.Context,
    quick: bool,
    data: Path | None,
    names: tuple[str, ...],
    listing: bool,
    bound: str | None,
    seed: int,
    jobs: int | None,
    journal: Path | None,
    resume: bool,
    html_file: Path | None,
    json_file: Path | None,
    smtlib: Path | None,
    evidence: bool,
    quiet: bool,
) -> int:
    """Look at each example, proposition, algorithm and claim of the paper, and say what holds, when, and how that is known.

    Random decision graphs, every graph of a size, proofs for all graphs of a size at once, ablations, and its tables made
    again (--data, or XPGCHECK_DATA). A row's verdict is what its evidence shows; each check names what turns it red. A
    command below shows one source of evidence alone.

    Exit status: 0 the verdicts are the known ones, 1 one is another, 2 wrong input or nothing could run, 3 one is open.
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    if context.invoked_subcommand is not None:
        given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if given:
            mend = f"put options behind it; 'xpgcheck paper {context.invoked_subcommand} --help' lists them"
            raise InputError("options stand before the name of a source", place="command line", mend=mend)
        return 0
    from xpgcheck.paper.catalogue import chosen
    from xpgcheck.paper.data import named_folder, require_data
    from xpgcheck.paper.journal import PaperJournal
    from xpgcheck.paper.judging import exit_status, judge
    from xpgcheck.paper.reports.console import last_line, print_rows, print_table
    from xpgcheck.paper.reports.html import html_report
    from xpgcheck.paper.reports.json_report import json_report
    from xpgcheck.paper.running import run, units_for
    from xpgcheck.paper.sources import Options
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    rows = chosen(names)
    if listing:
        print_rows(rows, console())
        return 0
    if resume and journal is None:
        raise InputError("--resume goes on with a journal", place="command line", mend="name it with --journal")
    if data is not None and not data.is_dir():
        raise InputError("there is no such folder", place=str(data), mend="name a folder with pmlb/ and obdd/")
    if data is not None:
        require_data(data, rows)
    for file in (html_file, json_file):
        if file is not None:
            check_writable(file)
    if bound is not None:
        from xpgcheck.paper.bounded.law_evidence import read_bound

        read_bound(bound)
    options = Options(quick, seed, None if data is None else str(data), bound)
    if smtlib is not None:
        from xpgcheck.paper.exporting import export_theorems

        export_theorems(smtlib, quick=quick)
    units = units_for(rows, options)
    with (
        PaperJournal(journal, units, resume=resume) as kept,
        bar(len(units), "units of evidence", not quiet) as advance,
    ):
        try:
            results = run(units, kept, jobs or cores(), advance)
        except UndecidedError:
            if journal is not None:
                click.echo(f"xpgcheck: {kept.progress(len(units))}", err=True)
            raise
    judged = judge(rows, results)
    folder = named_folder(options.data)
    used = None if folder is None else str(folder)
    said = {"quick": quick, "seed": seed, "data": used, "bound": bound, "rows": ", ".join(names)}
    if json_file is not None:
        write_atomically(json_file, json_report(judged, results, said))
    if html_file is not None:
        write_atomically(html_file, html_report(judged, said))
    if not quiet:
        print_table(judged, console(), evidence=evidence)
    click.echo(last_line(judged))
    return exit_status(judged)
