"""Claims of sets of values on file: sets that end inside a place of the model, and points that rounding decides."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from xpgcheck import check_certificate
from xpgcheck.cli.main import main

GRAPH = {
    "format": "decision-graph",
    "version": 1,
    "name": "mid",
    "features": [{"name": "x", "domain": {"type": "real"}}],
    "classes": ["no", "yes"],
    "root": 0,
    "nodes": [
        {"id": 0, "feature": "x", "edges": [{"to": 1, "in": ["(-inf, 5]"]}, {"to": 2, "in": ["(5, inf)"]}]},
        {"id": 1, "class": "no"},
        {"id": 2, "class": "yes"},
    ],
}


def tree(name: str, low: Any) -> dict[str, Any]:
    edges = [{"to": 1, "in": [False]}, {"to": 2, "in": [True]}]
    nodes = [{"id": 0, "feature": name, "edges": edges}, {"id": 1, "class": "l"}, {"id": 2, "class": "h"}]
    return {"name": name, "root": 0, "answers": {"l": [low], "h": [1]}, "nodes": nodes}


SUM = {
    "format": "ensemble",
    "version": 1,
    "name": "near",
    "features": [{"name": name, "domain": {"type": "boolean"}} for name in "ab"],
    "classes": ["no", "yes"],
    "rule": {"type": "sum", "base": [0], "threshold": {"at": "3/10", "inclusive": False}, "arithmetic": "binary64"},
    "trees": [tree("a", "0.1"), tree("b", "0.2")],
}


def verified(folder: Path, model: Any, claims: list[Any], *options: str) -> list[dict[str, Any]]:
    """Return the verdicts on *claims* about *model*."""
    (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
    (folder / "claims.jsonl").write_text("".join(json.dumps(claim) + "\n" for claim in claims), encoding="utf-8")
    words = ["verify", str(folder / "claims.jsonl"), "--model", str(folder / "model.json"), *options]
    main([*words, "--output", str(folder / "verdicts.jsonl"), "-q"])
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("kind", "values", "verdict"),
    [
        ("inflated AXp", ["[0, 11/2)"], "insufficient"),
        ("inflated CXp", ["(5, 9)"], "not maximal"),
        ("inflated CXp", ["(5, 6)", "(6, inf)"], "not maximal"),
        ("inflated change", ["[4, 7]"], "ineffective"),
        ("inflated change", ["(5, 6)"], "not maximal"),
    ],
)
def test_a_set_that_ends_inside_a_place_has_a_certificate(
    kind: str, values: list[str], verdict: str, tmp_path: Path
) -> None:
    """The point that shows it has to be taken from the set, or from what the set lacks, and not just from the place."""
    claim = {"instance": [0], "claim": kind, "values": {"x": values}}
    (found,) = verified(tmp_path, GRAPH, [claim], "--certificates", str(tmp_path / "out"))
    assert found["verdict"] == verdict
    file = tmp_path / "out" / "mid-values.certificate.jsonl"
    done = subprocess.run([sys.executable, "-I", check_certificate.__file__, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert f"{verdict} {kind} 1" in done.stdout


def test_a_change_is_open_where_rounding_decides(tmp_path: Path) -> None:
    """0.1 + 0.2 is over 3/10 in the machine alone, so that nobody can say whether the class changes."""
    claims = [
        {"instance": [True, True], "claim": "inflated change", "values": {"a": [False], "b": [False]}},
        {"instance": [False, False], "claim": "inflated change", "values": {"a": [True]}},
        {"instance": [True, True], "claim": "CXp", "features": ["a", "b"]},
        {"instance": [True, True], "claim": "inflated CXp", "values": {"a": [False], "b": [False]}},
    ]
    found = verified(tmp_path, SUM, claims)
    assert [verdict["verdict"] for verdict in found] == ["inconclusive"] * 4
    assert {verdict["evidence"]["reason"] for verdict in found} == {"within rounding"}
