"""Every hint is done as it says, and then it works."""

from __future__ import annotations

import importlib.metadata
import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xpgcheck import embedded, explain, from_sklearn
from xpgcheck.cli.main import SECTIONS, main
from xpgcheck.errors import InputError, MissingPackageError, XpgcheckError, did_you_mean
from xpgcheck.extras import install
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.sklearn_advice import advice_by_name
from xpgcheck.writers.json_model import write_json

COMMANDS = [name for section in SECTIONS.values() for name in section]

MEANT = re.compile(r"did you mean '([^']+)'\?")


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str]:
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.err or captured.out

    return run


# Names that are nearly right


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_with_a_letter_left_out(command: str, said: Callable[..., Any]) -> None:
    status, line = said(command[:-1])
    assert status == 2
    meant = MEANT.search(line)
    assert meant is not None, line
    assert said(meant[1], "--help")[0] == 0
    assert command.startswith(meant[1])


def test_a_command_that_is_near_none_has_them_listed(said: Callable[..., Any]) -> None:
    status, line = said("zzz")
    assert status == 2
    listed = line.strip().rpartition("use one of ")[2].split(", ")
    assert listed == list(COMMANDS)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "{}", "--sample", "1", "--jobs", "1", "-q"],
        ["explain", "{}", "--row", "1"],
        ["draw", "{}", "-o", "out.dot"],
        ["convert", "{}", "-o", "out.json"],
        ["certify", "{}", "--row", "1", "--output", "out.jsonl"],
    ],
)
def test_a_model_with_letters_swapped(words: list[str], said: Callable[..., Any]) -> None:
    status, line = said(*(word.format("irsi") for word in words))
    assert status == 2
    meant = MEANT.search(line)
    assert meant is not None, line
    assert said(*(word.format(meant[1]) for word in words))[0] == 0


def test_a_file_with_letters_swapped(said: Callable[..., Any]) -> None:
    write_json(embedded.load("omdd").graph, "loans.json")
    line = said("check", "laons.json")[1]
    assert MEANT.search(line), line
    assert said("check", MEANT.search(line)[1], "--sample", "1", "--jobs", "1", "-q")[0] == 0  # type: ignore[index]
    # A path far away says only that the path is wrong.
    assert "correct the path" in said("check", "nowhere/at/all.json")[1]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["properties", "run", "--property", "{}", "--examples", "1", "--jobs", "1"], "an_axp_sufices"),
        (["properties", "list", "--bugs", "--bug", "{}"], "seed-ignord"),
        (["paper", "--claim", "{}", "--list"], "prop-44"),
        (["properties", "run", "--subject", "seeded:{}", "--examples", "1", "--jobs", "1"], "seed-ignored"),
    ],
)
def test_other_names(words: list[str], wrong: str, said: Callable[..., Any]) -> None:
    line = said(*(word.format(wrong) for word in words))[1]
    meant = MEANT.search(line)
    assert said(*(word.format(meant[1] if meant else wrong) for word in words))[0] == 0


def test_an_option_with_letters_swapped(said: Callable[..., Any]) -> None:
    status, line = said("check", "hardware", "--solvr", "z3")
    assert status == 2
    # Click 8.1 has no quotes there.
    assert "--solver" in line.partition("--solvr")[2]
    assert said("check", "hardware", "--solver", "z3", "--jobs", "1", "-q")[0] == 0


def test_the_nearest_name_has_the_case_of_the_known_one() -> None:
    assert did_you_mean("AGE", ["Age", "Income"]) == "did you mean 'Age'?"
    assert did_you_mean("age", ["Age", "AGE", "ages"]) == "did you mean 'ages'?"
    assert did_you_mean("x", ["Age"]) == ""


# What is not installed

EXTRAS = {
    "cvc5": "cvc5",
    "sklearn": "sklearn",
    "bdd": "dd",
    "models": "onnx",
    "draw": "graphlay",
    "properties": "hypothesis",
    "cluster": "distributed",
    "report": "matplotlib",
}
"""Each extra, and a module that it brings."""


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_names_what_pip_takes_from_anywhere(extra: str) -> None:
    command = shlex.split(install(extra).removeprefix("run: "))
    assert command[:2] == ["pip", "install"]
    names = [re.split(r"[<>=!~ ]", requirement)[0] for requirement in command[2:]]
    assert names
    assert "xpgcheck" not in " ".join(command)
    provided = importlib.metadata.packages_distributions().get(EXTRAS[extra])
    if provided is None:
        pytest.skip(f"{EXTRAS[extra]} is not installed")
    assert {name.lower() for name in provided} & {name.lower() for name in names}


