"""The judges of ensembles by the definitions on generated ensembles, and that every seeded bug is caught."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from xpgcheck.cli.main import main
from xpgcheck.model.combination import Arithmetic, Majority
from xpgcheck.oracles.ensembles.integer_sums import is_available
from xpgcheck.properties import seeded
from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles import exploring
from xpgcheck.properties.ensembles.exploring import SEARCH
from xpgcheck.properties.ensembles.statements import all_properties
from xpgcheck.properties.ensembles.strategies import MAX_TREES, ensemble_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.seeded import SeededBug, ensemble_bugs, reduction_bugs, seeded_bugs
from xpgcheck.properties.selftest import SelftestSettings, measure

BUGS = ensemble_bugs()


def look_at(cases: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the self-test try every property on so many cases."""
    page = replace(exploring.GROUND.page, looked_at=cases)
    monkeypatch.setattr(exploring, "GROUND", SEARCH.bug_ground("ensemble", "route", page))


def caught(bug: SeededBug, seed: int) -> bool:
    checks = SEARCH.properties_of(bug)
    found = SEARCH.explore(1_000, seed, make=bug.make, checks=checks, first_only=True, shrink=False)
    return bool(found.findings)


def test_every_property_holds() -> None:
    result = SEARCH.explore(150, 11)
    assert result.findings == []
    for name, tally in result.tallies.items():
        assert tally.held or (name == "integers_answer" and not is_available()), name
        assert not tally.open, name


@pytest.mark.slow
def test_every_property_holds_of_many() -> None:
    assert SEARCH.explore(1_000, 12).findings == []


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught(bug: SeededBug) -> None:
    assert caught(bug, 1), bug.wrong


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught_with_another_seed_too(bug: SeededBug) -> None:
    # With 20 seeds each: xpgcheck properties selftest --ensembles --seeds 20.
    assert caught(bug, 2), bug.wrong


def test_every_property_catches_a_bug() -> None:
    idle = {check.name for check in all_properties()}
    if not is_available():
        idle.remove("integers_answer")
    for bug in BUGS:
        checks = SEARCH.properties_of(bug)
        if idle & {check.name for check in checks}:
            idle -= SEARCH.failing(15, 1, make=bug.make, checks=checks)
    assert idle == set()


def test_bugs_say_what_is_wrong() -> None:
    assert len(BUGS) == (91 if is_available() else 80)
    assert {bug.kind for bug in BUGS} == {"ensemble"}
    assert not {bug.name for bug in BUGS} & {bug.name for bug in (*seeded_bugs(), *reduction_bugs())}
    for bug in BUGS:
        assert bug.wrong.endswith(".")
        assert bug.make().name == bug.name


def test_the_self_test_measures_and_shrinks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    look_at(15, monkeypatch)
    bug = next(bug for bug in BUGS if bug.name == "clauses-ties-reversed")
    (found,) = measure([bug], SelftestSettings(60))
    assert found.caught
    assert "clauses_answer" in found.caught_by
    assert found.largest <= (2, 2)


