"""Explanations as a piece of HTML for a notebook: two tables, every name escaped, no script and no style sheet."""

from __future__ import annotations

import itertools
from typing import Any

from xpgcheck.errors import printable
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.words import (
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
from xpgcheck.xpg.xps import Kind

MAX_SHOWN = 50
"""XPs of a kind shown in a notebook; ``print`` shows all."""


def page(found: Explanations) -> str:
    """Return *found* as HTML."""
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
    )


def _family(found: Explanations, kind: Kind) -> dict[str, Any]:
    return {
        "title": family_title(found, kind),
        "sentences": list(itertools.islice(sentences(found, kind), MAX_SHOWN)),
        "more": max(0, len(found.families[kind].masks) - MAX_SHOWN),
        "notes": family_notes(found, kind),
    }
