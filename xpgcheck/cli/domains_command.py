"""``xpgcheck domains``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.spelling import file_option, option


@click.command("domains")
@click.argument("table")
@file_option("--output", "-o", help="The file to write, for --schema of other commands.")
@option("--drop-column", "drop_columns", multiple=True, metavar="NAME", help="Ignore this column (repeatable).")
def command(table: str, output: Path | None, drop_columns: tuple[str, ...]) -> int:
    """Propose the domains of the columns of TABLE, a CSV file with a header: whole numbers, Booleans, categories.

    Nothing is read by a proposal until it is given with --schema: look at it first. Whole numbers are proposed without
    bounds, as the next table may go beyond those of this one.
    """
    from xpgcheck.readers.proposed_domains import domains_from
    from xpgcheck.reports.terminal import console, print_table, say
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.table_schema import schema_text
    from xpgcheck.writers.writable import check_writable

    if output is not None:
        check_writable(output, table)
    found = domains_from(table, drop_columns=drop_columns)
    text = schema_text(found)
    screen = console()
    rows = [
        [_line(name), "as the model reads it" if domain is None else _line(str(domain)), _line(found.seen[name])]
        for name, domain in found.columns.items()
    ]
    print_table(screen, rows, ["column", "proposed domain", "seen"], [], narrowest=10)
    if output is None:
        say(screen, "-o FILE writes the proposal, for --schema of other commands")
    else:
        write_atomically(output, text)
    return 0


def _line(text: str) -> str:
    from xpgcheck.reports.lines import line

    return line(text, 120)
