"""Dumps and functions of `dd`: the same function as `dd` says, and one clear line for every broken dump."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean
from xpgcheck.readers.dd_bdd import from_dd, natural_order, parse_dd_json, read_dd_json
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json

DUMP = """{
"level_of_var": {"x_2": 0, "x_10": 1, "x_1": 2},
"roots": {"f": 7, "not f": -7, "always": "T"},
"5": [2, "F", "T"],
"6": [1, -5, "T"],
"7": [0, -5, 6]
}
"""
"""f = (x_2 ∧ x_10) ∨ ¬x_1."""


def expected(x_1: bool, x_2: bool, x_10: bool) -> bool:
    return (x_2 and x_10) or not x_1


def bits(count: int) -> Iterator[tuple[bool, ...]]:
    return itertools.product((False, True), repeat=count)


def test_complemented_edges_are_resolved() -> None:
    graph = parse_dd_json(DUMP.encode(), "g", "f")
    assert [feature.name for feature in graph.features] == ["x_1", "x_2", "x_10"], "natural order, not that of levels"
    assert all(feature.domain == Boolean() for feature in graph.features)
    assert graph.classes == ("0", "1")
    assert graph.node_ids == (7, 6, -5, 1, -1)
    check_assumptions(graph)
    assert [graph.kappa(point) for point in bits(3)] == [int(expected(*point)) for point in bits(3)]


def test_a_complemented_root_is_the_other_function() -> None:
    graph = parse_dd_json(DUMP.encode(), "g", "not f")
    assert [graph.kappa(point) for point in bits(3)] == [1 - int(expected(*point)) for point in bits(3)]


def test_a_constant_root() -> None:
    graph = parse_dd_json(DUMP.encode(), "g", "always")
    assert (graph.node_count, graph.kappa((False, False, False))) == (1, 1)
    assert len(graph.features) == 3


@pytest.mark.parametrize(("reference", "class_index"), [(1, 1), (-1, 0), ("T", 1), ("F", 0)])
def test_how_dd_writes_constants(reference: object, class_index: int) -> None:
    data = json.dumps({"level_of_var": {"a": 0}, "roots": [reference]}).encode()
    assert parse_dd_json(data, "g").kappa((False,)) == class_index


class TestRoots:
    def test_one_root_needs_no_name(self) -> None:
        data = DUMP.replace('{"f": 7, "not f": -7, "always": "T"}', "[7]").encode()
        assert parse_dd_json(data, "g") == parse_dd_json(data, "g", 0) == parse_dd_json(DUMP.encode(), "g", "f")

    def test_a_list_is_chosen_from_by_position(self) -> None:
        data = DUMP.replace('{"f": 7, "not f": -7, "always": "T"}', "[-7, 7]").encode()
        assert parse_dd_json(data, "g", 1) == parse_dd_json(data, "g", "1") == parse_dd_json(DUMP.encode(), "g", "f")

    @pytest.mark.parametrize(
        ("root", "line"),
        [
            (None, "roots: there are 3 roots; choose one by name: 'f', 'not f', 'always'"),
            ("g", "roots: there is no root 'g'; choose one of 'f', 'not f', 'always'"),
            (0, "roots: there is no root '0'; choose one of 'f', 'not f', 'always'"),
        ],
    )
    def test_the_names_are_listed(self, root: Any, line: str) -> None:
        with pytest.raises(InputError) as caught:
            parse_dd_json(DUMP.encode(), "g", root)
        assert str(caught.value) == line


def instead(old: str, new: str) -> Callable[[], str]:
    assert old in DUMP
    return lambda: DUMP.replace(old, new)


@pytest.mark.parametrize(
    ("make", "place", "problem"),
    [
        (lambda: "", "", "the file is empty"),
        (lambda: DUMP.rstrip()[:-1], "line 7, column 1", "the JSON breaks off here"),
        (lambda: DUMP[:60], "line 3, column ", "the JSON breaks off"),
        (lambda: DUMP.replace('"5": [2', '"5": [2x'), "line 4, column 8", "this is not JSON"),
        (lambda: "[]", "$", "this is no object"),
        (lambda: "[" * 100_000, "", "nested too deeply"),
        (instead('"5": [2', '"5": [NaN'), "", "NaN is no JSON number"),
        (instead('"5": [2', f'"5": [{"9" * 5000}'), "", "too many digits"),
        (instead('"6": [1', '"5": [1'), "", "the key '5' is written twice"),
        (instead('"level_of_var"', '"levels"'), "level_of_var", "the levels of variables are missing"),
        (instead('{"x_2": 0, "x_10": 1, "x_1": 2}', "[0, 1, 2]"), "level_of_var", "this is no object"),
        (instead('{"x_2": 0, "x_10": 1, "x_1": 2}', "{}"), "node 5", "no variable has the level '2'"),
        (instead('"x_1": 2', '"x_1": "2"'), "level_of_var", "the level of 'x_1' is"),
        (instead('"x_1": 2', '"x_1": -2'), "level_of_var", "the level of 'x_1' is '-2'"),
        (instead('"x_1": 2', '"x_1": 1'), "level_of_var", "'x_10' and 'x_1' share the level 1"),
        (instead('"x_1": 2', '"": 2'), "level_of_var", "the name of a variable is empty"),
        (instead('"roots": {"f": 7, "not f": -7, "always": "T"},\n', ""), "roots", "there are no roots"),
        (instead('{"f": 7, "not f": -7, "always": "T"}', "7"), "roots", "neither a list nor an object"),
        (instead('{"f": 7, "not f": -7, "always": "T"}', "[]"), "roots", "there are no roots"),
        (instead('"f": 7', '"f": 8'), "root 'f'", "node 8 is missing"),
        (instead('"f": 7', '"f": null'), "root 'f'", "'null' refers to no node"),
        (instead('"f": 7', '"f": 0'), "root 'f'", "'0' refers to no node"),
        (instead('"f": 7', '"f": true'), "root 'f'", "'true' refers to no node"),
        (instead('"5": [2, "F", "T"],\n', ""), "node 6, low", "node 5 is missing"),
        (instead('"6": [1, -5, "T"],\n', ""), "node 7, high", "node 6 is missing"),
        (instead('"6": [1, -5, "T"]', '"6": [1, -5, "t"]'), "node 6, high", "refers to no node"),
        (instead('"6": [1, -5, "T"]', '"6": [1, 0, "T"]'), "node 6, low", "'0' refers to no node"),
        (instead('"6": [1, -5, "T"]', '"6": [1, 5.0, "T"]'), "node 6, low", "refers to no node"),
        (instead('"6": [1, -5, "T"]', '"6": [1, -5]'), "node 6", "not of the form [level, low, high]"),
        (instead('"6": [1, -5, "T"]', '"6": {}'), "node 6", "not of the form [level, low, high]"),
        (instead('"6": [1, -5, "T"]', '"6": [9, -5, "T"]'), "node 6", "no variable has the level '9'"),
        (instead('"6": [1, -5, "T"]', '"6": [true, -5, "T"]'), "node 6", "no variable has the level 'true'"),
        (instead('"6": [1, -5, "T"]', '"6": [2, -5, "T"]'), "node 6, low", "node 5 is on level 2, not below"),
        (instead('"5": [2, "F", "T"]', '"5": [2, 7, "T"]'), "node 5, low", "node 7 is on level 0, not below"),
        (instead('"6": [1, -5, "T"]', '"6": [1, -6, "T"]'), "node 6, low", "node 6 is on level 1, not below"),
        (instead('"6": [1, -5, "T"]', '"6": [1, "T", "T"]'), "node 6", "not reduced: low and high are the same"),
        (instead('"6": [1, -5, "T"]', '"6": [1, 5, "F"]'), "node 6", "not reduced: high is complemented"),
        (instead('"6": [1', '"8": [2, "F", "T"],\n"6": [1'), "node 8", "not reduced: it equals node 5"),
        (instead('"6": [1', '"8": [2, "T", "F"],\n"6": [1'), "node 8", "not reduced: high is complemented"),
        (instead('"6": [1', '"8": [1, "F", 5],\n"6": [1'), "node 8", "no root reaches this node"),
        (instead('"6": [1', '"six": [1'), "", "the key 'six' is not the number of a node"),
        (instead('"6": [1', '"-6": [1'), "", "the key '-6' is not the number of a node"),
        (instead('"6": [1', '"06": [1'), "", "the key '06' is not the number of a node"),
        (instead('"6": [1', '"1": [1'), "", "the key '1' is not the number of a node"),
        (instead('"6": [1', '"٦": [1'), "", "is not the number of a node"),
    ],
)
def test_a_broken_dump_is_one_line(make: Callable[[], str], place: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(make(), encoding="utf-8")
    with pytest.raises(XpgcheckError) as caught:
        read_dd_json(path, root="f")
    error = caught.value
    assert type(error) is FormatError
    assert error.place.startswith(f"{path}: {place}" if place else str(path))
    assert problem in error.problem
    assert error.mend
    assert str(error).isprintable()


def test_no_variable_at_all() -> None:
    with pytest.raises(FormatError, match="no variable is declared"):
        parse_dd_json(b'{"level_of_var": {}, "roots": ["T"]}', "g")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_dd_json(tmp_path / "absent.json")
    path = tmp_path / "large.json"
    path.write_text(DUMP)
    with pytest.raises(LimitError):
        read_dd_json(path, max_bytes=10)


def test_the_name_is_the_file_s(tmp_path: Path) -> None:
    path = tmp_path / "colouring.json"
    path.write_text(DUMP)
    assert read_dd_json(path, root="f").name == "colouring"


def test_a_chain_deeper_than_the_recursion_limit() -> None:
    size = 20_000
    dump: dict[str, Any] = {"level_of_var": {f"v{i}": i for i in range(size)}, "roots": [-2]}
    dump.update({str(i + 2): [i, -(i + 3) if i + 1 < size else "F", "T"] for i in range(size)})
    graph = parse_dd_json(json.dumps(dump).encode(), "chain")
    # A node's function is f_i = x_i ∨ ¬f_{i+1}, so all zeros give 0 at the end and alternate on the way up.
    assert graph.depth() == size
    assert graph.kappa((False,) * size) == size % 2
    assert graph.kappa((True,) * size) == 0


def test_natural_order() -> None:
    names = ["x_10", "x_2", "b", "x_02", "X_3", "a1b10", "a1b9", "7", "10"]
    assert sorted(names, key=natural_order) == ["7", "10", "X_3", "a1b9", "a1b10", "b", "x_02", "x_2", "x_10"]


def manager(kind: str) -> Any:
    module = pytest.importorskip(f"dd.{kind}", reason=f"dd.{kind} is not installed: pip install 'xpgcheck[bdd]'")
    return module.BDD()


def random_function(bdd: Any, names: list[str], seed: int, terms: int) -> Any:
    """Return a function of *names*: random conjunctions joined by or, xor and and."""
    chance = random.Random(seed)
    function = bdd.false
    for _ in range(terms):
        term = bdd.true
        for name in chance.sample(names, min(len(names), chance.randint(1, 5))):
            term &= bdd.var(name) if chance.random() < 0.5 else ~bdd.var(name)
        join = chance.choice(["or", "or", "xor", "diff"])
        function = bdd.apply(join, function, term)
    return function


def same_function(graph: DecisionGraph, bdd: Any, function: Any) -> int:
    """Compare *graph* with *function* on every point, by two of dd's own routes; return how many points there were."""
    names = [feature.name for feature in graph.features]
    picked = {tuple(bool(p[name]) for name in names) for p in bdd.pick_iter(function, care_vars=set(names))}
    count = 0
    for point in bits(len(names)):
        value = graph.kappa(point)
        assert value == (point in picked)
        assert value == (bdd.let(dict(zip(names, point, strict=True)), function) == bdd.true)
        count += 1
    return count


