"""The adapter of XReason: what it refuses without a checkout, what it hands over, and its answers where one is given."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from small_forests import majority_of_three

from xpgcheck.errors import InputError
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.subjects.adapters import xreason

needs_checkout = pytest.mark.skipif(
    not os.environ.get(xreason.FOLDER), reason=f"{xreason.FOLDER} names no folder with a checkout of XReason"
)


def boosted(base: str = "0", at: str = "0") -> Ensemble:
    """Return three stumps x < 0.5 on three features, which add −1 or 1, and the last one −3 or 3."""
    features = [Feature(f"x{i}", Float32()) for i in range(3)]
    whole: ValueSet = features[0].domain.all_values()
    half = read(features[0])
    trees = [
        decision_graph(
            f"stump {i}",
            features,
            ["low", "high"],
            {0: NonTerminal(i, ((1, half), (2, whole.difference(half)))), 1: Terminal(0), 2: Terminal(1)},
            0,
        )
        for i in range(3)
    ]
    rows = [[(Fraction(-w),), (Fraction(w),)] for w in (1, 1, 3)]
    rule = Sum((Fraction(base),), Threshold(Fraction(at)), Arithmetic.BINARY32)
    return ensemble("boosted", features, ["no", "yes"], trees, rule, rows)


def read(feature: Feature) -> ValueSet:
    from xpgcheck.model.literals import read_literal

    return read_literal(feature.domain, ["(-inf, 0.5)"])


def point(*values: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


def test_without_a_checkout_one_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(xreason.FOLDER, str(tmp_path))
    with pytest.raises(InputError, match="XPGCHECK_XREASON names no folder with its checkout; clone https") as caught:
        xreason.XReason()
    assert "\n" not in str(caught.value)


def test_an_ensemble_is_handed_over_as_xgboost_dumps_it() -> None:
    first, _, last = map(json.loads, xreason.dumped(boosted()))
    assert (first["split"], first["split_condition"]) == (0, 0.5)
    assert [child["leaf"] for child in last["children"]] == [-3.0, 3.0]
    assert [child["nodeid"] for child in first["children"]] == [first["yes"], first["no"]]


def test_what_xreason_does_not_have_is_declined() -> None:
    for model in (majority_of_three(), boosted(base="1"), boosted(at="1")):
        with pytest.raises(NotImplementedError):
            xreason.dumped(model)


@needs_checkout
def test_explanations_of_a_small_ensemble() -> None:
    subject = xreason.XReason()
    assert list(subject.axp(boosted(), point(1, 1, 1))) == [2]
    assert list(subject.axp(boosted(), point(0, 1, 0))) == [2]
