"""A reader in the battery: how its source compares, a maker of its bytes or objects, what it cannot have."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from battery_trees import LARGEST, Cell, Leaf, Split, Tree, Variable, label_at, single

from xpgcheck.model.domains import read_value

Pairs = list[tuple[str, Any]]

Spellings = Callable[[bytes], Sequence[bytes]]
"""From a number as it stands in a file to other texts in its place."""


class Reader:
    """A reader as the battery sees it.

    ``cannot`` gives, for each case that the format cannot have, the reason; ``refused`` the problem that the reader
    states, for each case that it must refuse.  The table that :mod:`battery_table` writes has the reasons.
    """

    name = ""
    kind = "number"
    """The kind of features that trees are made of where the case leaves it open."""
    labels: Sequence[object] = ("no", "yes")
    largest = LARGEST
    extension = ""
    """The file's; empty where the reader takes an object."""
    many = False
    """Whether this is a format of another reader again, with several trees in its files."""
    missing_option = True
    """Whether reading takes ``missing``; else the file itself says it."""
    leaves = 501
    """Leaves of the tree of a thousand nodes."""
    tree_per_class = False
    """Whether of more than two classes each has trees of its own: of a thousand classes, few points are asked."""
    names_features = True
    names_classes = True
    blanks: Sequence[str] = ("a b", " a", "a ")

    numbers: Sequence[tuple[bytes, bytes, bytes]] = ()
    """Numbers in the file of the sample, between what stands before them and behind."""

    cannot: Mapping[str, str] = {}
    refused: Mapping[str, str] = {}

    def make(self, tree: Tree) -> Any:
        """Return the bytes of *tree*, or its object."""
        raise NotImplementedError

    def read(self, source: Any, missing: bool) -> Any:
        """Return the graph of an object (files are read by ``read_model``)."""
        raise NotImplementedError

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        """Say what the source documents: does a cell go left?  None: the descent stops at the node."""
        raise NotImplementedError

    def cell(self, variable: Variable, cell: Cell) -> Any:
        """Return the cell as a user writes it; the position of a category that is not there is unknown to the model."""
        if variable.kind != "category":
            return cell
        position = int(cell)
        return variable.values[position] if position < len(variable.values) else "unseen"

    def thresholds(self, wanted: Sequence[float]) -> list[float]:
        """Return those of the thresholds that the format can hold."""
        return list(wanted)

    def variable(self, name: str) -> Variable:
        """Return a feature of the reader's own kind."""
        return Variable(name, self.kind)

    def sample(self) -> Tree:
        """Return a small tree, with the threshold 0.4375 where there are thresholds."""
        number = self.kind == "number"
        nodes = (Split(0, 0.4375 if number else None, 1, 2), Leaf(0), Split(1, 2.5 if number else None, 3, 4))
        names = (self.variable("first"), self.variable("second"))
        return Tree(names, tuple(self.labels), (*nodes, Leaf(1), Leaf(0)))

    def class_name(self, label: object) -> str:
        """Return how a label is called."""
        return str(label)

    def disagreements(self, graph: Any, tree: Tree, points: Sequence[Sequence[Cell]]) -> Iterator[object]:
        """Yield the points at which κ is not what the plain evaluation says."""
        order = range(len(tree.features))
        if self.names_features:
            # BDDs have their variables in another order.
            position = {variable.name: i for i, variable in enumerate(tree.features)}
            order = [position[feature.name] for feature in graph.features]
        for point in points:
            expected = label_at(tree, point, partial(self.goes_left, tree))
            raw = [self.cell(tree.features[i], point[i]) for i in order]
            values = tuple(read_value(f.domain, cell) for f, cell in zip(graph.features, raw, strict=True))
            found = graph.classes[graph.kappa(values)]
            if found != self.class_name(tree.labels[expected]):
                yield raw, found, tree.labels[expected]

    def names(self, graph: Any) -> list[str]:
        """Return how the graph calls its features."""
        return [feature.name for feature in graph.features]

    def can_be_written(self, names: Sequence[str]) -> Sequence[str]:
        """Return the names with control characters that the format can hold: all, unless a name ends with its line."""
        return names

    def kept(self, tree: Tree) -> Sequence[int]:
        """Return the features of *tree* that the graph has: all, unless the format keeps those that nodes test."""
        return range(len(tree.features))

    # Damage to files.

    after_the_end = "either"
    """The meaning of a file that is cut off where its end may be missing."""

    def must_be_whole_to(self, data: bytes) -> int:
        """Return where a file may end: what is cut off behind that may go unseen."""
        return len(data.rstrip())

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        """Yield the file with its fields in other orders, which mean the same."""
        raise NotImplementedError

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        """Yield files in which one field is written twice."""
        raise NotImplementedError

    def with_numbers(self, tree: Tree, spellings: Spellings) -> Iterator[bytes]:
        """Yield files with one number written in another way."""
        data = self.make(tree)
        for before, number, after in self.numbers:
            old = before + number + after
            assert old in data, old
            for new in spellings(number):
                yield data.replace(old, before + new + after, 1)

    def nested_deeply(self, tree: Tree) -> Iterator[bytes]:
        """Yield files with values inside a hundred thousand others."""
        raise NotImplementedError


