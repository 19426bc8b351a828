"""Whole pipelines in skops files: κ is what they predicted, without skops and scikit-learn; what is wrong is refused."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.readers import read_classifier
from xpgcheck.readers.instances import read_point

pytest.importorskip("numpy", reason="the environment has no numpy")

HERE = Path(__file__).parent / "stored_pipelines"


@pytest.mark.parametrize("name", ["encoded", "forest"])
def test_the_class_of_every_stored_row(name: str) -> None:
    """Every category, every end of an interval and its neighbours among them."""
    model = read_classifier(HERE / f"{name}.skops")
    stored = json.loads((HERE / f"{name}.json").read_text())
    assert len(stored["rows"]) == len(stored["classes"]) >= 500
    for row, label in zip(stored["rows"], stored["classes"], strict=True):
        assert model.classes[model.kappa(read_point(model.features, row))] == label, row


def test_nothing_that_the_file_names_is_imported() -> None:
    code = (
        "import sys; from xpgcheck.readers import read_classifier; "
        f"read_classifier({str(HERE / 'forest.skops')!r}); "
        "sys.exit(any(name in sys.modules for name in ('sklearn', 'skops', 'scipy', 'pandas')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_other_names_are_those_of_the_table() -> None:
    names = [f"c{i}" for i in range(8)]
    model = read_classifier(HERE / "encoded.skops", names=names)
    assert [feature.name for feature in model.features] == names
    with pytest.raises(InputError, match="feature names: 8 are needed, 3 given"):
        read_classifier(HERE / "encoded.skops", names=names[:3])


Attributes = dict[str, Any]


def changed(change: Callable[[dict[str, Any]], None], path: Path) -> Path:
    """Write a copy of the smaller file whose schema *change* has gone over; return its path."""
    with zipfile.ZipFile(HERE / "encoded.skops") as source:
        members = {entry.filename: source.read(entry) for entry in source.infolist()}
    schema = json.loads(members["schema.json"])
    change(schema)
    members["schema.json"] = json.dumps(schema).encode()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        for name, content in members.items():
            target.writestr(name, content)
    path.write_bytes(data.getvalue())
    return path


def attributes(record: dict[str, Any]) -> Attributes:
    found: Attributes = record["content"]["content"]
    return found


def columns(schema: dict[str, Any]) -> dict[str, Any]:
    """The record of the ColumnTransformer."""
    found: dict[str, Any] = attributes(schema)["steps"]["content"][0]["content"][1]
    return found


def encoder(schema: dict[str, Any]) -> dict[str, Any]:
    inner = attributes(columns(schema))["transformers_"]["content"][0]["content"][1]
    found: dict[str, Any] = attributes(inner)["steps"]["content"][1]["content"][1]
    return found


def named(kind: str, module: str = "sklearn.preprocessing") -> Callable[[dict[str, Any]], None]:
    def change(schema: dict[str, Any]) -> None:
        encoder(schema).update({"__class__": kind, "__module__": module})

    return change


def without(key: str, of: Callable[[dict[str, Any]], dict[str, Any]] = encoder) -> Callable[[dict[str, Any]], None]:
    return lambda schema: attributes(of(schema)).pop(key) and None


def constant(key: str, text: str) -> Callable[[dict[str, Any]], None]:
    return lambda schema: attributes(encoder(schema))[key].update({"content": text})


WHERE = "step 'columns': step 'own': step 'onehotencoder': "


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (named("PCA", "sklearn.decomposition"), WHERE + "a PCA is not a transformer whose columns are functions"),
        (named("OneHotEncoder", "evil.module"), WHERE + "a OneHotEncoder is not a transformer"),
        (without("categories_"), WHERE + "this OneHotEncoder is not fitted; call the pipeline's 'fit' first"),
        (without("transformers_", columns), "step 'columns': this ColumnTransformer is not fitted"),
        (without("_transformer_to_input_indices", columns), "step 'columns': it does not say which columns it takes"),
        (constant("handle_unknown", '"guess"'), WHERE + "handle_unknown is 'guess'; fit it with 'error'"),
        (lambda schema: attributes(schema)["steps"]["content"].pop(), "step 'columns': "),
        (lambda schema: attributes(schema)["steps"]["content"].clear(), "this Pipeline is not fitted"),
        (lambda schema: attributes(encoder(schema))["categories_"]["content"].pop(), "fitted to 2 columns and gets 3"),
    ],
)
def test_files_that_are_refused(change: Callable[[dict[str, Any]], None], words: str, tmp_path: Path) -> None:
    path = changed(change, tmp_path / "pipeline.skops")
    with pytest.raises(InputError) as caught:
        read_classifier(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).isprintable()


def every_record(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """All records of the steps before the last one, depth first."""
    found: list[dict[str, Any]] = []
    waiting: list[Any] = [attributes(schema)["steps"]["content"][0]]
    while waiting:
        record = waiting.pop()
        if isinstance(record, dict):
            if "__loader__" in record:
                found.append(record)
            waiting += record.values()
        elif isinstance(record, list):
            waiting += record
    return found


def test_no_damage_of_a_record_gives_another_error(tmp_path: Path) -> None:
    """Whatever one record of a step is turned into, the file is read or refused in one line."""
    schema = json.loads(zipfile.ZipFile(HERE / "encoded.skops").read("schema.json"))
    count = len(every_record(schema))
    assert count > 100
    junk = (
        {"__loader__": "JsonNode", "__class__": "str", "__module__": "builtins", "content": "[1]"},
        {"__loader__": "ListNode", "__class__": "list", "__module__": "builtins", "content": []},
        {"__loader__": "ObjectNode", "__class__": "X", "__module__": "y", "content": {"__loader__": "DictNode"}},
    )
    lines = []
    for position in range(0, count, 3):

        def change(schema: dict[str, Any], position: int = position) -> None:
            record = every_record(schema)[position]
            record.clear()
            record.update(junk[position % len(junk)])

        try:
            read_classifier(changed(change, tmp_path / "damaged.skops"))
        except InputError as error:
            lines.append(str(error))
    assert len(lines) > 10
    assert all("\n" not in line for line in lines)


def test_the_command_ends_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = changed(named("PCA", "sklearn.decomposition"), tmp_path / "pipeline.skops"), tmp_path / "page.html"
    (tmp_path / "rows.csv").write_text("1,2,3,4,a,b,c,d\n")
    options = "--instances", str(tmp_path / "rows.csv"), "--all", "-o", str(page)
    assert main(["explain", str(path), *options]) == 2
    assert capsys.readouterr().err.startswith(f"xpgcheck: {path}: {WHERE}a PCA is not a transformer")
    assert not page.exists()
