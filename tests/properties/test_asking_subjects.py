"""Whatever a subject does inside a property ends in a verdict with its message."""

from __future__ import annotations

import importlib
import importlib.util
import signal
import sys
import threading
import time
from fractions import Fraction
from typing import Any

import hostile_subjects as hostile
import pytest

from xpgcheck import embedded
from xpgcheck.properties import asking
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.properties.running.trying import try_one
from xpgcheck.properties.subjects import abilities, subject_name
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import SubjectFault, Violation

# Loaded with this module: a process can load numpy once, and within a test a time limit may come upon it, or pytester
# forget it afterwards.
numpy: Any = importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None

MODEL = embedded.load("hardware")
CASE = Case(MODEL.graph, MODEL.paper_instance)
PROPERTIES = {p.name: p for p in all_properties()}


def verdict(subject: Any, name: str = "an_axp_suffices", seconds: float = 5.0) -> Violation:
    tally, violation = try_one(PROPERTIES[name], CASE, subject, seconds)
    assert tally.failed == 1
    assert violation is not None
    return violation


@pytest.mark.parametrize(
    ("subject", "word", "text"),
    [
        (hostile.Raises(), "crash", "axp raised RuntimeError: no\\nidea"),
        (hostile.Exits(), "crash", "axp raised SystemExit: 0"),
        (hostile.Recurses(), "crash", "axp raised RecursionError"),
        (hostile.RunsOutOfMemory(), "memory", "axp ran out of memory"),
    ],
)
def test_an_exception_is_a_crash_with_its_message(subject: Any, word: str, text: str) -> None:
    found = verdict(subject)
    assert found.verdict == word
    assert text in found.evidence
    assert "\n" not in found.evidence


@pytest.mark.parametrize("subject", [hostile.Hangs(), hostile.HangsStubbornly()])
def test_a_hang_is_a_timeout(subject: Any) -> None:
    # Both would hang for an hour.
    assert verdict(subject, seconds=0.2).verdict == "timeout"


def test_an_endless_answer_is_malformed() -> None:
    assert verdict(hostile.YieldsForEver()).verdict == "malformed answer"
    assert verdict(hostile.ListsForEver(), "no_xp_is_listed_twice", seconds=20).verdict == "malformed answer"


def test_an_enumeration_that_raises_midway_is_a_crash() -> None:
    found = verdict(hostile.RaisesMidway(), "no_xp_is_listed_twice")
    assert found.verdict == "crash"
    assert "enumerate raised KeyError" in found.evidence
    assert "midway" in found.evidence


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (None, "not a set of feature indices: None"),
        (3, "not a set of feature indices: 3"),
        ("03", "not a set of feature indices"),
        (b"\0", "not a set of feature indices"),
        ({0.0}, "not an integer: 0.0"),
        ([True], "not an integer: True"),
        (["Age"], "not an integer"),
        ({Fraction(1)}, "not an integer"),
        ([0, 0], "a feature is named twice"),
        ([4], "it names feature 4 of a model with 4 features"),
        ([-1], "it names feature -1"),
        (hostile.BadRepr(), "whose repr raises ValueError"),
        ({0: "Age"}.items(), "not an integer"),
    ],
)
def test_a_wrong_type_is_a_malformed_answer(answer: Any, text: str) -> None:
    found = verdict(hostile.Answers(answer))
    assert found.verdict == "malformed answer"
    assert text in found.evidence


@pytest.mark.skipif(numpy is None, reason="numpy is not installed")
def test_what_counts_as_an_index_is_one() -> None:
    assert asking.features(numpy.array([0, 3]), 4) == {0, 3}
    assert asking.truth(numpy.bool_(True)) is True
    assert asking.truth(numpy.array(False)) is False
    with pytest.raises(SubjectFault, match="not True or False"):
        asking.truth(numpy.int64(1))
    assert asking.features(iter((1, 2)), 4) == {1, 2}


@pytest.mark.parametrize("answer", [1, 0, None, "yes", [True]])
def test_a_yes_or_no_is_a_bool(answer: Any) -> None:
    with pytest.raises(SubjectFault, match="not True or False"):
        asking.truth(answer)


def test_the_signal_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    verdict(hostile.Hangs(), seconds=0.05)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class HangsInAFinalizer:
    """Hangs where an exception is printed and passed over, and when that has come, elsewhere."""

    def axp(self, *_: Any) -> Any:
        class Solver:
            def __del__(self) -> None:
                while True:
                    pass

        Solver()
        while True:
            pass


def test_a_timeout_that_comes_upon_a_finalizer_is_not_lost_and_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    hook = sys.unraisablehook
    assert verdict(HangsInAFinalizer(), seconds=0.1).verdict == "timeout"
    assert capfd.readouterr().err == ""
    assert sys.unraisablehook is hook


def test_in_another_thread_nothing_limits_and_nothing_breaks() -> None:
    answers: list[Any] = []
    thread = threading.Thread(
        target=lambda: answers.append(asking.ask(hostile.mine(), "axp", (None, None), lambda a: a, 1.0))
    )
    thread.start()
    thread.join()
    assert answers == [{0}]


def test_a_keyboard_interrupt_of_the_user_is_not_swallowed() -> None:
    class Interrupted:
        def axp(self, *_: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asking.ask(Interrupted(), "axp", (), lambda a: a, 1.0)


class SetsAlarms:
    """Sets an alarm of its own, as one does to limit a solver, and hangs in another answer."""

    def axp(self, graph: Any, instance: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(5)
        signal.alarm(0)
        return {0, 3}

    def cxp(self, graph: Any, instance: Any) -> Any:
        while True:
            pass


def test_an_alarm_of_the_subjects_own_does_not_switch_ours_off() -> None:
    subject = SetsAlarms()
    with Trial(CASE, subject, 0.2) as trial:
        assert trial.axp() == {0, 3}
        with pytest.raises(SubjectFault) as caught:
            trial.cxp()
    assert caught.value.verdict == "timeout"


def test_a_recursion_limit_that_a_subject_sets_is_put_back() -> None:
    class Shallow:
        def axp(self, *_: Any) -> Any:
            sys.setrecursionlimit(150)
            return {0, 3}

    before = sys.getrecursionlimit()
    assert asking.ask(Shallow(), "axp", (), lambda a: a, 1.0) == {0, 3}
    assert sys.getrecursionlimit() == before


def test_a_generator_exit_of_a_subject_is_a_crash() -> None:
    class Leaves:
        def axp(self, *_: Any) -> Any:
            raise GeneratorExit

    assert verdict(Leaves()).verdict == "crash"


def test_a_graph_that_a_subject_changes_is_put_back_and_said() -> None:
    class Changes:
        def axp(self, graph: Any, instance: Any) -> Any:
            object.__setattr__(graph, "classes", ("x",))
            return {0, 3}

    found = verdict(Changes())
    assert found.verdict == "changed the graph"
    assert "classes" in found.evidence
    assert CASE.graph.classes != ("x",)


def test_attributes_that_raise_are_no_abilities_and_no_name() -> None:
    class Hostile:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    assert abilities(Hostile()) == frozenset()
    assert subject_name(Hostile()) == "Hostile"


def test_a_process_that_was_suspended_is_not_late() -> None:
    """One tick comes for all the time that a process was stopped; here it is lost to a handler that is held back."""

    class Suspended:
        def axp(self, *_: Any) -> Any:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(0.6)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
            return {0, 3}

    with Trial(CASE, Suspended(), 0.3) as trial:
        assert trial.axp() == {0, 3}
