"""The rule that combines a forest's trees is chosen where its source leaves it open, and said by what is explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.explanations.inputs import classifier_of
from xpgcheck.model.combination import Majority, Sum
from xpgcheck.model.ensemble import Ensemble


def test_a_forest_of_scikit_learn() -> None:
    ensembles = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
    np = pytest.importorskip("numpy", reason="the environment has no NumPy")
    data = np.random.default_rng(0).normal(size=(100, 3))
    forest = ensembles.RandomForestClassifier(5, max_depth=2, random_state=0).fit(data, data[:, 0] > 0)
    found = [classifier_of(forest, combine=combine) for combine in (None, "average", "majority")]
    rules = [each.rule for each in found if isinstance(each, Ensemble)]
    assert rules[0] == rules[1]
    assert isinstance(rules[1], Sum)
    assert rules[1].divided
    assert rules[2] == Majority()


def test_what_has_no_choice() -> None:
    graph = embedded.load("hardware").graph
    with pytest.raises(InputError, match="leave 'missing', 'root' and 'combine' out"):
        classifier_of(graph, combine="majority")
    with pytest.raises(
        InputError, match="an embedded model is read as it is; leave --root, --missing, --names, --combine and"
    ):
        classifier_of("hardware", combine="majority")


def test_a_file_that_says_its_rule_refuses_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "forest.json"
    tree = {"feature": 0, "at_most": "0.5", "yes": {"class": 0}, "no": {"class": 1}}
    document = {"name": "m", "features": ["a"], "classes": [0, 1], "combine": "majority vote, ties to class 0"}
    path.write_text(json.dumps({**document, "trees": [tree] * 3}))
    assert main(["explain", str(path), "--instance", "a=1", "--combine", "average"]) == 2
    lines = capsys.readouterr().err.splitlines()
    problem = "the format forest that votes, JSON leaves no choice how trees are combined; leave 'combine' out"
    assert lines == [f"xpgcheck: {path}: {problem}"]
    assert main(["explain", str(path), "--instance", "a=1"]) == 0
    assert "majority, ties to the lowest class" in capsys.readouterr().out
