"""Explanations as a piece of HTML for a notebook: two tables, every name escaped, no script and no style sheet."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

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
from xpgcheck.xpg.xps import Kind

MAX_SHOWN = 50
"""XPs of a kind shown in a notebook; ``print`` shows all."""


def page(found: Explanations) -> str:
    """Return *found* as HTML."""
    case = found.case
    name, line = printable(case.graph.name), instance_line(case)
    parts = [f"<p><b>{escape(name)}</b>: <b>{escape(conclusion(case))}</b> for {escape(line)}</p>"]
    for kind in (Kind.AXP, Kind.CXP):
        parts += _family(found, kind)
    parts += _roles(found)
    return "<div>" + "\n".join(parts) + "</div>"


def _family(found: Explanations, kind: Kind) -> Iterator[str]:
    yield f"<p>{escape(family_title(found, kind))}</p>"
    family = found.families[kind]
    if family.masks:
        shown = [text for text, _ in zip(sentences(found, kind), range(MAX_SHOWN), strict=False)]
        yield "<ol>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in shown) + "</ol>"
        if len(family.masks) > MAX_SHOWN:
            yield f"<p>… and {len(family.masks) - MAX_SHOWN:,} more (print shows them)</p>"
    for note in family_notes(found, kind):
        yield f"<p>{escape(note)}</p>"


def _roles(found: Explanations) -> Iterator[str]:
    rows = role_rows(found)
    if rows:
        head = "".join(f"<th>{title}</th>" for title in ("feature", "value", *ROLE_TITLES))
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in (name, value))
            + "".join(f"<td>{'yes' if role else '–'}</td>" for role in answers)
            + "</tr>"
            for name, value, *answers in rows
        )
        yield f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    line = idle_line(found)
    if line:
        yield f"<p>{escape(line)}</p>"
