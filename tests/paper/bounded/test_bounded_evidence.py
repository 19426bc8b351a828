"""Units, and what is made of the finished ones: of missing, wrong and broken ones too."""

import copy
import json

import pytest

from xpgcheck.paper.bounded import campaign, law_evidence
from xpgcheck.paper.bounded.seeded import BUGS
from xpgcheck.readers.json_model import parse_json


@pytest.fixture(scope="module")
def small():
    results = {name: law_evidence.run_unit(arguments) for name, arguments in law_evidence.units("3,2,2,2")}
    assert json.loads(json.dumps(results)) == results
    return results


def test_holds(small):
    found = law_evidence.outcome(small)
    assert found.holds is True
    assert found.counts["graphs with an instance"] == 1 + 2 + 20 + 218
    assert found.counts["graphs with names"] == 2 + 8 + 80 + 872
    assert found.counts["failures"] == 0
    assert found.counterexample is None
    assert "3 non-terminals, 2 classes, 2 features of 2 values" in found.limits
    assert "Open" not in found.limits


def test_same_result_again(small):
    name, arguments = law_evidence.units("3,2,2,2")[1]
    assert law_evidence.run_unit(arguments) == small[name]


@pytest.mark.parametrize("lost", range(3))
def test_a_missing_unit_leaves_it_open(small, lost):
    name = list(small)[lost]
    found = law_evidence.outcome({key: result for key, result in small.items() if key != name})
    assert found.holds is None
    assert "1 unit has not run" in found.limits


def test_a_unit_that_died_leaves_it_open(small):
    found = law_evidence.outcome({**small, next(iter(small)): {"error": "it died"}})
    assert found.holds is None
    assert "it died" in found.limits


def test_nothing_is_open():
    found = law_evidence.outcome({})
    assert found.holds is None
    assert found.counts["checks"] == 0


@pytest.mark.parametrize("bound", ["3,2", "a,b,c,d", "1,0,2,2", "1,2,3,4,5", "10,1,1,1"])
def test_a_bound_that_is_none(bound):
    results = {name: law_evidence.run_unit(arguments) for name, arguments in law_evidence.units(bound)}
    found = law_evidence.outcome(results)
    assert found.holds is None
    assert "is no bound" in found.limits


def test_a_lost_graph_is_seen(small):
    broken = copy.deepcopy(small)
    unit = next(result for result in broken.values() if result["what"] == "laws")
    unit["labelled"]["3"] -= 1
    found = law_evidence.outcome(broken)
    assert found.holds is False
    assert "counted 872" in found.counterexample["what"]


def test_lost_graphs_of_a_whole_size_are_seen(small):
    broken = copy.deepcopy(small)
    for result in broken.values():
        if result["what"] == "laws":
            result["labelled"].pop("3", None)
            result["pairs"].pop("3", None)
    assert law_evidence.outcome(broken).holds is False


def test_a_failing_law_gives_its_graph(monkeypatch):
    wrong = next(bug for bug in BUGS if bug.name == "class 0 labelled 1")
    real = campaign.run
    monkeypatch.setattr(law_evidence, "run", lambda *sizes, **options: real(*sizes, **options, code=wrong.make()))
    found = law_evidence.outcome(
        {name: law_evidence.run_unit(arguments) for name, arguments in law_evidence.units("2,2,2,2")}
    )
    assert found.holds is False
    assert found.counts["failures"] > 0
    assert len(found.counterexample["rows"]) == 2
    graph = parse_json(json.dumps(found.counterexample["graph"]).encode())
    assert len(found.counterexample["instance"]) == len(graph.features)
    assert json.loads(json.dumps(found.counterexample)) == found.counterexample


def test_ablations_that_are_not_as_stated(monkeypatch):
    arguments = [unit for unit in law_evidence.units(quick=True) if "without (ii)" in unit[0]]
    results = {name: law_evidence.run_unit({**unit, "units": 1}) for name, unit in arguments}
    assert law_evidence.outcome(results).holds is None
    (result,) = results.values()
    result["failed"]["σ is sound"] = 1
    found = law_evidence.outcome(results)
    assert found.holds is False
    assert "'σ is sound' fails on 1 of" in found.counterexample["what"]


def test_names_are_unique():
    names = [name for name, _ in law_evidence.units()]
    assert len(set(names)) == len(names)
    assert all(arguments["units"] == len(names) for _, arguments in law_evidence.units())


@pytest.mark.slow
def test_quick():
    results = {name: law_evidence.run_unit(arguments) for name, arguments in law_evidence.units(quick=True)}
    found = law_evidence.outcome(results)
    assert found.holds is True, found
    assert {row["table"] for row in found.details} == {"laws", "counts", "ablations"}
