"""Lines and tables on the terminal.  No text is ever read as markup."""

from __future__ import annotations

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
    return plain if plain.is_terminal else Console(width=200)


def say(console: Console, text: str, style: str = "") -> None:
    """Print a line.  A terminal wraps it; a file, and what is copied, keep it whole."""
    from rich.text import Text

    console.print(Text(text, style=style), soft_wrap=True)


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
