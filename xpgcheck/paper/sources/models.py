"""Definitions and loops of the paper line by line, on the embedded models: what no property of an explainer says.

Everything here follows the text and asks the project's code only for what is under test, which
:class:`~xpgcheck.paper.bounded.code.Code` gathers.
"""

from __future__ import annotations

from typing import Any

from xpgcheck import embedded
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.paper.bounded.code import OURS, Code
from xpgcheck.paper.by_the_text import LAWS
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit

INSTANCES, QUICK_INSTANCES = 40, 3
"""Instances of each model, spread over all of them."""


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return a unit a law."""
    count = QUICK_INSTANCES if options.quick else INSTANCES
    names = [name for name in LAWS if items is None or name in items]
    return [SourceUnit("models", f"models/{name}", {"name": name, "instances": count}) for name in names]


def run_unit(arguments: dict[str, Any], code: Code = OURS) -> dict[str, Any]:
    """Look at each model at some of its instances; stop a model at its first failure."""
    law, models, cases = LAWS[arguments["name"]], 0, 0
    failures: list[str] = []
    for name in embedded.names():
        model = embedded.load(name)
        if not law.takes(model.graph):
            continue
        models += 1
        for point in spread(model.instances, 1 if law.graph_alone else arguments["instances"]):
            cases += 1
            problem = law.problem(code, model.graph, point)
            if problem:
                failures.append(f"{name} at {_text(model.graph, point)}: {problem}")
                break
    return {"models": models, "cases": cases, "failures": failures}


def spread(instances: tuple[Point, ...], count: int) -> list[Point]:
    """Return *count* instances, as far apart in their order as can be; all if there are fewer."""
    if len(instances) <= count:
        return list(instances)
    return [instances[k * len(instances) // count] for k in range(count)]


def _text(graph: DecisionGraph, point: Point) -> str:
    shown = [f"{feature.name} = {value}" for feature, value in zip(graph.features, point, strict=True)]
    return "(" + ", ".join(shown[:12]) + (", …)" if len(shown) > 12 else ")")


def look(results: Results, item: str) -> Found:
    """Return whether the law *item* holds on every model."""
    result, law = results[f"models/{item}"], LAWS[item]
    what = law.what if law.graph_alone else f"instances of {result['models']} embedded models"
    failures = result["failures"]
    example = {"text": failures[0]} if failures else None
    holds = not failures if result["cases"] else None
    return Found(holds, f"{law.statement}: {result['cases']:,} {what}", law.limit, example)
