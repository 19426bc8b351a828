"""The line protocol: its schema, its document, and the example in another language."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from published_schemas import fits_schema

from xpgcheck import embedded
from xpgcheck.oracles.answers import Answer
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.subjects import EXPLAINS, JUDGES, abilities
from xpgcheck.readers.json_model import parse_json
from xpgcheck.schemas import schema
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.subjects.process import SubjectProcess
from xpgcheck.subjects.questions import hello
from xpgcheck.subjects.remote import RemoteSubject

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "explainer.js"
PROTOCOL = schema("line-protocol")

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def valid(part: str, value: Any) -> None:
    """Check *value* against a part of the schema."""
    whole = {"$ref": f"#/$defs/{part}", "$defs": PROTOCOL["$defs"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def session() -> list[tuple[str, dict[str, Any]]]:
    """Return the lines of the conversation in the document, each with its arrow."""
    text = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
    block = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert block is not None
    joined = re.sub(r"\n\s+", "", block[1])
    return [(line[0], json.loads(line[2:])) for line in joined.splitlines()]


def questions_of(command: list[str], lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what *command* answers to *lines*."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, encoding="utf-8", timeout=900, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def sets_sorted(answer: Any) -> Any:
    return sorted(answer) if isinstance(answer, list) else answer


class TestSchema:
    def test_every_part_is_described(self) -> None:
        assert all("description" in part for part in PROTOCOL["$defs"].values())

    def test_it_has_every_ability_with_its_arguments(self) -> None:
        assert set(ABILITIES) == {*EXPLAINS, *JUDGES}
        for name, ability in ABILITIES.items():
            part = PROTOCOL["$defs"][f"ask_{name}"]
            assert set(ability.arguments) == set(part["required"]) - {"id", "ask"}
            assert f"answer_{name}" in PROTOCOL["$defs"]

    def test_the_document_has_every_ability_with_its_arguments(self) -> None:
        text = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
        rows = {
            name: row
            for row in re.findall(r"^\| .* \|$", text, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", row.split("|")[1])
        }
        for name, ability in ABILITIES.items():
            assert all(f"`{argument}`" in rows[name] for argument in ability.arguments), name

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("question", {"id": 1, "ask": "axp", "model": "m1"}),
            ("question", {"id": 1, "ask": "axp_inside", "model": "m1", "instance": {}}),
            ("question", {"id": 1, "ask": "axp", "model": "m1", "instance": {}, "seed": [0]}),
            ("question", {"id": 1, "ask": "axp", "model": "m1", "instance": {"a": 1}}),
            ("question", {"id": 1, "ask": "axp", "model": "m1", "instance": {}, "conditions": []}),
            ("question", {"id": 1, "ask": "explain", "model": "m1", "instance": {}}),
            ("question", {"id": 1, "ask": "dual", "axps": [], "cxps": [], "universe": 1, "model": "m1"}),
            ("answer", {"id": 1}),
            ("answer", {"id": 1, "answer": 1, "error": "both"}),
            ("answer", {"answer": 1}),
            ("hello_answer", {"id": 1, "protocol": 1, "name": "x", "can": []}),
            ("hello_answer", {"id": 1, "protocol": 2, "name": "x", "can": ["axp"]}),
            ("answer_axp", [0, 0]),
            ("answer_axp", [-1]),
            ("answer_enumerate", [["XP", []]]),
            ("answer_changeable", {"changeable": True, "witness": ["0"]}),
        ],
    )
    def test_it_refuses_lines_that_are_wrong(self, part: str, value: Any) -> None:
        with pytest.raises(jsonschema.ValidationError):
            valid(part, value)


class TestTraffic:
    @pytest.fixture
    def traffic(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """All questions and their answers, as they go over the wire."""
        seen: list[tuple[dict[str, Any], dict[str, Any]]] = []
        exchange = SubjectProcess.exchange

        def listening(process: SubjectProcess, question: bytes, seconds: float) -> bytes:
            line = exchange(process, question, seconds)
            seen.append((json.loads(question), json.loads(line)))
            return line

        monkeypatch.setattr(SubjectProcess, "exchange", listening)
        return seen

    def test_every_line_between_judge_and_subject_is_in_the_schema(self, traffic: list[Any]) -> None:
        with RemoteSubject.of_python("ours") as subject:
            tried = able(chosen((), smt=False), abilities(subject))
            result = explore(tried, subject, examples=5, seed=3, size=6, seconds=100)
        assert result.findings == []
        asked = {question["ask"] for question, _ in traffic}
        assert asked == {"hello", *ABILITIES}
        seen = set()
        for question, answer in traffic:
            shape = (question["ask"], *sorted(question), str(answer.get("answer"))[:5])
            if shape in seen:
                continue
            seen.add(shape)
            if question["ask"] == "hello":
                valid("hello", question)
                valid("hello_answer", answer)
                continue
            valid("question", question)
            valid("answer", answer)
            valid(f"answer_{question['ask']}", answer["answer"])
            if "graph" in question:
                fits_schema(question["graph"], "decision-graph")

    def test_a_graph_is_sent_once_and_at_most_sixteen_models_are_alive(self, traffic: list[Any]) -> None:
        model = embedded.load("hardware")
        graphs = [parse_json(_renamed(model.graph, number)) for number in range(20)]
        with RemoteSubject.of_python("textbook") as subject:
            for graph in [*graphs, *graphs[-16:], graphs[0]]:
                assert subject.predict(graph, model.instances[0]) == model.graph.kappa(model.instances[0])
        alive: set[str] = set()
        for question, _ in traffic[1:]:
            alive -= set(question.get("forget", ()))
            assert ("graph" in question) == (question["model"] not in alive)
            alive.add(question["model"])
            # One more than that while the question is under way that is to forget it.
            assert len(alive) <= 17
        assert [("graph" in question) for question, _ in traffic[1:]] == [True] * 20 + [False] * 16 + [True]

    def test_a_settle_question_has_what_the_oracles_said(self, traffic: list[Any]) -> None:
        class Says:
            name, engine = "somebody", "z3"

            def changeable(self, fixed: object) -> Answer:
                return Answer(None, None, "somebody", "no time")

        model = embedded.load("hardware")
        with RemoteSubject.of_python("ours") as subject:
            assert subject.settle(model.graph, model.instances[0], frozenset([1, 0]), [Says()]) is None
        question = traffic[1][0]
        assert question["fixed"] == [0, 1]
        said = {"changeable": None, "witness": None, "reason": "no time"}
        assert question["oracles"] == [{"name": "somebody", "engine": "z3", "answer": said}]


def _renamed(graph: Any, number: int) -> bytes:
    from xpgcheck.writers.json_model import model_json

    record = json.loads(model_json(graph))
    record["name"] = f"copy {number}"
    return json.dumps(record).encode()


class TestDocument:
    def test_its_conversation_is_in_the_schema(self) -> None:
        lines = session()
        assert [arrow for arrow, _ in lines] == ["→", "←"] * (len(lines) // 2)
        asked: dict[int, str] = {}
        for arrow, line in lines:
            if arrow == "→":
                asked[line["id"]] = line["ask"]
                valid("hello" if line["ask"] == "hello" else "question", line)
            elif asked[line["id"]] == "hello":
                valid("hello_answer", line)
            else:
                valid("answer", line)
                valid(f"answer_{asked[line['id']]}", line["answer"])

    def test_it_begins_as_conversations_do(self) -> None:
        assert json.loads(hello(1)) == session()[0][1]

    @pytest.mark.parametrize(
        "command",
        [
            pytest.param(["node", str(EXAMPLE)], marks=needs_node, id="explainer.js"),
            pytest.param([sys.executable, "-m", "xpgcheck.subjects.serve", "textbook"], id="textbook"),
            pytest.param([sys.executable, "-m", "xpgcheck.subjects.serve", "ours"], id="ours"),
        ],
    )
    def test_its_answers_are_those_that_explainers_give(self, command: list[str]) -> None:
        lines = session()
        answers = questions_of(command, [line for arrow, line in lines if arrow == "→"])
        shown = [line for arrow, line in lines if arrow == "←"]
        assert answers[0]["protocol"] == 1
        for answer, expected in zip(answers[1:], shown[1:], strict=True):
            assert answer["id"] == expected["id"]
            assert sets_sorted(answer["answer"]) == sets_sorted(expected["answer"])


@needs_node
class TestExample:
    def test_it_is_short(self) -> None:
        assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 150

    def test_it_has_every_property_that_it_can_be_judged_by(self) -> None:
        with RemoteSubject.of_command(f"node '{EXAMPLE}'") as subject:
            assert subject.name == "explainer.js"
            tried = able(chosen((), smt=False), abilities(subject))
            result = explore(tried, subject, examples=60, seed=1, size=8, seconds=100)
            assert result.findings == []
            assert subject.counters.restarts == 0
        assert all(tally.held for tally in result.tallies.values())

    def test_a_bug_in_it_is_found(self, tmp_path: Path) -> None:
        text = EXAMPLE.read_text(encoding="utf-8")
        spoilt = text.replace('below >= (right === ")" ? 1 : 0)', "below >= 0")
        assert spoilt != text
        (tmp_path / "spoilt.js").write_text(spoilt, encoding="utf-8")
        with RemoteSubject(["node", str(tmp_path / "spoilt.js")]) as subject:
            tried = able(chosen((), smt=False), abilities(subject))
            result = explore(tried, subject, examples=200, seed=1, size=8, seconds=100, shrink=False, first_only=True)
        assert [finding.verdict for finding in result.findings] == ["ineffective"]
