"""The embedded models against their definitions, restated here, and against the data sets they stand for."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from xpgcheck import embedded
from xpgcheck.errors import InputError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.domains import Float32
from xpgcheck.readers.instances import read_point

ROOT = Path(__file__).resolve().parent.parent.parent


def classify(name: str, point: tuple[Any, ...]) -> str:
    graph = embedded.load(name).graph
    return graph.classes[graph.kappa(point)]


def buys(age: str, income: str, student: str, credit: str) -> str:
    """Say Fig. 1 in words rather than as a tree."""
    if student == "N":
        if age == "O":
            return "T"
        return "L" if income == "H" and age == "T" else "N"
    if credit == "E":
        return "L"
    return "L" if age == "T" and income != "H" else "T"


def colour(x1: int, x2: int, x3: int) -> str:
    """Say Fig. 2 in words: red unless all are set, else the colour that x3 picks."""
    return "R" if not (x1 and x2) else "RGB"[x3]


def odd(*bits: bool) -> bool:
    result = False
    for position, bit in enumerate(bits, 1):
        result ^= bit and position in (2, 3, 4, 6, 8)
    return result


def run_of_three(*bits: bool) -> bool:
    return "111" in "".join(str(int(bit)) for bit in bits)


def selected(high: bool, low: bool, *data: bool) -> bool:
    return data[int(f"{int(high)}{int(low)}", 2)]


DEFINITIONS: dict[str, Callable[..., object]] = {
    "hardware": buys,
    "omdd": colour,
    "corral": lambda a0, a1, b0, b1, irrelevant, correlated: a0 & a1 | b0 & b1,
    "mux6": selected,
    "xd6": lambda a, b, c, d, e, f, g, h, i: (a & b & c) | (d & e & f) | (g & h & i),
    "threeOf9": run_of_three,
    "parity5+5": odd,
    "mofn_3_7_10": lambda *bits: sum(map(int, bits)) - bits[0] - bits[1] - bits[9] > 2,
    "monk1": lambda a1, a2, a3, a4, a5, a6: a5 == 1 or a1 - a2 == 0,
    "monk2": lambda *a: len([value for value in a if value == 1]) == 2,
    "monk3": lambda a1, a2, a3, a4, a5, a6: (a5 in (1, 2, 3) and a2 in (1, 2)) or (a5, a4) == (3, 1),
}
POINTS = {"hardware": 54, "omdd": 12, "corral": 64, "mux6": 64, "xd6": 512, "threeOf9": 512}
POINTS |= {"parity5+5": 1024, "mofn_3_7_10": 1024, "monk1": 432, "monk2": 432, "monk3": 432}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_function_is_its_definition_on_every_point(name: str) -> None:
    model = embedded.load(name)
    assert model.exhaustive
    assert len(set(model.instances)) == len(model.instances) == POINTS[name]
    for point in model.instances:
        expected = DEFINITIONS[name](*point)
        assert classify(name, point) == (expected if isinstance(expected, str) else str(int(bool(expected))))


def lines() -> list[tuple[int, ...]]:
    grid = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    across = [tuple(row) for row in grid]
    down = list(zip(*grid, strict=True))
    return [*across, *down, tuple(grid[i][i] for i in range(3)), tuple(grid[i][2 - i] for i in range(3))]


def test_tic_tac_toe_is_its_definition_on_every_board() -> None:
    count = 0
    for board in itertools.product("xob", repeat=9):
        won = any({board[square] for square in line} == {"x"} for line in lines())
        assert classify("tic_tac_toe", board) == ("positive" if won else "negative")
        count += 1
    assert count == 3**9


def test_tic_tac_toe_has_the_958_end_positions_of_legal_games() -> None:
    model = embedded.load("tic_tac_toe")
    assert not model.exhaustive
    assert len(set(model.instances)) == len(model.instances) == 958
    ends = set()

    def play(board: str, mover: str) -> None:
        if board in seen:
            return
        seen.add(board)
        three = any(board[a] == board[b] == board[c] and board[a] != "b" for a, b, c in lines())
        if three or "b" not in board:
            ends.add(tuple(board))
            return
        for square in range(9):
            if board[square] == "b":
                play(board[:square] + mover + board[square + 1 :], "o" if mover == "x" else "x")

    seen: set[str] = set()
    play("b" * 9, "x")
    assert set(model.instances) == ends
    assert sum(classify("tic_tac_toe", point) == "positive" for point in model.instances) == 626


@pytest.mark.parametrize(
    ("name", "nodes", "depth", "features"),
    [
        ("hardware", 15, 4, 4),
        ("omdd", 8, 3, 3),
        ("corral", 6, 4, 6),
        ("mux6", 9, 3, 6),
        ("xd6", 11, 9, 9),
        ("threeOf9", 23, 9, 9),
        ("parity5+5", 11, 5, 10),
        ("mofn_3_7_10", 17, 7, 10),
        ("monk1", 7, 3, 6),
        ("monk2", 16, 6, 6),
        ("monk3", 6, 3, 6),
        ("tic_tac_toe", 47, 9, 9),
    ],
)
def test_sizes(name: str, nodes: int, depth: int, features: int) -> None:
    """Terminals are counted, as in the paper's Table 1 (corral 6, mux6 9, xd6 11)."""
    graph = embedded.load(name).graph
    assert (graph.node_count, graph.depth(), len(graph.features)) == (nodes, depth, features)


