"""Pictures of growth, both axes logarithmic: membership, a curve a family; and cost against size.  Needs matplotlib.

The same figures give the same bytes: no date, no version, ids from a fixed salt, letters as outlines.  The background is
white and opaque, so the picture reads the same on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

if TYPE_CHECKING:
    from benchmarks.hardness import Curve
    from benchmarks.scale import Series

INK = "#24292f"
PALE = "#d0d7de"
STYLES = (
    ("#b3261e", "o", "-"),
    ("#d9730d", "s", "-"),
    ("#8a6d00", "D", "--"),
    ("#0b5cad", "^", "-"),
    ("#3a8fd9", "v", "--"),
    ("#1a7f37", "P", "-"),
)
"""Colour, marker and line of each family, told apart without colours too."""

TITLE = "Time of deciding membership"
SETTINGS = {"svg.hashsalt": "membership-growth", "svg.fonttype": "path", "font.family": "DejaVu Sans", "font.size": 11}


def draw(curves: Sequence[Curve], cap: float, target: Path) -> None:
    """Write the picture of *curves*, with the cap of *cap* seconds, to *target*."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(9.6, 6.0), facecolor="white", layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot(facecolor="white")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.axhline(cap, color=INK, linewidth=1, linestyle=":")
        axes.annotate(
            f"given up after {cap:g} s",
            (1, cap),
            xycoords=("axes fraction", "data"),
            xytext=(-4, 4),
            textcoords="offset points",
            ha="right",
            color=INK,
        )
        handles = []
        for curve, (colour, marker, line) in zip(curves, STYLES, strict=True):
            handles.append(
                Line2D([], [], color=colour, marker=marker, linestyle=line, label=_label(curve)),
            )
            points = curve.points
            axes.plot(
                [p.size for p in points], [p.seconds for p in points], color=colour, linestyle=line, linewidth=1.8
            )
            for point in points:
                # Hollow where half of the questions or more were given up: the median is above the line.
                face = "white" if point.capped else colour
                axes.plot(
                    [point.size], [point.seconds], color=colour, marker=marker, markersize=7, markerfacecolor=face
                )
        axes.set_title(TITLE, color=INK, fontsize=14, loc="left")
        axes.set_xlabel("size of the input: literals of the formula, edges of the graph", color=INK)
        axes.set_ylabel("CPU seconds, median", color=INK)
        axes.grid(color=PALE, linewidth=0.7)
        axes.tick_params(colors=INK, which="both")
        for spine in axes.spines.values():
            spine.set_color(INK)
        axes.set_ylim(top=cap * 3)
        figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, labelcolor=INK)
        figure.savefig(
            target, format="svg", facecolor="white", metadata={"Date": None, "Creator": None, "Title": TITLE}
        )


def draw_panels(families: Mapping[str, Sequence[Series]], target: Path) -> None:
    """Write a picture of a panel a family to *target*: of each piece of work the CPU seconds against the size."""
    title = "Cost against size"
    with mpl.rc_context({**SETTINGS, "svg.hashsalt": "scale"}):
        figure = Figure(figsize=(11.0, 4.6), facecolor="white", layout="constrained")
        FigureCanvasSVG(figure)
        panels = figure.subplots(1, len(families), sharey=True, squeeze=False)[0]
        handles: list[Line2D] = []
        for axes, (family, works) in zip(panels, families.items(), strict=True):
            axes.set_xscale("log")
            axes.set_yscale("log")
            handles = []
            for series, (colour, marker, line) in zip(works, STYLES, strict=False):
                look = {"color": colour, "marker": marker, "linestyle": line}
                handles.append(Line2D([], [], label=series.name, **look))
                axes.plot([size for size, _ in series.points], [s for _, s in series.points], linewidth=1.8, **look)
            axes.set_title(family, color=INK, fontsize=12, loc="left")
            axes.set_xlabel("features" if family == "features" else "nodes", color=INK)
            axes.grid(color=PALE, linewidth=0.7)
            axes.tick_params(colors=INK, which="both")
            for spine in axes.spines.values():
                spine.set_color(INK)
        panels[0].set_ylabel("CPU seconds", color=INK)
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, labelcolor=INK)
        figure.savefig(
            target, format="svg", facecolor="white", metadata={"Date": None, "Creator": None, "Title": title}
        )


def _label(curve: Curve) -> str:
    return f"{curve.family.name} ({curve.family.where})"
