"""The checker of certificates: hand-written certificates of each kind, what it refuses, and that it stands alone."""

from __future__ import annotations

import ast
import copy
import itertools
import json
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from formulas import CLAUSES, EXAMPLE, muses
from hypothesis import given
from hypothesis import strategies as st
from naive_issuer import Instance, certificate, digest_of, graph_certificate, header, line_of, raw_value
from published_schemas import fits_schema, validator
from tamperings import follows

from xpgcheck import check_certificate
from xpgcheck.check_certificate import Graph, Refused, Values, Work, check_file, check_lines, check_rup, read_domain
from xpgcheck.model import domains
from xpgcheck.properties.strategies import graphs, points
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json

SCRIPT = Path(check_certificate.__file__)
ROOT = Path(__file__).parents[2]

# x0 and (x1 or x2), of a Boolean, a number and a category: root 0, then 1, then 2; terminals 3 ("no") and 4 ("yes").
MODEL: dict[str, Any] = {
    "format": "decision-graph",
    "version": 1,
    "name": "by hand",
    "features": [
        {"name": "member", "domain": {"type": "boolean"}},
        {"name": "age", "domain": {"type": "integer", "low": 0, "high": 120}},
        {"name": "housing", "domain": {"type": "categorical", "values": ["own", "rent"]}},
    ],
    "classes": ["no", "yes"],
    "root": "a",
    "nodes": [
        {"id": "a", "feature": "member", "edges": [{"to": "n", "in": [0]}, {"to": "b", "in": [1]}]},
        {"id": "b", "feature": "age", "edges": [{"to": "c", "in": ["(-inf, 24]"]}, {"to": "y", "in": ["[25, inf)"]}]},
        {"id": "c", "feature": "housing", "edges": [{"to": "n", "in": ["rent"]}, {"to": "y", "in": ["own"]}]},
        {"id": "n", "class": "no"},
        {"id": "y", "class": "yes"},
    ],
}
# At (1, 30, "own"): AXps {member, age}, {member, housing}; CXps {member}, {age, housing}.
FAMILY: dict[str, Any] = {
    "instance": [1, 30, "own"],
    "class": "yes",
    "notion": "features",
    "closed": [{"fixed": [0, 1], "nodes": "13"}, {"fixed": [0, 2], "nodes": "17"}],
    "points": [[[0, 0]], [[1, 24], [2, "rent"]]],
    "claims": [
        {"kind": "AXp", "features": [0, 1], "verdict": "AXp", "sufficient": 0, "needed": [0, 1]},
        {"kind": "AXp", "features": [0, 2], "verdict": "AXp", "sufficient": 1, "needed": [0, 1]},
        {"kind": "CXp", "features": [0], "verdict": "CXp", "changes": 0, "needed": [0]},
        {"kind": "CXp", "features": [1, 2], "verdict": "CXp", "changes": 1, "needed": [0, 1]},
    ],
    "complete": {"method": "rup", "lines": [[]]},
}
TREE = {"method": "tree", "nodes": [0, 1, -1, 2, -2, -4, -3]}
WRONG = [
    {"kind": "AXp", "features": [0, 1, 2], "verdict": "redundant", "sufficient": 0},
    {"kind": "CXp", "features": [0, 2], "verdict": "redundant", "changes": 0},
    {"kind": "AXp", "features": [1, 2], "verdict": "insufficient", "changes": 0},
    {"kind": "CXp", "features": [1], "verdict": "ineffective", "sufficient": 1},
]


def check(*lines: Any, model: Any = None) -> tuple[int, str]:
    outcome = check_lines(certificate(header("model", model or MODEL), lines).splitlines(keepends=True))
    return outcome.status, outcome.message


def changed(**fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(FAMILY), **fields}


# ---------------------------------------------------------------------------------------------------- what is accepted


def test_a_family_by_hand_is_proved() -> None:
    outcome = check_lines(certificate(header("model", MODEL), [FAMILY]).splitlines(keepends=True))
    assert outcome == (0, "proved: instances 1, complete 1, AXp 2, CXp 2", outcome.counts)
    assert outcome.counts == {"instances": 1, "complete": 1, "AXp": 2, "CXp": 2}


def test_completeness_by_a_tree_is_proved() -> None:
    assert check(changed(complete=TREE))[0] == 0


def test_claims_that_are_wrong_are_shown_to_be_wrong() -> None:
    line = changed(claims=WRONG)
    del line["complete"]
    status, message = check(line)
    assert (status, message) == (
        0,
        "proved: instances 1, redundant AXp 1, redundant CXp 1, insufficient AXp 1, ineffective CXp 1",
    )


