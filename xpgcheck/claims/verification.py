"""Judging the lines of a claims file, one after the other, in constant memory.

Models, the judges of instances and verdicts are kept as long as there is room: claims on file usually come sorted.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from xpgcheck.claims.models import NamedModels
from xpgcheck.claims.reading import ClaimReader
from xpgcheck.claims.stream import ClaimLine, LoggedLine
from xpgcheck.errors import FormatError, InputError, UndecidedError, XpgcheckError
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.claim_judge import ClaimJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import replay
from xpgcheck.oracles.certificates import Certificate, CertifiedGraph
from xpgcheck.oracles.constraints.replaying import replay_possible
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_constraints import read_constraint
from xpgcheck.readers.json_records import NumberText

MODELS = 4
"""Graphs whose solvers are kept open."""

INSTANCES = 64
"""Judges of instances that are kept a graph, of a small one."""

VERDICTS = 512
"""Verdicts that are kept a graph, of a small one."""

SMALL_NODES = 1_000
"""Up to this many nodes a graph is small; of larger ones less is kept, as each piece of evidence may name all nodes."""

QUESTIONS = 2_000
"""Questions to the oracles of one instance after which its judge, which remembers the answers, starts again."""

TURNS = 1_000
"""Judges of instances after which a graph's solvers are opened again: what they learn of old values fills memory."""

MAX_SETS = 64
"""Sets of a family up to which its verdict is kept."""

_PLAIN = frozenset({str, int, float, bool, NumberText})
"""Types of values in JSON whose equality, together with the type, is that of what they say."""

Key = TypeVar("Key")
Item = TypeVar("Item")


