"""``xpgcheck paper ensembles`` on small forests made here: counts, evidence, files, and what is refused.  Needs no data."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema
from small_forests import document, stump

from xpgcheck.claims.models import NamedModels
from xpgcheck.claims.stream import decode_line
from xpgcheck.claims.verification import LineJudge
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.judging.consensus import Belief
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.paper.ensembles import evidence, published, verdict_tables
from xpgcheck.paper.ensembles.corpus import forest_logs
from xpgcheck.paper.ensembles.evidence import evidence_of
from xpgcheck.paper.ensembles.published import PUBLISHED, PublishedVerdicts
from xpgcheck.paper.ensembles.table_files import csv_table, latex_table
from xpgcheck.paper.ensembles.verdict_tables import MAX_FAULTS, rows

Run = Callable[..., tuple[int, str, str]]

ONES = ["1.0", "1.0", "1.0"]

AXPS: list[dict[str, Any]] = [
    {"instance": ONES, "class": 1, "axp": [0, 1]},
    {"instance": ["1", "1", "1"], "class": 1, "axp": [0, 1, 2]},
    {"instance": ["1", "1", "0"], "class": 1, "axp": [0, 1, 2]},
    {"instance": ["0", "0", "0"], "class": 0, "axp": [2]},
]
"""Lines about three stumps, two of which decide: right, left out (the instance of line 1), redundant, insufficient."""

CXPS: list[dict[str, Any]] = [
    {"instance": ONES, "class": 1, "cxp": [1, 2], "witness": ["1", "0", "0"]},
    {"instance": ["1", "1", "0.5"], "class": 1, "cxp": [0, 1, 2], "witness": ["1", "1", "0"]},
    {"instance": ["0", "0", "0"], "class": 0, "cxp": [2], "witness": ["0", "0", "1"]},
    {"instance": ["0", "0", "1"], "class": 0, "cxp": [0], "witness": ["1", "1", "1"]},
]
"""Right; redundant, with an idle witness; ineffective, with an idle witness; right, with a witness that strays."""

PUBLIC = next((x for x in (os.environ.get("XPGCHECK_DATA"),) if x and Path(x, "forests").is_dir()), None)
"""The folder of research data, where it is given and has the public forests."""

TOY = PublishedVerdicts((1, 1, 1), (2, 1, 1), 2)


def write(folder: Path, name: str, axps: list[Any] = AXPS, cxps: list[Any] = CXPS) -> None:
    """Write a forest of three stumps with its logs."""
    inside = folder / "forests"
    inside.mkdir(exist_ok=True)
    (inside / f"{name}.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    for kind, lines in (("axp", axps), ("cxp", cxps)):
        (inside / f"{name}.{kind}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the forest ``toy``, which the publication has in these tests."""
    monkeypatch.setitem(PUBLISHED, "toy", TOY)
    write(tmp_path, "toy")
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)

    def call_(*arguments: object) -> tuple[int, str, str]:
        status = main(["paper", "ensembles", *map(str, arguments)])
        return status, *capsys.readouterr()

    return call_


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    for part in ("xpgcheck: ", "; ", *parts):
        assert part in err, err


def test_the_publication_is_whole() -> None:
    large = [verdicts for name, verdicts in PUBLISHED.items() if name.endswith(".50")]
    assert (len(PUBLISHED), len(large)) == (29, 27)
    totals = [[sum(each) for each in zip(*(v[kind] for v in large), strict=True)] for kind in (0, 1)]
    assert totals == [[540, 4603, 10], [1091, 4048, 14]]
    for verdicts in PUBLISHED.values():
        assert sum(verdicts.axps) == sum(verdicts.cxps)


def test_rows_are_as_published(call: Run, data: Path, tmp_path: Path) -> None:
    status, out, err = call("--data", data, "--jobs", 1)
    assert (status, err) == (0, "")
    assert "| toy | AXp | 3 | 1 | 1 | 1 | 0 | 0 | 1 / 1 / 1 | 0 |  | yes |" in out
    assert "| toy | CXp | 4 | 2 | 1 | 1 | 0 | 0 | 2 / 1 / 1 | 2 | 2 | yes |" in out
    assert "1 line about an instance of an earlier line: left out, as the publication counts each instance once" in out
    assert (
        "2 witnesses with the class of the instance: 1 of ineffective CXps, which can have none, "
        "1 of sets that other points show to be weak CXps" in out
    )
    assert "1 witness with changes outside the CXp, which the publication does not look for" in out
    assert out.splitlines()[-1] == (
        "HOLDS: 2 of 2 published rows as published, 7 claims; 29 of the 30 published forests are not looked at"
    )


