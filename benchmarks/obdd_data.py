"""The OBDDs of the validation data (``XPGCHECK_DATA``), which `dd` dumped as JSON, as decision graphs."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

from xpgcheck.model.decision_graph import DecisionGraph, Node, NodeId, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point


def data_folder() -> Path | None:
    """Return the folder that ``XPGCHECK_DATA`` names, or None where it names none."""
    named = os.environ.get("XPGCHECK_DATA")
    return Path(named) if named and Path(named).is_dir() else None


def read_obdd(path: Path) -> DecisionGraph:
    """Read a `dd` dump with one root; a negative reference is a complemented edge, resolved into (node, sign) pairs."""
    dump = json.loads(path.read_text())
    level = dump.pop("level_of_var")
    (root,) = dump.pop("roots")
    names = [name for name, _ in sorted(level.items(), key=lambda item: int(item[0].removeprefix("x_")))]
    feature_at = {height: names.index(name) for name, height in level.items()}
    low, high = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))
    nodes: dict[NodeId, Node] = {"0": Terminal(0), "1": Terminal(1)}

    def name_of(reference: object, sign: bool) -> str:
        if reference in ("T", "F"):
            return "1" if (reference == "T") == sign else "0"
        number = int(str(reference))
        return str(abs(number)) if sign == (number > 0) else f"-{abs(number)}"

    stack = [name_of(root, True)]
    start = stack[0]
    while stack:
        key = stack.pop()
        if key in nodes:
            continue
        sign = not key.startswith("-")
        height, when_low, when_high = dump[key.removeprefix("-")]
        children = name_of(when_low, sign), name_of(when_high, sign)
        nodes[key] = NonTerminal(feature_at[height], ((children[0], low), (children[1], high)))
        stack.extend(children)
    features = [Feature(name, Boolean()) for name in names]
    return decision_graph(path.stem, features, ["0", "1"], nodes, start)


def read_bits(path: Path) -> list[Point]:
    """Read the instances of an OBDD: one row of 0/1 values each, in the order x_0, x_1, …"""
    with path.open(newline="") as rows:
        return [tuple(cell == "1" for cell in row) for row in csv.reader(rows)]
