"""``xpgcheck explain --all``: the options of a whole table, and the run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from xpgcheck.cli.bundles import command_error
from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import html_option, jobs_option

if TYPE_CHECKING:
    from xpgcheck.cli.column_options import LeftOut
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.tables.summary import TableSummary

SHOWN = ("axp", "values", "axps", "cxps", "change")
"""Parts of a row that can be shown; a test compares it with :class:`xpgcheck.tables.asked.RowPart`."""

PAGES = (".html", ".md")
"""Endings that --output of one instance may end in."""

DEFAULT_SHOWN = ("axp", "values", "change")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table: whether every row is explained, what is shown of each, and where it is written."""

    every_row: Annotated[bool, option("--all", "every_row", is_flag=True, help="Explain every row of --instances.")]
    output: Annotated[
        Path | None,
        file_option(
            "--output",
            "-o",
            help="With --all, the rows: .csv, .jsonl, .parquet, or .html with the first rows; of one instance .html, .md.",
        ),
    ]
    parts: Annotated[
        tuple[str, ...],
        option(
            "--parts",
            multiple=True,
            metavar="NAMES",
            help=f"With --all, what to work out of each row, of {','.join(SHOWN)} (default: {','.join(DEFAULT_SHOWN)}).",
        ),
    ]
    html_file: Annotated[Path | None, html_option("One HTML page; with --all, the summary and the first rows.")]
    jobs: Annotated[int | None, jobs_option()]

    def refuse_without_all(self) -> None:
        """Raise ``InputError`` where options of a table are given for one instance."""
        for name, value in {"--parts": self.parts or None, "--jobs": self.jobs}.items():
            if value is not None:
                raise command_error(f"{name} is for a whole table", "add --all, or leave it out")
        if self.output is not None and self.output.suffix.lower() not in PAGES:
            mend = f"end the name in {' or '.join(PAGES)}, or add --all"
            raise command_error(f"{self.output.name}: one instance is written as a page", mend)

    def shown(self) -> list[str]:
        """Return the parts to show.  Raises ``InputError`` on an unknown one."""
        names = [name.strip() for text in self.parts for name in text.split(",")] or list(DEFAULT_SHOWN)
        for name in names:
            if name not in SHOWN:
                from xpgcheck.errors import InputError, shown

                raise InputError(
                    f"{shown(name)} is not a part of a row", place="--parts", mend=f"name some of {', '.join(SHOWN)}"
                )
        return names


class RowLimits(NamedTuple):
    """Bounds of the work on one row: the explanations to list, and the seconds, if there is a limit."""

    limit: int
    seconds: float | None


def explain_all(
    graph: DecisionGraph | LabelledGraph | Ensemble,
    model: str,
    instances: Path | None,
    left_out: LeftOut,
    options: TableOptions,
    limits: RowLimits,
    json_file: str | None,
    constraints: Path | None,
) -> int:
    """Explain every row and print the summary; return the exit status.

    Outputs and rows that cannot be used are refused before anything is explained, but for rows that come through a pipe.
    """
    from xpgcheck.cli.outputs import check_outputs
    from xpgcheck.runs.progress import bar, cores, progress_text, telling
    from xpgcheck.tables.api import explain_table
    from xpgcheck.tables.files import check_ending

    shown = options.shown()
    json_target = None if json_file in (None, "-") else Path(str(json_file))
    outputs = {"output_file": options.output, "html_file": options.html_file, "json_file": json_target}
    check_outputs(outputs, model, instances)
    targets = [target for target in (options.output, options.html_file) if target is not None]
    if options.output is not None:
        check_ending(options.output)
    if options.html_file is not None and options.html_file.suffix.lower() != ".html":
        raise command_error("--html writes a page", "end its name in .html")
    found = explain_table(
        graph,
        _rows(model) if instances is None else instances,
        parts=shown,
        limit=limits.limit,
        jobs=options.jobs or cores(),
        seconds=limits.seconds,
        constraints=constraints,
        **left_out.options(),
    )
    total = found.read_all()
    done = 0
    with (
        bar(total or None, "rows", json_file != "-") as advance,
        telling(lambda: progress_text(done, total or None, "rows")),
    ):

        def told(count: int) -> None:
            nonlocal done
            done += count
            advance(count)

        found.told = told
        summary = found.write(*targets)
    _print_summary(summary, json_file, json_target)
    return 0


def _print_summary(summary: TableSummary, json_file: str | None, target: Path | None) -> None:
    """Print *summary*, or its JSON document where *json_file* is "-"; write that to *target* if there is one."""
    if json_file is not None:
        from xpgcheck.reports.documents import record_text

        text = record_text(summary.document(), ascii_only=False)
        if target is None:
            click.echo(text, nl=False)
            return
        from xpgcheck.writers.atomic import write_atomically

        write_atomically(target, text)
    from xpgcheck.reports.terminal import console
    from xpgcheck.tables.report import print_summary

    print_summary(summary, console())


def _rows(model: str) -> list[object]:
    """Return the rows of an embedded model."""
    from xpgcheck import embedded
    from xpgcheck.explanations.inputs import is_embedded

    if not is_embedded(model):
        raise command_error("--all needs --instances", "name the CSV file whose rows are explained")
    return list(embedded.load(model).instances)
