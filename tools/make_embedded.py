"""Makes the embedded models: ``python tools/make_embedded.py [FOLDER]`` writes ``xpgcheck/embedded/data``.

Everything is deterministic: running it again changes no byte (the trees: with the same scikit-learn).
Exact functions are expanded from a predicate into reduced ordered multi-valued decision diagrams; the paper's two
figures are typed in; the tic-tac-toe positions are found by playing all games; trees are fitted by scikit-learn.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from xpgcheck.embedded import _values
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Integer
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import Value
from xpgcheck.readers.instances import parse_instances
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.sklearn_tree import from_sklearn
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.json_model import model_json

DATA = Path(__file__).resolve().parent.parent / "xpgcheck" / "embedded" / "data"

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SQUARES = tuple(f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
MAX_DEPTH = 6


def diagram(
    name: str, features: Sequence[Feature], classes: Sequence[str], function: Callable[..., int | bool]
) -> DecisionGraph:
    """Return the reduced ordered diagram of *function* (from values, in the order of *features*, to a class's index).

    Shannon expansion over all points, equal subgraphs shared, tests without effect left out, values that lead to the
    same node on one edge.  Exponential in the features: for functions of a few thousand points.
    """
    unique: dict[int | tuple[int, tuple[tuple[int, tuple[Value, ...]], ...]], int] = {}

    def build(prefix: tuple[Value, ...]) -> int:
        level = len(prefix)
        if level == len(features):
            return unique.setdefault(int(function(*prefix)), len(unique))
        values_of_child: dict[int, list[Value]] = {}
        for value in _values(features[level]):
            values_of_child.setdefault(build((*prefix, value)), []).append(value)
        if len(values_of_child) == 1:
            return next(iter(values_of_child))
        edges = tuple((child, tuple(values)) for child, values in values_of_child.items())
        return unique.setdefault((level, edges), len(unique))

    root = build(())
    nodes: dict[NodeId, Node] = {}
    for key, number in unique.items():
        if isinstance(key, int):
            nodes[number] = Terminal(key)
        else:
            domain = features[key[0]].domain
            nodes[number] = NonTerminal(
                key[0], tuple((child, read_literal(domain, values)) for child, values in key[1])
            )
    return renumbered(decision_graph(name, features, classes, nodes, root))


def renumbered(graph: DecisionGraph) -> DecisionGraph:
    """Return *graph* with ids 1, 2, … in its topological order."""
    nodes: dict[NodeId, Node] = {
        node + 1: Terminal(graph.class_of[node])
        if graph.is_terminal(node)
        else NonTerminal(graph.feature_of[node], tuple((child + 1, values) for child, values in graph.edges(node)))
        for node in range(graph.node_count)
    }
    return decision_graph(graph.name, graph.features, graph.classes, nodes, 1)


def drawn(
    name: str,
    features: Sequence[Feature],
    classes: Sequence[str],
    nodes: Mapping[int, str | tuple[int, Mapping[int, Sequence[object]]]],
) -> DecisionGraph:
    """Return the graph of a figure: a terminal is its class, others a feature (from 1) and literals by child."""
    built: dict[NodeId, Node] = {}
    for key, node in nodes.items():
        if isinstance(node, str):
            built[key] = Terminal(classes.index(node))
            continue
        feature, edges = node[0] - 1, node[1]
        domain = features[feature].domain
        built[key] = NonTerminal(feature, tuple((child, read_literal(domain, items)) for child, items in edges.items()))
    return decision_graph(name, features, classes, built, 1)


def hardware() -> DecisionGraph:
    """The paper's Fig. 1 (``fig:dt01a``), nodes numbered as there."""
    features = [
        Feature("Age", Categorical(("W", "T", "O"))),
        Feature("Income", Categorical(("L", "M", "H"))),
        Feature("Student", Categorical(("N", "Y"))),
        Feature("Credit", Categorical(("P", "F", "E"))),
    ]
    return drawn(
        "hardware",
        features,
        ("N", "T", "L"),
        {
            1: (3, {2: "N", 3: "Y"}),
            2: (1, {4: "O", 5: "WT"}),
            3: (4, {6: "E", 7: "PF"}),
            4: "T",
            5: (2, {8: "H", 9: "LM"}),
            6: "L",
            7: (1, {10: "WO", 11: "T"}),
            8: (1, {12: "T", 13: "W"}),
            9: "N",
            10: "T",
            11: (2, {14: "H", 15: "LM"}),
            12: "L",
            13: "N",
            14: "T",
            15: "L",
        },
    )


def omdd() -> DecisionGraph:
    """The paper's Fig. 2 (``fig:mdd01a``), nodes numbered as there."""
    features = [Feature("x1", Integer(0, 1)), Feature("x2", Integer(0, 1)), Feature("x3", Integer(0, 2))]
    return drawn(
        "omdd",
        features,
        ("R", "G", "B"),
        {
            1: (3, {6: [0], 2: [1], 3: [2]}),
            2: (2, {6: [0], 4: [1]}),
            3: (2, {6: [0], 5: [1]}),
            4: (1, {6: [0], 7: [1]}),
            5: (1, {6: [0], 8: [1]}),
            6: "R",
            7: "G",
            8: "B",
        },
    )


def booleans(*names: str) -> list[Feature]:
    """Return Boolean features."""
    return [Feature(name, Boolean()) for name in names]


def monk_features() -> list[Feature]:
    """Return the six features of the MONK's problems."""
    return [Feature(f"a{i}", Integer(1, size)) for i, size in enumerate((3, 3, 2, 3, 4, 2), 1)]


def functions() -> Iterable[tuple[DecisionGraph, str]]:
    """Yield each exact function with where its definition is from."""
    pmlb = "PMLB (Penn Machine Learning Benchmarks)"
    bits = ("0", "1")
    yield (
        diagram(
            "corral",
            booleans("A0", "A1", "B0", "B1", "Irrelevant", "Correlated"),
            bits,
            lambda a0, a1, b0, b1, *_: (a0 and a1) or (b0 and b1),
        ),
        f"(A0 and A1) or (B0 and B1), {pmlb} corral",
    )
    yield (
        diagram(
            "mux6",
            booleans("Address bit 1", "Address bit 2", "Bit 0", "Bit 1", "Bit 2", "Bit 3"),
            bits,
            lambda a1, a2, *data: data[2 * a1 + a2],
        ),
        f"the data bit that two address bits select, {pmlb} mux6",
    )
    yield (
        diagram(
            "xd6",
            booleans(*(f"x{i}" for i in range(1, 10))),
            bits,
            lambda *x: any(all(x[i : i + 3]) for i in (0, 3, 6)),
        ),
        f"x1x2x3 or x4x5x6 or x7x8x9, {pmlb} xd6",
    )
    yield (
        diagram(
            "threeOf9",
            booleans(*(f"F{i}" for i in range(1, 10))),
            bits,
            lambda *x: any(all(x[i : i + 3]) for i in range(7)),
        ),
        f"three ones in a row among nine bits, {pmlb} threeOf9",
    )
    yield (
        diagram(
            "parity5+5",
            booleans(*(f"Bit {i}" for i in range(1, 11))),
            bits,
            lambda *x: sum(x[i - 1] for i in (2, 3, 4, 6, 8)) % 2,
        ),
        f"the parity of bits 2, 3, 4, 6 and 8 of ten, {pmlb} parity5+5",
    )
    yield (
        diagram(
            "mofn_3_7_10",
            booleans(*(f"Bit-{i}" for i in range(10))),
            bits,
            lambda *x: sum(x[2:9]) >= 3,
        ),
        f"at least three ones among bits 2 to 8 of ten, {pmlb} mofn_3_7_10",
    )
    monks = "the MONK's problems (Thrun and others 1991)"
    yield (
        diagram("monk1", monk_features(), bits, lambda a1, a2, a3, a4, a5, a6: a1 == a2 or a5 == 1),
        f"a1 = a2 or a5 = 1, {monks}",
    )
    yield (
        diagram("monk2", monk_features(), bits, lambda *a: a.count(1) == 2),
        f"exactly two of the six features are 1, {monks}",
    )
    yield (
        diagram(
            "monk3",
            monk_features(),
            bits,
            lambda a1, a2, a3, a4, a5, a6: (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3),
        ),
        f"(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3), without noise, {monks}",
    )


def x_wins(*board: Value) -> bool:
    """Tell whether x has three squares in a row."""
    return any(all(board[square] == "x" for square in line) for line in LINES)


def end_positions() -> list[tuple[str, ...]]:
    """Return the positions in which a game of tic-tac-toe (x moves first) can end, sorted, by playing all games."""
    seen: set[tuple[str, ...]] = set()
    ends = set()
    stack: list[tuple[str, ...]] = [("b",) * 9]
    while stack:
        board = stack.pop()
        if board in seen:
            continue
        seen.add(board)
        won = any(board[a] == board[b] == board[c] != "b" for a, b, c in LINES)
        if won or "b" not in board:
            ends.add(board)
            continue
        mover = "x" if board.count("x") == board.count("o") else "o"
        stack.extend((*board[:i], mover, *board[i + 1 :]) for i in range(9) if board[i] == "b")
    return sorted(ends)


def trees() -> Iterable[tuple[DecisionGraph, list[list[float]], str]]:
    """Yield a fitted tree for each of scikit-learn's small data sets, with its rows."""
    import sklearn
    from sklearn import datasets
    from sklearn.tree import DecisionTreeClassifier

    for name in ("iris", "wine", "breast_cancer", "digits"):
        data: Any = getattr(datasets, f"load_{name}")()
        tree = DecisionTreeClassifier(max_depth=MAX_DEPTH, random_state=0).fit(data.data, data.target)
        classes = [str(text) for text in data.target_names]
        graph = from_sklearn(tree, feature_names=list(data.feature_names), class_names=classes, name=name)
        origin = f"DecisionTreeClassifier(max_depth={MAX_DEPTH}, random_state=0) on scikit-learn's {name} data"
        yield graph, data.data.tolist(), f"{origin} ({sklearn.__version__})"


def table(header: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV table; floats that are whole numbers are written as such, others shortest."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([int(v) if isinstance(v, float) and v == int(v) else v for v in row] for row in rows)
    return text.getvalue()


def distinct(graph: DecisionGraph, rows: Sequence[Sequence[float]]) -> str:
    """Return *rows* as a table, of those that are the same float32 point the first alone."""
    header = [feature.name for feature in graph.features]
    points = parse_instances(table(header, rows).encode(), graph.features)
    first = dict(reversed([(point, row) for point, row in zip(points, rows, strict=True)]))
    kept = {id(row) for row in first.values()}
    return table(header, (row for row in rows if id(row) in kept))


def main(folder: Path = DATA) -> None:
    """Write all models, their instances and the index into *folder*."""
    index: dict[str, dict[str, object]] = {}
    folder.mkdir(parents=True, exist_ok=True)

    def add(graph: DecisionGraph, origin: str, csv_text: str | None = None, **more: object) -> None:
        text = model_json(graph)
        assert parse_json(text.encode()) == graph
        write_atomically(folder / f"{graph.name}.json", text)
        if csv_text is not None:
            write_atomically(folder / f"{graph.name}.csv", csv_text)
        index[graph.name] = {"exhaustive": csv_text is None, "origin": origin, **more}
        print(f"{graph.name}: {graph.node_count} nodes, depth {graph.depth()}, {len(graph.features)} features")

    paper = "Huang, Izza, Ignatiev, Marques-Silva, KR 2021"
    add(hardware(), f"{paper}, Fig. 1", paper_instance=["O", "L", "Y", "P"])
    add(omdd(), f"{paper}, Fig. 2", paper_instance=[0, 1, 2])
    for graph, origin in functions():
        add(graph, origin)
    board = [Feature(square, Categorical(("x", "o", "b"))) for square in SQUARES]
    game = diagram("tic_tac_toe", board, ("negative", "positive"), x_wins)
    add(game, "x has three in a row, at the end of a game (UCI tic-tac-toe endgame)", table(SQUARES, end_positions()))
    for graph, rows, origin in trees():
        add(graph, origin, distinct(graph, rows))
    write_atomically(folder / "index.json", json.dumps(index, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
