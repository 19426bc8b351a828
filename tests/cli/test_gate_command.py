"""``xpgcheck gate`` and ``xpgcheck replay`` as a user types them: what they print, write and refuse, and how they end."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from junitparser import JUnitXml
from published_schemas import fits_schema

from xpgcheck.cli.main import main
from xpgcheck.extras import install

MINE = """
from xpgcheck.properties.ours import FastExplainer


class Greedy(FastExplainer):
    name = "greedy"

    def cxp(self, graph, instance):
        found = super().cxp(graph, instance)
        return None if found is None else frozenset(range(len(instance)))


class Noisy(FastExplainer):
    name = "noisy"

    def axp(self, graph, instance):
        print("chatter of a library")
        return super().axp(graph, instance)


class Raises:
    def __init__(self):
        raise RuntimeError("no luck today")


class Empty:
    name = "empty"


not_callable = 7
"""

OTHER_VERSION = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "protocol": 2, "name": "from the future", "can": ["axp"]}), flush=True)
"""

INSTANCE = "Age=O, Income=L, Student=Y, Credit=P"

FEW = ("--examples", "20", "--no-models", "--no-properties")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder to run in, with a module of subjects."""
    (tmp_path / "my_gate_subjects.py").write_text(MINE)
    (tmp_path / "my_broken_gate_subjects.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "other_version.py").write_text(OTHER_VERSION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gate(*words: str) -> int:
    return main(["gate", *words, "--jobs", "1", *([] if "--deck" in words else ["--no-deck"])])


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the case that the gate saves of a wrong explainer."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "my_gate_subjects.py").write_text(MINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert gate("my_gate_subjects:Greedy", *FEW, "--cases", "cases", "--quiet") == 1
    [case] = folder.glob("cases/*.json")
    return case.read_text()


def test_a_right_explainer_passes(here, capsys):
    assert gate("ours", *FEW) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1].startswith("HOLDS: ")
    assert "again: xpgcheck gate ours --examples 20" in printed


def test_a_wrong_one_fails_and_every_report_and_case_says_so(here, capsys):
    words = ["my_gate_subjects:Greedy", *FEW, "--cases", "cases"]
    words += ["--json", "r.json", "--junit", "r.xml", "--html", "r.html", "--markdown", "r.md"]
    assert gate(*words) == 1
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1].startswith("VIOLATED: ")
    assert "cxp: redundant" in printed
    report = json.loads(Path("r.json").read_text())
    fits_schema(report, "gate-report")
    [finding] = report["findings"]
    assert (finding["about"], finding["verdict"]) == ("cxp", "redundant")
    assert JUnitXml.fromfile("r.xml").failures == 1
    assert "redundant" in Path("r.html").read_text()
    assert "redundant" in Path("r.md").read_text()
    [case] = Path("cases").glob("*.json")
    fits_schema(json.loads(case.read_text()), "judged-case")
    assert f"xpgcheck replay cases/{case.name}" in printed
    # The saved case is judged again without the explainer, and with another one.
    assert main(["replay", f"cases/{case.name}"]) == 1
    assert "redundant" in capsys.readouterr().out
    assert main(["replay", f"cases/{case.name}", "--subject", "ours"]) == 0
    assert main(["replay", f"cases/{case.name}", "--subject", "my_gate_subjects:Greedy"]) == 1


def test_what_a_subject_prints_disturbs_nothing(here, capsys):
    assert gate("my_gate_subjects:Noisy", *FEW, "--quiet") == 0
    assert "chatter" not in capsys.readouterr().out


def test_a_program_is_asked_by_the_line_protocol(here, capsys):
    command = shlex.join([sys.executable, "-m", "xpgcheck.subjects.serve", "my_gate_subjects:Greedy"])
    assert gate("--command", command, *FEW) == 1
    assert "greedy" in capsys.readouterr().out


def test_models_and_their_instances_are_asked_about(here, capsys):
    assert gate("ours", "--examples", "0", "--model", "hardware", "--sample", "3", "--no-properties") == 0
    assert "3 of model hardware" in capsys.readouterr().out


def test_claims_over_conditions_of_xpgcheck_itself_need_a_notion(here, capsys):
    Path("over.py").write_text(
        "from xpgcheck.properties.ours import FastExplainer\n\n\n"
        "class Over(FastExplainer):\n    name = 'over'\n    notion = 'clauses'\n"
    )
    assert gate("over:Over", *FEW) == 2
    assert "use one of features, conditions, conditions-with-theory" in capsys.readouterr().err


REFUSED = {
    "no subject": ([], "name a SUBJECT or a --command"),
    "two subjects": (["ours", "--command", "true"], "name a SUBJECT or a --command"),
    "a module that is not there": (["nowhere:Explainer"], "No module named 'nowhere'"),
    "a module that does not import": (["my_broken_gate_subjects:X"], "nothing_of_that_name"),
    "a name that is not there": (["my_gate_subjects:Missing"], "Missing"),
    "a factory that raises": (["my_gate_subjects:Raises"], "no luck today"),
    "a factory that is not callable": (["my_gate_subjects:not_callable"], "has none of the methods"),
    "a subject without abilities": (["my_gate_subjects:Empty"], "has none of the methods"),
    "no factory": (["my_gate_subjects"], "name what is in it: my_gate_subjects:"),
    "a file": (["my_gate_subjects.py"], "name what is in it: my_gate_subjects:"),
    "a module misspelt": (["my_gate_subject:X"], "did you mean 'my_gate_subjects'?"),
    "a name misspelt": (["my_gate_subjects:Raise"], "did you mean 'Raises'?"),
    "a number out of range": (["ours", "--sample", "-1"], "-1 has to be at least "),
    "a command that is not there": (["--command", "./no-such-program"], "No such file"),
    "a command that ends": (["--command", f"{sys.executable} -c 'raise SystemExit(4)'"], "exit status 4"),
    "a command that is empty": (["--command", ""], "empty"),
    "an open quote": (["--command", "x '"], "close the quotes"),
    "another version": (["--command", f"{sys.executable} other_version.py"], "speaks version 2"),
    "an unknown kind": (["ours", "--graph-kind", "forest"], "'forest' is not one of"),
    "an unknown model": (["ours", "--model", "nothing.json"], "nothing.json"),
    "an unknown property": (["ours", "--property", "nothing"], "no property is called"),
    "an unknown profile": (["ours", "--profile", "weekly"], "'weekly' is not one of"),
    "an unknown solver": (["ours", "--solver", "z5"], "z5"),
    "no corpus": (["ours", "--corpus", "nowhere"], "nowhere"),
    "instances without a model": (["ours", "--instances", "rows.csv"], "--instances needs a --model"),
    "models and none": (["ours", "--no-models", "--model", "iris"], "--no-models and --model"),
    "one file for two reports": (["ours", "--json", "r", "--junit", "r"], "name the same file"),
    "a folder that is not there": (["ours", "--json", "no/such/r.json"], "no/such"),
    "a report to the output": (["ours", "--json", "-"], "--json writes a file"),
    "no number of seconds": (["ours", "--timeout", "nan"], "nan is not a number of seconds"),
    "endless seconds": (["ours", "--start-timeout", "inf"], "inf has to be"),
    "a file for a module": (["my_gate_subjects.py:Greedy"], "names a file, not a module"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_wrong_input_is_one_line_and_exit_status_2(here, capsys, words, said):
    given = {"--examples", "--no-models", "--model", "--instances"} & set(words)
    rest = ("--examples", "5", *([] if given else ["--no-models"]))
    assert gate(*words, *rest) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert error.startswith("xpgcheck: ")
    assert said in error


def test_an_xpg_model_is_refused(here, capsys):
    assert main(["convert", "hardware", "--instance", INSTANCE, "-o", "h.xpg"]) == 0
    capsys.readouterr()
    assert gate("ours", "--examples", "0", "--model", "h.xpg") == 2
    assert ".xpg model has no domains" in capsys.readouterr().err


def test_a_bad_kept_case_is_named_and_the_others_are_judged(here, capsys, saved):
    Path("kept").mkdir()
    Path("kept/case.json").write_text(saved)
    Path("kept/bad.json").write_text("{")
    assert gate("ours", "--examples", "0", "--no-models", "--corpus", "kept") == 2
    printed = capsys.readouterr()
    assert "bad.json" in printed.out
    assert "1 kept" in printed.out
    assert "1 bad" in printed.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no case"),
        ('{"format": "other"}', "expected judged-case or property-case"),
        ('{"format": "judged-case", "version": 9, "instance": {}, "judged": [], "graph": {}}', "version 9"),
    ],
)
def test_replay_refuses_what_is_no_case(here, capsys, text, said):
    Path("case.json").write_text(text)
    assert main(["replay", "case.json"]) == 2
    assert said in capsys.readouterr().err


def test_replay_of_a_property_needs_a_subject(here, capsys):
    kept = sorted((Path(__file__).parents[1] / "regressions").glob("an_axp_suffices-*.json"))[0]
    assert main(["replay", str(kept)]) == 2
    assert "--subject" in capsys.readouterr().err
    assert main(["replay", str(kept), "--subject", "ours"]) == 0


def test_replay_says_where_a_saved_verdict_is_another_now(here, capsys, saved):
    document = json.loads(saved)
    document["judged"][0]["verdict"] = "CXp"
    Path("case.json").write_text(json.dumps(document))
    assert main(["replay", "case.json"]) == 1
    assert "redundant now, CXp when it was saved" in capsys.readouterr().err


WITHOUT_HYPOTHESIS = """
import importlib.util, json, sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "hypothesis":
            raise ModuleNotFoundError("No module named 'hypothesis'", name="hypothesis")