def test_a_constant_classifier_has_the_empty_axp() -> None:
    model = {**MODEL, "nodes": [{"id": 7, "class": "no"}], "root": 7}
    line = {
        "instance": [0, 0, "own"],
        "class": "no",
        "notion": "features",
        "closed": [{"fixed": [], "nodes": "1"}],
        "points": [],
        "claims": [{"kind": "AXp", "features": [], "verdict": "AXp", "sufficient": 0, "needed": []}],
    }
    for proof in ({"method": "rup", "lines": [[]]}, {"method": "tree", "nodes": [-1]}):
        assert check({**line, "complete": proof}, model=model)[0] == 0
    for proof in ({"method": "rup", "lines": []}, {"method": "tree", "nodes": []}):
        assert check({**line, "complete": proof}, model=model)[0] == 1


def test_the_example_of_the_document_is_proved() -> None:
    text = (ROOT / "docs" / "reference" / "certificates.md").read_text(encoding="utf-8")
    example = re.search(r"```jsonl\n(.*?)```", text, re.DOTALL)
    assert example is not None
    outcome = check_lines(example[1].encode().splitlines(keepends=True))
    assert outcome == (0, "proved: instances 1, complete 1, AXp 1, CXp 2", outcome.counts)


def test_many_instances_and_their_counts() -> None:
    outcome = check_lines(certificate(header("model", MODEL), [FAMILY] * 3).splitlines(keepends=True))
    assert outcome.counts["AXp"] == 6


def test_muses_of_a_formula_are_proved() -> None:
    outcome = check_lines(EXAMPLE.splitlines(keepends=True))
    assert outcome == (0, "proved: MUSes 4", {"MUSes": len(muses(3, CLAUSES))})


@given(st.data(), st.sampled_from(["rup", "tree"]))
def test_certificates_of_random_graphs_are_accepted(data: st.DataObject, method: str) -> None:
    graph = data.draw(graphs().filter(lambda graph: len(graph.features) <= 6))
    instances = [data.draw(points(graph))]
    outcome = check_lines(graph_certificate(graph, instances, method).splitlines(keepends=True))
    assert outcome.status == 0, outcome.message


@given(st.data())
def test_an_axp_that_is_none_has_no_certificate(data: st.DataObject) -> None:
    """Whatever evidence is put together: a set that is no AXp (CXp) by the definition is not accepted as one."""
    graph = data.draw(graphs().filter(lambda graph: len(graph.features) <= 4))
    instance = Instance(graph, data.draw(points(graph)))
    subsets = [frozenset(s) for n in range(5) for s in itertools.combinations(instance.features, n)]
    features = data.draw(st.sampled_from(subsets))
    kind, right = data.draw(st.sampled_from([("AXp", instance.axps), ("CXp", instance.cxps)]))
    line = instance.line(subsets, instance.others, [])
    fixed = data.draw(st.sampled_from(subsets))
    line["closed"] = [instance.closed(s) for s in (fixed, *instance.axps)]
    line["points"] = [instance.point(s) for s in instance.others]
    name, pool, others = ("sufficient", "closed", "points") if kind == "AXp" else ("changes", "points", "closed")
    if not line[pool] or (features and not line[others]):
        return
    reference = st.integers(0, len(line[pool]) - 1)
    needed = [data.draw(st.integers(0, len(line[others]) - 1)) for _ in features]
    line["claims"] = [
        {"kind": kind, "features": sorted(features), "verdict": kind, name: data.draw(reference), "needed": needed}
    ]
    outcome = check_lines(certificate(header("model", json.loads(model_json(graph))), [line]).splitlines(keepends=True))
    assert outcome.status == 1 or features in right


