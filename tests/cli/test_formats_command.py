"""``xpgcheck formats``: the list agrees with the table of readers and with the document."""

from __future__ import annotations

from pathlib import Path

import pytest

from xpgcheck.cli.main import main
from xpgcheck.readers.formats import FORMATS


def test_every_format_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["format", "extension", "extra", "recognised", "by"]
    assert len([line for line in lines[1:] if line.startswith(tuple(known.name for known in FORMATS))]) == len(FORMATS)
    for known, line in zip(FORMATS, lines[1:], strict=False):
        assert line.startswith(known.name)
        for part in (*known.extensions, known.extra or "-", known.recognised):
            assert part in line
    assert "Never loaded: pickle and joblib files" in lines[-1]


def test_a_model_of_another_library_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    model = Path(__file__).parents[1] / "readers" / "formats" / "stored" / "xgboost-3.2.0.ubj"
    assert main(["check", str(model), "--sample", "2"]) == 0
    assert "HOLDS: 1 model, 2 instances" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["model.pkl", "model.joblib"])
def test_a_pickle_is_refused_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x80\x04.")
    assert main(["check", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "skops" in error
    assert "ONNX" in error
