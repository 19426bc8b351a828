"""Counts over the explanations of a table: how often each feature plays which role, by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.tables.asked import RowAnswer
from xpgcheck.tables.documents import (
    ClassSummaryRecord,
    FeatureCountsRecord,
    TableSummaryDocument,
)
from xpgcheck.xpg.explanation_graph import indices

ROLE_TITLES = ("some AXp", "every AXp", "smallest CXp")
"""The roles that are counted: in some AXp, in every AXp, in some smallest CXp."""


@dataclass(slots=True)
class FeatureCounts:
    """In how many rows one feature plays each role."""

    in_some_axp: int = 0
    in_every_axp: int = 0
    in_smallest_cxp: int = 0

    @property
    def roles(self) -> tuple[int, int, int]:
        """The counts, in the order of ``ROLE_TITLES``."""
        return self.in_some_axp, self.in_every_axp, self.in_smallest_cxp


@dataclass(slots=True)
class ClassCounts:
    """The rows of one predicted class, and the counts of each feature in them.

    In ``undecided`` rows not all roles of all features are known: they count where they are.
    """

    rows: int = 0
    undecided: int = 0
    features: list[FeatureCounts] = field(default_factory=list)


class TableSummary:
    """Counts over the rows of a table.  ``classes`` has those of each class of the model, in its order."""

    def __init__(self, model: DecisionGraph | Ensemble) -> None:
        """Begin with no rows."""
        self.model_name = model.name
        self.class_names = model.classes
        self.names = tuple(feature.name for feature in model.features)
        self.distinct = 0
        self.left_open = 0
        self.classes = [ClassCounts(0, 0, [FeatureCounts() for _ in self.names]) for _ in model.classes]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(each.rows for each in self.classes)

    @property
    def undecided(self) -> int:
        """The number of rows in which not all roles are known."""
        return sum(each.undecided for each in self.classes)

    def add(self, answer: RowAnswer) -> None:
        """Count a row."""
        counts = self.classes[answer.label]
        counts.rows += 1
        counts.undecided += bool(answer.undecided) or answer.in_smallest is None
        self.left_open += bool(answer.left_open)
        for feature in indices(answer.relevant):
            counts.features[feature].in_some_axp += 1
        for feature in indices(answer.necessary):
            counts.features[feature].in_every_axp += 1
        for feature in indices(answer.in_smallest or 0):
            counts.features[feature].in_smallest_cxp += 1

    def all_classes(self) -> ClassCounts:
        """Return the counts of all classes together."""
        total = ClassCounts(self.rows, self.undecided, [FeatureCounts() for _ in self.names])
        for each in self.classes:
            for own, more in zip(total.features, each.features, strict=True):
                own.in_some_axp += more.in_some_axp
                own.in_every_axp += more.in_every_axp
                own.in_smallest_cxp += more.in_smallest_cxp
        return total

    def ranked(self, counts: ClassCounts) -> list[int]:
        """Return the features in some AXp of some row, those that are so most often first."""
        used = [i for i, each in enumerate(counts.features) if each.in_some_axp]
        return sorted(used, key=lambda i: ([-count for count in counts.features[i].roles], i))

    def document(self) -> TableSummaryDocument:
        """Return the summary as a document."""
        return TableSummaryDocument(
            model=self.model_name,
            rows=self.rows,
            distinct=self.distinct,
            left_open=self.left_open,
            undecided=self.undecided,
            features=self._records(self.all_classes().features),
            classes=[
                ClassSummaryRecord(
                    class_name=name, rows=each.rows, undecided=each.undecided, features=self._records(each.features)
                )
                for name, each in zip(self.class_names, self.classes, strict=True)
            ],
        )

    def _records(self, features: Sequence[FeatureCounts]) -> list[FeatureCountsRecord]:
        return [
            FeatureCountsRecord(
                name=name,
                in_some_axp=each.in_some_axp,
                in_every_axp=each.in_every_axp,
                in_smallest_cxp=each.in_smallest_cxp,
            )
            for name, each in zip(self.names, features, strict=True)
        ]