def test_the_folder_itself_and_the_environment(call: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("--data", data / "forests", "--jobs", 1, "--quiet")[0] == 0
    monkeypatch.setenv("XPGCHECK_DATA", str(data))
    status, out, _ = call("--jobs", 1, "--quiet")
    assert (status, out.count("\n")) == (0, 1)


def test_files(call: Run, data: Path, tmp_path: Path) -> None:
    names = {kind: tmp_path / f"out.{kind}" for kind in ("csv", "latex", "json", "output")}
    status, _, err = call("--data", data, *(x for kind, path in names.items() for x in (f"--{kind}", path)))
    assert (status, err) == (0, "")
    first, second = csv.DictReader(io.StringIO(names["csv"].read_text(encoding="utf-8")))
    assert (first["forest"], first["claims"], first["repeated"], first["counted"]) == ("toy", "AXp", "1", "3")
    assert (second["right"], second["published_right"], second["as_published"]) == ("2", "2", "yes")
    assert (second["idle_witnesses"], second["astray_witnesses"]) == ("2", "1")
    assert r"toy & 1 & 1 & 1 & 2 & 1 & 1 & 2 \\" in names["latex"].read_text(encoding="utf-8")
    report = json.loads(names["json"].read_text(encoding="utf-8"))
    assert report["holds"] is True
    assert report["counts"]["claims without a verdict and its evidence"] == 0
    lines = [json.loads(line) for line in names["output"].read_text(encoding="utf-8").splitlines()]
    assert [line["line"] for line in lines] == [1, 3, 4, 1, 2, 3, 4]
    assert [line["verdict"] for line in lines] == [
        *("AXp", "redundant", "insufficient", "CXp", "redundant", "ineffective", "CXp"),
    ]
    assert lines[0]["evidence"][0] == {"fixed": ["f0", "f1"], "no_point_by": ["boxes", "clauses with counters"]}
    for line in lines:
        fits_schema(line, "published-claim")
        assert line["evidence"], line
        for answer in line["evidence"]:
            assert len(answer.get("no_point_by", ())) == 2 or len(answer["point"]) == 3


def test_the_evidence_of_a_file_can_be_looked_at_by_hand(call: Run, data: Path, tmp_path: Path) -> None:
    call("--data", data, "-o", tmp_path / "out.jsonl", "--quiet")
    for text in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        own = list(line["instance"].values())
        for answer in line["evidence"]:
            if point := answer.get("point"):
                assert all(point[int(name[1:])] == own[int(name[1:])] for name in answer["fixed"])
                assert int(sum(float(value) > 0.5 for value in point) >= 2) != int(line["class"])


def test_processes_find_the_same(call: Run, data: Path) -> None:
    write(data, "other", AXPS * 40)
    one, two = (call("--data", data, "--jobs", jobs)[1] for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (TOY._replace(axps=(2, 1, 0)), "AXp 2 published, 1 found, insufficient 0 published, 1 found"),
        (TOY._replace(cxps=(2, 2, 0)), "redundant 2 published, 1 found, ineffective 0 published, 1 found"),
        (TOY._replace(idle_witnesses=1), "1 witnesses with the class of the instance are published"),
    ],
)
def test_another_count_is_a_violation(
    changed: PublishedVerdicts, said: str, call: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PUBLISHED, "toy", changed)
    status, out, _ = call("--data", data, "--jobs", 1, "--latex", tmp_path / "t.tex")
    assert status == 1
    assert said in out
    assert "VIOLATED: 1 of 2 published rows as published" in out
    assert "(" in (tmp_path / "t.tex").read_text(encoding="utf-8")


