"""``--trace``: every question and answer with its time, whatever becomes of the subject, and never too much of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from subject_cases import BAD, small_graph

from xpgcheck.cli.main import main
from xpgcheck.properties.verdicts import SubjectFault
from xpgcheck.subjects.limits import Limits
from xpgcheck.subjects.remote import RemoteSubject
from xpgcheck.subjects.trace import MOST_TEXT, ProtocolTrace

HOSTILE = Path(__file__).parent / "hostile"


def records(path: Path) -> list[dict[str, Any]]:
    """Return the records but the head."""
    head, *rest = map(json.loads, path.read_text().splitlines())
    assert (head["format"], head["version"]) == ("xpgcheck-protocol-trace", 1)
    return rest


@pytest.mark.parametrize(("script", "said"), [("leaves", "crash: it ended with exit status 7"), ("hangs", "timeout: ")])
def test_the_last_question_of_who_dies_or_hangs_is_there(script: str, said: str, tmp_path: Path) -> None:
    trace = ProtocolTrace.begun(tmp_path / "trace.jsonl")
    command = [sys.executable, str(HOSTILE / f"{script}.py")]
    graph = small_graph()
    with RemoteSubject(command, limits=Limits(seconds=0.5), trace=trace) as subject, pytest.raises(SubjectFault):
        subject.axp(graph, BAD)
    hello, greeting, question, fault = records(trace.path)
    assert [r["message"] for r in (hello, greeting, question, fault)] == ["question", "answer", "question", "fault"]
    assert json.loads(hello["text"])["ask"] == "hello"
    assert json.loads(question["text"])["ask"] == "axp"
    assert question["bytes"] == len(question["text"])
    assert fault["text"].startswith(said)
    assert 0 <= hello["seconds"] <= question["seconds"] <= fault["seconds"] < 60
    assert len({r["process"] for r in (hello, question, fault)}) == 1


def test_long_messages_are_cut_and_a_long_trace_ends(tmp_path: Path) -> None:
    trace = ProtocolTrace.begun(tmp_path / "trace.jsonl", most_bytes=20_000)
    for _ in range(9):
        trace.note("answer", 7, b"\xc3" + b"x" * 10_000)
    *whole, last = records(trace.path)
    assert {record["bytes"] for record in whole} == {10_001}
    assert {len(record["text"]) for record in whole} == {MOST_TEXT}
    assert last == {"full": "no record after 20,000 bytes"}
    assert trace.path.stat().st_size < 20_000 + 2 * MOST_TEXT
    (tmp_path / "trace.jsonl").unlink()
    trace.note("answer", 7, b"the run goes on")


def test_the_gate_writes_it_with_several_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "trace.jsonl"
    words = ["--no-models", "--no-deck", "--examples", "4", "--no-properties", "--jobs", "1", "-q"]
    assert main(["gate", "textbook", *words, "--trace", str(path)]) == 0
    found = records(path)
    asked = [json.loads(r["text"])["ask"] for r in found if r["message"] == "question" and r["bytes"] < MOST_TEXT]
    assert {"hello", "axp", "cxp", "enumerate"} <= set(asked)
    assert len(found) % 2 == 0
    # One process is asked what it can, another one is judged.
    assert len({r["process"] for r in found}) == 2
    capsys.readouterr()
    assert main(["gate", "textbook", *words, "--trace", str(tmp_path / "nowhere" / "t")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err
