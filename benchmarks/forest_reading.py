"""Reading a forest of 500 trees and 10⁵ nodes: fitted, as a skops file, as an ONNX file, and in our own JSON."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.readers.json_ensemble import parse_ensemble
from xpgcheck.readers.onnx_tree import parse_onnx
from xpgcheck.readers.sklearn_tree import from_sklearn
from xpgcheck.readers.skops_tree import parse_skops
from xpgcheck.writers.json_model import classifier_json

METHOD = """\
A random forest of scikit-learn (two classes, 20 features, 3,000 rows, trees grown best first), CPU time, median of \
three; the collector of cycles runs as it does in a program. Needs scikit-learn, skops and skl2onnx."""

COLUMNS = ("source", "trees", "nodes", "MB", "read s")

FEATURES = 20


def run(trees: int = 500, leaves: int = 101, rows: int = 3_000, repeats: int = 3) -> Report:
    """Read a forest of *trees* trees of at most *leaves* leaves, fitted to *rows* rows, from everything that holds it."""
    report = Report("forest_reading", METHOD, COLUMNS)
    lacking = [name for name in ("sklearn", "skops", "skl2onnx") if importlib.util.find_spec(name) is None]
    if lacking:
        raise SkippedError(f"not installed: {', '.join(lacking)}")
    forest, table = _fitted(trees, leaves, rows)
    model = from_sklearn(forest)
    single = importlib.import_module("skl2onnx").to_onnx(forest, table[:1], options={"zipmap": False}, target_opset=17)
    files: dict[str, tuple[Callable[[Any], object], bytes]] = {
        "skops": (lambda data: parse_skops(data, "forest"), importlib.import_module("skops.io").dumps(forest)),
        "ONNX": (lambda data: parse_onnx(data, "forest"), single.SerializeToString()),
        "ensemble JSON": (parse_ensemble, classifier_json(model).encode()),
    }
    report.rows.append(("fitted object", trees, model.node_count, None, _median(from_sklearn, forest, repeats)))
    for name, (read, data) in files.items():
        seconds = _median(read, data, repeats)
        report.rows.append((name, trees, model.node_count, len(data) / 1e6, seconds))
    slowest = max(float(str(row[-1])) for row in report.rows)
    report.targets.append(Target("slowest reading, s", slowest, "<", 2.0))
    return report


def _fitted(trees: int, leaves: int, rows: int) -> tuple[Any, Any]:
    ensembles, datasets = (importlib.import_module(f"sklearn.{name}") for name in ("ensemble", "datasets"))
    table, labels = datasets.make_classification(rows, FEATURES, n_informative=FEATURES // 2, random_state=0)
    table = table.astype("float32")
    return ensembles.RandomForestClassifier(trees, max_leaf_nodes=leaves, random_state=0).fit(table, labels), table


def _median(read: Callable[[Any], object], source: object, repeats: int) -> float:
    found = []
    for _ in range(repeats):
        gc.collect()
        started = time.process_time()
        read(source)
        found.append(time.process_time() - started)
    return statistics.median(found)