def test_a_wrong_prediction_is_not_as_published(call: Run, data: Path) -> None:
    write(data, "toy", [{**AXPS[0], "class": 0}, *AXPS[1:]])
    status, out, _ = call("--data", data, "--jobs", 1)
    assert status == 1
    assert "1 with a verdict that the publication does not have: prediction mismatch" in out


def test_forests_that_are_not_published_are_judged_and_compared_with_nothing(call: Run, data: Path) -> None:
    write(data, "another")
    status, out, _ = call("--data", data, "--forest", "another", "--jobs", 1)
    assert status == 3
    assert "| another | AXp | 3 | 1 | 1 | 1 | 0 | 0 |  | 0 |  |  |" in out
    assert "none of the forests is in the publication: no counts to compare with" in out
    status, out, _ = call("--data", data, "--jobs", 1)
    assert (status, [line.split(" | ")[0] for line in out.splitlines()[2:6]]) == (0, ["| toy"] * 2 + ["| another"] * 2)


def test_an_answer_without_evidence_leaves_the_row_open(call: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "replay", lambda *_: "it is not shown")
    write(data, "toy", AXPS[:1] * 1, CXPS * 10)
    status, out, _ = call("--data", data, "--jobs", 1)
    assert status == 3
    assert "open: toy AXp: line 1: {f1} fixed: it is not shown" in out
    assert "INCONCLUSIVE: " in out


def judged_line(data: Path, line: dict[str, Any]) -> Any:
    models = NamedModels([str(data / "forests" / "toy.json")])
    with LineJudge(models) as judge:
        found = judge.judge(decode_line(json.dumps(line).encode()))
        return found, judge.consensus(found)


@pytest.mark.parametrize("line", [*AXPS, *CXPS], ids=str)
def test_each_answer_of_a_verdict_is_looked_at(line: dict[str, Any], data: Path) -> None:
    found, consensus = judged_line(data, line)
    right = evidence_of(found.judged, found.graph, found.instance, consensus)
    assert right.faults == []
    asked = list(evidence.questions(found.judged, 3))
    assert len(asked) == right.points + right.routes.total() == len(right.answers)
    for fixed, wanted in asked:
        for belief, problem in (
            (Belief(None, None, (), "", False, ()), "the oracles say None"),
            (Belief(not wanted, found.instance, ("a", "b"), "", False, ()), f"the oracles say {not wanted}"),
            (Belief(True, found.instance, (), "", False, ()), "the class of the instance"),
            (Belief(False, None, ("boxes",), "", False, ()), "by one route alone"),
        ):
            consensus._known[fixed], kept = belief, consensus._known[fixed]
            faults = evidence_of(found.judged, found.graph, found.instance, consensus).faults
            assert len(faults) == 1, "one answer was taken away"
            if belief.changeable is wanted:
                assert problem in faults[0]
            consensus._known[fixed] = kept


def test_another_judge_does_not_know_a_line(data: Path) -> None:
    found, _ = judged_line(data, AXPS[0])
    with LineJudge(NamedModels([str(data / "forests" / "toy.json")])) as other, pytest.raises(InputError) as caught:
        other.consensus(found)
    assert "judged by another judge; ask the judge of the line" in str(caught.value)


def test_redundant_without_what_can_be_left_out_is_no_verdict(data: Path) -> None:
    found, consensus = judged_line(data, AXPS[2])
    assert found.judged.verdict is Verdict.REDUNDANT
    bare = dataclasses.replace(found.judged.evidence, needless=frozenset())
    judged = dataclasses.replace(found.judged, evidence=bare)
    assert evidence_of(judged, found.graph, found.instance, consensus).faults


def test_many_open_claims_are_counted() -> None:
    result = {
        **{"forest": "toy", "kind": "axp", "repeated": 0, "points": 0, "documents": []},
        **{"verdicts": {"inconclusive": 30}, "witnesses": {}, "routes": {}, "faults": ["line"] * 30},
    }
    found = verdict_tables.outcome({"unit": result})
    assert found.holds is None
    assert len(found.faults) == MAX_FAULTS + 1
    assert found.faults[-1] == "and 11 more"


