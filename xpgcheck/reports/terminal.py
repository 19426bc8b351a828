"""Lines and tables on the terminal.  No text is ever read as markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


def console() -> Console:
    """Return the console to print on; where the output is not a terminal, lines are as long as they need to be."""
    from rich.console import Console

    plain = Console()
    return plain if plain.is_terminal else Console(width=200, file=_Unpadded())  # type: ignore[arg-type]


class _Unpadded:
    """The standard output for lines whose last cells rich fills up with blanks: these are left out."""

    def write(self, text: str) -> int:
        return sys.stdout.write(re.sub(r" +(?=\n)", "", text))

    def flush(self) -> None:
        sys.stdout.flush()


def say(console: Console, text: str, style: str = "") -> None:
    """Print a line.  A terminal wraps it; a file, and what is copied, keep it whole."""
    from rich.text import Text

    console.print(Text(text, style=style), soft_wrap=True)


GLUE = "\x1f"
"""Stands for a blank at which :func:`wrapped` breaks no line; no printable text has it."""


def wrapped(text: str, width: int) -> list[str]:
    """Return *text* as lines of at most *width* columns, broken at blanks, and at glue or anywhere if need be.  Linear."""
    from rich.cells import cell_len, chop_cells

    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) + longer.count(GLUE) <= width:
            line = longer
            continue
        lines += [line] if line else []
        if cell_len(word) + word.count(GLUE) > width:
            *full, word = wrapped(word.replace(GLUE, " "), width) if GLUE in word else chop_cells(word, width)
            lines += full
        line = word
    return [found.replace(GLUE, " ") for found in [*lines, line]]


LONG_TABLE = 100
"""Rows above which a table is set here where that is possible: rich measures and wraps every cell, which takes longer than
what large tables report."""


def print_table(
    console: Console, rows: Sequence[Sequence[str]], texts: Sequence[str], words: Sequence[str], narrowest: int
) -> None:
    """Print *rows* below the titles *texts* and *words*, as a :func:`new_table` of them shows them.  Linear."""
    from rich.cells import cell_len
    from rich.text import Text

    titles = [*texts, *words]
    columns = list(zip(titles, *rows, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    widths[0] = max(widths[0], narrowest)
    gap = "  "
    whole = sum(widths) + len(gap) * (len(widths) - 1)
    if len(rows) <= LONG_TABLE or whole > console.width:
        table = new_table(texts, words=words, narrowest=narrowest)
        for row in rows:
            table.add_row(*map(Text, row))
        if console.is_terminal:
            console.print(table)
            return
        # Nobody sees blanks at the ends of lines, and what compares files does.
        with console.capture() as captured:
            console.print(table)
        console.out("\n".join([line.rstrip() for line in captured.get().splitlines()]), highlight=False)
        return
    head, *lines = (
        gap.join([cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)])
        for row in (titles, *rows)
    )
    head = head if console.is_terminal else head.rstrip()
    console.print(Text(head, style="table.header"), Text("─" * whole), sep="\n", soft_wrap=True)
    console.out("\n".join(lines if console.is_terminal else map(str.rstrip, lines)), highlight=False)


def new_table(
    texts: Sequence[str],
    numbers: Sequence[str | Text] = (),
    words: Sequence[str] = (),
    *,
    gap: int = 1,
    narrowest: int | None = None,
    widest: int | None = None,
) -> Table:
    """Return an empty table with a line below its titles.

    *texts* are the titles of columns that fold where there is no room, each at most *widest* wide, the first at least
    *narrowest*; *numbers* are set to the right, and the *words* after them to the left; neither folds.
    """
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), show_edge=False, pad_edge=False)
    for place, title in enumerate(texts):
        table.add_column(title, overflow="fold", min_width=None if place else narrowest, max_width=widest)
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    for word in words:
        table.add_column(word, no_wrap=True)
    return table
