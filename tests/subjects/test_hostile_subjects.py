"""Hostile subjects in processes of their own: the right verdict, in time, nothing left behind, and the next one answered."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from subject_cases import BAD, GOOD, small_graph

from xpgcheck.properties.verdicts import SubjectFault
from xpgcheck.subjects.limits import MEBIBYTE, Limits
from xpgcheck.subjects.remote import RemoteSubject

HOSTILE = Path(__file__).parent / "hostile"

TIGHT = Limits(seconds=2.0, memory=300 * MEBIBYTE, processes=20, line=MEBIBYTE, chatter=100_000)
PATIENT = Limits(seconds=300.0, memory=300 * MEBIBYTE, processes=20, line=MEBIBYTE, chatter=100_000)

FATES = {
    "raises": ("crash", "exit status 1, after 'RuntimeError: no' on stderr|exit status 1, after 'idea' on stderr"),
    "hangs": ("timeout", "after 2 s"),
    "leaves": ("crash", "exit status 7"),
    "segfaults": ("crash", "SIGSEGV"),
    "forks": ("crash", "over 20 processes"),
    "writes_without_end": ("malformed answer", "over 100000 bytes"),
    "writes_lines_without_end": ("malformed answer", "over 100000 bytes"),
    "writes_an_endless_answer": ("malformed answer", "a line of over 1048576 bytes"),
    "ends_within_an_answer": ("malformed answer", r"its end within an answer \(it ended with exit status 0\)"),
    "answers_no_json": ("malformed answer", "malformed"),
    "answers_the_last_question": ("malformed answer", "question 3 it answers question 2"),
    "answers_twice": ("malformed answer", "two answers"),
    "answers_before_it_is_asked": ("malformed answer", "two answers"),
    "answers_late": ("timeout", "after 2 s"),
    "answers_a_huge_number": ("malformed answer", "out of range"),
    "answers_too_deep": ("malformed answer", "recursion"),
    "answers_words": ("malformed answer", "Expected `int`, got `str`"),
    "answers_an_object": ("malformed answer", "Expected `array`, got `object`"),
    "answers_nothing": ("malformed answer", "not one of answer, error, unsupported"),
    "takes_memory": ("memory", "over 300 MiB"),
    "takes_memory_in_a_daemon": ("memory", "over 300 MiB"),
    "closes_its_output": ("crash", "closed its output"),
    "closes_its_input": ("timeout", "after 2 s"),
    "ignores_signals": ("timeout", "after 2 s"),
    "swallows_exceptions": ("timeout", "after 2 s"),
    "writes_errors_without_end": ("timeout", "after 2 s, after 'o[hno ]*' on stderr"),
    "leaves_a_daemon": ("crash", "exit status 3"),
    "hides_its_children": ("timeout", "after 2 s"),
}
"""The verdict on each script's answer, and what the evidence says."""


def running(mark: str) -> list[int]:
    """Return the processes whose environment holds *mark*, zombies not counted."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and mark in process.environ().values():
                found.append(process.pid)
    return found


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark in the environment of all subjects; none of them runs when the test is over, and no file stays open."""
    value = f"{os.getpid()}-{time.monotonic_ns()}"
    monkeypatch.setenv("XPGCHECK_MARK", value)
    files = Path("/proc/self/fd")
    before = len(list(files.iterdir())) if files.exists() else 0
    yield value
    assert running(value) == []
    assert before == (len(list(files.iterdir())) if files.exists() else 0)


def script(name: str, limits: Limits = TIGHT) -> RemoteSubject:
    return RemoteSubject([sys.executable, str(HOSTILE / f"{name}.py")], limits=limits)


def test_every_hostile_script_has_a_fate() -> None:
    others = {"talk", "chatters", "answers_twice_slowly", "reads_no_more"}
    assert {path.stem for path in HOSTILE.glob("*.py")} - others == set(FATES)


