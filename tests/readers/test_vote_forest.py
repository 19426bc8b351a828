"""Forests that vote, from their small JSON format: exact thresholds, and one line for whatever is wrong."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_forests import document, forest, leaf, stump, test

from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError
from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers import read_classifier, read_model
from xpgcheck.readers.vote_forest import parse_vote_forest


def parse(found: Any) -> Ensemble:
    return parse_vote_forest(found if isinstance(found, bytes) else json.dumps(found).encode(), "file")


def test_a_forest() -> None:
    found = forest(stump(0), stump(2, "-1.25"), leaf(1))
    assert (found.name, found.classes, found.rule) == ("small", ("0", "1"), Majority())
    assert [feature.name for feature in found.features] == ["f0", "f1", "f2"]
    assert [tree.node_count for tree in found.trees] == [3, 3, 1]
    assert [len(cells) for cells in found.cells] == [2, 1, 2]


@pytest.mark.parametrize("text", ["0.1", "1e-1", "2.0000000000000000001", "-3", "1/3"])
def test_thresholds_are_exact_and_at_most_goes_to_yes(text: str) -> None:
    found = forest(stump(0, text), features=1)
    threshold = Fraction(text)
    tiny = Fraction(1, 10**30)
    assert [found.kappa((threshold + step,)) for step in (-tiny, 0, tiny)] == [0, 0, 1]


def test_thresholds_may_be_numbers_and_lose_no_digit() -> None:
    text = json.dumps(document(stump(0, 1234.5), features=1)).replace("1234.5", "0.10000000000000000000001")
    found = parse(text.encode())
    assert found.kappa((Fraction("0.10000000000000000000001"),)) == 0
    assert found.kappa((Fraction("0.10000000000000000000002"),)) == 1
    assert parse(document(stump(0, 3), features=1)).kappa((Fraction(3),)) == 0


def test_tests_that_no_point_can_fail_are_left_out() -> None:
    inner = test(0, "2", leaf(0), leaf(1))
    found = forest(test(0, "1", inner, leaf(1)), features=1)
    assert found.trees[0].node_count == 3
    assert [found.kappa((Fraction(x),)) for x in (0, 1, 2, 3)] == [0, 0, 1, 1]


def test_the_name_is_the_file_s_where_there_is_none(tmp_path: Path) -> None:
    raw = document(stump(0))
    del raw["name"]
    path = tmp_path / "woods.json"
    path.write_text(json.dumps(raw))
    assert read_classifier(path).name == "woods"


def test_a_deep_tree_and_classes_with_names(tmp_path: Path) -> None:
    tree = leaf("yes")  # type: ignore[arg-type]
    for depth in range(300):
        tree = test(0, depth, tree, leaf("no"))  # type: ignore[arg-type]
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(document(tree, features=1, classes=("no", "yes"))))
    found = read_classifier(path)
    assert isinstance(found, Ensemble)
    assert found.classes == ("no", "yes")
    assert [found.kappa((Fraction(x),)) for x in (-1, 0, 1)] == [1, 1, 0]


def test_other_names(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps(document(stump(0), leaf(1))))
    found = read_classifier(path, names=["a", "b", "c"])
    assert isinstance(found, Ensemble)
    assert [feature.name for feature in found.features] == ["a", "b", "c"]
    assert all(tree.features == found.features for tree in found.trees)


def test_one_graph_is_needed_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps(document(stump(0), leaf(1))))
    with pytest.raises(InputError) as caught:
        read_model(path)
    assert str(caught.value) == (
        f"{path}: this is an ensemble of 2 trees, and one decision graph is needed here; "
        "'xpgcheck verify' judges claims about ensembles"
    )


GOOD = document(stump(0), leaf(1))

BAD: dict[str, tuple[Any, type[XpgcheckError], str]] = {
    "no trees": ({**GOOD, "trees": []}, InputError, r"\$.trees: an ensemble of no trees; give at least one tree"),
    "trees no list": ({**GOOD, "trees": {}}, FormatError, r"\$.trees: this is not of type list"),
    "too many": ({**GOOD, "trees": [leaf(0)] * 10_001}, LimitError, r"\$.trees: there are 10,001 trees; keep at most"),
    "average": (
        {**GOOD, "combine": "average"},
        FormatError,
        r"\$.combine: 'average' is no rule that is read; the rule",
    ),
    "other tie": (
        {**GOOD, "combine": "majority vote, ties to class 1"},
        FormatError,
        r"the rule that is read is 'majority vote, ties to class 0'",
    ),
    "no rule": ({**GOOD, "combine": 3}, FormatError, r"\$.combine: this is not of type str"),
    "no features": ({**GOOD, "features": []}, FormatError, r"\$.features: nothing is listed; declare at least one"),
    "no classes": ({**GOOD, "classes": []}, FormatError, r"\$.classes: nothing is listed; declare at least one class"),
    "feature twice": ({**GOOD, "features": ["a", "a", "b"]}, FormatError, r"\$.features\[1\]: feature 'a' is declared"),
    "feature number": ({**GOOD, "features": [1, "a", "b"]}, FormatError, r"\$.features\[0\]: '1' is no name"),
    "feature blank": (
        {**GOOD, "features": [" ", "a", "b"]},
        FormatError,
        r"\$.features\[0\]: the name of a feature is",
    ),
    "class twice": ({**GOOD, "classes": [0, "0"]}, FormatError, r"\$.classes\[1\]: class '0' is declared twice"),
    "class true": ({**GOOD, "classes": [0, True]}, FormatError, r"\$.classes\[1\]: 'True' is no class"),
    "class fraction": ({**GOOD, "classes": [0, 1.5]}, FormatError, r"\$.classes\[1\]: .* is no class"),
    "unknown key": ({**GOOD, "weights": [1]}, FormatError, r"\$: the field 'weights' is unknown"),
    "unknown in test": (document({**stump(0), "x": 1}), FormatError, r"\$.trees\[0\]: the field 'x' is unknown"),
    "class and test": (
        document({**stump(0), "class": 1}),
        FormatError,
        r"\$.trees\[0\]: the field 'feature' is unknown",
    ),
    "other class": (document(leaf(2)), FormatError, r"\$.trees\[0\].class: the class '2' is not declared"),
    "class as text": (document(leaf("0")), FormatError, r"\$.trees\[0\].class: the class '0'"),  # type: ignore[arg-type]
    "class as truth": (document(leaf(True)), FormatError, r"\$.trees\[0\].class: the class 'True' is not declared"),
    "other feature": (document(stump(3)), FormatError, r"\$.trees\[0\].feature: there is no feature '3'; write its"),
    "feature true": (document(stump(True)), FormatError, r"\$.trees\[0\].feature: there is no feature 'True'"),
    "no yes": (
        document({"feature": 0, "at_most": 1, "no": leaf(0)}),
        FormatError,
        r"\$.trees\[0\]: the field 'yes' is missing",
    ),
    "yes is a number": (document(test(0, 1, 3, leaf(0))), FormatError, r"\$.trees\[0\].yes: this is not an object"),  # type: ignore[arg-type]
    "nan": (b"%s" % json.dumps(GOOD).replace('"0.5"', "NaN").encode(), FormatError, "at_most: 'nan' is not a number"),
    "infinite": (document(stump(0, "inf")), FormatError, r"\$.trees\[0\].at_most: 'inf' is not a number"),
    "word": (document(stump(0, "low")), FormatError, r"\$.trees\[0\].at_most: 'low' is not a number; write an integer"),
    "truth": (document(stump(0, True)), FormatError, r"\$.trees\[0\].at_most: 'True' is not a number"),
    "list": (document(stump(0, [1])), FormatError, r"\$.trees\[0\].at_most"),
    "key twice": (b'{"name": "a", "name": "b", "combine": "", "trees": []}', FormatError, "the key 'name' is written"),
    "cut off": (json.dumps(GOOD).encode()[:-9], FormatError, "this is not JSON, or cut off"),
    "not text": (b"\xff\xfe{}", FormatError, "UTF-8"),
    "a list": (b"[]", FormatError, r"\$: this is not an object"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_with_its_place(name: str) -> None:
    raw, kind, text = BAD[name]
    with pytest.raises(kind, match=text) as caught:
        parse(raw)
    assert "\n" not in str(caught.value)
    assert caught.value.mend


def test_nesting_without_end_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    deep = '{"feature":0,"at_most":1,"no":{"class":0},"yes":' * 100_000
    path.write_text('{"combine":"majority vote, ties to class 0","classes":[0],"features":["a"],"trees":[' + deep)
    with pytest.raises(InputError) as caught:
        read_classifier(path)
    assert str(caught.value).count("\n") == 0
