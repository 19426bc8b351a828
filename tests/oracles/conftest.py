"""Fixtures of the oracles' tests: which solvers are here, and sessions that are closed at the end of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from oracle_graphs import SOLVER_PARAMS

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.oracles.smt_sessions import SmtSession


@pytest.fixture(params=SOLVER_PARAMS)
def solver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["ite", "activation"])
def formulation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def session() -> Iterator[Callable[..., SmtSession]]:
    """Return a function that opens sessions; they are closed when the test ends."""
    opened: list[SmtSession] = []

    def open_(graph: DecisionGraph, solver: str = "z3", formulation: str = "ite", **options: int) -> SmtSession:
        opened.append(SmtSession(graph, solver, formulation, **options))
        return opened[-1]

    yield open_
    for one in opened:
        one.close()
