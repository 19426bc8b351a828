"""Names that a user gives a model: as the message on a refused name says, for every format."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError, InputError, XpgcheckError
from xpgcheck.explanations.inputs import model_of
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.readers import read_model
from xpgcheck.readers.instances import read_instances
from xpgcheck.readers.other_names import other_names, read_names
from xpgcheck.readers.sklearn_tree import from_sklearn
from xpgcheck.writers.json_model import model_json

STORED = Path(__file__).parent / "formats" / "stored"
BAD = "a\u202eb"


def _lightgbm(path: Path) -> None:
    text = (STORED / "lightgbm-none.txt").read_text()
    path.write_text(text.replace("feature_names=Column_0", f"feature_names={BAD}"), encoding="utf-8")


def _lightgbm_json(path: Path) -> None:
    document = json.loads((STORED / "lightgbm-none.json").read_text())
    document["feature_names"][0] = BAD
    path.write_text(json.dumps(document))


def _xgboost(path: Path) -> None:
    document = json.loads((STORED / "xgboost-2.1.4.json").read_text())
    learner = document["learner"]
    count = int(learner["learner_model_param"]["num_feature"])
    learner["feature_names"] = [BAD, *(f"f{i}" for i in range(1, count))]
    path.write_text(json.dumps(document))


def _constant(value: object) -> dict[str, object]:
    return {"__class__": "str", "__loader__": "JsonNode", "content": json.dumps(value), "is_json": True}


def _skops(path: Path) -> None:
    """Give the stored tree names of features, as those of a tree that was fitted to a table are stored."""
    with zipfile.ZipFile(STORED / "scikit-learn.skops") as old, zipfile.ZipFile(path, "w") as new:
        schema = json.loads(old.read("schema.json"))
        names = [_constant(name) for name in (BAD, "x1", "x2", "x3")]
        schema["content"]["content"]["feature_names_in_"] = {
            "__loader__": "NdArrayNode",
            "type": "json",
            "content": names,
        }
        new.writestr("schema.json", json.dumps(schema))
        for name in old.namelist():
            if name != "schema.json":
                new.writestr(name, old.read(name))


READERS = pytest.mark.parametrize(
    ("source", "write"),
    [
        ("lightgbm-none.txt", _lightgbm),
        ("lightgbm-none.json", _lightgbm_json),
        ("xgboost-2.1.4.json", _xgboost),
        ("scikit-learn.skops", _skops),
    ],
)


@READERS
def test_the_message_on_a_refused_name_says_how_to_give_others(
    source: str, write: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if write is _skops:
        pytest.importorskip("numpy", reason="the environment has no numpy")
    path, names, out = tmp_path / source, tmp_path / "names.txt", tmp_path / "out.json"
    write(path)
    command = ["convert", str(path), "-o", str(out)]
    assert main(command) == 2
    line = capsys.readouterr().err
    assert r"the name of a feature has a control character: 'a\u202eb'; give other names with --names FILE, a" in line
    before = read_model(STORED / source)
    assert isinstance(before, DecisionGraph)
    names.write_text("\n".join(f"given {i}" for i in range(len(before.features))) + "\n")
    assert main([*command, *re.findall(r"--\w+", line)[:1], str(names)]) == 0
    after = read_model(out)
    assert isinstance(after, DecisionGraph)
    assert [feature.name for feature in after.features] == [f"given {i}" for i in range(len(before.features))]
    assert (after.children, after.literals, after.classes) == (before.children, before.literals, before.classes)
    # The one name alone, and in Python.
    one = json.dumps({"features": {BAD: "good"}, "classes": {before.classes[1]: "yes"}})
    (tmp_path / "one.json").write_text(one)
    graph = read_model(path, names=tmp_path / "one.json")
    assert isinstance(graph, DecisionGraph)
    assert (graph.features[0].name, graph.classes[:2]) == ("good", (before.classes[0], "yes"))


def _twice(path: Path) -> None:
    text = (STORED / "lightgbm-none.txt").read_text()
    path.write_text(text.replace("feature_names=Column_0 Column_1", "feature_names=Column_0 Column_0"))


def _empty(path: Path) -> None:
    text = (STORED / "lightgbm-none.txt").read_text()
    path.write_text(text.replace("feature_names=Column_0 Column_1", "feature_names= Column_1"))


def _long(path: Path) -> None:
    text = (STORED / "lightgbm-none.txt").read_text()
    path.write_text(text.replace("feature_names=Column_0", f"feature_names={'x' * 201}"))


@pytest.mark.parametrize("write", [_twice, _empty, _long])
def test_so_do_the_messages_on_all_other_names(write: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    write(path)
    with pytest.raises(InputError, match=r"; give other names with --names FILE"):
        read_model(path)
    graph = read_model(path, names=list("abcd"))
    assert isinstance(graph, DecisionGraph)
    assert [feature.name for feature in graph.features] == list("abcd")


def test_names_to_replace_that_are_not_texts() -> None:
    with pytest.raises(FormatError, match=r"names\.features: '0' is not a name; write the names of the model as texts"):
        read_model(STORED / "lightgbm-none.txt", names={"features": {0: "age"}})


@pytest.mark.parametrize("name", ["onnx-2-classes.onnx", "hardware.json", "rules.dl", "graph.xpg"])
def test_every_format_takes_other_names(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.endswith(".onnx"):
        pytest.importorskip("onnx", reason="the environment has no onnx")
        path = STORED / name
    elif name.endswith(".json"):
        path.write_text(model_json(embedded.load("hardware").graph), encoding="utf-8")
    elif name.endswith(".dl"):
        path.write_text("IF a = 1 AND b = 0 THEN c\nELSE d\n")
    else:
        path.write_text("NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 Age\n")
    before = read_model(path)
    old = [f.name for f in before.features] if isinstance(before, DecisionGraph) else list(before.variables)
    after = read_model(path, names=[f"n{i}" for i in range(len(old))])
    new = [f.name for f in after.features] if isinstance(after, DecisionGraph) else list(after.variables)
    assert new == [f"n{i}" for i in range(len(old))]
    assert after != before
    assert read_model(path, names={"features": dict(zip(new, old, strict=True))} | {"features": old}) == before


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("n.txt", "a\nb\n", "feature names: 4 are needed, 2 given; give one name for each feature"),
        ("n.txt", "a\n\nc\nd\n", "line 2: the name of a feature is empty; write a name"),
        ("n.txt", "a\nb\r\nc\na\n", "line 4: 'a' is there twice; give names that all differ"),
        ("n.txt", "a\nb\u202e\nc\nd\n", r"line 2: the name of a feature has a control character: 'b\u202e'; remove"),
        ("n.txt", "", "line 1: the name of a feature is empty; write a name"),
        ("n.json", '["a", "b", "c", "d", "e"]', "feature names: 4 are needed, 5 given; give one name"),
        ("n.json", '{"features": ["a", "b", "c", 4]}', "$.features[3]: '4' is not a text; write a text"),
        ("n.json", '{"features": ["a", "b", "c", "c"]}', "$.features[3]: 'c' is there twice"),
        ("n.json", '{"features": {"z": "a"}}', "the model has no feature 'z'; correct the name, or list all names"),
        ("n.json", '{"features": {"Age": "Income"}}', "two feature names are 'Income'; give other names with --names"),
        ("n.json", '{"features": {"Age": "a\\nb"}}', "$.features['Age']: the name of a feature has a control"),
        ("n.json", '{"classes": "T"}', "$.classes: these are not names; write"),
        ("n.json", '{"names": []}', "$: these are not names of features or classes; write"),
        ("n.json", "3", "$: these are not names of features or classes; write"),
        ("n.json", '{"features": {"Age": "a", "Age": "b"}}', "$: 'Age' is there twice"),
        ("n.json", '{"features": [', "line 1, column 15: this is not JSON (Expecting value); correct the JSON here"),
        pytest.param("n.json", "[" * 100_000, "this is not JSON that names are written in; write", id="deep"),
        pytest.param("n.json", f"[{'9' * 5000}]", "this is not JSON that names are written in; write", id="digits"),
        ("n.json", '["\u00e9"', "line 1, column 6: this is not JSON"),
    ],
)
def test_names_that_do_not_fit(file: str, content: str, line: str, tmp_path: Path) -> None:
    path, model = tmp_path / file, tmp_path / "model.json"
    path.write_bytes(content.encode())
    model.write_text(model_json(embedded.load("hardware").graph), encoding="utf-8")
    with pytest.raises(XpgcheckError) as caught:
        read_model(model, names=path)
    assert line in str(caught.value)
    assert str(caught.value).isprintable()
    if not line.startswith("two "):
        assert str(path) in str(caught.value)


def test_a_fitted_object_takes_other_names() -> None:
    trees = pytest.importorskip("sklearn.tree")
    numpy = pytest.importorskip("numpy")
    tree = trees.DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 1.0]], ["no", BAD])
    tree.feature_names_in_ = numpy.array([BAD, "b"], dtype=object)
    with pytest.raises(InputError, match=r"control character.*, or pass feature_names, a list of other names"):
        from_sklearn(tree)
    with pytest.raises(InputError, match=r"control character.*, or pass class_names, a list of other names"):
        from_sklearn(tree, feature_names=["a", "b"])
    graph = from_sklearn(tree, feature_names=["a", "b"], class_names=["x", "y"])
    assert [feature.name for feature in graph.features] == ["a", "b"]


def test_a_table_whose_model_has_no_names_says_how_to_give_them(tmp_path: Path) -> None:
    path, table = STORED / "lightgbm-none.txt", tmp_path / "table.csv"
    table.write_text("age,pay,new,area\n1,2,3,4\n")
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    with pytest.raises(InputError, match="give the model the names of your table with --names FILE"):
        read_instances(table, graph.features)
    graph = read_model(path, names=["age", "pay", "new", "area"])
    assert isinstance(graph, DecisionGraph)
    assert len(read_instances(table, graph.features)) == 1


def test_a_file_that_is_absent(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"names\.txt: there is no such file"):
        read_names(tmp_path / "names.txt")


def test_an_embedded_model_is_read_as_it_is() -> None:
    with pytest.raises(InputError, match="leave --root, --missing, --names, --combine and --schema out"):
        model_of("hardware", names=other_names(["a"]))


@pytest.mark.parametrize(
    "words", ["check {}", "check {} monk1 --missing", "check --root f", "gate ours --model {}", "gate ours"]
)
def test_options_for_files_alone_are_refused_where_there_is_none(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("a\nb\n")
    command = words.format("hardware").split()
    if len(command) < 3 or command[0] == "gate":
        command += ["--names", str(names)]
    assert main(command) == 2
    assert (
        "embedded models are read as they are; leave --root, --missing, --names, --combine and --schema out"
        in capsys.readouterr().err
    )
