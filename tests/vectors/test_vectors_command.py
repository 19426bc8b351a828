"""``xpgcheck vectors`` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from xpgcheck.cli.vectors_command import command
from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.schemas import schema
from xpgcheck.vectors.catalogue import FAMILIES
from xpgcheck.vectors.storage import SCHEMA, stored

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_(*arguments: object) -> tuple[int, str]:
        status = command.main([str(a) for a in arguments], standalone_mode=False)
        return status, capsys.readouterr().out

    return run_


def test_all_files_and_the_schema_are_written(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "vectors"
    status, output = run("--output", folder)
    assert status == 0
    names = [*(f"{name}.json" for name in (*FAMILIES, "deck")), SCHEMA, "deck.schema.json"]
    assert output.splitlines() == [str(folder / name) for name in names]
    for name in (*FAMILIES, "deck"):
        assert (folder / f"{name}.json").read_bytes() == stored(name)
    assert json.loads((folder / SCHEMA).read_bytes()) == schema("test-vectors")


def test_chosen_files_alone_are_written_and_others_stay(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("mine")
    (tmp_path / "trees.json").write_text("old")
    (tmp_path / "obdds.json").write_text("not asked for")
    assert run("--output", tmp_path, "--file", "trees")[0] == 0
    assert (tmp_path / "own.txt").read_text() == "mine"
    assert (tmp_path / "obdds.json").read_text() == "not asked for"
    assert (tmp_path / "trees.json").read_bytes() == stored("trees")
    assert {path.name for path in tmp_path.iterdir()} == {"own.txt", "trees.json", "obdds.json", SCHEMA}


def test_the_files_are_listed(run: Run) -> None:
    status, output = run("--list")
    assert status == 0
    assert [line.split()[0] for line in output.splitlines()] == [*FAMILIES, "deck"]
    assert all(" tests " in line and " graphs " in line for line in output.splitlines())


def test_vectors_are_generated(run: Run, tmp_path: Path) -> None:
    assert run("--output", tmp_path, "--generate", "--file", "edge_cases", "--seed", 7)[0] == 0
    (path,) = tmp_path.iterdir()
    document = json.loads(path.read_bytes())
    assert (path.name, document["seed"]) == ("edge_cases.json", 7)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no folder to write into; add --output DIR, or --list"),
        (["--file", "forests", "--list"], "there is no vector file 'forests'"),
        (["--output", ".", "--seed", "1"], "--seed is of no use without --generate"),
    ],
)
def test_wrong_arguments_are_refused(run: Run, arguments: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(*arguments)


def test_a_seed_that_is_no_number_is_refused(run: Run) -> None:
    with pytest.raises(click.UsageError):
        run("--generate", "--output", ".", "--seed", "x")


def test_a_file_is_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file'?: this is a file; name a folder"):
        run("--output", tmp_path / "file")
    with pytest.raises(InputError, match=r"the folder cannot be made \(Not a directory\)"):
        run("--output", tmp_path / "file" / "below")


def test_a_folder_in_the_place_of_a_file_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / SCHEMA).mkdir()
    with pytest.raises(InputError, match="a folder has the name of a file to write"):
        run("--output", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [SCHEMA]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a user who may do anything is refused nothing"
)
def test_a_folder_that_may_not_be_written_to_is_refused(run: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="the file cannot be written"):
        run("--output", tmp_path)
    tmp_path.chmod(0o700)


def test_generating_without_hypothesis_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'hypothesis>="):
        run("--output", tmp_path, "--generate")
    assert list(tmp_path.iterdir()) == []


def test_copying_needs_neither_hypothesis_nor_a_solver(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from xpgcheck.cli.vectors_command import command\n"
        f"command.main(['--out', {str(tmp_path)!r}], standalone_mode=False)\n"
        "print(sorted({'hypothesis', 'z3', 'pysmt', 'pysat', 'sklearn'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=900)
    assert done.stdout.splitlines()[-1] == "[]"