def test_a_package_without_metadata_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> list[str]:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "requires", absent)
    assert install("draw") == "install xpgcheck with its extra draw"


def test_a_picture_without_the_extra_says_what_to_install(
    said: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "graphlay", None)
    status, line = said("draw", "hardware", "-o", "out.svg")
    assert status == 2
    assert line == f"xpgcheck: graphlay is not installed; {install('draw')}\n"
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    status, line = said("gate", "textbook", "--examples", "1", "--no-models", "--no-deck")
    assert install("properties") in line


def test_every_missing_package_is_an_error_of_ours() -> None:
    assert issubclass(MissingPackageError, XpgcheckError)


# Claims


def test_a_log_is_converted_as_the_hint_says(said: Callable[..., Any]) -> None:
    Path("my log.csv").write_text("Age,Income,Student,Credit,why\nO,L,Y,P,Age; Credit\n")
    status, line = said("verify", "my log.csv")
    assert status == 2
    assert "is a table (CSV)" in line
    command = line.strip().partition("turn it into claims: xpgcheck ")[2]
    words = shlex.split(command.replace("MODEL", "hardware").replace("NAME", "why"))
    assert said(*words)[0] == 0
    assert said("verify", "claims.jsonl", "--jobs", "1", "-q")[0] == 0


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("log.csv", "why\n0\n", "claims; turn it into claims: xpgcheck convert-claims log.csv "),
        ("log.csv", '"why"\n"0 1"\n', "claims; turn it into claims: xpgcheck convert-claims log.csv "),
        ("log.txt", "Age;why\nO;0\n", "claims; save it with commas, and turn it into claims: xpgcheck"),
        ("log.tsv", "Age\twhy\nO\t0\n", "claims; save it with commas, and turn it into claims: xpgcheck"),
    ],
)
def test_a_log_of_one_column_or_without_commas(name: str, text: str, hint: str, said: Callable[..., Any]) -> None:
    Path(name).write_text(text)
    status, line = said("verify", name)
    assert status == 2
    assert hint in line