found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "hypothesis" else found(name, *rest)
sys.meta_path.insert(0, Absent())
from xpgcheck.cli.main import main

for words in json.load(sys.stdin):
    status = main(words)
    print("\\n" + json.dumps(status), flush=True)
    print("--", file=sys.stderr, flush=True)
"""


def test_without_hypothesis_what_needs_it_says_so_and_the_rest_works(here, saved):
    Path("case.json").write_text(saved)
    statuses = {
        ("gate", "ours", "--no-models"): 2,
        ("gate", "ours", "--graph-kind", "tree"): 2,
        ("properties", "run"): 2,
        ("properties", "selftest"): 2,
        ("properties", "ablations"): 2,
        ("gate", "ours", "--examples", "0", "--model", "hardware", "--sample", "2", "--jobs", "1"): 0,
        ("replay", "case.json", "--subject", "ours"): 0,
        ("replay", "case.json"): 1,
    }
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_HYPOTHESIS],
        input=json.dumps(list(statuses)),
        capture_output=True,
        text=True,
        check=True,
    )
    printed = [int(line) for line in done.stdout.splitlines() if line.isdigit()]
    said = done.stderr.split("--\n")[:-1]
    assert dict(zip(statuses, printed, strict=True)) == statuses, done.stderr
    for status, text in zip(printed, said, strict=True):
        if status == 2:
            assert text.count("\n") == 1
            assert install("properties") in text


def test_a_folder_of_cases_that_cannot_be_made_is_refused_before_anything_is_asked(here, capsys):
    Path("taken").write_text("a file")
    assert gate("my_gate_subjects:Greedy", *FEW, "--cases", "taken") == 2
    assert capsys.readouterr().out == ""


def test_the_line_that_repeats_a_run_has_every_option_that_matters(here, capsys):
    Path("rows.csv").write_text("Age,Income,Student,Credit,target\nO,L,Y,P,T\n")
    Path("kept").mkdir()
    words = ["ours", "--examples", "0", "--model", "hardware", "--instances", "rows.csv", "--drop-column", "target"]
    words += ["--no-properties", "--timeout", "7", "--start-timeout", "50", "--memory", "900", "--corpus", "kept"]
    assert gate(*words, "--certificates", "proof", "--cases", "found", "--json", "r.json") == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("again: ")]
    said = shlex.split(line.removeprefix("again: "))
    assert said[:2] == ["xpgcheck", "gate"]
    assert set(words) <= set(said)
    # Files of a run are not written again: a folder of certificates has to be a new one.
    assert {"--certificates", "--cases", "--json"}.isdisjoint(said)
    assert main([*said[1:], "--jobs", "1"]) == 0


def test_crashes_of_different_kinds_are_different_findings(here, monkeypatch):
    # Each crash costs a start, and how small a case becomes is asked elsewhere.
    monkeypatch.setattr("xpgcheck.gate.search.SHRINK_SECONDS", 0.0)
    Path("crashing.py").write_text(
        "import os\n\n\nclass Crashing:\n    name = 'crashing'\n\n    def axp(self, graph, instance):\n"
        "        if len(instance) > 3:\n            os._exit(3)\n"
        "        raise KeyError(len(instance))\n"
    )
    assert gate("crashing:Crashing", "--examples", "15", "--no-models", "--no-properties", "--json", "r.json") == 1
    texts = {finding["text"].partition(":")[0] for finding in json.loads(Path("r.json").read_text())["findings"]}
    assert "axp raised KeyError" in texts
    assert any("exit status 3" in text for text in texts)
