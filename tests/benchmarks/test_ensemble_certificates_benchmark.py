"""The benchmark of ensembles' certificates, on one small forest; on two of the public corpus where its folder is given."""

import json
import os
import sys
from pathlib import Path

import pytest
from small_forests import document, stump

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import ensemble_certificates
from benchmarks.measure import SkippedError


def test_right_axps_of_a_log_are_certified_and_others_are_not(tmp_path, monkeypatch):
    folder = tmp_path / "forests"
    folder.mkdir()
    (folder / "small.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    lines = [{"instance": ["1", "1", "1"], "class": 1, "axp": members} for members in ([0, 1], [0, 1], [1], [0, 1, 2])]
    (folder / "small.axp.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr(ensemble_certificates, "PUBLISHED", {"small": ((1, 1, 1), (0, 0, 0))})
    report = ensemble_certificates.run(own=2, data=str(tmp_path), boosted_forests=())
    ((name, published, certified, own, members, boxes, *_),) = report.rows
    assert (name, published, certified, own, members, boxes) == ("small", 1, 1, 1, 2, 1)
    assert all(target.met for target in report.targets)
    with pytest.raises(SkippedError, match="XPGCHECK_DATA"):
        ensemble_certificates.run(data=str(tmp_path / "nowhere"))


def test_two_forests_of_the_corpus_are_certified():
    folder = os.environ.get("XPGCHECK_DATA")
    if not folder or not Path(folder, "forests").is_dir():
        pytest.skip("XPGCHECK_DATA does not name the folder of research data")
    report = ensemble_certificates.run(("29_Pima.3", "xd6.4"), own=2, boosted_forests=(("wine", 6, 2),))
    assert all(target.met for target in report.targets), report.rows
