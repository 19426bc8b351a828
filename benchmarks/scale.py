"""Cost against size, for trees and OBDDs of 10² to 10⁶ nodes and trees over 10 to 10⁴ features."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import Cell, Report

METHOD = """\
CPU s of one process a size. Trees: float32, 64 features, random; OBDDs: 64 Boolean features, equally wide levels; \
features: a random tree of 1,000 leaves over so many float32 features. The row is random. Read: parse_json, both \
assumptions checked. One AXp and one CXp, and 100 XPs, with the XpG. Check: what xpgcheck check does for one row with \
--limit 100, Z3 started. Certificate: of 100 XPs, issued and checked. Peak: of the process, its model's JSON included. A \
family ends where not all is done within the limit."""

WORK = ("read", "one AXp, one CXp", "100 XPs", "check of a row", "certificate")

COLUMNS = ("family", "size", *WORK, "peak MiB")

SIZES = {
    "trees": (100, 1_000, 10_000, 100_000, 1_000_000),
    "OBDDs": (100, 1_000, 10_000, 100_000, 1_000_000),
    "features": (10, 100, 1_000, 10_000),
}

ROOT = Path(__file__).resolve().parents[1]

PICTURE = ROOT / "docs" / "pictures" / "scale.svg"
"""The file of the picture."""


@dataclass
class Series:
    """One piece of work in one family: sizes and CPU seconds."""

    name: str
    points: list[tuple[int, float]] = field(default_factory=list)


def run(picture: Path | None = PICTURE, limit: float = 300.0, sizes: dict[str, Sequence[int]] | None = None) -> Report:
    """Measure every family until a size takes more than *limit* seconds of wall time in all; draw *picture*."""
    report = Report("scale", METHOD, COLUMNS)
    families: dict[str, list[Series]] = {}
    for family, wanted in (sizes or SIZES).items():
        families[family] = [Series(name) for name in WORK]
        for size in wanted:
            done, why = measured(family, size, limit)
            cells: list[Cell] = [family, size]
            for series in families[family]:
                seconds = done.get(series.name, {}).get("seconds")
                cells.append(seconds)
                if seconds is not None:
                    series.points.append((size, seconds))
            cells.append(max((each["peak MiB"] for each in done.values()), default=None))
            report.rows.append(cells)
            if why:
                report.notes.append(f"{family} end at {size:,}: {why}")
                break
    if picture is not None:
        try:
            from benchmarks.growth_chart import draw_panels
        except ImportError:
            report.notes.append("no picture: matplotlib is not installed")
        else:
            draw_panels(families, picture)
            report.notes.append(f"picture: {picture.name}")
    return report


def measured(family: str, size: int, limit: float) -> tuple[dict[str, dict[str, float]], str]:
    """Return what was done for that *size*, and why not all was ("" if it was)."""
    command = [sys.executable, "-m", "benchmarks.scale_point", family, str(size)]
    why = ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, cwd=ROOT)
        out = done.stdout
        if done.returncode:
            why = f"{next(iter(done.stderr.splitlines()[-1:]), '')} (exit status {done.returncode})".strip()
    except subprocess.TimeoutExpired as late:
        out = (late.stdout or b"").decode()
        why = f"not done within {limit:g} s"
    rows = map(json.loads, out.splitlines())
    return {row["what"]: row for row in rows}, why
