"""``alibi``'s ``AnchorTabular``: rules that keep the class on most of the perturbed rows that were looked at.

An anchor is a set of conditions "this feature lies in these bins", the bins of a number being cut at quantiles of the
table.  alibi estimates the anchor's *precision*, the share of perturbed rows in it that keep the class, and stops where a
bound on the estimate says that the precision is at least ``threshold``.  It does not claim that all points keep the class.
The rule that is judged has the exact quantiles, where ``explanation.anchor`` prints two decimals.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.number_rows import NumberRows
from xpgcheck.subjects.adapters.packages import imported, titled
from xpgcheck.subjects.adapters.rules_and_points import RuleExplainer

REQUIREMENT = "alibi==0.9.6"


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor: the rule, what alibi says of it, and its text.

    ``precision`` is the share of the perturbed rows that keep the class, as alibi estimates it, ``coverage`` the share of
    rows in the rule.  ``against`` is how many rows in the rule alibi shows that have another class, at most ten.  An anchor
    that is not ``eligible`` is the best that alibi found where none had the wanted precision, as it says in a warning.
    """

    rule: Box
    precision: float
    coverage: float
    text: tuple[str, ...]
    against: int
    eligible: bool


class Anchors(RuleExplainer):
    """``AnchorTabular.explain`` with its defaults; the features of the anchor are answered as an AXp.

    *rows* are the table that alibi perturbs and takes quantiles of, else the file of ``XPGCHECK_ROWS``, else 1,000 points
    that are drawn from the domains with a fixed seed.  Each question is asked with the same seed, so that answers do not
    hang on earlier ones.
    """

    def __init__(self, rows: Sequence[Point] | None = None, *, threshold: float = 0.95, seed: int = 0) -> None:
        """Import the package, which takes seconds.  Raises ``MissingPackageError`` where it cannot be."""
        self._numpy: Any = imported("numpy", REQUIREMENT)
        with warnings.catch_warnings():
            # Its dependencies warn of each other.
            warnings.simplefilter("ignore")
            self._module: Any = imported("alibi.explainers.anchors.anchor_tabular", REQUIREMENT)
        self._rows, self._threshold, self._seed = rows, threshold, seed
        self._fitted: tuple[object, NumberRows, Any] | None = None
        self.name = f"{titled('alibi', 'alibi')}, AnchorTabular, threshold {threshold}"

    def rule(self, classifier: DecisionGraph | Ensemble, instance: Point) -> Box:
        """Return the anchor of *instance* as a box.

        Raises ``NotImplementedError`` where its rows are no floats, and where alibi says that it found no anchor of the
        wanted precision.
        """
        anchor = self.anchor(classifier, instance)
        if not anchor.eligible:
            raise NotImplementedError(f"no anchor of precision {self._threshold} was found")
        return anchor.rule

    def anchor(self, classifier: DecisionGraph | Ensemble, instance: Point) -> Anchor:
        """Return the anchor of *instance*, eligible or not.  Raises ``NotImplementedError`` where its rows are no floats."""
        rows, explainer = self._explainer(classifier)
        row = self._numpy.array(rows.row(instance))
        caught: list[tuple[int, ...]] = []
        named = explainer.add_names_to_exp

        def catching(result: dict[str, Any]) -> None:
            # Conditions by number, before alibi writes their names in their place.
            caught.append(tuple(map(int, result["feature"])))
            named(result)

        explainer.add_names_to_exp = catching
        self._numpy.random.seed(self._seed)
        try:
            found = explainer.explain(row, threshold=self._threshold)
        finally:
            del explainer.add_names_to_exp
        edges = {i: _edges(discretize) for i, discretize in explainer.samplers[0].disc.lambdas.items()}
        conditions = [
            (int(explainer.enc2feat_idx[k]), _bins(explainer.ord_lookup, explainer.cat_lookup, k)) for k in caught[-1]
        ]
        rule = box_of_conditions(rows, edges, conditions)
        examples = found.raw["examples"]
        against = len(examples[-1]["covered_false"]) if examples else 0
        eligible = bool(found.raw["success"])
        return Anchor(rule, float(found.precision), float(found.coverage), tuple(found.anchor), against, eligible)

    def _explainer(self, classifier: DecisionGraph | Ensemble) -> tuple[NumberRows, Any]:
        """Return the fitted explainer of *classifier*, which is kept for the next question."""
        if self._fitted is None or self._fitted[0] is not classifier:
            rows = NumberRows(classifier)
            table = self._numpy.array([rows.row(point) for point in rows.table(self._rows)])
            names = [f"f{i}" for i in range(len(classifier.features))]
            explainer = self._module.AnchorTabular(
                lambda asked: self._numpy.array(rows.classes(asked.tolist())),
                names,
                {i: list(values) for i, values in rows.categories.items()} or None,
                dtype=self._numpy.float64,
                seed=self._seed,
            )
            self._fitted = (classifier, rows, explainer.fit(table))
        return self._fitted[1], self._fitted[2]


Conditions = Sequence[tuple[int, Collection[float]]]
"""Conditions of an anchor: a feature, and the numbers of the bins, or of the values of a category, that it allows."""


def box_of_conditions(rows: NumberRows, edges: Mapping[int, Sequence[float]], conditions: Conditions) -> Box:
    """Return the box of the points that satisfy all *conditions*.

    *edges* has of each number's feature the quantiles e₁ < e₂ < … that cut it: bin k has the values x with eₖ < x ≤ eₖ₊₁.
    The bins of a condition are neighbours.
    """
    box: dict[int, ValueSet] = {}
    for feature, bins in conditions:
        if feature in edges:
            own = edges[feature]
            first, last = int(min(bins)), int(max(bins))
            low = own[first - 1] if first > 0 else None
            high = own[last] if last < len(own) else None
            values = rows.between(feature, low, high)
        else:
            values = rows.one_of(feature, bins)
        box[feature] = values if feature not in box else box[feature].intersection(values)
    return box


def _edges(discretize: Any) -> list[float]:
    """Return the quantiles that alibi's discretizer of a feature was made with."""
    return [float(edge) for edge in discretize.keywords["qts"]]


def _bins(ordered: Mapping[int, Any], named: Mapping[int, Any], condition: int) -> list[float]:
    return [float(named[condition])] if condition in named else sorted(map(float, ordered[condition]))
