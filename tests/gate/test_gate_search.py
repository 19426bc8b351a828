"""Generated cases: what is wrong is found, shrunk and counted, and what is right is not called wrong."""

from __future__ import annotations

import functools

import gate_subjects
import pytest

from xpgcheck.errors import NothingCheckedError
from xpgcheck.gate import run as run_module
from xpgcheck.gate import search as search_module
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, opener
from xpgcheck.gate.run import gate
from xpgcheck.gate.search import search
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.catalogue import chosen
from xpgcheck.properties.ours import FastExplainer, PaperExplainer
from xpgcheck.properties.running import engine as engine_module
from xpgcheck.properties.seeded import seeded_bug, seeded_bugs
from xpgcheck.properties.subjects import abilities
from xpgcheck.readers.json_model import parse_json
from xpgcheck.subjects.limits import Limits

PROPERTIES = tuple(p.name for p in chosen((), smt=False))


def tried(subject, examples=200, size=12, notion=Notion.FEATURES, kinds=()):
    return search(subject, sorted(abilities(subject)), notion, Cases(examples, 1, size, kinds), 10.0)


@functools.cache
def tried_once(name):
    """Return the report on a seeded bug, whose counterexamples are shrunk: that takes longest."""
    return tried(seeded_bug(name).make())


@pytest.mark.parametrize("make", [FastExplainer, PaperExplainer])
def test_a_right_explainer_is_called_right(make):
    report = tried(make(), 100)
    assert report.outcome() is Outcome.HOLDS
    assert not report.findings
    assert report.cases["generated"] == 100
    # Every ability was judged, and constant classifiers were among the cases.
    assert {about for about, _ in report.counts} >= {"predict", "axp", "cxp", "enumerate", "member", "axp_inside"}
    assert report.counts["cxp", "complete"] > 0


@pytest.mark.parametrize("name", ["labels-swapped", "thresholds-as-floats"])
def test_a_wrong_explainer_is_found_out_by_a_small_case(name):
    report = tried_once(name)
    assert report.outcome() is Outcome.VIOLATED
    for finding in report.findings:
        assert finding.size[:2] <= (3, 3)
        assert finding.size[1] <= 3
        assert finding.times == report.counts[finding.about, finding.verdict]
        assert finding.judged[0].verdict.value == finding.verdict


def test_each_signature_that_was_counted_has_one_finding():
    # The bug shows in many cases: how many have a missing value differs between versions of Hypothesis.
    report = tried_once("labels-swapped")
    wrong = {row for row in report.counts if Verdict(row[1]).outcome is Outcome.VIOLATED}
    assert len(wrong) > 1
    assert {(finding.about, finding.verdict) for finding in report.findings} == wrong


def test_a_crash_on_one_kind_of_case_loses_no_other():
    report = tried(gate_subjects.CrashesOnConstants())
    assert report.counts["axp", "crash"] > 0
    assert report.counts["axp", "AXp"] > 5 * report.counts["axp", "crash"]
    [finding] = [f for f in report.findings if f.about == "axp"]
    assert finding.size[0] <= 1
    assert len({finding.case.graph.class_of[node] for node in range(finding.size[2])} - {-1}) == 1


def test_what_wavers_is_called_not_deterministic_or_wrong():
    report = tried(gate_subjects.Wavers(), examples=60)
    assert report.outcome() is Outcome.VIOLATED
    assert any("not deterministic" in finding.text for finding in report.findings)


def test_what_is_declined_is_counted_and_no_verdict():
    report = tried(gate_subjects.DeclinesSharing())
    assert report.unsupported["axp"] > 0
    assert report.counts["axp", "AXp"] > 0
    assert report.outcome() is Outcome.HOLDS


def test_a_subject_that_declines_everything_does_not_hold():
    report = gate(GatePlan(InProcess(gate_subjects.Declines()), Cases(5, 0, 12)))
    assert report.outcome() is Outcome.INCONCLUSIVE
    assert report.exit_status() == 3
    assert report.unsupported == {"axp": 5}


def test_a_subject_that_is_asked_nothing_is_wrong_input():
    with pytest.raises(NothingCheckedError, match="was asked nothing"):
        gate(GatePlan(InProcess(gate_subjects.Declines()), Cases(0, 0, 12)))


def test_claims_over_conditions_are_judged_by_their_own_definition():
    report = tried(gate_subjects.OverConditions(), 150, notion=Notion.CONDITIONS, kinds=("tree",))
    assert report.outcome() is Outcome.HOLDS
    assert report.counts["axp", "AXp"] > 25
    assert report.counts["enumerate", "complete"] > 25
    assert report.unsupported["axp"] > 0, "graphs whose tests are not two-way have no conditions"
    assert not {row[1] for row in report.projected} - {"AXp", "CXp", "redundant"}


