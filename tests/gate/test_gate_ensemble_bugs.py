"""Wrong explainers of ensembles are caught by the gate, and right ones of other shapes are not accused."""

from __future__ import annotations

from typing import Any

import ensemble_subjects
import pytest

from xpgcheck.gate.ensemble_explainer_bugs import wrong_claims
from xpgcheck.gate.plan import Cases
from xpgcheck.gate.search import search
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.ours_ensembles import OurEnsembles
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.seeded import SeededBug, ensemble_explainer_bugs
from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook
from xpgcheck.properties.selftest import SelftestSettings, ground_of
from xpgcheck.properties.subjects import ENSEMBLE_KINDS, abilities

SETTINGS = SelftestSettings(examples=960, shrunk=0)

BUGS = ensemble_explainer_bugs()


def test_there_are_some_of_each_kind() -> None:
    assert len(BUGS) > 30
    assert len({bug.name for bug in BUGS}) == len(BUGS)
    assert isinstance(load_subject(f"seeded:{BUGS[0].name}"), EnsembleTextbook)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_wrong_explainer_is_caught(bug: SeededBug) -> None:
    found = ground_of(bug).first(bug, 0, SETTINGS)
    assert found is not None, bug.wrong
    assert found.verdict != "inconclusive"


@pytest.mark.parametrize("name", ["ensemble-first-tree-alone", "ensemble-stops-early"])
def test_counterexamples_are_small(name: str) -> None:
    (bug,) = [bug for bug in BUGS if bug.name == name]
    found = ground_of(bug).first(bug, 0, SelftestSettings(examples=60, shrunk=1))
    assert found is not None
    assert found.size[:2] <= (3, 3)


def test_several_abilities_are_wrong_of_one_bug() -> None:
    (bug,) = [bug for bug in BUGS if bug.name == "ensemble-last-tree-forgotten"]
    assert {finding.about for finding in wrong_claims(bug, 60, 0, SETTINGS)} >= {"predict", "axp", "cxp"}


@pytest.mark.parametrize(
    "subject",
    [
        ensemble_subjects.LastFirst(),
        ensemble_subjects.ByDuality(),
        ensemble_subjects.VotesAlone(),
        EnsembleTextbook(),
        OurEnsembles(),
    ],
    ids=lambda subject: subject.name,
)
def test_a_right_one_is_not_accused(subject: Any) -> None:
    report = search(subject, sorted(abilities(subject)), Notion.FEATURES, Cases(80, 3, 12, models=ENSEMBLE_KINDS), 60.0)
    assert report.number(Outcome.VIOLATED) == 0
    assert report.number(Outcome.INCONCLUSIVE) == 0
    assert report.claims > 300
