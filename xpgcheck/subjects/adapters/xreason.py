"""``XReason`` (Ignatiev, IJCAI 2020; AAAI 2022), boosted trees: a checkout that the user has explains by SMT.

The repository is no package: the environment variable ``XPGCHECK_XREASON`` names the folder with a checkout of it, and its
requirements (xgboost, scikit-learn, pandas, anytree, six, namedlist) have to be installed. Its encoder reads XGBoost's JSON
dump of a model; that is written here of the trees of an ensemble, so nothing is trained. It leaves the base score out, so
ensembles with one are declined, and takes the last class among equal sums, where XGBoost takes the first.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import FiniteSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.checkouts import imported_from
from xpgcheck.subjects.adapters.pyxai import floats_of, test_of

FOLDER = "XPGCHECK_XREASON"
"""The environment variable that names the folder with the checkout."""


class XReason:
    """Its SMT encoding over the reals, asked by Z3; deletion gives an AXp."""

    name = "XReason"
    models = ("sum",)

    def __init__(self) -> None:
        """Import it from the checkout.  Raises ``InputError``, ``MissingPackageError`` where that cannot be."""
        self._encoder, self._explainer = imported_from(
            FOLDER,
            "XReason",
            "https://github.com/alexeyignatiev/xreason",
            "src",
            {"xgbooster.encode": "SMTEncoder", "xgbooster.explain": "SMTExplainer"},
            "xgboost scikit-learn pandas anytree six namedlist",
        )

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int]:
        """Return one abductive explanation.  Raises ``NotImplementedError`` on what XReason's ensembles cannot be."""
        names = [f"f{index}" for index in range(len(ensemble.features))]
        classes = len(ensemble.classes)
        options = SimpleNamespace(relax=0, encode="smt", verb=0, solver="z3")
        booster = SimpleNamespace(
            options=options,
            extended_feature_names_as_array_strings=names,
            feature_names=names,
            target_name=list(range(classes)),
            transform=lambda sample: [sample],
        )
        model = DumpedBooster(dumped(ensemble))
        with contextlib.redirect_stdout(sys.stderr):
            formula, *rows = self._encoder(model, names, classes, booster).encode()
            explainer = self._explainer(formula, *rows, names, classes, options, booster)
            found = explainer.explain(floats_of(instance), smallest=False)
        return [int(feature) for feature in found]


@dataclass
class DumpedBooster:
    """The part of a fitted ``XGBClassifier`` that is read: its JSON dump, a text for each tree."""

    texts: Sequence[str]
    feature_names: Any = None

    def get_booster(self) -> DumpedBooster:
        """Return the booster: the same object."""
        return self

    def get_dump(self, *, with_stats: bool, dump_format: str) -> list[str]:
        """Return the dump, which is JSON with statistics whatever is asked for."""
        return list(self.texts)


def dumped(ensemble: Ensemble) -> list[str]:
    """Return the trees of *ensemble* as XGBoost dumps them.

    Of two classes each tree adds to the one score, of K classes tree t adds to that of class t mod K.  Raises
    ``NotImplementedError`` where *ensemble* is no such sum, has a base score, or a tree is none of tests ``x < t``.
    """
    rule = ensemble.rule
    if isinstance(rule, Majority) or rule.divided:
        raise NotImplementedError("it is no ensemble whose trees are summed")
    alone = rule.threshold is not None
    if len(set(rule.base)) > 1 or (rule.threshold is not None and rule.threshold.at != rule.base[0]):
        raise NotImplementedError("a base score")
    if not alone and len(ensemble.classes) < 3:
        raise NotImplementedError("one score for each of two classes")
    texts = []
    for number, (tree, rows) in enumerate(zip(ensemble.trees, ensemble.outputs, strict=True)):
        own = 0 if alone else number % len(ensemble.classes)
        if any(weight for row in rows for k, weight in enumerate(row) if k != own):
            raise NotImplementedError("a tree that adds to scores of other classes")
        texts.append(json.dumps(_tree(tree, [_weight(row[own]) for row in rows])))
    return texts


def _weight(number: Fraction) -> float:
    if Fraction(float(number)) != number:
        raise NotImplementedError(f"{number} is no binary64 number")
    return float(number)


def _tree(tree: DecisionGraph, weights: Sequence[float]) -> dict[str, Any]:
    """Return *tree* as nested records, its nodes by their numbers.  Linear; no recursion."""
    if not tree.is_tree():
        raise NotImplementedError("it is no tree")
    records: list[dict[str, Any]] = [{} for _ in range(tree.node_count)]
    for node in reversed(range(tree.node_count)):
        record = records[node]
        record.update(nodeid=node, cover=1.0)
        if tree.is_terminal(node):
            record["leaf"] = weights[tree.class_of[node]]
            continue
        edges = tree.edges(node)
        if len(edges) != 2:
            raise NotImplementedError("a test that is not two-way")
        feature = tree.feature_of[node]
        _, first_above = test_of(tree, feature, edges[0].values)
        lower, upper = reversed(edges) if first_above else edges
        bound = _least(tree.features[feature].domain, upper.values)
        record.update(split=feature, split_condition=bound, yes=lower.child, no=upper.child, missing=lower.child)
        record["children"] = [records[lower.child], records[upper.child]]
    return records[0]


def _least(domain: Domain, upper: ValueSet) -> float:
    """Return t of the test ``x < t`` whose upper side is *upper*.  Raises ``NotImplementedError`` where there is none."""
    whole = domain.all_values().intersection(upper)
    if isinstance(whole, FiniteSet):
        return 0.5
    (span,) = whole.intervals()
    if span.low is None or span.low_open:
        raise NotImplementedError("a test x ≤ t of dense numbers, which is none of XGBoost")
    return _weight(span.low)
