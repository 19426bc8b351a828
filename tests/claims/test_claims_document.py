"""``docs/how-to/claims.md``: its claims are claims, and what it says is printed is printed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

from xpgcheck.cli.main import main

TEXT = (Path(__file__).parents[2] / "docs" / "how-to" / "claims.md").read_text(encoding="utf-8")

BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture
def run(capfd: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.chdir(tmp_path)

    def run_(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        out, err = capfd.readouterr()
        return status, out, err

    return run_


def test_the_claims_shown_are_right(run: Any) -> None:
    *files, log = [text for kind, text in BLOCKS if kind == "jsonl"]
    assert len(files) == 3
    Path("log.jsonl").write_text(log)
    assert run("verify", "log.jsonl", "--model", "omdd", "-q")[0] == 0
    for text in files:
        for line in text.splitlines():
            fits_schema(json.loads(line), "claims")
        Path("claims.jsonl").write_text(text)
        assert run("verify", "claims.jsonl", "-q")[0] == 0


def test_the_log_shown_converts_and_is_judged_as_shown(run: Any) -> None:
    texts = [text for kind, text in BLOCKS if kind == "text"]
    Path("log.csv").write_text(next(text for text in texts if text.startswith("case,")))
    commands = [line for kind, text in BLOCKS if kind == "console" for line in text.splitlines()]
    convert = next(line for line in commands if "convert-claims log.csv" in line and "--instances" not in line)
    assert run(*shlex.split(convert)[2:]) == (0, "", "")
    status, out, _ = run("verify", "claims.jsonl")
    assert status == 1
    listed = out[: out.index("\n\n") + 1]
    assert listed in texts


def test_the_refusal_shown(run: Any) -> None:
    shown = next(text for kind, text in BLOCKS if text.startswith("xpgcheck: "))
    right = '{"model": "omdd", "instance": [0, 0, 2], "claim": "AXp", "features": ["x1"]}\n'
    Path("claims.jsonl").write_text(right + "\n" + right.replace("x1", "x9"))
    assert run("verify", "claims.jsonl") == (2, "", shown)
