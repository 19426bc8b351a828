"""The peer's `.xpg` format, read and written."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from xpgcheck.errors import FormatError, InputError, XpgcheckError
from xpgcheck.model.labelled_graph import LabelError, LabelledGraph, labelled_graph
from xpgcheck.model.shape import Shape
from xpgcheck.readers.xpg import parse_xpg, read_xpg
from xpgcheck.writers.xpg import write_xpg

SMALL = """\
# the smallest graph on which the released find_cxp() fails
NN: 4
Root: 1
T: 5 6
TDef:
5 1
6 0
NT: 1 4
NTDef:
1 4 1
1 6 0
4 5 1

# comments and empty lines may stand anywhere
4 6 0
NV: 1
VarDef:
1 Age group
4 Age group
"""


def test_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.xpg"
    path.write_text(SMALL)
    assert read_xpg(path) == LabelledGraph(
        "small",
        ("Age group",),
        (0, 0, -1, -1),
        (((1, True), (3, False)), ((2, True), (3, False)), (), ()),
        (False, False, True, False),
        (1, 4, 5, 6),
        Shape(tree=False, read_once=False, upward=(1, 0)),
    )


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode()
    assert parse_xpg(data, "small") == parse_xpg(SMALL.encode(), "small")


def test_parallel_edges_become_one() -> None:
    text = SMALL.replace("1 6 0\n", "1 6 0\n1 4 0\n")
    assert parse_xpg(text.encode(), "small") == parse_xpg(SMALL.encode(), "small")


def test_variables_that_no_node_tests_are_left_out() -> None:
    assert parse_xpg(SMALL.replace("NV: 1", "NV: 7").encode(), "small").variables == ("Age group",)


def test_a_constant_classifier() -> None:
    graph = parse_xpg(b"NN: 1\nRoot: 3\nT: 3\nTDef:\n3 1\nNT:\nNTDef:\nNV: 0\nVarDef:\n", "constant")
    assert (graph.node_count, graph.variables) == (1, ())
    assert parse_xpg(write_xpg(graph).encode(), "constant") == graph


def instead(old: str, new: str) -> Callable[[], str]:
    assert old in SMALL
    return lambda: SMALL.replace(old, new)


@pytest.mark.parametrize(
    ("make", "place", "problem"),
    [
        (lambda: "", "line 1", "the file ends before NN:"),
        (lambda: "hello\n", "line 1", "'hello' stands where NN: is expected"),
        (lambda: SMALL[: SMALL.index("NV:")], "line 16", "the file ends before NV:"),
        (instead("Root: 1\n", ""), "line 3", "stands where Root: is expected"),
        (instead("NV: 1\n", "NV: 1\nNN: 4\n"), "line 17", "'NN: 4' stands where VarDef: is expected"),
        (instead("Root: 1\n", "Root: 1\n7\n"), "line 4", "'7' stands where T: is expected"),
        (instead("NN: 4", "NN: four"), "line 2", "'four' is not an integer"),
        (instead("NN: 4", "NN:"), "line 2", "'' is not an integer"),
        (instead("NN: 4", "NN: 5"), "line 2", "NN: says 5 nodes, 4 are defined"),
        (instead("5 1\n6", "5 1 1\n6"), "line 6", "is not of the form 'node label'"),
        (instead("5 1\n6", "5 2\n6"), "line 6", "the label is 2"),
        (instead("5 1\n6", "5 1\n5 1\n6"), "line 7", "terminal 5 is defined twice"),
        (instead("T: 5 6", "T: 5"), "line 4", "node 6 is under TDef: but not under T:"),
        (instead("T: 5 6", "T: 5 6 7"), "line 4", "node 7 is under T: but not under TDef:"),
        (instead("T: 5 6", "T: 5 6 6"), "line 4", "lists a node twice"),
        (instead("NT: 1 4", "NT: 1"), "line 8", "node 4 is under NTDef: but not under NT:"),
        (instead("1 6 0", "1 6"), "line 11", "is not of the form 'node child label'"),
        (instead("1 6 0", "1 6 x"), "line 11", "'x' is not an integer"),
        (instead("1 6 0", "1 6 0.5"), "line 11", "'0.5' is not an integer"),
        (instead("1 6 0", "1 9 0"), "line 11", "there is no node 9"),
        (instead("1 6 0", "6 5 0"), "line 11", "node 6 is a terminal and has an edge"),
        (instead("1 6 0", f"1 {'9' * 30} 0"), "line 11", "is not an integer"),
        (instead("NV: 1", "NV: 0"), "line 16", "NV: says 0 variables, 1 are named"),
        (instead("4 Age group", "4"), "line 19", "the name of a variable is empty"),
        (instead("4 Age group", "4 a\x01b"), "line 19", "control character"),
        (instead("4 Age group", "1 Age group"), "line 19", "node 1 has two variables"),
        (instead("4 Age group", "5 Age group"), "line 19", "node 5 is no non-terminal"),
        (instead("4 Age group\n", ""), "line 17", "node 4 has no variable"),
        (lambda: SMALL.encode("utf-16").decode("latin-1"), "line 1", ""),
    ],
)
def test_what_breaks_the_format_is_refused(make: Callable[[], str], place: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xpg"
    path.write_bytes(make().encode("latin-1"))
    with pytest.raises(XpgcheckError) as caught:
        read_xpg(path)
    error = caught.value
    assert type(error) is FormatError
    assert error.place.startswith(f"{path}: {place}")
    assert problem in error.problem
    assert error.mend
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("make", "place", "problem"),
    [
        (instead("Root: 1", "Root: 9"), "node '9'", "the root is not a node"),
        (instead("Root: 1", "Root: 4"), "node '1'", "not the root"),
        (instead("1 6 0", "1 6 1"), "node '1'", "more than one outgoing edge is labelled 1"),
        (instead("4 5 1", "4 1 1"), "", "no edge leads to it"),
        (instead("4 6 0", "4 1 0"), "", "on a cycle"),
        (instead("4 5 1", "4 5 0"), "node '4'", "no outgoing edge is labelled 1"),
        (instead("5 1\n6 0", "5 0\n6 0"), "node '5'", "ends in a terminal labelled 0"),
    ],
)
def test_what_is_no_explanation_graph_is_refused(
    make: Callable[[], str], place: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.xpg"
    path.write_text(make())
    with pytest.raises(LabelError) as caught:
        read_xpg(path)
    assert caught.value.place.startswith(f"{path}: {place}")
    assert problem in caught.value.problem
    assert caught.value.mend


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file; correct the path"):
        read_xpg(tmp_path / "absent.xpg")


def random_graph(seed: int) -> LabelledGraph:
    """Return a random labelled graph in which every variable is tested, most of them in another order than declared."""
    chance = random.Random(seed)
    size = chance.randint(1, 12)
    variables = [f"s {i}" for i in range(1, chance.randint(1, size) + 1)]
    of = list(range(len(variables))) + [chance.randrange(len(variables)) for _ in range(size - len(variables))]
    chance.shuffle(of)
    ids: list[int | str] = list(range(size + 2))
    chance.shuffle(ids)
    *inner, one, zero = ids
    nodes: dict[int | str, bool | tuple[int, tuple[tuple[int | str, bool], ...]]] = {one: True, zero: False}
    for i, key in enumerate(inner):
        following = ids[i + 1]
        others = {chance.choice(ids[i + 1 :]) for _ in range(3)} - {following}
        nodes[key] = (of[i], ((following, True), *((other, False) for other in sorted(others, key=str)), (zero, False)))
    return labelled_graph("random", variables, nodes, inner[0])


@pytest.mark.parametrize("seed", range(50))
def test_reading_back_is_the_identity(seed: int) -> None:
    graph = random_graph(seed)
    assert parse_xpg(write_xpg(graph).encode(), "random") == graph


def test_ids_that_are_texts_are_numbered() -> None:
    graph = labelled_graph("g", ["x"], {"a": (0, (("b", True), ("c", False))), "b": True, "c": False}, "a")
    assert parse_xpg(write_xpg(graph).encode(), "g").node_ids == (1, 2, 3)


@pytest.mark.parametrize("name", ["", " x", "a  b", "a\tb", "x\n"])
def test_names_that_would_be_read_differently_are_not_written(name: str) -> None:
    graph = labelled_graph("g", [name], {1: (0, ((2, True), (3, False))), 2: True, 3: False}, 1)
    with pytest.raises(FormatError, match="variable"):
        write_xpg(graph)


@pytest.mark.parametrize("seed", range(20))
def test_the_peer_reads_what_is_written(seed: int, tmp_path: Path) -> None:
    peer = pytest.importorskip("xpg.xpg", reason="the peer's package XpGraph is not installed")
    graph = random_graph(seed)
    path = tmp_path / "graph.xpg"
    path.write_text(write_xpg(graph))
    read = peer.XpGraph.from_file(str(path))
    assert (read.root, read.nv, read.features) == (graph.node_ids[0], len(graph.variables), list(graph.variables))
    for node in range(graph.node_count):
        key = graph.node_ids[node]
        if graph.variable_of[node] < 0:
            assert read.graph.nodes[key] == {"target": int(graph.terminal_label[node])}
        else:
            assert read.graph.nodes[key] == {"var": graph.variable_of[node]}
        edges = {(key, graph.node_ids[child], int(label)) for child, label in graph.edges[node]}
        assert set(read.graph.edges(key, data="label")) == edges
