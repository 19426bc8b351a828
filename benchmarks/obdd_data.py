"""The OBDDs of the validation data (``XPGCHECK_DATA``), which `dd` dumped as JSON, and their instances."""

from __future__ import annotations

import csv
import os
from pathlib import Path

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.readers.dd_bdd import read_dd_json


def data_folder() -> Path | None:
    """Return the folder that ``XPGCHECK_DATA`` names, or None where it names none."""
    named = os.environ.get("XPGCHECK_DATA")
    return Path(named) if named and Path(named).is_dir() else None


def read_obdd(path: Path) -> DecisionGraph:
    """Read a dump with one root; its features are x_0, x_1, … in this order."""
    return read_dd_json(path)


def read_bits(path: Path) -> list[Point]:
    """Read the instances of an OBDD: one row of 0/1 values each, in the order x_0, x_1, …"""
    with path.open(newline="") as rows:
        return [tuple(cell == "1" for cell in row) for row in csv.reader(rows)]
