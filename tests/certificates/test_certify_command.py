"""``xpgcheck certify`` and ``xpgcheck check-certificate`` as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_forests import document, leaf, stump, test

from xpgcheck import check_certificate, embedded
from xpgcheck.certificates import box_trees
from xpgcheck.certificates.issuing import certificate
from xpgcheck.cli.main import main
from xpgcheck.writers.json_model import model_json

Run = Callable[..., tuple[int, str, str]]

OMDD_AT = "x1=0, x2=0, x3=2"


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run_(*arguments: object) -> tuple[int, str, str]:
        status = main([*map(str, arguments)])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return run_


def test_one_instance_goes_to_the_output(run: Run, tmp_path: Path) -> None:
    status, out, err = run("certify", "omdd", "--instance", OMDD_AT)
    model = embedded.load("omdd")
    assert (status, out) == (0, certificate(model.graph, [(0, 0, 2)]))
    record = json.loads(out.splitlines()[1])
    axps, cxps = ([c for c in record["claims"] if c["kind"] == kind] for kind in ("AXp", "CXp"))
    words = f"{len(axps)} AXp{'s' * (len(axps) > 1)} and {len(cxps)} CXp{'s' * (len(cxps) > 1)} of 1 instance"
    assert err == f"{words}, which are all\n"
    assert run("certify", "omdd", "--instance", OMDD_AT, "--quiet") == (0, out, "")
    file = tmp_path / "c.jsonl"
    assert run("certify", "omdd", "--instance", OMDD_AT, "-o", file)[::2] == (0, "")
    assert file.read_text(encoding="utf-8") == out


@pytest.mark.parametrize("method", ["rup", "tree", "none"])
def test_all_instances_are_certified_and_checked(run: Run, tmp_path: Path, method: str) -> None:
    file = tmp_path / "c.jsonl"
    status, out, err = run("certify", "corral", "--all-instances", "--completeness", method, "--output", file)
    assert (status, err) == (0, "")
    assert out == "96 AXps and 136 CXps of 64 instances" + (", which are all\n" if method != "none" else "\n")
    assert file.read_text(encoding="utf-8").count("\n") == 66
    status, out, err = run("check-certificate", file, "--model", "corral")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1


def test_rows_of_a_file_are_certified(run: Run, tmp_path: Path) -> None:
    model = embedded.load("iris")
    names = [feature.name for feature in model.graph.features]
    rows = ["5.1,3.5,1.4,0.2,x", "7,3.2,4.7,1.4,y"]
    table = tmp_path / "rows.csv"
    table.write_text("\n".join([",".join([*names, "target"]), *rows]) + "\n")
    model_file = tmp_path / "iris.json"
    model_file.write_text(model_json(model.graph), encoding="utf-8")
    both = run("certify", model_file, "--instances", table, "--drop-column", "target", "--quiet")
    assert both == run("certify", "iris", "--instances", table, "--drop-column", "target", "--quiet")
    second = run("certify", "iris", "--instances", table, "--row", 2, "--drop-column", "target", "--quiet")
    header, _, line, end = both[1].splitlines(keepends=True)
    assert (second[1], end) == (header + line + '{"end":1}\n', '{"end":2}\n')
    jobs = run("certify", "iris", "--instances", table, "--drop-column", "target", "--quiet", "--jobs", 2)
    assert jobs == both
    first = run("certify", "iris", "--row", 1, "--quiet")
    assert first[0] == 0
    assert first[1].startswith(header)


def test_a_limit_is_said_and_leaves_completeness_open(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    status, out, err = run("certify", "breast_cancer", "--row", 1, "--limit", 3, "--output", file, "--quiet")
    assert (status, err) == (3, "")
    assert out == "0 AXps and 3 CXps of 1 instance; of 1 instance not all, as --limit says\n"
    assert "complete" not in json.loads(file.read_text(encoding="utf-8").splitlines()[1])
    assert run("check-certificate", file)[0] == 0
    assert run("certify", "breast_cancer", "--row", 1, "--limit", 3, "--completeness", "none", "--output", file)[0] == 0
    assert run("certify", "breast_cancer", "--row", 1, "--limit", 1000, "--output", file)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["omdd"], "command line: no instance is named; give --instance 'x1=…, …' or --row N --instances FILE.csv"),
        (
            ["omdd", "--row", 1, "--instance", OMDD_AT],
            "command line: --instance and --row both say which instances; give one of them",
        ),
        (
            ["omdd", "--instances", "x.csv", "--all-instances"],
            "command line: --instances and --all-instances both say which instances; give one of them",
        ),
        (
            ["omdd", "--instance", "x1=9"],
            "--instance: 2 features have no value: 'x2', 'x3'; write feature=value for each",
        ),
        (["omdd", "--instances", "none.csv"], "none.csv: "),
        (["omdd", "--row", 99], "omdd: there is no row 99: the instances are 12; give --row from 1 to 12"),
        (["none", "--row", 1], "none: "),
    ],
)
def test_wrong_commands_get_one_line(run: Run, arguments: list[object], line: str) -> None:
    status, out, err = run("certify", *arguments)
    assert (status, out) == (2, "")
    assert err.removeprefix("xpgcheck: ").startswith(line)
    assert err.count("\n") == 1


def test_files_have_no_instances_of_their_own(run: Run, tmp_path: Path) -> None:
    model_file = tmp_path / "omdd.json"
    model_file.write_text(model_json(embedded.load("omdd").graph), encoding="utf-8")
    status, _, err = run("certify", model_file, "--all-instances")
    assert status == 2
    assert err == (
        "xpgcheck: command line: --all-instances is for embedded models, which have instances of "
        "their own; name a CSV file: --instances FILE\n"
    )
    status, _, err = run("certify", model_file, "--instance", OMDD_AT, "--output", model_file)
    assert (status, "this is also an input" in err) == (2, True)


def test_explanation_graphs_are_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "m.xpg"
    file.write_text("NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 Age\n")
    status, _, err = run("certify", file, "--instance", "Age=1")
    assert status == 2
    assert "an .xpg model has no domains and no classes, so that there is nothing to certify" in err
    status, _, err = run("check-certificate", file, "--model", file)
    assert status == 2
    assert "no certificate is about it" in err


def test_a_failed_run_leaves_no_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from xpgcheck.certificates.issuing import Issuer
    from xpgcheck.errors import UndecidedError

    def fails(*_: object) -> None:
        raise UndecidedError("nothing works")

    monkeypatch.setattr(Issuer, "line", fails)
    file = tmp_path / "c.jsonl"
    assert run("certify", "omdd", "--all-instances", "--output", file)[0] == 3
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_proved_is_refused(run: Run, tmp_path: Path) -> None:
    good = certificate(embedded.load("omdd").graph, [(0, 0, 2)])
    file = tmp_path / "c.jsonl"
    file.write_text(good, encoding="utf-8")
    status, out, err = run("check-certificate", file, "--model", "corral")
    assert (status, out, err.count("\n")) == (1, "", 1)
    line = json.loads(good.splitlines()[1])
    line["class"] = next(name for name in embedded.load("omdd").graph.classes if name != line["class"])
    file.write_text(
        "\n".join([good.splitlines()[0], json.dumps(line, separators=(",", ":")), '{"end":1}', ""]), encoding="utf-8"
    )
    status, out, err = run("check-certificate", file)
    assert (status, out, err.count("\n")) == (1, "", 1)
    file.write_text("{}\n")
    assert run("check-certificate", file)[0] == 2
    absent = tmp_path / "none.jsonl"
    said = f"xpgcheck: {absent}: No such file or directory; name another file\n"
    assert run("check-certificate", absent) == (2, "", said)
    status, _, err = run("check-certificate", file, "--missing")
    assert (status, "--root, --missing, --names and --max-bytes are for --model" in err) == (2, True)


def test_a_formula_is_compared_in_dimacs(run: Run, tmp_path: Path) -> None:
    from xpgcheck.certificates.canonical_texts import end_text, formula_header_text
    from xpgcheck.certificates.formulas import mus_line

    clauses = [[1], [-1, 2], [-2], [1, 2]]
    file = tmp_path / "mus.jsonl"
    file.write_text(formula_header_text(2, clauses) + mus_line(2, clauses, [0, 1, 2]) + end_text(1), encoding="utf-8")
    cnf, other = tmp_path / "f.cnf", tmp_path / "g.cnf"
    cnf.write_text("c the same, spelt otherwise\np cnf 2 4\n1 0 -1 2 0\n-2 0\n1 2 0\n")
    other.write_text("p cnf 2 4\n1 0\n-1 2 0\n-2 0\n2 1 0\n")
    assert run("check-certificate", file, "--formula", cnf) == (0, f"{file}: proved: MUSes 1\n", "")
    status, _, err = run("check-certificate", file, "--formula", other)
    assert (status, "digests of the formula differ" in err) == (1, True)
    status, _, err = run("check-certificate", file, "--formula", tmp_path / "none.cnf")
    assert (status, "none.cnf" in err) == (2, True)
    status, _, err = run("check-certificate", file, "--formula", cnf, "--model", "omdd")
    assert (status, "a certificate is about a model or a formula; name one of them" in err) == (2, True)
    assert run("check-certificate", file, "--model", "omdd")[0] == 1


def test_the_steps_of_a_byte_can_be_lowered(run: Run, tmp_path: Path) -> None:
    # A million steps are free, so that it takes a file of some size to run out of them: long chains, tried again and again.
    from xpgcheck.certificates.canonical_texts import end_text, formula_header_text

    size = 1000
    chain = [[1], *([-k, k + 1] for k in range(1, size)), [-size]]
    line = {"mus": list(range(size + 1)), "refutation": [[-1, size]] * 300 + [[]], "models": ["0"] * (size + 1)}
    line["models"] = [f"{2**k - 1:x}" for k in range(size + 1)]
    text = formula_header_text(size, chain) + json.dumps(line, separators=(",", ":")) + "\n" + end_text(1)
    file = tmp_path / "c.jsonl"
    file.write_text(text, encoding="utf-8")
    assert run("check-certificate", file, "--steps-per-byte", 1000)[0] == 0
    status, _, err = run("check-certificate", file, "--steps-per-byte", 1)
    assert (status, "too many steps per byte" in err) == (1, True)
    assert run("check-certificate", file, "--steps-per-byte", 0)[0] == 2


@pytest.fixture
def forest(tmp_path: Path) -> Path:
    path = tmp_path / "forest.json"
    path.write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    return path


def test_explanations_of_an_ensemble_are_certified_and_checked(run: Run, tmp_path: Path, forest: Path) -> None:
    file, table = tmp_path / "c.jsonl", tmp_path / "rows.csv"
    table.write_text("f0,f1,f2\n1,1,1\n0,1,0\n")
    status, out, err = run("certify", forest, "--instances", table, "-o", file)
    assert (status, out, err) == (0, "4 AXps and 5 CXps of 2 instances, which are all\n", "")
    assert run("certify", forest, "--instances", table, "--jobs", 2, "--quiet")[1] == file.read_text(encoding="utf-8")
    proved = "proved: instances 2, complete 2, AXp 4, CXp 5\n"
    assert run("check-certificate", file, "--model", forest) == (0, f"{file}: {proved}", "")
    alone = [sys.executable, "-I", "-S", check_certificate.__file__, str(file)]
    assert subprocess.run(alone, capture_output=True, text=True, check=False).stdout == proved
    converted = tmp_path / "model.json"
    assert run("convert", forest, "-o", converted)[0] == 0
    assert check_certificate.check_file(str(file), str(converted)).status == 0
    forest.write_text(json.dumps(document(stump(0), stump(1), stump(1))))
    status, _, err = run("check-certificate", file, "--model", forest)
    assert (status, "digests of the model differ" in err) == (1, True)


def test_a_limit_is_said_of_an_ensemble_too(run: Run, tmp_path: Path, forest: Path) -> None:
    status, out, _ = run("certify", forest, "--instance", "f0=1,f1=1,f2=1", "--limit", 2, "-o", tmp_path / "c")
    assert status == 3
    assert out.endswith("of 1 instance; of 1 instance not all, as --limit says\n")


def test_what_has_no_certificate_is_refused_in_one_line(
    run: Run, tmp_path: Path, forest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "certify", forest, "--instance", "f0=1,f1=1,f2=1", "-o", tmp_path / "c"
    status, _, err = run(*words, "--smt-proofs", tmp_path / "folder")
    assert (status, err.count("\n")) == (2, 1)
    assert "--smt-proofs is for decision graphs alone; leave it out" in err or "cvc5" in err
    forest.write_text(json.dumps(document(stump(0), test(0, "0.5", leaf(1), leaf(0)), leaf(1))))
    monkeypatch.setattr(box_trees, "MAX_BOXES", 1)
    status, _, err = run(*words)
    assert (status, err.count("\n")) == (3, 1)
    assert "over 1 boxes are needed, so that there is no certificate" in err
    monkeypatch.undo()
    monkeypatch.setattr(check_certificate, "FIRST_STEPS", -(10**6))
    status, _, err = run(*words)
    assert (status, err.count("\n")) == (3, 1)
    assert "after 0 instances the checker would take over 1,000 steps per byte" in err
    assert not (tmp_path / "c").exists()
