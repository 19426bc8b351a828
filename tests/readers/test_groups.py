"""Groups of encoded columns, of models that come without their pipeline."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

import xpgcheck
from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError, InputError, InstanceError
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Integer
from xpgcheck.model.ensemble import ensemble
from xpgcheck.model.value_sets import FiniteSet, Grid
from xpgcheck.readers.column_groups import column_groups, group_of_pattern
from xpgcheck.readers.comparisons import at_most, sides
from xpgcheck.readers.groups import grouped
from xpgcheck.readers.instances import parse_instances, read_instances, read_point
from xpgcheck.readers.restating import restated
from xpgcheck.writers.json_model import write_json

NAMES = ("age", "housing_own", "housing_rent", "job_0", "job_1", "grade")
LOW, HIGH = sides(at_most(Grid.FLOAT32, 0.5))


def dummies() -> DecisionGraph:
    """A tree that tests every column, one after the other."""
    nodes: dict[Any, Any] = {f"end{k}": Terminal(k % 2) for k in range(7)}
    order = (1, 3, 2, 5, 4, 0)
    for k, column in enumerate(order):
        nodes[k] = NonTerminal(column, ((f"end{k}", HIGH), (k + 1 if k < 5 else "end6", LOW)))
    return decision_graph("dummies", [Feature(name, Float32()) for name in NAMES], ("no", "yes"), nodes, 0)


GROUPS = {
    "format": "groups",
    "version": 1,
    "groups": [
        {"name": "housing", "prefix": "housing_", "dropped": "free"},
        {"name": "job", "columns": ["job_0", "job_1"], "codes": {"clerk": [0, 0], "nurse": [0, 1], "pilot": [1, 1]}},
        {"name": "grade", "columns": ["grade"], "codes": {"low": [0], "middle": ["1/2"], "high": [1]}},
    ],
}
CODES = {
    "housing": {"own": (1, 0), "rent": (0, 1), "free": (0, 0)},
    "job": {"clerk": (0, 0), "nurse": (0, 1), "pilot": (1, 1)},
    "grade": {"low": (0,), "middle": (0.5,), "high": (1,)},
}
ROWS = [(age, *rest) for age in (0.25, 3) for rest in itertools.product(*CODES.values())]


def encoded(row: Any) -> list[float]:
    return [row[0], *(number for value, codes in zip(row[1:], CODES.values(), strict=True) for number in codes[value])]


def test_kappa_is_that_of_the_encoded_row():
    graph = dummies()
    over = grouped(graph, GROUPS)
    assert [(f.name, str(f.domain)) for f in over.features[1:]] == [
        ("housing", "'{own, rent, free}'"),
        ("job", "'{clerk, nurse, pilot}'"),
        ("grade", "'{low, middle, high}'"),
    ]
    for row in ROWS:
        assert over.kappa(read_point(over.features, row)) == graph.kappa(read_point(graph.features, encoded(row)))


def test_rows_may_have_the_encoded_columns():
    over = grouped(dummies(), GROUPS)
    for row in ROWS:
        point = read_point(over.features, row)
        assert read_point(over.features, encoded(row)) == point
        assert read_point(over.features, dict(zip(NAMES, encoded(row), strict=True))) == point
        assert (
            read_point(
                over.features, {"housing": row[1], **dict(zip(NAMES[3:], encoded(row)[3:], strict=True)), "age": row[0]}
            )
            == point
        )


def table_of(rows: Any, header: Any = NAMES) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]).encode()


def test_tables_may_have_the_encoded_columns():
    over = grouped(dummies(), GROUPS)
    points = [read_point(over.features, row) for row in ROWS]
    assert parse_instances(table_of(map(encoded, ROWS)), over.features) == points
    assert parse_instances(table_of(ROWS, [f.name for f in over.features]), over.features) == points
    truths = [["True" if cell == 1 and i in (1, 2) else cell for i, cell in enumerate(encoded(row))] for row in ROWS]
    assert parse_instances(table_of(truths), over.features) == points


@pytest.mark.parametrize(
    ("column", "cell", "line"),
    [
        (1, "1", "line 3: group 'housing': 'housing_own' and 'housing_rent' are both 1, and a row has one category of"),
        (
            1,
            "2",
            "line 3: column 'housing_own': 2 is neither 0 nor 1, in a column of the group 'housing'; write 0 or 1",
        ),
        (1, "", "line 3: column 'housing_own': the value is missing; write the code, such as 0 or 1"),
        (1, "nan", "line 3: column 'housing_own': the value is missing"),
        (4, "2", "line 3: group 'job': 'job_0 = 0, job_1 = 2' is the code of no category; correct the row"),
        (5, "3", "line 3, column 6 ('grade'): '3' is not a category; write one of '{low, middle, high}'"),
    ],
)
def test_rows_that_are_of_no_category(column: int, cell: str, line: str):
    over = grouped(dummies(), GROUPS)
    wrong: list[Any] = [0, 0, 1, 0, 1, 0]
    wrong[column] = cell
    with pytest.raises(InstanceError) as caught:
        parse_instances(table_of([[0, 0, 1, 0, 1, 0], wrong]), over.features)
    assert str(caught.value).startswith(line)


def test_a_row_without_a_one_needs_a_dropped_level():
    over = grouped(dummies(), {"housing": "housing_*"})
    with pytest.raises(
        InstanceError, match=r"no column of the group 'housing' is 1; .* or name the level that was dropped"
    ):
        read_point(over.features, [0.0] * 6)


def test_a_column_of_a_group_that_is_missing():
    over = grouped(dummies(), {"housing": "housing_*"})
    with pytest.raises(InstanceError, match="line 1: there is no column 'housing_rent' of the group 'housing'"):
        parse_instances(b"age,housing_own,job_0,job_1,grade\n0,1,0,0,0\n", over.features)


def test_features_of_other_domains():
    nodes = {
        0: NonTerminal(0, ((1, FiniteSet(frozenset((True,)))), (2, FiniteSet(frozenset((False,)))))),
        1: Terminal(0),
        2: Terminal(1),
    }
    graph = decision_graph("g", [Feature("a_x", Boolean()), Feature("a_y", Integer(0, 1))], ("n", "y"), nodes, 0)
    over = grouped(graph, ["a_*"])
    assert [over.kappa((value,)) for value in ("x", "y")] == [0, 1]
    with pytest.raises(
        InputError, match=r"group 'a': 2 is not a value of the column 'a_y', which has integers \[0, 1\]"
    ):
        grouped(graph, {"a": {"columns": ["a_x", "a_y"], "codes": {"p": [0, 1], "q": [1, 2]}}})


def test_an_ensemble():
    votes = ensemble("e", dummies().features, ("no", "yes"), [dummies()] * 3)
    over = grouped(votes, GROUPS)
    for row in ROWS:
        assert over.kappa(read_point(over.features, row)) == votes.kappa(read_point(votes.features, encoded(row)))


@pytest.mark.parametrize(
    ("groups", "line"),
    [
        ({"x": "hous_*"}, "group 'x': no column starts with 'hous_'"),
        (
            {"x": "housing"},
            "group: 'housing' is not the start of some columns; write the start and a star, such as 'housing_*'",
        ),
        ({"age": "housing_*"}, "group 'age': there is a feature 'age' already; give the group another name"),
        ({"x": "housing_*", "y": "housing_*"}, "group 'y': the column 'housing_own' is in the group 'x', too"),
        (
            {"x": {"columns": {"housin_own": "a"}}},
            "group 'x': the model has no feature 'housin_own'; did you mean",
        ),
        (
            {"x": {"columns": {"job_0": "a", "job_1": "a"}}},
            "group 'x': the category 'a' is there twice; name it once",
        ),
        ({"x": {"prefix": "job_", "dropped": "0"}}, "group 'x': the category '0' is there twice"),
        (
            {"x": {"columns": ["grade"], "codes": {"a": [1], "b": ["1.0"]}}},
            "group 'x': the categories 'a' and 'b' have the same",
        ),
        ({"x": {"columns": ["grade"], "codes": {"a": [1, 2]}}}, "group 'x': a code has 2 numbers for 1 columns"),
        ({"x": {"columns": ["grade"], "codes": {"a": [None]}}}, "group 'x': 'None' is no number; write a number"),
        ({"x": {"columns": ["grade"]}}, "group 'x': a list of columns has codes, and nothing else has; write"),
        ({"x": {"prefix": "job_", "columns": ["grade"]}}, "group 'x': a group has either a prefix or columns"),
        ({"x": {"colums": ["grade"]}}, "group 'x': Object contains unknown field `colums`; write"),
        ({"x": 3}, "group 'x': '3' says no columns; write"),
        (3, "groups: these are not groups of columns; pass {'housing': 'housing_*'}, or a path"),
    ],
)
def test_groups_that_do_not_fit(groups: Any, line: str):
    with pytest.raises(InputError) as caught:
        grouped(dummies(), groups)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_names_of_patterns():
    assert [group_of_pattern(text).name for text in ("housing_*", "job=*", "zip.*", "a b *")] == [
        "housing",
        "job",
        "zip",
        "a b",
    ]


def test_a_file_of_groups(tmp_path: Path):
    path = tmp_path / "groups.json"
    path.write_text(json.dumps(GROUPS))
    assert column_groups(path) == [*column_groups(str(path))]
    assert grouped(dummies(), path) == grouped(dummies(), GROUPS)
    fits_schema(GROUPS, "groups")
    for text, words in (
        ('{"groups": []}', r'\$.format: this is not a file of groups; write "format": "groups"'),
        ('{"format": "groups", "version": 1, "groups": []}', r"\$.groups: there are no groups; write"),
        ('{"format": "groups", "version": 2, "groups": []}', r"\$.version: Invalid enum value 2"),
        ('{"format": "groups", "version": 1, "groups": [{"prefix": "a"}]}', r"\$.groups\[0\]: Object missing required"),
        (
            '{"format": "groups", "version": 1, "groups": [{"name": "a"}]}',
            r"\$.groups\[0\] \('a'\): a group has either",
        ),
        ("[", "this is not JSON, or cut off"),
    ):
        path.write_text(text)
        with pytest.raises(FormatError, match=r"groups\.json: " + words):
            grouped(dummies(), path)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_json(dummies(), tmp_path / "model.json")
    (tmp_path / "groups.json").write_text(json.dumps(GROUPS))
    (tmp_path / "rows.csv").write_bytes(table_of(map(encoded, ROWS)))
    return tmp_path


def test_the_command_takes_groups(files: Path, capsys: pytest.CaptureFixture[str]):
    row = "--instance", "age=3, housing=rent, job=clerk, grade=low"
    assert main(["explain", str(files / "model.json"), "--groups", str(files / "groups.json"), *row]) == 0
    assert "housing = rent, job = clerk, grade = low" in capsys.readouterr().out
    table = "--row", "2", "--instances", str(files / "rows.csv")
    assert main(["explain", str(files / "model.json"), "--groups", str(files / "groups.json"), *table]) == 0
    assert "housing = own, job = clerk, grade = middle" in capsys.readouterr().out
    options = "--group", "housing_*", "--dropped", "housing=free", "--group", "job_*"
    row = "--instance", "age=3, housing=free, job=1, grade=0.5"
    assert main(["explain", str(files / "model.json"), *options, *row]) == 0
    assert "housing = free, job = 1, grade = 0.5" in capsys.readouterr().out
    assert main(["check", str(files / "model.json"), "--groups", str(files / "groups.json"), *table[2:]]) == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--dropped", "housing=free"), "--dropped names a level of no group; give --group 'housing_*', too"),
        (
            ("--group", "housing_*", "--dropped", "hosing=free"),
            "--dropped: there is no --group called 'hosing'; did you mean",
        ),
        (("--group", "housing_*", "--dropped", "free"), "--dropped: 'free' names no level; write the name of a group"),
        (("--group", "flat_*"), "model.json: group 'flat': no column starts with 'flat_'"),
    ],
)
def test_the_command_refuses_what_does_not_fit(
    files: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
):
    assert main(["explain", str(files / "model.json"), *options, "--instance", "age=1"]) == 2
    assert words in capsys.readouterr().err


def test_categories_that_are_stated_in_another_order():
    """Encoded rows are of the same categories, and kappa stays."""
    over = grouped(dummies(), GROUPS)
    stated = restated(over, {1: Categorical(("free", "rent", "own"))})
    for row in ROWS:
        point = read_point(stated.features, encoded(row))
        assert point == read_point(over.features, encoded(row))
        assert stated.kappa(point) == over.kappa(point)


def test_the_public_name():
    over = xpgcheck.grouped(dummies(), {"housing": "housing_*"})
    assert isinstance(over.features[1].domain, Categorical)
    assert read_instances is xpgcheck.read_instances
