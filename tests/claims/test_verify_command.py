"""``xpgcheck verify`` as a user runs it: every verdict, every kind of bad line, and what it writes."""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from claim_cases import Brute
from published_schemas import fits_schema, validator

from xpgcheck import embedded
from xpgcheck.claims.documents import instance_document
from xpgcheck.cli.main import main
from xpgcheck.gate import verifying
from xpgcheck.judging.claim import ClaimKind
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.smt_sessions import SmtOracle
from xpgcheck.writers.json_model import model_json, write_json

RED = {"x1": 0, "x2": 0, "x3": 2}
"""An instance of the model omdd."""

FIGURE_1 = {
    "model": "hardware",
    "instance": {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"},
    "claim": "inflated AXp",
}

IRIS = {"sepal length (cm)": 5.1, "sepal width (cm)": 3.5, "petal length (cm)": 1.4, "petal width (cm)": 0.2}


@pytest.fixture
def run(capfd: Any) -> Any:
    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main(["verify", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(*lines: Any, name: str = "claims.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(_bytes(line) + b"\n" for line in lines))
        return path

    return write


def _bytes(line: Any) -> bytes:
    return line if isinstance(line, bytes) else json.dumps(line).encode()


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("xpgcheck: ")
    assert "; " in err, "the remedy"
    for part in parts:
        assert part in err, err


def judged_lines(path: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        fits_schema(line, "judged-claim")
    return lines


def claims_of_every_verdict() -> dict[str, dict[str, Any]]:
    """Return a claim for every verdict but the inconclusive one, by the definitions alone."""
    graph = embedded.load("omdd").graph
    point = (0, 0, 2)
    brute = Brute(graph, point)
    axps, cxps = brute.all_xps(ClaimKind.AXP), brute.all_xps(ClaimKind.CXP)
    sets = list(brute.subsets())

    def first(kind: ClaimKind, verdict: Verdict) -> list[int]:
        return sorted(next(members for members in sets if brute.verdict(kind, members) is verdict))

    lists = {"axps": [sorted(x) for x in axps], "cxps": [sorted(x) for x in cxps]}
    own = graph.classes[graph.kappa(point)]
    other = next(name for name in graph.classes if name != own)
    needed = next(iter(axps[0]))
    claims = {
        "AXp": {"claim": "AXp", "features": first(ClaimKind.AXP, Verdict.AXP)},
        "CXp": {"claim": "CXp", "features": first(ClaimKind.CXP, Verdict.CXP)},
        "complete": {"claim": "family", **lists},
        "right prediction": {"claim": "prediction", "class": own},
        "right membership": {"claim": "membership", "feature": needed, "member": True},
        "redundant": {"claim": "AXp", "features": [0, 1, 2]},
        "insufficient": {"claim": "AXp", "features": []},
        "ineffective": {"claim": "CXp", "features": []},
        "outside the seed": {
            "claim": "AXp",
            "features": sorted(axps[0]),
            "seed": sorted(brute.everything - {needed}),
        },
        "incomplete": {"claim": "family", "cxps": lists["cxps"][1:]},
        "duplicate": {"claim": "family", "axps": [*lists["axps"], lists["axps"][0]]},
        "not dual": {"claim": "family", **lists, "axps": [*lists["axps"], [0, 1, 2]]},
        "prediction mismatch": {"claim": "prediction", "class": other},
        "wrong membership": {"claim": "membership", "feature": needed, "member": False},
        **{word: {"claim": "AXp", "failed": word, "message": "said"} for word in ("crash", "timeout", "memory")},
        "malformed answer": {"claim": "CXp", "failed": "malformed answer"},
        "inflated": {**FIGURE_1, "values": {"Age": ["O"], "Credit": ["P", "F"]}},
        "not maximal": {**FIGURE_1, "values": {"Age": ["O"], "Credit": ["P"]}},
    }
    return {verdict: {"model": "omdd", "instance": list(point), **claim} for verdict, claim in claims.items()}


CLAIMS = claims_of_every_verdict()


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_verdict(jobs: int, run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "BATCH_LINES", 4)
    lines = [{"id": verdict, **claim} for verdict, claim in CLAIMS.items()]
    for line in lines:
        fits_schema(line, "claims")
    out, report, junit, html, markdown = (tmp_path / name for name in ("o.jsonl", "r.json", "r.xml", "r.html", "r.md"))
    head = {"format": "xpgcheck-claims", "version": 1, "subject": "a subject"}
    fits_schema(head, "claims")
    arguments = ["--output", out, "--json", report, "--junit", junit, "--html", html, "--markdown", markdown]
    path = file(head, *lines)
    status, printed, err = run(path, "--jobs", jobs, *arguments, "--cases", tmp_path / "cases")
    assert (status, err) == (1, "")
    judged = judged_lines(out)
    assert [line["verdict"] for line in judged] == list(CLAIMS)
    assert [line["id"] for line in judged] == list(CLAIMS)
    assert [line["line"] for line in judged] == list(range(2, len(CLAIMS) + 2))
    assert {line["outcome"] for line in judged} == {"holds", "violated"}
    document = json.loads(report.read_text())
    fits_schema(document, "gate-report")
    assert document["claims"] == len(CLAIMS)
    assert document["subject"] == "a subject"
    assert document["notion"] == "features"
    wrong = [verdict for verdict in CLAIMS if Verdict(verdict).outcome.value == "violated"]
    assert document["violations"] == len(wrong)
    assert {finding["verdict"] for finding in document["findings"]} == set(wrong)
    assert all(os.path.exists(finding["file"]) for finding in document["findings"])
    for target in (junit, html, markdown):
        assert "redundant" in target.read_text(encoding="utf-8")
    for verdict in wrong:
        assert f"({verdict}) {verdict}: " in printed
    assert printed.startswith(f"{path}:7: (redundant) redundant: AXp {{x1, x2, x3}}: ")
    assert printed.rstrip().splitlines()[-1].startswith("VIOLATED: ")


def test_everything_holds(run: Any, file: Any) -> None:
    right = [claim for verdict, claim in CLAIMS.items() if Verdict(verdict).outcome.value == "holds"]
    status, out, err = run(file(*right), "--quiet")
    assert (status, err) == (0, "")
    assert out.startswith("HOLDS: 6 claims")


def test_what_stays_open_is_neither(run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(self: Any, fixed: Any) -> Answer:
        return Answer(None, None, self.name, "out of time")

    for oracle in (SmtOracle, ExhaustiveOracle):
        monkeypatch.setattr(oracle, "changeable", unknown)
    out = tmp_path / "o.jsonl"
    axp, cxp = CLAIMS["AXp"], CLAIMS["CXp"]
    assert run(file(axp, cxp), "--output", out, "--quiet")[0] == 3
    for line in judged_lines(out):
        assert (line["verdict"], line["outcome"]) == ("inconclusive", "inconclusive")
        assert line["evidence"]["reason"]
    # Together with a violation it is a violation, with a bad line alone it is bad input.
    assert run(file(axp, CLAIMS["prediction mismatch"]), "-q")[0] == 1
    assert run(file(axp, b"{"), "-q", "--keep-going")[0] == 2


BAD = {
    "no JSON": (b"claim", "this is not JSON"),
    "cut off": (b'{"claim": "AXp"', "the JSON breaks off"),
    "not UTF-8": (b'{"claim": "\xff"}', "not UTF-8"),
    "NaN": (b'{"claim": "AXp", "instance": [NaN, 0, 0], "features": []}', "NaN"),
    "too deep": (b'{"instance":' + b"[" * 10_000, "nested too deeply"),
    "too long": (b'{"model": "' + b"x" * 1_100_000, "over 1,048,576 bytes"),
    "a key twice": (b'{"claim": "AXp", "claim": "AXp", "instance": [0, 0, 0], "features": []}', "written twice"),
    "an unknown field": ({**CLAIMS["AXp"], "why": 1}, "'why' is unknown"),
    "an unknown model": ({**CLAIMS["AXp"], "model": "nowhere"}, "no model 'nowhere'"),
    "no model": ({k: v for k, v in CLAIMS["AXp"].items() if k != "model"}, "no model is named"),
    "an absolute model": ({**CLAIMS["AXp"], "model": "/m.json"}, "absolute path"),
    "an .xpg model": ({**CLAIMS["AXp"], "model": "m.xpg"}, "no domains"),
    "a value outside": ({**CLAIMS["AXp"], "instance": [0, 0, 7]}, "instance: feature 'x3': '7' is outside the domain"),
    "a list as value": ({**CLAIMS["AXp"], "instance": [0, 0, [1]]}, "instance: feature 'x3'"),
    "a value too few": ({**CLAIMS["AXp"], "instance": [0, 0]}, "instance: the instance has 2 values"),
    "no such value": ({**CLAIMS["AXp"], "instance": {"x1": 0, "x2": 0, "x4": 0}}, "no feature 'x4'"),
    "no such feature": ({**CLAIMS["AXp"], "features": ["x9"]}, "no feature 'x9'"),
    "no such index": ({**CLAIMS["AXp"], "features": [3]}, "no feature 3"),
    "a feature twice": ({**CLAIMS["AXp"], "features": ["x1", 0]}, "twice"),
    "no set": ({k: v for k, v in CLAIMS["AXp"].items() if k != "features"}, "an AXp without 'features'"),
    "another kind": ({**CLAIMS["AXp"], "claim": "PI"}, "no claim is called 'PI'"),
    "another notion": ({**CLAIMS["AXp"], "notion": "rules"}, "no notion is called 'rules'"),
    "fields of others": ({**CLAIMS["AXp"], "axps": []}, "'axps' in a claim of kind AXp"),
    "a class of others": ({**CLAIMS["AXp"], "class": 0}, "'class' in a claim of kind AXp"),
    "conditions over features": (
        {**{k: v for k, v in CLAIMS["AXp"].items() if k != "features"}, "conditions": []},
        "'conditions' in a claim over features",
    ),
    "no conditions": (
        {"model": "omdd", "instance": RED, "claim": "AXp", "notion": "conditions", "conditions": []},
        "3 edges",
    ),
    "no such class": ({**CLAIMS["right prediction"], "class": "X"}, "no class 'X'"),
    "no class": ({"model": "omdd", "instance": RED, "claim": "prediction"}, "a prediction without 'class'"),
    "half a membership": ({"model": "omdd", "instance": RED, "claim": "membership", "feature": 0}, "give both"),
    "no family": ({"model": "omdd", "instance": RED, "claim": "family"}, "a family without"),
    "another failure": ({**CLAIMS["crash"], "failed": "bored"}, "'bored'"),
    "a seed of nothing": ({**CLAIMS["CXp"], "features": None, "seed": ["x1"]}, "no CXp, with a seed"),
    "a list for a value of a condition": (
        {
            "model": "corral",
            "instance": [1, 1, 0, 0, 0, 1],
            "claim": "AXp",
            "notion": "conditions",
            "conditions": [{"feature": "A0", "in": [[1]]}],
        },
        "is not Boolean",
    ),
    "a name that no file can have": ({**CLAIMS["AXp"], "model": "m" * 300}, "there is no model"),
    "a message alone": ({**CLAIMS["AXp"], "message": "m"}, "a message without a failure"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_stops_it_or_is_counted(name: str, run: Any, file: Any, tmp_path: Path) -> None:
    bad, said = BAD[name]
    (tmp_path / "m.xpg").write_text(_xpg())
    path = file(CLAIMS["AXp"], bad, CLAIMS["CXp"])
    out, report = tmp_path / "o.jsonl", tmp_path / "r.json"
    status, printed, err = run(path, "--output", out)
    assert (status, printed) == (2, "")
    one_line(err, f"{path}: line 2: ", said)
    assert not out.exists(), "all or nothing"
    assert not list(tmp_path.glob(".*.tmp"))
    status, printed, err = run(path, "--keep-going", "--output", out, "--json", report)
    assert status == 2
    assert said in printed
    assert printed.rstrip().splitlines()[-1].startswith("BAD INPUT: 2 claims")
    lines = judged_lines(out)
    assert [line.get("verdict") for line in lines] == ["AXp", None, "CXp"]
    assert said in lines[1]["bad"]
    document = json.loads(report.read_text())
    fits_schema(document, "gate-report")
    assert document["bad_count"] == len(document["bad"]) == 1
    assert document["bad"][0].startswith(f"{path}: line 2: ")


def _xpg() -> str:
    from xpgcheck.writers.xpg import write_xpg, xpg_of

    return write_xpg(xpg_of(embedded.load("omdd").graph, (0, 0, 2)))


def test_bad_lines_are_bad_lines_for_the_schema_too(tmp_path: Path) -> None:
    of_the_line_alone = {
        "an unknown field",
        "a list as value",
        "no set",
        "another kind",
        "another notion",
        "fields of others",
        "a class of others",
        "conditions over features",
        "no class",
        "half a membership",
        "no family",
        "another failure",
    }
    for name, (line, _) in BAD.items():
        if isinstance(line, dict):
            assert validator("claims").is_valid(line) == (name not in of_the_line_alone), name


def test_a_violation_wins_over_bad_lines(run: Any, file: Any) -> None:
    path = file(CLAIMS["redundant"], b"{", b"}")
    status, out, err = run(path, "--keep-going", "-q")
    assert status == 1
    assert out.startswith("VIOLATED: 1 claim ")
    assert out.rstrip().endswith("2 bad lines")
    assert err.count("\n") == 2, "each in a line"


def test_the_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\xef\xbb\xbf" + b"\r\n".join(_bytes(claim) for claim in (CLAIMS["AXp"], CLAIMS["insufficient"]))

    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    give(data)
    status, out, _ = run("-")
    assert status == 1
    assert out.startswith("standard input:2: insufficient: AXp {}: ")
    give(b"{")
    status, out, err = run("-")
    assert (status, out) == (2, "")
    one_line(err, "standard input: line 1: the JSON breaks off")


def test_models_by_name_by_path_and_given(run: Any, file: Any, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    model = tmp_path / "deep" / "own.json"
    model.write_text(model_json(embedded.load("omdd").graph))
    claim = {k: v for k, v in CLAIMS["AXp"].items() if k != "model"}
    by_path = file({**claim, "model": "deep/own.json"})
    assert run(by_path, "-q")[0] == 0
    status, out, err = run(by_path, "-q", "--model", "iris")
    assert (status, out) == (2, "")
    one_line(err, "--model iris: no claim is about this model; leave it out, or give the one of the claims")
    for name in (None, "own", "own.json", "omdd", str(model)):
        assert run(file(claim if name is None else {**claim, "model": name}), "-q", "--model", model)[0] == 0, name
    unnamed = file(claim)
    status, _, err = run(unnamed, "--model", model, "--model", "iris")
    assert status == 2
    one_line(err, "line 1: no model is named, and 2 models were given")
    other = tmp_path / "own.json"
    other.write_text(model.read_text())
    status, _, err = run(file({**claim, "model": "own"}), "--model", model, "--model", other)
    assert status == 2
    one_line(err, "several models are called 'own'")
    status, _, err = run(unnamed, "--model", tmp_path / "absent.json")
    assert status == 2
    one_line(err, "absent.json: there is no such file")


def test_conditions_and_their_projection(run: Any, file: Any, tmp_path: Path) -> None:
    graph = embedded.load("iris").graph
    point = embedded.load("iris").instances[0]
    base = {"model": "iris", "instance": instance_document(graph, point), "claim": "AXp", "notion": "conditions"}
    condition = {"feature": "petal width (cm)", "in": ["(-inf, 0.800000011920928955078125]"]}
    other = {"feature": "petal width (cm)", "in": ["(-inf, 1.75]"]}
    out, report = tmp_path / "o.jsonl", tmp_path / "r.json"
    lines = [
        {**base, "conditions": [condition]},
        {**base, "conditions": [condition, other]},
        {**base, "conditions": [condition, other], "notion": "conditions-with-theory"},
        {**base, "claim": "membership", "feature": condition, "member": True},
    ]
    for line in lines:
        fits_schema(line, "claims")
    assert run(file(*lines), "--output", out, "--json", report, "-q")[0] == 1
    judged = judged_lines(out)
    assert [line["verdict"] for line in judged] == ["AXp", "redundant", "redundant", "right membership"]
    assert [line["projected"]["verdict"] for line in judged[:3]] == ["AXp", "AXp", "AXp"]
    assert judged[3]["claim"]["feature"]["feature"] == "petal width (cm)"
    document = json.loads(report.read_text())
    fits_schema(document, "gate-report")
    assert Counter({row["about"]: row["count"] for row in document["projected"]}) == {
        "AXp over conditions": 2,
        "AXp over conditions-with-theory": 1,
    }
    wrong = {**condition, "in": ["(0.800000011920928955078125, inf)"]}
    status, _, err = run(file({**base, "conditions": [wrong]}))
    assert status == 2
    one_line(err, "does not hold at the instance")


def without_witnesses(text: str) -> list[Any]:
    """All but times, and which of several witnesses a solver gave: that depends on what it was asked before."""

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            left_out = {"evidence", "seconds"}
            return {key: kept(item) for key, item in value.items() if key not in left_out}
        return [kept(item) for item in value] if isinstance(value, list) else value

    return [kept(json.loads(part)) for part in (text.splitlines() if text.startswith('{"') else [text])]


def test_the_jobs_do_not_change_what_is_written(
    run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "BATCH_LINES", 3)
    lines = [*CLAIMS.values(), b"{", {"model": "iris", "instance": IRIS, "claim": "AXp", "features": [3]}]
    path = file(*lines)
    found = []
    for jobs in (1, 2):
        out, report = tmp_path / f"o{jobs}.jsonl", tmp_path / f"r{jobs}.json"
        assert run(path, "--keep-going", "--jobs", jobs, "--output", out, "--json", report)[0] == 1
        found.append((without_witnesses(out.read_text()), without_witnesses(report.read_text())))
    assert found[0] == found[1]
    status, _, err = run(path, "--jobs", 2)
    assert status == 2
    one_line(err, f"line {len(CLAIMS) + 1}: the JSON breaks off")


def test_a_saved_finding_is_judged_again(run: Any, file: Any, tmp_path: Path, capfd: Any) -> None:
    folder = tmp_path / "cases"
    assert run(file(CLAIMS["redundant"]), "-q", "--cases", folder)[0] == 1
    (case,) = folder.glob("*.json")
    assert main(["replay", str(case), "--quiet"]) == 1
    assert capfd.readouterr().out.startswith("VIOLATED: ")


@pytest.mark.parametrize("option", ["--output", "--json", "--junit", "--html", "--markdown"])
def test_outputs_that_cannot_be_written(option: str, run: Any, file: Any, tmp_path: Path) -> None:
    path = file(CLAIMS["AXp"])
    before = path.read_bytes()
    for target, said in (
        (path, "this is also an input"),
        (tmp_path, "this is a folder"),
        (tmp_path / "no" / "o", "its folder does not exist"),
    ):
        status, _, err = run(path, option, target)
        assert status == 2
        one_line(err, said)
    other = "--json" if option != "--json" else "--output"
    status, _, err = run(path, option, tmp_path / "o", other, tmp_path / "o")
    assert status == 2
    one_line(err, "name the same file")
    assert path.read_bytes() == before


def test_claims_files_that_are_none(run: Any, file: Any, tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "absent", "there is no such file"),
        (tmp_path, "this is a folder"),
        (file(name="empty"), "there are no claims"),
        (file({"format": "xpgcheck-claims", "version": 1}, name="head"), "there are no claims"),
        (file({"format": "decision-graph", "version": 1}, name="other"), "line 1: the format is 'decision-graph'"),
    ):
        status, out, err = run(path)
        assert (status, out) == (2, "")
        one_line(err, f"{path}: ", said)
    status, _, err = run(file(CLAIMS["AXp"]), "--solver", "magic")
    assert status == 2
    one_line(err, "'magic' is not one of 'z3', 'cvc5'")


def test_a_hard_question_and_no_time(run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--timeout`` reaches the solver."""
    seen = []
    real = verifying.LineJudge

    def spy(*arguments: Any, **options: Any) -> Any:
        seen.append(arguments[2])
        return real(*arguments, **options)

    monkeypatch.setattr(verifying, "LineJudge", spy)
    assert run(file(CLAIMS["AXp"]), "-q", "--timeout", "1.5")[0] == 0
    assert seen == [1500]


def test_the_twenty_first_wrong_claims_are_listed(run: Any, file: Any) -> None:
    status, out, _ = run(file(*[CLAIMS["insufficient"]] * 45))
    assert status == 1
    listed = [line for line in out.splitlines() if ": insufficient: " in line]
    assert [int(line.split(":")[1]) for line in listed] == list(range(1, 21))
    assert "… and 25 more wrong claims" in out


def test_a_model_that_the_cache_forgets_is_read_again(
    run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xpgcheck.claims import models, verification

    monkeypatch.setattr(models, "KEPT", 1)
    monkeypatch.setattr(verification, "MODELS", 1)
    monkeypatch.setattr(verification, "TURNS", 1)
    monkeypatch.setattr(verification, "QUESTIONS", 0)
    iris = {"model": "iris", "instance": IRIS, "claim": "AXp", "features": [3]}
    other = {"model": "iris", "instance": {**IRIS, "petal width (cm)": 0.3}, "claim": "AXp", "features": [3]}
    out = tmp_path / "o.jsonl"
    assert run(file(*[CLAIMS["AXp"], iris, other, iris, CLAIMS["redundant"]] * 3), "-q", "--output", out)[0] == 1
    assert [line["verdict"] for line in judged_lines(out)] == ["AXp", "AXp", "AXp", "AXp", "redundant"] * 3


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="there is no /dev/fd here")
def test_verdicts_into_a_pipe(run: Any, file: Any) -> None:
    source, target = os.pipe()
    with os.fdopen(source, "rb") as pipe:
        try:
            assert run(file(CLAIMS["AXp"]), "-q", "--output", f"/dev/fd/{target}")[0] == 0
        finally:
            os.close(target)
        assert json.loads(pipe.read())["verdict"] == "AXp"


def test_what_was_there_stays_where_it_fails(run: Any, file: Any, tmp_path: Path) -> None:
    out = tmp_path / "o.jsonl"
    out.write_text("before")
    assert run(file(CLAIMS["AXp"], b"{"), "--output", out)[0] == 2
    assert out.read_text() == "before"
    assert run(file(CLAIMS["AXp"]), "-q", "--output", out)[0] == 0
    assert judged_lines(out)[0]["verdict"] == "AXp"


@pytest.mark.parametrize("depth", [*range(900, 1010, 10), 5_000])
def test_a_value_that_is_nested_deeply_is_a_bad_line(depth: int, run: Any, tmp_path: Path) -> None:
    text = json.dumps({**CLAIMS["AXp"], "instance": "DEEP"}).replace('"DEEP"', f"[{'[' * depth}{']' * depth}, 0, 0]")
    path = tmp_path / "deep.jsonl"
    path.write_text(json.dumps(CLAIMS["AXp"]) + "\n" + text + "\n")
    status, printed, err = run(path, "--keep-going")
    assert status == 2, err
    assert "1 bad line" in printed.splitlines()[-1]


def test_a_name_that_means_two_models_is_refused(run: Any, tmp_path: Path) -> None:
    for folder, model in (("a", "omdd"), ("b", "hardware")):
        (tmp_path / folder).mkdir()
        write_json(embedded.load(model).graph, tmp_path / folder / "tree.json")
    path = tmp_path / "a" / "claims.jsonl"
    path.write_text(json.dumps({**CLAIMS["AXp"], "model": "tree.json"}) + "\n")
    assert run(path)[0] == 0
    assert run(path, "--model", tmp_path / "a" / "tree.json")[0] == 0
    status, _, err = run(path, "--model", tmp_path / "b" / "tree.json")
    assert status == 2
    one_line(err, "line 1: ", "is a file next to the claims")


def test_values_that_are_equal_and_not_the_same_are_read_apart(run: Any, file: Any, tmp_path: Path) -> None:
    """1, 1.0, "1" and true are equal for Python; an instance that is read once must not stand for the others."""
    graph = tmp_path / "m.json"
    graph.write_text(
        json.dumps(
            {
                "format": "decision-graph",
                "version": 1,
                "name": "m",
                "features": [{"name": "x", "domain": {"type": "categorical", "values": ["1", "true", "2"]}}],
                "classes": ["no", "yes"],
                "root": 0,
                "nodes": [
                    {"id": 0, "feature": "x", "edges": [{"to": 1, "in": ["1"]}, {"to": 2, "in": ["true", "2"]}]},
                    {"id": 1, "class": "no"},
                    {"id": 2, "class": "yes"},
                ],
            }
        )
    )
    values = ["1", 1, True, "true", 1.0, [1], "2", 1, True]
    claims = [{"instance": {"x": value}, "claim": "AXp", "features": ["x"]} for value in values]
    alone = [_judged(run, tmp_path, graph, file(claim)) for claim in claims]
    together = _judged(run, tmp_path, graph, file(*claims))
    assert together == [line for lines in alone for line in lines]
    assert 5 <= len(together) < len(claims), "some are refused, not all"


def _judged(run: Any, folder: Path, graph: Path, claims: Path) -> list[dict[str, Any]]:
    """Return what is written of *claims*, without the numbers of lines."""
    out = folder / "judged.jsonl"
    out.unlink(missing_ok=True)
    status, _, err = run(claims, "--model", graph, "--output", out, "--keep-going")
    assert status in (0, 2), err
    return [{**line, "line": 0} for line in judged_lines(out) if "bad" not in line] if out.exists() else []


def test_a_model_is_not_a_file_of_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.skops"
    model.write_bytes(b"PK\3\4\24\0\0,")
    assert main(["verify", str(model)]) == 2
    assert capsys.readouterr().err.endswith(
        "this is no text, and so not a file of claims; a model is given by --model, next to a file of claims\n"
    )
    assert main(["verify", str(tmp_path / "model.skps")]) == 2
    assert "did you mean 'model.skops'?" in capsys.readouterr().err