def test_names_are_escaped_in_latex(data: Path) -> None:
    result = {
        **{"forest": "a_b&c", "kind": "cxp", "repeated": 0, "points": 0, "documents": []},
        **{"verdicts": {"CXp": 1}, "witnesses": {}, "routes": {}, "faults": []},
    }
    table = rows({"unit": result})
    assert r"a\_b\&c &  &  &  & 1 & 0 & 0 & 0 \\" in latex_table(table)
    assert csv_table(table).splitlines()[1].startswith("a_b&c,CXp,0,1,1,0,0,0,,,,,0,0,,0")


MISSING = {
    "no option": ([], "--data: there is no data; name the folder with forests/ by --data or XPGCHECK_DATA"),
    "no folder": (["--data", "DATA/none"], "there is no such folder; name a folder with forests/"),
    "nothing in it": (["--data", "DATA/empty"], "nothing checked: there are no forests; name a folder with forests/"),
    "no such forest": (["--data", "DATA", "--forest", "tony"], "tony.json: there is no such file; name one of 'toy'"),
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_data_is_named_with_the_mend(name: str, call: Run, data: Path) -> None:
    (data / "empty").mkdir()
    arguments, text = MISSING[name]
    status, out, err = call(*(word.replace("DATA", str(data)) for word in arguments))
    assert (status, out) == (2, "")
    one_line(err, text)


@pytest.mark.parametrize("name", ["toy.json", "toy.axp.jsonl", "toy.cxp.jsonl"])
def test_a_missing_file_is_named_with_the_mend(name: str, call: Run, data: Path) -> None:
    (data / "forests" / name).unlink()
    status, out, err = call("--data", data)
    assert (status, out) == (2, "")
    one_line(err, f"{name}: there is no such file; a forest has three files, toy.json, toy.axp.jsonl and toy.cxp.jsonl")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('{"instance": [1, 1, 1], "axp": [0]', "the JSON breaks off"),
        ('{"instance": [1, 1, 2], "axp": [7]}', "there is no feature 7"),
        ('{"instance": [1, 1], "axp": [0]}', "the instance has 2 values"),
        ("", "nothing checked: there are no claims"),
    ],
)
def test_a_bad_line_is_named(line: str, text: str, call: Run, data: Path) -> None:
    log = data / "forests" / "toy.axp.jsonl"
    kept = f"{json.dumps(AXPS[0])}\n" if line else ""
    log.write_text(f"{kept}{line}\n")
    status, out, err = call("--data", data, "--jobs", 1)
    assert (status, out) == (2, "")
    one_line(err, f"toy.axp.jsonl: {'line 2: ' if line else ''}", text)


def test_a_bad_forest_is_named(call: Run, data: Path) -> None:
    (data / "forests" / "toy.json").write_text("{}")
    status, _, err = call("--data", data, "--jobs", 1)
    assert status == 2
    one_line(err, "toy.json")


def test_outputs_are_seen_to_before_anything_runs(call: Run, data: Path, tmp_path: Path) -> None:
    status, _, err = call("--data", data, "--csv", tmp_path / "none" / "x.csv")
    assert status == 2
    one_line(err, "its folder does not exist")
    status, _, err = call("--data", data, "--csv", tmp_path / "x", "--latex", tmp_path / "x")
    assert status == 2
    one_line(err, "--csv and --latex name the same file")


def test_numbers_of_an_instance_are_compared_not_their_texts(data: Path) -> None:
    assert published.PUBLISHED is PUBLISHED
    log = forest_logs(str(data))[0]
    assert (log.lines, log.repeated) == ((1, 3, 4), (2,))
    write(data, "toy", [{**AXPS[0], "instance": {"f0": x, "f1": 1, "f2": 1}} for x in ("1", "1.0", "1e0", "2")])
    assert forest_logs(str(data))[0].repeated == (2, 3)


def test_two_public_forests_are_as_published(call: Run) -> None:
    if PUBLIC is None:
        pytest.skip("XPGCHECK_DATA does not name the folder of research data")
    status, out, _ = call("--data", PUBLIC, "--forest", "29_Pima.3", "--forest", "xd6.4", "--quiet")
    assert (status, out.split(";")[0]) == (0, "HOLDS: 4 of 4 published rows as published, 800 claims")
