"""Units of each kind, carried out for real: the same wherever they run, wrong subjects found, sizes and times counted."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psutil
import pytest
from campaign_units import gone, kept

from xpgcheck.campaign import checking, gating
from xpgcheck.campaign.asked import CampaignRequest, planned
from xpgcheck.campaign.calls import as_bytes
from xpgcheck.campaign.driver import run, verdict
from xpgcheck.campaign.execution import execute
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.local import LocalScheduler
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.trying import carried_out
from xpgcheck.campaign.units import UnitResult, bucket_seconds, note_seconds
from xpgcheck.claims.documents import parse_judged_case
from xpgcheck.embedded import load
from xpgcheck.properties.corpus import parse_case
from xpgcheck.properties.running import engine
from xpgcheck.properties.running.units import RunPlan
from xpgcheck.properties.running.units import run as run_properties
from xpgcheck.properties.strategies.labels import _bucket
from xpgcheck.runs.host import Host
from xpgcheck.runs.replies import Done
from xpgcheck.writers.json_model import model_json
from xpgcheck.writers.xpg import write_xpg, xpg_of

NAMES = ("an_axp_suffices", "every_listed_cxp_can_change_the_class", "the_predicted_class_is_kappa")


def properties_plan(subject: str = "ours", examples: int = 60, unit: int = 20, **options: Any) -> Plan:
    plan = planned(CampaignRequest(examples, subject=subject, properties=NAMES, size=8))
    return Plan(plan.kind, {**plan.options, "unit": unit, **options})


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("monk1", "xd6"):
        (folder / f"{name}.json").write_text(model_json(load(name).graph))
    return folder


@pytest.fixture
def subjects() -> Iterator[None]:
    """End the subjects that this process keeps open."""
    yield
    opened = psutil.Process().children(recursive=True)
    gating.kept.cache_clear()
    for process in opened:
        process.kill()
    gone(opened)


def test_properties_hold_of_ours() -> None:
    plan = properties_plan()
    results = [execute(plan, unit) for unit in plan.units()]
    assert [(result.unit, result.cases) for result in results] == [(0, 20), (1, 20), (2, 20)]
    for result in results:
        assert set(result.counts) == set(NAMES)
        assert all(sum(row.values()) == 20 and row["failed"] == 0 for row in result.counts.values())
        assert not result.findings
        assert result.open == 0
        by_label = {label: sum(n for key, n in result.sizes.items() if key.startswith(label)) for label in LABELS}
        # A property that lists XPs may say nothing before it asks for them.
        assert by_label["non-terminals"] == by_label["features"] == 20
        assert 0 < by_label["AXps"] == by_label["CXps"] <= 20
        assert sum(result.query_seconds["predict"].values()) == 20
        assert 0 < sum(result.layers.values()) <= result.seconds


LABELS = ("non-terminals", "features", "AXps", "CXps")


def test_a_unit_is_the_same_again_and_in_another_process() -> None:
    plan = properties_plan("seeded:labels-swapped")
    unit = list(plan.units())[1]
    first, second = execute(plan, unit), execute(plan, unit)
    assert first.lasting() == second.lasting()
    assert first.findings == second.findings
    host = Host()
    try:
        reply = host.do(as_bytes(execute, plan, unit))
    finally:
        host.kill()
    assert isinstance(reply, Done)
    assert reply.result.lasting() == first.lasting()
    assert reply.result.findings == first.findings
    # And it is JSON.
    assert json.loads(json.dumps(asdict(first))) == asdict(first)


def test_units_are_those_of_run() -> None:
    """With one size of units, the same seed is the same cases, and so the same failures, in ``xpgcheck properties run``."""
    for subject in ("ours", "seeded:labels-swapped"):
        plan = properties_plan(subject, 40, unit=500, seed=5)
        (unit,) = plan.units()
        result = carried_out(plan, unit)
        found = run_properties(RunPlan(NAMES, subject, 40, 5, 8, labelled=True), 1)
        assert result.cases == found.cases
        sizes: Counter[str] = Counter()
        for label, number in result.sizes.items():
            kind, _, size = label.partition(": ")
            if kind == "non-terminals":
                sizes[f"{kind}: {_bucket(int(size), (0, 3, 6, 12, 40))}"] += number
        assert sizes == {label: n for label, n in found.labels.items() if label.startswith("non-terminals")}
        for name, tally in found.tallies.items():
            row = result.counts[name]
            assert (row["held"], row["failed"], row["silent"]) == (tally.held, tally.failed, tally.silent)
        assert [f["about"] for f in result.findings] == [f.property_name for f in found.findings]
        assert [f["example"] for f in result.findings] == [f.example for f in found.findings]


def test_what_shrinking_tries_is_not_counted() -> None:
    plan = properties_plan("seeded:labels-swapped", 20)
    result = execute(plan, next(plan.units()))
    assert result.findings
    assert sum(n for label, n in result.sizes.items() if label.startswith("features")) == result.cases
    for finding in result.findings:
        assert finding["outcome"] == "violated"
        kept_case = parse_case(json.dumps(finding["case"]).encode())
        assert kept_case.property == finding["about"]
        assert (finding["non_terminals"], finding["features"]) <= engine.SMALL


@pytest.mark.slow
def test_processes_and_kills_do_not_change_what_is_found(tmp_path: Path) -> None:
    plan = properties_plan("seeded:labels-swapped", 120)
    found = []
    for jobs, kills in ((1, 0), (2, 0), (2, 3)):
        path = tmp_path / f"{jobs}-{kills}.campaign.sqlite"
        with Journal.create(path, plan) as journal:

            def advance(_: int, left: list[int] = [kills]) -> None:  # noqa: B006
                if left[0]:
                    left[0] -= 1
                    for child in psutil.Process(os.getpid()).children()[:1]:
                        child.kill()

            run(plan, journal, LocalScheduler(jobs), workers=jobs, advance=advance)
            assert verdict(journal).status == 1
        found.append(kept(path))
    assert found[0] == found[1] == found[2]
    assert found[0]["causes"]


def gate_plan(models: Path | None = None, examples: int = 20, subject: str = "ours") -> Plan:
    asked = CampaignRequest(examples, gate=subject, models=models and str(models), properties=NAMES, size=8, sample=6)
    plan = planned(asked)
    return Plan(plan.kind, {**plan.options, "unit": 10, "stretch": 4})


@pytest.mark.usefixtures("subjects")
def test_a_gate_asks_at_models_and_at_generated_cases(models: Path) -> None:
    plan = gate_plan(models)
    results = [execute(plan, unit) for unit in plan.units()]
    assert len(results) == plan.count() == 6
    assert sum(result.cases for result in results) == plan.cases() == 32
    assert not any(result.findings or result.open for result in results)
    first, last = results[0], results[-1]
    assert first.counts["axp"] == {"AXp": 4}
    assert first.sizes["features: 6"] == 4
    assert sum(last.counts["an_axp_suffices"].values()) == 10
    assert sum(first.query_seconds["axp"].values()) == 4
    # One process, kept from unit to unit.
    assert len(psutil.Process().children()) == 1


def without_witnesses(value: Any) -> Any:
    """Return *value* without the points that show something."""
    if isinstance(value, list):
        return [without_witnesses(item) for item in value]
    if isinstance(value, dict):
        return {
            key: without_witnesses(item) for key, item in value.items() if not key.startswith(("witness", "needed"))
        }
    return value


@pytest.mark.usefixtures("subjects")
def test_a_gate_finds_what_is_wrong(models: Path) -> None:
    plan = gate_plan(models, subject="seeded:labels-swapped")
    units = list(plan.units())
    result = execute(plan, units[0])
    assert result.findings
    finding = result.findings[0]
    assert finding["outcome"] == "violated"
    assert finding["origin"].startswith("monk1, instance ")
    assert parse_judged_case(json.dumps(finding["case"]).encode()).claims
    again = execute(plan, units[0])
    assert again.lasting() == result.lasting()
    # Which point a solver finds as a witness is its own affair; everything else is the same.
    assert without_witnesses(again.findings) == without_witnesses(result.findings)
    generated = execute(plan, units[-1])
    assert generated.findings
    assert all(f["origin"].startswith("generated, seed 0, size 8") for f in generated.findings)
    assert all(f["example"] > 10 for f in generated.findings)


@pytest.mark.usefixtures("subjects")
def test_a_subject_that_declines_all_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "declining.py").write_text(
        "class Declining:\n    def axp(self, graph, instance):\n        raise NotImplementedError('not today')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plan = gate_plan(examples=10, subject="declining:Declining")
    result = execute(plan, next(plan.units()))
    assert result.counts["axp"]["unsupported"] > 0
    assert not result.findings


@pytest.mark.usefixtures("subjects")
@pytest.mark.parametrize("plan", [gate_plan, properties_plan])
def test_methods_that_are_passed_over_are_said(plan: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helping.py").write_text(
        "class Helping:\n"
        "    def axp(self, graph, instance):\n        return range(len(graph.features))\n"
        "    def dual(self, sets):\n        return sets\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    made = plan(examples=5, subject="helping:Helping")
    result = execute(made, next(made.units()))
    assert list(result.passed_over) == ["dual"]
    assert "dual" not in result.counts


def test_a_cross_check_of_models(models: Path) -> None:
    plan = planned(CampaignRequest(0, models=str(models), sample=6))
    results = [execute(plan, unit) for unit in plan.units()]
    assert sum(result.cases for result in results) == plan.cases() == 12
    assert not any(result.findings or result.open for result in results)
    assert all(row["holds"] > 0 for result in results for row in result.counts.values())
    assert sum(n for label, n in results[0].sizes.items() if label.startswith("AXps")) == 6
    assert sum(results[0].query_seconds["judge"].values()) == 6


def test_a_cross_check_finds_what_is_wrong(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from xpgcheck.gate.check.cross_check import cross_check
    from xpgcheck.xpg.choose import enumerate_xps

    def lossy(job: Any, instances: Any, settings: Any) -> Any:
        return cross_check(job, instances, settings, lambda xpg, limit: list(enumerate_xps(xpg, limit))[1:])

    monkeypatch.setattr(checking, "cross_check", lossy)
    plan = planned(CampaignRequest(0, models=str(models), sample=6))
    result = execute(plan, next(plan.units()))
    assert len(result.findings) == 6
    check = "the families are complete (hitting-set duality)"
    assert result.counts[check] == {"violated": 6, "holds": 0}
    finding = result.findings[0]
    assert (finding["about"], finding["outcome"]) == (check, "violated")
    assert parse_judged_case(json.dumps(finding["case"]).encode()).graph.features
    # What was enumerated up to a limit only is open.
    monkeypatch.undo()
    cut = Plan(plan.kind, {**plan.options, "limit": 1})
    result = execute(cut, next(cut.units()))
    assert result.open > 0
    assert "limit of XPs" in result.reasons[0]


def test_labelled_models_are_checked_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "graph.xpg"
    model = load("monk1")
    file.write_text(write_xpg(xpg_of(model.graph, model.instances[0])))
    plan = planned(CampaignRequest(0, models=str(file)))
    (unit,) = plan.units()
    result = execute(plan, unit)
    assert result.cases == 1
    assert not result.findings


def test_what_a_subject_prints_is_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talking.py").write_text(
        "class Talking:\n"
        "    def predict(self, graph, instance):\n"
        "        print('hello')\n"
        "        return graph.kappa(instance)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plan = properties_plan("talking:Talking", 20)
    assert execute(plan, next(plan.units())).counts["the_predicted_class_is_kappa"]["held"] == 20
    assert "hello" not in capsys.readouterr().out


def test_times_are_counted_by_powers_of_two() -> None:
    times: dict[str, dict[str, int]] = {}
    for seconds in (0.0, 1e-6, 3e-6, 1.0, 1.0):
        note_seconds(times, "axp", seconds)
    assert times == {"axp": {"0": 2, "1": 1, "19": 2}}
    assert bucket_seconds("1") == 2e-6
    assert bucket_seconds("19") <= 1.0 < bucket_seconds("20")


def test_what_lasts_of_a_result_has_no_times() -> None:
    one, other = UnitResult(1, 2, seconds=3.0, layers={"a": 1.0}), UnitResult(1, 2, query_seconds={"x": {"1": 1}})
    assert one.lasting() == other.lasting()
    assert "seconds" not in one.lasting()


@pytest.mark.usefixtures("subjects")
@pytest.mark.parametrize("gate", [None, "ours"])
def test_smt_properties_are_tried_in_the_units_that_say_so(gate: str | None) -> None:
    names = ("the_predicted_class_is_kappa", "z3_agrees_with_sigma")
    plan = planned(CampaignRequest(12, gate=gate, properties=names, size=5, unit=4, smt_every=3))
    results = [execute(plan, unit) for unit in plan.units()]
    tried = [{name for name in names if sum(result.counts.get(name, {}).values())} for result in results]
    assert tried == [{names[0]}, {names[0]}, set(names)]
    assert [result.cases for result in results] == [4, 4, 4]
