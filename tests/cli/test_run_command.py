"""``xpgcheck properties run`` as a user types it: what it prints, what it keeps, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from published_schemas import fits_schema

from xpgcheck.cli.main import main

MINE = """
from xpgcheck.properties.ours import FastExplainer

class Greedy(FastExplainer):
    name = "greedy"

    def cxp(self, graph, instance):
        found = super().cxp(graph, instance)
        return None if found is None else frozenset(range(len(instance)))

def factory():
    return Greedy()

class Empty:
    name = "empty"

class Crashes:
    name = "crashes"

    def predict(self, graph, instance):
        raise RuntimeError("out of luck")

broken = 1 / 0 if False else None

def needs(argument):
    return argument
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder to run in, with a module of subjects."""
    (tmp_path / "my_subjects.py").write_text(MINE)
    (tmp_path / "my_broken_subjects.py").write_text("import nothing_of_that_name\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    for name in ("my_subjects", "my_broken_subjects"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def run(*words: str) -> int:
    return main(["properties", "run", *words])


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


def test_the_project_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--examples", "30", "--seed", "5", "-j", "1", "--statistics") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("HOLDS: ")
    assert ", 30 cases, 0 violated, 0 inconclusive" in out
    assert "again: xpgcheck properties run --subject ours --examples 30 --seed 5 --size 12" in out
    assert "an_axp_suffices" in out
    assert " %  " in out


def test_a_wrong_explainer_of_the_user_is_caught_shrunk_and_kept(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--subject", "my_subjects:factory", "--property", "a_cxp_is_minimal", "--examples", "100", "-j", "1"]
    assert run(*words, "--corpus", "kept", "--record", "--json", "report.json") == 1
    out, err = capsys.readouterr()
    assert "a_cxp_is_minimal: redundant" in out
    assert "needless: " in out
    assert "shrunk to 1 non-terminal, 2 features" in out
    assert out.splitlines()[-1] == "VIOLATED: 1 property, 1 case, 1 violated, 0 inconclusive" or ", 1 violated" in out
    assert "kept: kept" in err
    report = json.loads((here / "report.json").read_text())
    fits_schema(report, "run-report")
    (finding,) = report["findings"]
    assert (finding["property"], finding["verdict"], finding["subject"]) == ("a_cxp_is_minimal", "redundant", "greedy")
    # The kept case is tried first from then on, on every subject.
    assert run(*words, "--corpus", "kept", "--examples", "0") == 1
    assert "kept in a_cxp_is_minimal-" in capsys.readouterr().out
    assert run("--corpus", "kept", "--examples", "0") == 0
    assert ", 1 case, 0 violated, 0 inconclusive, " in last_line(capsys)


def test_the_same_line_prints_the_same(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--subject",
        "my_subjects:Greedy",
        "--examples",
        "40",
        "--seed",
        "9",
        "--property",
        "minimality",
        "-j",
        "1",
    ]
    printed = []
    for _ in range(2):
        run(*words)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_a_corpus_in_the_usual_folder_is_replayed_without_being_asked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--subject", "my_subjects:factory", "--property", "a_cxp_is_minimal", "--examples", "100", "-j", "1"]
    assert run(*words, "--record") == 1
    assert list((here / "tests" / "regressions").glob("*.json"))
    capsys.readouterr()
    assert run(*words, "--examples", "0") == 1
    assert "kept in" in capsys.readouterr().out


def test_a_corrupt_kept_case_names_itself_and_the_others_are_tried(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--subject", "my_subjects:factory", "--property", "a_cxp_is_minimal", "--corpus", "kept", "-j", "1"]
    run(*words, "--examples", "100", "--record")
    (here / "kept" / "0.json").write_text("{")
    capsys.readouterr()
    assert run(*words, "--examples", "0") == 2
    out, err = capsys.readouterr()
    assert "kept/0.json: no case" in err.replace("\\", "/")
    assert "1 violated" in out.splitlines()[-1]


def test_a_crash_is_a_verdict(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--subject", "my_subjects:Crashes", "--examples", "5", "-j", "1") == 1
    out = capsys.readouterr().out
    assert "the_predicted_class_is_kappa: crash" in out
    assert "predict raised RuntimeError: out of luck" in out
    assert "Traceback" not in out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--property", "no_such"], "no property is called 'no_such'"),
        (["--property", "an_axp_sufices"], "did you mean 'an_axp_suffices'?"),
        (["--property", "solvers", "--no-smt"], "no property is selected"),
        (["--profile", "hourly"], "'hourly' is not one of 'dev', 'ci', 'nightly'"),
        (["--subject", "nobody"], "no subject is called 'nobody'"),
        (["--subject", "no_such_module:x"], "ModuleNotFoundError"),
        (["--subject", "my_broken_subjects:x"], "No module named 'nothing_of_that_name'"),
        (["--subject", "my_subjects:missing"], "AttributeError"),
        (["--subject", "my_subjects:needs"], "TypeError"),
        (["--subject", "my_subjects:Empty"], "none of the methods that properties judge"),
        (["--subject", "my_subjects:broken"], "none of the methods"),
        (["--subject", "oracle:none"], "no oracle is called 'none'"),
        (["--subject", "seeded:none"], "no seeded bug is called 'none'"),
        (["--subject", "my_subjects:Crashes", "--property", "trees"], "no selected property says anything"),
        (["--corpus", "nowhere"], "no such file or folder"),
        (["--size", "0"], "size"),
        (["--seed", "-1"], "seed"),
        (["--json", "no/such/folder/x.json"], "no/such/folder"),
    ],
)
def test_a_wrong_command_is_one_line_and_exit_2(
    here: Path, capsys: pytest.CaptureFixture[str], words: list[str], text: str
) -> None:
    assert run(*words, "--examples", "1", "-j", "1") == 2
    out, err = capsys.readouterr()
    assert text in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1 or "Usage" in err
    assert "HOLDS" not in out


def test_the_list_names_every_property_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["properties", "list", "--smt"]) == 0
    out = capsys.readouterr().out
    assert "sigma_is_monotone\n" in out
    assert "[Proposition 4; needs sigma]" in out
    assert "z3_accepts_every_xp" in out
    assert main(["properties", "list", "--no-smt"]) == 0
    assert "z3_accepts_every_xp" not in capsys.readouterr().out


def test_two_processes_find_what_one_finds(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xpgcheck.properties.running.units.UNIT", 20)
    words = ["--examples", "50", "--seed", "3", "--property", "sigma_is_monotone", "--statistics", "--json"]
    assert run(*words, "one.json", "-j", "1") == 0
    assert run(*words, "two.json", "-j", "2") == 0
    one, two = (json.loads((here / name).read_text()) for name in ("one.json", "two.json"))
    for report in (one, two):
        for item in report["properties"]:
            del item["seconds"]
    assert one == two


@pytest.mark.parametrize("subject", ["paper", "textbook", "oracle:exhaustive", "oracle:z3-activation"])
def test_the_other_subjects_of_the_project_hold(here: Path, capsys: pytest.CaptureFixture[str], subject: str) -> None:
    assert run("--subject", subject, "--examples", "12", "-j", "1") == 0
    assert last_line(capsys).startswith("HOLDS")
