"""XGBoost and LightGBM files, made by hand from abstract trees."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from battery_plain_readers import BYTES_REFUSED, EVERY_BRANCH, LABELS, NAMES_REFUSED, but, for_all
from battery_reader import JsonReader, Reader, Spellings, singles, ubjson
from battery_trees import LARGEST_SINGLE, Cell, Leaf, Split, Tree, Variable, inner_nodes, single

ZERO = struct.unpack("<f", struct.pack("<f", 1e-35))[0]
"""LightGBM's border of zero: the float32 number nearest to 1e-35."""

CLASSES = "classes are 0 and 1: the file has no labels"
BOOSTER_REFUSED = {
    **NAMES_REFUSED,
    **BYTES_REFUSED,
    "infinite value": "",
    "missing value that no domain has": "the value is missing",
}


class Booster(Reader):
    labels = ("0", "1")
    names_classes = False

    def cell(self, variable: Variable, cell: Cell) -> Any:
        if variable.kind == "category" and not variable.mapped:
            return float(cell)
        return super().cell(variable, cell)

    cannot: ClassVar = {
        **for_all(LABELS, CLASSES),
        "missing value stops at a node": EVERY_BRANCH,
        "categories that are texts": "see the map of codes: without one there are only codes",
    }
    refused: ClassVar = BOOSTER_REFUSED


