"""Boosted trees of scikit-learn: AdaBoost, gradient boosting and histogram gradient boosting, objects and skops files.

AdaBoost has the same tree twice.  The others have, of two classes, the same tree in each round, and of more classes a tree
for each class, which asks only what tells that class from the others, as training leaves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from battery_plain_readers import EVERY_BRANCH, FILES, for_all
from battery_reader import Reader
from battery_tree_readers import (
    NODE_FIELDS,
    OBJECT,
    TREE_REFUSED,
    UNSEEN,
    SklearnObject,
    Skops,
    arrays,
    constant,
    depth_of,
    dictionary,
    label_array,
    several,
    texts,
    tree_record,
)
from battery_trees import LARGEST, Leaf, Split, Tree

TAKES_NONE = {
    "missing value goes left": "missing values",
    "missing value goes right": "missing values",
}
"""The model is refused where missing values are asked for: its ``predict`` refuses them."""

MANY_CLASSES = 100


def trees_of_scores(tree: Tree) -> list[Tree]:
    """Return a tree for each score, whose label 1 is that of the score: one of two classes, else one for each class."""
    if len(tree.labels) == 2:
        return [tree]
    return [telling(tree, label) for label in range(len(tree.labels))]


def telling(tree: Tree, label: int) -> Tree:
    """Return the tree that tells *label* (1) from all others (0): where no more is to tell there is a leaf."""
    inside = [False] * len(tree.nodes)
    # Children have larger numbers than their parents.
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        inside[number] = node.label == label if isinstance(node, Leaf) else inside[node.left] or inside[node.right]
    nodes: list[Split | Leaf] = []

    def add(number: int) -> int:
        here, node = len(nodes), tree.nodes[number]
        nodes.append(Leaf(int(inside[number])))
        if isinstance(node, Split) and inside[number]:
            left, right = add(node.left), add(node.right)
            nodes[here] = Split(node.feature, node.test, left, right, node.missing_left)
        return here

    add(0)
    return Tree(tree.features, ("other", "own"), tuple(nodes), tree.missing)


def rounds(tree: Tree) -> int:
    return 2 if len(tree.labels) < MANY_CLASSES else 1


def texts_of(tree: Tree) -> list[str]:
    return [variable.name for variable in tree.features]


def fitted_object(kind: str, tree: Tree) -> Any:
    """Return an unfitted estimator of *kind* with the names and classes of *tree*."""
    numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
    ensembles = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
    estimator = getattr(ensembles, kind)()
    estimator.classes_ = label_array(tree.labels)
    estimator.n_features_in_ = len(tree.features)
    estimator.feature_names_in_ = numpy.array(texts_of(tree), dtype=object)
    return estimator


class AdaBoost(SklearnObject):
    name = "scikit-learn AdaBoost, object"
    refused: ClassVar = {**SklearnObject.refused, **TAKES_NONE}

    def make(self, tree: Tree) -> Any:
        member = super().make(tree)
        del member.feature_names_in_
        model = fitted_object("AdaBoostClassifier", tree)
        model.n_classes_ = len(tree.labels)
        model.estimators_ = [member, member]
        # Boosting that ends early leaves zeros.
        model.estimator_weights_ = label_array([1.0, 0.5, 0.0])
        return model


class GradientBoosting(SklearnObject):
    name = "scikit-learn gradient boosting, object"
    tree_per_class = True
    refused: ClassVar = {**SklearnObject.refused, **TAKES_NONE}

    def make(self, tree: Tree) -> Any:
        model = fitted_object("GradientBoostingClassifier", tree)
        import numpy

        row = [self.regressor(part) for part in trees_of_scores(tree)]
        model.estimators_ = numpy.array([row] * rounds(tree), dtype=object)
        model.n_classes_, model.n_trees_per_iteration_ = len(tree.labels), len(row)
        model.learning_rate, model.init_ = 0.5, "zero"
        return model

    def regressor(self, tree: Tree) -> Any:
        import numpy
        from sklearn.tree import DecisionTreeRegressor

        regressor = DecisionTreeRegressor()
        small = DecisionTreeRegressor().fit([[0.0], [1.0]], [0, 1]).tree_
        nodes, values = arrays(tree, small.__getstate__()["nodes"].dtype)
        made = type(small)(len(tree.features), numpy.array([1], dtype=numpy.intp), 1)
        state = {"max_depth": depth_of(tree), "node_count": len(tree.nodes), "nodes": nodes}
        made.__setstate__({**state, "values": numpy.ascontiguousarray(difference(values))})
        regressor.tree_ = made
        regressor.n_features_in_, regressor.n_outputs_ = len(tree.features), 1
        return regressor


def difference(values: Any) -> Any:
    """Return what leaves of label 1 add, 2, and those of label 0, −2, from the *values* of a classification tree."""
    return 2 * (values[:, :, 1:2] - values[:, :, :1])


class Histogram(Reader):
    """Comparisons in float64, categories, and missing values at any node."""

    name = "scikit-learn histogram boosting, object"
    tree_per_class = True
    largest = LARGEST
    cannot: ClassVar = {
        **for_all(FILES, OBJECT),
        "missing value stops at a node": EVERY_BRANCH,
        "feature of one value": UNSEEN,
    }
    refused: ClassVar = TREE_REFUSED

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        return goes_left_of_histogram(tree, split, cell)

    def make(self, tree: Tree) -> Any:
        model = fitted_object("HistGradientBoostingClassifier", tree)
        import numpy
        from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
        from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

        row = []
        for part in trees_of_scores(tree):
            nodes, bitsets = histogram_arrays(part, PREDICTOR_RECORD_DTYPE)
            row.append(TreePredictor(nodes, bitsets, bitsets))
        model._predictors = [row] * rounds(tree)
        model.n_trees_per_iteration_ = len(row)
        model._baseline_prediction = numpy.array([baseline(len(row))])
        model.is_categorical_, model._preprocessor = None, None
        if any(v.kind == "category" for v in tree.features):
            model.is_categorical_ = is_category(tree)
            model._preprocessor = encoder_of(tree)
        return model

    def read(self, source: Any, missing: bool) -> Any:
        from xpgcheck import from_sklearn

        return from_sklearn(source, missing=missing)


def goes_left_of_histogram(tree: Tree, split: Split, cell: Any) -> bool:
    """Say what ``_predictor.pyx`` does: a category that training did not see is missing."""
    if isinstance(split.test, frozenset):
        return cell in split.test if cell < len(tree.features[split.feature].values) else split.missing_left
    assert split.test is not None
    return bool(split.missing_left if cell != cell else cell <= split.test)


def baseline(scores: int) -> list[float]:
    return [0.25, *[0.0] * (scores - 1)]


def is_category(tree: Tree) -> Any:
    import numpy

    return numpy.array([v.kind == "category" for v in tree.features])


def histogram_arrays(tree: Tree, dtype: Any) -> tuple[Any, Any]:
    """Return the nodes and the bitsets of a tree of histogram gradient boosting."""
    import numpy

    # Columns with categories come first.
    order = sorted(range(len(tree.features)), key=lambda i: tree.features[i].kind != "category")
    column = {feature: position for position, feature in enumerate(order)}
    nodes = numpy.zeros(len(tree.nodes), dtype=dtype)
    bitsets: list[list[int]] = []
    for number, node in enumerate(tree.nodes):
        here = nodes[number]
        if isinstance(node, Leaf):
            here["is_leaf"], here["value"] = 1, 2.0 * node.label - 1
            continue
        here["feature_idx"], here["missing_go_to_left"] = column[node.feature], node.missing_left
        here["left"], here["right"] = node.left, node.right
        if isinstance(node.test, frozenset):
            here["is_categorical"], here["bitset_idx"] = 1, len(bitsets)
            bitsets.append([sum(1 << code - 32 * k for code in node.test if code // 32 == k) for k in range(8)])
        else:
            here["num_threshold"] = node.test
    return nodes, numpy.array(bitsets, dtype=numpy.uint32).reshape(len(bitsets), 8)


def encoder_of(tree: Tree) -> Any:
    """Return the fitted encoder of the categories."""
    import numpy
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

    known = [numpy.array(v.values, dtype=object) for v in tree.features if v.kind == "category"]
    options = {"handle_unknown": "use_encoded_value", "unknown_value": numpy.nan, "encoded_missing_value": numpy.nan}
    encoder = OrdinalEncoder(categories=known, **options)
    numbers = FunctionTransformer(lambda rows: rows.astype(float))
    mask = is_category(tree)
    row = [v.values[0] if v.kind == "category" else 0.0 for v in tree.features]
    transformer = ColumnTransformer([("encoder", encoder, mask), ("numerical", numbers, ~mask)])
    return transformer.fit(numpy.array([row], dtype=object))


class StoredEnsemble(Skops):
    """A skops file of several trees."""

    many = True
    numbers = ((b'"n_features_in_"', b"2", b""),)

    def stored(self, kind: str, module: str, tree: Tree, attributes: dict[str, Any]) -> dict[str, Any]:
        """Return the record of an ensemble: what all of them have, and *attributes*."""
        shared = {"n_features_in_": constant(len(tree.features)), "feature_names_in_": texts(texts_of(tree))}
        content = {**shared, **attributes, "_sklearn_version": constant("1.6.1")}
        return {**object_record(kind, f"sklearn.ensemble.{module}", content), "protocol": 2}

    def class_array(self, tree: Tree, members: dict[str, bytes]) -> dict[str, Any]:
        if isinstance(tree.labels[0], str):
            return texts(tree.labels)
        return self.add("classes", label_array(tree.labels), members)

    def add(self, name: str, content: Any, members: dict[str, bytes]) -> dict[str, Any]:
        """Return the record of an array, which is added to *members*."""
        record, members[f"{name}.npy"] = self.array(name, content)
        return record


def object_record(kind: str, module: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"__class__": kind, "__module__": module, "__loader__": "ObjectNode", "content": dictionary(content)}


def listed(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": list(records)}


class SkopsAdaBoost(StoredEnsemble):
    name = "scikit-learn AdaBoost, skops"
    refused: ClassVar = {**Skops.refused, **TAKES_NONE}

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        member, members = super().document(tree)
        own = member["content"]["content"]
        stored = {**member, "content": dictionary({key: own[key] for key in own if key != "feature_names_in_"})}
        attributes = {
            "estimators_": listed([stored, stored]),
            "estimator_weights_": self.add("weights", label_array([1.0, 0.5, 0.0]), members),
            "classes_": own["classes_"],
            "n_classes_": constant(len(tree.labels)),
        }
        return self.stored("AdaBoostClassifier", "_weight_boosting", tree, attributes), members


class SkopsGradientBoosting(StoredEnsemble):
    """The first class is twice as frequent as any other."""

    name = "scikit-learn gradient boosting, skops"
    tree_per_class = True
    refused: ClassVar = {**Skops.refused, **TAKES_NONE}
    numbers = ((b'"n_features_in_"', b"2", b""), (b'"learning_rate"', b"0.5", b""))

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        members: dict[str, bytes] = {}
        row = [self.regressor(part, members, f"{number} ") for number, part in enumerate(trees_of_scores(tree))]
        count = len(tree.labels)
        prior = numpy.full(count, 1 / (count + 1))
        prior[0] *= 2
        start = {"strategy": constant("prior"), "class_prior_": self.add("prior", prior, members)}
        where = {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode", "type": "json"}
        shape = several(constant(rounds(tree)), constant(len(row)))
        attributes = {
            "learning_rate": constant(0.5),
            "loss": constant("log_loss"),
            "init_": object_record("DummyClassifier", "sklearn.dummy", start),
            "estimators_": {**where, "content": [listed(row)] * rounds(tree), "shape": shape},
            "classes_": self.class_array(tree, members),
            "n_classes_": constant(count),
        }
        return self.stored("GradientBoostingClassifier", "_gb", tree, attributes), members

    def regressor(self, tree: Tree, members: dict[str, bytes], name: str) -> dict[str, Any]:
        import numpy

        nodes, values = arrays(tree, numpy.dtype(NODE_FIELDS, align=True))

        def array(own: str, content: Any) -> dict[str, Any]:
            return self.add(own, content, members)

        content = {
            "criterion": constant("friedman_mse"),
            "n_features_in_": constant(len(tree.features)),
            "n_outputs_": constant(1),
            "tree_": tree_record(array, tree, nodes, difference(values), name),
        }
        return object_record("DecisionTreeRegressor", "sklearn.tree._classes", content)


class SkopsHistogram(StoredEnsemble):
    name = "scikit-learn histogram boosting, skops"
    tree_per_class = True
    largest = LARGEST
    cannot: ClassVar = {
        **{name: reason for name, reason in Histogram.cannot.items() if name not in FILES},
        **{name: reason for name, reason in Skops.cannot.items() if name in FILES},
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        return goes_left_of_histogram(tree, split, cell)

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        members: dict[str, bytes] = {}
        row = [self.predictor(part, members, f"{number} ") for number, part in enumerate(trees_of_scores(tree))]
        base = numpy.array([baseline(len(row))])
        attributes = {
            "is_categorical_": constant(None),
            "_preprocessor": constant(None),
            "_predictors": listed([listed(row)] * rounds(tree)),
            "_baseline_prediction": self.add("baseline", base, members),
            "classes_": self.class_array(tree, members),
        }
        if is_category(tree).any():
            attributes["is_categorical_"] = self.add("is_categorical", is_category(tree), members)
            attributes["_preprocessor"] = self.preprocessor(tree, members)
        module = "_hist_gradient_boosting.gradient_boosting"
        return self.stored("HistGradientBoostingClassifier", module, tree, attributes), members

    def predictor(self, tree: Tree, members: dict[str, bytes], name: str) -> dict[str, Any]:
        import numpy

        nodes, bitsets = histogram_arrays(tree, numpy.dtype(HISTOGRAM_FIELDS))
        own = {"nodes": nodes, "binned_left_cat_bitsets": bitsets, "raw_left_cat_bitsets": bitsets}
        content = {key: self.add(f"{name}{key}", array, members) for key, array in own.items()}
        return object_record("TreePredictor", "sklearn.ensemble._hist_gradient_boosting.predictor", content)

    def preprocessor(self, tree: Tree, members: dict[str, bytes]) -> dict[str, Any]:
        known = []
        for number, variable in enumerate(tree.features):
            if variable.kind == "category":
                numbers = not isinstance(variable.values[0], str)
                name = f"categories {number}"
                known.append(
                    self.add(name, label_array(variable.values), members) if numbers else texts(variable.values)
                )
        encoder = object_record("OrdinalEncoder", "sklearn.preprocessing._encoders", {"categories_": listed(known)})
        other = object_record("FunctionTransformer", "sklearn.preprocessing._function_transformer", {})
        mask = is_category(tree)
        transformers = [
            several(constant("encoder"), encoder, self.add("encoded", mask, members)),
            several(constant("numerical"), other, self.add("numerical", ~mask, members)),
        ]
        content = {"transformers_": listed(transformers)}
        return object_record("ColumnTransformer", "sklearn.compose._column_transformer", content)


HISTOGRAM_FIELDS = [
    ("value", "<f8"),
    ("count", "<u4"),
    ("feature_idx", "<i8"),
    ("num_threshold", "<f8"),
    ("missing_go_to_left", "u1"),
    ("left", "<u4"),
    ("right", "<u4"),
    ("gain", "<f8"),
    ("depth", "<u4"),
    ("is_leaf", "u1"),
    ("bin_threshold", "u1"),
    ("is_categorical", "u1"),
    ("bitset_idx", "<u4"),
]
"""The fields of a node of histogram gradient boosting, as its files have them."""

BOOSTED_READERS = (
    AdaBoost(),
    SkopsAdaBoost(),
    GradientBoosting(),
    SkopsGradientBoosting(),
    Histogram(),
    SkopsHistogram(),
)
