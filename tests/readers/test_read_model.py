"""Finding out what kind of model a file holds."""

from __future__ import annotations

import gzip
import importlib
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers import read_model
from xpgcheck.readers.formats import FORMATS
from xpgcheck.writers.json_model import model_json

XPG = "NN: 1\nRoot: 3\nT: 3\nTDef:\n3 1\nNT:\nNTDef:\nNV: 0\nVarDef:\n"


@pytest.mark.parametrize("name", ["model.json", "model.txt", "model"])
def test_a_decision_graph_under_any_name(name: str, tmp_path: Path) -> None:
    graph = embedded.load("hardware").graph
    path = tmp_path / name
    path.write_text(model_json(graph))
    found = read_model(path)
    assert isinstance(found, DecisionGraph)
    assert found == graph


@pytest.mark.parametrize("name", ["model.xpg", "model.txt", "model"])
@pytest.mark.parametrize("start", ["", "# comment\n", "\n\n"])
def test_an_xpg_file_under_any_name(name: str, start: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(start + XPG)
    found = read_model(path)
    assert isinstance(found, LabelledGraph)
    assert found.name == "model"


class Trap:
    """Unpickled, it leaves a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("name", ["model.pkl", "model.joblib", "model.pickle", "model.json", "model"])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_never_loaded(name: str, protocol: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Trap(tmp_path / "sprung"), protocol))
    with pytest.raises(FormatError, match=r"never loaded; .*skops.*ONNX") as caught:
        read_model(path)
    assert caught.value.place == str(path)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("data", "name", "problem"),
    [
        (b"", "model", "the file is empty"),
        (b"", "model.json", "the file is empty"),
        (b"", "model.xpg", "the file ends before NN:"),
        (b"hello", "model", "no model in a format that is known"),
        (b"hello", "model.json", "this is not JSON"),
        (b"digraph {}", "model.dot", "no model in a format that is known"),
        (b"\x7fELF", "model", "no model in a format that is known"),
        (gzip.compress(b"{}", mtime=0), "model.json.gz", "this is a compressed file"),
        (b"PK\x03\x04", "model.skops", "the zip file is damaged or cut off"),
        (b"PK\x03\x04", "model.zip", "this is a compressed file"),
        (b"{L\0\0\0\0\0\0\0\x07learner", "model", "the UBJSON is damaged"),
        (b'{"learner": 3}', "model", "this is not an object"),
        (b'{"learner": NaN, ', "model", "this is not JSON, or cut off"),
        (b'{"tree_info": 3}', "model", "this is not of type list"),
        (b"tree\nversion=v4\n", "model", "breaks off before 'end of trees'"),
        (b'{"level_of_var": {}, "roots": []}', "model", ""),
        (b"[1, 2]", "model.json", "this is of type array"),
        (b'{"roots": [1]}', "bdd.json", "there is no format"),
        (b"{", "model.xpg", "the JSON breaks off here"),
    ],
)
def test_anything_else_is_refused(data: bytes, name: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(XpgcheckError) as caught:
        read_model(path)
    assert isinstance(caught.value, FormatError)
    assert problem in caught.value.problem
    assert caught.value.place.startswith(str(path))
    assert caught.value.mend
    assert str(caught.value).isprintable()


def test_where_what_is_read_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"hello")
    with pytest.raises(FormatError, match=r"'xpgcheck formats' lists what is read"):
        read_model(path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("IF a = 1 THEN no\nELSE yes\n", "rules"),
        ("# my rules\nfeature a: boolean\nclass no, yes\nELSE yes\n", "rules.txt"),
        ("feature a: boolean\nELSE yes\n", "rules.dl"),
    ],
)
def test_a_decision_list_under_any_name(text: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert isinstance(read_model(path), DecisionGraph)


def test_a_dd_dump_and_its_roots(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text('{"level_of_var": {"x": 0}, "roots": {"f": 2, "g": -2}, "2": [0, "F", "T"]}')
    for root, expected in (("f", 1), ("g", 0)):
        graph = read_model(path, root=root)
        assert isinstance(graph, DecisionGraph)
        assert graph.kappa((True,)) == expected
    with pytest.raises(InputError, match="f"):
        read_model(path)


def test_an_option_that_the_format_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_json(embedded.load("hardware").graph))
    with pytest.raises(InputError, match=r"the format decision-graph JSON has no option 'missing'"):
        read_model(path, missing=True)
    with pytest.raises(InputError, match="has no option 'root'"):
        read_model(path, root="f")
    with pytest.raises(InputError, match="leaves no choice how trees are combined; leave 'combine' out"):
        read_model(path, combine="average")
    with pytest.raises(InputError, match="'mean' is not a way to combine trees; pass 'majority' or 'average'"):
        read_model(path, combine="mean")


def test_every_format_can_be_read() -> None:
    """The table names functions that exist, and options that they have."""
    for known in FORMATS:
        function = getattr(importlib.import_module(f"xpgcheck.readers.{known.module}"), known.function)
        assert set(known.options) <= set(inspect.signature(function).parameters), known.name
        assert all(extension.startswith(".") for extension in known.extensions)


def test_paths_that_fail(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_model(tmp_path / "absent")
    with pytest.raises(InputError, match="a folder"):
        read_model(tmp_path)
    path = tmp_path / "large"
    path.write_bytes(b"{" * 11)
    with pytest.raises(LimitError, match="the limit is 10"):
        read_model(path, 10)


def test_importing_it_imports_no_reader() -> None:
    heavy = ("msgspec", "sklearn", "numpy", "onnx")
    code = f"import sys, xpgcheck.readers; print([m for m in sys.modules if m.partition('.')[0] in {heavy}])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
