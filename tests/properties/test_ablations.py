"""Leaving out an assumption makes exactly the properties fail that need it."""

from __future__ import annotations

import pytest

from xpgcheck.cli.main import main
from xpgcheck.properties import ablations
from xpgcheck.properties.ablations import ABLATIONS, Ablation, ablate
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.properties.running import engine
from xpgcheck.properties.running.engine import SHRINK_SECONDS


@pytest.fixture(autouse=True)
def _unshrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take cases as they are found; small ones are looked for among small graphs, as far as the test asks."""
    monkeypatch.setattr(ablations, "SMALL_SIZES", ())
    monkeypatch.setattr(engine, "SHRINK_SECONDS", 0.0)


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda a: a.name)
def test_no_property_fails_that_should_hold(ablation: Ablation) -> None:
    result = ablate(ablation, examples=60)
    assert result.failed
    assert result.failed <= ablation.fails
    assert "sigma_is_monotone" in result.held


@pytest.mark.slow
@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda a: a.name)
def test_exactly_the_properties_fail_that_are_named(ablation: Ablation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablations, "SMALL_SIZES", (4,))
    # The last one fails within 250 cases.
    result = ablate(ablation, examples=800)
    assert result.failed == ablation.fails
    assert min(finding.nodes for finding in result.findings) <= 2


def test_ablations_name_properties_that_exist() -> None:
    known = {p.name for p in all_properties()}
    for ablation in ABLATIONS:
        assert ablation.fails | ablation.not_tried <= known


def test_sufficiency_needs_no_consistent_paths_and_need_no_cover() -> None:
    """Closed sets are sound on any graph, so every AXp suffices without (ii); CXps are effective without (i)."""
    by_name = {a.name: a.fails for a in ABLATIONS}
    assert not {"an_axp_suffices", "every_listed_axp_suffices"} & by_name["without (ii)"]
    assert "every_listed_cxp_can_change_the_class" not in by_name["without (i)"]


def test_the_command_shows_the_smallest_graph(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "SHRINK_SECONDS", SHRINK_SECONDS)
    assert main(["properties", "ablations", "--ablation", "Algorithm 1 as printed", "--examples", "100"]) == 0
    out = capsys.readouterr().out
    assert "fails: a_traversal_takes_each_node_once: " in out
    assert " nodes are taken up on a graph of " in out
    assert "|--- f" in out
    assert out.endswith("AS STATED: 1 of 1 ablations\n")


def test_the_command_fails_where_something_else_fails(capsys: pytest.CaptureFixture[str]) -> None:
    # Too few cases to see everything fail.
    assert main(["properties", "ablations", "--ablation", "without (i)", "--examples", "2"]) == 1
    out = capsys.readouterr().out
    assert "should fail, and was not seen to: " in out
    assert out.endswith("NOT AS STATED: 0 of 1 ablations\n")


def test_an_unknown_ablation_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["properties", "ablations", "--ablation", "nothing"]) == 2
    assert "no ablation is called 'nothing'" in capsys.readouterr().err
