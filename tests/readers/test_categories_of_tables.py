"""Categories of a table's columns in LightGBM and XGBoost files, on files written by hand: no library is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from xpgcheck import read_model
from xpgcheck.certificates.canonical_texts import header_text
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, InstanceError, ModelNotice
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.model.literals import read_literal
from xpgcheck.readers.instances import parse_instances, read_point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.lightgbm_columns import Column, columns_of_lists, other_ways, text_column
from xpgcheck.readers.lightgbm_model import parse_lightgbm
from xpgcheck.readers.xgboost_model import parse_xgboost
from xpgcheck.writers.json_model import model_json

LISTS: list[list[object]] = [[3, 4, 5, 6, 8], ["", "blue", "red"], [False, True], ["lo", "mid", "hi"]]

LIGHTGBM = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=4
objective=binary sigmoid:1
feature_names=doors colour alarm size w
feature_infos=-1:4:2:3:0:1 0:2:1 none [0:2] [-3.5:2]

Tree=0
num_leaves=4
num_cat=2
split_feature=0 1 3
threshold=0 1 1.5
decision_type=1 1 10
left_child=1 -1 -3
right_child=2 -2 -4
leaf_value=1 -1 -1 1
cat_boundaries=0 1 2
cat_threshold=18 4
is_linear=0
shrinkage=1


end of trees

parameters:
[categorical_feature: 0,1,2]
end of parameters

"""
"""doors: codes 1 and 4 (4 and 8) go left; colour: code 2 (red) goes left; size, an ordered column: codes 0 and 1 go left."""


def lightgbm(lists: object = LISTS, text: str = LIGHTGBM) -> bytes:
    return f"{text}pandas_categorical:{json.dumps(lists)}\n".encode()


def class_of(graph: DecisionGraph, *cells: object) -> str:
    return graph.classes[graph.kappa(read_point(graph.features, cells))]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((8, "red", True, "lo", 0), "1"),
        ((4, "red", True, "lo", 0), "1"),
        (("8", "red", "True", "lo", 0), "1"),
        (("8.0", "blue", "FALSE", "lo", 0), "0"),
        ((8.0, '""', None, "lo", 0), "0"),
        ((3, "red", True, "lo", 0), "0"),
        ((3, "red", True, "mid", 0), "0"),
        ((5, "red", True, "hi", 0), "1"),
        ((7, "red", True, "hi", 0), "1"),
        (("", "red", True, "hi", 0), "1"),
        ((7, "red", True, "unseen", 0), "0"),
        ((8, "violet", True, "lo", 0), "0"),
    ],
)
def test_cells_of_the_users_table(cells: tuple[object, ...], expected: str) -> None:
    """Numbers are compared as numbers; an unseen category and a missing one go where LightGBM sends a missing value."""
    graph = parse_lightgbm(lightgbm(), "cars")
    assert class_of(graph, *cells) == expected
    again = parse_json(model_json(graph).encode())
    assert again == graph
    assert class_of(again, *cells) == expected


def test_the_domains_are_the_categories() -> None:
    domains = [feature.domain for feature in parse_lightgbm(lightgbm(), "cars").features]
    assert [domain.values for domain in domains if isinstance(domain, Categorical)] == [
        ("3", "4", "5", "6", "8", "missing"),
        ('""', "blue", "red", "missing"),
        ("False", "True", "missing"),  # no node tests it
        ("lo", "mid", "hi", "missing"),  # ordered: tested as a number
    ]
    assert domains[4] == Float64(missing=True)
    first = parse_lightgbm(lightgbm(), "cars", missing=False).features[0].domain
    assert isinstance(first, Categorical)
    assert first.values == ("3", "4", "5", "6", "8")
    assert first.unseen is None


def test_an_empty_cell_that_may_be_two_things() -> None:
    graph = parse_lightgbm(lightgbm(), "cars")
    with pytest.raises(InstanceError, match=r"may be category .* or 'missing'; write the one that is meant"):
        class_of(graph, 8, "", True, "lo", 0)


