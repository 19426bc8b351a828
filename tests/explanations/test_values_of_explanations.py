"""Sets of values from Python and from the command: in an order, all of them, and those of changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

import xpgcheck
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Integer
from xpgcheck.model.literals import read_literal
from xpgcheck.writers.json_model import model_json


def at_most_three() -> DecisionGraph:
    """Return the graph of x + y ≤ 3, for x and y from 0 to 3."""
    domain = Integer(0, 3)
    nodes: dict[Any, Any] = {"yes": Terminal(1), "no": Terminal(0)}
    nodes["x"] = NonTerminal(0, tuple((f"y{k}", read_literal(domain, [k])) for k in range(4)))
    for k in range(4):
        edges = [("yes" if k + j <= 3 else "no", read_literal(domain, [j])) for j in range(4)]
        nodes[f"y{k}"] = NonTerminal(1, tuple(edges))
    return decision_graph("sum", (Feature("x", domain), Feature("y", domain)), ("over", "within"), nodes, "x")


ONES = {"x": 1, "y": 1}


def texts(box: Any) -> dict[str, str]:
    return {name: str(values) for name, values in box.items()}


def test_sets_grow_in_the_order_that_is_given() -> None:
    found = xpgcheck.explain(at_most_three(), ONES)
    assert found.axps == (("x", "y"),)
    assert texts(found.inflate(("x", "y"))) == {"x": "[0, 2]", "y": "[0, 1]"}
    assert texts(found.inflate(["x", "y"], order=["y"])) == {"x": "[0, 1]", "y": "[0, 2]"}


def test_all_of_them_or_some() -> None:
    found = xpgcheck.explain(at_most_three(), ONES)
    every = [texts(box) for box in found.inflations(["x", "y"])]
    assert sorted(every, key=str) == [{"x": "[0, 1]", "y": "[0, 2]"}, {"x": "[0, 2]", "y": "[0, 1]"}]
    assert len(found.inflations(["x", "y"], limit=1)) == 1
    assert texts(found.changing_values("x")) == {"x": "[3, 3]"}
    asked: list[Callable[[], Any]] = [lambda: found.inflate(["x"]), lambda: found.inflations(["x"])]
    for ask in asked:
        with pytest.raises(InputError, match="do not suffice"):
            ask()
    with pytest.raises(InputError, match="cannot change"):
        found.changing_values([])


def test_the_command_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "sum.json"
    model.write_text(model_json(at_most_three()))
    words = ["explain", str(model), "--instance", "x=1, y=1"]
    assert main([*words, "--json", "-"]) == 0
    (axp,) = json.loads(capsys.readouterr().out)["axps"]["members"]
    assert axp["values"] == {"x": ["[0, 2]"], "y": ["[0, 1]"]}
    assert "other_values" not in axp
    assert main([*words, "--json", "-", "--order", "y", "--boxes", "2"]) == 0
    document = json.loads(capsys.readouterr().out)
    fits_schema(document, "explanations")
    (axp,) = document["axps"]["members"]
    assert axp["values"]["y"] == ["[0, 2]"]
    assert (len(axp["other_values"]), axp["all_values"]) == (1, True)
    assert document["cxps"]["members"][0]["values"] == {"x": ["3"]}
    assert main([*words, "--order", "x", "--boxes", "9", "--one"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "class within because x ≤ 2 and y ≤ 1; or because x ≤ 1 and y ≤ 2" in out
    assert main([*words, "--order", "z"]) == 2


def test_ensembles_list_theirs_and_say_where_time_ends() -> None:
    from xpgcheck.explanations.api import explain_case
    from xpgcheck.explanations.case import case_of
    from xpgcheck.model.combination import Majority
    from xpgcheck.model.ensemble import ensemble

    tree = at_most_three()
    forest = ensemble("forest", tree.features, tree.classes, [tree] * 3, Majority())
    found = xpgcheck.explain(forest, ONES, boxes=3)
    assert len(found.inflations(["x", "y"])) == 2
    assert "; or because x ≤ 1 and y ≤ 2" in str(found)
    assert texts(found.changing_values("y")) == {"y": "[3, 3]"}
    case = case_of(forest, (1, 1), 0.0)
    late = explain_case(case, boxes=3)
    assert "class within because x = 1 and y = 1" in str(late) or not late.axps
