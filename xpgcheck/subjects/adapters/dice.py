"""``DiCE`` (``dice-ml``): counterfactuals of a classifier that is asked through ``predict_proba``, by three searches.

Each counterfactual is a row that the classifier is said to give another class.  DiCE looks for rows that are near, change
few features and differ from each other; it claims neither that no nearer one exists nor that all changes are needed.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Float32, Integer
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.number_rows import NumberRows
from xpgcheck.subjects.adapters.packages import imported, titled
from xpgcheck.subjects.adapters.rules_and_points import PointExplainer

REQUIREMENT = "dice-ml==0.12"

OUTCOME = "class"
"""The column of classes; features are called f0, f1, …"""


class Dice(PointExplainer):
    """Counterfactuals by random search (``method="random"``), DiCE's default for classifiers without gradients.

    Of several classes the others are asked for in their order until one gives *count* counterfactuals or fewer.  *rows* are
    the table of whose ranges and precisions DiCE makes use, as those of
    :class:`xpgcheck.subjects.adapters.alibi_anchors.Anchors`.
    """

    method = "random"

    def __init__(self, rows: Sequence[Point] | None = None, *, count: int = 1, seed: int = 0) -> None:
        """Import the package, which takes seconds.  Raises ``MissingPackageError`` where it cannot be."""
        self._numpy: Any = imported("numpy", REQUIREMENT)
        self._pandas: Any = imported("pandas", REQUIREMENT)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._dice: Any = imported("dice_ml", REQUIREMENT)
            none_found = imported("raiutils.exceptions", REQUIREMENT).UserConfigValidationException
        self._none_found: type[Exception] = none_found
        self._rows, self._count, self._seed = rows, count, seed
        self._opened: tuple[object, NumberRows, Any] | None = None
        self.name = f"{titled('DiCE', 'dice-ml')}, {self.method}"

    def points(self, classifier: DecisionGraph | Ensemble, instance: Point) -> list[Point]:
        """Return counterfactuals of *instance* as DiCE shows them, made sparse; none where it finds none.

        Raises ``NotImplementedError`` where rows are no floats.
        """
        rows, explainer = self._explainer(classifier)
        own = classifier.kappa(instance)
        query = self._frame(rows, [instance])
        for other in range(len(classifier.classes)):
            if other == own:
                continue
            found = self._found(explainer, query, other)
            if found is not None:
                return points_of(rows, found)
        return []

    def _found(self, explainer: Any, query: Any, wanted: int) -> list[dict[str, Any]] | None:
        """Return the records of the counterfactuals of class *wanted*, None where there are none."""
        random.seed(self._seed)
        self._numpy.random.seed(self._seed)
        seeded = {"random_seed": self._seed} if self.method == "random" else {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = explainer.generate_counterfactuals(
                    query, total_CFs=self._count, desired_class=wanted, **seeded
                ).cf_examples_list[0]
        except self._none_found as error:
            if "No counterfactuals found" in str(error):
                return None
            raise
        frame = answer.final_cfs_df if answer.final_cfs_df_sparse is None else answer.final_cfs_df_sparse
        return None if frame is None or not len(frame) else list(frame.to_dict("records"))

    def _explainer(self, classifier: DecisionGraph | Ensemble) -> tuple[NumberRows, Any]:
        if self._opened is None or self._opened[0] is not classifier:
            rows = NumberRows(classifier)
            table = rows.table(self._rows)
            frame = self._frame(rows, table)
            frame[OUTCOME] = [classifier.kappa(point) for point in table]
            numbers = [f"f{i}" for i in range(len(classifier.features)) if i not in rows.categories]
            data = self._dice.Data(dataframe=frame, continuous_features=numbers, outcome_name=OUTCOME)
            asked = _Asked(rows, len(classifier.classes), self._numpy)
            model = self._dice.Model(model=asked, backend="sklearn")
            self._opened = (classifier, rows, self._dice.Dice(data, model, method=self.method))
        return self._opened[1], self._opened[2]

    def _frame(self, rows: NumberRows, points: Sequence[Point]) -> Any:
        """Return *points* as a data frame: categories as texts, float32 numbers as the shortest decimals that round to them.

        DiCE takes the precision of a column from the digits of its values.
        """
        columns: dict[str, Any] = {}
        for i, column in enumerate(zip(*[rows.row(point) for point in points], strict=True)):
            domain = rows.classifier.features[i].domain
            if i in rows.categories:
                columns[f"f{i}"] = [str(int(number)) for number in column]
            elif isinstance(domain, Integer):
                if max(map(abs, column)) >= 1 << 31:
                    raise NotImplementedError("an integer beyond 32 bits")
                columns[f"f{i}"] = self._numpy.array([int(number) for number in column])
            else:
                shortest = isinstance(domain, Float32)
                columns[f"f{i}"] = [float(str(self._numpy.float32(x))) if shortest else x for x in column]
        return self._pandas.DataFrame(columns)


class DiceGenetic(Dice):
    """The same by a genetic search."""

    method = "genetic"


class DiceTree(Dice):
    """The same by a k-d tree of the table: counterfactuals begin as rows of it."""

    method = "kdtree"


class _Asked:
    """The object that DiCE takes for a classifier of scikit-learn: κ, with certainty."""

    def __init__(self, rows: NumberRows, classes: int, numpy: Any) -> None:
        self._rows, self._numpy = rows, numpy
        self.classes_ = list(range(classes))

    def predict(self, frame: Any) -> Any:
        """Return the class of each row of *frame*."""
        return self._numpy.array(self._rows.classes(numbers_of(self._rows, frame.to_dict("records"))))

    def predict_proba(self, frame: Any) -> Any:
        """Return 1 for the class of each row, and 0 for others: of a row outside the feature space, for all."""
        found = self._numpy.zeros((len(frame), len(self.classes_)))
        for row, each in enumerate(self.predict(frame).tolist()):
            if each >= 0:
                found[row, each] = 1.0
        return found


def numbers_of(rows: NumberRows, records: Iterable[Mapping[str, Any]]) -> list[list[float]]:
    """Return records of DiCE, which have a value for each of f0, f1, …, as rows of numbers."""
    names = [f"f{i}" for i in range(len(rows.classifier.features))]
    return [[float(record[name]) for name in names] for record in records]


def points_of(rows: NumberRows, records: Iterable[Mapping[str, Any]]) -> list[Point]:
    """Return the points that records of DiCE are.  Raises ``InstanceError`` where one is outside the feature space."""
    return [rows.point(row) for row in numbers_of(rows, records)]
