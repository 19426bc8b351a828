"""Earlier questions to a subject are recorded: an answer that hangs on them is told, with few questions before it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.gate.results import Finding
from xpgcheck.properties import asking
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.wording import counted

MAX_STARTS = 12
"""Times that a subject is started again to find few earlier questions that an answer hangs on."""

SLOW = 5.0
"""Seconds that the earlier questions of one try may take: of slow subjects not all are asked again."""

Question = tuple[str, tuple[Any, ...]]
"""An ability, and the arguments that it was asked with."""


class Recorder:
    """A subject that remembers its questions, in order; everything else it hands on.  A context manager."""

    def __init__(self, subject: Any) -> None:
        self._subject = subject
        self.asked: list[Question] = []

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._subject, name)
        if name not in ABILITIES:
            return found

        def ask(*arguments: Any) -> Any:
            self.asked.append((name, arguments))
            return found(*arguments)

        return ask


@dataclass(frozen=True, slots=True)
class Asked:
    """When something was found: how many questions *recorder* had when its case was done.

    ``new``: the process was started for these questions, and another one had answered this one rightly.
    """

    place: int
    recorder: Recorder
    new: bool = False


def earlier_questions(
    opened: Callable[[], Any],
    asked: Asked,
    found: Finding[Any],
    is_wrong: Callable[[Any, Finding[Any]], bool],
    seconds: float,
) -> str:
    """Return what is to be said of *found* where it hangs on what was asked before it, else "".

    A subject that was just started is asked alone; if that answer is right, those of the questions before are looked for
    that make it wrong: the last few, then fewer of these.  At most ``MAX_STARTS`` starts.
    """
    starts = 0

    def wrong_after(before: Sequence[Question]) -> bool:
        nonlocal starts
        starts += 1
        try:
            with opened() as subject:
                _ask_all(subject, before, seconds)
                return is_wrong(subject, found)
        except InputError:
            return True

    if wrong_after(()):
        text = f"depends on earlier questions: asked first it answers wrongly, and rightly after others: {found.text}"
        return text if asked.new else ""
    history = _up_to_the_last(asked.recorder.asked[: asked.place], found)
    kept: Sequence[Question] | None = None
    size = 1
    while starts < MAX_STARTS // 2:
        if wrong_after(history[-size:]):
            kept = history[-size:]
            break
        if size >= len(history):
            break
        size = min(len(history), size * 8)
    if kept is None:
        return f"not deterministic, asked alone and after the same questions it answered otherwise: {found.text}"
    kept = _fewer(kept, wrong_after, lambda: starts < MAX_STARTS)
    last = _words(kept[-1]) if kept else ""
    return (
        f"depends on earlier questions: asked first it answers rightly, and wrongly after {counted(len(kept), 'other')}"
        f" (the last: {last}): {found.text}"
    )


def _is_of(question: Question, found: Finding[Any]) -> bool:
    ability, arguments = question
    return ability == found.about and arguments[0] is found.case.graph and arguments[1] is found.case.instance


def _up_to_the_last(history: list[Question], found: Finding[Any]) -> list[Question]:
    """Return the questions before the last time that the one of *found* was asked."""
    last = max((k for k, question in enumerate(history) if _is_of(question, found)), default=len(history))
    return history[:last]


def _fewer(kept: Sequence[Question], wrong_after: Callable[..., bool], go_on: Callable[[], bool]) -> Sequence[Question]:
    """Return a part of *kept* after which the answer is wrong still: halves are left out as long as that goes."""
    parts = 2
    while len(kept) > 1 and go_on():
        width = -(-len(kept) // parts)
        for start in range(0, len(kept), width):
            rest = [*kept[:start], *kept[start + width :]]
            if go_on() and wrong_after(rest):
                kept, parts = rest, max(2, parts - 1)
                break
        else:
            if width == 1:
                break
            parts = min(len(kept), parts * 2)
    return kept


def _ask_all(subject: Any, questions: Sequence[Question], seconds: float) -> None:
    with asking.alarm(seconds):
        for ability, arguments in questions:
            with contextlib.suppress(SubjectFault, NotApplicable, InputError):
                asking.ask(subject, ability, arguments, _read_through, seconds)


def _read_through(answer: Any) -> None:
    """Take what an answer yields, as it was taken when it was judged."""
    if hasattr(answer, "__next__"):
        for _ in answer:
            pass


def _words(question: Question) -> str:
    ability, arguments = question
    return f"{ability} of {arguments[0].name}"
