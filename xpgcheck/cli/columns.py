"""Lists in columns, of which the last one is wrapped to the terminal; a file gets whole lines."""

from __future__ import annotations

import shutil
import sys
import textwrap

import click


def echo_wrapped(start: str, text: str) -> None:
    """Print *start* and then *text*, which on a terminal goes on below itself where the line is full."""
    whole = f"{start}{text}"
    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or len(whole) <= width:
        click.echo(whole)
        return
    least = 20
    indent = " " * len(start) if width - len(start) >= least else "    "
    kept = textwrap.fill(whole, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True)
    click.echo(kept)
