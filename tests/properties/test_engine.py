"""Running properties: what is counted, what is shrunk, and what is said of a subject that is not steady."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from xpgcheck.properties.catalogue import able, all_properties, chosen
from xpgcheck.properties.ours import FastExplainer, Project
from xpgcheck.properties.running import engine
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.subjects import abilities


class WholePath(FastExplainer):
    """Says that all features are an AXp."""

    name = "all"

    def axp(self, graph: Any, instance: Any) -> Any:
        return frozenset(range(len(instance)))


class Moody(FastExplainer):
    """Wrong at times, and never twice in a row."""

    name = "moody"

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def axp(self, graph: Any, instance: Any) -> Any:
        self.asked += 1
        return frozenset(range(len(instance))) if self.asked % 7 == 0 else super().axp(graph, instance)


class HangsOnSharing(FastExplainer):
    name = "hangs on sharing"

    def axp(self, graph: Any, instance: Any) -> Any:
        while not graph.is_tree():
            time.sleep(0.01)
        return super().axp(graph, instance)


def properties_of(subject: Any, *names: str) -> Any:
    return able(chosen(names), abilities(subject))


def test_every_case_is_counted_for_every_property() -> None:
    subject = Project()
    properties = able(chosen((), smt=False), abilities(subject))
    result = explore(properties, subject, examples=40, seed=1, size=12)
    assert result.cases == 40
    for tally in result.tallies.values():
        assert tally.held + tally.silent == 40
        assert not tally.failed
        assert not tally.open


def test_a_failure_is_shrunk_counted_once_and_the_others_go_on() -> None:
    subject = WholePath()
    result = explore(properties_of(subject, "minimality", "sigma"), subject, examples=60, seed=1, size=12)
    (finding,) = result.findings
    assert finding.property_name == "an_axp_is_minimal"
    assert (finding.nodes, finding.features) <= (1, 2)
    assert finding.case.dice == 0
    assert result.tallies["an_axp_is_minimal"].failed == 1
    assert result.tallies["sigma_is_monotone"].held >= 59
    assert result.exit_status() == 1


def test_a_subject_that_is_not_steady_is_said_to_be_so() -> None:
    subject = Moody()
    result = explore(properties_of(subject, "an_axp_is_minimal"), subject, examples=60, seed=1, size=12)
    (finding,) = result.findings
    assert finding.verdict == "not deterministic"
    assert "does not fail again on the same case" in finding.evidence


def test_shrinking_what_hangs_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SHRINK_SECONDS", 0.5)
    monkeypatch.setattr(engine, "SMALL", (100, 100))
    subject = HangsOnSharing()
    result = explore(properties_of(subject, "an_axp_suffices"), subject, examples=60, seed=1, size=12, seconds=0.1)
    (finding,) = result.findings
    assert finding.verdict == "timeout"
    assert not finding.case.graph.is_tree()


def test_without_shrinking_the_first_failure_is_kept_as_it_came() -> None:
    subject = WholePath()
    (property_,) = properties_of(subject, "an_axp_is_minimal")
    kept = explore([property_], subject, examples=60, seed=1, size=12, shrink=False, first_only=True).findings[0]
    shrunk = explore([property_], subject, examples=60, seed=1, size=12, first_only=True).findings[0]
    assert kept.example == shrunk.example
    assert kept.case.graph.node_count >= shrunk.case.graph.node_count


PROGRAM = """
import json, sys
{imports}
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.ours import FastExplainer
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.subjects import abilities
subject = FastExplainer()
properties = able(chosen(["sigma_is_monotone"]), abilities(subject))
result = explore(properties, subject, examples=40, seed=4, size=12, labelled=True)
wrong = load_subject("seeded:one-zero-edge-followed")
failing = able(chosen(["a_refined_literal_changes_no_xp"]), abilities(wrong))
[finding] = explore(failing, wrong, examples=20, seed=0, size=12, first_only=True).findings
print(json.dumps([result.labels, finding.evidence], sort_keys=True))
"""


def test_a_seed_means_the_same_cases_in_every_process(tmp_path: Path) -> None:
    """And the same evidence: whatever modules are loaded (their constants do not matter) and however strings are hashed."""
    (tmp_path / "constants_of_mine.py").write_text("ALL = [" + ", ".join(str(n) for n in range(2, 90)) + "]\n")
    printed = []
    for hash_seed, imports in (("0", ""), ("1", "import constants_of_mine, pytest, rich, click")):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(imports=imports)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(json.loads(done.stdout))
    assert printed[0] == printed[1]
    labels, evidence = printed[0]
    assert sum(labels.values()) > 40
    assert "{}: listed 0 times here, 1 time there" in evidence


def test_every_group_has_properties_and_every_property_a_docstring_of_its_own() -> None:
    statements = [p.statement for p in all_properties()]
    assert len(set(statements)) == len(statements)
    assert len(statements) >= 50


def test_a_counterexample_with_many_features_is_not_small() -> None:
    """Few non-terminals do not make up for many features: each has a limit of its own."""
    sizes = [(3, 3), (1, 4), (4, 1)]
    assert [size for size in sizes if engine.is_small(SimpleNamespace(size=size))] == [(3, 3)]  # type: ignore[arg-type]
