"""Issuing certificates: a header about the graph, and then a line for each instance, as many as there are."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from xpgcheck.certificates.canonical_texts import class_json, end_text, header_text, instance_json
from xpgcheck.certificates.closed_sets_and_points import GraphTables
from xpgcheck.certificates.completeness import require_method
from xpgcheck.certificates.constrained_evidence import ConstrainedTables
from xpgcheck.certificates.ensemble_evidence import EnsembleEvidence, EnsembleTables
from xpgcheck.certificates.ensemble_explanations import EvidenceExplainer
from xpgcheck.certificates.family_lines import AskedGraph, family_fields
from xpgcheck.check_certificate import Refused, Work, check_family, read_json
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.runs.pool import pooled_in_order
from xpgcheck.xpg.choose import xp_masks
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, mask_of
from xpgcheck.xpg.xps import XP, Kind

CHUNK = 32
"""Instances that are handed to a process at a time."""


class Issued(NamedTuple):
    """A line about one instance, how many explanations it has, and whether it shows that these are all.

    ``steps`` are those that checking it took, where it was checked: a line about an ensemble.
    """

    line: str
    axps: int
    cxps: int
    complete: bool
    steps: int = 0


class Issuer:
    """Issues the lines of one graph.  ``completeness`` is "rup", "tree" or "none"; ``limit`` bounds the XPs of an instance.

    Of an instance with more XPs the line claims the first ones, and not that they are all.
    """

    def __init__(self, graph: DecisionGraph, completeness: str = "rup", limit: int | None = None) -> None:
        _require(completeness, limit)
        self.graph = graph
        self._completeness = completeness
        self._limit = limit
        self._tables = GraphTables(graph)

    def header(self) -> str:
        """Return the line that all lines of this issuer belong under."""
        return header_text(self.graph)

    def line(self, point: Point, xps: Iterable[XP] | None = None) -> Issued:
        """Return the line about the instance *point*: about its XPs, or about *xps* where they are given.

        Raises ``InstanceError`` where *point* is not in feature space and ``InputError`` where one of *xps* is none.
        Enumerating the XPs; then O(edges) operations on masks, and what showing completeness takes.
        """
        xpg = explanation_graph(self.graph, point)
        if xps is None:
            axps, cxps, wanted = self._enumerated(xpg)
        else:
            axps, cxps = _masks(xps)
            wanted = True
        asked = AskedGraph(self._tables, xpg)
        fields, complete = family_fields(asked, axps, cxps, self._completeness if wanted else "none")
        if wanted and xps is None and not complete and self._completeness != "none":
            raise UndecidedError("the enumeration ended before all explanations were found", mend="report it")
        start = f'{{"instance":{instance_json(point)},"class":{class_json(self.graph, self._own_class(xpg))}'
        return Issued(f'{start},"notion":"features",{fields}}}\n', len(axps), len(cxps), complete)

    def _own_class(self, xpg: ExplanationGraph) -> int:
        """Return the class of the instance: that of the terminals labelled 1."""
        return next(self.graph.class_of[node] for node in self._tables.terminals if not xpg.is_zero[node])

    def _enumerated(self, xpg: ExplanationGraph) -> tuple[list[int], list[int], bool]:
        """Return the AXps, the CXps, and whether these are all."""
        limit = self._limit
        masks = xp_masks(xpg)
        if masks is not None:
            axps, cxps = masks
            if limit is None or len(axps) + len(cxps) <= limit:
                return axps, cxps, True
            cxps = cxps[:limit]
            return axps[: limit - len(cxps)], cxps, False
        enumeration = Enumeration(xpg)
        ongoing = enumeration.masks()
        found: dict[Kind, list[int]] = {Kind.AXP: [], Kind.CXP: []}
        for kind, mask in islice(ongoing, limit):
            found[kind].append(mask)
        next(ongoing, None)  # that there is none more shows that these are all
        return found[Kind.AXP], found[Kind.CXP], enumeration.complete


class EnsembleIssuer:
    """Issues the lines of one ensemble, as :class:`Issuer` does of a graph, and checks each before it is handed out."""

    notion = "features"

    def __init__(self, ensemble: Ensemble, completeness: str = "rup", limit: int | None = None) -> None:
        """Raises ``FormatError`` and ``LimitError`` as :class:`EnsembleTables` does."""
        _require(completeness, limit)
        self._completeness = completeness
        self._limit = limit
        self.tables = EnsembleTables(ensemble)

    @functools.cached_property
    def explainer(self) -> EvidenceExplainer:
        """The explainer of the model.  Raises ``LimitError`` where the ensemble has too many paths."""
        return EvidenceExplainer(self.places())

    def places(self) -> EnsemblePlaces:
        """Return the places in which the explainer looks."""
        return EnsemblePlaces(self.tables.ensemble)

    def header(self) -> str:
        """Return the line that all lines of this issuer belong under."""
        return self.tables.header

    def line(self, point: Point, xps: Iterable[XP] | None = None, asked: EnsembleEvidence | None = None) -> Issued:
        """Return the line about the instance *point*: about its XPs, or about *xps* where they are given.

        *asked* has evidence that is known already.  Raises ``InputError`` where one of *xps* is none, and ``UndecidedError``
        where rounding decides, where evidence takes too many boxes, and where the checker refuses it.
        """
        asked = asked or self.tables.at(point)
        if xps is None:
            axps, cxps, wanted = self.explainer.explanations(asked, self._limit)
        else:
            axps, cxps = _masks(xps)
            wanted = True
        fields, complete = family_fields(asked, axps, cxps, self._completeness if wanted else "none")
        start = f'{{"instance":{instance_json(point)},"class":{class_json(self.tables.ensemble, asked.own)}'
        text = f'{start},"notion":"{self.notion}",{fields}}}\n'
        work = Work()
        work.left = before = 2**62  # the whole file has a budget, and its writer counts
        try:
            check_family(self.tables.model, read_json(text.encode()), work)
        except (Refused, ValueError) as error:
            problem = f"the checker refuses its certificate: {work.place}: {error}"
            raise UndecidedError(problem, mend="report it") from None
        return Issued(text, len(axps), len(cxps), complete, before - work.left)


class ConstrainedIssuer(EnsembleIssuer):
    """Issues the lines of a model under a constraint, which are about the points that can occur, and checks each."""

    notion = "constraints"

    def __init__(
        self,
        model: DecisionGraph | Ensemble,
        constraint: Constraint,
        completeness: str = "rup",
        limit: int | None = None,
    ) -> None:
        """Raises ``FormatError`` and ``LimitError`` as :class:`ConstrainedTables` does."""
        _require(completeness, limit)
        self._completeness = completeness
        self._limit = limit
        self._constraint = constraint
        self.tables = self._tables = ConstrainedTables(model, constraint)

    def places(self) -> EnsemblePlaces:
        """Return the places in which the explainer looks, with what can occur."""
        return self._tables.constrained.places

    def line(self, point: Point, xps: Iterable[XP] | None = None, asked: EnsembleEvidence | None = None) -> Issued:
        """Return the line about *point*.  Raises ``BrokenError`` where it cannot occur."""
        self._constraint.require(point)
        return super().line(point, xps, asked)


def issuer_of(
    model: DecisionGraph | Ensemble, completeness: str, limit: int | None, constraint: Constraint | None = None
) -> Issuer | EnsembleIssuer:
    """Return what issues the lines of *model*, under *constraint* if there is one.  Raises what its constructor does."""
    if constraint is not None:
        return ConstrainedIssuer(model, constraint, completeness, limit)
    kind = EnsembleIssuer if isinstance(model, Ensemble) else Issuer
    return kind(model, completeness, limit)  # type: ignore[arg-type]


def _require(completeness: str, limit: int | None) -> None:
    require_method(completeness)
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} explanations", mend="give at least 1, or no limit")


def certificate(
    graph: DecisionGraph | Ensemble,
    points: Iterable[Point],
    completeness: str = "rup",
    limit: int | None = None,
    constraint: Constraint | None = None,
) -> str:
    """Return the certificate of all XPs of *graph* at each of *points*, as one text.  Raises what ``Issuer.line`` does."""
    issuer = issuer_of(graph, completeness, limit, constraint)
    lines = [issuer.line(point).line for point in points]
    return "".join([issuer.header(), *lines, end_text(len(lines))])


def issued_lines(
    graph: DecisionGraph | Ensemble,
    points: Iterable[Point],
    completeness: str = "rup",
    limit: int | None = None,
    jobs: int = 1,
    constraint: Constraint | None = None,
) -> Iterator[Issued]:
    """Yield a line for each of *points*, in their order, by *jobs* processes, without the header and the end.

    Takes the points as it goes, and keeps a few of them.  Raises what ``Issuer.line`` does, and ``UndecidedError`` where
    a process dies.
    """
    require_method(completeness)
    for lines in pooled_in_order(
        _Lines(graph, completeness, limit, constraint), _chunks(points, 1 if jobs <= 1 else CHUNK), jobs
    ):
        yield from lines


def _chunks(points: Iterable[Point], most: int) -> Iterator[list[Point]]:
    rest = iter(points)
    while chunk := list(islice(rest, most)):
        yield chunk


@dataclass(frozen=True)
class _Lines:
    """Issues the lines of some points, by an issuer that each process makes once."""

    graph: DecisionGraph | Ensemble
    completeness: str
    limit: int | None
    constraint: Constraint | None = None

    def __call__(self, points: Sequence[Point]) -> list[Issued]:
        return [self._issuer.line(point) for point in points]

    @functools.cached_property
    def _issuer(self) -> Issuer | EnsembleIssuer:
        return issuer_of(self.graph, self.completeness, self.limit, self.constraint)


def _masks(xps: Iterable[XP]) -> tuple[list[int], list[int]]:
    found: dict[Kind, set[int]] = {Kind.AXP: set(), Kind.CXP: set()}
    for kind, features in xps:
        found[kind].add(mask_of(features))
    return list(found[Kind.AXP]), list(found[Kind.CXP])