# ----------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (changed(instance=[1, 30]), "line 2: instance: there are 2 values of 3 features"),
        (changed(instance=[1, 121, "own"]), "line 2: instance: 121 is not in the domain (integer)"),
        (changed(instance=[1, "61/2", "own"]), "line 2: instance: '61/2' is not in the domain (integer)"),
        (changed(instance=[1, None, "own"]), "line 2: instance: None is not in the domain (integer)"),
        (changed(instance=["1", 30, "own"]), "line 2: instance: '1' is not in the domain (boolean)"),
        (changed(instance=[0, 30, "own"]), "line 2: instance: its class is not 'yes'"),
        (
            changed(closed=[{"fixed": [0, 1], "nodes": "3"}]),
            "line 2: closed set 0: it has node 1 but not node 4, to which a compatible edge leads",
        ),
        (
            changed(closed=[{"fixed": [1], "nodes": "1b"}]),
            "line 2: closed set 0: it has node 3, a terminal of class 'no'",
        ),
        (
            changed(closed=[{"fixed": [0, 1], "nodes": "12"}]),
            "line 2: closed set 0: it lacks the root, or has an unknown node",
        ),
        (changed(points=[[[1, 24]]]), "line 2: point 0: it has the class of the instance, 'yes'"),
        (changed(points=[[[1, 30]]]), "line 2: point 0: feature 1 is not changed"),
        (changed(points=[[[1, 24], [0, 0]]]), "line 2: point 0: [1, 0] do not ascend, or one is not from 0 to 2"),
        (
            changed(claims=[FAMILY["claims"][0] | {"features": [0, 2]}]),
            "line 2: claim 0: sufficient: [0, 1] does not show it of [0, 2]",
        ),
        (
            changed(claims=[FAMILY["claims"][0] | {"needed": [0, 0]}]),
            "line 2: claim 0: needed: 1 by 0, which also touches members [0]",
        ),
        (changed(claims=[FAMILY["claims"][0] | {"needed": [0, 2]}]), "line 2: claim 0: it refers to nothing"),
        (changed(claims=[FAMILY["claims"][0]] * 2), "line 2: claim 1: an earlier claim is the same"),
        (
            changed(claims=FAMILY["claims"][1:]),
            "line 2: complete: line 0 does not follow by unit propagation",
        ),
        (
            changed(complete={"method": "tree", "nodes": [0, 1, -1, 2, -1, -4, -3]}),
            "line 2: complete: [4] is no feature that is undecided, nor a claim that settles this leaf",
        ),
    ],
)
def test_what_is_not_proved_is_refused_with_place_and_reason(line: Any, says: str) -> None:
    assert check(line) == (1, says)


def test_a_file_that_checks_nothing_is_no_certificate() -> None:
    assert check() == (2, 'line 2: the end: there is no last line {"end":n}, or no line to check')


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "line 0"),
        (b"\n", "not|Expecting"),
        (b"\xef\xbb\xbf{}\n", "BOM"),
        (b"\0\n", "Expecting"),
        (b"null\n", "line"),
        (b"[" * 100_000 + b"\n", "recursion"),
        (b"[" * 100_000 + b"]" * 100_000 + b"\n", "recursion"),
        (b'{"a":' * 100_000 + b"\n", "recursion"),
        (b"9" * 10_000_000 + b"\n", "400 digits"),
        (b'{"format":-' + b"9" * 10_000_000 + b"}\n", "400 digits"),
        (b'{"format":1e999999999}\n', "compliant|unknown"),
        (b'{"format":NaN}\n', "compliant"),
        (b'"\\ud800"\n', "surrogate|spellings"),
        (b'{"format":"xpgcheck-certificate","version":true}\n', "fields"),
        (b'{"' + b"a" * 100_000 + b'":1}\n', "fields"),
    ],
)
def test_hostile_bytes_are_refused_soon(data: bytes, says: str) -> None:
    start = time.process_time()
    outcome = check_lines(data.splitlines(keepends=True))
    assert outcome.status == 2
    assert any(word in outcome.message for word in says.split("|")), outcome.message
    assert len(outcome.message) <= 500
    # Milliseconds; ten million digits read as one number, or a file read once a line, would take minutes.
    assert time.process_time() - start < 30


def test_a_line_that_is_too_long_is_not_read_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(check_certificate, "MAX_LINE", 1000)
    path = tmp_path / "long"
    path.write_bytes(b'{"format":"' + b"f" * 10**6)
    assert "over 64 MiB" in check_file(str(path)).message


def test_numbers_in_a_model_have_at_most_400_digits_and_no_exponent() -> None:
    for text in ("1e5", "(-inf, 1e999999999]", "9" * 401, "1/0", "0x1", "[inf, 1]", "[-inf, 3]", "٣", "1_0", " 1"):
        model = copy.deepcopy(MODEL)
        model["nodes"][1]["edges"][0]["in"] = [text]
        status, message = check(FAMILY, model=model)
        assert status == 2, text
        assert "is not a number" in message


def test_a_graph_with_a_cycle_ends() -> None:
    model = copy.deepcopy(MODEL)
    model["nodes"][1]["edges"][1]["to"] = "a"
    assert check(FAMILY, model=model) == (1, "line 2: instance: the walk through the graph meets a cycle")


