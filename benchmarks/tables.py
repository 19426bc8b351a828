"""Whole tables: every row of a large table by a large tree, next to PyXAI row by row where ``pyxai`` is installed."""

from __future__ import annotations

import contextlib
import io
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import util
from pathlib import Path
from typing import Any

from benchmarks.explain import random_tree
from benchmarks.measure import Report, Target
from benchmarks.pyxai_peer import cpu
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.subjects.adapters.pyxai import elsewhere
from xpgcheck.tables.api import explain_table
from xpgcheck.writers.json_model import model_json

METHOD = """\
Tables: wall and CPU s of all processes of a command (python -m xpgcheck explain MODEL --instances rows.csv --all \
-o out.csv --parts axp,cxps -j 2), start-up, reading and writing included: a smallest AXp and all CXps of every row, \
and the summary. The trees are random, of 30 float32 features; rows are random numbers, all different. PyXAI, where it is \
installed: initialize and minimal_sufficient_reason of some of the rows on the same trees, ms per row, CPU time with that \
of its children; ours the same way, in one process."""

COLUMNS = ("tree", "nodes", "rows", "different", "wall s", "CPU s", "CPU ms per row", "ours alone, ms", "PyXAI, ms")

FEATURES = 30


def run(
    trees: tuple[tuple[int, int], ...] = ((500, 9), (500, 12), (500, 20)),
    rows: int = 50_000,
    alone: int = 1_000,
    compared: int = 20,
) -> Report:
    """Explain *rows* rows of each of *trees*, (leaves, depth); *alone* of them in this process, *compared* by PyXAI."""
    report = Report("tables", METHOD, COLUMNS)
    spent, ratios = [], []
    for seed, (leaves, depth) in enumerate(trees):
        graph = random_tree(leaves, depth, seed, FEATURES)
        table = random_rows(rows, seed)
        wall, cpu_seconds, distinct = _explained(graph, table)
        ours = _alone(graph, table[:alone])
        peer = _pyxai(graph, table[:compared]) if util.find_spec("pyxai") is not None else None
        spent.append(cpu_seconds)
        if peer is not None:
            ratios.append(peer / ours)
        name = f"{leaves} leaves, depth ≤ {depth}"
        row = (name, graph.node_count, rows, distinct, wall, cpu_seconds, 1e3 * cpu_seconds / rows, ours, peer)
        report.rows.append(row)
    what = (
        f"{rows:,} rows, trees of about {2 * trees[0][0]:,} nodes, {FEATURES} features, the slowest, CPU s on all cores"
    )
    report.targets.append(Target(what, max(spent), "<", 60))
    if ratios:
        report.targets.append(Target("times as fast as PyXAI a row, median", statistics.median(ratios), "≥", 1))
    else:
        report.notes.append("pyxai is not installed here: 'tox run -e pyxai' says how it is")
    return report


def random_rows(count: int, seed: int = 0) -> list[list[float]]:
    """Return rows of numbers with six digits, over the thresholds of the trees."""
    rng = random.Random(seed)
    return [[round(rng.uniform(-1_000, 1_000), 3) for _ in range(FEATURES)] for _ in range(count)]


def _explained(graph: DecisionGraph, rows: list[list[float]]) -> tuple[float, float, int]:
    """Return the wall and CPU seconds of the command, and how many rows are different to the model."""
    with tempfile.TemporaryDirectory() as folder:
        model, table, out, summary = (Path(folder, name) for name in ("model.json", "rows.csv", "out.csv", "s.json"))
        model.write_text(model_json(graph))
        table.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        command = [sys.executable, "-m", "xpgcheck", "explain", model, "--instances", table, "--all", "-o", out]
        started, cpu_started = time.perf_counter(), cpu()
        subprocess.run(
            [*command, "--parts", "axp,cxps", "-j", "2", "--json", summary], check=True, stdout=subprocess.DEVNULL
        )
        wall, spent = time.perf_counter() - started, cpu() - cpu_started
        return wall, spent, json.loads(summary.read_text())["distinct"]


def _alone(graph: DecisionGraph, rows: list[list[float]]) -> float:
    """Return our CPU milliseconds a row in this process, for a smallest AXp alone, and its summary."""
    started = time.process_time()
    for _ in explain_table(graph, rows, parts=["axp"]):
        pass
    return 1e3 * (time.process_time() - started) / len(rows)


def _pyxai(graph: DecisionGraph, rows: list[list[float]]) -> float:
    """Return PyXAI's milliseconds a row for a smallest sufficient reason on the same tree."""
    from pyxai import Builder, Explaining, Tools

    Tools.set_verbose(0)
    tree = Builder.DecisionTree(len(graph.features), _node(Builder, graph, 0))
    spent = []
    with elsewhere(), contextlib.redirect_stdout(io.StringIO()):
        for row in rows:
            started = cpu()
            Explaining.initialize(tree, instance=row).minimal_sufficient_reason()
            spent.append(1e3 * (cpu() - started))
    return statistics.mean(spent)


def _node(builder: Any, graph: DecisionGraph, node: int) -> Any:
    """Return a node of *graph*, a tree of thresholds, as PyXAI has it."""
    if graph.is_terminal(node):
        return graph.class_of[node]
    low, high = (_node(builder, graph, child) for child in graph.children[node])
    values = graph.literals[graph.literal_ids[node][0]].values
    assert isinstance(values, IntervalSet)
    threshold = values.intervals()[0].high
    assert threshold is not None
    return builder.DecisionNode(
        graph.feature_of[node] + 1, operator="GT", threshold=float(threshold), left=low, right=high
    )
