"""A trial: one subject on one case, with what the oracles say of it at hand.

Answers of the subject are asked once and kept, and so are the oracles' findings, so that many properties of one case
cost little more than the questions in which they differ.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
import random
from collections.abc import Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.panel import Panel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.properties import asking
from xpgcheck.properties.cases import Case
from xpgcheck.properties.definitions import Definition
from xpgcheck.properties.subjects import is_judged
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, SubjectFault
from xpgcheck.wording import set_text

FEW_FEATURES = 3
"""Up to this many features, properties over subsets look at all of them."""

SOME_SUBSETS = 4
"""Subsets that are looked at where there are too many."""


@functools.cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


class Untouched:
    """A graph's fields as they were: a subject in this process can put others in their place, and may not."""

    def __init__(self, graph: DecisionGraph | LabelledGraph | Ensemble) -> None:
        self._graph = graph
        kind: Any = type(graph)
        names = _fields(kind)
        self._read: Any = operator.attrgetter(*names)
        self._fields = dict(zip(names, self._read(graph), strict=True))

    def put_back(self) -> tuple[str, ...]:
        """Return the names of the graph's fields that are no longer what they were, and put them back."""
        if all(map(operator.is_, self._read(self._graph), self._fields.values())):
            return ()
        changed = tuple(name for name, own in self._fields.items() if getattr(self._graph, name) is not own)
        for name in changed:
            object.__setattr__(self._graph, name, self._fields[name])
        return changed


