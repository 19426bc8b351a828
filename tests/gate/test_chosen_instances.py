"""Instances that are chosen: the rare class, every terminal, both sides of a threshold, a large AXp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xpgcheck.cli.main import main
from xpgcheck.deck.storage import ReadCase, read_case, read_deck
from xpgcheck.gate.chosen import MOST, chosen_points
from xpgcheck.writers.json_model import model_json


def case(name: str) -> ReadCase:
    return read_case(next(case for case in read_deck().cases if case.name == name))


def test_the_one_point_of_a_rare_class_is_asked() -> None:
    graph = case("AND of 14").graph
    points, words = chosen_points(graph)
    assert {graph.kappa(point) for point in points} == {0, 1}
    assert "2 classes, 2 of 2 terminals" in words
    assert "an AXp of 14 features" in words


def test_every_terminal_is_reached_and_no_point_comes_twice() -> None:
    graph = case("complete tree of depth 6").graph
    points, words = chosen_points(graph)
    terminals = {graph.terminal(point) for point in points}
    assert len(terminals) == 64
    assert "64 of 64 terminals" in words
    assert len(set(points)) == len(points) <= MOST


def test_a_threshold_is_asked_on_and_next_to_it() -> None:
    graph = case("values beyond 2^53").graph
    points, _ = chosen_points(graph)
    values = {point[0] for point in points}
    ends = {(1 << 53) + 2, (1 << 53) + 3}
    assert ends <= values


def test_more_than_there_is_room_for_is_said() -> None:
    points, words = chosen_points(case("complete tree of depth 9").graph, most=50)
    assert len(points) <= 50
    assert "of 512 terminals" in words
    assert "without room" in words


class Cut:
    """Right but for AXps of more than ten features, which are cut."""

    name = "cut"

    def axp(self, graph: Any, instance: Any) -> Any:
        from xpgcheck.xpg.explanation_graph import explanation_graph
        from xpgcheck.xpg.find_one import find_axp

        return sorted(find_axp(explanation_graph(graph, instance)))[:10]


def test_a_bug_at_the_rare_point_of_a_users_model_is_found(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    file = tmp_path / "and14.json"
    file.write_text(model_json(case("AND of 14").graph))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    words = ["gate", "test_chosen_instances:Cut", "--model", str(file), "--examples", "0", "--jobs", "1"]
    assert main(words) == 1
    assert "insufficient" in capsys.readouterr().out
