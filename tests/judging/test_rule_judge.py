"""Rules and points are judged, and what keeps the class is counted: against every cell, and every mix of rows."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from small_forests import forest, majority_of_three, stump, test

from xpgcheck.errors import InputError
from xpgcheck.judging import kept_counts, rule_judge
from xpgcheck.judging.kept_counts import Share, cell_share, in_box, mixed_share, row_share
from xpgcheck.judging.rule_judge import RuleJudge, changed_features
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.boxes import cell_index, union_of_cells
from xpgcheck.model.combination import Sum, Threshold
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import property_cases
from xpgcheck.subjects.adapters.number_rows import NumberRows


def point(*values: float) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


def cases(examples: int) -> list[tuple[Any, Any]]:
    """Return generated graphs and ensembles of few cells, each with an instance."""
    found: list[tuple[Any, Any]] = []
    visit(property_cases(size=9), lambda case: found.append((case.graph, case.instance)), examples, 3)
    visit(ensemble_cases(4, 7), lambda case: found.append((case.graph, case.instance)), examples, 3)
    few = [(c, v) for c, v in found if len(list(itertools.islice(itertools.product(*c.cells), 400))) < 400]
    assert len(few) > examples
    return few


def drawn_box(dice: random.Random, classifier: Any, instance: Any) -> Any:
    """Return a box around *instance*: unions of cells, of some features."""
    box = {}
    for i, split in enumerate(classifier.cells):
        if dice.random() < 0.6:
            mask = dice.randrange(1 << len(split)) | 1 << cell_index(split, instance[i])
            box[i] = union_of_cells(split, mask)
    return box


def points_of_cells(classifier: Any) -> list[Any]:
    return list(itertools.product(*[[cell.representative() for cell in split] for split in classifier.cells]))


def test_shares_are_those_of_looking_at_every_point() -> None:
    dice, kinds = random.Random(5), Counter[bool]()
    for classifier, instance in cases(30):
        everything, own = points_of_cells(classifier), classifier.kappa(instance)
        box = drawn_box(dice, classifier, instance)
        inside = [p for p in everything if in_box(p, box)]
        kept = sum(classifier.kappa(p) == own for p in inside)
        assert cell_share(classifier, box, instance) == Share(kept, len(inside))
        rows = [dice.choice(everything) for _ in range(9)]
        chosen = [row for row in rows if in_box(row, box)]
        mixes = [tuple(a[i] if i in box else b[i] for i in range(len(a))) for a, b in itertools.product(chosen, rows)]
        kept_mixes = sum(classifier.kappa(p) == own for p in mixes)
        assert mixed_share(classifier, box, instance, rows) == Share(kept_mixes, len(mixes))
        kept_rows = sum(classifier.kappa(p) == own for p in chosen)
        assert row_share(classifier, box, instance, rows) == Share(kept_rows, len(chosen))
        kinds[kept == len(inside)] += 1
    assert min(kinds.values()) > 5


def test_a_box_that_ends_within_a_cell_has_pieces_of_cells() -> None:
    stumps = majority_of_three()
    rows = NumberRows(stumps)
    box = {0: rows.between(0, 0.25, 2), 1: rows.between(1, None, 0.25)}
    # f0 from 0.25 to 0.5 and from 0.5 to 2; f1 below 0.25; f2 on either side.
    assert cell_share(stumps, box, point(1, 0, 1)) == Share(1, 4)
    assert cell_share(stumps, box, point(1, 0, 0)) == Share(3, 4)


def test_a_count_that_takes_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_counts, "MAX_PIECES", 5)
    assert cell_share(majority_of_three(), {}, point(0, 0, 0)) is None
    with RuleJudge(majority_of_three(), points_of_cells(majority_of_three())) as judge:
        found = judge.rule(point(0, 0, 0), {})
    assert (found.cells, found.mixed, found.holds) == (None, None, False)


def test_answers_that_settle_the_class_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_counts, "MAX_PIECES", 7)
    decided = forest(stump(0), stump(0), stump(0), stump(1), stump(2))
    assert cell_share(decided, {}, point(0, 0, 0)) == Share(4, 8)


def test_sums_that_tie_follow_their_rule() -> None:
    trees = forest(stump(0), stump(1), features=2).trees
    for inclusive, kept in ((True, 1), (False, 3)):
        rule = Sum((Fraction(0),), Threshold(Fraction(1), inclusive))
        summed = ensemble("sums", trees[0].features, ("0", "1"), trees, rule, [((point(0)), (point(1)))] * 2)
        assert cell_share(summed, {}, point(0, 0)) == Share(kept, 4)


def test_judgements_are_those_of_the_definitions() -> None:
    dice, verdicts = random.Random(7), Counter[tuple[bool | None, Verdict]]()
    for classifier, instance in cases(25):
        if isinstance(classifier, Ensemble) and classifier.tally.slack:
            # Rounding may leave a rule open.
            continue
        everything, own = points_of_cells(classifier), classifier.kappa(instance)
        box = drawn_box(dice, classifier, instance)
        with RuleJudge(classifier, everything[:5]) as judge:
            found = judge.rule(instance, box)
            assert not found.reason
            assert found.holds is all(classifier.kappa(p) == own for p in everything if in_box(p, box))
            if found.witness is not None:
                assert in_box(found.witness, box)
                assert classifier.kappa(found.witness) != own
            # A rule that holds in a box around the instance holds for its values.
            assert not found.holds or found.features.verdict in (Verdict.AXP, Verdict.REDUNDANT)
            other = dice.choice(everything)
            shown = judge.point(instance, other)
            assert shown.another is (classifier.kappa(other) != own)
            assert shown.changed.claim == changed_features(instance, other)
            assert not shown.another or shown.changed.verdict in (Verdict.CXP, Verdict.REDUNDANT)
            assert classifier.kappa(shown.nearer) == classifier.kappa(other)
            assert changed_features(other, shown.nearer).isdisjoint(changed_features(instance, shown.nearer))
            for i in changed_features(instance, shown.nearer):
                back = (*shown.nearer[:i], instance[i], *shown.nearer[i + 1 :])
                assert classifier.kappa(back) != classifier.kappa(other)
        verdicts[found.holds, found.features.verdict] += 1
    assert len(verdicts) >= 4


def test_a_counterfactual_within_rounding_is_neither_right_nor_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ensemble, "differs", lambda *_: None)
    with RuleJudge(majority_of_three()) as judge:
        assert judge.point(point(0, 0, 0), point(1, 1, 0)).another is None


def test_counts_that_contradict_the_oracles_leave_the_rule_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_judge, "cell_share", lambda *_: Share(8, 8))
    with RuleJudge(majority_of_three()) as judge:
        found = judge.rule(point(0, 0, 0), {})
    assert found.holds is None
    assert found.reason == "the oracles say that the rule fails, and 8 of 8 cells keep the class"


def first_tree_alone(classifier: Any, box: Any, inside: Any) -> Share | None:
    """Count what the first tree keeps."""
    return cell_share(classifier.trees[0], box, inside)


def whole_space(classifier: Any, box: Any, inside: Any) -> Share | None:
    """Count the cells of the whole feature space."""
    return cell_share(classifier, {}, inside)


def class_of_the_lowest_corner(classifier: Any, box: Any, inside: Any) -> Share | None:
    """Count the cells that have the class of a fixed point."""
    found = cell_share(classifier, box, inside)
    same = classifier.kappa(point(0, 0, 0)) == classifier.kappa(inside)
    return found if same or found is None else Share(found.total - found.kept, found.total)


@pytest.mark.parametrize("wrong", [first_tree_alone, whole_space, class_of_the_lowest_corner])
def test_a_count_that_is_wrong_is_noticed_by_the_oracles(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = NumberRows(majority_of_three())
    rules = [(point(0, 0, 0), {1: rows.between(1, None, 0.5), 2: rows.between(2, None, 0.5)})]
    rules += [(point(1, 1, 1), {0: rows.between(0, 0.5), 1: rows.between(1, 0.5)})]
    monkeypatch.setattr(rule_judge, "cell_share", wrong)
    with RuleJudge(majority_of_three()) as judge:
        found = [judge.rule(instance, box) for instance, box in rules]
    assert any(each.holds is None and "cells keep the class" in each.reason for each in found)


def test_points_and_rules_out_of_place_are_refused() -> None:
    with RuleJudge(majority_of_three()) as judge:
        with pytest.raises(InputError, match="does not hold of the instance"):
            judge.rule(point(0, 0, 0), {0: NumberRows(majority_of_three()).between(0, 1)})
        for wrong in ((), ("a", "b", "c")):
            with pytest.raises(InputError, match="not in the feature space"):
                judge.point(point(0, 0, 0), wrong)


def test_a_share_is_exact() -> None:
    assert Share(1, 3).fraction == Fraction(1, 3)
    assert Share(0, 0).fraction is None
    assert str(Share(1234, 5678)) == "1,234 of 5,678"


def test_a_tree_that_tests_a_feature_twice() -> None:
    nested = forest(test(0, "1.5", stump(0), stump(0, "2.5")), features=1)
    assert cell_share(nested, {}, point(0)) == Share(2, 4)