def test_a_category_that_is_called_missing() -> None:
    lists = [[3, 4, 5, 6, 8], ["missing", "nan", "red"], [False, True], ["lo", "mid", "hi"]]
    graph = parse_lightgbm(lightgbm(lists), "cars")
    domain = graph.features[1].domain
    assert isinstance(domain, Categorical)
    assert domain.values == ("missing", "nan", "red", "(missing)")
    assert [
        read_point(graph.features, (3, cell, True, "lo", 0))[1] for cell in ("missing", "nan", "(missing)", None)
    ] == [
        "missing",
        "nan",
        "(missing)",
        "(missing)",
    ]


@pytest.mark.parametrize(
    ("lists", "problem"),
    [
        ([[3, 4, 5, 6, 8], ["a", "b", "c"], [False, True]], ""),
        ([[3, 4, 5, 6, 8], ["a", "b", "c"]], "it cannot be told which columns"),
        ([[3, 4], ["a", "b", "c"], [False, True], ["lo", "mid", "hi"]], "it cannot be told which columns"),
        ([[1], [2], [3], [4], [5], [6]], "it cannot be told which columns the 6 lists"),
        ([[3, 3.0, 5, 6, 8], ["a", "b", "c"], [True], ["lo", "mid", "hi"]], "two categories are written '3'"),
        ([[3, [], 5, 6, 8], ["a", "b", "c"], [True], ["lo", "mid", "hi"]], "is not a category"),
        ([3], "these are not lists of categories"),
        ([["x" * 201, "b", "c", "d", "e"], ["a", "b", "c"], [True], ["lo", "mid", "hi"]], "has 201 characters"),
    ],
)
def test_lists_that_do_not_fit(lists: object, problem: str) -> None:
    if not problem:
        assert parse_lightgbm(lightgbm(lists), "cars").features[3].domain == Float64(missing=True)
        return
    with pytest.raises(InputError) as caught:
        parse_lightgbm(lightgbm(lists), "cars")
    assert problem in str(caught.value)
    assert caught.value.mend


def test_which_columns_lists_belong_to() -> None:
    tested, ordered, number, unused = Column(True, -1, 1), Column(False, 0, 2), Column(False, 0, 0.5), Column(None)
    two, three = ["a", "b"], ["lo", "mid", "hi"]
    assert columns_of_lists([two], [number, tested, ordered]) == {1: two}
    assert columns_of_lists([two, three], [number, tested, ordered]) == {1: two, 2: three}
    assert columns_of_lists([three, two], [ordered, number, tested]) == {0: three, 2: two}
    assert columns_of_lists([three, two], [unused, number, tested]) == {0: three, 2: two}
    assert columns_of_lists([three], [Column(True, 0, 5), tested]) == {1: three}
    for columns in ([ordered, unused, tested], [number, tested], [tested, Column(False, 0, 9)]):
        with pytest.raises(InputError, match="it cannot be told which columns the 2 lists"):
            columns_of_lists([three, two], columns)
    for info, column in (("[0:nan]", 0.5), ("[x:1]", 0.0), ("none", 0.0), ("", 0.0)):
        assert text_column(info).high == column


def test_lists_that_may_belong_to_columns_tested_as_numbers() -> None:
    """With categorical_feature, LightGBM tests the columns named there by categories, and columns with lists as numbers."""
    four, tested = ["a", "b", "c", "d"], Column(True, 0, 1)
    with pytest.raises(InputError, match="it cannot be told which columns the 1 list"):
        columns_of_lists([four], [Column(False, 0, 3), tested])  # all four were seen there, two here
    with pytest.raises(InputError, match="it cannot be told which columns the 1 list"):
        columns_of_lists([four], [Column(False, 0, 3), tested, Column(True, 0, 9)])
    with pytest.raises(InputError, match="it cannot be told which columns the 2 lists"):
        columns_of_lists([four, ["x"]], [tested, Column(False, 0, 3), Column(False, 0, 0)])
    for untold in (Column(False, 0, 2), Column(False, 1, 3)):
        assert columns_of_lists([four], [untold, tested]) == {1: four}
        assert other_ways([four], [untold, tested])
    for certain in (Column(False, 0, 4), Column(False, 0, 0.5), Column(False, -1, 2), Column(None)):
        assert not other_ways([four], [certain, tested])


