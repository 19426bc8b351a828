"""The summary of a table as bars: of each feature, in how many of the rows it plays each role."""

from __future__ import annotations

from html import escape

from xpgcheck.drawing.colours import OKABE_ITO
from xpgcheck.drawing.markup import attributes, element, number, text
from xpgcheck.reports.lines import line
from xpgcheck.tables.summary import ROLE_TITLES, ClassCounts, TableSummary

MAX_FEATURES = 20
"""Features with bars; the table has all."""

MAX_NAME = 30

_ROW, _BAR, _NAMES, _BARS, _VALUES, _TOP = 42.0, 10.0, 230.0, 340.0, 60.0, 30.0

COLOURS = dict(zip(ROLE_TITLES, OKABE_ITO, strict=False))


def bars(summary: TableSummary, counts: ClassCounts, title: str) -> str:
    """Return the bars of the features in *counts*, those of most rows first, as an SVG element; no script, no style sheet.

    Letters have the colour of the page, in light and dark.  Linear.
    """
    features = summary.ranked(counts)[:MAX_FEATURES]
    width, height = _NAMES + _BARS + _VALUES, _TOP + _ROW * len(features)
    lines = [
        f"<svg{attributes({'viewBox': f'0 0 {number(width)} {number(height)}', 'role': 'img', 'width': width})}>",
        f"<title>{escape(title)}</title>",
    ]
    x = _NAMES
    for role, colour in COLOURS.items():
        lines.append(element("rect", x=x, y=6.0, width=12.0, height=12.0, fill=colour))
        lines.append(text(role, x + 18, 12, 12.5, fill="currentColor"))
        x += 130
    for place, feature in enumerate(features):
        top = _TOP + place * _ROW
        name = line(summary.names[feature], MAX_NAME)
        lines.append(text(name, _NAMES - 10, top + _ROW / 2 - 4, 12.5, fill="currentColor", text_anchor="end"))
        for bar, (colour, count) in enumerate(zip(COLOURS.values(), counts.features[feature].roles, strict=True)):
            share = count / max(counts.rows, 1)
            y = top + bar * (_BAR + 1)
            lines.append(element("rect", x=_NAMES, y=y, width=max(share * _BARS, 0.5), height=_BAR, fill=colour))
            lines.append(text(percent(count, counts.rows), _NAMES + share * _BARS + 6, y + 5, 9.5, fill="currentColor"))
    return "\n".join([*lines, "</svg>"])


def percent(count: int, rows: int) -> str:
    """Return a share of *rows*: never 0 % of something, nor 100 % of less than all."""
    if not count or not rows:
        return "0 %" if rows else "–"
    if count == rows:
        return "100 %"
    share = 100 * count / rows
    if share < 1:
        return "< 1 %"
    return "> 99 %" if share > 99 else f"{share:.0f} %"
