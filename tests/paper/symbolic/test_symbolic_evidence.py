import json

import pytest

from xpgcheck.paper.symbolic import plans, proof_evidence
from xpgcheck.paper.symbolic.cases import by_first
from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.plans import FULL, QUICK, Goal
from xpgcheck.paper.symbolic.proof_evidence import outcome, proof_units, run_unit, units
from xpgcheck.paper.symbolic.theorems import THEOREMS

TINY = (
    Goal("necessary", GraphKind.READ_ONCE, Size(3, 2, 2), weak=2),
    Goal("Algorithm 2", GraphKind.CONSISTENT, Size(2, 2, 2), check_proofs=False),
    Goal("necessary", GraphKind.READ_ONCE, Size(3, 2, 2), check_proofs=False, whole=True),
)


def without_seconds(result):
    return {key: value for key, value in result.items() if key != "seconds"}


@pytest.fixture(scope="module")
def results():
    controls = [unit for unit in units(quick=True) if unit[1]["what"] != "proof"]
    chosen = [*controls, *proof_units(TINY)]
    return {name: {**run_unit(arguments), "of": len(chosen)} for name, arguments in chosen}


def test_units_are_named_once_and_are_data():
    for chosen in (units(), units(quick=True)):
        names = [name for name, _ in chosen]
        assert len(set(names)) == len(names)
        assert json.loads(json.dumps([arguments for _, arguments in chosen])) == [a for _, a in chosen]
        assert {arguments["of"] for _, arguments in chosen} == {len(chosen)}


@pytest.mark.parametrize("goals", [QUICK, FULL], ids=["quick", "full"])
def test_every_theorem_is_proved_of_what_it_is_stated_for(goals):
    for found in THEOREMS:
        assert any(goal.key == found.key for goal in goals)
    assert all(goal.kind in next(t for t in THEOREMS if t.key == goal.key).kinds for goal in goals)


def test_the_same_unit_gives_the_same_result(results):
    name, arguments = proof_units(TINY)[0]
    again = run_unit(arguments)
    assert {**without_seconds(again), "of": results[name]["of"]} == without_seconds(results[name])
    assert json.loads(json.dumps(again)) == again


def test_finished_units_prove_the_theorems(results):
    found = outcome(results)
    assert found.holds is True
    assert found.faults == []
    assert found.counterexample is None
    assert found.counts["missing units"] == 0
    assert found.counts["proved rows"] == len(TINY)
    assert found.counts["counterexamples without an assumption"] == sum(len(t.refuted) for t in THEOREMS)
    assert found.counts["mutated encodings caught"] == sum(
        len(groups) for t in THEOREMS for groups in t.turned_red_by.values()
    )
    assert found.counts["lines of checked proofs"] > 0
    assert "necessary, read-once: 3,2,2" in found.limits
    json.dumps(found.details)


def test_without_a_unit_nothing_is_proved(results):
    lacking = next(name for name in results if "necessary, read-once, 3,2,2" in name)
    found = outcome({name: result for name, result in results.items() if name != lacking})
    assert found.holds is None
    assert found.counts["missing units"] == 1
    row = next(row for row in found.details if row["what"] == "proof" and row["theorem"] == "necessary")
    assert row["verdict"] == "open"


def test_a_part_that_did_not_run_leaves_its_row_open(results):
    lacking = next(name for name in results if "Algorithm 2, consistent" in name and "minimal-1" in name)
    found = outcome({name: result for name, result in results.items() if name != lacking})
    row = next(row for row in found.details if row["what"] == "proof" and row["theorem"] == "Algorithm 2")
    assert row["verdict"] == "open"


def test_without_results_nothing_is_proved():
    found = outcome({})
    assert found.holds is None
    assert "Nothing" in found.limits


def test_a_theorem_that_fails_is_a_counterexample():
    chosen = proof_units([Goal("necessary", GraphKind.INCONSISTENT, Size(2, 1, 2))])
    found = outcome({name: run_unit(arguments) for name, arguments in chosen})
    assert found.holds is False
    assert found.counterexample is not None
    assert found.counterexample["graph"]["format"] == "decision-graph"
    assert found.counterexample["instance"] == [False]
    assert "σ(s) = 0" in found.counterexample["differs"]
    assert found.details[0]["verdict"] == "refuted"


def test_a_model_that_plain_evaluation_does_not_confirm_leaves_it_open(monkeypatch):
    monkeypatch.setattr(proof_evidence, "replayed", lambda key, part, found: None)
    chosen = proof_units([Goal("necessary", GraphKind.INCONSISTENT, Size(2, 1, 2))])
    found = outcome({name: run_unit(arguments) for name, arguments in chosen})
    assert found.holds is None
    assert "by plain evaluation" in found.faults[0]


def test_a_control_that_is_not_satisfiable_leaves_it_open(monkeypatch, results):
    monkeypatch.setattr(proof_evidence, "satisfiable_without", lambda *_: None)
    monkeypatch.setattr(proof_evidence, "smallest_counterexample", lambda *_: None)
    for what in ("mutation", "counterexample"):
        name, arguments = next(unit for unit in units(quick=True) if unit[1]["what"] == what)
        found = outcome({**results, name: {**run_unit(arguments), "of": len(results)}})
        assert found.holds is None
        assert name in found.faults[0]


def test_cubes_that_leave_a_case_out_prove_nothing(monkeypatch):
    from xpgcheck.paper.symbolic import theorems

    monkeypatch.setattr(theorems, "by_first", lambda rows: by_first(rows)[1:])
    name, arguments = proof_units(TINY)[0]
    assert run_unit(arguments)["fault"] == "the cubes leave a case out"
    assert outcome({name: run_unit(arguments)}).holds is None


def test_limits_are_far_above_the_plans():
    for goal in FULL:
        assert goal.size.nodes <= plans.LARGEST.nodes
        assert goal.size.values**goal.size.features <= plans.LARGEST.points