def test_a_choice_of_columns_is_said() -> None:
    text = LIGHTGBM.replace("none [0:2] [-3.5:2]", "1:0 [0:2] [0:1]")
    with pytest.warns(
        ModelNotice, match="which columns have categories: they are taken to be 'doors', 'colour', 'alarm'"
    ):
        graph = parse_lightgbm(lightgbm(LISTS[:3], text), "cars")
    assert isinstance(graph.features[2].domain, Categorical)


def test_codes_without_a_list_are_said_to_be_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for given in (None, []):
        with pytest.warns(ModelNotice, match="features 'doors', 'colour', 'alarm' have categories .* codes"):
            graph = parse_lightgbm(lightgbm(given), "cars")
        assert graph.features[0].domain == Float64(missing=True)
    (tmp_path / "cars.txt").write_bytes(lightgbm(None))
    assert main(["explain", str(tmp_path / "cars.txt"), "--instance", "doors=4, colour=2, alarm=0, size=0, w=1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(
        "xpgcheck: model 'cars': features 'doors', 'colour', 'alarm' have categories and the file"
    )


def test_explain_names_the_categories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cars.txt").write_bytes(lightgbm())
    (tmp_path / "cars.csv").write_text("doors,colour,alarm,size,w\n8.0,red,True,lo,0\n7,red,,hi,0\n")
    options = ["--instances", str(tmp_path / "cars.csv")]
    assert main(["explain", str(tmp_path / "cars.txt"), "--row", "1", *options]) == 0
    shown = capsys.readouterr()
    assert "doors = 8" in shown.out
    assert "colour = red" in shown.out
    assert not shown.err
    assert main(["explain", str(tmp_path / "cars.txt"), "--row", "2", *options]) == 0
    assert "doors = missing" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "cars.txt"), *options]) == 0


def test_literals_and_certificates_name_categories_only() -> None:
    """A wrong name in a literal is not an unseen cell, and a certificate does not say how cells are read."""
    graph = parse_lightgbm(lightgbm(), "cars")
    with pytest.raises(InputError, match="is not a category"):
        read_literal(graph.features[0].domain, ["7"])
    assert "cells" not in header_text(graph)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"cells": [1]}, "there are 1 cells for 2 categories"),
        ({"cells": [{}, 1]}, "is not a cell of a table"),
        ({"cells": [1e999, 1]}, "is not a cell of a table"),
        ({"unseen": "z"}, "'z' is not one of the categories"),
    ],
)
def test_wrong_cells_in_json(change: dict[str, Any], problem: str) -> None:
    domain = {"type": "categorical", "values": ["a", "b"], **change}
    document = {
        "format": "decision-graph",
        "version": 1,
        "name": "m",
        "features": [{"name": "f", "domain": domain}],
        "classes": ["c"],
        "nodes": [{"id": 0, "class": "c"}],
    }
    with pytest.raises(InputError) as caught:
        parse_json(json.dumps(document).replace("Infinity", "1e999").encode())
    assert problem in str(caught.value)


def xgboost(*, cats: object = None, first: str = "learner", **tree: Any) -> bytes:
    """Return a model whose root tests categories: codes 0, 2 and 3 go right, the missing value goes left."""
    nodes = {
        "categories": [0, 2, 3],
        "categories_nodes": [0],
        "categories_segments": [0],
        "categories_sizes": [3],
        "default_left": [1, 0, 0],
        "left_children": [1, -1, -1],
        "right_children": [2, -1, -1],
        "split_conditions": [float("nan"), 0.7, -0.5],
        "split_indices": [0, 0, 0],
        "split_type": [1, 0, 0],
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
        **tree,
    }
    model = {"trees": [nodes]} if cats is None else {"cats": {"enc": cats}, "trees": [nodes]}
    learner = {
        "feature_names": ["doors", "colour"],
        "feature_types": ["c", "c"],
        "gradient_booster": {"model": model, "name": "gbtree"},
        "learner_model_param": {"base_score": "5E-1", "num_feature": "2"},
        "objective": {"name": "binary:logistic"},
    }
    document = {"learner": learner, "version": [3, 2, 0]}
    return json.dumps({first: document[first], **document}).encode()


CATS = [{"type": 15, "values": [3, 4, 5, 6, 8]}, {"offsets": [0, 0, 3, 7], "values": list(b"redblue")}]


