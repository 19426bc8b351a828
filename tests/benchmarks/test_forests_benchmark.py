"""The public corpus of forests: the published verdict counts, each "no" by two routes; where its folder is given."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from small_forests import document, stump

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import forest_growth, forest_reading, forests
from benchmarks.measure import SkippedError
from xpgcheck.paper.ensembles.published import PublishedVerdicts


@pytest.fixture
def data() -> Path:
    folder = os.environ.get("XPGCHECK_DATA")
    if not folder or not Path(folder, "forests").is_dir():
        pytest.skip("XPGCHECK_DATA does not name the folder of research data")
    return Path(folder)


def test_it_counts_lines_that_differ_and_bad_witnesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "forests"
    folder.mkdir()
    (folder / "small.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    ones = ["1", "1", "1"]
    axps: list[dict[str, Any]] = [{"instance": ones, "class": 1, "axp": members} for members in ([0, 1], [0, 1], [1])]
    cxps = [{"instance": ones, "class": 1, "cxp": [0, 1], "witness": witness} for witness in (ones, ["0", "0", "1"])]
    for kind, lines in (("axp", axps), ("cxp", cxps)):
        (folder / f"small.{kind}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr(forests, "PUBLISHED", {"small": PublishedVerdicts((1, 0, 1), (2, 0, 0), 0)})
    report = forests.run(("small",), str(tmp_path))
    assert [row[:7] for row in report.rows] == [
        ("small.axp", 2, 1, 0, 1, 0, 0),
        ("small.cxp", 2, 2, 0, 0, 0, 1),
        ("all", 4, 3, 0, 1, 0, 1),
    ]
    assert all(target.met for target in report.targets[:2])
    with pytest.raises(SkippedError, match="XPGCHECK_DATA"):
        forests.run(("small",), str(tmp_path / "nowhere"))


def test_two_forests_of_the_corpus_have_the_published_counts(data: Path) -> None:
    report = forests.run(("29_Pima.3", "xd6.4"), str(data))
    assert report.targets[0].met, report.rows


@pytest.mark.slow
def test_the_whole_corpus_has_the_published_counts(data: Path) -> None:
    report = forests.run(data=str(data))
    assert report.targets[0].measured == 24, report.rows
    assert report.rows[-1][5] == 0, "nothing stays open"


def test_growth_is_measured_on_random_forests() -> None:
    report = forest_growth.run(((3, 2), (4, 3)), instances=2)
    assert [row[:2] for row in report.rows] == [(3, 2), (4, 3)]
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert all(row[-1] == 0 for row in report.rows)


def test_reading_is_measured_of_every_source() -> None:
    for package in ("sklearn", "skops", "skl2onnx"):
        pytest.importorskip(package, reason=f"the environment has no {package}")
    report = forest_reading.run(trees=5, leaves=6, rows=100, repeats=1)
    assert [row[0] for row in report.rows] == ["fitted object", "skops", "ONNX", "ensemble JSON"]
    assert all(len(row) == len(report.columns) and row[1] == 5 for row in report.rows)