def test_a_point_where_two_edges_hold_or_none_has_no_class() -> None:
    for literals, count in (
        (["(-inf, 24]", "(29, 31)"], 2),
        (["(-inf, 24]", 30], 2),
        (["[24, 30]"], 2),
        (["(29, 30)"], 1),
    ):
        model = copy.deepcopy(MODEL)
        model["nodes"][1]["edges"][0]["in"] = literals
        message = f"line 2: instance: {count} edges of node 1 hold, so that there is no class here"
        assert count == 1 or check(FAMILY, model=model) == (1, message)
    model["nodes"][1]["edges"][1]["in"] = ["(30, inf)"]
    assert check(FAMILY, model=model) == (1, "line 2: instance: 0 edges of node 1 hold, so that there is no class here")


def test_a_float_has_to_be_in_the_domain() -> None:
    domain = read_domain({"type": "float32", "missing": True})
    for raw in (None, 0, "0.5", "-2.5", 2**24, str(2**127), "1/" + str(2**149), str(2**128 - 2**104)):
        domain.value(raw)
    for raw in ("0.1", 2**24 + 1, str(2**128), "1/" + str(2**150), "1/3", str(2**128 - 2**103)):
        with pytest.raises(Refused):
            domain.value(raw)
    with pytest.raises(Refused):
        read_domain({"type": "float64"}).value(None)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["float32", "float64"]), st.integers(-2, 2))
def test_the_grid_of_floats_is_that_of_the_model(number: float, kind: str, shift: int) -> None:
    value = Fraction(number) + Fraction(shift, 2**1080)
    domain = domains.Float32() if kind == "float32" else domains.Float64()
    numerator, denominator = value.numerator, value.denominator
    text = str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
    if len(text) > 400:
        return
    try:
        read_domain({"type": kind}).value(text)
        held = True
    except Refused:
        held = False
    assert held == domains.contains(domain, value)


@given(st.data())
def test_literals_and_classes_are_read_as_the_model_reads_them(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    mine = Graph(json.loads(model_json(graph)))
    for _ in range(5):
        point = data.draw(points(graph))
        values = [domain.value(raw_value(item)) for domain, item in zip(mine.domains, point, strict=True)]
        assert mine.class_at(values, Work()) == graph.classes[graph.kappa(point)]
        for node, edges in enumerate(graph.children):
            for (child, literal), (own_child, own) in zip(mine.nodes[node][2], graph.edges(node), strict=True):
                assert child == own_child
                assert (values[graph.feature_of[node]] in mine.literals[literal][1]) == (
                    point[graph.feature_of[node]] in own
                )
            assert len(edges) == len(mine.nodes[node][2])


# -------------------------------------------------------------------------------------------------- RUP, trees and work


def refuted(clauses: list[list[int]], lines: list[list[int]]) -> bool:
    try:
        check_rup(clauses, lines, 4, Work())
    except Refused:
        return False
    return True


@given(
    st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3, 4, -4]), max_size=3), max_size=10),
    st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3, 4, -4]), max_size=2), max_size=4),
)
def test_unit_propagation_agrees_with_looking_at_all_clauses(clauses: list[list[int]], lines: list[list[int]]) -> None:
    known = list(clauses)
    right = True
    for line in [*lines, []]:
        tautology = any(-literal in line for literal in line)
        right = right and (tautology or follows(known, line))
        known.append(line)
    assert refuted(clauses, [*lines, []]) == right


@given(st.lists(st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), max_size=3), max_size=12), st.data())
def test_a_satisfiable_formula_has_no_refutation(clauses: list[list[int]], data: st.DataObject) -> None:
    literals = st.sampled_from([0, 1, -1, 2, -2, 3, -3, 4])
    lines = data.draw(st.lists(st.lists(literals, max_size=2), max_size=6))
    satisfiable = any(
        all(any((bits >> (abs(x) - 1) & 1) == (x > 0) for x in clause) for clause in clauses) for bits in range(8)
    )
    if satisfiable:
        assert not refuted(clauses, [*lines, []])


def test_work_is_bounded_by_the_bytes_of_the_file() -> None:
    """Long chains of units, tried again by each of many short lines: quadratic, so stopped."""
    size = 3000
    chain = [[-k, k + 1] for k in range(1, size)]
    lines = [[-1, size]] * size + [[]]
    line = {"mus": list(range(len(chain))), "refutation": lines, "models": ["0"] * len(chain)}
    data = certificate(header("formula", {"variables": size, "clauses": chain}), [line])
    outcome = check_lines(data.splitlines(keepends=True), None, 20)
    assert (outcome.status, outcome.message[:16]) == (1, "line 2: refutati")
    assert "too many steps" in outcome.message


