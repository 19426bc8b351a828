"""scikit-learn trees from `.skops` files: the class of ``predict``, and files that are refused unread."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import assert_same, predicted, random_data, refusal, table

from xpgcheck import from_sklearn, read_model
from xpgcheck.errors import FormatError, InputError, LimitError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Float32
from xpgcheck.readers.skops_tree import parse_skops, read_skops

skops = pytest.importorskip("skops.io", reason="the environment has no skops")
tree = pytest.importorskip("sklearn.tree", reason="the environment has no scikit-learn")


def fitted(seed: int, depth: int = 4, kind: str = "DecisionTreeClassifier", missing: bool = False, **more: Any) -> Any:
    data, labels = random_data(seed, missing=missing)
    return getattr(tree, kind)(max_depth=depth, random_state=0, **more).fit(data, labels)


def stored(model: object, folder: Path) -> Path:
    path = folder / "model.skops"
    skops.dump(model, path)
    return path


def read(path: Path) -> DecisionGraph:
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    return graph


@pytest.mark.parametrize("depth", range(1, 13))
@pytest.mark.parametrize("kind", ["DecisionTreeClassifier", "ExtraTreeClassifier"])
def test_the_same_class_at_every_depth(depth: int, kind: str, tmp_path: Path) -> None:
    model = fitted(depth, depth, kind)
    graph = read(stored(model, tmp_path))
    rows = table(graph, 500, depth)
    assert_same(graph, rows, predicted(model, rows))
    assert graph.features[0].domain == Float32()


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
def test_missing_values(criterion: str, tmp_path: Path) -> None:
    model = fitted(2, 6, missing=True, criterion=criterion)
    graph = read_skops(stored(model, tmp_path), missing=True)
    assert graph == from_sklearn(model, missing=True, name="model")
    rows = table(graph, 500, 2)
    assert_same(graph, rows, predicted(model, rows))


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "yes"]),
        np.array(["né", "ja"], dtype=object),
        np.array([-1, 5]),
        np.array([1.0, 2.0]),
        np.array([False, True]),
    ],
)
def test_labels_and_names(labels: Any, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
    data, targets = random_data(1, missing=False)
    frame = pandas.DataFrame(data, columns=["a", "b c", "ü", "d"])
    model = tree.DecisionTreeClassifier(max_depth=3).fit(frame, labels[targets])
    graph = read(stored(model, tmp_path))
    assert graph == from_sklearn(model, name="model")
    assert [feature.name for feature in graph.features] == ["a", "b c", "ü", "d"]


def test_a_name_is_not_needed(tmp_path: Path) -> None:
    path = tmp_path / "some.model"
    path.write_bytes(stored(fitted(0), tmp_path).read_bytes())
    assert read(path).name == "some"


@pytest.mark.slow
def test_hundreds_of_thousands_of_points(tmp_path: Path) -> None:
    """The file and the fitted object give one graph, so that each is asked at all of the points."""
    points = 0
    for depth in range(1, 13):
        for kind, missing in (
            ("DecisionTreeClassifier", False),
            ("ExtraTreeClassifier", False),
            ("DecisionTreeClassifier", True),
        ):
            model = fitted(100 + depth, depth, kind, missing)
            graph = read_skops(stored(model, tmp_path), missing=missing)
            assert graph == from_sklearn(model, missing=missing, name="model")
            rows = table(graph, 8_000, depth)
            points += assert_same(graph, rows, predicted(model, rows))
    assert points >= 200_000


class TestRefused:
    @pytest.mark.parametrize(
        ("make", "problem", "mend"),
        [
            (lambda: ensemble("RandomForestClassifier"), "this is an ensemble of 2 trees", "verify"),
            (lambda: ensemble("RandomForestRegressor"), "it predicts numbers", "fit a DecisionTreeClassifier"),
            (lambda: fitted(0, kind="DecisionTreeRegressor"), "it predicts numbers", "fit a DecisionTreeClassifier"),
            (lambda: tree.DecisionTreeClassifier(), "is not fitted", "call its 'fit'"),
            (lambda: two_outputs(), "has 2 outputs", "one tree per output"),
            (lambda: pipeline(regressor=True), "it predicts numbers", "fit a DecisionTreeClassifier"),
            (lambda: {"a": 1}, "builtins.dict", "store a fitted"),
        ],
    )
    def test_objects_of_another_kind(self, make: Callable[[], Any], problem: str, mend: str, tmp_path: Path) -> None:
        path = stored(make(), tmp_path)
        with pytest.raises(InputError) as caught:
            read_model(path)
        assert problem in caught.value.problem
        assert mend in caught.value.mend
        assert str(path) in caught.value.place

    def test_a_file_cut_off_anywhere(self, tmp_path: Path) -> None:
        data = stored(fitted(0, 2), tmp_path).read_bytes()
        for length in range(0, len(data), max(1, len(data) // 150)):
            with pytest.raises(FormatError):
                parse_skops(data[:length], "cut")

    def test_a_file_damaged_anywhere_gives_one_line(self, tmp_path: Path) -> None:
        data = bytearray(stored(fitted(0, 2), tmp_path).read_bytes())
        rng = np.random.default_rng(0)
        for position in rng.choice(len(data), 200, replace=False):
            damaged = bytes(data[:position]) + bytes([data[position] ^ 0x55]) + bytes(data[position + 1 :])
            assert refusal(lambda data=damaged: parse_skops(data, "damaged")).isprintable()

    def test_a_zip_bomb(self, tmp_path: Path) -> None:
        """Two million bytes of zeros in two thousand bytes: refused by the sizes that the directory states."""
        path = tmp_path / "bomb.skops"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("schema.json", b" " * 20_000_000)
        with pytest.raises(LimitError, match="unpacks into 20000000 bytes") as caught:
            read_model(path)
        assert caught.value.mend

    def test_a_zip_bomb_that_lies_about_its_size(self, tmp_path: Path) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("schema.json", b" " * 20_000_000)
        lying = data.getvalue().replace((20_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
        with pytest.raises(FormatError, match=r"not what the directory of the zip file says|cannot be unpacked"):
            parse_skops(lying, "bomb")

    def test_too_many_entries(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("xpgcheck.readers.zip_files.MAX_ENTRIES", 1_000)
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as file:
            for number in range(1001):
                file.writestr(f"{number}.npy", b"")
        with pytest.raises(LimitError, match="1,001 entries, the limit is 1,000"):
            parse_skops(data.getvalue(), "many")

    def test_pickled_arrays_are_not_loaded(self, tmp_path: Path) -> None:
        """A `.npy` member may hold a pickle; it is refused, and what it would run does not run."""
        path = stored(fitted(0, 2), tmp_path)
        content = io.BytesIO()
        np.save(content, np.array([Trap(tmp_path / "sprung")], dtype=object), allow_pickle=True)
        with pytest.raises(FormatError, match="not an array of numbers"):
            parse_skops(with_member(path, lambda name: name.endswith(".npy"), content.getvalue()), "trap")
        assert not (tmp_path / "sprung").exists()

    def test_nothing_that_the_file_names_is_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "evil_module.py").write_text("raise SystemExit('imported')")
        monkeypatch.syspath_prepend(str(tmp_path))
        path = stored(fitted(0, 2), tmp_path)
        schema = json.loads(zipfile.ZipFile(path).read("schema.json"))
        schema["__module__"] = "evil_module"
        data = with_member(path, lambda name: name == "schema.json", json.dumps(schema).encode())
        with pytest.raises(InputError, match="evil_module"):
            parse_skops(data, "evil")

    @pytest.mark.parametrize(
        ("field", "value", "problem"),
        [
            ("left_child", 0, "two paths lead to node '0'"),
            ("left_child", 99, "there is no node '99'"),
            ("feature", 7, "tests feature 7 of 4"),
            ("feature", -3, "tests feature -3 of 4"),
        ],
    )
    def test_nodes_that_are_no_tree(self, field: str, value: int, problem: str, tmp_path: Path) -> None:
        path = stored(fitted(0, 2), tmp_path)
        schema = json.loads(zipfile.ZipFile(path).read("schema.json"))
        member = schema["content"]["content"]["tree_"]["content"]["content"]["nodes"]["file"]
        nodes = np.load(io.BytesIO(zipfile.ZipFile(path).read(member)))
        nodes[field][0] = value
        content = io.BytesIO()
        np.save(content, nodes)
        with pytest.raises(FormatError, match=problem):
            parse_skops(with_member(path, lambda name: name == member, content.getvalue()), "no tree")


class Trap:
    """Unpickled, it leaves a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.path,))


def with_member(path: Path, chosen: Callable[[str], bool], content: bytes) -> bytes:
    """Return the zip file at *path* with the content of the chosen members replaced."""
    result = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if chosen(name) else old.read(name))
    return result.getvalue()


def ensemble(kind: str) -> Any:
    from sklearn import ensemble as ensembles

    return getattr(ensembles, kind)(n_estimators=2).fit(*random_data(0, missing=False))


def two_outputs() -> Any:
    data, labels = random_data(0, missing=False)
    return tree.DecisionTreeClassifier(max_depth=2).fit(data, np.column_stack([labels, 1 - labels]))


def pipeline(regressor: bool) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kind = tree.DecisionTreeRegressor if regressor else tree.DecisionTreeClassifier
    return make_pipeline(StandardScaler(), kind(max_depth=2)).fit(*random_data(0, missing=False))
