"""A little model behind one-hot columns, and what can occur of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.readers.json_constraints import parse_constraint
from xpgcheck.readers.json_model import parse_json

JOBS = ("clerk", "nurse", "pilot")


def _test(name: str, feature: str, zero: str, one: str) -> dict[str, Any]:
    return {"id": name, "feature": feature, "edges": [{"to": zero, "in": [0]}, {"to": one, "in": [1]}]}


def model_document() -> dict[str, Any]:
    """Return a tree over ``owner`` and three dummies: it grants what owners ask, and pilots, and else refuses nurses."""
    return {
        "format": "decision-graph",
        "version": 1,
        "name": "loans",
        "features": [
            {"name": name, "domain": {"type": "boolean"}} for name in ("owner", *(f"job_{job}" for job in JOBS))
        ],
        "classes": ["refuse", "grant"],
        "root": "owner",
        "nodes": [
            _test("owner", "owner", "pilot", "grant"),
            _test("pilot", "job_pilot", "nurse", "grant"),
            _test("nurse", "job_nurse", "grant", "refuse"),
            {"id": "refuse", "class": "refuse"},
            {"id": "grant", "class": "grant"},
        ],
    }


def exactly_one_job() -> dict[str, Any]:
    """Return the constraint that exactly one of the dummies is 1."""
    names = [f"job_{job}" for job in JOBS]
    some = {"name": "some job", "any": [{"feature": name, "in": [1]} for name in names]}
    pairs = [(first, second) for k, first in enumerate(names) for second in names[k + 1 :]]
    clauses = [{"any": [{"feature": first, "in": [0]}, {"feature": second, "in": [0]}]} for first, second in pairs]
    return {"format": "constraints", "version": 1, "clauses": [some, *clauses]}


def loans() -> DecisionGraph:
    """Return the model."""
    return parse_json(json.dumps(model_document()).encode())


def one_job() -> Constraint:
    """Return the constraint."""
    return parse_constraint(json.dumps(exactly_one_job()).encode(), loans().features)


def written(folder: Path) -> tuple[str, str]:
    """Write model and constraint into *folder* and return their paths."""
    model, constraint = folder / "loans.json", folder / "one_job.json"
    model.write_text(json.dumps(model_document()))
    constraint.write_text(json.dumps(exactly_one_job()))
    return str(model), str(constraint)


NURSE = (False, False, True, False)
"""A nurse who owns nothing: refused."""