@pytest.mark.parametrize("kind", ["autoref", "cudd"])
class TestFunctions:
    @pytest.mark.parametrize("seed", range(8))
    def test_kappa_is_the_function_s_value(self, kind: str, seed: int) -> None:
        bdd = manager(kind)
        names = [f"x_{i}" for i in range(7, -1, -1)]
        bdd.declare(*names)
        function = random_function(bdd, names, seed, terms=6)
        for one in (function, ~function):
            graph = from_dd(bdd, one)
            check_assumptions(graph)
            assert [feature.name for feature in graph.features] == names[::-1]
            assert same_function(graph, bdd, one) == 256
            assert parse_json(model_json(graph).encode()) == graph

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(2))
    def test_kappa_on_a_hundred_thousand_points(self, kind: str, seed: int) -> None:
        bdd = manager(kind)
        names = [f"x_{i}" for i in range(16)]
        bdd.declare(*names)
        function = random_function(bdd, names, seed, terms=30)
        assert same_function(from_dd(bdd, function), bdd, function) == 65_536

    def test_a_dump_is_read_back_as_the_function(
        self, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        bdd = manager(kind)
        names = ["b", "a 2", "a 10", "ç"]
        bdd.declare(*names)
        functions = [random_function(bdd, names, seed, terms=4) for seed in range(30)]
        # A list: dd 0.5 cannot dump named roots, nor dd.cudd constants.
        chosen = [one for one in functions if one not in (bdd.true, bdd.false)]
        bdd.dump("d.json", chosen)
        for position, function in enumerate(chosen):
            graph = read_dd_json("d.json", root=position)
            direct = from_dd(bdd, function)
            assert same_function(graph, bdd, function) == 16
            assert (graph.features, graph.feature_of, graph.class_of, graph.children) == (
                direct.features,
                direct.feature_of,
                direct.class_of,
                direct.children,
            )

    def test_constants(self, kind: str) -> None:
        bdd = manager(kind)
        bdd.declare("a")
        assert [from_dd(bdd, one).kappa((False,)) for one in (bdd.false, bdd.true)] == [0, 1]

    def test_names_and_order_can_be_chosen(self, kind: str) -> None:
        bdd = manager(kind)
        bdd.declare("a", "b", "c")
        function = bdd.var("a") & ~bdd.var("c")
        graph = from_dd(bdd, function, name="g", features=["c", "a"], classes=["no", "yes"])
        assert graph.name == "g"
        assert [feature.name for feature in graph.features] == ["c", "a"]
        assert graph.classes[graph.kappa((False, True))] == "yes"
        with pytest.raises(InputError, match="depends on the variable 'c', which is not among the features"):
            from_dd(bdd, function, features=["a"])

    def test_what_is_no_function_of_the_manager_is_refused(self, kind: str) -> None:
        bdd, other = manager(kind), manager(kind)
        bdd.declare("a")
        with pytest.raises(InputError, match="belongs to another manager; pass the manager that made it"):
            from_dd(other, bdd.var("a"))
        with pytest.raises(InputError, match=r"the function is a 'builtins.int'; .*dd.autoref or dd.cudd"):
            from_dd(bdd, 3)
        with pytest.raises(InputError, match=r"the manager is a 'builtins.NoneType'"):
            from_dd(None, bdd.var("a"))
        with pytest.raises(FormatError, match="the name of a model is empty"):
            from_dd(bdd, bdd.var("a"), name="")


def test_a_manager_without_variables() -> None:
    bdd = manager("autoref")
    with pytest.raises(FormatError, match="no variable is declared"):
        from_dd(bdd, bdd.true)


@pytest.mark.parametrize(("number", "nodes"), [(58, 7_724), (3, 10_012), (88, 21_816)])
def test_the_obdds_of_the_validation_data(number: int, nodes: int, tmp_path: Path, monkeypatch: Any) -> None:
    """As many nodes as published, and the values that `dd` itself loads."""
    folder = os.environ.get("XPGCHECK_DATA")
    if not folder or not (Path(folder) / "obdd").is_dir():
        pytest.skip("XPGCHECK_DATA names no folder with validation data")
    path = Path(folder, "obdd", f"flat30-{number}.json").resolve()
    graph = read_dd_json(path)
    check_assumptions(graph)
    assert graph.node_count == nodes
    assert [feature.name for feature in graph.features] == [f"x_{i}" for i in range(90)]
    with path.with_name(f"flat30-{number}.instances.csv").open(newline="") as rows:
        points = [tuple(cell == "1" for cell in row) for row in csv.reader(rows)]
    assert len(points) == 100
    bdd = manager("cudd")
    monkeypatch.chdir(tmp_path)
    (function,) = bdd.load(str(path))
    names = [feature.name for feature in graph.features]
    chance = random.Random(number)
    models = [tuple(bool(one[name]) for name in names) for one in itertools.islice(bdd.pick_iter(function, names), 200)]
    near = [tuple(bit ^ (chance.random() < 0.02) for bit in chance.choice(models)) for _ in range(400)]
    seen = set()
    for point in [*points, *models, *near]:
        value = bdd.let(dict(zip(names, point, strict=True)), function) == bdd.true
        assert graph.kappa(point) == value
        seen.add(value)
    assert seen == {False, True}
