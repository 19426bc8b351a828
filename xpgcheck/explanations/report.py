"""Explanations on the terminal, readable in 80 columns.  Names are never read as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpgcheck.errors import printable
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.words import (
    ROLE_TITLES,
    conclusion,
    family_notes,
    family_title,
    idle_line,
    instance_line,
    role_rows,
    sentences,
)
from xpgcheck.reports.terminal import new_table
from xpgcheck.xpg.xps import Kind

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_explanations(found: Explanations, console: Console) -> None:
    """Print the instance and its class, the AXps, the CXps, and the roles of the features."""
    from rich.text import Text

    case = found.case
    title = Text.assemble((printable(case.graph.name), "bold"), ": ", (conclusion(case), "bold green"), " for ")
    console.print(title.append(instance_line(case)))
    for kind in (Kind.AXP, Kind.CXP):
        console.print()
        console.print(Text(family_title(found, kind), style="bold"))
        if found.families[kind].masks:
            console.print(_numbered(found, kind))
        for note in family_notes(found, kind):
            console.print(Text(note, style="yellow"))
    console.print()
    rows = role_rows(found)
    if rows:
        console.print(_roles(found))
    line = idle_line(found)
    if line:
        console.print(Text(line))


def _numbered(found: Explanations, kind: Kind) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(justify="right", no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for number, sentence in enumerate(sentences(found, kind), 1):
        grid.add_row(f" {number}", Text(sentence))
    return grid


def _roles(found: Explanations) -> Table:
    from rich.text import Text

    texts = ["feature"] if found.case.point is None else ["feature", "value"]
    table = new_table(texts, words=ROLE_TITLES, narrowest=10)
    for name, value, *answers in role_rows(found):
        cells = [name] if found.case.point is None else [name, value]
        table.add_row(*map(Text, cells), *(Text("yes" if answer else "–") for answer in answers))
    return table