@pytest.mark.parametrize("name", embedded.names())
def test_every_model_is_a_decision_graph_with_instances_of_its_feature_space(name: str) -> None:
    model = embedded.load(name)
    check_assumptions(model.graph)
    assert model.name == model.graph.name == name
    assert model.origin.isprintable()
    assert all(in_feature_space(model.graph, point) for point in model.instances[:50])
    assert len(set(model.instances)) == len(model.instances)


class TestPaper:
    def test_nodes_are_numbered_as_in_the_figures(self) -> None:
        assert set(embedded.load("hardware").graph.node_ids) == set(range(1, 16))
        assert set(embedded.load("omdd").graph.node_ids) == set(range(1, 9))

    def test_the_path_that_figure_1_highlights(self) -> None:
        model = embedded.load("hardware")
        assert model.paper_instance == ("O", "L", "Y", "P")
        assert model.graph.node_ids[model.graph.terminal(model.paper_instance)] == 10
        assert classify("hardware", model.paper_instance) == "T"

    def test_the_path_that_figure_2_highlights(self) -> None:
        model = embedded.load("omdd")
        assert model.paper_instance == (0, 1, 2)
        assert model.graph.node_ids[model.graph.terminal(model.paper_instance)] == 6
        assert classify("omdd", model.paper_instance) == "R"

    def test_other_models_are_in_no_figure(self) -> None:
        without = [name for name in embedded.names() if embedded.load(name).paper_instance is None]
        assert without == list(embedded.names())[2:]


def test_an_unknown_name() -> None:
    with pytest.raises(InputError, match=r"there is no embedded model 'x\\ny'; name one of hardware, omdd, corral"):
        embedded.load("x\ny")


def test_the_data_is_small() -> None:
    folder = ROOT / "xpgcheck" / "embedded" / "data"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000


TRAINED = {"iris": (149, 3), "wine": (178, 3), "breast_cancer": (569, 2), "digits": (1797, 10)}


@pytest.mark.parametrize("name", TRAINED)
def test_trained_trees_have_every_distinct_row(name: str) -> None:
    model = embedded.load(name)
    assert (len(model.instances), len(model.graph.classes)) == TRAINED[name]
    assert model.graph.is_tree()
    assert model.graph.depth() <= 6
    assert all(feature.domain == Float32(False) for feature in model.graph.features)


@pytest.mark.parametrize("name", TRAINED)
def test_trained_trees_are_right_on_most_rows_and_their_rows_are_the_data(name: str) -> None:
    datasets = pytest.importorskip("sklearn.datasets", reason="the extra 'sklearn' is not installed")
    model = embedded.load(name)
    data = getattr(datasets, f"load_{name}")()
    rows = [read_point(model.graph.features, row) for row in data.data.tolist()]
    assert set(rows) == set(model.instances)
    assert all(Fraction(float(cell)) == value for cell, value in zip(data.data.astype("f4")[0], rows[0], strict=True))
    expected = [str(data.target_names[label]) for label in data.target]
    right = sum(classify(name, point) == label for point, label in zip(rows, expected, strict=True))
    assert right / len(rows) > 0.8


def tool() -> Any:
    spec = importlib.util.spec_from_file_location("make_embedded", ROOT / "tools" / "make_embedded.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_making_the_models_again_changes_no_byte(tmp_path: Path) -> None:
    sklearn = pytest.importorskip("sklearn", reason="the extra 'sklearn' is not installed")
    if f"({sklearn.__version__})" not in embedded.load("iris").origin:
        pytest.skip("the trees were fitted by another version of scikit-learn")
    tool().main(tmp_path)
    folder = ROOT / "xpgcheck" / "embedded" / "data"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in folder.iterdir())
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


def pmlb(name: str) -> list[list[int]]:
    folder = os.environ.get("XPGCHECK_DATA")
    if not folder:
        pytest.skip("XPGCHECK_DATA does not name the folder of research data")
    with (Path(folder) / "pmlb" / f"{name}.csv").open(newline="") as file:
        return [list(map(int, row)) for row in list(csv.reader(file))[1:]]


@pytest.mark.parametrize("name", ["corral", "mux6", "xd6", "threeOf9", "parity5+5", "mofn_3_7_10"])
def test_functions_are_what_pmlb_tabulates(name: str) -> None:
    rows = pmlb(name)
    features = embedded.load(name).graph.features
    for *values, target in rows:
        assert classify(name, read_point(features, values)) == str(target)


def test_tic_tac_toe_is_what_pmlb_tabulates() -> None:
    rows = pmlb("tic_tac_toe")
    model = embedded.load("tic_tac_toe")
    points = [read_point(model.graph.features, ["box"[value] for value in values]) for *values, _ in rows]
    assert set(points) == set(model.instances)
    for point, row in zip(points, rows, strict=True):
        assert classify("tic_tac_toe", point) == ("positive" if row[-1] else "negative")
