"""Decision lists: read line by line, compiled by two routes, and equal to "the first rule that holds" everywhere."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from xpgcheck.errors import FormatError, LimitError, ModelError, XpgcheckError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.domains import Boolean, Categorical, Feature, Real
from xpgcheck.model.values import Point
from xpgcheck.readers.decision_list import parse_decision_list, parse_rules, read_decision_list
from xpgcheck.readers.decision_list_graph import (
    DecisionList,
    ListRule,
    by_equation,
    by_expansion,
    decision_list_graph,
    equation_serves,
)

TENNIS = """\
# play tennis?
feature outlook: sunny, overcast, rain
feature windy: boolean
class no, yes

IF outlook = sunny AND windy = 1 THEN no
IF outlook != rain THEN yes
ELSE no
"""

EXAMPLE_9 = """\
IF x_1 = 1 AND x_2 = 1 THEN 1
IF x_1 = 0 AND x_2 = 1 THEN 0
THEN 0
"""
"""The paper's Example 9."""


def points(rules: DecisionList) -> Iterator[Point]:
    values = [f.domain.values if isinstance(f.domain, Categorical) else (False, True) for f in rules.features]
    return itertools.product(*values)


def compiled(rules: DecisionList) -> int:
    """Compile *rules* by every route that serves and compare κ at every point; return how many there were."""
    graphs = [by_expansion(rules)]
    if equation_serves(rules):
        pytest.importorskip("dd", reason="dd is not installed: pip install 'xpgcheck[bdd]'")
        graphs.append(by_equation(rules))
        assert graphs[0].node_count == graphs[1].node_count, "reduced ordered diagrams are canonical"
        assert graphs[0].feature_of == graphs[1].feature_of
    for graph in graphs:
        check_assumptions(graph)
        assert (graph.features, graph.classes) == (rules.features, rules.classes)
    count = 0
    for point in points(rules):
        assert {graph.kappa(point) for graph in graphs} == {rules.kappa(point)}
        count += 1
    return count


def test_a_list_with_declarations() -> None:
    graph = parse_decision_list(TENNIS.encode(), "tennis")
    assert graph.features == (
        Feature("outlook", Categorical(("sunny", "overcast", "rain"))),
        Feature("windy", Boolean()),
    )
    assert graph.classes == ("no", "yes")
    expected = {
        ("sunny", True): "no",
        ("sunny", False): "yes",
        ("overcast", True): "yes",
        ("overcast", False): "yes",
        ("rain", True): "no",
        ("rain", False): "no",
    }
    assert {point: graph.classes[graph.kappa(point)] for point in expected} == expected


def test_the_paper_s_example_9() -> None:
    rules = parse_rules(EXAMPLE_9.encode(), "example 9")
    assert rules.classes == ("0", "1")
    assert [rules.kappa(point) for point in points(rules)] == [0, 0, 0, 1], "x_1 ∧ x_2"
    assert compiled(rules) == 4
    assert decision_list_graph(rules).node_count == 4


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("classes", "categorical"), [(2, False), (2, True), (3, True), (3, False), (1, True)])
def test_kappa_is_that_of_the_first_rule_that_holds(seed: int, classes: int, categorical: bool) -> None:
    rules = parse_rules(random_list(seed, classes, categorical).encode(), "random")
    assert compiled(rules) >= 2


def random_list(
    seed: int, classes: int, categorical: bool, features: int = 6, rules: int = 8, conditions: int = 3
) -> str:
    """Return a random list, with quoted names, contradictions, rules that never hold and unused features."""
    chance = random.Random(f"{seed} {classes} {categorical}")
    lines, values = [], []
    for i in range(features):
        many = categorical and chance.random() < 0.6
        values.append(["a", 'say ""c, d""', "="][: chance.randint(1, 3)] if many else ["0", "1"])
        lines.append(f'feature "f {i}": ' + ", ".join(f'"{value}"' for value in values[i]))
    lines.append("CLASS " + ", ".join(f"c{k}" for k in range(classes)))
    for _ in range(rules):
        tested = chance.choices(range(features), k=chance.randint(1, conditions))
        parts = [f'"f {i}"{chance.choice(["=", " == ", "!= "])}"{chance.choice(values[i])}"' for i in tested]
        lines.append(f"if {' AND '.join(parts)} then c{chance.randrange(classes)}")
    return "\n".join([*lines, f"else c{chance.randrange(classes)}"])


