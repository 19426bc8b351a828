"""``xpgcheck explain`` as whole processes, and how long models of 10⁵ nodes take to read."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import Report, Target, cpu_seconds
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Interval, IntervalSet, interval_set
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json

METHOD = """\
Explain: wall ms of whole processes (python -m xpgcheck explain MODEL --row 1 --instances FILE, start-up included), median, \
on random trees of depth 12 over 64 float32 features. Read: CPU s of parse_json, both assumptions checked, median."""

COLUMNS = ("what", "nodes", "XPs", "time")

FEATURES = 64
DEPTH = 12


def run(leaves: tuple[int, ...] = (450, 2_200), chain: int = 50_000, repetitions: int = 7) -> Report:
    """Time ``explain`` on trees of *leaves* leaves, and reading trees and OBDDs of about 2 · *chain* nodes."""
    report = Report("explain", METHOD, COLUMNS)
    for count in leaves:
        graph = random_tree(count)
        wall, xps = _explained(graph, repetitions)
        report.rows.append(("explain, ms", graph.node_count, xps, wall))
        name = f"explain on a tree of depth {DEPTH}, {FEATURES} features, {graph.node_count:,} nodes, median ms"
        report.targets.append(Target(name, wall, "<", 200 if graph.node_count < 1_000 else 300))
    for name, data, wanted in (
        ("read an OBDD, s", ladder(chain), 0.6),
        ("read a tree, s", model_json(random_tree(chain, 40)).encode(), 0.8),
    ):
        nodes = parse_json(data).node_count
        seconds = statistics.median(cpu_seconds(partial(parse_json, data)) for _ in range(max(1, repetitions // 2)))
        report.rows.append((name, nodes, None, seconds))
        report.targets.append(Target(f"{name.removesuffix(', s')} of {nodes:,} nodes, median s", seconds, "<", wanted))
    return report


def _explained(graph: DecisionGraph, repetitions: int) -> tuple[float, int]:
    """Return the median wall ms of explaining *graph* at a random point, and the number of XPs listed."""
    with tempfile.TemporaryDirectory() as folder:
        model, rows, found = (Path(folder, name) for name in ("model.json", "rows.csv", "found.json"))
        model.write_text(model_json(graph))
        rng = random.Random(1)
        rows.write_text(",".join(str(rng.randint(-99, 99)) for _ in graph.features) + "\n")
        command = [sys.executable, "-m", "xpgcheck", "explain", model, "--row", "1", "--instances", rows]
        walls = []
        for _ in range(repetitions):
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            walls.append(1e3 * (time.perf_counter() - started))
        subprocess.run([*command, "--json", found], check=True, stdout=subprocess.DEVNULL)
        explanations: Any = json.loads(found.read_text())
    return statistics.median(walls), sum(len(explanations[kind]["members"]) for kind in ("axps", "cxps"))


def random_tree(leaves: int, depth: int = DEPTH, seed: int = 0, width: int = FEATURES) -> DecisionGraph:
    """Return a random consistent tree of *leaves* leaves and at most *depth* levels over *width* features, two classes."""
    rng = random.Random(seed)
    domain = Float32()
    features = [Feature(f"f{i}", domain) for i in range(width)]
    nodes: dict[NodeId, Node] = {}
    open_leaves: list[tuple[int, int, dict[int, tuple[int, int]]]] = [(0, 0, {})]
    made, closed = 1, 0
    while open_leaves and len(open_leaves) + closed < leaves:
        position = rng.randrange(len(open_leaves))
        node, level, bounds = open_leaves[position]
        open_leaves[position] = open_leaves[-1]
        open_leaves.pop()
        feature = rng.randrange(width)
        low, high = bounds.get(feature, (-100_000, 100_000))
        if level >= depth or high - low < 2:
            nodes[node] = Terminal(rng.randrange(2))
            closed += 1
            continue
        cut = rng.randint(low + 1, high - 1)
        threshold = Fraction(cut, 100)
        left = interval_set(domain.all_values().grid, [Interval(None, True, threshold, False)])
        right: IntervalSet = domain.all_values().difference(left)
        nodes[node] = NonTerminal(feature, ((made, left), (made + 1, right)))
        open_leaves.append((made, level + 1, {**bounds, feature: (low, cut)}))
        open_leaves.append((made + 1, level + 1, {**bounds, feature: (cut, high)}))
        made += 2
    nodes.update({node: Terminal(rng.randrange(2)) for node, _, _ in open_leaves})
    return decision_graph(f"tree of {leaves} leaves", features, ["no", "yes"], nodes, 0)


def ladder(rungs: int, features: int = FEATURES) -> bytes:
    """Return the JSON of an OBDD of about 2 · *rungs* nodes over *features* Boolean features, equally wide at each level."""
    names = [f"x{i}" for i in range(features)]
    width = 2 * rungs // features
    nodes: list[dict[str, Any]] = [{"id": "even", "class": "even"}, {"id": "odd", "class": "odd"}]
    sizes = [min(2**i, width) for i in range(features)]
    for i, size in enumerate(sizes):
        for position in range(size):
            if i == features - 1:
                ends = ["even", "odd"] if position % 2 else ["odd", "even"]
            else:
                ends = [f"{i + 1}.{(2 * position + k) % sizes[i + 1]}" for k in (0, 1)]
            edges = [{"to": end, "in": [value]} for value, end in enumerate(ends)]
            nodes.append({"id": f"{i}.{position}", "feature": names[i], "edges": edges})
    domains = [{"name": name, "domain": {"type": "boolean"}} for name in names]
    head = {"format": "decision-graph", "version": 1, "name": "ladder", "root": "0.0"}
    return json.dumps({**head, "features": domains, "classes": ["even", "odd"], "nodes": nodes}).encode()
