"""The ``ensemble`` JSON format: what is written is read back, schema and reader agree, broken documents are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_schemas import fits_schema, validator
from small_forests import forest, leaf, stump

from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError, LimitError, XpgcheckError
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.ensemble import ensemble as ensemble_of
from xpgcheck.properties.ensembles.strategies import ensembles
from xpgcheck.readers import read_classifier
from xpgcheck.readers.json_ensemble import parse_ensemble
from xpgcheck.schemas import schema
from xpgcheck.writers.json_model import ensemble_json, write_json

BOOLEAN = {"type": "boolean"}

Change = Callable[[dict[str, Any]], object]


def small() -> dict[str, Any]:
    edges = [{"to": "low", "in": ["(-inf, 0.5]"]}, {"to": "high", "in": ["(0.5, inf)"]}]
    nodes = [
        {"id": "top", "feature": "a", "edges": edges},
        {"id": "low", "class": "no"},
        {"id": "high", "class": "yes"},
    ]
    return {
        "format": "ensemble",
        "version": 1,
        "name": "small",
        "features": [{"name": "a", "domain": {"type": "real"}}, {"name": "b", "domain": BOOLEAN}],
        "classes": ["no", "yes"],
        "rule": {"type": "majority", "ties": "first class"},
        "trees": [
            {"name": "one", "root": "top", "nodes": nodes},
            {"name": "two", "nodes": [{"id": 0, "class": "yes"}]},
        ],
    }


def summed() -> dict[str, Any]:
    """Return a document in which trees weigh."""
    document = small()
    document["rule"] = {"type": "average", "base": ["0", 0.5], "arithmetic": "binary64", "doubt": "1/8"}
    document["trees"][0]["answers"] = {"no": ["1/3", 0], "yes": [-0.25, "1e-3"]}
    document["trees"][1]["answers"] = {"yes": [0, 1]}
    return document


def parse(document: dict[str, Any]) -> Ensemble:
    return parse_ensemble(json.dumps(document).encode())


@given(ensembles())
def test_what_is_written_is_read_back(ensemble: Ensemble) -> None:
    text = ensemble_json(ensemble)
    assert parse_ensemble(text.encode()) == ensemble
    assert ensemble_json(parse_ensemble(text.encode())) == text


NUMBERS = st.one_of(
    st.fractions(-5, 5, max_denominator=7),
    st.floats(-(2.0**100), 2.0**100, width=32).map(Fraction),
    st.just(Fraction(5e-324)),
)


@st.composite
def sums(draw: st.DrawFn, trees: int = 7, size: int = 9) -> Ensemble:
    """Draw an ensemble whose trees' answers are summed, in any numbers."""
    drawn = draw(ensembles(trees, size))
    single = draw(st.booleans())
    threshold = Threshold(draw(NUMBERS), draw(st.booleans())) if single else None
    classes = ("no", "yes") if single else tuple(f"class {k}" for k in range(draw(st.integers(2, 4))))
    scores = 1 if single else len(classes)
    row = st.tuples(*[NUMBERS] * scores)
    doubt = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1e-9)]))
    rule = Sum(draw(row), threshold, draw(st.sampled_from(Arithmetic)), draw(st.booleans()), doubt)
    outputs = [[draw(row) for _ in tree.classes] for tree in drawn.trees]
    return ensemble_of("summed", drawn.features, classes, drawn.trees, rule, outputs)


@given(sums())
def test_what_is_written_of_sums_is_read_back(ensemble: Ensemble) -> None:
    text = ensemble_json(ensemble)
    assert parse_ensemble(text.encode()) == ensemble
    assert ensemble_json(parse_ensemble(text.encode())) == text


@given(st.one_of(ensembles(trees=3, size=5), sums(trees=3, size=5)))
def test_what_is_written_follows_the_schema(ensemble: Ensemble) -> None:
    fits_schema(json.loads(ensemble_json(ensemble)), "ensemble")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "model"
    built = forest(stump(0), leaf(1))
    write_json(built, path)
    assert read_classifier(path) == built


