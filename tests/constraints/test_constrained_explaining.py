"""Explanations under constraints: of one-hot columns, with graphs too large for a product, and of ensembles."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from constraint_samples import NURSE, loans, one_job, written

from xpgcheck import draw, explain, explain_one
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, LimitError
from xpgcheck.explanations import case as cases
from xpgcheck.model.boxes import union_of_cells
from xpgcheck.model.constraint import BrokenError, constraint_of_clauses
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.xpg.constraints import product
from xpgcheck.xpg.constraints.compiling import constraint_graph
from xpgcheck.xpg.constraints.product import ConstrainedGraph

AXPS = (("owner", "job_nurse"), ("owner", "job_clerk", "job_pilot"))

ONE = FiniteSet(frozenset([True]))


def test_no_axp_of_one_hot_columns_is_redundant_and_no_change_impossible() -> None:
    graph, constraint = loans(), one_job()
    free, under = explain(graph, list(NURSE)), explain(graph, list(NURSE), constraints=constraint)
    assert free.axps == (("owner", "job_nurse", "job_pilot"),)
    # Who is neither clerk nor pilot is a nurse.
    assert under.axps == AXPS
    assert free.cxps == (("owner",), ("job_nurse",), ("job_pilot",))
    assert under.cxps == (("owner",), ("job_clerk", "job_nurse"), ("job_nurse", "job_pilot"))
    for cxp in under.cxps:
        change = under.closest(cxp)
        point = tuple(bool(change.values.get(f.name, own)) for f, own in zip(graph.features, NURSE, strict=True))
        assert constraint.allows(point)
        assert graph.kappa(point) == 1


def test_an_instance_that_cannot_occur_is_refused_with_the_clause() -> None:
    with pytest.raises(BrokenError, match="clause 4 "):
        explain(loans(), [False, False, True, True], constraints=one_job())


def test_the_command_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, constraint = written(tmp_path)
    instance = ["--instance", "owner=0, job_clerk=0, job_nurse=1, job_pilot=0"]
    assert main(["explain", model, *instance, "--constraints", constraint]) == 0
    out = capsys.readouterr().out
    assert "Under constraints: only points that can occur count." in out
    assert "Why class refuse? 2 AXps:" in out
    assert main(["explain", model, *instance, "--constraints", constraint, "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["model"]["constraints"] == one_job().digest
    assert [axp["features"] for axp in document["axps"]["members"]] == list(map(list, AXPS))
    impossible = ["--instance", "owner=0, job_clerk=1, job_nurse=1, job_pilot=0"]
    assert main(["explain", model, *impossible, "--constraints", constraint]) == 2
    assert "breaks the constraint: clause 2 (job_clerk in {0} or job_nurse in {0})" in capsys.readouterr().err


def test_one_explanation_under_a_constraint_in_a_file(tmp_path: Path) -> None:
    model, constraint = written(tmp_path)
    found = explain_one(model, list(NURSE), smallest=True, constraints=constraint)
    assert found.axps == (("owner", "job_nurse"),)
    assert "under constraints" in repr(found)


def test_a_product_that_is_too_large_gives_way_to_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explain(loans(), list(NURSE), constraints=one_job())
    monkeypatch.setattr(product, "MAX_STATES", 1)
    monkeypatch.setattr(cases, "GraphExplainer", None)
    monkeypatch.setattr(ConstrainedGraph, "at", _too_large)
    by_questions = explain(loans(), list(NURSE), constraints=one_job())
    assert set(by_questions.axps) == set(whole.axps)
    assert set(by_questions.cxps) == set(whole.cxps)
    assert {by_questions.closest(cxp).prediction for cxp in by_questions.cxps} == {"grant"}


def _too_large(*_: object) -> None:
    raise LimitError("too large", mend="")


def test_limits_of_the_product_and_of_the_graph_of_clauses() -> None:
    with pytest.raises(LimitError, match="a product of over 2 nodes"):
        ConstrainedGraph(loans(), one_job(), most=2).at(NURSE)
    with pytest.raises(LimitError, match="over 3 nodes"):
        constraint_graph(one_job(), most=3)


def test_the_graph_of_clauses_is_small_where_they_part() -> None:
    count = 12
    features = [Feature(f"x{i}", Boolean()) for i in range(2 * count)]
    pairs = [[(i, ONE), (i + count, ONE)] for i in range(count)]
    # In the order of the features, 2^12 combinations would have to be remembered.
    assert constraint_graph(constraint_of_clauses(features, pairs)).node_count <= 3 * count


def test_an_ensemble_under_a_constraint() -> None:
    tree = loans()
    forest = ensemble("forest", tree.features, tree.classes, [tree, tree, tree])
    found = explain(forest, list(NURSE), constraints=one_job())
    assert found.axps == AXPS
    assert set(found.cxps) == set(explain(tree, list(NURSE), constraints=one_job()).cxps)


def test_constraints_of_another_model_are_refused(tmp_path: Path) -> None:
    _, constraint = written(tmp_path)
    with pytest.raises(InputError, match=r"one_job\.json: .*the model has no feature 'job_clerk'"):
        explain("iris", [5, 3, 1, 0.2], constraints=constraint)


def test_what_can_occur_is_what_every_point_says() -> None:
    constraint = one_job()
    graph = constraint_graph(constraint)
    for point in itertools.product((False, True), repeat=4):
        assert graph.kappa(point) == constraint.allows(point)
    assert str(union_of_cells(graph.cells[1], 3)) == "{0, 1}"


def test_explanations_under_constraints_are_not_drawn_as_those_of_all_points() -> None:
    found = explain(loans(), list(NURSE), constraints=one_job())
    with pytest.raises(InputError, match="these explanations are of those that can occur"):
        draw(found, xp="axp0")
    assert draw(found).svg