def test_the_categories_of_an_xgboost_file() -> None:
    graph = parse_xgboost(xgboost(cats=CATS), "cars")
    doors, colour = (f.domain for f in graph.features)
    assert isinstance(doors, Categorical)
    assert doors.values == ("3", "4", "5", "6", "8", "missing")
    assert isinstance(colour, Categorical)
    assert colour.values == ('""', "red", "blue", "missing")
    cells = (3, 4, 5.0, "6", "8.0", None)
    assert [class_of(graph, cell, "red") for cell in cells] == ["0", "1", "0", "0", "1", "1"]
    with pytest.raises(InstanceError, match=r"'7' is not a category; write one of .*3, 4, 5, 6, 8, missing"):
        parse_instances(b"doors,colour\n7,red\n", graph.features)


@pytest.mark.parametrize(
    ("cats", "problem"),
    [
        ([CATS[0], {"offsets": [0, 3], "values": [98, 108, -61]}], "a category has letters beyond ASCII"),
        ([CATS[0], {"offsets": [0, 9], "values": [98]}], "the categories do not fit each other"),
        ([CATS[0], {"offsets": [0, 3, 1], "values": [98]}], "the categories do not fit each other"),
        ([CATS[0]], "there are 1 lists of categories for 2 features"),
    ],
)
def test_categories_of_xgboost_that_are_refused(cats: object, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_xgboost(xgboost(cats=cats), "cars")
    assert problem in str(caught.value)


def test_codes_of_an_older_xgboost() -> None:
    with pytest.warns(ModelNotice, match="features 'doors', 'colour' have categories and the file has no list"):
        graph = parse_xgboost(xgboost(), "cars")
    assert [class_of(graph, code, 0) for code in (0, 1, 2, 3, 4)] == ["0", "1", "0", "0", "1"]


@pytest.mark.parametrize("first", ["learner", "version"])
def test_keys_in_any_order_and_nan(first: str, tmp_path: Path) -> None:
    """Some versions write NaN as the condition of a categorical node, and JSON has no order of keys."""
    data = xgboost(cats=CATS, first=first)
    assert b"NaN" in data
    path = tmp_path / "cars.json"
    path.write_bytes(data)
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    assert graph.classes == ("0", "1")


XGBOOST_DUMP = '[\n  { "nodeid": 0, "depth": 0, "split": "f2", "children": []}\n]'


@pytest.mark.parametrize(
    ("text", "name", "problem", "mend"),
    [
        (XGBOOST_DUMP, "m.json", "XGBoost's dump of trees", "save_model('model.json')"),
        (XGBOOST_DUMP[2:-1], "m.json", "XGBoost's dump of trees", "save_model('model.json')"),
        ('[ { "leaf": 0.5 } ]', "m.json", "XGBoost's dump of trees", "save_model('model.json')"),
        ("booster[0]:\n0:[f2<1.4] yes=1,no=2,missing=2\n", "m.txt", "dump of trees as text", "save_model"),
        ("0:[f2<1.4] yes=1,no=2,missing=2\n\t1:leaf=0.1\n", "m", "dump of trees as text", "save_model"),
        (
            '{"learner": {"generic_param": {}}, "version": [3, 2, 0]}',
            "m.json",
            "configuration (save_config)",
            "save_model",
        ),
        ('{"version": [3, 2, 0], "learner": {"generic_param": {}}}', "m", "configuration (save_config)", "save_model"),
        ("binf\0\0", "m.model", "XGBoost's old binary format", "save_model('model.json')"),
        ("nnf 3 2 2\nL 1\nL 2\nA 2 0 1\n", "m.dnnf", "this is a d-DNNF", "OBDD with dd"),
        ("c made by c2d\nnnf 3 2 2\nL 1\n", "m", "this is a d-DNNF", "OBDD with dd"),
        ("o 1 0\nt 2 0\n1 2 -1 0\n", "m.txt", "this is a d-DNNF", "OBDD with dd"),
    ],
)
def test_files_that_are_taken_for_models(text: str, name: str, problem: str, mend: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_model(path)
    assert problem in caught.value.problem
    assert mend in caught.value.mend
    assert caught.value.place.startswith(str(path))
