"""``xpgcheck verify --certificates`` and ``--evidence``: what it hands out anyone can check, what it is handed it checks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema
from test_verify_command import CLAIMS, IRIS

from xpgcheck import check_certificate, embedded
from xpgcheck.certificates.issuing import certificate
from xpgcheck.certificates.judged_claims import ClaimCertifier
from xpgcheck.check_certificate import check_file
from xpgcheck.cli.main import main
from xpgcheck.gate import certificate_folder, verifying
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.smt_sessions import SmtOracle
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json

MODEL = embedded.load("omdd")
assert isinstance(MODEL.graph, DecisionGraph)
GRAPH = MODEL.graph

WITH = {"AXp", "CXp", "complete", "right membership", "redundant", "insufficient", "ineffective", "outside the seed"}
WITH |= {"incomplete", "wrong membership", "inflated", "not maximal"}
"""The verdicts of ``CLAIMS`` that have certificates there."""


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
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def index_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]


def checked_alone(path: Path) -> str:
    """Check a certificate in a process that has nothing but the checker."""
    checker = check_certificate.__file__
    done = subprocess.run([sys.executable, "-I", "-S", checker, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_every_verdict_has_a_certificate_or_is_counted(
    run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "CERTIFIED_LINES", 4)
    path = file(*({"id": verdict, **claim} for verdict, claim in CLAIMS.items()))
    written = []
    for jobs in (1, 2):
        folder, report = tmp_path / f"certificates{jobs}", tmp_path / f"r{jobs}.json"
        status, out, _ = run(path, "--certificates", folder, "--jobs", jobs, "--json", report)
        assert status == 1
        assert "certified: 12 claims; not 8: claims without an answer (4), " in out
        written.append(contents(folder))
        document = json.loads(report.read_text())
        fits_schema(document, "gate-report")
        assert document["certified"] == len(WITH)
        assert sum(document["without_certificate"].values()) == len(CLAIMS) - len(WITH)
    assert written[0] == written[1]
    assert set(written[0]) == {"index.jsonl", "omdd.certificate.jsonl", "hardware-values.certificate.jsonl"}
    assert checked_alone(folder / "omdd.certificate.jsonl").startswith(f"proved: instances {len(WITH) - 2}")
    of_values = checked_alone(folder / "hardware-values.certificate.jsonl")
    assert "inflated AXp 1" in of_values
    assert "not maximal inflated" in of_values
    index = index_of(folder)
    assert [item["id"] for item in index] == [item["verdict"] for item in index] == list(CLAIMS)
    assert {item["verdict"] for item in index if "file" in item} == WITH
    lines = written[0]["omdd.certificate.jsonl"].decode().splitlines()
    of_features = [item for item in index if item.get("file") == "omdd.certificate.jsonl"]
    assert [item["at"] for item in of_features] == list(range(2, len(lines)))
    for item in index:
        if item["verdict"] in ("redundant", "AXp", "CXp", "insufficient", "ineffective"):
            (said,) = json.loads(lines[item["at"] - 1])["claims"]
            assert said["verdict"] == item["verdict"]
            assert said["features"] == CLAIMS[item["verdict"]]["features"]


def test_a_file_a_model_in_the_order_of_the_claims(
    run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate_folder, "OPEN", 1)
    namesake = tmp_path / "other.json"
    namesake.write_text(model_json(GRAPH).replace('"name": "omdd"', '"name": "O/M D"'))
    twin = tmp_path / "twin.json"
    twin.write_text(model_json(GRAPH).replace('"name": "omdd"', '"name": "o M/d"'))
    axp = CLAIMS["AXp"]
    condition = [{"feature": "A0", "in": [1]}, {"feature": "A1", "in": [1]}]
    corral = {"model": "corral", "instance": [1, 1, 0, 0, 0, 1], "claim": "AXp", "notion": "conditions"}
    path = file(
        axp,
        {"model": "iris", "instance": IRIS, "claim": "AXp", "features": [0, 1, 2, 3]},
        {**axp, "model": "other.json"},
        {**corral, "conditions": condition},
        {**axp, "model": "twin.json"},
        CLAIMS["CXp"],
    )
    folder = tmp_path / "c"
    assert run(path, "--certificates", folder, "--quiet")[0] == 1
    index = index_of(folder)
    files = [item["file"] for item in index]
    assert files[:2] == ["omdd.certificate.jsonl", "iris.certificate.jsonl"]
    assert files[2] == "O-M-D.certificate.jsonl"
    assert files[3] == "corral-over-conditions.certificate.jsonl"
    assert files[4].startswith("o-M-d-")
    assert files[5] == files[0]
    assert [item["at"] for item in index] == [2, 2, 2, 2, 2, 3]
    assert set(contents(folder)) == {"index.jsonl", *files}
    for name in set(files):
        checked_alone(folder / name)


def test_a_bad_line_leaves_nothing_behind(run: Any, file: Any, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    path = file(CLAIMS["AXp"], {"model": "omdd"})
    assert run(path, "--certificates", folder)[0] == 2
    assert contents(folder) == {}
    assert run(path, "--certificates", folder, "--keep-going", "--quiet")[0] == 2
    assert set(contents(folder)) == {"index.jsonl", "omdd.certificate.jsonl"}


def test_a_folder_that_cannot_be_is_refused(run: Any, file: Any, tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file")
    status, _, err = run(file(CLAIMS["AXp"]), "--certificates", tmp_path / "c")
    assert status == 2
    assert "the folder cannot be made" in err


def test_lines_over_the_limits_of_the_checker_are_left_out(
    run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget for two lines: then the file has two, and stays one that the checker accepts."""
    path = file(*[CLAIMS["AXp"]] * 5)
    assert run(path, "--certificates", tmp_path / "a", "--quiet")[0] == 0
    certified = tmp_path / "a" / "omdd.certificate.jsonl"
    steps = 0
    while check_steps(certified, steps, monkeypatch):
        steps += 1
    monkeypatch.setattr(certificate_folder, "FIRST_STEPS", 2 * -(-steps // 5))
    monkeypatch.setattr(certificate_folder, "STEPS_PER_BYTE", 0)
    folder, report = tmp_path / "b", tmp_path / "r.json"
    assert run(path, "--certificates", folder, "--json", report, "--quiet")[0] == 0
    assert json.loads(report.read_text())["without_certificate"] == {"lines over the checker's limits": 3}
    assert [item.get("at") for item in index_of(folder)] == [2, 3, None, None, None]
    assert not check_steps(folder / "omdd.certificate.jsonl", 2 * -(-steps // 5), monkeypatch)


def check_steps(path: Path, steps: int, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(check_certificate.Work, "left", steps)
        return check_file(str(path), per_byte=0).status


@pytest.mark.parametrize("verdict", ["AXp", "redundant", "complete", "incomplete", "right membership"])
def test_a_line_that_is_refused_leaves_the_claim_open(
    verdict: str, run: Any, file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ClaimCertifier.line

    def of_another_instance(self: Any, instance: Any, judged: Any) -> str | None:
        line = plain(self, instance, judged)
        return None if line is None else line.replace('"instance":[0,0,2]', '"instance":[0,0,0]')

    monkeypatch.setattr(ClaimCertifier, "line", of_another_instance)
    out, folder = tmp_path / "o.jsonl", tmp_path / "c"
    assert run(file(CLAIMS[verdict]), "--certificates", folder, "--output", out, "--quiet")[0] == 3
    (judged,) = [json.loads(line) for line in out.read_text().splitlines()]
    assert judged["verdict"] == "inconclusive"
    assert "certificate" in judged["evidence"]["reason"]
    assert index_of(folder)[0]["without"] == "inconclusive claims"
    assert set(contents(folder)) == {"index.jsonl"}


def test_each_finding_is_saved_with_its_certificate(run: Any, file: Any, tmp_path: Path) -> None:
    cases, report = tmp_path / "cases", tmp_path / "r.json"
    assert run(file(*CLAIMS.values()), "--cases", cases, "--json", report, "--quiet")[0] == 1
    found = json.loads(report.read_text())["findings"]
    assert {finding["verdict"] for finding in found if finding["certificate"]} == {
        verdict for verdict in WITH if Verdict(verdict).outcome.value == "violated"
    }
    for finding in found:
        if finding["certificate"]:
            assert finding["certificate"] == finding["file"].replace(".json", ".certificate.jsonl")
            checked_alone(Path(finding["certificate"]))


# Evidence that claims bring along


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    path = tmp_path / "proof.jsonl"
    path.write_text(certificate(GRAPH, [(0, 0, 2)]), encoding="utf-8")
    return path


def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(self: Any, fixed: Any) -> Answer:
        return Answer(None, None, self.name, "out of time")

    for oracle in (SmtOracle, ExhaustiveOracle):
        monkeypatch.setattr(oracle, "changeable", unknown)


def test_evidence_is_a_route(run: Any, file: Any, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The closed set alone is no proof where solvers know nothing; with a certificate it is."""
    silence(monkeypatch)
    wanted = [CLAIMS[verdict] for verdict in ("AXp", "CXp", "redundant", "insufficient", "ineffective")]
    path, out = file(*wanted), tmp_path / "o.jsonl"
    assert run(path, "--quiet")[0] == 3
    assert run(path, "--evidence", proof, "--output", out, "--quiet")[0] == 1
    judged = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["verdict"] for line in judged] == ["AXp", "CXp", "redundant", "insufficient", "ineffective"]
    assert all("certificate" in line["evidence"]["confirmed_by"] for line in judged)
    # It says nothing about another instance.
    assert run(file({**CLAIMS["AXp"], "instance": [1, 0, 2]}), "--evidence", proof, "--quiet")[0] == 3


def test_processes_take_evidence_too(run: Any, file: Any, proof: Path) -> None:
    path = file(*[CLAIMS["AXp"]] * 3, CLAIMS["redundant"])
    said = [run(path, "--evidence", proof, "--jobs", jobs, "--quiet")[:2] for jobs in (1, 2)]
    assert said[0] == said[1]
    assert said[0][0] == 1


def test_the_command_that_repeats_it_names_the_evidence(run: Any, file: Any, proof: Path) -> None:
    assert f"--evidence {proof}" in run(file(CLAIMS["AXp"]), "--evidence", proof)[1]


TAMPERED: dict[str, tuple[str, str, str]] = {
    "another class": ('"class":"R","notion"', '"class":"G","notion"', "line 2: instance"),
    "less is fixed": ('"fixed":[0]', '"fixed":[]', "line 2: closed set"),
    "another set claimed": ('"features":[0],', '"features":[2],', "line 2: claim"),
    "another instance": ('"instance":[0,0,2]', '"instance":[1,1,2]', "line 2: "),
    "another model": ('{"in":["1"],"to":2}', '{"in":["1"],"to":3}', "line 1: "),
    "cut off": ('{"end":1}\n', "", "line 2: "),
    "not JSON": ('{"instance"', "{instance", "line 2: "),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_evidence_that_was_tampered_with_is_refused_with_its_line(
    name: str, run: Any, file: Any, tmp_path: Path, proof: Path
) -> None:
    old, new, says = TAMPERED[name]
    text = proof.read_text(encoding="utf-8")
    assert old in text
    proof.write_text(text.replace(old, new), encoding="utf-8")
    out = tmp_path / "o.jsonl"
    status, printed, err = run(file(CLAIMS["AXp"]), "--evidence", proof, "--output", out)
    assert (status, printed) == (2, "")
    assert err.startswith(f"xpgcheck: {proof}: {says}")
    assert not out.exists()


def test_evidence_of_another_model_does_not_help(run: Any, file: Any, tmp_path: Path, proof: Path) -> None:
    # With the same names: where its edges lead elsewhere.
    edges = model_json(GRAPH)
    first = json.loads(edges)
    node = next(node for node in first["nodes"] if len(node.get("edges", ())) > 1)
    node["edges"][0]["to"], node["edges"][-1]["to"] = node["edges"][-1]["to"], node["edges"][0]["to"]
    other = parse_json(json.dumps(first).encode())
    text = certificate(other, [(0, 0, 2)])
    assert check_certificate.check_lines(text.encode().splitlines(keepends=True)).status == 0
    proof.write_text(text, encoding="utf-8")
    status, _, err = run(file(CLAIMS["AXp"]), "--evidence", proof)
    assert status == 2
    assert "it is about another model than 'omdd': node " in err
    # With another name it belongs to none of the claims.
    iris = embedded.load("iris")
    assert isinstance(iris.graph, DecisionGraph)
    proof.write_text(certificate(iris.graph, [iris.instances[0]]), encoding="utf-8")
    folder = tmp_path / "c"
    status, _, err = run(file(CLAIMS["AXp"]), "--evidence", proof, "--certificates", folder)
    assert status == 2
    assert err.startswith(f"xpgcheck: {proof}: the certificate is about none of the models of the claims; ")
    assert contents(folder) == {}


def test_a_missing_file_of_evidence_is_refused(run: Any, file: Any, tmp_path: Path) -> None:
    status, _, err = run(file(CLAIMS["AXp"]), "--evidence", tmp_path / "none")
    assert status == 2
    assert "cannot be read" in err


SCRIPT = """
import resource, sys
from pathlib import Path
from xpgcheck.cli.main import main
assert main(["verify", sys.argv[1], "--certificates", sys.argv[2], "--quiet"]) == 1
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
peak = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
print(peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "darwin", reason="memory in other units")
def test_memory_does_not_grow_with_the_certificates(tmp_path: Path) -> None:
    peaks = []
    for count in (1_000, 6_000):
        path, folder = tmp_path / "claims.jsonl", tmp_path / "c"
        with path.open("w", encoding="utf-8") as file:
            for i in range(count):
                instance = {**IRIS, "sepal length (cm)": f"{4 + i / 10_000:.4f}"}
                claim = {"model": "iris", "instance": instance, "claim": "AXp", "features": [0, 3]}
                file.write(json.dumps(claim) + "\n")
        words = [sys.executable, "-c", SCRIPT, str(path), str(folder)]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        peaks.append(int(done.stdout.split()[-1]) / 1024)
        assert checked_alone(folder / "iris.certificate.jsonl").startswith(f"proved: instances {count}")
    assert peaks[1] < peaks[0] + 30
