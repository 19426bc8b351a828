"""Constraints: what they allow, what is wrong with them, and how they are read."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from xpgcheck.errors import FormatError, InputError, ModelError
from xpgcheck.model.constraint import (
    BrokenError,
    ImpossibleError,
    constraint_of_clauses,
    constraint_of_graph,
)
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Integer, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.readers.json_constraints import parse_constraint, read_constraint

FEATURES = [
    Feature("age", Integer(0, 120)),
    Feature("licence", Categorical(("yes", "no"))),
    Feature("owner", Boolean()),
    Feature("income", Real()),
]
NO_LICENCE = [{"feature": "age", "in": ["[18, 120]"]}, {"feature": "licence", "in": ["no"]}]


def _values(feature: int, *items: object) -> tuple[int, Any]:
    domain: Domain = FEATURES[feature].domain
    return feature, read_literal(domain, items)


def _document(**fields: object) -> bytes:
    return json.dumps({"format": "constraints", "version": 1, **fields}).encode()


def test_clauses_of_a_file_allow_and_forbid() -> None:
    found = parse_constraint(_document(clauses=[{"any": NO_LICENCE, "name": "minors have none"}]), FEATURES)
    assert found.allows((17, "no", True, Fraction(0)))
    assert not found.allows((17, "yes", True, Fraction(0)))
    assert found.allows((18, "yes", True, Fraction(0)))


def test_an_instance_that_breaks_a_clause_is_told_which() -> None:
    found = parse_constraint(_document(clauses=[{"any": NO_LICENCE, "name": "minors have none"}]), FEATURES)
    with pytest.raises(BrokenError, match=r"clause 1 'minors have none' \(age in \[18, 120\] or licence in \{no\}\)"):
        found.require((17, "yes", True, Fraction(0)))
    found.require((18, "yes", True, Fraction(0)))


def test_a_graph_of_a_file_is_told_by_its_path() -> None:
    nodes = [
        {"id": "a", "feature": "age", "edges": [{"to": "l", "in": ["[0, 17]"]}, {"to": "ok", "in": ["[18, 120]"]}]},
        {"id": "l", "feature": "licence", "edges": [{"to": "no", "in": ["yes"]}, {"to": "ok", "in": ["no"]}]},
        {"id": "ok", "class": "allowed"},
        {"id": "no", "class": "forbidden"},
    ]
    found = parse_constraint(_document(nodes=nodes), FEATURES)
    assert found.allows((18, "yes", True, Fraction(0)))
    with pytest.raises(BrokenError, match="takes the path 'a' → 'l' → 'no' to 'forbidden'"):
        found.require((17, "yes", True, Fraction(0)))


def test_clauses_in_conflict_are_a_least_set_of_them() -> None:
    clauses = [
        [_values(1, "yes"), _values(2, 1)],
        [_values(0, "[0, 10]")],
        [_values(3, "(0, inf)")],
        [_values(0, "[5, 20]"), _values(1, "no")],
        [_values(0, "[11, 120]"), _values(1, "yes")],
        [_values(1, "no")],
    ]
    with pytest.raises(ImpossibleError, match="3 clauses are in conflict, clause 2") as caught:
        constraint_of_clauses(FEATURES, clauses)
    assert caught.value.clauses == (1, 4, 5)


def test_a_graph_that_allows_nothing_is_refused() -> None:
    graph = decision_graph("nothing", FEATURES, ["allowed", "forbidden"], {0: Terminal(1)})
    with pytest.raises(ImpossibleError, match="no path leads to 'allowed'"):
        constraint_of_graph(graph)


@pytest.mark.parametrize(
    ("literal", "problem"),
    [((7, None), "there is no feature 7"), ((0, "(120, inf)"), "no value of feature 'age' is in")],
)
def test_literals_that_cannot_be_are_refused(literal: tuple[int, Any], problem: str) -> None:
    values = read_literal(Integer(), [literal[1] or "(0, 1)"])
    with pytest.raises(InputError, match=problem):
        constraint_of_clauses(FEATURES, [[(literal[0], values)]])


def test_a_clause_without_literals_is_refused() -> None:
    with pytest.raises(InputError, match="clause 2: it has no literals"):
        constraint_of_clauses(FEATURES, [[_values(2, 1)], []])


def test_literals_of_one_feature_become_one() -> None:
    found = constraint_of_clauses(FEATURES, [[_values(0, "[0, 3]"), _values(2, 1), _values(0, "[4, 9]")]])
    assert [literal.feature for literal in found.clauses[0].literals] == [0, 2]
    assert str(found.clauses[0].literals[0].values) == "[0, 9]"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"clauses": []}, "no clauses and no nodes"),
        ({"clauses": [{"any": NO_LICENCE}], "nodes": []}, "both clauses and nodes"),
        ({"clauses": [{"any": [{"feature": "Age", "in": [1]}]}]}, r"no feature 'Age'; did you mean 'age'"),
        ({"clauses": [{"any": [{"feature": "licence", "in": ["maybe"]}]}]}, r"clauses\[0\].any\[0\].in: 'maybe'"),
        ({"clauses": [{"any": [{"feature": "licence", "in": [2.5]}]}]}, r"clauses\[0\].any\[0\].in"),
        ({"clauses": [{"all": []}]}, r"\$\.clauses\[0\]: .*follow the schema"),
        ({"clauses": [{"any": [{"feature": "licence", "in": []}]}]}, "clause 1: no value of feature 'licence'"),
        ({"nodes": [{"id": 0, "class": "good"}]}, "the class 'good' is not declared"),
    ],
)
def test_files_that_are_wrong_are_refused_with_the_place(fields: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        parse_constraint(_document(**fields), FEATURES)
    assert caught.value.mend


def test_another_format_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"format": "claims"}')
    with pytest.raises(FormatError, match=r"c\.json: \$\.format: the format is 'claims'"):
        read_constraint(path, FEATURES)


def _graph(features: list[Feature]) -> Any:
    number = [feature.name for feature in features].index("owner")
    yes, no = (read_literal(Boolean(), [value]) for value in (1, 0))
    nodes = {0: NonTerminal(number, ((1, yes), (2, no))), 1: Terminal(0), 2: Terminal(1)}
    return decision_graph("owners", features, ["allowed", "forbidden"], nodes)


def test_a_graph_over_the_features_in_another_order_is_turned_round() -> None:
    found = constraint_of_graph(_graph(FEATURES[::-1]), FEATURES)
    assert found.features == tuple(FEATURES)
    assert found.allows((17, "yes", True, Fraction(0)))
    assert not found.allows((17, "yes", False, Fraction(0)))
    assert found.digest == constraint_of_graph(_graph(FEATURES)).digest


@pytest.mark.parametrize(
    ("features", "problem"),
    [
        (FEATURES[1:], "the constraint has no feature 'age'"),
        ([*FEATURES, Feature("extra", Boolean())], "the model has no feature 'extra'"),
        ([Feature("age", Integer(0, 100)), *FEATURES[1:]], "feature 'age' has the domain"),
    ],
)
def test_a_graph_over_other_features_is_refused(features: list[Feature], problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        constraint_of_graph(_graph(features), FEATURES)


def test_a_graph_of_other_classes_is_refused() -> None:
    graph = decision_graph("g", FEATURES, ["allowed", "impossible"], {0: Terminal(0)})
    with pytest.raises(ModelError, match="the constraint has the class 'impossible'"):
        constraint_of_graph(graph)


def test_digests_are_of_what_can_occur_not_of_names() -> None:
    plain = parse_constraint(_document(clauses=[{"any": NO_LICENCE}]), FEATURES)
    named = parse_constraint(_document(clauses=[{"any": NO_LICENCE, "name": "n"}]), FEATURES)
    other = parse_constraint(_document(clauses=[{"any": NO_LICENCE[:1]}]), FEATURES)
    assert plain.digest == named.digest != other.digest
