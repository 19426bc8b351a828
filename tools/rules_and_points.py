"""alibi's anchors and DiCE's counterfactuals of trees and forests, judged.

``python tools/rules_and_points.py anchors [ROWS]`` explains ROWS rows (25) of three data sets of scikit-learn, evenly
spread over the table, and the first ones, on a tree of depth 5 and a forest of five trees of depth 3; ``dice [ROWS]`` does
the same with DiCE's three searches, two counterfactuals a row.  ``--each`` prints each answer, too.  Each table is
Markdown.  alibi or DiCE have to be installed, and scikit-learn.
"""

from __future__ import annotations

import contextlib
import io
import logging
import statistics
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from xpgcheck import from_sklearn, read_point
from xpgcheck.judging.kept_counts import Share
from xpgcheck.judging.rule_judge import PointJudgement, RuleJudge, RuleJudgement, changed_features
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.wording import set_text

TABLES = ("iris", "wine", "breast_cancer")
THRESHOLD = Fraction(95, 100)
"""The precision that an anchor is asked to have: alibi's default."""


@dataclass(frozen=True)
class Model:
    """A fitted model with the table that it was fitted to."""

    name: str
    classifier: DecisionGraph | Ensemble
    rows: list[Point]


def models(tables: Sequence[str] = TABLES) -> Iterator[Model]:
    """Yield a tree and a forest of each of *tables*."""
    from sklearn import datasets
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    fitted: dict[str, Any] = {
        "tree": DecisionTreeClassifier(max_depth=5, random_state=0),
        "forest": RandomForestClassifier(n_estimators=5, max_depth=3, random_state=0),
    }
    for table in tables:
        data = getattr(datasets, f"load_{table}")()
        for kind, estimator in fitted.items():
            names = [str(name) for name in data.feature_names]
            classifier = from_sklearn(estimator.fit(data.data, data.target), feature_names=names)
            yield Model(
                f"{table}, {kind}", classifier, [read_point(classifier.features, r) for r in data.data.tolist()]
            )


