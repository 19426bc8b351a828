"""Evidence under a constraint: trees of boxes in which no rival wins or nothing can occur, and points that can.

A constraint is written into the header as graphs of what can occur: its own graph, or of each clause the chain of its
literals.  The model is read as the checker reads it under constraints, a decision graph as an ensemble of one; and a box is
decided here exactly where the checker says so.
"""

from __future__ import annotations

import itertools
import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from xpgcheck import check_certificate as checker
from xpgcheck.certificates.box_trees import Box, Range, SearchResult, preorder
from xpgcheck.certificates.canonical_texts import constrained_header_text
from xpgcheck.certificates.ensemble_evidence import EnsembleTables
from xpgcheck.errors import FormatError, UndecidedError
from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import Clause, Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.values import Point
from xpgcheck.writers.json_constraints import constraint_nodes
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble

MAX_BOXES = 20_000
"""Boxes that one question may take."""

UNLIMITED = 2**62


def rules_of(constraint: Constraint) -> list[dict[str, object]]:
    """Return *constraint* as graphs of what can occur, as certificates have them.  Linear."""
    rules: list[dict[str, object]] = [
        {"name": clause.name[:200], "root": 0, "nodes": _chain(constraint, clause)} for clause in constraint.clauses
    ]
    if constraint.graph is not None:
        rules.append({"name": "constraints", "root": 0, "nodes": constraint_nodes(constraint)})
    return rules


def _chain(constraint: Constraint, clause: Clause) -> list[dict[str, object]]:
    """Return the nodes of a clause: where a literal does not hold, the next one is tested."""
    count = len(clause.literals)
    nodes: list[dict[str, object]] = []
    for k, (feature, values) in enumerate(clause.literals):
        domain = constraint.features[feature].domain
        rest = domain.all_values().difference(values)
        edges: list[dict[str, object]] = [{"to": count + 1, "in": write_literal(domain, values)}]
        if not rest.is_empty():
            edges.append({"to": k + 1, "in": write_literal(domain, rest)})
        nodes.append({"id": k, "feature": constraint.features[feature].name, "edges": edges})
    return [*nodes, {"id": count, "class": "forbidden"}, {"id": count + 1, "class": "allowed"}]


class BoxTables(EnsembleTables):
    """The tables that evidence in boxes of one model is made from, a decision graph as an ensemble of one."""

    def __init__(self, model: DecisionGraph | Ensemble, rules: Sequence[object] = ()) -> None:
        """Raises ``FormatError`` where JSON cannot hold the model or its checker refuses it."""
        if isinstance(model, DecisionGraph):
            self.ensemble = ensemble(model.name, model.features, model.classes, [model], Majority())
        else:
            self.ensemble = model
        self.header = constrained_header_text(model, rules)
        try:
            read = checker.read_model(json.loads(self.header))
        except (checker.Refused, ValueError) as error:
            mend = "see docs/reference/certificates.md for what they are limited to"
            raise FormatError(f"certificates cannot be about it: {error}", place=model.name, mend=mend) from None
        assert isinstance(read, checker.Ensemble)
        self.model = read
        self.values = [self.values_of(i) for i in range(len(model.features))]

    def search(self, first: Sequence[Range], own: int, *, occurs: bool = False) -> ConstrainedSearch:
        """Return the search at an instance whose box is *first* and whose class is *own*; all of a box *occurs*, perhaps."""
        return ConstrainedSearch(self.model, first, own, self.filled, occurs=occurs)


class ConstrainedTables(BoxTables):
    """The parts of evidence of one model under one constraint; made once, for every instance that can occur."""

    def __init__(self, model: DecisionGraph | Ensemble, constraint: Constraint) -> None:
        """Raises what :class:`BoxTables` does, and ``LimitError`` where there are too many paths."""
        self.constrained = ConstrainedEnsemble(model, constraint)
        super().__init__(model, rules_of(constraint))
        self.ensemble = self.constrained.ensemble
        self.values = [self.values_of(i) for i in range(len(model.features))]

    def occurs(self, point: Point) -> bool:
        """Tell whether *point* can occur."""
        return self.constrained.constraint.allows(point)