def test_convert_writes_it(tmp_path: Path, capfd: Any) -> None:
    path, out = tmp_path / "model.json", tmp_path / "again.json"
    write_json(parse(small()), path)
    assert main(["convert", str(path), "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    capfd.readouterr()
    assert main(["convert", str(path), "--to", "text", "-o", "-"]) == 0
    assert capfd.readouterr().out.splitlines()[0] == "tree 0"
    assert main(["convert", str(path), "--to", "dot", "-o", "-"]) == 2
    assert "one decision graph is needed here" in capfd.readouterr().err
    assert main(["convert", str(path), "--instance", "a=1,b=1", "-o", str(out)]) == 2


def test_the_schema_is_that_of_graphs_for_each_tree() -> None:
    graph, own = schema("decision-graph"), schema("ensemble")
    assert {name: own["$defs"][name] for name in graph["$defs"]} == graph["$defs"]
    assert own["$defs"]["tree"]["properties"]["nodes"] == graph["properties"]["nodes"]
    assert all("description" in part for part in own["$defs"].values())
    fits_schema(small(), "ensemble")


def test_the_small_document_is_read() -> None:
    found = parse(small())
    assert [tree.node_count for tree in found.trees] == [3, 1]
    assert found.kappa((0, True)) == 0, "a tie is the first class"  # type: ignore[arg-type]


def test_sums_are_read() -> None:
    found = parse(summed())
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    base = (Fraction(0), Fraction(1, 2))
    assert found.rule == Sum(base, None, Arithmetic.BINARY64, divided=True, doubt=Fraction(1, 8))
    assert found.outputs[0] == ((third, Fraction(0)), (-quarter, Fraction(1, 1000)))
    assert found.trees[1].classes == ("yes",)
    fits_schema(summed(), "ensemble")
    document = summed()
    document["rule"] = {"type": "sum", "threshold": {"at": "0.3"}}
    document["trees"][0]["answers"] = {"no": [0], "yes": [0.25]}
    document["trees"][1]["answers"] = {"yes": [0]}
    fits_schema(document, "ensemble")
    assert parse(document).rule == Sum((Fraction(0),), Threshold(Fraction(3, 10)))
    with pytest.raises(FormatError, match="the key 'yes' is written twice"):
        parse_ensemble(json.dumps(summed()).replace('"yes": [0, 1]', '"yes": [0, 1], "yes": [1, 0]').encode())


SUMS: dict[str, tuple[Change, str]] = {
    "arithmetic": (lambda d: d["rule"].update(arithmetic="binary16"), "$.rule.arithmetic"),
    "base": (lambda d: d["rule"].update(base=[0]), "$.rule.base: 1 number for 2 scores"),
    "base that is none": (lambda d: d["rule"].update(base=[0, "inf"]), "$.rule.base: 'inf' is not a number"),
    "doubt": (lambda d: d["rule"].update(doubt=-1), "$.rule.doubt: the doubt is negative"),
    "threshold": (lambda d: d["rule"].update(threshold={"at": None}), "$.rule.threshold.at: 'None' is not a number"),
    "three classes": (
        lambda d: (d["rule"].update(threshold={"at": 0}), d["classes"].append("maybe")),
        "$.rule.threshold: a threshold with 3 classes",
    ),
    "answers": (lambda d: d["trees"][0].pop("answers"), "$.trees[0]: the field 'answers' is missing"),
    "answer": (
        lambda d: d["trees"][1]["answers"].pop("yes"),
        "$.trees[1].nodes[0].class: the class 'yes' is not declared",
    ),
    "row": (lambda d: d["trees"][1]["answers"].update(yes=[1]), "$.trees[1].answers.'yes': 1 number for 2"),
    "weight": (lambda d: d["trees"][1]["answers"].update(yes=[1, True]), "$.trees[1].answers.'yes': 'True' is not a"),
    "name": (lambda d: d["trees"][1]["answers"].update({"": [1, 0]}), "$.trees[1].answers: the name of a"),
    "votes": (
        lambda d: d.update(rule={"type": "majority", "ties": "first class"}),
        "$.trees[0].answers: a tree that votes has answers",
    ),
    "overflow": (lambda d: d["rule"].update(base=[0, "1e308"]), "its sums may exceed what binary64 holds"),
}


@pytest.mark.parametrize("case", SUMS)
def test_broken_sums_are_one_line(case: str) -> None:
    document = summed()
    change, text = SUMS[case]
    change(document)
    with pytest.raises(XpgcheckError) as caught:
        parse(document)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.mend


STRUCTURE: dict[str, tuple[Change, str]] = {
    "no rule": (lambda d: d.pop("rule"), "$: the field 'rule' is missing"),
    "another rule": (lambda d: d["rule"].update(type="median"), "$.rule.type: "),
    "other ties": (lambda d: d["rule"].update(ties="last class"), "$.rule.ties"),
    "more of the rule": (lambda d: d["rule"].update(weights=[1]), "$.rule: the field 'weights' is unknown"),
    "no trees": (lambda d: d.pop("trees"), "the field 'trees' is missing"),
    "not one tree": (lambda d: d.update(trees=[]), "$.trees: an ensemble of no trees; give at least one tree"),
    "no name": (lambda d: d["trees"][0].pop("name"), "$.trees[0]: the field 'name' is missing"),
    "no nodes": (lambda d: d["trees"][1].update(nodes=[]), "$.trees[1]: there are no nodes"),
    "features of a tree": (lambda d: d["trees"][0].update(features=[]), "the field 'features' is unknown"),
    "version": (lambda d: d.update(version=2), "$.version: the version is '2'"),
    "class and feature": (
        lambda d: d["trees"][0]["nodes"][0].update({"class": "no"}),
        "$.trees[0].nodes[0]: node 'top' is neither a terminal nor a non-terminal",
    ),
}
"""Documents that the schema refuses too."""

MEANING: dict[str, tuple[Change, str]] = {
    "feature": (
        lambda d: d["trees"][0]["nodes"][0].update(feature="c"),
        "$.trees[0].nodes[0].feature: the feature 'c' is not declared",
    ),
    "class": (
        lambda d: d["trees"][1]["nodes"][0].update({"class": "maybe"}),
        "$.trees[1].nodes[0].class: the class 'maybe' is not declared",
    ),
    "literal": (
        lambda d: d["trees"][0]["nodes"][0]["edges"][1].update({"in": ["(0.5, low)"]}),
        "$.trees[0].nodes[0].edges[1].in: ",
    ),
    "gap": (lambda d: d["trees"][0]["nodes"][0]["edges"][1].update({"in": ["(1, inf)"]}), "$.trees[0]: "),
    "overlap": (lambda d: d["trees"][0]["nodes"][0]["edges"][1].update({"in": ["(0, inf)"]}), "$.trees[0]: node 'top'"),
    "root": (lambda d: d["trees"][0].update(root="low"), "$.trees[0]: node 'low': it is named as the root"),
    "no such node": (
        lambda d: d["trees"][0]["nodes"][0]["edges"][0].update(to="gone"),
        "$.trees[0].nodes[0].edges[0].to: there is no node 'gone'",
    ),
    "id twice": (
        lambda d: d["trees"][0]["nodes"][1].update(id="top"),
        "the id 'top' is already that of $.trees[0].nodes[0]",
    ),
}


@pytest.mark.parametrize("case", [*STRUCTURE, *MEANING])
def test_a_broken_document_is_one_line(case: str) -> None:
    document = copy.deepcopy(small())
    change, text = (STRUCTURE | MEANING)[case]
    change(document)
    with pytest.raises(XpgcheckError) as caught:
        parse(document)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.mend
    if case in STRUCTURE:
        assert not validator("ensemble").is_valid(document)


def test_keys_are_written_once() -> None:
    text = json.dumps(small())
    for key in ('"ties": ', '"root": ', '"version": '):
        start = text.index(key)
        item = text[start : text.index(",", start) if key != '"ties": ' else text.index("}", start)]
        with pytest.raises(FormatError, match="is written twice; write each key once"):
            parse_ensemble(text.replace(item, f"{item}, {item}", 1).encode())


def test_too_many_trees() -> None:
    document = small()
    document["trees"] = document["trees"][1:] * 10_001
    with pytest.raises(LimitError, match=r"\$.trees: there are 10,001 trees; keep at most 10,000"):
        parse(document)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "the file is empty; write a model of format ensemble"),
        (b"{", "the JSON breaks off here"),
        (b'{"format": "decision-graph"}', "the format is 'decision-graph'; the format that is read is 'ensemble'"),
        (b'{"format": "ensemble", "name": "\xff"}', "UTF-8"),
    ],
)
def test_what_is_no_document(data: bytes, text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_ensemble(data)
    assert text in str(caught.value)
