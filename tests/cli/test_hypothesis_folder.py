"""Commands leave no folder of Hypothesis where the user works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from xpgcheck.cli.hypothesis_folder import VARIABLE, keep_out_of_the_working_folder


def test_a_command_leaves_the_working_folder_as_it_was(tmp_path: Path) -> None:
    work, cache = tmp_path / "work", tmp_path / "cache"
    work.mkdir()
    env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    env.pop(VARIABLE, None)
    words = ["properties", "run", "--examples", "5", "--jobs", "1", "--property", "sigma_is_monotone"]
    done = subprocess.run(
        [sys.executable, "-m", "xpgcheck", *words], cwd=work, env=env, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert list(work.iterdir()) == []


def test_who_names_a_folder_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "mine")
    keep_out_of_the_working_folder()
    assert os.environ[VARIABLE] == "mine"


def test_without_a_home_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(Path, "home", staticmethod(homeless))
    keep_out_of_the_working_folder()
    assert VARIABLE not in os.environ
