"""Checks that follow the text and that count steps: each is run with the wrong method that its row names, and turns red."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from xpgcheck.paper.bounded import seeded
from xpgcheck.paper.bounded.code import OURS, Code
from xpgcheck.paper.by_the_text import LAWS
from xpgcheck.paper.catalogue import ROWS
from xpgcheck.paper.dualization import Calls, minimal_hitting_sets
from xpgcheck.paper.printed import TABLE_1, TABLE_2
from xpgcheck.paper.said import contradiction
from xpgcheck.paper.sources import Options, growth, models
from xpgcheck.properties.ablations import ABLATIONS
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, mask_of
from xpgcheck.xpg.find_one import find_axp_by_deletion
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.trees import tree_cxps

CHECKS = {(check.source, check.item, check.red_by): row.id for row in ROWS for check in row.checks}


def named(source: str, item: str) -> set[str]:
    return {red_by for found, about, red_by in CHECKS if (found, about) == (source, item)}


# ------------------------------------------------------------------------------------------------------- by the text


def exchanged(graph: Any, point: Any) -> ExplanationGraph:
    xpg = explanation_graph(graph, point)
    is_zero = bytes(
        0 if variable >= 0 else 1 - zero for variable, zero in zip(xpg.variable_of, xpg.is_zero, strict=True)
    )
    return ExplanationGraph(xpg.variables, xpg.variable_of, xpg.one_child, xpg.zero_children, is_zero, xpg.shape)


def some_one_active(xpg: ExplanationGraph, fixed: Iterable[int]) -> bool:
    active = xpg.epsilon(fixed)
    return any(active[node] and variable < 0 and not xpg.is_zero[node] for node, variable in enumerate(xpg.variable_of))


def by_parity(xpg: ExplanationGraph, fixed: Iterable[int]) -> bool:
    members = set(fixed)
    return xpg.sigma(members) != bool(len(members) % 2)


BUGS = {bug.name: bug for bug in seeded.BUGS}

WRONG: dict[tuple[str, str], Code] = {
    ("mapping", "labels 0 and 1 exchanged"): replace(OURS, explanation_graph=exchanged),
    ("1-terminals", "σ asks for an active terminal labelled 1"): replace(OURS, sigma=some_one_active),
    ("ends of σ", "σ always 1"): replace(OURS, sigma=lambda xpg, fixed: True),
    ("positive PIs", "σ turned around where its number of fixed variables is odd"): replace(OURS, sigma=by_parity),
    ("invariant of Algorithm 2", "a path to 0 never found"): replace(OURS, path_to_zero=lambda xpg, free: False),
    ("invariant of Algorithm 3", "a path to 0 always found"): replace(OURS, path_to_zero=lambda xpg, free: True),
    ("represented", "retested features refused"): BUGS["retested features refused"].make(),
    ("refused", "assumptions unchecked"): replace(OURS, check_assumptions=lambda graph: None),
}


def test_each_law_has_a_row_and_a_wrong_method() -> None:
    assert {item for item, _ in WRONG} == set(LAWS)
    assert {(item, red_by) for source, item, red_by in CHECKS if source == "models"} == set(WRONG)


@pytest.mark.parametrize(("item", "red_by"), WRONG, ids=[item for item, _ in WRONG])
def test_a_law_holds_and_a_wrong_method_breaks_it(item: str, red_by: str) -> None:
    (unit,) = models.units(Options(quick=True), frozenset({item}))
    right = models.run_unit(unit.arguments)
    assert (right["failures"], models.look({unit.name: right}, item).holds) == ([], True)
    wrong = models.run_unit(unit.arguments, WRONG[item, red_by])
    found = models.look({unit.name: wrong}, item)
    assert found.holds is False
    assert found.counterexample is not None
    assert " at (" in found.counterexample["text"]


def test_instances_are_spread() -> None:
    points = tuple((k,) for k in range(10))
    assert models.spread(points, 3) == [(0,), (3,), (6,)]
    assert models.spread(points[:2], 3) == [(0,), (1,)]


# ----------------------------------------------------------------------------------------------------- steps counted


def all_subsets(m: int) -> Iterable[frozenset[int]]:
    return (frozenset(s) for size in range(m + 1) for s in itertools.combinations(range(m), size))


def axp_by_all_subsets(n: int) -> tuple[int, int]:
    xpg, looked = growth.counted(growth.pairs(n))
    m = len(xpg.variables)
    next(s for s in all_subsets(m) if not reaches_zero(xpg, xpg.all_variables & ~mask_of(s)))
    return looked.looks, 2 * (m + 1) * xpg.node_count


def cxps_by_all_subsets(n: int) -> tuple[int, int]:
    xpg, looked = growth.counted(growth.pairs(n))
    for s in all_subsets(len(xpg.variables)):
        reaches_zero(xpg, mask_of(s))
    return looked.looks, xpg.node_count**2


def dualized_by_all_subsets(make: Callable[[int], ExplanationGraph]) -> growth.Measure:
    def measure(n: int) -> tuple[int, int]:
        xpg = make(n)
        cxps, calls = tree_cxps(xpg), 0
        found: list[frozenset[int]] = []
        while True:
            for s in all_subsets(len(xpg.variables)):
                calls += 1
                if all(s & cxp for cxp in cxps) and not any(axp <= s for axp in found):
                    found.append(s)
                    break
            else:
                return calls, (len(cxps) + len(found)) ** 2

    return measure


def minimal_by_all_subsets(n: int) -> tuple[int, int]:
    xpg, runs = growth.pairs(n), 0
    axp = sorted(find_axp_by_deletion(xpg, range(2 * n)))
    for part in all_subsets(len(axp)):
        runs += 1
        assert reaches_zero(xpg, xpg.all_variables & ~mask_of(axp[k] for k in part)) == (len(part) < len(axp))
    return runs, 2 * n + 1


def exchanged_counts(n: int) -> tuple[int, int]:
    sat, nodes = growth.sat_calls(n)
    return nodes, sat


SLOW: dict[str, tuple[str, growth.Measure, tuple[int, ...]]] = {
    "Algorithm 1 with marks": ("visited marks left out", growth.printed, (1, 2, 4, 8)),
    "runs of Algorithm 1 for one XP": ("every subset tried", axp_by_all_subsets, (1, 2, 4, 6)),
    "all CXps of a tree": ("every subset tried", cxps_by_all_subsets, (1, 2, 4, 6)),
    "dualization of many AXps": ("every subset tried", dualized_by_all_subsets(growth.pairs), (1, 2, 3, 4, 5)),
    "dualization of a long CXp": ("every subset tried", dualized_by_all_subsets(growth.one_path), (1, 2, 4, 8)),
    "runs of Algorithm 1 for a certificate": ("every subset tried", minimal_by_all_subsets, (1, 2, 4, 8)),
    "SAT calls of Algorithm 4": ("both counts exchanged", exchanged_counts, (1, 2, 4, 6)),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_method_that_takes_too_many_steps_is_seen(name: str) -> None:
    red_by, measure, sizes = SLOW[name]
    assert red_by in named("growth", name)
    assert not growth.within([[n, *measure(n)] for n in sizes])


def test_marks_mend_what_fails_as_printed() -> None:
    assert named("growth", "Algorithm 1 as printed") == {"visited marks put in"}
    assert growth.within([[n, *growth.marked(n)] for n in (1, 2, 4, 8)])
    assert set(SLOW) | {"Algorithm 1 as printed"} == set(growth.FAMILIES)


@pytest.mark.parametrize("seed", range(40))
def test_dualization_finds_the_minimal_hitting_sets(seed: int) -> None:
    m = 1 + seed % 5
    sets = [frozenset(i for i in range(m) if (seed * 37 + k * 11 + i * 7) % 3) for k in range(seed % 4)]
    hits = [s for s in all_subsets(m) if all(s & members for members in sets)]
    assert set(minimal_hitting_sets(sets, Calls())) == {h for h in hits if not any(g < h for g in hits)}


def test_a_dualization_that_misses_one_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "minimal_hitting_sets", lambda sets, calls: minimal_hitting_sets(sets, calls)[1:])
    assert not growth.within([[2, *growth.dualized(2)]])


# -------------------------------------------------------------------------------------------------------- ablations


def test_with_the_assumption_put_back_nothing_fails() -> None:
    names = {item.partition(": ")[2] for source, item, _ in CHECKS if source == "ablations"}
    properties = [p for p in all_properties() if p.name in names]
    assert len(properties) == len(names)
    result = explore(properties, load_subject("ours"), examples=60, seed=1, size=10)
    assert result.findings == []
    assert all(result.tallies[name].held for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda a: a.name)
def test_without_the_assumption_each_named_property_fails(ablation: Any) -> None:
    from xpgcheck.paper.sources import ablations

    items = frozenset(item for source, item, _ in CHECKS if source == "ablations" and item.startswith(ablation.name))
    (unit,) = ablations.units(Options(quick=True), items)
    results = {unit.name: ablations.run_unit(unit.arguments)}
    for item in items:
        assert ablations.look(results, item).holds is False, item


# ------------------------------------------------------------------------------------------------- what the text says


@pytest.mark.parametrize(
    ("name", "change", "table"),
    [
        ("depth", lambda row: row._replace(depth=2 * (row.depth or 0)), 2),
        ("spect", lambda row: row._replace(xps=2 * row.xps), 1),
        ("a few milliseconds", lambda row: row._replace(mean=2 * row.mean), 2),
        ("short in general", lambda row: row._replace(axps=(*row.axps[:3], 3 * row.axps[3])), 0),
        ("figures fit together", lambda row: row._replace(xps=2 * row.xps), 2),
        ("figures fit together", lambda row: row._replace(mean=row.mean + Decimal("0.002")), 1),
        ("figures fit together", lambda row: row._replace(cxps=(row.nodes, *row.cxps[1:])), 2),
    ],
)
def test_a_changed_figure_contradicts_the_text(name: str, change: Callable[[Any], Any], table: int) -> None:
    assert contradiction(name) == ""
    first = [change(row) if table in (0, 1) else row for row in TABLE_1]
    second = [change(row) if table in (0, 2) else row for row in TABLE_2]
    assert contradiction(name, first, second) != ""


def test_every_sentence_has_a_row() -> None:
    from xpgcheck.paper.said import SAYINGS

    asked = {item.removeprefix("text: ") for source, item, _ in CHECKS if source == "tables" and "text: " in item}
    assert asked == set(SAYINGS)
