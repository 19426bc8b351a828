"""``xpgcheck check`` as a user runs it: tables, files, exit statuses, and one clear line for everything that is wrong."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from published_schemas import fits_schema

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.writers.json_model import model_json


@pytest.fixture
def run(capfd):
    def run_(*arguments):
        status = main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(model_json(embedded.load("hardware").graph))
    return path


def one_line(err, *parts):
    assert err.count("\n") == 1
    assert err.startswith("xpgcheck: ")
    assert "Traceback" not in err
    for part in parts:
        assert part in err


def test_an_embedded_model(run):
    status, out, err = run("check", "corral")
    assert (status, err) == (0, "")
    assert "corral" in out
    assert "every AXp suffices (Eq. 1)" in out
    assert "z3-ite" in out
    assert out.endswith("HOLDS: 1 model, 64 instances, 0 violations, 0 inconclusive\n")


def test_the_json_report_follows_its_schema_and_has_the_promised_keys(run, tmp_path):
    target = tmp_path / "report.json"
    status, _, _ = run("check", "corral", "hardware", "--json", target)
    assert status == 0
    report = json.loads(target.read_text())
    fits_schema(report, "check-report")
    corral, _ = report["models"]
    assert (corral["name"], corral["features"], corral["nodes"], corral["depth"], corral["instances"]) == (
        "corral",
        6,
        6,
        4,
        64,
    )
    assert corral["axp"]["max"] == 4
    assert corral["cxp"]["min"] == 2
    assert corral["xps"]["avg"] == 3.625
    assert round(corral["axp"]["length_percent"], 2) == 33.33
    assert (corral["violations"], corral["inconclusive"]) == (0, 0)
    assert set(corral["queries"]) == {"z3-ite", "closed set", "an earlier witness"}
    assert corral["seconds"] > 0


def test_the_junit_report(run, tmp_path):
    target = tmp_path / "report.xml"
    assert run("check", "omdd", "--junit", target)[0] == 0
    cases = ElementTree.parse(target).getroot().findall(".//testcase")
    assert len(cases) == 7
    assert not any(list(case) for case in cases)


def test_a_model_file_with_and_without_instances(run, model_file, tmp_path):
    status, out, _ = run("check", model_file)
    assert status == 0
    assert "24 instances" in out  # combinations of cells: Income and Credit have two each
    rows = tmp_path / "rows.csv"
    rows.write_text("Student,Age,Income,Credit\nY,O,L,P\nN,T,H,E\nY,O,L,P\n")
    status, out, _ = run("check", model_file, "--instances", rows, "--quiet")
    assert (status, out) == (0, "HOLDS: 1 model, 2 instances, 0 violations, 0 inconclusive\n")


def test_a_sample_is_seeded(run, model_file, tmp_path):
    reports = []
    for name in ("a", "b"):
        target = tmp_path / name
        assert run("check", model_file, "--sample", 7, "--seed", 3, "--json", target)[0] == 0
        reports.append(json.loads(target.read_text())["models"][0])
    assert reports[0]["instances"] == 7
    assert reports[0]["axp"] == reports[1]["axp"]
    assert "sample of 7 (seed 3)" in reports[0]["instances_from"]


def test_a_violation_is_exit_status_1(run, monkeypatch, tmp_path):
    """The explainer is replaced by one that forgets the last XP."""
    from xpgcheck.gate.check import cross_check
    from xpgcheck.xpg.choose import enumerate_xps

    right = cross_check.cross_check

    def wrong(job, instances, settings):
        return right(job, instances, settings, lambda xpg, limit: list(enumerate_xps(xpg, limit))[:-1])

    monkeypatch.setattr("xpgcheck.gate.check.run.cross_check", wrong)
    report, junit = tmp_path / "r.json", tmp_path / "r.xml"
    status, out, _ = run("check", "omdd", "--json", report, "--junit", junit)
    assert status == 1
    assert "AXp {" in out
    assert "} is missing" in out.replace("\n", " ")
    assert "VIOLATED" in out
    assert json.loads(report.read_text())["violations"] > 0
    assert ElementTree.parse(junit).getroot().findall(".//failure")


def test_an_open_question_is_exit_status_3(run):
    status, out, _ = run("check", "hardware", "--limit", 1)
    assert status == 3
    assert "INCONCLUSIVE" in out
    assert "(--limit)" in out


FLAG = {"name": "f", "domain": {"type": "boolean"}}
SMALL = {
    "format": "decision-graph",
    "version": 1,
    "name": "x",
    "features": [FLAG],
    "classes": ["a"],
    "nodes": [{"id": 1, "class": "a"}],
}


def small(**changes):
    return json.dumps({**SMALL, **changes})


BAD_MODELS = {
    "truncated": ('{"format": "decision-graph", "vers', "truncated"),
    "not JSON": ("hello", "not JSON"),
    "empty": ("", "empty"),
    "version": (small(version=99), "99"),
    "no features": (small(features=[]), "feature"),
    "unknown class": (small(nodes=[{"id": 1, "class": "b"}]), "'b'"),
    "NaN": (small(features=[{"name": "f", "domain": {"type": "real", "low": float("nan")}}]), "JSON"),
    "overlap": (
        small(
            nodes=[
                {"id": 1, "feature": "f", "edges": [{"to": 2, "in": [0, 1]}, {"to": 3, "in": [1]}]},
                {"id": 2, "class": "a"},
                {"id": 3, "class": "a"},
            ]
        ),
        "node '1'",
    ),
}


@pytest.mark.parametrize("text", BAD_MODELS.values(), ids=BAD_MODELS)
def test_a_bad_model_is_one_line_exit_2_and_no_output_file(run, tmp_path, text):
    content, hint = text
    path = tmp_path / "bad.json"
    path.write_text(content)
    target = tmp_path / "report.json"
    status, out, err = run("check", path, "--json", target)
    assert (status, out) == (2, "")
    one_line(err, "bad.json", hint, ";")
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["check", "no-such-file.json"], ["no-such-file.json"]),
        (["check", "."], ["."]),
        (["check", "--instances", "x.csv"], ["name the model"]),
        (["check", "corral", "--instances", "no-such.csv"], ["no-such.csv"]),
        (["check", "corral", "--json", "no/such/folder/r.json"], ["no/such/folder", "create"]),
        (["check", "corral", "--json", "."], ["name a file"]),
        (["check", "corral", "--solver", "mathsat"], ["mathsat", "z3"]),
        (["check", "corral", "--sample", "0"], ["--sample", "--help"]),
        (["check", "--no-such-option"], ["--help"]),
        (["chekc"], ["no command is called 'chekc'", "did you mean 'check'?"]),
        (["schema", "nothing"], ["--help"]),
    ],
)
def test_a_bad_command_is_one_line_and_exit_2(run, arguments, parts):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    one_line(err, *parts)


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        ("Age,Income,Student\nO,L,Y\n", ["Credit"]),
        ("Age,Income,Student,Credit,Extra\nO,L,Y,P,1\n", ["Extra", "--drop-column"]),
        ("Age,Income,Student,Credit\nO,L,Y,Q\n", ["Credit", "'Q'", "2"]),
        ("Age,Income,Student,Credit\nO,L,Y\n", ["2"]),
        ("", ["empty"]),
        ("Age,Income,Student,Credit\n", ["no instance"]),
    ],
)
def test_bad_instances_name_file_and_place(run, model_file, tmp_path, rows, parts):
    path = tmp_path / "rows.csv"
    path.write_text(rows)
    status, _, err = run("check", model_file, "--instances", path)
    assert status == 2
    one_line(err, "rows.csv", *parts)


def test_an_xpg_file(run, tmp_path):
    path = tmp_path / "two.xpg"
    path.write_text("NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 f0\n")
    status, out, _ = run("check", path)
    assert status == 0
    assert "z3-sigma" in out
    assert run("check", path, "--instances", path)[0] == 2


def test_names_with_markup_and_quotes_are_shown_as_they_are(run, tmp_path):
    graph = json.loads(model_json(embedded.load("omdd").graph))
    graph["name"] = 'a [red]"model"[/red] <b>&amp;</b>'
    path = tmp_path / "m.json"
    path.write_text(json.dumps(graph))
    status, out, _ = run("check", path)
    assert status == 0
    assert "[red]" in out.replace("\n", "")


def test_models_and_schemas_are_listed(run):
    status, out, _ = run("models")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["model", *embedded.names()]
    for name in ("decision-graph", "check-report"):
        status, out, _ = run("schema", name)
        assert status == 0
        assert json.loads(out)["$schema"]


def test_an_internal_error_is_one_line_too(run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("xpgcheck.gate.check.run.check_all", broken)
    status, _, err = run("check", "omdd")
    assert status == 3
    one_line(err, "internal error", "oops")


@pytest.mark.parametrize("arguments", [["models"], ["formats"], ["check", "omdd"], ["explain", "omdd", "--row", "1"]])
def test_a_reader_that_leaves_early_is_no_traceback_and_no_violation(arguments):
    command = [sys.executable, "-m", "xpgcheck", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        err = process.stderr.read()
    assert err == b""
    assert process.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "xpgcheck", "check", "omdd"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    one_line(done.stderr, "cannot be written")


def test_reports_overwrite_neither_inputs_nor_each_other(run, model_file, tmp_path):
    before = model_file.read_text()
    for arguments in (
        ["--json", model_file],
        ["--junit", model_file],
        ["--json", tmp_path / "a", "--junit", tmp_path / "a"],
    ):
        status, _, err = run("check", model_file, *arguments)
        assert status == 2
        one_line(err, "to another file" if model_file in arguments else "name two files")
    assert model_file.read_text() == before


def conjunction(features):
    """x_0 ∧ x_1 ∧ …, a chain with as many features as nodes."""
    nodes = [
        {"id": i, "feature": f"x{i}", "edges": [{"to": i + 1, "in": [1]}, {"to": "no", "in": [0]}]}
        for i in range(features)
    ]
    nodes += [{"id": features, "class": "yes"}, {"id": "no", "class": "no"}]
    names = [{"name": f"x{i}", "domain": {"type": "boolean"}} for i in range(features)]
    return {**SMALL, "features": names, "classes": ["no", "yes"], "nodes": nodes}


def thresholds(count):
    """One integer feature tested at *count* thresholds in a row."""
    nodes = [
        {
            "id": i,
            "feature": "x",
            "edges": [{"to": i + 1, "in": [f"({i}, inf)"]}, {"to": f"c{i % 2}", "in": [f"(-inf, {i}]"]}],
        }
        for i in range(count)
    ]
    nodes += [{"id": count, "class": "a"}, {"id": "c0", "class": "a"}, {"id": "c1", "class": "b"}]
    return {**SMALL, "features": [{"name": "x", "domain": {"type": "integer"}}], "classes": ["a", "b"], "nodes": nodes}


@pytest.mark.parametrize(
    "model",
    [
        conjunction(1_000),
        thresholds(5_000),
        pytest.param(thresholds(50_000), marks=pytest.mark.slow),
    ],
    ids=["conjunction", "thresholds", "many thresholds"],
)
def test_deep_chains_through_the_whole_check(run, tmp_path, model):
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(model))
    status, out, err = run("check", path, "--sample", 1, "--limit", 5, "--jobs", 1)
    assert err == ""
    assert status in (0, 3)
    assert " 0 violations" in out


def test_help_imports_no_solver_and_no_table():
    code = "import sys; from xpgcheck.cli.main import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"z3", "pysmt", "pysat", "rich", "msgspec", "cvc5", "hypothesis", "sklearn", "junitparser"}


TWO_ROOTS = {
    "level_of_var": {"a": 0, "b": 1},
    "roots": {"both": 3, "one": 2},
    "2": [1, "F", "T"],
    "3": [0, "F", 2],
}


@pytest.mark.parametrize("command", [["check"], ["explain", "--instance", "a=1, b=1"]])
def test_a_root_is_chosen_by_name(run, tmp_path, command):
    path = tmp_path / "two.json"
    path.write_text(json.dumps(TWO_ROOTS))
    name, *options = command
    status, _, err = run(name, path, *options)
    assert status == 2
    one_line(err, "two.json", "both", "one")
    assert run(name, path, *options, "--root", "both")[0] == 0
    status, _, err = run(name, path, *options, "--root", "neither")
    assert status == 2
    one_line(err, "neither", "both")


def test_options_that_a_format_does_not_have_are_refused(run, model_file):
    for option in (["--root", "x"], ["--missing"]):
        status, _, err = run("check", model_file, *option)
        assert status == 2
        one_line(err, "model.json", option[0][2:])
