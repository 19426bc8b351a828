"""Explanations on the terminal, readable in 80 columns.  Names are never read as markup."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from xpgcheck.errors import printable
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.words import (
    CONSTRAINED,
    ROLE_TITLES,
    conclusion,
    ensemble_lines,
    family_notes,
    family_title,
    idle_line,
    instance_line,
    role_rows,
    sentences,
)
from xpgcheck.reports.terminal import print_table, wrapped
from xpgcheck.xpg.xps import Kind

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def print_explanations(found: Explanations, console: Console, most: int | None = None) -> None:
    """Print the instance and its class, the AXps, the CXps, at most *most* of a kind, and the roles of the features."""
    from rich.text import Text

    case = found.case
    name, so = printable(case.graph.name), conclusion(case)
    head = f"{name}: {so} for "
    title = Text("\n".join(wrapped(head + instance_line(case, glued=True), console.width)))
    title.stylize("bold", 0, len(name))
    title.stylize("bold green", len(name) + 2, len(head) - len(" for "))
    console.print(title, soft_wrap=True)
    if case.constraint is not None:
        console.print(Text(CONSTRAINED), soft_wrap=True)
    for line in ensemble_lines(case):
        console.print(Text(line), soft_wrap=True)
    for kind in (Kind.AXP, Kind.CXP):
        console.print()
        console.print(Text(family_title(found, kind), style="bold"))
        if found.families[kind].masks:
            console.print(_numbered(found, kind, console, most), soft_wrap=True)
        left_out = 0 if most is None else len(found.families[kind].masks) - most
        if left_out > 0:
            listed = sum(len(family.masks) for family in found.families.values())
            console.print(Text(f"… and {left_out:,} more ('--limit {listed}' lists them)", style="dim"), soft_wrap=True)
        for note in family_notes(found, kind):
            console.print(Text(note, style="yellow"))
    console.print()
    rows = role_rows(found)
    if rows:
        texts = ["feature"] if case.point is None else ["feature", "value"]
        cells = [
            [name, value][: len(texts)] + ["yes" if answer else "–" if answer is False else "?" for answer in roles]
            for name, value, *roles in rows
        ]
        print_table(console, cells, texts, ROLE_TITLES, narrowest=10)
    line = idle_line(found)
    if line:
        console.print(Text(line))


def _numbered(found: Explanations, kind: Kind, console: Console, most: int | None) -> Text:
    """Return the first *most* sentences, numbered and wrapped; a table would measure each of them first."""
    from rich.text import Text

    count = len(found.families[kind].masks)
    room = len(f" {count if most is None else min(count, most)} ")
    width = max(console.width - room, 1)
    lines: list[Text] = []
    for number, sentence in enumerate(itertools.islice(sentences(found, kind, glued=True), most), 1):
        for place, line in enumerate(wrapped(sentence, width)):
            lines.append(Text.assemble((f"{'' if place else number:>{room - 1}} ", "dim"), line))
    return Text("\n").join(lines)