class JsonReader(Reader):
    """A reader whose files are one JSON object."""

    extension = ".json"

    def document(self, tree: Tree) -> dict[str, Any]:
        raise NotImplementedError

    def written(self, document: Any) -> bytes:
        return json_text(document).encode()

    def make(self, tree: Tree) -> bytes:
        return self.written(self.document(tree))

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        document = self.document(tree)
        yield self.written(ordered(document, lambda keys: keys[::-1]))
        yield self.written(ordered(document, sorted))
        yield self.written(ordered(document, lambda keys: sorted(keys, reverse=True)))

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        document = self.document(tree)
        for number in range(count_objects(document)):
            yield self.written(doubled(document, number))

    def nested_deeply(self, tree: Tree) -> Iterator[bytes]:
        data = self.make(tree)
        for before, number, after in self.numbers:
            old = before + number + after
            for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
                yield data.replace(old, before + opening * 100_000 + b"1" + closing * 100_000 + after, 1)
                yield data.replace(old, before + opening * 100_000, 1)


def json_text(value: Any) -> str:
    """Write JSON, where a list of pairs is an object: so a key can come twice."""
    if is_pairs(value):
        return "{" + ",".join(f"{json.dumps(key)}:{json_text(item)}" for key, item in pairs_of(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(json_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class Twice(list):  # type: ignore[type-arg]
    """The pairs of an object in which a key comes twice."""


def is_pairs(value: Any) -> bool:
    return isinstance(value, (dict, Twice))


def pairs_of(value: Any) -> Pairs:
    return list(value.items()) if isinstance(value, dict) else value


def ordered(value: Any, order: Any) -> Any:
    """Return *value* with the keys of each object in the given order."""
    if isinstance(value, dict):
        return {key: ordered(value[key], order) for key in order(list(value))}
    return [ordered(item, order) for item in value] if isinstance(value, list) else value


def count_objects(value: Any) -> int:
    """Count the objects in *value* that have a key."""
    if isinstance(value, dict):
        return bool(value) + sum(map(count_objects, value.values()))
    return sum(map(count_objects, value)) if isinstance(value, list) else 0


def doubled(value: Any, number: int) -> Any:
    """Return *value* in which the first key of the object with that number comes twice."""
    if isinstance(value, dict) and value:
        if number == 0:
            pairs = Twice(value.items())
            pairs.append(pairs[0])
            return pairs
        number -= 1
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found = []
        for key, item in items:
            inside = count_objects(item)
            found.append((key, doubled(item, number) if 0 <= number < inside else item))
            number -= inside
        return dict(found) if isinstance(value, dict) else [item for _, item in found]
    return value


_TYPED = {
    **dict.fromkeys(("base_weights", "loss_changes", "split_conditions", "sum_hessian"), "df"),
    **dict.fromkeys(("categories", "categories_nodes", "left_children", "right_children", "parents"), "li"),
    **dict.fromkeys(("split_indices", "feature_segments", "sorted_idx", "offsets"), "li"),
    **dict.fromkeys(("categories_segments", "categories_sizes"), "Lq"),
    **dict.fromkeys(("default_left", "split_type"), "UB"),
}
"""The arrays that XGBoost writes with one type for all items: its mark, and the code of ``struct``."""


def ubjson(value: Any, key: str = "") -> bytes:
    """Write UBJSON as XGBoost does: lengths as int64, arrays with their lengths, those of a tree typed."""
    if is_pairs(value):
        return b"{" + b"".join(_length(name) + ubjson(item, name) for name, item in pairs_of(value)) + b"}"
    if isinstance(value, list):
        size = b"#L" + struct.pack(">q", len(value))
        if key in _TYPED:
            mark, code = _TYPED[key]
            return b"[$" + mark.encode() + size + struct.pack(f">{len(value)}{code}", *value)
        return b"[" + size + b"".join(map(ubjson, value))
    if isinstance(value, str):
        return b"S" + _length(value)
    if isinstance(value, int):
        return b"L" + struct.pack(">q", value)
    return b"d" + struct.pack(">f", value)


def _length(text: str) -> bytes:
    data = text.encode()
    return b"L" + struct.pack(">q", len(data)) + data


def singles(wanted: Sequence[float]) -> list[float]:
    """Return the thresholds as float32 numbers, those beyond left out."""
    found: dict[str, float] = {}
    for number in wanted:
        try:
            rounded = single(number)
        except OverflowError:
            continue
        found[repr(rounded)] = rounded
    return list(found.values())
