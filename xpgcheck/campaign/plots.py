"""Figures as SVG to stand inside a page: the one module that knows of matplotlib, the extra ``report``.

Colours are the page's own, as custom properties of CSS, so that a plot changes with the page between light and dark; letters
are text.  The same numbers give the same bytes with the same version of matplotlib.
"""

from __future__ import annotations

import io
import re
from typing import Any
from xml.etree import ElementTree

from xpgcheck.campaign.figures import Bars, Curve, Figure, FigureColumns, Plot, Ranges, seconds_text
from xpgcheck.errors import MissingPackageError
from xpgcheck.extras import install
from xpgcheck.judging.verdicts import Outcome

WIDTH = 4.6
"""Inches; a phone is about as wide, so letters keep their size there."""

COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--soft)",
    "#030303": "var(--line)",
    "#040404": "var(--link)",
    "#050505": "var(--bad)",
    "#060606": "var(--open)",
    "#070707": "var(--good)",
}
"""Stand-ins for the page's colours while matplotlib draws."""

INK, SOFT, LINE, LINK, BAD, OPEN, GOOD = COLOURS

OF_OUTCOME = {Outcome.VIOLATED: BAD, Outcome.INCONCLUSIVE: OPEN, Outcome.HOLDS: GOOD, None: LINK}

MAX_NAME = 34
"""Characters of a name next to its bar; the table has all of it."""

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"


def require_matplotlib() -> None:
    """Raise ``MissingPackageError`` where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingPackageError("matplotlib is not installed", mend=install("report")) from None


def svg_of(figure: Figure, number: int) -> str:
    """Return *figure* as an SVG element; *number* keeps its ids apart from those of others on the page.

    Raises ``MissingPackageError`` where matplotlib is not installed.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    settings: dict[Any, Any] = {
        "svg.hashsalt": str(number),
        "svg.fonttype": "none",
        # Names are of others: a $ in them is a $.
        "text.parse_math": False,
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.unicode_minus": False,
    }
    with mpl.rc_context(settings):
        height = _height(figure.plot)
        canvas = Canvas(figsize=(WIDTH, height), facecolor="none", layout="constrained")
        FigureCanvasSVG(canvas)
        axes = canvas.add_subplot(facecolor="none")
        _draw(figure.plot, axes)
        _dress(axes)
        target = io.BytesIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        canvas.savefig(target, format="svg", facecolor="none", metadata=nothing)
    return _inside(target.getvalue(), figure, number)


def _height(plot: Plot) -> float:
    return 0.9 + 0.27 * len(plot.names) if isinstance(plot, (Bars, Ranges)) else 2.6


def _draw(plot: Plot, axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    if isinstance(plot, Curve):
        axes.plot(plot.x, plot.y, color=LINK, linewidth=2)
        axes.fill_between(plot.x, plot.y, color=LINK, alpha=0.15, linewidth=0)
        axes.set_xlim(0, max(plot.x[-1], 1e-9))
        axes.set_ylim(0, max(max(plot.y) * 1.05, 1.0))
        axes.set_xlabel(plot.x_label)
        axes.set_ylabel(plot.y_label)
    elif isinstance(plot, FigureColumns):
        _columns(plot, axes)
    elif isinstance(plot, Bars):
        _named(plot.names, axes)
        axes.barh(range(len(plot.names)), plot.values, height=0.62, color=[OF_OUTCOME[o] for o in plot.outcomes])
        if plot.wide:
            axes.set_xscale("log")
            axes.set_xlim(left=0.8, right=max(plot.values) * 3)
        axes.set_xlabel(plot.x_label)
    else:
        _named(plot.names, axes)
        for row, (middle, late, last) in enumerate(plot.ranges):
            axes.plot([middle, last], [row, row], color=LINK, linewidth=1.4)
            axes.plot([middle, late], [row, row], color=LINK, linewidth=6, solid_capstyle="butt")
            axes.plot([middle], [row], color=INK, marker="o", markersize=6)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _place: seconds_text(seconds)))
        axes.set_xlabel(plot.x_label)


def _columns(plot: FigureColumns, axes: Any) -> None:
    width = 0.84 / len(plot.series)
    for i, (name, values) in enumerate(plot.series):
        places = [x + (i - (len(plot.series) - 1) / 2) * width for x in range(len(values))]
        hatch = {"hatch": "////", "edgecolor": BAD, "facecolor": "none"} if i else {"color": LINK}
        axes.bar(places, values, width=width, label=name, linewidth=0.8 if i else 0, **hatch)
    step = -(-len(plot.labels) // (8 if max(map(len, plot.labels)) < 4 else 6))
    axes.set_xticks(range(0, len(plot.labels), step), plot.labels[::step])
    axes.set_ylim(bottom=0)
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    if len(plot.series) > 1:
        axes.legend(frameon=False, labelcolor=INK)


def _named(names: tuple[str, ...], axes: Any) -> None:
    short = [name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…" for name in names]
    axes.set_yticks(range(len(names)), short)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _dress(axes: Any) -> None:
    from matplotlib.ticker import FixedFormatter, FuncFormatter, NullFormatter

    axes.tick_params(colors=SOFT, labelcolor=INK, which="both")
    for name in ("x", "y"):
        axis = getattr(axes, f"{name}axis")
        axis.label.set_color(SOFT)
        axis.grid(color=LINE, linewidth=0.6)
        if not isinstance(axis.get_major_formatter(), (FixedFormatter, FuncFormatter)):
            axis.set_major_formatter(FuncFormatter(_number))
        axis.set_minor_formatter(NullFormatter())
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_color(SOFT)
        spine.set_visible(side in ("left", "bottom"))


def _number(value: float, _place: object = None) -> str:
    """Return the number at a tick: 12,000 and 3M, and small ones as 1e-05."""
    for factor, unit in ((1e9, "G"), (1e6, "M")):
        if abs(value) >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:g}"


def _inside(data: bytes, figure: Figure, number: int) -> str:
    """Return the drawing as an element for a page: named, of the page's colours, without ids and styles that reach out."""
    root = ElementTree.fromstring(data)
    # Rules for everything in it ("*" would be the page's) go on the element itself.
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    text = " ".join(value for element in root.iter() for value in element.attrib.values())
    used = set(re.findall(r"#([A-Za-z][\w.-]*)", text))
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        attributes = {}
        for key, value in element.attrib.items():
            key = "href" if key == f"{{{XLINK}}}href" else key
            if key == "id":
                if value not in used:
                    continue
                value = f"plot-{number}-{value}"
            else:
                value = re.sub(r"(^|url\()#([A-Za-z][\w.-]*)", rf"\1#plot-{number}-\2", _coloured(value))
            attributes[key] = value
        element.attrib.clear()
        element.attrib.update(attributes)
    view = root.get("viewBox", "0 0 1 1")
    root.attrib.clear()
    root.attrib.update(
        {
            "viewBox": view,
            "role": "img",
            "aria-label": figure.title,
            "style": "stroke-linejoin: round; stroke-linecap: butt",
        }
    )
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _coloured(style: str) -> str:
    """Return a style with the page's colours, and without a font: letters have the page's."""
    style = re.sub("|".join(COLOURS), lambda found: COLOURS[found[0]], style)
    return re.sub(r"font-family: [^;]*;?\s*", "", style)
