"""``xpgcheck verify`` of claims about a forest that votes: its log lines, its reports, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema
from small_forests import document, leaf, stump

from xpgcheck import embedded
from xpgcheck.certificates.issuing import certificate
from xpgcheck.check_certificate import check_file
from xpgcheck.claims.stream import LoggedLine, decode_line
from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError
from xpgcheck.judging import family_search
from xpgcheck.readers import read_classifier
from xpgcheck.readers.json_ensemble import parse_ensemble

ONES = ["1.0", "1.0", "1.0"]
"""An instance of three stumps on three features, of which two decide: of class 1."""

ZEROS = ["0.0", "0", "0.50"]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    return path


@pytest.fixture
def run(model: Path, tmp_path: Path, capfd: Any) -> Any:
    def run_(lines: list[Any], *options: object, command: str = "verify") -> tuple[int, str, str]:
        path = tmp_path / "log.jsonl"
        path.write_bytes(b"".join((x if isinstance(x, bytes) else json.dumps(x).encode()) + b"\n" for x in lines))
        status = main([command, str(path), "--model", str(model), *map(str, options)])
        return status, *capfd.readouterr()

    return run_


def axp(*features: object, instance: Any = ONES, **more: Any) -> dict[str, Any]:
    return {"instance": instance, "class": 1, "axp": list(features), **more}


def cxp(*features: object, instance: Any = ONES, **more: Any) -> dict[str, Any]:
    return {"instance": instance, "class": 1, "cxp": list(features), **more}


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    for part in ("xpgcheck: ", "; ", *parts):
        assert part in err, err


LOG = [
    axp(0, 1),
    axp(0, 1, 2),
    axp(2),
    cxp(1, 2, witness=["1", "0", "-3"]),
    cxp(0, 1, 2, witness=["1", "0", "0"]),
    cxp(2),
    {"instance": ZEROS, "class": 0, "axp": [0, 2]},
]


def test_every_verdict(run: Any, tmp_path: Path) -> None:
    status, out, err = run(LOG, "-o", tmp_path / "out.jsonl", "--json", tmp_path / "report.json")
    assert (status, err) == (1, "")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        fits_schema(line, "judged-claim")
    assert [line["verdict"] for line in lines] == [
        *("AXp", "redundant", "insufficient", "CXp", "redundant", "ineffective", "AXp"),
    ]
    assert lines[0]["evidence"]["confirmed_by"] == ["clauses with counters", "boxes"]
    assert lines[1]["evidence"]["correct"]["members"] == ["f1", "f2"]
    assert lines[2]["evidence"]["witness"]["f2"] == "1"
    assert "VIOLATED: 7 claims on 7 cases" in out
    assert "'small': 3 trees, majority, ties to the lowest class" in out
    assert "2 of 2 that came with claims show them" in out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    fits_schema(report, "gate-report")
    assert report["witnesses"] == {"": 2}
    assert report["repeated"] == []
    forest = read_classifier(tmp_path / "small.json")
    for finding in report["findings"]:
        assert parse_ensemble(json.dumps(finding["graph"]).encode()) == forest


def test_claims_in_the_words_of_claims_files_too(run: Any) -> None:
    claim = {"claim": "AXp", "features": ["f0", 1], "instance": {"f0": 1, "f1": 1, "f2": 1}, "model": "small"}
    family = {"claim": "family", "axps": [[0, 1], [0, 2], [1, 2]], "cxps": [[0, 1], [0, 2], [1, 2]], "instance": ONES}
    status, out, _ = run([claim, family, {"claim": "prediction", "class": "1", "instance": ONES}])
    assert status == 0
    assert "HOLDS: 3 claims" in out


def test_a_tie_is_class_0(run: Any, model: Path) -> None:
    model.write_text(json.dumps(document(stump(0), stump(1), features=2)))
    lines = [{"instance": [1, 0], "class": 0, "axp": [1]}, {"instance": [1, 1], "class": 1, "axp": [0, 1]}]
    assert run(lines)[0] == 0


def test_another_class_is_a_wrong_prediction(run: Any) -> None:
    status, out, _ = run([{**axp(0, 1), "class": 0}])
    assert status == 1
    assert "prediction mismatch: class 0 is claimed; the class by the graph, κ(v), is 1" in out
    assert run([{"instance": ONES, "axp": [0, 1]}])[0] == 0, "the class may be left out"


def test_a_witness_that_shows_nothing_is_counted(run: Any, tmp_path: Path) -> None:
    lines = [
        cxp(1, 2, witness=["1", "0", "1"]),
        cxp(1, 2, witness=["0", "0", "0"]),
        cxp(0, 2, witness=["0", "1", "0.5"], id="third", model="small"),
    ]
    status, out, _ = run([*lines, cxp(0, 1)], "-o", tmp_path / "out.jsonl")
    assert status == 0, "the CXps are right, whatever was shown for them"
    judged = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in judged:
        fits_schema(line, "judged-claim")
    assert [line.get("given_witness") for line in judged] == [
        "the witness has the class of the instance",
        "the witness differs from the instance on the fixed feature 0",
        "",
        None,
    ]
    said = " ".join(out.split())
    assert "1 of 3 that came with claims show them; 1: the witness differs from the instance on the fixed" in said
    assert "1: the witness has the class of the instance" in said


def test_what_was_said_before_is_counted_and_said(run: Any) -> None:
    status, out, _ = run([axp(0, 1), axp(0, 1), axp(0, 2), axp(1, 0)])
    assert status == 0
    assert "2 claims of an earlier line, counted each time (2 AXp)" in " ".join(out.split())


BAD = {
    "two things": ({**axp(0), "cxp": [1]}, "'axp' and 'cxp' in one line"),
    "witness of an AXp": (axp(0, witness=ONES), "'witness' in a line about an AXp"),
    "no feature": (axp(3), "there is no feature 3"),
    "no name": (axp("f7"), "there is no feature 'f7'"),
    "twice": (axp(0, 0), "a set names 0 twice"),
    "truth": (axp(True), "axp[0]: this is of type bool"),
    "fraction": (axp(0.5), "axp[0]"),
    "text": ({**axp(), "axp": "f0"}, "axp: this is of type str"),
    "no instance": ({"class": 1, "axp": [0]}, "the field 'instance' is missing"),
    "short": (axp(0, instance=["1"]), "instance: the instance has 1 values, there are 3 features"),
    "word": (axp(0, instance=["1", "low", "1"]), "'low' is not a finite number"),
    "missing": (axp(0, instance=["1", None, "1"]), "the value is missing"),
    "short witness": (cxp(0, witness=["1"]), "witness: the instance has 1 values"),
    "bad witness": (cxp(0, witness=["1", "x", "1"]), "witness: "),
    "other class": ({**axp(0), "class": "two"}, "there is no class 'two'"),
    "unknown": (axp(0, weight=1), "the field 'weight' is unknown"),
    "key twice": (b'{"instance": [1,1,1], "axp": [0], "axp": [1]}', "the key 'axp' is written twice"),
    "cut off": (b'{"instance": [1,1,1], "axp": [0]', "the JSON breaks off"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named(name: str, run: Any) -> None:
    line, text = BAD[name]
    status, _, err = run([axp(0, 1), line])
    assert status == 2
    one_line(err, "log.jsonl: line 2: ", text)
    assert run([axp(0, 1), line, axp(0, 2)], "--keep-going")[0] == 2


def test_lines_of_a_log_keep_every_digit() -> None:
    line = decode_line(b'{"instance": [0.10000000000000000000001], "axp": [0], "class": 1}')
    assert isinstance(line, LoggedLine)
    assert line.instance == ["0.10000000000000000000001"]
    with pytest.raises(FormatError, match="the field 'claim' is missing"):
        decode_line(b'{"instance": [1], "class": 1}')


def test_what_takes_graphs_alone_says_so(run: Any, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.jsonl"
    evidence.write_text(certificate(embedded.load("omdd").graph, [(0, 0, 2)]), encoding="utf-8")  # type: ignore[arg-type]
    status, _, err = run([axp(0, 1)], "--evidence", evidence)
    assert status == 2
    one_line(err, "this is an ensemble, and --evidence is for decision graphs alone; leave --evidence out")


def test_each_verdict_has_a_certificate_that_the_checker_takes(run: Any, tmp_path: Path) -> None:
    said = [axp(0, 1), axp(0, 1, 2), axp(2), cxp(0, 1), cxp(0), cxp(0, 1, 2)]
    claims = [*said, {"claim": "family", "axps": [[0, 1], [0, 2], [1, 2]], "cxps": None, "instance": ONES}]
    status, out, _ = run(claims, "--certificates", tmp_path / "c")
    assert status == 1
    assert "certified: 6 claims; not 1: families of one kind (1)" in " ".join(out.split())
    index = [json.loads(line) for line in (tmp_path / "c" / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    verdicts = ["AXp", "redundant", "insufficient", "CXp", "ineffective", "redundant"]
    assert [item["verdict"] for item in index if "at" in item] == verdicts
    outcome = check_file(str(tmp_path / "c" / "small.certificate.jsonl"))
    assert outcome.status == 0, outcome.message
    assert outcome.counts["redundant AXp"] == outcome.counts["ineffective CXp"] == outcome.counts["CXp"] == 1


def test_a_complete_family_has_a_certificate(run: Any, tmp_path: Path) -> None:
    both = [[0, 1], [0, 2], [1, 2]]
    family = {"claim": "family", "axps": both, "cxps": both, "instance": ONES}
    assert run([family], "--certificates", tmp_path / "c")[0] == 0
    outcome = check_file(str(tmp_path / "c" / "small.certificate.jsonl"))
    assert outcome.counts == {"instances": 1, "complete": 1, "AXp": 3, "CXp": 3}


def over_conditions(*features: str, notion: str = "conditions", kind: str = "AXp") -> dict[str, Any]:
    members = [{"feature": name, "in": ["(0.5, inf)"]} for name in features]
    return {"claim": kind, "notion": notion, "conditions": members, "instance": ONES}


def test_claims_over_conditions(run: Any) -> None:
    right = [over_conditions("f0", "f1"), over_conditions("f0", "f2", kind="CXp")]
    assert run(right)[0] == 0
    wrong = [over_conditions("f0", "f1", "f2"), over_conditions("f2"), over_conditions("f0", kind="CXp")]
    status, out, _ = run([*right, *wrong])
    assert status == 1
    text = " ".join(out.split())
    for part in ("redundant: AXp {f0 > 0.5, f1 > 0.5, f2 > 0.5}", "insufficient: AXp {f2 > 0.5}", "ineffective: CXp"):
        assert part in text
    assert "The same claims taken over features, a separate question" in text


def test_claims_over_conditions_with_theory(run: Any, model: Path) -> None:
    # From x ≤ 0.25 follows x ≤ 0.5: over independent conditions both are needed.
    model.write_text(json.dumps(document(stump(0, "0.5"), stump(0, "0.25"), leaf(1), leaf(0))))
    zero = {"feature": "f0", "in": ["(-inf, 0.25]"]}, {"feature": "f0", "in": ["(-inf, 0.5]"]}
    claim = {"claim": "AXp", "conditions": list(zero), "instance": ["0", "0", "0"]}
    assert run([{**claim, "notion": "conditions"}])[0] == 1
    status, out, _ = run([{**claim, "notion": "conditions-with-theory"}])
    assert status == 1
    assert "redundant" in out
    alone = {**claim, "notion": "conditions-with-theory", "conditions": [zero[1]]}
    status, out, _ = run([alone])
    assert "AXp" in out
    assert status == 0


def test_findings_over_conditions_are_saved_and_replayed(run: Any, tmp_path: Path, capfd: Any) -> None:
    folder = tmp_path / "cases"
    files = [part for kind in ("html", "markdown", "json") for part in (f"--{kind}", tmp_path / f"report.{kind}")]
    assert run([over_conditions("f2"), over_conditions("f0", "f1", "f2")], "--cases", folder, *files)[0] == 1
    for path in sorted(folder.iterdir()):
        fits_schema(json.loads(path.read_text(encoding="utf-8")), "judged-case")
        assert main(["replay", str(path)]) == 1
        assert capfd.readouterr().err == ""
    assert "f2 &gt; 0.5" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_conditions_that_are_none(run: Any, model: Path) -> None:
    unknown = {**over_conditions(), "conditions": [{"feature": "f0", "in": ["(0.25, inf)"]}]}
    status, _, err = run([unknown])
    assert status == 2
    one_line(err, "is not a condition of the model")
    model.write_text(json.dumps(document(leaf(1), leaf(0), leaf(1))))
    assert run([over_conditions()])[0] == 0, "of a constant forest the empty set is the AXp"


def test_membership_is_judged_by_all_xps_that_the_judges_find(run: Any, model: Path) -> None:
    claims = [{"claim": "membership", "feature": 0, "member": member, "instance": ONES} for member in (True, False)]
    status, out, _ = run(claims)
    assert status == 1
    assert "{f0} is in the AXp {f0," in " ".join(out.split())
    model.write_text(json.dumps(document(stump(0), stump(1), stump(2), features=4)))
    unused = {"claim": "membership", "feature": "f3", "member": True, "instance": [*ONES, "1"]}
    status, out, _ = run([unused, {**unused, "member": False}])
    assert status == 1
    assert "{f3} is in none of 3 AXps and 3 CXps, which are all" in " ".join(out.split())


def test_membership_stays_open_where_there_are_too_many_xps(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family_search, "MAX_XPS", 0)
    status, out, _ = run([{"claim": "membership", "feature": 0, "member": True, "instance": ONES}])
    assert status == 3
    assert "the instance has too many XPs" in " ".join(out.split())


def test_a_constant_forest_has_no_cxp(run: Any, model: Path) -> None:
    model.write_text(json.dumps(document(leaf(1), leaf(0), leaf(1))))
    assert run([{"claim": "CXp", "features": None, "instance": ONES}, axp()])[0] == 0
    assert run([{"claim": "CXp", "features": None, "instance": ONES}, cxp(0)])[0] == 1


def test_pages_and_processes(run: Any, tmp_path: Path) -> None:
    files = [part for kind in ("html", "markdown", "junit") for part in (f"--{kind}", tmp_path / f"report.{kind}")]
    status, _, err = run(LOG * 100, *files, "--jobs", "2", "--quiet")
    assert (status, err) == (1, "")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 3
    assert "The trees of the ensemble, with the path of the instance (thick)." in page
    assert "&#34;format&#34;: &#34;ensemble&#34;" in page
    for kind in ("markdown", "junit"):
        assert "3 trees, majority, ties to the lowest class" in (tmp_path / f"report.{kind}").read_text(
            encoding="utf-8"
        )


def test_a_solver_that_is_named_is_asked(run: Any, tmp_path: Path) -> None:
    status, _, _ = run([axp(0, 1)], "--solver", "z3", "-o", tmp_path / "out.jsonl")
    assert status == 0
    (line,) = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["evidence"]["confirmed_by"] == ["z3-votes", "clauses with counters"]


def test_findings_are_saved_and_replayed(run: Any, tmp_path: Path, capfd: Any) -> None:
    folder = tmp_path / "cases"
    assert run(LOG, "--cases", folder)[0] == 1
    certificates = sorted(folder.glob("*.certificate.jsonl"))
    assert all(check_file(str(path)).status == 0 for path in certificates)
    saved = sorted({*folder.iterdir()} - {*certificates})
    assert (len(saved), len(certificates)) == (4, 4)
    for path in saved:
        fits_schema(json.loads(path.read_text(encoding="utf-8")), "judged-case")
        assert main(["replay", str(path)]) == 1
        out, err = capfd.readouterr()
        assert "3 trees, majority" in out
        assert err == "", "the verdict is that of then"
        assert main(["replay", str(path), "--solver", "z3"]) == 1
        capfd.readouterr()
        assert main(["replay", str(path), "--subject", "seeded:no-marks"]) == 2
        one_line(capfd.readouterr().err, "the subject was asked nothing: it takes no ensembles that vote")


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "MODEL", "-o", "OUT.dot"],
        ["convert", "MODEL", "-o", "OUT.smt2", "--instance", "f0=1,f1=1,f2=1"],
    ],
    ids=lambda command: command[3],
)
def test_other_commands_say_that_they_take_a_graph(command: list[str], model: Path, tmp_path: Path, capfd: Any) -> None:
    words = [word.replace("MODEL", str(model)).replace("OUT", str(tmp_path / "out")) for word in command]
    assert main(words) == 2
    one_line(capfd.readouterr().err, "this is an ensemble of 3 trees, and one decision graph is needed here")


def test_a_table_of_claims_is_turned_into_claims(model: Path, tmp_path: Path, capfd: Any) -> None:
    table, claims = tmp_path / "log.csv", tmp_path / "claims.jsonl"
    table.write_text("f0,f1,f2,axp\n1,1,1,f0;f1\n1,1,1,0;1;2\n")
    assert main(["convert-claims", str(table), "--model", str(model), "--set-column", "axp", "--kind", "AXp",
                 "-o", str(claims)]) == 0  # fmt: skip
    assert main(["verify", str(claims)]) == 1
    assert "redundant" in capfd.readouterr().out
