"""Observations of a unit besides its verdicts: sizes of cases, times of answers, and where the time goes."""

from __future__ import annotations

import functools
import time
from types import TracebackType
from typing import Any

from xpgcheck.campaign.units import Counts, add_numbers, note_seconds
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case
from xpgcheck.properties.subjects import ARGUMENTS
from xpgcheck.properties.trials import Trial


class Observer:
    """Counts what trials show: cases of the campaign's own, and not those that shrinking tries."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.query_seconds: Counts = {}
        self.subject_seconds = 0.0

    def trial(self, case: Case, subject: Any, seconds: float, shrinking: bool) -> Trial:
        """Return a trial that is observed."""
        return ObservedTrial(case, subject, seconds, shrinking, self)

    def note_answer(self, ability: str, seconds: float, shrinking: bool = False) -> None:
        """Count an answer of the subject."""
        self.subject_seconds += seconds
        if not shrinking:
            note_seconds(self.query_seconds, ability, seconds)

    def note_case(self, case: Case, xps: Any) -> None:
        """Count a case, and the *xps* that the subject lists, if it does."""
        inner, features, _ = case.size
        add_numbers(self.sizes, sizes_of(inner, features))
        if xps is not None:
            axps = sum(1 for kind, _ in xps if kind == "AXp")
            add_numbers(self.sizes, {f"AXps: {axps}": 1, f"CXps: {len(xps) - axps}": 1})


def sizes_of(non_terminals: int, features: int) -> dict[str, int]:
    """Return a graph's size as the labels of ``UnitResult.sizes``."""
    return {f"non-terminals: {non_terminals}": 1, f"features: {features}": 1}


def graph_sizes(graph: DecisionGraph | LabelledGraph | Ensemble) -> dict[str, int]:
    """Return the size of a model as labels."""
    if isinstance(graph, LabelledGraph):
        return {f"features: {len(graph.variables)}": 1}
    trees = graph.trees if isinstance(graph, Ensemble) else (graph,)
    return sizes_of(sum(1 for tree in trees for feature in tree.feature_of if feature >= 0), len(graph.features))


class ObservedTrial(Trial):
    """A trial whose answers are timed, and whose case is counted at the end."""

    def __init__(self, case: Case, subject: Any, seconds: float, shrinking: bool, observer: Observer) -> None:
        super().__init__(case, subject, seconds, shrinking)
        self._observer = observer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        xps = self._answers.get(("enumerate",))
        if not self.shrinking:
            self._observer.note_case(self.case, xps if isinstance(xps, tuple) else None)

    def elsewhere(self, graph: DecisionGraph, instance: Point) -> Trial:
        """Return a trial on another graph, whose answers are timed as well."""
        case = Case(graph, instance, self.case.dice)
        other = ObservedTrial(case, self.subject, self._seconds, self.shrinking, self._observer)
        self._stack.callback(other._stack.close)
        return other

    def _ask(self, ability: str, arguments: tuple[Any, ...], read: Any) -> Any:
        if (ability, *arguments) in self._answers:
            return super()._ask(ability, arguments, read)
        started = time.perf_counter()
        try:
            return super()._ask(ability, arguments, read)
        finally:
            self._observer.note_answer(ability, time.perf_counter() - started, self.shrinking)


class TimedSubject:
    """A subject whose answers are timed; all else of it is as it was."""

    def __init__(self, subject: Any, observer: Observer) -> None:
        self._subject = subject
        self._observer = observer

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._subject, name)
        if name in ARGUMENTS and callable(found):
            return functools.partial(self._timed, name, found)
        return found

    def _timed(self, name: str, method: Any, *arguments: Any) -> Any:
        started = time.perf_counter()
        try:
            return method(*arguments)
        finally:
            self._observer.note_answer(name, time.perf_counter() - started)
