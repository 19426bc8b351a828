"""Every route under constraints by the definitions on generated cases, and that every seeded bug is caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from xpgcheck.cli.main import main
from xpgcheck.gate import constraint_certificates
from xpgcheck.gate.constraint_certificates import SEARCH, all_properties
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.constraints import exploring
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.constraints.trials import plain_allows
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.seeded import SeededBug, constraint_bugs
from xpgcheck.properties.selftest import SelftestSettings, measure

BUGS = constraint_bugs()


def properties_of(bug: SeededBug) -> Sequence[Property]:
    return (exploring if bug.kind == "constraint" else constraint_certificates).SEARCH.properties_of(bug)


def caught(bug: SeededBug, seed: int) -> bool:
    own = properties_of(bug)
    found = SEARCH.explore(1_000, seed, make=bug.make, checks=own, first_only=True, shrink=False)
    return bool(found.findings)


def test_every_property_holds() -> None:
    result = SEARCH.explore(35, 11)
    assert result.findings == []
    for name, tally in result.tallies.items():
        assert tally.held, name
        assert not tally.open, name


@pytest.mark.slow
def test_every_property_holds_of_more() -> None:
    assert SEARCH.explore(300, 12).findings == []


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught(bug: SeededBug) -> None:
    assert caught(bug, 1), bug.wrong


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught_with_another_seed_too(bug: SeededBug) -> None:
    # With more: xpgcheck properties selftest --under-constraints --seeds 20.
    assert caught(bug, 2), bug.wrong


def test_every_property_catches_a_bug() -> None:
    idle = {check.name for check in all_properties()}
    for bug in BUGS:
        own = [check for check in properties_of(bug) if check.name in idle]
        if own:
            idle -= SEARCH.failing(10, 1, make=bug.make, checks=own)
    assert idle == set()


def test_bugs_say_what_is_wrong() -> None:
    assert len(BUGS) == 36
    assert {bug.kind for bug in BUGS} == {"constraint", "constraint certificate"}
    for bug in BUGS:
        assert bug.wrong.endswith(".")
        assert bug.make().name == bug.name


def test_the_self_test_measures_and_shrinks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    page = replace(exploring.GROUND.page, looked_at=5)
    monkeypatch.setattr(exploring, "GROUND", exploring.SEARCH.bug_ground("constraint", "route", page))
    bug = next(bug for bug in BUGS if bug.name == "product-forgets-the-constraint")
    (found,) = measure([bug], SelftestSettings(60))
    assert found.caught
    assert "product_as_defined" in found.caught_by
    assert found.largest <= (2, 2)


def test_what_is_generated() -> None:
    """Clauses and graphs, of graphs and ensembles, that forbid something, and that do not."""
    seen: Counter[str] = Counter()

    def look(case: Case | EnsembleCase) -> None:
        constraint = case.constraint
        assert constraint is not None
        assert plain_allows(constraint, case.instance)
        seen["ensemble" if isinstance(case.graph, Ensemble) else "graph"] += 1
        seen["clauses" if constraint.graph is None else "graph of what can occur"] += 1
        corners = [tuple(cells[k].representative() for cells in case.graph.cells) for k in (0, -1)]
        seen["forbids"] += not all(constraint.allows(point) for point in corners)
        model = {
            literal
            for graph in (case.graph.trees if isinstance(case.graph, Ensemble) else [case.graph])
            for literal in graph.literals
        }
        seen["finer than the model"] += any(literal not in model for literal in constraint.literals())
        seen["several clauses"] += len(constraint.clauses) > 1

    visit(constraint_cases(), look, 100, 5)
    for what in ("ensemble", "graph", "clauses", "graph of what can occur", "forbids", "several clauses"):
        assert seen[what] >= 10, what
    assert seen["finer than the model"] >= 10


def test_the_command_tries_the_properties(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--examples", "20", "--jobs", "1", "--property", "paths_answer"]
    assert main(["properties", "run", "--under-constraints", *words]) == 0
    out = capsys.readouterr().out
    assert "again: xpgcheck properties run --under-constraints --examples 20 --seed 0 --property paths_answer" in out
    assert out.endswith("HOLDS: 1 property, 20 cases, 0 violated, 0 inconclusive\n")
    assert main(["properties", "run", "--under-constraints", "--ensembles"]) == 2
    assert main(["properties", "run", "--under-constraints", "--size", "5"]) == 2
    assert "leave --size or --under-constraints out" in capsys.readouterr().err
    assert main(["properties", "list", "--under-constraints", "--bugs"]) == 0
    assert "paths-take-one-literal  (constraint)\n    Only the first literal of a clause" in capsys.readouterr().out
    assert main(["properties", "list", "--under-constraints"]) == 0
    assert "product_as_defined\n" in capsys.readouterr().out
