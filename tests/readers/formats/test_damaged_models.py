"""Stored models with bytes changed: a graph or one line, whatever the damage; never another exception."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from kappa_agreement import refusal

from xpgcheck import read_model
from xpgcheck.errors import LimitError
from xpgcheck.readers.xgboost_model import parse_xgboost

HERE = Path(__file__).parent / "stored"
FILES = sorted(path.name for path in HERE.iterdir() if path.name != "expected.json")
NEEDED = {".skops": "numpy", ".onnx": "onnx"}


@pytest.mark.parametrize("file", FILES)
def test_bytes_changed_left_out_or_repeated(file: str, tmp_path: Path) -> None:
    needed = NEEDED.get(Path(file).suffix)
    if needed:
        pytest.importorskip(needed, reason=f"the environment has no {needed}")
    data = (HERE / file).read_bytes()
    rng = random.Random(file)
    path = tmp_path / file
    for _ in range(50):
        start = rng.randrange(len(data))
        end = start + rng.choice((1, 1, 2, 8, 100))
        middle = rng.choice((b"", b"9", b"-1", b"\xff", b"null", b"[", b'""', data[start:end] * 2, rng.randbytes(4)))
        path.write_bytes(data[:start] + middle + data[end:])
        assert refusal(lambda: read_model(path)).isprintable()


def places_in(value: object, place: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, item in items for found in ((*place, key), *places_in(item, (*place, key)))]
    return []


@pytest.mark.parametrize("file", [name for name in FILES if name.endswith(".json")])
def test_fields_of_another_type(file: str, tmp_path: Path) -> None:
    text = (HERE / file).read_text()
    places = places_in(json.loads(text))
    rng = random.Random(file)
    path = tmp_path / file
    for place in rng.sample(places, min(50, len(places))):
        document = json.loads(text)
        inner = document
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = rng.choice((None, -1, 10**400, 1e999, float("nan"), "", "x", [], {}, True, 2**40))
        path.write_text(json.dumps(document))
        assert refusal(lambda: read_model(path)).isprintable()


def test_a_number_of_features_that_does_not_fit_into_memory() -> None:
    document = json.loads((HERE / "xgboost-2.1.4.json").read_text())
    document["learner"]["learner_model_param"]["num_feature"] = "999999999999"
    document["learner"]["feature_names"] = []
    with pytest.raises(LimitError, match="there are 999999999999 features"):
        parse_xgboost(json.dumps(document).encode(), "many")
