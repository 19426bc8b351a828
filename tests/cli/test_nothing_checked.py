"""No command says HOLDS over nothing: it asked for nothing (exit status 2), or nothing was answered (3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.summary import is_asked
from xpgcheck.cli.main import main
from xpgcheck.errors import NOTHING_CHECKED, NothingCheckedError
from xpgcheck.properties.cases import Case
from xpgcheck.properties.corpus import case_json
from xpgcheck.properties.running.outcomes import PropertyTally, Result

SUBJECTS = """
class Declines:
    name = "declines"

    def axp(self, graph, instance):
        raise NotImplementedError("no")


class Sums:
    name = "sums"

    def sigma(self, graph, instance, fixed):
        return True


class Half(Declines):
    name = "half"

    def predict(self, graph, instance):
        return graph.kappa(instance)
"""

EMPTY_TABLE = "Age,Income,Student,Credit\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, text in {
        "nothing_subjects.py": SUBJECTS,
        "empty.csv": EMPTY_TABLE,
        "blank.csv": "",
        "log.csv": EMPTY_TABLE.strip() + ",set\n",
        "none.jsonl": "",
        "header.jsonl": '{"format":"xpgcheck-claims","version":1}\n',
        "none.cnf": "p cnf 0 0\n",
    }.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    (tmp_path / "other" / "obdd").mkdir(parents=True)
    return tmp_path


ASKED_FOR_NOTHING = [
    "check hardware --instances empty.csv",
    "check hardware --instances blank.csv",
    "check hardware --sample 0",
    "check hardware --limit 0",
    "properties run --examples 0",
    "properties run --examples 0 --corpus folder",
    "properties run --property nothing",
    "gate textbook --no-models --examples 0",
    "gate textbook --no-models --examples 0 --corpus folder",
    "gate textbook --model hardware --sample 0",
    "gate textbook --model hardware --instances empty.csv --examples 0",
    "verify none.jsonl",
    "verify header.jsonl",
    "verify none.jsonl --keep-going",
    "replay folder",
    "replay none.jsonl",
    "paper --claim nothing",
    "paper --claim table-1 --data folder",
    "paper --claim table-1 --data other",
    "paper --claim eq-1 --data folder",
    "properties selftest --bug nothing",
    "properties selftest --examples 0",
    "properties ablations --examples 0",
    "campaign start campaign --examples 0",
    "campaign status campaign",
    "campaign report campaign -o page.html",
    "reduction none.cnf",
    "certify hardware --instances empty.csv -o out.jsonl",
    "certify hardware --row 1 --limit 0 -o out.jsonl",
    "check-certificate none.jsonl",
    "convert-claims log.csv --model hardware --set-column set --kind AXp -o claims.jsonl",
    "vectors -o folder/vectors --file nothing",
]


@pytest.mark.parametrize("line", ASKED_FOR_NOTHING)
def test_a_command_that_asks_for_nothing_ends_with_2(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    said = capsys.readouterr()
    assert "HOLDS" not in said.out + said.err
    assert said.err.startswith("xpgcheck: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("run --subject nothing_subjects:Declines --no-smt", f"{NOTHING_CHECKED}: 0 properties, 3 cases"),
        (
            "run --subject nothing_subjects:Half --no-smt --property soundness --property graphs",
            f"{NOTHING_CHECKED}: 1 property, 3 cases",
        ),
        (
            "gate nothing_subjects:Declines --no-models --no-deck",
            f"{NOTHING_CHECKED}: 0 claims on 3 cases, 0 properties",
        ),
    ],
)
def test_questions_without_an_answer_end_with_3(
    line: str, last: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line.split(), "--examples", "3", "--jobs", "1"]) == 3
    assert capsys.readouterr().out.splitlines()[-1].startswith(last)


def test_the_headline_says_what_was_declined(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = folder / "report.json"
    line = [
        "gate",
        "nothing_subjects:Half",
        "--no-models",
        "--examples",
        "3",
        "--no-deck",
        "--jobs",
        "1",
        "--json",
        str(report),
    ]
    assert main(line) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("HOLDS: 3 claims on 3 cases, ")
    assert last.endswith("not judged, as declined: axp")
    document = json.loads(report.read_text())
    held = sum(1 for item in document["properties"] if item["held"])
    assert f", {held} propert" in last
    assert held < len(document["properties"])


def test_a_campaign_without_a_finished_unit_holds_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"subject": "ours", "properties": ["an_axp_suffices"], "size": 6, "timeout": 10.0, "stretch": 1}
    common = {"models": [], "examples": 10, "seed": 0, "unit": 10, "smt_every": 1}
    with Journal.create(folder / "none.campaign.sqlite", Plan("properties", {**common, **options})):
        pass
    assert main(["campaign", "status", "none"]) == 3
    assert f"{NOTHING_CHECKED}: properties, 0 cases in 0 units" in capsys.readouterr().out
    assert main(["campaign", "status", "none", "--json", "-"]) == 3
    assert json.loads(capsys.readouterr().out)["outcome"] == "inconclusive"
    assert main(["campaign", "report", "none", "-o", "page.html"]) == 3
    page = (folder / "page.html").read_text()
    assert NOTHING_CHECKED in page
    assert "HOLDS" not in page


def test_a_campaign_whose_units_answer_nothing_holds_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["campaign", "start", "declined", "--subject", "nothing_subjects:Declines", "--examples", "4", "--unit", "4"]
    assert main([*line, "--no-smt", "--jobs", "1"]) == 3
    assert f"{NOTHING_CHECKED}: properties, 4 cases in 1 unit" in capsys.readouterr().out


def test_a_subject_without_the_methods_of_a_case_is_asked_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = embedded.load("omdd")
    case = Case(model.graph, model.instances[0], 0)
    (folder / "case.json").write_text(case_json("no_xp_is_listed_twice", case, "a case"))
    assert main(["replay", "case.json", "--subject", "nothing_subjects:Declines"]) == 3
    assert NOTHING_CHECKED in capsys.readouterr().out
    assert main(["replay", "case.json", "--subject", "nothing_subjects:Sums"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("xpgcheck: case.json: nothing checked: ")
    assert "give a subject with the methods that the case is about" in said


def test_what_counts_as_asked() -> None:
    assert not is_asked({})
    assert not is_asked({"a": {"silent": 3, "unsupported": 2, "held": 0}})
    assert is_asked({"a": {"silent": 3}, "b": {"held": 1}})
    assert is_asked({"b": {"open": 1}})
    result = Result({"a": PropertyTally(held=1), "b": PropertyTally(silent=4)})
    assert not result.unasked([["a"], ["a", "b"]])
    assert result.unasked([["b"]])
    assert Result({}).exit_status() == 3


def test_the_error_is_an_error_of_the_input() -> None:
    error = NothingCheckedError("there is none", mend="give one")
    assert error.exit_status == 2
    assert str(error) == "nothing checked: there is none; give one"
