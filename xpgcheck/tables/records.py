"""Answers about rows in the names of the model: what is written to files and given to callers."""

from __future__ import annotations

from msgspec import UNSET

from xpgcheck.errors import printable
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.tables.asked import RowAnswer, RowPart, TableAsked
from xpgcheck.tables.documents import ExplainedRowRecord, RowChangeRecord
from xpgcheck.tables.rows import TableRow
from xpgcheck.wording import listed, short_value
from xpgcheck.xpg.explanation_graph import indices

MAX_KEPT = 10_000
"""Sets of features that are kept with their names."""


class RowRecords:
    """Makes the records of the rows of one model."""

    def __init__(self, model: DecisionGraph | Ensemble, asked: TableAsked) -> None:
        """Prepare the names."""
        self._model = model
        self._parts = asked.parts
        self._names = [feature.name for feature in model.features]
        self._known: dict[int, list[str]] = {}

    def record(self, row: TableRow, answer: RowAnswer) -> ExplainedRowRecord:
        """Return what was found of *row*, with the parts that were asked for."""
        parts = self._parts
        known = not answer.undecided or answer.axp is not None or bool(answer.axps or answer.cxps)
        found = ExplainedRowRecord(row=row.number, prediction=self._model.classes[answer.label])
        if RowPart.AXP in parts and answer.axp is not None:
            found.axp = self._names_in(answer.axp)
        if RowPart.VALUES in parts and answer.axp is not None:
            found.because = self._because(answer, row.point)
            found.values = {self._names[c.feature]: list(c.literal) for c in answer.conditions if c.literal is not None}
        if RowPart.AXPS in parts and known:
            found.axps = list(map(self._names_in, answer.axps))
        if RowPart.CXPS in parts and known:
            found.cxps = list(map(self._names_in, answer.cxps))
        if RowPart.CHANGE in parts and known:
            found.change = self._change(answer)
        found.left_open = answer.left_open or UNSET
        return found

    def change_text(self, row: TableRow, answer: RowAnswer) -> str:
        """Return the closest change as a sentence; an empty text where there is none."""
        if answer.change is None:
            return ""
        texts = []
        for feature, value in answer.change.values:
            domain, old = self._model.features[feature].domain, row.point[feature]
            new = short_value(domain, value)
            texts.append(f"{printable(self._names[feature])} = {new} (not {short_value(domain, old)})")
        return f"class {printable(self._model.classes[answer.change.label])} with {listed(texts)}"

    def _because(self, answer: RowAnswer, point: Point) -> str:
        if not answer.axp:
            return "whatever the features are"
        texts = []
        for condition in answer.conditions:
            own, text = self._model.features[condition.feature], condition.text
            texts.append(text or f"{own.name} = {short_value(own.domain, point[condition.feature])}")
        return printable(listed(texts))

    def _change(self, answer: RowAnswer) -> RowChangeRecord | None:
        if answer.change is None:
            return None
        return RowChangeRecord(
            values={self._names[feature]: value_text(value) for feature, value in answer.change.values},
            class_name=self._model.classes[answer.change.label],
            proven=answer.change.proven,
        )

    def _names_in(self, mask: int) -> list[str]:
        found = self._known.get(mask)
        if found is None:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            found = self._known[mask] = [self._names[i] for i in indices(mask)]
        return found