class XgboostJson(Booster, JsonReader):
    name = "XGBoost, JSON"
    weights: Sequence[float] = (1.0,)
    """The weights of the leaves of class 1 in each tree; those of class 0 hold as much less than 0."""
    largest = LARGEST_SINGLE
    numbers = (
        (b"[", b"0.4375", b","),
        (b'"base_score":"5E-1","boost_from_average":"0","num_class":"0","num_feature":"', b"2", b'"'),
        (b'"base_score":"', b"5E-1", b'"'),
        (b'"left_children":[', b"1", b","),
    )
    cannot: ClassVar = {
        **Booster.cannot,
        "feature of one value": "the file does not say which values training saw",
        "no category": "XGBoost refuses the empty set of a node",
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        if isinstance(split.test, frozenset):
            # What is not in the set of the node, which holds those that go right, goes left.
            return cell in split.test or cell >= len(tree.features[split.feature].values)
        if cell != cell:
            return split.missing_left
        return single(cell) < single(split.test)  # type: ignore[arg-type]

    def thresholds(self, wanted: Sequence[float]) -> list[float]:
        return singles(wanted)

    def document(self, tree: Tree) -> dict[str, Any]:
        trees = [self.arrays(tree, weight, number) for number, weight in enumerate(self.weights)]
        model: dict[str, Any] = {
            "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
            "iteration_indptr": list(range(len(trees) + 1)),
            "tree_info": [0] * len(trees),
            "trees": trees,
        }
        if any(variable.mapped for variable in tree.features):
            model["cats"] = _cats(tree.features)
        return {
            "learner": {
                "attributes": {"note": "x"},
                "feature_names": [variable.name for variable in tree.features],
                "feature_types": ["c" if v.kind == "category" else "float" for v in tree.features],
                "gradient_booster": {"model": model, "name": "gbtree"},
                "learner_model_param": {
                    "base_score": "5E-1",
                    "boost_from_average": "0",
                    "num_class": "0",
                    "num_feature": str(len(tree.features)),
                    "num_target": "1",
                },
                "objective": {"name": "binary:logistic", "reg_loss_param": {"scale_pos_weight": "1"}},
            },
            "version": [3, 2, 0],
        }

    def arrays(self, tree: Tree, weight: float, number: int) -> dict[str, Any]:
        nodes, count = tree.nodes, len(tree.nodes)
        right_of = {
            i: [k for k in range(len(tree.features[n.feature].values)) if k not in n.test]
            for i, n in inner_nodes(tree)
            if isinstance(n.test, frozenset)
        }
        starts = [sum(map(len, list(right_of.values())[:k])) for k in range(len(right_of))]
        parents = {end: i for i, n in inner_nodes(tree) for end in (n.left, n.right)}
        splits = [n if isinstance(n, Split) else None for n in nodes]
        numbers = [weight * (2.0 * n.label - 1) if isinstance(n, Leaf) else _threshold(n) for n in nodes]
        return {
            "base_weights": [0.0] * count,
            "categories": [k for codes in right_of.values() for k in codes],
            "categories_nodes": list(right_of),
            "categories_segments": starts,
            "categories_sizes": [len(codes) for codes in right_of.values()],
            "default_left": [int(s is not None and s.missing_left) for s in splits],
            "id": number,
            "left_children": [s.left if s else -1 for s in splits],
            "loss_changes": [0.0] * count,
            "parents": [parents.get(i, 2147483647) for i in range(count)],
            "right_children": [s.right if s else -1 for s in splits],
            "split_conditions": numbers,
            "split_indices": [s.feature if s else 0 for s in splits],
            "split_type": [int(i in right_of) for i in range(count)],
            "sum_hessian": [1.0] * count,
            "tree_param": {
                "num_deleted": "0",
                "num_feature": str(len(tree.features)),
                "num_nodes": str(count),
                "size_leaf_vector": "1",
            },
        }


def _threshold(split: Split) -> float:
    return 0.0 if isinstance(split.test, frozenset) or split.test is None else single(split.test)


def _cats(features: Sequence[Variable]) -> dict[str, Any]:
    """Return the categories as XGBoost 3.1 and later write them: texts as bytes with offsets, or typed integers."""
    enc: list[dict[str, Any]] = []
    segments = [0]
    for variable in features:
        texts = [str(value).encode() for value in variable.values]
        if not variable.mapped:
            enc.append({"offsets": [], "values": []})
        elif isinstance(variable.values[0], str):
            offsets = [sum(map(len, texts[:k])) for k in range(len(texts) + 1)]
            enc.append({"offsets": offsets, "values": list(b"".join(texts))})
        else:
            enc.append({"type": 15, "values": list(variable.values)})
        segments.append(segments[-1] + (len(variable.values) if variable.mapped else 0))
    order = [k for v in features if v.mapped for k in sorted(range(len(v.values)), key=lambda k, v=v: v.values[k])]
    return {"enc": enc, "feature_segments": segments, "sorted_idx": order}


class XgboostMany(XgboostJson):
    """The same tree three times; the sum has the sign of the first."""

    name = "XGBoost, many trees"
    weights = (1.0, 0.25, -0.5)
    many = True


class XgboostUbjson(XgboostJson):
    name = "XGBoost, UBJSON"
    extension = ".ubj"
    cannot: ClassVar = {
        **XgboostJson.cannot,
        "byte order mark": "a binary file",
        "lines end in CRLF": "a binary file",
    }

    def written(self, document: Any) -> bytes:
        return ubjson(document)

    def with_numbers(self, tree: Tree, spellings: Spellings) -> Iterator[bytes]:
        """Yield numbers that stand as texts, and UBJSON's own numbers of any length."""
        data = ubjson(self.document(tree))
        for number in (b"2", b"5E-1"):
            old = b"S" + struct.pack(">cq", b"L", len(number)) + number
            assert old in data
            for new in spellings(number):
                for mark in (b"S", b"H"):
                    yield data.replace(old, mark + struct.pack(">cq", b"L", len(new)) + new)

    def nested_deeply(self, tree: Tree) -> Iterator[bytes]:
        data = ubjson(self.document(tree))
        old = b"S" + struct.pack(">cq", b"L", 1) + b"2"
        yield data.replace(old, b"[" * 100_000 + b"Z" + b"]" * 100_000, 1)
        yield data.replace(old, b"{L\0\0\0\0\0\0\0\1a" * 100_000, 1)


class Lightgbm(Booster):
    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        if isinstance(split.test, frozenset):
            return cell in split.test
        if cell != cell:
            if tree.missing:
                return split.missing_left
            cell = 0.0
        return (0.0 if abs(cell) <= ZERO else cell) <= split.test

    cannot: ClassVar = {
        **Booster.cannot,
        "names with blanks": "LightGBM writes `_` for them",
        "names with commas": "LightGBM refuses them",
        "names with quotes": "LightGBM refuses them",
    }


class LightgbmText(Lightgbm):
    name = "LightGBM, text"
    extension = ".txt"
    numbers = (
        (b"threshold=", b"0.4375", b" "),
        (b"num_leaves=", b"3", b""),
        (b"left_child=", b"-1", b" "),
        (b"leaf_value=", b"-1.0", b" "),
        (b"decision_type=", b"0", b" "),
    )
    cannot: ClassVar = {
        **Lightgbm.cannot,
        "nested 10^5 deep": "nothing is nested",
    }
    refused: ClassVar = but(BOOSTER_REFUSED, "nested 10^5 deep")

    def can_be_written(self, names: Sequence[str]) -> Sequence[str]:
        return [name for name in names if "\n" not in name and "\r" not in name]

    def make(self, tree: Tree) -> bytes:
        header, block, rest = self.parts(tree)
        return "\n".join([*header, "", *block, "", *rest]).encode()

    def parts(self, tree: Tree, weight: float = 1.0, number: int = 0) -> tuple[list[str], list[str], list[str]]:
        leaf_of = {i: k for k, i in enumerate(i for i, n in enumerate(tree.nodes) if isinstance(n, Leaf))}
        inner = dict(inner_nodes(tree))
        split_of = {i: k for k, i in enumerate(inner)}
        sets = [n.test for n in inner.values() if isinstance(n.test, frozenset)]
        words = [_words(codes) for codes in sets]
        kinds, thresholds, seen = [], [], 0
        for split in inner.values():
            if isinstance(split.test, frozenset):
                kinds.append(1)
                thresholds.append(str(seen))
                seen += 1
            else:
                kinds.append((8 if tree.missing else 0) + (2 if split.missing_left else 0))
                thresholds.append(repr(split.test))

        def end(number: int) -> int:
            return split_of[number] if number in split_of else ~leaf_of[number]

        header = [
            "tree",
            "version=v4",
            "num_class=1",
            "num_tree_per_iteration=1",
            "label_index=0",
            f"max_feature_idx={len(tree.features) - 1}",
            "objective=binary sigmoid:1",
            f"feature_names={' '.join(variable.name for variable in tree.features)}",
            f"feature_infos={' '.join(map(_info, tree.features))}",
        ]
        block = ["Tree=0", f"num_leaves={len(leaf_of)}", f"num_cat={len(sets)}"]
        if inner:
            block += [
                f"split_feature={_row(n.feature for n in inner.values())}",
                f"split_gain={_row(1 for _ in inner)}",
                f"threshold={_row(thresholds)}",
                f"decision_type={_row(kinds)}",
                f"left_child={_row(end(n.left) for n in inner.values())}",
                f"right_child={_row(end(n.right) for n in inner.values())}",
            ]
        block.append(f"leaf_value={_row(weight * (2 * tree.nodes[i].label - 1) for i in leaf_of)}")  # type: ignore[union-attr]
        if sets:
            bounds = [sum(map(len, words[:k])) for k in range(len(words) + 1)]
            block += [f"cat_boundaries={_row(bounds)}", f"cat_threshold={_row(w for group in words for w in group)}"]
        block += ["is_linear=0", "shrinkage=1"]
        maps = [list(v.values) for v in tree.features if v.mapped]
        block = block if number == 0 else [f"Tree={number}", *block[1:]]
        return header, block, ["", "end of trees", "", f"pandas_categorical:{json.dumps(maps or None)}", ""]

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        header, block, rest = self.parts(tree)
        yield "\n".join([header[0], *header[:0:-1], "", block[0], *block[:0:-1], "", *rest]).encode()

    def must_be_whole_to(self, data: bytes) -> int:
        return data.index(b"end of trees") + len(b"end of trees")

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        header, block, rest = self.parts(tree)
        for number in range(1, len(header)):
            yield "\n".join([*header, header[number], "", *block, "", *rest]).encode()
        for number in range(len(block)):
            yield "\n".join([*header, "", *block, block[number], "", *rest]).encode()


class LightgbmMany(LightgbmText):
    """The same tree three times; the sum has the sign of the first."""

    name = "LightGBM, many trees"
    many = True

    def make(self, tree: Tree) -> bytes:
        header, first, rest = self.parts(tree)
        return self.joined(header, [first, *self.others(tree)], rest)

    def others(self, tree: Tree) -> list[list[str]]:
        return [self.parts(tree, weight, number)[1] for number, weight in enumerate((0.25, -0.5), 1)]

    def joined(self, header: Sequence[str], blocks: Sequence[Sequence[str]], rest: Sequence[str]) -> bytes:
        return "\n".join([*header, "", *(line for block in blocks for line in [*block, ""]), *rest]).encode()

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        header, first, rest = self.parts(tree)
        blocks = [[block[0], *block[:0:-1]] for block in [first, *self.others(tree)]]
        yield self.joined([header[0], *header[:0:-1]], blocks, rest)

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        header, first, rest = self.parts(tree)
        others = self.others(tree)
        for number in range(1, len(header)):
            yield self.joined([*header, header[number]], [first, *others], rest)
        for number in range(len(first)):
            yield self.joined(header, [first, others[0], [*others[1], others[1][number]]], rest)


def _row(items: Any) -> str:
    return " ".join(map(str, items))


def _info(variable: Variable) -> str:
    if variable.constant:
        return "none"
    return "[-10:1000000]" if variable.kind == "number" else ":".join(map(str, range(len(variable.values))))


def _words(codes: frozenset[int]) -> list[int]:
    """Return a set of codes as LightGBM's words of 32 bits, one at least."""
    count = 1 + max(codes, default=0) // 32
    return [sum(1 << (code - 32 * k) for code in codes if code // 32 == k) for k in range(count)]


class LightgbmJson(Lightgbm, JsonReader):
    name = "LightGBM, JSON"
    numbers = (
        (b'"threshold":', b"0.4375", b","),
        (b'"split_feature":', b"0", b","),
        (b'"leaf_value":', b"-1.0", b"}"),
        (b'"num_leaves":', b"3", b","),
    )
    cannot: ClassVar = {**Lightgbm.cannot, "NaN threshold": "`dump_model` writes 0"}

    def thresholds(self, wanted: Sequence[float]) -> list[float]:
        # dump_model writes 1e300 for all of them: those that are not infinite are lost.
        return [t for t in wanted if abs(t) < 1e300 or math.isinf(t)]

    def document(self, tree: Tree) -> dict[str, Any]:
        leaf_of = {i: k for k, i in enumerate(i for i, n in enumerate(tree.nodes) if isinstance(n, Leaf))}
        split_of = {i: k for k, (i, _) in enumerate(inner_nodes(tree))}

        def node(number: int) -> dict[str, Any]:
            here = tree.nodes[number]
            if isinstance(here, Leaf):
                more = {} if len(tree.nodes) == 1 else {"leaf_index": leaf_of[number]}
                return {**more, "leaf_value": 2.0 * here.label - 1}
            if isinstance(here.test, frozenset):
                test: Any = "||".join(map(str, sorted(here.test)))
            else:
                assert isinstance(here.test, float)
                test = math.copysign(1e300, here.test) if math.isinf(here.test) else here.test
            return {
                "split_index": split_of[number],
                "split_feature": here.feature,
                "threshold": test,
                "decision_type": "==" if isinstance(here.test, frozenset) else "<=",
                "default_left": here.missing_left,
                "missing_type": "NaN" if tree.missing else "None",
                "left_child": node(here.left),
                "right_child": node(here.right),
            }

        return {
            "name": "tree",
            "version": "v4",
            "num_class": 1,
            "num_tree_per_iteration": 1,
            "max_feature_idx": len(tree.features) - 1,
            "objective": "binary sigmoid:1",
            "feature_names": [variable.name for variable in tree.features],
            "feature_infos": {
                variable.name: {"min_value": 0, "max_value": 0, "values": list(range(len(variable.values)))}
                for variable in tree.features
            },
            "tree_info": [
                {"tree_index": 0, "num_leaves": len(leaf_of), "shrinkage": 1, "tree_structure": node(0)},
            ],
            "pandas_categorical": [list(v.values) for v in tree.features if v.mapped] or None,
        }


BOOSTER_READERS = (XgboostJson(), XgboostUbjson(), XgboostMany(), LightgbmText(), LightgbmJson(), LightgbmMany())
