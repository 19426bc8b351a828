"""Notebooks run, and show what is stored in them."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, files

RUNNER = runpy.run_path(str(ROOT / "tools" / "notebook_output.py"))


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


@pytest.mark.parametrize("path", list(files(".ipynb")), ids=lambda path: path.name)
def test_the_cells_of_a_notebook_document_show_what_is_stored(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = read(path)
    again = RUNNER["executed"](notebook)
    assert again["cells"] == notebook["cells"]
    assert RUNNER["stored"](again) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", list(files(".ipynb")), ids=lambda path: path.name)
def test_a_notebook_document_has_the_form_that_jupyter_reads(path: Path) -> None:
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert {"cell_type", "id", "metadata", "source"} <= set(cell)
        assert cell["cell_type"] == "markdown" or isinstance(cell["execution_count"], int)


def test_a_cell_of_a_document_that_shows_something_else_is_noticed() -> None:
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ["print(1)\n", "2"], "outputs": []}
    (again,) = RUNNER["executed"]({"cells": [cell]})["cells"]
    assert [output["output_type"] for output in again["outputs"]] == ["stream", "execute_result"]
    assert again["outputs"] != cell["outputs"]
