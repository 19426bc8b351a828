"""The adapter of RFxpl: what it refuses without a checkout, what it hands over, and its answers where one is given."""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from small_forests import forest, leaf, majority_of_three, stump, test

from xpgcheck.errors import InputError
from xpgcheck.gate.plan import Cases, GatePlan, InProcess
from xpgcheck.gate.run import gate
from xpgcheck.model.ensemble import ensemble
from xpgcheck.subjects.adapters import rfxpl

needs_checkout = pytest.mark.skipif(
    not os.environ.get(rfxpl.FOLDER), reason=f"{rfxpl.FOLDER} names no folder with a checkout of RFxpl"
)


def test_without_a_checkout_one_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("", str(tmp_path), "/no/such/folder"):
        monkeypatch.setenv(rfxpl.FOLDER, folder)
        with pytest.raises(InputError, match="XPGCHECK_RFXPL names no folder with its checkout; clone https") as caught:
            rfxpl.RFxpl()
        assert "\n" not in str(caught.value)


def test_a_tree_is_handed_over_as_arrays() -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    (tree,) = forest(test(1, "0.5", leaf(1), stump(2, "0.25"))).trees
    fitted = rfxpl._fitted(tree, 3)
    arrays = fitted.tree_
    assert (fitted.n_features_in_, fitted.n_classes_, arrays.max_depth) == (3, 2, 2)
    for point in ((0, 0, 0), (0, 1, 0), (0, 1, 1), (0, Fraction(1, 2), 1), (0, 1, Fraction(1, 4))):
        node = 0
        while arrays.children_left[node] >= 0:
            at_most = point[arrays.feature[node]] <= arrays.threshold[node]
            node = int((arrays.children_left if at_most else arrays.children_right)[node])
        assert arrays.value[node, 0].argmax() == tree.kappa(tuple(map(Fraction, point)))


@needs_checkout
def test_answers_are_right_where_the_class_can_change() -> None:
    subject = rfxpl.RFxpl()
    report = gate(GatePlan(InProcess(subject), Cases(60, 0, 12, models=())))
    verdicts = Counter(verdict for _, verdict in report.counts)
    assert {*verdicts} <= {"AXp", "CXp", "right prediction", "crash"}
    assert report.unsupported, "trees with other tests are declined"


@needs_checkout
def test_explanations_of_a_small_forest() -> None:
    subject, own = rfxpl.RFxpl(), majority_of_three()
    point = (Fraction(1), Fraction(1), Fraction(0))
    assert subject.predict(own, point) == own.kappa(point)
    assert sorted(subject.axp(own, point)) == [0, 1]
    assert len(list(subject.cxp(own, point))) == 1


@needs_checkout
def test_it_fails_on_constant_forests() -> None:
    tree = majority_of_three().trees[0]
    constant = forest(leaf(1), leaf(1))
    with pytest.raises(AssertionError, match="cannot be an empty-set"):
        rfxpl.RFxpl().axp(constant, (Fraction(0),) * 3)
    summed = ensemble("one", tree.features, tree.classes, [tree])
    assert rfxpl.RFxpl().axp(summed, (Fraction(1),) * 3) == [0]