def test_what_is_generated() -> None:
    """Shared thresholds, ties, constant trees, unused features, graphs that are no trees, two and three classes."""
    seen: Counter[str] = Counter()

    def look(case: EnsembleCase) -> None:
        ensemble = case.graph
        rule = ensemble.rule
        if isinstance(rule, Majority):
            votes = Counter(ensemble.votes(case.instance)).most_common(2)
            seen["tie"] += len(votes) > 1 and votes[0][1] == votes[1][1]
        else:
            sums = ensemble.tally.sums(ensemble.votes(case.instance))
            sizes = [abs(x) for rows in ensemble.outputs for row in rows for x in row if x]
            seen["sums"] += 1
            seen["equal sums"] += len(set(sums)) < len(sums)
            seen["threshold"] += rule.threshold is not None
            seen["inclusive threshold"] += rule.threshold is not None and rule.threshold.inclusive
            seen["largest sum"] += rule.threshold is None
            seen["base"] += any(rule.base)
            seen["average"] += rule.divided
            seen[f"in {rule.arithmetic.value}"] += 1
            seen["doubt"] += rule.doubt > 0
            seen["slack"] += ensemble.tally.slack > 0
            seen["rounding decides"] += not ensemble.is_settled(case.instance)
            seen["very different size"] += bool(sizes) and max(sizes) > 1e12 * float(min(sizes))
        seen["many trees"] += len(ensemble.trees) > MAX_TREES
        seen[f"{len(ensemble.trees)} trees"] += 1
        seen[f"{len(ensemble.classes)} classes"] += 1
        seen["constant tree"] += any(tree.node_count == 1 for tree in ensemble.trees)
        seen["constant forest"] += all(tree.node_count == 1 for tree in ensemble.trees)
        seen["unused feature"] += any(len(cells) == 1 for cells in ensemble.cells)
        seen["no tree"] += not all(tree.is_tree() for tree in ensemble.trees)
        seen["many thresholds"] += any(len(cells) > 3 for cells in ensemble.cells)

    visit(ensemble_cases(), look, 300, 5)
    wanted = [f"{count} trees" for count in range(1, MAX_TREES + 1)]
    wanted += ["2 classes", "3 classes", "tie", "constant tree", "constant forest", "unused feature", "no tree"]
    wanted += [
        "sums",
        "equal sums",
        "threshold",
        "inclusive threshold",
        "largest sum",
        "base",
        "average",
        "doubt",
        "slack",
    ]
    wanted += ["rounding decides", "very different size", *(f"in {own.value}" for own in Arithmetic)]
    assert seen["many trees"]
    for what in (*wanted, "many thresholds"):
        assert seen[what] >= 5, what


def test_the_command_shows_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look_at(10, monkeypatch)
    few = tuple(bug for bug in BUGS if bug.name in ("clauses-ties-reversed", "boxes-tree-forgotten"))
    monkeypatch.setattr(seeded, "ensemble_bugs", lambda: few)
    page = tmp_path / "bugs.md"
    words = ["--ensembles", "--jobs", "1", "--examples", "60", "--show", "--markdown", str(page)]
    # With two bugs, most properties catch nothing.
    assert main(["properties", "selftest", *words]) == 1
    out = capsys.readouterr().out
    assert "2 of 2 seeded bugs" in out
    assert "boxes-tree-forgotten: Boxes count the last tree for nobody. [Eq. 1 and Eq. 2]" in out
    assert "1 tree, majority, ties to the lowest class" in out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Seeded bugs of the judges of ensembles\n")
    assert "selftest --ensembles" in text


def test_the_command_tries_the_properties(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["properties", "run", "--ensembles", "--examples", "20", "--jobs", "1", "--property", "boxes_answer"]) == 0
    )
    out = capsys.readouterr().out
    assert "again: xpgcheck properties run --ensembles --examples 20 --seed 0 --property boxes_answer" in out
    assert out.endswith("HOLDS: 1 property, 20 cases, 0 violated, 0 inconclusive\n")
    assert main(["properties", "run", "--ensembles", "--property", "soundness"]) == 2
    assert "no property of ensembles is called 'soundness'" in capsys.readouterr().err
    assert main(["properties", "run", "--ensembles", "--size", "5"]) == 2
    assert "--size is for decision graphs; leave --size or --ensembles out" in capsys.readouterr().err
    assert main(["properties", "list", "--ensembles"]) == 0
    assert "votes_are_sums\n    A majority is the largest sum of ones" in capsys.readouterr().out
    assert main(["properties", "list", "--ensembles", "--bugs"]) == 0
    assert "box-sums-slack-twice  (ensemble)\n    Boxes of sums take the slack twice." in capsys.readouterr().out


@pytest.mark.parametrize(("option", "value"), [("--bug", "no-marks"), ("--protocol", None), ("--cases", "folder")])
def test_what_is_for_graphs_alone(option: str, value: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["properties", "selftest", "--ensembles", option, *([value] if value else [])]) == 2
    assert f"{option} is for explainers and oracles of graphs; leave {option} or" in capsys.readouterr().err
