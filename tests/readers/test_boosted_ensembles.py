"""Boosted ensembles from files written by hand: rules, bases, answers, and one line for whatever is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import FormatError, InputError, LimitError, ModelError, ModelNotice, XpgcheckError
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import MAX_TREES, Ensemble
from xpgcheck.readers import read_classifier, read_model
from xpgcheck.readers.lightgbm_model import parse_lightgbm
from xpgcheck.readers.lightgbm_sums import LightGBMScores
from xpgcheck.readers.summed_trees import Weights
from xpgcheck.readers.xgboost_model import parse_xgboost

AT = 1.5 * 2**-24
SOME = [(0.25, -0.5), (0.5, 0.75), (-0.25, 1.0)]
"""The weights of three stumps: below 1/2, and not below."""


def stump(left: float, right: float, feature: int = 0) -> dict[str, Any]:
    return {
        "default_left": [1, 0, 0],
        "left_children": [1, -1, -1],
        "right_children": [2, -1, -1],
        "split_conditions": [0.5, left, right],
        "split_indices": [feature, 0, 0],
        "split_type": [0, 0, 0],
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
    }


def xgboost(
    trees: Sequence[dict[str, Any]],
    objective: str = "binary:logistic",
    infos: Sequence[int] | None = None,
    parameters: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    booster = {
        "name": "gbtree",
        "model": {
            "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
            "tree_info": [0] * len(trees) if infos is None else list(infos),
            "trees": list(trees),
        },
    }
    if "weight_drop" in more:
        booster = {"name": "dart", "gbtree": booster, "weight_drop": more.pop("weight_drop")}  # type: ignore[dict-item]
    own = {"base_score": "5E-1", "num_class": "0", "num_feature": "2", "num_target": "1", **(parameters or {})}
    learner = {"learner_model_param": own, "gradient_booster": booster, "objective": {"name": objective}, **more}
    return {"learner": learner, "version": [3, 2, 0]}


def of_xgboost(document: dict[str, Any]) -> Ensemble:
    found = parse_xgboost(json.dumps(document).encode(), "m")
    assert isinstance(found, Ensemble)
    return found


def lightgbm(
    trees: Sequence[tuple[float, float]],
    objective: str = "binary sigmoid:1",
    per_round: int = 1,
    header: Sequence[str] = (),
    feature: int = 0,
) -> bytes:
    lines = ["tree", "version=v4", f"num_tree_per_iteration={per_round}", f"objective={objective}", *header]
    lines += ["feature_names=a b", "feature_infos=[0:1] [0:1]", ""]
    for number, (left, right) in enumerate(trees):
        lines += [f"Tree={number}", "num_leaves=2", "num_cat=0", f"split_feature={feature}", "threshold=0.5"]
        lines += [
            "decision_type=10",
            "left_child=-1",
            "right_child=-2",
            f"leaf_value={left} {right}",
            "is_linear=0",
            "",
        ]
    return "\n".join([*lines, "end of trees", ""]).encode()


def of_lightgbm(data: bytes) -> Ensemble:
    found = parse_lightgbm(data, "m")
    assert isinstance(found, Ensemble)
    return found


def rule_of(found: Ensemble) -> Sum:
    assert isinstance(found.rule, Sum)
    return found.rule


def classes_at(found: Ensemble, *numbers: Fraction | int) -> list[str]:
    return [found.classes[found.kappa((Fraction(number), Fraction(0)))] for number in numbers]


class TestXgboost:
    """Rules and bases of XGBoost."""

    def test_two_classes(self) -> None:
        found = of_xgboost(xgboost([stump(*pair) for pair in SOME]))
        rule = rule_of(found)
        assert (rule.base, rule.threshold, rule.arithmetic) == ((0,), Threshold(Fraction(AT)), Arithmetic.BINARY32)
        assert [tree.classes for tree in found.trees] == [("0.25", "-0.5"), ("0.5", "0.75"), ("-0.25", "1.0")]
        assert found.outputs[0] == ((Fraction(1, 4),), (Fraction(-1, 2),))
        assert found.tally.slack * found.tally.unit < Fraction(AT), "a sum of 0 is settled"
        assert classes_at(found, 0, 1) == ["1", "1"]

    @pytest.mark.parametrize(
        ("objective", "base", "threshold"),
        [("binary:hinge", Fraction(1, 2), 0), ("binary:logitraw", Fraction(1, 2), Fraction(1, 2))],
    )
    def test_other_objectives_of_two_classes(self, objective: str, base: Fraction, threshold: Fraction) -> None:
        rule = rule_of(of_xgboost(xgboost([stump(*pair) for pair in SOME], objective)))
        assert (rule.base, rule.threshold, rule.doubt) == ((base,), Threshold(Fraction(threshold)), 0)

    @pytest.mark.parametrize(
        "text", ["2E-1", "0.2", "2.0000000000000000e-01", "[2E-1]", "[0.2]", "0.20000000298023224"]
    )
    def test_spellings_of_one_base_score(self, text: str) -> None:
        trees = [stump(*pair) for pair in SOME]
        found = of_xgboost(xgboost(trees, parameters={"base_score": text}))
        assert found == of_xgboost(xgboost(trees, parameters={"base_score": "2E-1"}))
        assert float(rule_of(found).base[0]) == pytest.approx(math.log(0.25), rel=1e-6)
        assert rule_of(found).doubt > 4 * Fraction(2) ** -24
        several = {"num_class": "3", "base_score": text}
        assert len(set(rule_of(of_xgboost(xgboost(trees, "multi:softmax", [0, 1, 2], several))).base)) == 1

    @pytest.mark.parametrize("objective", ["multi:softmax", "multi:softprob"])
    def test_several_classes(self, objective: str) -> None:
        parameters = {"num_class": "3", "base_score": "[0E0,2.5E-1,-5E-1]"}
        found = of_xgboost(xgboost([stump(*pair) for pair in SOME], objective, [2, 0, 1], parameters))
        assert found.classes == ("0", "1", "2")
        assert rule_of(found).base == (0, Fraction(1, 4), Fraction(-1, 2))
        assert found.outputs[0] == ((0, 0, Fraction(1, 4)), (0, 0, Fraction(-1, 2)))
        assert classes_at(found, 0, 1) == ["0", "1"]
        assert (rule_of(found).doubt > 0) == (objective == "multi:softprob")

    def test_a_dropped_tree_adds_the_product_of_float32(self) -> None:
        drops = [0.1, 1.0, 0.7]
        found = of_xgboost(xgboost([stump(*pair) for pair in SOME], "binary:hinge", weight_drop=drops))
        weights = [float(row[0]) for row in found.outputs[0]]
        assert weights == [pytest.approx(0.025, rel=1e-6), pytest.approx(-0.05, rel=1e-6)]
        assert rule_of(found).doubt > 0

    def test_training_that_stopped_early(self) -> None:
        document = xgboost([stump(*pair) for pair in SOME], attributes={"best_iteration": "1"})
        with pytest.warns(ModelNotice, match="2 of 3 trees are read"):
            assert len(of_xgboost(document).trees) == 2
        document["learner"]["attributes"]["best_iteration"] = "2"
        assert len(of_xgboost(document).trees) == 3
        document["learner"]["attributes"]["best_iteration"] = "0"
        with pytest.warns(ModelNotice, match="1 of 3 trees are read"):
            assert isinstance(parse_xgboost(json.dumps(document).encode(), "m"), DecisionGraph)
        document["learner"]["gradient_booster"]["model"]["iteration_indptr"] = [0, 2, 3]
        with pytest.warns(ModelNotice, match="2 of 3 trees are read"):
            assert len(of_xgboost(document).trees) == 2

    def test_tests_of_all_trees_share_their_sets(self) -> None:
        found = of_xgboost(xgboost([stump(*pair) for pair in SOME]))
        assert len({id(literal.values) for tree in found.trees for literal in tree.literals}) == 2

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            ({"trees": []}, "there are no trees; train with n_estimators=1 or more"),
            ({"infos": [0, 0]}, "tree_info: there are 2 numbers for 3 trees"),
            ({"infos": [0, 1, 0]}, "tree_info[1]: there is no score 1 of 1"),
            ({"infos": [0, -1, 0]}, "tree_info[1]: there is no score -1 of 1"),
            ({"objective": "multi:softprob", "parameters": {"num_class": "1"}}, "with 1 class and 3 trees"),
            ({"objective": "multi:softprob", "parameters": {"num_class": "999999999"}}, "with 999,999,999 classes"),
            ({"objective": "multi:softprob", "parameters": {"num_class": "-3"}}, "with -3 classes"),
            ({"parameters": {"num_class": "3"}}, "there are 3 classes, and binary:logistic has two"),
            ({"parameters": {"num_target": "2"}}, "there are 2 outputs; train one classifier for each"),
            ({"parameters": {"base_score": "[1E-1,2E-1]"}}, "is not one number; train with one output"),
            ({"parameters": {"base_score": "[]"}}, "the base score '[]' is not one number"),
            ({"parameters": {"base_score": "nan"}}, "the base score 'nan' is not one number"),
            ({"parameters": {"base_score": "inf"}}, "the base score 'inf' is not one number"),
            ({"parameters": {"base_score": "1E0"}}, "the base score 1.0 is not between 0 and 1"),
            (
                {"objective": "multi:softmax", "parameters": {"num_class": "3", "base_score": "[1E-1,2E-1]"}},
                "is not one number, or one for each of 3 classes",
            ),
            ({"weight_drop": [1.0, 0.5]}, "weight_drop: there are 2 weights for 3 trees"),
            ({"weight_drop": [1.0, 0.5, math.nan]}, "weight_drop: a weight is no finite number"),
            ({"weight_drop": [1.0, 0.5, 1e300]}, "weight_drop: a number is beyond the float32 numbers"),
            ({"attributes": {"best_iteration": "x"}}, "attributes.best_iteration: ''x'' is not an integer"),
            ({"attributes": {"best_iteration": "-1"}}, "attributes.best_iteration: the best round is -1"),
            ({"objective": "reg:squarederror"}, "the objective 'reg:squarederror' is not read; train a classifier"),
            ({"objective": "rank:ndcg"}, "the objective 'rank:ndcg' is not read; train a classifier"),
            ({"trees": [stump(0, 1), stump(0, math.nan)]}, "trees[1]: node 2: the weight of a leaf is nan"),
            ({"trees": [stump(0, 1), stump(-math.inf, 1)]}, "trees[1]: node 1: the weight of a leaf is -inf"),
            ({"trees": [stump(0, math.nan)]}, "trees[0]: node 2: the weight of a leaf is nan"),
            ({"trees": [stump(0, 1), stump(0, 1, 2)]}, "trees[1]: node '0' tests feature 2 of 2"),
            ({"trees": [stump(0, 1), stump(0, 1, -1)]}, "trees[1]: node '0' tests feature -1 of 2"),
            (
                {"objective": "binary:hinge", "trees": [stump(3e38, 1)], "parameters": {"base_score": "3E38"}},
                "trees[0]: node 1: the sum of a leaf's weight and the base is beyond the float32 numbers",
            ),
            ({"trees": [stump(3e38, 1), stump(3e38, 1)]}, "its sums may exceed what binary32 holds"),
        ],
    )
    def test_what_is_refused(self, change: dict[str, Any], problem: str) -> None:
        document = xgboost(**{"trees": [stump(*pair) for pair in SOME], **change})
        assert problem in line_of(lambda: parse_xgboost(json.dumps(document).encode(), "m"))

    def test_vector_leaves_of_a_later_tree(self) -> None:
        trees = [stump(*pair) for pair in SOME]
        trees[2]["tree_param"]["size_leaf_vector"] = "3"
        line = line_of(lambda: parse_xgboost(json.dumps(xgboost(trees)).encode(), "m"))
        assert "trees[2]: the leaves are vectors; train with multi_strategy='one_output_per_tree'" in line

    def test_too_many_trees(self) -> None:
        leaf = {key: value[1:2] if isinstance(value, list) else value for key, value in stump(1, 1).items()}
        data = json.dumps(xgboost([leaf] * (MAX_TREES + 1))).encode()
        with pytest.raises(LimitError, match="there are 10,001 trees; train at most 10,000"):
            parse_xgboost(data, "m")


class TestLightgbm:
    """Rules of LightGBM."""

    def test_two_classes(self) -> None:
        found = of_lightgbm(lightgbm(SOME))
        rule = rule_of(found)
        assert (rule.base, rule.arithmetic, rule.divided) == ((0,), Arithmetic.BINARY64, False)
        assert rule.threshold is not None
        assert 0 < rule.threshold.at < 2 * Fraction(2) ** -53
        assert found.tally.slack * found.tally.unit < rule.threshold.at, "a sum of 0 is settled"
        assert found.outputs[0] == ((Fraction(1, 4),), (Fraction(-1, 2),))
        assert classes_at(found, 0, 1) == ["1", "1"]

    def test_the_border_is_where_the_probability_says(self) -> None:
        for sigmoid in (1.0, 0.3, 7.0, 1e-200, 1e200):
            scores = LightGBMScores("binary", 2, sigmoid, None)
            rule = scores.rule([(0, Weights())])
            assert rule.threshold is not None
            border = float(rule.threshold.at)
            assert [scores.class_alone(x) for x in (0.0, border, math.nextafter(border, math.inf))] == [0, 0, 1]
            assert rule.doubt < rule.threshold.at

    def test_a_forest_is_averaged(self) -> None:
        rule = rule_of(of_lightgbm(lightgbm(SOME, header=["average_output"])))
        assert (rule.divided, rule.threshold is None) == (True, False)
        several = lightgbm(SOME, "multiclass num_class:3", 3, ["average_output"])
        assert (rule_of(of_lightgbm(several)).divided, rule_of(of_lightgbm(several)).threshold) == (False, None)

    @pytest.mark.parametrize("objective", ["multiclass num_class:3", "multiclassova num_class:3 sigmoid:0.5"])
    def test_several_classes(self, objective: str) -> None:
        found = of_lightgbm(lightgbm(SOME * 2, objective, 3))
        assert found.classes == ("0", "1", "2")
        assert found.outputs[4] == ((0, Fraction(1, 2), 0), (0, Fraction(3, 4), 0))
        assert classes_at(found, 0, 1) == ["1", "2"]
        assert 0 < rule_of(found).doubt < Fraction(2) ** -40

    def test_large_scores_of_one_against_all_are_in_doubt(self) -> None:
        """1/(1 + exp(−s)) is 1 from about 37 on."""

        def doubt(most: float) -> float:
            weights = Weights()
            weights.answer(most, "")
            return float(LightGBMScores("multiclassova", 2, 1.0, None).rule([(0, weights), (1, weights)]).doubt)

        assert doubt(1.0) < 1e-14
        assert doubt(30.0) < 0.1
        assert 3 < doubt(40.0) < 10
        assert 463 < doubt(500.0) < 500

    @pytest.mark.parametrize("most", [0.1, 1.0, 10.0, 30.0, 36.0, 40.0])
    def test_probabilities_of_scores_further_apart_than_the_doubt_differ(self, most: float) -> None:
        weights = Weights()
        weights.answer(most, "")
        doubt = float(LightGBMScores("multiclassova", 2, 1.0, None).rule([(0, weights), (1, weights)]).doubt)
        scores = [most * (1 - 2.0**-power) for power in range(1, 40)] + [most * step / 50 for step in range(-50, 51)]
        pairs = [(score - doubt, score) for score in scores if score - doubt >= -most]
        assert pairs
        assert all(1.0 / (1.0 + math.exp(-low)) < 1.0 / (1.0 + math.exp(-high)) for low, high in pairs)

    @pytest.mark.parametrize(
        ("data", "problem"),
        [
            (lambda: lightgbm([]), "there are no trees; train with num_boost_round=1 (n_estimators=1) or more"),
            (lambda: lightgbm(SOME[:2], "multiclass num_class:3", 3), "2 trees are no whole number of rounds of 3"),
            (lambda: lightgbm(SOME, "multiclass num_class:3", 1), "multiclass with 1 tree in a round and 3 classes"),
            (lambda: lightgbm(SOME, "multiclass", 3), "objective: '' is not a number"),
            (lambda: lightgbm(SOME, "multiclass num_class:1", 1), "multiclass with 1 tree in a round and 1 class"),
            (lambda: lightgbm(SOME, per_round=3), "binary with 3 trees in a round"),
            (lambda: lightgbm(SOME, "binary sigmoid:0"), "the sigmoid 0.0 is not a finite number over 0"),
            (lambda: lightgbm(SOME, "binary sigmoid:nan"), "the sigmoid nan is not"),
            (lambda: lightgbm(SOME, "lambdarank"), "the objective 'lambdarank' is not read; train a classifier"),
            (lambda: lightgbm(SOME, "regression"), "the objective 'regression' is not read; train a classifier"),
            (lambda: lightgbm([(0, 1), (math.nan, 1)]), "Tree=1: leaf 0: the weight of a leaf is nan"),
            (lambda: lightgbm([(0, 1), (0, -math.inf)]), "Tree=1: leaf 1: the weight of a leaf is -inf"),
            (lambda: lightgbm([(0, math.inf)]), "Tree=0: leaf 1: the weight of a leaf is inf"),
            (lambda: lightgbm(SOME, feature=2), "Tree=0: node '0' tests feature 2 of 2"),
            (lambda: lightgbm([(1e308, 0), (1e308, 0)]), "its sums may exceed what binary64 holds"),
            (
                lambda: lightgbm([(1e308, 0)] * 4, "multiclass num_class:2", 2),
                "its sums may exceed what binary64 holds",
            ),
            (lambda: lightgbm(SOME).replace(b"Tree=1", b"Tree=2"), "'Tree=2' comes where Tree=1 has to"),
            (lambda: lightgbm(SOME, header=["tree_sizes=9 9"]), "the header has the sizes of 2 trees, and there are 3"),
            (
                lambda: lightgbm(SOME).replace(b"0.5 0.75", b"0.5"),
                "Tree=1: leaf_value: there are 1 numbers, expected 2",
            ),
            (lambda: lightgbm(SOME).replace(b"end of trees", b""), "the file breaks off before 'end of trees'"),
        ],
    )
    def test_what_is_refused(self, data: Callable[[], bytes], problem: str) -> None:
        assert problem in line_of(lambda: parse_lightgbm(data(), "m"))

    def test_linear_leaves_of_a_later_tree(self) -> None:
        first, _, last = lightgbm(SOME).rpartition(b"is_linear=0")
        line = line_of(lambda: parse_lightgbm(first + b"is_linear=1" + last, "m"))
        assert "Tree=2: the leaves are linear models; train with linear_tree=False" in line

    def test_too_many_trees(self) -> None:
        block = "\n".join(["num_leaves=1", "leaf_value=0.5", "", ""])
        blocks = "".join(f"Tree={number}\n{block}" for number in range(MAX_TREES + 1))
        data = lightgbm([]).replace(b"end of trees", blocks.encode() + b"end of trees")
        with pytest.raises(LimitError, match="there are 10,001 trees; train at most 10,000"):
            parse_lightgbm(data, "m")


def line_of(read: Callable[[], object]) -> str:
    """Return the line that *read* ends in, which names a remedy."""
    with pytest.raises(XpgcheckError) as caught:
        read()
    assert isinstance(caught.value, (FormatError, InputError, ModelError))
    assert caught.value.mend
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("ending", ["json", "txt"])
def test_a_boosted_ensemble_is_a_classifier_and_no_graph(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"model.{ending}"
    path.write_bytes(json.dumps(xgboost([stump(0, 1)] * 2)).encode() if ending == "json" else lightgbm(SOME))
    assert isinstance(read_classifier(path), Ensemble)
    with pytest.raises(InputError, match=r"this is an ensemble of \d trees"):
        read_model(path)
    with pytest.raises(InputError, match="leaves no choice how trees are combined; leave 'combine' out"):
        read_classifier(path, combine="average")


def test_other_names(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    path.write_bytes(lightgbm(SOME, "multiclass num_class:3", 3))
    found = read_classifier(path, names={"features": ["x", "y"], "classes": ["low", "mid", "high"]})
    assert isinstance(found, Ensemble)
    assert found.classes == ("low", "mid", "high")
    assert [feature.name for feature in found.trees[2].features] == ["x", "y"]
