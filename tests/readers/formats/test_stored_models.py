"""Models that other libraries wrote, against what those libraries said: read here without them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stored_rows import COUNT, rows

from xpgcheck import read_model
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import read_value

HERE = Path(__file__).parent / "stored"
EXPECTED: dict[str, Any] = json.loads((HERE / "expected.json").read_text())
NEEDED = {".skops": "numpy", ".onnx": "onnx"}


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.iterdir() if path.name != "expected.json"))
def test_the_class_of_every_stored_point(file: str) -> None:
    expected = EXPECTED[Path(file).stem]
    needed = NEEDED.get(Path(file).suffix)
    if needed:
        pytest.importorskip(needed, reason=f"the environment has no {needed}")
    graph = read_model(HERE / file)
    assert isinstance(graph, DecisionGraph)
    assert graph.node_count > 7
    values = [[float.fromhex(text) for text in column] for column in expected["values"]]
    classes = expected["classes"]
    assert len(classes) == COUNT
    assert len(set(classes)) == len(graph.classes)
    for row, label in zip(rows(values, COUNT), classes, strict=True):
        point = tuple(read_value(f.domain, number) for f, number in zip(graph.features, row, strict=True))
        assert graph.classes[graph.kappa(point)] == label, (file, row)


def test_every_stored_model_has_its_expected_classes() -> None:
    assert {path.stem for path in HERE.iterdir()} - {"expected"} == set(EXPECTED)
    assert sum(path.stat().st_size for path in HERE.iterdir()) < 120_000
