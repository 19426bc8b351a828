"""``[tool.xpgcheck]`` in ``pyproject.toml``: defaults of ``gate`` and ``check``, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from xpgcheck.cli.main import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path / "pyproject.toml"


def test_defaults_are_taken_and_the_command_line_overrides_them(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write_text(
        '[tool.xpgcheck.gate]\nsubject = "textbook"\nexamples = 4\nno-models = true\ndeck = false\n'
        'graph-kind = ["tree"]\njobs = 1\n'
        'json = "report.json"\n'
    )
    assert main(["gate"]) == 0
    out = capsys.readouterr().out
    # The repeated line is whole: it does the same where there is no such file.
    assert "again: xpgcheck gate textbook --examples 4 --seed 0 --size 12 --graph-kind tree --no-models" in out
    # A file is next to pyproject.toml, wherever below it the command runs.
    assert project.with_name("report.json").is_file()
    assert main(["gate", "--examples", "3", "-q"]) == 0
    assert "on 3 cases" in capsys.readouterr().out


def test_check_has_its_own_table(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project.write_text('[tool.xpgcheck.check]\nmodels = ["hardware"]\nquiet = true\njobs = 1\n')
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("HOLDS: 1 model, 54 instances")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[tool.xpgcheck.gate]\nexmples = 3",
            "[tool.xpgcheck.gate]: there is no option 'exmples'; did you mean 'examples'?",
        ),
        ('[tool.xpgcheck.gate]\nexamples = "x"', "[tool.xpgcheck.gate] examples: 'x' is not a valid integer"),
        ("[tool.xpgcheck.gate]\nno-models = 3", "[tool.xpgcheck.gate]: 'no-models' is '3'; use true or false"),
        ("[tool.xpgcheck.gate]\nexamples = true", "'examples' is 'True'; give it a value"),
        ('[tool.xpgcheck.gate]\ngraph-kind = "x"', "graph-kind: 'x' is not one of 'tree'"),
        ("[tool.xpgcheck.gate]\ntimeout = [1]", "'timeout' takes one value; leave out the list"),
        ("[tool.xpgcheck]\ngat = 1", "no command called 'gat' has defaults; did you mean 'gate'?"),
        ("[tool.xpgcheck]\ngate = 1", "[tool.xpgcheck] gate: this is not a table; write [tool.xpgcheck.gate]"),
        ("[tool.xpgcheck", "this is not TOML"),
    ],
)
def test_what_is_wrong_is_one_line(text: str, said: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project.write_text(text)
    assert main(["gate", "textbook", "-q"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"xpgcheck: {project}: ")
    assert said in err


@pytest.mark.parametrize("text", ["[project", "[tool.other]\nx = 1\n", 'tool = "xpgcheck"\n'])
def test_files_of_others_do_not_matter(text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project.write_text(text)
    assert main(["check", "hardware", "-q", "-j", "1"]) == 0
    assert main(["models"]) == 0
