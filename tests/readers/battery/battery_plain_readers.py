"""Formats without a library behind them, and BDDs: made by hand from abstract trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from battery_reader import JsonReader, Reader
from battery_trees import LARGEST, Cell, Leaf, Split, Tree, Variable, inner_nodes

from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers.dd_bdd import from_dd

TEXTS = "classes are texts, and stand for labels of any kind"
OWN_VALUES = "the file has the values themselves, no codes"
NO_NUMBERS = "features are Boolean: there are no thresholds"
FINITE = "literals are sets of finite numbers"
EVERY_BRANCH = "every value has a branch"

NUMBERS_ONLY = (
    "threshold, its float neighbours",
    "zeros of both signs",
    "subnormal thresholds",
    "largest float as threshold",
    "infinite threshold",
    "NaN threshold",
    "infinite value",
    "missing value goes left",
    "missing value goes right",
    "missing value stops at a node",
    "missing value that no domain has",
)
CATEGORIES = (
    "no category",
    "one category",
    "70 categories",
    "map of codes to categories",
    "unknown category",
    "categories that are texts",
)
LABELS = (
    "labels: integers",
    "labels: negative integers",
    "labels: floats",
    "labels: Booleans",
    "labels: texts",
    "labels: any script",
    "1,000 classes",
)
NAMES = (
    "names with blanks",
    "names with commas",
    "names with quotes",
    "names with line ends, controls",
    "names of any script",
    "names with U+200C, U+200D",
    "equal names",
    "empty name",
)
FILES = (
    "fields in another order",
    "byte order mark",
    "lines end in CRLF",
    "gzip",
    "cut off",
    "a field twice",
    "a number of 10^6 digits",
    "a number that only Python reads",
    "nested 10^5 deep",
)
CONTROL = {"names with line ends, controls": "has a control character"}
NAMES_REFUSED = {
    **CONTROL,
    "equal names": "",
    "empty name": "is empty",
}
BYTES_REFUSED = {
    "gzip": "this is a compressed file",
    "cut off": "",
    "a field twice": "",
    "nested 10^5 deep": "",
    "a number of 10^6 digits": "",
    "a number that only Python reads": "",
}


def but(refused: dict[str, str], *names: str) -> dict[str, str]:
    """Return what is refused without some cases."""
    return {name: problem for name, problem in refused.items() if name not in names}


def for_all(names: Sequence[str], reason: str) -> dict[str, str]:
    return dict.fromkeys(names, reason)


class DecisionGraphJson(JsonReader):
    name = "decision-graph JSON"
    missing_option = False
    numbers = ((b"(-inf, ", b"7/16", b"]"), (b'"version":', b"1", b""), (b'"id":', b"0", b""))
    cannot: ClassVar = {
        "infinite threshold": FINITE,
        "NaN threshold": FINITE,
        "missing value stops at a node": EVERY_BRANCH,
        "map of codes to categories": OWN_VALUES,
    }
    refused: ClassVar = {
        **NAMES_REFUSED,
        **BYTES_REFUSED,
        "no category": "the domain is empty",
        "unknown category": "is not a category",
        "infinite value": "is not a finite number",
        "missing value that no domain has": "the value is missing",
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        if split.test is None:
            return not cell
        if isinstance(split.test, frozenset):
            return cell in split.test
        return split.missing_left if cell != cell else cell <= split.test

    def thresholds(self, wanted: Sequence[float]) -> list[float]:
        # A branch that no value takes is against the second assumption: the reader refuses it.
        return [t for t in wanted if t < LARGEST]

    def document(self, tree: Tree) -> dict[str, Any]:
        return {
            "format": "decision-graph",
            "version": 1,
            "name": "made",
            "features": [{"name": f.name, "domain": self._domain(f, tree.missing)} for f in tree.features],
            "classes": [str(label) for label in tree.labels],
            "root": 0,
            "nodes": [self._node(tree, number, node) for number, node in enumerate(tree.nodes)],
        }

    def _domain(self, variable: Variable, missing: bool) -> dict[str, Any]:
        if variable.constant:
            return {"type": "integer", "low": 3, "high": 3}
        if variable.kind == "category":
            return {"type": "categorical", "values": list(variable.values)}
        return {"type": "boolean"} if variable.kind == "boolean" else {"type": "float64", "missing": missing}

    def _node(self, tree: Tree, number: int, node: Split | Leaf) -> dict[str, Any]:
        if isinstance(node, Leaf):
            return {"id": number, "class": str(tree.labels[node.label])}
        variable = tree.features[node.feature]
        left: list[Any]
        right: list[Any]
        if node.test is None:
            left, right = [0], [1]
        elif isinstance(node.test, frozenset):
            sides = {True: [], False: []}
            for position, value in enumerate(variable.values):
                sides[position in node.test].append(value)
            left, right = sides[True], sides[False]
        else:
            end = Fraction(node.test)
            left, right = [f"(-inf, {end}]"], [f"({end}, inf)"]
            if tree.missing:
                (left if node.missing_left else right).append("missing")
        edges = [{"to": node.left, "in": left}, {"to": node.right, "in": right}]
        return {"id": number, "feature": variable.name, "edges": [edge for edge in edges if edge["in"]]}


class EnsembleJson(DecisionGraphJson):
    """An ensemble of one tree."""

    name = "ensemble JSON"

    def document(self, tree: Tree) -> dict[str, Any]:
        graph = super().document(tree)
        shared = {key: graph[key] for key in ("version", "name", "features", "classes")}
        only = {"name": "only", "root": graph["root"], "nodes": graph["nodes"]}
        return {"format": "ensemble", **shared, "rule": {"type": "majority", "ties": "first class"}, "trees": [only]}


class VotesJson(JsonReader):
    """A forest of one tree that votes."""

    name = "forest that votes, JSON"
    missing_option = False
    numbers = ((b'"at_most":"', b"7/16", b'"'), (b'"feature":', b"0", b""))
    cannot: ClassVar = {
        "infinite threshold": "thresholds are finite numbers",
        "NaN threshold": "thresholds are finite numbers",
        **for_all(CATEGORIES, "features are real numbers"),
        "truth values as cells": "features are real numbers",
        "missing value goes left": "features are real numbers, none is missing",
        "missing value goes right": "features are real numbers, none is missing",
        "missing value stops at a node": "features are real numbers, none is missing",
        "feature of one value": "features are real numbers",
    }
    refused: ClassVar = {
        **NAMES_REFUSED,
        **BYTES_REFUSED,
        "infinite value": "is not a finite number",
        "missing value that no domain has": "the value is missing",
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        return cell <= split.test

    def document(self, tree: Tree) -> dict[str, Any]:
        labels = [str(label) for label in tree.labels]
        # From the leaves up: deep trees, too, without recursion.
        made: list[Any] = [None] * len(tree.nodes)
        for number in reversed(range(len(tree.nodes))):
            node = tree.nodes[number]
            if isinstance(node, Leaf):
                made[number] = {"class": labels[node.label]}
            else:
                test = str(Fraction(node.test))
                yes, no = made[node.left], made[node.right]
                made[number] = {"feature": node.feature, "at_most": test, "yes": yes, "no": no}
        return {
            "name": "made",
            "features": [variable.name for variable in tree.features],
            "classes": labels,
            "combine": f"majority vote, ties to class {labels[0]}",
            "trees": [made[0]],
        }


class BooleanReader(Reader):
    kind = "boolean"
    missing_option = False

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        return cell in split.test if isinstance(split.test, frozenset) else not cell


class Xpg(BooleanReader):
    """σ instead of κ: which features, fixed at the instance, leave the class alone."""

    name = ".xpg"
    extension = ".xpg"
    names_classes = False
    blanks = ("a b", "a  b")
    numbers = ((b"Root: ", b"1", b""), (b"\n2 ", b"1", b"\n"), (b"\n", b"2", b" 1\n"), (b"NV: ", b"2", b""))
    cannot: ClassVar = {
        **for_all(NUMBERS_ONLY, "an explanation graph has labels, no values"),
        **for_all(CATEGORIES, "an explanation graph has labels, no values"),
        **for_all(LABELS, "an explanation graph has labels, no values"),
        "truth values as cells": "an explanation graph has labels, no values",
        "feature of one value": "an explanation graph has labels, no values",
        "equal names": "an equal name is the same variable",
        "fields in another order": "the order is fixed",
        "nested 10^5 deep": "nothing is nested",
    }
    refused: ClassVar = {**but(BYTES_REFUSED, "nested 10^5 deep"), "empty name": "is empty", **CONTROL}

    def can_be_written(self, names: Sequence[str]) -> Sequence[str]:
        return [name for name in names if "\n" not in name and "\r" not in name]

    def make(self, tree: Tree) -> bytes:
        return "\n".join(self.lines(tree)).encode()

    def lines(self, tree: Tree) -> list[str]:
        leaves = {i: node for i, node in enumerate(tree.nodes, 1) if isinstance(node, Leaf)}
        inner = {i + 1: node for i, node in inner_nodes(tree)}
        chosen = self._class_at_zero(tree)
        edges = [f"{i} {end + 1} {one}" for i, n in inner.items() for end, one in ((n.left, 1), (n.right, 0))]
        return [
            f"NN: {len(tree.nodes)}",
            "Root: 1",
            f"T: {' '.join(map(str, leaves))}",
            "TDef:",
            *(f"{i} {int(leaf.label == chosen)}" for i, leaf in leaves.items()),
            f"NT: {' '.join(map(str, inner))}",
            "NTDef:",
            *edges,
            f"NV: {len(tree.features)}",
            "VarDef:",
            *(f"{i} {tree.features[node.feature].name}" for i, node in inner.items()),
            "",
        ]

    def _class_at_zero(self, tree: Tree) -> int:
        node = tree.nodes[0]
        while isinstance(node, Split):
            node = tree.nodes[node.left]
        return node.label

    def disagreements(self, graph: Any, tree: Tree, points: Sequence[Sequence[Cell]]) -> Iterator[object]:
        assert isinstance(graph, LabelledGraph)
        chosen = self._class_at_zero(tree)
        for point in points:
            # Features that are True at a point are free, the rest is fixed at False.
            free = {variable.name for variable, cell in zip(tree.features, point, strict=True) if cell}
            reached, stack = set(), [0]
            while stack:
                node = tree.nodes[stack.pop()]
                if isinstance(node, Leaf):
                    reached.add(node.label)
                else:
                    stack += [node.left, node.right] if tree.features[node.feature].name in free else [node.left]
            expected = reached == {chosen}
            found, ends = True, [0]
            while ends:
                here = ends.pop()
                if graph.variable_of[here] < 0:
                    found &= graph.terminal_label[here]
                else:
                    may_leave = graph.variables[graph.variable_of[here]] in free
                    ends += [child for child, one in graph.edges[here] if one or may_leave]
            if found != expected:
                yield free, found, expected

    def names(self, graph: Any) -> list[str]:
        return list(graph.variables)

    def kept(self, tree: Tree) -> Sequence[int]:
        return sorted({node.feature for _, node in inner_nodes(tree)})

    # A name cut short is a name, and nothing says that the file ends.
    after_the_end = "any"

    def must_be_whole_to(self, data: bytes) -> int:
        return data.rstrip().rindex(b" ")

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        lines = self.lines(tree)
        for number, line in enumerate(lines):
            # An edge twice is one edge.
            if line and not (lines.index("NTDef:") < number < lines.index(f"NV: {len(tree.features)}")):
                yield "\n".join([*lines[:number], line, *lines[number:]]).encode()


class DdReader(BooleanReader):
    labels = (0, 1)
    names_classes = False
    leaves = 8192
    cannot: ClassVar = {
        **for_all(NUMBERS_ONLY, NO_NUMBERS),
        **for_all(CATEGORIES, "variables are Boolean"),
        **for_all(LABELS, "classes are 0 and 1"),
        "feature of one value": "variables are Boolean",
    }


class DdDump(DdReader, JsonReader):
    name = "BDD, dd JSON"
    numbers = ((b'{"first":', b"0", b""), (b'"second":', b"1", b""), (b'"2":[', b"1", b","))
    cannot: ClassVar = {**DdReader.cannot, "equal names": "see a field twice: names are keys"}
    refused: ClassVar = {**but(NAMES_REFUSED, "equal names"), **BYTES_REFUSED}

    def document(self, tree: Tree) -> dict[str, Any]:
        known: dict[tuple[int, int, int], int] = {}

        def node(level: int, low: int, high: int) -> int:
            if low == high:
                return low
            if high < 0:
                return -node(level, -low, -high)
            return known.setdefault((level, low, high), len(known) + 2)

        def build(number: int) -> int:
            here = tree.nodes[number]
            if isinstance(here, Leaf):
                return 1 if here.label else -1
            return node(here.feature, build(here.left), build(here.right))

        root = build(0)
        said = {1: "T", -1: "F"}
        return {
            "level_of_var": {variable.name: level for level, variable in enumerate(tree.features)},
            "roots": [said.get(root, root)],
            **{str(n): [level, said.get(low, low), said.get(high, high)] for (level, low, high), n in known.items()},
        }


class DdFunction(DdReader):
    name = "BDD, dd function"
    cannot: ClassVar = {
        **DdReader.cannot,
        **for_all(FILES, "an object, not a file"),
        "equal names": "`dd` declares a variable once",
    }
    refused: ClassVar = but(NAMES_REFUSED, "equal names")

    def make(self, tree: Tree) -> Any:
        import pytest

        bdd = pytest.importorskip("dd.autoref", reason="the environment has no dd").BDD()
        bdd.declare(*(variable.name for variable in tree.features))

        # Children have larger numbers.  No recursive closure: a manager in a cycle complains when it is collected.
        made: dict[int, Any] = {}
        for number, node in reversed(list(enumerate(tree.nodes))):
            if isinstance(node, Leaf):
                made[number] = bdd.true if node.label else bdd.false
            else:
                test = bdd.var(tree.features[node.feature].name)
                made[number] = bdd.ite(test, made.pop(node.right), made.pop(node.left))
        return bdd, made[0]

    def read(self, source: Any, missing: bool) -> Any:
        return from_dd(*source)


class DecisionListFile(BooleanReader):
    """Each leaf is a rule of the conditions on its path."""

    name = "decision list"
    extension = ".dl"
    leaves = 512
    cannot: ClassVar = {
        **for_all(NUMBERS_ONLY, NO_NUMBERS),
        "map of codes to categories": OWN_VALUES,
        "fields in another order": "the order is fixed: declarations, then rules, which are tried in order",
        "a number of 10^6 digits": "there are no numbers",
        "a number that only Python reads": "there are no numbers",
        "nested 10^5 deep": "nothing is nested",
    }
    refused: ClassVar = {
        **but(BYTES_REFUSED, "nested 10^5 deep", "a number of 10^6 digits", "a number that only Python reads"),
        "equal names": "",
        "empty name": "is empty",
        **CONTROL,
        "no category": "where the name of a category is expected",
        "unknown category": "is not a category",
    }

    def can_be_written(self, names: Sequence[str]) -> Sequence[str]:
        return [name for name in names if "\n" not in name and "\r" not in name]

    def make(self, tree: Tree) -> bytes:
        return ("\n".join(self.lines(tree)) + "\n").encode()

    def lines(self, tree: Tree) -> list[str]:
        rules = []
        stack: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while stack:
            number, path = stack.pop()
            node = tree.nodes[number]
            if isinstance(node, Leaf):
                rules.append((path, quoted(str(tree.labels[node.label]))))
                continue
            variable = tree.features[node.feature]
            name = quoted(variable.name)
            if node.test is None:
                left, right = (f"{name} = 0",), (f"{name} = 1",)
            else:
                assert isinstance(node.test, frozenset)
                left, right = (
                    tuple(
                        f"{name} != {quoted(str(v))}" for k, v in enumerate(variable.values) if (k in node.test) == out
                    )
                    for out in (False, True)
                )
            stack += [(node.right, path + right), (node.left, path + left)]
        return [
            *(f"feature {quoted(v.name)}: {self._values(v)}" for v in tree.features),
            f"class {', '.join(quoted(str(label)) for label in tree.labels)}",
            *(f"IF {' AND '.join(path)} THEN {label}" for path, label in rules[:-1]),
            f"ELSE {rules[-1][1]}",
        ]

    def _values(self, variable: Variable) -> str:
        if variable.constant:
            return quoted("3.0")
        return "boolean" if variable.kind == "boolean" else ", ".join(quoted(str(v)) for v in variable.values)

    def cell(self, variable: Variable, cell: Cell) -> Any:
        return str(cell) if variable.constant else super().cell(variable, cell)

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        lines = self.lines(tree)
        for number, line in enumerate(lines):
            # A rule twice is legal, and needless.
            if not line.startswith("IF"):
                yield "\n".join([*lines[:number], line, *lines[number:]]).encode()


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


PLAIN_READERS = (DecisionGraphJson(), EnsembleJson(), VotesJson(), Xpg(), DdDump(), DdFunction(), DecisionListFile())