class Trial:
    """One subject on one case.  A context manager: solvers that were opened are freed on leaving.

    ``count`` is the number of features, ``everything`` the set of all of them.  ``shrinking`` tells whether the case is one
    that shrinking tries, and none of the run's own.
    """

    def __init__(
        self, case: Case, subject: Any, seconds: float = asking.DEFAULT_SECONDS, shrinking: bool = False
    ) -> None:
        """Prepare the trial of *subject*, which has *seconds* for each answer."""
        self.case = case
        self.shrinking = shrinking
        self.graph: DecisionGraph = case.graph
        self.instance: Point = case.instance
        self.subject = subject
        self.count = len(case.graph.features)
        self.everything = frozenset(range(self.count))
        self._seconds = seconds
        self._answers: dict[tuple[Any, ...], Any] = {}
        self._solvers: dict[str, Consensus] = {}
        self._untouched = Untouched(case.graph)
        self._stack = ExitStack()

    def __enter__(self) -> Trial:
        self._stack.enter_context(asking.alarm(self._seconds))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def put_back(self) -> tuple[str, ...]:
        """Return the names of the graph's fields that are no longer what they were, and put them back."""
        return self._untouched.put_back()

    def random(self, salt: str = "") -> random.Random:
        """Return the source of further choices: the same for the same case and *salt*."""
        return random.Random(f"{self.case.dice}{salt}")

    def elsewhere(self, graph: DecisionGraph, instance: Point) -> Trial:
        """Return a trial of the same subject on another graph; it ends with this one."""
        other = Trial(Case(graph, instance, self.case.dice), self.subject, self._seconds)
        self._stack.callback(other._stack.close)
        return other

    # What the oracles say

    @functools.cached_property
    def _panel(self) -> Panel:
        """Every cell and closed sets, and where there are too many cells Z3."""
        return self._stack.enter_context(Panel(self.graph, solver_last=True))

    @functools.cached_property
    def another(self) -> Trial:
        """A trial of the same subject on the same graph at another instance, or by chance the same one."""
        dice = self.random("another instance")
        other = self.elsewhere(self.graph, tuple(dice.choice(cells).representative() for cells in self.graph.cells))
        other._panel = self._panel
        return other

    @functools.cached_property
    def consensus(self) -> Consensus:
        """The judges of this case."""
        return self._panel.at(self.instance)

    @functools.cached_property
    def boxes(self) -> BoxJudge:
        """The judge of sets of values."""
        return BoxJudge(self.graph)

    def solver(self, name: str) -> Consensus:
        """Return the consensus of the SMT solver *name* and closed sets.  Raises ``NotApplicable`` without the solver."""
        if name not in self._solvers:
            from xpgcheck.oracles.pysmt_backend import available_solvers

            if name not in available_solvers():
                raise NotApplicable(f"{name} is not installed")
            panel = self._stack.enter_context(Panel(self.graph, [name], cells=False))
            self._solvers[name] = panel.at(self.instance)
        return self._solvers[name]

    def changeable(self, fixed: Iterable[int]) -> bool:
        """Tell what the oracles say of "another class is possible with *fixed* fixed".  Raises ``Inconclusive``."""
        finding = self.consensus.ask(fixed)
        if finding.changeable is None:
            raise Inconclusive(finding.reason)
        return finding.changeable

    def is_weak_axp(self, features: frozenset[int]) -> bool:
        """Eq. 1, by the oracles."""
        return not self.changeable(features)

    def is_weak_cxp(self, features: frozenset[int]) -> bool:
        """Eq. 2, by the oracles."""
        return self.changeable(self.everything - features)

    @functools.cached_property
    def constant(self) -> bool:
        """Whether no point has another class."""
        return not self.changeable(())

    @functools.cached_property
    def subsets(self) -> tuple[frozenset[int], ...]:
        """All sets of features where they are few, else the two extreme ones and some by the dice."""
        if self.count <= FEW_FEATURES:
            sizes = range(self.count + 1)
            return tuple(frozenset(s) for k in sizes for s in itertools.combinations(range(self.count), k))
        source = self.random("subsets")
        some = (source.getrandbits(self.count) for _ in range(SOME_SUBSETS))
        sets = [frozenset(i for i in range(self.count) if bits >> i & 1) for bits in some]
        return tuple(dict.fromkeys([frozenset(), self.everything, *sets]))

    @functools.cached_property
    def definition(self) -> Definition:
        """The definitions by their text.  Raises ``NotApplicable`` where there are too many points."""
        return Definition(self.graph, self.instance)

    # What the subject says

    @functools.cached_property
    def predicts(self) -> bool:
        """Whether the subject can be asked for the class that it predicts."""
        return is_judged(self.subject, "predict")

    def predicted(self) -> int:
        """The class that the subject predicts."""
        return int(self._ask("predict", (), asking.number))

    def axp(self) -> frozenset[int]:
        """One AXp, as the subject says."""
        return self._features("axp", ())

    def cxp(self) -> frozenset[int] | None:
        """One CXp, as the subject says; None where it says that there is none."""
        found: frozenset[int] | None = self._ask("cxp", (), self._features_or_none)
        return found

    def inside(self, ability: str, seed: frozenset[int]) -> frozenset[int]:
        """The set that the subject finds inside *seed* (``axp_inside`` or ``cxp_inside``)."""
        return self._features(ability, (seed,))

    def xps(self) -> tuple[tuple[str, frozenset[int]], ...]:
        """All XPs, as the subject lists them."""
        found: tuple[tuple[str, frozenset[int]], ...] = self._ask(
            "enumerate", (), lambda answer: asking.xps(answer, self.count)
        )
        return found

    def listed(self, kind: str) -> list[frozenset[int]]:
        """The XPs of *kind* ("AXp", "CXp") that the subject lists."""
        return [members for own, members in self.xps() if own == kind]

    def tree_cxps(self) -> tuple[frozenset[int], ...]:
        """All CXps of a tree, as the subject's own method for trees says."""
        found: tuple[frozenset[int], ...] = self._ask("tree_cxps", (), lambda answer: asking.family(answer, self.count))
        return found

    def inflated(self, axp: frozenset[int], order: tuple[int, ...]) -> dict[int, ValueSet]:
        """The sets of values of an inflated AXp, as the subject says."""
        found: dict[int, ValueSet] = self._ask(
            "inflate", (axp, order), lambda answer: asking.box(answer, self.graph.features, axp)
        )
        return found

    def changing(self, cxp: frozenset[int]) -> dict[int, ValueSet]:
        """The sets of values of an inflated CXp, as the subject says."""
        found: dict[int, ValueSet] = self._ask(
            "inflate_cxp", (cxp,), lambda answer: asking.box(answer, self.graph.features, cxp)
        )
        return found

    def says(self, ability: str, *arguments: Any) -> bool:
        """Return a yes or no of the subject."""
        return bool(self._ask(ability, arguments, asking.truth))

    def counts(self, ability: str, *arguments: Any) -> int:
        """Return a number of the subject."""
        return int(self._ask(ability, arguments, asking.number))

    def asks(self, ability: str, arguments: tuple[Any, ...], read: Any) -> Any:
        """Ask with *arguments* as they are, and not from what was answered before; not kept."""
        return asking.ask(self.subject, ability, arguments, read, self._seconds)

    def raw(self, ability: str, arguments: tuple[Any, ...], read: Any) -> Any:
        """Ask *ability* of this graph and instance and read the answer with *read*; kept."""
        return self._ask(ability, arguments, read)

    def _features(self, ability: str, arguments: tuple[Any, ...]) -> frozenset[int]:
        found: frozenset[int] = self._ask(ability, arguments, lambda answer: asking.features(answer, self.count))
        return found

    def _features_or_none(self, answer: object) -> frozenset[int] | None:
        return None if answer is None else asking.features(answer, self.count)

    def _ask(self, ability: str, arguments: tuple[Any, ...], read: Any) -> Any:
        key = (ability, *arguments)
        if key not in self._answers:
            try:
                self._answers[key] = asking.ask(
                    self.subject, ability, (self.graph, self.instance, *arguments), read, self._seconds
                )
            except (SubjectFault, NotApplicable) as fault:
                self._answers[key] = fault
        answer = self._answers[key]
        if isinstance(answer, SubjectFault):
            raise SubjectFault(answer.verdict, answer.evidence)
        if isinstance(answer, NotApplicable):
            raise NotApplicable(str(answer))
        return answer

    # Saying what is wrong

    def text(self, features: Iterable[int]) -> str:
        """Return a set of features by their names."""
        return set_text([feature.name for feature in self.graph.features], features)

    def require_tree(self) -> None:
        """Raise ``NotApplicable`` unless the graph is a tree."""
        if not self.graph.is_tree():
            raise NotApplicable("the graph is no tree")
