"""Small ensembles, what is true of them by trying every point, and certificates made of that: nothing of the issuer.

What a weight adds is added up here as fractions, from the ensemble's own rule and outputs; the bound on rounding is that of
the model, which the checker does not know.
"""

from __future__ import annotations

import itertools
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from naive_issuer import Instance, Set, certificate, header, minimal, raw_value

from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.values import MISSING, Point
from xpgcheck.properties.ensembles.strategies import ensembles
from xpgcheck.writers.json_model import ensemble_json

EXACT = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 3), Fraction(-2, 7), Fraction(5, 2), Fraction(3)]
FLOATS = [Fraction(x) for x in (0.0, 0.1, 0.2, 0.3, -0.1, -0.3, 1e-3, 0.6, 1e8, 2.0**-40)]
SINGLE = [Fraction(x) for x in (0.0, 0.5, -0.25, 13421773 / 2**27, 13421773 / 2**26, -13421773 / 2**27, 1.0, 2.0**20)]
COARSE = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2)]
WEIGHTS = {Arithmetic.EXACT: EXACT, Arithmetic.BINARY64: FLOATS, Arithmetic.BINARY32: SINGLE}


@st.composite
def sums(draw: st.DrawFn, trees: int = 5) -> Ensemble:
    """Draw an ensemble whose trees' answers are added up, in exact numbers or in floats, with many near ties."""
    drawn = draw(ensembles(trees, 7))
    arithmetic = draw(st.sampled_from(Arithmetic))
    # Few different ones, so that sums meet.
    weights = st.sampled_from(draw(st.sampled_from([WEIGHTS[arithmetic], COARSE])))
    single = draw(st.booleans())
    classes = ("no", "yes") if single else tuple(f"class {k}" for k in range(draw(st.integers(1, 4))))
    row = st.tuples(*[weights] * (1 if single else len(classes)))
    threshold = Threshold(draw(weights), draw(st.booleans())) if single else None
    doubt = draw(st.sampled_from([Fraction(0)] * 4 + [Fraction(1, 3), Fraction(1, 2)]))
    rule = Sum(draw(row), threshold, arithmetic, draw(st.booleans()), doubt)
    outputs = [[draw(row) for _ in tree.classes] for tree in drawn.trees]
    return ensemble("summed", drawn.features, classes, drawn.trees, rule, outputs)


def small_ensembles() -> st.SearchStrategy[Ensemble]:
    """Ensembles that vote, and ensembles that add up."""
    return st.one_of(ensembles(5, 7), sums(), sums())


def totals(model: Ensemble, point: Point) -> list[Fraction]:
    """The sums of the classes at *point*, as fractions; with a threshold, the first class has what is to be exceeded."""
    answers = [tree.class_of[tree.terminal(point, {})] for tree in model.trees]
    if not isinstance(model.rule, Sum):
        return [Fraction(answers.count(c)) for c in range(len(model.classes))]
    rows = [rows[a] for rows, a in zip(model.outputs, answers, strict=True)]
    found = [base + sum((row[k] for row in rows), Fraction(0)) for k, base in enumerate(model.rule.base)]
    if model.rule.divided:
        found = [x / len(rows) for x in found]
    return found if model.rule.threshold is None else [model.rule.threshold.at, *found]


def winners(model: Ensemble, point: Point) -> set[int]:
    """The classes that may win at *point*, whatever rounding does: one where it is settled."""
    found = totals(model, point)
    times = len(model.trees) if isinstance(model.rule, Sum) and model.rule.divided else 1
    slack = model.tally.slack * model.tally.unit / times
    most = max(found)
    near = [c for c, x in enumerate(found) if most - x <= slack]
    if slack:
        return set(near)
    last = isinstance(model.rule, Sum) and model.rule.threshold is not None and model.rule.threshold.inclusive
    return {near[-1] if last else near[0]}


