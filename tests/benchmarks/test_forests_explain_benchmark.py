"""One AXp and one CXp of ensembles are measured; PyXAI next to them where it is installed."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from small_forests import document, stump

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import boosted_tables as boosted
from benchmarks import forests_explain
from benchmarks.measure import SkippedError


def test_votes_and_sums_are_measured(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    forests, tables = tmp_path / "forests", tmp_path / "pmlb"
    forests.mkdir()
    tables.mkdir()
    (forests / "small.50.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    (forests / "small.50.axp.jsonl").write_text(
        json.dumps({"instance": ["1", "1", "0"], "class": 1, "axp": [0]}) + "\n"
    )
    dice = random.Random(0)
    rows = [[dice.random() for _ in range(4)] for _ in range(60)]
    lines = [",".join(map(str, [*row, int(row[0] > row[1])])) for row in rows]
    for name in ("small", "spambase"):
        (tables / f"{name}.csv").write_text("a,b,c,d,target\n" + "\n".join(lines) + "\n")
    report = forests_explain.run(str(tmp_path), ["small"], [("small", 3, 2)], [2], [], rows=2)
    assert [row[:5] for row in report.rows[:3]] == [
        ("small, votes", 3, 3, 2, 0),
        ("small, depth 2", 3, 4, 2, 0),
        ("spambase, depth 3", 2, 4, 2, 0),
    ]
    assert len(report.targets) == 3


def test_it_is_skipped_without_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    with pytest.raises(SkippedError, match="XPGCHECK_DATA"):
        forests_explain.run()


def test_the_boosted_ensemble_is_what_predict_says() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    dice = random.Random(1)
    rows = [[dice.random() for _ in range(4)] for _ in range(200)]
    for classes in (2, 3):
        labels = [str(int(classes * row[0] * row[1] ** 0.5)) for row in rows]
        model = ensemble.GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=0).fit(rows, labels)
        built = boosted.as_ensemble(model, list("abcd"))
        assert [built.classes[built.kappa(boosted.point_of(row))] for row in rows] == list(model.predict(rows))