@pytest.mark.parametrize("name", sorted(FATES))
def test_a_hostile_subject_gets_its_verdict_and_the_next_question_is_answered(name: str, mark: str) -> None:
    verdict, evidence = FATES[name]
    graph = small_graph()
    # But for those that are late: long enough for the busiest machine, far longer than the verdict takes.
    with script(name, TIGHT if verdict == "timeout" else PATIENT) as subject:
        assert subject.axp(graph, GOOD) == [1]
        with pytest.raises(SubjectFault) as caught:
            subject.axp(graph, BAD)
        assert caught.value.verdict == verdict
        assert re.search(evidence, caught.value.evidence), caught.value.evidence
        assert "\n" not in caught.value.evidence
        assert running(mark) == []
        assert subject.axp(graph, GOOD) == [1]
        assert subject.counters.restarts == 1


def test_a_second_answer_that_comes_later_is_a_fault_of_the_next_question(mark: str) -> None:
    graph = small_graph()
    with script("answers_twice_slowly", PATIENT) as subject:
        assert subject.axp(graph, BAD) == [1]
        with pytest.raises(SubjectFault, match=r"id\W+2|question 3 it answers question 2"):
            subject.axp(graph, GOOD)
        assert subject.axp(graph, BAD) == [1]
        # The second answer is there once it is in the pipe.
        time.sleep(1)
        with pytest.raises(SubjectFault, match="malformed answer: a line that nothing had asked for"):
            subject.axp(graph, GOOD)


def test_a_subject_that_reads_no_more_is_late_and_the_judge_does_not_wait_for_its_pipe(mark: str) -> None:
    with script("reads_no_more") as subject, pytest.raises(SubjectFault, match="timeout: no answer after 2 s"):
        subject.axp(small_graph(extra=20_000), BAD + (False,) * 20_000)


def test_all_processes_end_with_the_conversation(mark: str) -> None:
    with script("hangs") as subject:
        subject.axp(small_graph(), GOOD)
        assert len(running(mark)) == 1
    assert running(mark) == []


def test_processes_end_with_an_interrupt_of_the_judge(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with script("hangs") as subject:
        monkeypatch.setattr("xpgcheck.subjects.family.ProcessFamily.usage", interrupt)
        with pytest.raises(KeyboardInterrupt):
            subject.axp(small_graph(), BAD)
        monkeypatch.undo()
        assert running(mark) == []


def test_a_judge_that_was_suspended_does_not_blame_the_subject(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time jumps by an hour while the answer is awaited."""
    clock = iter([0.0, 0.0, 0.0])
    late = time.monotonic

    class Clock:
        sleep = staticmethod(time.sleep)

        @staticmethod
        def monotonic() -> float:
            return next(clock, late() + 3600)

    with script("answers_late", Limits(seconds=8.0)) as subject:
        subject.axp(small_graph(), GOOD)
        monkeypatch.setattr("xpgcheck.subjects.process.time", Clock)
        assert subject.axp(small_graph(), BAD) == [1]


@pytest.mark.parametrize("name", ["Chatters", "SpoilsItsStreams"])
def test_what_a_python_subject_prints_and_reads_does_not_disturb(
    name: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(HOSTILE))
    with RemoteSubject.of_python(f"chatters:{name}") as subject:
        assert [subject.axp(small_graph(), GOOD) for _ in range(3)] == [[1]] * 3
        assert subject.counters.restarts == 0
    if name == "Chatters":
        assert "from C" in subject.last_stderr
        assert "{thinking}" in subject.last_stderr


def test_a_python_subject_that_closes_every_file_has_crashed(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HOSTILE))
    graph = small_graph()
    with RemoteSubject.of_python("chatters:ClosesAll") as subject:
        with pytest.raises(SubjectFault, match="crash: it ended with exit status"):
            subject.axp(graph, BAD)
        assert subject.axp(graph, GOOD) == [1]


def test_without_the_search_by_token_a_daemon_would_be_left(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check that nothing is left can fail."""
    monkeypatch.setattr("xpgcheck.subjects.family.TOKEN", "XPGCHECK_NO_TOKEN")
    with script("leaves_a_daemon") as subject, pytest.raises(SubjectFault):
        subject.axp(small_graph(), BAD)
    left = running(mark)
    assert len(left) == 1
    for pid in left:
        psutil.Process(pid).kill()
        psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [])
