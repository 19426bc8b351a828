"""Whole commands on inputs that users bring: start-up, reading, work and output together."""

from __future__ import annotations

import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.dags import random_points
from benchmarks.explain import random_tree
from benchmarks.measure import Report, Target
from xpgcheck.model.value_sets import number_text
from xpgcheck.writers.json_model import model_json

METHOD = """\
CPU s of whole processes and all that they start (python -m xpgcheck …), median. Chain: a decision node a threshold (or \
feature), one below the other. Wide: a node of 6,000 edges to two terminals. Rows are random. Three-valued: a tree of \
depth 10 over 42 features of three values, labelled by a sum. README: its gate of ten lines."""

COLUMNS = ("command", "CPU, s", "max")

README = Path(__file__).resolve().parents[1] / "README.md"

Command = tuple[str, list[str], int, float]
"""A title, the words after ``xpgcheck``, the exit status that is right, and the CPU seconds that it should stay below."""


def run(repetitions: int = 3, scale: int = 1) -> Report:
    """Time each command *repetitions* times, on inputs *scale* times smaller."""
    report = Report("processes", METHOD, COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        for what, words, status, wanted in commands(Path(folder), scale):
            seconds = [cpu_of(words, status, folder) for _ in range(repetitions)]
            report.rows.append((what, statistics.median(seconds), max(seconds)))
            report.targets.append(Target(f"{what}, CPU s", statistics.median(seconds), "<", wanted))
    return report


def commands(folder: Path, scale: int) -> list[Command]:
    """Write the inputs into *folder* and return the commands."""

    def write(name: str, document: dict[str, Any]) -> str:
        folder.joinpath(name).write_text(json.dumps(document))
        return name

    def table(name: str, rows: Sequence[Sequence[object]]) -> list[str]:
        folder.joinpath(name).write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        return ["--instances", name]

    deep, wide, rows, few = 3_000 // scale, 6_000 // scale, 2_000 // scale, 300 // scale
    tree = random_tree(67, width=14)
    folder.joinpath("tree.json").write_text(model_json(tree))
    points = [[number_text(value) for value in point] for point in random_points(tree, rows)]  # type: ignore[arg-type]
    folder.joinpath("drawn.json").write_text(model_json(random_tree(150, 10)))
    dice = random.Random(0)
    three = [[dice.randrange(3) for _ in range(42)] for _ in range(few)]
    gated = re.search(r"```python\n(class PathExplainer:.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert gated is not None
    folder.joinpath("my_explainer.py").write_text(gated[1])
    thresholds, features = chain(deep, one_feature=True), chain(deep, one_feature=False)
    edges = write("wide.json", wide_node(wide))
    return [
        (
            f"explain, chain of {deep:,} thresholds",
            ["explain", write("thresholds.json", thresholds), "--row", "1", *table("one.csv", [[deep / 2]])],
            0,
            1,
        ),
        (
            f"explain, chain of {deep:,} features",
            ["explain", write("features.json", features), "--row", "1", *table("ones.csv", [[1] * deep])],
            0,
            1,
        ),
        (f"explain, {wide:,} edges", ["explain", edges, "--instance", "k=7"], 0, 0.5),
        (f"certify, {wide:,} edges", ["certify", edges, "--instance", "k=7", "-o", "certificate.jsonl"], 0, 1),
        (
            f"check, {rows:,} rows, {tree.node_count} nodes, 14 float32 features",
            ["check", "tree.json", "-q", *table("rows.csv", points)],
            0,
            6,
        ),
        (
            f"check, {few:,} rows, 42 three-valued features",
            ["check", write("three.json", three_valued(10)), "-q", *table("three.csv", three)],
            0,
            30,
        ),
        ("gate, README's explainer", ["gate", "my_explainer:PathExplainer", "-q"], 1, 4),
        ("draw, 300 nodes, PNG", ["draw", "drawn.json", "-o", "drawn.png"], 0, 1),
    ]


def cpu_of(words: Sequence[str], status: int, folder: str) -> float:
    """Return the CPU seconds of ``xpgcheck`` with *words* and of its children.  Raises ``AssertionError`` on another end."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "xpgcheck", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    after = os.times()
    if done.returncode != status:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}: {done.stderr[-300:]}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def chain(length: int, *, one_feature: bool) -> dict[str, Any]:
    """Return the model of *length* decision nodes, each below the one before, on thresholds of a feature or on features."""
    domain = {"type": "real"} if one_feature else {"type": "boolean"}
    names = ["x"] if one_feature else [f"x{i}" for i in range(length)]

    def edges(number: int) -> list[dict[str, Any]]:
        leave, stay = (f"(-inf, {number}]", f"({number}, inf)") if one_feature else (0, 1)
        end = "even" if one_feature and number % 2 else "odd"
        return [{"to": end, "in": [leave]}, {"to": number + 1 if number + 1 < length else "last", "in": [stay]}]

    nodes: list[dict[str, Any]] = [
        {"id": number, "feature": names[0 if one_feature else number], "edges": edges(number)}
        for number in range(length)
    ]
    ends = [("odd", "no"), ("last", "yes"), *([("even", "yes")] if one_feature else [])]
    return _document("chain", [(name, domain) for name in names], [*nodes, *_terminals(ends)])


def wide_node(edges: int) -> dict[str, Any]:
    """Return the model of one node on an integer with a value for each of *edges*, which lead to two terminals in turns."""
    root = {"id": 0, "feature": "k", "edges": [{"to": ("odd", "even")[k % 2], "in": [k]} for k in range(edges)]}
    domain = {"type": "integer", "low": 0, "high": edges - 1}
    return _document("wide", [("k", domain)], [root, *_terminals([("odd", "no"), ("even", "yes")])])


def three_valued(depth: int, features: int = 42) -> dict[str, Any]:
    """Return a random tree of that *depth* over *features* integers from 0 to 2; the sum along a path decides the class."""
    dice = random.Random(0)
    nodes: list[dict[str, Any]] = []

    def grow(level: int, used: frozenset[int], total: int) -> int:
        number = len(nodes)
        nodes.append({"id": number})
        if level == depth or dice.random() < 0.05 * level:
            nodes[number]["class"] = "yes" if total > 0 else "no"
            return number
        feature = dice.choice([i for i in range(features) if i not in used])
        cut = dice.randrange(2)
        lower = grow(level + 1, used | {feature}, total - 1)
        upper = grow(level + 1, used | {feature}, total + 1)
        nodes[number]["feature"] = f"x{feature}"
        ends = [{"to": lower, "in": [f"[0, {cut}]"]}, {"to": upper, "in": [f"[{cut + 1}, 2]"]}]
        nodes[number]["edges"] = ends
        return number

    grow(0, frozenset(), 0)
    domain = {"type": "integer", "low": 0, "high": 2}
    return _document("three values", [(f"x{i}", domain) for i in range(features)], nodes)


def _terminals(ends: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"id": name, "class": label} for name, label in ends]


def _document(
    name: str, features: Sequence[tuple[str, dict[str, Any]]], nodes: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "format": "decision-graph",
        "version": 1,
        "name": name,
        "features": [{"name": each, "domain": domain} for each, domain in features],
        "classes": ["no", "yes"],
        "root": 0,
        "nodes": list(nodes),
    }
