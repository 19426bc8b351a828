"""Plug-ins: the example package is installed, and its parts of each kind run; one that fails is one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "house-rules"


def run(*words: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PYTHONPATH": str(path)} if path is not None else {})}
    command = [sys.executable, "-m", "xpgcheck", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_a_named_plugin_is_tried_and_kept_in_the_line_that_repeats_the_run() -> None:
    some = ("--no-models", "--no-deck", "--examples", "20", "--jobs", "1")
    done = run("gate", "ours", "--plugin", "house_rules", "--property", "house_rules", *some, path=EXAMPLE)
    assert done.returncode == 0, done.stderr
    assert "2 properties held" in done.stdout
    assert "--property house_rules --plugin house_rules" in done.stdout


@pytest.mark.parametrize(
    ("module", "said"),
    [("no_such_rules", "ModuleNotFoundError"), ("broken_rules", "SystemExit: not today")],
)
def test_a_plugin_that_fails_is_one_line(tmp_path: Path, module: str, said: str) -> None:
    (tmp_path / "broken_rules.py").write_text("raise SystemExit('not today')\n")
    done = run("gate", "ours", "--plugin", module, "--no-models", path=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"the plug-in '{module}' cannot be loaded ({said}" in line


@pytest.mark.slow
def test_the_example_package_is_installed_and_found_by_its_entry_point(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "installed"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    installed = subprocess.run([*install, "--target", str(place), str(source)], capture_output=True, check=False)
    if installed.returncode and b"No module named pip" in installed.stderr:
        pytest.skip("no pip in this environment")
    assert installed.returncode == 0, installed.stderr
    card = tmp_path / "loan.house"
    card.write_text("HOUSE\nowner, employed\ngrant\nrefuse\n")
    some = ("--model", str(card), "--no-deck", "--examples", "10", "--jobs", "1", "--property", "house_rules")
    done = run("gate", "adapter:reasons", *some, path=place)
    assert done.returncode == 0, done.stderr
    assert "heard too: the judge by every point (a plug-in)" in done.stdout
    assert "4 of model loan, 10 generated" in done.stdout
    assert "1 property held (10 times)" in done.stdout
    # Other commands find the reader, too.
    explained = run("explain", str(card), "--instance", "owner=1, employed=1", path=place)
    assert "class grant because owner = 1 and employed = 1" in explained.stdout
