"""Instances and lists of features as they are typed."""

from __future__ import annotations

import contextlib
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.cli.instance_option import parse_features, parse_instance
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Integer, Real
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import MISSING, Point
from xpgcheck.properties.strategies import cases

AGE, STUDENT = Feature("age", Integer(0, 120)), Feature("student", Categorical(("Y", "N")))

ODD = [Feature('a, "b"', Boolean()), Feature("c = d", Categorical(("x,y", "=z", ' " '))), Feature(" e", Real())]


@pytest.mark.parametrize(
    "text",
    [
        "age=41, student=Y",
        "student=Y,age=41",
        "  age = 41 ,\tstudent = Y  ",
        '"age"="41","student"= Y ,',
        "age=41,student=Y,",
    ],
)
def test_order_spaces_and_quotes_do_not_matter(text: str) -> None:
    assert parse_instance(text, [AGE, STUDENT]) == (41, "Y")


def test_names_and_values_with_commas_quotes_and_equals_signs() -> None:
    text = '"a, ""b""" = 1, "c = d"="x,y", " e"=-5/2'
    assert parse_instance(text, ODD) == (True, "x,y", Fraction(-5, 2))
    assert parse_instance('"a, ""b"""=0,"c = d"==z," e"=1e-1', ODD) == (False, "=z", Fraction(1, 10))
    assert parse_instance('"a, ""b"""=0,"c = d"=" "" "," e"=1', ODD)[1] == ' " '


def test_a_missing_value() -> None:
    for text in ("x=", "x=nan", 'x=""', "x = missing"):
        assert parse_instance(text, [Feature("x", Float32(True))]) == (MISSING,)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "there is no feature ''; the features are 'age', 'student'"),
        ("age=41", "1 feature has no value: 'student'; write feature=value for each, with commas between"),
        ("student=Y,age=41,size=3", "there is no feature 'size'; the features are 'age', 'student'"),
        ("Age=41,student=Y", "there is no feature 'Age'; the features are 'age', 'student'"),
        ("age=41,age=42,student=Y", "feature 'age': there are two values; give it one"),
        ("age=41,student", "feature 'student': there is no value; write student=…, or put names"),
        ("41,Y", "there is no feature '41'; the features are"),
        ("age=41,,student=Y", "there is no feature ''; the features are"),
        ("age=old,student=Y", "feature 'age': 'old' is not a finite number; write a value of integers [0, 120]"),
        ("age=,student=Y", "feature 'age': the value is missing; write a value of"),
        ("age=121,student=Y", "feature 'age': '121' is outside the domain; write a value of"),
        ("age=41,student=X", "feature 'student': 'X' is not a category; write one of '{Y, N}'"),
        ("age=41,student=Y=Y", "feature 'student': 'Y=Y' is not a category"),
        ('age=41,student="Y', "character 16: a quote is not closed; close it"),
        ('age=41,student=Y"', "character 17: a quote inside a name or a value; put names and values"),
        ('age="41"x,student=Y', "character 9: text after a closing quote; put names and values"),
        ('"age=41",student=Y', "there is no feature 'age=41'; the features are"),
    ],
)
def test_what_is_wrong_is_one_line(text: str, line: str) -> None:
    with pytest.raises(InstanceError) as caught:
        parse_instance(text, [AGE, STUDENT])
    assert str(caught.value).startswith(line)
    assert caught.value.mend
    assert "\n" not in str(caught.value)


def test_many_missing_features_are_counted() -> None:
    features = [Feature(f"x{i}", Boolean()) for i in range(20)]
    with pytest.raises(InstanceError, match=r"^19 features have no value: 'x0', 'x2', 'x3', 'x4', 'x5', …;"):
        parse_instance("x1=1", features)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@given(cases(), st.randoms(use_true_random=False))
def test_every_point_can_be_typed(case: tuple[DecisionGraph, Point], chance: object) -> None:
    graph, point = case
    items = [f"{quoted(f.name)}={quoted(value_text(v))}" for f, v in zip(graph.features, point, strict=True)]
    assert parse_instance(", ".join(items), graph.features) == point


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    # A random text does not give an instance over these two features, but it could.
    with contextlib.suppress(InstanceError):
        assert len(parse_instance(text, [AGE, STUDENT])) == 2


@pytest.mark.parametrize("unit", ['"', '""', "a=,", "=", ",", " "])
def test_long_texts_take_linear_time(unit: str) -> None:
    # Milliseconds: a quadratic reader would take hours.
    start = time.process_time()
    with pytest.raises(InstanceError):
        parse_instance(unit * 200_000, [AGE, STUDENT])
    assert time.process_time() - start < 60


def test_lists_of_features() -> None:
    assert parse_features("student, age,student", [AGE, STUDENT]) == [1, 0]
    assert parse_features('"c = d","a, ""b"""', ODD) == [1, 0]
    assert parse_features("c = d", ODD) == [1], "in a list an equals sign is an ordinary character"
    assert parse_features("  ", ODD) == []
    with pytest.raises(InputError, match="there is no feature 'size'; the features are 'age', 'student'"):
        parse_features("age,size", [AGE, STUDENT])
    with pytest.raises(InputError, match="there is no feature ''"):
        parse_features("age,,student", [AGE, STUDENT])