@pytest.mark.parametrize(("seeds", "least"), [(4, 10_000), pytest.param(40, 100_000, marks=pytest.mark.slow)])
def test_kappa_on_many_points(seeds: int, least: int) -> None:
    count = 0
    for seed in range(seeds):
        for classes, categorical in ((2, False), (3, True)):
            text = random_list(seed, classes, categorical, features=11, rules=25, conditions=4)
            count += compiled(parse_rules(text.encode(), "random"))
    assert count >= least


def test_the_list_in_the_document_of_formats_is_read() -> None:
    document = Path(__file__).parents[2] / "docs" / "reference" / "format.md"
    (text,) = re.findall(r"^```dl\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert parse_decision_list(text.encode(), "tennis") == parse_decision_list(TENNIS.encode(), "tennis")


def test_what_may_be_left_out() -> None:
    text = 'if x_10 == 1 and x_2 != 0 then y = "b c"\nif TRUE then y=a'
    rules = parse_rules(text.encode(), "short")
    assert [feature.name for feature in rules.features] == ["x_2", "x_10"], "natural order"
    assert rules.classes == ("a", "b c")
    assert [rules.kappa(point) for point in points(rules)] == [0, 0, 0, 1]


def test_a_constant_list() -> None:
    graph = parse_decision_list(b"feature x: boolean\nELSE THEN a\n", "constant")
    assert (graph.node_count, graph.classes) == (1, ("a",))


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf" + TENNIS.replace("\n", "\r\n").encode()
    assert parse_decision_list(data, "tennis") == parse_decision_list(TENNIS.encode(), "tennis")


def test_zero_and_one_as_a_list_are_boolean() -> None:
    assert parse_rules(b"feature x: 1, 0\nELSE a", "x").features == (Feature("x", Boolean()),)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", "line 1", "there is no default rule"),
        ("IF x = 1 THEN a\n", "line 2", "there is no default rule"),
        ("ELSE a", "", "there are no features"),
        ("IF x = 1 THEN a\nELSE b\nIF x = 0 THEN a", "line 3", "a rule after the default rule"),
        ("hello", "line 1", "'hello' stands where FEATURE, CLASS, IF or ELSE is expected"),
        ("IF x = 1 a\nELSE b", "line 1", "'a' stands where THEN is expected"),
        ("IF x 1 THEN a", "line 1", "'1' stands where = or == or != is expected"),
        ("IF x = 1 AND THEN a", "line 1", "'THEN' stands where the name of a feature is expected"),
        ("IF THEN a", "line 1", "'THEN' stands where the name of a feature"),
        ("IF x = THEN a", "line 1", "'THEN' stands where the name of a category"),
        ("IF x = 1 THEN", "line 1", "the line ends where the name of a class is expected"),
        ("IF x = 1 THEN a b", "line 1", "'b' stands where the end of the line is expected"),
        ("IF x = 1, y = 1 THEN a", "line 1", "',' stands where THEN is expected"),
        ("IF x ! 1 THEN a", "line 1", "'!' stands where"),
        ('IF "x = 1 THEN a', "line 1", "a quote is not closed"),
        ('IF "" = 1 THEN a', "line 1", "the name of a feature is empty"),
        ("IF x = red THEN a\nELSE b", "line 1, feature 'x'", "'red' is not Boolean"),
        ("feature x: a, b\nIF x = c THEN a\nELSE b", "line 2, feature 'x'", "'c' is not a category"),
        ("feature x: a, b\nIF y = c THEN a\nELSE b", "line 2", "the feature 'y' is not declared"),
        ("class a, b\nIF x = 1 THEN c\nELSE b", "line 2", "the class 'c' is not declared"),
        ("feature x\nELSE a", "line 1", "the line ends where : is expected"),
        ("feature x:\nELSE a", "line 1", "the line ends where the name of a category"),
        ("feature x: a,\nELSE a", "line 1", "the line ends where the name of a category"),
        ("feature x: a, a\nELSE a", "line 1", "category 'a' is listed twice"),
        ("feature x: boolean\nfeature x: boolean\nELSE a", "line 2", "feature 'x' is declared twice"),
        ("class a\nclass b\nELSE a", "line 2", "the classes are declared twice"),
        ("class a, a\nELSE a", "line 1", "a class is declared twice"),
        ("IF x = 1 THEN a\nfeature x: boolean\nELSE a", "line 2", "a declaration after a rule"),
        ("feature if: boolean\nELSE a", "line 1", "'if' stands where the name of a feature"),
        ("IF x = 1 THEN a\x00b\nELSE a", "line 1", "control character"),
        (f"IF {'x' * 300} = 1 THEN a\nELSE a", "line 1", "the name of a feature has 300 characters"),
        ("IF x=1 THEN a\nELSE \ud800", "line 2", "not UTF-8"),
    ],
)
def test_a_broken_list_is_one_line(text: str, place: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.dl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(XpgcheckError) as caught:
        read_decision_list(path)
    error = caught.value
    assert isinstance(error, (FormatError, ValueError))
    assert error.place.startswith(f"{path}: {place}" if place else str(path))
    assert problem in error.problem
    assert error.mend
    assert str(error).isprintable()


@pytest.mark.parametrize("word", ['"', '""', '"a""', "=", "x" * 9, " ", "IF x = 1 AND "])
def test_long_lines_take_linear_time(word: str) -> None:
    with pytest.raises(XpgcheckError):
        parse_rules(f"IF {word * 20_000}".encode(), "long")


def test_keywords_in_quotes_are_names() -> None:
    rules = parse_rules(b'IF "if" = 1 AND "true" = 1 THEN "else"\nELSE then_', "quoted")
    assert [feature.name for feature in rules.features] == ["if", "true"]
    assert rules.classes == ("else", "then_")


def blowing_up(pairs: int) -> DecisionList:
    """Return x_1 ∧ y_1 ∨ x_2 ∧ y_2 ∨ … under the order x_1 x_2 … y_1 y_2 …, which needs 2^pairs nodes."""
    features = tuple(Feature(f"{letter}{i}", Boolean()) for letter in "xy" for i in range(pairs))
    true = frozenset([True])
    rules = [ListRule({i: true, pairs + i: true}, 1) for i in range(pairs)]
    return DecisionList("pairs", features, ("0", "1"), (*rules, ListRule({}, 0)))


def test_a_graph_that_would_be_too_large_is_refused() -> None:
    mend = "declare features that rules test together next to each other"
    with pytest.raises(LimitError, match=f"more than 500 sets of rules; {mend}"):
        by_expansion(blowing_up(12), limit=500)
    pytest.importorskip("dd", reason="dd is not installed: pip install 'xpgcheck[bdd]'")
    with pytest.raises(LimitError, match=f"more than 500 nodes of the BDD; {mend}"):
        by_equation(blowing_up(12), limit=500)
    assert by_equation(blowing_up(6)).node_count == by_expansion(blowing_up(6)).node_count == 2**7


def test_the_equation_is_for_boolean_features_and_two_classes() -> None:
    for rules in (parse_rules(TENNIS.encode(), "tennis"), parse_rules(b"feature x: boolean\nELSE a", "one class")):
        assert not equation_serves(rules)
        with pytest.raises(ModelError, match="compile by expansion"):
            by_equation(rules)


def test_more_features_than_recursion_allows() -> None:
    lines = [f"IF x_{i} = 1 AND x_{i + 1} = 1 THEN {i % 2}" for i in range(3_000)]
    rules = parse_rules("\n".join([*lines, "ELSE 0"]).encode(), "long")
    graph = decision_list_graph(rules)
    chance = random.Random(0)
    for _ in range(50):
        point = tuple(chance.random() < 0.02 for _ in rules.features)
        assert graph.kappa(point) == rules.kappa(point)


def test_a_list_is_valid_by_construction() -> None:
    x = Feature("x", Boolean())
    with pytest.raises(ModelError, match="no default rule"):
        DecisionList("d", (x,), ("a",), (ListRule({0: frozenset([True])}, 0),))
    with pytest.raises(ModelError, match="no default rule"):
        DecisionList("d", (x,), ("a",), ())
    with pytest.raises(ModelError, match="finite domains"):
        DecisionList("d", (Feature("x", Real()),), ("a",), (ListRule({}, 0),))


def test_a_class_variable_called_y_does_not_meet_a_feature_of_that_name() -> None:
    rules = parse_rules(b"IF y = 1 AND y' = 0 THEN 1\nELSE 0", "y")
    assert compiled(rules) == 4
