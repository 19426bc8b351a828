"""Every command that reads a table: names with blanks, and columns that are not features."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from xpgcheck.campaign.asked import CampaignRequest, planned
from xpgcheck.campaign.checking import carried_out
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError

MODEL = {
    "format": "decision-graph",
    "version": 1,
    "name": "loan",
    "features": [
        {"name": "age_yrs", "domain": {"type": "float64", "missing": True}},
        {"name": " workclass", "domain": {"type": "categorical", "values": ["3", " State-gov"]}},
        {"name": "new", "domain": {"type": "boolean"}},
    ],
    "classes": ["no", "yes"],
    "nodes": [
        {
            "id": 0,
            "feature": "age_yrs",
            "edges": [{"to": 1, "in": ["(-inf, 30]"]}, {"to": 2, "in": ["(30, inf)", "missing"]}],
        },
        {"id": 1, "feature": " workclass", "edges": [{"to": "no", "in": ["3"]}, {"to": 2, "in": [" State-gov"]}]},
        {"id": 2, "feature": "new", "edges": [{"to": "no", "in": [0]}, {"to": "yes", "in": [1]}]},
        {"id": "no", "class": "no"},
        {"id": "yes", "class": "yes"},
    ],
}
TABLE = """,age yrs, workclass,new,the target
0,25,3.0,True,no
1,, State-gov,False,yes
"""
LOG = """,age yrs, workclass,new,why,class
0,25,3.0,True,age yrs;workclass,no
1,, State-gov,False,new,no
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("loan.json").write_text(json.dumps(MODEL))
    Path("table.csv").write_text(TABLE)
    Path("log.csv").write_text(LOG)
    return tmp_path


COMMANDS = {
    "check": "check loan.json --instances table.csv --jobs 1 --quiet",
    "explain": "explain loan.json --instances table.csv --row 2",
    "draw": "draw loan.json --instances table.csv --row 1 --xp axp1 -o out.svg",
    "certify": "certify loan.json --instances table.csv -o out.jsonl --quiet",
    "gate": "gate ours --model loan.json --instances table.csv --examples 0 --no-properties --jobs 1 --quiet",
    "convert-claims": "convert-claims rows.csv --model loan.json --instances table.csv --row-column n --set-column why"
    " --kind AXp -o out.jsonl",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_message_says_to_type_works(command: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("rows.csv").write_text("n,why\n2,new\n")
    words = shlex.split(COMMANDS[command])
    assert main(words) == 2
    line = capfd.readouterr().err
    assert "table.csv: line 1: 2 columns are not features: '', 'the target'; add --drop-column '' --drop-column" in line
    found = re.search(r"; add (.*), or (--\S+)$", line.strip())
    assert found
    for options in found.groups()[command == "gate" :]:
        assert main([*words, *shlex.split(options)]) == 0, capfd.readouterr().err


def test_a_log_of_claims_and_what_its_lines_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = "convert-claims log.csv --model loan.json --set-column why --class-column class --kind AXp -o claims.jsonl"
    assert main(shlex.split(words)) == 0
    records = [json.loads(line) for line in Path("claims.jsonl").read_text().splitlines()[1:]]
    assert [record.get("features") for record in records] == [["age_yrs", " workclass"], None, ["new"], None]
    assert records[2]["instance"] == {"age_yrs": "missing", " workclass": " State-gov", "new": "0"}
    # As an explainer of the table would write it.
    instance = {"age yrs": 25, "workclass": 3.0, "new": True}
    own = {"claim": "AXp", "instance": instance, "features": ["workclass", "age yrs"]}
    Path("own.jsonl").write_text(json.dumps(own) + "\n")
    for file in ("claims.jsonl", "own.jsonl"):
        assert main(["verify", file, "--model", "loan.json", "--quiet"]) == 0, capfd.readouterr()


def test_names_and_values_that_are_typed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    typed = 'age yrs=25, workclass = 3.0, "new"=TRUE'
    assert main(["explain", "loan.json", "--instance", typed, "--prefer", "workclass", "--never", "new"]) == 0
    assert "class no because age_yrs ≤ 30" in capfd.readouterr().out
    assert main(["explain", "loan.json", "--instance", typed, "--membership", "age yrs"]) == 0
    assert main(["convert", "loan.json", "--instance", typed, "--fixed", "workclass, age yrs", "-o", "out.smt2"]) == 0
    capfd.readouterr()
    assert main(["explain", "loan.json", "--instance", f"{typed}, age_yrs=3"]) == 2
    assert "feature 'age_yrs': there are two values; give it one" in capfd.readouterr().err


@pytest.mark.parametrize("options", [{"drop_columns": ("", "the target")}, {"ignore_extra_columns": True}])
def test_campaigns(options: dict[str, object], folder: Path) -> None:
    asked = {"examples": 0, "models": "loan.json", "instances": "table.csv"}
    with pytest.raises(InputError, match="2 columns are not features"):
        planned(CampaignRequest(**asked))  # type: ignore[arg-type]
    plan = planned(CampaignRequest(**asked, **options))  # type: ignore[arg-type]
    assert plan.count() == 1
    assert carried_out(plan, next(iter(plan.units()))).cases == 2
    with pytest.raises(InputError, match="--ignore-extra-columns are for --instances"):
        planned(CampaignRequest(examples=0, **options))  # type: ignore[arg-type]


def test_tables_of_a_campaign_that_have_columns_of_their_own(folder: Path) -> None:
    """A column that is typed for one table does not have to be in the others, and has to be in some."""
    for name in ("models", "tables"):
        (folder / name).mkdir()
    for name, extra in (("a", "target"), ("b", "id")):
        (folder / "models" / f"{name}.json").write_text(Path("loan.json").read_text())
        (folder / "tables" / f"{name}.csv").write_text(f"age_yrs,workclass,new,{extra}\n41,3,0,1\n")
    asked = {"examples": 0, "models": "models", "instances": "tables"}
    plan = planned(CampaignRequest(**asked, drop_columns=("id", "target")))  # type: ignore[arg-type]
    assert [carried_out(plan, unit).cases for unit in plan.units()] == [1, 1]
    with pytest.raises(InputError, match=r"b\.csv: line 1: the column 'id' is not a feature"):
        planned(CampaignRequest(**asked, drop_columns=("target",)))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"tables: no table has the column 'tarot' to drop; correct --drop-column"):
        planned(CampaignRequest(**asked, drop_columns=("id", "target", "tarot")))  # type: ignore[arg-type]
