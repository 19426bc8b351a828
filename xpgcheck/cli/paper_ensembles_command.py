"""``xpgcheck paper ensembles``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from xpgcheck.cli.bundles import bundled
from xpgcheck.cli.outputs import check_outputs
from xpgcheck.cli.paper_source_commands import results_of
from xpgcheck.cli.spelling import file_option, folder_option, option
from xpgcheck.cli.vocabulary import jobs_option, json_option, quiet_option


@dataclass(frozen=True, slots=True)
class EnsemblesOptions:
    """Which forests are looked at, and where the table is written."""

    data: Annotated[Path | None, folder_option("--data", help="Folder with forests/ (default: XPGCHECK_DATA).")]
    names: Annotated[
        tuple[str, ...],
        option("--forest", "names", multiple=True, metavar="NAME", help="This forest alone (repeatable)."),
    ]
    jobs: Annotated[int | None, jobs_option()]
    csv_file: Annotated[Path | None, file_option("--csv", "csv_file", repeats=False, help="Write the table as CSV.")]
    latex_file: Annotated[
        Path | None, file_option("--latex", "latex_file", repeats=False, help="Write the table for LaTeX.")
    ]
    json_file: Annotated[Path | None, json_option()]
    output_file: Annotated[
        Path | None,
        file_option(
            "--output", "-o", "output_file", repeats=False, help="Write a line with verdict and evidence of each claim."
        ),
    ]
    quiet: Annotated[bool, quiet_option()]


@click.command("ensembles")
@bundled(asked=EnsemblesOptions)
def ensembles(asked: EnsemblesOptions) -> int:
    """Make the published verdicts on explanations of forests again: arXiv 2511.03169, a row for each log of --data.

    Each claim is judged, by routes that share nothing; a point of another class is replayed, and "there is none" takes two
    routes. Where several lines are about one instance, the first one counts, as there.

    Exit status: 0 all rows are as published, and every verdict has its evidence; 1 a row is not; 2 wrong input, or a file is
    missing; 3 something is open, or nothing could be compared.
    """
    from xpgcheck.paper.ensembles.table_files import csv_table, evidence_lines, latex_table
    from xpgcheck.paper.ensembles.verdict_tables import outcome, rows, units
    from xpgcheck.paper.reports.tables import ENSEMBLES, exit_status, outcome_json, outcome_text
    from xpgcheck.paper.sources import source_units
    from xpgcheck.writers.atomic import write_atomically

    check_outputs(
        {"csv_file": asked.csv_file, "latex_file": asked.latex_file, "json_file": asked.json_file}
        | {"output_file": asked.output_file}
    )
    data = None if asked.data is None else str(asked.data)
    made = source_units("ensembles", units(data, asked.names, full=asked.output_file is not None))
    results = results_of(made, asked.jobs, quiet=asked.quiet)
    found, table = outcome(results), rows(results)
    for file, text in (
        (asked.csv_file, csv_table(table)),
        (asked.latex_file, latex_table(table)),
        (asked.json_file, outcome_json(found)),
        (asked.output_file, evidence_lines(results)),
    ):
        if file is not None:
            write_atomically(file, text)
    said = outcome_text(found, ENSEMBLES)
    click.echo(said.rpartition("\n")[2] if asked.quiet else said)
    return exit_status(found)
