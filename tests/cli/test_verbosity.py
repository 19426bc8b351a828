"""``-v`` and ``-q`` mean the same in every command."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from test_vocabulary import ALL

from xpgcheck.cli.main import main

FEW = {
    "check": "corral",
    "gate": "nobody:Nothing",
    "paper": "--claim example-1",
    "paper bounded": "--bound 1,1,1,1",
    "paper reduction": "--examples 1",
    "paper symbolic": "--shape nothing",
    "properties run": "--examples 1 --no-smt",
    "properties selftest": "--bug nothing",
    "properties ablations": "--ablation nothing",
    "vectors": "--output corral/nowhere",
}
"""Arguments with which commands that need none have little to do; the others end as something is missing."""

LINE = re.compile(r" *\d+ ms  (.+)")


def options(command: click.Command) -> dict[str, click.Option]:
    return {name: param for param in command.params if isinstance(param, click.Option) for name in param.opts}


def test_they_are_one_option_each() -> None:
    assert {options(command)["-v"].help for command in ALL.values()} == {options(ALL["check"])["-v"].help}
    quiet = {path: found["-q"].help for path, command in ALL.items() if "-q" in (found := options(command))}
    assert set(quiet.values()) == {"Print only the last line."}
    assert {"check", "gate", "verify", "replay", "certify", "reduction", "campaign start", "paper"} <= set(quiet)
    assert {path for path in ALL if path.startswith("properties ")} - set(quiet) == {"properties list"}


@pytest.mark.parametrize("path", ALL)
def test_what_is_done_is_said_on_standard_error(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words, rest = path.split(), FEW.get(path, "").split()
    status, plain = main([*words, *rest]), capsys.readouterr()
    verbose_status, verbose = main([*words, "-v", *rest]), capsys.readouterr()
    assert verbose_status == status
    assert re.sub(r"[\d.]+", "", verbose.out) == re.sub(r"[\d.]+", "", plain.out)
    noted = [found[1] for found in map(LINE.fullmatch, verbose.err.splitlines()) if found]
    assert noted[0].startswith(f"xpgcheck {path} begins: version ")
    assert noted[-1] == f"xpgcheck {path} ends"
    assert not any(map(LINE.fullmatch, plain.err.splitlines()))


def test_files_models_solvers_units_and_processes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "corral", "-o", "m.json", "-v"]) == 0
    assert "m.json is written: " in capsys.readouterr().err
    (tmp_path / "rows.csv").write_text("A0,A1,B0,B1,Irrelevant,Correlated\n1,1,0,0,0,1\n")
    assert main(["check", "m.json", "--instances", "rows.csv", "-v", "-q", "-j", "1"]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    for part in (
        "m.json is read as decision-graph JSON: ",
        "rows.csv has 1 rows",
        " is opened to be asked",
        "done: corral",
    ):
        assert part in said.err
    assert main(["explain", "m.json", "--row", "1", "--instances", "rows.csv", "-v"]) == 0
    assert re.search(r"found in \d+ nodes: 1 AXps, 2 CXps", capsys.readouterr().err)