class ConstrainedSearch:
    """Searches at one instance for boxes that the checker takes for decided, or for one where a rival wins everywhere.

    ``valued`` returns the places of a feature that have values: between 0 and 1, no integer lies.
    """

    def __init__(
        self,
        model: checker.Ensemble,
        first: Sequence[Range],
        own: int,
        valued: Callable[[int], Sequence[int]],
        *,
        occurs: bool,
    ) -> None:
        self._model = model
        self._valued = valued
        self._first = first
        self._own = own
        self._occurs = occurs

    def boxes(self, whole: Box) -> SearchResult:
        """Return what the box *whole* shows, all features that it leaves out fixed.

        Raises ``UndecidedError`` where it takes too many boxes.
        """
        tree: list[tuple[int, int, int, int] | None] = [None]
        stack = [([whole.get(i, places) for i, places in enumerate(self._first)], 0)]
        while stack:
            box, number = stack.pop()
            if self._is_decided(box):
                continue
            cut = next(self._cuts(box), None)
            if cut is None:
                self._require_settled(box)
                return SearchResult(None, {i: box[i] for i in whole})
            if len(tree) > 2 * MAX_BOXES:
                problem = f"over {MAX_BOXES:,} boxes are needed, so that there is no certificate"
                raise UndecidedError(problem, mend="ask for another explanation, or of a smaller model")
            feature, place = cut
            low, high = box[feature]
            tree[number] = feature, place, len(tree), len(tree) + 1
            for part in ((low, place), (place, high)):
                stack.append(([part if i == feature else own for i, own in enumerate(box)], len(tree)))
                tree.append(None)
        return SearchResult(preorder(tree), None)

    def _is_decided(self, box: list[Range]) -> bool:
        work = checker.Work()
        work.left = UNLIMITED
        try:
            self._model.check_box(box, self._own, work, self._occurs)
        except checker.Refused:
            return False
        return True

    def _require_settled(self, box: list[Range]) -> None:
        """Raise ``UndecidedError`` where rounding decides in *box*, in which each tree has one answer."""
        model, work = self._model, checker.Work()
        work.left = UNLIMITED
        if any("forbidden" in model.answers_in(box, rule, work) for rule in model.rules):
            return
        sums = list(model.base)
        for tree, rows in zip(model.trees, model.rows, strict=True):
            for answer in model.answers_in(box, tree, work):
                sums = [a + b for a, b in zip(sums, rows[answer], strict=True)]
        if max(x for c, x in enumerate(sums) if c != self._own) - sums[self._own] <= model.slack:
            problem = "whether the class changes lies within rounding, so that there is no certificate"
            raise UndecidedError(problem, mend="ask for another explanation")

    def _cuts(self, box: list[Range]) -> Iterator[tuple[int, int]]:
        """Yield cuts of *box* by ends of literals at which the walk through some tree, or some constraint, forks."""
        model = self._model
        for tree in [*model.trees, *model.rules]:
            seen, order = {tree.root}, [tree.root]
            for node in order:  # which grows
                feature, _, edges = tree.nodes[node]
                if feature < 0:
                    continue
                low, high = box[feature]
                for child, literal in edges:
                    spans = model.spans[literal]
                    if not any(a < high and low < b for a, b in spans):
                        continue
                    yield from (
                        (feature, end)
                        for end in itertools.chain.from_iterable(spans)
                        if low < end < high
                        and self._has_values(feature, low, end)
                        and self._has_values(feature, end, high)
                    )
                    if child not in seen:
                        seen.add(child)
                        order.append(child)

    def _has_values(self, feature: int, low: int, high: int) -> bool:
        row = self._valued(feature)
        at = bisect_left(row, low)
        return at < len(row) and row[at] < high