def spread(rows: Sequence[Point], count: int) -> list[Point]:
    """Return *count* of *rows*, evenly spread."""
    return [rows[k * len(rows) // count] for k in range(min(count, len(rows)))]


@dataclass
class RuleCounts:
    """Counts of the anchors of one model."""

    asked: int = 0
    none: int = 0
    eligible: list[tuple[Any, RuleJudgement]] = field(default_factory=list)

    def of_precision_one(self) -> list[tuple[Any, RuleJudgement]]:
        """Return those that alibi says keep the class on all perturbed rows."""
        return [pair for pair in self.eligible if pair[0].precision == 1]

    def all_cells(self) -> list[object]:
        """Return the cells of the row of the table of all anchors."""
        low = [judged for _, judged in self.eligible if judged.mixed and (judged.mixed.fraction or 1) < THRESHOLD]
        return [self.asked, self.none, len(self.eligible), *_counted(self.eligible), len(low)]

    def cells_of_precision_one(self) -> list[object]:
        """Return the cells of the row of the table of those of precision 1."""
        ones = self.of_precision_one()
        wrong = [judged for _, judged in ones if judged.holds is False]
        shares = [[j.cells for j in wrong], [j.mixed for j in wrong], [j.rows for j in wrong]]
        return [len(ones), *_counted(ones), sum(a.against > 0 for a, _ in ones), *map(_median, shares)]


FOUND_COLUMNS = ("hold everywhere", "features: an AXp", "not minimal", "insufficient")
ALL_COLUMNS = ("model", "rows", "no anchor", "anchors", *FOUND_COLUMNS, "exact precision below 0.95")
ONE_COLUMNS = (
    "model",
    "anchors of precision 1",
    *FOUND_COLUMNS,
    "alibi shows a row against",
    "kept, of those that fail: cells",
    "mixes",
    "rows",
)


def _counted(found: Sequence[tuple[Any, RuleJudgement]]) -> list[object]:
    """Return how many rules hold, and of how many which verdict on their features."""
    verdicts = Counter(judged.features.verdict for _, judged in found)
    order = (Verdict.AXP, Verdict.REDUNDANT, Verdict.INSUFFICIENT)
    return [sum(judged.holds is True for _, judged in found), *[verdicts[each] for each in order]]


def count_rules(model: Model, rows: Sequence[Point], each: Callable[[str], None]) -> RuleCounts:
    """Ask for the anchor of each of *rows*, and judge it."""
    from xpgcheck.subjects.adapters.alibi_anchors import Anchors

    subject, counts = Anchors(model.rows), RuleCounts()
    with RuleJudge(model.classifier, model.rows) as judge:
        for row in rows:
            counts.asked += 1
            anchor = subject.anchor(model.classifier, row)
            if not anchor.eligible:
                counts.none += 1
                continue
            judged = judge.rule(row, anchor.rule)
            counts.eligible.append((anchor, judged))
            each(
                f"{' and '.join(anchor.text) or 'always'}: precision {anchor.precision:.4f}, holds {judged.holds}, "
                f"features {judged.features.verdict.value}; kept: cells {judged.cells}, mixes {judged.mixed}, "
                f"rows {judged.rows}; {judged.reason}"
            )
    return counts


POINT_COLUMNS = (
    "model",
    "search",
    "rows",
    "no point",
    "points",
    "the same class",
    "another class",
    "a CXp",
    "not minimal",
    "could be taken back",
    "features changed",
    "needed for that class",
    "of a CXp inside",
)


def count_points(model: Model, rows: Sequence[Point], search: type[Any], each: Callable[[str], None]) -> list[object]:
    """Ask for counterfactuals of each of *rows*, judge them, and return the cells of the row of the table."""
    subject, none = search(model.rows, count=2), 0
    found: list[tuple[Point, PointJudgement]] = []
    names = [feature.name for feature in model.classifier.features]
    with RuleJudge(model.classifier, model.rows) as judge:
        for row in rows:
            points = subject.points(model.classifier, row)
            none += not points
            for point in points:
                judged = judge.point(row, point)
                found.append((row, judged))
                inside = judged.changed.inside
                right = "" if inside is None else f"; {set_text(names, inside)} is enough"
                each(
                    f"{set_text(names, judged.changed.claim)}: another class {judged.another}, "
                    f"{judged.changed.verdict.value}{right}"
                )
    other = [(judged, _needed(judged, row)) for row, judged in found if judged.another]
    loose = [judged.changed for judged, _ in other if judged.changed.verdict is Verdict.REDUNDANT]
    inside = [len(judged.changed.inside or judged.changed.claim) for judged, _ in other]
    return [
        subject.method,
        len(rows),
        none,
        len(found),
        sum(judged.another is False for _, judged in found),
        len(other),
        sum(judged.changed.verdict is Verdict.CXP for judged, _ in other),
        len(loose),
        sum(needed < len(judged.changed.claim) for judged, needed in other),
        _mean([len(judged.changed.claim) for judged, _ in other]),
        _mean([needed for _, needed in other]),
        _mean(inside),
    ]


def _needed(judged: PointJudgement, row: Point) -> int:
    """Return how many changes the class of the counterfactual needs."""
    return len(changed_features(row, judged.nearer))


def _median(shares: Sequence[Share | None]) -> str:
    """Return the median of *shares*, cut to two decimals, so that a share below 1 never reads as 1."""
    found = [share.fraction for share in shares if share is not None and share.fraction is not None]
    return f"{float(statistics.median_low(found) * 100 // 1 / 100):.2f}" if found else ""


def _mean(numbers: Sequence[int]) -> str:
    return f"{statistics.mean(numbers):.1f}" if numbers else ""


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _header(title: str, columns: Sequence[str]) -> None:
    print(f"\n{title}\n\n{_line(columns)}\n{'| --- ' * len(columns)}|", flush=True)


@contextlib.contextmanager
def _quiet() -> Iterator[Any]:
    """Let packages warn, log and show bars elsewhere; yield where lines are printed."""
    shown = sys.stdout
    logging.disable(logging.WARNING)
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            yield lambda text: print(text, file=shown, flush=True)
        finally:
            logging.disable(logging.NOTSET)


def print_anchors(count: int, chosen: Callable[[Sequence[Point], int], list[Point]], title: str, each: bool) -> None:
    """Print a table of all anchors of *count* rows, and one of those of precision 1."""
    counts = []
    for model in models():
        with _quiet() as say:
            counts.append((model.name, count_rules(model, chosen(model.rows, count), say if each else _nothing)))
    _header(title, ALL_COLUMNS)
    for name, found in counts:
        print(_line([name, *found.all_cells()]))
    _header(f"{title}: anchors of precision 1", ONE_COLUMNS)
    for name, found in counts:
        print(_line([name, *found.cells_of_precision_one()]), flush=True)


def print_points(count: int, each: bool) -> None:
    """Print a table of counterfactuals of *count* rows."""
    from xpgcheck.subjects.adapters.dice import Dice, DiceGenetic, DiceTree

    _header("Rows evenly spread, two counterfactuals each", POINT_COLUMNS)
    for model in models():
        with _quiet() as say:
            for search in (Dice, DiceGenetic, DiceTree):
                cells = count_points(model, spread(model.rows, count), search, say if each else _nothing)
                say(_line([model.name, *cells]))


def _nothing(text: str) -> None:
    """Say nothing."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables of one of the two packages."""
    what, *rest = [argument for argument in arguments if argument != "--each"]
    count, each = int(rest[0]) if rest else 25, "--each" in arguments
    if what == "anchors":
        print_anchors(count, spread, "Rows evenly spread", each)
        print_anchors(count, lambda rows, most: list(rows[:most]), "The first rows", each)
    else:
        print_points(count, each)


if __name__ == "__main__":
    main(sys.argv[1:])