def test_each_line_brings_steps_of_its_own() -> None:
    data = certificate(header("model", MODEL), [FAMILY] * 200)
    assert check_lines(data.splitlines(keepends=True), None, 2).status == 0


# ------------------------------------------------------------------------------------------------------- files, script


def write(path: Path, *lines: Any) -> Path:
    path.write_bytes(certificate(header("model", MODEL), lines))
    return path


def test_the_model_is_compared(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", FAMILY)
    model = tmp_path / "model.json"
    model.write_text(json.dumps(MODEL, indent=2))
    assert check_file(str(path), str(model)).status == 0
    model.write_text(json.dumps({**MODEL, "name": "another"}))
    outcome = check_file(str(path), str(model))
    assert outcome.status == 1
    assert "digests of the model differ" in outcome.message


def test_the_model_as_this_project_writes_it_has_the_digest(tmp_path: Path) -> None:
    graph = parse_json(json.dumps(MODEL).encode())
    model = tmp_path / "model.json"
    model.write_text(model_json(graph), encoding="utf-8")
    path = tmp_path / "c.jsonl"
    path.write_bytes(graph_certificate(graph, [(True, 30, "own")]))
    assert check_file(str(path), str(model)).status == 0


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", FAMILY)
    assert check_file(str(tmp_path / "none")).status == 2
    assert check_file(str(tmp_path)).status == 2
    assert check_file("a\0b").status == 2
    assert check_file(str(path), str(tmp_path / "none")).status == 2
    (tmp_path / "bad.json").write_bytes(b"\xff[" * 9)
    assert check_file(str(path), str(tmp_path / "bad.json")).status == 2


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)


def test_it_runs_as_a_script_without_any_package(tmp_path: Path) -> None:
    good = write(tmp_path / "good.jsonl", FAMILY)
    bad = write(tmp_path / "bad.jsonl", changed(complete={"method": "rup", "lines": []}))
    done = run(str(good))
    assert (done.returncode, done.stdout, done.stderr) == (0, "proved: instances 1, complete 1, AXp 2, CXp 2\n", "")
    done = run(str(bad))
    assert (done.returncode, done.stdout) == (1, "line 2: complete: the last line is not the empty clause\n")
    assert run(str(tmp_path / "none")).returncode == 2
    assert run().returncode == 2
    assert run(str(good), "--steps-per-byte", "2").returncode == 0


def test_it_is_short_and_imports_the_standard_library_alone() -> None:
    source = SCRIPT.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 720
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).split(".")[0])
    assert names <= sys.stdlib_module_names
    assert "importlib" not in names


def test_digests_are_of_the_canonical_text() -> None:
    assert check_certificate.digest_of(MODEL) == digest_of(MODEL)


# ------------------------------------------------------------------------------------------------------------- schema


def test_the_schema_takes_each_line_of_each_kind() -> None:
    for line in (header("model", MODEL), FAMILY, changed(complete=TREE), changed(claims=WRONG), {"end": 3}):
        fits_schema(line, "certificate")
    for raw in EXAMPLE.splitlines():
        fits_schema(json.loads(raw), "certificate")


@pytest.mark.parametrize(
    "line",
    [
        {**header("model", MODEL), "note": 1},
        changed(notion="conditions"),
        changed(claims=[FAMILY["claims"][0] | {"verdict": "insufficient"}]),
        changed(claims=[{**WRONG[0], "needed": []}]),
        changed(complete={"method": "rup", "nodes": []}),
        changed(closed=[{"fixed": [0, 1], "nodes": "0x13"}]),
        changed(instance=[1, 30.5, "own"]),
        {"end": 0},
        {"end": True},
    ],
)
def test_the_schema_refuses_what_the_checker_calls_malformed(line: Any) -> None:
    assert not validator("certificate").is_valid(line)
    first = [line] if "format" in line else [header("model", MODEL), line]
    outcome = check_lines([line_of(item) for item in [*first, {"end": len(first)}]])
    assert outcome.status == 2


def test_values_hold_what_they_list() -> None:
    whole = Values("real", frozenset([None]), (((0, 0), (float("inf"), 0)),))
    literal = whole.literal(["(0, 5/2]", "[3, inf)", 0, "missing"])
    assert None in literal
    assert [n in literal for n in (0, 1, 3)] == [True, True, True]
    assert -1 not in literal
