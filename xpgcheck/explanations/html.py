"""Explanations as HTML, a piece for a notebook or a whole page, and as Markdown: every name escaped, no script."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

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
from xpgcheck.reports import pages
from xpgcheck.reports.markdown import escaped
from xpgcheck.xpg.xps import Kind

MAX_TEXT = 4_000
"""Characters of a sentence in Markdown."""

MAX_SHOWN = 50
"""XPs of a kind shown in a notebook; ``print`` shows all."""


def page(found: Explanations, pictures: Mapping[Kind, str]) -> str:
    """Return *found* as HTML, with a picture of the first AXp next to the words, if *pictures* has one, else of a CXp."""
    case = found.case
    return pages.page(
        "xpgcheck.explanations",
        "explanations.html.j2",
        name=printable(case.graph.name),
        conclusion=conclusion(case),
        instance=instance_line(case),
        ensemble=ensemble_lines(case),
        families=[_family(found, kind) for kind in (Kind.AXP, Kind.CXP)],
        titles=("feature", "value", *ROLE_TITLES),
        rows=role_rows(found),
        idle=idle_line(found),
        picture=pictures.get(Kind.AXP) or pictures.get(Kind.CXP, ""),
    )


def _family(found: Explanations, kind: Kind) -> dict[str, Any]:
    return {
        "title": family_title(found, kind),
        "sentences": list(itertools.islice(sentences(found, kind), MAX_SHOWN)),
        "more": max(0, len(found.families[kind].masks) - MAX_SHOWN),
        "notes": family_notes(found, kind),
    }


def whole_page(found: Explanations, pictures: Mapping[Kind, str]) -> str:
    """Return *found* as a page that needs nothing else, with SVG *pictures* of the first XPs."""
    case = found.case
    families = []
    for kind in (Kind.AXP, Kind.CXP):
        family = {**_family(found, kind), "sentences": list(sentences(found, kind)), "picture": pictures.get(kind, "")}
        families.append({**family, "caption": f"{kind.value} 1: what it leaves open; the instance's path is bold."})
    return pages.page(
        "xpgcheck.explanations",
        "explanations_page.html.j2",
        title=f"{printable(case.graph.name)}: {conclusion(case)}",
        name=printable(case.graph.name),
        conclusion=conclusion(case),
        instance=instance_line(case),
        notes=_standing(found),
        families=families,
        titles=("feature", "value", *ROLE_TITLES),
        rows=role_rows(found),
        idle=idle_line(found),
    )


def markdown_text(found: Explanations) -> str:
    """Return *found* in GitHub's Markdown."""
    case = found.case
    lines = [
        f"# {escaped(printable(case.graph.name))}: {escaped(conclusion(case))}",
        "",
        escaped(instance_line(case)),
        "",
    ]
    for note in _standing(found):
        lines += [escaped(note), ""]
    for kind in (Kind.AXP, Kind.CXP):
        lines += [f"## {escaped(family_title(found, kind).rstrip(':'))}", ""]
        lines += [f"{number}. {escaped(text, MAX_TEXT)}" for number, text in enumerate(sentences(found, kind), 1)]
        lines += [*(escaped(note, MAX_TEXT) for note in family_notes(found, kind)), ""]
    rows = role_rows(found)
    if rows:
        lines += [f"| {' | '.join(('feature', 'value', *ROLE_TITLES))} |", "| --- " * 6 + "|"]
        for name, value, *roles in rows:
            cells = [
                escaped(name),
                escaped(value),
                *("yes" if role else "?" if role is None else "–" for role in roles),
            ]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join([*lines, *([idle_line(found)] if idle_line(found) else [])]).rstrip() + "\n"


def _standing(found: Explanations) -> list[str]:
    """Return what is to be said of the case as a whole."""
    return [*([CONSTRAINED] if found.case.constraint is not None else []), *ensemble_lines(found.case)]
