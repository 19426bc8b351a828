"""The JSON reader and writer: what is read, and what each kind of bad input gets."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema, validator

from xpgcheck import embedded
from xpgcheck.errors import (
    DomainError,
    FormatError,
    InputError,
    LimitError,
    ModelError,
    UndecidedError,
    ValueSetError,
    XpgcheckError,
)
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError
from xpgcheck.model.decision_graph import DecisionGraph, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.graph_errors import (
    CycleError,
    EmptyLiteralError,
    OverlapError,
    RootError,
    StructureError,
    UnreachableError,
)
from xpgcheck.readers.json_model import parse_json, read_json
from xpgcheck.schemas import schema
from xpgcheck.writers.json_model import model_json, write_json

Document = dict[str, Any]
Mutation = Callable[[Document], object]


def small() -> Document:
    """Return a document with every kind of domain; node 7 of each list is easy to reach for mutations."""
    return {
        "format": "decision-graph",
        "version": 1,
        "name": "small",
        "features": [
            {"name": "Age", "domain": {"type": "categorical", "values": ["W", "T", "O"]}},
            {"name": "n", "domain": {"type": "integer", "low": 0, "high": 10}},
            {"name": "r", "domain": {"type": "real", "low": "1/3", "high": "2.5", "low_open": True}},
            {"name": "f", "domain": {"type": "float32", "missing": True}},
            {"name": "b", "domain": {"type": "boolean"}},
        ],
        "classes": ["N", "T", "L"],
        "root": 1,
        "nodes": [
            {"id": 1, "feature": "Age", "edges": [{"to": 2, "in": ["W"]}, {"to": 3, "in": ["T", "O"]}]},
            {"id": 2, "feature": "n", "edges": [{"to": 3, "in": ["(-inf, 5]"]}, {"to": 4, "in": [6, 7, "[8, inf)"]}]},
            {"id": 3, "feature": "r", "edges": [{"to": 4, "in": ["(-inf, 0.7]"]}, {"to": "t", "in": ["(0.7, 3)"]}]},
            {
                "id": 4,
                "feature": "f",
                "edges": [{"to": 5, "in": ["(-inf, 1]", "missing"]}, {"to": "t", "in": ["(1, inf)"]}],
            },
            {"id": 5, "feature": "b", "edges": [{"to": "t", "in": [0]}, {"to": "n", "in": [True]}]},
            {"id": "t", "class": "T"},
            {"id": "n", "class": "N"},
        ],
    }


def encoded(document: Document) -> bytes:
    return json.dumps(document).encode()


def changed(mutate: Mutation) -> bytes:
    document = small()
    mutate(document)
    return encoded(document)


def refusal(data: bytes, kind: type[XpgcheckError], tmp_path: Path) -> XpgcheckError:
    """Return the error that a file of *data* gets, after checking what every refusal has: file, one line, a remedy."""
    path = tmp_path / "model.json"
    path.write_bytes(data)
    with pytest.raises(XpgcheckError) as caught:
        read_json(path)
    error = caught.value
    assert type(error) is kind, repr(error)
    line = str(error)
    assert line.startswith(f"{path}: ")
    assert line.isprintable(), "one line without control characters"
    assert len(line) < len(str(path)) + 1000
    assert error.mend
    assert line.endswith(f"; {error.mend}")
    return error


class TestWhatIsRead:
    def test_every_domain(self) -> None:
        graph = parse_json(encoded(small()))
        assert [feature.domain for feature in graph.features] == [
            Categorical(("W", "T", "O")),
            Integer(0, 10),
            Real(Fraction(1, 3), Fraction(5, 2), True, False),
            Float32(True),
            Boolean(),
        ]
        assert graph.node_ids[0] == 1
        assert graph.classes[graph.kappa(("W", 7, Fraction(2), Fraction(1), True))] == "N"

    def test_decimals_are_exact_however_they_are_written(self) -> None:
        text = encoded(small()).replace(b'"2.5"', b"0.12345678901234567890123456789e1")
        domain = parse_json(text.replace(b'"(0.7, 3)"', b'"(0.7, 3)"')).features[2].domain
        assert isinstance(domain, Real)
        assert domain.high == Fraction(12345678901234567890123456789, 10**28)

    def test_a_decimal_in_a_literal_is_exact(self) -> None:
        def mutate(document: Document) -> None:
            document["features"][2]["domain"] = {"type": "real"}
            document["nodes"][2]["edges"] = [
                {"to": 4, "in": [0.1]},
                {"to": "t", "in": ["(-inf, 0.1)", "(0.1, inf)"]},
            ]

        graph = parse_json(changed(mutate))
        assert graph.terminal(("T", 0, Fraction(1, 10), Fraction(2), True)) == graph.terminal(
            ("T", 0, Fraction(0.1), Fraction(2), True)
        )
        values = graph.edges(graph.node_ids.index(3))[0].values
        assert Fraction(1, 10) in values
        assert Fraction(0.1) not in values

    def test_the_root_may_be_left_out(self) -> None:
        assert parse_json(changed(lambda d: d.pop("root"))) == parse_json(encoded(small()))

    def test_a_byte_order_mark_is_dropped(self) -> None:
        assert parse_json(b"\xef\xbb\xbf" + encoded(small())) == parse_json(encoded(small()))

    def test_names_of_any_script_with_quotes_spaces_and_markup(self) -> None:
        name = "\"' \\ : <b>&amp;</b> , 年齢  é"

        def mutate(document: Document) -> None:
            document["name"] = name
            document["features"][0]["name"] = name
            document["nodes"][0]["feature"] = name
            document["features"][0]["domain"]["values"][0] = name
            document["nodes"][0]["edges"][0]["in"] = [name]
            document["classes"][1] = name
            document["nodes"][5]["class"] = name
            document["nodes"][5]["id"] = name
            for node in document["nodes"]:
                for edge in node.get("edges", []):
                    edge["to"] = name if edge["to"] == "t" else edge["to"]

        graph = parse_json(changed(mutate))
        assert (graph.name, graph.features[0].name, graph.classes[1]) == (name, name, name)
        assert name in graph.node_ids
        assert parse_json(model_json(graph).encode()) == graph

    def test_a_constant_classifier_is_legal(self) -> None:
        document = small() | {"root": "t", "nodes": [{"id": "t", "class": "T"}]}
        assert parse_json(encoded(document)).node_count == 1

    def test_a_node_whose_name_hides_a_key(self) -> None:
        def mutate(document: Document) -> None:
            document["name"] = '"id": 1, \\'

        assert parse_json(changed(mutate)).name == '"id": 1, \\'


NOT_DOCUMENTS: dict[str, tuple[bytes, str, str]] = {
    "empty file": (b"", "", "the file is empty"),
    "blank file": (b" \n\t", "", "the file is empty"),
    "not JSON": (b"hello", "line 1, column 1", "this is not JSON (invalid character)"),
    "not JSON further down": (b'{\n "format": xope}', "line 2, column 12", "this is not JSON (invalid character)"),
    "something after the end": (encoded(small()) + b" x", "line 1", "this is not JSON (trailing characters)"),
    "NaN": (b'{"format": "decision-graph", "version": NaN}', "line 1, column 41", "NaN and infinities are not JSON"),
    "-Infinity": (b'{"version": -Infinity}', "line 1, column 14", "NaN and infinities are not JSON"),
    "control character": (b'{"format": "\x01"}', "line 1, column 13", "this is not JSON (invalid character)"),
    "UTF-16": ("{}".encode("utf-16"), "line 1", "the file is not UTF-8"),
    "not UTF-8": (encoded(small()).replace(b'"small"', b'"sm\xe4ll"'), "line 1, column 55", "the file is not UTF-8"),
    "a list": (b"[]", "$", "this is of type array"),
    "another format": (changed(lambda d: d.update(format="bdd")), "$.format", "the format is 'bdd'"),
    "lines of another format": (b'{"format": "xpgcheck-claims"}\n{}\n', "$.format", "the format is 'xpgcheck-claims'"),
    "no format": (b'{"nodes": []}', "$.format", "there is no format"),
    "a later version": (changed(lambda d: d.update(version=2, extra=1)), "$.version", "the version is '2'"),
    "version as text": (changed(lambda d: d.update(version="1")), "$.version", "the version is '1'"),
    "version true": (changed(lambda d: d.update(version=True)), "$.version", "the version is 'True'"),
    "no version": (changed(lambda d: d.pop("version")), "$.version", "there is no version"),
    "deep nesting": (
        encoded(small()).replace(b'"root": 1', b'"root": 1, "nodes": ' + b"[" * 200_000),
        "$",
        "",
    ),
    "a huge integer": (
        encoded(small()).replace(b'"low": 0', b'"low": ' + b"9" * 5000),
        "$.features[1].domain.low",
        "Int",
    ),
    "a key twice": (
        encoded(small()).replace(b'"id": 2,', b'"id": 2, "feature": "r",'),
        "the object of '2'",
        "the key 'feature'",
    ),
    "a top key twice": (encoded(small()).replace(b'"root": 1', b'"root": 1, "root": 1'), "", "the key 'root' is"),
    "a key twice, escaped": (
        encoded(small()).replace(b'"id": 2,', b'"id": 2, "\\u0069d": 3,'),
        "the object of '2'",
        "the key 'id'",
    ),
}


@pytest.mark.parametrize("case", NOT_DOCUMENTS)
def test_what_is_no_document_is_refused(case: str, tmp_path: Path) -> None:
    data, place, problem = NOT_DOCUMENTS[case]
    error = refusal(data, FormatError, tmp_path)
    assert place in error.place
    assert problem in error.problem


@pytest.mark.parametrize("cut", [1, 40, 200, 700, 1000])
def test_a_truncated_file_is_refused(cut: int, tmp_path: Path) -> None:
    error = refusal(encoded(small())[:cut], FormatError, tmp_path)
    assert "breaks off" in error.problem
    assert "truncated" in error.mend


def test_deep_nesting_where_anything_may_stand(tmp_path: Path) -> None:
    nested = b"[" * 100_000 + b"]" * 100_000
    error = refusal(encoded(small()).replace(b'["W"]', nested), FormatError, tmp_path)
    assert "nested too deeply" in error.problem


def node(position: int, **fields: object) -> Mutation:
    return lambda d: d["nodes"][position].update(fields)


def edge(position: int, number: int, **fields: object) -> Mutation:
    return lambda d: d["nodes"][position]["edges"][number].update(fields)


def literal(position: int, number: int, *items: object) -> Mutation:
    return edge(position, number, **{"in": list(items)})


def domain(position: int, **fields: object) -> Mutation:
    return lambda d: d["features"][position].update(domain=fields)


STRUCTURE: dict[str, tuple[Mutation, str, str]] = {
    "no features key": (lambda d: d.pop("features"), "$", "'features' is missing"),
    "no name": (lambda d: d.pop("name"), "$", "'name' is missing"),
    "name of another type": (lambda d: d.update(name=5), "$.name", "of type int"),
    "unknown field": (lambda d: d.update(extra=1), "$", "'extra' is unknown"),
    "unknown field of a node": (node(3, colour="red"), "$.nodes[3]", "'colour' is unknown"),
    "unknown field of an edge": (edge(3, 1, weight=1), "$.nodes[3].edges[1]", "'weight' is unknown"),
    "unknown field of a domain": (domain(4, type="boolean", low=0), "$.features[4].domain", "'low' is unknown"),
    "edge without target": (lambda d: d["nodes"][3]["edges"][1].pop("to"), "$.nodes[3].edges[1]", "'to' is missing"),
    "edge without literal": (lambda d: d["nodes"][3]["edges"][1].pop("in"), "$.nodes[3].edges[1]", "'in' is missing"),
    "node without id": (lambda d: d["nodes"][3].pop("id"), "$.nodes[3]", "'id' is missing"),
    "id of another type": (node(3, id=1.5), "$.nodes[3].id", "of type float"),
    "id true": (node(3, id=True), "$.nodes[3].id", "of type bool"),
    "edges of another type": (node(3, edges={}), "$.nodes[3].edges", "of type object"),
    "literal of another type": (edge(3, 1, **{"in": "x"}), "$.nodes[3].edges[1].in", "of type str"),
    "a list as a value": (literal(0, 0, ["W"]), "$.nodes[0].edges[0].in", "no value"),
    "an object as a value": (literal(0, 0, {}), "$.nodes[0].edges[0].in", "no value"),
    "null as a value": (literal(3, 0, None), "$.nodes[3].edges[0].in", "no value"),
    "neither class nor feature": (lambda d: d["nodes"].append({"id": 9}), "$.nodes[7]", "neither"),
    "class and feature": (node(5, feature="n"), "$.nodes[5]", "neither"),
    "feature without edges": (lambda d: d["nodes"][3].pop("edges"), "$.nodes[3]", "neither"),
    "unknown kind of domain": (domain(2, type="complex"), "$.features[2].domain.type", "'complex'"),
    "domain without type": (domain(2, low=1), "$.features[2].domain", "'type' is missing"),
    "categorical without values": (domain(0, type="categorical"), "$.features[0].domain", "'values' is missing"),
    "a number as a category": (
        domain(0, type="categorical", values=[1]),
        "$.features[0].domain.values[0]",
        "of type int",
    ),
    "a bound that is no number": (
        domain(2, type="real", low="one"),
        "$.features[2].domain: low",
        "'one' is not a number",
    ),
    "a bound NaN": (domain(2, type="real", low="nan"), "$.features[2].domain: low", "'nan' is not a number"),
    "a bound inf": (domain(2, type="real", high="inf"), "$.features[2].domain: high", "'inf' is not a number"),
    "a bound null": (domain(2, type="real", high=None), "$.features[2].domain: high", "'None' is not a number"),
    "a bound true": (domain(2, type="real", high=True), "$.features[2].domain: high", "'True' is not a number"),
    "a bound 1/0": (domain(2, type="real", high="1/0"), "$.features[2].domain: high", "'1/0' is not a number"),
    "an open end that is no truth value": (domain(2, type="real", low_open=1), "$.features[2].domain.low_open", "int"),
    "empty name": (lambda d: d.update(name=""), "$.name", "empty"),
    "empty class name": (lambda d: d["classes"].append(""), "$.classes[3]", "empty"),
    "empty category": (
        lambda d: d["features"][0]["domain"]["values"].append(""),
        "$.features[0].domain: values[3]",
        "empty",
    ),
    "empty id": (lambda d: d["nodes"].append({"id": "", "class": "N"}), "$.nodes[7].id", "empty"),
    "long name": (lambda d: d.update(name="x" * 201), "$.name", "201 characters"),
    "control characters in a name": (lambda d: d.update(name="a\nb\x1b[31m"), "$.name", r"a\nb\u001b[31m"),
    "a C1 control character": (lambda d: d["features"][4].update(name="a\x9bb"), "$.features[4].name", r"a\u009bb"),
    "NUL in a class": (lambda d: d["classes"].append("a\0"), "$.classes[3]", r"a\u0000"),
    "newline in an id": (node(6, id="n\n"), "$.nodes[6].id", r"n\n"),
}
"""Mutations that the JSON Schema refuses too."""

MEANING: dict[str, tuple[Mutation, type[XpgcheckError], str, str]] = {
    "id twice": (node(3, id=2), FormatError, "$.nodes[3].id", "'2' is already that of $.nodes[1]"),
    "id twice as number and text": (node(6, id="2"), FormatError, "$.nodes[6].id", "'2' is already"),
    "an integer bound with a fraction": (
        domain(1, type="integer", low=0.5),
        FormatError,
        "$.features[1].domain: low",
        "1/2 is not an integer",
    ),
    "unknown feature": (node(3, feature="g"), FormatError, "$.nodes[3].feature", "'g' is not declared"),
    "unknown class": (node(5, **{"class": "X"}), FormatError, "$.nodes[5].class", "'X' is not declared"),
    "edge to nowhere": (edge(3, 1, to=77), FormatError, "$.nodes[3].edges[1].to", "no node '77'"),
    "edge to a node of another type": (edge(3, 0, to="5"), FormatError, "$.nodes[3].edges[0].to", "no node '5'"),
    "integer domain without a value": (
        domain(1, type="integer", low=3, high=2),
        DomainError,
        "$.features[1].domain",
        "empty",
    ),
    "real domain without a value": (
        domain(2, type="real", low=1, high=1, low_open=True),
        DomainError,
        "$.features[2].domain",
        "empty",
    ),
    "an unknown category": (literal(0, 0, "Z"), ValueSetError, "$.nodes[0].edges[0].in", "'Z' is not a category"),
    "true is not the category 1": (literal(0, 0, True), ValueSetError, "$.nodes[0].edges[0].in", "'True'"),
    "1.0 is not a category": (literal(0, 0, 1.0), ValueSetError, "$.nodes[0].edges[0].in", "is not a category"),
    "a value that is not Boolean": (literal(4, 0, 2), ValueSetError, "$.nodes[4].edges[0].in", "'2' is not Boolean"),
    "a malformed interval": (literal(1, 0, "(-inf 5]"), ValueSetError, "$.nodes[1].edges[0].in", "not a number"),
    "a closed infinite end": (literal(1, 0, "[-inf, 5]"), ValueSetError, "$.nodes[1].edges[0].in", "infinite end"),
    "an interval to NaN": (literal(1, 0, "(-inf, nan]"), ValueSetError, "$.nodes[1].edges[0].in", "'nan'"),
    "a number of 500 digits": (literal(1, 0, "9" * 500), ValueSetError, "$.nodes[1].edges[0].in", "500 characters"),
    "an exponent of millions": (
        literal(1, 0, "1e9999999"),
        ValueSetError,
        "$.nodes[1].edges[0].in",
        "'1e9999999' is not a number",
    ),
    "missing where nothing may miss": (literal(2, 0, "missing"), ValueSetError, "$.nodes[2].edges[0].in", "'missing'"),
    "an empty literal": (literal(1, 0, "(5, 5)"), EmptyLiteralError, "node '2'", "is empty"),
    "a literal outside the domain": (literal(1, 0, 77), EmptyLiteralError, "node '2'", "is empty"),
    "overlapping literals": (literal(1, 1, "[5, inf)"), OverlapError, "node '2'", "overlap on '[5, 5]'"),
    "a gap between literals": (literal(1, 1, "[7, inf)"), UncoveredError, "node '2'", "'[6, 6]'"),
    "an inconsistent path": (
        lambda d: (node(4, feature="n")(d), literal(4, 0, "(-inf, 20)")(d), literal(4, 1, "[20, 30)")(d)),
        EmptyLiteralError,
        "node '5'",
        "is empty",
    ),
    "a path that excludes all values": (
        lambda d: (
            node(1, feature="Age", edges=[{"to": 3, "in": ["W"]}, {"to": 4, "in": ["T", "O"]}])(d),
            literal(0, 1, "T", "O")(d),
        ),
        InconsistentPathError,
        "node '2'",
        "'1' → '2' → '4'",
    ),
    "parallel edges that overlap": (
        lambda d: (edge(1, 1, to=3)(d), literal(1, 1, "[5, inf)")(d)),
        StructureError,
        "node '2'",
        "two edges to node '3' overlap",
    ),
    "a cycle": (edge(4, 0, to=2), CycleError, "", "cycle: '2'"),
    "the root on a cycle": (edge(4, 0, to=1), CycleError, "", "cycle"),
    "a root with edges to it": (lambda d: d.update(root=5), RootError, "node '5'", "incoming edges"),
    "an unknown root": (lambda d: d.update(root=99), RootError, "", "'99' is not a node"),
    "two roots": (
        lambda d: (d.pop("root"), d["nodes"].append({"id": 9, "class": "L"})),
        RootError,
        "",
        "2 roots: '1', '9'",
    ),
    "an unreachable node": (
        lambda d: d["nodes"].append({"id": 9, "class": "L"}),
        UnreachableError,
        "node '9'",
        "cannot be reached",
    ),
    "a feature twice": (
        lambda d: d["features"][1].update(name="Age"),
        FormatError,
        "$.features[1].name",
        "feature 'Age' is declared twice",
    ),
}
"""Mutations that only the reader can refuse."""

BOTH: dict[str, tuple[Mutation, type[XpgcheckError], str, str]] = {
    "zero features": (
        lambda d: d.update(features=[], nodes=[{"id": 1, "class": "N"}]),
        ModelError,
        "",
        "no features",
    ),
    "zero nodes": (lambda d: (d.update(nodes=[]), d.pop("root")), StructureError, "", "no nodes"),
    "zero classes": (lambda d: d.update(classes=[]), FormatError, "$.nodes[5].class", "'T' is not declared"),
    "a class twice": (lambda d: d["classes"].append("N"), FormatError, "$.classes[3]", "class 'N' is declared twice"),
    "zero edges": (node(3, edges=[]), StructureError, "node '4'", "without edges"),
    "an empty list of values": (literal(1, 0), EmptyLiteralError, "node '2'", "is empty"),
    "an empty domain": (domain(0, type="categorical", values=[]), DomainError, "$.features[0].domain", "empty"),
    "a category twice": (
        domain(0, type="categorical", values=["W", "W"]),
        DomainError,
        "$.features[0].domain",
        "twice",
    ),
}
"""Mutations that the schema refuses, and the model with an error of its own."""


@pytest.mark.parametrize("case", STRUCTURE)
def test_a_wrong_structure_is_refused(case: str, tmp_path: Path) -> None:
    mutate, place, problem = STRUCTURE[case]
    error = refusal(changed(mutate), FormatError, tmp_path)
    assert error.place.endswith(f": {place}")
    assert problem in error.problem


@pytest.mark.parametrize("case", MEANING | BOTH)
def test_a_wrong_meaning_is_refused(case: str, tmp_path: Path) -> None:
    mutate, kind, place, problem = (MEANING | BOTH)[case]
    error = refusal(changed(mutate), kind, tmp_path)
    assert error.place.endswith(place)
    assert problem in error.problem


class TestSchema:
    def test_it_describes_every_part(self) -> None:
        assert all("description" in part for part in schema("decision-graph")["$defs"].values())

    @pytest.mark.parametrize("name", embedded.names())
    def test_embedded_models_follow_it(self, name: str) -> None:
        fits_schema(json.loads(model_json(embedded.load(name).graph)), "decision-graph")

    def test_the_small_document_follows_it(self) -> None:
        fits_schema(small(), "decision-graph")

    @pytest.mark.parametrize("case", [*STRUCTURE, *BOTH])
    def test_it_refuses_what_the_reader_refuses(self, case: str) -> None:
        document = small()
        mutate = STRUCTURE[case][0] if case in STRUCTURE else BOTH[case][0]
        mutate(document)
        assert not validator("decision-graph").is_valid(document)


class TestFiles:
    def test_a_missing_file(self, tmp_path: Path) -> None:
        path = tmp_path / "absent.json"
        with pytest.raises(InputError, match="there is no such file; correct the path") as caught:
            read_json(path)
        assert caught.value.place == str(path)

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="this is a folder, not a file; name a file"):
            read_json(tmp_path)

    def test_below_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="no such file"):
            read_json(tmp_path / "file" / "model.json")

    def test_an_impossible_path(self) -> None:
        with pytest.raises(InputError, match=r"'a\\u0000b': the file cannot be read"):
            read_json("a\0b")

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
    def test_an_unreadable_file(self, tmp_path: Path) -> None:
        path = tmp_path / "secret.json"
        path.write_text("{}")
        path.chmod(0)
        with pytest.raises(InputError, match="may not be read; change its permissions"):
            read_json(path)

    def test_an_unreadable_file_as_the_system_says_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(InputError, match="may not be read; change its permissions"):
            read_json(tmp_path / "secret.json")

    def test_a_file_over_the_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "large.json"
        path.write_bytes(encoded(small()))
        with pytest.raises(LimitError, match=r"the file has \d+ bytes, the limit is 100; raise the limit") as caught:
            read_json(path, max_bytes=100)
        assert caught.value.place == str(path)

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
    def test_a_device_without_end(self) -> None:
        with pytest.raises(LimitError, match="over 1000 bytes"):
            read_json("/dev/zero", max_bytes=1000)

    def test_a_path_with_control_characters_stays_on_the_line(self, tmp_path: Path) -> None:
        path = tmp_path / "a\nb.json"
        path.write_text("{")
        with pytest.raises(FormatError) as caught:
            read_json(path)
        assert str(caught.value).isprintable()


def chain(depth: int, features: int) -> Document:
    """Return a chain of *depth* tests of integer features, each feature again and again."""
    nodes: list[Document] = []
    for i in range(depth):
        bound = depth - i
        nodes.append(
            {
                "id": i,
                "feature": f"x{i % features}",
                "edges": [{"to": i + 1, "in": [f"(-inf, {bound}]"]}, {"to": "high", "in": [f"({bound}, inf)"]}],
            }
        )
    nodes += [{"id": depth, "class": "low"}, {"id": "high", "class": "high"}]
    names = [{"name": f"x{i}", "domain": {"type": "integer"}} for i in range(features)]
    return small() | {"root": 0, "features": names, "classes": ["low", "high"], "nodes": nodes}


def boolean_chain(depth: int) -> Document:
    """Return the conjunction of *depth* negated Boolean features."""
    document = chain(depth, depth)
    for feature in document["features"]:
        feature["domain"] = {"type": "boolean"}
    for record in document["nodes"][:depth]:
        for value, edge in enumerate(record["edges"]):
            edge["in"] = [value]
    return document


class TestLargeModels:
    def test_a_long_chain_of_features(self) -> None:
        depth = 20_000
        data = encoded(boolean_chain(depth))
        before = sys.getrecursionlimit()
        graph = parse_json(data)
        assert sys.getrecursionlimit() == before
        assert graph.depth() == depth
        assert graph.classes[graph.kappa((False,) * depth)] == "low"
        assert graph.classes[graph.kappa((False,) * (depth - 1) + (True,))] == "high"

    def test_a_chain_that_tests_the_same_features_again_and_again(self) -> None:
        graph = parse_json(encoded(chain(10_000, 3)))
        assert graph.depth() == 10_000
        assert graph.classes[graph.kappa((0, 0, 0))] == "low"

    def test_a_cycle_at_the_end_of_a_chain(self) -> None:
        document = chain(20_000, 3)
        document["nodes"][-3]["edges"][0]["to"] = 10_000
        document["nodes"].pop(-2)
        with pytest.raises(CycleError) as caught:
            parse_json(encoded(document))
        assert len(str(caught.value)) < 1000

    def test_an_unreachable_node_beside_a_chain(self) -> None:
        document = boolean_chain(20_000)
        document["nodes"].append({"id": "lost", "class": "low"})
        with pytest.raises(UnreachableError, match="'lost': 1 node"):
            parse_json(encoded(document))

    def test_assumptions_that_cannot_be_decided(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from xpgcheck.model import assumptions
        from xpgcheck.readers import json_model

        monkeypatch.setattr(json_model, "check_assumptions", lambda graph: assumptions.check_assumptions(graph, 10))
        with pytest.raises(UndecidedError, match="could not be decided"):
            parse_json(encoded(chain(50, 3)))


class TestWriting:
    @pytest.mark.parametrize("name", embedded.names())
    def test_reading_back_is_the_identity(self, name: str) -> None:
        graph = embedded.load(name).graph
        text = model_json(graph)
        assert parse_json(text.encode()) == graph
        assert model_json(parse_json(text.encode())) == text

    def test_reading_back_every_domain(self) -> None:
        graph = parse_json(encoded(small()))
        assert parse_json(model_json(graph).encode()) == graph

    @pytest.mark.parametrize(
        "domain",
        [
            Integer(),
            Integer(low=-(10**30)),
            Integer(high=2**53),
            Real(),
            Real(Fraction(1, 3), Fraction(2, 3), True, True),
            Real(None, Fraction(-7, 2), True, False),
            Real(Fraction(2) ** -1074),
            Float32(False),
            Float32(True),
            Float64(False),
            Float64(True),
            Categorical(("b", "a", "0", "missing", "(0, 1]")),
            Boolean(),
        ],
        ids=str,
    )
    def test_reading_back_each_domain(self, domain: Any) -> None:
        graph = decision_graph("g", [Feature("x", domain)], ["c"], {"t": Terminal(0)})
        assert parse_json(model_json(graph).encode()) == graph

    def test_one_node_a_line(self) -> None:
        lines = model_json(embedded.load("hardware").graph).splitlines()
        assert '  {"id": 4, "class": "T"},' in lines

    def test_a_file_is_written_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        graph = embedded.load("hardware").graph
        write_json(graph, path)
        assert read_json(path) == graph
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "\ud800"])
    def test_names_that_would_not_be_read_are_not_written(self, name: str) -> None:
        for graph in (
            decision_graph(name, [Feature("x", Boolean())], ["c"], {"t": Terminal(0)}),
            decision_graph("g", [Feature(name, Boolean())], ["c"], {"t": Terminal(0)}),
            decision_graph("g", [Feature("x", Categorical((name,)))], ["c"], {"t": Terminal(0)}),
            decision_graph("g", [Feature("x", Boolean())], [name], {"t": Terminal(0)}),
            decision_graph("g", [Feature("x", Boolean())], ["c"], {name: Terminal(0)}),
        ):
            with pytest.raises(FormatError, match="the name of a"):
                model_json(graph)

    def test_numbers_that_would_not_be_read_are_not_written(self, tmp_path: Path) -> None:
        huge = Fraction(10**500 + 1, 3)
        graph: DecisionGraph = decision_graph("g", [Feature("x", Real(huge))], ["c"], {"t": Terminal(0)})
        with pytest.raises(InputError, match="characters"):
            write_json(graph, tmp_path / "model.json")
        assert list(tmp_path.iterdir()) == []