class EnsembleInstance(Instance):
    """An instance of a small ensemble that is settled: which points certainly change its class, and which may."""

    def __init__(self, model: Ensemble, v: Point) -> None:
        self.graph = model  # type: ignore[assignment]
        self.model, self.v = model, v
        (self.own,) = winners(model, v)
        self.features = range(len(model.features))
        self.places = Places(model)
        choices = []
        for own, parts in zip(v, model.cells, strict=True):
            choices.append([own if own in part else part.representative() for part in parts])
        self.others, self.perhaps = {}, set()
        for point in itertools.product(*choices):
            found = winners(model, point)
            changed = frozenset(i for i in self.features if point[i] != v[i])
            if self.own not in found:
                self.others[changed] = point
            if found != {self.own}:
                self.perhaps.add(changed)
        subsets = [frozenset(s) for n in range(len(v) + 1) for s in itertools.combinations(self.features, n)]
        self.sufficient = [s for s in subsets if all(s & changed for changed in self.perhaps)]
        self.axps = minimal(self.sufficient)
        self.cxps = minimal(s for s in subsets if any(changed <= s for changed in self.others))
        self.decided = not any(changed not in self.others for changed in self.perhaps)
        """Whether no point lies within rounding: then the families are each other's minimal hitting sets."""

    def closed(self, fixed: Set) -> dict[str, Any]:
        """A box for each cell that is left."""
        numbers: list[int] = []

        def cut(rows: list[tuple[int, list[int]]]) -> None:
            if not rows:
                numbers.append(-1)
                return
            (feature, cuts), *rest = rows
            if not cuts:
                cut(rest)
                return
            middle = len(cuts) // 2
            numbers.extend((feature, cuts[middle]))
            cut([(feature, cuts[:middle]), *rest])
            cut([(feature, cuts[middle + 1 :]), *rest])

        cut([(i, self.places.between(i)) for i in self.features if i not in fixed])
        return {"fixed": sorted(fixed), "boxes": numbers}


class Places:
    """The places of each feature, by the text of the document: ends of literals in the domain, or listed values."""

    def __init__(self, model: Ensemble) -> None:
        self.model = model
        document = json.loads(ensemble_json(model))
        names = [feature["name"] for feature in document["features"]]
        self.ends: list[list[tuple[Fraction, int]]] = [[] for _ in names]
        for tree in document["trees"]:
            for node in tree["nodes"]:
                for edge in node.get("edges", ()):
                    for item in edge["in"]:
                        self.ends[names.index(node["feature"])] += _ends(str(item))
        for i, feature in enumerate(document["features"]):
            domain = feature["domain"]
            low, high = domain.get("low"), domain.get("high")
            start = None if low is None else (Fraction(low), int(domain.get("low_open", False)))
            end = None if high is None else (Fraction(high), int(not domain.get("high_open", False)))
            inside = {x for x in self.ends[i] if (start is None or start < x) and (end is None or x < end)}
            self.ends[i] = sorted(inside)

    def place(self, feature: int, value: Any) -> int:
        values = self.values(feature)
        if values is not None:
            return values.index(value)
        return len(self.ends[feature]) + 1 if value is MISSING else bisect_right(self.ends[feature], (value, 0))

    def values(self, feature: int) -> list[Any] | None:
        whole = self.model.features[feature].domain.all_values()
        return sorted(whole.values) if hasattr(whole, "values") else None

    def between(self, feature: int) -> list[int]:
        """The places at which a value's place begins, but the first: a cut between any two that can be told apart."""
        values = self.values(feature)
        if values is not None:
            return list(range(1, len(values)))
        found = sorted(self.place(feature, part.representative()) for part in self.model.cells[feature])
        return [place + 1 for place in found[:-1]]


def _ends(text: str) -> list[tuple[Fraction, int]]:
    match = re.fullmatch(r"([\[(])(.*), (.*)([\])])", text)
    if match is None:
        return [] if not re.match(r"-?[0-9]", text) else [(Fraction(text), 0), (Fraction(text), 1)]
    left, low, high, right = match.groups()
    found = [] if low == "-inf" else [(Fraction(low), int(left == "("))]
    return found + ([] if high == "inf" else [(Fraction(high), int(right == "]"))])


def document(model: Ensemble) -> dict[str, Any]:
    """The model as a header has it."""
    found: dict[str, Any] = json.loads(ensemble_json(model))
    for feature in found["features"]:
        feature["domain"] = {k: x for k, x in feature["domain"].items() if k not in ("cells", "unseen")}
    return found


def ensemble_certificate(model: Ensemble, instances: Iterable[EnsembleInstance], method: str = "rup") -> bytes:
    """The certificate of all families of some instances, and of the wrong claims."""
    lines = []
    for instance in instances:
        lines += [instance.family(method), instance.wrong_claims()]
    return certificate(header("model", document(model)), lines)


def settled(model: Ensemble, points: Sequence[Point]) -> list[EnsembleInstance]:
    """The instances among *points* at which nothing lies within rounding."""
    found = [EnsembleInstance(model, point) for point in points if len(winners(model, point)) == 1]
    return [instance for instance in found if instance.decided]


__all__ = ["EnsembleInstance", "document", "ensemble_certificate", "raw_value", "settled", "small_ensembles", "winners"]
