"""The deck in a run of the gate: what hangs on earlier questions is told, coverage has floors, failures are listed."""

from __future__ import annotations

import csv
import re
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.cli.gate_command import command
from xpgcheck.cli.main import main
from xpgcheck.deck.building import certified_case, graph_document
from xpgcheck.deck.certifying import compared_families
from xpgcheck.deck.designs import KINDS
from xpgcheck.deck.random_cases import drawn_case
from xpgcheck.deck.storage import read_case, read_deck
from xpgcheck.gate.plan import Cases, GatePlan, opener
from xpgcheck.gate.profiles import GATE_PROFILES
from xpgcheck.gate.run import DRAWN_SHARE, gate
from xpgcheck.gate.saving import case_text
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.subjects.limits import Limits
from xpgcheck.writers.json_model import model_json

FLOOR = 2
"""Cases like the deck's that a default run has at least of each kind."""


def test_a_default_run_has_some_of_each_kind() -> None:
    for seed in range(5):
        count = GATE_PROFILES["default"].examples // DRAWN_SHARE
        kinds = Counter(kind for number in range(count) for kind in drawn_case(seed, number).kinds)
        assert all(kinds[kind] >= FLOOR for kind in KINDS if kind != "state"), kinds


def test_cases_that_are_drawn_are_right_by_two_routes() -> None:
    for number in range(30):
        case = read_case(certified_case(drawn_case(11, number), compared_families))
        assert case.points
    first, again = (graph_document(drawn_case(1, 4)) for _ in range(2))
    assert first == again


WAVERS = """
from xpgcheck.properties.seeded.textbook import Textbook

class AfterSixty(Textbook):
    name = "after sixty"
    can = ["axp"]
    asked_so_far = 0

    def axp(self, graph, instance):
        self.asked_so_far += 1
        return range(len(instance)) if self.asked_so_far > 60 else super().axp(graph, instance)
"""


def test_what_depends_on_earlier_questions_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wavering_subject.py").write_text(WAVERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    plan = GatePlan(opener("wavering_subject:AfterSixty", None, Limits()), Cases(0, 0, 12), seconds=60, deck=True)
    report = gate(plan)
    (finding,) = [f for f in report.findings if f.outcome is Outcome.VIOLATED]
    assert finding.text.startswith("depends on earlier questions: asked first it answers rightly, and wrongly after ")
    assert case_text(finding, "after sixty")


class Cut:
    """Right but for AXps of more than ten features, which are cut."""

    name = "cut"

    def axp(self, graph: Any, instance: Any) -> Any:
        from xpgcheck.xpg.explanation_graph import explanation_graph
        from xpgcheck.xpg.find_one import find_axp

        return sorted(find_axp(explanation_graph(graph, instance)))[:10]


def test_two_models_share_a_file_of_instances_and_every_failure_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for name in ("AND of 14", "AND of 20"):
        graph = read_case(next(case for case in read_deck().cases if case.name == name)).graph
        (tmp_path / f"{name}.json").write_text(model_json(graph).replace('"deck"', f'"{name}"'))
    heads = [f"f{i}" for i in range(20)]
    rows = [["0"] * 20, ["1"] * 20]
    table = tmp_path / "rows.csv"
    table.write_text("\n".join(",".join(row) for row in [heads, *rows]) + "\n")
    models = [word for name in ("AND of 14", "AND of 20") for word in ("--model", str(tmp_path / f"{name}.json"))]
    failures, junit = tmp_path / "failures.csv", tmp_path / "junit.xml"
    words = ["gate", "test_deck_in_gates:Cut", *models, "--instances", str(table), "--ignore-extra-columns"]
    words += ["--examples", "0", "--jobs", "1", "--all-failures", str(failures), "--junit", str(junit), "--quiet"]
    assert main(words) == 1
    with failures.open(newline="") as file:
        listed = list(csv.DictReader(file))
    assert [row["verdict"] for row in listed] == ["insufficient", "insufficient"]
    assert [row["place"].split(",")[0] for row in listed] == ["AND of 14", "AND of 20"]
    text = junit.read_text()
    assert 'name="AND of 14"' in text
    assert "1 of 2 claims wrong" in text


def test_a_run_ends_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    plan = GatePlan(
        opener("test_deck_in_gates:Cut", None, Limits()), Cases(30, 0, 12), seconds=60, deck=True, stop_first=True
    )
    report = gate(plan)
    assert report.outcome() is Outcome.VIOLATED
    assert report.cases["of the deck"] < read_deck().number_of_tests
    assert not report.cases["generated"]


def test_the_hook_and_the_action_name_commands_that_there_are() -> None:
    root = Path(__file__).parents[2]
    assert "entry: xpgcheck gate\n" in (root / ".pre-commit-hooks.yaml").read_text()
    action = (root / "action.yml").read_text()
    assert 'xpgcheck gate "$SUBJECT" $ARGUMENTS' in action
    assert "--github" in action
    known = {name for param in command.params for name in param.opts}
    assert {"--github", "--sarif"} <= set(re.findall(r"--[\w-]+", action)) <= known


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_counts_what_was_asked_of_the_deck(jobs: int) -> None:
    judged = 0

    def advance(count: int) -> None:
        nonlocal judged
        judged += count
        if judged >= 40:
            # In a thread, where units are under way in processes: as a key that is pressed.
            signal.raise_signal(signal.SIGINT)

    plan = GatePlan(opener("ours", None, Limits()), Cases(1, 0, 12), seconds=60, deck=True)
    with pytest.raises(KeyboardInterrupt) as interrupt:
        gate(plan, jobs, advance)
    done, _, total, *said = str(interrupt.value).replace(",", "").split()
    assert 40 <= int(done) < read_deck().number_of_tests
    assert int(total) == read_deck().number_of_tests + 1
    assert said == ["cases", "are", "judged;", "HOLDS", "so", "far"]
