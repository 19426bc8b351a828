"""The benchmark of certificates runs at a tiny size and checks its own answers; nothing here is timed."""

import sys
from pathlib import Path

import pytest

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import certificates


def test_the_sides_have_the_same_explanations(monkeypatch):
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    report = certificates.run(models=["omdd", "mux6"], instances=3, repetitions=1)
    assert [row[0] for row in report.rows] == ["omdd", "mux6", "median"]
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert report.notes == ["the OBDD is left out: XPGCHECK_DATA names no folder with it"]


def test_a_solver_that_does_not_agree_is_found_out(monkeypatch):
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    monkeypatch.setattr(certificates, "enumerate_xps", lambda *_: [certificates.XP(certificates.Kind.AXP, frozenset())])
    with pytest.raises(AssertionError, match="different explanations"):
        certificates.run(models=["omdd"], instances=1, repetitions=1)
