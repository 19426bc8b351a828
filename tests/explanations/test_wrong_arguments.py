"""Every public function, called with plausible wrong arguments: an error of ours in one line, or an answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import xpgcheck
from xpgcheck import XP, Consensus, DecisionGraph, Kind, XpgcheckError, embedded
from xpgcheck.judging.panel import Panel
from xpgcheck.model.decision_graph import NonTerminal, Terminal
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.writers.json_model import write_json

MODEL = embedded.load("hardware")
GRAPH, POINT = MODEL.graph, MODEL.paper_instance
assert POINT is not None
XPG = xpgcheck.explanation_graph(GRAPH, POINT)
FOUND = xpgcheck.explain(GRAPH, POINT)

WRONG: tuple[Any, ...] = (
    None, True, 0, 1, -1, 99, 1.5, "x", "axp1", b"x", "", [], ["x"], [0], [99], [[0]], {"a": 1}, {0, 9}, (1, 2), object(),
    Path("nowhere"), DecisionGraph, int, Fraction(1, 2), GRAPH, XPG, POINT, FOUND, XP(Kind.AXP, frozenset({9})),
    XP("AXp", {0}), XP(Kind.AXP, "ab"), ("AXp", {0}), lambda: None, float("nan"), 10**30, "\0", range(3), MODEL,
)  # fmt: skip


def _calls(tmp_path: Path) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    """Yield each public function with right arguments."""
    model, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    write_json(GRAPH, model)
    rows.write_text("Age,Income,Student,Credit\nO,L,Y,P\n")
    oracle = ExhaustiveOracle(GRAPH, POINT)
    consensus = Consensus(4, [oracle], lambda point, fixed: True)
    nodes = {0: NonTerminal(0, ()), 1: Terminal(0)}
    more: dict[str, Any] = {"domains": None, "constraints": None}
    yield xpgcheck.explain, {"model": GRAPH, "instance": POINT, "limit": 3, "order": ["Age"], "boxes": 2, **more}
    yield xpgcheck.explain_one, {"model": GRAPH, "instance": POINT, "smallest": False, "prefer": ["Age"], "never": []}
    table = {
        "table": [POINT],
        "parts": ["axp"],
        "limit": 3,
        "jobs": 1,
        "seconds": None,
        "domains": None,
        "constraints": None,
    }
    yield xpgcheck.explain_table, {"model": GRAPH, **table, "drop_columns": (), "ignore_extra_columns": False}
    yield xpgcheck.domains_from, {"table": rows, "drop_columns": ()}
    yield xpgcheck.draw, {"model": GRAPH, "instance": POINT, "xp": 1, "max_nodes": 9}
    yield xpgcheck.explanation_graph, {"graph": GRAPH, "point": POINT}
    yield xpgcheck.find_axp, {"xpg": XPG, "seed": range(4), "order": [0]}
    yield xpgcheck.find_cxp, {"xpg": XPG, "seed": range(4), "order": [0]}
    yield (lambda xpg, limit: list(xpgcheck.enumerate_xps(xpg, limit))), {"xpg": XPG, "limit": 2}
    yield xpgcheck.in_some_xp, {"xpg": XPG, "feature": 1}
    yield xpgcheck.read_model, {"path": model, "max_bytes": 10**6, "missing": None, "root": None}
    yield xpgcheck.read_instances, {"path": rows, "features": GRAPH.features, "drop_columns": (), "max_bytes": 10**6}
    yield xpgcheck.read_point, {"features": GRAPH.features, "raw": POINT}
    yield xpgcheck.judge_axp, {"consensus": consensus, "claim": {0}}
    yield xpgcheck.judge_cxp, {"consensus": consensus, "claim": {0}}
    yield xpgcheck.judge_family, {"consensus": consensus, "axps": [{0}], "cxps": [{0}]}
    yield xpgcheck.grouped, {"classifier": GRAPH, "groups": {"g": {"columns": ["Age"], "codes": {"a": [1]}}}}
    names: dict[str, Any] = {"feature_names": None, "class_names": None, "missing": False, "name": "tree"}
    yield xpgcheck.from_sklearn, {"estimator": object(), **names}
    yield xpgcheck.from_orange, {"model": object(), "missing": False, "name": "tree"}
    whole = {"name": "g", "features": GRAPH.features, "classes": ("a", "b"), "nodes": nodes, "root": 0}
    yield xpgcheck.decision_graph, whole
    yield FOUND.closest, {"cxp": FOUND.cxps[0]}
    yield xpgcheck.Picture, {"view": xpgcheck.draw(GRAPH).view, "max_nodes": 3}
    yield xpgcheck.draw(GRAPH).save, {"path": tmp_path / "picture.dot"}


def _ends_inside(function: Callable[..., Any], arguments: dict[str, Any]) -> str:
    """Return what is wrong with how the call ends; "" where it answers, or refuses in one line with a remedy."""
    try:
        function(**arguments)
    except XpgcheckError as error:
        return "" if str(error).isprintable() and error.mend else f"no remedy: {error}"
    except Exception as error:
        return repr(error)
    return ""


def test_wrong_arguments_end_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = [
        (getattr(function, "__name__", "?"), name, value, end)
        for function, right in _calls(tmp_path)
        for name in right
        for value in WRONG
        if (end := _ends_inside(function, {**right, name: value}))
    ]
    assert not wrong, "\n".join(map(str, wrong))


def test_every_public_function_is_called(tmp_path: Path) -> None:
    public = {name for name in xpgcheck.__all__ if inspect.isfunction(getattr(xpgcheck, name))}
    called = {getattr(function, "__name__", "") for function, _ in _calls(tmp_path)}
    assert public - called == {"enumerate_xps"}  # a generator, asked for all that it yields


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: xpgcheck.draw(FOUND, 1), "instance: explanations have their instance; write draw(…, xp=1)"),
        (lambda: xpgcheck.draw(FOUND, "cxp1"), "instance: explanations have their instance; write draw(…, xp='cxp1')"),
        (lambda: xpgcheck.draw(GRAPH, 1), "instance: 1 is not an instance; write draw(model, instance, xp=1)"),
        (lambda: xpgcheck.draw(GRAPH, POINT, "axp"), "xp: 'axp' names no explanation; write axp1, cxp2, or a number"),
        (
            lambda: xpgcheck.explain_one(GRAPH, POINT, prefer="Age"),
            "prefer: 'Age' is not a list of names; pass a list,",
        ),
        (lambda: xpgcheck.find_axp(GRAPH), "is not an explanation graph; pass what xpgcheck.explanation_graph(graph,"),
        (lambda: xpgcheck.read_point(GRAPH, POINT), "is not a list of features; pass graph.features"),
        (
            lambda: xpgcheck.explanation_graph(GRAPH, {"Age": 1}),
            "pass what xpgcheck.read_point(graph.features, instance)",
        ),
    ],
)
def test_the_mend_is_the_right_one(call: Callable[[], Any], line: str) -> None:
    with pytest.raises(XpgcheckError) as caught:
        call()
    assert line in str(caught.value)


def test_what_the_mends_say_works() -> None:
    for number, name in enumerate(("axp1", "cxp1"), 1):
        assert xpgcheck.draw(GRAPH, POINT, xp=name).view == xpgcheck.draw(FOUND, xp=number).view
    assert xpgcheck.draw(GRAPH, POINT, xp=XP(Kind.AXP, frozenset({0, 3}))).view.xp is not None
    assert xpgcheck.explain_one(GRAPH, POINT, prefer=["Age"]).axps
    assert xpgcheck.find_axp(xpgcheck.explanation_graph(GRAPH, xpgcheck.read_point(GRAPH.features, list(POINT or ()))))


def test_a_judge_takes_what_it_is_given_by_the_judges() -> None:
    with Panel(GRAPH, ["z3"]) as judges:
        assert judges.at(POINT) is not None