def test_a_log_on_standard_input(said: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Age,why\nO,0\n")))
    status, line = said("verify", "-")
    assert status == 2
    assert "turn it into claims: xpgcheck convert-claims - --model" in line


def test_a_model_that_no_claim_uses_is_left_out(said: Callable[..., Any]) -> None:
    claim = '{"model":"hardware","instance":{"Age":"O","Income":"L","Student":"Y","Credit":"P"},"claim":"AXp",'
    Path("claims.jsonl").write_text(claim + '"features":["Age","Credit"]}\n')
    status, line = said("verify", "claims.jsonl", "--model", "iris", "--jobs", "1", "-q")
    assert status == 2
    assert "--model iris: no claim is about this model; leave it out" in line
    assert said("verify", "claims.jsonl", "--jobs", "1", "-q")[0] == 0
    assert said("verify", "claims.jsonl", "--jobs", "1", "-q", "--model", "hardware")[0] == 0


# Objects of scikit-learn


class Row:
    """A row of a table as pandas has it."""

    ndim = 1

    def __init__(self, values: dict[str, float]) -> None:
        self._values = values
        self.iloc = self

    def to_dict(self) -> dict[str, float]:
        return dict(self._values)

    def to_numpy(self) -> list[float]:
        return list(self._values.values())


@pytest.fixture(scope="module")
def forest() -> Any:
    ensemble = pytest.importorskip("sklearn.ensemble", reason="scikit-learn is not installed")
    table = [[float(i), float(i % 3)] for i in range(12)]
    model = ensemble.RandomForestClassifier(n_estimators=2, random_state=0).fit(table, ["no", "yes"] * 6)
    # As a table of pandas would have set them.
    import numpy as np

    model.feature_names_in_ = np.array(["age", "pay"], dtype=object)
    return model


def test_a_tree_of_a_forest_and_a_row_with_names(forest: Any) -> None:
    tree, row = forest.estimators_[0], Row({"age": 3.0, "pay": 1.0})
    with pytest.raises(InputError, match="this tree has no names of features, and the instance names 'age'") as caught:
        explain(tree, row)
    assert "row.to_numpy()" in caught.value.mend
    assert explain(tree, row.to_numpy()).prediction == "0.0" or explain(tree, row.to_numpy()).prediction == "1.0"
    call = re.search(r"xpgcheck\.(from_sklearn\(.*\))", caught.value.mend)
    assert call is not None
    named = eval(call[1], {"from_sklearn": from_sklearn, "tree": tree, "forest": forest})
    assert explain(named, row).prediction in ("no", "yes")
    with pytest.raises(InputError, match="has no names") as of_dict:
        explain(tree, row.to_dict())
    assert "list(row.values())" in of_dict.value.mend
    assert explain(tree, list(row.to_dict().values())).axps


def test_a_forest_has_the_names_that_its_trees_do_not_have(forest: Any) -> None:
    found = from_sklearn(forest)
    assert isinstance(found, Ensemble)
    assert found.classes == ("no", "yes")
    assert [feature.name for feature in found.features] == ["age", "pay"]


@pytest.mark.parametrize(
    ("module", "kind", "what", "mend"),
    [
        ("ensemble", "RandomForestRegressor", "predicts numbers", "fit a DecisionTreeClassifier"),
        ("tree", "DecisionTreeRegressor", "predicts numbers", "fit a DecisionTreeClassifier"),
        ("ensemble", "IsolationForest", "outliers", "fit a DecisionTreeClassifier"),
    ],
)
def test_objects_without_a_classification_tree(module: str, kind: str, what: str, mend: str) -> None:
    made = getattr(pytest.importorskip(f"sklearn.{module}", reason="scikit-learn is not installed"), kind)()
    table = [[float(i), float(i % 3)] for i in range(40)]
    made.fit(table, [i % 2 for i in range(40)])
    with pytest.raises(InputError) as caught:
        explain(made, table[0])
    assert what in caught.value.problem
    assert mend in caught.value.mend
    assert "estimators_" not in caught.value.mend
    # The same of a file of it.
    assert advice_by_name(kind, "store") == advice_by_name(kind, "pass")


def test_a_classifier_by_regression_predicts_classes() -> None:
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    with pytest.raises(InputError) as caught:
        explain(linear.LogisticRegression().fit([[0.0], [1.0]], ["no", "yes"]), [1.0])
    assert "predicts numbers" not in caught.value.problem
    assert caught.value.mend == "pass a fitted DecisionTreeClassifier, a forest or boosted trees"


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        ("LGBMClassifier", r"booster_\.save_model\('model\.txt'\), and pass that file"),
        ("XGBClassifier", r"model\.save_model\('model\.json'\), and pass that file"),
        ("Booster", r"model\.save_model\('model\.json'\), and pass that file"),
        ("TreeModel", "from_orange"),
    ],
)
def test_objects_of_other_libraries_say_how_they_are_read(kind: str, call: str) -> None:
    """The stand-ins have the names alone; tests/readers/formats follows the calls with the libraries."""
    with pytest.raises(InputError, match=call):
        explain(type(kind, (), {})(), [1.0])
    stored = advice_by_name(kind, "store")
    assert stored is not None
    assert "DecisionTreeClassifier" not in stored[1]


def test_what_a_pipeline_and_a_search_say(forest: Any) -> None:
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.tree import DecisionTreeClassifier

    table, classes = [[float(i)] for i in range(12)], ["no", "yes"] * 6
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2)
    with pytest.raises(InputError, match="call its 'fit' first"):
        explain(search, [1.0])
    with pytest.raises(InputError, match="pass its best_estimator_"):
        explain(search.fit(table, classes), [1.0])
    assert explain(search.best_estimator_, [1.0]).prediction in classes
    pipeline = make_pipeline(DecisionTreeClassifier()).fit(table, classes)
    assert explain(pipeline, [1.0]).prediction in classes
    assert explain(pipeline.steps[-1][1], [1.0]).prediction in classes
    assert explain(make_pipeline(forest), [1.0] * forest.n_features_in_).prediction in map(str, forest.classes_)