class LastUsed(Generic[Key, Item]):
    """The *capacity* items that were used last."""

    def __init__(self, capacity: int) -> None:
        self._capacity = max(capacity, 1)
        self._items: OrderedDict[Key, Item] = OrderedDict()

    def get(self, key: Key) -> Item | None:
        """Return the item of *key*, if it is there."""
        item = self._items.get(key)
        if item is not None:
            self._items.move_to_end(key)
        return item

    def put(self, key: Key, item: Item) -> Item | None:
        """Keep *item*; return the one that has to go for it, if any."""
        self._items[key] = item
        self._items.move_to_end(key)
        return self._items.popitem(last=False)[1] if len(self._items) > self._capacity else None

    def drop(self, key: Key) -> None:
        """Forget the item of *key*."""
        self._items.pop(key, None)

    def all(self) -> list[Item]:
        """Return the items."""
        return list(self._items.values())

    def clear(self) -> None:
        """Forget all."""
        self._items.clear()


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A line with its model and instance, and the verdict on its claim.

    ``repeated`` says that the same was claimed a short time before; ``witness`` what is wrong with the witness that came
    with the claim, "" where nothing is, None where none came.  ``constraint`` is that of a claim under one.
    """

    record: ClaimLine
    graph: DecisionGraph | Ensemble
    instance: Point
    judged: Judged
    repeated: bool = False
    witness: str | None = None
    constraint: Constraint | None = None


class LineJudge:
    """Judges lines of claims files.  A context manager: solvers are freed on leaving."""

    def __init__(
        self,
        models: NamedModels,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int = DEFAULT_TIMEOUT_MS,
        *,
        evidence: bool = True,
        certificates: Sequence[Certificate] = (),
        solvers_first: bool = False,
        constraints: str | None = None,
    ) -> None:
        """Judge by *solvers*; with *evidence* a right claim comes with all of it too, without with a line of text.

        Of ensembles, solvers are the last resort, unless *solvers_first*.
        What *certificates* prove of a model that they are about counts as a route next to the solvers.  *constraints* is the
        file of the constraint under which claims under a constraint are judged.
        """
        self._models = models
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._evidence = evidence
        self._solvers_first = solvers_first
        self._constraints = constraints
        self._certificates = tuple(certificates)
        self.used: set[str] = set()
        """The places of the certificates whose models have occurred."""
        self._graphs: LastUsed[int, _Graph] = LastUsed(MODELS)

    def __enter__(self) -> LineJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for graph in self._graphs.all():
            graph.close()
        self._graphs.clear()

    @property
    def models_used(self) -> set[str]:
        """The texts, as they were given, of the models that some line was about."""
        return self._models.used

    def judge(self, line: ClaimLine) -> JudgedLine:
        """Return *line* with the verdict on its claim; what a limit left open is inconclusive.

        Raises ``InputError`` that says what the line names and does not exist, and ``MissingPackageError`` where a solver or
        the reader of the model is not installed.
        """
        graph = self._models.find(line.model)
        judges = self._graphs.get(id(graph))
        if judges is None:
            constraint, unfit = self._constraint_of(graph)
            judges = _Graph(graph, functools.partial(self._panel, graph, constraint), constraint, unfit)
            gone = self._graphs.put(id(graph), judges)
            if gone is not None:
                gone.close()
        instance = judges.instance(line.instance)
        try:
            claim = judges.reader.read(line, instance)
        except RecursionError:
            raise FormatError("the claim is nested too deeply", mend="follow the schema of claims") from None
        if claim.notion is Notion.CONSTRAINTS and judges.unfit is not None:
            raise InputError(judges.unfit.problem, place=judges.unfit.place, mend=judges.unfit.mend)
        witness = None
        if isinstance(line, LoggedLine):
            witness = _witness_fault(line, graph, instance, claim, judges.constraint)
            if line.predicted is not None:
                predicted = judges.reader.class_index(line.predicted)
                if predicted != graph.kappa(instance):
                    # Whatever is said of why, it is not said of the class that the instance has.
                    claim = Claim(ClaimKind.PREDICTION, class_index=predicted)
        judged, repeated = judges.judge(instance, claim, evidence=self._evidence)
        under = judges.constraint if claim.notion is Notion.CONSTRAINTS else None
        return JudgedLine(line, graph, instance, judged, repeated, witness, under)

    def consensus(self, line: JudgedLine) -> Consensus:
        """Return the consensus of the oracles at the instance of *line*, which this judge judged, over features.

        It knows the answers that the verdict rests on, unless that was long ago: then it asks again.
        """
        judges = self._graphs.get(id(line.graph))
        if judges is None:
            raise InputError("the line was judged by another judge", mend="ask the judge of the line, soon after it")
        return judges.consensus(line.instance)

    def _constraint_of(self, graph: DecisionGraph | Ensemble) -> tuple[Constraint | None, InputError | None]:
        """Return the constraint of *graph*, or why it has none: it may be that of another model of the claims."""
        if self._constraints is None:
            return None, None
        try:
            return read_constraint(self._constraints, graph.features), None
        except InputError as error:
            return None, error

    def _panel(self, graph: DecisionGraph | Ensemble, constraint: Constraint | None) -> Panel | EnsemblePanel:
        if isinstance(graph, Ensemble):
            first = self._solvers_first
            return EnsemblePanel(graph, self._solvers, self._timeout_ms, solvers_first=first, constraint=constraint)
        about = self._about(graph)
        return Panel(graph, self._solvers, self._timeout_ms, certificates=about, constraint=constraint)

    def _about(self, graph: DecisionGraph) -> list[CertifiedGraph]:
        """Return the certificates about *graph*.  One that only calls its model the same is an error, not a route."""
        found: list[CertifiedGraph] = []
        problem: FormatError | None = None
        for certificate in self._certificates:
            if certificate.name == graph.name:
                try:
                    found.append(certificate.of(graph))
                except FormatError as error:
                    problem = problem or error
                else:
                    self.used.add(certificate.place)
        if problem is not None and not found:
            raise problem
        return found


def _point(graph: DecisionGraph | Ensemble, raw: dict[str, Any] | list[Any]) -> Point:
    try:
        return read_point(graph.features, raw)
    except XpgcheckError as error:
        raise error.at("instance") from None
    except RecursionError:
        raise FormatError("a value is nested too deeply", mend="write values, not lists of lists") from None


def _witness_fault(
    line: LoggedLine, graph: DecisionGraph | Ensemble, instance: Point, claim: Claim, constraint: Constraint | None
) -> str | None:
    """Return what is wrong with the witness that came with a claimed CXp, "" where nothing is; None where none came."""
    if line.witness is None or claim.members is None:
        return None
    try:
        witness = read_point(graph.features, line.witness)
    except InputError as error:
        raise error.at("witness") from None
    fixed = frozenset(range(len(graph.features))) - claim.members
    if claim.notion is Notion.CONSTRAINTS and constraint is not None:
        return replay_possible(graph, constraint, instance, fixed, witness) or ""
    return replay(graph, instance, fixed, witness) or ""


class _Graph:
    """One model with its panel, and what is kept of its instances.  Holds the model, so that its id stays its own."""

    def __init__(
        self,
        graph: DecisionGraph | Ensemble,
        panel: Callable[[], Panel | EnsemblePanel],
        constraint: Constraint | None = None,
        unfit: InputError | None = None,
    ) -> None:
        self.reader = ClaimReader(graph)
        self.constraint = constraint
        self.unfit = unfit
        self._graph = graph
        self._panel = panel
        share = max(1, graph.node_count // SMALL_NODES)
        self._points: LastUsed[object, Point] = LastUsed(VERDICTS // share)
        self._instances: LastUsed[Point, ClaimJudge] = LastUsed(INSTANCES // share)
        self._verdicts: LastUsed[tuple[Point, Claim], Judged] = LastUsed(VERDICTS // share)
        self._stack = ExitStack()
        self._judges = self._opened()
        self._turns = 0

    def close(self) -> None:
        """Free the solvers."""
        self._instances.clear()
        self._stack.close()

    def instance(self, raw: dict[str, Any] | list[Any]) -> Point:
        """Return the point that *raw* gives, which is read once as long as it is among the last."""
        values = tuple(raw.values()) if isinstance(raw, dict) else tuple(raw)
        # A value of a type of its own, a list say, is read each time; 1, 1.0 and true are equal and not the same.
        key = (tuple(raw) if isinstance(raw, dict) else None, values, tuple(map(type, values)))
        plain = _PLAIN.issuperset(key[2])
        point = self._points.get(key) if plain else None
        if point is None:
            point = _point(self._graph, raw)
            if plain:
                self._points.put(key, point)
        return point

    def judge(self, instance: Point, claim: Claim, *, evidence: bool) -> tuple[Judged, bool]:
        """Return the verdict on *claim*, and whether it was judged lately: then it is not judged again."""
        known = self._verdicts.get((instance, claim))
        if known is not None:
            return known, True
        judge = self._at(instance)
        try:
            judged = judge.judge(claim, evidence=evidence)
        except UndecidedError as error:
            judged = Judged(claim, Verdict.INCONCLUSIVE, Evidence("", reason=str(error)))
        if judge.questions > QUESTIONS:
            self._instances.drop(instance)
        if len(claim.axps or ()) + len(claim.cxps or ()) <= MAX_SETS:
            self._verdicts.put((instance, claim), judged)
        return judged, False

    def consensus(self, instance: Point) -> Consensus:
        """Return the consensus at *instance*, over features."""
        return self._at(instance).frame(Notion.FEATURES).consensus

    def _at(self, instance: Point) -> ClaimJudge:
        judge = self._instances.get(instance)
        if judge is None:
            self._turns += 1
            if self._turns > TURNS:
                self.close()
                self._judges = self._opened()
                self._turns = 0
            judge = self._judges.claims_at(instance)
            self._instances.put(instance, judge)
        return judge

    def _opened(self) -> Panel | EnsemblePanel:
        judges = self._panel()
        self._stack.callback(judges.close)
        return judges