def test_over_features_right_claims_over_conditions_may_be_redundant_which_is_no_violation():
    # x <= 5 and not x <= 3 suffice, and so do x <= 5 and y: over features, x alone does.
    text = """{"format": "decision-graph", "version": 1, "name": "projected",
      "features": [{"name": "x", "domain": {"type": "integer"}}, {"name": "y", "domain": {"type": "boolean"}}],
      "classes": ["no", "yes"], "root": 1, "nodes": [
      {"id": 1, "feature": "x", "edges": [{"to": 2, "in": ["(-inf, 5]"]}, {"to": 5, "in": ["(5, inf)"]}]},
      {"id": 2, "feature": "x", "edges": [{"to": 3, "in": ["(-inf, 3]"]}, {"to": 4, "in": ["(3, inf)"]}]},
      {"id": 3, "feature": "y", "edges": [{"to": 6, "in": [1]}, {"to": 7, "in": [0]}]},
      {"id": 4, "class": "yes"}, {"id": 5, "class": "no"}, {"id": 6, "class": "yes"}, {"id": 7, "class": "no"}]}"""
    job = Job(parse_json(text.encode()), ((4, True),), "by hand")
    report = gate(GatePlan(InProcess(gate_subjects.OverConditions()), Cases(0, 0, 12), (job,)))
    assert report.outcome() is Outcome.HOLDS
    assert report.counts["enumerate", "AXp"] == 2
    assert report.projected["enumerate", "AXp"] == 1
    assert report.projected["enumerate", "redundant"] == 2  # an AXp and a CXp


def test_the_theory_makes_the_same_claim_redundant():
    # It is known that x <= 5 where it is known that x <= 3.
    text = """{"format": "decision-graph", "version": 1, "name": "linked",
      "features": [{"name": "x", "domain": {"type": "integer"}}], "classes": ["no", "yes"], "root": 1, "nodes": [
      {"id": 1, "feature": "x", "edges": [{"to": 2, "in": ["(-inf, 5]"]}, {"to": 4, "in": ["(5, inf)"]}]},
      {"id": 2, "feature": "x", "edges": [{"to": 3, "in": ["(-inf, 3]"]}, {"to": 4, "in": ["(3, inf)"]}]},
      {"id": 3, "class": "yes"}, {"id": 4, "class": "no"}]}"""
    job = Job(parse_json(text.encode()), ((2,),), "by hand")
    independent = gate(GatePlan(InProcess(gate_subjects.OverConditions()), Cases(0, 0, 12), (job,)))
    assert independent.outcome() is Outcome.HOLDS
    linked = gate(GatePlan(InProcess(gate_subjects.AsIfWithTheory()), Cases(0, 0, 12), (job,)))
    assert linked.counts["axp", "redundant"] == 1
    [finding] = [f for f in linked.findings if f.about == "axp"]
    assert finding.judged[0].evidence.needless == {0}
    assert finding.judged[0].evidence.correct.members == {1}


@pytest.mark.slow
def test_the_same_is_found_however_many_processes_there_are(monkeypatch):
    monkeypatch.setattr(run_module, "UNIT", 20)
    plan = GatePlan(opener("seeded:one-zero-edge-followed", None, Limits()), Cases(40, 3, 12), seconds=30)
    first, again = gate(plan), gate(plan, jobs=2)
    assert first.counts == again.counts
    assert first.findings == again.findings


def test_properties_find_what_no_claim_shows(monkeypatch):
    # It is asked for sigma alone, of which nothing is claimed.  How small the case becomes is asked elsewhere.
    monkeypatch.setattr(engine_module, "SHRINK_SECONDS", 0.0)
    monkeypatch.setattr(engine_module, "SMALLER_EXAMPLES", 1)
    bug = seeded_bug("sigma-negated")
    subject = bug.make()
    report = gate(GatePlan(InProcess(subject), Cases(50, 0, 12), properties=PROPERTIES))
    assert any(finding.is_property for finding in report.findings)


def test_properties_are_not_tried_of_what_claims_found_wrong():
    report = gate(GatePlan(InProcess(seeded_bug("labels-swapped").make()), Cases(60, 0, 12), properties=PROPERTIES))
    wrong = {finding.about for finding in report.findings if not finding.is_property}
    assert "axp" in wrong
    assert "an_axp_suffices" not in report.properties


@pytest.mark.slow
@pytest.mark.parametrize("name", [bug.name for bug in seeded_bugs() if bug.kind == "explainer"][::25])
def test_a_seeded_explainer_is_found_out_by_the_gate_over_the_line_protocol(name, monkeypatch):
    # Some of them; `xpgcheck properties selftest --protocol` tries all.
    for module in (search_module, engine_module):
        monkeypatch.setattr(module, "SHRINK_SECONDS", 0.0)
        monkeypatch.setattr(module, "SMALLER_EXAMPLES", 1)
    limits = Limits(seconds=seeded_bug(name).seconds)
    plan = GatePlan(opener(f"seeded:{name}", None, limits), Cases(250, 0, 12), properties=PROPERTIES, seconds=30)
    report = gate(plan)
    assert report.outcome() is Outcome.VIOLATED
    assert report.findings
