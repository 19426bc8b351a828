"""Finding out what kind of model a file holds."""

from __future__ import annotations

import gzip
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
    with pytest.raises(FormatError, match=r"never loaded; load it yourself, then write_json\(from_sklearn") as caught:
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
        (gzip.compress(b"{}"), "model.json.gz", "this is a compressed file"),
        (b"PK\x03\x04", "model.skops", "this is a compressed file"),
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
    assert type(caught.value) is FormatError
    assert problem in caught.value.problem
    assert caught.value.place.startswith(str(path))
    assert caught.value.mend
    assert str(caught.value).isprintable()


def test_what_is_read_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"hello")
    with pytest.raises(FormatError, match=r"what is read: decision-graph JSON and \.xpg"):
        read_model(path)


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
    code = "import sys, xpgcheck.readers; print([m for m in sys.modules if 'msgspec' in m or 'sklearn' in m])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
